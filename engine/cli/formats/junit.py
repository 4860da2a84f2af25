"""How do test results read for a CI's test view? JUnit's XML, as most of them read it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ...table.diagnostic import Diagnostic, Severity
from ..answers import Covered, FileRun, TestReport
from ..output import plain
from . import covered
from . import text as people
from .json import path

if TYPE_CHECKING:
    from ...resolve.suite import Outcome

# What XML 1.0 admits in no form, not even as a reference: https://www.w3.org/TR/xml/#charsets
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def test(report: TestReport) -> str:
    """A suite for each file, a test case for each call; what kept cases from running is an error.

    Coverage is a suite of its own with one test case, which fails where less is met than was asked for.
    """
    root = Element("testsuites", name="toolroute")
    for file in report.files:
        if file.diagnostics or file.outcomes:
            _suite(root, file)
    if report.covered is not None:
        _coverage(root, report, report.covered)
    for element in (root, *root):
        _count(element)
    indent(root)
    # With references for all that isn't ASCII, it is the same whatever the encoding of the output.
    body = tostring(root, encoding="us-ascii", xml_declaration=False).decode("ascii")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body}\n'


def _suite(root: Element, file: FileRun) -> None:
    suite = SubElement(root, "testsuite", name=_legal(path(file.file)))
    for found in file.diagnostics:
        _finding(suite, found)
    for outcome in file.outcomes:
        _outcome(suite, outcome)


def _finding(suite: Element, found: Diagnostic) -> None:
    place = found.place
    case = _case(suite, f"{path(place.file)}:{place.line}:{place.column}", place.file, place.line)
    # A note stops nothing, and a suite with an error is red.
    if found.severity is not Severity.NOTE:
        SubElement(case, "error", type=found.code, message=_legal(found.message)).text = _legal(str(found))


def _outcome(suite: Element, outcome: Outcome) -> None:
    place = outcome.place
    called = f"{people.quoted(outcome.call)} called by {outcome.caller}, line {place.line}"
    case = _case(suite, called, place.file, place.line)
    if outcome.passed:
        return
    message = f"expected {outcome.expected}, got {outcome.got}"
    failure = SubElement(case, "failure", type="failed-case", message=_legal(message))
    failure.text = _legal(f"expected: {outcome.expected}\ngot:      {outcome.got}\n")


def _coverage(root: Element, report: TestReport, measured: Covered) -> None:
    table = report.files[0].file
    suite = SubElement(root, "testsuite", name=_legal(f"coverage of {path(table)}"))
    properties = SubElement(suite, "properties")
    for name, value in (("met", measured.met), ("of", measured.of), ("percent", measured.percent)):
        SubElement(properties, "property", name=f"coverage.{name}", value=str(value))
    case = _case(suite, "coverage", table, 1)
    if not measured.enough:
        message = _legal(covered.too_little(report))
        SubElement(case, "failure", type=covered.TOO_LITTLE, message=message).text = message
    # A note is no error and has no text of its own in a test case, and these say what couldn't be worked out.
    said = [str(found) for found in report.files[0].diagnostics if found.severity is Severity.NOTE]
    said += [plain(line) for line in covered.lines(report)]
    SubElement(case, "system-out").text = _legal("\n".join([*said, *covered.summary(report)]))


def _case(suite: Element, name: str, file: str, line: int) -> Element:
    named = {"name": _legal(name), "classname": _legal(path(file)), "file": _legal(path(file)), "line": str(line)}
    return SubElement(suite, "testcase", named)


def _count(element: Element) -> None:
    for key, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        element.set(key, str(len(list(element.iter(tag)))))


def _legal(value: str) -> str:
    """``value`` with what XML can't hold escaped, so that it is still seen to have been there."""
    return _ILLEGAL.sub(lambda found: f"\\x{ord(found[0]):02x}", value)
