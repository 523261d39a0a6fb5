"""A program of its own on a real X server: a field, a list, a question, each with the filter; it prints what came."""

from __future__ import annotations

import json
import sys

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QListWidget, QMessageBox, QVBoxLayout, QWidget

from petstore_desktop.ui.context.scans import ScanSettings
from petstore_desktop.ui.scanning.burst import GAP_MS
from petstore_desktop.ui.scanning.key_filter import KeyFilter

KNOWN = "4006381333931"


class Gaps(QObject):
    """How many keys of the server came so long after the one before that no scan goes on."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        app.installEventFilter(self)
        self.long, self._last = 0, -GAP_MS

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        press = isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress
        if press and event.spontaneous() and watched.isWindowType():
            self.long += event.timestamp() - self._last >= GAP_MS
            self._last = event.timestamp()
        return False


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def question(window: QWidget) -> QMessageBox:
    box = QMessageBox(QMessageBox.Icon.Question, "Sure?", "Delete all?", parent=window)
    box.addButton("&1", QMessageBox.ButtonRole.YesRole)
    box.addButton("&4", QMessageBox.ButtonRole.NoRole)
    return box


def main(place: str) -> None:
    app = QApplication([])
    window = QWidget()
    field, rows, choice = QLineEdit("kept"), QListWidget(), QComboBox()
    rows.addItems([f"{letter} row" for letter in "4abckot"])
    choice.addItems([f"{letter} choice" for letter in "4abckot"])
    column = QVBoxLayout(window)
    for widget in (field, rows, choice):
        column.addWidget(widget)
    box = question(window)
    scans: list[str] = []
    keys = KeyFilter(ScanSettings(), lambda _: None, lambda code: code == KNOWN, window)
    keys.scanned.connect(scans.append)
    gaps = Gaps(app)
    window.show()
    window.activateWindow()
    {"field": field, "list": rows, "combo": choice, "question": field}[place].setFocus()
    field.setSelection(1, 2)
    if place == "question":
        box.open()

    def begin() -> None:
        if QGuiApplication.focusWindow() is None:
            QTimer.singleShot(20, app, begin)
        else:
            say("ready")

    def tell() -> None:
        facts = {
            "scans": scans, "text": field.text(), "undo": field.isUndoAvailable(),
            "row": rows.currentRow(), "choice": choice.currentIndex(), "asks": box.isVisible(),
            "long_gaps": gaps.long,
        }  # fmt: skip
        say(json.dumps(facts))
        app.exit()

    over = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read, app)
    over.activated.connect(lambda: (over.setEnabled(False), QTimer.singleShot(300, app, tell)))
    QTimer.singleShot(0, app, begin)
    app.exec()


if __name__ == "__main__":
    main(sys.argv[1])
