"""A PastQuestions that keeps everything in memory, and answers at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import Key, Ref
from petstore_desktop.domain.seen_changes import DayTotals, SeenChange, Span


class RecordingPast:
    """`trouble` is told instead of any answer; `asked` names each question with what it was about."""

    def __init__(self) -> None:
        self.trouble: ShopError | None = None
        self.spanned = Span(None, None)
        self.changes: Sequence[SeenChange] = ()
        self.single: Mapping[Ref, Sequence[SeenChange]] = {}
        self.days: Sequence[DayTotals] = ()
        self.gone: Mapping[Key, int] = {}
        self.asked: list[tuple[Any, ...]] = []

    def _answer(self, done: Callable[[Any], None], answer: Any, *question: Any) -> None:
        self.asked.append(question)
        done(answer if self.trouble is None else self.trouble)

    def span(self, done: Callable[[Span | ShopError], None]) -> None:
        self._answer(done, self.spanned, "span")

    def changes_between(
        self, then: float, now: float, done: Callable[[Sequence[SeenChange] | ShopError], None]
    ) -> None:
        self._answer(done, self.changes, "changes_between", then, now)

    def changes_of(self, ref: Ref, done: Callable[[Sequence[SeenChange] | ShopError], None]) -> None:
        self._answer(done, self.single.get(ref, ()), "changes_of", ref)

    def totals(self, first: date, last: date, done: Callable[[Sequence[DayTotals] | ShopError], None]) -> None:
        self._answer(done, [day for day in self.days if first <= day.day <= last], "totals", first, last)

    def units_gone(self, since: float, done: Callable[[Mapping[Key, int] | ShopError], None]) -> None:
        self._answer(done, self.gone, "units_gone", since)
