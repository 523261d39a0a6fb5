"""Of a record that was not read nobody says that it does not exist: only a list that is here whole shows that."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.load_state import LoadState
from petstore_desktop.desk.model.capabilities import Action
from petstore_desktop.desk.ordering import NewOrder, form_of
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.desk.values.cells import CellFacts
from petstore_desktop.domain.counts import Gaps
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import Category, InventoryItem, Key, Order, Pet, Ref, Resource
from petstore_desktop.sync.wire.events import LoadEnded, LoadMoved, RowsChanged, RowsSeen
from tests.desk.shopkit import NOON, Screen, new_desk, row, tell

PETS, CATEGORIES, ORDERS, STOCK = Resource
WAYS: dict[str, Callable[[Desk, Resource], object]] = {
    "never": lambda desk, resource: desk.set_load(resource, LoadState("never")),
    "first-load": lambda desk, resource: apply_event(desk, LoadMoved("shop", resource, 1, 900)),
    "cut": lambda desk, resource: apply_event(desk, LoadEnded("shop", resource, NOON, gaps=Gaps(100))),
    "set-aside": lambda desk, resource: apply_event(
        desk, LoadEnded("shop", resource, NOON, gaps=Gaps(set_aside=1, reasons=("bad",)))
    ),
    "missing": lambda desk, resource: apply_event(desk, LoadEnded("shop", resource, NOON, gaps=Gaps(missing=1))),
}
not_whole = pytest.mark.parametrize("way", WAYS)


def shop(way: str) -> Desk:
    """A pet, an order of another one, and the stock of a third: of these not all were read."""
    desk = new_desk()
    tell(desk, PETS, Pet(1, "Koi", 41, "available"))
    tell(desk, ORDERS, Order(5, 1777, 2, None, False))
    tell(desk, STOCK, InventoryItem(1888, 3))
    for resource in (PETS, CATEGORIES, STOCK):
        WAYS[way](desk, resource)
    return desk


def read_whole(desk: Desk) -> None:
    for resource in Resource:
        apply_event(desk, LoadEnded("shop", resource, NOON))


def cell(desk: Desk, resource: Resource, key: Key, column: str) -> CellFacts:
    return desk.tables[resource].cell_of(key, column)


@not_whole
def test_an_id_stands_alone_until_its_list_is_here_whole(way: str) -> None:
    desk = shop(way)
    desk.tables[ORDERS].open()
    screen = Screen(desk.tables[ORDERS])
    named = [(ORDERS, 5, "pet", "1777"), (STOCK, 1888, "pet", "1888"), (PETS, 1, "category", "41")]
    for resource, key, column, id_ in named:
        found = cell(desk, resource, key, column)
        assert (found.text, found.ref_id, found.code) == ("", id_, "")
        assert found.ref is not None
    painted = len(screen.painted)
    read_whole(desk)
    for resource, key, column, id_ in named:
        found = cell(desk, resource, key, column)
        assert (found.text, found.ref_id, found.code, found.ref) == ("?", id_, f"no-such-{column}", None)
    assert len(screen.painted) > painted, "what is on the screen is shown anew"


@not_whole
def test_that_nothing_belongs_to_a_record_is_said_of_a_whole_list_alone(way: str) -> None:
    """Of a category and a pet whose pets and orders were not all read, a dash said that there are none."""
    desk = shop(way)
    tell(desk, CATEGORIES, Category(42, "Birds"))
    WAYS[way](desk, ORDERS)
    named = [(CATEGORIES, 42, "pets"), (PETS, 1, "orders")]
    assert [cell(desk, *one) for one in named] == [CellFacts(), CellFacts()]
    read_whole(desk)
    assert [cell(desk, *one).code for one in named] == ["none", "none"]


@not_whole
def test_the_details_of_an_order_say_the_same(way: str) -> None:
    desk = shop(way)
    for code in ("", "no-such-pet"):
        details = desk.details(Ref(ORDERS, 5))
        assert details is not None and details.sentence is not None
        pet = details.sentence.params["pet"]
        assert isinstance(pet, CellFacts) and (pet.code, pet.ref_id) == (code, "1777")
        read_whole(desk)


@not_whole
def test_that_there_is_no_stock_entry_is_said_of_a_whole_list_alone(way: str) -> None:
    desk = shop(way)
    for code, said in (("", "stock-not-read"), ("no-stock-entry", "no-stock-entry")):
        assert cell(desk, PETS, 1, "stock").code == code
        assert desk.allowed(Action.EDIT_STOCK, Ref(PETS, 1)).reason == said
        refused = desk.acts.stock(1, "+3")
        assert isinstance(refused, BadInput) and refused.code == said
        read_whole(desk)


@not_whole
def test_what_is_entered_is_refused_because_it_was_not_read(way: str) -> None:
    desk = shop(way)
    for code in ("{}-not-read", "no-such-{}"):
        for resource, fields, kind in (
            (PETS, {"name": "Guppy", "category_id": 99}, "category"),
            (ORDERS, {"pet_id": 99, "quantity": 1}, "pet"),
        ):
            refused = desk.acts.create(resource, fields)
            assert isinstance(refused, BadInput) and refused.code == code.format(kind)
        typed = desk.acts.value_of(Ref(PETS, 1), "category_id", "Birds")
        assert isinstance(typed, BadInput) and typed.code == code.format("category")
        order = NewOrder(Ref(PETS, 99), 1).change(desk, form_of(desk))
        assert isinstance(order, BadInput) and order.code == code.format("pet")
        read_whole(desk)


def test_a_pet_that_was_first_named_after_its_list_was_read_may_have_been_made_since() -> None:
    desk = shop("never")
    read_whole(desk)
    apply_event(desk, RowsSeen("shop", PETS, NOON))
    apply_event(desk, RowsChanged("shop", ORDERS, (row(Order(6, 2000, 1, None, False), seen_at=NOON + 30),)))
    desk.tables[ORDERS].open()
    screen = Screen(desk.tables[ORDERS])
    assert cell(desk, ORDERS, 6, "pet").code == ""
    painted = len(screen.painted)
    apply_event(desk, RowsSeen("shop", PETS, NOON + 60))
    apply_event(desk, LoadEnded("shop", PETS, NOON + 60))
    assert cell(desk, ORDERS, 6, "pet").code == "no-such-pet"
    assert len(screen.painted) > painted
