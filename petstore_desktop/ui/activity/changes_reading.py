"""Reads the journal's lines that match a filter, piece by piece, and keeps them up to date."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from petstore_desktop.clock import unique
from petstore_desktop.desk.changes.history_lines import ChangesCounted, ChangesRead, PastLine, changes_filter, past_line
from petstore_desktop.domain.batches import ChangeFilter
from petstore_desktop.domain.commands import ReadChanges
from petstore_desktop.ui.base.building import timer

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.activity.changes_bar import ChangesBar
    from petstore_desktop.ui.activity.changes_model import ChangesModel


PIECE = 100
"""Lines that are asked for at once: some screens."""
ROWS = 250
"""Rows of a batch that are asked for at once: as many as an event holds."""
_NEWS_MS = 400
"""Milliseconds between two readings while changes are being sent."""
_NEWS = 50
"""How many batches are read again in one step; more would block the window."""
_Taken = Callable[[ChangesRead], None]


class ChangesReading(QObject):
    """`found` of `total` changes fit, None until they are counted; `error`: why nothing can be read.

    Signals:
        moved(): something was read.
    """

    moved = Signal()

    def __init__(self, shop: LiveShop, bar: ChangesBar, model: ChangesModel, parent: QObject) -> None:
        super().__init__(parent)
        self._shop = shop
        self._bar = bar
        self._model = model
        self._waiting: dict[str, _Taken] = {}
        self._counting = ""
        self._begun = False
        self._news: set[str] = set()
        self.wanted = ChangeFilter()
        self.found: int | None = None
        self.total: int | None = None
        self.error: ShopError | None = None
        bar.filtered.connect(self.start)
        model.moreWanted.connect(self._read_more)
        self._soon = timer(self, _NEWS_MS, self._read_news, once=True)

    @property
    def is_reading(self) -> bool:
        """Whether an answer is on its way."""
        return bool(self._waiting)

    def show(self) -> None:
        """The list is visible: read the missing lines."""
        if not self._begun:
            self.start()
        elif self._news:
            self._read_news()

    def start(self) -> None:
        """Read from the newest on, by the filter as it is now."""
        self._begun = True
        self.wanted = changes_filter(
            self._shop.desk.shop, self._bar.text(), self._bar.wanted_states(), *self._bar.span()
        )
        self._waiting.clear()
        self._news.clear()
        self.found = None
        self._counting = self._ask(self._started, self.wanted)
        self.moved.emit()

    def _ask(
        self, taken: _Taken, wanted: ChangeFilter, before: int | None = None, limit: int = PIECE, apart: bool = False
    ) -> str:
        token = unique()
        if limit:
            self._waiting[token] = taken
        self._shop.submit(ReadChanges(token, wanted, before, limit, apart))
        return token

    def _started(self, answer: ChangesRead) -> None:
        self._model.start(self._lines(answer), answer.more)

    def _read_more(self) -> None:
        self._ask(lambda answer: self._model.add(self._lines(answer), answer.more), self.wanted, self._model.last())

    # -- a batch's own rows

    def open(self, line: PastLine) -> None:
        """Show the rows of a batch, once they are read."""
        self._read_rows(line.batch, [], None)

    def _read_rows(self, batch: str, so_far: list[PastLine], before: int | None) -> None:
        wanted = replace(self.wanted, batches=(batch,))
        self._ask(partial(self._take_rows, batch, so_far), wanted, before, ROWS, apart=True)

    def _take_rows(self, batch: str, so_far: list[PastLine], answer: ChangesRead) -> None:
        lines = [*so_far, *self._lines(answer)]
        if answer.more and lines:
            self._read_rows(batch, lines, lines[-1].last)
        else:
            self._model.open(batch, lines)

    # -- what moves meanwhile

    def on_changed(self, moved: Changed) -> None:
        """After each turn of the bridge."""
        for answer in moved.past:
            if isinstance(answer, ChangesRead) and answer.token in self._waiting:
                self._answered(self._waiting.pop(answer.token), answer)
            elif isinstance(answer, ChangesCounted) and answer.token == self._counting:
                self.found, self.total = answer.found, answer.total
                self.moved.emit()
        if moved.batches and self._begun:
            self._news |= moved.batches
            if self._bar.isVisible() and not self._soon.isActive():
                self._soon.start()

    def _answered(self, taken: _Taken, answer: ChangesRead) -> None:
        self.error = answer.error
        if answer.error is None:
            taken(answer)
        else:
            self._model.start((), more=False)  # what cannot be read in full is not shown as if it were all
        self.moved.emit()

    def _read_news(self) -> None:
        batches = tuple(sorted(self._news)[:_NEWS])
        if not batches:
            return
        self._news.difference_update(batches)
        if self._news:
            self._soon.start()
        self._ask(partial(self._take_news, batches), replace(self.wanted, batches=batches), limit=len(batches) * 4)
        self._counting = self._ask(self._started, self.wanted, limit=0)
        for batch in self._model.opened().intersection(batches):
            self._read_rows(batch, [], None)

    def _take_news(self, batches: tuple[str, ...], answer: ChangesRead) -> None:
        lines = self._lines(answer)
        self._model.put({batch: [line for line in lines if line.batch == batch] for batch in batches})

    def _lines(self, answer: ChangesRead) -> list[PastLine]:
        desk = self._shop.desk
        return [past_line(desk.shop, line, desk.outbox.next_id) for line in answer.lines]
