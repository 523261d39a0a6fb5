"""What runs in the sync thread: an asyncio loop that carries out commands beside the worker, until it is stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from petstore_desktop.domain.commands import Act
from petstore_desktop.off_loop import beside

if TYPE_CHECKING:
    from petstore_desktop.sync.connection import ShopSync
    from petstore_desktop.sync.wire.event_queue import CommandQueue, EventQueue


async def work(
    build: Callable[[EventQueue], Awaitable[ShopSync]],
    events: EventQueue,
    commands: CommandQueue,
    trouble: Callable[[BaseException], None],
    grace_s: float,
) -> None:
    """Build the worker and run it until the queue of commands is stopped; what is on the wire then has `grace_s`
    seconds.

    `trouble` hears of errors that nobody expected but that end nothing. Raises what ends the worker.
    """
    serving = _Serving(commands, trouble)
    asyncio.get_running_loop().set_exception_handler(serving.unexpected)
    worker = await build(events)
    try:
        await serving.work(worker, grace_s)
    finally:
        await worker.close()


class _Serving:
    """Runs a worker and carries out what is asked of it."""

    def __init__(self, commands: CommandQueue, trouble: Callable[[BaseException], None]) -> None:
        self._commands, self._trouble = commands, trouble
        self._worker: ShopSync | None = None
        self._stopped = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def work(self, worker: ShopSync, grace_s: float) -> None:
        loop, self._worker = asyncio.get_running_loop(), worker
        stopped = asyncio.create_task(self._stopped.wait())  # house: thread - awaited below
        running = asyncio.create_task(worker.run())  # house: thread - awaited below

        # After the worker's first step: it takes over there what an earlier run left, which comes before new acts.
        loop.call_soon(self._commands.listen, partial(loop.call_soon_threadsafe, self._take))
        await asyncio.wait([stopped, running], return_when=asyncio.FIRST_COMPLETED)
        self._worker = None
        if stopped.done():
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

    def _take(self) -> None:
        """Acts are written down one after the other, as they came; what must wait for the service does not hold up the
        next. What came before a stop is begun at least: a key that was entered is kept."""
        worker = self._worker
        if worker is None:
            return
        for command in self._commands.left():
            if isinstance(command, Act):
                self._act(worker, command)
            else:
                task = beside(worker.handle(command))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        if self._commands.stopped:
            self._stopped.set()

    def _act(self, worker: ShopSync, command: Act) -> None:
        try:
            worker.act(command)
        except Exception as error:  # noqa: BLE001 -- an act that fails unexpectedly must not end the thread
            self._trouble(error)

    def unexpected(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self._trouble(error if isinstance(error, BaseException) else RuntimeError(str(context.get("message"))))
