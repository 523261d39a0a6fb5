"""Says something through a screen reader that nobody has to look for."""

from __future__ import annotations

from PySide6 import QtGui
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, words: str) -> None:
    """Once, now. Qt has it from 6.8 on, and not on every platform."""
    event_class = getattr(QtGui, "QAccessibleAnnouncementEvent", None)
    if event_class is not None:
        QAccessible.updateAccessibility(event_class(widget, words))
