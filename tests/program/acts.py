"""What a test can have done in the window, and what it can see there. Everything here runs in the GUI thread of the
program under test; hands touch only keys and the mouse, eyes read widgets and models through Qt alone."""

from __future__ import annotations

import re
import threading
import time
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QInputMethodEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QMessageBox,
    QPlainTextEdit,
    QTableView,
    QTextBrowser,
    QTextEdit,
    QWidget,
)

from petstore_desktop.sync.commands import CheckLive

KEY_ROLE = int(Qt.ItemDataRole.UserRole) + 10
Program = Any


# ---------------------------------------------------------------- hands


def _front() -> QWidget:
    """The window that keys go to: an open dialog, else the main window or the welcome page; made active."""
    popup = QApplication.activePopupWidget()
    if popup is not None:
        return popup
    modal = QApplication.activeModalWidget()
    shown = [w for w in QApplication.topLevelWidgets() if w.isWindow() and w.isVisible()]
    front = modal or next((w for w in shown if w.objectName() == "mainWindow"), None) or shown[0]
    if not front.isActiveWindow():
        front.activateWindow()
        front.raise_()
        end = time.monotonic() + 5
        while not front.isActiveWindow() and time.monotonic() < end:
            QApplication.processEvents()
            time.sleep(0.005)
    return front


def _target() -> QWidget:
    """Where a key goes: into an open menu, else to the widget with the focus."""
    front = _front()
    if QApplication.activePopupWidget() is not None:
        return front.focusWidget() or front
    return QApplication.focusWidget() or front


def press(_: Program, *keys: str) -> None:
    """Press keys, such as "Ctrl+C" or "Return", one after the other, where the focus is."""
    for key in keys:
        combination = QKeySequence(key)[0]
        QTest.keyClick(_target(), combination.key(), combination.keyboardModifiers())
        QApplication.processEvents()


def write(_: Program, text: str) -> None:
    """Type a text where the focus is. What a keyboard has no key for comes as an input method brings it."""
    _front()
    for sign in text:
        if sign.isascii():
            QTest.keyClick(_target(), sign)
        else:
            event = QInputMethodEvent()
            event.setCommitString(sign)
            QApplication.sendEvent(_target(), event)
        QApplication.processEvents()


def tab_to(_: Program, name: str) -> None:
    """Press Tab until the widget of that name has the focus."""
    for _step in range(60):
        focus = QApplication.focusWidget()
        if focus is not None and focus.objectName() == name:
            return
        QTest.keyClick(_target(), Qt.Key.Key_Tab)
        QApplication.processEvents()
    raise LookupError(f"Tab never comes to {name}")


def choose(program: Program, menu: str, entry: str) -> None:
    """Choose an entry of a menu of the menu bar, by keys: F10, then the arrows."""
    press(program, "F10")
    bar = next(bar for w in QApplication.topLevelWidgets() for bar in w.findChildren(QMenuBar) if bar.isVisible())
    _walk_menu(program, bar, menu, "Right")
    if QApplication.activePopupWidget() is None:
        press(program, "Down")
    shown = QApplication.activePopupWidget()
    if not isinstance(shown, QMenu):
        raise LookupError("no menu opened")
    _walk_menu(program, shown, entry, "Down")
    press(program, "Return")


def _walk_menu(program: Program, menu: QMenu | QMenuBar, text: str, key: str) -> None:
    for _step in range(40):
        active = menu.activeAction()
        if active is not None and active.text().replace("&", "") == text:
            return
        press(program, key)
    raise LookupError(f"{key} never comes to {text}")


def click(_: Program, text: str) -> None:
    """Click with the mouse on what shows this text, in the front window."""
    for found in _front().findChildren(QWidget):
        if found.isVisible() and found.isEnabled() and _said(found) == text:
            QTest.mouseClick(found, Qt.MouseButton.LeftButton)
            QApplication.processEvents()
            return
    raise LookupError(f"nothing to click says {text}")


def to_cell(program: Program, resource: str, key: str, column: str) -> None:
    """Walk with the arrow keys to the cell of a record (its id as text), in the column of that title."""
    view = _table(resource)
    model = view.model()
    row = next(r for r in range(model.rowCount()) if model.index(r, 0).data(KEY_ROLE) == key)
    _walk_to(view, row, _column(view, column))


def book(program: Program, amounts: list[str]) -> list[tuple[str, str]]:
    """Type one amount after the other into the stock column, from the first row down, each with Enter; Enter goes to
    the next row. Returns (id of the pet, amount) as typed."""
    view = _table("inventory")
    _walk_to(view, 0, _column(view, "In stock"))
    typed: list[tuple[str, str]] = []
    for amount in amounts:
        index = view.currentIndex()
        typed.append((index.data(KEY_ROLE), amount))
        write(program, amount)
        press(program, "Return")
    return typed


