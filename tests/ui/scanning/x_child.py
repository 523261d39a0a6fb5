"""A program of its own on a real X server: a field, a list, a question, each with the filter.

On the line "begin" it is as if nothing had come, and says "ready"; on a number it prints what came as soon as so many
keys are there and none of them is held back, or some seconds later where the server lost one.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QListWidget, QMessageBox, QVBoxLayout, QWidget
from shiboken6 import delete

from petstore_desktop.ui.context.scans import ScanSettings
from petstore_desktop.ui.scanning.key_filter import KeyFilter

KNOWN = "4006381333931"
LOST_S = 10.0
"""Seconds after which a key that was typed comes no more."""


class Keys(QObject):
    """How many keys of the server came."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        app.installEventFilter(self)
        self.count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and watched.isWindowType():
            self.count += bool(event.text())
        return False


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def question(window: QWidget) -> QMessageBox:
    box = QMessageBox(QMessageBox.Icon.Question, "Sure?", "Delete all?", parent=window)
    box.addButton("&1", QMessageBox.ButtonRole.YesRole)
    box.addButton("&4", QMessageBox.ButtonRole.NoRole)
    return box


class Stage:
    """The program: what has the keyboard at `place`, and what came of its keys."""

    def __init__(self, app: QApplication, place: str) -> None:
        self._app, self._place, self._window = app, place, QWidget()
        self._field, self._rows, self._choice = QLineEdit(), QListWidget(), QComboBox()
        self._rows.addItems([f"{letter} row" for letter in "z4abckot"])
        self._choice.addItems([f"{letter} choice" for letter in "z4abckot"])
        column = QVBoxLayout(self._window)
        for widget in (self._field, self._rows, self._choice):
            column.addWidget(widget)
        self._box = question(self._window)
        self._scans: list[str] = []
        self._keys = KeyFilter(ScanSettings(), lambda _: None, lambda code: code == KNOWN, self._window)
        self._keys.scanned.connect(self._scans.append)
        self._came = Keys(app)
        self._window.show()
        self._window.activateWindow()

    def obey(self) -> None:
        """Do what the next line asks for."""
        asked = sys.stdin.readline().strip()
        if asked == "begin":
            self._begin()
        elif asked:
            end = time.monotonic() + LOST_S
            self._wait_for(
                lambda: (self._came.count >= int(asked) and not self._keys.holds) or time.monotonic() > end, self._tell
            )
        else:
            self._app.exit()

    def _begin(self) -> None:
        self._scans.clear()
        self._came.count = 0
        self._field.setText("kept")
        self._field.setSelection(1, 2)
        self._choice.hidePopup()
        self._choice.setCurrentIndex(0)
        if self._place == "question":
            delete(self._box)  # with a click that was still to come
            self._box = question(self._window)
            self._box.open()
        else:
            {"field": self._field, "list": self._rows, "combo": self._choice}[self._place].setFocus()
        self._rows.setCurrentRow(0)
        self._wait_for(self._is_in_front, lambda: say("ready"))

    def _is_in_front(self) -> bool:
        """Without a window manager a server may miss the wish for the keyboard: it is told again."""
        front = self._box if self._place == "question" else self._window
        if QGuiApplication.focusWindow() is front.windowHandle():
            return True
        front.activateWindow()
        return False

    def _asks(self) -> bool:
        """Whether the question is there, and none of its buttons was pressed: it is clicked 100 ms later."""
        return self._box.isVisible() and not any(button.isDown() for button in self._box.buttons())

    def _tell(self) -> None:
        facts = {
            "scans": self._scans, "text": self._field.text(), "undo": self._field.isUndoAvailable(),
            "row": self._rows.currentRow(), "choice": self._choice.currentIndex(), "asks": self._asks(),
        }  # fmt: skip
        say(json.dumps(facts))

    def _wait_for(self, there: Callable[[], bool], then: Callable[[], None]) -> None:
        if there():
            then()
        else:
            QTimer.singleShot(5, self._app, lambda: self._wait_for(there, then))


def main(place: str) -> None:
    app = QApplication([])
    stage = Stage(app, place)
    orders = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read, app)
    orders.activated.connect(stage.obey)
    app.exec()


if __name__ == "__main__":
    main(sys.argv[1])
