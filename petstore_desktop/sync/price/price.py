"""What a batch costs before it is sent: requests, time, and what it leaves of the day. Pure.

Times are seconds from now unless they say otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.changes import Change, ChangeState, Intent, NewChange
from petstore_desktop.domain.quota import GateView, Quota, RequestClass, SentRequest, Window
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.price.alike import Stands, nothing_known
from petstore_desktop.sync.price.dry_run import DryRun
from petstore_desktop.sync.send.conflicts import supersedes
from petstore_desktop.sync.send.next_step import StepFacts
from petstore_desktop.sync.shared.send_schedule import DAY_S, Departures, departures, leave_all

PART_S, PARTS, FEWEST_PARTS = 600.0, 6, 3
"""The pace is the median of the last hour's parts of ten minutes, known once three were seen: a burst, such as the
first reading of a shop, says nothing of the rest of the day."""
FEWEST = 5
"""Fewer requests than this say nothing of a pace."""


# ---------------------------------------------------------------- a batch


class Present(Struct, frozen=True):
    """What a price rests on: `waiting`: all open changes in the order of sending; `facts`: as the engine has them;
    `list_cost`: see DryRun; `view`: None where nothing can be sent; `now`: UTC epoch seconds; `each_s`: seconds from
    one request to the next; `stands`: see `Mirror.stands`."""

    waiting: Sequence[Change]
    facts: StepFacts
    list_cost: Callable[[Ref], int | None]
    quota: Quota
    view: GateView | None
    now: float
    each_s: float
    stands: Stands = nothing_known


def pricing(
    changes: Sequence[NewChange], present: Present, reads: Mapping[Resource, int] = MappingProxyType({})
) -> Generator[None, None, Price]:
    """The price of these changes, exactly as the engine would send them, found with pauses for a thread that has other
    things to do. `reads`: the lists that are read before, each with its requests, which are a part of the price."""
    before = after = yield from _run(present.waiting, present)
    if changes or reads:
        after = yield from _run(_left(changes, present), present, reads, changes)
    price = Price(
        requests=after.requests - before.requests,
        looks=after.looks - before.looks,
        ahead=before.requests,
        refused=after.settled[ChangeState.REFUSED] - before.settled[ChangeState.REFUSED],
        conflicts=after.settled[ChangeState.CONFLICT] - before.settled[ChangeState.CONFLICT],
        ends=before.ends if _departures(present) is not None else {},
        hold=None if present.view is None else present.view.hold,
    )
    today = max(0, after.leaving.today - before.leaving.today)
    return _timed(replace(price, today=today), after.leaving, present.quota, known=_departures(present) is not None)


def scaled(price: Price, by: float, quota: Quota, view: GateView, now: float, each_s: float = 0.0) -> Price:
    """The price of `by` times as many changes of the same kind."""
    leaving = departures(quota, view, RequestClass.CHANGES, now, each_s) or _unlimited(now, each_s)
    leave_all(price.ahead, leaving)
    before, requests = leaving.today, round(price.requests * by)
    leave_all(requests, leaving)
    more = replace(price, requests=requests, looks=round(price.looks * by), today=leaving.today - before)
    return _timed(more, leaving, quota, known=price.seconds is not None)


def _timed(price: Price, leaving: Departures, quota: Quota, *, known: bool) -> Price:
    day = quota.day
    left = None if day.limit is None or day.remaining is None else max(0, day.remaining - leaving.today)
    return replace(
        price,
        seconds=leaving.last if known else None,
        leaves_of_day=left,
        day_limit=day.limit,
        own_count=day.own_count,
        days=leaving.days,
    )


def _unlimited(now: float, each_s: float) -> Departures:
    return Departures(Quota(), RequestClass.CHANGES, now, 0.0, each_s)


def _run(
    waiting: Iterable[Change],
    present: Present,
    reads: Mapping[Resource, int] = MappingProxyType({}),
    new: Sequence[NewChange] = (),
) -> Generator[None, None, DryRun]:
    leaving = _departures(present) or _unlimited(present.now, present.each_s)
    run = DryRun(present.facts, present.list_cost, leaving, present.stands)
    for resource, pages in reads.items():
        run.read_list(resource, pages)
    yield from run.run(waiting, new)
    return run


def _departures(present: Present) -> Departures | None:
    if present.view is None:
        return None
    return departures(present.quota, present.view, RequestClass.CHANGES, present.now, present.each_s)


def _left(changes: Sequence[NewChange], present: Present) -> Iterator[Change]:
    """What of all that waits still does once these changes are saved: without the stuck ones whose place they take."""
    intents: dict[Ref, list[Intent]] = {old.ref: [] for old in present.waiting}
    for new in changes if intents else ():
        if new.ref in intents:
            intents[new.ref].append(new.intent)
    for old in present.waiting:
        if not any(supersedes(intent, old, old.ref.resource) for intent in intents[old.ref]):
            yield old


# ---------------------------------------------------------------- the day


class Outlook(StrEnum):
    """How the day's window will do at the present pace."""

    UNKNOWN = "unknown"
    LASTS = "lasts"
    ENDS = "ends"
    SPENT = "spent"


