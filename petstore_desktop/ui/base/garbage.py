"""When Python looks for garbage in cycles: in the window's thread only, and when there is time. And when what is free
is given back to the system: in a thread of its own, since nobody has to wait for it."""

from __future__ import annotations

import atexit
import gc
import itertools
import threading

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from petstore_desktop.platform_support import give_back_memory

IDLE_MS = 2_000
OLD_EVERY = 150
"""So many collections of the young come to one of everything: once in five minutes."""
GIVE_BACK_EVERY = 4
"""And so many to one time that free memory is given back."""


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
    timer = QTimer(application)
    timer.setInterval(IDLE_MS)
    timer.timeout.connect(tidy)
    timer.start()


def clear_own_clipboard() -> None:
    """Drop what was copied where no other program can see it: without a screen the clipboard is Qt's own, which frees
    its data after Python has ended, and crashes on data that Python made."""
    if QGuiApplication.instance() is not None and QGuiApplication.platformName() == "offscreen":
        QGuiApplication.clipboard().clear()
