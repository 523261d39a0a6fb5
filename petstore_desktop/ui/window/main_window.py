"""The window of one shop: tabs, the pause banner above them, the status bar below, menus and toasts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QMoveEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QWidget

from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base.building import in_column, named, timer
from petstore_desktop.ui.base.first_paint import after_first_paint, loading, room_for
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.context.action_set import ActionContext
from petstore_desktop.ui.context.tab_specs import ACTIVITY, SPECS, TABS, TODAY, TabPage, tab_title
from petstore_desktop.ui.lists.resource_tab import ResourceTab
from petstore_desktop.ui.status.status_line import StatusLine
from petstore_desktop.ui.text.translate import bare, tr
from petstore_desktop.ui.widgets.fields import PaletteField
from petstore_desktop.ui.window.menus import WindowMenus
from petstore_desktop.ui.window.tab_strip import TabPages, TabRow, TabStrip
from petstore_desktop.ui.window.window_parts import WindowParts
from petstore_desktop.ui.window.window_state import WindowState, restore_list

if TYPE_CHECKING:
    from collections.abc import Callable

    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.activity.activity_tab import ActivityTab, Page
    from petstore_desktop.ui.context.ports import AppPort
    from petstore_desktop.ui.window.after_first_paint import AfterFirstPaint

_TICK_MS = 1000
_LATER = tuple(
    f"petstore_desktop.ui.{name}"
    for name in (
        "context.bridge",
        "window.actions.list_actions",
        "clipboard",
        "window.actions.handlers",
        "status.notifications",
        "views.views_menu",
        "scanning.scanning",
        "window.today",
        "window.after_first_paint",
    )
)
"""Modules that are loaded one by one right after the first paint, so that keys are answered in between."""
_LATEST_MS = 500
"""A window that is not painted by then (minimised at start) is made complete all the same."""
_IDLE_MS = 200
"""Milliseconds after a list is shown until its further row contents are prepared."""


class MainWindow(QMainWindow):
    """One shop's window.

    Signals:
        closed: object: the window is gone for good; the program may stop the shop.
        contextMoved: another tab, row, selection, filter or sort.
    """

    closed = Signal(object)
    contextMoved = Signal()

    def __init__(self, shop: LiveShop, app: AppPort) -> None:
        super().__init__()
        self.setObjectName("mainWindow")
        self.setWindowTitle(tr("{shop} — Pet Store Desktop", shop=plain(shop.connection.name)))
        self.shop = shop
        self.parts = WindowParts(self, shop, app)
        self._activity: ActivityTab | None = None
        self.close_now = self._left = False
        self.ask_at_close: Callable[[], bool] | None = None
        """Asks in the place of the usual question about unsent changes; whether the window may close now."""
        self._lay_out()
        self._after_paint: AfterFirstPaint | None = None
        self._taking = self._context_asked = False
        self._connect()
        self.state.restore()
        self._tick()
        after_first_paint(self, self.state.keep_on_screen, self._dress_tabs, *loading(_LATER), self._finish)
        QTimer.singleShot(_LATEST_MS, self, self._finish)

    @property
    def after_paint(self) -> AfterFirstPaint:
        """The parts made after the first paint, or earlier if asked for."""
        if self._after_paint is None:
            from petstore_desktop.ui.window.after_first_paint import AfterFirstPaint  # late, as its name says

            self._after_paint = AfterFirstPaint(self)
        return self._after_paint

    def _dress_tabs(self) -> None:
        for tab in self.built_tabs():
            _ = tab.extras

    def _finish(self) -> None:
        self._dress_tabs()
        self.after_paint.pause.update()
        QTimer.singleShot(_IDLE_MS, self, self._make_details)

    def _make_details(self) -> None:
        """The first row that somebody goes to does not wait for its pane to be made."""
        tab = self.tab()
        if tab is not None and self.parts.details_wanted and self.isVisible():
            _ = tab.side

    # -- building

    def _lay_out(self) -> None:
        self.tabs = named(TabStrip(self), "tabs", tr("Tabs"))
        self.pages = TabPages(self)
        for name in TABS:
            self.tabs.add(*tab_title(name))
        self.menus = WindowMenus(self, self.parts.actions)
        self.status = StatusLine(self.shop, self.parts.actions, self)
        self.state = WindowState(self)
        palette = self.parts.actions["palette"]
        words, keys = bare(palette.text()), palette.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.palette_field = PaletteField(words, keys)
        middle = QWidget(self)
        self._top = TabRow(self.tabs, self.palette_field, self.menus.button)
        self._column = in_column(middle, self._top, (self.pages, 1), self.status.bar)
        self.setCentralWidget(middle)
        self.setMinimumSize(QSize(640, 400).boundedTo(room_for(self).size()))

    def place_banner(self, row: QWidget) -> None:
        """The pause banner stands between the tabs and what they show."""
        self._column.insertWidget(self._column.indexOf(self._top) + 1, row)

    def place_above_tabs(self, row: QWidget, frame: int) -> None:
        """Put a row above the tabs, and leave so many pixels free at all edges."""
        self._column.insertWidget(0, row)
        self._column.setContentsMargins(frame, frame, frame, frame)

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self._show_current)
        self.tabs.tabBarClicked.connect(self.focus_list)  # a click is a jump, not the start of a walk
        self.shop.desk.done.attach(self.update_undo, self._place)
        self.parts.navigation.moved.connect(self._update_ways)
        self._timer = timer(self, _TICK_MS, self._tick)
        self._timer.start()
        self._update_ways()

    def run(self, name: str) -> None:
        """Carry an action out. Keys are live from the first paint on; what actions need is made after it, or now."""
        if self._after_paint is None:
            self._finish()
        from petstore_desktop.ui.window.actions.handlers import RUNS  # late: nothing is done before the first paint

        if name in RUNS:
            RUNS[name](self)

    # -- tabs

    def show_tab(self, name: str) -> None:
        """Show a tab; it is built, and its list read, when it is first shown."""
        number = TABS.index(name)
        if number != self.tabs.currentIndex():
            self.tabs.setCurrentIndex(number)
        elif self.pages.own(name) is None:
            self._show_current(number)

    def shown(self) -> str:
        """The name of the tab that is shown."""
        return TABS[self.tabs.currentIndex()]

    def page(self) -> TabPage | None:
        """What the shown tab shows."""
        return self.pages.page(self.shown())

    def _show_current(self, number: int) -> None:
        name = TABS[number]
        if self.pages.own(name) is None:
            self._build(name)
        self.pages.show_page(name)
        if not self.tabs.hasFocus():  # whoever walks along the tabs goes on walking
            self.focus_list()
        self.context_changed()
        self.state.save_soon()
        if self._after_paint is not None:
            QTimer.singleShot(_IDLE_MS, self, self._make_details)

    def focus_list(self) -> None:
        """Give the keyboard to what the tab shows."""
        page = self.page()
        if page is not None:
            page.focus_list()

    def _build(self, name: str) -> None:
        if name == TODAY:
            from petstore_desktop.ui.window.today import today_page  # late: mostly after the first paint

            self.pages.put(name, today_page(self))
        elif name == ACTIVITY:
            self.activity()
        else:
            self.pages.put(name, self._list(name))

    def _list(self, name: str) -> ResourceTab:
        spec = next(spec for spec in SPECS if spec.resource.value == name)
        tab = ResourceTab(spec, self.parts, self)
        restore_list(tab, self.state.of_tab(tab.resource))
        tab.contextChanged.connect(self.context_changed)
        tab.stateChanged.connect(self.state.save_soon)
        if self._after_paint is not None:
            _ = tab.extras
        return tab

    def activity(self) -> ActivityTab:
        """The Activity tab, made when it is first asked for."""
        if self._activity is None:
            from petstore_desktop.ui.activity.activity_tab import ActivityTab  # late: nobody sees it before

            go, mend = self.parts.navigation.open, self.parts.actions.mend
            self._activity = ActivityTab(self.shop, self.parts.edits, self.parts.say, go, mend, self)
            self._activity.contextChanged.connect(self.context_changed)
            self.pages.put(ACTIVITY, self._activity)
        return self._activity

    def show_activity(self, page: Page) -> None:
        """Show a page of the Activity tab, with the keyboard in it."""
        self.show_tab(ACTIVITY)
        self.activity().show_page(page)

    def tab(self) -> ResourceTab | None:
        """The list that is shown, or None on another tab."""
        page = self.page()
        return page if isinstance(page, ResourceTab) else None

    def built_tabs(self) -> list[ResourceTab]:
        """Lists that were shown at least once."""
        return [page for page in self.pages.all_pages() if isinstance(page, ResourceTab)]

    def go_to(self, resource: Resource) -> ResourceTab | None:
        """Show a list; what is hosted over it is left."""
        self.show_tab(resource.value)
        self.pages.uncover(resource.value)
        return self.tab()

    # -- what moves

    def desk_changed(self, moved: Changed) -> None:
        """After each turn of the bridge."""
        self.parts.note_ids(moved.rows)
        self._taking = True
        try:
            for page in self.pages.all_pages():
                page.desk_changed(moved)
        finally:
            self._taking = False
        self.status.update(drafts=bool(moved.drafts))
        if moved.loads:
            self.state.lists_moved()
        if moved.drafts:
            self.parts.draftsCame.emit(None)
        if moved.contract or self._context_asked:
            self.context_changed()
        elif moved.outbox or moved.rows:
            self.update_undo()
            self.status.set_selection(self.tab())

    def context_changed(self) -> None:
        """Another row, selection or tab: actions and status bar follow; once, when several lists take an event in."""
        self._context_asked = self._taking
        if self._taking:
            return
        tab, page = self.tab(), self.page()
        context = page.context() if page is not None else ActionContext()
        self.parts.actions.update(context, self.shop.desk)
        self.update_undo()
        self.status.set_selection(tab)
        self.parts.actions["clearFilter"].setEnabled(tab is not None and tab.has_filters)
        self.parts.actions["letColumnsGo"].setEnabled(tab is not None and bool(tab.columns.frozen))
        self.contextMoved.emit()

    def update_undo(self) -> None:
        """What undo and redo take now."""
        self.menus.update_undo(self.shop)
        if self._after_paint is not None:
            self._after_paint.notifier.show_key()

    def _place(self) -> str:
        """At which desk of the stock room the person is; empty for none."""
        page = self.page()
        return "" if page is None else page.place

    def _update_ways(self) -> None:
        self.parts.actions["back"].setEnabled(self.parts.navigation.can_go_back)
        self.parts.actions["forth"].setEnabled(self.parts.navigation.can_go_forth)

    def _tick(self) -> None:
        self.status.update()
        if self._after_paint is not None:
            self._after_paint.pause.update()
        if (page := self.page()) is not None:
            page.tick()

    # -- the window itself

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if (page := self.page()) is not None:
            page.refresh_state()
        self.state.save_soon()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.state.save_soon()

    def let_go(self) -> None:
        """Save what is typed and how the window stands, and leave the shop to whoever comes next."""
        if self._left:
            return
        self._left = True
        self.parts.edits.settle()
        self.state.save()
        self._timer.stop()
        if self._after_paint is not None:
            self._after_paint.let_go()
        for tab in self.built_tabs():
            tab.table.detach()  # the desk may outlive the window

    def take_over(self, before: MainWindow) -> None:
        """Go on where a window has let go that spoke another language: in the preferences, and with the values in its
        cells that cannot be saved."""
        shown = self.shown()
        for old in before.built_tabs():
            if old.model.invalid and (new := self.go_to(old.resource)) is not None:
                new.model.invalid.update(old.model.invalid)
        self.after_paint.go_on(before.after_paint, shown)

    def closeEvent(self, event: QCloseEvent) -> None:
        from petstore_desktop.ui.window.closing import may_close  # late: only at the end

        if not self._left and not may_close(self):
            event.ignore()
            return
        self.let_go()
        super().closeEvent(event)
        self.closed.emit(None)
