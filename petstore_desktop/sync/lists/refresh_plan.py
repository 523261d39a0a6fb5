"""Decides which list is read next, in which class, and when. Pure; times are steady seconds.

    A list that was never read is read at once: as VISIBLE on the screen, as BACKGROUND elsewhere.
    Nothing else is read while nobody is there (the window is hidden, or was not used for five minutes); whoever comes
    back finds what is on the screen read at once, if it has grown too old meanwhile.
    On the screen a list may be 60 s old (FRESH_S), or as old as its price allows: a reading of n requests comes n times
    as seldom. One request may leave
        in every 10 h / (a quarter of the day's limit): 144 s on the Free plan, 14 s on Pro;
        in every (time to the day's reset) / (half of what the day has left above the reserve of VISIBLE); where that
        is not known, as of our own count, which has no end, the time is 10 h;
        in every minute / (a quarter of the minute's limit less twice what others with this key take of it): where they
        take half of it, one in ten minutes at 60 a minute.
    Off the screen it may be ten times as old (OFF_SCREEN), and so may one whose last reading failed. While changes wait
    to be sent, all may be ten times as old: what is sent is read with the answer.
    All readings together keep that pace, whatever tabs are shown; what was not used is kept for half an hour (BURST_S):
    enough for all lists when the program is opened, and for what comes onto the screen after that.
    Within 24 h they take no more than a quarter of the day's limit.
    A reading begins when both windows have room for the whole of it above the reserve of its class.
    Nothing is read while the gate is not open, or nothing answers: the gate says when to go on.

Where no limit is known, or there is none, only the ages count.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from operator import itemgetter

from msgspec import Struct, field
from msgspec.structs import replace

from petstore_desktop.clock import Instant
from petstore_desktop.domain.quota import GatePhase, Quota, RequestClass, Window, reserve
from petstore_desktop.domain.records import Resource
from petstore_desktop.sync.shared.send_schedule import DAY_S, MINUTE_S

FRESH_S = 60.0
OFF_SCREEN = AFTER_FAILURE = WHILE_CHANGES_WAIT = 10
DAY_SHARE, DAY_SPREAD_S = 0.25, 36_000.0
"""What of the day's limit refreshing takes at most, and in how long: a working day."""
LEFT_SHARE = 0.5
MINUTE_SHARE, LEAST_SHARE = 0.25, 1 / 600
BURST_S = 1_800.0

PERSON_S = 1.0
"""A list that a person asks for again and again is read so often at most."""
PERSON_SHARE = 0.5
"""Of the minute's limit, for what a person asks for again while changes wait."""
LONGEST_MINUTE_S = 90.0
SAME_RESET_S = 2.0
"""Seconds by which two answers of one window may differ in its end."""


class ListReading(Struct, frozen=True):
    """The state of one list that is not being read. `read_at`: as of when it is, None if never read completely, -inf if
    unknown; `failed_at`: when the last reading failed; `cost`: of one reading, in requests."""

    resource: Resource
    read_at: float | None
    cost: int = 1
    failed_at: float | None = None


class Scene(Struct, frozen=True):
    """The lists on the screen, whether a person is there, the open classes of requests, and whether changes wait.
    `minute_s`: the length of the shorter window."""

    shown: tuple[Resource, ...] = ()
    present: bool = True
    phase: GatePhase = GatePhase.OPEN
    offline: bool = False
    changes_wait: bool = False
    quota: Quota = field(default_factory=Quota)
    minute_s: float = MINUTE_S


class Spent(Struct, frozen=True):
    """What refreshing has used: what it took is paid for at `paid_at`, by the pace; `requests` since `since`."""

    paid_at: float = -math.inf
    requests: int = 0
    since: float = -math.inf


class PlannedRead(Struct, frozen=True):
    """Read this list as this class, at this steady second or later. `again`: it was read before."""

    resource: Resource
    cls: RequestClass
    at: float
    again: bool = True


def next_reading(lists: Iterable[ListReading], scene: Scene, spent: Spent, now: Instant) -> PlannedRead | None:
    """The first of all readings that are to come, of several that are due the one that is late the most; None where
    only news can bring one."""
    if scene.phase is not GatePhase.OPEN or scene.offline:
        return None
    each = seconds_each(scene, now)
    coming = [reading for known in lists for reading in _reading(known, scene, spent, each, now)]
    return min(coming, key=itemgetter(0, 1))[2] if coming else None


