"""Key events as a window gets them, each with a time of its own: a scanner, a person, a held key."""

from __future__ import annotations

from time import perf_counter

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from petstore_desktop.ui.window.main_window import MainWindow
from tests.support.patience import PATIENCE_S

_Type = QEvent.Type
_Key = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier
NAMED = {"\n": _Key.Key_Return, "\t": _Key.Key_Tab, "\x1b": _Key.Key_Escape, "\b": _Key.Key_Backspace}


def key_of(letter: str) -> int:
    return NAMED[letter] if letter in NAMED else ord(letter.upper())


class Keyboard:
    """Sends to the window that has the keyboard, as the platform does. `at`: the time of the next key, in ms."""

    def __init__(self, at: int = 100_000) -> None:
        self.at = at
        self.typed = ""
        """The characters that `type` has typed."""

    @property
    def window(self) -> QWindow:
        window = QGuiApplication.focusWindow()
        assert window is not None
        return window

    def send(
        self, kind: QEvent.Type, letter: str, repeat: bool = False, mods: Qt.KeyboardModifier = NONE, key: int = 0
    ) -> QKeyEvent:
        text = "" if letter == "\x1b" else letter.replace("\n", "\r")
        event = QKeyEvent(kind, key or key_of(letter), mods, text, repeat)
        event.setTimestamp(self.at)
        QCoreApplication.sendEvent(self.window, event)
        return event

    def press(self, letter: str, repeat: bool = False, mods: Qt.KeyboardModifier = NONE) -> None:
        """Qt first asks whether the key is a shortcut."""
        asked = QKeyEvent(_Type.ShortcutOverride, key_of(letter), mods, letter, repeat)
        asked.setTimestamp(self.at)
        asked.ignore()
        QCoreApplication.sendEvent(self.window, asked)
        self.send(_Type.KeyPress, letter, repeat, mods)

    def release(self, letter: str) -> None:
        self.send(_Type.KeyRelease, letter)

    def type(self, text: str, gap: int) -> None:
        """One key after the other, so many milliseconds apart."""
        self.typed += text
        for letter in text:
            self.press(letter)
            self.release(letter)
            self.at += gap

    def rest(self, ms: int = 500) -> None:
        """Nothing for a while."""
        self.at += ms


def settle(window: MainWindow) -> None:
    """Let pass the time for which keys are held back."""
    keys, began = window.after_paint.scanning.keys, perf_counter()
    while keys.holds:
        assert perf_counter() - began < PATIENCE_S
        QTest.qWait(5)
    for _ in range(3):
        QApplication.processEvents()
