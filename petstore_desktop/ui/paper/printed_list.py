"""A list on paper: its name, filters, age and size, then the rows, with the header on each page; and rows that leave
the window whole, as a CSV file or as a list on paper that has its own columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QPainter

from petstore_desktop.desk.edit.clipboard import csv_file
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.ui.base.building import add
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.context.message import Message, Say
from petstore_desktop.ui.paper.paper_dialog import PaperDialog
from petstore_desktop.ui.paper.sheet import (
    BODY,
    FOOT,
    GREY,
    INK,
    PAD,
    SMALL,
    TITLE,
    font,
    line_height,
    page_layout,
    reads_left,
    rule,
    sheet_of,
    text_width,
    write,
    write_foot,
)
from petstore_desktop.ui.questions.raw_answer import open_failure
from petstore_desktop.ui.text.times import on_paper
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.dialogs import ask_file

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtGui import QPageLayout
    from PySide6.QtWidgets import QFileDialog, QWidget

    from petstore_desktop.shop.live_shop import LiveShop


ROW, HEADER = 17.0, 19.0
"""Heights of a row and of the header of the columns."""
_GAP = 10.0


class PaperColumn(Struct, frozen=True):
    """A column: its header, the points that it needs, the side that its values stand at, and whether it takes what
    room is left."""

    words: str
    width: float
    right: bool
    takes_rest: bool = False


class Paper(Struct, frozen=True):
    """The contents of a list. `lines` stand below the title, `foot` at the bottom of each page; `row` gives the texts
    of one row, one for each column, when it is painted."""

    title: str
    lines: tuple[str, ...]
    foot: str
    columns: Sequence[PaperColumn]
    count: int
    row: Callable[[int], Sequence[str]]


class RowPainter:
    """Paints the header and the rows of columns over the width of a sheet."""

    def __init__(self, columns: Sequence[PaperColumn], sheet: QRectF) -> None:
        self._columns, self._sheet = columns, sheet
        self._widths = _shared([(column.width, column.takes_rest) for column in columns], sheet.width())

    def header(self, painter: QPainter, top: float) -> float:
        """Paint the header of the columns; returns where the rows begin."""
        self._paint(painter, [column.words for column in self._columns], top, font(SMALL, bold=True), GREY)
        rule(painter, self._sheet, top + HEADER, INK)
        return top + HEADER

    def row(
        self, painter: QPainter, texts: Sequence[str], top: float, *, bold: bool = False, indent: float = 0.0
    ) -> float:
        """Paint one row, its first text `indent` points further in; returns where the next one begins."""
        self._paint(painter, texts, top, font(BODY, bold=bold), INK, indent)
        rule(painter, self._sheet, top + ROW)
        return top + ROW

    def _paint(
        self, painter: QPainter, texts: Sequence[str], top: float, text_font: QFont, ink: str, indent: float = 0.0
    ) -> None:
        at = 0.0
        for column, width, text in zip(self._columns, self._widths, texts, strict=True):
            inner = width - 2 * PAD - (0.0 if at else indent)
            lead = at + width - PAD - inner
            left = self._sheet.right() - lead - inner if reads_left() else self._sheet.left() + lead
            write(painter, QRectF(left, top, inner, ROW), text, text_font, ink, right=column.right or reads_left())
            at += width


class PrintedList:
    """Lays a list out on sheets of one size; pages are painted one by one, so that others may have their turn."""

    def __init__(self, paper: Paper, sheet: QRectF) -> None:
        """`sheet`: what may be painted on, from its top left corner."""
        self._paper, self._sheet = paper, sheet
        self._top = line_height(TITLE) + len(paper.lines) * line_height(BODY) + _GAP
        room = sheet.height() - FOOT - HEADER
        self._first = max(1, int((room - self._top) // ROW))
        self._other = max(1, int(room // ROW))
        self._rows = RowPainter(paper.columns, sheet)

    @property
    def title(self) -> str:
        """The name of the list."""
        return self._paper.title

    @property
    def pages(self) -> int:
        """How many there are; a list without rows has one too."""
        return 1 + max(0, math.ceil((self._paper.count - self._first) / self._other))

    def rows_of(self, page: int) -> range:
        """Which rows stand on a page; the first page is 0."""
        start = 0 if page == 0 else self._first + (page - 1) * self._other
        return range(start, min(start + (self._other if page else self._first), self._paper.count))

    def paint(self, painter: QPainter, page: int) -> None:
        """Paint one page; the painter counts in points."""
        top = self._sheet.top()
        if page == 0:
            top = write_top(painter, self._sheet, self._paper.title, self._paper.lines) + _GAP
        top = self._rows.header(painter, top)
        for row in self.rows_of(page):
            top = self._rows.row(painter, self._paper.row(row), top)
        write_foot(painter, self._sheet, self._paper.foot, page, self.pages)


def write_top(painter: QPainter, sheet: QRectF, title: str, lines: Sequence[str]) -> float:
    """Write a title and the lines below it; returns where they end."""
    top = sheet.top()
    said = ((title, font(TITLE, bold=True), INK, line_height(TITLE)), *(
        (line, font(BODY), GREY, line_height(BODY)) for line in lines
    ))  # fmt: skip
    for words, text_font, ink, height in said:
        write(painter, QRectF(sheet.left(), top, sheet.width(), height), words, text_font, ink, right=reads_left())
        top += height
    return top


def _shared(needs: Sequence[tuple[float, bool]], room: float) -> list[float]:
    """Divide the page's width among the columns: each gets what it needs, flexible ones the rest; if there is too
    little, all shrink in proportion."""
    whole = sum(need for need, _ in needs) or 1.0
    flexible = sum(takes for _, takes in needs)
    if whole >= room or not flexible:
        return [need * room / whole for need, _ in needs]
    return [need + (room - whole) / flexible if takes else need for need, takes in needs]


_MOST = 220.0
"""Points that are enough for a column on paper."""
_LOOKED_AT = 300
"""How many rows decide the columns' widths."""


