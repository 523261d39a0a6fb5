"""Copies the selected cells as shown, exactly as the service has them. Long lists are copied in slices, so that the
window responds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from PySide6.QtCore import QMimeData, QModelIndex, QObject, Qt
from PySide6.QtGui import QGuiApplication

from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.cells.table_model import TableModel
from petstore_desktop.ui.context.message import Message, Say
from petstore_desktop.ui.grid.selection import RowSet, selected_block
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.text.translate import column_title, tr

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
        from petstore_desktop.desk.edit.clipboard import CopiedTable  # late: nothing is copied before the first paint

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
