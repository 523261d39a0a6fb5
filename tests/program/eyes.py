"""What a test can see in the window. Everything here runs in the GUI thread of the program under test, and reads
widgets and models through Qt alone, or what nothing shows at the desk."""

from __future__ import annotations

import re
import time
from typing import Any, cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QMessageBox,
    QPlainTextEdit,
    QTableView,
    QTextBrowser,  # house: rich-text - what the test looks for
    QTextEdit,
    QWidget,
)

from petstore_desktop.clock import unique
from petstore_desktop.desk.stocktake.count import Count
from petstore_desktop.domain.records import Resource
from tests.support.patience import PATIENCE_S

KEY_ROLE = int(Qt.ItemDataRole.UserRole) + 10
Program = Any


def front_window() -> QWidget:
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
        end = time.monotonic() + PATIENCE_S
        while not front.isActiveWindow() and time.monotonic() < end:
            QApplication.processEvents()
            time.sleep(0.005)
    return front


def table_of(resource: str) -> QTableView:
    for window in QApplication.topLevelWidgets():
        view = window.findChild(QTableView, f"{resource}Table")
        if view is not None and view.isVisible():
            return view
    raise LookupError(f"no table of {resource} is shown")


def filters(program: Program) -> dict[str, str]:
    """What the fields below the headers of the list show, by the ids of their columns."""
    tab = program.window.tab()
    fields = {column.id: tab.header.field(n) for n, column in enumerate(tab.table.columns)}
    return {name: field.text() for name, field in fields.items() if field is not None and field.text()}


def column_of(view: QTableView, title: str) -> int:
    model = view.model()
    titles = [model.headerData(n, Qt.Orientation.Horizontal) for n in range(model.columnCount())]
    return titles.index(title)


def ready(_: Program) -> bool:
    """Whether a window takes keys: the main window has what it gets after its first paint."""
    for window in QApplication.topLevelWidgets():
        if window.isVisible() and window.objectName() == "mainWindow":
            return window.findChild(QWidget, "pauseBanner") is not None
    return any(window.isVisible() for window in QApplication.topLevelWidgets())


def rows(program: Program, resource: str) -> int:
    """How many rows the table shows; 0 while the tab is not there, or the window takes no keys yet."""
    try:
        return table_of(resource).model().rowCount() if ready(program) else 0
    except LookupError:
        return 0


def current(_: Program, resource: str) -> tuple[object, str, bool] | None:
    """The key of the current row, the id of the current column, and whether the list has the keyboard."""
    view = table_of(resource)
    index, model = view.currentIndex(), cast("Any", view.model())
    if not index.isValid():
        return None
    return model.ref_at(index).key, model.table.columns[index.column()].id, view.hasFocus()


def widget(_: Program, name: str) -> dict[str, Any] | None:
    """What a visible widget of that name says to eyes and to screen readers; None where there is none."""
    try:
        found = visible_widget(name)
    except LookupError:
        return None
    words = [said for said in map(said_by, found.findChildren(QWidget)) if said]
    return {
        "text": said_by(found),
        "name": found.accessibleName(),
        "more": found.accessibleDescription(),
        "tip": found.toolTip(),
        "words": words,
    }


def visible_widget(name: str) -> QWidget:
    for window in QApplication.topLevelWidgets():
        for found in [window, *window.findChildren(QWidget)] if window.isVisible() else []:
            if found.objectName() == name and found.isVisible():
                return found
    raise LookupError(f"nothing visible is called {name}")


def said_by(found: QWidget) -> str:
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
    model = table_of(resource).model()
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
    front, found = front_window(), QApplication.focusWidget()
    where = f" in {front.objectName()}, active {front.isActiveWindow()}"
    return (f"{type(found).__name__} {found.objectName()}" if found is not None else "nothing") + where


def windows(_: Program) -> list[str]:
    """The names of the windows that are open, dialogs aside."""
    shown = [w for w in QApplication.topLevelWidgets() if w.isVisible() and not isinstance(w, QDialog)]
    return sorted(w.objectName() for w in shown if w.windowType() is Qt.WindowType.Window)


