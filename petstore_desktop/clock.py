"""Time and chance, handed in everywhere so that tests can hold both still.

All durations are seconds. Three clocks are kept apart because each lies in its own way: `steady` counts while the
machine sleeps and never jumps, but means nothing after a reboot (CLOCK_BOOTTIME on Linux, CLOCK_MONOTONIC on macOS and
what Python calls monotonic on Windows count sleep); `wall` is UTC and may be set by anyone; `boot_id` tells whether two
steady readings can be compared at all.
"""

from __future__ import annotations

import functools
import os
import random
import time
from pathlib import Path
from typing import Protocol

from msgspec import Struct


class Instant(Struct, frozen=True):
    """One moment: `steady` seconds since boot, `wall` UTC epoch seconds, and the boot they belong to."""

    steady: float
    wall: float
    boot_id: str


class Clock(Protocol):
    """Where the time comes from."""

    def now(self) -> Instant:
        """The present moment."""
        ...


class Random(Protocol):
    """Where jitter comes from."""

    def uniform(self, a: float, b: float) -> float:
        """A number in [a, b]."""
        ...


def unique() -> str:
    """32 random hex digits, as unique as a UUID, whose module takes time to load."""
    return os.urandom(16).hex()


@functools.cache
def _boot_id() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()  # house: file - the kernel's
    except OSError:
        # Without the kernel's word two runs are never taken for the same boot, which only makes a kept pause longer.
        return unique()


def _steady() -> float:
    counting_sleep = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
    return time.monotonic() if counting_sleep is None else time.clock_gettime(counting_sleep)


class SystemClock:
    """The clocks of this computer."""

    def now(self) -> Instant:
        """The present moment."""
        return Instant(steady=_steady(), wall=time.time(), boot_id=_boot_id())


class OffsetClock:
    """A clock whose wall time is `ahead` seconds before another's; for the tour, which cannot wait for tomorrow."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.ahead = 0.0

    def now(self) -> Instant:
        """The present moment, with its wall clock set forward."""
        now = self._clock.now()
        return Instant(now.steady, now.wall + self.ahead, now.boot_id)


def system_random() -> Random:
    """Chance from the system's own seed."""
    return random.Random()
