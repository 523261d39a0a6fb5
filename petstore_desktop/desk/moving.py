"""Rows that stand in an order already, and go where they belong now, in it and in what is shown of it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection

from petstore_desktop.desk.order import Order, Slots, Steps, without
from petstore_desktop.desk.rows import RowStore
from petstore_desktop.desk.view import View


def move(order: Order, view: View, slots: Collection[int]) -> None:
    """Those of these rows that stand in the order go where they belong now, and so in the view."""
    is_whole = view.slots is order.slots
    spots = {slot: (order.find(order.slots, slot), -1 if is_whole else view.row(slot)) for slot in slots}
    movers = [slot for slot in slots if spots[slot][0] >= 0 and order.place(slot)]
    if not movers:
        return
    rest = without(order.slots, sorted(spots[slot][0] for slot in movers))
    order.slots, _ = order.merged(rest, movers)
    if is_whole:
        view.reorder(order.slots)
    elif shown := [slot for slot in movers if spots[slot][1] >= 0]:
        rest = without(view.slots, sorted(spots[slot][1] for slot in shown))
        view.reorder(order.merged(rest, shown)[0])


def is_unplaced(order: Order, store: RowStore, slot: int) -> bool:
    """Whether a row lives there that is not in the order yet."""
    return store.is_used(slot) and order.find(order.slots, slot) < 0


def put_right(order: Order, before: Order, store: RowStore, new: Collection[int], moved: Collection[int]) -> Steps:
    """Place anew what `moved` while `order` was being sorted: `new` rows, and those that stood in the order before."""
    rest = array("i", [slot for slot in order.slots if slot not in moved])
    yield
    live = [slot for slot in moved if store.is_used(slot)]
    again = [slot for slot in live if slot in new or before.find(before.slots, slot) >= 0]
    yield
    yield from order.place_all(again)
    order.slots, _ = order.merged(rest, again)


def fitted(
    order: Order, view: View, found: Slots, later: set[int], held: set[int], fits: Callable[[int], bool]
) -> tuple[Slots, set[int]]:
    """What a filter found, put right for the rows in `later`, to which something happened meanwhile or which are held;
    and those of them that stay though they do not fit."""
    rest = array("i", [slot for slot in found if slot not in later])
    here = {slot for slot in later if order.find(order.slots, slot) >= 0}
    fitting = {slot for slot in here if fits(slot)}
    staying = {slot for slot in (here & held) - fitting if view.row(slot) >= 0}
    return order.merged(rest, fitting | staying)[0], staying
