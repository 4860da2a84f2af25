"""Installed packages bring handlers by entry points."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dispatch.desk import a_call, run
from tests.dispatch.rooms import started
from toolroute.engine.dispatch.call import answered
from toolroute.engine.dispatch.signature import RegistrationError
from toolroute.engine.dispatch.tools import Registry

HANDLERS = """\
from toolroute.engine.dispatch.tools import handles

@handles("own")
def own(inv, input):
    return "installed"

class Rooms:
    @handles("gated")
    def gated(self, inv, input):
        return "an instance"

rooms = Rooms()
nothing = 5
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with handlers, as an installer would leave it."""
    (tmp_path / "acme_rooms.py").write_text(HANDLERS)
    info = tmp_path / "acme_rooms-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-rooms\nVersion: 1.0\n")
    (info / "RECORD").write_text("acme_rooms.py,,\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield info / "entry_points.txt"
    sys.modules.pop("acme_rooms", None)


@pytest.mark.parametrize("points", ["all = acme_rooms", "own = acme_rooms:own\nrooms = acme_rooms:rooms"])
def test_handlers_of_installed_packages_are_registered(installed: Path, points: str) -> None:
    installed.write_text(f"[toolroute.handlers]\n{points}\n")
    registry = Registry()
    registry.add_entry_points()
    assert run(started(registry).call(a_call("own", caller="host"))) == answered("installed")
    assert registry.kinds == (("own",) if points.startswith("all") else ("own", "gated"))


@pytest.mark.parametrize(
    ("point", "said"),
    [
        ("gone = acme_gone", "No module named 'acme_gone'"),
        ("gone = acme_rooms:gone", "has no attribute 'gone'"),
        ("five = acme_rooms:nothing", "has no function that is marked with @handles"),
        ("kind = acme_rooms:Rooms", "register an instance, not its class"),
    ],
)
def test_an_entry_point_that_brings_no_handler_names_its_package(installed: Path, point: str, said: str) -> None:
    installed.write_text(f"[toolroute.handlers]\n{point}\n")
    name, _, value = point.partition(" = ")
    with pytest.raises(RegistrationError, match=said) as caught:
        Registry().add_entry_points()
    assert str(caught.value).startswith(f"the handlers '{name}' ({value}) of acme-rooms can't be registered: ")


def test_two_packages_with_a_handler_of_one_kind_are_an_error_that_says_where_both_stand(installed: Path) -> None:
    installed.write_text("[toolroute.handlers]\none = acme_rooms:own\ntwo = acme_rooms\n")
    with pytest.raises(RegistrationError, match="the kind 'own' has two handlers") as caught:
        Registry().add_entry_points()
    assert str(caught.value).count("acme_rooms.py:3: acme_rooms.own") == 2


def test_entry_points_of_another_group_are_left_alone(installed: Path) -> None:
    installed.write_text("[acme.handlers]\nall = acme_rooms\n")
    registry = Registry()
    registry.add_entry_points()
    assert not registry.kinds
    registry.add_entry_points("acme.handlers")
    assert registry.kinds == ("own",)
