"""The sync thread: commands go down in order, a stop overtakes them, and nothing goes wrong unnoticed."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.commands import Act, Apply, Command, Discard, Refresh, ResumeNow, Revert
from petstore_desktop.domain.errors import ShopError, StorageError
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.runner import Runner
from petstore_desktop.sync.wire.event_queue import EventQueue
from petstore_desktop.sync.wire.events import Event, NotSaved, Trouble
from tests.support.patience import PATIENCE_S


def act(batch: str) -> Apply:
    return Apply(batch, (NewChange(Ref(Resource.INVENTORY, 1), AddStock(1)),))


async def for_ever() -> None:
    await asyncio.Event().wait()


@dataclass
class Scripted:
    """A worker that does what the test says, and keeps what was asked of it."""

    work: Callable[[], Awaitable[object]] = for_ever
    on: Callable[[Command], Awaitable[None]] | None = None
    on_act: Callable[[Command], None] | None = None
    handled: list[Command] = field(default_factory=list)
    finished: list[float] = field(default_factory=list)
    closed: threading.Event = field(default_factory=threading.Event)
    thread: str = ""

    async def run(self) -> None:
        self.thread = threading.current_thread().name
        await self.work()

    def act(self, command: Act) -> None:
        if self.on_act is not None:
            self.on_act(command)
        self.handled.append(command)

    async def handle(self, command: Command) -> None:
        if self.on is not None:
            await self.on(command)
        self.handled.append(command)

    async def finish(self, grace_s: float) -> None:
        self.finished.append(grace_s)

    async def close(self) -> None:
        self.closed.set()


def runner_of(worker: Scripted) -> Runner:
    async def build(_: EventQueue) -> Any:
        return worker

    return Runner("shop", build)


def told(runner: Runner, kind: type[Event] | tuple[type[Event], ...], count: int = 1) -> list[Event]:
    """Wait for so many events of a kind."""
    found: list[Event] = []
    end = time.monotonic() + PATIENCE_S
    while len(found) < count:
        assert runner.events.wait(max(0.0, end - time.monotonic())), f"{kind} did not come; {found}"
        found += [one for one in runner.events.drain(1.0) if isinstance(one, kind)]
    return found


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end


def test_commands_are_carried_out_in_order_those_from_before_the_start_first() -> None:
    worker = Scripted()
    runner = runner_of(worker)
    runner.submit(act("a"))
    runner.submit(act("b"))
    runner.start()
    runner.submit(act("c"))
    wait_until(lambda: len(worker.handled) == 3)
    assert runner.stop()
    assert [command.batch for command in worker.handled if isinstance(command, Apply)] == ["a", "b", "c"]
    assert worker.thread == "sync shop"
    assert worker.closed.is_set()


def test_a_command_that_waits_for_the_service_does_not_hold_up_the_next() -> None:
    async def on(command: Command) -> None:
        if isinstance(command, Refresh):
            await asyncio.Event().wait()

    worker = Scripted(on=on)
    runner = runner_of(worker)
    runner.start()
    runner.submit(Refresh(()))
    runner.submit(ResumeNow())
    wait_until(lambda: worker.handled == [ResumeNow()])
    assert runner.stop()


def test_a_stop_overtakes_what_waits_but_writes_down_what_was_done_before_it() -> None:
    entered = threading.Event()
    go_on = threading.Event()

    def on(command: Command) -> None:
        if command == act("slow"):
            entered.set()
            go_on.wait(PATIENCE_S)  # the loop itself is busy, as with a slow disk

    worker = Scripted(on_act=on)
    runner = runner_of(worker)
    runner.start()
    runner.submit(act("slow"))
    assert entered.wait(PATIENCE_S)
    runner.submit(act("last"))
    runner.submit(Revert("last"))
    runner.submit(Refresh(()))
    stopping = threading.Thread(target=runner.stop)
    stopping.start()
    wait_until(lambda: runner._commands.stopped)
    go_on.set()
    stopping.join(PATIENCE_S)
    runner.submit(act("too late"))
    assert worker.handled[:3] == [act("slow"), act("last"), Revert("last")]
    assert act("too late") not in worker.handled
    assert worker.finished == [2.0]
    assert not runner._thread.is_alive()


def test_a_stop_before_the_start_is_a_stop() -> None:
    assert runner_of(Scripted()).stop()


@pytest.mark.expected_log("unexpected error in sync")
def test_a_command_that_fails_unexpectedly_is_told_and_ends_nothing() -> None:
    def on(command: Command) -> None:
        if command == act("bad"):
            raise ZeroDivisionError

    worker = Scripted(on_act=on)
    runner = runner_of(worker)
    runner.start()
    runner.submit(act("bad"))
    runner.submit(act("good"))
    (trouble,) = told(runner, Trouble)
    assert isinstance(trouble, Trouble)
    assert (type(trouble.error), trouble.fatal) == (ZeroDivisionError, False)
    wait_until(lambda: worker.handled == [act("good")])
    assert runner.stop()


@pytest.mark.expected_log("unexpected error in sync")
def test_a_worker_that_fails_unexpectedly_ends_the_thread_visibly() -> None:
    async def work() -> None:
        raise ZeroDivisionError

    worker = Scripted(work=work)
    runner = runner_of(worker)
    runner.start()
    (trouble,) = told(runner, Trouble)
    assert isinstance(trouble, Trouble)
    assert (type(trouble.error), trouble.fatal) == (ZeroDivisionError, True)
    wait_until(lambda: not runner._thread.is_alive())
    assert worker.closed.is_set()
    runner.submit(act("lost?"))
    (not_saved,) = told(runner, NotSaved)
    assert isinstance(not_saved, NotSaved)
    assert not_saved.batch == "lost?"


def test_files_that_cannot_be_opened_end_the_thread_and_no_act_is_taken_as_saved() -> None:
    async def build(_: EventQueue) -> Any:
        raise StorageError("locked", path="journal.db")

    runner = Runner("shop", build)
    runner.submit(act("early"))
    runner.start()
    trouble, not_saved = told(runner, (Trouble, NotSaved), 2)
    assert isinstance(trouble, Trouble)
    assert isinstance(not_saved, NotSaved)
    assert (trouble.fatal, not_saved.batch) == (True, "early")


def test_what_is_done_after_the_thread_has_ended_is_said_not_to_be_done() -> None:
    async def build(_: EventQueue) -> Any:
        raise StorageError("disk-full")

    runner = Runner("shop", build)
    runner.start()
    told(runner, Trouble)
    wait_until(lambda: not runner._thread.is_alive())
    runner.submit(Discard((1,)))
    (said,) = told(runner, Trouble)
    assert isinstance(said, Trouble) and isinstance(said.error, ShopError) and said.error.code == "thread-ended"


@pytest.mark.expected_log("unexpected error in sync")
def test_an_error_in_a_task_nobody_waits_for_is_told() -> None:
    async def work() -> None:
        async def fail() -> None:
            raise ZeroDivisionError

        task = asyncio.get_running_loop().create_task(fail())
        await asyncio.wait([task])
        del task
        await asyncio.Event().wait()

    worker = Scripted(work=work)
    runner = runner_of(worker)
    runner.start()
    (trouble,) = told(runner, Trouble)
    assert isinstance(trouble, Trouble)
    assert (type(trouble.error), trouble.fatal) == (ZeroDivisionError, False)
    assert runner.stop()
