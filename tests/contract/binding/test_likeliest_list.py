"""Of several lists that may be the one of a resource the likeliest is read, and written to where no other is as likely;
orders and stock of other goods are not those of pets."""

from __future__ import annotations

import pytest

from petstore_desktop.contract.binding.answer_fields import learned
from petstore_desktop.contract.binding.load import load
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op
from petstore_desktop.contract.survey import Finding
from petstore_desktop.domain.errors import DocumentUnusable
from petstore_desktop.domain.records import Resource
from tests.contract.binding.test_families import offered, service, whole
from tests.contract.documents import answer, bound, document, list_of

PETS = service("/pets", "id", "name", "status")


def finding(contract: Contract, op: Op) -> Finding:
    assert contract.survey is not None
    return contract.survey.of(op)


@pytest.mark.parametrize("other", ["/archive/pets", "/deleted/pets", "/admin/pets", "/sandbox/pets", "/adopted-pets"])
def test_a_list_is_taken_before_one_that_more_words_qualify_though_more_can_be_done_there(other: str) -> None:
    read = f"\n  /pets: {{get: {{{answer(list_of('Pet'))}}}}}"
    for paths in (read + whole(other), whole(other) + read):
        assert offered(bound(paths), Resource.PETS) == {Op.PETS_LIST: "GET /pets"}


RIVALS = [
    ("/wholesale/animals", "/retail/animals"),
    ("/pet-insurance/pets", "/clinic/pets"),
    ("/pets", "/animals"),
    ("/pets", "/lost/animals"),
    ("/club-pets", "/guest-pets"),
]


@pytest.mark.parametrize(("one", "other"), RIVALS)
def test_of_two_lists_that_are_as_likely_one_is_read_and_neither_written_before_a_person_has_chosen(
    one: str, other: str
) -> None:
    paths = whole(one) + whole(other)
    contract = bound(paths)
    assert set(offered(contract, Resource.PETS)) == {Op.PETS_LIST, Op.PET_READ}
    deletes = next(near for near in finding(contract, Op.PET_DELETE).near if near.endpoint.startswith(f"DELETE {one}/"))
    assert (deletes.why, deletes.what, deletes.fits) == ("rival", f"GET {other}", True)
    for path in (one, other):
        chosen = load(document(paths), source="chosen", bindings={"pets.list": f"GET {path}"})
        assert offered(chosen, Resource.PETS)[Op.PET_DELETE] == f"DELETE {path}/{{x}}"


def test_the_list_below_the_shop_that_the_address_names_is_taken_before_a_shorter_one() -> None:
    below = whole("/shops/{shopId}/pets").replace(
        "get:", "parameters: [{name: shopId, in: path, required: true}], get:", 1
    )
    contract = load(document(whole("/pets") + below), source="chosen", address="https://pets.example/shops/7")
    assert contract.operations[Op.PETS_LIST].path == "/shops/7/pets"


def test_orders_and_stock_of_other_goods_are_not_those_of_pets() -> None:
    goods = service("/orders", "id", "itemId", "quantity", "shipDate", "complete")
    with pytest.raises(DocumentUnusable) as caught:
        bound(goods + service("/stock", "itemId", "quantity"))
    assert caught.value.code == "document-empty"
    beside = bound(goods + service("/categories", "id", "name", "description"))
    assert offered(beside, Resource.ORDERS) == {}
    contract = bound(goods + PETS)
    assert Op.ORDERS_LIST in contract.operations


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/orders", ("id", "petId", "quantity", "drug", "dose")),
        ("/inventory", ("productId", "available", "warehouse")),
        ("/species", ("id", "name", "description", "extinct")),
        ("/kinds", ("id", "name", "description")),
    ],
)
def test_what_any_service_may_have_is_not_taken_where_there_are_no_pets(path: str, fields: tuple[str, ...]) -> None:
    with pytest.raises(DocumentUnusable):
        bound(service(path, *fields))
    assert bound(PETS + service(path, *fields)).operations[Op.PETS_LIST].path == "/pets"


def test_orders_of_other_goods_are_known_by_the_first_records_where_no_schema_says_so() -> None:
    paths = "\n  /orders: {get: {}}\n  /orders/{id}: {delete: {}}"
    goods, pets = {"id": 1, "itemId": 7, "complete": False}, {"id": 1, "petId": 7, "complete": False}
    found = learned(bound(paths), Resource.ORDERS, [goods])
    assert found is not None
    assert found.doubt(found.operations[Op.ORDER_CANCEL])
    chosen = load(document(paths), source="chosen", bindings={"orders.list": "GET /orders"})
    for contract, came in ((bound(paths), pets), (bound(paths + PETS), goods), (chosen, goods)):
        then = learned(contract, Resource.ORDERS, [came]) or contract
        assert not then.doubt(then.operations[Op.ORDER_CANCEL])


def test_orders_of_pets_are_taken_though_their_service_has_no_pets() -> None:
    contract = bound(service("/orders", "id", "petId", "quantity", "complete") + service("/stock", "petId", "quantity"))
    assert {Op.ORDERS_LIST, Op.ORDER_CANCEL, Op.INVENTORY_LIST} <= set(contract.operations)


def test_of_an_order_and_a_stock_entry_with_the_same_fields_the_path_says_which_it_is() -> None:
    contract = bound(PETS + service("/inventory", "id", "petId", "quantity"))
    assert offered(contract, Resource.INVENTORY)[Op.INVENTORY_LIST] == "GET /inventory"
    assert contract.doubt(contract.operations[Op.STOCK_CHANGE]) == "key-doubted"
    contract = bound(PETS + service("/orders", "id", "petId", "quantity", "status"))
    assert Op.ORDER_CANCEL in contract.operations
