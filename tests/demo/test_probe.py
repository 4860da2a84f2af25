"""Does the demo's probe show what each caller gets, and find out what isn't as the table says?"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from toolroute.demo import probe, tools
from toolroute.demo.callers import CALLERS
from toolroute.engine.dispatch.call import ToolResult, answered, failed
from toolroute.engine.dispatch.invocation import Invocation
from toolroute.engine.dispatch.tools import handles
from toolroute.engine.host.host import Host
from toolroute.engine.host.trimmed import trimmed
from toolroute.engine.resolve.loaded import load
from toolroute.handlers.gate.inputs import SleepInput
from toolroute.handlers.gate.tools import GateTools
from toolroute.handlers.images.save import SaveRecentImage
from toolroute.handlers.prose_help import ProseHelp
from toolroute.handlers.skip_reply import SkipReply
from toolroute.handlers.thoughts import Thoughts

ROOT = Path(__file__).parent.parent.parent
NOT_PLAIN = ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")

Y = "answered"
OWN, ENDS = "refused: agents_own", "refused: ends_its_turn"
EXPECTED = {
    #                    turn, script, puppet, host, module
    "agent_settings": (Y, Y, Y, Y, Y),
    "save_recent_image": (Y, Y, Y, Y, Y),
    "read_image": (Y, Y, Y, Y, Y),
    "fetch_reference": (Y, Y, Y, Y, Y),
    "gate_status": (Y, Y, Y, Y, Y),
    "event_tags": (Y, Y, Y, Y, Y),
    "wake_add_rule": (Y, Y, Y, Y, Y),
    "wake_remove_rule": (Y, Y, Y, Y, Y),
    "sleep": (Y, Y, Y, Y, Y),
    "wake": (Y, Y, Y, Y, Y),
    "think": (Y, Y, Y, Y, OWN),
    "journal": (Y, Y, Y, Y, OWN),
    "skip_reply": (Y, Y, ENDS, ENDS, OWN),
    "prose_help": (Y, Y, Y, Y, Y),
}
# A probe whose server never answers: it says that it was asked, and hangs.
HANGING = """
import sys, time
from demo import probe, site
def payload(path):
    print("asked", flush=True)
    time.sleep(60)
site.payload = payload
sys.exit(probe.main())
"""


def started(folder: Path, *argv: str) -> subprocess.Popen[str]:
    """A process of this Python in the checkout, whose temporary files are in ``folder``."""
    plain = {name: value for name, value in os.environ.items() if name not in NOT_PLAIN}
    return subprocess.Popen(
        [sys.executable, *argv],
        cwd=ROOT,
        env=plain | {"TMPDIR": str(folder), "PYTHONUTF8": "1"},
        encoding="utf-8",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the probe prints, as it does where nothing is wrong."""
    folder = tmp_path_factory.mktemp("probe")
    process = started(folder, "-m", "demo.probe")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert list(folder.iterdir()) == []
    return out


def cells(printed: str) -> dict[str, tuple[str, ...]]:
    """The sheet of all cells, without the numbers of the notes."""
    head, _, rest = printed.partition("\n" + "-" * 20)
    assert head.splitlines()[-1].split() == list(CALLERS)
    rows = [re.sub(r" \[\d+\]", "", line) for line in rest.partition("\n\n")[0].splitlines()[1:]]
    split = [re.split(r"\s{2,}", row) for row in rows]
    return {tool: tuple(words) for tool, *words in split}


def normalised(printed: str) -> str:
    """What is printed, without what is another at each run or on each machine."""
    for pattern, name in (
        (r"^.*/routes\.yaml: .*$", "TABLE"),
        (r"\d{4}-\d\d-\d\dT[\d:]+Z?", "TIME"),  # cut or whole
        (r"http://127\.0\.0\.1:\d+[^\s\"]*", "URL"),
        (r'"bytes": \d+', '"bytes": N'),
    ):
        printed = re.sub(pattern, name, printed, flags=re.MULTILINE)
    return printed


def test_each_caller_gets_what_is_expected(printed: str) -> None:
    assert cells(printed) == EXPECTED


def test_it_is_expected_of_each_call_that_is_made() -> None:
    assert tuple(EXPECTED) == tuple(step.tool for step in tools.STEPS)
    assert {len(row) for row in EXPECTED.values()} == {len(CALLERS)}


def test_the_report(printed: str, snapshot: SnapshotAssertion) -> None:
    assert normalised(printed) == snapshot


