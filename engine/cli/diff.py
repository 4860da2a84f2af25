"""``toolroute diff``: which calls are decided otherwise by another table?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from ..table.load import read_table
from .exits import FINDINGS, exit_code
from .helps import EXITS_DIFF, choice, command, example, one_of
from .output import complain, complain_lines
from .tables import STDIN

if TYPE_CHECKING:
    from .differing import Compared

MARKS: Final = ("widening", "narrowing", "rerouting", "wording")
ANY: Final = "any"
_NAMED: Final = "A file, '-' for standard input, or REV:PATH for what git has."

app = command()


@app.command(
    "diff",
    help=f"""Show which calls are decided otherwise by another table.

    Calls that change in one way are one group, with the smallest call that shows it. A group is widening (calls become
    allowed, or less bounded), narrowing (refused, or more bounded), rerouting (they go to another kind) or wording
    (refused in other words). A call is counted by its name, its caller and the values of the facts that matter to it;
    names that no pattern spells out count as one. REV:PATH counts from the root of the repository, REV:./PATH from
    here.
    {example("toolroute diff HEAD:routes.yaml routes.yaml", "toolroute diff old.yaml new.yaml --fail-on widening")}
    {EXITS_DIFF}""",
)
def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help=_NAMED)],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The same.")],
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-on",
            metavar="MARK",
            help=f"End with 1 for such a change: {', '.join(MARKS)} or {ANY}. Can be repeated.",
            autocompletion=lambda incomplete: [mark for mark in (*MARKS, ANY) if mark.startswith(incomplete)],
            show_default=False,
        ),
    ] = None,
    format_: Annotated[str, choice("text", "json", "markdown", "github", "sarif")] = "text",
) -> None:
    """Compare two tables."""
    # Imported when the command runs, so that the list of commands needs none of it.
    from ..analyse.difference.group import compare
    from ..analyse.difference.verdict import Mark
    from ..analyse.words import TooManyClassesError
    from .differing import DiffReport
    from .exits import wrong_usage
    from .formats import show

    wanted = [one_of("--fail-on", (*MARKS, ANY), mark) for mark in fail_on or ()]
    if old == new == STDIN:
        wrong_usage("standard input can't be both tables: name a file for one of them")
    before, after = _read(old, new)
    try:
        difference = compare(before.table, after.table)
    except TooManyClassesError:
        complain("can't compare them: their globs overlap in too many ways; use fewer with stars on both sides")
        raise typer.Exit(FINDINGS) from None
    report = DiffReport(before, after, difference, frozenset(Mark) if ANY in wanted else frozenset(map(Mark, wanted)))
    show("diff", report, f"{format_}_diff")
    raise typer.Exit(report.exit_code)


def _read(*named: str) -> list[Compared]:
    """The tables. What is wrong with any of them is told, and the run ends."""
    from .differing import Compared
    from .revision import is_revision, source_named

    readings = [read_table(source_named(one)) for one in named]
    wrong = [found for reading in readings if reading.table is None for found in reading.diagnostics]
    if wrong:
        from .formats.text import findings

        complain_lines(findings(wrong))
        raise typer.Exit(exit_code(wrong))
    read = zip(named, readings, strict=True)
    return [Compared(reading.table, one, is_revision(one)) for one, reading in read if reading.table is not None]
