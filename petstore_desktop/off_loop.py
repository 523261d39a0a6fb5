"""Work that blocks, off the asyncio loop: in a throw-away daemon thread, so that neither a silent keyring, nor a shop
that does not start, nor a document that takes long to read can keep anything from being cancelled, or ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.threads import begin

T = TypeVar("T")
P = ParamSpec("P")
LOCKED_S, AGAIN_S = 10.0, 0.25
"""How long a file that another program holds is waited for, and how long until it is tried again (seconds)."""


async def when_free(work: Callable[[], T]) -> T:
    """Do the work when no other program holds the file that it needs. Raises StorageError: `locked` after 10 s."""
    loop = asyncio.get_running_loop()
    until = loop.time() + LOCKED_S
    while True:
        try:
            return work()
        except StorageError as error:
            if error.code != "locked" or loop.time() >= until:
                raise
        await asyncio.sleep(AGAIN_S)


async def off_loop(work: Callable[[], T], name: str) -> T:
    """Do it in a thread of this name, and wait; cancelling lets go of the thread, which ends by itself. Raises what
    `work` raises."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def succeed(result: T) -> None:
        if not future.done():
            future.set_result(result)

    def fail(error: Exception) -> None:
        if not future.done():
            future.set_exception(error)

    def run() -> None:
        with suppress(RuntimeError):  # the loop has ended meanwhile: nobody waits
            try:
                result = work()
            except Exception as error:  # noqa: BLE001 -- it is raised where it is waited for
                loop.call_soon_threadsafe(fail, error)
            else:
                loop.call_soon_threadsafe(succeed, result)

    begin(run, name)
    return await future


def beside(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Do something that nobody waits for. It is kept until it ends, and what it raises is told at once, where the loop
    tells of all errors that nobody expected."""
    task = asyncio.get_running_loop().create_task(work)
    _beside.add(task)
    task.add_done_callback(_is_over)
    return task


def _is_over(task: asyncio.Task[None]) -> None:
    _beside.discard(task)
    error = None if task.cancelled() else task.exception()
    if error is not None:
        task.get_loop().call_exception_handler({"message": f"{task.get_coro()} failed", "exception": error})


_beside: set[asyncio.Task[None]] = set()
"""asyncio itself does not keep a task."""


class _ThrowAway(ThreadPoolExecutor):
    """Gives each piece of work a thread of its own, and never waits for one."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Begin it."""
        future = Future[T]()

        def run() -> None:
            try:
                result = fn(*args, **kwargs)
            except BaseException as error:  # noqa: BLE001 -- it is raised where it is waited for
                future.set_exception(error)
            else:
                future.set_result(result)

        begin(run, "names", writes=False)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing is left to be done."""


def run_loop(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run it in an asyncio loop of its own. asyncio looks names up in a pool of threads, for which the end of a loop
    and of the program would wait, however long a server of names is silent; here in throw-away threads."""

    async def run() -> T:
        asyncio.get_running_loop().set_default_executor(_ThrowAway())
        return await main()

    return asyncio.run(run())
