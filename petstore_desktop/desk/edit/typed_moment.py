"""A ship date as somebody types it, in the form in which the service wrote the old one."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, tzinfo

from petstore_desktop.desk.model.shop_model import Shop
from petstore_desktop.desk.values.dates import parse_ship_date
from petstore_desktop.desk.values.typed_days import days_said
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import Ref


def typed_moment(shop: Shop, ref: Ref, text: str) -> str | BadInput:
    """What becomes an order's ship date: a date with a time as it is typed; a day with the time and the offset that the
    order has, else local midnight. The day that it has already is its own text, byte for byte.

    Codes: date-missing, date-unreadable.
    """
    typed = text.strip()
    if not typed:
        return BadInput("date-missing", text=text)
    whole = parse_ship_date(typed, shop.zone)
    if whole.readable and whole.timed:
        return typed
    try:
        first, last = days_said(typed, shop.today, shop.day_order)
    except ValueError:
        return BadInput("date-unreadable", text=text)
    if first != last:
        return BadInput("date-unreadable", text=text)
    try:
        return _on(shop, ref, first)
    except (OverflowError, ValueError, OSError):  # a day at an end of the calendar
        return BadInput("date-unreadable", text=text)


def _on(shop: Shop, ref: Ref, day: date) -> str:
    shown = shop.shown_of(ref, "ship_date")
    old = parse_ship_date(shown, shop.zone) if isinstance(shown, str) else None
    if old is None or old.local is None or not isinstance(shown, str):
        return _aware(datetime.combine(day, time()), shop.zone).isoformat()
    if old.day == day:
        return shown
    moved = old.local.replace(year=day.year, month=day.month, day=day.day)
    return _like(shown, moved, shop.zone) if old.zoned else moved.isoformat()


def _aware(local: datetime, zone: tzinfo | None) -> datetime:
    return local.astimezone() if zone is None else local.replace(tzinfo=zone)


def _like(raw: str, local: datetime, zone: tzinfo | None) -> str:
    """The same moment with the offset that `raw` has."""
    written = datetime.fromisoformat(raw.strip().upper()).tzinfo or UTC
    said = _aware(local, zone).astimezone(written).isoformat()
    return f"{said.removesuffix('+00:00')}Z" if raw.strip().upper().endswith("Z") else said
