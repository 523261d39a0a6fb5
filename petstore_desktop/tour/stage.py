"""What every step of the tour works with: the running program, the shop's witness, and eyes for the window."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from functools import partial
from operator import itemgetter
from typing import TypeAlias, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel, QLineEdit, QMenu, QTableView, QWidget

from petstore_desktop.app import Program
from petstore_desktop.clock import OffsetClock
from petstore_desktop.demo.witness import Witness
from petstore_desktop.tour.pilot import StepFailed, click, hold, hover, press, regain, until, write
from petstore_desktop.ui.base.first_paint import bring_inside, room_for
from petstore_desktop.ui.cells.cell_model import KeyRole
from petstore_desktop.ui.status.status_line import IconWords
from petstore_desktop.ui.status.toast import Toast
from petstore_desktop.ui.text.cell import Cell, CellRole
from petstore_desktop.ui.window.main_window import MainWindow

W = TypeVar("W", bound=QWidget)
Before: TypeAlias = Callable[[Witness], object]
USUAL = QSize(1280, 800)


class Stage(Struct):
    """One tour under way. `before` prepares the shop once it runs. `notes`: numbers that a step leaves for a later
    one; `batch`: the pets of the batch that is undone on the next day; `took`: how many seconds each earlier step
    took."""

    program: Program
    shop: Witness
    clock: OffsetClock
    before: Before = lambda _: None
    notes: dict[str, int] = field(default_factory=dict[str, int])
    batch: list[int] = field(default_factory=list[int])
    took: dict[str, float] = field(default_factory=dict[str, float])

    # -- finding things

    @property
    def window(self) -> MainWindow:
        """The shop's window. Raises NotSo where there is none."""
        window = self.program.window
        if window is None:
            raise StepFailed("the shop's window is not open")
        return window

    @property
    def base(self) -> QWidget:
        """What the next picture shows: the shop's window or the welcome page."""
        shown = self.program.window or self.program.welcome
        if shown is None:
            raise StepFailed("no window is open")
        return shown

    def fill(self, window: QWidget) -> None:
        """Make a window as large as the screen that was invented for the tour; on a person's, of a usual size."""
        room = room_for(window).size()
        window.resize(room if QGuiApplication.platformName() == "offscreen" else USUAL.boundedTo(room))
        bring_inside(window)

    def lasting(self, least: float, times: float, step: str) -> int:
        """Seconds for a pause in which steps are taken: `least`, or as many times what an earlier step took on this
        machine."""
        return math.ceil(max(least, times * self.took[step]))

    def find(self, kind: type[W], name: str, below: QWidget | None = None) -> W:
        """The widget of this objectName that is on the screen. Raises NotSo."""
        for widget in (below or self.base).findChildren(kind, name):
            if widget.isVisible():
                return widget
        raise StepFailed(f"there is no {name} on the screen")

    def filter_text(self) -> str:
        """The text in the filter over all columns; empty if the field has no room."""
        return next(
            (field.text() for field in self.base.findChildren(QLineEdit, "filterField") if field.isVisible()), ""
        )

    def shows(self, name: str) -> bool:
        """Whether a widget of this objectName is on the screen."""
        return any(widget.isVisible() for widget in self.base.findChildren(QWidget, name))

    def dialog(self, name: str) -> QDialog:
        """The open dialog of this name, once it is there. Raises NotSo."""
        until(lambda: name in _dialogs(), lambda: f"the {name} did not open; open: {', '.join(_dialogs()) or 'none'}")
        found = _dialogs()[name]
        regain(found)
        return found

    def from_menu(self, name: str, *keys: str) -> QDialog:
        """Open a dialog with F10 and these keys in the menus. Raises NotSo."""
        press("F10")
        until(self.window.menuBar().isVisible, "F10 does not show the menus")
        for key in keys:
            entry = next((action for action in open_menu() if f"&{key}".lower() in bare(action.text()).lower()), None)
            if entry is None:
                press(key)
            else:
                write(entry.text().partition("&")[2][0])
        return self.dialog(name)

    def escape(self, name: str) -> None:
        """Close a dialog with Esc, and the menus if they still show. Raises NotSo."""
        press("Esc")
        self.closed(name)
        if self.window.menuBar().isVisible():
            press("Esc")

    def drop(self, name: str) -> None:
        """Close a form in which something is typed with Esc, and confirm that. Raises NotSo."""
        press("Esc")
        self.agree("formLeaveDialog")
        self.closed(name)

    def agree(self, name: str) -> None:
        """Tab to the button with the verb, and press it; the dialog closes. Raises NotSo."""
        press("Tab")
        until(self.find(QAbstractButton, "primaryButton", self.dialog(name)).hasFocus, "Tab does not lead to the verb")
        press("Space")
        self.closed(name)

    def closed(self, name: str) -> None:
        """Wait until this dialog is gone. Raises NotSo."""
        until(lambda: name not in _dialogs(), f"the {name} is still open")
        regain(self.base)

    def meet_shop(self) -> None:
        """Learn the control address of the demo shop that the program has started. Raises NotSo."""
        child = self.program.child
        if child is None:
            raise StepFailed("no demo shop was started")
        self.shop = dataclasses.replace(self.shop, control_url=child.ready()["control"] or "")

    def park(self) -> None:
        """Move the mouse where it points at nothing."""
        hover(self.window, QPoint(self.window.width() // 2, 4))

    # -- reading

    def state(self) -> str:
        """The words of the connection's state."""
        return bare(self.find(IconWords, "connectionState").words())

    def badge(self, name: str) -> str:
        """The words of a count in the status bar; "" while it is not shown."""
        return bare(self.find(IconWords, name).words()) if self.shows(name) else ""

    def toast(self) -> str:
        """What the toast says; "" while there is none."""
        return bare(self.find(Toast, "toast").words()) if self.shows("toast") else ""

    def meters(self) -> str:
        """The quota meters in words."""
        return bare(self.find(QWidget, "quotaMeter").accessibleName())

    # -- tables

    def go(self, tab: str) -> QTableView:
        """Show a tab by its key (`Pets` is Alt+P) and return its table with the keyboard in it."""
        press(f"Alt+{tab[0]}")
        name = "activityView" if tab == "Activity" else f"{tab.lower()}Table"
        if tab == "Activity":  # the page that was looked at last is shown
            until(lambda: self.shows("waitingPageButton"), "the activity does not show")
            click(self.find(QAbstractButton, "waitingPageButton"))
        until(lambda: self.shows(name) or self.shows("emptyState"), f"the tab {tab} does not show")
        return self.find(QTableView, name) if self.shows(name) else QTableView()

    def filter(self, text: str) -> None:
        """Press Ctrl+F and replace the filter's text."""
        press("Ctrl+F")
        field_ = self.find(QLineEdit, "filterField")
        until(field_.hasFocus, "Ctrl+F does not lead to the filter")
        press("Ctrl+A")
        if text:
            write(text)
        else:
            press("Del")
        hold(field_.text() == text, f"the filter holds {field_.text()!r}, not {text!r}")

    def unfilter(self) -> None:
        """Enter goes to the rows, and Esc there takes the filter away."""
        field_ = self.find(QLineEdit, "filterField")
        if field_.hasFocus():
            press("Return")
        press("Esc")
        hold(field_.text() == "", "Esc left the filter as it was")

    def point_at(self, table: QTableView, key: int, header: str) -> QModelIndex:
        """Bring the current cell to a record's column: by filter and mouse, as one does it, again where the rows moved
        under the pointer. Raises NotSo."""

        def is_hit() -> bool:
            click(table.viewport(), middle(table, row_of(table, key), column_of(table, header)))
            return table.currentIndex().data(KeyRole) == str(key)

        self.filter(str(key))
        until(lambda: row_of(table, key) >= 0, f"the filter does not find #{key}")
        until(is_hit, f"a click does not reach #{key}")
        press("Esc")
        until(lambda: self.filter_text() == "", "Esc left the filter as it was")
        self.park()
        index = table.currentIndex()
        hold(index.data(KeyRole) == str(key), f"#{key} is not the current row but {index.data(KeyRole)}")
        return index

    def book(self, pet: int, typed: str) -> QTableView:
        """Type into the stock cell of a pet, and press Enter; returns the table. Raises NotSo."""
        table = self.find(QTableView, "inventoryTable")
        self.point_at(table, pet, "In stock")
        write(typed)
        press("Return")
        return table


def _dialogs() -> dict[str, QDialog]:
    """The dialogs on the screen, by name."""
    tops = QApplication.topLevelWidgets()
    return {widget.objectName(): widget for widget in tops if isinstance(widget, QDialog) and widget.isVisible()}


def open_menu() -> list[QAction]:
    """The entries of the menu that is open; none where no menu is."""
    popup = QApplication.activePopupWidget()
    return popup.actions() if isinstance(popup, QMenu) else []


def column_of(table: QTableView, header: str) -> int:
    """The logical column of this title. Raises NotSo."""
    model = table.model()
    for column in range(model.columnCount()):
        if bare(str(model.headerData(column, Qt.Orientation.Horizontal))) == header and not table.isColumnHidden(
            column
        ):
            return column
    raise StepFailed(f"there is no column {header}")


def row_of(table: QTableView, key: int) -> int:
    """The row that shows this record; -1 where none does."""
    model = table.model()
    for row in range(model.rowCount()):
        if model.index(row, 0).data(KeyRole) == str(key):
            return row
    return -1


def keys(table: QTableView) -> list[str]:
    """The keys of all rows, from top to bottom."""
    model = table.model()
    return [model.index(row, 0).data(KeyRole) for row in range(model.rowCount())]


def cell(table: QTableView, row: int, header: str) -> Cell:
    """The painted cell, its texts in English. Raises NotSo."""
    index = table.model().index(row, column_of(table, header) if header else 0)
    found = index.data(CellRole)
    if not isinstance(found, Cell):
        raise StepFailed(f"there is no cell in row {row}, column {header}")
    texts = {name: bare(getattr(found, name)) for name in ("text", "note", "base", "chip", "result")}
    return replace(found, **texts)


def cell_of(table: QTableView, key: int, header: str) -> Cell:
    """The text painted in a record's cell; without a header, its gutter. Raises NotSo."""
    row = row_of(table, key)
    hold(row >= 0, f"#{key} is not in the list")
    return cell(table, row, header)


def middle(table: QTableView, row: int, column: int) -> QPoint:
    """The middle of a cell, scrolled onto the screen. Where rows have just come the list has no room for them yet."""

    def shown() -> QPoint:
        index = table.model().index(row, column)
        table.scrollTo(index)
        return table.visualRect(index).center()

    until(lambda: table.viewport().rect().contains(shown()), "the cell is not on the screen")
    return shown()


def texts(widget: QWidget) -> list[str]:
    """Every word on a widget that is on the screen: labels, links, buttons, fields, and names of painted parts."""
    said: list[str] = []
    for part in (widget, *widget.findChildren(QWidget)):
        if not part.isVisible():
            continue
        if isinstance(part, QLabel | QLineEdit):
            said.append(part.text())
        elif isinstance(part, QAbstractButton) or part.accessibleName():
            said.append(part.accessibleName() or part.windowTitle())
    return [bare(words) for words in said if words]


def says(widget: QWidget, words: str) -> bool:
    """Whether these words are somewhere on the widget; the marks that isolate names are left out."""
    return any(words in text for text in texts(widget))


def expect(widget: QWidget, *words: str) -> None:
    """Wait until the widget says all these words. Raises NotSo."""
    for wanted in words:
        name = widget.objectName() or type(widget).__name__
        until(partial(says, widget, wanted), lambda: f"the {name} says {texts(widget)}, not {wanted!r}")  # noqa: B023  asked in this turn


read_back: Callable[[str], str] = str
"""Brings a text of another language back to English; a tour in English needs nothing of the kind."""
spell: Callable[[str], str] = itemgetter(0)
"""The letters that lead to the entry of a list that is called so in English."""
word_for: Callable[[str], str] = str
"""What a person types to find the action or the view that is called so in English."""


def bare(text: str) -> str:
    """A text in English, without the invisible marks around names and numbers (Unicode UAX 9, "isolates")."""
    return read_back(text).translate({0x2066: None, 0x2067: None, 0x2068: None, 0x2069: None, 0x2060: None})


def link(widget: QWidget, words: str) -> QAbstractButton:
    """The link or button of these words that is on the screen. Raises NotSo."""
    for part in widget.findChildren(QAbstractButton):
        if part.isVisible() and bare(part.accessibleName()) == words:
            return part
    raise StepFailed(f"there is no {words!r} to click; there is: {'; '.join(texts(widget))[:600]}")
