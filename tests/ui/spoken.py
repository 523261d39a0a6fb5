"""What a screen reader would miss, or would read out wrongly, in a window or a dialog. Every dialog that a test of the
window opens is looked at (conftest.py), and every tab (test_accessible.py)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QGroupBox,
    QLabel,
    QLineEdit,
    QWidget,
)

Role = QAccessible.Role
Text = QAccessible.Text
MARKUP = re.compile(r"</?(p|html|body|span|br|a)\b|&(lt|gt|amp|quot);|&\w|[\u2066-\u2069]")
"""What is for the eye only: tags (a <b> is one that tests have a service say), key letters, and isolates."""
NO_WORK = (Role.NoRole, Role.Client, Role.Pane, Role.Window)
"""Roles that say nothing of what a control is for."""


def controls(root: QWidget) -> Iterator[QWidget]:
    """What the keyboard can reach below a widget, as it is on the screen."""
    for widget in root.findChildren(QWidget):
        reached = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        if widget.isVisible() and widget.isEnabled() and reached and widget.focusProxy() is None:
            yield widget


def called(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName() or widget.accessibleName()}"


def faults(widgets: Iterable[QWidget]) -> Iterator[str]:
    """What a screen reader would miss."""
    for widget in widgets:
        interface = QAccessible.queryAccessibleInterface(widget)
        if not interface.text(QAccessible.Text.Name).strip():
            yield f"{called(widget)} has no name"
        if interface.role() in NO_WORK and not isinstance(widget, QAbstractScrollArea):
            yield f"{called(widget)} has the role {interface.role().name}"
        yield from _marks(widget)
        yield from _value_faults(widget, interface)


def _value_faults(widget: QWidget, interface: object) -> Iterator[str]:
    assert hasattr(interface, "text")
    value = interface.text(QAccessible.Text.Value)
    if isinstance(widget, QLineEdit) and widget.echoMode() is QLineEdit.EchoMode.Normal and value != widget.text():
        yield f"{called(widget)} does not say its text"
    if isinstance(widget, QComboBox) and value != widget.currentText() and not widget.isEditable():
        yield f"{called(widget)} does not say what is chosen"
    if isinstance(widget, QComboBox) and not (_label_of(interface) or interface.text(Text.Description)):
        yield f"{called(widget)} does not say what is chosen in it"
    if isinstance(widget, QCheckBox) and bool(interface.state().checked) is not widget.isChecked():
        yield f"{called(widget)} does not say whether it is ticked"


def _label_of(interface: object) -> bool:
    assert hasattr(interface, "relations")
    return bool(interface.relations(QAccessible.RelationFlag.Label))


def _marks(widget: QWidget) -> Iterator[str]:
    interface = QAccessible.queryAccessibleInterface(widget)
    for kind in (Text.Name, Text.Description, Text.Help):
        if MARKUP.search(said := interface.text(kind)):
            yield f"{called(widget)} has markup read out: {said!r}"


def name_of(widget: QWidget) -> str:
    """What a control is called: by its label where its own name is what is chosen in it, as Linux has it."""
    interface = QAccessible.queryAccessibleInterface(widget)
    labels = [one.text(Text.Name) for one, _ in interface.relations(QAccessible.RelationFlag.Label)]
    said = [*labels, interface.text(Text.Name)]
    return ", ".join(said if isinstance(widget, QComboBox) else said[-1:])


def twins(widgets: Iterable[QWidget]) -> Iterator[str]:
    """Neighbours, on the way of the Tab key, that are called the same, in the same group."""
    before: tuple[object, ...] = ()
    for widget in widgets:
        interface = QAccessible.queryAccessibleInterface(widget)
        here = (interface.role(), name_of(widget), interface.text(Text.Description))
        if here == before:
            yield f"{called(widget)} is called as the one before it: {here[1]!r}"
        before = here


def on_the_way(root: QWidget) -> list[QWidget]:
    """The controls of a window in the order of the Tab key."""
    reached, chain = set(controls(root)), dict[QWidget, None]()
    at = root.nextInFocusChain()
    while at not in chain:
        chain[at] = None
        at = at.nextInFocusChain()
    return [one for one in chain if one in reached]


def label_faults(root: QWidget) -> Iterator[str]:
    """Texts that are shown and not said."""
    for label in root.findChildren(QLabel):
        if label.isVisible() and label.text():
            yield from _marks(label)
            if not QAccessible.queryAccessibleInterface(label).text(Text.Name).strip():
                yield f"{called(label)} shows {label.text()!r} and says nothing"
    for group in root.findChildren(QGroupBox):
        if group.isVisible():
            yield from _marks(group)


def dialog_faults(dialog: QDialog) -> Iterator[str]:
    """What is wrong in a dialog: its first words, and all that is in it."""
    interface = QAccessible.queryAccessibleInterface(dialog)
    name = interface.text(Text.Name)
    if not name.strip() or interface.role() is not Role.Dialog:
        yield f"{called(dialog)} does not say what it is: {interface.role().name} {name!r}"
    yield from _marks(dialog)
    yield from faults(controls(dialog))
    yield from twins(on_the_way(dialog))
    yield from label_faults(dialog)
    inside = QApplication.focusWidget()
    if dialog.isActiveWindow() and (inside is None or inside.window() is not dialog):
        yield f"{called(dialog)} does not have the keyboard"
