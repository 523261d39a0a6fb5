"""What is known of a record whose ETag the service refused."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from petstore_desktop.domain.records import InventoryItem, Resource, Row
from petstore_desktop.store.mirror.mirror import Mirror, Walk
from petstore_desktop.sync.shared import mirror_writer as records_module
from petstore_desktop.sync.shared.mirror_writer import Records
from tests.support.manual_clock import ManualClock
from tests.support.session import stock
from tests.sync.made import KEY

STOCK = stock(KEY)
OLD, NEW = '"1"', '"2"'


@dataclass
class Desk:
    """A mirror with one stock entry, as a list showed it."""

    records: Records
    mirror: Mirror
    clock: ManualClock

    def begin_list(self) -> tuple[int, int]:
        return self.mirror.begin_walk(Resource.INVENTORY), self.records.begin()

    def end_list(self, begun: tuple[int, int], quantity: int, etag: str | None) -> None:
        walk, mark = begun
        self.show(quantity, etag, walk, mark)

    def show(self, quantity: int, etag: str | None, walk: int | None = None, mark: int | None = None) -> None:
        row = Row(KEY, InventoryItem(KEY, quantity), self.clock.now().wall, etag)
        page = None if walk is None else Walk(walk, None)
        self.records.put(Resource.INVENTORY, (row,), self.records.begin() if mark is None else mark, page)

    @property
    def etag(self) -> str | None:
        row = self.records.row(STOCK)
        assert row is not None
        return row.etag


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    clock = ManualClock()
    mirror = Mirror(tmp_path / "mirror.db")
    made = Desk(Records("shop", mirror, clock, lambda _: None), mirror, clock)
    made.end_list(made.begin_list(), 10, OLD)
    clock.advance(1)
    yield made
    mirror.close()


def test_a_list_brings_etags_and_a_refused_one_is_of_no_use_until_the_record_is_seen_again(desk: Desk) -> None:
    assert desk.etag == OLD
    desk.records.doubt(STOCK, OLD)
    assert (desk.etag, desk.records.age(STOCK), desk.records.doubted(STOCK)) == (None, math.inf, True)
    desk.show(17, NEW)
    assert (desk.etag, desk.records.age(STOCK), desk.records.doubted(STOCK)) == (NEW, 0.0, False)


def test_a_list_that_was_asked_for_before_the_refusal_settles_no_doubt(desk: Desk) -> None:
    begun = desk.begin_list()
    desk.clock.advance(1)
    desk.records.doubt(STOCK, OLD)
    desk.clock.advance(1)
    desk.end_list(begun, 10, OLD)
    assert (desk.etag, desk.records.age(STOCK)) == (None, math.inf)


@pytest.mark.parametrize(("told", "kept"), [(NEW, NEW), (OLD, None), (None, None)])
def test_a_list_that_was_asked_for_after_it_does_as_far_as_its_etag_is_another(
    desk: Desk, told: str | None, kept: str | None
) -> None:
    desk.records.doubt(STOCK, OLD)
    desk.clock.advance(1)
    desk.end_list(desk.begin_list(), 10, told)
    assert (desk.etag, desk.records.age(STOCK), desk.records.doubted(STOCK)) == (kept, 0.0, False)


@pytest.mark.parametrize(("told", "versioned"), [(OLD, True), (NEW, True), (None, False)])
def test_an_etag_that_the_last_list_left_out_stays_and_is_not_the_version_that_it_showed(
    desk: Desk, told: str | None, versioned: bool
) -> None:
    desk.end_list(desk.begin_list(), 10, told)
    assert (desk.etag, desk.records.versioned(STOCK)) == (told or OLD, versioned)
    desk.show(10, OLD)
    assert desk.records.versioned(STOCK)


def test_nor_is_one_of_a_list_that_is_not_modified_or_of_an_earlier_run(desk: Desk) -> None:
    walk, mark = desk.begin_list()
    desk.records.confirm(Resource.INVENTORY, walk, mark, 0.0)
    assert (desk.etag, desk.records.versioned(STOCK)) == (OLD, False)
    desk.show(10, OLD)
    later = Records("shop", desk.mirror, desk.clock, lambda _: None)
    assert not later.versioned(STOCK)


def test_an_etag_that_came_while_the_refused_write_was_on_its_way_stays(desk: Desk) -> None:
    desk.end_list(desk.begin_list(), 17, NEW)
    desk.clock.advance(1)
    desk.records.doubt(STOCK, OLD)
    assert (desk.etag, desk.records.doubted(STOCK)) == (NEW, False)


@pytest.mark.parametrize("jump", [-86_400.0, 0.0, 86_400.0])
def test_what_was_said_when_is_not_told_by_the_wall_clock(desk: Desk, jump: float) -> None:
    mark = desk.records.begin()
    desk.clock.advance(3)
    assert not desk.records.seen_since(STOCK, mark)
    assert desk.records.age(STOCK) == 4.0
    desk.clock.set_wall(desk.clock.now().wall + jump)
    assert not desk.records.seen_since(STOCK, mark)
    assert desk.records.age(STOCK) == 4.0
    desk.end_list(desk.begin_list(), 10, OLD)
    assert desk.records.seen_since(STOCK, mark)
    assert desk.records.age(STOCK) == 0.0


def test_a_record_is_as_old_as_the_page_that_showed_it_however_long_its_list_took(desk: Desk) -> None:
    walk, mark = desk.begin_list()
    desk.show(11, OLD, walk, mark)
    desk.clock.advance(3_600)
    desk.mirror.finish_walk(Resource.INVENTORY, walk, as_of=desk.clock.now().wall)
    assert desk.records.age(STOCK) == 3_600.0


def test_the_answer_to_a_write_of_ours_is_no_look_and_what_was_asked_for_after_it_is(desk: Desk) -> None:
    assert not desk.records.echoed(STOCK)
    row = Row(KEY, InventoryItem(KEY, 12), desk.clock.now().wall)
    desk.records.put_own(Resource.INVENTORY, row, {"quantity": 12})
    assert (desk.records.echoed(STOCK), desk.records.age(STOCK)) == (True, 0.0)
    desk.show(12, None)
    assert not desk.records.echoed(STOCK)


def test_a_list_that_did_not_change_speaks_of_every_record(desk: Desk) -> None:
    walk, mark = desk.begin_list()
    desk.clock.advance(60)
    desk.records.confirm(Resource.INVENTORY, walk, mark, desk.clock.now().wall)
    assert desk.records.age(STOCK) == 60.0, "what came after the question is not in the answer"
    assert desk.records.age(stock(KEY + 1)) == math.inf


def test_of_many_answers_the_later_ones_are_remembered(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_module, "MOST_MARKS", 4)
    for key in range(8):
        row = Row(key, InventoryItem(key, 1), desk.clock.now().wall)
        desk.records.put(Resource.INVENTORY, (row,), desk.records.begin())
    ages = [desk.records.age(stock(key)) for key in range(8)]
    assert ages[0] == math.inf
    assert ages[6:] == [0.0, 0.0]


def test_a_record_whose_etag_was_refused_stands_with_none_others(desk: Desk) -> None:
    assert set(desk.records.stands(Resource.INVENTORY, [KEY], ["quantity"])) == {KEY}
    desk.records.doubt(STOCK, OLD)
    assert desk.records.stands(Resource.INVENTORY, [KEY], ["quantity"]) == {}
    desk.show(17, NEW)
    assert desk.records.stands(Resource.INVENTORY, [KEY], ["quantity"])[KEY][3] == 17
