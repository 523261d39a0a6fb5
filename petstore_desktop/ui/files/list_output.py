"""What a list shows, written to a file or put on paper: which rows, with its name, filters and age; in which format,
and where; then how far it is."""

from __future__ import annotations

from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.table.exporting import Cell as FileCell
from petstore_desktop.desk.table.exporting import parts as parts_of
from petstore_desktop.desk.table.exporting import unsent_in
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.ui.base.building import add, named, timer
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.grid.selection import selected_rows
from petstore_desktop.ui.lists.list_facts import active
from petstore_desktop.ui.paper.paper_dialog import PaperDialog, file_name
from petstore_desktop.ui.paper.printed_list import Paper, PaperColumn, PrintedList
from petstore_desktop.ui.paper.sheet import page_layout, sheet_of, text_width
from petstore_desktop.ui.text.cell import Cell, changed_words, to_cell
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.filters import filter_words
from petstore_desktop.ui.text.times import on_paper
from petstore_desktop.ui.text.translate import column_title, counted, number, sentences, tr
from petstore_desktop.ui.widgets.button import CheckBox
from petstore_desktop.ui.widgets.dialogs import ask_file
from petstore_desktop.ui.widgets.form import ChoiceField, FormDialog
from petstore_desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from PySide6.QtGui import QPageLayout

    from petstore_desktop.desk.columns.column import Column
    from petstore_desktop.desk.table.table import Table
    from petstore_desktop.desk.values.cells import CellFacts
    from petstore_desktop.domain.records import Key, Resource
    from petstore_desktop.shop.row_files import RowsSink
    from petstore_desktop.ui.context.ports import AppPort
    from petstore_desktop.ui.lists.resource_tab import ResourceTab


SHOWN, SELECTED, ALL = "shown", "selected", "all"


class ListSnapshot(Struct, frozen=True):
    """A list at one moment. `rows` holds the keys of each choice, in order."""

    title: str
    filters: tuple[str, ...]
    age: str
    total: int
    rows: Mapping[str, Sequence[Key]]
    unsent: Mapping[str, int]


def listing_of(tab: ResourceTab) -> ListSnapshot:
    """What a list shows."""
    shown = tab.table.keys()
    picked = selected_rows(tab.view)
    rows: dict[str, Sequence[Key]] = {SHOWN: shown}
    if 1 < len(picked) < len(shown):
        rows[SELECTED] = [shown[row] for row in picked if row < len(shown)]
    if len(shown) < tab.table.total:
        rows[ALL] = tab.table.all_keys()
    desk = tab.shared.shop.desk
    load = desk.load(tab.resource)
    return ListSnapshot(
        plain(tab.bar.title()),
        tuple(filter_words(tab.resource, one.column, one.text) for one in active(tab.table)),
        tr("as of {time}", time=on_paper(load.as_of)) if load.as_of is not None else tr("incomplete"),
        load.counted(tab.table.total),
        rows,
        {name: unsent_in(desk.shop, tab.resource, keys) for name, keys in rows.items()},
    )


def choices(tab: ResourceTab, listing: ListSnapshot) -> list[tuple[str, str]]:
    """The sets of rows to choose from, each with its words; the selection comes first."""
    order = (SELECTED, SHOWN, ALL)
    return [(name, _said(name, counted(tab.resource, _count(listing, name)))) for name in order if name in listing.rows]


def _count(listing: ListSnapshot, name: str) -> int:
    """How many rows these are; of all that are here, at least so many where the service has more."""
    count = len(listing.rows[name])
    return listing.total if count == listing.total else count


def _said(choice: str, rows: str) -> str:
    if choice == SELECTED:
        return tr("Selected: {rows}", rows=rows)
    return tr("All: {rows}", rows=rows) if choice == ALL else tr("Shown: {rows}", rows=rows)


def counts_words(resource: Resource, listing: ListSnapshot, choice: str) -> str:
    """`212 of 1,904 pets`."""
    count, all_of_them = len(listing.rows[choice]), counted(resource, listing.total)
    if count == listing.total:
        return all_of_them
    return tr("{shown} of {all}", shown=number(count), all=all_of_them)


