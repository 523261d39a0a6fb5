"""What an answer's headers say about limits, in every form that services use.

Every header with "rate limit" in its name is read, whatever else its name says. What belongs together by the rest of
the name (`X-RateLimit-Remaining-Hour`, `X-RateLimit-Reset-Hour`) is one window. What several families of names say of
one window is put together: the least that is left of it, the latest end. None outweighs another.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.api.headers.header_values import (
    FAR_AWAY,
    LONGEST_RESET,
    duration,
    epoch_moment,
    moment,
    number,
    seconds_until,
)
from petstore_desktop.domain.quota import LENGTHS, LimitSpan

Headers: TypeAlias = Iterable[tuple[str, str]]
"""Names in any case, a repeated header as several pairs (httpx: `response.headers.multi_items()`)."""


LONGEST_UNDATED_RESET = 26 * 3_600.0
"""Seconds. Without the service's own Date, a moment further away than a day more likely means a wrong clock of ours."""

SMALL_ERROR = 3_600.0
"""Seconds. Of two clocks that are less apart either may be wrong; of others the answer's own is right."""

_PAIR = re.compile(r"([a-z]+)\s*=\s*\"?([^\s;,=\"]+)")
_QUOTED = re.compile(r'"([^"]*)"')
_MOST_REQUESTS = 1e12
_MOST_VALUES = 8
_MOST_WINDOWS = 32
"""Of these one answer may speak; of the values of one header, of _MOST_VALUES."""

_SPANS = {length: span for span, length in LENGTHS.items()}
_NAME = re.compile(r"(.*?rate-?limit)(?:-(.+))?")
_WHATS = ("reset", "remaining", "limit")
_UNITS = {"ms": 0.001, "millis": 0.001, "milliseconds": 0.001}
_WORDS = (("limit", "q"), ("remaining", "r"), ("reset", "t"))
_NOTHING_NEW = frozenset(
    {"request", "requests", "calls", "per", "after", "at", "time", "seconds", "secs", "epoch", "utc"}
)
"""Words in the name of a header that say nothing of which window it is."""


class WindowFacts(Struct, frozen=True):
    """One window as one answer tells it: requests, and `reset_in` seconds after the answer.

    `mark` is the reset as the service wrote it (epoch seconds by the service's clock), which tells one window from the
    next; None where the service gave a distance. `span` is None where the header does not say which window it means.
    `late`: seconds by which it may end later by what else is known: another clock, another header. `other`: it counts
    something else than requests; of such a one it matters only whether anything is left. `past`: it was said to have
    ended before the answer.
    """

    limit: int | None = None
    remaining: int | None = None
    reset_in: float | None = None
    mark: float | None = None
    span: LimitSpan | None = None
    late: float = 0.0
    other: bool = False
    past: bool = False

    @property
    def opens_in(self) -> float | None:
        """Seconds after the answer until it is over by all that is known; None where nothing is."""
        return None if self.reset_in is None and not self.late else (self.reset_in or 0.0) + self.late


class Limits(Struct, frozen=True):
    """All windows an answer speaks of, and how far the service's clock is ahead of ours (seconds, None if unknown)."""

    windows: tuple[WindowFacts, ...] = ()
    skew: float | None = None


class AnswerFacts(Struct, frozen=True):
    """Of one answer, what the gate needs. `retry_after` is seconds after the answer, None if absent or unparsable;
    `code` and `message` are the error object's, the code as it came, to decide by and never to be shown or kept; `raw`
    is the redacted answer as text, for who wants to see it.
    """

    status: int
    limits: Limits = Limits()
    retry_after: float | None = None
    code: str | None = None
    message: str | None = None
    raw: str | None = None

    def __repr__(self) -> str:
        return Struct.__repr__(replace(self, code=None))


def answer_facts(
    status: int,
    headers: Headers,
    *,
    wall: float,
    known: float | None = None,
    code: str | None = None,
    message: str | None = None,
    raw: str | None = None,
    said: Headers = (),
) -> AnswerFacts:
    """Read an answer's headers. `wall` is our clock (UTC epoch seconds) at the moment the answer came; `known` is the
    service's, as far as earlier answers told it, for one that does not say its time. `said`: the waits that the body
    tells, as a header would; of both the longer counts."""
    values = _gathered(headers)
    told = [at for at in map(moment, values.get("date", [])) if at is not None]
    date = told[0] if told else known
    clocks = () if date is None else tuple(one for one in (known, wall) if one and abs(one - date) < SMALL_ERROR)
    when = _When(wall, LONGEST_UNDATED_RESET) if date is None else _When(date, LONGEST_RESET, clocks)
    limits = Limits(tuple(_windows(values, when)), skew=when.date - wall if told else None)
    waits = (_retry_after(values, when), _retry_after(_gathered(said), when, LONGEST_RESET))
    retry_after = max((wait for wait in waits if wait is not None), default=None)
    return AnswerFacts(status, limits, retry_after, code, message, raw)


class _When(NamedTuple):
    """The time of the answer (UTC epoch seconds), how far away a reset may be to be believed (seconds), and what time
    it is by `others`, the clocks that may be right too: of them the longest wait counts."""

    date: float
    longest: float
    others: tuple[float, ...] = ()


