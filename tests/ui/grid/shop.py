"""What the tables' tests share: a small model, a table on screen, and pictures of its cells."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QImage, QStandardItem, QStandardItemModel

from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.text.cell import Cell, CellRole, pill_cell

GUTTER, NAME, CATEGORY, STATUS, STOCK = range(5)
KOI = Cell(kind="stock", base="24", chip="+12", result="36", mark="unsent")


def item(cell: Cell, editable: bool = False, edit: str = "") -> QStandardItem:
    """A model item that says only its cell and what an editor starts with."""
    made = QStandardItem()
    made.setData(cell, CellRole)
    made.setData(edit or cell.text, Qt.ItemDataRole.EditRole)
    made.setEditable(editable)
    return made


class Model(QStandardItemModel):
    """Three pets; a row's cells keep their Cell when their EditRole is set."""

    def __init__(self) -> None:
        super().__init__(0, 5)
        for name, stock in (("Koi", KOI), ("Betta", Cell(kind="stock", text="18")), ("Clownfish", Cell(text="–"))):
            self.appendRow(
                [
                    item(Cell(kind="gutter", mark=stock.mark)),
                    item(Cell(kind="ref", text=name, ref_id="1234")),
                    item(Cell(text="Fish", muted=True), editable=True),
                    item(pill_cell("available", "available"), editable=True, edit="available"),
                    item(stock, editable=True, edit=stock.text or "36"),
                ]
            )
        for column, word in enumerate(("", "Pet", "Category", "Status", "In stock")):
            header = QStandardItem(word)
            if column == STOCK:
                header.setTextAlignment(Qt.AlignmentFlag.AlignRight)
            self.setHorizontalHeaderItem(column, header)


def preview(_index: QModelIndex, text: str) -> tuple[str, bool] | None:
    """A stand-in for the desk's parser: whole numbers, with or without a sign."""
    try:
        value = 120 + int(text) if text[0] in "+-" else int(text)
    except ValueError:
        return None
    return f"= {value}", value < 0


def make_table(made: TableView | None = None) -> TableView:
    """A table of three pets whose stock, category and status can be edited."""
    made = made or TableView()
    model = Model()
    model.setParent(made)
    made.setModel(model)
    made.rows.stock_preview = preview
    made.rows.choices[STATUS] = (("available", "available"), ("pending", "pending"), ("sold", "sold"))
    made.set_gutter(GUTTER)
    for column, width in ((NAME, 200), (CATEGORY, 120), (STATUS, 122), (STOCK, 206)):
        made.setColumnWidth(column, width)
    made.resize(760, 240)
    return made


def cell_image(table: TableView, row: int, column: int) -> QImage:
    """What one cell looks like."""
    rect = table.visualRect(table.model().index(row, column))
    return table.viewport().grab(rect).toImage()


def set_cell(table: TableView, row: int, column: int, cell: Cell) -> None:
    """Let a cell say something else."""
    table.model().setData(table.model().index(row, column), cell, CellRole)


def colors(image: QImage) -> set[str]:
    """Every colour in a picture."""
    return {image.pixelColor(x, y).name().upper() for x in range(image.width()) for y in range(image.height())}
