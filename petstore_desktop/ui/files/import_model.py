"""The rows of a file as an item model: number, result and reason, and cells that can be corrected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal

from petstore_desktop.desk.edit.clipboard import CopiedTable
from petstore_desktop.desk.imports.import_judging import Judged, RowKind
from petstore_desktop.ui.base.theme import Tone, plain, to_say
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel, CellTyping
from petstore_desktop.ui.files.import_texts import kind_words, problem_words
from petstore_desktop.ui.text.cell import EMPTY, Cell
from petstore_desktop.ui.text.translate import column_title, number, sentences, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.imports.importing import Import

ROW, WHAT, WHY, FIRST = range(4)
_LOOKS: Final[dict[RowKind, tuple[str, Tone]]] = {
    RowKind.CHANGED: ("pencil", "wait"),
    RowKind.NEW: ("plus", "ok"),
    RowKind.SAME: ("complete", "done"),
    RowKind.WRONG: ("refused", "bad"),
}


class ImportModel(CellModel[int]):
    """The rows of the file that are shown, each by its place there.

    Signals:
        mended: object: a cell was mended.
    """

    mended = Signal(object)

    def show_rows(self, made: Import | None, places: Sequence[int]) -> None:
        """These rows of this file."""
        fixed: tuple[CellColumn[int], ...] = (
            CellColumn(tr("Row"), lambda row: Cell(text=number(row + 1), kind="number", tone="muted"), is_figure=True),
            CellColumn(tr("Result"), lambda row: EMPTY if made is None else _what(made.judged(row))),
            CellColumn(tr("Note"), lambda row: EMPTY if made is None else _why(made.judged(row))),
        )
        self.show(places, fixed if made is None else (*fixed, *self._own(made)))

    def _own(self, made: Import) -> Iterator[CellColumn[int]]:
        """A column for each of the file."""
        for at, title in enumerate(_titles(made)):
            used = bool(made.layout.fields[at])
            typed = CellTyping(partial(_text, made, at), partial(self._mend, made, at), lambda _, used=used: used)
            yield CellColumn(title, partial(_cell, made, at), typed=typed)

    def _mend(self, made: Import, at: int, row: int, text: str) -> bool:
        made.mend(row, at, text)
        self.repaint()
        self.mended.emit(None)
        return True


def _text(made: Import, at: int, row: int) -> str:
    return made.text(row, at)


def _cell(made: Import, at: int, row: int) -> Cell:
    judged = made.judged(row)
    wrong = judged is not None and any(made.column_of(problem) == at for problem in judged.problems)
    used = bool(made.layout.fields[at])
    return Cell(text=plain(made.text(row, at)), tone="bad" if wrong else "text", muted=not used)


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
