"""The numbers of a chart as a table for screen readers, which find it in the chart's group; nothing of it is seen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QTableView, QWidget

from petstore_desktop.ui.base.building import named
from petstore_desktop.ui.base.theme import to_say


class ChartNumbers(QTableView):
    """Lies behind the chart's slots, and takes neither mouse nor keyboard: each slot is a button that says its own."""

    def __init__(self, chart: QWidget) -> None:
        super().__init__(chart)
        named(self, "chartNumbers")
        self.setModel(QStandardItemModel(self))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        for bar in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            bar(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        self.setGeometry(chart.rect())
        self.lower()
        self.show()

    def show_numbers(self, title: str, rows: Sequence[Sequence[str | int]]) -> None:
        """The first of the rows are the titles of the columns."""
        self.setAccessibleName(to_say(title))
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        model.clear()
        titles, *lines = rows
        model.setHorizontalHeaderLabels([to_say(str(one)) for one in titles])
        for line in lines:
            model.appendRow([QStandardItem(to_say(str(one))) for one in line])
        model.setVerticalHeaderLabels([to_say(str(line[0])) for line in lines])

    def paintEvent(self, event: QPaintEvent) -> None:
        """The chart itself is seen."""
