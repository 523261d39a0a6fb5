"""What the pages of the activity have in common: a list of lines, its actions, and what to say while it is empty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHeaderView, QMenu, QStackedWidget, QWidget

from petstore_desktop.ui.base.building import in_column, named, short_lived
from petstore_desktop.ui.base.icons import tint
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.grid.selection import selected_rows, stand_on_rows
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.widgets.empty_state import EmptyState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QAction, QShowEvent

    from petstore_desktop.desk.desk import Changed, Desk
    from petstore_desktop.ui.cells.cell_model import CellModel


class ListPage(QWidget):
    """The list of `model`. `tools` are its actions in the tool bar, `counts` its words there. `wide` and `narrow` are
    the widths of columns in a window wider than `narrow_below`, and in a smaller one (pixels at base 13).

    Signals:
        countsChanged(): other words in the tool bar.
    """

    countsChanged = Signal()

    wide: ClassVar[Mapping[int, int]] = {}
    narrow: ClassVar[Mapping[int, int]] = {}
    narrow_below = 0

    def __init__(self, desk: Desk, model: CellModel[Any], name: str, title: str, parent: QWidget | None) -> None:
        """`name`: of this page and of its list, as objectName; `title`: of the list, for a screen reader."""
        super().__init__(parent)
        self.setObjectName(f"{name}Page")
        self.counts = ""
        self.tools: Sequence[QAction] = ()
        self._menu: Sequence[Sequence[QAction]] = ()
        """The groups of the context menu, if it holds more than the tools."""
        self._narrow: bool | None = None
        self._stale = False
        self._desk = desk
        self._rows = model
        model.setParent(self)
        self.view = named(TableView(self), f"{name}View", title)
        self.view.setModel(model)
        self.view.customContextMenuRequested.connect(self._open_menu)
        self.empty = EmptyState(self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.view)
        self._stack.addWidget(self.empty)
        self._column = in_column(self, (self._stack, 1))

    @property
    def copies(self) -> bool:
        """Whether there is anything to copy."""
        return False

    def desk_changed(self, moved: Changed) -> None:
        """After each turn of the bridge."""
        raise NotImplementedError

    def refresh_shown(self) -> None:
        """Bring the list up to date: at once where it is seen, else when it is shown."""
        self._stale = not self.isVisible()
        if not self._stale:
            self._refresh()

    def _refresh(self) -> None:
        """Bring the list up to date."""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._stale = False
            self._refresh()

    def currentWidget(self) -> QWidget:
        """The list, or what stands in its place."""
        return self._stack.currentWidget() or self.empty

    def _show_list(self, shown: bool) -> None:
        self._stack.setCurrentIndex(0 if shown else 1)

    def _choose_rows(self, gutter: int, last: int) -> None:
        """Rows are selected whole, and marked in the gutter; the last column has the room that is left."""
        self.view.set_gutter(gutter)
        self.view.horizontalHeader().setSectionResizeMode(last, QHeaderView.ResizeMode.Stretch)
        self.view.resized.connect(self._fit)
        self.view.selectionModel().selectionChanged.connect(self._update_actions)
        stand_on_rows(self.view)

    def _fit(self, width: object) -> None:
        """In a small window the values give way, so that one can read how a change stands."""
        narrow = isinstance(width, int) and width < current().scaled(self.narrow_below)
        if narrow is not self._narrow:
            self._narrow = narrow
            self._set_widths(self.narrow if narrow else self.wide)

    def _set_widths(self, widths: Mapping[int, int]) -> None:
        for section, pixels in widths.items():
            self.view.horizontalHeader().resizeSection(section, current().scaled(pixels))

    def _update_actions(self) -> None:
        """Enable the actions that the selected rows allow."""

    def _selected_rows(self) -> list[int]:
        return [row for row in selected_rows(self.view) if row < self._rows.rowCount()]

    def _open_menu(self, at: QPoint) -> None:
        menu = short_lived(QMenu(self))
        for group in self._menu or (self.tools,):
            menu.addSeparator()
            menu.addActions(group)
        tint(menu.actions())
        menu.popup(self.view.viewport().mapToGlobal(at))
