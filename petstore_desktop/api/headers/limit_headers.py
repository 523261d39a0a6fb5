"""What an answer's headers say about limits, in every form that services use."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import field
from enum import StrEnum
from itertools import chain
from typing import NamedTuple, TypeAlias

from petstore_desktop.api.headers.header_values import moment, number, seconds_until
from petstore_desktop.quicker.dataclass import dataclass

Headers: TypeAlias = Iterable[tuple[str, str]]
"""Names in any case, a repeated header as several pairs (httpx: `response.headers.multi_items()`)."""


LONGEST_RESET = 1e7
LONGEST_UNDATED_RESET = 26 * 3_600.0
"""Seconds. Without the service's own Date, a moment further away than a day more likely means a wrong clock of ours."""

SMALL_ERROR = 3_600.0
"""Seconds. Of two clocks that are less apart either may be wrong; of others the answer's own is right."""

_PAIR = re.compile(r"([a-z]+)\s*=\s*([^\s;,=]+)")
_MOST_REQUESTS = 1e12
_MOST_VALUES = 8
_MILLISECONDS = 1e12
"""An epoch number from here on counts milliseconds. One that is not near the answer's time is no moment at all."""


class LimitSpan(StrEnum):
    """Which window a header names."""

    MINUTE = "minute"
    DAY = "day"


def _headers(family: str, span: LimitSpan | None) -> tuple[tuple[str, ...], ...]:
    """The names of the headers of a window's limit, remainder and reset."""
    forms = ("{family}-{what}",) if span is None else ("{family}-{what}-{span}", "{family}-{span}-{what}")
    whats = ("limit", "remaining", "reset")
    return tuple(tuple(form.format(family=family, what=what, span=span) for form in forms) for what in whats)


_FAMILIES = ("x-ratelimit", "x-rate-limit", "ratelimit")
_WINDOWS = {
    span: tuple(_headers(family, span) for family in _FAMILIES) for span in (None, LimitSpan.MINUTE, LimitSpan.DAY)
}


@dataclass(frozen=True, slots=True)
class WindowFacts:
    """One window as one answer tells it: requests, and `reset_in` seconds after the answer.

    `mark` is the reset as the service wrote it (epoch seconds by the service's clock), which tells one window from the
    next; None where the service gave a distance. `span` is None where the header does not say which window it means.
    """

    limit: int | None = None
    remaining: int | None = None
    reset_in: float | None = None
    mark: float | None = None
    span: LimitSpan | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """All windows an answer speaks of, and how far the service's clock is ahead of ours (seconds, None if unknown)."""

    windows: tuple[WindowFacts, ...] = ()
    skew: float | None = None


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """Of one answer, what the gate needs. `retry_after` is seconds after the answer, None if absent or unparsable;
    `code` and `message` are the error object's, the code as it came, to decide by and never to be shown or kept; `raw`
    is the redacted answer as text, for who wants to see it.
    """

    status: int
    limits: Limits = Limits()
    retry_after: float | None = None
    code: str | None = field(default=None, repr=False)
    message: str | None = None
    raw: str | None = None


def answer_facts(
    status: int,
    headers: Headers,
    *,
    wall: float,
    known: float | None = None,
    code: str | None = None,
    message: str | None = None,
    raw: str | None = None,
) -> AnswerFacts:
    """Read an answer's headers. `wall` is our clock (UTC epoch seconds) at the moment the answer came; `known` is the
    service's, as far as earlier answers told it, for one that does not say its time."""
    values = _gathered(headers)
    told = [at for at in map(moment, values.get("date", [])) if at is not None]
    date = told[0] if told else known
    when = _When(wall, LONGEST_UNDATED_RESET) if date is None else _When(date, LONGEST_RESET)
    limits = Limits(tuple(_windows(values, when)), skew=when.date - wall if told else None)
    return AnswerFacts(status, limits, _retry_after(values, when, known, wall), code, message, raw)


def _retry_after(values: dict[str, list[str]], when: _When, known: float | None, wall: float) -> float | None:
    """Seconds after the answer. A moment is taken against each clock that may be right; the longest wait counts."""
    others = (clock for clock in (known, wall) if clock is not None)
    clocks = [when.date, *(clock for clock in others if abs(clock - when.date) < SMALL_ERROR)]
    text = ", ".join(values.get("retry-after", []))
    waits = [wait for clock in clocks if (wait := seconds_until(text, date=clock)) is not None]
    return max(waits, default=None)


class _When(NamedTuple):
    """The time of the answer (UTC epoch seconds), and how far away a reset may be to be believed (seconds)."""

    date: float
    longest: float