def test_the_sums_are_of_the_sheet(printed: str) -> None:
    by_awaited = [tool for tool, row in EXPECTED.items() if row[2] == row[3] == Y]
    by_module = [tool for tool, row in EXPECTED.items() if row[4] == Y]
    assert (len(by_awaited), len(by_module)) == (13, 11)
    last = printed.splitlines()[-3:]
    assert last[0].startswith("11 of 14 answer to a module")
    assert last[1].startswith("13 of 14 answer on every awaited path that has the agent behind it (puppet and host); ")
    assert last[1].endswith("; skip_reply: ends_its_turn [3]")
    assert last[2].startswith("  skip_reply ends the turn it's called in")


def test_lines_are_no_wider_than_a_terminal(printed: str) -> None:
    wide = [line for line in printed.splitlines() if len(line) > 120]
    assert [line for line in wide if "routes.yaml: the routes of " not in line] == []


def test_it_says_which_kinds_are_left_out(printed: str) -> None:
    left_out = trimmed(load()).left_out
    said = f"the routes of {', '.join(left_out)} were left out" if left_out else "nothing was left out"
    assert f"routes.yaml: {said}\n" in printed


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_where_it_is_stopped_nothing_is_left_behind(tmp_path: Path, number: signal.Signals) -> None:
    process = started(tmp_path, "-c", HANGING)
    assert process.stdout is not None
    assert process.stdout.readline() == "asked\n"
    assert len(list(tmp_path.iterdir())) == 1
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert err == "toolroute: the probe was stopped before its end, and nothing of it is left behind\n"
    assert list(tmp_path.iterdir()) == []


# What a probe finds where something is broken.


Probed = Callable[[], tuple[dict[str, tuple[str, ...]], list[str]]]


@pytest.fixture
def probed(capsys: pytest.CaptureFixture[str]) -> Probed:
    """Run the probe where it is to fail. The sheet, and what is complained of."""

    def run() -> tuple[dict[str, tuple[str, ...]], list[str]]:
        code = probe.main()
        out, err = capsys.readouterr()
        assert code == 1
        assert "differ from what the table says" in out
        return cells(out), err.splitlines()

    return run


@pytest.fixture
def decide_by(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str, str], None]:
    """Have the host decide by another table than the one that it began with: that one but for a text in its file."""

    def edit(old: str, new: str) -> None:
        text = (ROOT / "routes.yaml").read_text("utf-8")
        assert text.count(old) == 1
        (tmp_path / "routes.yaml").write_text(text.replace(old, new), "utf-8")
        table = trimmed(load(tmp_path / "routes.yaml")).table
        start = Host.start

        def start_and_replace(host: Host) -> None:
            start(host)
            host.replace_table(table)

        monkeypatch.setattr(Host, "start", start_and_replace)

    return edit


def told_of(faults: list[str]) -> list[str]:
    """Which calls the faults are of."""
    return [fault.split(":")[1].strip() for fault in faults]


def test_an_answer_that_is_no_handlers_is_found_out(monkeypatch: pytest.MonkeyPatch, probed: Probed) -> None:
    @handles("think", name="think")
    def think(self: object, inv: object, input: object) -> str:
        return "What was asked again?"

    monkeypatch.setattr(Thoughts, "think", think)
    sheet, faults = probed()
    assert sheet == EXPECTED
    assert told_of(faults) == [f"think as {caller}" for caller in CALLERS if caller != "module"]
    assert "'What was asked again?', where its handler's answer makes it 'Thought. Nobody was sent it.'" in faults[0]
    assert "the table says kind think (line " in faults[0]


def test_an_answer_of_another_shape_is_found_out(monkeypatch: pytest.MonkeyPatch, probed: Probed) -> None:
    @handles("event_tags", name="event_tags")
    def tags(self: object, inv: object, input: object) -> ToolResult:
        return answered({"tags": None})

    monkeypatch.setattr(GateTools, "tags", tags)
    assert ["as TypeError shows" in fault for fault in probed()[1]] == [True] * 5


def test_what_was_answered_and_not_done_is_found_out(monkeypatch: pytest.MonkeyPatch, probed: Probed) -> None:
    @handles("save_recent_image", name="save_recent_image")
    def save(self: object, inv: Any, input: Any) -> ToolResult:
        return answered({"saved": [{"path": inv.call.input["path"]}]})

    monkeypatch.setattr(SaveRecentImage, "save", save)
    sheet, faults = probed()
    assert sheet["save_recent_image"] == (Y,) * 5
    assert sheet["read_image"] == ("error",) * 5
    assert "as FileNotFoundError shows" in faults[0]
    assert faults[1].startswith('toolroute: read_image as turn: it got "read_image: there is no ')


