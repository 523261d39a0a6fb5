"""The protocol of a count, as PDF, on paper and as CSV: who counted when, what was expected and counted, and how that
differs."""

from __future__ import annotations

import getpass
from typing import TYPE_CHECKING

from petstore_desktop.ui.base.theme import plain, to_say
from petstore_desktop.ui.paper.printed_list import PrintedList, RowsDialog
from petstore_desktop.ui.station.station_list import pet_name
from petstore_desktop.ui.stocktake.stocktake_texts import category_name, scope_words
from petstore_desktop.ui.text.times import local, on_paper
from petstore_desktop.ui.text.translate import DASH, number, sentences, signed, tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from petstore_desktop.desk.scanning.session import ScanLine
    from petstore_desktop.desk.stocktake.count import Count
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.message import Say


def who_counted() -> str:
    """The name under which the person is signed in at this computer; empty where there is none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def booked_word(count: Count, line: ScanLine) -> str:
    """What became of a difference."""
    if not line.varies:
        return ""
    if not count.ended:
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


def rows_of(shop: LiveShop, count: Count) -> list[list[object]]:
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
        rows.append(
            ["", to_say(tr("Unknown code {code}", code=code.code)), "", code.counted, None, None, "", when, who, note]
        )
    return rows


class ProtocolDialog(RowsDialog):
    """Saves the protocol as a PDF, or prints it."""

    def __init__(self, shop: LiveShop, say: Say, count: Count, parent: QWidget) -> None:
        super().__init__(tr("Protocol of the count"), shop, say, parent, name="protocolDialog")
        self._count, self._lines = count, list(count.lines.values())
        columns = [tr("Pet"), tr("Counted"), tr("Expected"), tr("Difference"), tr("Booked"), tr("Counted at")]
        self.lay_rows(file_name(count), columns, len(self._lines), self._row)

    def document(self) -> PrintedList:
        title = tr("Stocktake: {what}", what=scope_words(self._shop.desk, self._count.head.scope))
        return self.list_of(title, self._facts(), rest=0, right=(1, 2, 3))

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
            sentences(when, by),
            sentences(counted, differ, unknown),
            plain(head.note),
        )
        return tuple(filter(None, lines))

    def _row(self, row: int) -> list[str]:
        line = self._lines[row]
        name = tr("{pet} (#{id})", pet=pet_name(self._shop.desk, line.pet, line.name), id=line.pet)
        expected = DASH if line.expected is None else number(line.expected)
        by = DASH if line.difference is None else signed(line.difference) if line.difference else number(0)
        return [name, number(line.counted), expected, by, booked_word(self._count, line), on_paper(line.at)]
