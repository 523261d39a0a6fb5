"""What is under way between this computer and the service: every open change, in the order of sending."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHeaderView, QMenu, QStackedWidget, QVBoxLayout, QWidget

from petstore_desktop.desk.waiting import OutboxLine
from petstore_desktop.ui.delegates.table_view import TableView
from petstore_desktop.ui.dialogs import opening
from petstore_desktop.ui.icons import set_icon, tint
from petstore_desktop.ui.models.activity_model import CHANGE, GUTTER, PLACE, RECORD, STATE, WHAT, ActivityModel
from petstore_desktop.ui.selection import selected_rows
from petstore_desktop.ui.theme import current
from petstore_desktop.ui.widgets.empty_state import EmptyState
from petstore_desktop.ui.widgets.tool_bar import ToolBar
from petstore_desktop.ui.words import counted_changes, plain_lines, tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QPoint

    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.ui.parts import WindowParts

_WIDTHS = {PLACE: 52, RECORD: 260, WHAT: 110, CHANGE: 120}


class ActivityTab(QWidget):
    """The list, and what one can do about its changes."""

    def __init__(self, parts: WindowParts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("activityTab")
        self._parts = parts
        self._desk = parts.shop.desk
        self.model = ActivityModel(self)
        self.view = TableView(self)
        self.view.setObjectName("activityView")
        self.view.setAccessibleName(tr("Activity"))
        self.view.setModel(self.model)
        self.page = EmptyState(self)
        self.bar = ToolBar(tr("What waits"), self)
        self.retry = self._action(tr("Send again"), "refresh", self._retry)
        self.discard = self._action(tr("Discard"), "undo", self._discard)
        self.raw = self._action(tr("Raw answer"), "info", self._raw)
        self.go = self._action(tr("Go to the record"), "external", self._go)
        self._lay_out()
        self._connect()
        self._refresh()

    def _action(self, text: str, icon: str, do: Callable[[], None]) -> QAction:
        action = QAction(text, self)
        set_icon(action, icon)
        action.triggered.connect(lambda _checked=False: do())
        return action

    def _lay_out(self) -> None:
        for action in (self.go, self.raw, self.discard, self.retry):
            self.bar.add_action(action)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.view)
        self.pages.addWidget(self.page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.pages, 1)
        self.view.set_gutter(GUTTER)
        header = self.view.horizontalHeader()
        for section, width in _WIDTHS.items():
            header.resizeSection(section, current().scaled(width))
        header.setSectionResizeMode(STATE, QHeaderView.ResizeMode.Stretch)

    def _connect(self) -> None:
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._open_menu)
        self.view.selectionModel().selectionChanged.connect(self._update_actions)
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self._stand_on)
        self.view.selectionModel().currentRowChanged.connect(self._soon.start)
        self.view.openRequested.connect(self._go)

    # -- what the desk says

    def desk_changed(self, moved: Changed) -> None:
        """After each turn of the bridge."""
        if moved.outbox or moved.gate or moved.rows:
            self._refresh()

    def _refresh(self) -> None:
        kept = [line.change_id for line in self._selected()]
        outbox = self._desk.outbox
        lines = outbox.lines()
        self.model.set_lines(lines, self._desk.gate, self._parts.now())
        self.pages.setCurrentIndex(0 if lines else 1)
        needs = outbox.needs_person
        counts = [counted_changes(len(lines))] if lines else []
        if needs:
            counts.append(tr("{n} need you", "", needs, one="{n} needs you"))
        self.bar.set_counts(tr(", ", "between parts of a line").join(counts))
        self.page.set_content(
            tr("Nothing waits"),
            tr("Every change is sent, and the service has confirmed it."),
            tr("New ones show here."),
        )
        if kept and not self._selected():
            self._select(kept)
        self._update_actions()

    def _stand_on(self) -> None:
        """Who comes by Tab stands on a row; Qt makes it current without selecting it, and a single row could then not
        be selected by arrow keys at all. Called when all else that moved the current row has done its selecting."""
        picked, now = self.view.selectionModel(), self.view.currentIndex()
        if now.isValid() and not picked.hasSelection():
            picked.select(now, QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows)

    def _select(self, change_ids: list[int]) -> None:
        rows = [row for row in map(self.model.row_of, change_ids) if row >= 0]
        if rows:
            self.view.selectRow(rows[0])

    # -- what a person does

    def _selected(self) -> list[OutboxLine]:
        return [self.model.line(row) for row in selected_rows(self.view) if row < self.model.rowCount()]

    def _with(self, action: str) -> list[OutboxLine]:
        stuck = ("refused", "conflict", "uncertain")
        marks = stuck if action == "retry" else (*stuck, "unsent")
        return [line for line in self._selected() if line.mark in marks]

    def _update_actions(self) -> None:
        self.retry.setEnabled(bool(self._with("retry")))
        self.discard.setEnabled(bool(self._with("discard")))
        self.raw.setEnabled(self._raw_text() is not None)
        self.go.setEnabled(len(self._selected()) == 1)

    def _raw_text(self) -> str | None:
        ids = {line.change_id for line in self._selected()}
        changes = [change for change in self._desk.outbox.open if change.id in ids and change.reason is not None]
        if len(changes) != 1 or changes[0].reason is None:
            return None
        return changes[0].reason.raw

    def _retry(self) -> None:
        lines = self._with("retry")
        if lines:
            self._parts.shop.retry(tuple(line.change_id for line in lines))

    def _discard(self) -> None:
        lines = self._with("discard")
        if lines:
            ids = tuple(line.change_id for line in lines)
            opening.open_discard(self.window(), len(ids), lambda: self._parts.shop.discard(ids))

    def _raw(self) -> None:
        raw = self._raw_text()
        if raw is not None:
            opening.open_raw(self.window(), self.model.sentence(self._selected()[0]), plain_lines(raw))

    def _go(self) -> None:
        lines = self._selected()
        if lines:
            self._parts.navigation.open(lines[0].ref)

    def _open_menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self.go, self.retry, self.discard, self.raw])
        tint(menu.actions())
        tint(menu.actions())
        menu.popup(self.view.viewport().mapToGlobal(at))
