"""A route's time limit holds on either path: an awaited call that had none would wait for ever."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.dispatch.clock import let_run
from tests.dispatch.desk import LIMIT, PATHS, Desk, a_call, run
from toolroute.engine.dispatch.invocation import LATER, Invocation


@pytest.mark.parametrize("path", PATHS)
def test_an_awaited_call_has_its_routes_limit_as_a_turns_has(path: str) -> None:
    def never(_: Invocation, __: Any) -> Any:
        return LATER

    async def main() -> None:
        desk = Desk(slow=never)
        answer = asyncio.create_task(desk.answer(a_call("slow", caller=path)))
        await let_run(2)
        desk.clock.advance(LIMIT)
        assert desk.dispatcher.pending == ()
        assert "gave no answer within 30 seconds" in str((await answer).error)
        desk.quiet()

    run(main())
