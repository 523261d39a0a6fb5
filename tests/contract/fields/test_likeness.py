"""Whose fields are called otherwise: the map says where each of the program's lies, and nothing is taken twice."""

from __future__ import annotations

import pytest

from petstore_desktop.contract.fields.likeness import map_of
from petstore_desktop.contract.fields.seen import Seen, in_values
from petstore_desktop.contract.operations import NOWHERE, SAME, FieldMap, Path, put_at, value_at
from petstore_desktop.domain.records import ALL_SPECS, Resource

PETS, CATEGORIES, ORDERS, INVENTORY = Resource.PETS, Resource.CATEGORIES, Resource.ORDERS, Resource.INVENTORY


def paths(resource: Resource, *records: object) -> dict[str, Path]:
    """Where the fields of these records lie, those that are not where the specification has them."""
    return dict(map_of(resource, in_values(records), told=False).paths)


@pytest.mark.parametrize(
    ("resource", "record", "expected"),
    [
        (PETS, {"id": 1, "name": "Rex", "categoryId": 2, "status": "sold"}, {}),
        (PETS, {"id": 1}, {}),
        (PETS, {"ID": 1, "Name": "Rex"}, {"id": ("ID",), "name": ("Name",)}),
        (
            PETS,
            {"pet_id": 1, "pet_name": "Rex", "category_id": 2, "pet_status": "sold"},
            {"id": ("pet_id",), "name": ("pet_name",), "category_id": ("category_id",), "status": ("pet_status",)},
        ),
        (PETS, {"_id": "65f0", "name": "Rex", "__v": 0}, {"id": ("_id",)}),
        (PETS, {"_id": {"$oid": "65f0"}, "name": "Rex"}, {"id": ("_id", "$oid")}),
        (PETS, {"id": 1, "_id": "65f0", "name": "Rex"}, {}),
        (PETS, {"id": 1, "category": {"id": 2, "name": "Dogs"}}, {"category_id": ("category", "id")}),
        (PETS, {"id": 1, "category": {"name": "Dogs"}}, {"category_id": ("category", "name")}),
        (PETS, {"id": 1, "category": "Dogs"}, {"category_id": ("category",)}),
        (PETS, {"id": 1, "category": 2}, {"category_id": ("category",)}),
        (PETS, {"id": 1, "species": "dog", "type": "A"}, {"category_id": ("species",)}),
        (PETS, {"id": 1, "categoryId": 2, "category": {"id": 3}, "type": "x"}, {}),
        (PETS, {"id": 1, "title": "Rex", "name": "Max"}, {}),
        (PETS, {"id": 1, "title": "Rex", "state": "new"}, {"name": ("title",), "status": ("state",)}),
        (PETS, {"id": 1, "name": {"first": "Rex"}, "label": "Rex"}, {"name": ("label",)}),
        (PETS, {"id": 1, "status": 3}, {"status": NOWHERE}),
        (PETS, {"id": 1, "status": 3, "availability": "sold"}, {"status": ("availability",)}),
        (CATEGORIES, {"category_id": 1, "title": "Dogs"}, {"id": ("category_id",), "name": ("title",)}),
        (CATEGORIES, {"id": 1, "name": "Dogs", "desc": "bark"}, {"description": ("desc",)}),
        (INVENTORY, {"petId": 1, "quantity": 2}, {}),
        (INVENTORY, {"pet_id": 1, "stock": 2}, {"pet_id": ("pet_id",), "quantity": ("stock",)}),
        (INVENTORY, {"pet": {"id": 1}, "qty": 2}, {"pet_id": ("pet", "id"), "quantity": ("qty",)}),
        (INVENTORY, {"id": 9, "pet_id": 1, "count": 2}, {"pet_id": ("pet_id",), "quantity": ("count",)}),
        (INVENTORY, {"id": 1, "available": 2}, {"pet_id": ("id",), "quantity": ("available",)}),
        (INVENTORY, {"id": 1, "available": True, "level": 2}, {"pet_id": ("id",), "quantity": ("level",)}),
        (
            ORDERS,
            {"_id": "a", "pet": {"id": 3}, "qty": 1, "shipped_at": "2026-01-01", "is_complete": False},
            {
                "id": ("_id",),
                "pet_id": ("pet", "id"),
                "quantity": ("qty",),
                "ship_date": ("shipped_at",),
                "complete": ("is_complete",),
            },
        ),
        (ORDERS, {"id": 1, "petId": 2, "fulfilled": True}, {"complete": ("fulfilled",)}),
        (ORDERS, {"id": 1, "petId": 2, "status": "placed", "complete": False}, {}),
        (ORDERS, {"id": 1, "petId": 2, "order_state": "placed"}, {"status": ("order_state",)}),
        (ORDERS, {"id": 1, "petId": 2, "status": 3}, {"status": NOWHERE}),
        (ORDERS, {"id": 1, "petId": 2, "complete": "yes"}, {"complete": NOWHERE}),
    ],
)
def test_each_field_is_found_by_its_likeness(resource: Resource, record: object, expected: dict[str, Path]) -> None:
    assert paths(resource, record) == expected


