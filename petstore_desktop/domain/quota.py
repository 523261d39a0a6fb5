"""Request limits: windows, the gate's state, the classes of requests, and sent requests.

Times named `*_at` are UTC epoch seconds unless they say otherwise.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from enum import IntEnum, StrEnum
from typing import NamedTuple, Self

from msgspec import Struct
from msgspec.structs import replace

TOO_MANY_REQUESTS = 429


class RequestClass(IntEnum):
    """Who waits for a request; a lower value leaves first."""

    PERSON = 0
    CHANGES = 1
    VISIBLE = 2
    BACKGROUND = 3


_LEAVES = {
    RequestClass.CHANGES: (0.10, 5, 0.5),
    RequestClass.VISIBLE: (0.15, 6, 0.6),
    RequestClass.BACKGROUND: (0.25, 10, 0.7),
}
"""Share of a window, requests at least, share at most."""


def reserve(cls: RequestClass, limit: int | None) -> int:
    """Requests of a window that the class leaves to those before it; less than the whole of a small window."""
    leaves = _LEAVES.get(cls)
    if limit is None or leaves is None:
        return 0
    share, least, most = leaves
    return min(max(math.ceil(limit * share), least), math.floor(limit * most))


class Link(StrEnum):
    """The connection in one word: answers come, one is awaited for seconds, not asked yet, or nothing answers."""

    LIVE = "live"
    SILENT = "silent"
    IDLE = "idle"
    OFFLINE = "offline"


class Plan(Struct, frozen=True):
    """A plan's limits in requests; None where unknown or without limit (specification, "Rate limits by plan")."""

    name: str
    per_minute: int | None
    per_day: int | None


PLANS: dict[str, Plan] = {
    "free": Plan("free", 60, 1_000),
    "pro": Plan("pro", 300, 10_000),
    "business": Plan("business", 1_000, 100_000),
    "enterprise": Plan("enterprise", None, None),
}
OWN_NUMBERS = ("", "enterprise")
"""Plans whose limits a person may give: those of a contract of one's own, and what one knows without a plan's name."""


class Cause(StrEnum):
    """Why it waits; each ends in its own way, and asks something else of a person."""

    MINUTE = "minute"
    DAY = "day"
    SHARE = "share"
    """Only what a person asks for leaves: the rest of the day's requests is kept for that."""
    MINUTE_SHARE = "minute-share"
    """The rest of the minute's is, or for a list that is about to be read."""
    TURN = "turn"
    """Changes wait for their turn: a pace, another window or a failure holds them."""
    ASKED = "asked"
    """The service asks to wait."""
    BUSY = "busy"
    """It cannot work just now."""
    UNTOLD = "untold"
    """Nothing is left, and it does not say until when."""
    BANNED = "banned"
    PROBING = "probing"
    LOCKED = "locked"
    NO_KEY = "no-key"
    """There is no key at all, and the service wants one."""
    OFFLINE = "offline"
    """The service cannot be reached."""


ONLY_CHANGES = (Cause.SHARE, Cause.MINUTE_SHARE, Cause.TURN)
"""Of these only changes wait: what a person asks for leaves."""


# ---------------------------------------------------------------- the windows


class LimitSpan(StrEnum):
    """Which window it is, by its length."""

    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"


SPANS = tuple(LimitSpan)
LENGTHS = {LimitSpan.SECOND: 1.0, LimitSpan.MINUTE: 60.0, LimitSpan.HOUR: 3_600.0, LimitSpan.DAY: 86_400.0}
"""Seconds."""
BUCKETS = 240
"""Our own count forgets a send this many parts of the window's length after it, at most one part late, never early."""
ROUNDING = 1.0
"""Seconds by which a time in whole seconds may lie before the true one, because services cut off fractions."""
AFTER_RESET_S = ROUNDING / 2
"""What that comes to on the mean: a window of a service that tells its end lasts so much longer for us."""


class Window(Struct, frozen=True):
    """One rate-limit window as a person may see it; `resets_at` is in UTC epoch seconds. `own_count`: counted by us,
    because the service does not speak of it; `others`: requests that others with this key take of it, as far as answers
    have shown it."""

    limit: int | None = None
    remaining: int | None = None
    resets_at: float | None = None
    own_count: bool = False
    others: int = 0


