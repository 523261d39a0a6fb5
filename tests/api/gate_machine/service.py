"""The model service: it bans whoever sends inside a pause. Everything here is counted in true seconds.

It keeps what a client has been told, and what follows from it by the design of the gate, in a reckoning of its own:
nothing here reads the gate's state. Every wait is the least that is due; the gate may wait longer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

from petstore_desktop.api.gate.model import Ask
from petstore_desktop.domain.quota import LimitSpan, Plan, RequestClass
from tests.api.gate_machine.keys import KeysApart, is_keyless, least_reserve

JITTER, BLIND, BLIND_MOST, BAN, BAN_MOST = 1.0, 60.0, 3_600.0, 3_600.0, 86_400.0
GOODS, IN_FLIGHT, ENOUGH = 10, 4, 1_000
ROUNDING = 1e-3
"""Seconds by which sums of the same numbers may differ."""
NEARLY = 3.0
"""Seconds by which the ends of two windows may differ that a reader may take for one."""

LENGTHS = {LimitSpan.MINUTE: 60.0, LimitSpan.DAY: 86_400.0}
"""The two windows that each service has. A third, of another length, may be told beside them: of that one, and of every
window that is not as long as its place says, it is judged by its true end alone."""


class Violation(AssertionError):
    """The service would have banned this key, or somebody waits for ever."""


@dataclass
class Counter:
    """A window as the service really counts it: it begins with its first request."""

    limit: int
    length: float
    used: int = 0
    ends: float = 0.0

    def count(self, now: float, cost: int = 1) -> bool:
        """Count requests; False where the window had no room."""
        if now >= self.ends:
            self.ends, self.used = now + self.length, 0
        self.used += cost
        return self.used <= self.limit

    @property
    def remaining(self) -> int:
        return max(0, self.limit - self.used)


@dataclass(frozen=True, slots=True)
class Told:
    """What an answer told of one window. `reset_in` is the distance as its headers tell it, None where they do not;
    `ends` tells this window from others, by the service's clock or by the distance; `truly` is when it really ends."""

    limit: int | None
    remaining: int | None
    truly: float
    reset_in: float | None = None
    ends: float | None = None
    until: float = 0.0
    """The end as a careful reader takes it, who heard of it late and adds the least jitter."""
    loose: float = 0.0
    """Seconds by which `ends` may err, where it is known by the distance only."""
    due: float | None = None
    """Before this nothing may leave if nothing is left: when it truly ends, as far as a clock can tell that."""
    shown: float = math.inf
    """When it is over by the service's own clock: one request by itself may show whether it is, if there is room."""


@dataclass(slots=True)
class Sent:
    """One ticket between its admission and its last answer."""

    ask: Ask
    cost: int
    probe: bool
    key: int
    own_probe: bool = False
    """It is the probe of a pause that is this key's alone."""
    of_now: bool = True
    """This key has been in use ever since."""
    met: dict[LimitSpan, Told] = field(default_factory=dict)
    """What others' answers have said since it left."""
    made: float = 0.0
    """When its answer was made."""
    told: dict[LimitSpan, Told] = field(default_factory=dict)
    over: bool = False
    """It came when a window had no room."""
    alone: bool = False
    """Whoever sent it has gone meanwhile: where its key is no more in use, nobody is left whom its answer concerns."""


