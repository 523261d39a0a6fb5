"""The real window over a shop, as a program of its own: `_path_child.py DATA CONNECTION EDITS`.

Books +1 on the stock of one pet after the other, and counts what our code does from Enter to "sent" (`path` says what
is counted). The first edits are not counted: they import what the others find imported. Prints one JSON line: by
figure, a list with a value for each edit.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from itertools import pairwise, takewhile
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
OURS = str(ROOT / "petstore_desktop")
WARM = 3
PAUSE_MS = 500
"""Between two edits: what the program does when nothing else is to do is over by then."""
DEADLINE_S = 120.0


class Counter:
    """A profile function for all threads; it counts between `begin` and `end`."""

    def __init__(self) -> None:
        from asyncio.base_events import BaseEventLoop

        from petstore_desktop.sync.wire.event_queue import EventQueue

        self.found: dict[str, list[int]] = {"calls": [], "crossings": [], "hops": [], "files": []}
        self._wakes = {BaseEventLoop.call_soon_threadsafe.__code__, EventQueue._wake.__code__}
        self._handed = {BaseEventLoop.call_soon_threadsafe.__code__, EventQueue.put.__code__}
        self._on = False

    def begin(self) -> None:
        """Count from here on."""
        self._calls = self._crossings = self._hops = 0
        self._files: set[str] = set()
        self._stacks: dict[int, list[CodeType]] = {}
        self._on = True

    def end(self) -> None:
        """Keep what was counted."""
        self._on = False
        counted = (self._calls, self._crossings, self._hops, len(self._files))
        for values, value in zip(self.found.values(), counted, strict=True):
            values.append(value)

    def __call__(self, frame: FrameType, event: str, called: Any) -> None:
        if self._on and event == "c_call":
            name, of = getattr(called, "__name__", ""), type(getattr(called, "__self__", None)).__name__
            if (name, of) in (("emit", "SignalInstance"), ("execute", "Connection"), ("send", "socket")):
                self._effect(frame)
        elif self._on and event == "call":
            self._calls += frame.f_code.co_filename.startswith(OURS)
            self._crossings += frame.f_code in self._wakes
            if frame.f_code in self._handed:
                self._effect(frame)

    def _effect(self, frame: FrameType | None) -> None:
        """Follow the stack to this effect from where it left that of the last effect in this thread."""
        stack: list[CodeType] = []
        while frame is not None:
            if frame.f_code.co_filename.startswith(OURS):
                stack.insert(0, frame.f_code)
            frame = frame.f_back
        last = self._stacks.get(threading.get_ident(), [])
        common = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(last, stack, strict=False)))
        files = [code.co_filename for code in stack]
        self._hops += sum(one != two for one, two in pairwise(files[max(0, common - 1) :]))
        self._files.update(files)
        self._stacks[threading.get_ident()] = stack


class Work:
    """Goes from one edit to the next by the window's own events."""

    def __init__(self, program: Any, counter: Counter, edits: int) -> None:
        self._program, self._counter, self._left = program, counter, edits + WARM
        self._row = -1
        self._sent = True

    def begin(self) -> None:
        """Right after the first paint."""
        from PySide6.QtCore import QTimer

        QTimer.singleShot(int(DEADLINE_S * 1000), lambda: self._program.application.exit(1))
        self._program.window.after_paint.bridge.changed.connect(lambda _: self._changed())
        self._after(PAUSE_MS, lambda: self._program.window.show_tab("inventory"))
        self._after(3 * PAUSE_MS, self._book)

    def _book(self) -> None:
        """Walk to the next row, type, and press Enter."""
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QLineEdit

        tab = self._program.window.tab()
        column = [one.id for one in tab.table.columns].index("stock")
        self._row += 1
        tab.view.setFocus()
        tab.view.setCurrentIndex(tab.view.model().index(self._row, column))
        QTest.keyClicks(tab.view, "+")
        (editor,) = [one for one in tab.view.viewport().findChildren(QLineEdit) if one.isVisible()]
        QTest.keyClicks(editor, "1")

        def enter() -> None:
            self._sent = False
            self._counter.begin()
            QTest.keyClick(editor, Qt.Key.Key_Return)

        self._after(PAUSE_MS, enter)

    def _changed(self) -> None:
        """Comes after the window's own work with what moved."""
        model = self._program.window.tab().view.model()
        if not self._sent and model.cell(model.index(self._row, 0)).mark == "sent":
            self._sent = True
            self._after(0, lambda: self._after(0, self._end))  # what was put off to the next turn belongs to it

    def _end(self) -> None:
        self._counter.end()
        self._left -= 1
        self._after(PAUSE_MS, self._book if self._left else lambda: self._program.application.exit(0))

    def _after(self, ms: int, then: Callable[[], object]) -> None:
        from PySide6.QtCore import QTimer

        QTimer.singleShot(ms, then)


def main(data: str, connection: str, edits: int) -> None:
    """Open the window, work, print and end."""
    from petstore_desktop import app
    from petstore_desktop.ui.base.first_paint import after_first_paint

    counter = Counter()
    sys.setprofile(counter)
    threading.setprofile(counter)
    program = app.Program(app.Start(data_dir=data, connection=connection))
    program.open()
    if program.window is None:
        raise RuntimeError("the program opened no shop")
    after_first_paint(program.window, Work(program, counter, edits).begin)
    code = program.application.exec()
    sys.setprofile(None)
    sys.stdout.write(json.dumps({name: values[WARM:] for name, values in counter.found.items()}) + "\n")
    sys.stdout.flush()
    os._exit(code)


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
