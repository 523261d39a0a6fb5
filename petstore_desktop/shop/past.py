"""What the window asks about the past of a shop: what changed, when, and by whom, and what there was on each day."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from petstore_desktop.domain.errors import ShopError
from petstore_desktop.shop.background import Background

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from petstore_desktop.domain.records import Key, Ref
    from petstore_desktop.domain.seen_changes import DayTotals, SeenChange, Span
    from petstore_desktop.store.history.reader import PastReader

T = TypeVar("T")


class PastQuestions:
    """The history of one connection: `history` is its file, `address` its service's. Each question is answered in a
    thread of its own; times are UTC epoch seconds. To be made in the window's thread."""

    def __init__(self, history: Path, address: str | None = None) -> None:
        self._history, self._address = history, address
        self._background = Background()

    def span(self, done: Callable[[Span | ShopError], None]) -> None:
        """From when to when the history tells."""
        self._ask(lambda reader: reader.span(), done)

    def changes_between(
        self, then: float, now: float, done: Callable[[Sequence[SeenChange] | ShopError], None]
    ) -> None:
        """One change for each record and field that differs between the two moments, oldest first. What moved and moved
        back is not in it. Made by all who changed it between them, it lies between when its old value was last said
        and when its last change was seen."""
        self._ask(lambda reader: reader.changes_between(then, now), done)

    def changes_of(self, ref: Ref, done: Callable[[Sequence[SeenChange] | ShopError], None]) -> None:
        """Each single change of one record (a pet with its stock), newest first, at most 1,000."""
        self._ask(lambda reader: reader.changes_of(ref), done)

    def totals(self, first: date, last: date, done: Callable[[Sequence[DayTotals] | ShopError], None]) -> None:
        """The totals of these days, oldest first, as far as there are any."""
        self._ask(lambda reader: reader.totals(first, last), done)

    def units_gone(self, since: float, done: Callable[[Mapping[Key, int] | ShopError], None]) -> None:
        """By pet: the pieces by which its stock fell since then, decrease by decrease."""
        self._ask(lambda reader: reader.units_gone(since), done)

    def _ask(self, question: Callable[[PastReader], T], done: Callable[[T | ShopError], None]) -> None:
        def work() -> T:
            from contextlib import closing

            from petstore_desktop.store.history.reader import PastReader

            with closing(PastReader(self._history, self._address)) as reader:
                return question(reader)

        self._background.attempt(work, done)