def _walk_to(view: QTableView, row: int, column: int) -> None:
    _front()
    if not (view.hasFocus() and view.currentIndex().isValid()):
        press(None, "Ctrl+F", "Return")  # the filter's Enter goes to the rows
    if not view.hasFocus():
        raise LookupError("the keys do not come to the table")
    for _step in range(view.model().rowCount() + 40):
        now = view.currentIndex()
        place, wanted = view.horizontalHeader().visualIndex(now.column()), view.horizontalHeader().visualIndex(column)
        if now.row() == row and place == wanted:
            return
        key = Qt.Key.Key_Down if now.row() < row else Qt.Key.Key_Up
        if now.row() == row:
            key = Qt.Key.Key_Right if place < wanted else Qt.Key.Key_Left
        QTest.keyClick(view, key)
    raise LookupError("the arrow keys do not come to the cell")


# ---------------------------------------------------------------- eyes


def _table(resource: str) -> QTableView:
    for window in QApplication.topLevelWidgets():
        view = window.findChild(QTableView, f"{resource}Table")
        if view is not None and view.isVisible():
            return view
    raise LookupError(f"no table of {resource} is shown")


def _column(view: QTableView, title: str) -> int:
    model = view.model()
    titles = [model.headerData(n, Qt.Orientation.Horizontal) for n in range(model.columnCount())]
    return titles.index(title)


def ready(_: Program) -> bool:
    """Whether a window takes keys: the main window has what it gets after its first paint."""
    for window in QApplication.topLevelWidgets():
        if window.isVisible() and window.objectName() == "mainWindow":
            return window.findChild(QWidget, "pauseBanner") is not None
    return any(window.isVisible() for window in QApplication.topLevelWidgets())


def rows(_: Program, resource: str) -> int:
    """How many rows the table shows; 0 while the tab is not there."""
    try:
        return _table(resource).model().rowCount()
    except LookupError:
        return 0


def widget(_: Program, name: str) -> dict[str, Any] | None:
    """What a visible widget of that name says to eyes and to screen readers; None where there is none."""
    try:
        found = _visible(name)
    except LookupError:
        return None
    words = [said for said in map(_said, found.findChildren(QWidget)) if said]
    return {"text": _said(found), "name": found.accessibleName(), "tip": found.toolTip(), "words": words}


def _visible(name: str) -> QWidget:
    for window in QApplication.topLevelWidgets():
        for found in [window, *window.findChildren(QWidget)] if window.isVisible() else []:
            if found.objectName() == name and found.isVisible():
                return found
    raise LookupError(f"nothing visible is called {name}")


def _said(found: QWidget) -> str:
    if isinstance(found, QPlainTextEdit):
        return found.toPlainText()
    text = getattr(found, "text", None)
    return (text() if callable(text) else "") or found.accessibleName()


def titles(_: Program) -> list[str]:
    """The titles of all windows that are open."""
    return [window.windowTitle() for window in QApplication.topLevelWidgets() if window.isVisible()]


def dialogs(_: Program) -> list[str]:
    """The names of the dialogs that are open."""
    return [w.objectName() for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and w.isVisible()]


def cells(_: Program, resource: str, role: int = int(Qt.ItemDataRole.DisplayRole)) -> dict[str, dict[str, str]]:
    """Every record of a table: its id to its texts by column title."""
    model = _table(resource).model()
    heads = [str(model.headerData(n, Qt.Orientation.Horizontal) or "") for n in range(model.columnCount())]
    return {
        model.index(row, 0).data(KEY_ROLE): {
            head: str(model.index(row, column).data(role)) for column, head in enumerate(heads)
        }
        for row in range(model.rowCount())
    }


def clipboard(_: Program) -> str:
    """What was copied."""
    return QApplication.clipboard().text()


def paused(program: Program) -> bool:
    """Whether the pause banner is shown."""
    return widget(program, "pauseBanner") is not None


def focus(_: Program) -> str:
    """The name, or else the class, of the widget that has the focus."""
    front, found = _front(), QApplication.focusWidget()
    where = f" in {front.objectName()}, active {front.isActiveWindow()}"
    return (f"{type(found).__name__} {found.objectName()}" if found is not None else "nothing") + where


def windows(_: Program) -> list[str]:
    """The names of the windows that are open, dialogs aside."""
    shown = [w for w in QApplication.topLevelWidgets() if w.isVisible() and not isinstance(w, QDialog)]
    return sorted(w.objectName() for w in shown if w.windowType() is Qt.WindowType.Window)


def writable(_: Program, resource: str, title: str) -> bool:
    """Whether the column of that title can be edited in the first row."""
    view = _table(resource)
    return bool(view.model().index(0, _column(view, title)).flags() & Qt.ItemFlag.ItemIsEditable)


def shown_texts(_: Program, name: str) -> list[str]:
    """Every text that is shown inside the widget of that name, as eyes and as screen readers get it."""
    found = _visible(name)
    texts = [(_said(child), child.accessibleName()) for child in found.findChildren(QWidget) if child.isVisible()]
    return [text for pair in texts for text in pair if text]


