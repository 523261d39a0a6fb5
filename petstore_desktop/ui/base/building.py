"""Short words for building widgets: rows and columns of parts, object names, timers, menus that are deleted when they
close."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, SignalInstance
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget
from shiboken6 import delete, invalidate, isValid

from petstore_desktop.ui.base.theme import to_say

Named = TypeVar("Named", bound=QObject)
Widget = TypeVar("Widget", bound=QWidget)
Clicked = TypeVar("Clicked", bound=QAbstractButton)
Box = TypeVar("Box", bound=QBoxLayout)
Item: TypeAlias = QWidget | QLayout
Part: TypeAlias = Item | tuple[Item, int | Qt.AlignmentFlag] | int | Literal["stretch"]
"""Of a row or column: a widget or layout, alone or with its stretch factor or alignment; pixels that stay empty; or all
room that is left."""
Margins: TypeAlias = tuple[int, int, int, int]


def in_row(parent: QWidget | None, *parts: Part, margins: Margins = (0, 0, 0, 0), spacing: int = 0) -> QHBoxLayout:
    """Lay out parts side by side: in a widget, or to be added to another layout; -1 is the platform's spacing."""
    return _fill(QHBoxLayout(parent), parts, margins, spacing)  # pyright: ignore[reportArgumentType] -- None is no parent


def in_column(parent: QWidget | None, *parts: Part, margins: Margins = (0, 0, 0, 0), spacing: int = 0) -> QVBoxLayout:
    """Lay out parts below each other, as `in_row` does side by side."""
    return _fill(QVBoxLayout(parent), parts, margins, spacing)  # pyright: ignore[reportArgumentType] -- None is no parent


def _fill(box: Box, parts: tuple[Part, ...], margins: Margins, spacing: int) -> Box:
    set_margins(box, margins)
    box.setSpacing(spacing)
    add(box, *parts)
    return box


def set_margins(box: QLayout | QWidget, margins: Margins) -> None:
    """Leave this room on the side where lines begin, on top, where they end, and below: Qt turns parts round where
    people read from the right, but not margins."""
    begin, top, end, below = margins
    rtl = QGuiApplication.layoutDirection() == Qt.LayoutDirection.RightToLeft
    box.setContentsMargins(*((end, top, begin, below) if rtl else margins))


def add(box: QBoxLayout, *parts: Part) -> None:
    """Add parts to the end of a row or column."""
    for part in parts:
        if part == "stretch":
            box.addStretch(1)
        elif isinstance(part, int):
            box.addSpacing(part)
        else:
            item, how = part if isinstance(part, tuple) else (part, 0)
            stretch, align = (0, how) if isinstance(how, Qt.AlignmentFlag) else (how, Qt.AlignmentFlag(0))
            if isinstance(item, QLayout):
                box.addLayout(item, stretch)
                forget_items(item)
            else:
                box.addWidget(item, stretch, align)


def forget_items(layout: QLayout) -> None:
    """Let go of the Python objects that stand for the items of a layout that was put into another one.

    PySide makes them then, and keeps them when Qt deletes an item, as it does with its widget: each would be taken for
    whatever Qt makes later at the same address, which ends in a wrong type or a crash.
    """
    for place in range(layout.count()):
        item = layout.itemAt(place)
        if isinstance(item, QLayout):
            forget_items(item)
        elif item is not None:
            invalidate(item)


def replace(layout: QLayout, old: QWidget, new: QWidget) -> None:
    """Let another widget stand in the place of this one, which belongs to nobody then."""
    if (item := layout.replaceWidget(old, new)) is not None:
        delete(item)


def named(thing: Named, name: str, words: str = "") -> Named:
    """The same, with this object name; and with these words for screen readers."""
    thing.setObjectName(name)
    if words and isinstance(thing, QWidget):
        thing.setAccessibleName(to_say(words))
    return thing


def short_lived(widget: Widget) -> Widget:
    """The same; it is deleted when it closes."""
    widget.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return widget


def still_there(widget: Widget | None) -> Widget | None:
    """The widget, if Qt has not deleted it meanwhile and it can be seen; else None."""
    return widget if widget is not None and isValid(widget) and widget.isVisible() else None


def on_click(button: Clicked, do: Callable[[], object] | SignalInstance, name: str = "") -> Clicked:
    """The same button, which calls `do` when it is clicked; with this object name."""
    button.clicked.connect(do)
    return named(button, name)


def timer(
    parent: QObject, interval_ms: int, then: Callable[[], object] | SignalInstance, *, once: bool = False
) -> QTimer:
    """A timer that calls `then` after this time, again and again or `once`; it is not started."""
    made = QTimer(parent, interval=interval_ms, singleShot=once)
    made.timeout.connect(then)
    return made
