"""Put what a list shows on paper, or into a PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from petstore_desktop.ui.base.building import add
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.files.list_snapshot import ALL, SHOWN, choices, counts_words, listing_of, unsent_words
from petstore_desktop.ui.paper.paper_dialog import PaperDialog
from petstore_desktop.ui.paper.printed_list import Paper, PaperColumn, PrintedList
from petstore_desktop.ui.paper.sheet import page_layout, sheet_of, text_width
from petstore_desktop.ui.text.cell import changed_words
from petstore_desktop.ui.text.cell_text import to_cell
from petstore_desktop.ui.text.times import on_paper
from petstore_desktop.ui.text.translate import column_title, sentences, tr
from petstore_desktop.ui.widgets.form import ChoiceField

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPageLayout
    from PySide6.QtWidgets import QWidget

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
            tr("{shop}, printed {time}", shop=plain(self._shop.profile.name), time=printed_at),
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
