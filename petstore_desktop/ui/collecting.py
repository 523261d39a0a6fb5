"""When Python looks for garbage in cycles: in the window's thread only, and when there is time."""

from __future__ import annotations

import gc
import itertools

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

IDLE_MS = 2_000
OLD_EVERY = 150
"""So many collections of the young come to one of everything: once in five minutes."""


def collect_only_here(application: QApplication) -> None:
    """Collect cyclic garbage in this thread only, when there is time: another thread would destroy QObjects."""
    gc.disable()
    gc.freeze()  # what a start has made stays to the end; to look through it first would halt the new window
    turns = itertools.count(1)
    timer = QTimer(application)
    timer.setInterval(IDLE_MS)
    # The old are looked through seldom: with many rows that takes a moment.
    timer.timeout.connect(lambda: gc.collect(2 if next(turns) % OLD_EVERY == 0 else 1))
    timer.start()
