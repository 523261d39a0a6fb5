"""Lets time pass in a process that has a window: its loop turns, and its threads go on.

QTest.qWait keeps the interpreter's lock while it sleeps: whatever a thread has to do waits for its end, and a program
in the process of a test goes as slowly as the test looks at it.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QTimer


def turn(ms: int) -> None:
    """For so many milliseconds."""
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()
    # Not under an event loop of its own, Qt keeps what asked to be deleted until told.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
