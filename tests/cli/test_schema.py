"""Does ``schema`` print the schemas that are published?"""

from __future__ import annotations

import json

from jsonschema import Draft202012Validator

from toolroute.engine.table.schema import suite_schema, table_schema
from toolroute.tests.cli.conftest import Run


def test_the_schema_of_tables_is_printed_unless_another_is_asked_for(run: Run) -> None:
    ran = run("schema")
    assert ran == run("schema", "table")
    assert json.loads(ran.out) == table_schema()
    Draft202012Validator.check_schema(json.loads(ran.out))


def test_the_schema_of_test_cases_is_printed(run: Run) -> None:
    assert json.loads(run("schema", "test").out) == suite_schema()


def test_another_schema_names_the_nearest(run: Run) -> None:
    code, out, err = run("schema", "tests")
    assert (code, out) == (2, "")
    assert err == "toolroute: schema: there is no 'tests' (did you mean 'test'?); use table, test\n"
