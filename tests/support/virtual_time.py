"""An asyncio loop whose time is virtual: when nothing is ready it moves to the next timer at once.

    loop = VirtualTime()
    clock = loop.new_clock()                # a computer's clock; it goes with the loop's time
    loop.run_for(3600)                      # an hour
    loop.run_until(lambda: done, "it is done", 600)
    loop.suspend(8 * 3600)                  # the machine sleeps: clocks go on, timers stand still
    clock.set_wall(...)                     # somebody sets that computer's clock

While helper threads (off_loop.py) are at work it waits for them in real time. The real shop and the real program
run in it: see virtual_shop.py and virtual_desk.py.
"""

from __future__ import annotations

import asyncio
import contextvars
import selectors
import threading
import time
from collections.abc import Callable
from typing import Any
from weakref import WeakSet

from tests.support.manual_clock import ManualClock
from tests.support.patience import PATIENCE_S

LATE_S = 1e-4
"""How late a timer fires, as on any computer."""
"""Real seconds that helper threads may take."""
CREEP_TURNS, MOST_TURNS = 1_000, 100_000
"""So many turns of the loop in which something was ready take LATE_S, and so many without a rest are too many."""
EPOCH = 1_763_700_000.25
"""The epoch second at which a loop begins, by everybody's clock."""

OWNER: contextvars.ContextVar[object] = contextvars.ContextVar("OWNER", default=None)
"""Who makes the tasks, so that all of one desk can be killed."""


class Stuck(AssertionError):
    """What was waited for does not happen."""


class _Selector(selectors.DefaultSelector):
    """Looks whether something is ready; if not, lets `idle` find something to do."""

    idle: Callable[[float | None], None]
    busy: Callable[[], None]

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is not None and timeout <= 0:  # what is ready comes first: nothing else needs to be looked for
            self.busy()
            return []
        if ready := super().select(0):
            self.busy()
            return ready
        self.idle(timeout)
        return []

    def wait(self, seconds: float) -> bool:
        """Wait in real time; the loop finds what is ready in its next turn."""
        return bool(super().select(seconds))


class VirtualTime(asyncio.SelectorEventLoop):
    """See above."""

    def __init__(self) -> None:
        self._passed = 0.0
        self._clocks: list[ManualClock] = []
        self._slept = 0.0
        self._selector_ = _Selector()
        super().__init__(self._selector_)
        self._clock_resolution = 1e-9  # a clock of Windows has ticks of 16 ms, and what is due within one is early
        self._selector_.idle = self._nothing_is_ready
        self._selector_.busy = self._something_is_ready
        self._turns = 0
        self._thread = threading.get_ident()
        self._before = frozenset(threading.enumerate())
        self._until: Callable[[], object] | None = None
        self._failure: BaseException | None = None
        self._closing = False
        self._owners: dict[object, WeakSet[asyncio.Task[Any]]] = {}
        self.set_task_factory(_made_by_its_owner(self._owners))

    # -- time

    def time(self) -> float:
        """Seconds that the loop has lived, asleep ones not counted."""
        return self._passed

    @property
    def wall(self) -> float:
        """The true epoch second: that of whoever nobody meddles with."""
        return EPOCH + self._passed + self._slept

    def new_clock(self, boot_id: str = "boot-1") -> ManualClock:
        """The clock of one more computer."""
        clock = ManualClock(1_000.0, self.wall, boot_id)
        self._clocks.append(clock)
        return clock

    def call_soon_threadsafe(
        self, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        """As an asyncio loop; its own thread, which is awake, needs no word over a socket."""
        call = super().call_soon_threadsafe if threading.get_ident() != self._thread else self.call_soon
        return call(callback, *args, context=context)

    def suspend(self, seconds: float) -> None:
        """All computers sleep; the service's clock goes on too."""
        self._slept += seconds
        for clock in self._clocks:
            clock.advance(seconds)

    # -- running

    def run_for(self, seconds: float) -> None:
        """Let so many virtual seconds pass."""
        handle = self.call_later(seconds, self.stop)
        self._run()
        handle.cancel()

    def run_until(self, condition: Callable[[], object], what: str, seconds: float = 600.0) -> None:
        """Run until the condition holds; looked at whenever nothing is ready, before time moves. Raises Stuck after
        so many virtual seconds."""
        handle = self.call_later(seconds, self.stop)
        self._until = condition
        try:
            self._run()
        finally:
            handle.cancel()
            self._until = None
        if not condition():
            raise Stuck(f"waited {seconds} s in vain until {what}")

    def settle(self) -> None:
        """Run until nothing is ready; no time passes."""
        self.run_until(lambda: True, "nothing is ready")

    def fail(self, error: BaseException) -> None:
        """What is running now raises this."""
        if not self._closing:
            self._failure = self._failure or error
            self.stop()

    def close(self) -> None:
        """Cancel whatever still runs, and let it end; what goes wrong with it is nobody's matter any more."""
        if not self.is_closed():
            self._closing, self._failure = True, None
            self.set_exception_handler(lambda *_: None)
            while tasks := asyncio.all_tasks(self):
                for task in tasks:
                    task.cancel()
                self.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
            self.run_until_complete(self.shutdown_asyncgens())
        super().close()

    def owned(self, owner: object) -> list[asyncio.Task[Any]]:
        """The tasks of an owner that are not over."""
        return [task for task in self._owners.get(owner, ()) if not task.done()]

    def _run(self) -> None:
        self.run_forever()
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure

    # -- what is ready

    def _something_is_ready(self) -> None:
        """Computing takes its time too: who waits for less than a float can hold must not wait for ever."""
        self._turns += 1
        if self._turns % CREEP_TURNS == 0:
            self._pass(LATE_S)
        if self._turns > MOST_TURNS:
            raise Stuck("something is always ready")

    def _nothing_is_ready(self, timeout: float | None) -> None:
        self._turns = 0
        if self._helpers():
            self._wait_for_helpers()
        elif self._selector_.wait(0):
            return  # a helper thread ended a moment ago, and left word
        elif self._until is not None and self._until():
            self.stop()
        elif timeout is None:
            raise Stuck("nothing will ever happen")
        else:
            self._pass(timeout + LATE_S)

    def _pass(self, seconds: float) -> None:
        self._passed += seconds
        for clock in self._clocks:
            clock.advance(seconds)

    def _helpers(self) -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.daemon and thread not in self._before]

    def _wait_for_helpers(self) -> None:
        end = time.monotonic() + PATIENCE_S
        while helpers := self._helpers():
            if self._selector_.wait(0.01):
                return
            if time.monotonic() > end:
                raise Stuck(f"helper threads do not end: {helpers}")


def _made_by_its_owner(owners: dict[object, WeakSet[asyncio.Task[Any]]]) -> Callable[..., asyncio.Task[Any]]:
    """A task factory that notes whose each task is."""

    def make(loop: asyncio.AbstractEventLoop, coroutine: Any, **named: Any) -> asyncio.Task[Any]:
        task = asyncio.Task(coroutine, loop=loop, **named)
        context = named.get("context")
        owner = OWNER.get() if context is None else context.get(OWNER)
        if owner is not None:
            owners.setdefault(owner, WeakSet()).add(task)
        return task

    return make
