"""The lines of a delivery as an item model: pet, pieces, old and new stock, time. It holds nothing itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from petstore_desktop.desk.values.typed_numbers import parse_quantity
from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import INT64_MAX, Key, Ref, Resource, key_to_text
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel, CellTyping
from petstore_desktop.ui.receiving.receive_texts import gained
from petstore_desktop.ui.station.scan_texts import pet_name
from petstore_desktop.ui.text.cell import EMPTY, Cell
from petstore_desktop.ui.text.times import moment
from petstore_desktop.ui.text.translate import number, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.receiving.delivery import Delivery
    from petstore_desktop.desk.scanning.session import ScanLine

ICON, PET, COUNT, STOCK, AT, REMOVE = range(6)


def stock_before(desk: Desk, pet: Key) -> int | None:
    """How many of a pet are here now; None where it has no stock entry, so that nothing can be booked."""
    stock = desk.shop.stock(pet)
    return None if stock is None or stock.base is None else desk.shop.going_stock(pet)


def can_be_booked(desk: Desk, line: ScanLine) -> bool:
    """Whether the line is one of a pet that has stock."""
    before = None if line.code else stock_before(desk, line.pet)
    return before is not None and before + line.counted <= INT64_MAX


class ReceiveModel(CellModel["ScanLine"]):
    """Unknown codes first, then the lines, the newest first.

    Signals:
        counted(object, object): a person gave a line (its `Place`) so many pieces.
    """

    counted = Signal(object, object)

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent, lambda line: line.place)
        self._desk = desk
        self.only_unknown = False
        self.columns = (
            CellColumn("", self._icon),
            CellColumn(tr("Pet"), self._pet),
            CellColumn(
                tr("Received"), _count, is_figure=True, typed=CellTyping(lambda line: str(line.counted), self._write)
            ),
            CellColumn(tr("In stock"), self._stock, is_figure=True),
            CellColumn(tr("Scanned at"), self._at, is_figure=True),
            CellColumn("", lambda _: Cell(kind="icon", icon="close", text=tr("Take out"), muted=True)),
        )

    def show_lines(self, delivery: Delivery) -> None:
        """Show what the delivery has now."""
        codes = [*reversed(delivery.codes.values())]
        self.show(codes + ([] if self.only_unknown else self.pets(delivery)))

    @staticmethod
    def pets(delivery: Delivery) -> list[ScanLine]:
        """The lines of pets, the newest first."""
        return [*reversed(delivery.lines.values())]

    def changes(self, lines: list[ScanLine]) -> tuple[NewChange, ...]:
        """The changes that book these lines."""
        return tuple(self._change(line.pet, line.counted) for line in lines)

    def _change(self, pet: Key, count: int) -> NewChange:
        made = self._desk.acts.stock(pet, f"+{count}")
        return made if isinstance(made, NewChange) else NewChange(Ref(Resource.INVENTORY, pet), AddStock(count))

    def _icon(self, line: ScanLine) -> Cell:
        if line.code:
            return Cell(kind="icon", icon="uncertain", tone="wait", text=tr("Unknown code"))
        return EMPTY if can_be_booked(self._desk, line) else Cell(kind="icon", icon="warning", tone="wait")

    def _pet(self, line: ScanLine) -> Cell:
        if line.code:
            code = isolate(plain(line.code))
            return Cell(text=tr("No pet: {code}", "a bar code that no pet has", code=code), tone="wait")
        return Cell(text=pet_name(self._desk, line.pet), kind="ref", ref_id=key_to_text(line.pet))

    def _stock(self, line: ScanLine) -> Cell:
        if line.code:
            return EMPTY
        before = stock_before(self._desk, line.pet)
        if before is None:
            return Cell(text=tr("no stock entry"), kind="number", tone="wait")
        return Cell(kind="moved", base=number(before), result=number(before + line.counted))

    def _at(self, line: ScanLine) -> Cell:
        if line.code:
            return Cell(text=tr("Choose its pet"), kind="number", tone="accent")
        return Cell(text=moment(line.at, self._desk.now()), kind="number", muted=True)

    # -- typing a number

    def typed(self, line: ScanLine, text: str) -> int | None:
        """The pieces that a typed number makes of a line; None where it is no number."""
        count = line.counted
        entry = parse_quantity(text, count, self._desk.shop.here.separators)
        if isinstance(entry, BadInput):
            return None
        return count + entry.intent.delta if isinstance(entry.intent, AddStock) else entry.intent.quantity

    def _write(self, line: ScanLine, text: str) -> bool:
        count = self.typed(line, text)
        if count is None or count < 0:
            return False
        self.counted.emit(line.place, count)
        return True


def _count(line: ScanLine) -> Cell:
    return Cell(kind="chip", text=gained(line.counted), tone="wait" if line.code else "accent")
