"""Copies the selected cells as shown, exactly as the service has them. Long lists are copied in slices, so that the
window responds."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QMimeData, QModelIndex, QObject, Qt
from PySide6.QtGui import QGuiApplication

from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.cells.table_model import TableModel
from petstore_desktop.ui.context.message import Message, Say
from petstore_desktop.ui.grid.selection import CellRange, selected_block
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.text.translate import tr

_SLICE_S = 0.012
_FIGURES = frozenset({"number", "stock"})
_HORIZONTAL = Qt.Orientation.Horizontal


def current_text(view: TableView, model: TableModel) -> str:
    """The current cell as text."""
    index: QModelIndex = view.currentIndex()
    return model.copied(index.row(), index.column())


class Copying(QObject):
    """Copies for one window. A new copy replaces the one under way."""

    def __init__(self, say: Say, parent: QObject) -> None:
        super().__init__(parent)
        self._say = say
        self._work = SlicedWork[None](self, _SLICE_S, lambda _: None)
        self._later = False

    def copy(self, view: TableView, model: TableModel, headers: bool = False) -> None:
        """Copy the selected block, with the titles of its columns if wanted; without a selection the current cell."""
        now, block = view.currentIndex(), selected_block(view)
        if block is None and view.selectionModel().hasSelection():
            self._say(Message(tr("Select cells that form a block to copy them."), "warning"))
        elif block is not None and (headers or not block.single):
            self._later = False
            self._work.begin(self._copied(model, block, headers))
            self._work.go_on()  # a short copy is done at once
            self._later = True
        elif now.isValid():
            QGuiApplication.clipboard().setMimeData(_single(current_text(view, model)))

    def _copied(self, model: TableModel, block: CellRange, headers: bool) -> Iterator[None]:
        from petstore_desktop.desk.edit.clipboard import HTML_HEAD, HTML_TAIL, html_cell, html_row, tsv_line  # late

        lines: list[bytes] = []
        markup = [HTML_HEAD.encode()]
        columns = [(column, model.table.columns[column].kind in _FIGURES) for column in block.columns]
        if headers:
            titles = [str(model.headerData(column, _HORIZONTAL) or "") for column in block.columns]
            lines.append(tsv_line(titles).encode("utf-8", "replace"))
            markup.append(html_row(html_cell(title, False, "th") for title in titles).encode("utf-8", "replace"))
        for row in block.rows:
            if row >= model.rowCount():
                break
            texts = [model.copied(row, column) for column, _ in columns]
            cells = (html_cell(text, figure) for text, (_, figure) in zip(texts, columns, strict=True))
            lines.append(tsv_line(texts).encode("utf-8", "replace"))
            markup.append(html_row(cells).encode("utf-8", "replace"))
            yield
        markup.append(HTML_TAIL.encode())
        mime = QMimeData()
        mime.setData("text/plain", b"\n".join(lines))
        yield
        mime.setData("text/html", b"".join(markup))
        yield
        QGuiApplication.clipboard().setMimeData(mime)
        if self._later:
            self._say(Message(tr("{n} rows copied", "", len(block.rows), one="{n} row copied"), "copy"))


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
