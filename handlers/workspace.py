"""How is a file of the workspace read or written so that nothing outside is touched, whatever the path says or meets?

A path is walked folder by folder, each opened relative to the one before and never through a link. So a link that
somebody makes between a look and the use leads nowhere. Links that stay inside aren't followed either: where a link
leads can change at any time.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ..engine.table.shown import shown

PATH_LIMIT: Final = 1024
_DEPTH: Final = 32  # each folder on the way costs an open file while a file is written
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# Nothing waits for the other end of a FIFO, and no terminal becomes the process's own, should one take a file's place.
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_LINKS: Final = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)  # a file system without hard links
_SORTS: Final = (
    (stat.S_ISLNK, "a link, and links aren't followed"),
    (stat.S_ISDIR, "a folder, not a file"),
    (stat.S_ISFIFO, "a FIFO, not a file"),
    (stat.S_ISSOCK, "a socket, not a file"),
    (stat.S_ISCHR, "a device, not a file"),
    (stat.S_ISBLK, "a device, not a file"),
)


class WorkspaceError(Exception):
    """A file can't be read or written as it was asked for. Nothing was changed. The message has no full stop."""


def missing(name: str, not_done: str) -> str:
    """What a tool answers in a host without a workspace."""
    return (
        f"{name} needs a workspace, and this host has none, so {not_done}. Whoever runs the host can configure one, "
        "and no other call helps until then."
    )


def inside(path: str) -> tuple[str, ...]:
    """The folders of a path and its file's name. Nothing is looked up.

    Raises:
        WorkspaceError: It may lead out of the workspace, or is no file's path.
    """
    said = f"'{shown(path)}'"
    if path.startswith("/"):
        raise WorkspaceError(f"{said} is an absolute path: give one that begins in the workspace, such as images/a.png")
    if "\\" in path:
        raise WorkspaceError(f"{said} has a backslash: write / between folders")
    if any(char < " " or char == "\x7f" or "\ud800" <= char <= "\udfff" for char in path):
        raise WorkspaceError(f"{said} has characters that no path may have")
    names = path.split("/")
    if ".." in names:
        raise WorkspaceError(f"{said} has .. in it, which may lead out of the workspace: leave it out")
    if names[-1] in ("", "."):
        raise WorkspaceError(f"{said} names no file" if path else "the path is empty: name a file of the workspace")
    kept = tuple(name for name in names if name not in ("", "."))
    if len(kept) > _DEPTH or len(path) > PATH_LIMIT:
        raise WorkspaceError(f"{said} is too long, or has more than {_DEPTH} folders")
    return kept


