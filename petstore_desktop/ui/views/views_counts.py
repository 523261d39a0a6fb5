"""Counts the rows of views while their menu is open, in small slices between everything else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from petstore_desktop.desk.jump.view_counts import counting

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.jump.views import SavedView

_STEP_S = 0.004


class ViewCounts(QObject):
    """Counts when told.

    Signals:
        counted: tuple[str, int]: the view of this id has so many rows.
    """

    counted = Signal(object)

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._work: Iterator[tuple[str, int] | None] = iter(())
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._go_on)

    def count(self, views: Sequence[SavedView]) -> None:
        """Count these views; what was begun is given up."""
        self._work = counting(self._desk.shop, views, _STEP_S)
        self._turn.start()

    def stop(self) -> None:
        """Nobody looks any more."""
        self._turn.stop()

    def _go_on(self) -> None:
        for told in self._work:
            if told is None:
                return
            self.counted.emit(told)
        self._turn.stop()
