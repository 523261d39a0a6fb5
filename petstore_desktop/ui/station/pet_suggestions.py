"""The pets that a typed id or name may mean, in a short list under the field in which it is typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QWidget

from petstore_desktop.desk.jump.palette import Palette
from petstore_desktop.domain.records import Ref, Resource, key_to_text
from petstore_desktop.ui.base.building import in_column, named
from petstore_desktop.ui.base.theme import current, plain
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel
from petstore_desktop.ui.context.record_search import RecordSearch
from petstore_desktop.ui.grid.table_view import TableView, make_choosable
from petstore_desktop.ui.text.cell import Cell
from petstore_desktop.ui.text.translate import DASH, number, tr
from petstore_desktop.ui.widgets.labels import announce
from petstore_desktop.ui.widgets.paint import brush_on

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk

_MOST = 8
_STOCK_WIDTH = 84


def stock_of(desk: Desk, ref: Ref) -> int | None:
    """How many of a pet are in stock, acts that are not sent included; None where there is no stock entry."""
    inventory, key = Resource.INVENTORY, desk.resolve(ref).key
    slot = desk.shop.stores[inventory].slot(key)
    shown = None if slot is None else desk.shop.shown(inventory, slot, "quantity")
    return shown if isinstance(shown, int) else None


class PetResults(QFrame):
    """The list. The keyboard stays in the field, and the keys for the list come from there.

    Signals:
        chosen(object): the `Ref` of a pet that was clicked.
        found(): what is found so far is another.
    """

    chosen = Signal(object)
    found = Signal()

    def __init__(self, desk: Desk, parent: QWidget, name: str = "petSuggestionList") -> None:
        super().__init__(parent)
        self._desk = desk
        self._search = RecordSearch(self, Palette(desk.shop, lambda _: False), self._show_found)
        self.walked = False
        """A person has chosen another one than the first."""
        self.model = CellModel[Ref](self)
        self.model.columns = (
            CellColumn(tr("Pet"), self._name),
            CellColumn(tr("In stock"), self._stock, is_figure=True),
        )
        self.view = TableView(self)
        make_choosable(self.view, name, tr("Pets found"), self.model, 0)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.header.hide()
        self.view.header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.view.header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        self.view.header.resizeSection(1, current().scaled(_STOCK_WIDTH))
        self.view.clicked.connect(self._clicked)
        in_column(self, (self.view, 1), margins=(1, 4, 1, 4))
        self.hide()

    def _name(self, ref: Ref) -> Cell:
        return Cell(text=plain(self._desk.title(ref)), kind="ref", ref_id=key_to_text(ref.key))

    def _stock(self, ref: Ref) -> Cell:
        stock = stock_of(self._desk, ref)
        return Cell(text=DASH if stock is None else number(stock), kind="number", muted=True)

    def offer(self, refs: tuple[Ref, ...]) -> None:
        """Show these pets, as for a code that several have."""
        self._stop()
        self._show(refs)

    def search(self, text: str) -> None:
        """Search pets by a part of their name, or by their id."""
        self._stop()
        wanted = text.strip()
        if not wanted:
            self.close_up()
            return
        self._search.begin(f"p:{wanted}")

    def current(self) -> Ref | None:
        """The pet that Enter takes; None while nothing is shown."""
        row = self.view.currentIndex().row()
        return self.model.rows[row] if not self.isHidden() and 0 <= row < len(self.model.rows) else None

    def when_found(self, then: Callable[[Ref | None], object]) -> None:
        """Call `then` with the best pet as soon as it is certain; None where none is found."""
        self._search.when_settled(lambda: then(self.current()))

    def walk(self, by: int) -> None:
        """Another row becomes the one that Enter takes."""
        rows = self.model.count()
        if rows:
            self.walked = True
            row = min(max(self.view.currentIndex().row() + by, 0), rows - 1)
            self.view.setCurrentIndex(self.model.index(row, 0))
            announce(self, str(self.model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)))

    def close_up(self) -> None:
        """Hide, and free what the search keeps."""
        self._stop()
        self.hide()

    def _stop(self) -> None:
        self.walked = False
        self._search.stop()

    def _show_found(self) -> None:
        search = self._search.now
        if search is None:
            return
        refs = [one.ref for one in search.results() if one.ref is not None and one.ref.resource is Resource.PETS]
        self._show(tuple(refs[:_MOST]))
        if search.is_settled:
            self._stop()

    def _show(self, refs: tuple[Ref, ...]) -> None:
        if refs == self.model.rows and self.isHidden() == (not refs):
            return
        kept = self.current()
        self.model.show(refs)
        self.setVisible(bool(refs))
        if refs:
            self.view.setCurrentIndex(self.model.index(refs.index(kept) if kept in refs else 0, 0))
            rows = min(len(refs), _MOST)  # the others are scrolled to
            self.setFixedHeight(rows * self.view.verticalHeader().defaultSectionSize() + 10)
            self.raise_()
        self.found.emit()

    def _clicked(self, index: QModelIndex) -> None:
        ref = self.model.rows[index.row()]
        self.close_up()
        self.chosen.emit(ref)


class PetSuggestions(PetResults):
    """The list on a raised plane of its own, above what lies under the field."""

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        super().__init__(desk, parent)
        named(self, "petSuggestions")

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            brush.plane(brush.theme.color("raised"), 8)
            brush.ring(brush.theme.color("line"), 8, 1)
