"""The operations of the service, each with the endpoint it is bound to, or why it has none, and its marks. One that was
not
found, or was found wrongly, is bound by hand here, which counts at once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QModelIndex, QObject, Qt
from PySide6.QtWidgets import QHeaderView, QStackedWidget, QWidget

from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op, Stability, manual_bindings
from petstore_desktop.contract.profile.writing import text_of
from petstore_desktop.contract.survey import Finding, Survey
from petstore_desktop.shop.background import Background
from petstore_desktop.ui.base.building import add, in_column, named, on_click
from petstore_desktop.ui.base.theme import current, isolate, plain
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel
from petstore_desktop.ui.grid.table_view import TableView, make_choosable
from petstore_desktop.ui.questions.confirm import ask_about_lost
from petstore_desktop.ui.questions.raw_answer import open_failure, open_raw
from petstore_desktop.ui.service.fields import FieldsPage
from petstore_desktop.ui.text.cell import DASH, Cell
from petstore_desktop.ui.text.errors.operations import (
    Marks,
    choice_words,
    explanation,
    how_words,
    marks_words,
    operation_title,
    own_choice_words,
    short,
    source_words,
)
from petstore_desktop.ui.text.translate import plain_lines, tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.dialogs import Dialog, ask_file
from petstore_desktop.ui.widgets.form import ChoiceField
from petstore_desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.shop.live_shop import LiveShop

WHAT, HOW, THROUGH, MARKS = range(4)
OPS = tuple(Op)


class OperationsModel(CellModel[Op]):
    """One row for each operation that the program knows, in its own order. `chosen` are a person's choices that are
    not kept yet: an endpoint, or empty for the program's own choice."""

    def __init__(self, contract: Contract | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = (
            CellColumn(tr("Operation"), lambda op: Cell(text=operation_title(op))),
            CellColumn(tr("Offered"), self._how),
            CellColumn(tr("Path"), self._path),
            CellColumn(tr("Marks"), self._marked),
        )
        self._contract = contract
        self._survey = Survey()
        self.chosen: Mapping[Op, str] = {}

    def show_found(self, survey: Survey) -> None:
        """These were found."""
        self._survey = survey
        self.show(OPS if survey.findings else ())

    def choose(self, chosen: Mapping[Op, str]) -> None:
        """These are a person's choices now."""
        self.chosen = dict(chosen)
        self.repaint()

    def marks(self, op: Op) -> Marks:
        """What the document, and the service's answers since, say of an operation."""
        found = self._survey.of(op)
        known = None if self._contract is None else self._contract.operations.get(found.op)
        if known is None or f"{known.method} {known.path}" != found.endpoint:
            return Marks(found.stability, found.deprecated, found.sunset)
        return Marks(Stability(known.stability), known.deprecated, known.sunset, known.removed)

    def _how(self, op: Op) -> Cell:
        if op in self.chosen:
            words = tr("chosen by you") if self.chosen[op] else tr("automatic")
            return Cell(text=words, kind="pill", icon="pencil", tone="accent", tip=tr("Not saved yet"))
        words, icon, tone = how_words(self._survey.of(op))
        return Cell(text=words, kind="pill", icon=icon, tone=tone)

    def _path(self, op: Op) -> Cell:
        endpoint = self.chosen.get(op) or ("" if op in self.chosen else self._survey.of(op).endpoint)
        return Cell(text=short(endpoint)) if endpoint else Cell(text=DASH, tone="faint")

    def _marked(self, op: Op) -> Cell:
        words, icon, tone = marks_words(self.marks(op))
        return Cell(text=words, kind="pill" if icon else "text", icon=icon, tone=tone)


_MARGIN = 20
_WIDTHS = {WHAT: 190, HOW: 130, MARKS: 290}


class OperationsDialog(Dialog):
    """A table of all operations; below it the details of the selected one, and its possible endpoints."""

    def __init__(self, shop: LiveShop, parent: QWidget | None = None) -> None:
        super().__init__(tr("Operations of this service"), tr("One moment."), parent, name="operationsDialog")
        self._shop = shop
        self._survey = Survey()
        self._trying = False
        self.model = OperationsModel(shop.desk.contract, self)
        self.view = TableView(self)
        self.fields = FieldsPage(shop)
        self.pages = QStackedWidget(self)
        self.words = named(PlainLabel("", "text", wrap=True), "operationWords")
        self.choice = ChoiceField(tr("Use for this"), (), name="endpointChoice")
        self.choice.box.opens_by_enter = True
        self._lay_out()
        self._connect()
        Background().run(shop.read_operations, self._came)

    def _lay_out(self) -> None:
        view = self.view
        make_choosable(view, "operationsTable", tr("Operations"), self.model, WHAT)
        for section, width in _WIDTHS.items():
            view.header.resizeSection(section, current().scaled(width))
        view.header.setSectionResizeMode(THROUGH, QHeaderView.ResizeMode.Stretch)
        self.words.setMinimumHeight(current().height(64))
        below = in_column(None, self.words, self.choice, margins=(_MARGIN, 12, _MARGIN, 12), spacing=10)
        page = QWidget()
        in_column(page, (view, 1), below)
        self.pages.addWidget(page)
        self.pages.addWidget(self.fields)
        add(self.body, (self.pages, 1))
        self.turn = on_click(Button(tr("Fields"), "quiet"), self._turn, "fieldsButton")
        self.turn.setAutoDefault(False)
        self.add_footer(self.turn)
        self.remarks = named(Button("", "quiet"), "remarksButton")
        self.remarks.setAutoDefault(False)
        self.remarks.hide()
        self.add_footer(self.remarks)
        self.profile = on_click(Button(tr("Save as profile…"), "quiet"), self._ask_for_file, "profileButton")
        self.profile.setAutoDefault(False)
        self.profile.setEnabled(self._shop.desk.contract is not None)
        self.add_footer(self.profile)
        self.set_cancel()
        self.button = self.set_primary(tr("Save"))
        self.spread((860, 640))

    def _connect(self) -> None:
        self.view.selectionModel().currentRowChanged.connect(self._show)
        self.view.openRequested.connect(self._to_choice)
        self.view.escaped.connect(self.reject)
        self.fields.view.escaped.connect(self.reject)
        self.choice.box.activated.connect(self._chosen)
        self.remarks.clicked.connect(self._show_remarks)

    def _came(self, result: object) -> None:
        """Show the survey when it has been read from disk."""
        self._survey = cast("Survey", result)
        self.model.show_found(self._survey)
        self.set_consequence(source_words(self._survey, len(OPS)))
        remarks = len(self._survey.warnings)
        self.remarks.set_text(tr("{n} remarks on the document", "", remarks, one="{n} remark on the document"))
        self.remarks.setVisible(remarks > 0)
        self.view.setCurrentIndex(self.model.index(0, WHAT))
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _turn(self) -> None:
        """Show the other page."""
        to_fields = self.pages.currentWidget() is not self.fields
        self.pages.setCurrentIndex(int(to_fields))
        self.turn.set_text(tr("Operations") if to_fields else tr("Fields"))
        self.remarks.setVisible(not to_fields and bool(self._survey.warnings))
        if to_fields:
            self.fields.begin()
        else:
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _finding(self) -> Finding | None:
        row = self.view.currentIndex().row()
        return self._survey.of(self.model.rows[row]) if 0 <= row < self.model.count() else None

    def _show(self) -> None:
        """Say all about the operation of the current row."""
        found = self._finding()
        if found is None:
            return
        marks, source = self.model.marks(found.op), self._survey.source
        self.words.set_text(explanation(found, marks, source))
        box = self.choice.box
        box.clear()
        own = "" if found.by_hand else found.endpoint
        box.addItem(own_choice_words(own, source), "")
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
        if wanted != (found.endpoint if found.by_hand else found.chosen):
            chosen[found.op] = wanted
        self.model.choose(chosen)

    def bindings(self) -> Mapping[str, str]:
        """The bindings by hand when this is saved."""
        chosen = {op.value: endpoint for op, endpoint in self.model.chosen.items()}
        wanted = {**manual_bindings(self._shop.bindings), **chosen, **self.fields.model.chosen}
        return {name: endpoint for name, endpoint in wanted.items() if endpoint}

    def _show_remarks(self) -> None:
        open_raw(self, self.remarks.words(), plain_lines("\n".join(self._survey.warnings)))

    def _ask_for_file(self) -> None:
        """Ask where to write how the service is followed."""
        name, kinds = f"{tr('profile', 'the name of a file')}.toml", [tr("Profiles (*.toml)")]
        ask_file(self, tr("Save as profile"), "profileFileDialog", kinds, self._write, save_as=name, suffix="toml")

    def _write(self, path: str) -> None:
        contract = self._shop.desk.contract
        if contract is not None:
            self._shop.files.keep(path, text_of(contract).encode(), over=True, make_folder=False, done=self._written)

    def _written(self, outcome: str | ShopError) -> None:
        if isinstance(outcome, str):
            self.set_consequence(tr("The profile is in {file}.", file=isolate(plain(PurePath(outcome).name))))
        else:
            open_failure(self, outcome, tr("Choose another file…"), self._ask_for_file)

    def accept(self) -> None:
        if self.fields.refuses():
            return
        if not (self.model.chosen or self.fields.model.chosen):
            super().accept()
        elif not self._trying:
            self._trying, wanted = True, self.bindings()
            Background().attempt(partial(self._shop.try_bindings, wanted), partial(self._tried, wanted))

    def _tried(self, wanted: Mapping[str, str], result: Survey | ShopError | None) -> None:
        """Save a choice, once a person has agreed to what can no longer be used with it."""
        if not self.isVisible():
            return
        self._trying = False
        then = result if isinstance(result, Survey) else None
        lost = () if then is None else self._survey.lost(then)
        if then is not None and not lost:
            self._save(wanted)
            return
        names = [operation_title(op) for op in lost]
        count = None if then is None else then.bound
        ask_about_lost(self, names, count, len(OPS), lambda: self._save(wanted))

    def _save(self, wanted: Mapping[str, str]) -> None:
        self._shop.bind_operations(wanted)
        super().accept()