def test_the_attributes_of_json_api_are_looked_into_and_its_type_is_no_category() -> None:
    record = {
        "type": "pets",
        "id": "1",
        "attributes": {"name": "Rex", "status": "sold"},
        "relationships": {"category": {"data": {"type": "categories", "id": "7"}}},
    }
    assert paths(PETS, record) == {
        "name": ("attributes", "name"),
        "status": ("attributes", "status"),
        "category_id": ("relationships", "category", "data", "id"),
    }
    assert paths(PETS, {"type": "pets", "id": "1", "attributes": {"title": "Rex"}}) == {"name": ("attributes", "title")}


def test_what_only_later_records_show_is_found_too_and_types_that_differ_tell_nothing() -> None:
    assert paths(PETS, {"id": 1, "category": None}, {"id": 2, "category": {"id": 3}}) == {
        "category_id": ("category", "id")
    }
    assert in_values([1, "a"]) == Seen("")
    assert in_values([None]) == Seen("")
    assert paths(PETS, "no record", 3, None) == {}


def test_a_status_of_orders_is_looked_for_where_the_document_says_nothing_and_only_where_it_does() -> None:
    seen = in_values([{"id": 1, "petId": 2, "complete": False}])
    assert map_of(ORDERS, seen, told=False) == FieldMap()
    assert map_of(ORDERS, seen, told=True) == FieldMap({"status": NOWHERE}, told=True)


def test_what_is_known_before_stays_and_is_not_taken_for_another_field() -> None:
    seen = in_values([{"id": 1, "title": "Mr", "state": "new", "name": "Rex"}])
    found = map_of(PETS, seen, told=True, before={"name": ("title", "en"), "status": NOWHERE})
    assert found == FieldMap({"name": ("title", "en"), "status": NOWHERE}, told=True)


def test_the_names_of_a_map() -> None:
    found = FieldMap({"id": ("_id",), "category_id": ("category", "id"), "status": NOWHERE})
    assert [found.path(spec) for spec in ALL_SPECS[PETS]] == [("_id",), ("name",), ("category", "id"), NOWHERE]
    assert found.known(PETS) == {"_id", "name"}
    assert found.begins(PETS) == {"_id", "name", "category"}
    assert SAME.known(PETS) == {"id", "name", "categoryId", "status"}


def test_a_value_is_read_and_put_at_its_path_and_nothing_else_moves() -> None:
    inner = {"id": 1, "name": "Dogs"}
    body: dict[str, object] = {"category": inner, "x": 1}
    put_at(body, ("category", "id"), 2)
    put_at(body, ("a", "b", "c"), 3)
    put_at(body, ("x", "y"), 4)
    assert body == {"category": {"id": 2, "name": "Dogs"}, "a": {"b": {"c": 3}}, "x": {"y": 4}}
    assert inner == {"id": 1, "name": "Dogs"}
    assert value_at(body, ("category", "name")) == "Dogs"
    assert (value_at(body, ("category", "name", "x")), value_at(3, ("a",))) == (None, None)


@pytest.mark.parametrize(
    ("resource", "record", "guessed"),
    [
        (PETS, {"pet_id": 1, "petName": "Rex", "availability": "sold", "category": {"_id": 2}}, ()),
        (PETS, {"id": 1, "title": "Rex", "state": "CA", "group": 4}, ("name", "category_id", "status")),
        (PETS, {"uuid": "a-1", "name": "Rex"}, ()),
        (PETS, {"type": "pets", "id": "1", "attributes": {"name": "Rex", "state": "CA"}}, ("status",)),
        (INVENTORY, {"id": 1, "available": 2}, ("quantity",)),
        (INVENTORY, {"petId": 1, "stock": 2}, ()),
        (ORDERS, {"id": 1, "item": 3, "qty": 1, "closed": False}, ("pet_id", "complete")),
        (ORDERS, {"id": 1, "petId": 3, "status": "placed"}, ()),
    ],
)
def test_a_name_that_may_mean_something_else_is_a_guess_where_no_document_tells(
    resource: Resource, record: object, guessed: tuple[str, ...]
) -> None:
    seen = in_values([record])
    assert map_of(resource, seen, told=False).guessed == guessed


TEXT, WORDS, NUMBER = Seen("string"), Seen("string", words=("open", "sold")), Seen("integer")


@pytest.mark.parametrize(
    ("resource", "fields", "guessed"),
    [
        (PETS, {"id": NUMBER, "title": TEXT, "kind": TEXT}, ()),
        (PETS, {"id": NUMBER, "name": TEXT, "state": TEXT, "type": TEXT}, ("category_id", "status")),
        (PETS, {"id": NUMBER, "name": TEXT, "state": WORDS}, ()),
        (PETS, {"id": NUMBER, "name": TEXT, "type": Seen("object", {"id": NUMBER, "name": TEXT})}, ()),
        (INVENTORY, {"petId": NUMBER, "available": NUMBER}, ("quantity",)),
        (INVENTORY, {"petId": NUMBER, "count": NUMBER}, ()),
        (ORDERS, {"id": NUMBER, "petId": NUMBER, "amount": NUMBER}, ("quantity",)),
        (ORDERS, {"id": NUMBER, "productId": NUMBER, "shippedAt": TEXT}, ()),
    ],
)
def test_a_document_too_leaves_a_name_a_guess_that_means_something_else_as_often(
    resource: Resource, fields: dict[str, Seen], guessed: tuple[str, ...]
) -> None:
    assert map_of(resource, Seen("object", fields), told=True).guessed == guessed
