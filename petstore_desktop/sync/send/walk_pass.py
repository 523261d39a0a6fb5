"""One way through a list, what the rest of it will cost, and telling how it goes and what it waits for."""

from __future__ import annotations

import asyncio
import math
from dataclasses import field

from petstore_desktop.api.lists.pages import Page
from petstore_desktop.domain.quota import GatePhase, RequestClass
from petstore_desktop.domain.records import Resource
from petstore_desktop.quicker.dataclass import dataclass
from petstore_desktop.sync.shared.context import Context
from petstore_desktop.sync.shared.send_schedule import finish_time
from petstore_desktop.sync.wire.events import LoadMoved, LoadPriced, LoadWaits


@dataclass(slots=True)
class Pass:
    """One way through a list: its number in the mirror, where it goes on (None: at the beginning), and what came.

    `done` rows and `requests` count those of earlier runs too, `answers` do not; `usual`: requests that the last whole
    walk took, None where unknown; `etag`: of the list, as kept, until an answer brings another; `began`: steady
    second at which its first request of this run left; `missing`: records that it did not show, and that may be there
    all the same (see `absence`); `again`: it is made because of those that the one before left missing.
    """

    number: int
    cursor: str | None
    usual: int | None = None
    etag: str | None = None
    done: int = 0
    total: int | None = None
    requests: int = 0
    cut_at: int | None = None
    set_aside: list[str] = field(default_factory=list[str])
    missing: int = 0
    again: bool = False
    resumed: bool = False
    answers: int = 0
    began: float | None = None
    oldest: float | None = None
    """When the service said the oldest of the rows of this run (UTC epoch seconds)."""
    _left_at: float = 0.0
    _on_wire_s: float = 0.0

    @property
    def whole(self) -> bool:
        """Whether what it did not show is not there."""
        return self.cut_at is None and not self.set_aside and not self.resumed and not self.missing

    @property
    def each_s(self) -> float:
        """Seconds that a request and its answer have taken on the mean."""
        return self._on_wire_s / self.answers if self.answers else 0.0

    def leaves(self, now: float) -> None:
        """A request leaves at this steady second."""
        self.requests += 1
        self._left_at = now
        self.began = now if self.began is None else self.began

    def answered(self, now: float) -> None:
        """All rows of its answer have come at this steady second."""
        self._on_wire_s += now - self._left_at
        self.answers += 1

    def left(self) -> int | None:
        """How many requests are still to come, by the rows that came with those so far, or else by the last whole walk;
        None where neither tells. To be asked when an answer has come to its end."""
        if self.total is not None and self.done and self.requests:
            return math.ceil(max(0, self.total - self.done) * self.requests / self.done)
        return None if self.usual is None else max(0, self.usual - self.requests)


@dataclass(slots=True)
class Walking:
    """A walk at work. `left`: its first request has; `step`: its next page on its way; `waits`: the request for that
    has not left yet; `hurried`: it is asked for anew; `again`: it came to nothing before, and not a person asks."""

    cls: RequestClass
    again: bool = False
    left: bool = False
    step: asyncio.Task[Page | None] | None = None
    waits: bool = False
    hurried: bool = False


SOON_S = 0.1
"""Seconds below which a wait is not shown."""
SAME_S = 1.0
"""Seconds by which a moment that was told may move before it is told anew."""
LONG = 10
"""A walk with so many requests before it is a long one: it is said what they cost."""


class LoadReport:
    """For one connection."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._said: dict[Resource, LoadWaits] = {}

    def moved(self, resource: Resource, done: int, total: int | None) -> None:
        """Report how many rows have come."""
        self._context.tell(LoadMoved(self._context.connection, resource, done, total))

    def waits(self, resource: Resource, cls: RequestClass, *, retry: bool = False) -> None:
        """A request of this class is about to wait at the gate, or waits there: say until when and why, once, and again
        when that changes."""
        now = self._context.clock.now()
        admission = self._context.client.admission
        at = admission.forecast(cls, retry=retry)
        if at is not None and at - now.steady <= SOON_S:
            if self._said.pop(resource, None) is not None:
                self._tell(resource, now.wall, GatePhase.OPEN)
            return
        until = None if at is None else now.wall + at - now.steady
        said = self._said.get(resource)
        why = admission.view.phase
        if said is None or said.why is not why or not _same(said.until, until):
            self._said[resource] = self._tell(resource, until, why)

    def goes_on(self, resource: Resource) -> None:
        """It waits no more, or has come to its end."""
        self._said.pop(resource, None)

    def price(self, resource: Resource, one: Pass, cls: RequestClass) -> None:
        """An answer has come to its end: say what the rest costs, where that is much."""
        left = one.left()
        if left is None or (left < LONG and one.requests < LONG):
            return
        admission, now = self._context.client.admission, self._context.clock.now().wall
        seconds = finish_time(left, admission.quota, admission.view, cls, now, one.each_s)
        ends_at = None if seconds is None else now + seconds
        self._context.tell(LoadPriced(self._context.connection, resource, left, ends_at))

    def _tell(self, resource: Resource, until: float | None, why: GatePhase) -> LoadWaits:
        told = LoadWaits(self._context.connection, resource, until, why)
        self._context.tell(told)
        return told


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) < SAME_S
