"""Minimum stock in the window: read after the first paint, set in a dialog, taken back by the toast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject

from petstore_desktop.desk.changes.done_act import Inverse
from petstore_desktop.domain.low_stock import Minimums, StockLevel
from petstore_desktop.domain.records import Ref
from petstore_desktop.ui.context.message import Message, Say
from petstore_desktop.ui.questions.error import open_error
from petstore_desktop.ui.records.number_dialogs import MinimumDialog
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.text.views import minimum_set_words, minimum_words
from petstore_desktop.ui.widgets.dialogs import show

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.edits import Did


class MinimumStock(QObject):
    """For one window. `show` tells it what moved at the desk."""

    def __init__(self, shop: LiveShop, did: Did, say: Say, show: Callable[[Changed], None], window: QWidget) -> None:
        super().__init__(window)
        self._desk, self._port = shop.desk, shop.views
        self._did, self._say, self._show, self._window = did, say, show, window
        self._port.read_minimums(self._read)

    def _read(self, minimums: Minimums, error: ShopError | None) -> None:
        self._take(minimums)
        if error is not None:
            self._say(Message(error_words(error).sentence, "warning"))

    def ask(self, refs: tuple[Ref, ...]) -> None:
        """Ask for the minimum of these pets or categories; new records without an id have none."""
        refs = tuple(ref for ref in refs if isinstance(ref.key, int | str))
        if refs:
            show(MinimumDialog(self._desk, refs, self.set, self._window))
        else:
            self._say(Message(tr("You can set a minimum once the service has given it an id"), "info"))

    def set(self, levels: Mapping[Ref, StockLevel]) -> None:
        """These are the minimums and "order up to" of these records from now on."""
        refs = tuple(levels)
        before = {ref: self._kept().own(ref) for ref in refs}
        what, words = minimum_words(self._desk, refs), minimum_set_words(self._desk, levels)
        again, back = partial(self._set_each, levels), partial(self._set_each, before)
        again()
        self._did(words, "saved", what, Inverse(back, again, lambda undone: self._are(before if undone else levels)))

    def _are(self, levels: Mapping[Ref, StockLevel]) -> bool:
        """Whether these records have these now."""
        return all(self._kept().own(ref) == level for ref, level in levels.items())

    def _kept(self) -> Minimums:
        kept = self._desk.shop.minimums
        return Minimums() if kept is None else kept

    def _set_each(self, levels: Mapping[Ref, StockLevel]) -> None:
        self._use(self._kept().with_all(levels))

    def _use(self, minimums: Minimums) -> None:
        self._port.keep_minimums(minimums, partial(open_error, self._window))
        self._take(minimums)

    def _take(self, minimums: Minimums) -> None:
        moved = self._desk.set_minimums(minimums)
        if moved.anything or minimums.has_levels:
            self._show(replace(moved, outbox=True))  # details say the minimum where no row does
