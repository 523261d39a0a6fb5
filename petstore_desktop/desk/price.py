"""Prices in requests: of a selection, of a batch before it is saved, and of the day so far."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, time
from typing import TYPE_CHECKING

from msgspec.structs import replace

from petstore_desktop.contract.operations import Verb
from petstore_desktop.desk.changes.requests import KEPT
from petstore_desktop.desk.values.dates import local_day
from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.changes import AddStock, Intent, NewChange, SetFields
from petstore_desktop.domain.quota import RequestClass, reserve
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.price.price import Forecast, Outlook, Usage, day_began, lasts_until, scaled, usage, use_until
from petstore_desktop.sync.shared.send_schedule import finish_time

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk

__all__ = [
    "Outlook",
    "could_be_much",
    "expected_use",
    "forecast_of",
    "likely_changes",
    "price_of_more",
    "sending_time",
    "usage_of",
]

_LIKELY: dict[Resource, Intent] = {
    Resource.PETS: SetFields({"status": "available"}),
    Resource.CATEGORIES: SetFields({"description": ""}),
    Resource.ORDERS: SetFields({"complete": True}),
    Resource.INVENTORY: AddStock(1),
}


def could_be_much(desk: Desk, count: int) -> bool:
    """Whether this many changes, each with a look and a write, could need over half of the day's remaining requests, or
    another day. Cheap and cautious: only then the exact price is worth waiting for."""
    day = desk.known_quota().day
    if count < 2 or day.limit is None or day.remaining is None:
        return False
    left = day.remaining - 2 * len(desk.outbox) - reserve(RequestClass.CHANGES, day.limit)
    return 4 * count > left


def likely_changes(desk: Desk, refs: Iterable[Ref]) -> tuple[NewChange, ...]:
    """The change that is likeliest to be made to all of these records of one kind; empty where there is none."""
    changes = tuple(NewChange(desk.resolve(ref), _LIKELY[ref.resource]) for ref in refs)
    offered = bool(changes) and desk.contract is not None and desk.contract.offers(changes[0].ref.resource, Verb.CHANGE)
    return changes if offered else ()


def price_of_more(desk: Desk, price: Price, by: float, now: float) -> Price:
    """The price of `by` times as many changes of the same kind."""
    return scaled(price, by, desk.known_quota(), desk.gate, now)


def sending_time(desk: Desk, requests: int, now: float) -> float | None:
    """Seconds until the last of this many requests for changes is sent; None if unknown."""
    return finish_time(requests, desk.known_quota(), desk.gate, RequestClass.CHANGES, now)


def usage_of(desk: Desk, now: float) -> Usage:
    """The requests of the day by who waited for them. What others used is unknown where ours are too many to be at
    hand."""
    zone = desk.shop.zone
    midnight = datetime.combine(local_day(now, zone), time(), zone).timestamp()
    sent = tuple(desk.requests)
    used = usage(sent, desk.quota, midnight, now)
    cut = len(sent) >= KEPT and sent[0].at >= day_began(desk.quota, midnight, now)
    return replace(used, others=None) if cut else used


def forecast_of(desk: Desk, now: float) -> Forecast:
    """How the day's window will do at the steady pace of the last hour."""
    return lasts_until(desk.quota, tuple(desk.requests), now)


def expected_use(desk: Desk, now: float) -> int | None:
    """How many of the day's requests will be used when they are full again, or in a day where nobody says when that
    is, at the steady pace of the last hour; None where the pace is unknown."""
    return use_until(desk.known_quota().day, tuple(desk.requests), now)
