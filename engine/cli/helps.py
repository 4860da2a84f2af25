"""What do the help texts and the options of all commands share?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import typer
from typer.core import TyperCommand

from .exits import wrong_usage

# Without rich's markup: importing rich takes as long as checking a table, and a plain page can be piped.
PLAIN: dict[str, Any] = {
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"max_content_width": 100},
}
# The line breaks of a paragraph that begins so are kept.
_AS_IT_IS = "\b"


def _exits(clean: str, findings: str, usage: str) -> str:
    lines = (f"0    {clean}", f"1    {findings}", f"2    {usage}", "70   a bug in toolroute", "130  interrupted")
    return "\n    ".join(["", _AS_IT_IS, "Exit codes, the same in every format:", *(f"  {line}" for line in lines)])


EXITS = _exits("clean", "findings, or failed cases", "wrong usage, or a file that can't be read")
EXITS_CHECK = _exits("clean", "errors or warnings", "wrong usage, or a file that can't be read")
EXITS_TEST = _exits(
    "every case passed",
    "a case failed, a file has errors or warnings, or too little is covered",
    "wrong usage, or a file that is missing or can't be read",
)
EXITS_DIFF = _exits(
    "compared, and no change that --fail-on names",
    "such a change, or a table has errors",
    "wrong usage, or a table that can't be read",
)
EXITS_MUTATE = _exits(
    "no mutant survives",
    "one does, a case fails, or a file has errors or warnings",
    "wrong usage, or a file that is missing or can't be read",
)
EXITS_ANSWER = _exits("answered, if by a refusal", "the table has errors", "wrong usage, or a table that can't be read")
EXITS_SHOWN = _exits("shown", "never", "wrong usage")
TABLE_HELP = "The table; './routes.yaml' where it is left out, else the one that is shipped."


class _Command(TyperCommand):
    """A command that refuses a second value for an option that has one, where click keeps the last without a word."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # What is parsed doesn't tell how often an option was given; the order of what was given does.
        given = [] if ctx.resilient_parsing else self.make_parser(ctx).parse_args(args=list(args))[2]
        rest = super().parse_args(ctx, args)
        for option in given:
            if given.count(option) > 1 and option.nargs == 1 and not _repeatable(option):
                wrong_usage(f"{option.opts[0]} is given {given.count(option)} times and has one value: give it once")
        return rest


def _repeatable(option: Any) -> bool:
    return bool(getattr(option, "multiple", False) or getattr(option, "is_flag", False))


class _App(typer.Typer):
    """An app whose commands are each a :class:`_Command`."""

    def command(self, *args: Any, **options: Any) -> Any:
        return super().command(*args, **{"cls": _Command, **options})


def command() -> typer.Typer:
    """An app for the one command of a file."""
    return _App(add_completion=False, **PLAIN)


def example(*lines: str) -> str:
    """Examples, a line each."""
    return "\n    ".join(["", _AS_IT_IS, f"Example{'s' if len(lines) > 1 else ''}:", *(f"  {line}" for line in lines)])


def listing(title: str, items: Mapping[str, str]) -> str:
    """What each of some words means, a line each."""
    width = max(map(len, items))
    return "\n    ".join(["", _AS_IT_IS, f"{title}:", *(f"  {word:<{width}}  {what}" for word, what in items.items())])


def choice(*known: str) -> Any:
    """The option ``--format``, which is one of ``known``."""
    return typer.Option(
        "--format",
        metavar="FORMAT",
        help=f"{', '.join(known[:-1])} or {known[-1]}.",
        callback=lambda word: one_of("--format", known, word),
        autocompletion=lambda incomplete: [word for word in known if word.startswith(incomplete)],
    )


def one_of(where: str, known: Sequence[str], word: str) -> str:
    """``word``, if it is known; else the run ends with the nearest word that is."""
    if word in known:
        return word
    from ..table.nearest import nearest
    from ..table.shown import spelled

    return wrong_usage(f"{where}: there is no {spelled(word)}{nearest(word, known)}; use {', '.join(known)}")
