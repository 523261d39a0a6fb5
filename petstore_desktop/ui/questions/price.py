"""What a batch costs, in a dialog: the line with the bar, and the question before one that is dear."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from petstore_desktop.ui.base.building import in_column, named
from petstore_desktop.ui.context.pricing import Batch, PriceWatch
from petstore_desktop.ui.text.prices import batch_title, cost_words, counted_requests, much_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.dialogs import Dialog, PriceLine
from petstore_desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from petstore_desktop.domain.batches import Price
    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.ui.context.window_context import WindowParts

_MARGIN = 20


def show_price(line: PriceLine, price: Price, now: float) -> None:
    """Shows requests, time, and the day's rest; the bar only if the day is known."""
    left, this = None, 0.0
    if price.leaves_of_day is not None and price.day_limit:
        left, this = price.leaves_of_day / price.day_limit, price.today / price.day_limit
    line.set_price(counted_requests(price.requests), cost_words(price, now), left, this)


class PriceBox(QWidget):
    """The price of what a dialog is about to do, below its content, with a word where it is much; hidden until it is
    known. `changes`: what that is, None: nothing."""

    def __init__(self, parts: WindowParts, changes: Callable[[], Batch | None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = parts
        self.watch = PriceWatch(parts.pricing, changes, self)
        self.watch.priced.connect(self.set_price)
        self.line = named(PriceLine(), "priceLine")
        self.much = named(PlainLabel("", "wait", 12, wrap=True), "priceMuch")
        in_column(self, self.line, self.much, spacing=6)
        self.hide()

    def set_price(self, price: Price | None) -> None:
        """Show it; None hides it."""
        self.setVisible(price is not None)
        if price is not None:
            show_price(self.line, price, self._parts.shop.desk.now())
            self.much.set_text(much_words(price) if price.is_much else "")
            self.much.setVisible(price.is_much)


class PriceDialog(Dialog):
    """Asks before an undo that needs over half of the day's remaining requests."""

    def __init__(
        self,
        changes: Sequence[NewChange],
        price: Price,
        now: float,
        accept: Callable[[], None],
        parent: QWidget | None = None,
    ) -> None:
        title, verb = batch_title(changes)
        super().__init__(title, much_words(price), parent, name="priceDialog", width=480)
        self.body.setContentsMargins(_MARGIN, 4, _MARGIN, 8)
        line = named(PriceLine(), "priceLine")
        show_price(line, price, now)
        self.setAccessibleDescription(f"{line.accessibleName()}. {much_words(price)}")
        self.body.addWidget(line)
        self.set_divided(False)
        cancel = self.set_cancel(tr("Cancel"))
        self.set_primary(verb)
        cancel.setFocus()
        self.accepted.connect(accept)
