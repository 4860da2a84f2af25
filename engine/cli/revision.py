"""Which bytes does a table have that is named on the command line: a file's, or those of a revision of git?"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

from ..table.source import MAX_BYTES, Source, read_source, source_of
from .exits import wrong_usage
from .tables import STDIN

_SHORT: Final = 300


def source_named(named: str) -> Source:
    """The source that ``FILE``, ``-`` or ``REV:PATH`` names. A file that exists is taken before a revision.

    Where it can't be read that is told, and the run ends.
    """
    found = source_of(_from_git(named), named) if is_revision(named) else read_source(named)
    if isinstance(found, Source):
        return found
    hint = "" if found.code != "TR001" or ":" in named else "; for what git has, write REV:PATH"
    return wrong_usage(f"{found.message}: {found.help}{hint}")


def is_revision(named: str) -> bool:
    """Whether a name is one of what git has."""
    return named != STDIN and ":" in named and not _exists(named)


def _exists(named: str) -> bool:
    try:
        return Path(named).exists()
    except (OSError, ValueError):
        return False


def _from_git(named: str) -> bytes:
    """The bytes that git keeps under ``REV:PATH``."""
    if named.startswith("-"):
        wrong_usage(f"can't read {named}: a revision can't begin with a dash")
    if "\0" in named:
        wrong_usage("can't read what a name with a null character in it names")
    try:
        # cat-file and not show: the bytes as they are kept, whatever the repository's filters make of them.
        with subprocess.Popen(  # noqa: S603  # an argument list, in which no shell reads the name
            ["git", "cat-file", "blob", named],  # noqa: S607  # the git that the user has
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as git:  # fmt: skip  # the pipes in one line
            assert git.stdout is not None and git.stderr is not None  # noqa: S101, PT018  # they are pipes
            data = git.stdout.read(MAX_BYTES + 1)
            git.stdout.close()
            said = git.stderr.read().decode("utf-8", "replace")
    except FileNotFoundError:
        wrong_usage(f"can't read {named}: there is no such file, and no git to ask for a revision")
    except OSError as error:
        wrong_usage(f"can't read {named}: git can't be run: {error.strerror or error}")
    if git.returncode and len(data) <= MAX_BYTES:
        wrong_usage(f"can't read {named}: there is no such file, and git says: {_told(said)}")
    return data


def _told(said: str) -> str:
    """What git complains of, in one line."""
    lines = [line.removeprefix("fatal: ").removeprefix("hint: ") for line in said.splitlines() if line.strip()]
    return "; ".join(lines)[:_SHORT] or "nothing"
