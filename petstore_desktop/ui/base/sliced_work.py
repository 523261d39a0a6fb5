"""Work that is done in short turns of the event loop, so that the window responds meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import partial
from time import perf_counter
from typing import Generic, TypeVar

from PySide6.QtCore import QObject

from petstore_desktop.ui.base.building import timer

Found = TypeVar("Found")


class SlicedWork(Generic[Found]):
    """Runs an iterator, `turn_s` seconds at a time, and hands on what it yields, except None. One at a time: another
    replaces the one under way. Ends with `owner`."""

    def __init__(self, owner: QObject, turn_s: float, told: Callable[[Found], object]) -> None:
        self._turn_s, self._told = turn_s, told
        self._work: Iterator[Found | None] = iter(())
        self._under_way: list[Iterator[Found | None]] = []
        owner.destroyed.connect(partial(_close, self._under_way))
        self._turn = timer(owner, 0, self.go_on)

    def begin(self, work: Iterator[Found | None]) -> None:
        """Run this from the next turn on."""
        self._work = work
        self._under_way[:] = [work]
        self._turn.start()

    def stop(self) -> None:
        """End the work, finished or not."""
        self._work = iter(())
        self._under_way.clear()
        self._turn.stop()

    def go_on(self) -> None:
        """Work for one turn."""
        until, work = perf_counter() + self._turn_s, self._work
        for found in work:
            if found is not None:
                self._told(found)
            if perf_counter() >= until or work is not self._work:
                return
        self.stop()


def _close(under_way: list[Iterator[Found]]) -> None:
    """End a generator while what it works on is still there: a painter must end before its device goes."""
    for work in under_way:
        if isinstance(work, Generator):
            work.close()
