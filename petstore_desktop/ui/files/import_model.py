"""The rows of a file as an item model: number, result and reason, and cells that can be corrected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal

from petstore_desktop.desk.edit.clipboard import CopiedTable
from petstore_desktop.desk.imports.import_judging import Judged, RowKind
from petstore_desktop.ui.base.theme import Tone, plain, to_say
from petstore_desktop.ui.cells.cell_model import CellModel, Index
from petstore_desktop.ui.files.import_texts import kind_words, problem_words
from petstore_desktop.ui.text.cell import EMPTY, Cell
from petstore_desktop.ui.text.translate import column_title, number, sentences, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.imports.importing import Import

_Role = Qt.ItemDataRole
ROW, WHAT, WHY, FIRST = range(4)
_LOOKS: Final[dict[RowKind, tuple[str, Tone]]] = {
    RowKind.CHANGED: ("pencil", "wait"),
    RowKind.NEW: ("plus", "ok"),
    RowKind.SAME: ("complete", "done"),
    RowKind.WRONG: ("refused", "bad"),
}


class ImportModel(CellModel):
    """One row for each row of the file that is shown.

    Signals:
        mended: object: a cell was mended.
    """

    mended = Signal(object)
    figures = (ROW,)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._made: Import | None = None
        self._places: Sequence[int] = ()

    def show(self, made: Import | None, places: Sequence[int]) -> None:
        """These rows of this file."""
        self.beginResetModel()
        self._made, self._places = made, places
        self.endResetModel()

    def place(self, row: int) -> int:
        """The place of a shown row in its file."""
        return self._places[row]

    def count(self) -> int:
        return len(self._places)

    def titles(self) -> tuple[str, ...]:
        fixed = tr("Row"), tr("Result"), tr("Note")
        if self._made is None:
            return fixed
        return (*fixed, *_titles(self._made))

    def cell(self, row: int, column: int) -> Cell:
        made, place = self._made, self._places[row]
        if made is None:
            return EMPTY
        if column == ROW:
            return Cell(text=number(place + 1), kind="number", tone="muted")
        judged = made.judged(place)
        if column == WHAT:
            return _what(judged)
        if column == WHY:
            return _why(judged)
        at = column - FIRST
        wrong = judged is not None and any(made.column_of(problem) == at for problem in judged.problems)
        used = bool(made.layout.fields[at])
        return Cell(text=plain(made.text(place, at)), tone="bad" if wrong else "text", muted=not used)

    def data(self, index: Index, role: int = _Role.DisplayRole) -> object:
        if role == _Role.EditRole and index.isValid() and index.column() >= FIRST and self._made is not None:
            return self._made.text(self._places[index.row()], index.column() - FIRST)
        return super().data(index, role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags, at = super().flags(index), index.column() - FIRST
        used = self._made is not None and at >= 0 and bool(self._made.layout.fields[at])
        return flags | Qt.ItemFlag.ItemIsEditable if used else flags

    def setData(self, index: Index, value: object, role: int = _Role.EditRole) -> bool:
        if role != _Role.EditRole or self._made is None or index.column() < FIRST or not isinstance(value, str):
            return False
        self._made.mend(self._places[index.row()], index.column() - FIRST, value)
        self.repaint()
        self.mended.emit(None)
        return True


def wrong_rows(made: Import) -> Iterator[CopiedTable | None]:
    """The wrong rows as the file has them, with what is wrong as the last column, for the clipboard; None while there
    is more to do."""
    table = CopiedTable()
    table.add_titles([*_titles(made), tr("Note")])
    for place in made.places(RowKind.WRONG):
        judged = made.judged(place)
        cells = [made.text(place, at) for at in range(len(made.names))]
        table.add([*cells, "" if judged is None else to_say(_reasons(judged))], [False] * (len(cells) + 1))
        yield None
    yield table


def _titles(made: Import) -> Iterator[str]:
    return (plain(name) or tr("Column {n}", "", at) for at, name in enumerate(made.names, 1))


def _reasons(judged: Judged) -> str:
    return sentences(*dict.fromkeys(map(problem_words, judged.problems)))


def _what(judged: Judged | None) -> Cell:
    if judged is None:
        return EMPTY
    icon, tone = _LOOKS[judged.kind]
    return Cell(text=kind_words(judged.kind), kind="pill", icon=icon, tone=tone)


def _why(judged: Judged | None) -> Cell:
    if judged is None:
        return EMPTY
    if judged.problems:
        words = _reasons(judged)
        return Cell(text=words, tone="bad", tip=words)
    titles = [column_title(cell_input.ref.resource, cell_input.column) for cell_input in judged.inputs]
    return Cell(text=tr(", ", "between names").join(dict.fromkeys(titles)), muted=True)
