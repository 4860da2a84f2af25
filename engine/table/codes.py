"""Which findings are there? A stable code each; the page of a code is ``rules/CODE.md``."""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """A kind of finding: its severity and a title of a few words."""

    severity: str
    title: str


CODES: dict[str, Code] = {
    # The file itself.
    "TR001": Code("error", "file can't be read"),
    "TR002": Code("error", "file is too large"),
    "TR003": Code("error", "not UTF-8"),
    "TR004": Code("error", "tab"),
    "TR005": Code("error", "control character"),
    "TR006": Code("error", "hidden line break"),
    "TR007": Code("error", "nothing in the file"),
    "TR008": Code("error", "too many faults"),
    # YAML, and what this format leaves out of it.
    "TR101": Code("error", "duplicate key"),
    "TR102": Code("error", "anchor or alias"),
    "TR103": Code("error", "merge key"),
    "TR104": Code("error", "tag"),
    "TR105": Code("error", "second document"),
    "TR106": Code("error", "nested too deeply"),
    "TR107": Code("error", "YAML can't be parsed"),
    "TR108": Code("error", "text needs quotes"),
    "TR109": Code("error", "text cut short by a comment"),
    "TR110": Code("error", "key isn't text"),
    # The shape of a table.
    "TR201": Code("error", "unknown key"),
    "TR202": Code("error", "missing key"),
    "TR203": Code("error", "wrong type"),
    "TR204": Code("error", "wrong value"),
    "TR205": Code("error", "empty list or text"),
    "TR206": Code("error", "unknown format version"),
    "TR207": Code("error", "not an identifier"),
    # What refers to what.
    "TR301": Code("error", "unknown refusal"),
    "TR302": Code("error", "unknown fact"),
    "TR303": Code("error", "unknown source"),
    "TR304": Code("error", "unknown caller"),
    "TR305": Code("error", "requires names a caller"),
    "TR306": Code("error", "not a value of the fact"),
    "TR307": Code("error", "same fact twice in one condition"),
    "TR308": Code("error", "route id used twice"),
    "TR309": Code("error", "reserved name"),
    "TR310": Code("error", "listed twice"),
    "TR311": Code("error", "unknown kind"),
    # Patterns.
    "TR401": Code("error", "not a pattern of this format"),
    # Texts.
    "TR501": Code("error", "text doesn't parse"),
    "TR502": Code("error", "unknown variable"),
    "TR503": Code("error", "not allowed in a text"),
    "TR504": Code("error", "text doesn't render"),
    "TR505": Code("warning", "single braces"),
    # Test files.
    "TR601": Code("error", "case without one expectation"),
    "TR602": Code("error", "no cases"),
    # What becomes of every call there can be.
    "TR701": Code("warning", "route that no call reaches"),
    "TR702": Code("warning", "pattern that no call comes by"),
    "TR703": Code("warning", "pattern that takes calls from later routes"),
    "TR704": Code("warning", "requirement that never holds"),
    "TR705": Code("warning", "refuse clause that never applies"),
    "TR706": Code("warning", "refuse clause that always applies"),
    "TR707": Code("warning", "never used"),
    "TR708": Code("warning", "caller that is always refused"),
    "TR709": Code("warning", "names that are too much alike"),
    "TR710": Code("warning", "text that doesn't name the tool"),
    "TR711": Code("note", "too much to work out"),
    "TR712": Code("warning", "setting without effect"),
    "TR713": Code("note", "order that means nothing"),
    "TR714": Code("note", "caller that makes no difference"),
}
