"""How are calls told apart, and who made one told by its id?"""

from __future__ import annotations

import secrets
import string
from typing import Final

_CHARS: Final = string.ascii_letters + string.digits
# What the ids of each caller's calls begin with. The agent's own look as a model's interface makes them.
AGENT: Final = "toolu_01"
SCRIPT: Final = "pytc-"
HOST: Final = "host-"
MODULE: Final = "module-"
TURN: Final = "turn-"


def new_id(beginning: str) -> str:
    """A new id: its beginning and 22 letters or digits, which nobody can guess."""
    return beginning + "".join(secrets.choice(_CHARS) for _ in range(22))
