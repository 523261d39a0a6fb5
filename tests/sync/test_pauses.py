"""Pauses in virtual time: what must wait waits, by itself, and nothing leaves too early."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange
from petstore_desktop.domain.commands import CheckLive, ResumeNow
from petstore_desktop.domain.quota import GatePhase, RequestClass, SentRequest
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.wire.events import Checked, GateMoved, RequestsSent
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime


@pytest.fixture
def shop(loop: VirtualTime, tmp_path: Path) -> Iterator[VirtualShop]:
    shop = VirtualShop(loop, tmp_path / "shop", rpm=20, ban_at=1, pets=1_300)
    yield shop
    shop.close()


@pytest.fixture
def desk(loop: VirtualTime, shop: VirtualShop, tmp_path: Path) -> VirtualDesk:
    return VirtualDesk(loop, shop, tmp_path / "desk")


def stocks(shop: VirtualShop, count: int) -> list[tuple[int, int]]:
    """Pets that have a stock entry, and what it holds."""
    return [
        (pet, held) for pet, held in shop.rows("SELECT pet_id, quantity FROM inventory ORDER BY pet_id LIMIT ?", count)
    ]


def bookings(shop: VirtualShop, count: int) -> tuple[NewChange, ...]:
    return tuple(NewChange(stock(pet), AddStock(1), {}) for pet, _ in stocks(shop, count))


def stock(pet: int) -> Ref:
    return Ref(Resource.INVENTORY, pet)


def paused(desk: VirtualDesk) -> bool:
    return any(moved.gate.phase is GatePhase.PAUSED for moved in desk.of(GateMoved))


def never_early(shop: VirtualShop) -> bool:
    """Nothing was sent inside a pause, nothing was banned, and what came after each 429 was one reading request."""
    lines = shop.log_lines()
    probes = [after["method"] for before, after in pairwise(lines) if before["status"] == 429]
    return not any(line["inside_pause"] or line["status"] == 403 for line in lines) and set(probes) <= {"GET"}


def test_edits_wait_for_a_pause_and_leave_by_themselves_after_one_probe(shop: VirtualShop, desk: VirtualDesk) -> None:
    before = stocks(shop, 3)
    desk.wait_idle()
    shop.control("exhaust")
    ids = desk.apply(*bookings(shop, 3))
    desk.wait(lambda: paused(desk), "the pause is told")
    desk.wait_for(ids, ChangeState.DONE)
    assert stocks(shop, 3) == [(pet, count + 1) for pet, count in before]
    assert [line["status"] for line in shop.log_lines()].count(429) == 1
    assert never_early(shop)


def test_a_pause_that_nobody_waits_for_ends_with_one_question_of_our_own(shop: VirtualShop, desk: VirtualDesk) -> None:
    desk.wait_idle()
    shop.control("exhaust")
    desk.submit(CheckLive(stock(stocks(shop, 1)[0][0])))
    desk.wait(lambda: paused(desk), "the pause is told")
    desk.wait(lambda: desk.of(Checked), "the person is answered")
    asked = len(shop.log_lines())
    desk.wait(lambda: desk.of(GateMoved)[-1].gate.phase is GatePhase.OPEN, "the gate is open again")
    assert [line["method"] for line in shop.log_lines()[asked:]] == ["GET"]
    assert never_early(shop)


def test_a_program_that_is_killed_inside_a_pause_waits_for_its_end_after_the_restart(
    loop: VirtualTime, shop: VirtualShop, desk: VirtualDesk
) -> None:
    before = stocks(shop, 3)
    desk.wait_idle()
    shop.control("exhaust")
    ids = desk.apply(*bookings(shop, 3))
    desk.wait(lambda: paused(desk), "the pause is told")
    desk.kill()
    asked, told = len(shop.log_lines()), len(desk.of(GateMoved))
    loop.run_for(5.0)
    desk.start()
    desk.wait(lambda: len(desk.of(GateMoved)) > told, "the gate is told")
    assert desk.of(GateMoved)[told].gate.phase is GatePhase.PAUSED
    assert len(shop.log_lines()) == asked
    desk.wait_for(ids, ChangeState.DONE)
    assert stocks(shop, 3) == [(pet, count + 1) for pet, count in before]
    assert never_early(shop)


def test_a_walk_goes_on_after_a_pause_and_reads_every_page_once(shop: VirtualShop, desk: VirtualDesk) -> None:
    desk.wait(lambda: desk.rows[Resource.PETS], "the first page is there")
    assert len(desk.rows[Resource.PETS]) < 1_300
    shop.control("exhaust")
    desk.wait(lambda: desk.ended(Resource.PETS), "the list is read")
    assert len(desk.rows[Resource.PETS]) == 1_300
    assert desk.load_failures(Resource.PETS) == []
    read = [line["path"] for line in shop.log_lines() if "/pets?" in line["path"] and line["status"] == 200]
    assert len(read) == len(set(read)) == 3
    assert never_early(shop)


def test_resuming_by_hand_asks_at_once(shop: VirtualShop, desk: VirtualDesk) -> None:
    desk.wait_idle()
    shop.control("exhaust")
    ids = desk.apply(*bookings(shop, 1))
    desk.wait(lambda: paused(desk), "the pause is told")
    shop.control("reset-limits")
    desk.submit(ResumeNow())
    desk.wait_for(ids, ChangeState.DONE, 5.0)


def test_what_waited_for_a_pause_says_how_long_and_the_first_one_after_it_is_the_question(
    loop: VirtualTime, shop: VirtualShop, desk: VirtualDesk
) -> None:
    desk.wait_idle()
    ref = stock(stocks(shop, 1)[0][0])
    shop.control("pause", seconds=20)
    desk.submit(CheckLive(ref))
    desk.wait(lambda: paused(desk), "the pause is told")
    desk.wait_for(desk.apply(NewChange(ref, AddStock(1), {})), ChangeState.DONE)
    loop.run_for(1.0)
    all_sent: list[SentRequest] = [one for event in desk.of(RequestsSent) for one in event.requests]
    refused = [one for one in all_sent if one.status == 429]
    assert [one.cls for one in refused] == [RequestClass.PERSON]
    after = all_sent[all_sent.index(refused[0]) + 1 :]
    assert [one.probe for one in after] == [True] + [False] * (len(after) - 1)
    assert after[0].at - refused[0].at >= 20
    assert after[0].waited_s < after[0].at - refused[0].at - 1, "the question was asked for when the pause was over"
    booking = next(one for one in after if one.path.startswith("/inventory/"))
    assert booking.cls is RequestClass.CHANGES
    assert 19 <= booking.waited_s <= booking.at - refused[0].at
    assert all(one.waited_s < 1 for one in after if one is not booking and one.cls is RequestClass.CHANGES)
