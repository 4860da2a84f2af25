"""Which refusals don't say which tool was refused?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...table.shown import spelled
from ..survey import Survey
from ..witness import Witnesses
from .finding import Finding

NAMELESS: Final = "TR710"


def find(seen: Survey, witnesses: Witnesses) -> Iterator[Finding]:
    """Texts without the tool's name: whoever made several calls can't tell which of them was refused."""
    for refusal in seen.table.refusals.values():
        # One with single braces around the name is told of already.
        if "name" not in refusal.text.uses and "{name}" not in refusal.text.template and refusal.line:
            message = f"the text of {spelled(refusal.id)} doesn't name the tool"
            yield Finding(NAMELESS, refusal.line, refusal.id, message, "write {{ name }} where it tells of the tool")
