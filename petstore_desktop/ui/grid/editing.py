"""Editors in a table: what is chosen from, and what a typed quantity comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex

from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import key_to_text
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.text.translate import DASH, number, status_word, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.ui.cells.table_model import TableModel
    from petstore_desktop.ui.grid.table_view import TableView


def dress_editors(view: TableView, model: TableModel, desk: Desk) -> None:
    """Give the view's delegate its preview of quantities, and fresh choices whenever a cell becomes current: only there
    an editor can open. A row keeps its place while its editor is open."""

    def preview(index: QModelIndex, text: str) -> tuple[str, bool] | None:
        entry = desk.acts.preview(model.ref_at(index).key, text)
        if isinstance(entry, BadInput):
            return None
        result = DASH if entry.result is None else number(entry.result)
        return tr("= {result}", result=result), entry.below_zero

    def renew(now: QModelIndex) -> None:
        renew_choices(view, model, desk, now.column())

    def hold(index: QPersistentModelIndex) -> None:
        if index.isValid():
            model.table.pin(model.table.key_at(index.row()))

    rows = view.rows
    rows.quantity_column, rows.name_column = model.quantity_column, model.name_column
    rows.set_stock_preview(preview)
    rows.editing.connect(hold)
    view.selectionModel().currentChanged.connect(renew)


def renew_choices(view: TableView, model: TableModel, desk: Desk, column: int) -> None:
    """What a column is chosen from, as the desk knows it now."""
    kind = model.table.columns[column].choices if column >= 0 else ""
    if kind:
        view.rows.set_choices(column, choices(desk, kind))


def choices(desk: Desk, kind: str) -> list[tuple[str, str]]:
    """Values and their words: statuses met so far, categories by name, or an order's two states."""
    if kind == "status":
        return [(status, plain(status_word(status))) for status in desk.statuses()]
    if kind == "complete":
        return [("false", status_word("open")), ("true", status_word("complete"))]
    return [(key_to_text(key), plain(name)) for key, name in desk.categories()]
