"""The two queues between the sync thread and the window: events on their way up, commands on their way down."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from petstore_desktop.sync.wire import events
from petstore_desktop.sync.wire.events import Event

if TYPE_CHECKING:
    from petstore_desktop.domain.commands import Command

FLOW = (
    events.RowsChanged, events.RowsRead, events.RowsSeen, events.LoadMoved, events.LoadPriced, events.QuotaMoved,
    events.GateMoved, events.RequestsSent,
)  # fmt: skip
"""What comes page by page while lists are read, and answers nobody."""
ROOM = 128
"""How many events may wait before readers of rows must pause; small events are always accepted, so that nothing is
dropped."""


class EventQueue:
    """A bounded queue with one wake signal. `on_wake` is called from the putting thread when the first event arrives,
    or one that somebody may wait for, and from the draining one when some had to stay. Once it is set to something
    else, nobody calls the old one any more, nor is in the middle of it: what it belongs to may be destroyed."""

    def __init__(self) -> None:
        self._bell = threading.RLock()
        self._on_wake: Callable[[], None] | None = None
        self._events: deque[Event] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._urgent = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        return not self._events

    @property
    def has_urgent(self) -> bool:
        """Whether something waits that is no part of the flow of a list."""
        return self._urgent > 0

    @property
    def on_wake(self) -> Callable[[], None] | None:
        """Who is woken. It must not wait for anything."""
        return self._on_wake

    @on_wake.setter
    def on_wake(self, wake: Callable[[], None] | None) -> None:
        with self._bell:
            self._on_wake = wake

    @property
    def crowded(self) -> bool:
        """Whether a producer of many rows should wait for room."""
        return len(self._events) >= ROOM

    def put(self, event: Event) -> None:
        """Add an event; never waits. After `close` it goes nowhere."""
        with self._changed:
            if self._closed:
                return
            self._events.append(event)
            is_urgent = not isinstance(event, FLOW)
            self._urgent += is_urgent
            wakes = is_urgent or len(self._events) == 1
            self._changed.notify_all()
        if wakes:
            self._wake()

    def put_when_room(self, event: Event) -> bool:
        """Add an event from a thread that may wait, as long as the queue is crowded; False after `close`."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or not self.crowded)
            if self._closed:
                return False
        self.put(event)
        return True

    def drain(self, budget_s: float) -> Iterator[Event]:
        """Events that waited, oldest first, until none is left or `budget_s` seconds are gone; the rest stays, and
        wakes again."""
        end = time.monotonic() + budget_s
        try:
            while self._events:
                with self._changed:
                    event = self._events.popleft()
                    self._urgent -= not isinstance(event, FLOW)
                    self._changed.notify_all()
                yield event
                if time.monotonic() >= end:
                    break
        finally:
            if self._events:  # also where whoever drains gave up half-way
                self._wake()

    def wait(self, timeout_s: float) -> bool:
        """Whether an event is there, within `timeout_s` seconds; for commands without a window."""
        with self._changed:
            return self._changed.wait_for(lambda: bool(self._events), timeout_s)

    def close(self) -> None:
        """Release every producer; events put later are dropped."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _wake(self) -> None:
        with self._bell:
            if self._on_wake is not None:
                self._on_wake()


class CommandQueue:
    """Commands on their way from other threads into the loop; no method waits. What comes before the loop listens is
    kept for it."""

    def __init__(self) -> None:
        self.stopped = False
        self._commands: deque[Command] = deque()
        self._arrived: Callable[[], object] = lambda: None

    def listen(self, arrived: Callable[[], object]) -> None:
        """Call this one now, and whenever something has arrived, in the thread that brings it. It may raise
        RuntimeError where nobody takes anything any more."""
        self._arrived = arrived
        arrived()

    def put(self, command: Command) -> None:
        """Hand over a command."""
        self._commands.append(command)
        self._tell()

    def stop(self) -> None:
        """End it."""
        self.stopped = True
        self._tell()

    def _tell(self) -> None:
        with suppress(RuntimeError):  # what was put is left
            self._arrived()

    def left(self) -> Iterator[Command]:
        """Take what waits, oldest first."""
        while self._commands:
            yield self._commands.popleft()
