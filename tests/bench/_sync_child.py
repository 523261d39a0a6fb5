"""The real window while a shop's rows arrive, as a program of its own: `_sync_child.py DATA CONNECTION PETS [explain]`.

A timer of 1 ms in the GUI thread notes when it fires, from the first paint until every list is read and a moment more;
then all is refreshed once more, and noted apart.
Prints one JSON line: the intervals in ms, the window's own work in each, when the pets and all lists came, how long the
second reading took, and how many pets there are. With
`explain` it also says what was going on in each interval over LONG_MS (a run of its own: watching costs time).
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
DEADLINE_S, MORE_S = 120.0, 0.0018
"""Until all is read twice, and so many more seconds for each pet."""
LONG_MS = 20.0
SETTLED_S, FEW, FEW_SETTLED_S = 2.5, 1_000, 0.3
"""Long enough for what the program does when nothing else is to do, such as collecting garbage; with so few pets it has
nothing to do, and nothing is judged."""
SAMPLE_S = 0.003
FRAMES = 4
"""Innermost lines of each thread that are worth telling."""


class Ticks:
    """The times at which a timer of 1 ms fired."""

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self.at: list[float] = []
        self.worked: list[float] = []
        """Seconds that the thread itself has computed, at each of these times."""
        self._timer = QTimer(interval=1, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        """Begin now."""
        self._tick()
        self._timer.start()

    def stop(self) -> None:
        """End."""
        self._timer.stop()

    def _tick(self) -> None:
        self.at.append(time.perf_counter())
        self.worked.append(time.thread_time())


class Sample(NamedTuple):
    """What was going on at one moment."""

    at: float
    doing: str


class Watcher(threading.Thread):
    """Looks at the threads again and again; it sees them where they let go of the interpreter."""

    def __init__(self) -> None:
        super().__init__(name="watcher", daemon=True)
        self.samples: list[Sample] = []
        self._window = threading.main_thread().ident

    def run(self) -> None:
        while True:
            time.sleep(SAMPLE_S)
            names = {thread.ident: thread.name for thread in threading.enumerate()}
            said: list[str] = []
            for ident, frame in sys._current_frames().items():
                if ident == self._window:
                    said.insert(0, f"window: {innermost(frame)}")
                elif names.get(ident, "").startswith("sync"):
                    said.append(f"sync: {innermost(frame)}")
            self.samples.append(Sample(time.perf_counter(), "; ".join(said)))

    def during(self, start: float, end: float) -> str:
        """Return what was seen most between two moments."""
        seen = [sample.doing for sample in self.samples if start < sample.at <= end]
        return max(seen, key=seen.count, default="nothing was seen")


def innermost(frame: FrameType | None) -> str:
    """Return a thread's innermost lines: `paint.py:7 draw < table_view.py:126 paintEvent`."""
    lines: list[str] = []
    while frame is not None and len(lines) < FRAMES:
        lines.append(f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno} {frame.f_code.co_name}")
        frame = frame.f_back
    return " < ".join(lines)


def main(data: str, connection: str, pets: int, explain: bool) -> None:
    """Open the window, wait until all is read, print what the timer saw, and end."""
    from petstore_desktop import app
    from petstore_desktop.ui.base.first_paint import after_first_paint

    program = app.Program(app.Start(data_dir=data, connection=connection))
    program.open()
    if program.window is None:
        raise RuntimeError("the program opened no shop")
    program.window.show_tab("pets")
    ticks, watcher, wait = Ticks(), Watcher(), Wait(program, pets)
    if explain:
        watcher.start()
    after_first_paint(program.window, lambda: (ticks.start(), wait.start()))
    code = program.application.exec()
    ticks.stop()
    filled = [time for time in ticks.at if time <= wait.refreshed]
    gaps = list(pairwise(filled))
    again = [time for time in ticks.at if time >= wait.refreshed]
    found = {
        "gaps_ms": [(end - start) * 1000 for start, end in gaps],
        "work_ms": [(end - start) * 1000 for start, end in zip(ticks.worked, ticks.worked[1:], strict=False)],
        "again_ms": [(end - start) * 1000 for start, end in pairwise(again)],
        "pets": wait.count(),
        "took_s": wait.filled - ticks.at[0],
        "all_s": wait.read - ticks.at[0],
        "reread_s": wait.read_again - wait.refreshed,
        "long": [watcher.during(start, end) for start, end in gaps if explain and (end - start) * 1000 > LONG_MS],
    }
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()
    os._exit(code)


class Wait:
    """Ends the program a moment after everything was read, or at the deadline with exit code 1."""

    def __init__(self, program: object, pets: int) -> None:
        from PySide6.QtCore import QTimer

        self.filled = self.read = self.refreshed = self.read_again = 0.0
        self._program, self._pets = program, pets
        self._settled_s = SETTLED_S if pets >= FEW else FEW_SETTLED_S
        self._began = time.perf_counter()
        self._timer = QTimer(interval=50)
        self._timer.timeout.connect(self._look)

    def start(self) -> None:
        """Begin to look."""
        self._timer.start()

    def count(self) -> int:
        """Return how many pets the window has."""
        from petstore_desktop.domain.records import Resource

        return len(self._program.window.shop.desk.shop.stores[Resource.PETS])

    def _look(self) -> None:
        from petstore_desktop.domain.records import Resource

        now, desk = time.perf_counter(), self._program.window.shop.desk
        if not self.filled and self.count() >= self._pets:
            self.filled = now
        over = self.filled and all(desk.load(resource).as_of is not None for resource in Resource)
        self.read = self.read or (now if over else 0.0)
        if now - self._began > DEADLINE_S + MORE_S * self._pets:
            self._program.application.exit(1)
        elif over and not self.refreshed and now - self.read > self._settled_s:
            self._begin_again(now)
        elif self.refreshed:
            self._look_again(now)

    def _begin_again(self, now: float) -> None:
        """Somebody wants everything anew."""
        from petstore_desktop.domain.commands import Refresh
        from petstore_desktop.domain.records import Resource

        self.refreshed = now
        self._as_of = {resource: self._program.window.shop.desk.load(resource).as_of for resource in Resource}
        self._program.window.shop.submit(Refresh(tuple(Resource)))

    def _look_again(self, now: float) -> None:
        desk = self._program.window.shop.desk
        if not self.read_again and all(desk.load(resource).as_of != was for resource, was in self._as_of.items()):
            self.read_again = now
        if self.read_again and now - self.read_again > self._settled_s / 5:
            self._program.application.quit()


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:] == ["explain"])