def _reading(
    known: ListReading, scene: Scene, spent: Spent, each: float, now: Instant
) -> tuple[tuple[float, float, PlannedRead], ...]:
    """When this list is read, its age as a share of the allowed age (below 0; a list never read comes first, most of
    all on the screen), and the reading; nothing where only news can bring one."""
    cls = RequestClass.VISIBLE if known.resource in scene.shown else RequestClass.BACKGROUND
    if known.read_at is None and known.failed_at is None:
        lateness = math.inf if known.resource in scene.shown else 1e300
        return ((now.steady, -lateness, PlannedRead(known.resource, cls, now.steady, again=False)),)
    if not scene.present:
        return ()
    base, age = _base(known), may_age(known, scene, each)
    moments = [
        now.steady,
        base + age,
        spent.paid_at,
        _share_free_at(known.cost, scene.quota.day, spent),
        scene.quota.rates.opens_at(cls, known.cost, now.steady).at or math.inf,
    ]
    at, lateness = max(moments), min((now.steady - base) / age, 1e299)
    return ((at, -lateness, PlannedRead(known.resource, cls, at)),)


def _base(known: ListReading) -> float:
    """From when on its age counts."""
    return max([moment for moment in (known.read_at, known.failed_at, -math.inf) if moment is not None])


def may_age(known: ListReading, scene: Scene, each: float) -> float:
    """How old it may become, in seconds. `each`: the pace, in seconds for each request."""
    age = max(FRESH_S, known.cost * each if each < math.inf else 0.0)
    stretched = (
        (known.resource not in scene.shown, OFF_SCREEN),
        (known.failed_at is not None, AFTER_FAILURE),
        (scene.changes_wait, WHILE_CHANGES_WAIT),
    )
    return age * math.prod([times for applies, times in stretched if applies])


def seconds_each(scene: Scene, now: Instant) -> float:
    """The pace: seconds for each request that refreshing may take; inf where the day has nothing left for it."""
    day, minute = scene.quota.day, scene.quota.minute
    paces = [0.0]
    if day.limit is not None:
        paces.append(DAY_SPREAD_S / (DAY_SHARE * day.limit))
        if day.remaining is not None:
            above = day.remaining - reserve(RequestClass.VISIBLE, day.limit)
            left_s = DAY_SPREAD_S if day.resets_at is None else max(0.0, day.resets_at - now.wall)
            paces.append(left_s / (LEFT_SHARE * above) if above > 0 else math.inf)
    if minute.limit is not None:
        paces.append(
            scene.minute_s / max(MINUTE_SHARE * (minute.limit - 2 * minute.others), LEAST_SHARE * minute.limit)
        )
    return max(paces)


def _share_free_at(cost: int, day: Window, spent: Spent) -> float:
    over = day.limit is not None and spent.requests + cost > DAY_SHARE * day.limit
    return spent.since + DAY_S if over else -math.inf


def after(spent: Spent, reading: ListReading, scene: Scene, now: Instant) -> Spent:
    """The requests used once this reading has begun."""
    each = seconds_each(scene, now)
    if now.steady - spent.since >= DAY_S:
        spent = replace(spent, requests=0, since=now.steady)
    paid_at = max(spent.paid_at, now.steady - BURST_S) + (reading.cost * each if each < math.inf else 0.0)
    return Spent(paid_at, spent.requests + reading.cost, spent.since)


# ---------------------------------------------------------------- what a person asks for


def person_spacing(cost: int, scene: Scene) -> float:
    """Seconds between two readings of a list of this many requests that a person asks for."""
    limit = scene.quota.minute.limit
    if not scene.changes_wait or limit is None:
        return PERSON_S
    return max(PERSON_S, scene.minute_s * cost / (PERSON_SHARE * limit))


def promised(cost: int, due: float, scene: Scene, now: Instant) -> int:
    """Requests of the present minute that a person will take who goes on asking for a list of this cost: from `due`
    (steady) on, spaced out as above. While changes wait they leave that much; they would not by themselves, where
    their reserve is smaller."""
    minute = scene.quota.minute
    if not scene.changes_wait or minute.limit is None:
        return 0
    left_s = 0.0 if minute.resets_at is None else minute.resets_at - now.wall
    rest_s = (left_s if left_s > 0 else scene.minute_s) - max(0.0, due - now.steady)
    times = math.floor(rest_s / person_spacing(cost, scene)) + 1
    return max(0, min(cost * times, math.floor(PERSON_SHARE * minute.limit)))


class MinuteLength(Struct, frozen=True):
    """How long the shorter window is, as far as its ends have shown it: no longer than the distance to an end."""

    resets_at: float | None = None
    longest: float = 0.0
    before: float = 0.0

    @property
    def length(self) -> float:
        """Seconds; the specification's minute until an answer has named an end."""
        seen = max(self.longest, self.before)
        return min(seen, LONGEST_MINUTE_S) if seen > 0 else MINUTE_S

    def met(self, minute: Window, wall: float) -> MinuteLength:
        """An answer has spoken of it."""
        if minute.resets_at is None or minute.resets_at <= wall:
            return self
        away = minute.resets_at - wall
        if self.resets_at is None or abs(minute.resets_at - self.resets_at) > SAME_RESET_S:
            return MinuteLength(minute.resets_at, away, self.longest)
        return replace(self, longest=max(self.longest, away))