class Forecast(Struct, frozen=True):
    """ENDS: the day's window is used up `at` this moment; LASTS, SPENT: it is reset then, None where nobody says when.
    UTC epoch seconds."""

    outlook: Outlook
    at: float | None = None


def lasts_until(quota: Quota, sent: Sequence[SentRequest], now: float) -> Forecast:
    """The day's remaining requests against the last hour's pace. `sent`: known requests, oldest first."""
    day = quota.day
    if day.limit is None or day.remaining is None:
        return Forecast(Outlook.UNKNOWN)
    if day.remaining <= 0:
        return Forecast(Outlook.SPENT, day.resets_at)
    pace = _pace(sent, now)
    if pace is None:
        return Forecast(Outlook.UNKNOWN)
    at = now + day.remaining / pace if pace else float("inf")
    resets_at = now + DAY_S if day.resets_at is None else day.resets_at
    return Forecast(Outlook.LASTS, day.resets_at) if at >= resets_at else Forecast(Outlook.ENDS, at)


def use_until(day: Window, sent: Sequence[SentRequest], now: float) -> int | None:
    """How many of the day's requests will be used when it is reset, at the last hour's pace; at most all of them."""
    pace = _pace(sent, now)
    if day.limit is None or day.remaining is None or pace is None:
        return None
    seconds = DAY_S if day.resets_at is None else max(0.0, day.resets_at - now)
    return min(day.limit, day.limit - day.remaining + round(pace * seconds))


def _pace(sent: Sequence[SentRequest], now: float) -> float | None:
    """Requests a second, steadily, in the last hour; None where too little was seen."""
    parts = min(PARTS, int((now - sent[0].at) / PART_S)) if sent else 0
    if parts < FEWEST_PARTS:
        return None
    counts = [0] * parts
    for request in sent:
        part = min(int((now - request.at) / PART_S), parts) if request.at <= now else parts
        if part < parts:
            counts[part] += 1
    if sum(counts) < FEWEST:
        return None
    counts.sort()
    return (counts[(parts - 1) // 2] + counts[parts // 2]) / 2 / PART_S


class Usage(Struct, frozen=True):
    """Who used what of the day. `others`: what the service has counted beyond ours, None where it does not say."""

    person: int = 0
    changes: int = 0
    refresh: int = 0
    others: int | None = None

    @property
    def ours(self) -> int:
        """What left this computer."""
        return self.person + self.changes + self.refresh


def day_began(quota: Quota, midnight: float, now: float) -> float:
    """When the day began: where the service names its end, a day before that; a day ago where we count, as the gate
    does; else at this computer's midnight."""
    day = quota.day
    if day.own_count:
        return now - DAY_S
    return midnight if day.resets_at is None else day.resets_at - DAY_S


def usage(sent: Iterable[SentRequest], quota: Quota, midnight: float, now: float) -> Usage:
    """The requests of the day by who waited for them. `midnight`: the local one; both in UTC epoch seconds."""
    began = day_began(quota, midnight, now)
    counts = dict.fromkeys(RequestClass, 0)
    for request in sent:
        counts[request.cls] += request.at >= began
    ours = sum(counts.values())
    refresh = counts[RequestClass.VISIBLE] + counts[RequestClass.BACKGROUND]
    others = _counted(quota.day)
    return Usage(
        counts[RequestClass.PERSON],
        counts[RequestClass.CHANGES],
        refresh,
        None if others is None else max(0, others - ours),
    )


def _counted(day: Window) -> int | None:
    """What the service has counted since the day began; None where it does not speak of the day, or of its end."""
    if day.own_count or day.limit is None or day.remaining is None or day.resets_at is None:
        return None
    return day.limit - day.remaining
