"""The list of a desk: rows of painted cells, one of whose columns is typed into; its pages, as words with their
counts above it, among which Left and Right move; and what both stations that are scanned into say of a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from petstore_desktop.domain.records import Key, Ref, Resource
from petstore_desktop.ui.bars.page_switch import PageSwitch
from petstore_desktop.ui.base.building import named
from petstore_desktop.ui.base.theme import current, plain
from petstore_desktop.ui.cells.cell_model import CellModel
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.text.translate import number, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.scanning.session import ScanLine


class StationList(TableView):
    """The rows of one page of a desk.

    Signals:
        removeWanted(int): Delete on a row.
        pressed_on(QModelIndex): a cell was clicked, or Enter or Space pressed on one that is not typed into.
        leftUpwards(): Up on the first row: back to the field.
    """

    removeWanted = Signal(object)
    pressed_on = Signal(object)
    leftUpwards = Signal()

    def __init__(self, name: str, words: str, model: CellModel[Any], home_column: int, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, name, words).setModel(model)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.home_column = home_column
        self.rows.name_column = 0
        self.rows.cell_at = lambda index: model.cell(index.row(), index.column())
        self.header.setSectionsClickable(False)
        self.header.setSectionsMovable(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.openRequested.connect(self.pressed_on)
        self.detailsRequested.connect(lambda: self.pressed_on.emit(self.currentIndex()))

    def set_widths(self, widths: dict[int, int], stretched: int) -> None:
        """Fix the columns to these widths at base 13; the `stretched` one takes the rest."""
        for column, width in widths.items():
            self.header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            self.header.resizeSection(column, current().scaled(width))
        self.header.setSectionResizeMode(stretched, QHeaderView.ResizeMode.Stretch)

    def show_row(self, row: int) -> None:
        """Make a row the current one, and keep it in sight."""
        model = self.model()
        if 0 <= row < model.rowCount():
            self.setCurrentIndex(model.index(row, max(self.home_column, 0)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index, plain = self.currentIndex(), not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain and index.isValid() and not self.edit_open():
            if event.key() == Qt.Key.Key_Delete:
                self.removeWanted.emit(index.row())
                return
            if event.key() == Qt.Key.Key_Up and index.row() == 0:
                self.leftUpwards.emit()
                return
        super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index: QModelIndex = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index.isValid():
            self.pressed_on.emit(index)


class StationPages(PageSwitch):
    """The pages of a desk's list. Up and Down leave them, as Tab does."""

    def __init__(self) -> None:
        super().__init__(spacing=8)
        named(self, "stationPages")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Down)
        else:
            super().keyPressEvent(event)


def pet_name(desk: Desk, pet: Key, kept: str = "") -> str:
    """The name of a pet, without its id; `kept`: what it was called when it was counted."""
    return plain(desk.title(Ref(Resource.PETS, pet))) or plain(kept) or tr("(no name)")


def how_words(line: ScanLine) -> str:
    """How a number came about: `12 typed, 2 scans`."""
    scans = tr("{n} scans", "", line.scans, one="{n} scan")
    if line.typed is None:
        return scans
    typed = tr("{number} typed", number=number(line.typed))
    return tr("{typed}, {scans}", typed=typed, scans=scans) if line.scans else typed