def rich_text(_: Program) -> list[str]:
    """Everything in any open window that Qt would take for markup, or could."""
    offences: list[str] = []
    for window in QApplication.topLevelWidgets():
        for part in [window, *window.findChildren(QWidget)]:
            offences += [f"{type(part).__name__} {part.objectName()}: {what}" for what in _rich_parts(part)]
        for action in window.findChildren(QAction):
            if _is_markup(action.toolTip()):
                offences.append(f"tool tip of {action.objectName()}: {action.toolTip()}")
        for view in window.findChildren(QTableView):
            offences += [f"cell of {view.objectName()}: {tip}" for tip in _tips(view) if _is_markup(tip)]
    return offences


_ESCAPED = re.compile(r"<p style='white-space:pre-wrap'>[^<>]*</p>", re.DOTALL)
"""What the program puts around a tool tip so that Qt shows it letter by letter: one paragraph without any tag."""


_TAG = re.compile(r"<\s*[A-Za-z/!?]")


def _is_markup(text: str) -> bool:
    return _TAG.search(text) is not None and _ESCAPED.fullmatch(text) is None


def _rich_parts(part: QWidget) -> list[str]:
    said: list[str] = []
    if isinstance(part, QLabel) and part.textFormat() is not Qt.TextFormat.PlainText:
        said.append(f"label of format {part.textFormat().name}: {part.text()}")
    if isinstance(part, QTextEdit | QTextBrowser | QMessageBox):
        said.append("can show markup")
    tips = {"tool tip": part.toolTip(), "what's this": part.whatsThis(), "status tip": part.statusTip()}
    said += [f"{where}: {text}" for where, text in tips.items() if _is_markup(text)]
    return said


def _tips(view: QTableView) -> list[str]:
    model = view.model()
    return [
        str(model.index(row, column).data(Qt.ItemDataRole.ToolTipRole) or "")
        for row in range(model.rowCount())
        for column in range(model.columnCount())
    ]


def action_text(_: Program, name: str) -> str:
    """The words of an action as a menu shows them."""
    for window in QApplication.topLevelWidgets():
        for action in window.findChildren(QAction):
            if action.objectName() == name:
                return re.sub("&(.)", r"\1", action.text())
    raise LookupError(f"no action {name}")


def all_cells(_: Program, name: str) -> list[list[str]]:
    """The texts of every cell of a table that shows no records."""
    view = _visible(name)
    if not isinstance(view, QTableView):
        raise LookupError(f"{name} is no table")
    return _cells(view)


def _cells(view: QTableView) -> list[list[str]]:
    model = view.model()
    return [
        [str(model.index(row, column).data() or "") for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


# ---------------------------------------------------------------- mishaps


def crash(program: Program, text: str) -> None:
    """Let errors that nobody catches happen in the GUI thread, in another one, and in the sync thread; each knows
    `text`."""

    def fail() -> None:
        secret = text
        raise ValueError(f"cannot use {secret!r}", {"Authorization": f"Bearer {secret}"})

    QTimer.singleShot(0, fail)
    threading.Thread(target=fail, name="unlucky").start()
    program.session.submit(CheckLive(program.session.name, text))


def limit_files(program: Program, on: bool) -> None:
    """Let the system refuse that any file of this process grows beyond what the journal has (setrlimit(2)), or again
    allow it."""
    import resource  # there is none on Windows

    journal = program.session.places.journal(program.session.name)
    size = max(path.stat().st_size for path in journal.parent.glob(f"{journal.name}*"))
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size if on else most, most))


def demo_key(program: Program) -> str:
    """The key of the demo shop that the program has started."""
    return program.child.key


def everything(_: Program) -> list[str]:
    """Every text of every open window: titles, what is shown and said, tool tips, and the cells of tables."""
    texts: list[str] = []
    for window in QApplication.topLevelWidgets():
        for part in [window, *window.findChildren(QWidget)]:
            texts += [_seen(part), part.accessibleName(), part.accessibleDescription(), part.toolTip()]
            texts += [part.windowTitle(), part.objectName()]
        for view in window.findChildren(QTableView):
            texts += [cell for row in _cells(view) for cell in row]
    return [text for text in texts if text]


def _seen(part: QWidget) -> str:
    if isinstance(part, QLineEdit):
        return part.displayText()
    return "" if part.findChildren(QLineEdit) else _said(part)  # a field with a label gives its value to programs


def minimize(_: Program) -> None:
    """Put the window away."""
    _front().showMinimized()
    QApplication.processEvents()


def minimized(_: Program) -> bool:
    """Whether it is away."""
    return any(w.isMinimized() for w in QApplication.topLevelWidgets() if w.objectName() == "mainWindow")


def says(_: Program, name: str, part: str) -> str:
    """The words of a visible widget, or of what is in it, that hold `part`; empty where there are none."""
    try:
        found = _visible(name)
    except LookupError:
        return ""
    texts = [_said(found), *(_said(child) for child in found.findChildren(QWidget) if child.isVisible())]
    return next((text for text in texts if part in text), "")


def marked(_: Program, resource: str, key: str) -> bool:
    """Whether a record's row carries the mark of a change."""
    model = _table(resource).model()
    row = next(r for r in range(model.rowCount()) if model.index(r, 0).data(KEY_ROLE) == key)
    return bool(model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole))
