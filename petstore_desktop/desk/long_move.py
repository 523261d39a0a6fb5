"""A batch of many thousand changes moves as one event; a desk takes it in part by part, so that no key waits for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.model.ripple import Changed
    from petstore_desktop.domain.changes import Change
    from petstore_desktop.sync.wire.events import ChangesMoved


class LongMove:
    """One such event, `part` changes at a time. The rows move part by part; that changes are saved, or settled, is said
    of all of them with the last."""

    def __init__(self, event: ChangesMoved, part: int) -> None:
        self._event, self._part = event, part
        self._next = 0
        self._saved: list[Change] = []
        self._settled: list[Change] = []

    @property
    def done(self) -> bool:
        """Whether all of it is taken in."""
        return self._next >= len(self._event.changes)

    def step(self, desk: Desk) -> Changed:
        """Let the desk take in the next part; what that changed."""
        part = self._event.changes[self._next : self._next + self._part]
        self._next += len(part)
        moved = desk.apply(replace(self._event, changes=part))
        self._saved += moved.saved
        self._settled += moved.settled
        if self.done:
            return replace(moved, saved=tuple(self._saved), settled=tuple(self._settled))
        return replace(moved, saved=(), settled=())
