"""Minimum stock in the window: read after the first paint, set in a dialog, taken back by the toast."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from msgspec import convert
from msgspec.structs import replace
from PySide6.QtCore import QObject

from petstore_desktop.desk.changes.done_act import Keeper
from petstore_desktop.desk.changes.done_acts import MINIMUMS
from petstore_desktop.domain.low_stock import Minimums, StockLevel
from petstore_desktop.domain.own_acts import OwnParts
from petstore_desktop.domain.records import JsonValue, Ref, Resource, key_from_text, key_to_text
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
    from petstore_desktop.ui.context.edits import Do


class MinimumStock(QObject):
    """For one window. `show` tells it what moved at the desk."""

    def __init__(self, shop: LiveShop, do: Do, say: Say, show: Callable[[Changed], None], window: QWidget) -> None:
        super().__init__(window)
        self._desk, self._port = shop.desk, shop.views
        self._do, self._say, self._show, self._window = do, say, show, window
        self._desk.done.keeps(
            MINIMUMS, Keeper(self._now, self._put, is_read=lambda: self._desk.shop.minimums is not None)
        )
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
        what, words = minimum_words(self._desk, tuple(levels)), minimum_set_words(self._desk, levels)
        self._do(MINIMUMS, {_name(ref): _part(level) for ref, level in levels.items()}, what, words, "saved")

    def _now(self, names: Iterable[str]) -> OwnParts:
        kept = self._kept()
        return {name: _part(kept.own(_ref(name))) for name in names}

    def _put(self, parts: OwnParts) -> None:
        minimums = self._kept().with_all({_ref(name): convert(part, StockLevel) for name, part in parts.items()})
        self._port.keep_minimums(minimums, partial(open_error, self._window))
        self._take(minimums)

    def _kept(self) -> Minimums:
        kept = self._desk.shop.minimums
        return Minimums() if kept is None else kept

    def _take(self, minimums: Minimums) -> None:
        moved = self._desk.set_minimums(minimums)
        if moved.anything or minimums.has_levels:
            self._show(replace(moved, outbox=True))  # details say the minimum where no row does


def _name(ref: Ref) -> str:
    of = Resource.CATEGORIES if ref.resource is Resource.CATEGORIES else Resource.PETS
    return f"{of.value}/{key_to_text(ref.key)}"


def _ref(name: str) -> Ref:
    resource, _, key = name.partition("/")
    return Ref(Resource(resource), key_from_text(key))


def _part(level: StockLevel) -> JsonValue:
    return {"minimum": level.minimum, "up_to": level.up_to}
