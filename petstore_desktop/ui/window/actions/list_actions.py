"""What the actions of the shown list do: copy, paste, fill, select more, filter by a cell, and choose columns."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from petstore_desktop.desk.data_checks import checked_rows_of
from petstore_desktop.desk.filters.cell_filters import filter_by_cell, filter_without_cell
from petstore_desktop.desk.filters.kept_filters import typed
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.base.building import short_lived
from petstore_desktop.ui.base.theme import to_say
from petstore_desktop.ui.clipboard import current_text
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.grid.selection import selected_rows
from petstore_desktop.ui.text.filters import code_of
from petstore_desktop.ui.text.orders import order_sentence
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import open_below
from petstore_desktop.ui.window.dialogs import open_bulk_edit, open_export, open_preview, open_print

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from petstore_desktop.ui.lists.resource_tab import ResourceTab
    from petstore_desktop.ui.window.main_window import MainWindow


def on_list(do: Callable[[MainWindow, ResourceTab], object]) -> Callable[[MainWindow], object]:
    """What an action does with the list that is shown; on another tab nothing."""

    def run(window: MainWindow) -> None:
        tab = window.tab()
        if tab is not None:
            do(window, tab)

    return run


def _copy(window: MainWindow) -> None:
    tab, copying = window.tab(), window.after_paint.copying
    if tab is None:
        window.activity().copy()
    elif not (_is_reorder_list(tab) and copying.copy_reorder(tab.view, tab.model, window.shop.desk.shop)):
        copying.copy(tab.view, tab.model)


def _copy_with_headers(window: MainWindow, tab: ResourceTab) -> None:
    """Cells with their titles; while the keyboard is on the card of an order, its sentence."""
    if tab.resource is Resource.ORDERS and tab.side.has_keyboard():
        _copy_sentence(window, tab)
    else:
        window.after_paint.copying.copy(tab.view, tab.model, headers=True)


def _copy_sentence(window: MainWindow, tab: ResourceTab) -> None:
    current = tab.current_ref()
    details = None if current is None else window.shop.desk.details(current)
    if details is not None and details.sentence is not None:
        QGuiApplication.clipboard().setText(to_say(order_sentence(details.sentence)))
        window.parts.say(Message(tr("Sentence copied"), "copy"))


def _filter_by_cell(window: MainWindow, tab: ResourceTab, leave_out: bool = False) -> None:
    index = tab.view.currentIndex()
    if not index.isValid():
        return
    shop, column = window.shop.desk.shop, tab.table.columns[index.column()].id
    slot = shop.stores[tab.resource].slot(tab.table.key_at(index.row()))
    if slot is None:
        return
    now = tab.table.column_filters.get(column, "")
    made = (
        filter_without_cell(shop, tab.resource, slot, column, now)
        if leave_out
        else filter_by_cell(shop, tab.resource, slot, column)
    )
    if made:
        tab.filters.set_column(column, typed(shop, tab.resource, {column: made})[column])
    elif leave_out:
        window.parts.say(Message(tr("No filter can exclude just this."), "info"))
    else:
        tab.set_filter(current_text(tab.view, tab.model))


def _checked(window: MainWindow, tab: ResourceTab) -> tuple[Ref, ...]:
    """The records that the data check finds by which the list is filtered: those that are selected, if several are,
    or else all that are shown."""
    shop, rows = window.shop.desk.shop, selected_rows(tab.view)
    found = checked_rows_of(shop).of(tab.context().marks)
    refs = map(tab.table.ref_at, rows if len(rows) > 1 else range(tab.table.row_count))
    return tuple(ref for ref in refs if shop.stores[tab.resource].slot(ref.key) in found)


def _stock_to_zero(window: MainWindow, tab: ResourceTab) -> None:
    from petstore_desktop.desk.preview import CellInput, Preview  # late: when it is first asked for

    inputs = [CellInput(ref, "stock", "0") for ref in _checked(window, tab)]
    if inputs:
        preview = Preview(window.shop.desk, inputs, at_once=False)
        preview.source, preview.still = "bulk", _is_found(window, tab)
        open_preview(window, preview)
    else:
        _say_none(window)


def _is_found(window: MainWindow, tab: ResourceTab) -> Callable[[Ref], bool]:
    """Whether the data check by which the list is filtered now finds a record."""
    shop, check_id = window.shop.desk.shop, tab.context().marks
    return lambda ref: shop.stores[ref.resource].slot(ref.key) in checked_rows_of(shop).of(check_id)


def _give_category(window: MainWindow, tab: ResourceTab) -> None:
    refs = _checked(window, tab)
    if refs:
        open_bulk_edit(window, refs, "category")
    else:
        _say_none(window)


def _say_none(window: MainWindow) -> None:
    window.parts.say(Message(tr("There is nothing left to correct here."), "info"))


def _freeze(_: MainWindow, tab: ResourceTab) -> None:
    column = tab.view.currentIndex().column()
    if column >= 0:
        tab.columns.freeze(tab.table.columns[column].id)


def _choose_columns(_: MainWindow, tab: ResourceTab) -> None:
    """Open the menu of columns below its button in the tool bar."""
    menu = short_lived(tab.extras.header_menu.columns_menu(tab))
    open_below(tab.bar.place_of(tab.bar.columns), menu, from_end=True)


def _is_reorder_list(tab: ResourceTab) -> bool:
    """Whether the list shows the stock that is low."""
    text = tab.table.column_filters.get("stock", "")
    return tab.resource is Resource.INVENTORY and code_of(tab.resource, "stock", text) == "low"


LIST_RUNS: Mapping[str, Callable[[MainWindow], object]] = {
    "copy": _copy,
    "copyWithHeaders": on_list(_copy_with_headers),
    "copySentence": on_list(_copy_sentence),
    "paste": on_list(lambda window, tab: window.after_paint.pasting.paste(tab)),
    "fillDown": on_list(lambda window, tab: window.after_paint.pasting.fill_down(tab)),
    "fillSelection": on_list(lambda window, tab: window.after_paint.pasting.fill(tab)),
    "selectRows": on_list(lambda _, tab: tab.view.select_rows()),
    "selectColumns": on_list(lambda _, tab: tab.view.select_columns()),
    "freezeColumns": on_list(_freeze),
    "letColumnsGo": on_list(lambda _, tab: tab.columns.freeze("")),
    "chooseColumns": on_list(_choose_columns),
    "fitColumns": on_list(lambda _, tab: tab.columns.fit_contents()),
    "resetColumns": on_list(lambda _, tab: tab.columns.reset()),
    "clearFilter": on_list(lambda _, tab: tab.filters.clear()),
    "filterColumn": on_list(lambda _, tab: tab.focus_column_filter()),
    "filterByThis": on_list(_filter_by_cell),
    "leaveOut": on_list(partial(_filter_by_cell, leave_out=True)),
    "stockToZero": on_list(_stock_to_zero),
    "giveCategory": on_list(_give_category),
    "editCell": on_list(lambda _, tab: tab.view.edit_cell()),
    "editStock": on_list(lambda _, tab: tab.view.edit_column(tab.model.quantity_column)),
    "details": on_list(lambda _, tab: tab.toggle_details()),
    "history": on_list(lambda _, tab: tab.show_history()),
    "exportList": on_list(open_export),
    "print": on_list(open_print),
}
