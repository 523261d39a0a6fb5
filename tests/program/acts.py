"""What a test can have done in the window. Everything here runs in the GUI thread of the program under test; hands
touch only keys and the mouse. What it can see there is in eyes.py."""

from __future__ import annotations

import gc
import threading
import time
import tracemalloc
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QMimeData, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QInputMethodEvent, QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QMenuBar,
    QTableView,
    QWidget,
)

from petstore_desktop.domain.commands import CheckLive
from petstore_desktop.platform_support import give_back_memory
from petstore_desktop.tour import stage
from tests.program.eyes import column_of, focus, front_window, said_by, table_of, texts_of, titles, visible_widget
from tests.support.keyboard import Keyboard
from tests.support.patience import PATIENCE_S
from tests.support.pulse import Pulse
from tests.support.turning import turn

KEY_ROLE = int(Qt.ItemDataRole.UserRole) + 10
Program = Any


# ---------------------------------------------------------------- hands


def _target() -> QWidget:
    """Where a key goes: into an open menu, else to the widget with the focus."""
    front = front_window()
    if QApplication.activePopupWidget() is not None:
        return front.focusWidget() or front
    return QApplication.focusWidget() or front


def press(_: Program, *keys: str) -> None:
    """Press keys, such as "Ctrl+C" or "Return", one after the other, where the focus is."""
    for key in keys:
        combination = QKeySequence(key)[0]
        QTest.keyClick(_target(), combination.key(), combination.keyboardModifiers())
        QApplication.processEvents()


def press_soon(_: Program, key: str) -> None:
    """Press a key as an event of its own, after this call: what the program does then is done in its own loop, where
    its pulse is felt."""
    combination, target = QKeySequence(key)[0], _target()
    QTimer.singleShot(0, target, lambda: QTest.keyClick(target, combination.key(), combination.keyboardModifiers()))


def click_soon(program: Program, text: str) -> None:
    """The same with a click on what shows this text."""
    QTimer.singleShot(0, front_window(), lambda: click(program, text))


def feel_pulse(_: Program) -> None:
    """From now on it is noted when the window stands still."""
    Pulse.present = Pulse()


def pulse(_: Program) -> dict[str, Any]:
    """How the window's pulse was; see `tests.support.pulse`."""
    return Pulse.present.read()


def filter_column(program: Program, name: str, text: str) -> None:
    """Type a filter into the field below the header of a column of the list that is shown, by its id."""
    front_window()
    tab = program.window.tab()
    field = tab.header.field(next(n for n, column in enumerate(tab.table.columns) if column.id == name))
    field.setFocus()
    field.clear()
    write(program, text)


def write(_: Program, text: str) -> None:
    """Type a text where the focus is. What a keyboard has no key for comes as an input method brings it."""
    front_window()
    for sign in text:
        if sign.isascii():
            QTest.keyClick(_target(), sign)
        else:
            event = QInputMethodEvent()
            event.setCommitString(sign)
            QApplication.sendEvent(_target(), event)
        QApplication.processEvents()


def spell(_: Program, english: str) -> None:
    """Type what leads to the entry of a list that is called so in English, on a keyboard that has its letters."""
    front_window()
    for sign in stage.spell(english):
        key = ord(sign.upper()) if sign.isascii() else 0
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            event = QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, sign)
            QApplication.sendEvent(_target(), event)
        QApplication.processEvents()


def scan(_: Program, text: str, gap: int = 5) -> None:
    """Type a text as the platform delivers keys, so many milliseconds apart by their own times: at 5 ms it is
    a scanner, at 60 ms a person."""
    front_window()
    keyboard = Keyboard(round(time.monotonic() * 1000))
    for sign in text:
        keyboard.type(sign, gap)
        QApplication.processEvents()


def drop(program: Program, path: str) -> None:
    """Let a file go over the middle of the window, as a file manager does."""
    data, at = QMimeData(), program.window.rect().center()
    data.setUrls([QUrl.fromLocalFile(path)])
    how = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entered = QDragEnterEvent(at, *how)
    QApplication.sendEvent(program.window, entered)
    if not entered.isAccepted():
        raise LookupError(f"the window does not take {path}")
    QApplication.sendEvent(program.window, QDropEvent(at.toPointF(), *how))


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
    for found in front_window().findChildren(QWidget):
        if found.isVisible() and found.isEnabled() and said_by(found) == text:
            QTest.mouseClick(found, Qt.MouseButton.LeftButton)
            QApplication.processEvents()
            return
    raise LookupError(f"nothing to click says {text}")


