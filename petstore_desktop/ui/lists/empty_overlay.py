"""The page that stands where rows would, with the actions it offers, and what dropping each filter would bring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QTableView

from petstore_desktop.desk.table.table import Table
from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.context.action_set import ActionSet
from petstore_desktop.ui.lists.empty_texts import instead_of_rows
from petstore_desktop.ui.lists.list_facts import ActiveFilter, ListFacts, active
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.empty_state import EmptyState

if TYPE_CHECKING:
    from petstore_desktop.ui.lists.list_bar import CountsAndNotices


_TURN_S = 0.004
"""Seconds that rows are counted before other work has its turn."""


class InsteadOfRows(QObject):
    """Lies over the rows, below the header, which stays."""

    def __init__(self, view: QTableView, table: Table, state: CountsAndNotices, actions: ActionSet) -> None:
        super().__init__(view)
        self._asked: tuple[ListFacts, str] | None = None
        self._view, self._table, self._state, self._actions = view, table, state, actions
        self._counting, self._counted = tuple[ActiveFilter, ...](), tuple[ActiveFilter, ...]()
        """The filters that are being counted, and those that `_without` belongs to."""
        self._without: Mapping[str, int] = {}
        """Of each filter, how many rows there are without it."""
        self._work = SlicedWork(self, _TURN_S, self._take_counts)
        self.page = EmptyState(view)
        self.page.hide()
        self._shown: object = None
        self._own = {
            "stopLoading": self._action(tr("Stop reading"), state.stop),
            "tryAgain": self._action(tr("Try again"), state.again),
            "rawAnswer": self._action(tr("Server response"), state.show_raw),
            "showAside": self._action(tr("Records set aside"), state.show_aside),
            "dropFilter": self._action(tr("Clear filter"), actions["clearFilter"].trigger),
            "setMinimums": self._action(tr("Set minimums…"), self._to_minimums),
        }
        self._own["dropFilters"] = self._action(tr("Clear all filters"), actions["clearFilter"].trigger)
        self.page.rowActivated.connect(state.drop_filter)
        view.viewport().installEventFilter(self)

    def _action(self, text: str, do: Callable[[], object]) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(lambda _checked=False: do())
        return action

    def _to_minimums(self) -> None:
        """All rows, at the cell where the first one's minimum is typed."""
        self._actions["clearFilter"].trigger()
        column = next((n for n, one in enumerate(self._table.columns) if one.level == "minimum"), -1)
        if self._view.isColumnHidden(column):
            self._view.showColumn(column)
        self._view.setCurrentIndex(self._view.model().index(0, column))
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self, facts: ListFacts, create_action: str) -> None:
        """Show what the list's state asks for, or the rows."""
        self._asked = (facts, create_action)
        if facts.shown or len(facts.filters) < 2:
            self._work.stop()
            self._counted = ()
        else:  # the old counts are shown until there are new ones
            self._counting = active(self._table)
            self._work.begin(self._table.counts_without())
        self._show()

    def _take_counts(self, found: Mapping[str, int]) -> None:
        if (found, self._counting) != (self._without, self._counted):
            self._without, self._counted = found, self._counting
            self._show()

    def _filters(self) -> tuple[ActiveFilter, ...]:
        """The present filters, with their counts where these are known."""
        now = active(self._table)
        known: Mapping[str, int] = self._without if now == self._counted else {}
        return tuple(replace(one, without=known.get(one.column)) for one in now)

    def _show(self) -> None:
        if self._asked is None:
            return
        facts, create_action = self._asked
        facts = facts if facts.shown else replace(facts, filters=self._filters())
        words = instead_of_rows(facts, create_action)
        if words is not None:
            # Only shown beside the button: Esc in the filter field and in the table does it, never for the view's own.
            key = "" if self._state.is_filtered_by_view() else "Esc"
            for name in ("dropFilter", "dropFilters"):
                self._own[name].setShortcut(key)
        if words is not None and words != self._shown:
            primary, quiet = self._find(words.primary), self._find(words.quiet)
            self.page.set_content(words.title, words.what, words.why, words.rows, primary, quiet)
            self.page.set_progress(words.progress, words.fraction)
        self._shown = words
        if words is not None:
            self._place()
        self.page.setVisible(words is not None)

    def _find(self, name: str) -> QAction | None:
        if not name:
            return None
        return self._own[name] if name in self._own else self._actions[name]

    def _place(self) -> None:
        self.page.setGeometry(self._view.viewport().geometry())
        self.page.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and not self.page.isHidden():
            self._place()
        return super().eventFilter(watched, event)
