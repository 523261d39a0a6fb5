"""The bench of everything that takes hours: the real program before the real shop, in virtual time."""

from __future__ import annotations

import asyncio
import random
import time
from contextlib import suppress
from pathlib import Path

import pytest

from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange, SetFields
from petstore_desktop.domain.commands import Refresh
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.off_loop import off_loop
from petstore_desktop.sync.send import writer
from petstore_desktop.sync.wire.events import ChangesMoved, GateMoved
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import Stuck, VirtualTime


def stock(pet: int) -> Ref:
    return Ref(Resource.INVENTORY, pet)


def pets(shop: VirtualShop, count: int) -> list[int]:
    return [row[0] for row in shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT ?", count)]


def test_an_hour_passes_at_once_on_every_clock_and_a_sleep_fires_no_timer(loop: VirtualTime) -> None:
    clock, began, real = loop.new_clock(), loop.wall, time.monotonic()
    loop.run_for(3_600.0)
    assert clock.now().wall - began == pytest.approx(3_600.0, abs=0.01)
    assert loop.wall - began == pytest.approx(3_600.0, abs=0.01)
    fired: list[float] = []
    loop.call_later(10.0, lambda: fired.append(loop.wall))
    loop.suspend(1_000.0)
    loop.settle()
    assert not fired
    loop.run_for(11.0)
    assert fired == [pytest.approx(began + 3_600.0 + 1_000.0 + 10.0, abs=0.01)]
    assert time.monotonic() - real < 3_600.0 / 10


def test_a_helper_thread_is_waited_for_and_no_virtual_time_passes(loop: VirtualTime) -> None:
    async def work() -> float:
        await off_loop(lambda: time.sleep(0.05), "a helper")
        return loop.time()

    assert loop.run_until_complete(work()) == 0.0


def test_what_never_happens_is_named(loop: VirtualTime) -> None:
    with pytest.raises(Stuck, match="pigs fly"):
        loop.run_until(lambda: False, "pigs fly", 60.0)

    async def for_ever() -> None:
        await asyncio.Event().wait()

    waiting = loop.create_task(for_ever())
    with pytest.raises(Stuck, match="nothing will ever happen"):
        loop.run_until_complete(waiting)
    waiting.cancel()
    with suppress(asyncio.CancelledError):
        loop.run_until_complete(waiting)


def test_the_program_reads_the_shop_sends_a_change_and_waits_for_the_next_window(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop = VirtualShop(loop, tmp_path / "shop", rpm=20, pets=30)
    desk = VirtualDesk(loop, shop, tmp_path / "desk")
    desk.wait_idle()
    assert len(desk.rows[Resource.PETS]) == 30
    before = dict(shop.rows("SELECT pet_id, quantity FROM inventory"))
    began, some = loop.wall, pets(shop, 30)
    ids = desk.apply(*(NewChange(stock(pet), AddStock(1), {}) for pet in some))
    desk.wait_for(ids, ChangeState.DONE)
    assert 60.0 < loop.wall - began < 600.0
    assert all(shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", p) == [(before[p] + 1,)] for p in some)
    statuses = [line["status"] for line in shop.log_lines()]
    assert 429 not in statuses
    desk.close()
    shop.close()


def test_a_pause_for_no_reason_is_judged_and_kept_through_a_kill(loop: VirtualTime, tmp_path: Path) -> None:
    shop = VirtualShop(loop, tmp_path / "shop", ban_at=1)
    desk = VirtualDesk(loop, shop, tmp_path / "desk", chance=random.Random(3))
    desk.wait_idle()
    shop.control("pause", seconds=120)
    (pet,) = pets(shop, 1)
    ids = desk.apply(NewChange(Ref(Resource.PETS, pet), SetFields({"name": "Ada"}), {}))
    desk.wait(lambda: desk.of(GateMoved)[-1].gate.phase is GatePhase.PAUSED, "the pause is told", 10.0)
    paused = loop.wall
    desk.kill()
    desk.start()
    desk.submit(Refresh(tuple(Resource)))
    desk.wait_for(ids, ChangeState.DONE)
    assert loop.wall - paused > 120.0
    lines = shop.log_lines()
    assert [line["status"] for line in lines].count(429) == 1
    assert not any(line["inside_pause"] for line in lines)
    assert shop.rows("SELECT name FROM pets WHERE id = ?", pet) == [("Ada",)]
    desk.close()
    shop.close()


@pytest.mark.parametrize(("latency_s", "told"), [(0.1, []), (0.2, [ChangeState.SENDING])])
def test_only_a_write_that_lasts_is_said_to_be_on_its_way(
    loop: VirtualTime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, latency_s: float, told: list[ChangeState]
) -> None:
    monkeypatch.setattr(writer, "SENDING_TOLD_S", 0.15)
    shop = VirtualShop(loop, tmp_path / "shop")
    desk = VirtualDesk(loop, shop, tmp_path / "desk")
    desk.wait_idle()
    shop.control("delay", seconds=latency_s)
    (pet,) = pets(shop, 1)
    ids = desk.apply(NewChange(stock(pet), AddStock(5), {}))
    desk.wait_for(ids, ChangeState.DONE)
    states = [change.state for event in desk.of(ChangesMoved) for change in event.changes]
    assert states == [ChangeState.QUEUED, *told, ChangeState.DONE]
    last = desk.of(ChangesMoved)[-1].rows
    assert last is not None
    assert [row.key for row in last.rows] == [pet]
    desk.close()
    shop.close()


def test_what_left_before_a_kill_arrives_and_is_never_sent_twice(loop: VirtualTime, tmp_path: Path) -> None:
    shop = VirtualShop(loop, tmp_path / "shop")
    desk = VirtualDesk(loop, shop, tmp_path / "desk")
    desk.wait_idle()
    (pet,) = pets(shop, 1)
    ((before,),) = shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", pet)
    ids = desk.apply(NewChange(stock(pet), AddStock(5), {}))
    desk.wait_for(ids, ChangeState.SENDING)
    desk.kill()
    loop.run_for(2.0)  # later a colleague may have booked the same: a person is asked (test_unsure_writes)
    assert shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", pet) == [(before + 5,)]
    desk.start()
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", pet) == [(before + 5,)]
    shop.control("lose-answers", next=1)
    ids = desk.apply(NewChange(stock(pet), AddStock(5), {}))
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", pet) == [(before + 10,)]
    desk.close()
    shop.close()
