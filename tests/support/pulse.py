"""Whether a window answers within a fifth of a second, not confused by a machine that stands still itself.

Who waits for a keyring, a file or a network in the GUI thread is found out: see Heartbeat.
"""

from __future__ import annotations

from typing import Any, ClassVar

from tests.support.watch import Heartbeat

BOUND_MS = 200.0


class Pulse:
    """Feels from when it is made, in the GUI thread."""

    present: ClassVar[Pulse]

    def __init__(self) -> None:
        self._heart = Heartbeat(note_ms=BOUND_MS)
        self._heart.start()

    @property
    def beats(self) -> int:
        """So far; to read the rest takes a moment."""
        return self._heart.beats

    def read(self) -> dict[str, Any]:
        """`beats` so far, the longest gap (ms), and the lengths (ms) of those above the bound: `stills` that are the
        window's own, and `waits`, of which what it computed is no part."""
        return {
            "beats": self._heart.beats,
            "worst": round(self._heart.longest_ms),
            "stills": [round(length) for length in self._heart.stills_ms() if length > BOUND_MS],
            "waits": [round(length) for length in self._heart.waits_ms() if length > BOUND_MS],
        }

    def stop(self) -> None:
        """Feel no more."""
        self._heart.stop()
