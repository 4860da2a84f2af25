"""What does the page of a diagnostic code say?"""

from __future__ import annotations

from importlib.resources import files


def page(code: str) -> str:
    """The page of ``code``, in Markdown."""
    return files("toolroute").joinpath("engine", "table", "rules", f"{code}.md").read_text("utf-8")
