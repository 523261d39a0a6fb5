"""Requests as text for a mail to support, without personal data: no key; of addresses only words of the service's
document, numbers, and names of parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from PySide6.QtCore import QCoreApplication

from petstore_desktop.domain.quota import SentRequest
from petstore_desktop.log import redact, redact_sentence
from petstore_desktop.ui.text.changes.requests import class_words, lost_words
from petstore_desktop.ui.text.times import local
from petstore_desktop.ui.text.translate import tr

if TYPE_CHECKING:
    from petstore_desktop.preferences import Profile

LEFT_OUT = "…"
_NUMBER = re.compile(r"[0-9]{1,20}")
_PLAIN = re.compile(r"v[0-9]{1,3}|[A-Za-z][A-Za-z_.-]{0,40}")


def requests_text(requests: Iterable[SentRequest], profile: Profile, now: float) -> str:
    """A line about program, connection and time zone, a line of headings, and a tab-separated line for each."""
    # Thousands of requests have a handful of paths: five thousand lines are made in 50 ms.
    path, who = cache(_shown), cache(class_words)
    lines = [redact_sentence(_about(profile, now)), "\t".join(_headings())]
    lines += ["\t".join(_fields(sent, path(sent.path), who(sent.cls))) for sent in requests]
    return "\n".join(lines)


def _shown(path: str) -> str:
    return redact(path_without_names(path))


def _about(profile: Profile, now: float) -> str:
    here = local(now)
    parts = (
        f"Pet Store Desktop {QCoreApplication.applicationVersion()}",
        tr("demo shop") if profile.demo else _host(profile.url),
        tr("plan {plan}", plan=profile.plan) if profile.plan else tr("plan not known"),
        tr("times in {zone}", zone=f"{here.tzname()} (UTC{here:%z})"),
        tr("copied {time}", time=here.isoformat(timespec="seconds")),
    )
    return tr(", ", "between parts of a line").join(parts)


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.rpartition("@")[2]
    except ValueError:
        return LEFT_OUT


def _headings() -> tuple[str, ...]:
    return (
        tr("Time"),
        tr("For"),
        tr("Method"),
        tr("Path"),
        tr("Status"),
        tr("No answer"),
        tr("Took, s"),
        tr("Waited, s"),
        tr("Test after a pause"),
    )


def _fields(sent: SentRequest, path: str, who: str) -> tuple[str, ...]:
    return (
        local(sent.at).isoformat(timespec="milliseconds"),
        who,
        sent.method,
        path,
        "" if sent.status is None else str(sent.status),
        lost_words(sent.lost) if sent.lost else "",
        f"{sent.took_s:.3f}",
        f"{sent.waited_s:.3f}",
        tr("yes") if sent.probe else "",
    )


def path_without_names(path: str) -> str:
    """The path without personal data: words of the document and ids; of the query, names and whole numbers. The rest
    may name a person or hold a place in a list."""
    before, mark, query = path.partition("?")
    kept = "/".join(_segment(segment) for segment in before.split("/"))
    if not mark:
        return kept
    pairs = parse_qsl(query, keep_blank_values=True)
    return f"{kept}?{'&'.join(f'{_word(name)}={_number(value)}' for name, value in pairs)}"


def _segment(segment: str) -> str:
    return segment if not segment or _NUMBER.fullmatch(segment) else _word(segment)


def _word(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else LEFT_OUT


def _number(text: str) -> str:
    return text if _NUMBER.fullmatch(text) else LEFT_OUT
