"""Tells whether a widget still exists, for late callbacks.

A widget's own method cannot tell: connections to a destroyed object's methods are cut first.

And when Python looks for garbage in cycles: in the window's thread only, and when there is time; free memory is given
back to the system in a thread of its own, so that nothing waits for it.
"""

from __future__ import annotations

import atexit
import gc
import itertools
import threading
from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from petstore_desktop.platform_support import give_back_memory
from petstore_desktop.ui.base.building import timer


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


IDLE_MS = 2_000
OLD_EVERY = 150
"""How many young collections make one full collection: once in five minutes."""
GIVE_BACK_EVERY = 4
"""How many make one return of free memory to the system."""


def collect_only_here(application: QApplication) -> None:
    """Collect cyclic garbage in this thread only, when there is time: another thread would destroy QObjects."""
    gc.disable()
    gc.freeze()  # what a start has made stays to the end; to look through it first would halt the new window
    give_back_memory()
    turns = itertools.count(1)

    def tidy() -> None:
        turn = next(turns)
        # The old are looked through seldom: with many rows that takes a moment.
        gc.collect(2 if turn % OLD_EVERY == 0 else 1)
        if turn % GIVE_BACK_EVERY == 0:
            threading.Thread(target=give_back_memory, name="memory", daemon=True).start()

    atexit.register(clear_own_clipboard)
    timer(application, IDLE_MS, tidy).start()


def clear_own_clipboard() -> None:
    """Drop copied data where no other program can see it: without a screen the clipboard is Qt's own, which frees
    its data after Python has ended, and crashes on data that Python made."""
    if QGuiApplication.instance() is not None and QGuiApplication.platformName() == "offscreen":
        QGuiApplication.clipboard().clear()
