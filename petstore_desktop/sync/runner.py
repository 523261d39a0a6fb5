"""The sync thread as seen from the others: commands go down, events come up, and a stop overtakes everything.

Nothing here needs asyncio: the window is painted before the thread, and with it the loop (`sync.loop`), begins.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from petstore_desktop.domain.commands import Act, Apply
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.sync.wire.event_queue import CommandQueue, EventQueue
from petstore_desktop.sync.wire.events import NotSaved, Trouble
from petstore_desktop.threads import Worker, begin

if TYPE_CHECKING:
    from petstore_desktop.domain.commands import Command
    from petstore_desktop.sync.connection import ShopSync

WIRE_GRACE_S = 2.0
"""Seconds that a quit waits for requests on the wire before their changes are marked uncertain."""


class Runner:
    """Runs one connection's worker. `build` is called in the thread, so that heavy imports and opening files happen
    there."""

    def __init__(self, connection: str, build: Callable[[EventQueue], Awaitable[ShopSync]]) -> None:
        self.connection = connection
        self.events = EventQueue()
        self._build = build
        self._thread: Worker | None = None
        self._lock = threading.Lock()
        self._commands = CommandQueue()
        self._ended = False

    def start(self) -> None:
        """Begin. Commands submitted before are kept."""
        self._thread = begin(self._main, f"sync {self.connection}")

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
        if self._thread is None:
            return True
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _main(self) -> None:
        from petstore_desktop.off_loop import run_loop
        from petstore_desktop.sync.loop import work

        try:
            run_loop(lambda: work(self._build, self.events, self._commands, self._trouble, WIRE_GRACE_S))
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
        elif isinstance(command, Act):
            self.events.put(Trouble(self.connection, ShopError("thread-ended")))

    def _trouble(self, error: BaseException, *, fatal: bool = False) -> None:
        if not isinstance(error, ShopError):
            logging.getLogger(__name__).error("unexpected error in sync", exc_info=error)
        self.events.put(Trouble(self.connection, error, fatal))
