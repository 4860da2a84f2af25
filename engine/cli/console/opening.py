"""What does it take to open a host in a folder, step by step?"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ....handlers.install import install
from ...dispatch.clock import Clock
from ...dispatch.signature import RegistrationError
from ...dispatch.start import StartError
from ...host.agents import AgentError
from ...host.host import Host
from ...host.store import Store, StoreError
from ...resolve.errors import UnknownError
from ...resolve.loaded import Table
from ...table.table import FactValue, TableData
from .. import given
from ..exits import wrong_usage
from ..hosting import Hosted, HostingError, Where, folder_of
from .table import Loaded, fitted
from .wakes import Wakes

_STATE = "state.db"
_WORKSPACE = "workspace"


def host_facts(table: TableData, items: Sequence[str]) -> Mapping[str, FactValue]:
    """The facts of the host that are given. Raises UnknownError; one that isn't the host's ends the run."""
    facts = given.facts(table, items)
    ours = [name for name, fact in table.facts.items() if fact.of == "host"]
    for name in facts:
        if name not in ours:
            said = f"the fact '{name}' is of the {table.facts[name].of}, and only the host's can be given here"
            wrong_usage(f"--given: {said}: {', '.join(ours)}")
    return facts


def folders(directory: Path) -> list[str]:
    """Make the folder and its workspace where they are missing, and say so. Raises HostingError."""
    made = _folder(directory)
    _folder(directory / _WORKSPACE)
    return [f"Made the folder {folder_of(directory)}."] if made else []


def _folder(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o700)  # what agents say and what is typed isn't for everybody
    except FileExistsError:
        if folder.is_dir():
            return False
        raise HostingError(f"{folder_of(folder)} is no folder: name another DIRECTORY, or move what is there") from None
    except OSError as error:
        if not folder.parent.is_dir():
            said = f"there is no folder {folder_of(folder.parent)} to make {folder_of(Path(folder.name))} in"
            raise HostingError(f"{said}: make it, or mend the path") from None
        raise HostingError(f"the folder {folder_of(folder)} can't be made: {error.strerror}") from None
    return True


@contextmanager
def alone(where: Where) -> Iterator[None]:
    """Keep other processes of the command line from the store until the block ends.

    A process holds agents, and times their wakes, by itself: two at once would run two calls as an agent that can
    only have one. Raises HostingError where another has it.
    """
    file = _lock_file(where)
    try:
        lock = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise HostingError(f"the store can't be used: {folder_of(file)} can't be opened: {error.strerror}") from None
    try:
        _lock(lock, file)
        yield
    finally:
        os.close(lock)


def _lock(lock: int, file: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        by = os.read(lock, 20).decode("ascii", "replace").strip()
        said = f"the store beside {folder_of(file)} is in use by another toolroute" + (f", process {by}" if by else "")
        raise HostingError(f"{said}, so nothing was done: leave that one first, or name another DIRECTORY") from None
    except OSError as error:
        raise HostingError(f"the store can't be used: {folder_of(file)} can't be locked: {error.strerror}") from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)


def _lock_file(where: Where) -> Path:
    """Beside the database that is a file, by whichever name it is reached; else in the folder."""
    store = Store(_store(where))
    try:
        database = store.url.database
        if store.url.get_backend_name() == "sqlite" and database and database != ":memory:":
            real = Path(database).resolve()
            return real.with_name(real.name + ".lock")
        return where.directory / "store.lock"
    finally:
        store.close()


def _store(where: Where) -> str | Path:
    return where.store if where.store is not None else where.directory / _STATE


def made(where: Where, loaded: Loaded, clock: Clock | None) -> Hosted:
    """The host with its handlers, to be started. Raises what :func:`told` takes."""
    table = Table(loaded.written, loaded.diagnostics)
    host = Host(table, _store(where), workspace=where.directory / _WORKSPACE, clock=clock)
    try:
        host.registry.add_entry_points()
        gate = install(host, only_routed=True).gate
        cut = fitted(loaded, host.registry.kinds)
        host.replace_table(cut.table)
    except BaseException:
        host.store.close()
        raise
    wakes = Wakes(host, gate)
    gate.tell = wakes.tell
    return Hosted(where.directory, host, wakes, replace(loaded, left_out=cut.left_out), None)


def started(hosted: Hosted, where: Where, facts: Mapping[str, FactValue]) -> None:
    """Start the host, with its facts and its agent. Raises what :func:`told` takes."""
    host = hosted.host
    host.set_facts(**facts)
    if where.behind:
        hosted.agent = _agent(hosted, where.agent)
    host.start()
    hosted.wakes.catch_up()


def _agent(hosted: Hosted, named: str | None) -> str:
    agents = hosted.host.agents
    names = agents.names
    if not names:
        made = agents.create(named if named is not None else given.DEFAULT_AGENT)
        hosted.notes.append(f"Created the agent '{made.name}', the first in this store.")
        return made.name
    if named is not None:
        return agents[named].name
    if given.DEFAULT_AGENT in names:
        return given.DEFAULT_AGENT
    if len(names) == 1:
        return names[0]
    raise HostingError(f"there are several agents, so --agent has to name one: {', '.join(names[:20])}")


@contextmanager
def told() -> Iterator[None]:
    """What keeps a host from running, as HostingError."""
    try:
        yield
    except (StartError, StoreError, RegistrationError, AgentError) as error:
        raise HostingError(*str(error).splitlines()) from error
    except UnknownError as error:  # a fact that is the table's, and not as a host needs it
        raise HostingError(str(error)) from error
