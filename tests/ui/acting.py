"""What a person does in the window, and what the window says, for the tests."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QTableView, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.lists.resource_tab import ResourceTab
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import tab_of

Key = Qt.Key


def stock_tab(window: MainWindow) -> ResourceTab:
    """The inventory list, with the focus in its rows."""
    window.show_tab("inventory")
    tab = tab_of(window)
    tab.view.setFocus()
    return tab


def column(tab: ResourceTab, name: str) -> int:
    return [one.id for one in tab.table.columns].index(name)


def go_to(tab: ResourceTab, key: int, name: str) -> None:
    tab.view.setCurrentIndex(tab.model.index_of(key, column(tab, name)))


def editor_of(tab: ResourceTab) -> QLineEdit:
    """The open cell editor."""
    return editor_of_view(tab.view)


def editor_of_view(view: QTableView) -> QLineEdit:
    """The open cell editor of a table."""
    (editor,) = [one for one in view.viewport().findChildren(QLineEdit) if one.isVisible()]
    return editor


def type_in_cell(qtbot: QtBot, tab: ResourceTab, text: str) -> None:
    """Begin to type on a cell, go on in the editor, and press Enter."""
    qtbot.keyClicks(tab.view, text[0])
    qtbot.keyClicks(editor_of(tab), text[1:])
    qtbot.keyClick(editor_of(tab), Key.Key_Return)
    qtbot.waitUntil(lambda: not tab.view.edit_open())


def spoken_words(widget: QWidget) -> str:
    """Everything that labels below a widget say."""
    return "\n".join(label.text() for label in widget.findChildren(QLabel))
