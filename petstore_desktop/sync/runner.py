"""The sync thread as seen from the others: commands go down, events come up, and a stop overtakes everything.

Nothing here needs asyncio: the window is painted before the thread, and with it the loop (`sync.loop`), begins.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING

from petstore_desktop.domain.commands import Apply
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.sync.wire.event_queue import EventQueue
from petstore_desktop.sync.wire.events import NotSaved, Trouble

if TYPE_CHECKING:
    from petstore_desktop.domain.commands import Command
    from petstore_desktop.sync.connection import ShopSync

WIRE_GRACE_S = 2.0
"""Seconds that a quit waits for requests on the wire before their changes are marked uncertain."""


class CommandQueue:
    """Commands on their way from other threads into the loop; no method waits. What comes before the loop listens is
    kept for it."""

    def __init__(self) -> None:
        self.stopped = False
        self._commands: deque[Command] = deque()
        self._arrived: Callable[[], None] = lambda: None

    def listen(self, arrived: Callable[[], None]) -> None:
        """Call this one now, and whenever something has arrived, in the thread that brings it."""
        self._arrived = arrived
        arrived()

    def put(self, command: Command) -> None:
        """Hand over a command."""
        self._commands.append(command)
        self._arrived()

    def stop(self) -> None:
        """End it."""
        self.stopped = True
        self._arrived()

    def left(self) -> Iterator[Command]:
        """Take what waits, oldest first."""
        while self._commands:
            yield self._commands.popleft()


class Runner:
    """Runs one connection's worker. `build` is called in the thread, so that heavy imports and opening files happen
    there."""

    def __init__(self, connection: str, build: Callable[[EventQueue], Awaitable[ShopSync]]) -> None:
        self.connection = connection
        self.events = EventQueue()
        self._build = build
        self._thread = threading.Thread(target=self._main, name=f"sync {connection}", daemon=True)
        self._lock = threading.Lock()
        self._commands = CommandQueue()
        self._ended = False

    def start(self) -> None:
        """Begin. Commands submitted before are kept."""
        self._thread.start()

    def submit(self, command: Command) -> None:
        """Hand a command to the thread; never waits. After the thread's end an act is told as not saved."""
        with self._lock:
            if self._commands.stopped:
                return
            if self._ended:
                self._not_done(command)
            else:
                self._commands.put(command)

    def stop(self, timeout_s: float = WIRE_GRACE_S + 3.0) -> bool:
        """Stop accepting commands, wait at most 2 s for requests on the wire, and close. Returns whether the thread has
        ended."""
        with self._lock:
            self._commands.stop()
        self.events.close()
        if self._thread.is_alive():
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _main(self) -> None:
        import asyncio

        from petstore_desktop.sync.loop import work

        try:
            asyncio.run(work(self._build, self.events, self._commands, self._trouble, WIRE_GRACE_S))
        except Exception as error:  # noqa: BLE001 -- the thread's last resort: the window must learn of it
            self._trouble(error, fatal=True)
        finally:
            with self._lock:
                self._ended = True
                for command in self._commands.left():
                    self._not_done(command)

    def _not_done(self, command: Command) -> None:
        if isinstance(command, Apply):
            self.events.put(NotSaved(self.connection, command.batch, ShopError("thread-ended")))

    def _trouble(self, error: BaseException, *, fatal: bool = False) -> None:
        if not isinstance(error, ShopError):
            logging.getLogger(__name__).error("unexpected error in sync", exc_info=error)
        self.events.put(Trouble(self.connection, error, fatal))
