"""A list that arrives page by page is shown from its first page on, and not sorted with each of them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from itertools import count
from typing import Any

import pytest

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.search import name_ranks
from petstore_desktop.desk.search.name_ranks import NameRanks
from petstore_desktop.desk.table import row_arrangement
from petstore_desktop.desk.table.table import Table
from petstore_desktop.domain.records import Key, Pet, Resource
from tests.desk.shopkit import Screen, new_desk, tell

PETS = Resource.PETS
PAGE = 100
HOURS = 9e9
FEW = 200
"""Rows of a list in which all take their places at once, here."""


@pytest.fixture
def sorts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows were sorted, each time."""
    found: list[int] = []
    arranged = row_arrangement.arranged

    def noted(*said: Any) -> Any:
        order = arranged(*said)
        found.append(len(order))
        return order

    monkeypatch.setattr(row_arrangement, "arranged", noted)
    monkeypatch.setattr(row_arrangement, "_FEW", FEW)
    return found


def opened(desk: Desk) -> Table:
    """The pets as a window shows them: some work is left for later."""
    table = desk.tables[PETS]
    table.set_worker(lambda: None)
    table.open()
    table.sort_by("name")
    return table


def page(desk: Desk, number: int) -> None:
    """The rows of one page, whose names are in no order."""
    keys = range(number * PAGE, (number + 1) * PAGE)
    tell(desk, PETS, *(Pet(key, f"{key * 7919 % 10_007:05}", status="sold") for key in keys))


def sorted_keys(desk: Desk, keys: Iterable[Key]) -> list[Key]:
    """These pets by name."""
    return sorted(keys, key=lambda key: desk.shop.name(PETS, key) or "")


def test_rows_are_there_from_the_first_page_on_and_sorted_as_often_as_the_list_grows_by_half(
    sorts: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_arrangement, "_QUIET_S", HOURS)
    desk = new_desk()
    table = opened(desk)
    screen = Screen(table)
    sorts.clear()
    for number in range(40):
        page(desk, number)
        while table.work(HOURS) == "now":
            pass
        assert screen.keys == table.keys()
        assert len(table.keys()) >= (number + 1) * PAGE * 2 // 3
        assert table.keys() == sorted_keys(desk, table.keys())
    late = [rows for rows in sorts if rows > FEW + PAGE]
    assert len(late) <= 9 and sum(late) < 4 * 40 * PAGE, "and not a hundred times"


def test_rows_that_come_while_names_are_sorted_wait_for_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was found: a first reading sorted its names 45 times for 13 times that rows took their places, and looked
    for the places of 20,000 of them one by one."""
    sorts: list[int] = []
    one_by_one: list[object] = []
    sort, between = name_ranks._sorted_bytes, NameRanks._between

    def later(work: Callable[[], object], is_long: bool) -> Generator[None, None, object]:
        for _ in range(100):
            yield
        return work()

    monkeypatch.setattr(name_ranks, "in_background", later)
    monkeypatch.setattr(name_ranks, "_sorted_bytes", lambda *keys: (sorts.append(1), sort(*keys))[1])
    monkeypatch.setattr(NameRanks, "_between", lambda ranks, key: (one_by_one.append(key), between(ranks, key))[1])
    desk = new_desk()
    table = opened(desk)
    for number in range(29):
        page(desk, number)
    while table.work(HOURS) != "none":
        pass
    screen, before = Screen(table), 29 * PAGE
    sorts.clear()
    one_by_one.clear()
    monkeypatch.setattr(row_arrangement, "_QUIET_S", HOURS)
    for number in range(29, 49):
        page(desk, number)
    for number in range(49, 59):
        table.work(0)
        page(desk, number)
        assert len(screen.keys) == before
    while len(screen.keys) == before:
        table.work(0)
    assert screen.keys == sorted_keys(desk, range(49 * PAGE))
    assert (sorts, one_by_one) == ([1], [])
    assert table.is_behind
    monkeypatch.setattr(row_arrangement, "_QUIET_S", 0)
    while table.work(HOURS) != "none":
        pass
    assert table.keys() == sorted_keys(desk, range(59 * PAGE))


def test_once_no_more_rows_come_all_are_in_their_places(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = new_desk()
    table = opened(desk)
    for number in range(29):
        page(desk, number)
    assert table.is_behind
    monkeypatch.setattr(row_arrangement, "_QUIET_S", 0)
    while table.work(HOURS) != "none":
        pass
    assert table.keys() == sorted_keys(desk, range(29 * PAGE))


def test_what_a_person_asks_for_takes_the_rows_that_wait_along() -> None:
    desk = new_desk()
    table = opened(desk)
    for number in range(29):
        page(desk, number)
    table.sort_by("id")
    while table.work(HOURS) == "now":
        pass
    assert table.keys() == list(range(29 * PAGE))


def test_a_few_rows_beside_many_that_wait_wait_with_them(monkeypatch: pytest.MonkeyPatch, sorts: list[int]) -> None:
    """As it was found: to place one row, ten thousand others were ranked, and the window stood still."""
    monkeypatch.setattr(row_arrangement, "_QUIET_S", HOURS)
    desk = new_desk()
    table = opened(desk)
    for number in range(9):
        page(desk, number)
    assert table.is_behind
    sorts.clear()
    tell(desk, PETS, Pet(100_000, "00000a", status="sold"))
    assert sorts == []
    monkeypatch.setattr(row_arrangement, "_QUIET_S", 0)
    while table.work(HOURS) != "none":
        pass
    assert table.keys()[1] == 100_000


def test_no_row_waits_long_however_fast_others_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_arrangement, "_QUIET_S", HOURS)
    monkeypatch.setattr(row_arrangement, "_LATEST_S", 0)
    monkeypatch.setattr(row_arrangement, "_REST", 0)
    desk = new_desk()
    table = opened(desk)
    for number in range(29):
        page(desk, number)
    while table.work(HOURS) == "now":
        pass
    assert table.keys() == sorted_keys(desk, range(29 * PAGE))


def test_one_row_more_waits_where_all_names_would_have_to_be_sorted_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The window stood still for 600 ms: one row in sixteen had changed, each by itself, and with one more all names
    were made into keys and sorted at once."""
    at_once, values, sort = [], NameRanks.values, name_ranks._sorted_bytes
    """The sorts that a row waited for."""
    asked: list[int] = []
    now = count(0.0, 0.005)

    def noted(ranks: NameRanks, *until: Any) -> Any:
        asked.append(1)
        try:
            return values(ranks, *until)
        finally:
            asked.pop()

    def sorted_(*keys: Any) -> Any:
        at_once.append(bool(asked))
        return sort(*keys)

    monkeypatch.setattr(NameRanks, "values", noted)
    monkeypatch.setattr(name_ranks, "_sorted_bytes", sorted_)
    monkeypatch.setattr(name_ranks, "_MADE", 256)
    monkeypatch.setattr(row_arrangement, "perf_counter", lambda: next(now))
    desk = new_desk()
    table = opened(desk)
    for number in range(40):
        page(desk, number)
    while table.work(HOURS) != "none":
        pass
    at_once.clear()
    stood = 0
    for key in range(0, 40 * PAGE, 2):
        tell(desk, PETS, Pet(key, f"{key * 31 % 10_007:05}", status="sold"))
        stood += not table.is_behind
        while table.work(HOURS) == "now":
            pass
    assert stood > 1_000, "one row is placed at once"
    assert set(at_once) == {False}
    while table.work(HOURS) != "none":
        pass
    assert table.keys() == sorted_keys(desk, table.keys())