def writable(_: Program, resource: str, title: str) -> bool:
    """Whether the column of that title can be edited in the first row."""
    view = table_of(resource)
    return bool(view.model().index(0, column_of(view, title)).flags() & Qt.ItemFlag.ItemIsEditable)


def known(program: Program, resource: str) -> int:
    """How many records of a list have come, shown or not."""
    return len(program.window.shop.desk.shop.stores[Resource(resource)])


def whole(program: Program, resource: str) -> bool:
    """Whether a list was read to its end, and kept."""
    return program.window.shop.desk.load(Resource(resource)).is_whole


def at_rest(program: Program) -> bool:
    """Whether every row of the list that is shown stands where it stays: all lists are whole, as names in one sort
    another, and none of them waits for its place."""
    tab, desk = program.window.tab(), program.window.shop.desk
    loads = [desk.load(resource) for resource in Resource]
    whole = all(load.is_whole or load.phase == "not-offered" for load in loads)
    return whole and tab is not None and not (tab.table.is_working or tab.table.is_behind)


def drafts(program: Program) -> dict[str, str]:
    """What is half filled, and in the journal: each form's longest text."""
    return {form: max(one.content.values(), key=len) for form, one in program.window.shop.desk.drafts.items()}


def _count(program: Program) -> Count:
    found = program.window.shop.desk.scans["stocktake"]
    assert isinstance(found, Count)
    return found


def counted(program: Program) -> dict[Any, int]:
    """How many of each pet the stocktake has."""
    return {pet: line.counted for pet, line in _count(program).lines.items()}


def counted_safely(program: Program) -> dict[Any, int]:
    """The same of what is in the journal."""
    desk = program.window.shop.desk
    count = Count(desk.shop, unique, bool, desk.now)
    count.go_on(desk.drafts)
    return {pet: line.counted for pet, line in count.lines.items()}


def counting(program: Program) -> bool:
    """Whether the stocktake goes on."""
    count = _count(program)
    return bool(count.lines) and not count.ended


def draft_fields(program: Program, name: str) -> dict[str, str]:
    """Of what is half filled, and in the journal, this field of each form that has it."""
    drafts = program.window.shop.desk.drafts.items()
    return {form: one.content[name] for form, one in drafts if name in one.content}


def shown_texts(_: Program, name: str) -> list[str]:
    """Every text that is shown inside the widget of that name, as eyes and as screen readers get it."""
    found = visible_widget(name)
    texts = [(said_by(child), child.accessibleName()) for child in found.findChildren(QWidget) if child.isVisible()]
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
    if isinstance(part, QTextEdit | QTextBrowser | QMessageBox):  # house: rich-text - what the test looks for
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
    view = visible_widget(name)
    if not isinstance(view, QTableView):
        raise LookupError(f"{name} is no table")
    return texts_of(view)


def texts_of(view: QTableView) -> list[list[str]]:
    model = view.model()
    return [
        [str(model.index(row, column).data() or "") for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def idle(program: Program) -> bool:
    """Whether no shop is at work without a window, and none is being closed."""
    return not program.in_background.busy


def sent_all(program: Program) -> bool:
    """Whether nothing waits in any shop, nor for the journal. Both in one look: between two, what was on its way to the
    journal may have come there, and waits."""
    unsaved = program.window is not None and program.window.parts.edits.unsaved
    return not unsaved and not any(shop.unsent for shop in program.shops.all())


def action_tip(program: Program, name: str) -> str:
    """The tool tip of an action."""
    return program.window.parts.actions[name].toolTip()


def waits(_: Program, part: str) -> list[str]:
    """The cells of the list of what waits that hold `part`."""
    view = next((v for w in QApplication.topLevelWidgets() for v in w.findChildren(QTableView) if v.isVisible()), None)
    return [] if view is None else [cell for row in texts_of(view) for cell in row if part in cell]
