"""Editors in a table: what is chosen from, and what a typed quantity comes to."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex
from shiboken6 import isValid

from petstore_desktop.desk.desk import Changed, Desk
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import Key, key_to_text
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.cells.table_model import TableModel
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.text.translate import DASH, number, status_word, tr


def dress_editors(view: TableView, model: TableModel, desk: Desk) -> None:
    """Give the view's delegate its preview of quantities, and fresh choices whenever a cell becomes current: only there
    an editor can open."""

    def renew(now: QModelIndex) -> None:
        renew_choices(view, model, desk, now.column())

    rows = view.rows
    rows.quantity_column, rows.name_column = model.quantity_column, model.name_column
    rows.stock_preview = lambda index, text: stock_words(desk, model.ref_at(index).key, text)
    view.selectionModel().currentChanged.connect(renew)


def stock_words(desk: Desk, pet: Key, text: str) -> tuple[str, bool] | None:
    """What a quantity typed for a pet comes to, and whether that is below zero; None where it is no quantity."""
    entry = desk.acts.preview(pet, text)
    if isinstance(entry, BadInput):
        return None
    return tr("= {result}", result=DASH if entry.result is None else number(entry.result)), entry.below_zero


def keep_edited_rows(view: TableView, model: TableModel, desk: Desk, changed: Callable[[Changed], object]) -> None:
    """Keep the place of a row while its editor is open, and the row itself; `changed` is told of one that was removed
    at the service and goes when the editor is closed."""
    open_editors = 0

    def hold(index: QPersistentModelIndex) -> None:
        nonlocal open_editors
        open_editors += 1
        let_go()
        if index.isValid():
            desk.begin_edit(model.ref_at(index))

    def ended() -> None:
        nonlocal open_editors
        open_editors -= 1  # Qt may delete an editor after the next one has opened
        if not open_editors:
            let_go()

    def let_go() -> None:
        moved = desk.end_edit()
        if moved.anything and isValid(view):
            changed(moved)

    view.rows.editing.connect(hold)
    view.rows.editingEnded.connect(ended)


def renew_choices(view: TableView, model: TableModel, desk: Desk, column: int) -> None:
    """What a column is chosen from, as the desk knows it now."""
    kind = model.table.columns[column].choices if column >= 0 else ""
    if kind:
        view.rows.choices[column] = choices(desk, kind)


def choices(desk: Desk, kind: str) -> list[tuple[str, str]]:
    """Values and their words: statuses met so far, categories by name, or an order's two states."""
    if kind == "status":
        return [(status, plain(status_word(status))) for status in desk.statuses()]
    if kind == "complete":
        return [("false", status_word("open")), ("true", status_word("complete"))]
    return [(key_to_text(key), plain(name)) for key, name in desk.categories()]
