"""A tab of records: tool bar, table, and the details of the current row beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.columns.columns import DEFAULT_SORT
from petstore_desktop.desk.model.shop_model import id_text
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.base.building import in_column, in_row, named
from petstore_desktop.ui.cells.table_model import TableModel
from petstore_desktop.ui.context.action_set import ActionContext
from petstore_desktop.ui.context.tab_specs import TODAY, TabPage, TabSpec
from petstore_desktop.ui.grid.columns import ColumnKeeper
from petstore_desktop.ui.grid.grid_view import GridView
from petstore_desktop.ui.grid.selection import Settled, selected_count, selected_rows
from petstore_desktop.ui.lists.list_bar import CountsAndNotices, ListBar
from petstore_desktop.ui.text.translate import resource_title

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.domain.low_stock import StockLevel
    from petstore_desktop.ui.details.details_side import DetailsSide
    from petstore_desktop.ui.lists.filter_row import FilterRow
    from petstore_desktop.ui.lists.list_context import ListContext
    from petstore_desktop.ui.lists.list_extras import TabExtras
    from petstore_desktop.ui.lists.list_filters import ListFilters

_SHORT_ID = 5
"""Digits that an id column has room for from the start."""
_TEXT_ID = "0" * 12
"""The room that an id that is a text gets; a tool tip has all of it."""
_SOME = 200
"""How many rows tell how long ids usually are: as three in four of them at most."""


class ResourceTab(TabPage):
    """One resource's list.

    Signals:
        contextChanged: object: another current row, selection or count; the window updates actions and status bar.
        stateChanged: object: something that is remembered (columns, sort, filter, pane) changed.
    """

    contextChanged = Signal(object)
    stateChanged = Signal(object)

    def __init__(self, spec: TabSpec, shared: ListContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spec = spec
        self.resource = spec.resource
        self.watches = (spec.resource,)
        self.setObjectName(f"{spec.resource.value}Tab")
        self.shared = shared
        """What it has in common with the other lists of the window."""
        self._desk = shared.shop.desk
        self._side: DetailsSide | None = None
        self._extras: TabExtras | None = None
        self._filters: ListFilters | None = None
        self.awaited: Ref | None = None
        """Becomes current as soon as it is there."""
        self._digits = (0, 0)
        """The number of rows, and the usual number of digits of their ids."""
        self._has_shown = False
        """Whether rows are on the screen."""
        self._quietly = False
        """The awaited row was current when the program ended: the screen does not jump to it."""
        self.table = self._desk.tables[spec.resource]
        self.model = TableModel(self._desk, self.table, self)
        self.view = GridView(self)
        self._dress_view()
        self.bar = ListBar(spec, shared.actions, self)
        self.columns = ColumnKeeper(self.view, self.table.columns)
        self.state = CountsAndNotices(self, self.bar)
        self._lay_out()
        self._connect()

    # -- building

    def _dress_view(self) -> None:
        view = named(self.view, f"{self.resource.value}Table", resource_title(self.resource))
        view.setModel(self.model)
        view.cell_at, view.rows.cell_at = self.model.cell_at, self.model.cell
        self.model.seen = view.rows_on_screen
        self.header = view.header
        view.set_gutter(0)
        view.home_column, view.left_out = self.model.home_column, self.table.greyed_rows

    def _lay_out(self) -> None:
        self._row = in_row(self, (in_column(None, self.bar, (self.view, 1)), 1))
        walk = [self.bar.filter, *self.bar.buttons, self.bar.notice, self.view]
        for before, after in pairwise(walk):
            QWidget.setTabOrder(before, after)

    @property
    def side(self) -> DetailsSide:
        """The details beside the list; made when they are first shown."""
        if self._side is None:
            from petstore_desktop.ui.details.details_side import DetailsSide  # late: when a row is first selected

            its = self.shared
            self._side = DetailsSide(self.spec, its.shop, its.edits, its.actions, its.navigation, self)
            self._side.closed.connect(lambda: self.show_details(False))
            self._side.keyboardLeft.connect(self.focus_list)
            self._row.addWidget(self._side)
        return self._side

    @property
    def filters(self) -> ListFilters:
        """Every way to filter the list."""
        if self._filters is None:
            from petstore_desktop.ui.lists.list_filters import ListFilters  # late: mostly after the first paint

            self._filters = ListFilters(self)
        return self._filters

    @property
    def has_filters(self) -> bool:
        """Whether anything was typed to filter by, readable or not."""
        return bool(self.table.filter_text or self.table.column_filters)

    @property
    def filter_row(self) -> FilterRow | None:
        """The fields under the headers; None before the first paint."""
        return None if self._extras is None else self._extras.filter_row

    @property
    def extras(self) -> TabExtras:
        """Editors and menus; made right after the first paint."""
        if self._extras is None:
            from petstore_desktop.ui.lists.list_extras import TabExtras  # late: after the first paint

            self._extras = TabExtras(self, self.shared)
        return self._extras

    def _connect(self) -> None:
        self.model.acted.connect(self.shared.edits.apply)
        self.model.leveled.connect(self._keep_levels)
        Settled(self.view, self._row_changed)
        self.view.detailsRequested.connect(self.toggle_details)
        self.view.openRequested.connect(lambda: self.show_details(True))
        self.view.escaped.connect(self._escape)
        self.header.sortRequested.connect(self._sort_requested)
        self.columns.changed.connect(self.stateChanged)
        self.columns.froze.connect(self.contextChanged)
        self.bar.filter.returnPressed.connect(self.to_rows)
        self.header.filterDone.connect(self.to_rows)
        self._show_sort()
        columns = enumerate(self.table.columns)
        self.header.await_filter_row({number: "" for number, one in columns if one.kind != "gutter"})
        self._make_room()
        self.refresh_state()

    def _keep_levels(self, levels: Mapping[Ref, StockLevel]) -> None:
        self.shared.edits.set_levels(levels)

    # -- what the desk says

    def desk_changed(self, moved: Changed) -> None:
        """After each turn of the bridge."""
        if Resource.CATEGORIES in moved.rows or Resource.PETS in moved.rows:
            self.extras.renew_choices()
        current = self.current_ref()
        told = moved.gate or moved.contract or moved.link or moved.checked is not None or self.resource in moved.loads
        concerned = current is None or moved.concerns(current)
        if current is not None and (told or concerned or (moved.outbox and self._desk.is_changed(current))):
            self.side.follow(current)
        if self._side is not None:
            self._side.history.on_changed(moved)
        self._show_wanted()
        if self.resource in moved.rows:
            self._make_room(still=self._has_shown)
            self._has_shown = not self.isHidden() and self.table.row_count > 0
        anew = bool(moved.loads or moved.link or moved.contract)
        if (anew or moved.rows or (moved.gate and not self.table.total)) and not self.isHidden():
            self.refresh_state()  # where it is hidden, when it is shown
            if anew or concerned:
                self.contextChanged.emit(None)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._make_room()

    def _make_room(self, *, still: bool = False) -> None:
        """`still`: rows are on the screen, and no single long id moves what a person points at; it is cut off, and has
        its room when the list is next shown."""
        values = self._desk.shop.stores[self.resource].columns
        for column in self.table.columns:
            if column.rare and any(values[column.field]):
                self.columns.offer(column.id)
        longest = self.shared.longest_ids.get(self.resource, "")
        if len(longest) > _SHORT_ID and self.table.columns[1].id == "id":
            longest = longest if longest.lstrip("-").isdecimal() or len(longest) < len(_TEXT_ID) else _TEXT_ID
            usual = "0" * self._usual_digits()
            self.columns.make_room("id", usual if still else longest, usual)

    def _usual_digits(self) -> int:
        keys = self._desk.shop.stores[self.resource].keys
        if len(keys) != self._digits[0]:
            digits = sorted(len(id_text(key)) for key in keys[:: len(keys) // _SOME + 1])
            self._digits = len(keys), digits[(len(digits) - 1) * 3 // 4] if digits else 0
        return self._digits[1]

    def tick(self) -> None:
        """Once a second while shown: ages move on."""
        self.state.refresh_counts()
        if self._side is not None:
            self._side.tick()

    def refresh_state(self) -> None:
        """Rows, or the words instead of them; and the counts."""
        self.state.refresh()
        self._show_side(self.current_ref())

    def _show_side(self, current: Ref | None) -> None:
        wanted = self.shared.details_wanted and current is not None
        if wanted or self._side is not None:
            self.side.set_open(wanted)

    # -- the current row

    def current_ref(self) -> Ref | None:
        """The record of the current row; None while no row is selected (Qt gives a view a current row on its own)."""
        index = self.view.currentIndex()
        shown = index.isValid() and index.row() < self.table.row_count
        # Not `hasSelection`: it asks the model about cells.
        return self.model.ref_at(index) if shown and not self.view.selectionModel().selection().isEmpty() else None

    def selected_refs(self) -> tuple[Ref, ...]:
        """Records of the selected rows, in order; without a selection the current one."""
        rows = selected_rows(self.view)
        if not rows:
            current = self.current_ref()
            return () if current is None else (current,)
        return tuple(self.table.ref_at(row) for row in rows)

    def context(self) -> ActionContext:
        """For the actions."""
        marks = self.table.column_filters.get("gutter", "").strip()
        return ActionContext(self.resource, self.current_ref(), selected_count(self.view), marks=marks)

    def show_ref(self, ref: Ref, focus: bool = True) -> bool:
        """Make a record current; drops a filter that hides it, and waits for a record that is still being read."""
        self.awaited, self._quietly = None, False
        if self.table.position(ref.key) < 0 and self.table.is_filtered:
            self.filters.clear()
        index = self.model.index_of(ref.key)
        if not index.isValid():
            self.awaited = ref
            return False
        self.view.setCurrentIndex(index)
        if self.shared.details_wanted:
            self.side.show_ref(ref)
        self.view.scrollTo(index, GridView.ScrollHint.PositionAtCenter)
        if focus:
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def _row_changed(self) -> None:
        """Another current cell or selection."""
        current = self.current_ref()
        if current is not None:
            self.awaited = None
            if self.shared.details_wanted:
                self.side.follow(current, walks=True)
        self._show_side(current)
        self.contextChanged.emit(None)

    # -- what a person does

    def toggle_details(self) -> None:
        """Space: open or close the details."""
        self.show_details(self._side is None or self._side.isHidden())

    def show_details(self, wanted: bool) -> None:
        """Open or close the details."""
        self.shared.details_wanted = wanted
        current = self.current_ref()
        if wanted and current is not None:
            self.side.show_ref(current)
        self._show_side(current)
        self.stateChanged.emit(None)

    def show_history(self) -> None:
        """What happened to the current record."""
        if self.current_ref() is not None:
            self.show_details(True)
            self.side.history.jump()

    def set_filter(self, text: str) -> None:
        """Show only what matches in any column; empty shows all that the filters of single columns let through."""
        self.filters.set_text(text)

    def show_view(self, text: str, columns: Mapping[str, str], sort: Sequence[tuple[str, bool]]) -> None:
        """Filter and sort again; without a sort in the original order."""
        self.filters.use(text, columns)
        self.sort_by(sort)
        self.stateChanged.emit(None)

    def focus_list(self) -> None:
        """Give the keyboard to the rows."""
        self.view.setFocus()

    def focus_filter(self) -> None:
        """Ctrl+F."""
        self.bar.ask_filter()

    def focus_column_filter(self) -> None:
        """Ctrl+Shift+F: the filter of the current column."""
        column = self.view.currentIndex().column()
        self.extras.filter_row.focus(self.table.columns[column].id if column >= 0 else "")

    def to_rows(self) -> None:
        """Give the keyboard to the rows: to the current one, or else to the first; of those that a filter found the
        first where the current one is not in sight."""
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)
        current, table = self.view.currentIndex(), self.table
        found = bool(table.filter_text or any(table.column_filters.values()))
        selected = self.current_ref() is not None and (not found or current.row() in self.view.rows_on_screen())
        if selected and (current.flags() & Qt.ItemFlag.ItemIsEditable or selected_count(self.view) > 1):
            return
        row = current.row() if selected else 0
        if row < self.table.row_count:
            self.view.setCurrentIndex(self.model.index(row, self.model.home_column))

    def _escape(self) -> None:
        """Esc with no editor open: go back if a link of Today led here; else clear the filters added to the view,
        then close the details."""
        own = self.shared.views.current(self.resource)
        if self.shared.navigation.return_to(TODAY):
            return
        if self.has_filters and self.filters.kept() != self.filters.kept(own):
            self.filters.use_kept(own.text, own.filters)
        elif self._side is not None and not self._side.isHidden():
            self.show_details(False)

    def _sort_requested(self, section: int, add: bool) -> None:
        column = self.table.columns[section]
        if column.kind == "gutter":
            return
        descending = dict(self.table.sort).get(column.id) is False
        self.sort(column.id, descending, add)

    def sort(self, column_id: str, descending: bool, add: bool = False) -> None:
        """Sort by a column."""
        self.table.sort_by(column_id, descending=descending, add=add)
        self._show_sort()
        self.stateChanged.emit(None)

    def unsort(self, column_id: str) -> None:
        """Sort no more by this column; without any other as the list is sorted at first."""
        self.sort_by([pair for pair in self.table.sort if pair[0] != column_id] or [DEFAULT_SORT[self.resource]])
        self.stateChanged.emit(None)

    def sort_by(self, pairs: Iterable[tuple[str, bool]]) -> None:
        """Sort by several columns, each ascending or descending."""
        for place, (name, down) in enumerate(pairs):
            self.table.sort_by(name, descending=down, add=place > 0)
        self._show_sort()

    def _show_sort(self) -> None:
        sections = {column.id: number for number, column in enumerate(self.table.columns)}
        self.header.set_sort([(sections[name], down) for name, down in self.table.sort if name in sections])

    # -- the record to show

    def keep_still(self) -> None:
        """Nothing moves on the screen when the rest is read: there is room for the longest id, and the row that was
        current when the program ended becomes current without a jump to it."""
        self._make_room()
        self._quietly = True
        self._show_wanted()

    def _show_wanted(self) -> None:
        """The record that was waited for, if it has come; at a start the screen stays where it is."""
        if self.awaited is None or self.table.position(self.awaited.key) < 0:
            return
        if self._quietly:
            index, self.awaited = self.model.index_of(self.awaited.key), None
            self.view.setAutoScroll(False)
            self.view.setCurrentIndex(index)
            self.view.setAutoScroll(True)
        else:
            self.show_ref(self.awaited, focus=False)
