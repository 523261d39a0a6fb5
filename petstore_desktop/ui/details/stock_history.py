"""The stock of a pet over time, as far as the history knows it, as a line in the details pane."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from shiboken6 import isValid

from petstore_desktop.desk.past.grouping import SeenKind, kind_of_change, stock_values
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.charts.step_line import LinePoint, StepLine
from petstore_desktop.ui.text.changes.seen import who_word
from petstore_desktop.ui.text.times import moment, on_paper
from petstore_desktop.ui.text.translate import number, tr

if TYPE_CHECKING:
    from petstore_desktop.domain.seen_changes import SeenChange
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.details.details_pane import DetailsPane

_OF_PETS = (Resource.PETS, Resource.INVENTORY)
_SHORT_S = 600
"""Seconds of history that say nothing as a line."""


def stock_line(changes: Sequence[SeenChange], now: float) -> StepLine | None:
    """The line of a pet's stock from its changes, newest first; None where the stock never changed."""
    steps = [change for change in reversed(changes) if kind_of_change(change) is SeenKind.STOCK]
    if not steps:
        return None
    points: list[LinePoint] = []
    first, _ = stock_values(steps[0])
    if first is not None:
        points.append(_point(steps[0].seen_after, first, now))
    for change in steps:
        at = max(change.seen_by, points[-1].at if points else change.seen_by)  # the clock may have been set back
        _, after = stock_values(change)
        points.append(_point(at, after or 0, now, who_word(change.who)))
    begins = moment(points[0].at, now)
    return StepLine(tr("Stock over time"), (tr("Time"), tr("In stock")), points, now, begins, tr("now", "this moment"))


def words_instead(line: StepLine) -> str:
    """Say in a sentence what a line does not show: a stock that is all the time the same, or known for some minutes
    only. Empty where the line shows more."""
    last, values = line.points[-1], [point.value for point in line.points]
    changes = len(set(values)) > 1
    if changes and line.until - line.points[0].at >= _SHORT_S:
        return ""
    since = moment(last.at if changes else line.points[0].at, line.until)
    if changes:
        count, before = number(values[-1]), number(values[-2])
        return tr("{count} in stock since {time}, {before} before.", count=count, time=since, before=before)
    return tr("{count} in stock since {time}.", count=number(values[-1]), time=since)


def _point(at: float, value: int, now: float, who: str = "") -> LinePoint:
    said = tr("{time}: {count} in stock", time=moment(at, now), count=number(value))
    return LinePoint(at, value, tr("{step}, {who}", step=said, who=who) if who else said, on_paper(at))


class StockHistory(QObject):
    """Shows the line in a details pane; one record at a time."""

    def __init__(self, shop: LiveShop, parent: QObject) -> None:
        super().__init__(parent)
        self._shop = shop
        self._wanted: Ref | None = None

    def clear(self, pane: DetailsPane) -> None:
        """Another record is shown, of which nothing is known yet."""
        self._wanted = None
        pane.set_stock_line(None)

    def ask(self, pane: DetailsPane, ref: Ref) -> None:
        """Read the history of a record's stock, and show it."""
        if ref.resource in _OF_PETS:
            self._wanted = ref
            self._shop.past.changes_of(Ref(Resource.PETS, ref.key), partial(self._told, pane, ref))

    def _told(self, pane: DetailsPane, ref: Ref, changes: Sequence[SeenChange] | ShopError) -> None:
        if isValid(pane) and ref == self._wanted and not isinstance(changes, ShopError):
            line = stock_line(changes, self._shop.desk.now())
            pane.set_stock_line(line, "" if line is None else words_instead(line))
