"""Put what a list shows on paper, or into a PDF: page by page, each in a turn of its own."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QIODevice, QStandardPaths, Qt
from PySide6.QtGui import QPagedPaintDevice, QPainter, QPdfWriter
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QWidget

from petstore_desktop.domain.errors import ShopError
from petstore_desktop.ui.base.building import add, named, on_click
from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.files.export import file_name
from petstore_desktop.ui.files.list_snapshot import ALL, SHOWN, choices, counts_words, listing_of, unsent_words
from petstore_desktop.ui.files.report import Paper, PaperColumn, PrintedReport, page_layout, sheet_of, text_width
from petstore_desktop.ui.text.cell_text import to_cell
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.times import on_paper
from petstore_desktop.ui.text.translate import column_title, number, tr
from petstore_desktop.ui.widgets.dialogs import ask_file, show
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import ChoiceField, FormDialog
from petstore_desktop.ui.widgets.labels import LinkLabel, PlainLabel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from petstore_desktop.desk.columns.column import Column
    from petstore_desktop.desk.table.table import Table
    from petstore_desktop.desk.values.cells import CellFacts
    from petstore_desktop.domain.records import Key
    from petstore_desktop.ui.lists.resource_tab import ResourceTab
    from petstore_desktop.ui.text.cell import Cell

_LOOKED_AT = 300
"""How many rows decide a column's width."""
_MOST = 220.0
"""Points that are enough for a name; a longer one gets what room is left."""


class PrintDialog(FormDialog):
    """One list; the rows are those that it shows when the dialog opens, their values those at the time of printing."""

    def __init__(self, tab: ResourceTab, parent: QWidget | None = None) -> None:
        self._tab, self._shop, self._tell = tab, tab.shared.shop, tab.shared.say
        self._listing = listing_of(tab)
        super().__init__(tr("Print {view}", view=self._listing.title), "", parent, name="printDialog")
        self._columns = _shown(tab)
        self._widths = _needs(tab, self._columns, self._listing.rows[SHOWN])
        self._layout = page_layout(sum(self._widths))
        self.rows = ChoiceField(tr("Rows"), choices(tab, self._listing), name="printRows")
        self.path = FormField(tr("PDF file"), name="pdfPath")
        self._usual = _usual_path(self._listing.title, self._shop.desk.today.isoformat())
        self.path.edit.setText(self._usual)
        self._agreed = ""
        """A file that the person chose, and may be written over."""
        self._said = named(PlainLabel("", "muted", 12, wrap=True), "printProgress")
        add(self.body, self.rows, self.path, self._said, self.wrong)
        self._browse = on_click(LinkLabel(tr("Choose another place…")), self._choose)
        self.add_link(self._browse)
        self.rows.box.currentIndexChanged.connect(self._say)
        self.path.changed.connect(lambda: self.path.set_error(""))
        self._cancel = self.set_cancel()
        self._print = on_click(self.add_button(tr("Print…")), self._ask_printer, "toPrinter")
        self._save = self.set_primary(tr("Save PDF"))
        self._work = SlicedWork[tuple[int, int] | bool](self, 0, self._told)
        self._printing: tuple[QPagedPaintDevice, Callable[[], None]] | None = None
        """What it paints on now, and what to do afterwards."""
        self._say()

    def _say(self) -> None:
        pages = self._report().pages
        words = tr("{n} pages, {size}.", "", pages, one="{n} page, {size}.", size=self._layout.pageSize().name())
        self._said.set_text(" ".join((words, unsent_words(self._listing, self.rows.value()))).strip())

    def _report(self) -> PrintedReport:
        tab, listing, choice = self._tab, self._listing, self.rows.value()
        table = tab.table
        keys, columns = listing.rows[choice], self._columns

        filters = tr(" · ", "between filters").join(listing.filters) if choice != ALL else ""
        about = tr("{rows}, {age}", rows=counts_words(tab.resource, listing, choice), age=listing.age)
        printed_at = on_paper(self._shop.desk.now())
        paper = Paper(
            listing.title,
            tuple(line for line in (filters, about, unsent_words(listing, choice)) if line),
            tr("{shop}, printed {time}", shop=plain(self._shop.profile.name), time=printed_at),
            [
                PaperColumn(column_title(table.resource, column.id), width, column.align == "right", column.flexible)
                for column, width in zip(columns, self._widths, strict=True)
            ],
            len(keys),
            lambda row: _texts(table, keys[row], columns),
        )
        return PrintedReport(paper, sheet_of(self._layout))

    # -- a PDF

    def accept(self) -> None:
        """Save the PDF; the dialog stays until it is written."""
        path = self.path.text().strip()
        if not path:
            self.path.refuse(tr("Enter the name of a file."))
            return
        memory = QBuffer(self)  # the disk is for another thread
        memory.open(QIODevice.OpenModeFlag.WriteOnly)
        writer = QPdfWriter(memory)
        writer.setTitle(self._listing.title)
        writer.setCreator(tr("Pet Store"))
        self._paint(writer, partial(self._painted, memory, path))

    def _painted(self, memory: QBuffer, path: str) -> None:
        content = bytes(memory.data().data())
        memory.deleteLater()
        files, usual = self._shop.files, path == self._usual
        files.keep(path, content, over=path == self._agreed, make_folder=usual, done=self._kept)

    def _kept(self, outcome: str | ShopError) -> None:
        if isinstance(outcome, str):
            name = isolate(plain(PurePath(outcome).name))
            self._end(tr("{view} is in {file}", view=self._listing.title, file=name), outcome)
        else:
            self._again()
            self.path.refuse(error_words(outcome).sentence)

    def _choose(self) -> None:
        path = self.path.text() or self._usual
        ask_file(self, tr("Save PDF"), "pdfFileDialog", ["*.pdf"], self._chosen, save_as=path, suffix="pdf")

    def _chosen(self, path: str) -> None:
        self._agreed = path
        self.path.edit.setText(path)

    # -- a printer

    def _ask_printer(self) -> None:
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setPageLayout(self._layout)
        printer.setDocName(self._listing.title)
        dialog = named(QPrintDialog(printer, self), "printerDialog")
        dialog.accepted.connect(lambda: self._paint(printer, lambda: self._end(tr("Sent to the printer"))))
        show(dialog)

    # -- painting

    def _paint(self, device: QPagedPaintDevice, then: Callable[[], None]) -> None:
        self.say_wrong("")
        device.setPageLayout(self._layout)
        self._printing = device, then
        for widget in (self.rows, self.path, self._print, self._save, self._browse):
            widget.setDisabled(True)
        self._cancel.setFocus(Qt.FocusReason.OtherFocusReason)
        self._work.begin(_painted(device, self._report()))

    def _told(self, found: tuple[int, int] | bool) -> None:
        if isinstance(found, bool):
            self._stopped(whole=found)
        else:
            self._said.set_text(tr("page {page} of {pages}", page=number(found[0]), pages=number(found[1])))

    def _stopped(self, *, whole: bool) -> None:
        printing, self._printing = self._printing, None
        self._work.stop()
        if printing is not None and whole:
            printing[1]()
            return
        self._again()
        if printing is not None and isinstance(printing[0], QPrinter):
            self.say_wrong(tr("Printing did not finish. Check the printer, or save a PDF."))

    def _end(self, words: str, file: str = "") -> None:
        self._tell(Message(words, "print", file=file))
        super().accept()

    def _again(self) -> None:
        for widget in (self.rows, self.path, self._print, self._save, self._browse):
            widget.setDisabled(False)
        self._save.setFocus(Qt.FocusReason.OtherFocusReason)
        self._say()

    def reject(self) -> None:
        """While it paints, Esc and Cancel end that; else they close the dialog."""
        if self._printing is not None:
            self._stopped(whole=False)
        else:
            super().reject()


