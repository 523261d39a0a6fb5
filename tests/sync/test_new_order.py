"""New orders in virtual time: of services of every kind, for a pet that is not sent yet, and undone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from petstore_desktop.desk.ordering import NewOrder, form_of, reservation
from petstore_desktop.domain.changes import ChangeState, NewChange
from petstore_desktop.domain.commands import Apply, Revert, UseKey
from petstore_desktop.domain.records import LocalId, Ref, Resource
from tests.support.clerk import Clerk
from tests.support.services.named import SCENARIOS
from tests.support.services.service import Service
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime

_TAKING = ("spring", "petstore-3", "mongo", "demands")
"""One with versions, one that wants a status and an id, one with names of its own, one that demands a header."""
DAY = date(2030, 3, 5)


@pytest.mark.parametrize("name", _TAKING)
def test_each_service_gets_the_order_that_it_takes_once(loop: VirtualTime, tmp_path: Path, name: str) -> None:
    service = Service(SCENARIOS[name], loop)
    clerk = Clerk(loop, service, tmp_path / "desk", bindings=service.bindings)
    if service.further:
        clerk.session.submit(UseKey("", service.further))
    clerk.open(Resource.PETS)
    clerk.session.wait_idle()
    desk = clerk.desk
    form = form_of(desk)
    if "pet_id" not in form.takes:
        assert not desk.allowed("new-order").ok or not desk.allowed("new-order", field="pet_id").ok
        return
    pet = Ref(Resource.PETS, desk.tables[Resource.PETS].keys()[0])
    status = form.statuses[0] if "status" in form.requires else ""
    order = NewOrder(pet, 2 if "quantity" in form.takes else None, DAY if "ship_date" in form.takes else None, status)
    change = order.change(desk, form)
    assert isinstance(change, NewChange), change
    before = set(service.kept[Resource.ORDERS])
    clerk.session.wait_for(clerk.session.apply(change), ChangeState.DONE)
    (key,) = set(service.kept[Resource.ORDERS]) - before
    assert str(service.value(Resource.ORDERS, key, "pet_id")) == str(pet.key)
    if "quantity" in form.takes:
        assert int(service.value(Resource.ORDERS, key, "quantity")) == 2
    assert service.complaints == []
    assert len([write for write in service.written if write.method in ("POST", "PUT")]) == 1
    clerk.close()


@pytest.fixture
def clerk(loop: VirtualTime, tmp_path: Path) -> Iterator[Clerk]:
    shop = VirtualShop(loop, tmp_path / "shop")
    clerk = Clerk(loop, shop, tmp_path / "desk")
    clerk.open(Resource.PETS)
    clerk.session.wait_idle()
    yield clerk
    clerk.close()
    shop.close()


def rows(clerk: Clerk, sql: str) -> list[tuple[object, ...]]:
    shop = clerk.session.shop
    assert isinstance(shop, VirtualShop)
    return shop.rows(sql)


def test_an_order_for_a_pet_that_is_not_sent_yet_follows_it(clerk: Clerk) -> None:
    desk = clerk.desk
    clerk.session.network.cut = True
    made = desk.acts.create(Resource.PETS, {"name": "Zorro", "category_id": desk.categories()[0][0]})
    assert isinstance(made, NewChange)
    pet_ids = clerk.session.apply(made)
    order = NewOrder(made.ref, 3, DAY).change(desk, form_of(desk))
    assert isinstance(order, NewChange)
    assert isinstance(made.ref.key, LocalId)
    ids = clerk.session.apply(order)
    clerk.wait(30)
    clerk.session.network.cut = False
    clerk.session.wait_for((*pet_ids, *ids), ChangeState.DONE)
    ((pet,),) = rows(clerk, "SELECT id FROM pets WHERE name = 'Zorro'")
    assert rows(clerk, f"SELECT quantity, complete FROM orders WHERE pet_id = {pet}") == [(3, 0)]


def test_one_undo_takes_back_the_reservation_and_its_order(clerk: Clerk) -> None:
    desk = clerk.desk
    ((key,),) = rows(clerk, "SELECT id FROM pets WHERE status = 'available' ORDER BY id LIMIT 1")
    assert isinstance(key, int)
    pet, orders = Ref(Resource.PETS, key), f"SELECT quantity FROM orders WHERE pet_id = {key}"
    before = rows(clerk, orders)
    aside, order = reservation(desk, pet), NewOrder(pet, 1, None).change(desk, form_of(desk))
    assert isinstance(aside, tuple)
    assert isinstance(order, NewChange)
    clerk.session.submit(Apply("both", (*aside, order), "reserve"))
    clerk.wait(20)
    assert rows(clerk, f"SELECT status FROM pets WHERE id = {key}") == [("pending",)]
    assert rows(clerk, orders) == [*before, (1,)]
    clerk.session.submit(Revert("both"))
    clerk.wait(20)
    assert rows(clerk, f"SELECT status FROM pets WHERE id = {key}") == [("available",)]
    assert rows(clerk, orders) == before


def test_a_new_order_that_was_undone_is_placed_again_by_redo_and_undone_again(clerk: Clerk) -> None:
    """Redo was refused as "Cannot be undone: a deleted order stays deleted"; the deletion was undo's own."""
    desk = clerk.desk
    ((key,),) = rows(clerk, "SELECT id FROM pets WHERE status = 'available' ORDER BY id LIMIT 1")
    assert isinstance(key, int)
    orders = f"SELECT quantity, ship_date FROM orders WHERE pet_id = {key} ORDER BY id"
    before = rows(clerk, orders)
    order = NewOrder(Ref(Resource.PETS, key), 7, DAY).change(desk, form_of(desk))
    assert isinstance(order, NewChange)
    clerk.session.submit(Apply("placed", (order,), "order"))
    clerk.wait(20)
    after = rows(clerk, orders)
    assert len(after) == len(before) + 1
    for _ in range(2):
        clerk.session.submit(Revert(desk.outbox.undo[0]))
        clerk.wait(20)
        assert rows(clerk, orders) == before
        clerk.session.submit(Revert(desk.outbox.redo[0], again=True))
        clerk.wait(20)
        assert rows(clerk, orders) == after


def test_a_pet_that_is_being_deleted_is_not_ordered(clerk: Clerk) -> None:
    desk, key = clerk.desk, clerk.table.keys()[0]
    clerk.session.network.cut = True
    clerk.delete(key)
    clerk.wait(1)
    order = NewOrder(Ref(Resource.PETS, key), 1).change(desk, form_of(desk))
    assert getattr(order, "code", "") == "no-such-pet"
