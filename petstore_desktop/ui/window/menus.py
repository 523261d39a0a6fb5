"""The menu bar (native on macOS; elsewhere shown by Alt or F10) and the button that opens the same menus."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from petstore_desktop.ui.base.building import named, short_lived, still_there
from petstore_desktop.ui.base.theme import tooltip
from petstore_desktop.ui.context.action_set import read_only_words
from petstore_desktop.ui.text.translate import bare, tr
from petstore_desktop.ui.widgets.button import Button, open_below

if TYPE_CHECKING:
    from petstore_desktop.desk.changes.done_act import DoneAct
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.action_set import ActionSet

NATIVE = sys.platform == "darwin"


class WindowMenus(QObject):
    """Menus of one window."""

    def __init__(self, window: QMainWindow, actions: ActionSet) -> None:
        super().__init__(window)
        self._window = window
        self._actions = actions
        self._alt_held = self._alt_alone = False
        self._named: dict[str, tuple[str, bool, bool]] = {}
        """By action, what it was last called."""
        self._before: QWidget | None = None
        self.bar = window.menuBar()
        self.menus = actions.fill_menu_bar(self.bar)
        self.bar.setVisible(NATIVE)
        self.bar.installEventFilter(self)
        window.installEventFilter(self)
        self.button = named(Button(tr("Menu"), "icon", "menu"), "menuButton")
        self.button.setToolTip(tr("Menu (F10)"))
        self.button.clicked.connect(self._open_all)

    def _open_all(self) -> None:
        menu = short_lived(QMenu(self._window))
        menu.addActions(self.bar.actions())  # not addMenu: the menus would go with this one
        open_below(self.button, menu, from_end=True)

    def update_undo(self, shop: LiveShop) -> None:
        """Undo names what it would take back, and Redo what it would do again; `soon`: that is known in a moment, and a
        press waits for it. Where nothing may be sent they are for what only this computer keeps."""
        done, read_only = shop.desk.done, shop.connection.read_only
        undo, redo = done.next(), done.next(redo=True)
        undoes, redoes = _what(undo, read_only), _what(redo, read_only)
        stops = undo is not None and bool(undo.stays)
        words = tr("&Undo…") if stops else tr("&Undo {what}", what=undoes) if undoes else tr("&Undo")
        again = tr("&Redo {what}", what=redoes) if redoes else tr("&Redo")
        self._name("undo", undoes, words, done.soon(), read_only)
        self._name("redo", redoes, again, done.soon(redo=True), read_only)

    def _name(self, name: str, what: str, text: str, soon: bool, read_only: bool) -> None:
        action, enabled = self._actions[name], bool(what) or (soon and not read_only)
        if self._named.get(name) == (text, read_only, enabled):
            return
        self._named[name] = text, read_only, enabled
        action.setEnabled(enabled)
        action.setText(text)
        tip = f"{bare(text)}\n{read_only_words()}" if read_only and not what else bare(text)
        action.setToolTip(tooltip(tip))  # else Qt makes one of the text, and would take a tag in it for markup

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys that reach the window, and the bar's loss of focus."""
        if NATIVE:
            return False
        if watched is self.bar:
            self._bar_event(event)
        if isinstance(event, QKeyEvent) and (watched is not self.bar or event.key() == Qt.Key.Key_Escape):
            return self._key_event(event)
        return False

    def _bar_event(self, event: QEvent) -> None:
        """The bar goes when the focus leaves it for anything but one of its menus."""
        left = isinstance(event, QFocusEvent) and event.lostFocus()
        if left and isinstance(event, QFocusEvent) and event.reason() is not Qt.FocusReason.PopupFocusReason:
            self._hide_bar()

    def _key_event(self, event: QKeyEvent) -> bool:
        """F10 shows the bar, Esc hides it, and Alt does if nothing was pressed with it. Whether the key is used up."""
        key, kind = event.key(), event.type()
        if kind is QEvent.Type.ShortcutOverride:  # comes before a shortcut, which would never come as a key press
            self._note_key(key == Qt.Key.Key_Alt)
        elif kind is QEvent.Type.KeyRelease and key == Qt.Key.Key_Alt:
            alone, self._alt_held, self._alt_alone = self._alt_alone, False, False
            if alone:
                self._show_bar(not self.bar.isVisible())
            return alone
        elif kind is QEvent.Type.KeyPress and key == Qt.Key.Key_F10:
            self._show_bar(True)
            return True
        elif kind is QEvent.Type.KeyPress and key == Qt.Key.Key_Escape and self.bar.isVisible():
            self._hide_bar()
            return True
        return False

    def _note_key(self, is_alt: bool) -> None:
        """Before a key press. With a screen reader Qt says so of a held Alt again, after the key that came with it."""
        if not is_alt:
            self._alt_alone = False
        elif not self._alt_held:
            self._alt_held = self._alt_alone = True

    def _show_bar(self, shown: bool) -> None:
        if not shown:
            self._hide_bar()
            return
        if not self.bar.isVisible():
            self._before = self._window.focusWidget()
        self.bar.show()
        self.bar.setFocus(Qt.FocusReason.MenuBarFocusReason)
        first = self.bar.actions()
        if first:
            self.bar.setActiveAction(first[0])

    def _hide_bar(self) -> None:
        """The focus goes back to where it was: Qt would give it to whatever comes next to the hidden bar."""
        before, self._before = still_there(self._before), None
        if self._window.focusWidget() is self.bar and before is not None:
            before.setFocus(Qt.FocusReason.MenuBarFocusReason)
        self.bar.hide()


def _what(act: DoneAct | None, read_only: bool) -> str:
    if act is None or (read_only and act.inverse is None):
        return ""
    from petstore_desktop.ui.text.changes.undo import act_words  # late: nothing is done before the first paint

    return act_words(act)
