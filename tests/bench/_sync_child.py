"""The real window while a shop's rows arrive, as a program of its own: `_sync_child.py DATA CONNECTION PETS [explain]`.

A timer of 1 ms in the GUI thread notes when it fires, from the first paint until every list is read. Prints one JSON
line: the intervals in ms, when the pets came, and how many. With `explain`, what both threads did in each
interval over BOUND_MS goes to stderr (its own run: watching costs time).
"""

from __future__ import annotations

import faulthandler
import json
import os
import sys
import time
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).resolve().parents[2]
DEADLINE_S = 60.0
BOUND_MS = 20.0
SETTLED_S = 0.3


class Ticks:
    """The times at which a timer of 1 ms fired."""

    def __init__(self, watch_to: TextIO | None) -> None:
        from PySide6.QtCore import Qt, QTimer

        self.at: list[float] = []
        self._watch_to = watch_to
        self._timer = QTimer(interval=1, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        """Begin now."""
        self.at.append(time.perf_counter())
        self._timer.start()

    def stop(self) -> None:
        """End; nothing is watched any more."""
        self._timer.stop()
        faulthandler.cancel_dump_traceback_later()

    def _tick(self) -> None:
        self.at.append(time.perf_counter())
        if self._watch_to is not None:
            faulthandler.dump_traceback_later(BOUND_MS / 1000, file=self._watch_to)


def main(data: str, connection: str, pets: int, explain: bool) -> int:
    """Open the window, wait until all is read, and print what the timer saw."""
    sys.path[0] = str(ROOT)
    from PySide6.QtCore import QTimer

    from petstore_desktop import app
    from petstore_desktop.domain.records import Resource
    from petstore_desktop.ui.first_paint import after_first_paint

    program = app.Program(app.Start(data_dir=data, connection=connection))
    program.open()
    window = program.window
    if window is None:
        raise RuntimeError("the program opened no shop")
    ticks = Ticks(sys.stderr if explain else None)
    began = time.perf_counter()
    filled: list[float] = []

    def look() -> None:
        desk = window.shop.desk
        if not filled and len(desk.shop.stores[Resource.PETS]) >= pets:
            filled.append(time.perf_counter())
        over = all(desk.load(resource).as_of is not None for resource in Resource) and filled
        if time.perf_counter() - began > DEADLINE_S:
            program.application.exit(1)
        elif over and time.perf_counter() - filled[0] > SETTLED_S:
            program.application.quit()

    timer = QTimer(interval=50)
    timer.timeout.connect(look)
    after_first_paint(window, lambda: (ticks.start(), timer.start()))
    code = program.application.exec()
    ticks.stop()
    shown = len(window.shop.desk.shop.stores[Resource.PETS])
    gaps = [(later - earlier) * 1000 for earlier, later in zip(ticks.at, ticks.at[1:], strict=False)]
    found = {"gaps_ms": gaps, "pets": shown, "took_s": filled[0] - ticks.at[0] if filled else None}
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()
    os._exit(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:] == ["explain"]))
