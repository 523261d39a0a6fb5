"""What goes wrong in a running program because a test wants it."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QTimer

from petstore_desktop.domain.changes import NewChange
from petstore_desktop.domain.commands import Apply

Program = Any


def fail(program: Program, where: str, message: str) -> None:
    """Something nobody expected, in the window's thread, in that of the sync, or in the machine code below."""

    class FailedForTheTest(Exception): ...

    class FailsForTheTest(tuple[NewChange, ...]):
        __slots__ = ()

        def __iter__(self) -> Iterator[NewChange]:
            raise FailedForTheTest(message)

    def fail_now() -> None:
        raise FailedForTheTest(message) from KeyError(message)

    if where == "window":
        QTimer.singleShot(0, fail_now)
    elif where == "thread":
        threading.Thread(target=fail_now, name="helper").start()
    elif where == "sync":
        program.session.submit(Apply("failing", FailsForTheTest()))
    else:
        QTimer.singleShot(0, {"abort": os.abort, "null": lambda: ctypes.string_at(0)}[where])
