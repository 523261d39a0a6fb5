"""Whether a widget is still there, for whoever calls back later.

A widget's own method cannot tell: what is connected to a method of an object that is destroyed is disconnected first.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject


class Life:
    """The life of one widget. `at_end` is called when it ends, if it is set then: what still runs for it is stopped."""

    def __init__(self, widget: QObject) -> None:
        self.over = False
        self.at_end: Callable[[], object] | None = None
        widget.destroyed.connect(lambda: self._end())  # a lambda belongs to nobody who could be destroyed

    def _end(self) -> None:
        self.over = True
        at_end, self.at_end = self.at_end, None
        if at_end is not None:
            at_end()
