"""What the present service offers: every operation with what it is bound to, why not, and its marks. One that was not
found, or was found wrongly, is bound by hand here, which counts at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QCoreApplication, QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QVBoxLayout, QWidget
from shiboken6 import isValid

from petstore_desktop.contract.operations import wishes
from petstore_desktop.contract.survey import Finding, Survey
from petstore_desktop.ui.base.background import Background
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.questions.raw_answer import open_raw
from petstore_desktop.ui.service.operations_model import HOW, MARKS, OPS, THROUGH, WHAT, OperationsModel
from petstore_desktop.ui.text.errors.operations import (
    choice_words,
    explanation,
    operation_title,
    own_choice_words,
    source_words,
)
from petstore_desktop.ui.text.translate import plain_lines, tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.dialogs import Dialog
from petstore_desktop.ui.widgets.form import ChoiceField
from petstore_desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from petstore_desktop.ui.context.ports import ShopPort

_MARGIN = 20
_WIDTHS = {WHAT: 190, HOW: 130, MARKS: 290}


class OperationsDialog(Dialog):
    """A table of all operations; below it the details of the selected one, and its possible endpoints."""

    def __init__(self, shop: ShopPort, parent: QWidget | None = None) -> None:
        super().__init__(tr("Operations of this service"), tr("One moment."), parent)
        self.setObjectName("operationsDialog")
        self._shop = shop
        self._survey = Survey()
        self.model = OperationsModel(shop.desk.contract, self)
        self.view = TableView(self)
        self.words = PlainLabel("", "text", wrap=True)
        self.words.setObjectName("operationWords")
        self.choice = ChoiceField(tr("Use for this"), ())
        self.choice.box.setObjectName("endpointChoice")
        self._lay_out()
        self._connect()
        self.reading = Background(QCoreApplication.instance())  # it may outlive this dialog
        self.reading.run(shop.read_operations, self._came)

    def _lay_out(self) -> None:
        view = self.view
        view.setObjectName("operationsTable")
        view.setAccessibleName(tr("Operations"))
        view.setModel(self.model)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.home_column = WHAT
        for section, width in _WIDTHS.items():
            view.header.resizeSection(section, current().scaled(width))
        view.header.setSectionResizeMode(THROUGH, QHeaderView.ResizeMode.Stretch)
        below = QVBoxLayout()
        below.setContentsMargins(_MARGIN, 12, _MARGIN, 12)
        below.setSpacing(10)
        self.words.setMinimumHeight(current().height(64))
        below.addWidget(self.words)
        below.addWidget(self.choice)
        self.body.addWidget(view, 1)
        self.body.addLayout(below)
        self.remarks = Button("", "quiet")
        self.remarks.setObjectName("remarksButton")
        self.remarks.setAutoDefault(False)
        self.remarks.hide()
        self.add_footer(self.remarks)
        self.set_cancel(tr("Cancel"))
        self.button = self.set_primary(tr("Save"))
        self.spread((860, 640))

    def _connect(self) -> None:
        self.view.selectionModel().currentRowChanged.connect(self._show)
        self.view.openRequested.connect(self._to_choice)
        self.view.escaped.connect(self.reject)
        self.choice.box.activated.connect(self._chosen)
        self.remarks.clicked.connect(self._show_remarks)

    def _came(self, result: object) -> None:
        """Show the survey when it has been read from disk."""
        self.reading.deleteLater()
        if not isValid(self):  # closed before that
            return
        self._survey = cast("Survey", result)
        self.model.show(self._survey)
        self.set_consequence(source_words(self._survey, len(OPS)))
        remarks = len(self._survey.warnings)
        self.remarks.set_text(tr("{n} remarks on the document", "", remarks, one="{n} remark on the document"))
        self.remarks.setVisible(remarks > 0)
        self.view.setCurrentIndex(self.model.index(0, WHAT))
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _finding(self) -> Finding | None:
        row = self.view.currentIndex().row()
        return self.model.finding(row) if 0 <= row < self.model.count() else None

    def _show(self) -> None:
        """Say all about the operation of the current row."""
        found = self._finding()
        if found is None:
            return
        self.words.set_text(explanation(found, self.model.marks(self.view.currentIndex().row())))
        box = self.choice.box
        box.clear()
        own = "" if found.by_hand else found.endpoint
        box.addItem(own_choice_words(own), "")
        for choice in found.choices:
            if choice.fits:
                box.addItem(choice_words(choice), choice.endpoint)
        box.setAccessibleName(tr("Use for “{what}”", what=operation_title(found.op)))
        self.choice.set_value(self._choice_of(found))
        box.setEnabled(box.count() > 1)

    def _choice_of(self, found: Finding) -> str:
        """The endpoint chosen by hand; empty for none."""
        return self.model.chosen.get(found.op, found.endpoint if found.by_hand else "")

    def _to_choice(self, _index: QModelIndex) -> None:
        self.choice.box.setFocus(Qt.FocusReason.OtherFocusReason)

    def _chosen(self) -> None:
        found = self._finding()
        if found is None:
            return
        chosen = {op: endpoint for op, endpoint in self.model.chosen.items() if op is not found.op}
        wanted = self.choice.value()
        if wanted != (found.endpoint if found.by_hand else found.wish):
            chosen[found.op] = wanted
        self.model.choose(chosen)

    def bindings(self) -> Mapping[str, str]:
        """The bindings by hand when this is saved."""
        chosen = {op.value: endpoint for op, endpoint in self.model.chosen.items()}
        wanted = {**wishes(self._shop.bindings), **chosen}
        return {name: endpoint for name, endpoint in wanted.items() if endpoint}

    def _show_remarks(self) -> None:
        open_raw(self, self.remarks.words(), plain_lines("\n".join(self._survey.warnings)))

    def accept(self) -> None:
        if self.model.chosen:
            self._shop.bind_operations(self.bindings())
        super().accept()
