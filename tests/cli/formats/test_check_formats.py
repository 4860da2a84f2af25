"""How do the findings of a small faulty table read in every format?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from toolroute.tests.cli.conftest import Run


@pytest.mark.parametrize("format_", ["text", "json", "github"])
def test_findings_read_so(run: Run, tables: Path, format_: str, snapshot: SnapshotAssertion) -> None:
    assert run("check", "faulty.yaml", "missing.yaml", "--format", format_).out == snapshot


def test_a_document_has_the_shape_that_is_promised(run: Run, tables: Path) -> None:
    said = json.loads(run("check", "routes.yaml", "routes.test.yaml", "faulty.yaml", "--format", "json").out)
    table, suite, faulty = said["files"]
    assert (said["version"], said["warnings"], said["notes"]) == (1, 0, 0)
    assert said["errors"] == len(faulty["findings"])
    assert (table["table"]["name"], table["table"]["revision"]) == ("demo", 7)
    assert (suite["cases"], suite["table"]) == (2, table["table"])
    assert faulty["table"] is None
