"""Does each command of the console do what it says, from a pipe and once from the shell?"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from toolroute.engine.host.blocks import Message
from toolroute.tests.cli.conftest import Run
from toolroute.tests.cli.consoles import TABLE, blocks, small, state
from toolroute.tests.cli.runs import Ran

Piped = Callable[..., Ran]
LOADED = "toolroute: routes.yaml (small, revision 3, sha256:c"
START = 3  # lines on standard error of a run that makes the folder, creates the agent, and says what is loaded


@pytest.fixture
def place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the small table, and the handler of ``utils`` installed."""
    monkeypatch.syspath_prepend(small(folder))
    return folder


@pytest.fixture
def piped(run: Run, monkeypatch: pytest.MonkeyPatch) -> Piped:
    """Run the console in this process with lines that come by a pipe."""

    def piped(*lines: str | bytes, argv: tuple[str, ...] = ()) -> Ran:
        data = b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        return run("console", *argv)

    return piped


def told(ran: Ran) -> list[str]:
    """What a first run in a folder says on standard error, behind what it says of its start."""
    return ran.err.splitlines()[START:]


COMMANDS = {
    "the tools": "/tools",
    "the facts": "/facts",
    "the agents": "/agent",
    "the help": "/help",
    "what is loaded": "/loaded",
    "a route to a handler": "/route think",
    "a route that is refused": "/route agent_settings {}",
    "no route": '/route "a\\u001b[31mb"',
    "an answer": '/puppet agent_settings {"action": "get", "keys": ["model"]}',
    "an answer that is a text": '/puppet utils {"do": "say", "text": "one\\n\\ttwo\\u001b[31m"}',
    "an answer without data": '/puppet utils {"do": "nothing"}',
    "an answer with hidden characters": '/puppet utils {"do": "hidden"}',
    "an answer with an image": '/puppet utils {"do": "image"}',
    "an answer that ends the turn": '/puppet utils {"do": "end"}',
    "an answer that is no JSON": '/puppet utils {"do": "deep"}',
    "an error": '/puppet utils {"do": "fail"}',
    "an input that does not fit": "/puppet utils {}",
    "a refusal": "/puppet prose_help",
    "a refusal of an odd name": '/puppet "a b\\u001b"',
    "an empty window": "/window",
}
FAIL = {"an error", "an input that does not fit", "a refusal", "a refusal of an odd name"}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_reads_so(run: Run, place: Path, command: str, snapshot: SnapshotAssertion) -> None:
    ran = run("console", "--given", "channels", "--run", COMMANDS[command])
    assert ran.code == (1 if command in FAIL else 0)
    assert told(ran) == []
    assert ran.out == snapshot


@pytest.mark.parametrize("command", COMMANDS)
def test_a_pipe_gets_what_the_shell_does(run: Run, piped: Piped, place: Path, command: str) -> None:
    once = run("console", "--given", "channels", "--run", COMMANDS[command])
    again = piped(COMMANDS[command], argv=("--given", "channels"))
    assert (again.code, again.out) == (once.code, once.out)


def test_what_is_loaded_is_said_on_standard_error(run: Run, place: Path) -> None:
    first, second = run("console", "--run", "/help").err, run("console", "--run", "/help").err
    assert first.splitlines()[:2] == [
        "toolroute: Made the folder .toolroute.",
        "toolroute: Created the agent 'scout', the first in this store.",
    ]
    assert second == first.splitlines(keepends=True)[2]
    assert second.startswith(LOADED[:-1])
    assert second.endswith("); sqlite:///.toolroute/state.db\n")