class CsvSaving:
    """Asks for a file, and writes rows to it below their titles."""

    def __init__(
        self, page: QWidget, shop: LiveShop, say: Say, titles: Sequence[str], rows: Sequence[Sequence[object]]
    ) -> None:
        self._page, self._shop, self._say, self._titles, self._rows = page, shop, say, titles, rows

    def ask(self, title: str, name: str) -> QFileDialog:
        """Ask where to; nothing waits for the answer. `name`: of the file that is proposed."""
        self._asked, kinds = (title, name), [tr("For a spreadsheet (*.csv)")]
        window, file = self._page.window(), f"{name}.csv"
        return ask_file(window, title, "csvFileDialog", kinds, self.write, save_as=file, suffix="csv")

    def write(self, path: str) -> None:
        """Write the rows there."""
        content = csv_file(self._titles, self._rows)
        self._shop.files.keep(path, content, over=True, make_folder=False, done=self._kept)

    def _kept(self, outcome: str | ShopError) -> None:
        if isinstance(outcome, str):
            name, count = isolate(plain(PurePath(outcome).name)), len(self._rows)
            words = tr("{n} rows are in {file}", "", count, one="{n} row is in {file}", file=name)
            self._say(Message(words, "export", file=outcome))
        else:
            open_failure(self._page.window(), outcome, tr("Choose another file…"), lambda: self.ask(*self._asked))


class RowsDialog(PaperDialog):
    """Saves rows as a PDF, or prints them, upright if the columns fit. Derived ones call `lay_rows` when they know
    their rows, and say what stands above them."""

    def lay_rows(self, file: str, titles: Sequence[str], count: int, texts: Callable[[int], Sequence[str]]) -> None:
        """`file`: the name that is proposed; `texts`: those of a row, one for each title."""
        some = map(texts, range(0, count, max(1, count // _LOOKED_AT)))
        columns = zip([text_width(title, SMALL, bold=True) for title in titles], *some, strict=True)
        self._titles, self._length, self._texts = titles, count, texts
        self._widths = [min(max(head, *map(text_width, column), 0.0), _MOST) for head, *column in columns]
        self._layout = page_layout(sum(self._widths))
        self.set_file(file)
        add(self.body, self.path, self.said, self.wrong)
        self.add_link(self.browse)
        self.add_ways()
        self.say()

    def say(self) -> None:
        """How many pages it takes."""
        pages, size = self.document().pages, self._layout.pageSize().name()
        self.said.set_text(tr("{n} pages, {size}.", "", pages, one="{n} page, {size}.", size=size))

    def layout_of_pages(self) -> QPageLayout:
        return self._layout

    def list_of(self, title: str, lines: tuple[str, ...], *, rest: int, right: Collection[int] = ()) -> PrintedList:
        """All rows, one below the other. `rest`: the column that takes what room is left; `right`: those of numbers."""
        columns = [
            PaperColumn(words, width, right=place in right, takes_rest=place == rest)
            for place, (words, width) in enumerate(zip(self._titles, self._widths, strict=True))
        ]
        foot = tr(
            "{shop}, printed {time}", shop=plain(self._shop.connection.name), time=on_paper(self._shop.desk.now())
        )
        return PrintedList(Paper(title, lines, foot, columns, self._length, self._texts), sheet_of(self._layout))
