"""Reports the lists on the screen and whether a person is there: unseen lists need not be fresh."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QApplication, QLineEdit

from petstore_desktop.domain.commands import Watch
from petstore_desktop.ui.base.building import timer
from petstore_desktop.ui.grid.table_view import TableView

if TYPE_CHECKING:
    from collections.abc import Callable

    from petstore_desktop.domain.records import Resource
    from petstore_desktop.ui.window.main_window import MainWindow

AWAY_MS = 300_000
"""Milliseconds without keys and mouse after which a person counts as away."""
LOOK_MS = 15_000
"""Milliseconds between two looks for keys and mouse."""
IDLE_MS = 3_000
"""Milliseconds without keys and mouse after which a question interrupts nobody."""

_SIGNS = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.ShortcutOverride,
        QEvent.Type.InputMethod,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseMove,
        QEvent.Type.Wheel,
        QEvent.Type.TouchBegin,
        QEvent.Type.TabletPress,
    }
)
_OF_WINDOW = frozenset(
    {QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.WindowStateChange, QEvent.Type.ActivationChange}
)


class PresenceWatcher(QObject):
    """Tells the shop at each change: another tab, shown or hidden, gone or back.

    All events of the program pass here only until the first sign of life, then not before the next look: whoever works
    pays for one event in fifteen seconds.

    Signals:
        seen(bool): there was a sign of life in the last while; or (False) there has been none for long.
    """

    seen = Signal(bool)

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._told: tuple[tuple[Resource, ...], bool] | None = None
        self._signs = True
        self._away = False
        self._quiet = 0
        self._when_idle: Callable[[], None] | None = None
        self._timer = timer(self, LOOK_MS, self._look)
        self._timer.start()
        window.installEventFilter(self)
        window.tabs.currentChanged.connect(self._tell)
        self._tell()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in _SIGNS:
            self._seen()
        elif watched is self._window and kind in _OF_WINDOW:
            if self._window.isActiveWindow():
                self._seen()
            self._tell()
        return False

    def when_idle(self, do: Callable[[], None] | None) -> None:
        """Call `do` once, when nothing has been touched for IDLE_MS and nothing is half typed; None forgets it.

        Until then it is looked so much oftener, and whoever works pays for one event in three seconds.
        """
        self._when_idle = do
        if do is None:
            self._timer.setInterval(LOOK_MS)
            return
        self._signs, self._quiet = False, 0
        self._listen(True)
        self._timer.start(IDLE_MS)

    def is_busy(self) -> bool:
        """Whether a cell or a field holds what somebody types, or something else is asked or shown above the window."""
        if QApplication.activeModalWidget() is not None or QApplication.activePopupWidget() is not None:
            return True
        field = self._window.focusWidget()
        if isinstance(field, QLineEdit) and field.text():
            return True
        return any(view.edit_open() for view in self._window.findChildren(TableView))

    def _look(self) -> None:
        if self._signs:
            self._signs, self._quiet = False, 0
            self._listen(True)
            return
        self._quiet += self._timer.interval()
        if self._when_idle is not None and not self.is_busy():
            do = self._when_idle
            self.when_idle(None)
            do()
        if self._quiet >= AWAY_MS:
            self._away = True
            self._timer.stop()
            self._tell()
            self.seen.emit(False)

    def _seen(self) -> None:
        if self._signs:
            return
        self._signs = True
        self._listen(False)
        if self._away:
            self._away = False
            self._timer.start()
            self._tell()
        self.seen.emit(True)

    def _listen(self, on: bool) -> None:
        application = QApplication.instance()
        if application is not None:
            (application.installEventFilter if on else application.removeEventFilter)(self)

    def _tell(self) -> None:
        window = self._window
        page = window.page()
        shown = () if page is None else page.watches
        present = window.isVisible() and not window.isMinimized() and not self._away
        if self._told != (shown, present):
            self._told = (shown, present)
            window.shop.submit(Watch(shown, present))
