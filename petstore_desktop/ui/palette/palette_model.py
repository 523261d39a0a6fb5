"""The answers of the palette as a list; each is put into words when it is first shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from petstore_desktop.desk.jump.palette import SearchResult
from petstore_desktop.ui.base.theme import to_say, tooltip
from petstore_desktop.ui.palette.palette_texts import PaletteLine

Index: TypeAlias = QModelIndex | QPersistentModelIndex
AnswerRole = int(Qt.ItemDataRole.UserRole) + 1
"""Item role under which the delegate gets the `PaletteLine`."""
IdRole = int(Qt.ItemDataRole.UserRole) + 10
"""Item role of the id of an answer: `pets:1234`, `view:orders.open`, `action:undo`."""
_Role = Qt.ItemDataRole


class PaletteModel(QAbstractListModel):
    """The results, the best first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.words: Callable[[SearchResult], PaletteLine] = lambda _: PaletteLine("", "")
        """The function that words a result; set whenever the palette opens."""
        self._results: list[SearchResult] = []
        self._answers: dict[str, PaletteLine] = {}

    def show(self, results: Sequence[SearchResult]) -> None:
        """Show these from now on."""
        if [result.id for result in results] == [result.id for result in self._results]:
            self._results = list(results)
            return
        self.beginResetModel()
        self._results = list(results)
        self.endResetModel()

    def forget(self) -> None:
        """The records' texts may have changed."""
        self._answers.clear()
        if self._results:
            self.dataChanged.emit(self.index(0), self.index(len(self._results) - 1))

    def result(self, row: int) -> SearchResult | None:
        """The answer in a row."""
        return self._results[row] if 0 <= row < len(self._results) else None

    def row_of(self, id_: str) -> int:
        """Where an answer stands; -1 where it is not."""
        return next((row for row, result in enumerate(self._results) if result.id == id_), -1)

    def answer(self, row: int) -> PaletteLine:
        """An answer in words."""
        result = self._results[row]
        known = f"{result.kind}:{result.id}"
        said = self._answers.get(known)
        if said is None:
            said = self._answers[known] = self.words(result)
        return said

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else len(self._results)

    def data(self, index: Index, role: int = _Role.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._results):
            return None
        if role == IdRole:
            return self._results[index.row()].id
        if role not in (AnswerRole, _Role.DisplayRole, _Role.AccessibleTextRole, _Role.ToolTipRole):
            return None
        answer = self.answer(index.row())
        if role == AnswerRole:
            return answer
        if role == _Role.DisplayRole:
            return answer.title
        return to_say(answer.spoken) if role == _Role.AccessibleTextRole else tooltip(answer.spoken)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """All can be walked over: one that cannot be used says why."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
