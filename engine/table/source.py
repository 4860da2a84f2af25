"""What does a file hold, byte for byte, and can it be read at all?"""

from __future__ import annotations

import errno
import hashlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from .diagnostic import Diagnostic, Place
from .shown import shown

MAX_BYTES = 4 * 1024 * 1024
_WHY = {
    errno.ENOENT: ("there is no such file", "check the path"),
    errno.EISDIR: ("it is a directory", "name the file in it"),
    errno.EACCES: ("you have no permission to read it", "change its permissions, or run as a user who may"),
    errno.ENOTDIR: ("a part of its path is not a directory", "check the path"),
    errno.ENAMETOOLONG: ("its name is too long", "check the path"),
    errno.ELOOP: ("its path is a loop of links", "check the links"),
}


@dataclass(frozen=True, slots=True)
class Source:
    """A file as read: its name for people, its text without a BOM, and the SHA-256 of its bytes."""

    file: str
    text: str
    digest: str
    bom: bool = False

    def lines(self) -> list[str]:
        """The text's lines by line feed; a carriage return before one is not part of the line."""
        return [line.removesuffix("\r") for line in self.text.split("\n")]


def read_source(path: str | os.PathLike[str]) -> Source | Diagnostic:
    """The file at ``path``, ``-`` for standard input; a diagnostic (TR001, TR002 or TR003) where it can't be used."""
    by_stdin = str(path) == "-"
    file = "<stdin>" if by_stdin else os.fspath(path)
    try:
        if by_stdin:
            if sys.stdin is None:
                return Diagnostic("TR001", "can't read standard input: it is closed", "name a file", Place(file))
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        elif not file:
            return Diagnostic("TR001", "can't read a file without a name", "name a file", Place(file))
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        return _unreadable(file, error)
    return source_of(data, file)


def source_of(data: bytes, file: str = "<bytes>") -> Source | Diagnostic:
    """``data`` as a source named ``file``; a diagnostic where it is too large or isn't UTF-8."""
    if len(data) > MAX_BYTES:
        return Diagnostic("TR002", "the file is over 4 MiB", "split it, or take out what is not a table", Place(file))
    digest = "sha256:" + hashlib.sha256(data).hexdigest()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf8(file, data, error.start)
    bom = text.startswith("\ufeff")
    return Source(file, text[1:] if bom else text, digest, bom)


def _unreadable(file: str, error: OSError | ValueError) -> Diagnostic:
    number = error.errno if isinstance(error, OSError) else None
    detail = (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
    why, help_ = _WHY.get(number or 0, (shown(detail), "check the path"))
    return Diagnostic("TR001", f"can't read {shown(file, 400)}: {why}", help_, Place(file))


def _not_utf8(file: str, data: bytes, start: int) -> Diagnostic:
    head = data[:start].decode("utf-8")
    line, column = head.count("\n") + 1, len(head) - (head.rfind("\n") + 1) + 1
    utf16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    what = "the file is UTF-16" if utf16 else f"byte 0x{data[start]:02x} at offset {start} is not UTF-8"
    rest = data[start : start + 60].split(b"\n")[0].decode("utf-8", "replace")
    text = head[head.rfind("\n") + 1 :].removesuffix("\r") + rest
    place = Place(file, line, column, line, column + 1)
    return Diagnostic("TR003", what, "save the file as UTF-8", place, text)
