"""How do test results read for a CI's test view? JUnit's XML, as most of them read it."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ...table.diagnostic import Diagnostic
from ..reports import Outcome, Tested, TestReport
from .json import path

# What XML 1.0 admits in no form, not even as a reference: https://www.w3.org/TR/xml/#charsets
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def test(report: TestReport) -> str:
    """A suite for each file of cases, a case for each call; what kept cases from running is an error."""
    root = Element("testsuites", name="toolroute")
    if report.diagnostics:
        _suite(root, Tested(report.table_file, report.diagnostics))
    for suite in report.suites:
        _suite(root, suite)
    if report.nothing_ran and not report.all_diagnostics:
        nothing = SubElement(SubElement(root, "testsuite", name=_text(path(report.table_file))), "testcase")
        nothing.set("name", "cases")
        nothing.set("classname", _text(path(report.table_file)))
        SubElement(nothing, "error", type="no-case-run", message="no case was run, which is no success")
    for element in (root, *root):
        _count(element)
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _suite(root: Element, suite: Tested) -> None:
    element = SubElement(root, "testsuite", name=_text(path(suite.file)))
    for found in suite.diagnostics:
        _finding(element, found)
    for outcome in suite.outcomes:
        _case(element, outcome)


def _finding(suite: Element, found: Diagnostic) -> None:
    place = found.place
    name = f"{path(place.file)}:{place.line}:{place.column}"
    case = SubElement(suite, "testcase", name=_text(name), classname=_text(path(place.file)))
    case.set("file", _text(path(place.file)))
    case.set("line", str(place.line))
    error = SubElement(case, "error", type=found.code, message=_text(found.message))
    error.text = _text(str(found))


def _case(suite: Element, outcome: Outcome) -> None:
    name = f"line {outcome.line}: '{outcome.call}' called by {outcome.caller}"
    case = SubElement(suite, "testcase", name=_text(name), classname=_text(path(outcome.file)))
    case.set("file", _text(path(outcome.file)))
    case.set("line", str(outcome.line))
    if outcome.passed:
        return
    message = f"expected {outcome.expected}, got {outcome.got}"
    failure = SubElement(case, "failure", type="failed-case", message=_text(message))
    failure.text = _text(f"expected: {outcome.expected}\ngot:      {outcome.got}\n")


def _count(element: Element) -> None:
    element.set("tests", str(len(list(element.iter("testcase")))))
    element.set("failures", str(len(list(element.iter("failure")))))
    element.set("errors", str(len(list(element.iter("error")))))


def _text(value: str) -> str:
    return _ILLEGAL.sub("", value)
