"""The page that stands where rows would, with the actions it offers, and what dropping each filter would bring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
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


class InsteadOfRows(QObject):
    """Lies over the rows, below the header, which stays."""

    def __init__(self, view: QTableView, table: Table, state: CountsAndNotices, actions: ActionSet) -> None:
        super().__init__(view)
        self._counts = FilterCounts(table, self._show, self)
        self._asked: tuple[ListFacts, str] | None = None
        self._view, self._state, self._actions = view, state, actions
        self.page = EmptyState(view)
        self.page.hide()
        self._shown: object = None
        self._own = {
            "stopLoading": self._action(tr("Stop reading"), state.stop),
            "tryAgain": self._action(tr("Try again"), state.again),
            "rawAnswer": self._action(tr("Server response"), state.show_raw),
            "showAside": self._action(tr("Records set aside"), state.show_aside),
            "dropFilter": self._action(tr("Clear filter"), actions["clearFilter"].trigger),
        }
        self._own["dropFilters"] = self._action(tr("Clear all filters"), actions["clearFilter"].trigger)
        self.page.rowActivated.connect(state.drop_filter)
        view.viewport().installEventFilter(self)

    def _action(self, text: str, do: Callable[[], object]) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(lambda _checked=False: do())
        return action

    def refresh(self, facts: ListFacts, create_action: str) -> None:
        """Show what the list's state asks for, or the rows."""
        self._asked = (facts, create_action)
        if facts.shown or len(facts.filters) < 2:
            self._counts.stop()
        else:
            self._counts.begin()
        self._show()

    def _show(self) -> None:
        if self._asked is None:
            return
        facts, create_action = self._asked
        facts = facts if facts.shown else replace(facts, filters=self._counts.filters())
        words = instead_of_rows(facts, create_action)
        for name in ("dropFilter", "dropFilters"):
            # Only shown beside the button: Esc in the filter field and in the table does it, never for the view's own.
            self._own[name].setShortcut("" if self._state.is_filtered_by_view() else "Esc")
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


_TURN_S = 0.004


class FilterCounts(QObject):
    """For one list; `done` is called when there are new counts."""

    def __init__(self, table: Table, done: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._table, self._done = table, done
        self._known: Mapping[str, int] = {}
        self._of: tuple[ActiveFilter, ...] = ()
        self._of_next: tuple[ActiveFilter, ...] = ()
        self._work = SlicedWork(self, _TURN_S, self._counted)

    def filters(self) -> tuple[ActiveFilter, ...]:
        """The present filters, the one over all columns first, with the known counts."""
        known: Mapping[str, int] = self._known if active(self._table) == self._of else {}
        return tuple(ActiveFilter(one.column, one.text, known.get(one.column)) for one in active(self._table))

    def begin(self) -> None:
        """Count again; the old counts are shown until then."""
        self._of_next = active(self._table)
        self._work.begin(self._table.counts_without())

    def stop(self) -> None:
        """End the count, and forget the counts."""
        self._work.stop()
        self._known, self._of = {}, ()

    def _counted(self, found: Mapping[str, int]) -> None:
        if found != self._known or self._of != self._of_next:
            self._known, self._of = found, self._of_next
            self._done()
