"""The sent requests as an item model, newest first. It follows the desk's list by its new entries only."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QObject

from petstore_desktop.desk.changes.requests import Requests
from petstore_desktop.domain.quota import SentRequest
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.cells.cell_model import CellModel
from petstore_desktop.ui.text.cell import Cell
from petstore_desktop.ui.text.changes.requests import class_words, outcome_words, sent_at, took_words, waited_words
from petstore_desktop.ui.text.translate import tr

TIME, WHO, WHAT, ANSWER, TOOK, WAITED = range(6)


class RequestsModel(CellModel):
    """One row for each request. `now` gives UTC epoch seconds."""

    figures = (TOOK, WAITED)

    def __init__(self, now: Callable[[], float], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._now = now
        self._sent: list[SentRequest] = []
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
            self._sent[:0] = requests.oldest(older)
            self.endInsertRows()
        if new > 0:
            self.beginInsertRows(nowhere, 0, new - 1)
            self._sent += requests.newest(new)
            self.endInsertRows()

    def _drop(self, count: int) -> None:
        """Drop this many of the oldest, which are the last rows."""
        if count > 0:
            self.beginRemoveRows(QModelIndex(), len(self._sent) - count, len(self._sent) - 1)
            del self._sent[:count]
            self.endRemoveRows()

    def sent(self, row: int) -> SentRequest:
        """One request."""
        return self._sent[-1 - row]

    def count(self) -> int:
        return len(self._sent)

    def titles(self) -> tuple[str, ...]:
        return tr("Time"), tr("For"), tr("Request"), tr("Answer"), tr("Took"), tr("Waited")

    def cell(self, row: int, column: int) -> Cell:
        sent = self.sent(row)
        if column == TIME:
            return Cell(text=sent_at(sent.at, self._now()), kind="date", tone="muted")
        if column == WHO:
            return Cell(text=class_words(sent.cls))
        if column == WHAT:
            note = tr("test after a pause") if sent.probe else ""
            return Cell(text=plain(f"{sent.method} {sent.path}"), kind="ref", note=note)
        if column == ANSWER:
            words, icon, tone = outcome_words(sent)
            return Cell(text=words, kind="pill", icon=icon, tone=tone)
        if column == TOOK:
            return Cell(text=took_words(sent.took_s), kind="number")
        return Cell(text=waited_words(sent.waited_s), kind="number")
