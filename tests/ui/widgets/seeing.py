"""What the widgets' tests share: showing a widget and asking for its name."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot


def name_of(widget: QWidget) -> str:
    """What a screen reader calls the widget."""
    found = QAccessible.queryAccessibleInterface(widget)
    return found.text(QAccessible.Text.Name)


def shown(qtbot: QtBot, widget: QWidget, size: QSize | None = None) -> QWidget:
    """The widget on screen, with the focus."""
    qtbot.addWidget(widget)
    if size is not None:
        widget.resize(size)
    with qtbot.waitExposed(widget):
        widget.show()
    widget.activateWindow()
    widget.setFocus()
    return widget
