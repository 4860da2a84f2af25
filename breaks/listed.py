"""Which breaks of the code must each fail a test of their own?"""

from __future__ import annotations

from typing import Final

from .breaking import Break

BREAKS: Final = (
    Break(
        "the catch of fetch_reference removed",
        "handlers/references/tool.py",
        """\
        except Exception as error:  # whatever went wrong, the answer says that it was the fetch
            return failed(f"{_NAME} couldn't answer: {str(error) or type(error).__name__}")
""",
        "",
        ("tests/handlers/test_references_fetch.py::test_whatever_its_work_throws_is_answered",),
    ),
    Break(
        "the wait of save_recent_image for the pending calls of its round removed",
        "handlers/images/save.py",
        "            still_open = await self._still_open(inv.call)\n",
        "            still_open: tuple[ToolCall, ...] = ()\n",
        (
            "tests/handlers/test_images_save.py"
            "::test_a_save_waits_for_the_other_calls_of_its_round_and_takes_their_image",
        ),
    ),
    Break(
        "the check of save_recent_image that no call of its round is pending any more removed",
        "handlers/images/save.py",
        """\
            if still_open:
                return failed(self._gave_up(still_open))
""",
        "",
        ("tests/handlers/test_images_save.py::test_it_gives_up_after_its_bound_writes_nothing_and_names_what_is_open",),
    ),
    Break(
        "the check that a call which waits for its round is itself pending in it removed",
        "engine/host/rounds.py",
        """\
        if running is None or not any(call.id == pending.id for pending in running.pending):
            return None
""",
        "",
        ("tests/host/test_rounds.py::test_only_a_call_that_is_itself_pending_in_it_is_part_of_a_round",),
    ),
    Break(
        "`refused` kept on an awaited answer",
        "engine/dispatch/ticket.py",
        """\
        if result.refused and not self._pushes:
            result = result._replace(refused=None)
""",
        "",
        ("tests/dispatch/test_paths.py::test_a_refusal_on_the_awaited_path_is_its_text_without_the_word",),
    ),
    Break(
        "`refused` kept on an awaited answer that its handler passes on",
        "engine/dispatch/ticket.py",
        "        if result.refused and not self._pushes:\n",
        "        if result.refused and not self._pushes and self.decision is not None and self.decision.refusal:\n",
        ("tests/dispatch/test_paths.py::test_a_handler_cannot_set_refused_on_an_awaited_answer_either",),
    ),
    Break(
        "the surface's check of a puppet reading only the name that it was called with",
        "engine/host/facts.py",
        "        return agent is not None and self._on_surface(agent, query.name)\n",
        '        return agent is not None and self._on_surface(agent, getattr(query.context, "name", query.name))\n',
        (
            "tests/host/test_breaks_puppet.py"
            "::test_the_surface_is_asked_of_the_tool_that_is_meant_and_not_of_the_name_that_was_called",
        ),
    ),
    Break(
        "the table's check of a puppet reading only the name that it was called with",
        "engine/resolve/resolver.py",
        "        route = ruling.route\n",
        """\
        route = ruling.route
        if call.caller == "puppet" and route is not None and ruling.refusal is not None:
            ruling = Ruling(self.table, route, None)
""",
        ("tests/host/test_puppet.py::test_what_the_table_refuses_is_refused_by_name_and_through_toolsets_act[act]",),
    ),
    Break(
        "toolsets--act standing for no other tool",
        "routes.yaml",
        "    delegates: {tool: input.tool, when: toolset_open, say: acts_once}\n",
        "",
        (
            "tests/dispatch/test_delegation.py"
            "::test_the_shipped_table_raises_a_puppets_skip_reply_by_name_and_through_act[toolsets--act]",
        ),
    ),
    Break(
        "a handler answering twice",
        "engine/dispatch/ticket.py",
        """\
        if self.result is not None:
            ledger.tell(AnswerDropped(self.call, result, error))
            return
""",
        "",
        ("tests/dispatch/test_answers.py::test_a_second_answer_is_dropped_and_traced",),
    ),
    Break(
        "a second answer dropped without a word",
        "engine/dispatch/ticket.py",
        "            ledger.tell(AnswerDropped(self.call, result, error))\n",
        "",
        ("tests/dispatch/test_threads.py::test_a_threads_answer_where_the_handler_then_returns_one_stands_first",),
    ),
    Break(
        "a throw before any await not caught",
        "engine/dispatch/ticket.py",
        """\
        except InputError as error:
            self.answer(failed(str(error)))
        except BaseException as error:
            self.threw(error)
""",
        """\
        except InputError as error:
            self.answer(failed(str(error)))
""",
        ("tests/dispatch/test_answers.py::test_a_throw_now_is_answered_with_its_text",),
    ),
    Break(
        "a throw after an await not answered",
        "engine/dispatch/ticket.py",
        "            self.answer(self._thrown(error), error)  # what tells the process to end, the loop has raised\n",
        "            pass\n",
        ("tests/dispatch/test_answers.py::test_a_throw_later_is_answered_with_its_text",),
    ),
    Break(
        "a puppet's hold not released",
        "engine/host/puppet.py",
        """\
            finally:
                agent.let_go()
""",
        """\
            finally:
                pass
""",
        ("tests/host/test_puppet.py::test_a_throw_is_stored_as_the_answer_and_leaves_no_hold",),
    ),
    Break(
        "a refused puppet's hold not released",
        "engine/host/puppet.py",
        """\
                return await self._run(agent, call, said)
            finally:
                agent.let_go()
""",
        """\
                result = await self._run(agent, call, said)
                agent.let_go()
                return result
            finally:
                pass
""",
        ("tests/host/test_puppet.py::test_a_tool_off_the_surface_is_refused_with_the_tables_text",),
    ),
    Break(
        "a puppet's call and its answer stored one after the other",
        "engine/host/puppet.py",
        "agent.window.append([said, answer])  # what arrived meanwhile comes behind it when the agent is let go\n",
        """\
agent.window.append([said])
            agent.window.append([answer])
""",
        ("tests/host/test_breaks_puppet.py::test_a_pair_whose_answer_the_database_does_not_take_is_not_half_stored",),
    ),
    Break(
        "what arrives while a puppet runs stored at once",
        "engine/host/agents.py",
        """\
        if self._state == "idle":
            self.window.append(messages)
""",
        """\
        if self._state != "turn":
            self.window.append(messages)
""",
        ("tests/host/test_puppet.py::test_messages_that_arrive_while_it_runs_are_stored_after_the_pair",),
    ),
    Break(
        "an awaited call pushing an event",
        "engine/dispatch/ticket.py",
        """\
        if self._pushes:
            try:
""",
        """\
        if True:
            try:
""",
        (
            "tests/dispatch/test_paths.py"
            "::test_an_awaited_call_runs_the_same_handler_and_returns_its_result_pushing_no_event",
        ),
    ),
    Break(
        "a call with a pending call's id run all the same",
        "engine/dispatch/dispatcher.py",
        "if self._stopped or call.id in ledger.pending or not (type(given) is dict or isinstance(given, Mapping)):\n",
        "if self._stopped or not (type(given) is dict or isinstance(given, Mapping)):\n",
        ("tests/dispatch/test_paths.py::test_the_id_of_a_pending_call_is_answered_with_an_error_and_runs_nothing",),
    ),
    Break(
        "the awaited path waiting without its route's limit",
        "engine/dispatch/ticket.py",
        "        if timeout is not None and self._timer is None and self.result is None:\n",
        "        if timeout is not None and self._timer is None and self.result is None and self._pushes:\n",
        ("tests/dispatch/test_breaks_limits.py::test_an_awaited_call_has_its_routes_limit_as_a_turns_has[host]",),
    ),
    Break(
        "a round that is broken off cancelling others' calls",
        "engine/host/rounds.py",
        "if self._queue.is_claimed(call):  # it was dispatched, so the pending call of its id is this one\n",
        "if True:\n",
        (
            "tests/host/test_breaks_rounds.py"
            "::test_a_round_broken_off_before_a_call_cancels_no_others_call_that_has_its_id",
        ),
    ),
    Break(
        "an answer from another thread left behind where the call just gets its loop",
        "engine/dispatch/ticket.py",
        """\
        self._loop = asyncio.get_running_loop()
        self._take_handed()
""",
        """\
        self._loop = asyncio.get_running_loop()
""",
        (
            "tests/dispatch/test_breaks_race.py"
            "::test_an_answer_that_comes_just_before_the_call_has_its_loop_is_not_left_behind",
        ),
    ),
    Break(
        "what was sent compressed unfolded without a limit",
        "handlers/references/body.py",
        "        data += chunk if unfold is None else unfold.some(chunk, limit + 1 - len(data))\n",
        "        data += chunk if unfold is None else unfold.some(chunk, 0)\n",
        ("tests/handlers/test_breaks_references.py::test_no_more_is_unfolded_than_may_come",),
    ),
    Break(
        "what was sent compressed unfolded up to the limit anew with each piece",
        "handlers/references/body.py",
        "        data += chunk if unfold is None else unfold.some(chunk, limit + 1 - len(data))\n",
        "        data += chunk if unfold is None else unfold.some(chunk, 10 * limit)\n",
        ("tests/handlers/test_breaks_references.py::test_no_more_is_unfolded_of_a_later_piece_than_still_may_come",),
    ),
    Break(
        "a fetch without a time limit",
        "handlers/references/fetch.py",
        "                timer = self._clock.call_later(seconds, lambda: limit.reschedule(loop.time()))\n",
        "                timer = self._clock.call_later(seconds, lambda: None)\n",
        ("tests/handlers/test_breaks_references.py::test_a_fetch_ends_at_its_limit_by_the_hosts_clock",),
    ),
    Break(
        "a file given its name before it is on the disk",
        "handlers/workspace.py",
        "            os.fsync(file.fileno())\n",
        "",
        (
            "tests/handlers/test_workspace.py"
            "::test_a_file_is_on_the_disk_before_its_name_and_its_name_before_the_answer",
        ),
    ),
    Break(
        "a transaction that a power cut takes back",
        "engine/host/store.py",
        '        connection.execute("PRAGMA synchronous=FULL")\n',
        '        connection.execute("PRAGMA synchronous=NORMAL")\n',
        ("tests/durability/test_settings.py::test_a_commit_is_on_the_disk_before_it_is_told[begin]",),
    ),
)
