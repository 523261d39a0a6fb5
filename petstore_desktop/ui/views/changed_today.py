"""Knows what changed since the local midnight, while a list is filtered by it or a menu counts it. It is told by the
mirror alone: no request."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from petstore_desktop.ui.base.building import timer

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.shop.own_files import ChangedKeys
    from petstore_desktop.ui.lists.list_context import ShownLists

_SOON_MS = 400
"""Milliseconds after new rows until the mirror is read again: many come at once."""


class ChangedToday(QObject):
    """For one window. `show` tells the window what moved at the desk.

    Signals:
        known: what changed today is known anew.
    """

    known = Signal()

    def __init__(self, shop: LiveShop, lists: ShownLists, show: Callable[[Changed], None], parent: QObject) -> None:
        super().__init__(parent)
        self._lists, self._show = lists, show
        self._desk, self._port = shop.desk, shop.views
        self._asking = self._again = False
        self.is_known = False
        """Whether what changed today has been told."""
        self._day = self._desk.today
        self._soon = timer(self, _SOON_MS, self.ask, once=True)
        self.follow()

    def follow(self) -> None:
        """A list has another filter: ask at once if it filters by the changes of today and these are not known."""
        if self._is_wanted() and not self._desk.shop.changed_today:
            self.ask()

    def on_changed(self, moved: Changed) -> None:
        """After each turn of the bridge: rows came, or a day ended."""
        if self._day != self._desk.today:
            self._day = self._desk.today
            self.is_known = False
            self._soon.start()
        elif (moved.rows or moved.loads) and not self._soon.isActive() and self._is_wanted():
            self._soon.start()

    def _is_wanted(self) -> bool:
        return any("gutter" in tab.table.column_filters for tab in self._lists.built_tabs())

    def ask(self) -> None:
        """Ask the mirror, one question at a time."""
        self._again = self._asking
        if not self._asking:
            self._asking = True
            self._port.changed_since(self._midnight(), self._answered)

    def _midnight(self) -> float:
        """UTC epoch seconds."""
        midnight = datetime.combine(self._desk.today, time(), self._desk.shop.zone)
        return midnight.timestamp()

    def _answered(self, keys: ChangedKeys) -> None:
        if not isValid(self):  # the window closed meanwhile
            return
        self._asking, self.is_known = False, True
        moved = self._desk.set_changed_today(keys)
        if moved.rows:
            self._show(moved)
        self.known.emit()
        if self._again:
            self._soon.start()
