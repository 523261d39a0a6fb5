"""PySide6 6.12 on Python 3.11 drops a reference to True at each emit(), until the interpreter aborts."""

from __future__ import annotations

import sys
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

TIMES = 5_000
STEP = 100


def lost_references(act: Callable[[], object], watched: object, times: int = TIMES) -> int:
    """Act `times` times, or until it is clear that it loses references; return how many references were lost."""
    before = sys.getrefcount(watched)
    for _ in range(times // STEP):
        for _ in range(STEP):
            act()
        if (lost := before - sys.getrefcount(watched)) >= STEP // 2:
            return lost
    return before - sys.getrefcount(watched)


class Teller(QObject):
    """Tells and hears a bool.

    Signals: told(bool) carries what was given to it.
    """

    told = Signal(object)

    def hear(self, value: bool) -> None:
        """Take it in and return nothing."""


def telling() -> tuple[Teller, Callable[[], object]]:
    teller = Teller()
    teller.told.connect(teller.hear)

    def act() -> None:
        teller.told.emit(True)
        teller.setObjectName("teller")  # a void call of Qt

    return teller, act


def test_emitting_true_loses_no_reference_to_true() -> None:
    _, act = telling()
    assert lost_references(act, True) < STEP // 2


def test_void_calls_lose_no_reference_to_none() -> None:
    _, act = telling()
    assert lost_references(act, None) < STEP // 2


def test_the_canary_notices_lost_references() -> None:
    watched = object()
    held = [watched] * (2 * STEP)
    assert lost_references(held.pop, watched) >= STEP // 2