def printed(cell: Cell) -> str:
    """A cell as text; an unsent change stands beside its result."""
    text = f"{cell.base} {cell.chip} → {cell.result}" if cell.chip else cell.result or cell.text
    if cell.low:
        text = f"{tr('low')} {text}"
    return f"{text} (#{cell.ref_id})" if cell.ref_id else text


def on_any_day(facts: CellFacts) -> CellFacts:
    """A date with its year, whenever it is read: *Today* on paper is over tomorrow."""
    return replace(facts, days=None) if facts.date is not None else facts


def _shown(tab: ResourceTab) -> list[Column]:
    """The columns on the screen in their order."""
    header = tab.view.horizontalHeader()
    numbers = [header.logicalIndex(place) for place in range(header.count())]
    shown = [tab.table.columns[one] for one in numbers if not tab.view.isColumnHidden(one)]
    return [column for column in shown if column.kind != "gutter"]


def _texts(table: Table, key: Key, columns: Sequence[Column]) -> list[str]:
    cells = ((table.cell_of(key, column.id), column.id == "id") for column in columns)
    return [printed(to_cell(on_any_day(facts), is_id=is_id)) for facts, is_id in cells]


def _needs(tab: ResourceTab, columns: Sequence[Column], keys: Sequence[Key]) -> list[float]:
    """How many points each column needs, by its header and by some rows from all over the list."""
    some = keys[:: max(1, len(keys) // _LOOKED_AT)]
    rows = [[column_title(tab.resource, column.id) for column in columns]]
    rows += [_texts(tab.table, key, columns) for key in some]
    return [
        min(max(map(text_width, texts)), _MOST if column.flexible else 2 * _MOST)
        for column, texts in zip(columns, zip(*rows, strict=True), strict=True)
    ]


def _usual_path(title: str, day: str) -> str:
    """In the person's documents; where such a file is there already, the new one gets a number."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return str(PurePath(folder or ".") / f"{file_name(title, day)}.pdf")


def _painted(device: QPagedPaintDevice, report: PrintedReport) -> Iterator[tuple[int, int] | bool]:
    """Paint a report page by page; yields how many pages are painted and how many there are, and at the end whether the
    device took all of it: a printer may be gone."""
    painter = QPainter()
    taken = painter.begin(device)
    try:
        if taken:
            painter.scale(device.logicalDpiX() / 72, device.logicalDpiY() / 72)  # the report counts in points
        for page in range(report.pages):
            taken = taken and (not page or device.newPage())
            if not taken:
                break
            report.paint(painter, page)
            yield page + 1, report.pages
    finally:
        taken = painter.end() and taken
    yield taken
