"""What dropping each filter of a list would bring, counted beside everything else: a few milliseconds a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from petstore_desktop.ui.lists.list_facts import ActiveFilter, active

if TYPE_CHECKING:
    from petstore_desktop.desk.table.table import Table

_TURN_S = 0.004


class FilterCounts(QObject):
    """For one list; `done` is called when there are new counts."""

    def __init__(self, table: Table, done: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._table, self._done = table, done
        self._known: Mapping[str, int] = {}
        self._of: tuple[ActiveFilter, ...] = ()
        self._of_next: tuple[ActiveFilter, ...] = ()
        self._work: Iterator[Mapping[str, int] | None] | None = None
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._count)

    def filters(self) -> tuple[ActiveFilter, ...]:
        """What is filtered by now, the filter over all columns first, with what is known of the counts."""
        known: Mapping[str, int] = self._known if active(self._table) == self._of else {}
        return tuple(ActiveFilter(one.column, one.text, known.get(one.column)) for one in active(self._table))

    def begin(self) -> None:
        """Count anew; what was counted is shown until then."""
        self._of_next = active(self._table)
        self._work = self._table.counts_without()
        self._turn.start()

    def stop(self) -> None:
        """Nobody looks."""
        self._turn.stop()
        self._work, self._known, self._of = None, {}, ()

    def _count(self) -> None:
        until = perf_counter() + _TURN_S
        while self._work is not None and perf_counter() < until:
            found = next(self._work)
            if found is not None:
                self._turn.stop()
                self._work = None
                if found != self._known or self._of != self._of_next:
                    self._known, self._of = found, self._of_next
                    self._done()