class WindowCount(Struct, frozen=True):
    """One window as it is reckoned with.

    `spoken`: the service told `limit`, `remaining` and `resets_at`; at `opens_at` the window is taken to be full again.
    Else `limit` is the plan's, and `sends` (bucket number, requests) counts what left in the last `length` seconds.
    `mark` is the reset in the service's own words. `others`: requests that others with this key have sent in it, as
    the last answer shows, and not much less than in the window `before`.
    """

    length: float
    limit: int | None = None
    remaining: int | None = None
    resets_at: float | None = None
    opens_at: float | None = None
    mark: float | None = None
    spoken: bool = False
    sends: tuple[tuple[int, int], ...] = ()
    others: int = 0
    before: int = 0

    def forgotten_at(self, bucket: int) -> float:
        """When our own count forgets what left in this part of time."""
        return (bucket + 1) * (self.length / BUCKETS) + self.length

    def counted(self, now: float) -> Sequence[tuple[int, int]]:
        """What our own count has not forgotten."""
        return self.sends[bisect_right(self.sends, now, key=lambda one: self.forgotten_at(one[0])) :]

    @property
    def rolled(self) -> WindowCount:
        """Full again, until the service says otherwise."""
        return replace(self, remaining=self.limit, resets_at=None, opens_at=None, mark=None)


