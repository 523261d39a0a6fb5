"""Edited rows keep their places until the next sort; whatever comes, is renamed or is touched meanwhile stands where it
belongs among all rows that are in order, the edited ones included."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.table import row_arrangement
from petstore_desktop.domain.changes import SetFields
from petstore_desktop.domain.records import InventoryItem, Key, Pet, Ref, Resource
from tests.desk.shopkit import Journal, Screen, new_desk, tell
from tests.desk.table.test_table import NaiveShop, columns, do, ids, names, records

PETS = Resource.PETS


def out_of_order(ranks: Sequence[int]) -> int:
    """How many of these have to go until the others ascend."""
    least: list[int] = []
    for rank in ranks:
        at = bisect_left(least, rank)
        least[at : at + 1] = [rank]
    return len(ranks) - len(least)


def numbers(keys: Sequence[Key]) -> list[int]:
    """These keys, which are all numbers."""
    return [key for key in keys if isinstance(key, int)]


def in_parts(script: list[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """The same steps with the lists of one answer one by one, as the desk is told of them."""
    for kind, what in script:
        if kind != "put":
            yield kind, what
            continue
        for resource in Resource:
            if here := [one for one in what if one[0] is resource]:
                yield kind, here


def touched(records: Sequence[tuple[Resource, Any]]) -> set[int]:
    """The pets that the service told of anew, themselves or by what belongs to them; values may be as before."""
    found: set[int] = set()
    for resource, record in records:
        found.add(record.id if resource is PETS else getattr(record, "pet_id", None) or -1)
    return found


class Edited(NaiveShop):
    """With names that a person gave, and that are not sent yet: the service knows nothing of them."""

    def __init__(self) -> None:
        super().__init__()
        self.given: dict[int, str] = {}

    def put(self, resource: Resource, record: Any) -> None:
        if resource is PETS and record.id in self.given:
            record = Pet(record.id, self.given[record.id], record.category_id, record.status)
        super().put(resource, record)

    def values(self, key: int) -> list[object]:
        """All that the place of a row depends on."""
        pet = self.records[PETS][key]
        every = {
            "name": pet.name.lower(),
            "category": self.category(pet),
            "status": pet.status,
            "stock": self.stock(pet),
            "orders": self.orders(pet),
        }
        return [every.get(column) for column, _ in self.history]


steps = st.one_of(
    st.tuples(st.just("edit"), st.lists(st.tuples(ids, names), min_size=1, max_size=4)),
    st.tuples(st.just("put"), st.lists(records, min_size=1, max_size=6)),
    st.tuples(st.just("remove"), st.tuples(st.sampled_from(list(Resource)), st.sets(ids, max_size=3))),
    st.tuples(st.just("sort"), st.tuples(columns, st.booleans())),
)


@given(st.lists(steps, min_size=2, max_size=14))
def test_what_comes_stands_where_it_belongs_among_all_rows_that_are_in_order(script: list[tuple[str, Any]]) -> None:
    play(script)


@given(st.lists(steps, min_size=2, max_size=14))
def test_the_same_where_so_many_move_that_all_are_sorted(script: list[tuple[str, Any]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_arrangement, "_ASKED", 0)
        patch.setattr(row_arrangement, "_MANY", 100)
        play(script)


def play(script: list[tuple[str, Any]]) -> None:
    """All steps; after each the list is as much in order as it can be without moving an edited row."""
    desk, naive = new_desk(), Edited()
    pets = desk.tables[PETS]
    pets.open()
    screen, journal, held = Screen(pets), Journal(desk), set[int]()
    for kind, what in in_parts(script):
        before = numbers(pets.keys())
        values = {key: naive.values(key) for key in naive.records[PETS]}
        if kind == "edit":
            for key, name in what:
                if key in naive.records[PETS]:
                    naive.given[key] = name
                    naive.put(PETS, naive.records[PETS][key])
                    journal.act(Ref(PETS, key), SetFields({"name": name}))
                    held.add(key)
        elif kind == "remove" and what[0] is PETS:
            do((kind, (PETS, what[1] - set(naive.given))), desk, naive)
        else:
            do((kind, what), desk, naive)
        if kind == "sort":
            held.clear()
            assert numbers(screen.keys) == naive.keys()
            continue
        rank = {key: number for number, key in enumerate(naive.keys())}
        shown = numbers(screen.keys)
        assert sorted(shown) == sorted(rank)
        others = [rank[key] for key in shown if key not in held]
        assert others == sorted(others), "a row that nobody edited is out of order among its like"
        stood = [key for key in before if key in rank and (key in held or values.get(key) == naive.values(key))]
        told = touched(what) if kind == "put" else set[int]()  # these may stand, or be put where they belong
        least = out_of_order([rank[key] for key in stood if key in held or key not in told])
        assert least <= out_of_order([rank[key] for key in shown]) <= out_of_order([rank[key] for key in stood])


def test_a_new_row_stands_before_an_edited_one_that_it_comes_before() -> None:
    desk = new_desk()
    tell(desk, PETS, Pet(1, "ant"), Pet(2, "dog"), Pet(3, "eel"), Pet(4, "zebra"))
    table, journal = desk.tables[PETS], Journal(desk)
    table.open()
    for key in (2, 3):
        journal.act(Ref(PETS, key), SetFields({"status": "sold"}))  # in order by name as before
    tell(desk, PETS, Pet(5, "cat"), Pet(6, "duck"), Pet(7, "fox"))
    assert table.keys() == [1, 5, 2, 6, 3, 7, 4]


def test_a_renamed_and_a_touched_row_find_their_places_beside_edited_ones() -> None:
    desk = new_desk()
    tell(desk, PETS, Pet(1, "ant"), Pet(2, "dog"), Pet(3, "eel"), Pet(4, "zebra"))
    tell(desk, Resource.INVENTORY, *(InventoryItem(key, key) for key in range(1, 5)))
    table, journal = desk.tables[PETS], Journal(desk)
    table.open()
    for key in (1, 2, 3):
        journal.act(Ref(PETS, key), SetFields({"status": "sold"}))
    tell(desk, PETS, Pet(4, "bat"))
    assert table.keys() == [1, 4, 2, 3]
    table.sort_by("stock")
    for key in (1, 2, 3):
        journal.act(Ref(PETS, key), SetFields({"status": "pending"}))
    tell(desk, Resource.INVENTORY, InventoryItem(4, 0))
    assert table.keys() == [4, 1, 2, 3]


def test_only_the_edited_row_that_is_out_of_order_is_left_out() -> None:
    desk = new_desk()
    tell(desk, PETS, Pet(1, "ant"), Pet(2, "dog"), Pet(3, "eel"), Pet(4, "fox"), Pet(5, "gnu"))
    table, journal = desk.tables[PETS], Journal(desk)
    table.open()
    for key, name in ((1, "zebra"), (2, "dog"), (3, "elk"), (4, "fox")):
        journal.act(Ref(PETS, key), SetFields({"name": name}))
    tell(desk, PETS, Pet(6, "cat"), Pet(7, "emu"), Pet(8, "hen"))
    assert table.keys() == [1, 6, 2, 3, 7, 4, 5, 8]


def test_so_many_new_rows_that_all_are_sorted_stand_before_an_edited_one_that_they_come_before() -> None:
    desk = new_desk()
    tell(desk, PETS, Pet(1, "ant"), Pet(2, "dog"), Pet(3, "eel"))
    table, journal = desk.tables[PETS], Journal(desk)
    table.open()
    journal.act(Ref(PETS, 2), SetFields({"status": "sold"}))
    tell(desk, PETS, *(Pet(key, "cat") for key in range(10, 110)))
    assert table.keys() == [1, *range(10, 110), 2, 3]
