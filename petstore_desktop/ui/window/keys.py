"""Undo and redo by key: each press counts, also one that comes while the one before it is carried out. And a key whose
action cannot be used now says why, instead of doing nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication

from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.context.action_set import bare
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.window import dialogs as opening

if TYPE_CHECKING:
    from petstore_desktop.desk.changes.outbox_lines import UndoTarget
    from petstore_desktop.desk.model.ripple import Changed
    from petstore_desktop.ui.context.window_context import WindowParts
    from petstore_desktop.ui.window.main_window import MainWindow

LATEST_MS = 5_000
"""Milliseconds that a key press waits for an answer, or for the next undo to be known."""

Press: TypeAlias = Literal["undo", "redo"]


class UndoKeys(QObject):
    """One press after the other: what the next one takes is known when the one before it is in the journal."""

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts)
        self._parts, self._outbox = parts, parts.shop.desk.outbox
        self._waiting: list[Press] = []
        self._timer = QTimer(self, interval=LATEST_MS, singleShot=True)
        self._timer.timeout.connect(self._give_up)
        self._acts = parts.local_acts

    def press(self, name: Press) -> None:
        """A person wants it once."""
        self._waiting.append(name)
        self._go_on()

    def desk_changed(self, moved: Changed) -> None:
        """An answer may have come."""
        if moved.undone is not None:
            self._acts.undone(moved.undone.batch, moved.undone.redo)
        if moved.outbox or moved.undone is not None or moved.not_saved is not None:
            self._go_on()

    def _go_on(self) -> None:
        while self._waiting and not self._outbox.busy and not self._unsaved():
            if QApplication.activeModalWidget() is not None:  # an undo that costs much is asked about first
                self._waiting.clear()
                break
            undo = self._waiting[0] == "undo"
            target = self._outbox.undo_target() if undo else self._outbox.redo_target()
            act = self._acts.undo_next(target) if undo else self._acts.redo_next()
            if act is None and target is None and self._outbox.looking:
                break
            self._waiting.pop(0)
            if act is not None:
                (self._acts.take_back if undo else self._acts.do_again)(act)
            elif target is not None and not self._parts.shop.profile.read_only:
                self._do(target, undo)
        if not self._waiting and not self._outbox.busy:
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def _unsaved(self) -> bool:
        """Whether an act is not in the journal yet: it comes first."""
        return any(batch not in self._outbox.batches for batch in self._parts.batches)

    def _do(self, target: UndoTarget, undo: bool) -> None:
        self._outbox.begin(target)
        self._timer.start()
        for name in ("undo", "redo"):
            self._parts.actions[name].setEnabled(True)  # what follows at once has its turn when this is done
        if target.decision:
            self._parts.shop.take_back(target.batch)
        elif undo:
            self._parts.undo(target.batch, count=target.count)
        else:
            self._parts.shop.redo_batch(target.batch)

    def _give_up(self) -> None:
        """No answer came: the key press is dropped, so that it has no late effect."""
        self._waiting.clear()
        self._outbox.end()


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
