"""The field of a desk: scans, ids, names and numbers are typed here, and it keeps the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QSizePolicy, QWidget

from petstore_desktop.ui.base.building import named
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.context.scans import MADE_FOR_CODES
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.fields import BareEdit

if TYPE_CHECKING:
    from petstore_desktop.ui.widgets.paint import Brush

_HEIGHT, _ICON, _PAD = 48, 18, 14
_ENTERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_WALK = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -8, Qt.Key.Key_PageDown: 8}
_Std = QKeySequence.StandardKey


class ScanField(BareEdit):
    """The large field of a desk.

    Signals:
        entered(str): Enter, with what was typed.
        walked(int): Up or Down: another suggestion, or into the list.
        linesPasted(str): text of several lines or columns was pasted.
        escaped(): Esc while nothing is typed.
    """

    entered = Signal(str)
    walked = Signal(object)
    linesPasted = Signal(str)
    escaped = Signal()

    radius = 8
    font_size = 17

    def __init__(self, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        named(self, "scanField", tr("Scan, or type an id or a name"))
        self.setPlaceholderText(tr("Scan, or type an id or a name"))
        self.setProperty(MADE_FOR_CODES, True)
        self.setMaxLength(300)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_room(2 * _PAD + current().scaled(_ICON) + 1, 30)

    def sizeHint(self) -> QSize:
        return QSize(240, current().height(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, current().height(_HEIGHT))

    def plane(self) -> str:
        return "content" if self.hasFocus() else "hover"

    def decorate(self, brush: Brush) -> None:
        brush.icon(self._icon, _PAD, brush.theme.tone("muted"), brush.theme.scaled(_ICON))
        super().decorate(brush)

    def event(self, event: QEvent) -> bool:
        undoes = isinstance(event, QKeyEvent) and (event.matches(_Std.Undo) or event.matches(_Std.Redo))
        if undoes and event.type() is QEvent.Type.ShortcutOverride:
            event.setAccepted(bool(self.text()))  # while nothing is typed they are the window's
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, plain = event.key(), not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key in _ENTERS and plain:
            self.entered.emit(self.text())
        elif key in _ENTERS:
            event.ignore()
        elif key in _WALK and plain:
            self.walked.emit(_WALK[Qt.Key(key)])
        elif key == Qt.Key.Key_Escape and plain:
            self._escape()
        elif not self.text() and (event.matches(_Std.Undo) or event.matches(_Std.Redo)):
            event.ignore()  # the window's, which says why it cannot be used
        elif event.matches(_Std.Paste):
            self.paste_lines()
        else:
            super().keyPressEvent(event)

    def _escape(self) -> None:
        if self.text():
            self.clear()
            self.textEdited.emit("")
        else:
            self.escaped.emit()

    def paste_lines(self) -> None:
        """Paste: several lines or columns are lines of the desk, anything else goes into the field."""
        text = QGuiApplication.clipboard().text().strip("\r\n")
        if any(sign in text for sign in "\t\n"):
            self.linesPasted.emit(text)
        else:
            self.paste()
