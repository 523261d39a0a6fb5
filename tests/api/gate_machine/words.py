"""How the model service words its windows and its waits: every form of header, and rubbish in each.

A wording returns the headers and what a careful reader knows from them, so that nothing here parses anything.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import formatdate
from typing import Protocol, TypeAlias, TypeVar

from petstore_desktop.domain.quota import LimitSpan
from tests.api.gate_machine.service import JITTER, LENGTHS, NEARLY, Sent, Told

SERVICE_WALL = 1_763_700_000.25
FOR_EVER = 2.0**31
"""Seconds that 5,000 digits stand for."""

Headers: TypeAlias = list[tuple[str, str]]
T = TypeVar("T")


class Chance(Protocol):
    """Where a move gets its arguments from: dice, or Hypothesis."""

    def choice(self, options: list[T]) -> T: ...


RUBBISH = ["", "²", "soon", "٣", "5 x", "+-5", "0x10", "1e3", "nan", "--"]
"""No number of any kind, to anybody."""

NO_WAIT = [*RUBBISH, "-3", "-0.5", "Fri, 21 Nov 2025 25:00:00 GMT", "Sun, 09 Mar 2025 02:30:61 GMT", "5x, soon",
           "Thu, 01 Jan 1970 00:00:00 GMT", "2025-11-21T04:41:00"]  # fmt: skip
"""A Retry-After that says nothing: no number, below nothing, an hour that does not exist, long past, without zone."""


def whole(at: float) -> int:
    """The service's clock, as services write it: whole seconds, rounded down."""
    return int(at + SERVICE_WALL)


def http_date(at: float) -> str:
    return formatdate(whole(at), usegmt=True)


def _iso(at: float) -> str:
    return datetime.fromtimestamp(whole(at), UTC).isoformat().replace("+00:00", "Z")


MOMENTS: dict[str, Callable[[float], str]] = {
    "epoch": lambda ends: str(whole(ends)),
    "ms": lambda ends: str(whole(ends) * 1000),
    "iso": _iso,
    "http": http_date,
}
FORMS = [*MOMENTS, "delta"]
"""How a reset is written: as a moment, or as the distance to it."""

UNITS: dict[str, Callable[[int], str]] = {
    "bare": str,
    "sign": lambda seconds: f"+{seconds}",
    "letter": lambda seconds: f"{seconds}s",
    "word": lambda seconds: f"{seconds} seconds",
    "go": lambda seconds: f"{seconds // 3600}h{seconds % 3600 // 60}m{seconds % 60}s",
    "minutes": lambda seconds: f"{seconds // 60}m{seconds % 60}s",
    "iso": lambda seconds: f"PT{seconds // 60}M{seconds % 60}S",
}
"""How a distance is written."""

SIGNS: dict[str, Callable[[int], str]] = {
    "none": str,
    "plus": lambda count: f"+{count}",
    "below": lambda count: str(count or -1),
    "fraction": lambda count: f"{count}.0",
}
"""How a remainder is written."""

SECONDS_OF_A_WINDOW = [1, 2, 5, 10, 30, 59, 60, 61, 62, 63, 70, 75, 90, 91, 120, 300, 900, 1_800, 3_600, 7_200]
SECOND_FAMILIES = ["", "hour", "second", "items", "items without a limit", "other names"]


@dataclass(frozen=True, slots=True)
class Odd:
    """What a service does that others do not: a window of another `length` than a minute, another `unit` and `sign` of
    numbers, a Date whose clock is `ahead` of the one by which windows end, and a `family` of headers more, which speaks
    of one window more, of `more_length` seconds."""

    length: float = 60.0
    unit: str = "bare"
    sign: str = "none"
    ahead: float = 0.0
    family: str = ""
    more_length: float = 60.0

    @property
    def sure(self) -> bool:
        """Whether every reader knows which window is which."""
        return self.length == 60.0 and self.family in ("", "hour", "second") and not self.ahead


PLAIN = Odd()
MORE = LimitSpan.HOUR
"""Where the one window more is found, whatever its length."""


