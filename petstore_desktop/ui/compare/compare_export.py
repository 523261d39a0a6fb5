"""What changed between two moments, for other programs: on the clipboard, as CSV, and on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from petstore_desktop.desk.edit.clipboard import HTML_HEAD, HTML_TAIL, csv_file, html_cell, html_row, tsv_line
from petstore_desktop.desk.past.grouping import stock_values
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base.building import add
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.compare.compare_texts import file_title, full_name, when_words
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.paper.paper_dialog import PaperDialog
from petstore_desktop.ui.paper.printed_list import Paper, PaperColumn, PrintedList
from petstore_desktop.ui.paper.sheet import page_layout, sheet_of, text_width
from petstore_desktop.ui.questions.raw_answer import open_failure
from petstore_desktop.ui.text.changes.history import exported_words
from petstore_desktop.ui.text.changes.seen import kind_title, value_pair, what_words, who_word
from petstore_desktop.ui.text.times import local, on_paper
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.dialogs import ask_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from PySide6.QtGui import QPageLayout
    from PySide6.QtWidgets import QFileDialog, QWidget

    from petstore_desktop.desk.model.shop_model import ShopModel
    from petstore_desktop.desk.past.grouping import SeenKind
    from petstore_desktop.domain.seen_changes import SeenChange
    from petstore_desktop.ui.compare.moment_range import Moments
    from petstore_desktop.ui.context.message import Say
    from petstore_desktop.ui.context.ports import ShopPort

_FIGURES = (False, False, False, False, True, True, False, False)
"""Which of the columns may hold figures."""
_MOST = 220.0
"""Points that are enough for a column on paper."""
_LOOKED_AT = 300
"""How many rows decide the columns' widths."""


def titles() -> list[str]:
    """The titles of the columns."""
    return [
        tr("Change"),
        tr("Record"),
        tr("Id"),
        tr("What"),
        tr("Then"),
        tr("Now"),
        tr("Who"),
        tr("Seen"),
    ]


def cells(shop: ShopModel, kind: SeenKind, change: SeenChange) -> list[object]:
    """One change as a row: stock as numbers, all else as it is shown, times as `2026-11-14 10:12`."""
    pair: tuple[object, object] = value_pair(shop, change, any_day=True)
    if change.ref.resource is Resource.INVENTORY:
        pair = stock_values(change)
    key, when = change.ref.key, local(change.seen_by).isoformat(" ", "minutes")[:16]
    name = plain(change.title) or full_name(shop, change)
    id_ = key if isinstance(key, (int, str)) else ""
    return [kind_title(kind), name, id_, what_words(change), *pair, who_word(change.who), when]


def cells_of(shop: ShopModel, changes: Iterable[tuple[SeenKind, SeenChange]]) -> Iterator[list[list[object]] | None]:
    """The rows of all these changes, worked out in short steps; they come last."""
    rows: list[list[object]] = []
    for kind, change in changes:
        rows.append(cells(shop, kind, change))
        yield None
    yield rows


def copy_rows(rows: Sequence[Sequence[object]]) -> None:
    """Put rows on the clipboard, as lines with tabs and as an HTML table, below the titles."""
    texts = [["" if value is None else str(value) for value in row] for row in rows]
    lines = [tsv_line(titles()), *map(tsv_line, texts)]
    markup = [HTML_HEAD, html_row(html_cell(title, False, "th") for title in titles())]
    for row in texts:
        marks = zip(row, _FIGURES, strict=True)
        markup.append(html_row(html_cell(text, figure) for text, figure in marks))
    mime = QMimeData()
    mime.setData("text/plain", "\n".join(lines).encode("utf-8", "replace"))
    mime.setData("text/html", "".join([*markup, HTML_TAIL]).encode("utf-8", "replace"))
    QGuiApplication.clipboard().setMimeData(mime)


class CsvSaving:
    """Asks for a file, and writes rows to it."""

    def __init__(self, page: QWidget, shop: ShopPort, say: Say, rows: Sequence[Sequence[object]], name: str) -> None:
        """`name`: of the file that is proposed."""
        self._page, self._shop, self._say, self._rows, self._name = page, shop, say, rows, name

    def ask(self) -> QFileDialog:
        """Ask where to; nothing waits for the answer."""
        kinds, title = [tr("For a spreadsheet (*.csv)")], tr("Save as CSV")
        window, name = self._page.window(), f"{self._name}.csv"
        return ask_file(window, title, "compareFileDialog", kinds, self.write, save_as=name, suffix="csv")

    def write(self, path: str) -> None:
        """Write the rows there."""
        self._shop.files.keep(path, csv_file(titles(), self._rows), over=True, make_folder=False, done=self._kept)

    def _kept(self, outcome: str | ShopError) -> None:
        if isinstance(outcome, str):
            self._say(Message(exported_words(len(self._rows), outcome), "export", file=outcome))
        else:
            open_failure(self._page.window(), outcome, tr("Choose another file…"), self.ask)


class ComparePrintDialog(PaperDialog):
    """Prints changes with their kinds."""

    def __init__(
        self,
        shop: ShopPort,
        say: Say,
        moments: Moments,
        changes: Sequence[tuple[SeenKind, SeenChange]],
        totals: str,
        parent: QWidget,
    ) -> None:
        super().__init__(tr("Print the changes"), shop, say, parent, name="comparePrintDialog")
        self._totals, self._moments, self._changes = totals, moments, changes
        some = [self._texts(row) for row in range(0, len(self._changes), max(1, len(self._changes) // _LOOKED_AT))]
        columns = zip(self._titles(), *some, strict=True)
        self._widths = [min(max(map(text_width, texts)), _MOST) for texts in columns]
        self._layout = page_layout(sum(self._widths))
        self.set_file(file_title(moments.then, moments.now))
        add(self.body, self.path, self.said, self.wrong)
        self.add_link(self.browse)
        self.add_ways()
        self.say()

    def say(self) -> None:
        """How many pages it takes."""
        pages, size = self.document().pages, self._layout.pageSize().name()
        self.said.set_text(tr("{n} pages, {size}.", "", pages, one="{n} page, {size}.", size=size))

    def layout_of_pages(self) -> QPageLayout:
        """Upright if the columns fit."""
        return self._layout

    def document(self) -> PrintedList:
        """All changes, one below the other."""
        here, moments = self._shop.desk.now(), self._moments
        columns = [
            PaperColumn(words, width, right=False, takes_rest=number == 1)
            for number, (words, width) in enumerate(zip(self._titles(), self._widths, strict=True))
        ]
        paper = Paper(
            tr("Changes from {then} to {now}", then=on_paper(moments.then), now=on_paper(moments.now)),
            (self._totals,) if self._totals else (),
            tr("{shop}, printed {time}", shop=plain(self._shop.profile.name), time=on_paper(here)),
            columns,
            len(self._changes),
            self._texts,
        )
        return PrintedList(paper, sheet_of(self._layout))

    def _titles(self) -> list[str]:
        return [
            tr("Change"),
            tr("Record"),
            tr("What"),
            tr("Then"),
            tr("Now"),
            tr("Who"),
            tr("Seen"),
        ]

    def _texts(self, row: int) -> list[str]:
        kind, change = self._changes[row]
        shop, now = self._shop.desk.shop, self._shop.desk.now()
        before, after = value_pair(shop, change, any_day=True)
        name, when = full_name(shop, change), when_words(change.seen_by, now)
        return [kind_title(kind), name, what_words(change), before, after, who_word(change.who), when]