def test_the_window_shows_what_was_said_in_order(run: Run, place: Path, snapshot: SnapshotAssertion) -> None:
    source = {"type": "base64", "media_type": "image/png", "data": "QUJDRA=="}
    with state(place) as host:
        host.agents.create("scout")
        host.deliver("scout", *(Message.text("user", f"Number {n}.") for n in range(1, 31)))
        host.deliver("scout", Message("user", ({"type": "image", "source": source}, {"type": "odd\x1b"})))
        host.deliver("scout", Message.text("assistant", "a\x1b[31m\nb" + "c" * 1000), Message("user", ()))
        host.agents["scout"].window.put_off([Message.text("user", "later")])
    lines = ["--run", '/puppet utils {"do": "image"}', "--run", '/puppet utils {"do": "fail"}', "--run", "/window 9"]
    assert run("console", *lines).out.partition("scout's")[2] == snapshot
    assert run("console", "--run", "/window").out.startswith("scout's window: the last 20 of 38 messages\n")
    assert "Number 1." in run("console", "--run", "/window 1000").out


def test_messages_that_wait_are_shown_behind_the_others(run: Run, place: Path) -> None:
    shown = run("console", "--run", '/puppet utils {"do": "say"}', "--run", "/window 1").out.splitlines()
    assert shown == ["said", "scout's window: the last 1 of 2 messages", "  2  user  answer  said"]


def test_a_puppets_call_is_stored_and_a_refused_one_is_not(run: Run, place: Path) -> None:
    run("console", "--run", '/puppet utils {"do": "say", "text": "hello"}')
    use, answer = blocks(place)
    assert (use["type"], use["input"]) == ("tool_use", {"do": "say", "text": "hello"})
    assert answer["content"] == [{"type": "text", "text": "hello"}]
    ran = run("console", "--run", "/puppet think {}")
    assert ran.code == 1
    assert ran.out.splitlines() == [
        "refused: There is no tool think, so nothing was done.",
        "Nothing was run, and nothing was stored. '/route think' tells why.",
    ]
    assert len(blocks(place)) == 2


def test_a_huge_answer_is_cut_and_that_is_said(run: Run, place: Path) -> None:
    out = run("console", "--run", '/puppet utils {"do": "huge"}').out
    assert len(out) < 21_000
    assert out.endswith("... and 980,000 more characters, left out here: 'toolroute call --format json' shows all\n")


