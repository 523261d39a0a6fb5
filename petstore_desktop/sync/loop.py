"""What runs in the sync thread: an asyncio loop that carries out commands beside the worker, until it is stopped."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from petstore_desktop.domain.commands import Apply, Command, Discard, Retry

if TYPE_CHECKING:
    from petstore_desktop.sync.wire.event_queue import EventQueue


class Worker(Protocol):
    """What the thread runs for a connection."""

    async def run(self) -> None:
        """Work until cancelled."""
        ...

    def act(self, command: Apply | Discard | Retry) -> None:
        """Write down what a person did, and tell that it is saved. Waits for nothing but the disk."""
        ...

    async def handle(self, command: Command) -> None:
        """Carry out one command of the others."""
        ...

    async def finish(self, grace_s: float) -> None:
        """Begin nothing more; wait at most `grace_s` seconds for requests on the wire."""
        ...

    async def close(self) -> None:
        """Let go of everything: network, journal, mirror."""
        ...


class CommandQueue:
    """The way into the loop from other threads; neither method waits. What nobody took is found in `left` after the
    loop's end."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.stopped = asyncio.Event()
        self._loop = loop
        self._commands: deque[Command] = deque()
        self._taker: Callable[[], None] | None = None

    def put(self, command: Command) -> None:
        """Hand over a command."""
        self._commands.append(command)
        self._call(self._arrived)

    def served_by(self, taker: Callable[[], None] | None) -> None:
        """Call this one in the loop, now and whenever something has arrived: in the very turn that wakes the loop,
        since whoever acts waits for "saved"."""
        self._taker = taker
        self._arrived()

    def _arrived(self) -> None:
        if self._taker is not None:
            self._taker()

    def stop(self) -> None:
        """End it."""
        self._call(self.stopped.set)

    def left(self) -> Iterator[Command]:
        """Take what waits, oldest first."""
        while self._commands:
            yield self._commands.popleft()

    def _call(self, act: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop has ended meanwhile: nobody is there to be told
            self._loop.call_soon_threadsafe(act)


async def work(
    build: Callable[[EventQueue], Awaitable[Worker]],
    events: EventQueue,
    connect: Callable[[CommandQueue], None],
    trouble: Callable[[BaseException], None],
    grace_s: float,
) -> None:
    """Build the worker and run it until the line is stopped; what is on the wire then has `grace_s` seconds.

    `connect` is given the line as soon as commands may come; `trouble` hears of errors that nobody expected but that
    end nothing. Raises what ends the worker.
    """
    serving, loop = _Serving(trouble), asyncio.get_running_loop()
    loop.set_exception_handler(serving.unexpected)
    line = CommandQueue(loop)
    connect(line)
    worker = await build(events)
    try:
        await serving.work(worker, line, grace_s)
    finally:
        await worker.close()


class _Serving:
    """Runs a worker and carries out what is asked of it."""

    def __init__(self, trouble: Callable[[BaseException], None]) -> None:
        self._trouble = trouble
        self._tasks: set[asyncio.Task[None]] = set()

    async def work(self, worker: Worker, line: CommandQueue, grace_s: float) -> None:
        stopped = asyncio.create_task(line.stopped.wait())
        running = asyncio.create_task(worker.run())
        # After the worker's first step: it takes over there what an earlier run left, which comes before new acts.
        asyncio.get_running_loop().call_soon(line.served_by, partial(self._take, worker, line))
        await asyncio.wait([stopped, running], return_when=asyncio.FIRST_COMPLETED)
        line.served_by(None)
        if stopped.done():
            self._save(worker, line)
            await worker.finish(grace_s)
        tasks: list[asyncio.Task[Any]] = [running, stopped]
        commands = tuple(self._tasks)
        for task in (*tasks, *commands):
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        if commands:  # what one of them has on the wire is closed by it
            await asyncio.wait(commands, timeout=grace_s)
        for result in results:
            if isinstance(result, Exception):
                raise result

    def _save(self, worker: Worker, line: CommandQueue) -> None:
        """A stop overtakes everything but what a person did before it: that is written down."""
        for command in line.left():
            if isinstance(command, Apply | Discard | Retry):
                self._act(worker, command)

    def _take(self, worker: Worker, line: CommandQueue) -> None:
        """Acts are written down one after the other, as they came. What must wait for the service does not hold up
        the next."""
        for command in line.left():
            if isinstance(command, Apply | Discard | Retry):
                self._act(worker, command)
            else:
                task = asyncio.create_task(self._carry_out(worker, command))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def _act(self, worker: Worker, command: Apply | Discard | Retry) -> None:
        try:
            worker.act(command)
        except Exception as error:  # noqa: BLE001 -- an act that fails unexpectedly must not end the thread
            self._trouble(error)

    async def _carry_out(self, worker: Worker, command: Command) -> None:
        try:
            await worker.handle(command)
        except Exception as error:  # noqa: BLE001 -- a command that fails unexpectedly must not end the thread
            self._trouble(error)

    def unexpected(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self._trouble(error if isinstance(error, BaseException) else RuntimeError(str(context.get("message"))))
