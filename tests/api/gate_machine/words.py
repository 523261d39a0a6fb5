"""How the model service words its windows and its waits: every form of header, and rubbish in each.

A wording returns the headers and what a careful reader knows from them, so that nothing here parses anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import formatdate
from typing import Protocol, TypeAlias, TypeVar

from petstore_desktop.api.headers.limit_headers import LimitSpan
from tests.api.gate_machine.service import JITTER, LENGTHS, NEARLY, Sent, Told

SERVICE_WALL = 1_763_700_000.25
FOR_EVER = 2.0**31
"""Seconds that 5,000 digits stand for."""

Headers: TypeAlias = list[tuple[str, str]]
T = TypeVar("T")


class Chance(Protocol):
    """Where a move gets its arguments from: dice, or Hypothesis."""

    def choice(self, options: list[T]) -> T: ...


RUBBISH = ["", "²", "soon", "٣", "5 m", "+-5", "0x10", "1e3", "nan", "--"]
"""No number of any kind, to anybody."""

NO_WAIT = [*RUBBISH, "-3", "-0.5", "Fri, 21 Nov 2025 25:00:00 GMT", "Sun, 09 Mar 2025 02:30:61 GMT", "5m, soon",
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
    style: str, sent: Sent, now: float, garbled: str | None, chance: Chance | None
) -> tuple[Headers, dict[LimitSpan, Told]]:
    """The headers of an answer that comes now, and what they tell; `garbled`: limit, remaining or reset is rubbish."""
    if style == "silent":
        return [], {}
    spans = list(LimitSpan) if style.partition("-")[0] in ("pairs", "named", "structured") else [_span(style)]
    form = "delta" if style in DISTANCES else style.partition("-")[2]
    form = form if form in FORMS else "epoch"
    facts = {span: _read(sent.told[span], form, sent.made, now) for span in spans}
    texts = {
        span: [str(window.limit), str(window.remaining), _reset(form, window.truly, sent.made)]
        for span, window in facts.items()
    }
    if style in ("no reset", "pairs-bare"):
        texts = {span: words[:2] for span, words in texts.items()}
        facts = {span: replace(window, reset_in=None, ends=None) for span, window in facts.items()}
    if garbled is not None and chance is not None:
        facts = {span: _garble(texts[span], garbled, style, window, chance) for span, window in facts.items()}
    if style == "structured":  # which is nothing without a remainder
        facts = {span: window for span, window in facts.items() if window.remaining is not None}
    return _headers(style, form, texts), facts


def _reset(form: str, ends: float, made: float) -> str:
    return str(int(ends - made)) if form == "delta" else MOMENTS[form](ends)


def _read(window: Told, form: str, made: float, now: float) -> Told:
    """The window as a careful reader knows it: by the service's clock where it tells its own, else by the distance."""
    if form == "delta":
        distance = float(int(window.truly - made))
        return replace(window, reset_in=distance, ends=now + distance, until=now + distance + JITTER, loose=NEARLY)
    distance = float(whole(window.truly) - whole(made))
    return replace(window, reset_in=distance, ends=float(whole(window.truly)), until=now + distance + JITTER)


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
        case "zeros":
            return "0" * 5_000 + str(seconds), float(seconds)
        case "digits":
            return "9" * 5_000, FOR_EVER
        case _:
            return str(seconds), float(seconds)
