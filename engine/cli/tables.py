"""Which table is meant, and which file holds its test cases?"""

from __future__ import annotations

from pathlib import Path

import typer

from ..table.load import read_table
from ..table.table import TableData
from .exits import exit_code
from .output import complain_lines

HERE = "routes.yaml"
STDIN = "-"
_SUITE = ".test.yaml"


def shipped() -> str:
    """The path of the table that comes with the package."""
    # Imported where no table is named and none is here: it would slow every other run.
    from importlib.resources import files

    return str(files("toolroute").joinpath(HERE))


def default_table() -> str:
    """``routes.yaml`` in the current folder where there is one, else the shipped table."""
    return HERE if Path(HERE).exists() else shipped()


def is_suite(file: str) -> bool:
    """Whether a file is one of test cases, by its name."""
    return file.endswith(_SUITE)


def suite_of(table: str) -> str:
    """The file of test cases beside a table: ``routes.test.yaml`` for ``routes.yaml``."""
    return str(Path(table).with_suffix(_SUITE))


def table_of_suite(suite: str) -> str:
    """The table beside a file of test cases: ``routes.yaml`` for ``routes.test.yaml``."""
    return suite.removesuffix(_SUITE) + ".yaml"


def table_or_exit(file: str | None) -> TableData:
    """The table in ``file``, or the default one. Where it has errors, they are told and the run ends."""
    reading = read_table(file or default_table())
    if reading.table is not None:
        return reading.table
    # Imported on the way to an error alone.
    from .formats.text import findings

    complain_lines(findings(reading.diagnostics))
    raise typer.Exit(exit_code(reading.diagnostics))
