"""The menu bar (native on macOS; elsewhere shown by Alt or F10) and the button that opens the same menus."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QMainWindow, QMenu

from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.words import tr
from petstore_desktop.ui.words_undo import undo_words

if TYPE_CHECKING:
    from petstore_desktop.desk.outbox import UndoTarget
    from petstore_desktop.ui.action_set import ActionSet

NATIVE = sys.platform == "darwin"


class WindowMenus(QObject):
    """Menus of one window."""

    def __init__(self, window: QMainWindow, actions: ActionSet) -> None:
        super().__init__(window)
        self._window = window
        self._actions = actions
        self._alt_alone = False
        self.bar = window.menuBar()
        self.menus = actions.fill_menu_bar(self.bar)
        self.bar.setVisible(NATIVE)
        self.bar.installEventFilter(self)
        self.button = Button(tr("Menu"), "icon", "menu")
        self.button.setObjectName("menuButton")
        self.button.setToolTip(tr("Menu (F10)"))
        self.button.clicked.connect(self._open_all)

    def _open_all(self) -> None:
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for one in self.menus.values():
            menu.addMenu(one)
        corner = self.button.mapToGlobal(QPoint(self.button.width(), self.button.height() + 2))
        menu.popup(QPoint(corner.x() - menu.sizeHint().width(), corner.y()))

    def update_undo(self, target: UndoTarget | None) -> None:
        """Undo names what it would take back."""
        action = self._actions["undo"]
        action.setEnabled(target is not None)
        action.setText(tr("&Undo") if target is None else tr("&Undo {what}", what=undo_words(target.sentence)))

    def key_pressed(self, event: QKeyEvent) -> bool:
        """F10 shows the bar, Esc hides it; Alt alone is judged when it is let go. Whether the key is used up."""
        key = event.key()
        self._alt_alone = key == Qt.Key.Key_Alt
        if NATIVE:
            return False
        if key == Qt.Key.Key_F10:
            self._show_bar(True)
            return True
        if key == Qt.Key.Key_Escape and self.bar.isVisible():
            self._show_bar(False)
            return True
        return False

    def key_released(self, event: QKeyEvent) -> bool:
        """Alt pressed and let go by itself shows or hides the bar."""
        if event.key() != Qt.Key.Key_Alt or not self._alt_alone or NATIVE:
            return False
        self._alt_alone = False
        self._show_bar(not self.bar.isVisible())
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The bar goes when the focus leaves it for anything but one of its menus."""
        left = isinstance(event, QFocusEvent) and event.lostFocus() and not NATIVE
        if left and isinstance(event, QFocusEvent) and event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.bar.hide()
        return super().eventFilter(watched, event)

    def _show_bar(self, shown: bool) -> None:
        self.bar.setVisible(shown)
        if shown:
            self.bar.setFocus(Qt.FocusReason.MenuBarFocusReason)
            first = self.bar.actions()
            if first:
                self.bar.setActiveAction(first[0])
