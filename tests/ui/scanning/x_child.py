"""A program of its own on a real X server: a field, a list, a question, each with the filter; it prints what came."""

from __future__ import annotations

import json
import sys

from PySide6.QtCore import QSocketNotifier, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QListWidget, QMessageBox, QVBoxLayout, QWidget

from petstore_desktop.ui.context.scans import ScanSettings
from petstore_desktop.ui.scanning.key_filter import KeyFilter


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(place: str) -> None:
    app = QApplication([])
    window = QWidget()
    field, rows, choice = QLineEdit("kept"), QListWidget(), QComboBox()
    rows.addItems([f"{letter} row" for letter in "4abckot"])
    choice.addItems([f"{letter} choice" for letter in "4abckot"])
    column = QVBoxLayout(window)
    for widget in (field, rows, choice):
        column.addWidget(widget)
    box = QMessageBox(QMessageBox.Icon.Question, "Sure?", "Delete all?", parent=window)
    box.addButton("&1", QMessageBox.ButtonRole.YesRole)
    box.addButton("&4", QMessageBox.ButtonRole.NoRole)
    scans: list[str] = []
    keys = KeyFilter(ScanSettings(), lambda _: None, window)
    keys.scanned.connect(scans.append)
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
        }  # fmt: skip
        say(json.dumps(facts))
        app.exit()

    over = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read, app)
    over.activated.connect(lambda: (over.setEnabled(False), QTimer.singleShot(300, app, tell)))
    QTimer.singleShot(0, app, begin)
    app.exec()


if __name__ == "__main__":
    main(sys.argv[1])