def _retry_after(values: dict[str, list[str]], when: _When, most: float = FAR_AWAY) -> float | None:
    """Seconds after the answer. A moment is taken against each clock that may be right; the longest wait counts. One
    of more than `most` is none."""
    waits = [
        seconds_until(", ".join(texts), date=clock, unit=0.001 if name.endswith("-ms") else 1.0)
        for name, texts in values.items()
        if "retry-after" in name
        for clock in (when.date, *when.others)
    ]
    return max((wait for wait in waits if wait is not None and wait <= most), default=None)


def _gathered(headers: Headers) -> dict[str, list[str]]:
    """The values by their names; one that is quoted as a whole, as some services write numbers, without its quotes."""
    values: dict[str, list[str]] = {}
    for name, value in headers:
        quoted = _QUOTED.fullmatch(value.strip())
        text = value.strip() if quoted is None else quoted[1].strip()
        values.setdefault(name.strip().lower().replace("_", "-"), []).append(text)
    return values


class _Group(NamedTuple):
    """What the headers of one window have in common: the beginning of their names, and what these say beside limit,
    remaining and reset."""

    family: str
    span: LimitSpan | None
    rest: str = ""


def _windows(values: dict[str, list[str]], when: _When) -> list[WindowFacts]:
    """Every window that the headers tell."""
    groups: dict[_Group, dict[str, _Texts]] = {}
    found: list[tuple[_Group, WindowFacts]] = []
    for name, texts in values.items():
        matched = _NAME.fullmatch(name) if "limit" in name else None
        if matched is not None and matched[2] is None:
            group = _Group(name + ":", None)  # not of the family RateLimit-Limit and so on
            policy = values.get(f"{name}-policy", [])
            _join(found, [(group, one) for one in _structured(", ".join(texts), ", ".join(policy), when)])
        elif matched is not None and (read := _read_name(matched[1], matched[2])) is not None:
            group, what, unit = read
            groups.setdefault(group, {}).setdefault(what, _Texts(_parts(texts), unit))
    for group, told in groups.items():
        _join(found, [(group, one) for one in _family(told, group, when)])
    windows = [window for _, window in found]
    return [_ending(window, windows) for window in windows]


def _read_name(family: str, words: str) -> tuple[_Group, str, float] | None:
    """Of which window a header speaks, and of what of it; None where that is neither limit, remainder nor reset."""
    parts = words.split("-")
    what = next((one for one in _WHATS if one in parts), None)
    if what is None or "policy" in parts or "retry" in parts:
        return None
    span = next((one for one in LimitSpan if one in parts), None)
    unit = next((_UNITS[part] for part in parts if part in _UNITS), 1.0)
    rest = [part for part in parts if part not in (*_WHATS, span) and part not in _NOTHING_NEW and part not in _UNITS]
    return _Group(family, span, "-".join(rest)), what, unit


def _join(found: list[tuple[_Group, WindowFacts]], told: list[tuple[_Group, WindowFacts]]) -> None:
    """Take in what one family of names tells; what is about a window that is known from another is put to it."""
    known = len(found)
    for group, window in told[: max(_MOST_WINDOWS - known, 0)]:
        same = (
            place
            for place, (other, one) in enumerate(found[:known])
            if other.family != group.family and other.rest == group.rest and _is_same(one, window)
        )
        place = next(same, None)
        if place is None:
            found.append((group, window))
        else:
            found[place] = found[place][0], _united(found[place][1], window)


def _is_same(one: WindowFacts, other: WindowFacts) -> bool:
    """Whether two families may speak of one window: neither its length nor its limit speaks against it, nor, where
    neither of them is told by both, what is left (one may count the request itself)."""
    spans, limits = {one.span, other.span} - {None}, {one.limit, other.limit} - {None}
    left = [facts.remaining for facts in (one, other) if facts.remaining is not None]
    untold = one.span is not other.span and one.limit != other.limit
    apart = untold and max(left, default=0) - min(left, default=0) > 1
    return len(spans) < 2 and len(limits) < 2 and not apart


def _united(one: WindowFacts, other: WindowFacts) -> WindowFacts:
    """One window by what two families say of it: the least that is left, the latest end. One that is used up until a
    moment before the answer has a wrong clock, and the other's end need not be its own: its end is not told."""
    left = [facts.remaining for facts in (one, other) if facts.remaining is not None]
    ends = [facts.opens_in for facts in (one, other) if facts.opens_in is not None]
    base = one if one.reset_in is not None and (one.mark is not None or other.mark is None) else other
    base = base if base.reset_in is not None else one
    if any(facts.remaining == 0 and facts.past for facts in (one, other)):
        base = replace(base, reset_in=None, mark=None, past=True)
    return replace(
        base,
        limit=one.limit if one.limit is not None else other.limit,
        remaining=min(left, default=None),
        span=one.span or other.span,
        late=max(ends, default=0.0) - (base.reset_in or 0.0),
    )


