"""How an operation ends, in words: at its action, in the one notice before its last day, and when it is gone. Paths are
the document's own, and as little to be trusted as any text of a service."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from petstore_desktop.contract.lifecycle.sunset import Ending
from petstore_desktop.contract.operations import Op
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.text.times import date_text
from petstore_desktop.ui.text.translate import tr

_DOES: Mapping[Op, Callable[[], str]] = {
    Op.PETS_LIST: lambda: tr("Reading the list of pets"),
    Op.PET_READ: lambda: tr("Reading one pet"),
    Op.PET_CREATE: lambda: tr("Adding pets"),
    Op.PET_CHANGE: lambda: tr("Changing pets"),
    Op.PET_DELETE: lambda: tr("Deleting pets"),
    Op.CATEGORIES_LIST: lambda: tr("Reading the list of categories"),
    Op.CATEGORY_READ: lambda: tr("Reading one category"),
    Op.CATEGORY_CREATE: lambda: tr("Adding categories"),
    Op.CATEGORY_CHANGE: lambda: tr("Changing categories"),
    Op.CATEGORY_DELETE: lambda: tr("Deleting categories"),
    Op.ORDERS_LIST: lambda: tr("Reading the list of orders"),
    Op.ORDER_READ: lambda: tr("Reading one order"),
    Op.ORDER_CREATE: lambda: tr("Adding orders"),
    Op.ORDER_CHANGE: lambda: tr("Changing orders"),
    Op.ORDER_CANCEL: lambda: tr("Cancelling orders"),
    Op.INVENTORY_LIST: lambda: tr("Reading the stock of all pets"),
    Op.STOCK_READ: lambda: tr("Reading the stock of one pet"),
    Op.STOCK_CHANGE: lambda: tr("Changing stock"),
}
_LONGEST_SUCCESSOR = 80


def day_words(day: date) -> str:
    """`1 Mar 2027`."""
    return date_text(day, "MMM yyyy")


def ending_words(ending: Ending) -> str:
    """`Deprecated: will be removed on 1 Mar 2027, in 100 days; GET /pets is used instead.`"""
    said = _stage(ending)
    if ending.instead and ending.after:
        return tr("{said}; then {other} is used instead.", said=said, other=plain(ending.instead))
    if ending.instead:
        return tr("{said}; {other} is used instead.", said=said, other=plain(ending.instead))
    if ending.successor:
        named = plain(ending.successor)[:_LONGEST_SUCCESSOR]
        return tr("{said}; the service names {other} instead.", said=said, other=named)
    return f"{said}."


def _stage(ending: Ending) -> str:
    if ending.day is None or ending.days is None:
        return tr("Removed by the service") if ending.removed else tr("Deprecated: will be removed some day")
    when = day_words(ending.day)
    if ending.removed:
        return tr("Removed by the service on {day}", day=when)
    if ending.days < 0:
        return tr("Deprecated: was to be removed on {day}", day=when)
    return tr("Deprecated: will be removed on {day}, {left}", day=when, left=_left(ending.days))


def _left(days: int) -> str:
    if days == 0:
        return tr("today")
    return tr("in {n} days", "", days, one="in {n} day")


def notice_words(near: Sequence[tuple[Op, Ending]]) -> str:
    """The notice of operations that end within a month; of several the first to end is named. Not for an empty one."""
    op, ending = min(near, key=lambda one: one[1].days or 0)
    day = "" if ending.day is None else day_words(ending.day)
    values = {"what": _DOES[op](), "day": day, "left": _left(ending.days or 0)}
    if len(near) > 1:
        return tr("{n} ways to use this service end soon, first: {what}, on {day}, {left}", "", len(near), **values)
    if ending.instead:
        return tr("{what} ends on {day}, {left}; {other} is used instead", **values, other=plain(ending.instead))
    return tr("{what} ends on {day}, {left}", **values)


def removed_words(request: str, day: str) -> str:
    """What an answer meant that came after the last day (an ISO date) of `GET /pets/{petId}`."""
    return tr("The service has removed this ({request}) on {day}.", request=request, day=day_words(_read(day)))


def maybe_removed_words(request: str, day: str) -> str:
    """The same where it may be the record instead."""
    return tr(
        "The service did not find this: the record is gone, or the way to it ({request}), which was to be removed on "
        "{day}.",
        request=request,
        day=day_words(_read(day)),
    )


def _read(day: str) -> date:
    try:
        return date.fromisoformat(day)
    except ValueError:
        return date.min
