"""What becomes of an agent's plain text, by how it is routed?"""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from ..engine.dispatch.invocation import Invocation
from ..engine.dispatch.tools import handles
from ..engine.host.agents import Agents, Prose

_ALWAYS: Final = """\
Whatever the mode:
- Plain text is what you write outside of calls of tools. What you give to a tool goes where the tool says, never here.
- channel_publish sends its text to the channel that you name, in every mode, where there are channels.
- skip_reply ends your turn, and nobody is sent anything. think and journal are read by nobody else."""

TEXTS: Final[dict[Prose, str]] = {
    "locus": """\
Your plain text is routed by locus: it goes to where the turn came from.
- A turn that a message in a channel began: your text is sent to that channel, as your reply.
- A turn that no channel began, such as a wake: there is nowhere to reply to, so your text is sent to nobody. Use
  channel_publish to tell somebody.
- Text before and after calls of tools is sent too, each piece when it is written. Write only what is meant to be read.
- To reply elsewhere than where the turn came from, call channel_publish. To say nothing, call skip_reply.""",
    "explicit": """\
Your plain text is routed explicitly: it is sent only where it says itself that it goes.
- Begin the text with >>> and a destination, at the beginning of a line:
    >>>team-chat The build is done.
  Everything from there on goes to team-chat, over several lines too, until the next line that begins with >>>.
- One answer may hold several parts, each with its own destination:
    >>>team-chat The build is done.
    >>>ops Please look at the disk of the build machine.
- Text with no destination is sent to nobody. It is held back as a draft and you are told so: drafts, where the host has
  it, lists what was held back, and resend sends it to the destination that you name then.
- A destination is a channel's name or id as channel_list shows it. One that there isn't holds the text back as well.
- To say nothing, write nothing, or call skip_reply.""",
    "hybrid": """\
Your plain text is routed by both: it goes to where the turn came from, unless it says itself where it goes.
- Text with no destination goes to the channel that the turn came from, as your reply. In a turn that no channel began
  it is held back as a draft: drafts, where the host has it, lists what was held back, and resend sends it.
- A line that begins with >>> and a destination sends everything from there on to that one:
    Done, and I've told the others.
    >>>team-chat The build is done.
  The destination holds for the rest of the turn, until another line names another one. The next turn begins anew.
- A destination is a channel's name or id as channel_list shows it. One that there isn't holds the text back.
- To keep a turn's text to yourself, call skip_reply instead of writing.""",
    "disabled": """\
Your plain text is not routed: nobody is sent it, whatever began the turn.
- It stays in your conversation, where you may think aloud in it. >>> means nothing here.
- To say something to somebody, call channel_publish with the channel and the text, where there are channels. To reply,
  name the channel that the message came from.
- A turn in which you publish nothing is a turn without a reply; skip_reply says so and ends it.""",
}


class HelpInput(BaseModel):
    """Which mode to tell of."""

    model_config = ConfigDict(extra="forbid")

    mode: Annotated[
        Prose | None, Field(description="Another mode than your own. Left out, the answer tells of the one you are in.")
    ] = None


class ProseHelp:
    """The handler of ``prose_help``.

    Args:
        agents: The host's.
    """

    def __init__(self, agents: Agents) -> None:
        self._agents = agents

    @handles("prose_help", name="prose_help")
    def help(self, inv: Invocation, input: HelpInput) -> dict[str, Any]:  # the field's term
        """Look up where the plain text that you write goes, and how to send it elsewhere or to nobody.

        Answers for the way in which your text is routed: to where the turn came from, to destinations that you name,
        to both, or to nobody. Without an agent behind the call, it tells of all four.
        """
        agent = None if inv.call.agent is None else self._agents[inv.call.agent]
        mode = input.mode or (None if agent is None else agent.prose)
        told = {} if agent is None else {"yours": agent.prose}
        if mode is None:
            parts = [f"{name}: {text}" for name, text in TEXTS.items()]
            return {"modes": list(TEXTS), "help": "\n\n".join([*parts, _ALWAYS])}
        return {**told, "mode": mode, "help": f"{TEXTS[mode]}\n\n{_ALWAYS}"}
