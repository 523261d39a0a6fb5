"""Rows that leave the window whole: as a CSV file, or as a list on paper that has its own columns."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from petstore_desktop.desk.edit.clipboard import csv_file
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.ui.base.building import add
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.paper.paper_dialog import PaperDialog
from petstore_desktop.ui.paper.printed_list import Paper, PaperColumn, PrintedList
from petstore_desktop.ui.paper.sheet import SMALL, page_layout, sheet_of, text_width
from petstore_desktop.ui.questions.raw_answer import open_failure
from petstore_desktop.ui.text.times import on_paper
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.dialogs import ask_file

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from PySide6.QtGui import QPageLayout
    from PySide6.QtWidgets import QFileDialog, QWidget

    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.message import Say

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
        foot = tr("{shop}, printed {time}", shop=plain(self._shop.profile.name), time=on_paper(self._shop.desk.now()))
        return PrintedList(Paper(title, lines, foot, columns, self._length, self._texts), sheet_of(self._layout))
