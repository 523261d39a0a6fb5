"""The whole program below its window at the best-known example service, judged by the service's own books."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from petstore_desktop.contract.binding.bind import bind
from petstore_desktop.contract.cache import from_json, to_json
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.changes import ChangeState, Create, Delete, NewChange, SetFields
from petstore_desktop.domain.commands import CheckLive, Refresh
from petstore_desktop.domain.records import FieldValue, LocalId, Ref, Resource
from tests.support import petstore_document
from tests.support.petstore import Petstore, a_pet
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_time import VirtualTime


@pytest.fixture
def loop() -> Iterator[VirtualTime]:
    loop = VirtualTime()
    yield loop
    loop.close()


@pytest.fixture(params=[3, 2])
def shop(loop: VirtualTime, request: pytest.FixtureRequest) -> Petstore:
    return Petstore(loop, version=request.param)


@pytest.fixture
def desk(loop: VirtualTime, shop: Petstore, tmp_path: Path) -> VirtualDesk:
    desk = VirtualDesk(loop, shop, tmp_path / "desk", per_minute=60_000, per_day=6_000_000)
    desk.wait_idle()
    return desk


def pet(number: int) -> Ref:
    return Ref(Resource.PETS, number)


@pytest.mark.parametrize("document", [petstore_document.openapi3(), petstore_document.swagger2()], ids=["3", "2"])
def test_what_is_offered(document: dict[str, object]) -> None:
    contract = bind(document, source="published", address="http://127.0.0.1:9/v1")
    bound = {op.value: f"{one.method} {one.path}" for op, one in contract.operations.items()}
    assert bound == {
        "categories.list": "GET /pet/findByStatus",
        "pets.list": "GET /pet/findByStatus",
        "pets.read": "GET /pet/{petId}",
        "pets.create": "POST /pet",
        "pets.change": "PUT /pet",
        "pets.delete": "DELETE /pet/{petId}",
        "orders.read": "GET /store/order/{orderId}",
        "orders.create": "POST /store/order",
        "orders.cancel": "DELETE /store/order/{orderId}",
    }
    assert contract.operations[Op.PETS_LIST].statuses == ("available", "pending", "sold")
    assert contract.statuses[Resource.ORDERS] == ("placed", "approved", "delivered")
    assert from_json(to_json(contract)).statuses == contract.statuses


@pytest.mark.parametrize("status", [{"required": False}, {"schema": {"type": "string", "enum": ["available", "sold"]}}])
def test_a_list_of_one_status_is_asked_for_each_whether_it_says_that_it_must_or_not(status: dict[str, object]) -> None:
    contract = bind(petstore_document.openapi3(**status), source="published", address="http://127.0.0.1:9/v1")
    assert contract.operations[Op.PETS_LIST].statuses[-1] == "sold"


def test_all_pets_of_all_statuses_are_read_each_status_once(shop: Petstore, desk: VirtualDesk) -> None:
    assert set(desk.rows[Resource.PETS]) == set(shop.pets)
    asked = [one for one in shop.asked if "findByStatus" in one]
    assert asked == [f"/v1/pet/findByStatus?status={word}" for word in petstore_document.STATUSES]


def test_what_the_lists_of_all_statuses_do_not_show_is_gone(
    loop: VirtualTime, shop: Petstore, desk: VirtualDesk
) -> None:
    del shop.pets[6]
    shop.pets[4]["status"] = "sold"
    loop.run_for(3_600.0)
    desk.wait_idle()
    assert set(desk.rows[Resource.PETS]) == {1, 2, 3, 4, 5, 7}
    assert getattr(desk.rows[Resource.PETS][4], "status", None) == "sold"


def test_a_pet_whose_status_no_list_is_asked_for_stays(loop: VirtualTime, shop: Petstore, desk: VirtualDesk) -> None:
    shop.pets[8] = a_pet(8, "Odd", 1, "lost")
    shop.pets[9] = {name: value for name, value in a_pet(9, "Bare", 1, "").items() if name != "status"}
    for number in (8, 9):
        desk.submit(CheckLive(pet(number)))
    desk.wait(lambda: {8, 9} <= set(desk.rows[Resource.PETS]), "both are shown")
    del shop.pets[7]
    loop.run_for(3_600.0)
    desk.wait_idle()
    assert set(desk.rows[Resource.PETS]) == {1, 2, 3, 4, 5, 6, 8, 9}
    del shop.pets[8]
    desk.submit(CheckLive(pet(8)))
    desk.wait(lambda: 8 not in desk.rows[Resource.PETS], "what is gone goes when it is asked for itself")


def test_a_pet_is_deleted(shop: Petstore, desk: VirtualDesk) -> None:
    ids = desk.apply(NewChange(pet(7), Delete(), {}))
    desk.wait_for(ids, ChangeState.DONE)
    assert 7 not in shop.pets
    assert [one[:2] for one in shop.written] == [("DELETE", "/v1/pet/7")]


def test_a_change_is_a_put_of_the_whole_pet_as_it_was_just_read(shop: Petstore, desk: VirtualDesk) -> None:
    before = dict(shop.pets[2])
    shop.pets[2]["status"] = before["status"] = "sold"
    shop.asked.clear()
    ids = desk.apply(NewChange(pet(2), SetFields({"name": "Mia II"}), {"name": "Mia"}))
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.pets[2] == before | {"name": "Mia II"}
    assert shop.asked == ["/v1/pet/2"]
    assert [one[:2] for one in shop.written] == [("PUT", "/v1/pet")]


def test_what_a_colleague_changed_meanwhile_is_a_conflict(shop: Petstore, desk: VirtualDesk) -> None:
    shop.pets[2]["name"] = "Bello"
    ids = desk.apply(NewChange(pet(2), SetFields({"name": "Mia II"}), {"name": "Mia"}))
    desk.wait_for(ids, ChangeState.CONFLICT)
    assert shop.written == []


def test_a_change_whose_answer_is_lost_is_done_once(shop: Petstore, desk: VirtualDesk) -> None:
    shop.lost = 1
    ids = desk.apply(NewChange(pet(2), SetFields({"status": "sold"}), {"status": "available"}))
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.pets[2] == a_pet(2, "Mia", 2, "sold")
    assert len(shop.written) == 1


def test_a_new_pet_gets_an_id_chosen_here_and_is_the_same_one_when_sent_again(
    shop: Petstore, desk: VirtualDesk
) -> None:
    shop.lost = 1
    new = Ref(Resource.PETS, LocalId.new())
    fields: dict[str, FieldValue] = {"name": "Odo", "category_id": 1, "status": "available"}
    ids = desk.apply(NewChange(new, Create(fields), {}))
    desk.wait_for(ids, ChangeState.DONE)
    (number,) = shop.pets.keys() - set(range(1, 8))
    assert shop.pets[number]["name"] == "Odo"
    assert shop.pets[number]["photoUrls"] == []
    assert len({body["id"] for _, _, body in shop.written}) == 1


def test_an_order_gets_an_id_chosen_here(shop: Petstore, desk: VirtualDesk) -> None:
    new = Ref(Resource.ORDERS, LocalId.new())
    ids = desk.apply(NewChange(new, Create({"pet_id": 3, "quantity": 2}), {}))
    desk.wait_for(ids, ChangeState.DONE)
    (number,) = shop.orders.keys() - {1}
    assert (shop.orders[number]["petId"], shop.orders[number]["quantity"]) == (3, 2)


def test_categories_are_those_that_the_pets_have_and_cost_no_request(
    loop: VirtualTime, shop: Petstore, desk: VirtualDesk
) -> None:
    assert names(desk) == {1: "Dogs", 2: "Cats", 3: "Rabbits", 4: "Lions"}
    assert len([one for one in shop.asked if "findByStatus" in one]) == 3
    del shop.pets[4]
    shop.pets[3]["category"]["name"] = "Bunnies"
    desk.submit(Refresh((Resource.CATEGORIES,)))
    desk.wait(lambda: names(desk) == {1: "Dogs", 2: "Cats", 3: "Bunnies"}, "the categories are as the pets have them")
    assert len([one for one in shop.asked if "findByStatus" in one]) == 6


def names(desk: VirtualDesk) -> dict[object, object]:
    """The names of the categories."""
    return {key: getattr(one, "name", None) for key, one in desk.rows[Resource.CATEGORIES].items()}


def test_another_category_of_a_pet_goes_with_its_name(shop: Petstore, desk: VirtualDesk) -> None:
    ids = desk.apply(NewChange(pet(1), SetFields({"category_id": 3}), {"category_id": 1}))
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.pets[1] == a_pet(1, "Rex", 3, "available")
    new = Ref(Resource.PETS, LocalId.new())
    fields: dict[str, FieldValue] = {"name": "Odo", "category_id": 2, "status": "pending"}
    ids = desk.apply(NewChange(new, Create(fields), {}))
    desk.wait_for(ids, ChangeState.DONE)
    (number,) = shop.pets.keys() - set(range(1, 8))
    assert shop.pets[number]["category"] == {"id": 2, "name": "Cats"}


def test_an_order_whose_answer_is_lost_is_looked_for_by_its_id(shop: Petstore, desk: VirtualDesk) -> None:
    shop.lost = 1
    new = Ref(Resource.ORDERS, LocalId.new())
    ids = desk.apply(NewChange(new, Create({"pet_id": 3, "quantity": 2}), {}))
    desk.wait_for(ids, ChangeState.DONE)
    (number,) = shop.orders.keys() - {1}
    assert f"/v1/store/order/{number}" in shop.asked
    assert len(shop.written) == 1


def test_an_order_is_looked_up_by_its_id_with_its_own_status_and_cancelled(
    loop: VirtualTime, shop: Petstore, desk: VirtualDesk
) -> None:
    order = Ref(Resource.ORDERS, 1)
    desk.submit(CheckLive(order))
    desk.wait(lambda: 1 in desk.rows[Resource.ORDERS], "the order is shown")
    assert getattr(desk.rows[Resource.ORDERS][1], "status", None) == "placed"
    loop.run_for(60.0)
    ids = desk.apply(NewChange(order, Delete(), {}))
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.orders == {}


def test_counts_by_status_are_no_list_of_stock(shop: Petstore, desk: VirtualDesk) -> None:
    assert desk.rows[Resource.INVENTORY] == {}
    assert not [one for one in shop.asked if "inventory" in one]
