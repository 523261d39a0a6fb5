"""The rows of the gallery's tables: those of the design's pictures."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel

from petstore_desktop.ui.text.cell import Cell, CellRole, pill_cell

PETS = (
    ("1187", "African grey, hand-reared", "Birds", "available", "6", "1"),
    ("988", "Angelfish, marbled", "Fish", "available", "31", "–"),
    ("1410", "Axolotl, leucistic", "Amphibians", "available", "7", "2"),
    ("1422", "Ball python, pastel", "Reptiles", "pending", "5", "1"),
    ("1065", "Bearded dragon, juvenile", "Reptiles", "available", "12", "–"),
    ("1301", "Betta, indigo half-moon", "Fish", "available", "18", "3"),
    ("877", "Budgerigar, sky blue", "Birds", "available", "24", "2"),
    ("1203", "Canary, red factor", "Birds", "available", "14", "–"),
    ("1342", "Chinchilla, standard grey, brothers from the same litter", "Small animals", "pending", "5", "1"),
    ("940", "Clownfish", "Fish", "available", "22", "–"),
    ("1388", "Cockatiel, lutino", "Birds", "available", "9", "1"),
    ("1129", "Corn snake, amelanistic", "Reptiles", "pending", "6", "–"),
    ("1254", "Crested gecko", "Reptiles", "available", "11", "–"),
    ("1017", "Discus, turquoise", "Fish", "available", "8", "1"),
    ("1356", "Fancy mouse, agouti", "Small animals", "sold", "26", "–"),
    ("1166", "Ferret, sable", "Small animals", "pending", "5", "2"),
    ("903", "Guinea pig, Abyssinian", "Small animals", "available", "16", "1"),
    ("1279", "Hermit crab", "Invertebrates", "available", "40", "–"),
    ("1234", "Koi", "Pond fish", "available", "36", "2"),
    ("1091", "Leopard gecko, high yellow", "Reptiles", "available", "13", "–"),
    ("1377", "Lovebird, peach-faced", "Birds", "available", "10", "4"),
    ("1402", "Mandarin goby", "Fish", "available", "10", "4"),
)
GUTTER = {"1065": "sent", "1203": "sending", "1129": "refused", "1017": "conflict", "1356": "unsent", "1234": "refused"}


def item(cell: Cell, editable: bool = False) -> QStandardItem:
    """A model item that says only its cell."""
    made = QStandardItem(cell.result or cell.text)
    made.setData(cell, CellRole)
    made.setEditable(editable)
    return made


def pets_model() -> QStandardItemModel:
    """The pets of the design's first picture."""
    model = QStandardItemModel(0, 7)
    for id_, name, category, status, stock, orders in PETS:
        greyed = id_ == "1356"
        marks = {
            ("1129", 3): "refused",
            ("1234", 3): "refused",
            ("1356", 4): "unsent",
            ("1203", 5): "sending",
            ("1017", 5): "conflict",
            ("1234", 5): "unsent",
        }
        full = Cell(
            kind="stock",
            text=stock,
            mark=marks.get((id_, 5)),
            row_muted=greyed,
            base="24" if id_ == "1234" else "",
            chip="+12" if id_ == "1234" else "",
            result=stock if id_ == "1234" else "",
        )
        model.appendRow(
            [
                item(Cell(kind="gutter", mark=GUTTER.get(id_))),
                item(Cell(kind="number", text=id_, muted=True)),
                item(Cell(text=name, row_muted=greyed), editable=True),
                item(Cell(text=category, muted=True, mark=marks.get((id_, 3))), editable=True),
                item(pill_cell(status, status, mark=marks.get((id_, 4)))),
                item(full, editable=True),
                item(Cell(kind="number", text=orders)),
            ]
        )
    _headers(model, ["", "Id", "Name", "Category", "Status", "In stock", "Orders"], {1, 5, 6})
    return model


STOCK = (
    ("1410", "Axolotl, leucistic", "Amphibians", "available", Cell(kind="stock", text="3", low=True), "5"),
    ("877", "Budgerigar, sky blue", "Birds", "available", Cell(kind="stock", text="24"), "12"),
    (
        "1401",
        "Zebra finch",
        "Birds",
        "available",
        Cell(kind="stock", base="28", chip="−30", result="−2", tone="bad", mark="refused"),
        "10",
    ),
    (
        "1301",
        "Betta, indigo half-moon",
        "Fish",
        "available",
        Cell(kind="stock", base="18", chip="−2", result="16", mark="unsent"),
        "10",
    ),
    ("1234", "Koi", "Fish", "available", Cell(kind="stock", base="24", chip="+12", result="36", mark="unsent"), "20"),
    ("866", "Neon tetra", "Fish", "available", Cell(kind="stock", text="1,240"), "400"),
    (
        "1290",
        "Cherry shrimp",
        "Invertebrates",
        "available",
        Cell(kind="stock", base="310", chip="=296", result="296", mark="unsent"),
        "100",
    ),
    (
        "1777",
        "?",
        "Fish",
        "extinct",
        Cell(kind="stock", base="11,234,567", chip="+12,000", result="11,246,567", mark="conflict"),
        "–",
    ),
    ("1145", "Mystery snail, gold", "Invertebrates", "available", Cell(kind="stock", text="120"), "60"),
)


def stock_model() -> QStandardItemModel:
    """Stock with its changes."""
    model = QStandardItemModel(0, 6)
    for id_, name, category, status, stock, minimum in STOCK:
        dangling = name == "?"
        model.appendRow(
            [
                item(Cell(kind="gutter", mark=stock.mark)),
                item(
                    Cell(
                        kind="ref",
                        text=name,
                        ref_id=id_,
                        tone="wait" if dangling else "text",
                        note="no such pet" if dangling else "",
                    )
                ),
                item(Cell(text=category, muted=True)),
                item(pill_cell(status, status, after=pill_cell("sold", "sold") if id_ == "866" else None)),
                item(stock, editable=True),
                item(Cell(kind="number", text=minimum, muted=True)),
            ]
        )
    _headers(model, ["", "Pet", "Category", "Status", "In stock", "Minimum"], {4, 5})
    return model


def _headers(model: QStandardItemModel, words: list[str], right: set[int]) -> None:
    for column, word in enumerate(words):
        header = QStandardItem(word)
        if column in right:
            header.setTextAlignment(Qt.AlignmentFlag.AlignRight)
        model.setHorizontalHeaderItem(column, header)
