"""An answer from another thread, in the very moment in which the call begins to wait."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from tests.dispatch.clock import let_run
from tests.dispatch.desk import Desk, a_call, run
from toolroute.engine.dispatch.call import answered
from toolroute.engine.dispatch.invocation import LATER, Invocation


async def waits(_: Any) -> Any:
    await asyncio.Event().wait()


@pytest.mark.parametrize("waiting", [lambda _: LATER, waits], ids=["later", "a coroutine"])
def test_an_answer_that_comes_just_before_the_call_has_its_loop_is_not_left_behind(
    monkeypatch: pytest.MonkeyPatch, waiting: Any
) -> None:
    """The thread finds no loop to hand its answer to, and the call has looked for such answers a moment ago."""

    def work(inv: Invocation, given: Any) -> Any:
        def meanwhile() -> asyncio.AbstractEventLoop:
            monkeypatch.undo()
            thread = threading.Thread(target=inv.answer, args=("from afar",))
            thread.start()
            thread.join()
            return asyncio.get_running_loop()

        # What the call asks next, once the handler has returned, is which loop it runs in.
        monkeypatch.setattr(asyncio, "get_running_loop", meanwhile)
        return waiting(given)

    async def main() -> None:
        desk = Desk(work=work)
        call = a_call()
        desk.dispatch(call)
        await let_run()
        try:
            assert desk.results == [answered("from afar")]
        finally:
            desk.dispatcher.stop()
        await desk.ended()
        desk.quiet()

    run(main())
