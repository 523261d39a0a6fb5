"""What no test may do unnoticed: log a warning nobody expected, or block the event loop.

Thread exceptions, unraisable exceptions, warnings and Qt's own messages are watched by pytest and pytest-qt as
pyproject.toml tells them; tests/house plants one of each and proves that it is caught.
"""

from __future__ import annotations

import logging
import math
import re
import sys
import time
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QTimer

PACKAGE = "petstore_desktop"
HEARTBEAT_BOUND_MS = 1000.0


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


@dataclass(slots=True)
class Heartbeat:
    """Measures, with a timer of 1 ms, the longest time (ms) for which a running event loop did not turn.

    Only gaps inside one run of a loop count: what the test itself does between two waits is not the program's.
    Two ticks belong to one run when the same Python frame started the loop at the same instruction.
    """

    worst_ms: float = 0.0
    beats: int = 0
    note_ms: float = math.inf
    """Gaps that are longer are kept in `gaps`, with their ends (perf_counter seconds)."""
    gaps: list[tuple[float, float]] = field(default_factory=list)
    _timer: QTimer | None = field(default=None)
    _last: float = 0.0
    _caller: FrameType | None = field(default=None)
    _instruction: int = -1

    def start(self) -> None:
        """Start to measure; needs a QApplication."""
        from PySide6.QtCore import Qt, QTimer  # only tests that have a window pay for Qt

        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start(1)

    def stop(self) -> None:
        """Stop to measure and let go of what was seen."""
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._caller = None

    def _tick(self) -> None:
        now = time.perf_counter()
        caller = sys._getframe(1)
        self.beats += 1
        if caller is self._caller and caller.f_lasti == self._instruction:
            gap_ms = (now - self._last) * 1000
            self.worst_ms = max(self.worst_ms, gap_ms)
            if gap_ms > self.note_ms:
                self.gaps.append((self._last, now))
        self._last, self._caller, self._instruction = now, caller, caller.f_lasti
