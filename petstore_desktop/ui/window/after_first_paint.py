"""Makes the parts that a window gets after its first paint: the bridge, handlers of actions, the pause banner and
toasts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer

from petstore_desktop.ui.base import icons
from petstore_desktop.ui.base.first_paint import load_in_turns
from petstore_desktop.ui.connection.shop_switcher import OtherShops
from petstore_desktop.ui.context.bridge import Bridge
from petstore_desktop.ui.files.importing import Importing
from petstore_desktop.ui.records.minimum_stock import MinimumStock
from petstore_desktop.ui.status.notifications import EndingNotice, Telling
from petstore_desktop.ui.status.pause_presenter import Pause
from petstore_desktop.ui.status.selection_figures import SelectionPrice, SelectionSums
from petstore_desktop.ui.status.toast import toast_room
from petstore_desktop.ui.views.changed_today import ChangedToday
from petstore_desktop.ui.views.views_files import ViewsFiles
from petstore_desktop.ui.views.views_menu import ViewsMenu
from petstore_desktop.ui.window.handlers import Handlers
from petstore_desktop.ui.window.presence import Watching

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.ui.window.main_window import MainWindow


_SOON = (
    "petstore_desktop.ui.activity.changes.changes_model",
    "petstore_desktop.ui.activity.changes.changes_page",
    "petstore_desktop.ui.activity.waiting_page",
    "petstore_desktop.ui.activity.review_page",
    "petstore_desktop.ui.activity.activity_tab",
)
"""What the Activity tab is made of."""
_SOON_MS = 300


class Later(QObject):
    """From here on events are taken in."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        window.setWindowIcon(icons.app_icon())
        self._rest: Changed | None = None
        self._next_turn = QTimer(self, interval=0, singleShot=True)
        self._next_turn.timeout.connect(self._show_rest)
        self.handlers = Handlers(window, window.parts)
        self.importing = Importing(window)
        self.pause = Pause(window.shop.desk, window.parts.actions, window)
        self.watching = Watching(window)
        self.telling = Telling(window.parts, window, self.watching)
        self.telling.toast.stand_in(lambda: toast_room(window.pages))
        self.bridge = Bridge(window.shop.events, window.shop.desk, self)
        self.bridge.changed.connect(self._desk_changed)
        SelectionPrice(window.parts, window.status)
        SelectionSums(window.parts, window.status)
        self.others = OtherShops(window.parts.app.shops, window.status.show_others, window.parts.say, window)
        self.bridge.lost.connect(self.telling.tell_lost)
        window.place_banner(self.pause.banner_row)
        self.ending_notice = EndingNotice(window)
        self.changed_today = ChangedToday(window, self.bridge.changed.emit)
        self.views_menu = ViewsMenu(window, self.changed_today)
        self.views_files = ViewsFiles(window)
        self.minimum_stock = MinimumStock(window, self.bridge.changed.emit)
        QTimer.singleShot(_SOON_MS, self, lambda: load_in_turns(self, iter(_SOON)))

    def _desk_changed(self, moved: Changed) -> None:
        """Repaint the edited cell first; refresh status line and actions in the next event-loop turn."""
        self._show_rest()
        if any(change.batch in self._window.parts.batches for change in moved.saved):
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
        self.telling.tell(moved)
        if moved.priced:
            self._window.parts.pricing.on_priced(moved.priced)
        self.handlers.undo_keys.desk_changed(moved)
        self._window.parts.moved.emit(moved)
        if moved.contract:
            self.ending_notice.look()
