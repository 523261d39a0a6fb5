"""What no test may do unnoticed: log a warning nobody expected, or block the event loop.

Thread exceptions, unraisable exceptions, warnings and Qt's own messages are watched by pytest and pytest-qt as
pyproject.toml tells them; tests/house plants one of each and proves that it is caught.
"""

from __future__ import annotations

import atexit
import logging
import re
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from PySide6.QtCore import QTimer

PACKAGE = "petstore_desktop"
HEARTBEAT_BOUND_MS = 1000.0
NOTED_MS = 100.0


class LogWatch(logging.Handler):
    """Collects every record of WARNING and above, from every thread, that no expectation covers.

    It listens at the root and at the package's own logger, so that a logger that does not propagate is heard too.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._expected: list[re.Pattern[str]] = []
        self._seen: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not any(record is seen for seen in self._seen):
            self._seen.append(record)

    def expect(self, pattern: str) -> None:
        """Allow, and demand, at least one record whose message matches (`re.search`)."""
        self._expected.append(re.compile(pattern))

    def __enter__(self) -> LogWatch:
        for name in (None, PACKAGE):
            logging.getLogger(name).addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        for name in (None, PACKAGE):
            logging.getLogger(name).removeHandler(self)

    def complaints(self) -> list[str]:
        """Return one line for each unexpected record and for each expected one that did not come."""
        said = [(record, record.getMessage()) for record in self._seen]
        lines = [
            f"unexpected log record: {record.levelname} {record.name}: {message}"
            for record, message in said
            if not any(pattern.search(message) for pattern in self._expected)
        ]
        lines += [
            f"expected log record did not come: {pattern.pattern!r}"
            for pattern in self._expected
            if not any(pattern.search(message) for _, message in said)
        ]
        return lines


class Witness:
    """A thread that sleeps, and notes each time it wakes whether this process waits for something.

    It waits where the watched thread sleeps and no other one is ready to run: for a keyring, a file, a network. Where
    a thread is ready, and the machine runs others meanwhile, that is the machine's doing. What the process computes is
    no matter of the witness. There is one for all tests of a process; it looks only while a Heartbeat beats, and counts
    as waiting, without a look, where one has just done so.
    """

    NAP_S = 0.02
    LATE_S = 0.02
    """A nap that took so much longer says nothing of what was between."""
    _only: ClassVar[Witness | None] = None

    def __init__(self, watched: int) -> None:
        self.beat = 0.0
        """When the last heartbeat was (perf_counter)."""
        self._watched = TASKS / str(watched) / "stat"
        self._waited: deque[tuple[float, float]] = deque(maxlen=100_000)
        self._woke = threading.Condition()
        self._naps = self._hearts = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="witness", daemon=True)
        self._thread.start()
        atexit.register(self._end)

    @classmethod
    def get(cls) -> Witness:
        """The one of this process, which watches the thread that asked first."""
        if cls._only is None:
            cls._only = cls(threading.get_native_id())
        return cls._only

    def listen(self, more: int) -> None:
        """So many more hearts beat than before (+1 or -1)."""
        with self._woke:
            self._hearts += more
            self._woke.notify_all()

    def _end(self) -> None:
        self._over.set()
        self.listen(0)
        self._thread.join()

    def _watch(self) -> None:
        me, last = str(threading.get_native_id()), time.perf_counter()
        while not self._over.wait(self.NAP_S):
            now = time.perf_counter()
            if now - last < self.NAP_S + self.LATE_S and (self.beat > last or self._waits(me)):
                self._waited.append((last, now))
            last = now
            with self._woke:
                self._naps += 1
                self._woke.notify_all()
                if not self._hearts:
                    self._woke.wait_for(lambda: self._hearts or self._over.is_set())
                    last = time.perf_counter()

    def _waits(self, me: str) -> bool:
        """Where there is no such list of threads, whoever does not compute counts as waiting."""
        if not TASKS.is_dir():
            return True
        if _state(self._watched) == b"R":
            return False
        return all(_state(task / "stat") != b"R" for task in TASKS.iterdir() if task.name != me)

    def waited(self, gaps: list[tuple[float, float]]) -> list[float]:
        """For how many seconds of each gap (begin and end, perf_counter) the process waited."""
        self.listen(+1)
        with self._woke:  # a nap that began in the last gap has ended by then
            done = self._naps + 2
            self._woke.wait_for(lambda: self._naps >= done)
        self.listen(-1)
        began = min((begin for begin, _ in gaps), default=0.0)
        seen = list(takewhile(lambda nap: nap[1] > began, reversed(list(self._waited))))  # not those of earlier tests
        return [sum(max(0.0, min(end, till) - max(begin, since)) for since, till in seen) for begin, end in gaps]


TASKS = Path("/proc/self/task")


def _state(stat: Path) -> bytes:
    """A thread's state as proc(5) has it: R is ready to run; empty where it has ended."""
    try:
        return stat.read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return b""


@dataclass(slots=True)
class Heartbeat:
    """Measures, with a timer of 2 ms, the longest time (ms) for which a running event loop did not turn by itself.

    Only gaps inside one run of a loop count: what the test itself does between two waits is not the program's.
    Two ticks belong to one run when the same Python frame started the loop at the same instruction. Of a gap counts
    what the process computed and what it waited for, not the time for which the machine ran others (see Witness).
    """

    note_ms: float = NOTED_MS
    """Gaps that are longer are looked at."""
    longest_ms: float = 0.0
    """The longest gap, whoever's fault it was."""
    beats: int = 0
    _gaps: list[tuple[float, float, float]] = field(default_factory=list)
    _witness: Witness = field(init=False)
    _timer: QTimer | None = field(default=None)
    _last: float = 0.0
    _worked: float = 0.0
    _caller: FrameType | None = field(default=None)
    _instruction: int = -1

    def start(self) -> None:
        """Start to measure; needs a QApplication."""
        from PySide6.QtCore import Qt, QTimer  # only tests that have a window pay for Qt

        self._witness = Witness.get()
        self._witness.listen(+1)
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start(2)

    def stop(self) -> None:
        """Stop to measure and let go of what was seen."""
        if self._timer is not None:
            self._timer.stop()
            self._witness.listen(-1)
        self._timer = self._caller = None

    def stills_ms(self) -> list[float]:
        """How long the loop stood still by its own doing, for each noted gap."""
        waits = zip(self._gaps, self.waits_ms(), strict=True)
        return [min(1000.0 * (end - begin), 1000.0 * work + waited) for (begin, end, work), waited in waits]

    def waits_ms(self) -> list[float]:
        """How long the process waited in each noted gap, without what it computed."""
        gaps = [(begin, end) for begin, end, _ in self._gaps]
        return [1000.0 * waited for waited in Witness.get().waited(gaps)] if gaps else []

    def _tick(self) -> None:
        now, worked = time.perf_counter(), time.process_time()
        caller = sys._getframe(1)
        self.beats += 1
        if caller is self._caller and caller.f_lasti == self._instruction:
            gap_ms = (now - self._last) * 1000
            self.longest_ms = max(self.longest_ms, gap_ms)
            if gap_ms > self.note_ms:
                self._gaps.append((self._last, now, worked - self._worked))
        self._last = self._witness.beat = now
        self._worked, self._caller, self._instruction = worked, caller, caller.f_lasti
