"""Where the sync thread's events enter the GUI thread.

The thread only rings a bell (one queued signal, however many events wait); the GUI thread takes events out for at most
8 ms a turn, lets the desk apply them, and says once a turn what moved. What lists bring page by page may take several
turns: it is said when nothing is left of it, or once in a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal

from petstore_desktop.desk.desk import Changed
from petstore_desktop.desk.reduce import apply_event, long_move
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base.building import timer

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.model.ripple import NotSaved
    from petstore_desktop.desk.reduce import Event, LongMove

BUDGET_S = 0.008
"""Seconds that one turn of the event loop may spend on events."""
FRAME_MS = 200
"""Between two turns while lists are read, so that what their pages change is shown for all of them at once; what
answers a person does not wait."""
MANY = 64
"""More rows than a person acts on."""
PART = 500
"""How many changes of one event are applied at once."""
_EXPIRY_MS = 1000
_IDLE_MS = 5


class EventSource(Protocol):
    """Where events of the sync thread wait. `on_wake` is called from that thread when the first one arrives; once it is
    set to something else, no call of the old one is under way."""

    @property
    def on_wake(self) -> Callable[[], None] | None:
        """Who is woken."""
        ...

    @on_wake.setter
    def on_wake(self, wake: Callable[[], None] | None) -> None: ...

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        ...

    @property
    def has_urgent(self) -> bool:
        """Whether something waits that somebody may wait for."""
        ...

    def drain(self, budget_s: float) -> Iterable[Event]:
        """Events that waited, oldest first, one by one; after `budget_s` seconds the rest stays and wakes again."""
        ...


class Bridge(QObject):
    """Feeds a desk from an event source.

    Signals:
        taking: before the events of a turn are applied.
        changed: Changed: what moved in this turn, and in those before it that brought more than one could take.
        taken: after all of this turn was told.
        lost: tuple[NotSaved, ...]: batches of this turn that could not be written down.
    """

    taking = Signal()
    changed = Signal(object)
    taken = Signal()
    lost = Signal(object)
    _woken = Signal()

    def __init__(self, source: EventSource, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source = source
        self._desk = desk
        self._closed = self._is_full = self._is_arriving = False
        self._long: LongMove | None = None
        """The event that is being applied in parts."""
        self._behind: Iterator[Event] | None = None
        """The events behind it; none overtakes it."""
        self._unsaid, self._said_at = Changed(), 0.0
        """What was applied and not said yet, and when something was said last."""
        self._turn = timer(self, 0, self._drain, once=True)
        self._idle = timer(self, _IDLE_MS, self._prepare, once=True)
        self._clock = timer(self, _EXPIRY_MS, self._expire)
        self._clock.start()
        self._woken.connect(self._wake, Qt.ConnectionType.QueuedConnection)
        source.on_wake = self._woken.emit
        self._turn.start(0)  # what came before there was a bell

    def close(self) -> None:
        """Take no more events; the thread may go on ringing while it ends."""
        self._closed = True
        self._source.on_wake = None
        self._turn.stop()
        self._idle.stop()
        self._clock.stop()

    def _wake(self) -> None:
        """Apply the first event after a rest at once, before any painting: the person who acted waits for "saved".
        Events right behind it come in the next turn, so that keys and paints have theirs; so does the rest of a turn
        whose time was used up."""
        if self._closed or (self._turn.isActive() and not (self._is_arriving and self._source.has_urgent)):
            return
        self._turn.start(0)
        if not self._is_full:
            self._drain()
            if not self._is_arriving:
                self._turn.start(int(self._is_full))  # after a full one not in the same turn of the event loop

    def _drain(self) -> None:
        self.taking.emit()
        moved, begun, was_long = Changed(), monotonic(), self._long is not None
        lost: list[NotSaved] = []
        for one in self._applied():  # one by one, so that the budget counts the applying too
            if one.not_saved is not None:
                lost.append(one.not_saved)
            if one.trouble is not None and moved.trouble is not None:  # each is said
                self._say(moved)
                moved = Changed()
            moved = moved.then(one)
        self._is_full = monotonic() - begun >= BUDGET_S
        is_flow = _is_flow(moved) and not was_long and self._long is None
        self._is_arriving = is_flow and self._source.is_empty
        if self._is_arriving:
            self._turn.start(FRAME_MS)
        if is_flow and not self._is_arriving and begun - self._said_at < FRAME_MS / 1000:
            self._unsaid = self._unsaid.then(moved)
            self._turn.start(int(self._is_full))
        else:
            self._say(moved)
        if lost:
            self.lost.emit(tuple(lost))
        self.taken.emit()
        self._idle.start()

    def _say(self, moved: Changed) -> None:
        moved, self._unsaid = self._unsaid.then(moved), Changed()
        if moved.anything:
            self._said_at = monotonic()
            self.changed.emit(moved)

    def _applied(self) -> Iterator[Changed]:
        """What each event of this turn changed, or each part of a long one."""
        end = monotonic() + BUDGET_S
        while self._long is not None:
            self._turn.start(0)
            yield self._go_on(self._long)
            if monotonic() >= end:
                return
        events, self._behind = self._behind or iter(self._source.drain(BUDGET_S)), None
        for event in events:
            self._long = long_move(event, PART)
            if self._long is not None:
                self._behind = events
                self._turn.start(0)
                yield self._go_on(self._long)
                return
            yield apply_event(self._desk, event)

    def _go_on(self, long: LongMove) -> Changed:
        moved = long.step(self._desk)
        if long.done:
            self._long = None
        return moved

    def _prepare(self) -> None:
        """Nothing else is to do: make the first key in a filter fast."""
        if self._desk.idle():
            self._idle.start()

    def _expire(self) -> None:
        self.taking.emit()
        self._say(self._desk.expire())
        self.taken.emit()


def _is_flow(moved: Changed) -> bool:
    """Whether a turn brought what comes page by page while lists are read, and nothing for a person: many rows, or only
    how far it is."""
    rest = replace(moved, rows={}, loads=set[Resource](), quota=False, requests=False, gate=False)
    many = sum(map(len, moved.rows.values())) > MANY
    return many and not moved.batches if moved.rows else bool(moved.loads) and not rest.anything
