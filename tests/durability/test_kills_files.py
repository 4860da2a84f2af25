"""Killed while files are written: each file of the workspace is whole or isn't there, and what is left over is hidden.

Where several files are written by one call, some may be there: each is whole, and none of another's bytes.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.handlers.http_server import Site, page, site

from .killing import Killed, kill
from .model import Step
from .test_kills import KILLS

SIZE = 2_000_000  # large enough for a kill to come in the middle
LINES = 24
SAVED = 3
# What a path has while its file is on its way: no tool of an agent's lists it, and its name can't be guessed.
LEFT_OVER = re.compile(r"\.toolroute-[0-9a-f]{16}\.(tmp|old)")
PNG = b"\x89PNG\r\n\x1a\n"


def payload(name: str) -> bytes:
    """As many bytes as a photograph has, and no two alike."""
    return PNG + hashlib.shake_256(name.encode()).digest(SIZE)


IMAGES = [payload(f"image {number}") for number in range(SAVED)]
PAGES = {f"/{name}": payload(name) for name in ("one", "two")}


def steps(server: Site, random: Random, numbers: Iterator[int]) -> list[Step]:
    """Save and fetch: to new files, and over those that are there."""
    made: list[Step] = []
    for _ in range(LINES):
        number = next(numbers)
        url = server.url(random.choice([*PAGES]))
        asked: Step = random.choice([
            ["save_recent_image", {"path": f"saved-{number}", "count": SAVED}],
            ["save_recent_image", {"path": "again", "index": random.randrange(1, SAVED + 1), "overwrite": True}],
            ["fetch_reference", {"reference": url, "path": f"in/got-{number}", "refresh": True}],
            ["fetch_reference", {"reference": url, "path": "got-again", "overwrite": True}],
        ])  # fmt: skip  # a call a line
        made.append(["puppet", *asked])
    return made


def written(step: Step) -> dict[str, set[bytes]]:
    """The files that a step writes, and what each of them holds then."""
    _, name, asked = step
    if name == "fetch_reference":
        return {asked["path"]: {PAGES["/" + asked["reference"].rpartition("/")[2]]}}
    if "count" in asked:
        return {f"{asked['path']}-{index}.png": {IMAGES[-index]} for index in range(1, SAVED + 1)}
    return {f"{asked['path']}.png": {IMAGES[-asked["index"]]}}


def expected(
    before: dict[str, set[bytes]], taken: list[Step], killed: Killed
) -> tuple[dict[str, set[bytes]], set[str]]:
    """What each file may hold, and which files may not be there."""
    files = dict(before)
    for step in taken[: killed.done]:
        files |= written(step)
    doubtful = set()
    for step in taken[killed.done : killed.begun]:
        for path, data in written(step).items():
            if path not in files:
                doubtful.add(path)
            files[path] = files.get(path, set()) | data
    return files, doubtful


def test_a_file_is_whole_or_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = tmp_path / "files"
    files.mkdir()
    for number, data in enumerate(IMAGES):
        (tmp_path / f"image-{number}").write_bytes(data)
    shown: list[Step] = [["image", str(tmp_path / f"image-{number}")] for number in range(SAVED)]
    random, numbers = Random(KILLS), itertools.count()  # noqa: S311  # a test's dice
    held: dict[str, set[bytes]] = {}
    answered = under_way = left_over = 0
    with site() as server:
        server.pages.update({path: page(data) for path, data in PAGES.items()})
        for number in range(KILLS):
            taken = [*([] if number else shown), *steps(server, random, numbers)]
            seen = 0 if number else 2 * SAVED  # the first process is shown the images before it is killed
            killed = kill(str(tmp_path / "state.db"), files, taken, random, lines=(seen + 2, seen + LINES))
            assert all(all(outcome) for outcome in killed.outcomes)
            first = 0 if number else SAVED
            begun = Killed(killed.done - first, killed.begun - first, [])
            may_hold, doubtful = expected(held, taken[first:], begun)
            there = {str(path.relative_to(files)): path for path in files.rglob("*") if path.is_file()}
            hidden = {name for name, path in there.items() if LEFT_OVER.fullmatch(path.name)}
            for name in hidden:
                there.pop(name).unlink()
            assert there.keys() <= may_hold.keys()
            assert may_hold.keys() - there.keys() <= doubtful
            held = {name: {path.read_bytes()} for name, path in there.items()}
            assert [name for name, (data,) in held.items() if data not in may_hold[name]] == []
            assert len(hidden) <= SAVED  # of the one call that was under way
            answered, under_way = answered + killed.done, under_way + killed.begun - killed.done
            left_over += len(hidden)
    with capsys.disabled():
        said = f"{KILLS} kills, {answered} answered writes there, {under_way} killed under way"
        sys.stdout.write(f"\nfiles: {said}, {left_over} hidden files left over\n")
