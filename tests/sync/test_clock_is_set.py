"""Somebody sets the computer's clock in the middle of something: nothing that was done, said or asked changes by it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from petstore_desktop.domain.changes import AddStock, ChangeState, Delete, NewChange
from petstore_desktop.domain.records import Ref, Resource
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime

DAY_S = 86_400.0


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[VirtualDesk]:
    loop = VirtualTime()
    shop = VirtualShop(loop, tmp_path / "shop", pets=20)
    desk = VirtualDesk(loop, shop, tmp_path / "desk")
    desk.wait_idle()
    yield desk
    desk.close()
    shop.close()
    loop.close()


def set_clock_at_the_next_look(desk: VirtualDesk, jump: float) -> None:
    """While a single record is being read."""

    def look(request: httpx.Request) -> None:
        if request.method == "GET" and request.url.path.rpartition("/")[2].isdigit():
            desk.clock.set_wall(desk.clock.now().wall + jump)

    desk.shop.before = look


@pytest.mark.parametrize("jump", [-DAY_S, DAY_S])
def test_a_deletion_that_was_not_done_is_not_taken_to_be_done(desk: VirtualDesk, jump: float) -> None:
    ((order,),) = desk.shop.rows("SELECT id FROM orders WHERE complete = 0 ORDER BY id LIMIT 1")
    desk.shop.control("answer-next", status=504)
    set_clock_at_the_next_look(desk, jump)
    ids = desk.apply(NewChange(Ref(Resource.ORDERS, order), Delete()))
    desk.wait_for(ids, ChangeState.DONE)
    assert desk.shop.rows("SELECT count(*) FROM orders WHERE id = ?", order) == [(0,)]


@pytest.mark.parametrize("jump", [-DAY_S, DAY_S])
def test_a_booking_of_unknown_outcome_is_done_once(desk: VirtualDesk, jump: float) -> None:
    ((pet, before),) = desk.shop.rows("SELECT pet_id, quantity FROM inventory ORDER BY pet_id LIMIT 1")
    set_clock_at_the_next_look(desk, jump)
    desk.shop.control("lose-answers", next=1)
    ids = desk.apply(NewChange(Ref(Resource.INVENTORY, pet), AddStock(3)))
    desk.wait_for(ids, ChangeState.DONE)
    assert desk.shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", pet) == [(before + 3,)]
