"""The day that a document or a header names, in every form in use. What could mean two days is no day."""

from __future__ import annotations

import datetime
import email.utils
import re

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_LONGEST = 60
_FIRST_MILLISECONDS = 10**11
"""Epoch values from here on are milliseconds: as seconds they would be in the year 5138."""

_FORMS = (
    r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})",
    r"(?P<year>\d{4})[-/](?P<month>\d{1,2})",
    r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})",
    # Europe puts the day first, America the month: readable only where one of them can be no month, or both are one.
    r"(?P<day>1[3-9]|[2-9]\d)/(?P<month>\d{1,2})/(?P<year>\d{4})",
    r"(?P<month>\d{1,2})/(?P<day>1[3-9]|[2-9]\d)/(?P<year>\d{4})",
    r"0?(?P<day>\d{1,2})/0?(?P<month>(?P=day))/(?P<year>\d{4})",
    r"(?:[a-z]{3,9},? )?(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?[ -](?P<month>[a-z]{3,9})\.?,?[ -](?P<year>\d{4})",
    r"(?P<month>[a-z]{3,9})\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?,? (?P<year>\d{4})",
    r"(?P<month>[a-z]{3,9})\.?,? (?P<year>\d{4})",
)
"""A month alone means its first day: an early warning does no harm."""


def _month(word: str) -> int:
    """The month's number, 1 to 12; 0 if it is not a month."""
    named = [n for n, month in enumerate(_MONTHS, 1) if len(word) >= 3 and month.startswith(word)]
    return named[0] if named else 9 if word == "sept" else 0


def iso_day(value: object) -> str | None:
    """The day as an ISO date; None if it is not a date. A time counts as the day that it names; a number (epoch seconds
    or milliseconds, with or without `@`, RFC 9745) as its day in UTC."""
    if isinstance(value, datetime.datetime):
        return value.date().isoformat()
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _of_number(value)
    return _of_text(value.strip()) if isinstance(value, str) and len(value) <= _LONGEST else None


def _of_number(value: float) -> str | None:
    """YYYYMMDD as YAML reads it, or an epoch value."""
    if 19_000_101 <= value <= 99_991_231 and value == int(value):
        return _of_text(str(int(value)))
    seconds = value / 1000 if value >= _FIRST_MILLISECONDS else value
    if not 10**9 <= seconds < _FIRST_MILLISECONDS:
        return None
    moment = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC) + datetime.timedelta(seconds=seconds)
    return moment.date().isoformat()


def _of_text(text: str) -> str | None:
    digits = text.removeprefix("@")
    if digits.isascii() and digits.isdigit() and 9 < len(digits) < 14:
        return _of_number(int(digits))
    for read in (datetime.datetime.fromisoformat, email.utils.parsedate_to_datetime):
        try:
            return read(text).date().isoformat()
        except (ValueError, TypeError, IndexError, OverflowError):
            pass
    return next((day for form in _FORMS if (day := _of_form(form, text.lower()))), None)


def _of_form(form: str, text: str) -> str | None:
    found = re.fullmatch(form, text, re.ASCII)
    if found is None:
        return None
    said = found.groupdict()
    month = int(said["month"]) if said["month"].isdigit() else _month(said["month"])
    try:
        return datetime.date(int(said["year"]), month, int(said.get("day") or 1)).isoformat()
    except ValueError:
        return None
