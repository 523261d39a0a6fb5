"""A key whose action cannot be used now says why, instead of doing nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.context.action_set import bare
from petstore_desktop.ui.context.window_context import Message
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.window import dialogs as opening

if TYPE_CHECKING:
    from petstore_desktop.ui.context.window_context import WindowParts
    from petstore_desktop.ui.window.main_window import MainWindow

_DIGITS = range(Qt.Key.Key_1, Qt.Key.Key_9 + 1)


class UnusableKeys(QObject):
    """For one window: a key comes to the window itself only where no action and no widget took it."""

    def __init__(self, window: MainWindow, parts: WindowParts) -> None:
        super().__init__(window)
        self._parts = parts
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
            return False
        words = self._why(event)
        if words:
            self._parts.say(Message(words, "info"))
        return bool(words)

    def _why(self, event: QKeyEvent) -> str:
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        keys = QKeySequence(QKeyCombination(held, Qt.Key(event.key())))
        actions = self._parts.actions
        for name in actions.of_keys(keys):
            if not (actions[name].isEnabled() and actions[name].isVisible()):
                shop = isolate(plain(self._parts.shop.profile.name))
                why = opening.why_not(name, actions, shop)
                return tr("{action}: {why}", action=bare(actions.words(name)), why=why)
        if held == Qt.KeyboardModifier.ControlModifier and event.key() in _DIGITS:
            return tr("There is no view with the key {key}.", key=keys.toString(QKeySequence.SequenceFormat.NativeText))
        return ""
