"""Does each break fail a test of its own? They are applied to a copy of the checkout, one at a time.

Usage: ``python -m breaks [WORD ...]``, at the root of a checkout; with words, only the breaks whose names hold one.
Exits with 1 where one isn't caught by its own tests, or is stale.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from .breaking import Break, BreakError
from .checkout import Copy
from .listed import BREAKS
from .routes import of_routes


def main(words: Sequence[str]) -> int:
    """Try the breaks, and tell of each what caught it."""
    root = Path.cwd()
    try:
        routes = of_routes(root)
        chosen = [one for one in (*BREAKS, *routes.breaks) if not words or any(word in one.name for word in words)]
        stale = [said for one in chosen if (said := one.stale(root))]
        if stale or not chosen:
            raise BreakError("\n".join(stale) or f"no break's name holds {' or '.join(words)}")
        with tempfile.TemporaryDirectory(prefix="breaks-") as folder:
            survived = _tried(Copy(root, Path(folder)), chosen)
    except BreakError as error:
        _say(str(error), sys.stderr)
        return 1
    if not words:
        _say(f"\n{len(routes.no_order)} neighbours in routes.yaml may be swapped, since no call is decided otherwise:")
        _say(", ".join(f"{one} and {other}" for one, other in routes.no_order))
    _say(f"\n{len(chosen) - len(survived)} of {len(chosen)} breaks were caught by a test of their own")
    for name, said in survived:
        _say(f"NOT CAUGHT: {name}: {said}")
    return 1 if survived else 0


def _tried(copy: Copy, breaks: Sequence[Break]) -> list[tuple[str, str]]:
    """Try each break. Those that its own tests don't catch, and what became of them."""
    began = time.monotonic()
    unbroken = copy.test(list(dict.fromkeys(test for one in breaks for test in one.tests)))
    if not unbroken.passed:
        said = f"{unbroken.failed} fails" if unbroken.failed else f"the tests {unbroken.said}"
        raise BreakError(f"before anything is broken, {said}")
    _say(f"unbroken: the tests of {len(breaks)} breaks pass ({time.monotonic() - began:.0f} s)")
    survived = []
    for number, one in enumerate(breaks, 1):
        with copy.broken(one):
            caught, said = _caught(copy, one)
        _say(f"[{number}/{len(breaks)}] {one.name}: {said}")
        if not caught:
            survived.append((one.name, said))
    return survived


def _caught(copy: Copy, one: Break) -> tuple[bool, str]:
    own = copy.test(one.tests)
    if own.failed is not None:
        return True, f"caught by {own.failed}"
    if own.said is not None:
        return False, f"its own test {own.said}"
    elsewhere = copy.test(sorted({_folder(test) for test in one.tests}), seconds=600)
    if elsewhere.failed is not None:
        return False, f"SURVIVED its own test, though {elsewhere.failed} caught it"
    return False, "SURVIVED" if elsewhere.said is None else f"SURVIVED its own test, and the others {elsewhere.said}"


def _folder(test: str) -> str:
    """Where a test's neighbours are: its folder, but for one that lies among the folders itself, its file."""
    path = test.split("::", 1)[0]
    folder = path.rpartition("/")[0]
    return folder if "/" in folder else path


def _say(line: str, where: object = None) -> None:
    stream = sys.stdout if where is None else sys.stderr
    stream.write(line + "\n")
    stream.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
