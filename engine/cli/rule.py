"""``toolroute rule``: what does a diagnostic code mean, and how is it mended?"""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from . import complete
from .exits import wrong_usage
from .helps import EXIT_TEXT, command, example
from .output import emit, wants_style


class Format(StrEnum):
    """The formats of this command."""

    TEXT = "text"
    JSON = "json"


app = command()


@app.command(
    "rule",
    help=f"""Explain a diagnostic code, or list them all.

    The page of a code says what is wrong, why it matters and how it is mended, with an example of both.
    {example("toolroute rule TR101")}
    {EXIT_TEXT}""",
)
def rule(
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE", help="A code, as TR101.", autocompletion=complete.codes, show_default=False
        ),
    ] = None,
    format_: Annotated[
        Format, typer.Option("--format", metavar="FORMAT", help="text or json.")
    ] = Format.TEXT,
) -> None:
    """Explain a code, or list them."""
    codes = [_known(code)] if code is not None else None
    if format_ is Format.JSON:
        emit(_json(codes))
    elif codes:
        emit(_rendered(codes[0]))
    else:
        emit(_listed())


def _known(code: str) -> str:
    from ..table.codes import CODES
    from ..table.nearest import nearest
    from ..table.shown import shown

    if code.upper() not in CODES:
        wrong_usage(f"there is no code '{shown(code)}'{nearest(code, CODES)}; 'toolroute rule' lists them")
    return code.upper()


def _listed() -> str:
    from ..table.codes import CODES

    return "".join(f"{code}  {kind.severity:<7}  {kind.title}\n" for code, kind in CODES.items())


def _rendered(code: str) -> str:
    from .pages import page

    if not wants_style(sys.stdout):
        return page(code)
    import io
    import shutil

    from rich.console import Console
    from rich.markdown import Markdown

    into = io.StringIO()
    width = min(shutil.get_terminal_size().columns, 100)
    Console(file=into, force_terminal=True, width=width, legacy_windows=False).print(Markdown(page(code)))
    return into.getvalue()


def _json(codes: list[str] | None) -> str:
    from ..table.codes import CODES
    from .formats.json import document
    from .pages import page

    told = [
        {"code": code, "severity": CODES[code].severity, "title": CODES[code].title, "page": page(code)}
        for code in codes or CODES
    ]
    return document({"rules": told})
