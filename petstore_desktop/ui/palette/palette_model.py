"""The answers of the palette as a list; each is put into words when it is first shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from petstore_desktop.desk.jump.palette import SearchResult
from petstore_desktop.ui.base.theme import tooltip
from petstore_desktop.ui.palette.palette_texts import PaletteLine

Index: TypeAlias = QModelIndex | QPersistentModelIndex
AnswerRole = int(Qt.ItemDataRole.UserRole) + 1
"""Item role under which the delegate gets the `PaletteLine`."""
IdRole = int(Qt.ItemDataRole.UserRole) + 10
"""Item role of the id of an answer: `pets:1234`, `view:orders.open`, `action:undo`."""
_Role = Qt.ItemDataRole


class PaletteModel(QAbstractListModel):
    """The results, the best first."""

    def __init__(self, words: Callable[[SearchResult], PaletteLine], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._hits: list[SearchResult] = []
        self._answers: dict[str, PaletteLine] = {}

    def show(self, hits: Sequence[SearchResult]) -> None:
        """Show these from now on."""
        if [hit.id for hit in hits] == [hit.id for hit in self._hits]:
            self._hits = list(hits)
            return
        self.beginResetModel()
        self._hits = list(hits)
        self.endResetModel()

    def forget(self) -> None:
        """The records' texts may have changed."""
        self._answers.clear()
        if self._hits:
            self.dataChanged.emit(self.index(0), self.index(len(self._hits) - 1))

    def hit(self, row: int) -> SearchResult | None:
        """The answer in a row."""
        return self._hits[row] if 0 <= row < len(self._hits) else None

    def row_of(self, id_: str) -> int:
        """Where an answer stands; -1 where it is not."""
        return next((row for row, hit in enumerate(self._hits) if hit.id == id_), -1)

    def answer(self, row: int) -> PaletteLine:
        """An answer in words."""
        hit = self._hits[row]
        known = f"{hit.kind}:{hit.id}"
        said = self._answers.get(known)
        if said is None:
            said = self._answers[known] = self._words(hit)
        return said

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else len(self._hits)

    def data(self, index: Index, role: int = _Role.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._hits):
            return None
        if role == IdRole:
            return self._hits[index.row()].id
        if role not in (AnswerRole, _Role.DisplayRole, _Role.AccessibleTextRole, _Role.ToolTipRole):
            return None
        answer = self.answer(index.row())
        if role == AnswerRole:
            return answer
        if role == _Role.DisplayRole:
            return answer.title
        return answer.spoken if role == _Role.AccessibleTextRole else tooltip(answer.spoken)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """All can be walked over: one that cannot be used says why."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
