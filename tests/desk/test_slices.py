"""A long table, whose work is done in the background, shows in the end what a plain sort and filter would show,
whatever came between them; and whoever follows it by what it tells is never misled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.search import name_ranks, text_index
from petstore_desktop.desk.table import row_arrangement as shown
from petstore_desktop.desk.table.table import Table
from petstore_desktop.domain.changes import SetFields
from petstore_desktop.domain.records import Pet, Ref, Resource
from tests.desk.shopkit import Journal, Screen, new_desk, tell, with_numbers
from tests.desk.table.test_table import NaiveShop, do, names, steps

PETS = Resource.PETS
FINE = {
    shown: {"LONG": 0, "_ASKED": 2, "_MANY": 2, "_SCREEN": 1, "_FIRST_S": 10.0, "_QUIET_S": 0.0, "_REST": 0},
    text_index: {"_MADE": 2, "ROWS": 4},
    name_ranks: {"_MADE": 2, "_BLOCK": 2},
}
"""A dozen rows are a long list, and texts are made in steps of two."""
REGIMES: dict[str, dict[str, float]] = {"long": {"LONG": 0}, "slow": {"LONG": 10**9, "_AT_ONCE_S": -1.0}}
"""Worked out by another thread; or at once, but on a machine on which nothing is ready when it is asked for."""


@pytest.fixture(scope="module", autouse=True)
def fine() -> Iterator[None]:
    yield from with_numbers(FINE)


def sliced(desk: Desk) -> None:
    """As a window: somebody has promised to call `work`, and nobody has yet."""
    desk.tables[PETS].set_worker(lambda: None)


def settle(desk: Desk) -> None:
    for _ in range(5_000):
        if desk.tables[PETS].work(0.0) == "none":
            return
    raise AssertionError("the work never comes to its end")


turns = st.integers(0, 6)
edits = st.tuples(st.just("edit"), st.tuples(st.integers(1, 12), names))
refreshes = st.tuples(st.just("refresh"), st.none())
scripts = st.lists(st.tuples(st.one_of(steps, steps, edits, refreshes), turns), max_size=10)


@pytest.mark.parametrize("regime", REGIMES)
@given(script=scripts)
@example(
    script=[
        (
            (
                "put",
                [
                    (PETS, Pet(2, "koi", None, None)),
                    (PETS, Pet(3, "ant", None, None)),
                    (PETS, Pet(4, "Koi", None, None)),
                ],
            ),
            3,
        ),
        (("remove", (PETS, set())), 3),
        (("remove", (PETS, set())), 5),
        (("put", [(PETS, Pet(1, "koi", None, None))]), 0),
    ]
)
def test_what_is_shown_in_the_end_is_what_a_plain_sort_and_filter_would_show(
    regime: str, script: list[tuple[Any, int]]
) -> None:
    with contextmanager(with_numbers)({shown: REGIMES[regime]}):
        play(script)


def play(script: list[tuple[Any, int]]) -> None:
    """Do this, with so many turns of work after each act."""
    desk, naive = new_desk(), NaiveShop()
    sliced(desk)
    pets = desk.tables[PETS]
    pets.open()
    screen, journal = Screen(pets), Journal(desk)
    for (kind, what), count in script:
        if kind == "edit":
            key, name = what
            old = naive.records[PETS].get(key)
            if old is not None:
                journal.act(Ref(PETS, key), SetFields({"name": name}))
                naive.put(PETS, Pet(key, name, old.category_id, old.status))
        elif kind == "refresh":
            pets.refresh()
        else:
            do((kind, what), desk, naive)
            if kind == "put":  # what somebody changed here lies over what the service tells
                lay(desk, naive)
        for _ in range(count):
            pets.work(0.0)
        assert screen.keys == pets.keys()
        assert [pets.position(key) for key in screen.keys] == list(range(len(screen.keys)))
        assert set(screen.keys) <= naive.records[PETS].keys()
    settle(desk)
    pets.refresh()
    settle(desk)
    assert screen.keys == pets.keys() == naive.keys()
    assert not pets.is_working


@pytest.fixture
def slow() -> Iterator[None]:
    yield from with_numbers({shown: REGIMES["slow"]})


@pytest.mark.usefixtures("slow")
def test_rows_that_come_while_a_filter_is_asked_again_are_shown_with_it() -> None:
    desk, table, screen = two_hundred()
    table.set_filter("1")
    settle(desk)
    tell(desk, PETS, Pet(1, "1st", status="sold"))
    table.refresh()
    assert table.is_working
    tell(desk, PETS, *(Pet(1_000 + number, f"1 of {number}") for number in range(9)))
    settle(desk)
    assert screen.keys == table.keys()
    assert {1, 1_000, 1_008} <= set(screen.keys)


@pytest.mark.usefixtures("slow")
def test_rows_that_move_before_a_sort_is_done_stand_where_all_columns_want_them() -> None:
    desk = new_desk()
    statuses = ("pending", "sold", "pending", "pending")
    tell(desk, PETS, *(Pet(number, f"{number:02}", status=status) for number, status in enumerate(statuses)))
    table = desk.tables[PETS]
    table.open()
    sliced(desk)
    settle(desk)
    tell(desk, PETS, Pet(2, "74", status="sold"))
    table.sort_by("status")
    assert table.is_working
    tell(desk, PETS, Pet(2, "29", status="pending"))
    settle(desk)
    assert table.keys() == [0, 3, 2, 1]


def lay(desk: Desk, naive: NaiveShop) -> None:
    for key, pet in list(naive.records[PETS].items()):
        name = desk.shop.shown_of(Ref(PETS, key), "name")
        assert isinstance(name, str)
        naive.records[PETS][key] = Pet(key, name, pet.category_id, pet.status)


def two_hundred() -> tuple[Desk, Table, Screen]:
    """A desk that works in slices, with 200 pets by name on the screen."""
    desk = new_desk()
    tell(desk, PETS, *(Pet(number, f"{number:03}", status="sold") for number in range(200)))
    table = desk.tables[PETS]
    table.open()
    sliced(desk)
    return desk, table, Screen(table)


def test_a_table_whose_window_is_gone_calls_it_no_more_and_finishes_by_itself() -> None:
    _, table, screen = two_hundred()
    called: list[str] = []
    table.set_worker(lambda: called.append("window"))
    table.sort_by("id", descending=True)
    assert table.is_working
    table.detach()
    called.clear()
    table.refill()
    assert (called, screen.keys) == ([], list(range(200)))
    assert table.keys() == list(range(199, -1, -1))


def test_the_old_order_stands_until_the_new_one_is_complete() -> None:
    _, table, screen = two_hundred()
    table.sort_by("id", descending=True)
    while table.is_working:
        assert screen.keys == list(range(200))
        table.work(0.0)
    assert screen.keys == list(range(199, -1, -1))


def test_the_first_screen_of_a_filter_comes_before_the_exact_count() -> None:
    desk = new_desk()
    tell(desk, PETS, *(Pet(number, f"{number:03} koi") for number in range(200)))
    table = desk.tables[PETS]
    table.open()
    sliced(desk)
    screen = Screen(table)
    settle(desk)
    table.set_filter("koi")
    seen: list[int] = []
    while table.is_working:
        seen.append(len(screen.keys))
        table.work(0.0)
    assert 0 < seen[0] < 200
    assert (screen.keys, screen.resets) == (list(range(200)), 1)


def test_a_row_of_the_old_list_that_is_edited_while_the_new_filter_looks_for_its_rows_does_not_stay() -> None:
    desk, table, screen = two_hundred()
    settle(desk)
    table.set_filter("available")
    table.work(0.0)
    assert table.is_working
    journal = Journal(desk)
    journal.act(Ref(PETS, 7), SetFields({"name": "seven"}))
    settle(desk)
    assert screen.keys == []


def test_a_row_that_goes_while_the_rows_are_sorted_is_gone_at_once_and_stays_away() -> None:
    desk = new_desk()
    tell(desk, PETS, *(Pet(number, f"{number:03}") for number in range(50)))
    table = desk.tables[PETS]
    table.open()
    sliced(desk)
    screen = Screen(table)
    table.sort_by("id", descending=True)
    table.work(0.0)
    tell(desk, PETS, Pet(50, "new"), removed=(7,))
    assert 7 not in screen.keys
    tell(desk, PETS, Pet(51, "in its place"))
    settle(desk)
    assert screen.keys == [number for number in range(51, -1, -1) if number != 7]


def test_rows_that_change_in_a_burst_keep_their_places_until_it_is_over_and_then_go_once() -> None:
    desk = new_desk()
    sliced(desk)
    pets = desk.tables[PETS]
    pets.open()
    tell(desk, PETS, *(Pet(key, f"Koi {key:02}", None, "sold") for key in range(1, 13)))
    settle(desk)
    before, screen = pets.keys(), Screen(pets)
    for first in (1, 7):
        tell(desk, PETS, *(Pet(key, f"Ara {20 - key:02}", None, "sold") for key in range(first, first + 6)))
    assert pets.is_behind
    assert pets.keys() == screen.keys == before
    assert pets.cell_of(3, "name").text == "Ara 17"
    settle(desk)
    assert not pets.is_behind
    assert pets.keys() == screen.keys == before[::-1]


@pytest.mark.parametrize("count", [12, 5])
@pytest.mark.parametrize("column", ["name", "status"])
def test_a_sort_by_a_click_knows_of_rows_that_changed_in_a_burst_right_before(column: str, count: int) -> None:
    desk = new_desk()
    sliced(desk)
    pets = desk.tables[PETS]
    pets.open()
    tell(desk, PETS, *(Pet(key, f"Koi {key:02}", None, "sold") for key in range(1, 13)))
    settle(desk)
    tell(desk, PETS, *(Pet(key, f"Ara {20 - key:02}", None, "sold") for key in range(1, count + 1)))
    assert pets.is_behind
    pets.sort_by(column)
    settle(desk)
    assert pets.keys() == [*range(count, 0, -1), *range(count + 1, 13)]


def test_a_row_that_goes_while_a_filter_looks_for_its_rows_is_not_on_the_first_screen_either() -> None:
    desk = new_desk()
    sliced(desk)
    pets = desk.tables[PETS]
    pets.open()
    tell(desk, PETS, *(Pet(key, "koi" if key in (2, 12) else "ara") for key in range(1, 13)))
    settle(desk)
    screen = Screen(pets)
    pets.set_filter("koi")
    tell(desk, PETS, Pet(13, "koi"), removed=(2, 3))
    while pets.is_working:
        assert 2 not in screen.keys or not screen.resets
        pets.work(0.0)
        assert [pets.position(key) for key in screen.keys] == list(range(len(screen.keys)))
    settle(desk)
    assert screen.keys == [12, 13]


def test_the_filter_of_a_column_finds_its_rows_in_the_background_too() -> None:
    desk, table, screen = two_hundred()
    settle(desk)
    table.set_filters("1", {"name": "9", "id": ">50"})
    turns = 0
    while table.is_working:
        turns += 1
        table.work(0.0)
    assert turns > 0
    assert screen.keys == [key for key in range(51, 200) if "1" in f"{key:03}" and "9" in f"{key:03}"]


pet_ids = st.integers(1, 24)
bursts = st.dictionaries(pet_ids, st.sampled_from(["ant", "bat", "cat", "koi", "zebu"]), min_size=3, max_size=9)
acts = st.one_of(
    st.tuples(st.just("burst"), bursts),
    st.tuples(st.just("burst"), bursts),
    st.tuples(st.just("remove"), pet_ids),
    st.tuples(st.just("add"), st.integers(25, 30)),
    st.tuples(st.just("edit"), pet_ids),
    st.tuples(st.just("filter"), st.sampled_from(["", "a", "koi"])),
    st.tuples(st.just("sort"), st.sampled_from(["name", "id"])),
)


def act(kind: str, what: Any, desk: Desk, naive: NaiveShop, journal: Journal) -> None:
    here = naive.records[PETS]
    if kind == "edit":
        if what in here:
            journal.act(Ref(PETS, what), SetFields({"name": "edited"}))
            naive.put(PETS, Pet(what, "edited", None, "sold"))
    elif kind == "burst":
        do(("put", [(PETS, Pet(key, name, None, "sold")) for key, name in what.items() if key in here]), desk, naive)
        lay(desk, naive)
    elif kind == "remove":
        do((kind, (PETS, {what})), desk, naive)
    elif kind == "add":
        do(("put", [(PETS, Pet(what, "new", None, "sold"))]), desk, naive)
    else:
        do((kind, (what, False) if kind == "sort" else what), desk, naive)


@given(st.lists(st.tuples(acts, st.integers(0, 40)), min_size=2, max_size=6))
def test_rows_that_change_in_bursts_end_where_they_belong_whatever_happens_while_they_are_on_their_way(
    script: list[tuple[tuple[str, Any], int]],
) -> None:
    desk, naive = new_desk(), NaiveShop()
    for key in range(1, 25):
        naive.put(PETS, Pet(key, f"koi {key % 7}", None, "sold"))
    tell(desk, PETS, *naive.records[PETS].values())
    pets = desk.tables[PETS]
    pets.open()
    sliced(desk)
    screen, journal = Screen(pets), Journal(desk)
    for (kind, what), count in script:
        act(kind, what, desk, naive, journal)
        for _ in range(count):
            pets.work(0.0)
        assert screen.keys == pets.keys()
        assert [pets.position(key) for key in screen.keys] == list(range(len(screen.keys)))
    settle(desk)
    pets.refresh()
    settle(desk)
    assert screen.keys == pets.keys() == naive.keys()
