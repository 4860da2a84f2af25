"""Which test case would fail by a mutant that survives?"""

from __future__ import annotations

from ..coverage.case_text import case_text, scalar
from .differ import Shown


def missing_case(shown: Shown, indent: int = 2) -> list[str]:
    """The lines of a case that the table passes and the mutant doesn't, as an item of a list."""
    lines = case_text(shown.call, shown.was, indent=indent)
    if shown.was.refusal is not None and shown.was.refusal == shown.now.refusal:
        # One refusal that reads otherwise, as it names another route: only its text tells.
        lines[-1] = f"{' ' * indent}  refused: {scalar(str(shown.was.text))}"
    return lines
