"""A desk on the station that only notes what it is given."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.desk import Changed, Desk
from petstore_desktop.domain.records import Ref
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel
from petstore_desktop.ui.station.station_list import StationList
from petstore_desktop.ui.station.station_page import StationPage
from petstore_desktop.ui.text.cell import Cell

TEXTS = ("A scan adds 1; a number and Enter sets how many.", "Scan what came in.", "Saved as you scan")


def bench_model(parent: QWidget) -> CellModel[int]:
    """Four rows, with one of each kind of cell."""
    model = CellModel[int](parent)
    none, some = Cell(text="0", kind="chip", muted=True), Cell(text="+6", kind="chip", tone="accent")
    model.columns = (
        CellColumn("Pet", lambda _: Cell(text="Koi", kind="ref", ref_id="1126")),
        CellColumn("Received", lambda row: none if row == 3 else some, is_figure=True),
        CellColumn("In stock", lambda _: Cell(kind="moved", base="38", result="44"), is_figure=True),
        CellColumn("Scanned at", lambda _: Cell(text="11:04", kind="number", muted=True), is_figure=True),
        CellColumn("", lambda _: Cell(kind="icon", icon="close", muted=True)),
    )
    model.show(range(4))
    return model


class BenchDesk(StationPage):
    """Notes what it is given. A number is taken as it is typed, all else is searched for."""

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        self.done: list[object] = []
        super().__init__(desk, "benchDesk", "Receive goods", "receive", TEXTS, parent)
        self.list = StationList("benchList", "Lines", bench_model(self), 1, self)
        self.list.set_widths({1: 90, 2: 140, 3: 110, 4: 44}, 0)
        self.add_page("linesPage", "Lines", self.list)
        self.add_page("unknownPage", "Unknown codes", self.list)
        self.foot.primary.set_text("Book 10 lines")
        self.foot.set_price("10 requests, leaves 745 of 1,000 today")
        self.head.set_covers("begun 10:58")

    def take_scan(self, text: str) -> None:
        self.done.append(("scan", text))

    def take_text(self, text: str) -> bool:
        if text.isdecimal() and len(text) < 4:
            self.done.append(("number", int(text)))
            return True
        return False

    def take_pet(self, ref: Ref) -> None:
        self.done.append(ref)

    def not_found(self, text: str) -> None:
        self.done.append(("not found", text))

    def go(self) -> None:
        self.done.append("go")

    def paste_lines(self, text: str) -> None:
        self.done.append(("pasted", text))

    def desk_changed(self, moved: Changed) -> None:
        pass