@dataclass
class Service(KeysApart):
    """What this desk owes the service, and the windows of the key."""

    plan: Plan | None
    counters: dict[LimitSpan, Counter]
    closed_until: float = 0.0
    probe_owed: bool = False
    rejected: set[str] = field(default_factory=set)
    """The security schemes for which this key was refused."""
    refused: set[str] = field(default_factory=set)
    """The places that answered 403 last: one more there is a ban only if it is called one."""
    known: set[str] = field(default_factory=set)
    """Those of them that did so while there was no ban for certain."""
    told_wait: bool = False
    """The wait in force is as the service said, or longer."""
    key: int = 0
    spent: dict[str, float] = field(default_factory=dict)
    """Until when nothing is left, by window: as told, and where no answer told it as a client guesses."""
    told: dict[LimitSpan, Told] = field(default_factory=dict)
    spoken: set[LimitSpan] = field(default_factory=set)
    doubtful: set[LimitSpan] = field(default_factory=set)
    """Windows of which an answer spoke so that one can but guess, until one speaks of them that crossed no other."""
    vague: set[LimitSpan] = field(default_factory=set)
    """Windows of which the gate may know another end than this model."""
    wary: float = 0.0
    """When a reader who takes the longest of all waits is sure that no window has but a few left any more."""
    heard: bool = False
    strikes: int = 0
    bans: int = 0
    goods: int = 0
    lost: int = 0
    ramp: int = 3
    limited: bool = False
    own_pause: bool = False
    admitted: dict[int, Sent] = field(default_factory=dict)
    """Tickets of which no byte has left."""
    out: dict[int, Sent] = field(default_factory=dict)
    """Tickets whose request has arrived and is not answered."""
    own: list[tuple[float, int]] = field(default_factory=list)
    """(when, ticket) of everything that left with this key, one entry for each request."""
    aside: dict[int, dict[str, Any]] = field(default_factory=dict)

    # ------------------------------------------------------------ what arrives

    def admit(self, ask: Ask, now: float, *, probe: bool) -> None:
        """A ticket is let out, as a `probe` or not. Raises Violation where it may not leave."""
        self._open(now, ask.scheme)
        if self.probe_owed or probe:
            self._only_a_probe(ask, now)
        else:
            self._room(ask, now)
        if ask.write and any(sent.ask.write for sent in self.flying()):
            raise Violation("two writes at once")
        self._own_count(ask, now)
        self._takes_to_be_over(now)
        self.own = [*(entry for entry in self.own if entry[0] > now - 90_000.0), *[(now, ask.ticket)] * ask.cost]
        self.admitted[ask.ticket] = Sent(ask, ask.cost, self.probe_owed, self.key, self.own_pause)

    def _takes_to_be_over(self, now: float) -> None:
        """Whoever lets something out after the true end of a used up window, but before a careful reader would, has
        taken it to be over, and believes from here on what is said of the next one."""
        for span, told in self.told.items():
            if told.remaining == 0 and told.truly - ROUNDING <= now < told.until:
                self.told[span] = replace(told, until=now)

    def arrive(self, ticket: int, now: float) -> None:
        """The first byte comes in. Raises Violation inside a pause."""
        sent = self.admitted.pop(ticket)
        self._open(now, sent.ask.scheme)
        if self.probe_owed and not sent.probe:
            raise Violation("what was let out before the pause arrived after it, and is no probe")
        roomy = [counter.count(now) for counter in self.counters.values()]
        sent.over = not all(roomy)
        sent.made = now
        sent.told = {span: Told(c.limit, c.remaining, c.ends) for span, c in self.counters.items()}
        self.out[ticket] = sent

    def give_back(self, ticket: int) -> None:
        """A ticket that was let out does not send."""
        sent = self.admitted.pop(ticket)
        with self.about(sent.key):
            for entry in [entry for entry in self.own if entry[1] == ticket][: sent.cost]:
                self.own.remove(entry)

    def is_open(self, now: float, plenty: int) -> bool:
        """Whether every class may send, four at once, by all that this desk was told."""
        if now < self.wary:
            return False
        free = all((told.remaining or 0) >= plenty for told in self.told.values() if now < max(told.truly, told.until))
        spent = any(now < until for until in self.spent.values())
        unbarred = self.heard and self.ramp == 3 and not self.probe_owed and not self.rejected
        roomy = all(
            self._counted(span, now) + IN_FLIGHT + least_reserve(RequestClass.BACKGROUND, limit) <= limit
            for span, limit in self._limits_of_ours()
        )
        return free and unbarred and roomy and not spent and not self.doubtful and now >= self.closed_until

    def flying(self) -> list[Sent]:
        """What is on its way with the key in use: each has a gate of its own."""
        return [sent for sent in (*self.admitted.values(), *self.out.values()) if sent.key == self.key]

    def _open(self, now: float, scheme: str) -> None:
        if scheme in self.rejected:
            raise Violation("sent with a key that was rejected")
        if now < self.closed_until - ROUNDING:
            raise Violation(f"sent {self.closed_until - now:.3f} s too early, inside a pause")
        for span, until in self.spent.items():
            if now < until - ROUNDING:
                raise Violation(f"sent {until - now:.3f} s before the reset of a {span} with nothing left")

    def _only_a_probe(self, ask: Ask, now: float) -> None:
        if ask.write or not ask.idempotent or ask.cost != 1:
            raise Violation(f"no probe: {ask}")
        for span, told in self.told.items():
            if told.remaining == 0 and span not in self.vague and now < told.truly - ROUNDING:
                raise Violation(f"a probe leaves, of the {span} remain 0")
        if self.flying():
            raise Violation("a probe that is not alone")

    def _room(self, ask: Ask, now: float) -> None:
        flying = self.flying()
        most = 1 if not self.heard else (1, 2, 2, IN_FLIGHT)[self.ramp]
        if len(flying) >= most:
            raise Violation(f"{len(flying) + 1} in flight, {most} at most")
        on_the_way = sum(sent.cost for sent in flying)
        for span, told in self.told.items():
            if told.remaining is None or now >= told.truly - ROUNDING:
                continue
            left = told.remaining - on_the_way
            if not flying and left >= ask.cost and now >= told.shown:
                continue
            wanted = ask.cost + least_reserve(ask.cls, told.limit)
            if left < (wanted if told.limit is None else min(wanted, told.limit)):
                raise Violation(f"{ask.cls.name} leaves, of the {span} remain {told.remaining}, {on_the_way} out")

    def _own_count(self, ask: Ask, now: float) -> None:
        for span, limit in self._limits_of_ours():
            count = self._counted(span, now)
            if count + ask.cost > limit:
                raise Violation(f"{count + ask.cost} requests in a {span}, the plan has {limit}")

    def _limits_of_ours(self) -> list[tuple[LimitSpan, int]]:
        """The plan's, of the windows of which nobody has spoken."""
        plan = {} if self.plan is None else {LimitSpan.MINUTE: self.plan.per_minute, LimitSpan.DAY: self.plan.per_day}
        return [(span, limit) for span, limit in plan.items() if limit is not None and span not in self.spoken]

    def _counted(self, span: LimitSpan, now: float) -> int:
        return sum(1 for at, _ in self.own if at > now - LENGTHS[span] + ROUNDING)

    # ------------------------------------------------------------ what is told

    def tell(self, sent: Sent, told: dict[LimitSpan, Told], now: float, *, sure: bool, unsure: bool = False) -> None:
        """An answer speaks of windows; `sure` if none can be taken for the other, `unsure` if one can but guess."""
        if is_keyless(sent.ask):
            self.silent(sent)
            return
        with self.about(sent.key):
            self._tell_all(sent, told, now, sure=sure, unsure=unsure)

    def _tell_all(self, sent: Sent, told: dict[LimitSpan, Told], now: float, *, sure: bool, unsure: bool) -> None:
        for span, window in told.items():
            if window.remaining == 0 and window.due is not None and window.reset_in is not None:
                self.spent[span] = max(self.spent.get(span, 0.0), window.due)
                self.spent.pop(_guessed(span), None)
            if (window.remaining or 0) < ENOUGH and window.reset_in is not None:
                self.wary = max(self.wary, now + window.reset_in + 2 * JITTER)
        for span in LENGTHS:
            if unsure:
                self.told.pop(span, None)
                self.doubtful.add(span)
                self.vague.add(span)
            elif span in told:
                self._tell(span, told[span], now, sent.met.get(span))
            else:
                self._one_less(span)
        if told:
            self.heard = True
            self.spoken |= set(told) if sure else set(LENGTHS)

    def silent(self, sent: Sent, cost: int = 1) -> None:
        """A request ended without a word of windows; it may have been counted all the same."""
        with self.about(sent.key):
            for span in LENGTHS:
                self._one_less(span, cost)

    def _one_less(self, span: LimitSpan, cost: int = 1) -> None:
        old = self.told.get(span)
        if old is not None and old.remaining is not None:
            self.told[span] = replace(old, remaining=max(0, old.remaining - cost))

    def _tell(self, span: LimitSpan, said: Told, now: float, met: Told | None) -> None:
        if met is None:
            self.doubtful.discard(span)
        new = said if met is None else _crossed(met, said)
        if met is not None and said.remaining == 0 and _is_nearly_as_late(met, said):
            self.doubtful.add(span)  # nothing is left of the one or the other: to heed it is careful, not to is no harm
        if new is None:
            self._one_less(span)
            return
        old = self.told.get(span)
        used_up = old is not None and old.remaining == 0 and new.remaining != 0 and now < old.until
        if used_up and met is not None:
            self.vague.add(span)
            return  # it left before the window was used up
        for other in self.flying():
            other.met[span] = _both(other.met.get(span), said)
        self.told[span] = new = self._known(span, old, _of_one_name(old, new), now)
        if new.remaining == 0 and (new.reset_in is None or new.due is None):
            end = _guessed(span) if new.ends is None else span
            self.spent[end] = max(self.spent.get(end, 0.0), new.truly)

    def _known(self, span: LimitSpan, old: Told | None, new: Told, now: float) -> Told:
        """What an answer leaves out is as it was, if it was known."""
        if span in self.vague:
            self.vague -= {span} if new.reset_in is not None else set()
            return new if new.reset_in is not None else replace(new, truly=now)
        if old is not None and now < old.until:
            if new.reset_in is None:
                new = replace(
                    new, truly=old.truly, reset_in=old.reset_in, ends=old.ends, until=old.until, shown=old.shown
                )
            if new.remaining is None and old.remaining is not None and old.ends == new.ends:
                new = replace(new, remaining=max(0, old.remaining - 1))
        elif new.reset_in is None:
            new = replace(new, truly=now + BLIND, until=now + BLIND + JITTER)
        return new

    # ------------------------------------------------------------ what closes

    def limit(self, sent: Sent, now: float, waits: list[float], *, counts: bool) -> None:
        """A 429, or what else says when to come back. `waits`: in seconds after the answer."""
        if sent.alone and sent.key != self.key:
            return
        mine = sent.key == self.key  # of a late answer to another key the least is what it says
        self.strikes += self.is_news(sent)
        goes_on = self.probe_owed and now < self.closed_until - ROUNDING
        told = bool(waits) and (not goes_on or self.told_wait or not mine)
        own = (1.0 if waits else BLIND) * (2.0 ** min(max(self.strikes, 1) - 1, 32) if mine else 1.0)
        self.limited = self.limited or counts
        self.close(now, max([min(own, BLIND_MOST), *waits]))
        self.told_wait = told

    def refuses_for_ever(self, sent: Sent, now: float, spent: float | None, *, ban: bool) -> None:
        """A 403, as always at this place, which is taken for a `ban` or not. Raises Violation where everybody knows."""
        with self.about(sent.key):
            if ban and sent.ask.place in self.known:
                raise Violation(f"{sent.ask.place} always refuses, and that is taken for a ban")
        if ban:
            self.ban(sent, now, None, spent)
        else:
            limited = self.limited
            self.good(sent)
            self.limited = limited  # whether there is a ban is still open

    def ban(self, sent: Sent, now: float, wait: float | None, spent: float | None) -> None:
        """The key is banned, for as long as it says, else for an hour and longer each time."""
        if sent.alone and sent.key != self.key:
            return
        mine = sent.key == self.key
        self.bans += self.is_news(sent)
        self.limited = True
        wait = min(BAN * (2.0 ** (max(self.bans, 1) - 1) if mine else 1.0), BAN_MOST) if wait is None else wait
        self.close(now, max(wait, spent or 0.0))

    def close(self, now: float, seconds: float) -> None:
        self.closed_for(seconds, now)
        self.probe_owed, self.told_wait, self.own_pause, self.stale = True, False, False, False
        self.goods = self.lost = 0

    def closed_for(self, seconds: float, now: float) -> None:
        """What is still on its way, with whichever key, left before this: it neither ends the pause nor prolongs it."""
        self.closed_until = max(self.closed_until, now + seconds + JITTER)
        for sent in (*self.admitted.values(), *self.out.values()):
            sent.probe = False
            sent.own_probe = sent.own_probe and sent.key != self.key  # the gate of that key does not hear of this one

    def good(self, sent: Sent) -> None:
        """An answer without a limit."""
        if sent.probe or not self.probe_owed:  # else it left before the limit, and says nothing of it
            self.goods += 1
            self.limited = False
        if self.goods >= GOODS:
            self.strikes = self.bans = 0
        if sent.probe and self.told_wait:
            self.strikes = 0
        self.lost = 0
        if sent.own_probe:
            self.own_pause_is_over(sent.key)
        if sent.probe and (self.probe_owed or sent.key == self.key):  # an earlier key's says nothing after the pause
            self.ramp, self.probe_owed = 0, False
        elif not sent.probe:
            self.ramp = min(self.ramp + 1, 3)

    # ------------------------------------------------------------ what this desk forgets

    def risked(self, now: float) -> None:
        """A person, warned, has ended the pause: what comes is on their head; one probe is still due."""
        self.closed_until = min(self.closed_until, now)
        self.heard = False
        self.spent.clear()
        self.told = {span: told for span, told in self.told.items() if told.remaining}
        self.own.clear()

    def restarted(self) -> None:
        """The process is another: nothing is on its way, what was told is known only as far as it closed the gate."""
        self.admitted.clear()
        self.out.clear()
        self.told.clear()
        self.doubtful.clear()
        self.vague = set(LENGTHS)
        self.rejected.clear()  # which is not kept: to ask again is safe
        self.heard, self.ramp, self.lost, self.goods = False, 3, 0, 0
        self.forget_what_was_told(set(LENGTHS))

    def unknowable(self, now: float) -> None:
        """Another boot and a wall clock set forward: no client can know that the pause goes on. One probe is due."""
        self.probe_owed = self.probe_owed or any(until > now for until in self.spent.values())
        self.closed_until = min(self.closed_until, now)
        self.spent.clear()
        self.own.clear()
        self.forget_what_was_spent()


