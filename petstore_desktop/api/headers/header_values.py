"""Numbers and moments as they stand in headers: ASCII only, bounded, never guessed."""

from __future__ import annotations

import itertools
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FAR_AWAY = 2.0**31
"""Seconds that stand for every longer time (RFC 9111, 1.2.2)."""

LONGEST_RESET = 1e7
"""Seconds. A number from here on is a moment where one is near, and no length of time that anybody waits."""

_MILLISECONDS = 1e12
"""An epoch number from here on counts milliseconds."""
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?")
_MOST = 1e15
_UNITS = {"ms": 0.001, "msec": 0.001, "millisecond": 0.001, "s": 1.0, "sec": 1.0, "second": 1.0, "m": 60.0, "min": 60.0,
          "minute": 60.0, "h": 3_600.0, "hr": 3_600.0, "hour": 3_600.0, "d": 86_400.0, "day": 86_400.0}  # fmt: skip
"""Seconds. A bare "m" may stand for minutes or for thousandths: it is the longer of the two."""
_PART = r"([0-9]+(?:\.[0-9]*)?)\ *([a-z]+)"
_PARTS = re.compile(_PART, re.IGNORECASE)
_DURATION = re.compile(rf"\+?{_PART}(?:[\ ]*{_PART})*", re.IGNORECASE)
_ISO_DURATION = re.compile(r"\+?P((?:[0-9]+(?:\.[0-9]*)?D)?)(?:T((?:[0-9]+(?:\.[0-9]*)?[HMS])+))?", re.IGNORECASE)
_CLOCK_DURATION = re.compile(r"(?:([0-9]+)\.)?([0-9]{1,2}):([0-9]{2}):([0-9]{2}(?:\.[0-9]*)?)")
_HTTP_DATE = re.compile(r"[A-Za-z]{3,9},? [A-Za-z0-9 :-]{14,24}( GMT| UTC| [+-][0-9]{4})?")
_LEAP = re.compile(r"(:[0-5][0-9]):60(?![0-9])")
"""A leap second (RFC 9110, 5.6.7; ISO 8601), which Python does not know."""
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9:.]{5,15} ?([Zz]|[+-][0-9]{2}:?[0-9]{2})")


def number(text: str) -> float | None:
    """A decimal number in ASCII digits, with a sign and a fraction if there are any; None for anything else.

    However many digits there are, the answer is finite: it ends at 1e15, either way.
    """
    text = text.strip()
    return max(-_MOST, min(float(text), _MOST)) if _NUMBER.fullmatch(text) else None


def moment(text: str) -> float | None:
    """An HTTP date (RFC 9110, 5.6.7, all three forms) or an ISO 8601 time with its zone, as UTC epoch seconds."""
    text, leaps = _LEAP.subn(r"\1:59", text.strip(), count=1)
    try:
        if _ISO.fullmatch(text):
            return datetime.fromisoformat(text.upper().replace(" Z", "Z")).timestamp() + leaps
        if _HTTP_DATE.fullmatch(text):
            return _utc(parsedate_to_datetime(text)).timestamp() + leaps
    except (ValueError, TypeError, IndexError, OverflowError, OSError):
        return None
    return None


def epoch_moment(value: float) -> float | None:
    """UTC epoch seconds that a number of seconds or milliseconds stands for; None for one that is a length of time."""
    if value < LONGEST_RESET:
        return None
    return value / 1000.0 if value >= _MILLISECONDS else value


def duration(text: str, unit: float = 1.0) -> float | None:
    """Seconds of a length of time: a number of `unit` seconds (`600`, `+1.5`), numbers with their units (`600 sec`,
    `6m0s`, `1 min 30 s`), as a clock shows it (`00:01:30`, with its days `1.00:00:00`), or ISO 8601 (`PT15M`); None for
    anything else, and below nothing."""
    text = text.strip()
    value = number(text)
    if value is not None:
        return value * unit if value >= 0 and not text.startswith("-") else None
    if (clock := _CLOCK_DURATION.fullmatch(text)) is not None:
        days, hours, minutes, seconds = (float(part) for part in clock.groups("0"))
        return min(((days * 24 + hours) * 60 + minutes) * 60 + seconds, _MOST)
    iso = _ISO_DURATION.fullmatch(text)
    if iso is None and not _DURATION.fullmatch(text):
        return None
    parts = [
        (float(count), _unit(name.lower())) for count, name in _PARTS.findall("".join(iso.groups("")) if iso else text)
    ]
    known = [count * seconds for count, seconds in parts if seconds is not None]
    return min(sum(known), _MOST) if known and len(known) == len(parts) else None


def _unit(name: str) -> float | None:
    return _UNITS.get(name, _UNITS.get(name.removesuffix("s")))


def seconds_until(text: str, *, date: float, unit: float = 1.0) -> float | None:
    """What a Retry-After value asks for: seconds from `date`, the service's own time of the answer; None if unusable.

    RFC 9110, 10.2.3: whole seconds or an HTTP date; every other form of a `duration` is put up with, and an epoch
    number that is near `date`. A moment that is past is no usable wait, for a wrong clock says the same. Of several
    values the longest counts.
    """
    lengths = [length for length in (duration(part, unit) for part in text.split(",")) if length is not None]
    moments = [at for at in map(moment, _one_by_one(text)) if at is not None]
    waits = [at - date for at in moments] + [_after(length, date) for length in lengths]
    return min(max(waits), FAR_AWAY) if waits and max(waits) >= 0.0 else None


def _after(length: float, date: float) -> float:
    """The seconds after `date`, below nothing for a moment before it: of a length of time, or of an epoch number."""
    at = epoch_moment(length)
    return length if at is None or abs(at - date) >= LONGEST_RESET else at - date


def _one_by_one(text: str) -> list[str]:
    """The values of a list; two of the forms of a date have a comma of their own."""
    parts = text.split(",")
    return [*parts, *(",".join(pair) for pair in itertools.pairwise(parts))]


def _utc(date: datetime) -> datetime:
    """The oldest form of an HTTP date names no zone, and means UTC."""
    return date.replace(tzinfo=UTC) if date.tzinfo is None else date
