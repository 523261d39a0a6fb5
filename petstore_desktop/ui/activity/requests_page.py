"""Each request that was sent, the newest first: when, for whom, what came back, how long it took and waited.

All of them can be copied for a mail to support, without personal data: no key; of addresses only words of the service's
document, numbers, and names of parameters.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from math import ceil
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from PySide6.QtCore import QCoreApplication, QModelIndex, QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHeaderView, QWidget

from petstore_desktop.desk.changes.requests import Requests
from petstore_desktop.domain.quota import RequestClass, SentRequest
from petstore_desktop.log import redact, redact_sentence
from petstore_desktop.ui.activity.list_page import ListPage
from petstore_desktop.ui.bars.tool_bar import page_action
from petstore_desktop.ui.base.theme import Tone, current, plain
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel
from petstore_desktop.ui.cells.cell_paint import EDGE_PAD, PAD
from petstore_desktop.ui.context.message import Message, Say
from petstore_desktop.ui.grid.scroll_anchor import KeepPlace
from petstore_desktop.ui.text.cell import Cell
from petstore_desktop.ui.text.times import clock_time, countdown, day, local
from petstore_desktop.ui.text.translate import DASH, locale, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.preferences import ShopConnection
    from petstore_desktop.shop.live_shop import LiveShop


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


LEFT_OUT = "…"
_NUMBER = re.compile(r"[0-9]{1,20}")
_PLAIN = re.compile(r"v[0-9]{1,3}|[A-Za-z][A-Za-z_.-]{0,40}")


def requests_text(requests: Iterable[SentRequest], connection: ShopConnection, now: float) -> str:
    """A line about program, connection and time zone, a line of headings, and a tab-separated line for each."""
    # Thousands of requests have a handful of paths: five thousand lines are made in 50 ms.
    path, who = cache(_shown), cache(class_words)
    lines = [redact_sentence(_about(connection, now)), "\t".join(_headings())]
    lines += ["\t".join(_fields(sent, path(sent.path), who(sent.cls))) for sent in requests]
    return "\n".join(lines)


def _shown(path: str) -> str:
    return redact(path_without_names(path))


def _about(connection: ShopConnection, now: float) -> str:
    here = local(now)
    parts = (
        f"Pet Store Desktop {QCoreApplication.applicationVersion()}",
        tr("demo shop") if connection.demo else _host(connection.url),
        tr("plan {plan}", plan=connection.plan) if connection.plan else tr("plan not known"),
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


TIME, WHO, WHAT, ANSWER, TOOK, WAITED = range(6)


class RequestsModel(CellModel[SentRequest]):
    """One row for each request. `now` gives UTC epoch seconds."""

    def __init__(self, now: Callable[[], float], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows = self._sent = deque[SentRequest]()
        self.columns = (
            CellColumn(tr("Time"), lambda sent: Cell(text=sent_at(sent.at, now()), kind="date", tone="muted")),
            CellColumn(tr("For"), lambda sent: Cell(text=class_words(sent.cls))),
            CellColumn(tr("Request"), _what),
            CellColumn(tr("Answer"), _answer),
            CellColumn(tr("Took"), lambda sent: _figure(took_words(sent.took_s)), is_figure=True),
            CellColumn(tr("Waited"), lambda sent: _figure(waited_words(sent.waited_s)), is_figure=True),
        )
        self._live = 0
        self._earlier = 0

    def follow(self, requests: Requests) -> None:
        """Add the new requests at both ends, and drop those that the desk has dropped."""
        new = min(requests.live - self._live, len(requests))
        older = min(requests.earlier - self._earlier, len(requests) - new)
        self._live, self._earlier = requests.live, requests.earlier
        self._drop(len(self._sent) - (len(requests) - new - older))
        nowhere = QModelIndex()
        if older > 0:
            self.beginInsertRows(nowhere, len(self._sent), len(self._sent) + older - 1)
            self._sent.extend(reversed(requests.oldest(older)))
            self.endInsertRows()
        if new > 0:
            self.beginInsertRows(nowhere, 0, new - 1)
            self._sent.extendleft(requests.newest(new))
            self.endInsertRows()

    def _drop(self, count: int) -> None:
        """Drop this many of the oldest, which are the last rows."""
        if count > 0:
            self.beginRemoveRows(QModelIndex(), len(self._sent) - count, len(self._sent) - 1)
            for _ in range(count):
                self._sent.pop()
            self.endRemoveRows()


def _figure(words: str) -> Cell:
    return Cell(text=words, kind="number")


def _what(sent: SentRequest) -> Cell:
    note = tr("test after a pause") if sent.probe else ""
    return Cell(text=plain(f"{sent.method} {sent.path}"), kind="ref", note=note)


def _answer(sent: SentRequest) -> Cell:
    words, icon, tone = outcome_words(sent)
    return Cell(text=words, kind="pill", icon=icon, tone=tone)


_WIDTHS = {ANSWER: 190, TOOK: 92, WAITED: 92}


class RequestsPage(ListPage):
    """The requests that were sent."""

    def __init__(self, shop: LiveShop, say: Say, parent: QWidget | None = None) -> None:
        self._connection, self._say = shop.connection, say
        self.model = RequestsModel(shop.desk.now)
        super().__init__(shop.desk, self.model, "requests", tr("Requests"), parent)
        self._time_forms: tuple[int, ...] = ()
        self.empty.set_content(
            tr("No requests yet"),
            tr("Every request to the service is listed here: when it was sent, for whom, and the answer."),
            tr("Data kept on this computer needs no request."),
        )
        self._copy = page_action(self, "copyForSupport", tr("Copy for support"), "copy", self.copy)
        self.tools = (self._copy,)
        self._lay_out()
        # At the very top one sees the new ones come, unless one has picked a row there.
        self._keep = KeepPlace(self.view, at_top=lambda: self.view.selectionModel().hasSelection())
        self.view.escaped.connect(self.view.clearSelection)
        self._refresh()

    def _lay_out(self) -> None:
        self._set_widths(_WIDTHS)
        self._fit_words(WHO, *map(class_words, RequestClass))
        self.view.horizontalHeader().setSectionResizeMode(WHAT, QHeaderView.ResizeMode.Stretch)

    def _fit_words(self, section: int, *words: str) -> None:
        """As wide as the longest of these; the request column gets the rest."""
        width = max(current().advance(one, 13, 400, True) for one in words)
        self.view.horizontalHeader().resizeSection(section, ceil(width) + PAD + EDGE_PAD)

    def _fit_times(self) -> None:
        """Only a list that goes back to another day needs room for its name."""
        last = self.model.rowCount() - 1
        times = tuple(str(self.model.index(row, TIME).data()) for row in (0, last) if last >= 0)
        forms = tuple(map(len, times))
        if times and forms != self._time_forms:
            self._time_forms = forms
            self._fit_words(TIME, *times)

    def desk_changed(self, moved: Changed) -> None:
        """After each turn of the bridge."""
        if moved.requests:
            self._refresh()

    @property
    def copies(self) -> bool:
        """Whether there is anything to copy."""
        return self.model.rowCount() > 0

    def copy(self) -> None:
        """The selected requests, or all, as text for support."""
        rows = self._selected_rows() or range(self.model.rowCount())
        requests = [self.model.rows[row] for row in rows]
        text = requests_text(requests, self._connection, self._desk.now())
        QGuiApplication.clipboard().setText(text)
        words = tr(
            "{n} requests are on the clipboard, without the key",
            "",
            len(requests),
            one="{n} request is on the clipboard, without the key",
        )
        self._say(Message(words, "copy"))

    def _refresh(self) -> None:
        requests = self._desk.requests
        self.model.follow(requests)
        self._fit_times()
        self._show_list(self.copies)
        self._copy.setEnabled(self.copies)
        tally = requests.tally(self._desk.today)
        self.counts = counts_today(tally.total, tally.refused)
