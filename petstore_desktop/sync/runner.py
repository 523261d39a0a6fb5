"""The sync thread: a plain thread with an asyncio loop. Commands go down, events come up, and a stop overtakes
everything."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Protocol

from petstore_desktop.sync.commands import Command
from petstore_desktop.sync.event_queue import EventQueue
from petstore_desktop.sync.events import Trouble

WIRE_GRACE_S = 2.0
"""How long a quit waits for what is on the wire before it is marked uncertain."""


class Worker(Protocol):
    """What the thread runs for a connection."""

    async def run(self) -> None:
        """Work until cancelled."""
        ...

    async def handle(self, command: Command) -> None:
        """Carry out one command."""
        ...

    async def finish(self, grace_s: float) -> None:
        """Begin nothing more; wait at most `grace_s` seconds for what is on the wire."""
        ...

    async def close(self) -> None:
        """Let go of everything: network, journal, mirror."""
        ...


class Runner:
    """Runs one connection's worker. `build` is called in the thread, so that heavy imports and opening files happen
    there."""

    def __init__(self, connection: str, build: Callable[[EventQueue], Awaitable[Worker]]) -> None:
        self.connection = connection
        self.events = EventQueue()
        self._build = build
        self._thread = threading.Thread(target=self._main, name=f"sync {connection}", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()
        self._early: list[Command] = []
        self._commands: asyncio.Queue[Command] | None = None
        self._stop: asyncio.Event | None = None
        self._stopping = False

    def start(self) -> None:
        """Begin. Commands submitted before are kept."""
        self._thread.start()

    def submit(self, command: Command) -> None:
        """Hand a command to the thread; never waits."""
        with self._lock:
            if self._stopping:
                return
            if self._loop is None or self._commands is None:
                self._early.append(command)
                return
            self._loop.call_soon_threadsafe(self._commands.put_nowait, command)

    def stop(self, timeout_s: float = WIRE_GRACE_S + 3.0) -> bool:
        """Stop accepting, let what is on the wire end for at most 2 s, close. Returns whether the thread has
        ended."""
        with self._lock:
            self._stopping = True
            if self._loop is not None and self._stop is not None and self._thread.is_alive():
                self._loop.call_soon_threadsafe(self._stop.set)
        self.events.close()
        if self._thread.is_alive():
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def _main(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as error:  # noqa: BLE001 -- the thread's last resort: the window must learn of it
            self.events.put(Trouble(self.connection, error, fatal=True))

    async def _serve(self) -> None:
        commands: asyncio.Queue[Command] = asyncio.Queue()
        stop = asyncio.Event()
        with self._lock:
            self._loop, self._commands, self._stop = asyncio.get_running_loop(), commands, stop
            for command in self._early:
                commands.put_nowait(command)
            self._early.clear()
            if self._stopping:
                stop.set()
        worker = await self._build(self.events)
        try:
            await self._work(worker, commands, stop)
        finally:
            await worker.close()

    async def _work(self, worker: Worker, commands: asyncio.Queue[Command], stop: asyncio.Event) -> None:
        stopped = asyncio.create_task(stop.wait())
        running = asyncio.create_task(worker.run())
        listening = asyncio.create_task(self._listen(worker, commands))
        await asyncio.wait([stopped, running, listening], return_when=asyncio.FIRST_COMPLETED)
        if stopped.done():
            await worker.finish(WIRE_GRACE_S)
        tasks = [running, listening, stopped]
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
            self.events.put(Trouble(self.connection, error))