def unsent_words(listing: ListSnapshot, choice: str) -> str:
    """That some of the rows are ahead of the service; empty where none is."""
    count = listing.unsent[choice]
    if not count:
        return ""
    return tr(
        "{n} rows hold changes that are not sent yet.", "", count, one="{n} row holds a change that is not sent yet."
    )


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
        self._rows: Iterator[tuple[int, list[tuple[FileCell, ...]]]] = iter(())
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
        name = f"{file_name(self._shop.connection.name, self._listing.title, self._shop.desk.today.isoformat())}.{kind}"
        ask_file(self, tr("Export"), "exportFileDialog", [f"*.{kind}"], self.write, save_as=name, suffix=kind)

    # -- writing

    def write(self, path: str) -> None:
        """Write the chosen rows there."""
        keys = self._listing.rows[self.rows.value()]
        mark, kind = self.mark.isChecked(), self._kind_of(path)
        self.say_wrong("")
        self._busy(busy=True)
        done = partial(self._written, path)
        files, shop, resource = self._shop.files, self._shop.desk.shop, self._tab.resource
        others = shop.stores[resource].has_extras
        total, texts = self._listing.total, shop.text_id_lists
        self._sink = files.write(path, resource, kind, total, mark=mark, others=others, text_ids=texts, done=done)
        self._rows = parts_of(shop, self._tab.table, keys, others=others)
        self._turn.start(0)

    def _kind_of(self, path: str) -> str:
        """The format that a file is named for, where it is one of them; else the chosen one."""
        own = PurePath(path).suffix[1:].casefold()
        return own if own in (_XLSX, _CSV, _JSON) else self.format.value()

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
            self._app.set_preference(_LAST, self._kind_of(path))
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


_LOOKED_AT = 300
"""How many rows decide a column's width."""
_MOST = 220.0
"""Points that are enough for a name; a longer one gets what room is left."""


class PrintDialog(PaperDialog):
    """One list; the rows are those that it shows when the dialog opens, their values those at the time of printing."""

    def __init__(self, tab: ResourceTab, parent: QWidget | None = None) -> None:
        self._tab, self._listing = tab, listing_of(tab)
        title = tr("Print {view}", view=self._listing.title)
        super().__init__(title, tab.shared.shop, tab.shared.say, parent, name="printDialog")
        self._columns = _shown(tab)
        self._widths = _needs(tab, self._columns, self._listing.rows[SHOWN])
        self._layout = page_layout(sum(self._widths))
        self.rows = ChoiceField(tr("Rows"), choices(tab, self._listing), name="printRows")
        self.set_file(self._listing.title)
        add(self.body, self.rows, self.path, self.said, self.wrong)
        self.add_link(self.browse)
        self.rows.box.currentIndexChanged.connect(self.say)
        self.add_ways(self.rows)
        self.say()

    def say(self) -> None:
        """How many pages it takes, and what of them is not sent yet."""
        pages = self.document().pages
        words = tr("{n} pages, {size}.", "", pages, one="{n} page, {size}.", size=self._layout.pageSize().name())
        self.said.set_text(sentences(words, unsent_words(self._listing, self.rows.value())))

    def layout_of_pages(self) -> QPageLayout:
        """Upright if the columns fit."""
        return self._layout

    def document(self) -> PrintedList:
        """The chosen rows."""
        tab, listing, choice = self._tab, self._listing, self.rows.value()
        table = tab.table
        keys, columns = listing.rows[choice], self._columns

        filters = tr(" · ", "between filters").join(listing.filters) if choice != ALL else ""
        about = tr("{rows}, {age}", rows=counts_words(tab.resource, listing, choice), age=listing.age)
        printed_at = on_paper(self._shop.desk.now())
        paper = Paper(
            listing.title,
            tuple(line for line in (filters, about, unsent_words(listing, choice)) if line),
            tr("{shop}, printed {time}", shop=plain(self._shop.connection.name), time=printed_at),
            [
                PaperColumn(column_title(table.resource, column.id), width, column.align == "right", column.flexible)
                for column, width in zip(columns, self._widths, strict=True)
            ],
            len(keys),
            lambda row: _texts(table, keys[row], columns),
        )
        return PrintedList(paper, sheet_of(self._layout))


def printed(cell: Cell) -> str:
    """A cell as text; an unsent change stands beside its result."""
    text = changed_words(f"{cell.base} {cell.chip}", cell.result) if cell.chip else cell.result or cell.text
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
