"""The real window over a journal, as a program of its own: `_journal_child.py DATA CONNECTION WAITING EDITS PAUSE`.

It notes when rows are painted first, when all that waits in the journal is known, and what memory it has then; books
+1 so often on the stock of one pet after the other, with a pause (ms) after each, and notes how long each took from the
press of Enter until the mark "saved" in its row was painted and given to the screen. Prints one JSON line: `painted`
and `known` in seconds of `time.perf_counter`, which all processes share, `memory_mib`, `saved_ms`, and `work_ms`: how
much of that the window's thread has computed.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEADLINE_S = 120.0
KEY_MS = 50
"""Between the last sign and Enter: nobody types faster, and what was typed is painted by then."""
SETTLED = 8
"""So many pauses are long enough for what the program does when nothing else is to do."""


class Work:
    """Goes from one step to the next by the window's own events."""

    def __init__(self, program: object, waiting: int, edits: int, pause_ms: int) -> None:
        self._program, self._waiting, self._edits = program, waiting, edits
        self._pause_ms = pause_ms
        self._desk = program.window.shop.desk
        self._pressed = self._worked = 0.0
        self._row = self._column = 0
        self._shown = ""
        """The booking that the row showed when Enter was pressed."""
        self.painted = self.known = 0.0
        self.memory_mib = 0.0
        self.saved_ms: list[float] = []
        self.work_ms: list[float] = []

    def begin(self) -> None:
        """Right after the first paint."""
        from PySide6.QtCore import QTimer

        self.painted = time.perf_counter()
        self._program.window.after_paint.bridge.changed.connect(self._changed)
        QTimer.singleShot(int(DEADLINE_S * 1000), lambda: self._program.application.exit(1))
        self._changed(None)

    def _changed(self, moved: object) -> None:
        """Comes after the window's own work with what moved."""
        if not self.known and self._all_known():
            self.known = time.perf_counter()
            self._after(SETTLED * self._pause_ms, self._weigh)

    def _watch(self, view: object) -> None:
        """Look at each paint of the rows."""
        from PySide6.QtCore import QEvent, QObject, Qt, Signal

        work = self

        class Eye(QObject):
            painted = Signal()

            def eventFilter(self, _: QObject, event: QEvent) -> bool:
                if event.type() == QEvent.Type.Paint and work._shows(view, event.region()):
                    self.painted.emit()
                return False

        self._eye = Eye()
        # What is queued has its turn when the paint that is under way is with the screen.
        self._eye.painted.connect(self._seen, Qt.ConnectionType.QueuedConnection)
        view.viewport().installEventFilter(self._eye)

    def _shows(self, view: object, region: object) -> bool:
        """Whether what is painted now is the mark of the change that was made last. The row may have borne one."""
        if not self._pressed or self._chip(view) == self._shown:
            return False
        mark = view.model().index(self._row - 1, 0)
        return view.model().cell(mark).mark == "unsent" and region.intersects(view.visualRect(mark))

    def _chip(self, view: object) -> str:
        """The booking that the list shows in the row of the change that was made last."""
        return view.model().cell(view.model().index(self._row - 1, self._column)).chip

    def _seen(self) -> None:
        if self._pressed:
            self.saved_ms.append((time.perf_counter() - self._pressed) * 1000)
            self.work_ms.append((time.thread_time() - self._worked) * 1000)
            self._pressed = 0.0
            self._after(self._pause_ms, self._book)

    def _all_known(self) -> bool:
        from petstore_desktop.domain.records import Resource

        told = all(self._desk.load(resource).as_of is not None for resource in Resource)
        return told and len(self._desk.outbox) >= self._waiting

    def _weigh(self) -> None:
        self.memory_mib = memory_mib()
        self._program.window.show_tab("inventory")
        self._watch(self._program.window.tab().view)
        self._after(SETTLED * self._pause_ms, self._book)

    def _book(self) -> None:
        """Walk to the next row, type, and press Enter."""
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QLineEdit

        if len(self.saved_ms) >= self._edits:
            self._program.application.exit(0)
            return
        tab = self._program.window.tab()
        view = tab.view
        self._column = [one.id for one in tab.table.columns].index("stock")
        view.setFocus()
        view.setCurrentIndex(view.model().index(self._row, self._column))
        self._row += 1
        self._shown = self._chip(view)
        QTest.keyClicks(view, "+")
        (editor,) = [one for one in view.viewport().findChildren(QLineEdit) if one.isVisible()]
        QTest.keyClicks(editor, "1")

        def enter() -> None:
            self._pressed, self._worked = time.perf_counter(), time.thread_time()
            QTest.keyClick(editor, Qt.Key.Key_Return)

        self._after(KEY_MS, enter)

    def _after(self, ms: int, then: object) -> None:
        from PySide6.QtCore import QTimer

        QTimer.singleShot(ms, then)


def memory_mib() -> float:
    """What this process has of the memory: its own, and its share of what others use too (PSS)."""
    rollup = Path("/proc/self/smaps_rollup")
    if not rollup.exists():
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    lines = rollup.read_text("ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:"))


def main(data: str, connection: str, waiting: int, edits: int, pause_ms: int) -> None:
    """Open the window, work, print and end."""
    from petstore_desktop import app
    from petstore_desktop.ui.base.first_paint import after_first_paint

    program = app.Program(app.Start(data_dir=data, connection=connection))
    program.open()
    if program.window is None:
        raise RuntimeError("the program opened no shop")
    work = Work(program, waiting, edits, pause_ms)
    after_first_paint(program.window, work.begin)
    code = program.application.exec()
    found = {name: getattr(work, name) for name in ("painted", "known", "memory_mib", "saved_ms", "work_ms")}
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()
    os._exit(code)


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6]))
