"""What a batch costs: asked of the sync thread, and shown before it is saved where that is much."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.preview.preview import Preview
from petstore_desktop.desk.preview.preview_rows import wishes_of
from petstore_desktop.desk.price import could_be_much
from petstore_desktop.domain.batches import Price

if TYPE_CHECKING:
    from petstore_desktop.desk.model.ripple import BatchPriced
    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.ui.context.window_context import WindowParts

SETTLED_MS = 250
"""Milliseconds without typing or selecting before a price is computed."""

Batch = tuple["NewChange", ...]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What waits for its price: the act, and what it would send (empty: an undo, of which only the sync thread
    knows)."""

    do: Callable[[], None]
    changes: Batch = ()


class Pricing(QObject):
    """For one window.

    Signals:
        told: BatchPriced: the answer to one of the questions.
    """

    told = Signal(object)

    def __init__(self, parts: WindowParts, window: QWidget) -> None:
        super().__init__(parts)
        self._parts, self._window = parts, window
        self._numbers = count()
        self._waiting: dict[str, _Asked] = {}

    def ask(self, changes: Batch) -> str:
        """Ask what these changes would cost; the answer carries the token that is returned."""
        token = str(next(self._numbers))
        self._parts.shop.price(token, changes)
        return token

    def on_priced(self, priced: tuple[BatchPriced, ...]) -> None:
        """Answers came."""
        for event in priced:
            if event.token in self._waiting:
                self._decide(self._waiting.pop(event.token), event.price)
            self.told.emit(event)

    # -- before a batch is saved

    def apply(self, changes: Batch) -> None:
        """Save a batch; one that may be dear only when its price is known, and agreed to."""
        if could_be_much(self._parts.shop.desk, len(changes)):
            self._waiting[self.ask(changes)] = _Asked(lambda: self._parts.apply_now(changes), changes)
        else:
            self._parts.apply_now(changes)

    def undo(self, batch: str, ids: tuple[int, ...], count: int) -> None:
        """Take back a batch of `count` changes, or these of it; likewise."""
        shop = self._parts.shop
        if could_be_much(shop.desk, count):
            token = str(next(self._numbers))
            self._waiting[token] = _Asked(lambda: shop.undo_batch(batch, ids))
            shop.price_undo(token, batch, ids)
        else:
            shop.undo_batch(batch, ids)

    def settle(self) -> None:
        """The window closes: what waits for its price is saved, for it could be lost."""
        while self._waiting:
            self._waiting.pop(next(iter(self._waiting))).do()

    def _decide(self, asked: _Asked, price: Price | None) -> None:
        if price is None or not price.is_much:
            asked.do()
        else:
            self._ask_first(asked, price)

    def _ask_first(self, asked: _Asked, price: Price) -> None:
        desk = self._parts.shop.desk
        if not asked.changes:
            desk.outbox.end()  # it is up to the person now
        wishes = wishes_of(asked.changes)
        if wishes:
            self._parts.openers.open_preview(self._window, self._parts, Preview(desk, wishes))
        else:
            self._parts.openers.open_price(self._window, asked.changes, price, self._parts.shop.desk.now(), asked.do)


class PriceWatch(QObject):
    """Keeps the price of something that changes: asked when it has settled, and told only if it is the newest.

    Signals:
        priced: object: the Price, or None where there is none.
    """

    priced = Signal(object)

    def __init__(
        self, pricing: Pricing, changes: Callable[[], Batch | None], parent: QObject, wait_ms: int = SETTLED_MS
    ) -> None:
        """`changes`: what to ask about; None: nothing now."""
        super().__init__(parent)
        self._pricing, self._changes = pricing, changes
        self._token = ""
        self._timer = QTimer(self, interval=wait_ms, singleShot=True)
        self._timer.timeout.connect(self._ask)
        pricing.told.connect(self._take)

    def soon(self) -> None:
        """It is another: ask once it has settled; what was asked before is of no use any more."""
        self._token = ""
        self._timer.start()

    def again(self) -> None:
        """It has moved: ask anew after a while, however much goes on."""
        if not self._timer.isActive():
            self._timer.start()

    def now(self) -> None:
        """Somebody waits for it."""
        self._timer.stop()
        self._ask()

    def _ask(self) -> None:
        changes = self._changes()
        if changes is not None:
            self._token = self._pricing.ask(changes)

    def _take(self, event: BatchPriced) -> None:
        if event.token == self._token:
            self.priced.emit(event.price)
