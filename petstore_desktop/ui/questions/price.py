"""What a batch costs, in a dialog: the line with the bar, and the question before one that is dear."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from petstore_desktop.ui.base.building import in_column, named, timer
from petstore_desktop.ui.text.prices import cost_words, counted_requests, much_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.dialogs import PriceLine
from petstore_desktop.ui.widgets.labels import PlainLabel, say

if TYPE_CHECKING:
    from petstore_desktop.desk.model.ripple import BatchPriced
    from petstore_desktop.domain.batches import Price
    from petstore_desktop.domain.records import Resource
    from petstore_desktop.ui.context.edits import Batch, Edits

SETTLED_MS = 250
"""Milliseconds without typing or selecting before a price is computed."""


class PriceWatch(QObject):
    """Keeps the price of something that changes: asked when it has settled, and told only if it is the newest.

    Signals:
        priced: object: the Price, or None where there is none.
    """

    priced = Signal(object)

    def __init__(
        self,
        edits: Edits,
        changes: Callable[[], Batch | None],
        parent: QObject,
        wait_ms: int = SETTLED_MS,
        reads: tuple[Resource, ...] = (),
    ) -> None:
        """`changes`: what to ask about; None: nothing now. `reads`: the lists that are read anew before they go."""
        super().__init__(parent)
        self._edits, self._changes, self._reads = edits, changes, reads
        self._token = ""
        self._timer = timer(self, wait_ms, self._ask, once=True)
        edits.priced.connect(self._take)

    def soon(self) -> None:
        """Ask once the changes have settled; the answer to an earlier question is ignored."""
        self._token = ""
        self._timer.start()

    def again(self) -> None:
        """Ask again after a while, even if the changes do not settle."""
        if not self._timer.isActive():
            self._timer.start()

    def now(self) -> None:
        """Ask at once: a person waits for the price."""
        self._timer.stop()
        self._ask()

    def _ask(self) -> None:
        changes = self._changes()
        if changes is not None:
            self._token = self._edits.ask(changes, self._reads)

    def _take(self, event: BatchPriced) -> None:
        if event.token == self._token:
            self.priced.emit(event.price)


def show_price(line: PriceLine, price: Price, now: float, *, rehearsed: bool = False) -> None:
    """Shows requests, time, and the day's rest; the bar only if the day is known. `rehearsed`: none is real."""
    left, this = None, 0.0
    if price.leaves_of_day is not None and price.day_limit:
        left, this = price.leaves_of_day / price.day_limit, price.today / price.day_limit
    parts = (tr("rehearsed"), *cost_words(price, now)) if rehearsed else cost_words(price, now)
    line.set_price(counted_requests(price.requests), parts, left, this)


class PriceBox(QWidget):
    """The price of what a dialog is about to do, below its content, with a word where it is much; hidden until it is
    known. `changes`: what that is, None: nothing."""

    def __init__(self, edits: Edits, changes: Callable[[], Batch | None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = edits.desk
        self.watch = PriceWatch(edits, changes, self)
        self.watch.priced.connect(self._priced)
        self.is_known = False
        """Whether the price of what the dialog would do now has come."""
        self._waits: Callable[[], object] | None = None
        self.line = named(PriceLine(), "priceLine")
        self.much = named(PlainLabel("", "wait", 12, wrap=True), "priceMuch")
        in_column(self, self.line, self.much, spacing=6)
        self.hide()

    def forget(self) -> None:
        """What the dialog would do is another: nothing waits for its price any more."""
        self.is_known, self._waits = False, None

    def then(self, do: Callable[[], object]) -> None:
        """Ask for the price now, and call `do` when it has come, unless it is much."""
        self._waits = do
        self.watch.now()

    def _priced(self, price: Price | None) -> None:
        self.set_price(price)
        do, self.is_known, self._waits = self._waits, True, None
        if do is not None and (price is None or not price.is_much):
            do()

    def set_price(self, price: Price | None) -> None:
        """Show it; None hides it."""
        self.setVisible(price is not None)
        if price is not None:
            show_price(self.line, price, self._desk.now(), rehearsed=self._desk.rehearsed)
            say(self.much, much_words(price) if price.is_much else "")
