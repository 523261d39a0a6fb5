"""Write what a list shows to a file: which rows, in which format, where; then how far it is."""

from __future__ import annotations

from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.table.exporting import parts as parts_of
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.ui.base.building import add, named, timer
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.files.list_snapshot import ListSnapshot, choices, listing_of, unsent_words
from petstore_desktop.ui.paper.paper_dialog import file_name
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import counted, number, sentences, tr
from petstore_desktop.ui.widgets.button import CheckBox
from petstore_desktop.ui.widgets.dialogs import ask_file
from petstore_desktop.ui.widgets.form import ChoiceField, FormDialog
from petstore_desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from petstore_desktop.desk.table.exporting import Cell
    from petstore_desktop.shop.row_files import RowsSink
    from petstore_desktop.ui.context.ports import AppPort
    from petstore_desktop.ui.lists.resource_tab import ResourceTab


_XLSX, _CSV, _JSON = "xlsx", "csv", "json"
_LAST = "exportFormat"
"""The preference with the last format."""
_REST_MS = 20
"""Milliseconds that the window waits for the disk to catch up."""


class ExportDialog(FormDialog):
    """One list; the rows are those that it shows when the dialog opens."""

    def __init__(self, tab: ResourceTab, app: AppPort, parent: QWidget) -> None:
        self._tab, self._shop, self._say, self._app = tab, tab.shared.shop, tab.shared.say, app
        self._listing: ListSnapshot = listing_of(tab)
        super().__init__(tr("Export {view}", view=self._listing.title), "", parent, name="exportListDialog")
        self.rows = ChoiceField(tr("Rows"), choices(tab, self._listing), name="exportRows")
        kinds = [
            (_XLSX, tr("Excel workbook (.xlsx)")),
            (_CSV, tr("Text for any spreadsheet (.csv)")),
            (_JSON, tr("For programs (.json)")),
        ]
        self.format = ChoiceField(tr("File"), kinds, name="exportFormat")
        self.format.set_value(app.preference(_LAST))
        self.mark = named(CheckBox(tr("Add a byte order mark, so that Excel reads UTF-8")), "exportMark")
        self.mark.setChecked(True)
        self._said = named(PlainLabel("", "muted", 12, wrap=True), "exportProgress")
        self.rows.box.currentIndexChanged.connect(self._chosen)
        self.format.box.currentIndexChanged.connect(self._chosen)
        add(self.body, self.rows, self.format, self.mark, self._said, self.wrong)
        self._cancel = self.set_cancel()
        self._go = self.set_primary(tr("Choose a file…"))
        self._sink: RowsSink | None = None
        self._turn = timer(self, 0, self._next, once=True)
        self._rows: Iterator[tuple[int, list[tuple[Cell, ...]]]] = iter(())
        self._chosen()

    def _chosen(self) -> None:
        self.mark.setVisible(self.format.value() == _CSV)
        words = (
            tr("In the order of the screen. Ids keep all their digits, and no text becomes a formula."),
            unsent_words(self._listing, self.rows.value()),
        )
        self._said.set_text(sentences(*words))

    # -- where to

    def accept(self) -> None:
        """Ask for the file; the dialog stays until it is written."""
        kind = self.format.value()
        name = f"{file_name(self._shop.profile.name, self._listing.title, self._shop.desk.today.isoformat())}.{kind}"
        ask_file(self, tr("Export"), "exportFileDialog", [f"*.{kind}"], self.write, save_as=name, suffix=kind)

    # -- writing

    def write(self, path: str) -> None:
        """Write the chosen rows there."""
        keys = self._listing.rows[self.rows.value()]
        mark, kind = self.mark.isChecked(), self.format.value()
        self.say_wrong("")
        self._busy(busy=True)
        done = partial(self._written, path)
        files, shop, resource = self._shop.files, self._shop.desk.shop, self._tab.resource
        others = shop.stores[resource].has_extras
        total, texts = self._listing.total, shop.text_id_lists
        self._sink = files.write(path, resource, kind, total, mark=mark, others=others, text_ids=texts, done=done)
        self._rows = parts_of(shop, self._tab.table, keys, others=others)
        self._turn.start(0)

    def _next(self) -> None:
        """One part, then whatever else the window has to do."""
        if self._sink is None:
            return
        if self._sink.is_full:
            self._turn.start(_REST_MS)
            return
        part = next(self._rows, None)
        if part is None:
            self._sink.end()
            return
        count, rows = part
        self._sink.put(rows)
        total = len(self._listing.rows[self.rows.value()])
        self._said.set_text(tr("{done} of {total}", done=number(count), total=number(total)))
        self._turn.start(0)

    def _written(self, path: str, outcome: int | ShopError | None) -> None:
        self._sink = None
        self._turn.stop()
        if isinstance(outcome, int):
            what = counted(self._tab.resource, outcome)
            name = isolate(plain(PurePath(path).name))
            self._app.set_preference(_LAST, self.format.value())
            self._say(Message(tr("{rows} are in {file}", rows=what, file=name), "export", file=path))
            super().accept()
            return
        self._busy(busy=False)
        self._chosen()
        if outcome is not None:
            words = error_words(outcome).sentence
            self.say_wrong(tr("{what} Nothing was written.", what=words))

    def _busy(self, *, busy: bool) -> None:
        for widget in (self.rows, self.format, self.mark, self._go):
            widget.setDisabled(busy)
        (self._cancel if busy else self._go).setFocus()

    def reject(self) -> None:
        """While it writes, Esc and Cancel end that and leave no file; else they close the dialog."""
        if self._sink is not None:
            self._sink.give_up()
            self._turn.stop()
        else:
            super().reject()
