"""How is a checkout copied, broken and tested, so that the checkout itself stays as it is?"""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .breaking import Break, BreakError

# No test of a break takes a tenth of it. A test that hangs for a break is none that fails.
SECONDS: Final = 120
_OPTIONS: Final = ("-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--tb=no", "-rfE")
_FAILED: Final = 1  # pytest's exit code where tests ran, and some failed


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of some tests.

    Attributes:
        passed: All did.
        failed: The node id of the first that failed, if one did.
        said: Why no test failed or passed: the tests hung, or couldn't be run.
    """

    passed: bool = False
    failed: str | None = None
    said: str | None = None


def files_of(root: Path) -> list[str]:
    """What the next commit of a checkout would hold. Raises BreakError where it is none."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True)  # noqa: S603  # fixed words
    except (OSError, subprocess.CalledProcessError) as error:
        raise BreakError(f"{root} is no git checkout, so what to copy isn't known: {error}") from error
    return [name for name in listed.stdout.split("\0") if name]


class Copy:
    """A checkout's copy in a folder of its own. What is done to it is done to it alone.

    Args:
        root: The checkout.
        folder: An empty folder.
    """

    def __init__(self, root: Path, folder: Path) -> None:
        self.folder = folder
        for name in files_of(root):
            source, target = root / name, folder / name
            if source.is_symlink() or source.is_file():  # one that was deleted is listed until that is committed
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target, follow_symlinks=False)
        # Ahead of the environment's own packages, among which the checkout itself may be installed.
        self._environment = {**os.environ, "PYTHONPATH": str(folder / ".dev")}
        # Compiled modules are told apart by whole seconds and a length, which an edit may leave as they were.
        self._moments = itertools.count(2_000_000_000)

    @contextmanager
    def broken(self, one: Break) -> Iterator[None]:
        """The copy, broken for as long as this lasts. Raises BreakError where the break is stale."""
        path = self.folder / one.file
        whole = path.read_bytes()
        self._write(path, one.broken(whole.decode("utf-8")).encode("utf-8"))
        try:
            yield
        finally:
            self._write(path, whole)

    def test(self, tests: Sequence[str], seconds: float = SECONDS) -> Outcome:
        """Run tests, up to the first that fails."""
        command = [sys.executable, "-m", "pytest", *_OPTIONS, *tests]
        try:
            done = subprocess.run(  # noqa: S603  # pytest, and node ids of the checkout's own
                command,
                cwd=self.folder,
                env=self._environment,
                check=False,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired:
            return Outcome(said=f"hung: not done within {seconds:g} seconds")
        if done.returncode == 0:
            return Outcome(passed=True)
        failed = first_failed(done.stdout) if done.returncode == _FAILED else None
        return Outcome(failed=failed) if failed else Outcome(said=f"could not be run:\n{done.stdout.rstrip()}")

    def _write(self, path: Path, content: bytes) -> None:
        path.write_bytes(content)
        moment = next(self._moments)
        os.utime(path, (moment, moment))


def first_failed(report: str) -> str | None:
    """The node id in the first line of pytest's report that tells of a failed test."""
    for line in report.splitlines():
        if line.startswith("FAILED "):
            return line.removeprefix("FAILED ").split(" - ", 1)[0].strip()
    return None
