"""Makes the parts that a window gets after its first paint: the bridge, handlers of actions, the pause banner and
toasts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QWidget

from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base import icons
from petstore_desktop.ui.base.building import timer
from petstore_desktop.ui.base.first_paint import load_in_turns
from petstore_desktop.ui.clipboard import Copying, Pasting
from petstore_desktop.ui.connection.shop_switcher import OtherShops
from petstore_desktop.ui.context.bridge import Bridge
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.files.importing import Importing
from petstore_desktop.ui.records.minimum_stock import MinimumStock
from petstore_desktop.ui.scanning.scanning import Scanning
from petstore_desktop.ui.status.notifications import EndingNotice, Notifier
from petstore_desktop.ui.status.pause_banner import Pause
from petstore_desktop.ui.status.selection_figures import SelectionPrice, SelectionSums
from petstore_desktop.ui.status.toast import toast_room
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.views.changed_today import ChangedToday
from petstore_desktop.ui.views.views import ViewsFiles
from petstore_desktop.ui.views.views_menu import ViewsMenu
from petstore_desktop.ui.window import dialogs
from petstore_desktop.ui.window.actions.handlers import UnusableKeys, look_up_unlisted, read_now
from petstore_desktop.ui.window.actions.navigation import Fetching, NavigationHistory, NewRows, show_stock_cell
from petstore_desktop.ui.window.actions.palette_actions import PaletteWay
from petstore_desktop.ui.window.actions.undo_keys import UndoKeys
from petstore_desktop.ui.window.paint_pace import PaintPace
from petstore_desktop.ui.window.presence import PresenceWatcher
from petstore_desktop.ui.window.rehearsal_keeping import Keeping
from petstore_desktop.ui.window.today import last_here

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.domain.own_acts import OwnActs
    from petstore_desktop.ui.context.ports import AppPort
    from petstore_desktop.ui.window.main_window import MainWindow


_SOON = (
    "petstore_desktop.ui.today.since",
    "petstore_desktop.ui.today.requests",
    "petstore_desktop.desk.today.orders",
    "petstore_desktop.desk.today.stock",
    "petstore_desktop.ui.charts.shop_charts",
    "petstore_desktop.ui.charts.chart",
    "petstore_desktop.ui.activity.changes_model",
    "petstore_desktop.ui.activity.changes_page",
    "petstore_desktop.ui.activity.waiting_page",
    "petstore_desktop.ui.activity.review_page",
    "petstore_desktop.ui.activity.activity_tab",
)
"""What Today and the Activity tab are made of."""
_SOON_MS = 300


class AfterFirstPaint(QObject):
    """From here on events are taken in."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        parts, shop = window.parts, window.shop
        app, edits, actions = parts.app, parts.edits, parts.actions
        window.setWindowIcon(icons.app_icon())
        self._rest: Changed | None = None
        self._next_turn = timer(self, 0, self._show_rest, once=True)
        actions.is_early = False
        self.places = NavigationHistory(window)
        self.new_rows = NewRows(window)
        self.undo_keys = UndoKeys(parts)
        self.copying = Copying(parts.say, self)
        parts.navigation.shown.connect(partial(look_up_unlisted, window))
        self.fetching = Fetching(parts, partial(read_now, window))
        self.palette = PaletteWay(window, self.fetching.go)
        UnusableKeys(window)
        self.pause = Pause(shop.desk, actions, window)
        self.presence = PresenceWatcher(window)
        self.presence.seen.connect(last_here(window).seen)
        preview, ask_key = partial(dialogs.open_preview, window), partial(dialogs.open_key, window)
        self.pasting = Pasting(edits, parts.say, preview, self)
        self.importing = Importing(shop, app, parts.say, preview, self._resource, window)
        self.notifier = Notifier(
            shop, edits, actions, app.shops.open, ask_key, self.presence, window.pages.currentWidget, window
        )
        parts.said.connect(self.notifier.say)
        self.notifier.toast.stand_in(lambda: toast_room(window.pages))
        self.bridge = Bridge(shop.events, shop.desk, self)
        self.pace = PaintPace(window, self.bridge)
        self._connect_bridge()
        self.bridge.changed.connect(SelectionPrice(edits, window.status).changed)
        SelectionSums(shop.desk, window.status)
        self.others = OtherShops(app.shops, window.status.show_others, parts.say, window)
        window.place_banner(self.pause.banner)
        self.ending_notice = EndingNotice(shop.desk, self.notifier, window.state.noticed, window.state.notice)
        self.changed_today = ChangedToday(shop, window, self.bridge.changed.emit, self)
        views, menu = parts.views, window.menus.menus["views"]
        self.views_menu = ViewsMenu(shop.desk, actions, views, window, self.changed_today, menu, window)
        window.tabs.currentChanged.connect(self.views_menu.update)
        self.views_files = ViewsFiles(views, shop.views, parts.say, window)
        self.minimum_stock = MinimumStock(shop, edits.do, parts.say, self.bridge.changed.emit, window)
        edits.set_levels = self.minimum_stock.set
        go, preference = partial(show_stock_cell, window), app.preference
        self.scanning = Scanning(shop, parts.scans, actions, edits.do, parts.say, preference, go, window)
        self.keeping = Keeping(window, partial(dialogs.open_preview, window))
        _ = parts.put_away
        shop.views.read_acts(self._acts_read)
        self._begin_later(app)

    def _acts_read(self, acts: OwnActs, error: ShopError | None) -> None:
        self._window.shop.desk.done.restore(acts, self._window.shop.views.keep_acts)
        if error is not None:
            self._window.parts.say(Message(error_words(error).sentence, "warning"))

    def let_go(self) -> None:
        """Keep what is typed into pages of the stock room, and hear no more of the shop."""
        self.places.hosted.settle()
        self.bridge.close()

    def go_on(self, before: AfterFirstPaint, tab: str) -> None:
        """Show a tab, over it what another window showed, and on top the preferences, at the choice of the language."""
        self.places.hosted.go_on(before.places.hosted)
        self._window.show_tab(tab)
        self._window.parts.actions["preferences"].trigger()
        for choice in self._window.findChildren(QWidget, "languageChoice"):
            choice.setFocus(Qt.FocusReason.OtherFocusReason)

    def _begin_later(self, app: AppPort) -> None:
        QTimer.singleShot(_SOON_MS, self, lambda: load_in_turns(self, iter(_SOON)))
        if (updates := app.updates()) is not None:
            from petstore_desktop.ui.program.program_dialogs import tell_of_updates  # late: few packages offer it

            tell_of_updates(updates, self._window.parts.say, self)

    def _connect_bridge(self) -> None:
        self.bridge.changed.connect(self._desk_changed)
        self.bridge.lost.connect(self.notifier.tell_lost)

    def _resource(self) -> Resource:
        """The list that the person looks at; elsewhere the first one."""
        tab = self._window.tab()
        return Resource.PETS if tab is None else tab.resource

    def _desk_changed(self, moved: Changed) -> None:
        """Repaint the edited cell first; refresh status line and actions in the next event-loop turn."""
        self._show_rest()
        if any(change.batch in self._window.parts.edits.unsaved for change in moved.saved):
            self._window.update_undo()  # no Ctrl+Z is lost, however fast it comes
            self._rest = moved
            self._next_turn.start()
            QCoreApplication.sendPostedEvents(self._window, QEvent.Type.UpdateRequest.value)
        else:
            self._show(moved)

    def _show_rest(self) -> None:
        rest, self._rest = self._rest, None
        if rest is not None:
            self._next_turn.stop()
            self._show(rest)

    def _show(self, moved: Changed) -> None:
        self._window.desk_changed(moved)
        self.changed_today.on_changed(moved)
        self.pause.update()
        self.notifier.tell(moved)
        self._window.parts.edits.on_priced(moved.priced)
        self.undo_keys.desk_changed(moved)
        self._window.parts.moved.emit(moved)
        if moved.contract:
            self.ending_notice.look()
