"""The selected cells and the clipboard: copied as shown, exactly as the service has them, and pasted, filled down, or
set to one value.

Long lists are copied in slices, so that the window responds. One cell is edited as if typed; more than one row goes
through the preview.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QMimeData, QModelIndex, QObject, Qt
from PySide6.QtGui import QGuiApplication

from petstore_desktop.desk.edit.clipboard import CopiedTable, Grid, cells_of_html, cells_of_text, fitted
from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.desk.preview import CellInput, Preview
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import FREE_TEXTS, Key, Ref, Resource, ServiceId
from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.cells.table_model import TableModel
from petstore_desktop.ui.context.message import Message, Say
from petstore_desktop.ui.grid.selection import CellRange, RowSet, selected_block, selected_columns
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.text.translate import column_title, number, sentences, tr

if TYPE_CHECKING:
    from petstore_desktop.domain.low_stock import StockLevel
    from petstore_desktop.ui.context.edits import Edits
    from petstore_desktop.ui.lists.resource_tab import ResourceTab


_SLICE_S = 0.012
_FIGURES = frozenset({"number", "stock"})
_HORIZONTAL = Qt.Orientation.Horizontal


def current_text(view: TableView, model: TableModel) -> str:
    """The current cell as text."""
    index: QModelIndex = view.currentIndex()
    return model.copied(index.row(), index.column())


class _CopiedColumn(Struct, frozen=True):
    """One column of what is copied; `figure`: it holds numbers, `text` makes the cell of a row."""

    title: str
    figure: bool
    text: Callable[[int], str]


class Copying(QObject):
    """Copies for one window. A new copy replaces the one under way."""

    def __init__(self, say: Say, parent: QObject) -> None:
        super().__init__(parent)
        self._say = say
        self._work = SlicedWork[None](self, _SLICE_S)
        self._later = False

    def copy(self, view: TableView, model: TableModel, headers: bool = False) -> None:
        """Copy the selected block, with the titles of its columns if wanted; without a selection the current cell."""
        now, block = view.currentIndex(), selected_block(view)
        if block is None and view.selectionModel().hasSelection():
            self._say(Message(tr("Select cells that form a block to copy them."), "warning"))
        elif block is not None and (headers or not block.single):
            columns = [_shown_column(model, column) for column in block.columns]
            self._begin(self._copied(model, block.rows, columns, headers))
        elif now.isValid():
            QGuiApplication.clipboard().setMimeData(_single(current_text(view, model)))

    def copy_reorder(self, view: TableView, model: TableModel, shop: ShopModel) -> bool:
        """Copy whole rows of the stock as a list of what to order: id, name and how many, with titles. Returns False
        where less than whole rows is selected, and copies nothing then."""
        block = selected_block(view)
        if block is None or set(block.columns) != set(view.shown_columns()):
            return False
        columns = [
            _CopiedColumn(column_title(Resource.PETS, "id"), True, lambda row: id_text(model.table.key_at(row))),
            _CopiedColumn(column_title(Resource.PETS, "name"), False, lambda row: shop.title(model.table.ref_at(row))),
            _shown_column(model, next(n for n, one in enumerate(model.table.columns) if one.id == "to_order")),
        ]
        words = tr(
            "{n} rows copied with Id, Name and To order.",
            "",
            len(block.rows),
            one="{n} row copied with Id, Name and To order.",
        )
        self._begin(self._copied(model, block.rows, columns, True, words))
        return True

    def _begin(self, copied: Iterator[None]) -> None:
        self._later = False
        self._work.begin(copied)
        self._work.go_on()  # a short copy is done at once
        self._later = True

    def _copied(
        self, model: TableModel, rows: RowSet, columns: Sequence[_CopiedColumn], headers: bool, words: str = ""
    ) -> Iterator[None]:
        """`words`: what is said at the end in any case; else only a copy that took long is told."""
        table, figures = CopiedTable(), [column.figure for column in columns]
        if headers:
            table.add_titles([column.title for column in columns])
        for row in rows:
            if row >= model.rowCount():
                break
            table.add([column.text(row) for column in columns], figures)
            yield
        mime = QMimeData()
        for form, data in table.forms():
            mime.setData(form, data)
            yield
        QGuiApplication.clipboard().setMimeData(mime)
        if self._later or words:
            self._say(Message(words or tr("{n} rows copied", "", len(rows), one="{n} row copied"), "copy"))


def _shown_column(model: TableModel, column: int) -> _CopiedColumn:
    """A column of the list as it is shown."""
    title, figure = model.headerData(column, _HORIZONTAL), model.table.columns[column].kind in _FIGURES
    return _CopiedColumn(str(title or ""), figure, lambda row: model.copied(row, column))


def _single(text: str) -> QMimeData:
    """One cell: bare text, so that it fits everywhere. Where a spreadsheet would make something else of it, a formula
    or a number with fewer digits, it also gets it as a cell that says that it is text; programs that know both take
    that."""
    from petstore_desktop.desk.edit.clipboard import (  # late
        HTML_HEAD,
        HTML_TAIL,
        changes_in_spreadsheets,
        html_cell,
        html_row,
    )

    mime = QMimeData()
    mime.setText(text)
    if changes_in_spreadsheets(text):
        markup = f"{HTML_HEAD}{html_row([html_cell(text, False)])}{HTML_TAIL}"
        mime.setData("text/html", markup.encode("utf-8", "replace"))
    return mime


MOST_CELLS = 100_000
"""The most cells changed at once; a longer preview is unreadable."""
_Meant = list[tuple[Key, Sequence[tuple[str, str]]]]
"""Records of one kind by their keys, each with columns and the texts for them; the rows may move later."""


def clipboard_cells(mime: QMimeData) -> Grid:
    """What the clipboard holds as rows of texts; empty for nothing that could be in cells."""
    if mime.hasText() and (text := mime.text()):
        return cells_of_text(text)
    return cells_of_html(mime.html()) if mime.hasHtml() else []


class Pasting(QObject):
    """For one window. `show` shows a preview, with a title and a note."""

    def __init__(self, edits: Edits, say: Say, show: Callable[[Preview, str, str], object], parent: QObject) -> None:
        super().__init__(parent)
        self._edits, self._say, self._show = edits, say, show

    # -- paste

    def paste(self, tab: ResourceTab) -> None:
        """Put what the clipboard holds into the selected cells."""
        cells = clipboard_cells(QGuiApplication.clipboard().mimeData())
        target = self._target(tab)
        if not cells or target is None:
            self._say(Message(tr("Nothing to paste: copy cells or a text first."), "info"))
            return
        grid = fitted(cells, len(target.rows), len(target.columns))
        if len(grid) * max(map(len, grid)) > MOST_CELLS:
            self._too_many()
            return
        self._carry_out(tab, "paste", *self._inputs(tab, target, grid))

    def _target(self, tab: ResourceTab) -> CellRange | None:
        """The selected block; the current cell if there is none. Of ragged cells, all their rows and columns."""
        block = selected_block(tab.view)
        now = tab.view.currentIndex()
        if block is None and (columns := selected_columns(tab.view)):
            rows = RowSet(span for found in columns.values() for span in found.spans)
            return CellRange(rows, tuple(columns))
        if block is None and now.isValid():
            return CellRange(RowSet([(now.row(), now.row())]), (now.column(),))
        return block

    def _inputs(self, tab: ResourceTab, target: CellRange, grid: Grid) -> tuple[_Meant, str]:
        """The cells that are meant, and what of the clipboard finds no place."""
        table, shown = tab.table, tab.view.shown_columns()
        width = max(map(len, grid))
        if width == len(target.columns) or target.columns[0] not in shown:  # what the room has hidden is not another
            columns = target.columns
        else:
            first = shown.index(target.columns[0])
            columns = tuple(shown[first : first + width])
        top = target.rows[0]
        rows: Sequence[int] = target.rows if len(grid) == len(target.rows) else range(top, top + len(grid))
        here = sum(row < table.row_count for row in rows)
        kinds = [table.columns[column] for column in columns]
        places = [(place, one.id) for place, one in enumerate(kinds) if one.typed]
        meant: _Meant = []
        blank = 0
        for row, texts in zip(rows, grid[:here], strict=False):
            cells = [(name, texts[place]) for place, name in places if place < len(texts)]
            # In these columns an empty cell is a value; in any other it changes nothing.
            filled = [cell for cell in cells if cell[0] in FREE_TEXTS[table.resource] or cell[1].strip()]
            blank += len(cells) - len(filled)
            if filled:
                meant.append((table.key_at(row), filled))
        read_only = [column_title(table.resource, one.id) for one in kinds if not one.typed]
        return meant, _left_out(len(grid) - here, width - len(columns), read_only, blank)

    # -- fill

    def fill_down(self, tab: ResourceTab) -> None:
        """The first of the selected rows, for the others; with one row, the row above it."""
        block = self._target(tab)
        if block is None:
            return
        rows: Sequence[int] = block.rows
        if len(rows) == 1:
            rows = range(max(0, rows[0] - 1), rows[0] + 1)
        if len(rows) > 1:
            texts = {column: self._text(tab, rows[0], column) for column in block.columns}
            self._fill(tab, [(list(islice(rows, 1, MOST_CELLS + 2)), texts)])

    def fill(self, tab: ResourceTab) -> None:
        """Enter the open editor's text in every selected cell; without an editor, the current cell's value."""
        now = tab.view.currentIndex()
        typed = tab.view.typed_text()
        if not now.isValid():
            return
        block = self._target(tab)
        if typed is not None:
            if block is None or block.single:
                tab.view.finish_editor()
                return
            tab.view.drop_editor()
        text = self._text(tab, now.row(), now.column()) if typed is None else typed
        self._fill(tab, [(rows, {column: text}) for column, rows in selected_columns(tab.view).items()])

    def _text(self, tab: ResourceTab, row: int, column: int) -> str:
        return str(tab.model.index(row, column).data(Qt.ItemDataRole.EditRole) or "")

    def _fill(self, tab: ResourceTab, parts: list[tuple[Sequence[int], dict[int, str]]]) -> None:
        """The same texts by column in each of these rows."""
        if sum(len(rows) * len(texts) for rows, texts in parts) > MOST_CELLS:
            self._too_many()
            return
        table = tab.table
        meant: _Meant = []
        read_only: dict[int, str] = {}
        for rows, texts in parts:
            kinds = {column: table.columns[column] for column in texts}
            read_only |= {n: column_title(table.resource, one.id) for n, one in kinds.items() if not one.typed}
            cells = [(one.id, texts[column]) for column, one in kinds.items() if one.typed]
            if cells:
                meant += [(table.key_at(row), cells) for row in rows if row < table.row_count]
        self._carry_out(tab, "fill", meant, _left_out(0, 0, list(read_only.values())))

    # -- what becomes of it

    def _too_many(self) -> None:
        words = tr("At most {n} cells can be changed at once.", n=number(MOST_CELLS))
        self._say(Message(words, "warning"))

    def _carry_out(self, tab: ResourceTab, source: str, meant: _Meant, note: str) -> None:
        meant = self._keep_levels(tab, meant)
        if any(key != meant[0][0] for key, _ in meant):
            desk, count = self._edits.desk, sum(len(cells) for _, cells in meant)
            preview = Preview(desk, _inputs_of(tab.resource, meant), at_once=False, expected=count)
            preview.source = source
            self._show(preview, "", note)
            return
        if meant and not self._edit(tab, list(_inputs_of(tab.resource, meant)), note) and note:
            self._say(Message(note, "info"))

    def _keep_levels(self, tab: ResourceTab, meant: _Meant) -> _Meant:
        """Have this computer keep what it alone keeps, as one act; what cannot be stays in its cell. The cells that are
        left are sent."""
        columns = {one.id: one for one in tab.table.columns if one.level}
        places = {column.id: place for place, column in enumerate(tab.table.columns)}
        acts, shop = self._edits.desk.acts, self._edits.desk.shop
        levels: dict[Ref, StockLevel] = {}
        sent: _Meant = []
        for key, cells in meant:
            ref = Ref(tab.resource, key)
            for name, text in (cell for cell in cells if cell[0] in columns):
                level = acts.level(ref, columns[name], text, levels.get(ref))
                if isinstance(level, BadInput):
                    tab.model.refuse(tab.model.index_of(key, places[name]), text, level)
                elif isinstance(key, ServiceId):
                    levels[ref] = level
            if others := [cell for cell in cells if cell[0] not in columns]:
                sent.append((key, others))
        moved = {ref: level for ref, level in levels.items() if level != shop.own_level(ref)}
        if moved:
            self._edits.set_levels(moved)
        return sent

    def _edit(self, tab: ResourceTab, inputs: list[CellInput], note: str) -> bool:
        """Cells of one row, as if each was typed: what cannot be is kept in its cell. Whether anything is changed, and
        so the note is said with it."""
        columns = {column.id: place for place, column in enumerate(tab.table.columns)}
        if len(inputs) == 1 and not note:
            index = tab.model.index_of(inputs[0].ref.key, columns[inputs[0].column])
            return tab.model.setData(index, inputs[0].text)
        preview = Preview(self._edits.desk, inputs)
        for row in preview.rows:
            index = tab.model.index_of(row.ref.key, columns[row.column])
            if row.problem:
                tab.model.setData(index, row.text)
            else:
                tab.model.give_up(index)
        changes = preview.changes()
        self._edits.apply(changes, note)
        return bool(changes)


def _inputs_of(resource: Resource, meant: _Meant) -> Iterator[CellInput]:
    """One by one: a preview takes its time with many."""
    for key, cells in meant:
        ref = Ref(resource, key)
        for column, text in cells:
            yield CellInput(ref, column, text)


def _left_out(rows: int, columns: int, read_only: list[str], blank: int = 0) -> str:
    """What of many cells finds no place, in words; empty where all of it does."""
    titles = tr(", ", "between names").join(read_only)
    said = (
        (rows, tr("{n} rows beyond the end are left out.", "", rows, one="{n} row beyond the end is left out.")),
        (
            columns,
            tr("{n} columns beyond the last are left out.", "", columns, one="{n} column beyond the last is left out."),
        ),
        (len(read_only), tr("Read-only, not changed: {columns}.", columns=titles)),
        (blank, tr("{n} empty cells are left out.", "", blank, one="{n} empty cell is left out.")),
    )
    return sentences(*(words for count, words in said if count > 0))