def test_a_fact_that_is_set_changes_the_surface(piped: Piped, place: Path) -> None:
    ran = piped("/tools", "/facts channels", "/facts loudness=high", "/facts", "/tools", "/facts channels=false")
    assert ran.code == 0
    assert told(ran) == []
    before, after = ran.out.split("channels is true from now on.\n")
    assert "  think       requires channels, which is false" in before
    assert "loudness is high from now on." in after
    assert "  loudness    high  How loud it is." in after
    assert "  think           Think something through" in after
    assert after.endswith("channels is false from now on.\n")


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("/pupet x", 2, "there is no command '/pupet' (did you mean '/puppet'?), so nothing was done; /help lists"),
        ("/\x1b[31m", 2, "there is no command '/\\x1b[31m', so nothing was done"),
        ("tools", 2, "a command begins with / (did you mean '/tools'?), so nothing was done"),
        ("hello there", 2, "a command begins with /, so nothing was done"),
        ("/puppet", 2, "name the tool to run, as in /puppet gate_status {}"),
        ("/route", 2, "name the tool, as in /route think"),
        ('/puppet "utils', 2, "the name in quotes has no end, or is no JSON string"),
        ("/tools all", 2, "/tools takes nothing more, so nothing was done"),
        ("/window 0", 2, "/window takes how many messages to show, as in /window 50"),
        ("/window -1", 2, "/window takes how many"),
        ("/window \u0663", 2, "/window takes how many"),
        ("/window 9999999999", 2, "/window takes how many"),
        ("/puppet utils {", 2, "the input is not JSON: expecting property name enclosed in double quotes, at line 1, "),
        ("/puppet utils {} {}", 2, "the input is not JSON: extra data, at line 1, column 4"),
        ("/puppet utils [1]", 2, 'the input must be a JSON object, as {"path": "a.png"}'),
        ('/puppet utils {"do": "say", "do": "say"}', 2, 'the input has the key "do" twice: leave one of them out'),
        ('/puppet utils {"do": NaN}', 2, "the input is not JSON: NaN is no number of JSON"),
        ('/puppet utils {"do": 1e999}', 2, "the input holds a number that is too large: 1e999"),
        ("/puppet utils " + "[" * 100_000, 2, "the input is JSON that is nested too deeply"),
        ("/puppet utils " + "1" * 5000, 2, "the input is JSON that is nested too deeply, or holds too long a number"),
        ("/facts chanels", 2, "there is no fact 'chanels' (did you mean 'channels'?); the host's are event_gate, chan"),
        ("/facts channels=maybe", 2, "channels can't be 'maybe'; write channels=false|true"),
        ("/facts channels=", 2, "channels can't be ''; write channels=false|true"),
        ("/facts loudness", 2, "loudness can't be ''; write loudness=low|high"),
        ("/facts loudness=hgh", 2, "loudness can't be 'hgh' (did you mean 'high'?); write loudness=low|high"),
        ("/facts prose=explicit", 2, "prose is a fact of the agent, and only the host's can be set: event_gate, chan"),
        ("/agent skout", 1, "There is no agent 'skout' (did you mean 'scout'?); there are scout"),
        ("/agent scout ann", 2, "/agent NAME takes nothing more, so nothing was done"),
        ("/quit now", 2, "/quit takes nothing more, so nothing was done"),
    ],
)
def test_a_line_that_is_wrong_is_told_with_its_number(
    piped: Piped, place: Path, line: str, code: int, message: str
) -> None:
    ran = piped("# a remark", "", line, "/help")
    assert ran.code == code
    assert told(ran)[0].startswith(f"toolroute: line 3: {message}")
    assert ran.out.startswith("/puppet TOOL") or ran.out.startswith("  /puppet TOOL")  # the next line is done
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("line", "at"),
    [
        ('/puppet utils {"do": }', "}"),
        ("/puppet utils {do: 1}", "do:"),
        ("/window x", "x"),
        ("/quit  now", "now"),
        ('/puppet  "utils', '"utils'),
        ("/puppet utils  [1]", "[1]"),
    ],
)
def test_what_is_wrong_is_pointed_at(piped: Piped, place: Path, line: str, at: str) -> None:
    _, shown, caret = told(piped(line))
    assert shown == f"  {line}"
    assert caret == " " * shown.index(at) + "^"


def test_a_name_can_be_written_as_a_json_string(piped: Piped, place: Path) -> None:
    ran = piped('/puppet "utils" {"do": "say"}', '/puppet\t"ut\\u0069ls"\t{"do": "say"}')
    assert (ran.code, ran.out) == (0, "said\nsaid\n")


def test_the_exit_code_is_the_worst_and_every_line_is_done(piped: Piped, place: Path) -> None:
    ran = piped('/puppet utils {"do": "fail"}', "/nothing", '/puppet utils {"do": "say"}')
    assert ran.code == 2
    assert ran.out.splitlines()[-1] == "said"
    assert piped('/puppet utils {"do": "fail"}', '/puppet utils {"do": "say"}').code == 1


def test_nothing_behind_quit_is_done(piped: Piped, run: Run, place: Path) -> None:
    assert piped("/quit", "/nothing").code == 0
    assert run("console", "--run", "/quit", "--run", "/nothing").code == 0


def test_bytes_that_are_no_text_are_told_and_the_rest_is_done(piped: Piped, place: Path) -> None:
    ran = piped(b"/puppet \xff", '/puppet utils {"do": "say"}')
    assert (ran.code, ran.out) == (2, "said\n")
    assert told(ran) == ["toolroute: line 1: it isn't UTF-8 at byte 9, so nothing was done"]


