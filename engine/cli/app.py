"""``toolroute``: how does a run begin, and how does it end whatever happens in it?

Nothing that takes time is imported here: a run that is interrupted while it imports ends as any other does.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from .exits import INTERNAL, INTERRUPTED, USAGE
from .output import OutputError, complain, release, speak_plainly

TRACEBACK = "TOOLROUTE_TRACEBACK"


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run the command line on ``argv``, and raise SystemExit with the exit code.

    Where ``argv`` is left out the process's own arguments are taken, and the process ends.
    """
    if argv is None:
        _hurry()
    try:
        speak_plainly()
        code = _run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        code = INTERRUPTED
    if argv is None:
        _leave(code)
    sys.exit(code)


def _run(argv: Sequence[str]) -> int:
    try:
        from .commands import run

        return run(argv)
    except OutputError as error:
        complain(str(error))
        return USAGE
    except Exception as error:
        if os.environ.get(TRACEBACK) == "1":
            raise
        complain(
            f"internal error: {type(error).__name__}: {error}. This is a bug in toolroute: please report it, with what "
            f"the same command says where {TRACEBACK}=1 is set."
        )
        return INTERNAL


def _hurry() -> None:
    """Leave out what a process that lives for a tenth of a second has nothing from."""
    # What a run leaves behind in cycles is little, and searching all that was imported for them is a tenth of a run.
    gc.disable()
    # Else pydantic reads the metadata of every installed package in search of plugins.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


def _leave(code: int) -> NoReturn:
    """End the process at once: taking apart all that was imported takes a tenth of a run, and nobody sees it."""
    release()
    os._exit(code)
