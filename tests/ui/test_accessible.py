"""What a screen reader is told, and what shows where the keyboard is: every cell, and every control of every tab and
dialog."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QDialog,
    QFileDialog,
    QHeaderView,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.context.actions import ACTIONS
from petstore_desktop.ui.context.tab_specs import ACTIVITY, TABS
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import tab_of
from tests.ui.spoken import MARKUP, called, controls, faults, label_faults, on_the_way, twins

Role = QAccessible.Role
LEAVE = {"quit", "openLog", "palette"}
"""Actions that lead out of the window, or are proven elsewhere."""


def unseen(widgets: Iterable[QWidget]) -> Iterator[str]:
    """Controls that look the same with and without the keyboard."""
    for widget in widgets:
        empty = isinstance(widget, QAbstractItemView) and not widget.model().rowCount()
        if empty or isinstance(widget, QAbstractSlider):
            continue  # without rows there is no current one
        widget.window().activateWindow()
        other = widget.window().focusWidget()
        if other is not None:
            other.clearFocus()
        before = widget.grab().toImage()
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        if widget.hasFocus() and widget.grab().toImage() == before:
            yield called(widget)


def said_faults(index: QModelIndex, said: str) -> Iterator[str]:
    """What stands in the way of the value when a cell is read out."""
    title = str(index.model().headerData(index.column(), Qt.Orientation.Horizontal) or "")
    if title and title != index.data(Qt.ItemDataRole.DisplayRole) and said.startswith(f"{title} "):
        yield "begins with its column, which the reader says itself"
    if said.lower().startswith(("row ", "column ", f"{index.row()} ", f"{index.row() + 1}, ")):
        yield "begins with its position"
    if MARKUP.search(said):
        yield "has marks for the eye"


def cell_faults(view: QAbstractItemView) -> Iterator[str]:
    """Cells that say nothing, or something else than what they show, or their position first."""
    model = view.model()
    interface = QAccessible.queryAccessibleInterface(view)
    texts = {interface.child(n).text(QAccessible.Text.Name) for n in range(interface.childCount())}
    for row in range(model.rowCount()):
        for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount()):
            index = model.index(row, column)
            hidden = isinstance(view, QTableView) and view.isColumnHidden(column)
            shown = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
            said = str(index.data(Qt.ItemDataRole.AccessibleTextRole) or "")
            if hidden:
                continue
            yield from (f"{called(view)} {row}, {column}: {fault}: {said!r}" for fault in said_faults(index, said))
            if shown and shown not in said:
                yield f"{called(view)} {row}, {column}: shows {shown!r}, says {said!r}"
            if shown and said not in texts:
                yield f"{called(view)} {row}, {column}: {said!r} does not come through"


def views(root: QWidget) -> list[QAbstractItemView]:
    found = [view for view in root.findChildren(QAbstractItemView) if view.isVisible() and view.model() is not None]
    return [view for view in found if not isinstance(view, QHeaderView)]


def test_every_cell_and_control_of_every_tab_is_told_and_its_focus_is_seen(qtbot: QtBot, window: MainWindow) -> None:
    found: list[str] = []
    for name in TABS:
        window.show_tab(name)
        if window.tab() is not None:
            tab_of(window).view.setCurrentIndex(tab_of(window).model.index(0, 1))
        pages = ["waiting", "review", "changes", "requests"] if name == ACTIVITY else [""]
        for page in pages:
            if page:
                window.activity().switch.choose(pages.index(page))
            QApplication.processEvents()
            found += faults(controls(window))
            found += twins(on_the_way(window))
            found += label_faults(window)
            found += unseen(controls(window))
            for view in views(window):
                found += cell_faults(view)
    assert not found, "\n".join(sorted(set(found)))


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")  # of open menus: offscreen has none to grab
def test_every_control_of_every_dialog_is_told_and_its_focus_is_seen(qtbot: QtBot, window: MainWindow) -> None:
    found: list[str] = []
    opened: set[str] = set()
    for name in TABS[1:-1]:
        window.show_tab(name)
        tab = tab_of(window)
        for spec in ACTIONS:
            tab.view.setFocus()
            tab.view.setCurrentIndex(tab.model.index(0, 1))
            action = window.parts.actions[spec.name]
            asks = action.text().endswith("…") or spec.name in ("help", "about")
            if spec.name in LEAVE | opened or not (asks and action.isEnabled() and action.isVisible()):
                continue
            opened.add(spec.name)
            action.trigger()
            dialogs = [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and w.isVisible()]
            for dialog in (one for one in dialogs if not isinstance(one, QFileDialog)):  # that one is the system's own
                found += [f"{spec.name}: {fault}" for fault in faults(controls(dialog))]
                found += [f"{spec.name}: {fault} looks the same" for fault in unseen(controls(dialog))]
                for view in views(dialog):
                    found += [f"{spec.name}: {fault}" for fault in cell_faults(view)]
            popup = QApplication.activePopupWidget()
            for left in [*dialogs, *([popup] if popup is not None else [])]:
                left.close()
            QApplication.processEvents()
    assert len(opened) > 12
    assert not found, "\n".join(sorted(set(found)))


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[QAccessibleEvent]:
    """What screen readers are told by the program itself."""
    events: list[QAccessibleEvent] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", events.append)
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    return events


def test_a_toast_is_read_out_with_its_way_back(qtbot: QtBot, window: MainWindow, told: list[Any]) -> None:
    window.after_paint.notifier.toast.show_message(
        "Order 1240 is \u2068complete\u2069", undo_text="Undo", key=lambda: "Ctrl+Z"
    )
    assert [event.message() for event in told] == ["Order 1240 is complete, Undo Ctrl+Z"]


def test_after_a_dialog_the_cell_is_told_and_not_only_its_table(
    qtbot: QtBot, window: MainWindow, told: list[Any]
) -> None:
    view = tab_of(window).view
    view.setFocus()
    view.setCurrentIndex(tab_of(window).model.index(1, 2))
    window.parts.actions["preferences"].trigger()
    dialog = QApplication.activeModalWidget() or next(w for w in window.findChildren(QDialog) if w.isVisible())
    qtbot.waitUntil(lambda: not view.hasFocus())
    told.clear()
    dialog.close()
    window.activateWindow()
    qtbot.waitUntil(lambda: view.hasFocus() and bool(told))
    last = told[-1]
    assert (last.type(), last.object()) == (QAccessible.Event.Focus, view)
    cell = QAccessible.queryAccessibleInterface(view).child(last.child())
    assert cell.text(QAccessible.Text.Name) == view.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole) != ""


def test_an_editor_says_which_field_of_what_it_edits(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    view, model = tab.view, tab.model
    view.setFocus()
    view.setCurrentIndex(model.index(0, model.quantity_column))
    view.edit(view.currentIndex())
    editor = view.rows.editor
    assert editor is not None
    name = model.index(0, model.name_column).data()
    assert QAccessible.queryAccessibleInterface(editor).text(QAccessible.Text.Name) == f"In stock, {name}"
