"""Texts for sent requests: for whom, the answer, and the duration."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from petstore_desktop.domain.quota import RequestClass, SentRequest
from petstore_desktop.ui.base.theme import Tone
from petstore_desktop.ui.text.times import clock_time, countdown, day, local
from petstore_desktop.ui.text.translate import DASH, locale, tr

_AT_ONCE_S = 0.05
"""Waits below this (seconds) are not shown."""
Outcome = tuple[str, str, Tone]
"""Words, icon, tone."""


def class_words(cls: RequestClass) -> str:
    """For whom a request was sent."""
    return {
        RequestClass.PERSON: tr("person"),
        RequestClass.CHANGES: tr("changes"),
        RequestClass.VISIBLE: tr("refresh on screen"),
        RequestClass.BACKGROUND: tr("background"),
    }[cls]


_BY_STATUS: Mapping[int, Callable[[], tuple[str, Tone]]] = {
    304: lambda: (tr("unchanged"), "ok"),
    401: lambda: (tr("key not accepted"), "bad"),
    403: lambda: (tr("not allowed"), "bad"),
    404: lambda: (tr("not there"), "bad"),
    409: lambda: (tr("changed elsewhere"), "bad"),
    410: lambda: (tr("not there"), "bad"),
    412: lambda: (tr("changed elsewhere"), "bad"),
    429: lambda: (tr("too many requests"), "wait"),
    503: lambda: (tr("not available"), "bad"),
}
_ICONS: Mapping[Tone, str] = {"ok": "sent", "wait": "pause", "bad": "refused", "done": "uncertain"}


def outcome_words(sent: SentRequest) -> Outcome:
    """The answer in words with its status number; or why there was none."""
    if sent.status is None:
        tone: Tone = "done" if sent.lost == "cancelled" else "bad"
        return tr("no answer: {why}", why=lost_words(sent.lost)), "uncertain", tone
    words, tone = _status(sent.status)
    said = tr("{words} {status}", "a status in words and its number", words=words, status=sent.status)
    if sent.lost:
        return tr("{answer}, then {why}", answer=said, why=lost_words(sent.lost)), "uncertain", "bad"
    return said, _ICONS[tone], tone


def _status(status: int) -> tuple[str, Tone]:
    known = _BY_STATUS.get(status)
    if known is not None:
        return known()
    if 200 <= status < 300:
        return tr("answered"), "ok"
    if status < 400:
        return tr("sent elsewhere"), "bad"
    return (tr("refused") if status < 500 else tr("failed there")), "bad"


def lost_words(lost: str) -> str:
    """Why no answer, or not the whole of it, came."""
    known: Mapping[str, Callable[[], str]] = {
        "timeout": lambda: tr("timed out"),
        "deadline": lambda: tr("took too long"),
        "cancelled": lambda: tr("cancelled"),
        "unusable": lambda: tr("not readable"),
        "tls": lambda: tr("not secure"),
        "proxy": lambda: tr("stopped by the proxy"),
    }
    found = known.get(lost)
    return found() if found is not None else tr("broken off")


def took_words(seconds: float) -> str:
    """`84 ms`, `1.24 s`, `12.3 s`, from a minute on `1:05`."""
    if seconds < 1:
        return tr("{n} ms", "", round(seconds * 1000))
    if seconds >= 60:
        return countdown(seconds)
    return tr("{number} s", "seconds", number=locale().toString(_cut(seconds), "f", 2 if seconds < 10 else 1))


def _cut(seconds: float) -> float:
    """Not rounded up to the next form: 9.999 is no 10.00."""
    digits = 100 if seconds < 10 else 10
    return math.floor(seconds * digits) / digits


def waited_words(seconds: float) -> str:
    """How long it waited at the gate; a dash for a wait that is too short to notice."""
    return DASH if seconds < _AT_ONCE_S else took_words(seconds)


def sent_at(epoch_s: float, now_s: float) -> str:
    """`14:02:32`, on another day with its name."""
    then, today = local(epoch_s).date(), local(now_s).date()
    time = clock_time(epoch_s, seconds=True)
    return time if then == today else tr("{day} {time}", day=day(then, today), time=time)


def counts_today(total: int, refused: int) -> str:
    """`212 today, 3 refused for too many requests`."""
    if not total:
        return tr("none today")
    said = tr("{n} today", "", total)
    if not refused:
        return said
    return tr(
        "{sent}, {n} refused for too many requests",
        "",
        refused,
        sent=said,
        one="{sent}, {n} refused for too many requests",
    )
