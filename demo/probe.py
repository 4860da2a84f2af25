"""What does each caller get that calls each of 14 tools, on a real host over the shipped table?

Usage: ``python -m demo.probe``, in a checkout. Prints what each got. Exits with 1 where that isn't what the table says,
and with 130 where it was stopped. It needs no network, and leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
from pathlib import Path
from typing import Final

from toolroute.engine.cli.output import complain, emit_lines, speak_plainly

from .callers import CALLERS, Got
from .judge import Cell, Judge
from .sheet import lines
from .stage import staging
from .tools import STEPS, Step, Visit

SECONDS: Final = 30.0
_STOPPED: Final = 130


async def probe(folder: Path) -> tuple[str, list[Cell]]:
    """Which table was probed, and every call: each caller makes all of its calls before the next one begins."""
    cells: list[Cell] = []
    async with staging(folder) as stage:
        judge = Judge(stage.table.table)
        for number, caller in enumerate(CALLERS, 1):
            visit = Visit(stage, caller, number)
            cells += [await _made(step, visit, judge) for step in STEPS]
            stage.settle()
        return str(stage.table), cells


async def _made(step: Step, visit: Visit, judge: Judge) -> Cell:
    step.before(visit)
    before = len(visit.stage.traces)
    got = await _got(step, visit)
    return judge.cell(step, visit, got, visit.stage.traces[before:])


async def _got(step: Step, visit: Visit) -> Got:
    try:
        async with asyncio.timeout(SECONDS):
            return await CALLERS[visit.caller](visit.stage.host, step.tool, step.given(visit))
    except TimeoutError:
        return Got(raised=f"no answer within {SECONDS:g} seconds")
    except Exception as error:  # what a caller shouldn't get is a finding, and the others are asked all the same
        return Got(raised=f"{type(error).__name__}: {error}")


async def _until_stopped(folder: Path) -> tuple[str, list[Cell]]:
    """The probe, which is cancelled where the process is told to end: asyncio itself sees to Ctrl-C."""
    probing = asyncio.ensure_future(probe(folder))
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup has it
            asyncio.get_running_loop().add_signal_handler(number, probing.cancel)
    return await probing


def main() -> int:
    """Probe, and print what came of it; the exit code."""
    speak_plainly()
    try:
        with tempfile.TemporaryDirectory(prefix="toolroute-probe-") as folder:
            table, cells = asyncio.run(_until_stopped(Path(folder)))
    except (KeyboardInterrupt, asyncio.CancelledError):
        complain("the probe was stopped before its end, and nothing of it is left behind")
        return _STOPPED
    emit_lines(lines(cells, table))
    faults = [fault for cell in cells for fault in cell.faults]
    for fault in faults:
        complain(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
