"""What changed between two moments, for other programs: on the clipboard, as CSV, and on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from petstore_desktop.desk.edit.clipboard import HTML_HEAD, HTML_TAIL, html_cell, html_row, tsv_line
from petstore_desktop.desk.past import SeenKind, stock_values
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.compare.compare_texts import file_title, full_name, when_words
from petstore_desktop.ui.paper.printed_list import PrintedList, RowsDialog
from petstore_desktop.ui.text.changes.seen import kind_title, value_pair, what_words, who_word
from petstore_desktop.ui.text.times import local, on_paper
from petstore_desktop.ui.text.translate import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from PySide6.QtWidgets import QWidget

    from petstore_desktop.desk.model.shop_model import ShopModel
    from petstore_desktop.domain.seen_changes import SeenChange
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.compare.moment_range import Moments
    from petstore_desktop.ui.context.message import Say

_FIGURES = (False, False, False, False, True, True, False, False)
"""Which of the columns may hold figures."""


def titles() -> list[str]:
    """The titles of the columns."""
    return [tr("Change"), tr("Record"), tr("Id"), tr("What"), tr("Then"), tr("Now"), tr("Who"), tr("Seen")]


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


class ComparePrintDialog(RowsDialog):
    """Prints changes with their kinds."""

    def __init__(
        self,
        shop: LiveShop,
        say: Say,
        moments: Moments,
        changes: Sequence[tuple[SeenKind, SeenChange]],
        totals: str,
        parent: QWidget,
    ) -> None:
        super().__init__(tr("Print the changes"), shop, say, parent, name="comparePrintDialog")
        self._totals, self._moments, self._changes = totals, moments, changes
        columns = [tr("Change"), tr("Record"), tr("What"), tr("Then"), tr("Now"), tr("Who"), tr("Seen")]
        self.lay_rows(file_title(moments.then, moments.now), columns, len(changes), self._row)

    def document(self) -> PrintedList:
        """All changes, one below the other."""
        moments = self._moments
        title = tr("Changes from {then} to {now}", then=on_paper(moments.then), now=on_paper(moments.now))
        return self.list_of(title, (self._totals,) if self._totals else (), rest=1)

    def _row(self, row: int) -> list[str]:
        kind, change = self._changes[row]
        shop, now = self._shop.desk.shop, self._shop.desk.now()
        before, after = value_pair(shop, change, any_day=True)
        name, when = full_name(shop, change), when_words(change.seen_by, now)
        return [kind_title(kind), name, what_words(change), before, after, who_word(change.who), when]
