"""What runs in the sync thread: an asyncio loop that carries out commands beside the worker, until it is stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from petstore_desktop.sync.events import Trouble

if TYPE_CHECKING:
    from petstore_desktop.sync.commands import Command
    from petstore_desktop.sync.event_queue import EventQueue
    from petstore_desktop.sync.runner import Worker


class Line:
    """The way into the loop from other threads; neither method waits, and after the loop's end both do nothing."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.commands: asyncio.Queue[Command] = asyncio.Queue()
        self.stopped = asyncio.Event()
        self._loop = loop

    def put(self, command: Command) -> None:
        """Hand over a command."""
        self._call(lambda: self.commands.put_nowait(command))

    def stop(self) -> None:
        """End it."""
        self._call(self.stopped.set)

    def _call(self, act: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop has ended meanwhile: nobody is there to be told
            self._loop.call_soon_threadsafe(act)


def serve(
    connection: str,
    build: Callable[[EventQueue], Awaitable[Worker]],
    events: EventQueue,
    connect: Callable[[Line], None],
    grace_s: float,
) -> None:
    """Build the worker and run it until the line is stopped; what is on the wire then has `grace_s` seconds.

    `connect` is given the line as soon as commands may come. Raises what ends the worker.
    """
    asyncio.run(_Serving(connection, events).run(build, connect, grace_s))


class _Serving:
    def __init__(self, connection: str, events: EventQueue) -> None:
        self._connection = connection
        self._events = events

    async def run(
        self,
        build: Callable[[EventQueue], Awaitable[Worker]],
        connect: Callable[[Line], None],
        grace_s: float,
    ) -> None:
        line = Line(asyncio.get_running_loop())
        connect(line)
        worker = await build(self._events)
        try:
            await self._work(worker, line, grace_s)
        finally:
            await worker.close()

    async def _work(self, worker: Worker, line: Line, grace_s: float) -> None:
        stopped = asyncio.create_task(line.stopped.wait())
        running = asyncio.create_task(worker.run())
        listening = asyncio.create_task(self._listen(worker, line.commands))
        await asyncio.wait([stopped, running, listening], return_when=asyncio.FIRST_COMPLETED)
        if stopped.done():
            await worker.finish(grace_s)
        tasks: list[asyncio.Task[Any]] = [running, listening, stopped]
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                raise result

    async def _listen(self, worker: Worker, commands: asyncio.Queue[Command]) -> None:
        """Commands are begun in order; one that must wait for the service does not hold up the next."""
        open_tasks: set[asyncio.Task[None]] = set()
        try:
            while True:
                command = await commands.get()
                task = asyncio.create_task(self._carry_out(worker, command))
                open_tasks.add(task)
                task.add_done_callback(open_tasks.discard)
        finally:
            for task in open_tasks:
                task.cancel()

    async def _carry_out(self, worker: Worker, command: Command) -> None:
        try:
            await worker.handle(command)
        except Exception as error:  # noqa: BLE001 -- a command that fails unexpectedly must not end the thread
            self._events.put(Trouble(self._connection, error))
