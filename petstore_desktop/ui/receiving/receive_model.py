"""The lines of a delivery as an item model: pet, pieces, old and new stock, time. It holds nothing itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal

from petstore_desktop.desk.values.typed_numbers import parse_quantity
from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import INT64_MAX, Key, Ref, Resource, key_to_text
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.cells.cell_model import CellModel, Index
from petstore_desktop.ui.receiving.receive_texts import gained, pet_name
from petstore_desktop.ui.text.cell import EMPTY, Cell
from petstore_desktop.ui.text.times import moment
from petstore_desktop.ui.text.translate import number, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.receiving.delivery import Delivery, LineKey, ReceivedLine

ICON, PET, COUNT, STOCK, AT, REMOVE = range(6)
_Role = Qt.ItemDataRole
_SHOWN = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_TYPED = _SHOWN | Qt.ItemFlag.ItemIsEditable


def stock_before(desk: Desk, pet: Key) -> int | None:
    """How many of a pet are here now; None where it has no stock entry, so that nothing can be booked."""
    key = desk.resolve(Ref(Resource.PETS, pet)).key
    stock = desk.shop.stock(key)
    return None if stock is None or stock.base is None else desk.shop.going_stock(key)


def can_be_booked(desk: Desk, line: ReceivedLine) -> bool:
    """Whether the line is one of a pet that has stock."""
    before = None if line.pet is None else stock_before(desk, line.pet)
    return before is not None and before + line.count <= INT64_MAX


class ReceiveModel(CellModel):
    """Unknown codes first, then the lines, the newest first.

    Signals:
        counted(object, object): a person gave a line (its `LineKey`) so many pieces.
    """

    figures = (COUNT, STOCK, AT)
    counted = Signal(object, object)

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.rows: Final[list[ReceivedLine]] = []
        self.only_unknown = False

    def show_lines(self, delivery: Delivery) -> None:
        """Show what the delivery has now."""
        rows = delivery.unknown + ([] if self.only_unknown else delivery.lines)
        if [row.key for row in rows] == [row.key for row in self.rows]:
            self.rows[:] = rows
            self.repaint()
            return
        self.beginResetModel()
        self.rows[:] = rows
        self.endResetModel()

    def changes(self, lines: list[ReceivedLine]) -> tuple[NewChange, ...]:
        """The changes that book these lines."""
        return tuple(self._change(line.pet, line.count) for line in lines if line.pet is not None)

    def _change(self, pet: Key, count: int) -> NewChange:
        key = self._desk.resolve(Ref(Resource.PETS, pet)).key
        made = self._desk.acts.stock(key, f"+{count}")
        return made if isinstance(made, NewChange) else NewChange(Ref(Resource.INVENTORY, key), AddStock(count))

    def row_of(self, key: LineKey | None) -> int:
        """Where a line is; -1 where it is not."""
        return next((place for place, row in enumerate(self.rows) if row.key == key), -1)

    def count(self) -> int:
        return len(self.rows)

    def titles(self) -> tuple[str, ...]:
        return "", tr("Pet"), tr("Received"), tr("In stock"), tr("Scanned at"), ""

    def cell(self, row: int, column: int) -> Cell:
        line = self.rows[row]
        if column == REMOVE:
            return Cell(kind="icon", icon="close", text=tr("Take out"), muted=True)
        if column == COUNT:
            tone = "accent" if line.pet is not None else "wait"
            return Cell(kind="chip", text=gained(line.count), tone=tone)
        return self._unknown(line, column) if line.pet is None else self._pet(line, line.pet, column)

    def _unknown(self, line: ReceivedLine, column: int) -> Cell:
        if column == ICON:
            return Cell(kind="icon", icon="uncertain", tone="wait", text=tr("Unknown code"))
        if column == PET:
            code = isolate(plain(line.code))
            return Cell(text=tr("No pet: {code}", "a bar code that no pet has", code=code), tone="wait")
        return Cell(text=tr("Choose its pet"), kind="number", tone="accent") if column == AT else EMPTY

    def _pet(self, line: ReceivedLine, pet: Key, column: int) -> Cell:
        if column == PET:
            key = self._desk.resolve(Ref(Resource.PETS, pet)).key
            return Cell(text=pet_name(self._desk, pet), kind="ref", ref_id=key_to_text(key))
        if column == STOCK:
            before = stock_before(self._desk, pet)
            if before is None:
                return Cell(text=tr("no stock entry"), kind="number", tone="wait")
            return Cell(kind="moved", base=number(before), result=number(before + line.count))
        if column == AT:
            return Cell(text=self._time(line.at), kind="number", muted=True)
        return Cell(kind="icon", icon="warning", tone="wait") if not can_be_booked(self._desk, line) else EMPTY

    def _time(self, at: float) -> str:
        return moment(at, self._desk.now())

    # -- typing a number

    def flags(self, index: Index) -> Qt.ItemFlag:
        return (_TYPED if index.column() == COUNT else _SHOWN) if index.isValid() else Qt.ItemFlag.NoItemFlags

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else REMOVE + 1

    def data(self, index: Index, role: int = _Role.DisplayRole) -> object:
        if role == _Role.EditRole and index.isValid() and index.column() == COUNT and index.row() < self.count():
            return str(self.rows[index.row()].count)
        return super().data(index, role)

    def typed(self, row: int, text: str) -> int | None:
        """The pieces that a typed number makes of a line; None where it is no number."""
        count = self.rows[row].count
        entry = parse_quantity(text, count, self._desk.shop.here.separators)
        if isinstance(entry, BadInput):
            return None
        return count + entry.intent.delta if isinstance(entry.intent, AddStock) else entry.intent.quantity

    def setData(self, index: Index, value: object, role: int = _Role.EditRole) -> bool:
        if role != _Role.EditRole or index.column() != COUNT or not isinstance(value, str):
            return False
        count = self.typed(index.row(), value)
        if count is None or count < 0:
            return False
        self.counted.emit(self.rows[index.row()].key, count)
        return True
