"""No tool tip shows its own markup: the words of a cell are dressed once, wherever they are shown."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.values.cells import CellFacts
from petstore_desktop.ui.context.tab_specs import TABS
from petstore_desktop.ui.details.details_pane import DetailField, DetailsPane
from petstore_desktop.ui.text.cell import to_cell
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import tab_of
from tests.ui.widgets.seeing import shown

TWICE = "&lt;p style"


def tips(widget: QWidget) -> list[str]:
    return [one.toolTip() for one in (widget, *widget.findChildren(QWidget)) if one.toolTip()]


@pytest.mark.parametrize("target", [None, "somewhere"])
@pytest.mark.parametrize(
    "facts",
    [
        CellFacts(kind="text", text="Koi", tip="so <big>"),
        CellFacts(kind="stock", code="no-stock-entry"),
        CellFacts(kind="number", number=3, tip="so <big>"),
    ],
)
def test_a_fact_of_the_details_is_explained_in_words(qtbot: QtBot, facts: CellFacts, target: str | None) -> None:
    pane = DetailsPane()
    pane.set_facts([DetailField("Label", to_cell(facts), target=target)])
    shown(qtbot, pane, QSize(300, 400))
    said = [tip for tip in tips(pane) if "big" in tip or "stock entry" in tip]
    assert said
    assert not [tip for tip in said if TWICE in tip]


def test_no_tool_tip_of_the_window_holds_markup_to_read(window: MainWindow) -> None:
    for name in TABS:
        window.show_tab(name)
        assert not [tip for tip in tips(window) if TWICE in tip]
    window.show_tab("pets")
    model = tab_of(window).model
    cells = [model.index(row, at) for row in range(model.rowCount()) for at in range(model.columnCount())]
    assert not [index for index in cells if TWICE in str(index.data(Qt.ItemDataRole.ToolTipRole))]
