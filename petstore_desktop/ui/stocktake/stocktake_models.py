"""The lists of a stocktake as item models: to count, counted, variances, and unknown codes.

A scan moves one row; no list is built anew for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt

from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.records import Key
from petstore_desktop.ui.cells.cell_model import CellModel, Index
from petstore_desktop.ui.stocktake.stocktake_texts import category_name, pet_name, pet_note, standing_words
from petstore_desktop.ui.text.cell import Cell
from petstore_desktop.ui.text.times import clock_time
from petstore_desktop.ui.text.translate import DASH, number, signed, tr

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from petstore_desktop.desk.stocktake.count import Count, CountLine
    from petstore_desktop.desk.stocktake.standing import LineStanding
    from petstore_desktop.ui.stocktake.keeper import CountKeeper

PET, COUNTED, EXPECTED, DIFFERENCE, AT = range(5)


class RowsModel(CellModel):
    """Rows by their keys, the newest first; a filter leaves those whose texts have all of its words."""

    def __init__(self, keeper: CountKeeper, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.keeper = keeper
        self.keys: list[Key] = []
        self._words: tuple[str, ...] = ()
        self._columns = len(self.titles())
        self.fill()

    @property
    def tally(self) -> Count:
        """The count whose rows these are."""
        return self.keeper.count

    def all_keys(self) -> Iterable[Key]:
        """The keys of all rows, whatever the filter."""
        raise NotImplementedError

    def has(self, key: Key) -> bool:
        """Whether there is a row of this key, whatever the filter."""
        raise NotImplementedError

    def text_of(self, key: Key) -> str:
        """The texts that a filter searches."""
        return f"{pet_name(self.keeper.desk, key)} #{key}"

    def filter(self, text: str) -> None:
        """Show only rows with these words."""
        words = tuple(fold(text).split())
        if words != self._words:
            self._words = words
            self.fill()

    @property
    def filtered(self) -> bool:
        """Whether a filter leaves some rows out."""
        return bool(self._words)

    def _fits(self, key: Key) -> bool:
        if not self._words:
            return True
        text = fold(self.text_of(key))
        return all(word in text for word in self._words)

    def fill(self) -> None:
        """Build all rows anew."""
        self.beginResetModel()
        self.keys = [key for key in self.all_keys() if self._fits(key)]
        self.endResetModel()

    def count(self) -> int:
        return len(self.keys)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else self._columns

    def row_of(self, key: Key) -> int:
        """The row of a key; -1 without one."""
        return self.keys.index(key) if key in self.keys else -1

    def move(self, key: Key) -> None:
        """A row of this key came, went, or is the newest now."""
        row, stays = self.row_of(key), self.has(key) and self._fits(key)
        if row > 0 and stays:
            self.beginMoveRows(QModelIndex(), row, row, QModelIndex(), 0)
            self.keys.insert(0, self.keys.pop(row))
            self.endMoveRows()
        elif row < 0 and stays:
            self.beginInsertRows(QModelIndex(), 0, 0)
            self.keys.insert(0, key)
            self.endInsertRows()
        elif row >= 0 and not stays:
            self.beginRemoveRows(QModelIndex(), row, row)
            del self.keys[row]
            self.endRemoveRows()
        for shown in (0, 1):
            if shown < len(self.keys):
                self.dataChanged.emit(self.index(shown, 0), self.index(shown, self.columnCount() - 1))


class ToCountModel(RowsModel):
    """The pets that are not counted yet, in the order of the stock list."""

    figures = (2,)

    def all_keys(self) -> Iterable[Key]:
        return self.tally.waiting

    def has(self, key: Key) -> bool:
        return key in self.tally.waiting

    def titles(self) -> tuple[str, ...]:
        return tr("Pet"), tr("Category"), tr("Expected")

    def cell(self, row: int, column: int) -> Cell:
        pet, desk = self.keys[row], self.keeper.desk
        if column == 0:
            note = pet_note(desk, pet)
            return Cell(text=pet_name(desk, pet), kind="ref", ref_id=str(pet), note=note)
        if column == 1:
            return Cell(text=category_name(desk, desk.shop.category_of_pet(pet)), tone="muted")
        if self.tally.head.blind:
            return Cell(text=tr("hidden"), kind="number", muted=True)
        stock = desk.shop.stock(pet)
        shown = None if stock is None else stock.result
        return Cell(text=DASH if shown is None else number(shown), kind="number", muted=True)


class CountedModel(RowsModel):
    """The counted pets, the newest first."""

    figures = (COUNTED, EXPECTED, DIFFERENCE, AT)

    def all_keys(self) -> Iterable[Key]:
        return reversed(self.tally.lines)

    def has(self, key: Key) -> bool:
        return key in self.tally.lines

    def text_of(self, key: Key) -> str:
        return f"{pet_name(self.keeper.desk, key, self.tally.lines[key].name)} #{key}"

    def titles(self) -> tuple[str, ...]:
        return tr("Pet"), tr("Counted"), tr("Expected"), tr("Difference"), tr("Counted at")

    def hides(self, pet: Key) -> bool:
        """Whether what is expected is hidden, because the pet is still being counted."""
        return self.tally.head.blind and pet == self.tally.hand and not self.keeper.ended

    def cell(self, row: int, column: int) -> Cell:
        line = self.tally.lines[self.keys[row]]
        return self._pet_cell(line) if column == PET else self._figure(line, column)

    def _pet_cell(self, line: CountLine) -> Cell:
        name = pet_name(self.keeper.desk, line.pet, line.name)
        return Cell(text=name, kind="ref", ref_id=str(line.pet), note=pet_note(self.keeper.desk, line.pet))

    def _figure(self, line: CountLine, column: int) -> Cell:
        hidden = self.hides(line.pet)
        if column == COUNTED:
            return Cell(text=number(line.counted), kind="number")
        if column == AT:
            counting = line.pet == self.tally.hand and not self.keeper.ended
            return Cell(text=tr("counting") if counting else clock_time(line.at), kind="number", muted=True)
        if column == EXPECTED:
            expected = DASH if line.expected is None else number(line.expected)
            return Cell(text=tr("hidden") if hidden else expected, kind="number", muted=True)
        by = line.difference
        if hidden or by is None:
            return Cell(text="" if hidden else DASH, kind="chip", muted=True)
        return Cell(text=signed(by) if by else number(0), kind="chip", tone="accent" if by else "muted", muted=not by)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        said = super().data(index, role)
        if role == Qt.ItemDataRole.AccessibleTextRole and index.isValid() and not said:
            return tr("hidden")
        return said


class VariancesModel(CountedModel):
    """The lines that differ, ticked where they are to be booked. `standings`: what the last check said of them."""

    figures = (2, 3, 4)

    def __init__(self, keeper: CountKeeper, parent: QObject | None = None) -> None:
        self.ticks: dict[Key, bool] = {}
        """The lines that a person leaves out, or takes in whatever stands against it."""
        self.standings: Mapping[Key, LineStanding] = {}
        self.changed: Callable[[], object] = lambda: None
        super().__init__(keeper, parent)

    def all_keys(self) -> Iterable[Key]:
        return [line.pet for line in reversed(self.tally.variances()) if not self.hides(line.pet)]

    def has(self, key: Key) -> bool:
        line = self.tally.lines.get(key)
        return line is not None and line.varies and not self.hides(key)

    def titles(self) -> tuple[str, ...]:
        return tr("Book"), tr("Pet"), tr("Counted"), tr("Expected"), tr("Difference"), tr("Note")

    def cell(self, row: int, column: int) -> Cell:
        line = self.tally.lines[self.keys[row]]
        if column == 0:
            return Cell(kind="check")
        if column == 1:
            return self._pet_cell(line)
        if column == 5:
            words = standing_words(self.standings.get(line.pet))
            return Cell(text=words or clock_time(line.at), tone="wait" if words else "muted")
        return self._figure(line, column - 1)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if index.isValid() and index.column() == 0 and index.row() < self.count():
            ticked = self.is_ticked(self.keys[index.row()])
            if role == Qt.ItemDataRole.CheckStateRole:
                return Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
            if role == Qt.ItemDataRole.AccessibleTextRole:
                return tr("booked") if ticked else tr("left out")
        return super().data(index, role)

    def is_ticked(self, pet: Key) -> bool:
        """Whether the difference of a pet is to be booked."""
        if self.keeper.ended:
            return pet in self.tally.head.booked
        line = self.tally.lines.get(pet)
        return self.ticks.get(pet, True) and line is not None and line.expected is not None

    def counts(self) -> tuple[int, int]:
        """How many lines differ, as far as that is shown, and how many of them are ticked and can be booked."""
        count = self.tally
        hidden = count.hand is not None and count.hand in count.varying and self.hides(count.hand)
        shown = len(count.varying) - int(hidden)
        left_out = sum(pet in count.varying for pet, on in self.ticks.items() if not on)
        not_booked = list(count.varying.values()).count(False) + left_out
        return shown, max(0, shown - not_booked)

    def tick(self, row: int) -> None:
        """Leave a line out, or take it in again."""
        if not self.keeper.ended and 0 <= row < len(self.keys):
            key = self.keys[row]
            self.ticks[key] = not self.ticks.get(key, True)
            self.dataChanged.emit(self.index(row, 0), self.index(row, self.columnCount() - 1))
            self.changed()


class CodesModel(RowsModel):
    """The codes that belong to no pet."""

    figures = (1, 2)

    def all_keys(self) -> Iterable[Key]:
        return reversed(self.tally.codes)

    def has(self, key: Key) -> bool:
        return str(key) in self.tally.codes

    def text_of(self, key: Key) -> str:
        return str(key)

    def titles(self) -> tuple[str, ...]:
        return tr("Code"), tr("Scans"), tr("Last scan"), ""

    def cell(self, row: int, column: int) -> Cell:
        found = self.tally.codes[str(self.keys[row])]
        if column == 0:
            return Cell(text=found.code)
        if column == 1:
            return Cell(text=number(found.scans), kind="number")
        if column == 2:
            return Cell(text=clock_time(found.at), kind="number", muted=True)
        return Cell(text=tr("Choose its pet"), tone="accent")
