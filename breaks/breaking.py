"""What is a break, and does it still fit the code that it breaks?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class BreakError(Exception):
    """Breaks can't be tried as they are written. The message says which, and what to change."""


@dataclass(frozen=True, slots=True)
class Break:
    """One thing that must not go unnoticed where somebody takes it out of the code.

    Attributes:
        name: What is broken, in words.
        file: The file, from the checkout's root.
        find: What stands there, up to the end of a line, and exactly once.
        put: What is put in its place.
        tests: The tests of its own, by their node ids. One of them must fail.
    """

    name: str
    file: str
    find: str
    put: str
    tests: tuple[str, ...]

    def broken(self, text: str) -> str:
        """The file's text, broken.

        Raises:
            BreakError: The break is stale: what it is to find isn't there, or more than once.
        """
        count = text.count(self.find)
        if count != 1:
            said = f"what it is to find stands {count} times in {self.file}, not once:\n{self.find.rstrip()}"
            raise BreakError(f"the break '{self.name}' is stale: {said}")
        return text.replace(self.find, self.put)

    def stale(self, root: Path) -> str | None:
        """Why the break doesn't fit a checkout any more; None where it does. Whether its tests exist isn't asked."""
        path = root / self.file
        if not path.is_file():
            return f"the break '{self.name}' is stale: there is no {self.file}"
        try:
            self.broken(path.read_text("utf-8"))
        except BreakError as error:
            return str(error)
        return None
