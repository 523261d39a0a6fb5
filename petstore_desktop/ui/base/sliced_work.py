"""Work that is done in short turns of the event loop, so that the window responds meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import partial
from math import inf
from time import perf_counter
from typing import Generic, TypeVar

from PySide6.QtCore import QObject

from petstore_desktop.ui.base.building import timer

Found = TypeVar("Found")


class SlicedWork(Generic[Found]):
    """Runs an iterator, `turn_s` seconds at a time. One at a time: another replaces the one under way. Ends with
    `owner`. `told` gets what it yields, except None; `turned` is called after each turn with whether there is more."""

    def __init__(
        self,
        owner: QObject,
        turn_s: float,
        told: Callable[[Found], object] = lambda _: None,
        turned: Callable[[bool], object] = lambda _: None,
    ) -> None:
        self._turn_s, self._told, self._turned = turn_s, told, turned
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

    @property
    def under_way(self) -> bool:
        """Whether there is more to do."""
        return bool(self._under_way)

    def go_on(self) -> None:
        """Work for one turn."""
        self._work_until(perf_counter() + self._turn_s)

    def finish(self) -> None:
        """Work to the end now."""
        if self.under_way:
            self._work_until(inf)

    def _work_until(self, until: float) -> None:
        work = self._work
        for found in work:
            if found is not None:
                self._told(found)
            if work is not self._work:
                return
            if perf_counter() >= until:
                self._turned(True)
                return
        self.stop()
        self._turned(False)


def _close(under_way: list[Iterator[Found]]) -> None:
    """End a generator while what it works on is still there: a painter must end before its device goes."""
    for work in under_way:
        if isinstance(work, Generator):
            work.close()
