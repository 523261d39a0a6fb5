"""Prices as a person meets them: of what is selected, and whether a batch must be asked about before it is saved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from petstore_desktop.contract.model import Verb
from petstore_desktop.domain.changes import AddStock, Intent, NewChange, SetFields
from petstore_desktop.domain.quota import RequestClass, reserve
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.price.price import Price, scaled
from petstore_desktop.sync.send.send_schedule import finish_time

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk

__all__ = ["Price", "could_be_much", "likely_changes", "price_of_more", "sending_time"]

_LIKELY: dict[Resource, Intent] = {
    Resource.PETS: SetFields({"status": "available"}),
    Resource.CATEGORIES: SetFields({"description": ""}),
    Resource.ORDERS: SetFields({"complete": True}),
    Resource.INVENTORY: AddStock(1),
}


def could_be_much(desk: Desk, count: int) -> bool:
    """Whether so many changes, each with a look and a write, could spend over half of what is left of the day, or reach
    into another one. Cheap and on the safe side: only then the exact price is worth waiting for."""
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
    """In how many seconds the last of so many requests for changes has left; None where nobody can say."""
    return finish_time(requests, desk.known_quota(), desk.gate, RequestClass.CHANGES, now)
