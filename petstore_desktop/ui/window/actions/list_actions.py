"""What the actions of the shown list do: copy, paste, fill, select more, filter by a cell, and choose columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from petstore_desktop.desk.data_checks.checked_rows import checked_rows_of
from petstore_desktop.desk.filters.cell_filters import filter_by_cell, filter_without_cell
from petstore_desktop.desk.filters.kept_filters import typed
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base.building import short_lived
from petstore_desktop.ui.base.theme import to_say
from petstore_desktop.ui.clipboard.copying import Copying, current_text
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.filters.filter_texts import code_of
from petstore_desktop.ui.grid.selection import selected_rows
from petstore_desktop.ui.text.orders import order_sentence
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import open_below
from petstore_desktop.ui.window.dialogs import open_bulk_edit, open_preview

if TYPE_CHECKING:
    from collections.abc import Callable

    from petstore_desktop.desk.preview.preview import Preview
    from petstore_desktop.domain.records import Ref
    from petstore_desktop.ui.clipboard.pasting import Pasting
    from petstore_desktop.ui.lists.resource_tab import ResourceTab
    from petstore_desktop.ui.window.main_window import MainWindow


class ListActions(QObject):
    """Connects these actions of one window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._parts = window, window.parts
        self.copying = Copying(window.parts.say, self)
        self._pasting: Pasting | None = None
        window.parts.actions.on("copy", self._copy)
        on = window.parts.on_list
        on("copyWithHeaders", self._copy_with_headers)
        on("copySentence", self._copy_sentence)
        on("paste", lambda tab: self.pasting.paste(tab))
        on("fillDown", lambda tab: self.pasting.fill_down(tab))
        on("fillSelection", lambda tab: self.pasting.fill(tab))
        on("selectRows", lambda tab: tab.view.select_rows())
        on("selectColumns", lambda tab: tab.view.select_columns())
        on("freezeColumns", _freeze)
        on("letColumnsGo", lambda tab: tab.columns.freeze(""))
        on("chooseColumns", _choose_columns)
        on("clearFilter", lambda tab: tab.filters.clear())
        on("filterColumn", lambda tab: tab.focus_column_filter())
        on("filterByThis", lambda tab: self._filter_by_cell(tab, leave_out=False))
        on("stockToZero", self._stock_to_zero)
        on("giveCategory", self._give_category)
        on("leaveOut", lambda tab: self._filter_by_cell(tab, leave_out=True))

    @property
    def pasting(self) -> Pasting:
        """Loaded when something is pasted or filled first."""
        if self._pasting is None:
            from petstore_desktop.ui.clipboard.pasting import Pasting  # late

            self._pasting = Pasting(self._parts.edits, self._parts.say, self._show, self)
        return self._pasting

    def _show(self, preview: Preview, note: str) -> None:
        open_preview(self._window, preview, note=note)

    def _copy(self) -> None:
        tab, shop = self._window.tab(), self._parts.shop.desk.shop
        if tab is None:
            self._window.activity().copy()
        elif not (_is_reorder_list(tab) and self.copying.copy_reorder(tab.view, tab.model, shop)):
            self.copying.copy(tab.view, tab.model)

    def _copy_with_headers(self, tab: ResourceTab) -> None:
        """Cells with their titles; while the keyboard is on the card of an order, its sentence."""
        if tab.resource is Resource.ORDERS and tab.side.has_keyboard():
            self._copy_sentence(tab)
        else:
            self.copying.copy(tab.view, tab.model, headers=True)

    def _copy_sentence(self, tab: ResourceTab) -> None:
        current = tab.current_ref()
        details = None if current is None else self._parts.shop.desk.details(current)
        if details is not None and details.sentence is not None:
            QGuiApplication.clipboard().setText(to_say(order_sentence(details.sentence)))
            self._parts.say(Message(tr("Sentence copied"), "copy"))

    def _filter_by_cell(self, tab: ResourceTab, leave_out: bool) -> None:
        index = tab.view.currentIndex()
        if not index.isValid():
            return
        shop, column = self._parts.shop.desk.shop, tab.table.columns[index.column()].id
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
            self._parts.say(Message(tr("No filter can exclude just this."), "info"))
        else:
            tab.set_filter(current_text(tab.view, tab.model))

    def _checked(self, tab: ResourceTab) -> tuple[Ref, ...]:
        """The records that the data check finds by which the list is filtered: those that are selected, if several are,
        or else all that are shown."""
        shop, rows = self._parts.shop.desk.shop, selected_rows(tab.view)
        found = checked_rows_of(shop).of(tab.context().marks)
        refs = map(tab.table.ref_at, rows if len(rows) > 1 else range(tab.table.row_count))
        return tuple(ref for ref in refs if shop.stores[tab.resource].slot(ref.key) in found)

    def _stock_to_zero(self, tab: ResourceTab) -> None:
        from petstore_desktop.desk.preview.preview import CellInput, Preview  # late: when it is first asked for

        inputs = [CellInput(ref, "stock", "0") for ref in self._checked(tab)]
        if inputs:
            preview = Preview(self._parts.shop.desk, inputs, at_once=False)
            preview.source, preview.still = "bulk", self._is_found(tab)
            open_preview(self._window, preview)
        else:
            self._say_none()

    def _is_found(self, tab: ResourceTab) -> Callable[[Ref], bool]:
        """Whether the data check by which the list is filtered now finds a record."""
        shop, check_id = self._parts.shop.desk.shop, tab.context().marks
        return lambda ref: shop.stores[ref.resource].slot(ref.key) in checked_rows_of(shop).of(check_id)

    def _give_category(self, tab: ResourceTab) -> None:
        refs = self._checked(tab)
        if refs:
            open_bulk_edit(self._window, refs, "category")
        else:
            self._say_none()

    def _say_none(self) -> None:
        self._parts.say(Message(tr("There is nothing left to correct here."), "info"))


def _freeze(tab: ResourceTab) -> None:
    column = tab.view.currentIndex().column()
    if column >= 0:
        tab.columns.freeze(tab.table.columns[column].id)


def _choose_columns(tab: ResourceTab) -> None:
    """Open the menu of columns below its button in the tool bar."""
    menu = short_lived(tab.extras.header_menu.columns_menu(tab))
    open_below(tab.bar.place_of(tab.bar.columns), menu, from_end=True)


def _is_reorder_list(tab: ResourceTab) -> bool:
    """Whether the list shows the stock that is low."""
    text = tab.table.column_filters.get("stock", "")
    return tab.resource is Resource.INVENTORY and code_of(tab.resource, "stock", text) == "low"