def test_a_handlers_error_is_one_and_is_found_out(monkeypatch: pytest.MonkeyPatch, probed: Probed) -> None:
    real = GateTools.sleep

    @handles("sleep", name="sleep")
    def sleep(self: GateTools, inv: Invocation, input: SleepInput) -> ToolResult:
        if inv.call.caller == "puppet":
            raise RuntimeError("no bed")
        return failed("sleep: not now.") if inv.call.caller == "host" else real(self, inv, input)

    monkeypatch.setattr(GateTools, "sleep", sleep)
    sheet, faults = probed()
    assert sheet["sleep"] == (Y, Y, "error", "error", Y)
    assert len([fault for fault in faults if fault.startswith("toolroute: sleep as ")]) == 2
    # What comes of it is told too: there is nothing to wake from. The next caller's sleep is none the worse for it.
    assert told_of(faults) == ["sleep as puppet", "wake as puppet", "sleep as host", "wake as host"]


def test_a_turn_that_goes_on_is_found_out(monkeypatch: pytest.MonkeyPatch, probed: Probed) -> None:
    @handles("skip_reply", name="skip_reply")
    def skip(self: object, inv: object, input: object) -> ToolResult:
        return answered({"skipped": True})

    monkeypatch.setattr(SkipReply, "skip", skip)
    sheet, faults = probed()
    assert sheet == EXPECTED
    assert told_of(faults) == ["skip_reply as turn", "skip_reply as script"]
    assert "it is to end its turn, and its answer has end_turn=None" in faults[0]


def test_a_call_that_is_refused_and_was_not_to_be_is_found_out(
    decide_by: Callable[[str, str], None], probed: Probed
) -> None:
    decide_by(
        "    match: read_image\n", "    match: read_image\n    refuse:\n      - {caller: host, say: invalid_name}\n"
    )
    sheet, faults = probed()
    assert sheet["read_image"] == (Y, Y, Y, "refused: invalid_name", Y)
    assert told_of(faults) == ["read_image as host"]
    got = "it got 'Invalid tool name format: read_image, so nothing was done' from no handler"
    assert f"{got}; the table says kind read_image (line " in faults[0]


def test_a_call_that_is_answered_and_was_to_be_refused_is_found_out(
    decide_by: Callable[[str, str], None], probed: Probed
) -> None:
    decide_by("      - {caller: [puppet, host], say: ends_its_turn}\n", "")
    _, faults = probed()
    assert told_of(faults) == ["skip_reply as puppet", "skip_reply as host"]
    assert "from the handlers of ['skip_reply']; the table says refused: ends_its_turn (line " in faults[0]


def test_another_text_is_found_out_whether_it_is_raised_or_returned(
    decide_by: Callable[[str, str], None], probed: Probed
) -> None:
    decide_by("and this call wasn't made in a turn, so nothing was done.", "so no.")
    sheet, faults = probed()
    assert sheet == EXPECTED
    assert told_of(faults) == ["skip_reply as puppet", "skip_reply as host"]
    assert all('it got "skip_reply ends the turn it\'s called in, so no.", ' in fault for fault in faults)
    assert "was to be raised" in faults[0]


def test_a_refusal_that_leaves_its_path_is_found_out(monkeypatch: pytest.MonkeyPatch, probed: Probed) -> None:
    execute = Host.execute_tool_call

    async def marked(host: Host, name: str, given: Any, agent: str | None = None) -> ToolResult:
        result = await execute(host, name, given, agent)
        return result._replace(refused=True) if name == "skip_reply" else result

    monkeypatch.setattr(Host, "execute_tool_call", marked)
    _, faults = probed()
    assert told_of(faults) == ["skip_reply as host"]
    assert "its answer has refused=True, which is set on the turn's path alone" in faults[0]


def test_a_call_that_nobody_answers_is_given_up(monkeypatch: pytest.MonkeyPatch, probed: Probed) -> None:
    @handles("prose_help", name="prose_help")
    async def hang(self: object, inv: object, input: object) -> None:
        await asyncio.get_running_loop().create_future()

    monkeypatch.setattr(ProseHelp, "help", hang)
    monkeypatch.setattr(probe, "SECONDS", 0.05)
    monkeypatch.setattr(probe, "STEPS", tuple(step for step in tools.STEPS if step.tool == "prose_help"))
    sheet, faults = probed()
    assert sheet == {"prose_help": ("error",) * 5}
    assert all(
        "it got 'no answer within 0.05 seconds' from the handlers of ['prose_help']" in fault for fault in faults
    )