def _guessed(span: LimitSpan) -> str:
    """Where the end of a window is kept that nobody has told; it goes once one with nothing left is."""
    return f"{span} whose end nobody told"


def _of_one_name(old: Told | None, new: Told) -> Told:
    """Two windows that the service calls by one moment are one to every reader, and it ends with the first of them."""
    if old is None or old.ends is None or old.ends != new.ends or new.loose:
        return new
    return replace(new, truly=min(old.truly, new.truly))


def _apart(old: Told, new: Told) -> float | None:
    """Seconds from the end of one window to that of the other; 0 where neither is known, None where one is not."""
    if old.ends is None or new.ends is None:
        return 0.0 if old.ends is new.ends else None
    return new.ends - old.ends


def _is_nearly_as_late(met: Told, new: Told) -> bool:
    apart = _apart(met, new)
    return apart is not None and -NEARLY <= apart < 0.0


def _crossed(met: Told, new: Told) -> Told | None:
    """What is known after two answers that crossed; None where the later one speaks of a window before."""
    apart = _apart(met, new)
    if apart is None or apart > 0.0:
        return new
    if apart < -max(met.loose, new.loose):
        return None
    if met.remaining is None or new.remaining is None:
        return new
    which = max if apart else min
    return replace(new, remaining=which(met.remaining, new.remaining))


def _both(met: Told | None, new: Told) -> Told:
    """What a request on its way has met: the later window, or the lesser remainder of one. An answer that names no end
    is taken to speak of the one known."""
    if met is None or (met.ends is None and new.ends is not None):
        return new
    if new.ends is None:
        known = [told.remaining for told in (met, new) if told.remaining is not None]
        return replace(met, remaining=min(known, default=None))
    crossed = _crossed(met, new)
    return met if crossed is None else crossed