def an_odd_service(chance: Chance, style: str) -> Odd:
    """One of three services is odd."""
    if chance.choice([True, False, False]):
        families = [
            one for one in SECOND_FAMILIES if one[:5] != "items" or style not in ("structured", "combined", *_BARE)
        ]
        family = chance.choice(families)
        fixed = {"hour": 3_600, "second": 1}.get(family)
        return Odd(
            float(chance.choice(SECONDS_OF_A_WINDOW)),
            chance.choice(list(UNITS)) if style not in ("structured", "combined") else "bare",
            chance.choice(list(SIGNS)),
            chance.choice([0.0, 0.0, 30.0, 90.0, 600.0, -90.0]),
            family,
            float(fixed or chance.choice(SECONDS_OF_A_WINDOW)),
        )
    return PLAIN


_BARE = ("no reset", "pairs-bare", "silent")

STYLES = [
    *(f"minute-{form}" for form in FORMS),
    *(f"day-{form}" for form in FORMS),
    "pairs",
    "pairs-bare",
    "named",
    "structured",
    "combined",
    "no reset",
    "silent",
]
"""How a service words its windows; one service keeps to one style."""

DISTANCES = ("structured", "combined", "minute-delta", "day-delta")
"""Those that tell how far the reset is, not when."""

_PREFIX = {
    "epoch": "X-RateLimit",
    "delta": "RateLimit",
    "ms": "X-Rate-Limit",
    "iso": "x-ratelimit",
    "http": "X-RateLimit",
}


def windows(
    style: str,
    sent: Sent,
    now: float,
    garbled: str | None,
    chance: Chance | None,
    odd: Odd = PLAIN,
    clocks: tuple[float, ...] = (),
) -> tuple[Headers, dict[LimitSpan, Told]]:
    """The headers of an answer that comes now, and what they tell; `garbled`: limit, remaining or reset is rubbish.
    `clocks`: what time it is by others than the answer's Date, in the service's seconds."""
    headers, told = _plain_windows(style, sent, now, garbled, chance, odd, clocks) if style != "silent" else ([], {})
    if odd.family and MORE in sent.told:
        more, its = _window_more(style, sent, now, odd, clocks)
        headers, told = [*headers, *more], {**told, MORE: its}
    return headers, told


def _window_more(style: str, sent: Sent, now: float, odd: Odd, clocks: tuple[float, ...]) -> tuple[Headers, Told]:
    """What the second family of names says."""
    window = sent.told[MORE]
    words = [str(window.limit), SIGNS[odd.sign](window.remaining or 0), UNITS[odd.unit](int(window.truly - sent.made))]
    told = _read(window, "delta", sent.made, now, odd, clocks)
    match odd.family:
        case "items":
            return [
                ("RateLimit-Policy", f'"more";q={words[0]}'),
                ("RateLimit", f'"more";r={words[1]};t={words[2]}'),
            ], told
        case "items without a limit":
            return [("RateLimit", f"r={words[1]};t={int(told.reset_in or 0)}")], told
        case "other names":
            prefix = "RateLimit" if style.endswith("ms") else "X-Rate-Limit"
            names = [f"{prefix}-{name}" for name in ("Limit", "Remaining", "Reset-After")]
        case span:
            names = [f"X-RateLimit-{name}-{span.title()}" for name in ("Limit", "Remaining", "Reset")]
    if odd.family == "second":  # which need not tell when it ends
        told = replace(told, reset_in=1.0, due=min(window.truly, now + 1.0))
        names, words = names[:2], words[:2]
    return list(zip(names, words, strict=True)), told


def _plain_windows(
    style: str,
    sent: Sent,
    now: float,
    garbled: str | None,
    chance: Chance | None,
    odd: Odd,
    clocks: tuple[float, ...],
) -> tuple[Headers, dict[LimitSpan, Told]]:
    spans = list(LENGTHS) if style.partition("-")[0] in ("pairs", "named", "structured") else [_span(style)]
    form = "delta" if style in DISTANCES else style.partition("-")[2]
    form = form if form in FORMS else "epoch"
    facts = {span: _read(sent.told[span], form, sent.made, now, odd, clocks) for span in spans}
    texts = {
        span: [
            str(window.limit), SIGNS[odd.sign](window.remaining or 0), _reset(form, window.truly, sent.made, odd.unit)
        ]
        for span, window in facts.items()
    }  # fmt: skip
    if style in ("no reset", "pairs-bare"):
        texts = {span: words[:2] for span, words in texts.items()}
        facts = {span: replace(window, reset_in=None, ends=None) for span, window in facts.items()}
    if garbled is not None and chance is not None:
        facts = {span: _garble(texts[span], garbled, style, window, chance) for span, window in facts.items()}
    if style == "structured":  # which is nothing without a remainder
        facts = {span: window for span, window in facts.items() if window.remaining is not None}
    return _headers(style, form, texts), facts


