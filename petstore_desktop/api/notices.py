"""What answers say about an operation's end: the Deprecation (RFC 9745) and Sunset (RFC 8594) headers."""

from __future__ import annotations

import datetime
import email.utils
from dataclasses import dataclass

from petstore_desktop.api.transport import Answer


@dataclass(frozen=True, slots=True)
class Notice:
    """One operation's notice. Times are UTC epoch seconds, None where not said or not readable; `deprecated_at` may lie
    ahead. `successor` is the target of `Link: rel=successor-version` (RFC 5829)."""

    deprecated: bool = False
    deprecated_at: float | None = None
    sunset_at: float | None = None
    successor: str | None = None


def notice_of(answer: Answer) -> Notice | None:
    """The notice that an answer carries, if it carries one."""
    said = answer.headers.get("deprecation", "").strip()
    sunset_at = _http_date(answer.headers.get("sunset", ""))
    deprecated = bool(said) and said.lower() != "false"
    if not deprecated and sunset_at is None:
        return None
    return Notice(deprecated, _deprecated_at(said), sunset_at, answer.links.get("successor-version"))


def _deprecated_at(said: str) -> float | None:
    digits = said.removeprefix("@")
    if said.startswith("@") and digits.isascii() and digits.isdigit() and len(digits) < 13:
        return float(digits)
    return _http_date(said)  # the drafts before RFC 9745 had a date, or the word true


def _http_date(said: str) -> float | None:
    try:
        moment = email.utils.parsedate_to_datetime(said.strip())
        return moment.replace(tzinfo=moment.tzinfo or datetime.UTC).timestamp()
    except (ValueError, OverflowError):
        return None
