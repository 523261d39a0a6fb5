"""Every operation as a row: its purpose, whether the service offers it, its endpoint, and its marks."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject

from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op, Stability
from petstore_desktop.contract.survey import Finding, Survey
from petstore_desktop.ui.cells.cell_model import CellModel
from petstore_desktop.ui.text.cell import DASH, Cell
from petstore_desktop.ui.text.errors.operations import Marks, how_words, marks_words, operation_title, short
from petstore_desktop.ui.text.translate import tr

WHAT, HOW, THROUGH, MARKS = range(4)
OPS = tuple(Op)


class OperationsModel(CellModel):
    """One row for each operation that the program knows, in its own order. `chosen` are a person's choices that are
    not kept yet: an endpoint, or empty for the program's own choice."""

    def __init__(self, contract: Contract | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._contract = contract
        self._survey = Survey()
        self.chosen: Mapping[Op, str] = {}

    def show(self, survey: Survey) -> None:
        """These were found."""
        self.beginResetModel()
        self._survey = survey
        self.endResetModel()

    def choose(self, chosen: Mapping[Op, str]) -> None:
        """These are a person's choices now."""
        self.chosen = dict(chosen)
        self.repaint()

    def finding(self, row: int) -> Finding:
        """The findings about the operation in this row."""
        return self._survey.of(OPS[row])

    def marks(self, row: int) -> Marks:
        """What the document, and the service's answers since, say of the operation in this row."""
        found = self.finding(row)
        known = None if self._contract is None else self._contract.operations.get(found.op)
        if known is None or f"{known.method} {known.path}" != found.endpoint:
            return Marks(found.stability, found.deprecated, found.sunset)
        return Marks(Stability(known.stability), known.deprecated, known.sunset, known.removed)

    def count(self) -> int:
        return len(OPS) if self._survey.findings else 0

    def titles(self) -> tuple[str, ...]:
        return tr("Operation"), tr("Offered"), tr("Path"), tr("Marks")

    def cell(self, row: int, column: int) -> Cell:
        found = self.finding(row)
        if column == WHAT:
            return Cell(text=operation_title(found.op))
        if column == HOW:
            return self._how(found)
        if column == THROUGH:
            endpoint = self.chosen.get(found.op) or ("" if found.op in self.chosen else found.endpoint)
            return Cell(text=short(endpoint)) if endpoint else Cell(text=DASH, tone="faint")
        words, icon, tone = marks_words(self.marks(row))
        return Cell(text=words, kind="pill" if icon else "text", icon=icon, tone=tone)

    def _how(self, found: Finding) -> Cell:
        if found.op in self.chosen:
            words = tr("chosen by you") if self.chosen[found.op] else tr("automatic")
            return Cell(text=words, kind="pill", icon="pencil", tone="accent", tip=tr("Not saved yet"))
        words, icon, tone = how_words(found)
        return Cell(text=words, kind="pill", icon=icon, tone=tone)