def _reset(form: str, ends: float, made: float, unit: str) -> str:
    return UNITS[unit](int(ends - made)) if form == "delta" else MOMENTS[form](ends)


CLOCK_ERROR = 3_600.0
"""Seconds by which two clocks may differ of which either may be right."""


def _read(window: Told, form: str, made: float, now: float, odd: Odd, clocks: tuple[float, ...]) -> Told:
    """The window as a careful reader knows it: by the service's clock where it tells its own, else by the distance; of
    clocks that disagree the one that makes it the longest."""
    if form == "delta":
        after = float(int(window.truly - made))
        until = now + after + JITTER
        return replace(
            window, reset_in=after, ends=now + after, until=until, loose=NEARLY, due=window.truly, shown=now + after
        )
    date = float(whole(made + odd.ahead))
    right = [date, *(clock + SERVICE_WALL for clock in clocks if abs(clock + SERVICE_WALL - date) < CLOCK_ERROR)]
    ends = float(whole(window.truly))
    waits = [max(ends - clock, 0.0) for clock in right if ends - clock >= -1.0]
    if not waits:
        return replace(window, reset_in=None, ends=None)
    wrong = min([max(odd.ahead, 0.0), *(max(clock - now, 0.0) for clock in clocks if clock + SERVICE_WALL in right)])
    until = now + max(waits) + JITTER
    shown = now + max(ends - date, 0.0) if ends - date >= -1.0 else math.inf
    return replace(window, reset_in=max(waits), ends=ends, until=until, due=window.truly - wrong, shown=shown)


def _span(style: str) -> LimitSpan:
    return LimitSpan.DAY if style.startswith("day") else LimitSpan.MINUTE


def _garble(texts: list[str], garbled: str, style: str, window: Told, chance: Chance) -> Told:
    """Replace one of limit, remaining, reset by rubbish, and say what is left of the window."""
    index = ("limit", "remaining", "reset").index(garbled)
    if index >= len(texts):
        return window
    spoken = style in ("structured", "combined")  # where a space or nothing would end the item
    texts[index] = "²" if spoken else chance.choice(RUBBISH)
    if style.startswith("pairs") and not texts[index]:
        texts[index] = "²"
    if index == 2:
        return replace(window, reset_in=None, ends=None)
    return replace(window, limit=None) if index == 0 else replace(window, remaining=None)


def _headers(style: str, form: str, texts: dict[LimitSpan, list[str]]) -> Headers:
    names = ("Limit", "Remaining", "Reset")
    if style == "structured":
        policy = ", ".join(f'"{span}";q={words[0]};w={LENGTHS[span]:.0f}' for span, words in texts.items())
        items = ", ".join(f'"{span}";r={words[1]};t={words[2]}' for span, words in texts.items())
        return [("RateLimit-Policy", policy), ("RateLimit", items)]
    if style == "combined":
        (words,) = texts.values()
        return [("RateLimit", f"limit={words[0]}, remaining={words[1]}, reset={words[2]}")]
    if style.startswith("named"):
        return [
            (f"X-RateLimit-{name}-{span.title()}", word)
            for span, words in texts.items()
            for name, word in zip(names, words, strict=False)
        ]
    columns = zip(*texts.values(), strict=True)
    return [(f"{_PREFIX[form]}-{name}", ", ".join(words)) for name, words in zip(names, columns, strict=False)]


def wait(seconds: int, made: float, form: str) -> tuple[str, float]:
    """A Retry-After in one of its forms, and the seconds after the answer that it asks for at least."""
    match form:
        case "date":
            return http_date(made + seconds), float(seconds)
        case "float":
            return f"{seconds}.5", seconds + 0.5
        case "two":
            return f"{seconds}, {seconds // 2}", float(seconds)
        case "unit":
            return f"+{seconds} Seconds", float(seconds)
        case "minutes" | "iso":
            return UNITS[form](seconds), float(seconds)
        case "zeros":
            return "0" * 5_000 + str(seconds), float(seconds)
        case "digits":
            return "9" * 5_000, FOR_EVER
        case _:
            return str(seconds), float(seconds)
