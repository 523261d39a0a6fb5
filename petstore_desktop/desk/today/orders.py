"""The orders in numbers: overdue, due today, this week, without a date, and day by day for last week and this one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta

from msgspec import Struct, field

from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.desk.today.rows import NotCounted, RowCount, count_rows, not_counted, resolved, shown_values
from petstore_desktop.desk.values.dates import parse_ship_date
from petstore_desktop.domain.records import FieldValue, Resource

_WEEK = 7
_UNREAD = 0
"""Stands for a ship date that cannot be read, as in filters."""
_ORDERS = Resource.ORDERS


class OrderDay(Struct, frozen=True):
    """The orders with one ship date. `filters` find them; `day` is None for all days before the first one."""

    day: date | None
    complete: int
    waiting: int
    filters: Mapping[str, str]


class OrderNumbers(Struct, frozen=True):
    """All counts but those of days are of orders that are not complete.

    `this_week`: from today to the end of the week; `later`: after it; `oldest_days`: by how many days the oldest is
    overdue; `earlier`: overdue longer than the days tell; `days`: last week and this one, by the first day of the week
    here.
    """

    today: date
    open: RowCount
    overdue: RowCount
    oldest_days: int
    due: RowCount
    this_week: RowCount
    later: RowCount
    undated: RowCount
    earlier: OrderDay
    days: tuple[OrderDay, ...]


class _Tally(Struct):
    """Orders sorted by how they stand; `waiting` and `undated` by day and slot."""

    waiting: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    undated: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    unread: int = 0
    complete: dict[int, int] = field(default_factory=dict[int, int])
    unsaid: set[int] = field(default_factory=set[int])
    """Days with orders that do not say whether they are complete."""


def order_numbers(shop: ShopModel) -> OrderNumbers | NotCounted:
    """Count the orders as the list of orders shows them now."""
    if (reason := not_counted(shop, _ORDERS)) is not None:
        return reason
    if not shop.tells_open:
        return NotCounted()
    today = shop.today
    first = today - timedelta((today.weekday() - shop.here.first_weekday) % _WEEK + _WEEK)
    last = first + timedelta(2 * _WEEK - 1)
    tally = _tally(shop, first.toordinal(), last.toordinal())
    now, begin, end = today.toordinal(), first.toordinal(), last.toordinal()
    tally.waiting.sort()
    late = [one for one in tally.waiting if one[0] < now]
    week = [one for one in tally.waiting if now <= one[0] <= end]
    after = [one for one in tally.waiting if one[0] > end]
    named = _naming(shop)
    is_open = {"state": "open"}
    return OrderNumbers(
        today,
        RowCount(len(tally.waiting) + len(tally.undated) + tally.unread, filters=is_open),
        count_rows(map(named, late), {"ship_date": "overdue"}),
        now - late[0][0] if late else 0,
        count_rows((named(one) for one in week if one[0] == now), {"ship_date": "today", **is_open}),
        count_rows(map(named, week), {"ship_date": f"{today}..{last}", **is_open}),
        count_rows(map(named, after), {"ship_date": f">{last}", **is_open}),
        count_rows(map(named, tally.undated), {"ship_date": "=", **is_open}),
        OrderDay(None, 0, sum(one[0] < begin for one in late), {"ship_date": f"overdue <{first}"}),
        _days(tally, begin, end),
    )


def _tally(shop: ShopModel, first: int, last: int) -> _Tally:
    slots = list(shop.stores[_ORDERS].slots())
    states = shown_values(shop, _ORDERS, "complete", slots)
    dates = shown_values(shop, _ORDERS, "ship_date", slots)
    tally = _Tally()
    around = str(date.fromordinal(max(1, first - 2))), str(date.fromordinal(last + 2))
    for slot, complete, said in zip(slots, states, dates, strict=True):
        if complete is False:
            _add_open(tally, slot, _day(shop, said))
        elif isinstance(said, str) and _is_near(said, *around):
            day = _day(shop, said)
            if day is not None and complete is True:
                tally.complete[day] = tally.complete.get(day, 0) + 1
            elif day is not None:
                tally.unsaid.add(day)
    return tally


def _is_near(said: str, least: str, most: str) -> bool:
    """Whether a date may be among the days that are counted; to read each date takes ten times as long."""
    text = said.lstrip()
    return text[4:5] != "-" or least <= text[:10] <= most


def _day(shop: ShopModel, said: FieldValue) -> int | None:
    """The local day as a number, None without a date."""
    if not isinstance(said, str) or not said:
        return None
    day = parse_ship_date(said, shop.zone).day
    return _UNREAD if day is None else day.toordinal()


def _add_open(tally: _Tally, slot: int, day: int | None) -> None:
    if day is None:
        tally.undated.append((0, slot))
    elif day == _UNREAD:
        tally.unread += 1
    else:
        tally.waiting.append((day, slot))


def _days(tally: _Tally, first: int, last: int) -> tuple[OrderDay, ...]:
    waiting: dict[int, int] = {}
    for day, _ in tally.waiting:
        waiting[day] = waiting.get(day, 0) + 1
    return tuple(
        OrderDay(
            date.fromordinal(day),
            tally.complete.get(day, 0),
            waiting.get(day, 0),
            {"ship_date": str(date.fromordinal(day)), **({"state": "open|complete"} if day in tally.unsaid else {})},
        )
        for day in range(first, last + 1)
    )


def _naming(shop: ShopModel) -> Callable[[tuple[int, int]], str]:
    """Says what an order by its day and slot is called: its pet's name, else the pet's id."""
    of, store = resolved(shop), shop.stores[_ORDERS]
    pets, over = store.columns["pet_id"], shop.overlay.records[_ORDERS]

    def name(order: tuple[int, int]) -> str:
        slot = order[1]
        value = shop.shown(_ORDERS, slot, "pet_id") if over else pets[slot]
        key = of(value)
        if key is None:
            return ""
        said = id_text(key)
        return shop.name(Resource.PETS, key) or (f"#{said}" if said else "")

    return name
