"""The lists of a stocktake as item models: to count, counted, variances, and unknown codes.

A scan moves one row; no list is built anew for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex

from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.records import Key
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel, CellTicks
from petstore_desktop.ui.station.station_list import pet_name
from petstore_desktop.ui.stocktake.stocktake_texts import category_name, pet_note, standing_words
from petstore_desktop.ui.text.cell import Cell, spoken
from petstore_desktop.ui.text.times import clock_time
from petstore_desktop.ui.text.translate import DASH, number, signed, tr

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.scanning.session import ScanLine
    from petstore_desktop.desk.stocktake.count import Count
    from petstore_desktop.desk.stocktake.standing import LineStanding


class RowsModel(CellModel[Key]):
    """Rows of a count (`tally`) by their keys, the newest first; a filter leaves those whose texts have all of its
    words."""

    def __init__(self, desk: Desk, tally: Count, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.desk, self.tally = desk, tally
        self.rows = self._keys = list[Key]()
        self._words: tuple[str, ...] = ()
        self.columns = self.made_columns()
        self.fill()

    def made_columns(self) -> tuple[CellColumn[Key], ...]:
        """What is shown of each key."""
        raise NotImplementedError

    def all_keys(self) -> Iterable[Key]:
        """The keys of all rows, whatever the filter."""
        raise NotImplementedError

    def has(self, key: Key) -> bool:
        """Whether there is a row of this key, whatever the filter."""
        raise NotImplementedError

    def text_of(self, key: Key) -> str:
        """The texts that a filter searches."""
        return f"{pet_name(self.desk, key)} #{key}"

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

    def pet_cell(self, pet: Key, name: str) -> Cell:
        """A pet by its name and id, with the note about it."""
        return Cell(text=name, kind="ref", ref_id=str(pet), note=pet_note(self.desk, pet))

    def fill(self) -> None:
        """Build all rows anew."""
        self.beginResetModel()
        self._keys[:] = [key for key in self.all_keys() if self._fits(key)]
        self.endResetModel()

    def move(self, key: Key) -> None:
        """A row of this key came, went, or is the newest now."""
        row, stays = self.row_of(key), self.has(key) and self._fits(key)
        if row > 0 and stays:
            self.beginMoveRows(QModelIndex(), row, row, QModelIndex(), 0)
            self._keys.insert(0, self._keys.pop(row))
            self.endMoveRows()
        elif row < 0 and stays:
            self.beginInsertRows(QModelIndex(), 0, 0)
            self._keys.insert(0, key)
            self.endInsertRows()
        elif row >= 0 and not stays:
            self.beginRemoveRows(QModelIndex(), row, row)
            del self._keys[row]
            self.endRemoveRows()
        if self._keys:
            self.repaint_rows(0, min(1, len(self._keys) - 1))


class ToCountModel(RowsModel):
    """The pets that are not counted yet, in the order of the stock list."""

    def made_columns(self) -> tuple[CellColumn[Key], ...]:
        return (
            CellColumn(tr("Pet"), lambda pet: self.pet_cell(pet, pet_name(self.desk, pet))),
            CellColumn(tr("Category"), self._category),
            CellColumn(tr("Expected"), self._expected, is_figure=True),
        )

    def all_keys(self) -> Iterable[Key]:
        return self.tally.waiting

    def has(self, key: Key) -> bool:
        return key in self.tally.waiting

    def _category(self, pet: Key) -> Cell:
        return Cell(text=category_name(self.desk, self.desk.shop.category_of_pet(pet)), tone="muted")

    def _expected(self, pet: Key) -> Cell:
        if self.tally.head.blind:
            return Cell(text=tr("hidden"), kind="number", muted=True)
        stock = self.desk.shop.stock(pet)
        shown = None if stock is None else stock.result
        return Cell(text=DASH if shown is None else number(shown), kind="number", muted=True)


class CountedModel(RowsModel):
    """The counted pets, the newest first."""

    def made_columns(self) -> tuple[CellColumn[Key], ...]:
        return (*self.figures(), CellColumn(tr("Counted at"), self._at, is_figure=True))

    def figures(self) -> tuple[CellColumn[Key], ...]:
        """A pet, how many were counted and expected, and by how much that differs."""
        return (
            CellColumn(tr("Pet"), lambda pet: self.pet_cell(pet, self._name(pet))),
            CellColumn(tr("Counted"), self._counted, is_figure=True),
            CellColumn(tr("Expected"), self._expected, is_figure=True),
            CellColumn(tr("Difference"), self._difference, is_figure=True, said=self._spoken),
        )

    def all_keys(self) -> Iterable[Key]:
        return reversed(self.tally.lines)

    def has(self, key: Key) -> bool:
        return key in self.tally.lines

    def text_of(self, key: Key) -> str:
        return f"{self._name(key)} #{key}"

    def _name(self, pet: Key) -> str:
        return pet_name(self.desk, pet, self.tally.lines[pet].name)

    def hides(self, pet: Key) -> bool:
        """Whether what is expected is hidden, because the pet is still being counted."""
        return self.tally.head.blind and pet == self.tally.pet_in_hand and not self.tally.ended

    def _counted(self, pet: Key) -> Cell:
        return Cell(text=number(self.tally.lines[pet].counted), kind="number")

    def _expected(self, pet: Key) -> Cell:
        expected = self.tally.lines[pet].expected
        known = DASH if expected is None else number(expected)
        return Cell(text=tr("hidden") if self.hides(pet) else known, kind="number", muted=True)

    def _difference(self, pet: Key) -> Cell:
        by, hidden = self.tally.lines[pet].difference, self.hides(pet)
        if hidden or by is None:
            return Cell(text="" if hidden else DASH, kind="chip", muted=True)
        return Cell(text=signed(by) if by else number(0), kind="chip", tone="accent" if by else "muted", muted=not by)

    def _spoken(self, pet: Key) -> str:
        return spoken(self._difference(pet)) or tr("hidden")

    def _at(self, pet: Key) -> Cell:
        counting = pet == self.tally.pet_in_hand and not self.tally.ended
        words = tr("counting") if counting else clock_time(self.tally.lines[pet].at)
        return Cell(text=words, kind="number", muted=True)


class VariancesModel(CountedModel):
    """The lines that differ, ticked where they are to be booked. `standings`: what the last check said of them."""

    def __init__(self, desk: Desk, tally: Count, parent: QObject | None = None) -> None:
        self.ticks: dict[Key, bool] = {}
        """The lines that a person leaves out, or takes in whatever stands against it."""
        self.standings: Mapping[Key, LineStanding] = {}
        self.changed: Callable[[], object] = lambda: None
        super().__init__(desk, tally, parent)

    def all_keys(self) -> Iterable[Key]:
        return [line.pet for line in reversed(self.tally.variances()) if not self.hides(line.pet)]

    def has(self, key: Key) -> bool:
        line = self.tally.lines.get(key)
        return line is not None and line.varies and not self.hides(key)

    def made_columns(self) -> tuple[CellColumn[Key], ...]:
        ticked = CellTicks(self.is_ticked)
        return (
            CellColumn(tr("Book"), lambda _: Cell(kind="check"), said=self._tick_words, ticked=ticked),
            *self.figures(),
            CellColumn(tr("Note"), self._note),
        )

    def _tick_words(self, pet: Key) -> str:
        return tr("booked") if self.is_ticked(pet) else tr("left out")

    def _note(self, pet: Key) -> Cell:
        words = standing_words(self.standings.get(pet))
        if words:
            return Cell(text=words, tone="wait")
        return Cell(text=tr("counted at {time}", time=clock_time(self.tally.lines[pet].at)), tone="muted")

    def forget(self, pet: Key) -> None:
        """A line is another now: it is judged anew, and ticked as it is judged where it was taken in whatever stood
        against it."""
        self.standings = {one: standing for one, standing in self.standings.items() if one != pet}
        if self.ticks.get(pet):
            del self.ticks[pet]

    def is_ticked(self, pet: Key) -> bool:
        """Whether the difference of a pet is to be booked."""
        if self.tally.ended:
            return pet in self.tally.head.booked
        line = self.tally.lines.get(pet)
        return self.ticks.get(pet, True) and line is not None and line.expected is not None

    def counts(self) -> tuple[int, int]:
        """How many lines differ, as far as that is shown, and how many of them are ticked and can be booked."""
        count = self.tally
        hidden = (pet := count.pet_in_hand) is not None and pet in count.varying and self.hides(pet)
        shown = len(count.varying) - int(hidden)
        left_out = sum(pet in count.varying for pet, on in self.ticks.items() if not on)
        not_booked = list(count.varying.values()).count(False) + left_out
        return shown, max(0, shown - not_booked)

    def tick(self, row: int) -> None:
        """Leave a line out, or take it in again."""
        if not self.tally.ended and 0 <= row < len(self._keys):
            key = self._keys[row]
            self.ticks[key] = not self.ticks.get(key, True)
            self.repaint_rows(row, row)
            self.changed()


class CodesModel(RowsModel):
    """The codes that belong to no pet."""

    def made_columns(self) -> tuple[CellColumn[Key], ...]:
        return (
            CellColumn(tr("Code"), lambda code: Cell(text=self._found(code).code)),
            CellColumn(tr("Scans"), lambda code: Cell(text=number(self._found(code).counted), kind="number"), True),
            CellColumn(tr("Last scan"), self._last, is_figure=True),
            CellColumn("", lambda _: Cell(text=tr("Choose its pet"), tone="accent")),
        )

    def all_keys(self) -> Iterable[Key]:
        return reversed(self.tally.codes)

    def has(self, key: Key) -> bool:
        return str(key) in self.tally.codes

    def text_of(self, key: Key) -> str:
        return str(key)

    def _found(self, code: Key) -> ScanLine:
        return self.tally.codes[str(code)]

    def _last(self, code: Key) -> Cell:
        return Cell(text=clock_time(self._found(code).at), kind="number", muted=True)
