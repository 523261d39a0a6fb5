"""What a screen reader is told beyond a control's own words: announcements, and tool tips without their markup."""

from __future__ import annotations

from PySide6 import QtGui
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget

from petstore_desktop.ui.theme import tooltip

_ISOLATES = dict.fromkeys(range(0x2066, 0x206A))


def announce(widget: QWidget, words: str) -> None:
    """Have `words` read out once, now. Qt has it from 6.8 on, and not on every platform."""
    event_class = getattr(QtGui, "QAccessibleAnnouncementEvent", None)
    if event_class is not None:
        QAccessible.updateAccessibility(event_class(widget, to_say(words)))


def to_say(words: str) -> str:
    """The words without the marks that only order them on the screen (Unicode isolates)."""
    return words.translate(_ISOLATES)


def set_tip(widget: QWidget, text: str) -> None:
    """Show `text` as the tool tip, and have it read out as the description: Qt would read out the tip's markup."""
    widget.setToolTip(tooltip(text))
    widget.setAccessibleDescription(to_say(text))
