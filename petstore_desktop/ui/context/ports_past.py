"""What the window asks about the past of a shop: what changed, when, and by whom, and what there was on each day.

None of these methods blocks; `done` is called in the GUI thread, with a StorageError where the file cannot be read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import date

    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.domain.records import Key, Ref
    from petstore_desktop.domain.seen_changes import DayTotals, SeenChange, Span


class PastPort(Protocol):
    """The history of one connection. Times are UTC epoch seconds."""

    def span(self, done: Callable[[Span | ShopError], None]) -> None:
        """From when to when the history tells."""
        ...

    def changes_between(
        self, then: float, now: float, done: Callable[[Sequence[SeenChange] | ShopError], None]
    ) -> None:
        """One change for each record and field that differs between the two moments, oldest first. What moved and moved
        back is not in it. Made by all who changed it between them, it lies between when its old value was last said
        and when its last change was seen."""
        ...

    def changes_of(self, ref: Ref, done: Callable[[Sequence[SeenChange] | ShopError], None]) -> None:
        """Each single change of one record (a pet with its stock), newest first, at most 1,000."""
        ...

    def totals(self, first: date, last: date, done: Callable[[Sequence[DayTotals] | ShopError], None]) -> None:
        """The totals of these days, oldest first, as far as there are any."""
        ...

    def units_gone(self, since: float, done: Callable[[Mapping[Key, int] | ShopError], None]) -> None:
        """By pet: the pieces by which its stock fell since then, decrease by decrease."""
        ...
