"""``toolroute call``: what does a tool answer, called once as one of the callers?"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..table.pattern import Exact
from ..table.table import TableData
from . import complete, given, hosting
from .exits import CLEAN, FINDINGS, wrong_usage
from .helps import choice, command, example, one_of
from .output import complain, emit, emit_lines

if TYPE_CHECKING:
    from ..dispatch.call import ToolResult
    from .hosting import Hosted

app = command()
CALLERS = ("puppet", "host", "module", "script", "turn")
_WITHOUT_AGENT = ("host", "module")
_STDIN = "-"
_EXAMPLES = example(
    "toolroute call gate_status",
    """toolroute call journal '{"action": "list"}' --given channels --as host""",
)


@complete.quietly
def tools(table: TableData) -> Iterator[complete.Offer]:
    """The names that the table spells out."""
    for route in table.routes:
        yield from ((pattern.name, route.kind) for pattern in route.patterns if isinstance(pattern, Exact))


@dataclass(frozen=True, slots=True)
class Asked:
    """One call, as the command line asks for it."""

    tool: str
    input: dict[str, Any]
    caller: str
    format: str


@app.command(
    "call",
    help=f"""Call a tool once, and print its answer.

    The call is decided and answered as in any host: as an operator who acts as the agent (puppet), as the program that
    embeds the host, as a module, as a script of the agent's that the program started, or in a turn of the agent's that
    has this call alone. A puppet's and a turn's call is stored in the agent's window, with its answer. Which table and
    store it is, and what else there is to say, stands on standard error. With '--format json' the answer is one object
    with success, data, error, isError, endTurn and refused, of which those that aren't set are left out.
    A name that begins with a dash stands after '--', behind all options.
    {_EXAMPLES}
    {hosting.EXITS_CALL}""",
)
def call(
    tool: Annotated[
        str, typer.Argument(metavar="TOOL", help="The tool's name, as it is called.", autocompletion=tools)
    ],
    json_: Annotated[
        str,
        typer.Argument(metavar="JSON", help="Its input, a JSON object; '-' reads it from standard input."),
    ] = "{}",
    caller: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="CALLER",
            help=f"{', '.join(CALLERS[:-1])} or {CALLERS[-1]}.",
            callback=lambda word: one_of("--as", CALLERS, word),
            autocompletion=lambda incomplete: [word for word in CALLERS if word.startswith(incomplete)],
        ),
    ] = "puppet",
    agent: Annotated[str | None, hosting.AGENT] = None,
    no_agent: Annotated[
        bool, typer.Option("--no-agent", help="Call with no agent behind the call, as host or module.")
    ] = False,
    directory: Annotated[
        str, typer.Option("--directory", metavar="DIRECTORY", help=hosting.FOLDER_HELP)
    ] = hosting.FOLDER,
    facts: Annotated[list[str] | None, given.OPTION] = None,
    table: Annotated[str | None, hosting.TABLE] = None,
    store: Annotated[str | None, hosting.STORE] = None,
    format_: Annotated[str, choice("text", "json")] = "text",
) -> None:
    """Call a tool."""
    if no_agent and (agent is not None or caller not in _WITHOUT_AGENT):
        other = "--agent names one" if agent is not None else f"a call as {caller} has one"
        wrong_usage(f"--no-agent says that no agent is behind the call, and {other}: leave one of them out")
    asked = Asked(tool, _input(json_), caller, format_)
    where = hosting.where(directory, table=table, store=store, facts=facts, agent=agent, behind=not no_agent)
    raise typer.Exit(hosting.run(where, partial(_answer, asked)))


def _input(text: str) -> dict[str, Any]:
    from .console.line import JsonError, json_object

    if text == _STDIN:
        try:
            text = sys.stdin.read()
        except (OSError, ValueError) as error:
            wrong_usage(f"the input can't be read from standard input: {error}")
    try:
        return json_object(text)
    except JsonError as error:
        wrong_usage(f"the input {error}, so nothing was called")


async def _answer(asked: Asked, hosted: Hosted) -> int:
    from ..dispatch.call import ToolResult
    from ..dispatch.dispatcher import ToolRefusedError
    from .console import answer, loaded
    from .console.puppet import NOT_RUN

    for note in (*hosted.notes, loaded.summary(hosted)):
        complain(note)
    try:
        result = await _called(asked, hosted)
    except ToolRefusedError as error:
        result = ToolResult(False, error=str(error), is_error=True, refused=True)
        complain(NOT_RUN)
    if asked.format == "json":
        emit(answer.as_json(result))
    else:
        emit_lines(answer.as_text(result))
    return CLEAN if result.success and not result.is_error else FINDINGS


async def _called(asked: Asked, hosted: Hosted) -> ToolResult:
    """Make the call as its caller makes it."""
    host, agent = hosted.host, hosted.agent
    if asked.caller == "host":
        return await host.execute_tool_call(asked.tool, asked.input, agent)
    if asked.caller == "module":
        from .console.module import CallingModule

        module = CallingModule()
        await host.modules.add(module)
        return await module.context.call_tool(asked.tool, asked.input, agent)
    assert agent is not None  # noqa: S101  # --no-agent is for the two above
    if asked.caller == "script":
        return await host.script(agent, "host").call(asked.tool, asked.input)
    if asked.caller == "turn":
        turn = host.begin_turn(agent)
        try:
            (result,) = await host.tool_round(turn, [(asked.tool, asked.input)])
        finally:
            host.end_turn(turn)
        return result
    return await host.puppet(agent, asked.tool, asked.input)
