"""Whether a window answers within a fifth of a second: counted, and not confused by a machine that stands still itself.

The watchdog's heartbeat notes each gap of the GUI thread's event loop. Beside it a thread of the same process, which
does nothing but sleep, notes when it could not run either: then the whole process was not let run, by the machine or by
another. Only what is left of a gap without that counts. Who waits for a keyring, a file or a network lets other threads
run, and is found out.
"""

from __future__ import annotations

import threading
import time
from typing import ClassVar

from tests.support.watch import Heartbeat

BOUND_S = 0.2
_NAP_S = 0.005
_STOOD_S = 0.02
"""A nap that took so much longer was not the thread's own."""


class Pulse:
    """Feels from when it is made, in the GUI thread."""

    present: ClassVar[Pulse]

    def __init__(self) -> None:
        self._heart = Heartbeat(note_ms=BOUND_S * 1000)
        self._stood: list[tuple[float, float]] = []
        self._over = threading.Event()
        threading.Thread(target=self._witness, name="witness", daemon=True).start()
        self._heart.start()

    def _witness(self) -> None:
        last = time.perf_counter()
        while not self._over.is_set():
            time.sleep(_NAP_S)
            now = time.perf_counter()
            if now - last > _NAP_S + _STOOD_S:
                self._stood.append((last, now))
            last = now

    def read(self) -> dict[str, object]:
        """`beats` so far, the longest gap (ms), and `stills`: the lengths (ms) of those above the bound that are the
        window's own."""
        own = [end - begin - self._excused(begin, end) for begin, end in self._heart.gaps]
        return {
            "beats": self._heart.beats,
            "worst": round(self._heart.worst_ms),
            "stills": [round(length * 1000) for length in own if length > BOUND_S],
        }

    def _excused(self, begin: float, end: float) -> float:
        return sum(max(0.0, min(end, till) - max(begin, since)) for since, till in self._stood)

    def stop(self) -> None:
        """Feel no more."""
        self._over.set()
        self._heart.stop()
