"""The protocol of a count, as PDF, on paper and as CSV: who counted when, what was expected and counted, and how that
differs."""

from __future__ import annotations

import getpass
from typing import TYPE_CHECKING

from petstore_desktop.desk.edit.clipboard import csv_file
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.ui.base.building import add
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.paper.paper_dialog import PaperDialog
from petstore_desktop.ui.paper.printed_list import Paper, PaperColumn, PrintedList
from petstore_desktop.ui.paper.sheet import page_layout, sheet_of, text_width
from petstore_desktop.ui.questions.raw_answer import open_failure
from petstore_desktop.ui.stocktake.stocktake_texts import category_name, pet_name, scope_words
from petstore_desktop.ui.text.changes.history import exported_words
from petstore_desktop.ui.text.times import local, on_paper
from petstore_desktop.ui.text.translate import DASH, number, signed, tr
from petstore_desktop.ui.widgets.dialogs import ask_file

if TYPE_CHECKING:
    from PySide6.QtGui import QPageLayout
    from PySide6.QtWidgets import QFileDialog, QWidget

    from petstore_desktop.desk.stocktake.count import Count, CountLine
    from petstore_desktop.ui.context.message import Say
    from petstore_desktop.ui.context.ports import ShopPort

_MOST = 220.0
_LOOKED_AT = 300


def who_counted() -> str:
    """The name under which the person is signed in at this computer; empty where there is none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def booked_word(count: Count, line: CountLine) -> str:
    """What became of a difference."""
    if not line.varies:
        return ""
    if count.head.ended is None:
        return tr("not booked yet")
    return tr("booked") if line.pet in count.head.booked else tr("not booked")


def file_name(count: Count) -> str:
    """How the file of a protocol is called."""
    return tr("Stocktake {time}", time=local(count.head.began).isoformat(" ", "minutes")[:16].replace(":", "."))


def titles() -> list[str]:
    """The titles of the CSV file."""
    return [
        tr("Id"),
        tr("Pet"),
        tr("Category"),
        tr("Counted"),
        tr("Expected"),
        tr("Difference"),
        tr("Booked"),
        tr("Counted at"),
        tr("Counted by"),
        tr("Note"),
    ]


def rows_of(shop: ShopPort, count: Count) -> list[list[object]]:
    """All lines, and the unknown codes below them, as rows for a spreadsheet."""
    who, note, rows = who_counted(), plain(count.head.note), list[list[object]]()
    for line in count.lines.values():
        category = category_name(shop.desk, shop.desk.shop.category_of_pet(line.pet))
        when = local(line.at).isoformat(" ", "seconds")[:19]
        figures: list[object] = [line.counted, line.expected, line.difference]
        name = pet_name(shop.desk, line.pet, line.name)
        rows.append([line.pet, name, category, *figures, booked_word(count, line), when, who, note])
    for code in count.codes.values():
        when = local(code.at).isoformat(" ", "seconds")[:19]
        rows.append(["", tr("Unknown code {code}", code=code.code), "", code.scans, None, None, "", when, who, note])
    return rows


class CsvProtocol:
    """Asks for a file, and writes the protocol to it."""

    def __init__(self, page: QWidget, shop: ShopPort, say: Say, count: Count) -> None:
        self._page, self._shop, self._say, self._count = page, shop, say, count
        self._rows = rows_of(shop, count)

    def ask(self) -> QFileDialog:
        """Ask where to; nothing waits for the answer."""
        kinds, name = [tr("For a spreadsheet (*.csv)")], f"{file_name(self._count)}.csv"
        title = tr("Save the protocol as CSV")
        return ask_file(self._page.window(), title, "protocolFileDialog", kinds, self.write, save_as=name, suffix="csv")

    def write(self, path: str) -> None:
        """Write the rows there."""
        self._shop.files.keep(path, csv_file(titles(), self._rows), over=True, make_folder=False, done=self._kept)

    def _kept(self, outcome: str | ShopError) -> None:
        if isinstance(outcome, str):
            self._say(Message(exported_words(len(self._rows), outcome), "export", file=outcome))
        else:
            open_failure(self._page.window(), outcome, tr("Choose another file…"), self.ask)


class ProtocolDialog(PaperDialog):
    """Saves the protocol as a PDF, or prints it."""

    def __init__(self, shop: ShopPort, say: Say, count: Count, parent: QWidget) -> None:
        super().__init__(tr("Protocol of the count"), shop, say, parent, name="protocolDialog")
        self._count, self._lines = count, list(count.lines.values())
        step = max(1, len(self._lines) // _LOOKED_AT)
        some = [self._texts(row) for row in range(0, len(self._lines), step)]
        columns = zip(self._titles(), *some, strict=True)
        self._widths = [min(max(map(text_width, texts)), _MOST) for texts in columns]
        self._layout = page_layout(sum(self._widths))
        self.set_file(file_name(count))
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

    def document(self) -> PrintedList:
        columns = [
            PaperColumn(words, width, right=place in (1, 2, 3), takes_rest=place == 0)
            for place, (words, width) in enumerate(zip(self._titles(), self._widths, strict=True))
        ]
        foot = tr("{shop}, printed {time}", shop=plain(self._shop.profile.name), time=on_paper(self._shop.desk.now()))
        title = tr("Stocktake: {what}", what=scope_words(self._shop.desk, self._count.head.scope))
        paper = Paper(title, self._facts(), foot, columns, len(self._lines), self._texts)
        return PrintedList(paper, sheet_of(self._layout))

    def _facts(self) -> tuple[str, ...]:
        count, head = self._count, self._count.head
        whole, who = count.in_all(), who_counted()
        began, ended = on_paper(head.began), None if head.ended is None else on_paper(head.ended)
        when = tr("Begun {time}.", time=began)
        if ended is not None:
            when = tr("Begun {began}, closed {ended}.", began=began, ended=ended)
        varying = len(count.variances())
        differ = tr("{n} differ.", "", varying, one="{n} differs.")
        counted = tr("{n} of {total} counted.", n=number(whole.counted), total=number(whole.total))
        codes = len(count.codes)
        unknown = tr("{n} unknown codes.", "", codes, one="{n} unknown code.") if codes else ""
        by = tr("Counted by {who}.", who=who) if who else ""
        lines = (
            " ".join(filter(None, (when, by))),
            " ".join(filter(None, (counted, differ, unknown))),
            plain(head.note),
        )
        return tuple(filter(None, lines))

    def _titles(self) -> list[str]:
        return [tr("Pet"), tr("Counted"), tr("Expected"), tr("Difference"), tr("Booked"), tr("Counted at")]

    def _texts(self, row: int) -> list[str]:
        line = self._lines[row]
        name = tr("{pet} (#{id})", pet=pet_name(self._shop.desk, line.pet, line.name), id=line.pet)
        expected = DASH if line.expected is None else number(line.expected)
        by = DASH if line.difference is None else signed(line.difference) if line.difference else number(0)
        return [name, number(line.counted), expected, by, booked_word(self._count, line), on_paper(line.at)]