def to_cell(program: Program, resource: str, key: str, column: str) -> None:
    """Walk with the arrow keys to the cell of a record (its id as text), in the column of that title. Rows that come in
    meanwhile move it: then on to where it is."""
    view = table_of(resource)
    model = view.model()
    while True:
        row = next(r for r in range(model.rowCount()) if model.index(r, 0).data(KEY_ROLE) == key)
        _walk_to(view, row, column_of(view, column))
        if view.currentIndex().data(KEY_ROLE) == key:
            return


def book(program: Program, amounts: list[str]) -> list[tuple[str, str]]:
    """Type one amount after the other into the stock column, from the first row down, each with Enter; Enter goes to
    the next row. Returns (id of the pet, amount) as typed."""
    view = table_of("inventory")
    _walk_to(view, 0, column_of(view, "In stock"))
    typed: list[tuple[str, str]] = []
    for amount in amounts:
        index = view.currentIndex()
        typed.append((index.data(KEY_ROLE), amount))
        write(program, amount)
        press(program, "Return")
    return typed


def refresh(program: Program, resource: str) -> tuple[float, str, float | None]:
    """Press F5 on the list that is shown. Returns after how many milliseconds the window had taken in an answer, what
    the line above the list says then, and in how many seconds the list is read (None: it is being read, or was)."""
    front_window()
    told: list[object] = []
    bridge = program.window.after_paint.bridge

    def hear(moved: object) -> None:
        told.extend(kind for kind in moved.loads if kind.value == resource)

    bridge.changed.connect(hear)
    try:
        began = time.monotonic()
        press(program, "F5")
        while not told and time.monotonic() - began < PATIENCE_S:
            QApplication.processEvents()
            time.sleep(0.001)
        took = 1000.0 * (time.monotonic() - began)
    finally:
        bridge.changed.disconnect(hear)
    if not told:
        raise LookupError("F5 was not answered")
    tab = program.window.tab()
    waits = tab.shared.shop.desk.load(tab.resource).waits
    due = None if waits is None or waits.until is None else waits.until - tab.shared.shop.desk.now()
    return took, said_by(visible_widget("listCounts")), due


def _keys_to(view: QTableView) -> None:
    """LookupError where a dialog has the keys: they would answer it."""
    dialog = QApplication.activeModalWidget()
    if dialog is not None and dialog is not view.window():
        raise LookupError(f"the keys go to {dialog.objectName()}: {said_by(dialog)}")


def _walk_to(view: QTableView, row: int, column: int) -> None:
    front_window()
    _keys_to(view)
    if not (view.hasFocus() and view.selectionModel().hasSelection()):
        for key in ("Ctrl+F", "Return"):  # the filter's Enter goes to the rows
            _keys_to(view)
            press(None, key)
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


# ---------------------------------------------------------------- mishaps


def crash(program: Program, text: str) -> None:
    """Let errors that nobody catches happen in the GUI thread, in another one, and in the sync thread; each knows
    `text`."""

    def fail() -> None:
        secret = text
        raise ValueError(f"cannot use {secret!r}", {"Authorization": f"Bearer {secret}"})

    QTimer.singleShot(0, fail)
    threading.Thread(target=fail, name="unlucky").start()
    program.session.submit(CheckLive(text))


def kill_at(_: Program, point: str, nth: int) -> None:
    """Let the program kill itself when it comes to this fail point for the nth time from now on."""
    from tests.support.killed_child import hold_fail_points  # more than any other act needs

    hold_fail_points().arm(point, nth)


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
            texts += [cell for row in texts_of(view) for cell in row]
    return [text for text in texts if text]


def _seen(part: QWidget) -> str:
    if isinstance(part, QLineEdit):
        return part.displayText()
    return "" if part.findChildren(QLineEdit) else said_by(part)  # a field with a label gives its value to programs


