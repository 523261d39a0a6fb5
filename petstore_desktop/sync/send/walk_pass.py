"""One way through a list, what the rest of it will cost, and telling how it goes and what it waits for."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence

from msgspec import Struct

from petstore_desktop.api.lists.pages import Page
from petstore_desktop.domain.counts import Gaps
from petstore_desktop.domain.quota import Cause, RequestClass
from petstore_desktop.domain.records import Resource
from petstore_desktop.domain.send_block import send_block_of
from petstore_desktop.sync.shared.context import Context
from petstore_desktop.sync.shared.send_schedule import finish_time
from petstore_desktop.sync.wire.events import LoadMoved, LoadPriced, LoadWaits


class Pass(Struct):
    """One way through a list: its number in the mirror, where it goes on (None: at the beginning), and what came.

    `done` rows and `requests` count those of earlier runs too, `answers` do not; `usual`: requests that the last whole
    walk took, None where unknown; `etag`: of the list, as kept, until an answer brings another; `began`: steady second
    at which its first request of this run left; `missing`: records that it did not show, and that may be there all the
    same (see `absence`); `moved`: its answers told different totals; `again`: it is made because of those that the one
    before left missing; `stored_s`: for how long a cache had kept the oldest of its answers.
    """

    number: int
    cursor: str | None
    usual: int | None = None
    etag: str | None = None
    done: int = 0
    total: int | None = None
    requests: int = 0
    cut_at: int | None = None
    set_aside: int = 0
    reasons: tuple[str, ...] = ()
    before: tuple[int, tuple[str, ...]] = (0, ())
    """What was set aside before the answer that is being read."""
    missing: int = 0
    moved: bool = False
    again: bool = False
    stored_s: float = 0.0
    resumed: bool = False
    answers: int = 0
    began: float | None = None
    rest: int | None = None
    """How many requests are still to come, as it was reckoned last; None: nobody knows."""
    oldest: float | None = None
    """When the service said the oldest of the rows of this run (UTC epoch seconds)."""
    kept_since: float | None = None
    """When it said the oldest of those that stay though the list did not show them (see `Records.keep_made`)."""
    _left_at: float = 0.0
    _on_wire_s: float = 0.0

    @property
    def gaps(self) -> Gaps:
        """What it did not show."""
        return Gaps(self.cut_at, self.set_aside, self.reasons, self.missing)

    @property
    def whole(self) -> bool:
        """Whether what it did not show is not there."""
        return not self.gaps.any and not self.resumed

    @property
    def shown_at(self) -> float | None:
        """Steady second as of which all that it showed is not older; None where it has not begun."""
        return None if self.began is None else self.began - self.stored_s

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
        self.rest = self.left()

    def left(self) -> int | None:
        """How many requests are still to come, by the rows that came with those so far, or else by the last whole walk;
        None where neither tells. To be asked when an answer has come to its end."""
        if self.total is not None and self.done and self.requests:
            return math.ceil(max(0, self.total - self.done) * self.requests / self.done)
        return None if self.usual is None else max(0, self.usual - self.requests)


class Walking(Struct):
    """A walk at work. `left`: its first request has; `step`: its next page on its way; `waits`: the request for that
    has not left yet; `hurried`: it is asked for anew; `again`: it came to nothing before, and not a person asks."""

    cls: RequestClass
    again: bool = False
    left: bool = False
    step: asyncio.Task[Page | None] | None = None
    waits: bool = False
    hurried: bool = False


class Going(Struct, frozen=True):
    """A walk at work beside others: how far it is (None: it has not begun), and who waits for it."""

    one: Pass | None
    cls: RequestClass


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
        self._priced: dict[Resource, LoadPriced] = {}

    def moved(self, resource: Resource, done: int, total: int | None) -> None:
        """Report how many rows have come."""
        self._context.tell(LoadMoved(self._context.connection, resource, done, total))

    def waits(self, resource: Resource, cls: RequestClass, *, retry: bool = False) -> None:
        """A request of this class is about to wait at the gate, or waits there: say until when and why, once, and again
        when that changes."""
        now = self._context.clock.now()
        admission = self._context.client.admission
        at, by = admission.forecast(cls, retry=retry)
        if at is not None and at - now.steady <= SOON_S:
            if self._said.pop(resource, None) is not None:
                self._tell(resource, now.wall, None)
            return
        until = None if at is None else now.wall + at - now.steady
        said = self._said.get(resource)
        all_ = send_block_of(admission.view, admission.quota, 0)
        why = by if all_ is None else all_.cause
        if said is None or said.why is not why or not _same(said.until, until):
            self._said[resource] = self._tell(resource, until, why)

    def goes_on(self, resource: Resource) -> None:
        """It waits no more, or has come to its end."""
        self._said.pop(resource, None)

    def ended(self, resource: Resource) -> None:
        """A walk is over, however."""
        self.goes_on(resource)
        self._priced.pop(resource, None)

    def price(self, walks: Mapping[Resource, Going]) -> None:
        """Say what the rest of each walk costs, where that is much and not what was said before. All that are at work
        are told together, for what one sends the others cannot."""
        for resource, going in walks.items():
            one = going.one
            if one is None or not one.rest or (one.rest < LONG and one.requests < LONG):
                continue
            others = [other for name, other in walks.items() if name is not resource]
            told = LoadPriced(self._context.connection, resource, one.rest, self._ends_at(one, going.cls, others))
            said = self._priced.get(resource)
            if said is None or said.requests != told.requests or not _same(said.ends_at, told.ends_at):
                self._priced[resource] = told
                self._context.tell(told)

    def _ends_at(self, one: Pass, cls: RequestClass, others: Sequence[Going]) -> float | None:
        """About when the last request of a walk leaves (UTC epoch seconds): all of those that go before it, and as many
        of the others as it has itself, leave meanwhile. None where it is not known how many those are."""
        rest = one.rest or 0
        ahead = 0
        for other in others:
            if other.one is None or other.one.rest is None:
                return None
            ahead += other.one.rest if other.cls < cls else min(other.one.rest, rest)
        admission, now = self._context.client.admission, self._context.clock.now().wall
        each_s = one.each_s * rest / (rest + ahead)  # the walks wait for their answers at the same time
        seconds = finish_time(rest + ahead, admission.quota, admission.view, cls, now, each_s)
        return None if seconds is None else now + seconds

    def _tell(self, resource: Resource, until: float | None, why: Cause | None) -> LoadWaits:
        told = LoadWaits(self._context.connection, resource, until, why)
        self._context.tell(told)
        return told


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) < SAME_S
