"""What a report says of a period: figures before and after it, what changed in it, two charts, and the lists of now.

Pure. The past is what the history carries: a figure that it does not carry is None, never 0. Where the days before a
period are not known, its first totals are those of its end, without what changed.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from msgspec import Struct

from petstore_desktop.desk.past import ALL_KINDS, SeenGroup, SeenKind, group_changes, pieces_of
from petstore_desktop.desk.report.period import Period, Unit, slots_of
from petstore_desktop.desk.report.shop_now import OrderRow, ShopNow, StockRow
from petstore_desktop.domain.records import KNOWN_STATUSES, FieldValue, Key, Resource
from petstore_desktop.domain.seen_changes import DayTotals, SeenChange, Span, What

_COUNTED: Final = {  # house: whole-table - nothing of a category is counted
    Resource.PETS: "status",
    Resource.INVENTORY: "quantity",
    Resource.ORDERS: "complete",
}
"""The field of a record that the totals are counted by."""
Sides = tuple[tuple[FieldValue, ...], tuple[FieldValue, ...]]


def totals_at_the_beginning(day: date, end: DayTotals, changes: Iterable[SeenChange]) -> DayTotals:
    """The totals before these net changes, which led to those of `end`.

    The pieces of all categories stand together, under None: changes do not say the category of a pet. How many orders
    were overdue, and how much stock was low or none left, is not known.
    """
    pets, pieces, open_ = dict(end.pets or {}), 0, 0
    for change in changes:
        before, after = _sides(change)
        if change.ref.resource is Resource.PETS:
            _undo(pets, before, after)
        elif change.ref.resource is Resource.INVENTORY and (before or after):
            pieces -= pieces_of(change)
        elif change.ref.resource is Resource.ORDERS:
            open_ += before.count(False) - after.count(False)
    return DayTotals(
        day,
        None if end.pets is None else pets,
        None if end.stock is None else {None: sum(end.stock.values()) + pieces},
        None if end.open_orders is None else end.open_orders + open_,
        None,
        None,
        None,
    )


def _sides(change: SeenChange) -> Sides:
    """The counted value before and after; nothing where the record was not there, or another field changed."""
    name = _COUNTED.get(change.ref.resource, "")
    if change.what is What.CHANGED:
        return ((change.before,), (change.after,)) if change.field == name else ((), ())
    said = (change.record.get(name),)
    return ((), said) if change.what is What.NEW else (said, ())


def _undo(pets: dict[str, int], before: tuple[FieldValue, ...], after: tuple[FieldValue, ...]) -> None:
    for values, by in ((before, 1), (after, -1)):
        for value in values:
            word = value if isinstance(value, str) else ""
            pets[word] = pets.get(word, 0) + by


_LOOK_BACK: Final = timedelta(days=400)
_PART = 5_000
"""Changes grouped between two pauses."""
_MOST_STATUSES = 5
"""Statuses of pets with a line of their own; the rarest of more are one line."""
OTHERS = "others"
"""The code of that line."""


class Past(Struct, frozen=True):
    """What the history says of a period. `before`: the totals of the last day before it that there are any of, or
    else, where `begins_within`, those of the moment `since`; `end`: those of its last day; `changes` from `since` on.
    """

    span: Span
    before: DayTotals | None
    end: DayTotals | None
    changes: Sequence[SeenChange]
    since: float | None
    """None where nothing of the period is known."""
    begins_within: bool = False


def known_since(span: Span, begin: float, end: float) -> float | None:
    """From when on the history tells what changed between two moments; None where it knows nothing of them."""
    return None if span.first is None or span.first >= end else max(begin, span.first)


def first_day_of_totals(period: Period) -> date:
    """From which day on totals are asked for, to find the last one before a period: as far back as the history goes."""
    return max(period.first, date.min + _LOOK_BACK) - _LOOK_BACK


def past_of(period: Period, span: Span, since: float, changes: Sequence[SeenChange], days: Sequence[DayTotals]) -> Past:
    """Put together what the history answered; `days` from `first_day_of_totals` to the last day of the period."""
    before = [one for one in days if one.day < period.first]
    within = [one for one in days if period.holds(one.day)]
    if before or not within:
        return Past(span, before[-1] if before else None, within[-1] if within else None, changes, since)
    first = totals_at_the_beginning(within[0].day, within[-1], changes)
    return Past(span, first, within[-1], changes, since, begins_within=True)


class Figure(Struct, frozen=True):
    """One line of figures. `code` says of what; of pets by status it is empty, and `status` is set."""

    code: str
    before: int | None
    after: int | None
    status: str = ""

    @property
    def change(self) -> int | None:
        """By how much it is more; None where that is not known."""
        return None if self.before is None or self.after is None else self.after - self.before


class OrderSlot(Struct, frozen=True):
    """The orders to be shipped in one part of the period."""

    days: Period
    complete: int = 0
    overdue: int = 0
    due: int = 0
    coming: int = 0


class OrderChart(Struct, frozen=True):
    """Orders by ship date as they are now. `earlier`: overdue since before the period; `without_date`: open orders
    without a date."""

    unit: Unit
    slots: tuple[OrderSlot, ...]
    earlier: int
    without_date: int


class CategoryPieces(Struct, frozen=True):
    """The stock of one category at the end of the period, and before it, where that is known."""

    category: Key | None
    pieces: int
    before: int | None


class Report(Struct, frozen=True):
    """All that a report says. `after`: the totals at the end of the period, which are those of now unless `is_over`:
    then they are of the last day of the period of which the history has any."""

    period: Period
    is_over: bool
    before: DayTotals | None
    after: DayTotals | None
    figures: tuple[Figure, ...]
    orders: OrderChart | None
    categories: tuple[CategoryPieces, ...]
    groups: tuple[SeenGroup, ...]
    since: float | None
    span: Span
    low: tuple[StockRow, ...] | None
    overdue: tuple[OrderRow, ...] | None
    """None where it is not known, which no page can count."""
    begins_within: bool = False
    """Whether `before` is of the moment `since`, for lack of days before the period."""


def report_of(period: Period, now: ShopNow, past: Past, first_weekday: int) -> Generator[None, None, Report]:
    """Build the report, with pauses."""
    groups = yield from _grouped(past.changes)
    is_over = period.last < now.today
    after = past.end if is_over else now.totals()
    return Report(
        period,
        is_over,
        past.before,
        after,
        tuple(_figures(past.before, after)),
        None if now.orders is None else order_chart(period, now.orders, now.today, first_weekday),
        categories_of(None if past.begins_within else past.before, after),
        groups,
        past.since,
        past.span,
        _low(now),
        _overdue(now),
        past.begins_within,
    )


def _low(now: ShopNow) -> tuple[StockRow, ...] | None:
    if now.stock is None or not now.knows_minimums:
        return None
    return tuple(sorted((one for one in now.stock if one.low), key=lambda one: one.quantity or 0))


def _overdue(now: ShopNow) -> tuple[OrderRow, ...] | None:
    if now.orders is None:
        return None
    return tuple(sorted((one for one in now.orders if one.days_late), key=lambda one: -(one.days_late or 0)))


def _grouped(changes: Sequence[SeenChange]) -> Generator[None, None, tuple[SeenGroup, ...]]:
    """The changes by kind, with a pause after some thousands."""
    found: dict[SeenKind, list[SeenGroup]] = {}
    for begin in range(0, len(changes), _PART):
        for group in group_changes(changes[begin : begin + _PART]):
            found.setdefault(group.kind, []).append(group)
        yield
    return tuple(_together(found[kind]) for kind in ALL_KINDS if kind in found)


def _together(groups: Sequence[SeenGroup]) -> SeenGroup:
    changes = tuple(change for group in groups for change in group.changes)
    here, elsewhere, both, pieces = (
        sum(counts) for counts in zip(*((one.here, one.elsewhere, one.both, one.pieces) for one in groups), strict=True)
    )
    return SeenGroup(groups[0].kind, changes, here, elsewhere, both, pieces)


# ---- figures


def _figures(before: DayTotals | None, after: DayTotals | None) -> Iterable[Figure]:
    was, now = _pets(before), _pets(after)
    yield Figure("pets", None if was is None else sum(was.values()), None if now is None else sum(now.values()))
    yield from _by_status(was, now)
    yield Figure("pieces", _pieces(before), _pieces(after))
    for name in ("low", "none_left", "open_orders", "overdue"):
        yield Figure(name, _number(before, name), _number(after, name))


def _pets(totals: DayTotals | None) -> Mapping[str, int] | None:
    return None if totals is None else totals.pets


def _number(totals: DayTotals | None, name: str) -> int | None:
    return None if totals is None else getattr(totals, name)


def _by_status(before: Mapping[str, int] | None, after: Mapping[str, int] | None) -> Iterable[Figure]:
    met = {*(before or ()), *(after or ())}
    order = {status: place for place, status in enumerate(KNOWN_STATUSES)}
    most = {status: max((before or {}).get(status, 0), (after or {}).get(status, 0)) for status in met}
    words = sorted(met - {""}, key=lambda one: (order.get(one, len(order)), -most[one], one))
    shown = words if len(words) <= _MOST_STATUSES else words[: _MOST_STATUSES - 1]
    for status in shown:
        yield Figure("", _of(before, (status,)), _of(after, (status,)), status)
    rest = met.difference(shown)
    if rest and rest != {""}:
        yield Figure(OTHERS, _of(before, rest), _of(after, rest))
    elif rest:
        yield Figure("no-status", _of(before, rest), _of(after, rest))


def _of(totals: Mapping[str, int] | None, statuses: Iterable[str]) -> int | None:
    return None if totals is None else sum(totals.get(status, 0) for status in statuses)


def _pieces(totals: DayTotals | None) -> int | None:
    return None if totals is None or totals.stock is None else sum(totals.stock.values())


# ---- charts


def order_chart(period: Period, orders: Iterable[OrderRow], today: date, first_weekday: int) -> OrderChart:
    """Orders by ship date."""
    unit, parts = slots_of(period, first_weekday)
    places = {day: place for place, part in enumerate(parts) for day in range(*_ordinals(part))}
    counts = [[0, 0, 0, 0] for _ in parts]
    earlier = without = 0
    for order in orders:
        if order.day is None:
            without += order.complete is False
            continue
        earlier += order.day < period.first and order.days_late is not None
        place = places.get(order.day.toordinal())
        if place is not None and order.complete is not None:
            counts[place][_look(order, today)] += 1
    slots = (OrderSlot(part, *count) for part, count in zip(parts, counts, strict=True))
    return OrderChart(unit, tuple(slots), earlier, without)


def _ordinals(part: Period) -> tuple[int, int]:
    return part.first.toordinal(), part.last.toordinal() + 1


def _look(order: OrderRow, today: date) -> int:
    if order.complete:
        return 0
    if order.days_late is not None:
        return 1
    return 2 if order.day == today else 3


def categories_of(before: DayTotals | None, after: DayTotals | None) -> tuple[CategoryPieces, ...]:
    """The stock of each category at the end, the largest first."""
    was = None if before is None else before.stock
    if after is None or after.stock is None:
        return ()
    found = after.stock
    rows = [CategoryPieces(key, n, None if was is None else was.get(key, 0)) for key, n in found.items()]
    rows += [CategoryPieces(key, 0, n) for key, n in (was or {}).items() if key not in found]
    return tuple(sorted(rows, key=lambda row: (-row.pieces, str(row.category))))
