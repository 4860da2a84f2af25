"""Nothing outside the workspace is read or written, and what is written is whole."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolroute.handlers import workspace as module
from toolroute.handlers.workspace import Workspace, WorkspaceError, inside

LIMIT = 1000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "secret.txt").write_bytes(b"secret")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.txt").write_bytes(b"outside")
    root = tmp_path / "files"
    root.mkdir()
    return root


def everything(folder: Path) -> dict[str, bytes | None]:
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None for p in folder.rglob("*")}


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("../secret.txt", r"'../secret.txt' has \.\. in it"),
        ("a/../../secret.txt", r"has \.\. in it"),
        ("a/..", r"has \.\. in it"),
        ("/etc/passwd", "'/etc/passwd' is an absolute path"),
        ("//etc/passwd", "is an absolute path"),
        ("..\\secret.txt", "has a backslash"),
        ("C:\\secret.txt", "has a backslash"),
        ("a\0b", r"'a\\x00b' has characters that no path may have"),
        ("a\nb", "characters"),
        ("a\ud800", "characters"),
        ("", "the path is empty"),
        (".", "names no file"),
        ("a/", "names no file"),
        ("a/.", "names no file"),
        ("a/" * 40 + "b", "too long"),
        ("a" * 2000, "too long"),
        ("a" * 300, r"can't be used \(File name too long\)"),
    ],
)
def test_a_path_that_may_lead_out_or_is_none_is_refused_both_ways(root: Path, path: str, said: str) -> None:
    before = everything(root.parent)
    with pytest.raises(WorkspaceError, match=said):
        Workspace(root).read(path, LIMIT)
    with pytest.raises(WorkspaceError, match=said):
        Workspace(root).write({path: b"new"}, overwrite=True)
    assert everything(root.parent) == before


def test_names_with_dots_in_them_are_names(root: Path) -> None:
    files = {"..a": b"1", "a..": b"2", "...": b"3", "./b/./c..d": b"4", "d//e": b"5", "größe .txt": b"6"}
    Workspace(root).write(files)
    for path, data in files.items():
        assert Workspace(root).read(path, LIMIT) == data
    assert inside("./b/./c..d") == ("b", "c..d")


def a_link_to_a_file(place: Path) -> None:
    place.symlink_to(place.parent.parent / "secret.txt")


def a_link_within(place: Path) -> None:
    place.with_name("real").write_bytes(b"real")
    place.symlink_to("real")


def a_dangling_link(place: Path) -> None:
    place.symlink_to(place.parent.parent / "new.txt")


def a_link_to_a_device(place: Path) -> None:
    place.symlink_to("/dev/zero")


def a_fifo(place: Path) -> None:
    os.mkfifo(place)


def a_folder(place: Path) -> None:
    place.mkdir()


def a_socket(place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(place))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (a_link_to_a_file, "'thing' is a link, and links aren't followed"),
        (a_link_within, "is a link"),
        (a_dangling_link, "is a link"),
        (a_link_to_a_device, "is a link"),
        (a_fifo, "'thing' is a FIFO, not a file"),
        (a_folder, "'thing' is a folder, not a file"),
        (a_socket, "'thing' is a socket, not a file"),
    ],
)
def test_what_is_no_file_is_neither_read_nor_replaced(root: Path, make: Callable[[Path], None], said: str) -> None:
    make(root / "thing")
    before = {path: path.lstat().st_mode for path in root.parent.rglob("*")}
    with pytest.raises(WorkspaceError, match=said):
        Workspace(root).read("thing", LIMIT)
    for overwrite in (False, True):
        with pytest.raises(WorkspaceError, match=said):
            Workspace(root).write({"thing": b"new"}, overwrite=overwrite)
    assert {path: path.lstat().st_mode for path in root.parent.rglob("*")} == before


def test_a_device_is_refused_without_being_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Any] = []
    real = os.open

    def noting(path: Any, *rest: Any, **named: Any) -> int:
        opened.append(path)
        return real(path, *rest, **named)

    monkeypatch.setattr(os, "open", noting)
    with pytest.raises(WorkspaceError, match="'null' is a device, not a file"):
        Workspace(Path("/dev")).read("null", LIMIT)
    assert opened == [Path("/dev")]


@pytest.mark.parametrize("target", ["../outside", "inner"])
def test_a_folder_that_is_a_link_is_not_gone_through(root: Path, target: str) -> None:
    (root / "inner").mkdir()
    (root / "door").symlink_to(target)
    said = "'door' on the way there is a link, and links aren't followed"
    with pytest.raises(WorkspaceError, match=said):
        Workspace(root).read("door/a.txt", LIMIT)
    with pytest.raises(WorkspaceError, match=said):
        Workspace(root).write({"door/b.txt": b"new"})
    assert not (root.parent / "outside" / "b.txt").exists()


def test_a_file_on_the_way_is_told(root: Path) -> None:
    (root / "a").write_bytes(b"")
    with pytest.raises(WorkspaceError, match="'a' on the way there is no folder"):
        Workspace(root).write({"a/b": b"new"})


def swapped(folder: Path, what: Callable[[Path], None]) -> None:
    """Put something else where a file or folder stands, as another process would."""
    folder.rename(folder.with_name("moved"))
    what(folder)


def test_a_link_made_after_the_look_and_before_the_use_leads_nowhere(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "a.txt").write_bytes(b"mine")
    real = module._check_file

    def check_then_swap(found: os.stat_result, path: str) -> None:
        real(found, path)
        monkeypatch.setattr(module, "_check_file", real)
        swapped(root / "a.txt", a_link_to_a_file)

    monkeypatch.setattr(module, "_check_file", check_then_swap)
    with pytest.raises(WorkspaceError, match=r"'a\.txt' is a link"):
        Workspace(root).read("a.txt", LIMIT)


def test_a_fifo_put_there_after_the_look_holds_nobody_up(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "a.txt").write_bytes(b"mine")
    real = module._check_file

    def check_then_swap(found: os.stat_result, path: str) -> None:
        real(found, path)
        monkeypatch.setattr(module, "_check_file", real)
        swapped(root / "a.txt", a_fifo)

    monkeypatch.setattr(module, "_check_file", check_then_swap)
    with pytest.raises(WorkspaceError, match=r"'a\.txt' is a FIFO"):
        Workspace(root).read("a.txt", LIMIT)


def test_a_folder_that_becomes_a_link_while_a_file_is_written_takes_nothing_out(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "sub").mkdir()
    real = os.fsync
    swaps = [lambda: swapped(root / "sub", lambda place: place.symlink_to(root.parent / "outside"))]

    def fsync(file: int) -> None:
        real(file)
        if swaps:
            swaps.pop()()

    monkeypatch.setattr(os, "fsync", fsync)
    Workspace(root).write({"sub/b.txt": b"new"})
    assert [path.name for path in (root.parent / "outside").iterdir()] == ["a.txt"]
    assert (root / "moved" / "b.txt").read_bytes() == b"new"


def test_a_file_is_read_up_to_its_limit(root: Path) -> None:
    (root / "a").write_bytes(b"x" * LIMIT)
    assert Workspace(root).read("a", LIMIT) == b"x" * LIMIT
    with pytest.raises(WorkspaceError, match="'a' has more than the 999 bytes that are allowed"):
        Workspace(root).read("a", LIMIT - 1)
    with pytest.raises(WorkspaceError, match="there is no 'b/c' in the workspace"):
        Workspace(root).read("b/c", LIMIT)


def test_a_workspace_that_is_gone_is_told(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match=r"the workspace's folder can't be opened \(No such file or directory\)"):
        Workspace(tmp_path / "gone").write({"a": b""})


def test_folders_are_made_and_nothing_else_is_left(root: Path) -> None:
    Workspace(root).write({"a/b/c.txt": b"1", "a/d.txt": b"", "e.txt": b"3"})
    assert everything(root) == {"a": None, "a/b": None, "a/b/c.txt": b"1", "a/d.txt": b"", "e.txt": b"3"}


def test_what_is_there_is_replaced_only_where_that_is_asked_for(root: Path) -> None:
    space = Workspace(root)
    space.write({"a": b"old"})
    stood = (root / "a").stat().st_ino
    space.write({"a": b"old"})  # holds it already
    assert (root / "a").stat().st_ino == stood
    with pytest.raises(WorkspaceError, match="'a' is there already and holds something else: name another, or over"):
        space.write({"b": b"new", "a": b"new"})
    assert everything(root) == {"a": b"old"}
    space.write({"b": b"new", "a": b"new"}, overwrite=True)
    assert everything(root) == {"a": b"new", "b": b"new"}


def test_a_file_that_came_meanwhile_is_not_replaced(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = module._link

    def somebody_elses(folder: int, old: str, new: str) -> None:
        (root / "new" / "a").write_bytes(b"theirs")
        real(folder, old, new)

    monkeypatch.setattr(module, "_link", somebody_elses)
    with pytest.raises(WorkspaceError, match="'new/a' is there already"):
        Workspace(root).write({"new/a": b"mine"})
    assert everything(root) == {"new": None, "new/a": b"theirs"}


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("fails_at", range(16))
def test_of_several_files_all_are_written_or_none_wherever_the_disk_fails(
    root: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int, overwrite: bool
) -> None:
    if overwrite:
        (root / "b").write_bytes(b"old")
    before = everything(root)
    count = iter(range(100))

    def failing(real: Callable[..., Any]) -> Callable[..., Any]:
        def work(*args: Any, **named: Any) -> Any:
            if next(count) == fails_at:
                raise OSError(28, "No space left on device")
            return real(*args, **named)

        return work

    for name in ("fsync", "link", "rename", "mkdir"):
        monkeypatch.setattr(os, name, failing(getattr(os, name)))
    wanted = {"a": b"1", "b": b"2", "deep/er/c": b"3"}
    said = ""
    try:
        Workspace(root).write(wanted, overwrite=overwrite)
    except WorkspaceError as error:
        said = str(error)
    if said:
        assert "(No space left on device)" in said
        assert everything(root) == before
    else:
        assert {path: data for path, data in everything(root).items() if data is not None} == wanted
        assert next(count) <= fails_at  # nothing was left that could have failed


def test_what_was_begun_is_taken_away_where_the_work_is_broken_off(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "link", stop)
    with pytest.raises(KeyboardInterrupt):
        Workspace(root).write({"a/b": b"1"})
    assert everything(root) == {}


def test_a_file_system_without_hard_links_will_do(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: Any, **__: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", none)
    space = Workspace(root)
    space.write({"a": b"1", "b/c": b"2"})
    with pytest.raises(WorkspaceError, match="'a' is there already"):
        space.write({"a": b"3"})
    space.write({"a": b"3"}, overwrite=True)
    assert everything(root) == {"a": b"3", "b": None, "b/c": b"2"}


def test_a_file_is_on_the_disk_before_its_name_and_its_name_before_the_answer(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    real_fsync, real_link = os.fsync, os.link

    def fsync(file: int) -> None:
        steps.append("folder" if Path(f"/dev/fd/{file}").is_dir() else "file")
        real_fsync(file)

    def link(*args: Any, **named: Any) -> None:
        steps.append("name")
        real_link(*args, **named)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "link", link)
    Workspace(root).write({"a": b"1"})
    assert steps == ["file", "name", "folder"]


def test_no_descriptor_is_left_open(root: Path) -> None:
    (root / "door").symlink_to("../outside")
    space = Workspace(root)
    open_before = len(list(Path("/dev/fd").iterdir()))
    for path in ("a/b/c", "door/x", "../x", "a"):
        for work in (lambda: space.write({path: b"1"}), lambda: space.read(path, LIMIT)):  # noqa: B023  # called here
            try:
                work()
            except WorkspaceError:
                continue
    assert len(list(Path("/dev/fd").iterdir())) == open_before