def _gathered(headers: Headers) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for name, value in headers:
        values.setdefault(name.strip().lower(), []).append(value.strip())
    return values


def _windows(values: dict[str, list[str]], when: _When) -> list[WindowFacts]:
    """Every window that the headers tell: unnamed, of the minute, of the day; each from the first family of names that
    has it."""
    found: list[WindowFacts] = []
    for span, families in _WINDOWS.items():
        named = (names for names in families if not values.keys().isdisjoint(chain.from_iterable(names)))
        found += next((windows for names in named if (windows := _family(values, names, span, when))), ())
    return found or _structured(values, when)


def _family(
    values: dict[str, list[str]], names: tuple[tuple[str, ...], ...], span: LimitSpan | None, when: _When
) -> list[WindowFacts]:
    limits, remaining, resets = (_parts(values, forms) for forms in names)
    if not remaining and not limits and not resets:
        return []
    if limits and len(limits) == len(remaining) and len(resets) in (0, 1, len(limits)):
        resets = resets * len(limits) if len(resets) == 1 else resets or [""] * len(limits)
        return [_window(*texts, span, when) for texts in zip(limits, remaining, resets, strict=True)]
    # Several values that are no pairs: the first limit is the one in force, of the others the most careful reading.
    left = [count for count in map(_count, remaining) if count is not None]
    ends = [(after, mark) for after, mark in (_reset(text, when) for text in resets) if after is not None]
    reset_in, mark = max(ends, default=(None, None), key=lambda end: end[0])
    return [_told(_limit(limits[0]) if limits else None, min(left, default=None), reset_in, mark, span)]


def _parts(values: dict[str, list[str]], names: tuple[str, ...]) -> list[str]:
    for name in names:
        if texts := values.get(name):
            joined = ", ".join(texts)
            if moment(joined) is not None:
                return [joined]
            return [part.strip() for part in joined.split(",") if part.strip()][:_MOST_VALUES]
    return []


def _structured(values: dict[str, list[str]], when: _When) -> list[WindowFacts]:
    """`RateLimit: limit=, remaining=, reset=`, and its later form `"name";r=;t=` with the policy's `q` and `w`."""
    windows: list[WindowFacts] = []
    policies = dict(_items(", ".join(values.get("ratelimit-policy", []))))
    text = ", ".join(values.get("ratelimit", []))
    plain = dict(_PAIR.findall(text.lower()))
    if "remaining" in plain or "limit" in plain:
        return [_window(plain.get("limit", ""), plain.get("remaining", ""), plain.get("reset", ""), None, when)]
    for name, item in _items(text)[:_MOST_VALUES]:
        policy = policies.get(name, {})
        seconds = number(policy.get("w", ""))
        span = {60.0: LimitSpan.MINUTE, 86_400.0: LimitSpan.DAY}.get(seconds) if seconds is not None else None
        window = _window(policy.get("q", ""), item.get("r", ""), item.get("t", ""), span, when)
        if window.remaining is not None:
            windows.append(window)
    return windows


def _items(text: str) -> list[tuple[str, dict[str, str]]]:
    items = [part.strip().partition(";") for part in text.lower().split(",") if part.strip()]
    return [(name.strip(), dict(_PAIR.findall(rest))) for name, _, rest in items]


def _window(limit: str, remaining: str, reset: str, span: LimitSpan | None, when: _When) -> WindowFacts:
    return _told(_limit(limit), _count(remaining), *_reset(reset, when), span)


def _told(
    limit: int | None, remaining: int | None, reset_in: float | None, mark: float | None, span: LimitSpan | None
) -> WindowFacts:
    """A limit of nothing, or below it, is how some services write "no limit"; a remainder below nothing is nothing."""
    if remaining is not None:
        remaining = max(remaining, 0) if limit is None or limit > 0 else None
    return WindowFacts(limit if limit is not None and limit > 0 else None, remaining, reset_in, mark, span)


def _limit(text: str) -> int | None:
    """A limit may carry its policy: `60;w=60`."""
    return _count(text.partition(";")[0])


def _count(text: str) -> int | None:
    value = number(text)
    return None if value is None or abs(value) >= _MOST_REQUESTS else math.floor(value)


def _reset(text: str, when: _When) -> tuple[float | None, float | None]:
    """Seconds after the answer, and the service's own epoch second if it gave one; (None, None) for nonsense."""
    at = moment(text)
    value = number(text)
    if at is None and value is not None:
        if 0 <= value < LONGEST_RESET:
            return value, None
        at = value / 1000.0 if value >= _MILLISECONDS else value
    if at is None or not -1.0 <= at - when.date <= when.longest:
        return None, None
    return max(at - when.date, 0.0), at
