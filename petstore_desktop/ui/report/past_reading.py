"""Asks the history for what a report needs of a period: the totals before and at its end, and its changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import tzinfo
from functools import partial
from typing import TYPE_CHECKING

from petstore_desktop.desk.report.report import Past, first_day_of_totals, known_since, past_of
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.seen_changes import DayTotals, SeenChange, Span

if TYPE_CHECKING:
    from petstore_desktop.desk.report.period import Period
    from petstore_desktop.shop.past import PastQuestions

Told = Callable[[Past | ShopError], object]


class PastReading:
    """One answer at a time: a new question ends the one under way."""

    def __init__(self, port: PastQuestions) -> None:
        self._port = port
        self._number = 0

    def ask(self, period: Period, zone: tzinfo | None, now: float, told: Told) -> None:
        """Read the past of a period; `now` (UTC epoch seconds) ends one that goes on."""
        self.stop()
        self._port.span(partial(self._spanned, self._number, period, period.moments(zone), now, told))

    def stop(self) -> None:
        """Let answers go that still come."""
        self._number += 1

    def _spanned(
        self,
        number: int,
        period: Period,
        moments: tuple[float, float],
        now: float,
        told: Told,
        span: Span | ShopError,
    ) -> None:
        if number != self._number:
            return
        if isinstance(span, ShopError):
            told(span)
            return
        begin, end = moments[0], min(moments[1], now)
        since = known_since(span, begin, end)
        if since is None:
            told(Past(span, None, None, (), None))
            return

        def changed(changes: Sequence[SeenChange] | ShopError) -> None:
            if number != self._number or isinstance(changes, ShopError):
                self._tell_trouble(number, changes, told)
                return
            done = partial(self._totals, number, period, span, since, changes, told)
            self._port.totals(first_day_of_totals(period), period.last, done)

        self._port.changes_between(since, end, changed)

    def _totals(
        self,
        number: int,
        period: Period,
        span: Span,
        since: float,
        changes: Sequence[SeenChange],
        told: Told,
        days: Sequence[DayTotals] | ShopError,
    ) -> None:
        if number != self._number or isinstance(days, ShopError):
            self._tell_trouble(number, days, told)
            return
        told(past_of(period, span, since, changes, days))

    def _tell_trouble(self, number: int, answer: object, told: Told) -> None:
        if number == self._number and isinstance(answer, ShopError):
            told(answer)
