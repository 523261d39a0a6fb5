"""Fixed windows, pauses and bans of one API key. Pure: the time is handed in, in epoch seconds.

A window starts with the first request that falls outside the one before it, and lasts its whole length: a fresh window
of 60 gives exactly 60 answers. A 429 starts a pause that lasts until its Retry-After has passed; who goes on sending
inside it is banned (the specification's limits, rule 3).
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from enum import Enum

ON_THE_WAY = 0.25
"""Seconds after a 429 during which a request may still arrive that left before the 429 could be read."""

SLACK = 0.05
"""Seconds that a client with several connections may take to see what one of them was answered."""


PLANS = {
    "free": (60, 1_000),
    "pro": (300, 10_000),
    "business": (1_000, 100_000),
    "unlimited": (1_000_000, 1_000_000_000),
}
"""What a key may do: requests in each minute and each day."""


@dataclass(slots=True)
class QuotaWindow:
    """A fixed window of `length` seconds in which `limit` requests are answered."""

    limit: int
    length: float
    ends: float = 0.0
    used: int = 0

    def roll(self, now: float) -> None:
        """Start a new window if the last one is over."""
        if now >= self.ends:
            self.ends = now + self.length
            self.used = 0

    def use_up(self, now: float, leave: int, ends_in: float | None) -> None:
        """Use up requests, as another client of the key would, until this many are left; the window ends after
        `ends_in` seconds, or at its usual time."""
        self.roll(now)
        self.used = max(self.used, self.limit - leave)
        if ends_in is not None:
            self.ends = now + ends_in

    def remaining(self, now: float) -> int:
        """Requests left at this moment; all of them where no window runs."""
        return self.limit if now >= self.ends else max(0, self.limit - self.used)

    def reset(self, now: float) -> float:
        """The epoch second at which the window ends, or would end if it began now."""
        return self.ends if now < self.ends else now + self.length

    def told(self, now: float) -> WindowNotice:
        """What may be said of it at this moment."""
        return WindowNotice(self.limit, self.remaining(now), math.ceil(self.reset(now)))


@dataclass(frozen=True, slots=True)
class Rules:
    """The limits of every key of this shop; lengths in seconds."""

    minute_limit: int
    day_limit: int
    minute: float = 60.0
    day: float = 86_400.0
    ban_at: int = 3
    ban_seconds: float = 900.0


@dataclass(frozen=True, slots=True)
class Arrival:
    """When and over which connection a request came.

    `opened` is when its connection was opened and `answered` when that connection was last answered (0.0 for never),
    all in epoch seconds. `others` says whether the key uses other connections at the same time.
    """

    at: float
    opened: float = 0.0
    answered: float = 0.0
    others: bool = False


class QuotaDecision(Enum):
    """What becomes of a request."""

    ADMITTED = "admitted"
    PAUSED = "paused"
    BANNED = "banned"


@dataclass(frozen=True, slots=True)
class WindowNotice:
    """What may be said of a window: whole requests, and the epoch second of its end, rounded up."""

    limit: int
    remaining: int
    reset: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision with what the headers say, and whole seconds to wait."""

    decision: QuotaDecision
    minute: WindowNotice
    day: WindowNotice
    retry_after: int | None = None
    inside_pause: bool = False


@dataclass(slots=True)
class KeyQuota:
    """The account of one key."""

    rules: Rules
    minute: QuotaWindow = field(init=False)
    day: QuotaWindow = field(init=False)
    told_at: float = 0.0
    told_until: float = 0.0
    offences: int = 0
    banned_until: float = 0.0
    busy_for: float = 0.0

    def __post_init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget all windows, pauses and bans."""
        self.minute = QuotaWindow(self.rules.minute_limit, self.rules.minute)
        self.day = QuotaWindow(self.rules.day_limit, self.rules.day)
        self.told_at = self.told_until = self.banned_until = self.busy_for = 0.0
        self.offences = 0

    def kept(self) -> str:
        """All windows, pauses and bans as a text, for `resume`."""
        windows = [[window.used, window.ends] for window in (self.minute, self.day)]
        return json.dumps([windows, self.told_at, self.told_until, self.offences, self.banned_until])

    def resume(self, kept: str) -> None:
        """Go on with what `kept` gave, under the present rules."""
        windows, self.told_at, self.told_until, self.offences, self.banned_until = json.loads(kept)
        (self.minute.used, self.minute.ends), (self.day.used, self.day.ends) = windows

    def admit(self, arrival: Arrival) -> Verdict:
        """Decide about one request and count it."""
        now = arrival.at
        inside = now < self.told_until and not self._on_the_way(arrival)
        if now >= self.told_until:
            self.offences = 0
        self.offences += inside
        if now >= self.banned_until and inside and self.offences >= self.rules.ban_at:
            self.banned_until = now + self.rules.ban_seconds
        if now < self.banned_until:
            return self._refuse(now, QuotaDecision.BANNED, self.banned_until, inside)
        if inside or now < self.told_until:
            return self._refuse(now, QuotaDecision.PAUSED, max(self.told_until, self._open_at(now)), inside)
        if self.busy_for:
            until, self.busy_for = now + self.busy_for, 0.0
            return self._refuse(now, QuotaDecision.PAUSED, until, inside)
        return self._count(now)

    def look(self, now: float) -> Verdict:
        """The headers' values without counting anything."""
        return self._verdict(now, QuotaDecision.ADMITTED)

    def pause(self, seconds: float) -> None:
        """Answer the next request with a 429 and this Retry-After in seconds, whatever the windows hold."""
        self.busy_for = seconds

    def ban(self, now: float, seconds: float) -> None:
        """Ban the key from this moment on."""
        self.banned_until = now + seconds

    def _count(self, now: float) -> Verdict:
        self.minute.roll(now)
        self.day.roll(now)
        open_at = self._open_at(now)
        if open_at > now:
            return self._refuse(now, QuotaDecision.PAUSED, open_at, inside=False)
        self.minute.used += 1
        self.day.used += 1
        return self._verdict(now, QuotaDecision.ADMITTED)

    def _open_at(self, now: float) -> float:
        full = [window.ends for window in (self.minute, self.day) if window.remaining(now) == 0]
        return max(full, default=now)

    def _refuse(self, now: float, decision: QuotaDecision, until: float, inside: bool) -> Verdict:
        """Waiting exactly the answered whole seconds is enough (RFC 9110, 10.2.3)."""
        wait = max(1, math.ceil(until - now))
        if now >= self.told_until:
            self.told_at, self.told_until = now, now + wait
        self.told_until = max(self.told_until, until)
        return self._verdict(now, decision, wait, inside)

    def _verdict(self, now: float, decision: QuotaDecision, wait: int | None = None, inside: bool = False) -> Verdict:
        return Verdict(decision, self.minute.told(now), self.day.told(now), wait, inside)

    def _on_the_way(self, arrival: Arrival) -> bool:
        """Whether the request left before its sender could have read the 429.

        Over HTTP/1.1 a connection carries one request at a time: one that was answered since the 429 knows of it, and
        one that was opened after the 429 belongs to a client that could have known. Where the client uses several, what
        one connection brings in the same moment was sent before the others were read.
        """
        if arrival.at - self.told_at > ON_THE_WAY:
            return False
        slack = SLACK if arrival.others else 0.0
        return max(arrival.opened, arrival.answered) < self.told_at + slack