def minimize(_: Program) -> None:
    """Put the window away."""
    front_window().showMinimized()
    QApplication.processEvents()


def minimized(_: Program) -> bool:
    """Whether it is away."""
    return any(w.isMinimized() for w in QApplication.topLevelWidgets() if w.objectName() == "mainWindow")


def says(_: Program, name: str, part: str) -> str:
    """The words of a visible widget, or of what is in it, that hold `part`; empty where there are none."""
    try:
        found = visible_widget(name)
    except LookupError:
        return ""
    texts = [said_by(found), *(said_by(child) for child in found.findChildren(QWidget) if child.isVisible())]
    return next((text for text in map(stage.read_back, texts) if part in text), "")


def word_for(_: Program, english: str) -> str:
    """What a person types here to find what is called so in English."""
    return stage.word_for(english)


def marked(_: Program, resource: str, key: str) -> bool:
    """Whether a record's row carries the mark of a change."""
    model = table_of(resource).model()
    row = next(r for r in range(model.rowCount()) if model.index(r, 0).data(KEY_ROLE) == key)
    return bool(model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole))


# ---------------------------------------------------------------- several shops


def switch_to(program: Program, name: str) -> None:
    """Choose a shop from the list of shops, by keys alone."""
    for _attempt in range(600):  # a window that has just been opened may not be active yet
        press(program, "Ctrl+O")
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu) and menu.objectName() == "shopChooser":
            break
        turn(100)
    else:
        raise LookupError(f"no list of shops opened; the focus is on {focus(program)}; open: {titles(program)}")
    for _step in range(20):
        active = menu.activeAction()
        if active is not None and active.text().partition("\t")[0] == name:
            press(program, "Return")
            return
        press(program, "Down")
    raise LookupError(f"the list has no {name}")


def shops_listed(program: Program) -> list[str]:
    """What the list of shops says, a line for each."""
    press(program, "Ctrl+O")
    menu = QApplication.activePopupWidget()
    lines = [action.text() for action in menu.actions()] if isinstance(menu, QMenu) else []
    press(program, "Escape")
    return lines


def speak(program: Program, language: str) -> None:
    """Choose a language in the preferences, which are opened where they are not."""
    if not any(one.objectName() == "preferencesDialog" and one.isVisible() for one in QApplication.topLevelWidgets()):
        program.window.parts.actions["preferences"].trigger()
    box = visible_widget("languageChoice")
    assert isinstance(box, QComboBox)
    box.setFocus()
    box.setCurrentIndex(box.findData(language))


def running(_: Program) -> dict[str, Any]:
    """What this process holds: threads, open files, windows that Python knows of, and objects of the program's own
    classes, how many of each: what Python keeps of modules that are loaded late is no matter of what is left over."""
    import gc
    from collections import Counter
    from pathlib import Path

    from petstore_desktop.ui.window.main_window import MainWindow

    QApplication.processEvents()
    gc.unfreeze()
    gc.collect()
    kinds = Counter(map(type, gc.get_objects()))
    ours = Counter[str]()
    for kind, many in kinds.items():
        if str(kind.__module__).startswith("petstore_"):
            ours[kind.__name__] += many
    return {
        "threads": threading.active_count(),
        "files": len(list(Path("/proc/self/fd").iterdir())),
        "windows": sum(many for kind, many in kinds.items() if issubclass(kind, MainWindow)),
        "ours": ours,
    }


def memory(_: Program) -> int:
    """What the process has for itself without garbage and without what it shares with others (KiB)."""
    gc.collect()
    give_back_memory()
    lines = Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss_Anon:"))


def kept_since(_: Program, most: int = 12) -> list[str]:
    """Where what was kept since the last call was made, the most first; nothing at the first call."""
    if not tracemalloc.is_tracing():
        tracemalloc.start(8)
    before, _traced["now"] = _traced.get("now"), tracemalloc.take_snapshot()
    grown = [] if before is None else _traced["now"].compare_to(before, "traceback")[:most]
    return ["\n".join([f"{one.size_diff:+,} B in {one.count_diff:+,}", *one.traceback.format()]) for one in grown]


_traced: dict[str, tracemalloc.Snapshot] = {}
