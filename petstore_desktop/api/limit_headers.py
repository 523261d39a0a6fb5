"""What an answer's headers say about limits, in every form that services use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

Headers: TypeAlias = Iterable[tuple[str, str]]
"""Names in any case, a repeated header as several pairs (httpx: `response.headers.multi_items()`)."""


class Span(StrEnum):
    """Which window a header names."""

    MINUTE = "minute"
    DAY = "day"


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
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """All windows an answer speaks of, and how far the service's clock is ahead of ours (seconds, None if unknown)."""

    windows: tuple[WindowFacts, ...] = ()
    skew: float | None = None


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """Of one answer, what the gate needs. `retry_after` is seconds after the answer, None if absent or unparsable;
    `code` and `message` are the error object's; `raw` is the redacted answer as text, for who wants to see it.
    """

    status: int
    limits: Limits = Limits()
    retry_after: float | None = None
    code: str | None = None
    message: str | None = None
    raw: str | None = None


def answer_facts(
    status: int,
    headers: Headers,
    *,
    wall: float,
    code: str | None = None,
    message: str | None = None,
    raw: str | None = None,
) -> AnswerFacts:
    """Read an answer's headers. `wall` is our clock (UTC epoch seconds) at the moment the answer came."""
    raise NotImplementedError
