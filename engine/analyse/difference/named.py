"""What are the names of a class called, which no list can hold?"""

from __future__ import annotations

from collections.abc import Sequence

from ...table.pattern import Glob
from ..words import NameClass


def named(names: NameClass, globs: Sequence[Glob]) -> str:
    """The one name of a class, or which other names are in it: ``'sleep'``, ``any other channel_*``."""
    if names.exact:
        return names.name
    held = [glob for bit, glob in enumerate(globs) if names.globs >> bit & 1]
    told = [str(glob) for glob in held if not any(other != glob and glob.includes(other) for other in held)]
    if names.served:
        told.append("PREFIX--TOOL")
    return f"any other {' that is also '.join(told)}" if told else "any other name"
