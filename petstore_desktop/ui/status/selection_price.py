"""What it would cost to change all that is selected, beside the count in the status bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from petstore_desktop.desk.price import Price, likely_changes, price_of_more
from petstore_desktop.ui.context.pricing import PriceWatch
from petstore_desktop.ui.grid.selection import selected_rows
from petstore_desktop.ui.text.prices import selection_cost_words

if TYPE_CHECKING:
    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.ui.context.window_context import WindowParts
    from petstore_desktop.ui.lists.resource_tab import ResourceTab
    from petstore_desktop.ui.status.status_line import StatusLine

ASKED = 500
"""So many of the selected records are priced; more of them are said by multiplication."""


class SelectionPrice(QObject):
    """Follows the selection that a status line shows."""

    def __init__(self, parts: WindowParts, status: StatusLine) -> None:
        super().__init__(status)
        self._parts, self._status = parts, status
        self._tab: ResourceTab | None = None
        self._by = 1.0
        self._watch = PriceWatch(parts.pricing, self._changes, self)
        self._watch.priced.connect(self._show)
        status.selected.connect(self._selected)

    def _selected(self, tab: ResourceTab | None) -> None:
        self._tab = tab
        self._watch.soon()

    def _changes(self) -> tuple[NewChange, ...] | None:
        if self._tab is None:
            return None
        rows = selected_rows(self._tab.view)
        asked = [self._tab.table.ref_at(row) for row in rows[:ASKED] if row < self._tab.table.row_count]
        if len(asked) < 2:
            return None
        self._by = len(rows) / len(asked)
        return likely_changes(self._parts.shop.desk, asked) or None

    def _show(self, price: Price | None) -> None:
        if price is None or price.requests <= 0:
            return
        if self._by > 1:
            price = price_of_more(self._parts.shop.desk, price, self._by, self._parts.now())
        self._status.set_cost(selection_cost_words(price))