def test_a_line_without_end_is_not_kept_in_memory(piped: Piped, place: Path) -> None:
    ran = piped(b"/" + b"x" * 5_000_000, "/help")
    assert (ran.code, ran.out) == (2, "")
    assert told(ran)[0].startswith("toolroute: line 1: it is longer than 4,194,304 bytes, so nothing of it and of what")


def test_commands_can_be_for_another_agent(piped: Piped, place: Path) -> None:
    with state(place) as host:
        host.agents.create("scout")
        host.agents.create("ann", prose="explicit", allowed_tools=["think"])
    ran = piped("/agent", "/agent ann", "/puppet prose_help", "/puppet utils {}", "/tools", "/agent", "/loaded")
    assert ran.out.splitlines()[:4] == [
        "2 agents; '/agent NAME' has the commands be for another:",
        "  *  scout  idle  prose locus, all tools",
        "     ann    idle  prose explicit, 1 allowed tool",
        "Commands are for ann from now on.",
    ]
    assert '"yours": "explicit"' in ran.out
    assert "refused: puppet refused: tool utils is not on ann's surface" in ran.out
    assert "ann may call 1 tool now:" in ran.out
    assert "utils           ann's allowed_tools leave it out" in ran.out
    assert "think           requires channels, which is false" in ran.out
    assert "  *  ann    idle  prose explicit, 1 allowed tool" in ran.out
    assert ran.out.endswith("agents     scout, ann (the commands' own)\n")
    assert len(blocks(place, "ann")) == 2
    assert blocks(place) == []


def test_a_table_is_replaced_at_once_and_a_bad_one_is_not(place: Path, run: Run) -> None:
    class Lines(io.BytesIO):
        """Each line but the first has the table changed before it is read."""

        def readline(self, size: int | None = -1) -> bytes:
            if self.tell():
                (place / "routes.yaml").write_text(changes.pop(0), "utf-8")
            return super().readline(size or -1)

    good = TABLE.replace("revision: 3", "revision: 4").replace("requires: channels", "requires: event_gate")
    changes = [TABLE, good, good, "version: 1", TABLE.replace("kind: utils", "kind: unheard"), TABLE, TABLE, TABLE]
    lines = ["/reload", "/puppet think {}", "/reload", "/puppet think {}", "/reload", "/reload", "/loaded"]
    stdin = io.TextIOWrapper(Lines("\n".join(lines).encode()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", stdin)
        ran = run("console")
    assert ran.code == 1
    first, second = ran.out.split("Another table is in force from now on:\n")
    assert first.startswith("The file hasn't changed.\ntable      routes.yaml\n")
    assert "refused: There is no tool think" in first
    assert "think was given an input that doesn't fit" in second
    assert second.count("small, revision 4, 7 kinds by 7 routes") == 2  # as replaced, and as loaded in the end
    errors = "\n".join(told(ran))
    assert "error[TR" in errors
    assert "toolroute: the table can't be used: " in errors
    assert "toolroute: routes.yaml:30: the kind 'unheard' has no handler" in errors
    stays = "toolroute: the old table stays in force for every call: small, revision 4, sha256:"
    assert sum(line.startswith(stays) for line in told(ran)) == 2


def test_what_nobody_foresaw_is_one_line_and_the_console_goes_on(
    piped: Piped, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from toolroute.engine.cli.console import window

    def fails(*_: object) -> None:
        raise RuntimeError("a\x1b[31m\nfault")

    monkeypatch.setattr(window, "_shown", fails)
    ran = piped("/window", "/help")
    assert ran.code == 70
    assert ran.out != ""
    (line,) = told(ran)
    assert line.startswith(
        "toolroute: line 1: internal error: RuntimeError: a\\x1b[31m\\x0afault. This is a bug in too"
    )
    monkeypatch.setenv("TOOLROUTE_TRACEBACK", "1")
    with pytest.raises(RuntimeError, match="fault"):
        piped("/window")
