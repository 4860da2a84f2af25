"""Which routes can a name meet, for what the sources hold now?"""

from __future__ import annotations

from .names import SEPARATOR, Sources
from .rows import Row, Rows


class Now:
    """The row of every name. It is replaced when a source changes, and never changed itself.

    Attributes:
        rows: The rows of the names that stand in the table, and of those that are expected.
        expected: The names that are expected.
        sources: What the sources hold.
        heads: What all other names begin with that more than a ``--`` has to be found out of; ``("",)`` says all.
        plain: The row of a name that isn't in ``rows`` and begins with none of ``heads``.
        separated: The row of such a name where it has a ``--``.
    """

    __slots__ = ("_all", "_headed", "expected", "heads", "plain", "rows", "separated", "sources")

    def __init__(self, rows: Rows, sources: Sources, expected: frozenset[str] = frozenset()) -> None:
        self._all = rows
        self.rows = rows.by_name(sources, expected)
        self.sources = sources
        self.expected = expected
        found = rows.heads(sources)
        self.heads = ("",) if found is None else tuple(found)
        # Longest first: the first that a name begins with says all of the others that it begins with too.
        self._headed = tuple(sorted((found or {}).items(), key=lambda item: -len(item[0])))
        self.plain, self.separated = rows.headless

    def headed(self, name: str) -> Row:
        """The row of a name that isn't in ``rows``, whatever it begins with."""
        for head, rows in self._headed:
            if name.startswith(head):
                if rows is None or name == head:  # a server's tool has a name of its own behind the prefix
                    break
                return rows[SEPARATOR in name]
        return self._all.of(name, self.sources)

    def row(self, name: str) -> Row:
        """The row of any name."""
        return self.rows.get(name) or self.headed(name)
