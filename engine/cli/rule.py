"""``toolroute rule``: what does a diagnostic code mean, and how is it mended?"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from . import complete
from .exits import wrong_usage
from .helps import EXITS_SHOWN, command, example
from .output import emit, wants_style

app = command()


@app.command(
    "rule",
    help=f"""Explain a code that findings have, or list all codes.

    The page of a code says what is wrong, why it matters and how it is mended, with an example of both.
    {example("toolroute rule TR101")}
    {EXITS_SHOWN}""",
)
def rule(
    code: Annotated[
        str | None,
        typer.Argument(metavar="CODE", help="A code, as TR101.", autocompletion=complete.codes, show_default=False),
    ] = None,
) -> None:
    """Explain a code, or list them."""
    emit(_listed() if code is None else _rendered(_known(code)))


def _known(code: str) -> str:
    from ..table.codes import CODES
    from ..table.nearest import nearest
    from ..table.shown import spelled

    if code.upper() not in CODES:
        wrong_usage(f"there is no code {spelled(code)}{nearest(code, CODES)}; 'toolroute rule' lists them")
    return code.upper()


def _listed() -> str:
    from ..table.codes import CODES

    return "".join(f"{code}  {kind.severity:<7}  {kind.title}\n" for code, kind in CODES.items())


def _rendered(code: str) -> str:
    from .pages import page

    if not wants_style(sys.stdout):
        return page(code)
    # Imported where a page is laid out for a terminal alone: it takes as long as checking a table.
    import io
    import shutil

    from rich.console import Console
    from rich.markdown import Markdown

    into = io.StringIO()
    width = min(shutil.get_terminal_size().columns, 100)
    Console(file=into, force_terminal=True, width=width, legacy_windows=False).print(Markdown(page(code)))
    return into.getvalue()
