"""A clock that moves only when told to; for tests, and benchmarks in virtual time."""

from __future__ import annotations

from petstore_desktop.clock import Instant


class ManualClock:
    """Stands still between the calls that move it."""

    def __init__(self, steady: float = 1_000.0, wall: float = 1_763_700_000.0, boot_id: str = "boot-1") -> None:
        self._now = Instant(steady, wall, boot_id)

    def now(self) -> Instant:
        """The moment it was last set to."""
        return self._now

    def advance(self, seconds: float) -> None:
        """Let time pass on both clocks."""
        self._now = Instant(self._now.steady + seconds, self._now.wall + seconds, self._now.boot_id)

    def set_wall(self, wall: float) -> None:
        """Somebody sets the wall clock."""
        self._now = Instant(self._now.steady, wall, self._now.boot_id)

    def reboot(self, boot_id: str, steady: float = 10.0) -> None:
        """The machine starts anew; the wall clock goes on."""
        self._now = Instant(steady, self._now.wall, boot_id)
