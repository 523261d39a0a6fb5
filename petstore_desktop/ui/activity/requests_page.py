"""Each request that was sent, the newest first: when, for whom, what came back, how long it took and waited."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHeaderView, QWidget

from petstore_desktop.domain.quota import RequestClass
from petstore_desktop.ui.activity.list_page import ListPage
from petstore_desktop.ui.activity.requests_model import ANSWER, TIME, TOOK, WAITED, WHAT, WHO, RequestsModel
from petstore_desktop.ui.activity.requests_text import requests_text
from petstore_desktop.ui.bars.page_action import page_action
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.cells.cell_paint import EDGE_PAD, PAD
from petstore_desktop.ui.context.window_context import Message
from petstore_desktop.ui.grid.scroll_anchor import KeepPlace
from petstore_desktop.ui.text.changes.requests import class_words, counts_today
from petstore_desktop.ui.text.translate import tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.ui.context.window_context import WindowParts

_WIDTHS = {ANSWER: 190, TOOK: 70, WAITED: 76}


class RequestsPage(ListPage):
    """The requests that were sent."""

    def __init__(self, parts: WindowParts, parent: QWidget | None = None) -> None:
        self.model = RequestsModel(parts.now)
        super().__init__(parts, self.model, "requests", tr("Requests"), parent)
        self._time_forms: tuple[int, ...] = ()
        self.empty.set_content(
            tr("No requests yet"),
            tr("Every request to the service is listed here: when it was sent, for whom, and the answer."),
            tr("Data kept on this computer needs no request."),
        )
        self._copy = page_action(self, "copyForSupport", tr("Copy for support"), "copy", self.copy)
        self.tools = (self._copy,)
        self._lay_out()
        self._keep = KeepPlace(self.view, at_top=self._holds)
        self.view.escaped.connect(self.view.clearSelection)
        self._refresh()

    def _lay_out(self) -> None:
        self._set_widths(_WIDTHS)
        self._fit(WHO, *map(class_words, RequestClass))
        self.view.horizontalHeader().setSectionResizeMode(WHAT, QHeaderView.ResizeMode.Stretch)

    def _fit(self, section: int, *words: str) -> None:
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
            self._fit(TIME, *times)

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
        requests = [self.model.sent(row) for row in rows]
        text = requests_text(requests, self._parts.shop.profile, self._parts.now())
        QGuiApplication.clipboard().setText(text)
        words = tr(
            "{n} requests are on the clipboard, without the key",
            "",
            len(requests),
            one="{n} request is on the clipboard, without the key",
        )
        self._parts.say(Message(words, "copy"))

    def _refresh(self) -> None:
        requests = self._desk.requests
        self.model.follow(requests)
        self._fit_times()
        self._show_list(self.copies)
        self._copy.setEnabled(self.copies)
        tally = requests.tally(self._desk.today)
        self.counts = counts_today(tally.total, tally.refused)

    def _holds(self) -> bool:
        """At the very top one sees the new ones come, unless one has picked a row there."""
        return self.view.selectionModel().hasSelection()