def _ending(window: WindowFacts, windows: list[WindowFacts]) -> WindowFacts:
    """A used up window whose end is not told lasts at least as long as what else is told: by headers that name no
    window, or, where its own length is known, by any, but no longer than that."""
    if window.remaining != 0 or window.reset_in is not None:
        return window
    length = None if window.span is None else LENGTHS[window.span]
    if length is not None and length <= 1.0:
        return replace(window, reset_in=length)
    told = [one.opens_in for one in windows if one.opens_in is not None and (length or one.remaining is None)]
    return replace(window, late=max(min(max(told, default=0.0), length or math.inf), window.late))


class _Texts(NamedTuple):
    """What the headers of one name say, and how many seconds a bare number in them counts."""

    texts: list[str]
    unit: float = 1.0


_NO_TEXTS = _Texts([])


def _family(told: dict[str, _Texts], group: _Group, when: _When) -> list[WindowFacts]:
    limits, remaining = (told.get(what, _NO_TEXTS).texts for what in ("limit", "remaining"))
    resets, unit = told.get("reset", _NO_TEXTS)
    other = bool(group.rest)
    if limits and len(limits) == len(remaining) and len(resets) in (0, 1, len(limits)):
        resets = resets * len(limits) if len(resets) == 1 else resets or [""] * len(limits)
        texts = zip(limits, remaining, resets, strict=True)
        return [
            _told(_limit(one), _count(left), _reset(end, when, unit), group.span, other) for one, left, end in texts
        ]
    # Several values that are no pairs: the first limit is the one in force, of the others the most careful reading.
    left = [count for count in map(_count, remaining) if count is not None]
    ends = [end for end in (_reset(text, when, unit) for text in resets) if end is not None]
    end = max(ends, default=None, key=lambda end: -1.0 if end.after is None else end.after + end.late)
    return [_told(_limit(limits[0]) if limits else None, min(left, default=None), end, group.span, other)]


def _parts(texts: list[str]) -> list[str]:
    joined = ", ".join(texts)
    if moment(joined) is not None:
        return [joined]
    return [part.strip() for part in joined.split(",") if part.strip()][:_MOST_VALUES]


def _structured(text: str, policy: str, when: _When) -> list[WindowFacts]:
    """`RateLimit: limit=, remaining=, reset=`, and its later form `"name";r=;t=` with the policy's `q` and `w`."""
    windows: list[WindowFacts] = []
    plain = dict(_PAIR.findall(text.lower()))
    if "=" in text.partition(";")[0]:  # no item begins without a name
        limit, left, end = (plain.get(word, plain.get(short, "")) for word, short in _WORDS)
        return [_told(_limit(limit), _count(left), _reset(end, when), None)]
    policies = dict(_items(policy))
    for name, item in _items(text)[:_MOST_VALUES]:
        about = policies.get(name, {})
        seconds = number(about.get("w", ""))
        span = None if seconds is None else _SPANS.get(seconds)
        limit, left, end = about.get("q", ""), item.get("r", ""), item.get("t", "")
        window = _told(_limit(limit), _count(left), _reset(end, when), span)
        if window.remaining is not None:
            windows.append(window)
    return windows


def _items(text: str) -> list[tuple[str, dict[str, str]]]:
    items = [part.strip().partition(";") for part in text.lower().split(",") if part.strip()]
    return [(name.strip(), dict(_PAIR.findall(rest))) for name, _, rest in items]


def _told(
    limit: int | None, remaining: int | None, end: _End | None, span: LimitSpan | None, other: bool = False
) -> WindowFacts:
    """A limit of nothing, or below it, is how some services write "no limit"; a remainder below nothing is nothing."""
    if remaining is not None:
        remaining = max(remaining, 0) if limit is None or limit > 0 else None
    limit = limit if limit is not None and limit > 0 else None
    after, mark, late = (None, None, 0.0) if end is None else end
    return WindowFacts(limit, remaining, after, mark, span, late, other, past=end is not None and after is None)


def _limit(text: str) -> int | None:
    """A limit may carry its policy: `60;w=60`."""
    return _count(text.partition(";")[0])


def _count(text: str) -> int | None:
    value = number(text)
    return None if value is None or abs(value) >= _MOST_REQUESTS else math.floor(value)


class _End(NamedTuple):
    """When a window ends: seconds `after` the answer (None if it is said to be over), the service's own epoch second if
    it gave one, and the seconds by which it may be later by another clock."""

    after: float | None
    mark: float | None = None
    late: float = 0.0


def _reset(text: str, when: _When, unit: float = 1.0) -> _End | None:
    """When a window ends; None for nonsense. `unit`: the seconds that a bare number counts."""
    value = number(text)
    if value is not None and 0 <= value < LONGEST_RESET:
        return _End(value * unit)
    at = moment(text) if value is None else epoch_moment(value)
    if at is None:
        after = duration(text)
        return _End(after) if after is not None and after < LONGEST_RESET else None
    ends = [at - clock for clock in (when.date, *when.others)]
    known = [max(end, 0.0) for end in ends if -1.0 <= end <= when.longest]
    if not known:
        return _End(None) if any(-SMALL_ERROR <= end < 0.0 for end in ends) else None
    return _End(known[0], at, max(known) - known[0])
