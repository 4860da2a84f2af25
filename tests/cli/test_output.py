"""Is what is written coloured only where that is wanted?"""

from __future__ import annotations

import io

import pytest

from toolroute.engine.cli.output import OutputError, emit, styled, wants_style

LINES = [(("bold", "bold red"), " and plain"), ("x" * 300,)]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_pipe_gets_plain_text_of_any_width() -> None:
    assert styled(LINES, io.StringIO()) == "bold and plain\n" + "x" * 300 + "\n"


def test_a_terminal_gets_colours_and_no_line_is_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    text = styled(LINES, Terminal())
    assert "\x1b[1;31mbold\x1b[0m and plain\n" in text
    assert "x" * 300 in text


@pytest.mark.parametrize("name", ["NO_COLOR", "TERM"])
def test_a_terminal_can_be_kept_plain(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(name, {"NO_COLOR": "1", "TERM": "dumb"}[name])
    assert not wants_style(Terminal())


def test_colours_can_be_forced_but_not_against_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert wants_style(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_style(io.StringIO())


def test_a_closed_output_is_nothing_to_write_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", None)
    emit("text")


def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.StringIO):
        def write(self, _: str) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("sys.stdout", Full())
    with pytest.raises(OutputError, match="can't write to standard output: No space left on device"):
        emit("text")
