"""What do the help texts of all commands share?"""

from __future__ import annotations

import typer

# Click keeps the lines of a paragraph that begins so as they are.
_AS_IT_IS = "\b"
EXIT_FILES = f"""
    {_AS_IT_IS}
    Exit codes, in every format:
      0  clean
      1  errors or warnings
      2  wrong usage, or a file that can't be read"""
EXIT_CASES = f"""
    {_AS_IT_IS}
    Exit codes, in every format:
      0  every case passed
      1  a case failed, none was run, or a file has errors or warnings
      2  wrong usage, or a file that can't be read"""
EXIT_ANSWER = f"""
    {_AS_IT_IS}
    Exit codes, in every format:
      0  the question was answered, if by a refusal
      1  the table has errors
      2  wrong usage, or a file that can't be read"""
EXIT_TEXT = f"""
    {_AS_IT_IS}
    Exit codes, in every format:
      0  shown
      2  wrong usage"""


def command() -> typer.Typer:
    """An app for the one command of a file."""
    return typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


def example(*lines: str) -> str:
    """Examples, a line each."""
    return "\n    ".join(["", _AS_IT_IS, f"Example{'s' if len(lines) > 1 else ''}:", *(f"  {line}" for line in lines)])
