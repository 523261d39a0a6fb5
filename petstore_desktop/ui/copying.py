"""Rows as text for the clipboard: what is shown, letter by letter as the service has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from petstore_desktop.ui.selection import selected_rows

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex

    from petstore_desktop.ui.delegates.table_view import TableView
    from petstore_desktop.ui.models.table_model import TableModel


def copy_rows(view: TableView, model: TableModel) -> None:
    """One selected row: the current cell. Several: tab-separated rows of the shown columns, as on the screen."""
    rows = selected_rows(view)
    if len(rows) <= 1:
        if view.currentIndex().isValid():
            QGuiApplication.clipboard().setText(current_text(view, model))
        return
    header = view.horizontalHeader()
    columns = [header.logicalIndex(place) for place in range(header.count())]
    shown = [n for n in columns if not view.isColumnHidden(n) and model.table.columns[n].kind != "gutter"]
    lines = ("\t".join(_field(model.copied(row, column)) for column in shown) for row in rows)
    QGuiApplication.clipboard().setText("\n".join(lines))


def current_text(view: TableView, model: TableModel) -> str:
    """The current cell as text."""
    index: QModelIndex = view.currentIndex()
    return model.copied(index.row(), index.column())


def _field(text: str) -> str:
    """A field of a tab-separated row; quoted as spreadsheets do where it holds a tab, a quote or a line break."""
    if any(sign in text for sign in '\t\n\r"'):
        doubled = text.replace('"', '""')
        return f'"{doubled}"'
    return text