class Workspace:
    """The files of one folder, the mount, and of the folders in it. Holds nothing open; may be used in any thread.

    Args:
        root: The folder. It may be reached through links: it is the host's own choice.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def read(self, path: str, limit: int) -> bytes:
        """A whole file of at most ``limit`` bytes.

        Raises:
            WorkspaceError: The path leads out or to no file, the file is larger, or it can't be read.
        """
        names = inside(path)
        with _told(path), ExitStack() as held:
            folder = self._folder(held, names[:-1], None)
            _check_file(os.stat(names[-1], dir_fd=folder, follow_symlinks=False), path)
            return _content(folder, names[-1], path, limit)

    def write(self, files: Mapping[str, bytes], *, overwrite: bool = False) -> None:
        """Write files whole: all of them or none. They are on the disk when this returns.

        A file that holds the same already counts as written. Missing folders are made. Where the process is killed
        in the middle, each file is there whole or not at all, but of several some may be there.

        Args:
            files: What each path is to hold.
            overwrite: Take the place of files that hold something else. They are an error without it.

        Raises:
            WorkspaceError: A path leads out or to what is no file, holds something else, or can't be written.
        """
        with ExitStack() as held:
            placing = _Placing(overwrite)
            try:
                for path, data in files.items():
                    with _told(path):
                        names = inside(path)
                        placing.prepare(self._folder(held, names[:-1], placing), names[-1], path, data)
                placing.place()
            except BaseException:
                placing.undo()
                raise
            placing.clear()

    def _folder(self, held: ExitStack, names: tuple[str, ...], placing: _Placing | None) -> int:
        """Open a folder; what is missing is made where something is to be placed in it."""
        try:
            folder = os.open(self.root, _FOLDER)
        except OSError as error:
            raise WorkspaceError(f"the workspace's folder can't be opened ({error.strerror})") from error
        held.callback(os.close, folder)
        for name in names:
            try:
                deeper = _step(folder, name)
            except FileNotFoundError:
                if placing is None:
                    raise
                placing.make_folder(folder, name)
                deeper = _step(folder, name)
            held.callback(os.close, deeper)
            folder = deeper
        return folder


@dataclass(slots=True)
class _Part:
    """One file on its way: written under a name of its own, then given its place."""

    folder: int
    name: str
    path: str
    temporary: str | None = None
    backup: str | None = None
    placed: bool = False
    replaced: bool = False


@dataclass(slots=True)
class _Placing:
    """Files that come to their places together, and how to take them back."""

    overwrite: bool
    parts: list[_Part] = field(default_factory=list)
    made: list[tuple[int, str]] = field(default_factory=list)

    def make_folder(self, parent: int, name: str) -> None:
        with suppress(FileExistsError):  # somebody else made it meanwhile, so it isn't ours to remove
            os.mkdir(name, dir_fd=parent)
            self.made.append((parent, name))
            os.fsync(parent)

    def prepare(self, folder: int, name: str, path: str, data: bytes) -> None:
        """Write a file beside its place. Nothing is there for others yet."""
        part = _Part(folder, name, path)
        if self._is_there(part, data):
            return
        self.parts.append(part)
        part.temporary = f".toolroute-{secrets.token_hex(8)}.tmp"
        with os.fdopen(os.open(part.temporary, _NEW, 0o666, dir_fd=folder), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def place(self) -> None:
        for part in self.parts:
            with _told(part.path):
                self._replace(part) if self.overwrite else _put(part)
                part.temporary, part.placed = None, True
        for part in self.parts:
            with _told(part.path):
                os.fsync(part.folder)

    def undo(self) -> None:
        """Leave everything as it was, as far as that goes."""
        for part in reversed(self.parts):
            with suppress(OSError):
                if part.placed and part.backup is not None:
                    _rename(part.folder, part.backup, part.name)
                    part.backup = None
                elif part.placed and not part.replaced:
                    os.unlink(part.name, dir_fd=part.folder)
        self.clear()
        for parent, name in reversed(self.made):
            with suppress(OSError):  # somebody else may have put something there
                os.rmdir(name, dir_fd=parent)

    def clear(self) -> None:
        for part in self.parts:
            for extra in filter(None, (part.temporary, part.backup)):
                with suppress(OSError):
                    os.unlink(extra, dir_fd=part.folder)

    def _is_there(self, part: _Part, data: bytes) -> bool:
        """Whether the file's place holds the same. An error where it holds what may not be replaced."""
        try:
            found = os.stat(part.name, dir_fd=part.folder, follow_symlinks=False)
        except FileNotFoundError:
            return False
        _check_file(found, part.path)
        if found.st_size == len(data) and _content(part.folder, part.name, part.path, len(data)) == data:
            return True
        if not self.overwrite:
            raise _taken(part.path)
        return False

    def _replace(self, part: _Part) -> None:
        backup = f".toolroute-{secrets.token_hex(8)}.old"
        try:
            _link(part.folder, part.name, backup)
        except FileNotFoundError:
            pass
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            part.replaced = True  # it can't be taken back, so the new one stays whatever comes
        else:
            part.backup = backup
        _rename(part.folder, part.temporary or "", part.name)


def _put(part: _Part) -> None:
    """Give a file its place where nothing else has it. A rename would take the place of whatever is there."""
    temporary = part.temporary or ""
    try:
        _link(part.folder, temporary, part.name)
    except FileExistsError:
        raise _taken(part.path) from None
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        with suppress(FileNotFoundError):
            os.stat(part.name, dir_fd=part.folder, follow_symlinks=False)
            raise _taken(part.path) from None
        _rename(part.folder, temporary, part.name)
        return
    part.placed = True  # from here on it is to be taken back
    os.unlink(temporary, dir_fd=part.folder)


def _link(folder: int, old: str, new: str) -> None:
    os.link(old, new, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)


def _rename(folder: int, old: str, new: str) -> None:
    os.rename(old, new, src_dir_fd=folder, dst_dir_fd=folder)


def _step(folder: int, name: str) -> int:
    try:
        return os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=folder)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
            what = "a link, and links aren't followed" if stat.S_ISLNK(mode) else "no folder"
            raise WorkspaceError(f"'{shown(name)}' on the way there is {what}") from None
        raise


def _content(folder: int, name: str, path: str, limit: int) -> bytes:
    with os.fdopen(os.open(name, _FILE, dir_fd=folder), "rb") as file:
        found = os.fstat(file.fileno())
        _check_file(found, path)  # what stood there a moment ago may have been another
        data = file.read(limit + 1) if found.st_size <= limit else None
    if data is None or len(data) > limit:  # it may have grown since
        raise WorkspaceError(f"'{shown(path)}' has more than the {limit:,} bytes that are allowed")
    return data


def _check_file(found: os.stat_result, path: str) -> None:
    for is_sort, said in _SORTS:
        if is_sort(found.st_mode):
            raise WorkspaceError(f"'{shown(path)}' is {said}")


def _taken(path: str) -> WorkspaceError:
    return WorkspaceError(f"'{shown(path)}' is there already and holds something else: name another, or overwrite it")


@contextmanager
def _told(path: str) -> Iterator[None]:
    """What the system says of a path, as an error that names it."""
    try:
        yield
    except FileNotFoundError as error:
        raise WorkspaceError(f"there is no '{shown(path)}' in the workspace") from error
    except OSError as error:
        said = (
            "is a link, and links aren't followed"
            if error.errno == errno.ELOOP
            else f"can't be used ({error.strerror})"
        )
        raise WorkspaceError(f"'{shown(path)}' {said}") from error
