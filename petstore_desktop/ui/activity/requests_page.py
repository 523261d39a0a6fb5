"""Each request that was sent, the newest first: when, for whom, what came back, how long it took and waited."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHeaderView, QWidget

from petstore_desktop.desk.changes.requests import Requests
from petstore_desktop.domain.quota import RequestClass, SentRequest
from petstore_desktop.ui.activity.list_page import ListPage
from petstore_desktop.ui.activity.requests_text import requests_text
from petstore_desktop.ui.bars.page_action import page_action
from petstore_desktop.ui.base.theme import current, plain
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel
from petstore_desktop.ui.cells.cell_paint import EDGE_PAD, PAD
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.grid.scroll_anchor import KeepPlace
from petstore_desktop.ui.text.cell import Cell
from petstore_desktop.ui.text.changes.requests import (
    class_words,
    counts_today,
    outcome_words,
    sent_at,
    took_words,
    waited_words,
)
from petstore_desktop.ui.text.translate import tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.message import Say

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
        self._profile, self._say = shop.profile, say
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
        text = requests_text(requests, self._profile, self._desk.now())
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
