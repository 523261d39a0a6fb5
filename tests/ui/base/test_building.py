"""Building rows and columns leaves nothing behind that would be taken for something else."""

from __future__ import annotations

from gc import collect

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.base.building import add, forget_items, in_column, in_row
from tests.support.layout_items import kept_layout_items


def test_layouts_in_layouts_leave_no_python_objects_for_their_items(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    label, inner = QLabel("inside"), QLabel("deeper")
    row = in_row(None, (label, 1), 5, "stretch", in_column(None, inner))
    column = in_column(window, QLabel("above"), row)
    add(column, in_row(None, QLabel("below")))
    assert kept_layout_items() == []
    label.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert (row.count(), inner.text(), column.count()) == (3, "deeper", 3)


def test_what_pyside_makes_of_them_by_itself_is_seen_and_can_be_let_go(qapp: QApplication) -> None:
    """As it was found: the item of a deleted label still had its Python object, at an address that Qt uses again."""
    for let_go in (False, True):
        assert _left_of_a_deleted_label(let_go) == ([] if let_go else ["QWidgetItem"])
    collect()
    assert kept_layout_items() == []


def _left_of_a_deleted_label(let_go: bool) -> list[str]:
    window, label, row = QWidget(), QLabel("inside"), QHBoxLayout()
    row.addWidget(label)
    QVBoxLayout(window).addLayout(row)
    if let_go:
        forget_items(row)
    label.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert row.count() == 0
    return kept_layout_items()
