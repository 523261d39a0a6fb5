"""A service that has nothing in common with the demo shop but the fields of the specification is read, changed, added
to and deleted from, in each of the ways in which such services differ; its own books judge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.domain.changes import AddStock, ChangeState, Create, Delete, NewChange, SetFields, SetStock
from petstore_desktop.domain.commands import CheckLive
from petstore_desktop.domain.records import LocalId, Record, Ref, Resource
from petstore_desktop.sync.shared.mirror_writer import Records
from petstore_desktop.sync.wire.events import ContractRead
from tests.support.other_shop import OtherShop
from tests.support.other_shop_books import EXACT, LARGEST, Books, Json
from tests.support.other_shop_ways import Ways
from tests.support.session import Watched

COLLECTIONS = {
    Resource.PETS: "animals",
    Resource.CATEGORIES: "kinds",
    Resource.ORDERS: "sales-orders",
    Resource.INVENTORY: "stock-levels",
}
AXES: dict[str, tuple[Any, ...]] = {
    "paging": ("cursor", "page", "offset", "link", "all"),
    "ids": ("text", "number", "word"),
    "auth": ("bearer", "header", "query", "basic", "none"),
    "change": ("PATCH", "PUT"),
    "etags": (False, True),
    "created": ("id", "nothing", "location", "whole"),
    "errors": ("problem", "error"),
}


WAYS = [Ways(**{name: ways[place % len(ways)] for name, ways in AXES.items()}) for place in range(5)]
"""Each way of each axis. What they do to each other: tests/sync/test_services.py, test_services_drawn.py."""


def test_each_way_of_doing_things_is_there() -> None:
    assert all({getattr(ways, name) for ways in WAYS} == set(values) for name, values in AXES.items())


def fields(record: Record) -> Json:
    """What the program knows of a record, as the specification calls it; what is missing is left out."""
    wire = {"category_id": "categoryId", "pet_id": "petId", "ship_date": "shipDate"}
    known = {wire.get(name, name): getattr(record, name) for name in record.__struct_fields__ if name != "extra"}
    return {**{name: value for name, value in known.items() if value is not None}, **record.extra}


def same(shown: Watched, books: Books, resource: Resource) -> bool:
    """Whether the program's records are the shop's, field by field, those included that it does not know."""
    there = [*books.held[COLLECTIONS[resource]].values()]
    there += books.nameless if resource is Resource.ORDERS else []
    if books.ids == "word":
        there = list(map(books.outside, there))
    known = ("description", "status", "categoryId", "name", "shipDate", "complete")

    def plain(record: Json) -> str:
        return repr(sorted((name, value) for name, value in record.items() if value is not None or name not in known))

    return sorted(map(plain, there)) == sorted(plain(fields(record)) for record in shown.rows[resource].values())


def known(books: Books, number: int) -> int | str:
    """The id of a record as the program has it: a number, whether the shop writes it as one or as a text, or a word."""
    said = books.spelled(number)
    return said if books.ids == "word" else int(said)


def every_edit(books: Books, kind: LocalId, pet: LocalId) -> tuple[NewChange, ...]:
    """One of each kind; the ids are those of neighbours that a float cannot tell apart."""

    def ref(resource: Resource, key: int | LocalId) -> Ref:
        return Ref(resource, key if isinstance(key, LocalId) else known(books, key))

    pets, kinds, orders, stock = Resource.PETS, Resource.CATEGORIES, Resource.ORDERS, Resource.INVENTORY
    return (
        NewChange(ref(pets, EXACT), SetFields({"name": "Mörike"}), {}),
        NewChange(ref(pets, 1_004), SetFields({"status": "sold"}), {"status": None}),
        NewChange(ref(pets, LARGEST), SetFields({"category_id": known(books, 3)}), {}),
        NewChange(ref(kinds, 4), SetFields({"description": "soft & loud"}), {"description": None}),
        NewChange(ref(orders, 5_001), SetFields({"complete": True}), {"complete": False}),
        NewChange(ref(orders, 5_002), Delete()),
        NewChange(ref(stock, EXACT - 1), AddStock(12), {}),
        NewChange(ref(stock, LARGEST), SetStock(40), {"quantity": 89 % 23}),
        NewChange(ref(kinds, kind), Create({"name": "Newts", "description": "wet"})),
        NewChange(ref(pets, pet), Create({"name": "Ñandú", "category_id": kind, "status": "pending"})),
        NewChange(ref(pets, 1_009), Delete()),
    )


@pytest.mark.parametrize("ways", WAYS, ids=str)
def test_another_service_is_read_changed_added_to_and_deleted_from(ways: Ways, tmp_path: Path) -> None:
    kind, pet = LocalId.new(), LocalId.new()
    with OtherShop(ways) as shop, Watched(tmp_path, key=shop.key, url=shop.url) as shown:
        shown.wait_loaded()
        assert shown.of(ContractRead)[-1].contract.title == "Menagerie"
        for resource in Resource:
            assert same(shown, shop.books, resource), resource
        before = {name: dict(held) for name, held in shop.books.held.items()}
        ids = shown.apply(*every_edit(shop.books, kind, pet))
        shown.wait_for(ids, ChangeState.DONE)
        judge(shop, before)
        made = max(n for n in shop.books.held["animals"] if n < 10**6)
        assert shown.changes[ids[9]].result_key == known(shop.books, made)


def judge(shop: OtherShop, before: dict[str, dict[int, Json]]) -> None:
    """Each edit was done once, as it was meant, and nothing else was touched."""
    assert shop.complaints == []
    after, made = shop.books.held, shop.books.done
    assert sorted((one.collection, one.number, one.method) for one in made) == sorted(
        (collection, number, method if method != "change" else shop.ways.change)
        for collection, number, method in (
            ("animals", EXACT, "change"), ("animals", 1_004, "change"), ("animals", LARGEST, "change"),
            ("kinds", 4, "change"), ("sales-orders", 5_001, "change"), ("sales-orders", 5_002, "DELETE"),
            ("stock-levels", EXACT - 1, "change"), ("stock-levels", LARGEST, "change"), ("kinds", 12, "POST"),
            ("animals", 1_088, "POST"), ("animals", 1_009, "DELETE"),
        )
    )  # fmt: skip
    meant = {
        ("animals", EXACT): {"name": "Mörike"}, ("animals", 1_004): {"status": "sold"},
        ("animals", LARGEST): {"categoryId": 3}, ("kinds", 4): {"description": "soft & loud"},
        ("sales-orders", 5_001): {"complete": True}, ("stock-levels", EXACT - 1): {"quantity": 87 % 23 + 12},
        ("stock-levels", LARGEST): {"quantity": 40},
    }  # fmt: skip
    for collection, was in before.items():
        for number, record in was.items():
            if (collection, number) in (("sales-orders", 5_002), ("animals", 1_009), ("stock-levels", 1_009)):
                assert number not in after[collection]
                continue
            now = after[collection][number]
            wanted = {**record, **meant.get((collection, number), {})}
            assert {name: now.get(name) for name in wanted} == wanted
    new = after["animals"][1_088]
    assert (new["name"], new["categoryId"], new["status"]) == ("Ñandú", 12, "pending")
    assert after["kinds"][12]["description"] == "wet"


def test_a_page_of_nothing_but_unreadable_records_does_not_end_the_reading(tmp_path: Path) -> None:
    with OtherShop(Ways("page")) as shop, Watched(tmp_path, key=shop.key, url=shop.url) as shown:
        for record in list(shop.books.held["animals"].values())[37:74]:
            record["name"] = 5
        shown.wait_loaded()
        (ended,) = shown.ended(Resource.PETS)
        assert (len(shown.rows[Resource.PETS]), ended.gaps.set_aside, ended.gaps.cut_at) == (90 - 37, 37, None)


def test_a_creation_that_is_refused_for_a_precondition_that_nobody_named_is_refused_once(tmp_path: Path) -> None:
    with OtherShop() as shop, Watched(tmp_path, key=shop.key, url=shop.url) as shown:
        shown.wait_loaded()
        shop.refuse_next(lambda seen: seen.method == "POST", 412)
        ids = shown.apply(NewChange(Ref(Resource.CATEGORIES, LocalId.new()), Create({"name": "Newts"})))
        shown.wait_for(ids, ChangeState.REFUSED)
        reason = shown.changes[ids[0]].reason
        assert reason is not None
        assert reason.message == "Not now: the till is being counted"
        assert len(shop.writes()) == 1
        assert shop.complaints == []


def test_a_list_that_fails_for_a_reason_that_nobody_thought_of_is_not_asked_for_over_and_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_log: Callable[[str], None]
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Records, "put", fail)
    expected_log("unexpected error in sync")
    with OtherShop() as shop, Watched(tmp_path, key=shop.key, url=shop.url) as shown:
        for category in (4, 8, 12):  # of one and the same, a question on its way would serve for the next
            shown.wait(lambda: all(shown.load_failures(resource) for resource in Resource), "each list has failed")
            asked = len(shop.seen)
            shown.submit(CheckLive(Ref(Resource.CATEGORIES, category)))
            shown.wait(lambda asked=asked: len(shop.seen) > asked, "a record is asked for")
        assert len([one for one in shop.seen if one.path in ("/animals", "/sales-orders", "/stock-levels")]) == 3