def count_send(window: WindowCount, cost: int, now: float) -> WindowCount:
    """`cost` requests leave; our own count is kept even while the service speaks, for it may fall silent."""
    bucket, sends = int(now // (window.length / BUCKETS)), window.sends
    first, last = bisect_left(sends, (bucket - BUCKETS,)), bisect_left(sends, (bucket,))
    return replace(window, sends=(*sends[first:last], (bucket, sum([n for _, n in sends[last:]]) + cost)))


def less(remaining: int | None, cost: int) -> int | None:
    """The requests left after `cost` more: never below 0, by which a used up window is known."""
    return None if remaining is None else max(0, remaining - cost)


def count_unspoken(window: WindowCount, cost: int, now: float) -> WindowCount:
    """`cost` requests ended without a word about the window: they may have been counted.

    If they are the first of a window whose end is not known, it ends a whole length after them at the latest.
    """
    if not window.spoken or window.remaining is None:
        return window
    opens_at = now + window.length if window.opens_at is None else window.opens_at
    return replace(window, remaining=less(window.remaining, cost), opens_at=opens_at)


def roll(window: WindowCount, now: float) -> WindowCount:
    """A window whose end has passed is full again."""
    return window if window.opens_at is None or now < window.opens_at else window.rolled


def own_limit(plan: Plan | None, span: LimitSpan) -> int | None:
    """The plan's limit, for where the service itself does not speak of the window."""
    if plan is None or span not in (LimitSpan.MINUTE, LimitSpan.DAY):
        return None
    return plan.per_minute if span is LimitSpan.MINUTE else plan.per_day


class Readiness(NamedTuple):
    """Steady second at which a request may leave, None where unknown, and what it waits for most."""

    at: float | None
    by: Cause


_SHARES = {LimitSpan.MINUTE: Cause.MINUTE_SHARE, LimitSpan.DAY: Cause.SHARE}


class RateWindows(Struct, frozen=True):
    """The windows of a key: how many requests of a class may leave, and when. Gate, refresh plan, forecast, price and
    the reason on the screen ask this. Moments are steady seconds; the wall clock is `ahead` of them."""

    plan: Plan | None = None
    second: WindowCount = WindowCount(LENGTHS[LimitSpan.SECOND])
    minute: WindowCount = WindowCount(LENGTHS[LimitSpan.MINUTE])
    hour: WindowCount = WindowCount(LENGTHS[LimitSpan.HOUR])
    day: WindowCount = WindowCount(LENGTHS[LimitSpan.DAY])
    promised: int = 0
    """The requests of the minute reserved for a person, if more than the classes' reserve."""
    ahead: float = 0.0

    def window(self, span: LimitSpan) -> WindowCount:
        """What is known of this window."""
        window: WindowCount = getattr(self, span)
        return window

    @property
    def windows(self) -> tuple[WindowCount, ...]:
        """All of them, the shortest first."""
        return self.second, self.minute, self.hour, self.day

    def with_windows(self, change: Callable[[WindowCount], WindowCount]) -> Self:
        """The same with every window changed."""
        second, minute, hour, day = changed = tuple(map(change, self.windows))
        same = all(one is other for one, other in zip(self.windows, changed, strict=True))
        return self if same else replace(self, second=second, minute=minute, hour=hour, day=day)

    def with_window(self, span: LimitSpan, window: WindowCount) -> Self:
        """The same with this window."""
        return replace(self, **{span: window})

    def on_the_way(self) -> int:
        """Requests that have left, and that the service may have counted or not."""
        return 0

    def limit(self, span: LimitSpan) -> int | None:
        """The limit that is known of a window, by the service or by the plan."""
        window = self.window(span)
        return window.limit if window.spoken else own_limit(self.plan, span)

    def free(self, span: LimitSpan, now: float) -> int | None:
        """Requests that may be sent now; None if unknown. What is on the way is subtracted, counted or not."""
        window, limit = self.window(span), self.limit(span)
        if window.spoken:
            return less(window.remaining, self.on_the_way())
        return None if limit is None else max(0, limit - sum([count for _, count in window.counted(now)]))

    def frees_at(self, span: LimitSpan, wanted: int, now: float) -> float | None:
        """Steady second at which `wanted` requests are free, if nothing else leaves; None where unknown."""
        window, left = self.window(span), self.free(span, now)
        if left is None or left >= wanted:
            return now
        if window.spoken:
            return window.opens_at
        for bucket, count in window.counted(now):
            left += count
            if left >= wanted:
                return window.forgotten_at(bucket)
        return None

    def leaves(self, span: LimitSpan, cls: RequestClass) -> int:
        """Requests of a window that the class leaves to those before it. A second is over while a person waits."""
        promised = self.promised if span is LimitSpan.MINUTE and cls is not RequestClass.PERSON else 0
        return 0 if span is LimitSpan.SECOND else max(reserve(cls, self.limit(span)), promised)

    def room_at(self, span: LimitSpan, cls: RequestClass, cost: int, now: float) -> float | None:
        """Steady second at which a window has room for `cost` requests of the class, or for as many as it ever has."""
        left = self.free(span, now)
        if left is None:
            return now
        wanted = wanted_of(cost, self.limit(span), self.leaves(span, cls))
        if left >= wanted:
            return now
        moments = (self.frees_at(span, wanted, now), self._shown_at(span, cost, left))
        return min((one for one in moments if one is not None), default=None)

    def _shown_at(self, span: LimitSpan, cost: int, left: int) -> float | None:
        """When one request by itself may show that a window is over: by the service's own clock it is, by another it is
        not yet (see `limit_headers`), and there is room for it even if not. What is kept for a person waits for that
        too: with this computer's clock five minutes behind, each minute would last six."""
        window = self.window(span)
        if self.on_the_way() or not window.spoken or window.resets_at is None or left < cost:
            return None
        return window.resets_at + ROUNDING

    def opens_at(self, cls: RequestClass, cost: int, now: float, least: float = 0.0) -> Readiness:
        """When all windows have room for so many requests of the class, which leave no sooner than at `least`."""
        latest, by = max(now, least), Cause.TURN
        for span in SPANS:
            moment = self.room_at(span, cls, cost, now)
            if moment is None:
                return Readiness(None, _SHARES.get(span, Cause.TURN))
            if moment > latest:
                latest, by = moment, _SHARES.get(span, Cause.TURN)
        return Readiness(latest, by)

    def told(self, ahead: float) -> RateWindows:
        """The windows alone, for whoever has a wall clock that is `ahead`. What is promised is for the next minute."""
        return RateWindows(self.plan, self.second, self.minute, self.hour, self.day, ahead=ahead)

    def view(self, span: LimitSpan, now: float, ahead: float) -> Window:
        """A window as a person may see it, by a wall clock that is `ahead`."""
        window, limit = self.window(span), self.limit(span)
        if window.spoken:
            resets_at = None if window.resets_at is None else window.resets_at + ahead
            return Window(limit, window.remaining, resets_at, others=window.others)
        if limit is None:
            return Window()
        left = self.free(span, now)
        next_at = self.frees_at(span, 1, now) if left == 0 else None
        return Window(limit, left, None if next_at is None else next_at + ahead, own_count=True)


def wanted_of(cost: int, limit: int | None, kept: int) -> int:
    """How many must be left for `cost` to leave; of more than there ever are, all of them."""
    wanted = cost + kept
    return wanted if limit is None else max(1, min(wanted, limit))


class Quota(Struct, frozen=True):
    """Both windows of the key in use, and all of them to reckon with."""

    minute: Window = Window()
    day: Window = Window()
    skew: float | None = None
    """Whole seconds by which the service's clock is ahead of ours, by its Date header; None where unknown."""
    rates: RateWindows = RateWindows()


# ---------------------------------------------------------------- the gate


class GatePhase(StrEnum):
    """The gate's states."""

    OPEN = "open"
    SPENT = "spent"
    PAUSED = "paused"
    PROBING = "probing"
    BANNED = "banned"
    LOCKED = "locked"


class LongerPause(StrEnum):
    """Why a pause is longer than the service asked."""

    AGAIN = "again"
    """It refused several times in a row, and the program's own back-off is the longer one."""
    UNTOLD = "untold"
    """It named no time that the program understands."""


class Hold(Struct, frozen=True):
    """No change leaves before `until` (UTC epoch seconds by this computer's clock), None where that is unknown."""

    by: Cause
    until: float | None


class GateView(Struct, frozen=True):
    """The gate as a person may see it. `until` and `since` are UTC epoch seconds by this computer's clock; `reason`
    is the service's own message, `raw` the redacted answer that caused the state; `persisted` is False when the
    pause could not be written to disk."""

    phase: GatePhase = GatePhase.OPEN
    since: float | None = None
    until: float | None = None
    reason: str | None = None
    status: int | None = None
    raw: str | None = None
    persisted: bool = True
    ask_person: bool = False
    """The pause is longer than 24 h: it is obeyed, and the window asks."""
    length: float | None = None
    """Seconds of the whole wait that an answer brought; None without one."""
    longer: LongerPause | None = None
    """None too where the pause is no longer, or after a restart: it does not outlive the process."""
    hold: Hold | None = None
    """What holds back changes while the gate is open or a window is used up; by the same function that lets them
    leave. Of a window that we count ourselves one request is back long before there are some for changes."""


class GateSnapshot(Struct, frozen=True):
    """What of the gate outlives the process: enough to go on waiting after a kill or a reboot.

    `until_steady` holds on the boot `boot_id`; on another boot `until_wall` counts, re-armed to `length` seconds in
    full if the wall clock went back before `written_wall`. `payload` is the gate's own JSON for the rest (back-off
    exponent, windows, own counts).
    """

    phase: GatePhase
    boot_id: str
    until_steady: float | None
    until_wall: float | None
    length: float
    written_wall: float
    payload: str


class SentRequest(Struct, frozen=True):
    """One request that left this computer. It holds no key, no body, and of the address only path and query below the
    service's base address, without whatever carries the key.

    `at`: UTC epoch seconds at which the gate let it go. `status`: of the answer; None where none came. `lost`: why no
    answer, or not the whole of it, came, in one word (those of `connection_errors.reason_of`, and deadline, cancelled,
    unusable). `waited_s`: seconds from asking for admission to leaving, waiting again included where the gate shut
    meanwhile; `took_s`: from leaving to the end of the answer, making the connection included. `probe`: it was the one
    question after a pause.
    """

    at: float
    cls: RequestClass
    method: str
    path: str
    status: int | None
    waited_s: float = 0.0
    took_s: float = 0.0
    lost: str = ""
    probe: bool = False
