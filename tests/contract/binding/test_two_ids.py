"""Of records with two ids, no other one is changed because the path names them by the second."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from petstore_desktop.api.check.samples import sample_of
from petstore_desktop.contract.binding.answer_fields import learned
from petstore_desktop.contract.binding.load import default, load
from petstore_desktop.contract.binding.path_parameters import knows_stock_key
from petstore_desktop.contract.lifecycle.sunset import carried
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op
from petstore_desktop.contract.stock_key import StockKey, with_stock_key
from petstore_desktop.domain.records import Resource
from tests.contract.documents import answer, body, document

STOCK = "petId: {type: integer}, quantity: {type: integer}"
ORDER = f"{STOCK}, complete: {{type: boolean}}"
PET = "name: {type: string}, status: {type: string}"
PETS = f"{{type: array, items: {{type: object, properties: {{id: {{}}, {PET}}}}}}}"


def shop(path: str, record: str, change: str = "patch", sent: str = "", **bindings: str) -> Contract:
    """A service with a list at a path, and with all that is done to one record below it."""
    record, sent = (f"{{type: object, properties: {{{fields}}}}}" for fields in (record, sent or record))
    listing, answers, takes = path.partition("/{")[0], answer(record), body(sent)
    one = f"get: {{{answers}}}, {change}: {{{takes}, {answers}}}, delete: {{}}" if "{" in path else ""
    whole = f"get: {{{answer(f'{{type: array, items: {record}}}')}}}" + ("" if one else f", put: {{{takes}}}")
    pets = "" if listing == "/pets" else f"\n  /pets: {{get: {{{answer(PETS)}}}}}"
    paths = f"{pets}\n  {listing}: {{{whole}}}" + (f"\n  {path}: {{{one}}}" if one else "")
    said = {name.replace("__", "."): value for name, value in bindings.items()}
    return load(document(paths), source="chosen", bindings=said)


def on_one(contract: Contract, resource: Resource) -> set[Op]:
    """What can be done to one record."""
    return {op for op in contract.operations if op.resource is resource and not op.value.endswith(".list")}


@pytest.mark.parametrize(
    ("path", "record", "resource"),
    [
        ("/pets/{petId}", f"id: {{type: integer}}, petId: {{type: integer}}, {PET}", Resource.PETS),
        ("/pets/{pet_id}", f"id: {{type: integer}}, petId: {{type: integer}}, {PET}", Resource.PETS),
        *(
            (f"/pets/{{{name}}}", f"id: {{type: integer}}, {name}: {{type: string}}, {PET}", Resource.PETS)
            for name in ("uuid", "slug", "key", "code", "sku")
        ),
        ("/orders/{orderNumber}", f"id: {{type: integer}}, orderNumber: {{type: integer}}, {ORDER}", Resource.ORDERS),
    ],
)
def test_a_record_is_not_named_by_one_of_its_ids_where_the_path_wants_another(
    path: str, record: str, resource: Resource
) -> None:
    contract = shop(path, record)
    assert on_one(contract, resource) == set()
    assert any("its placeholder" in warning for warning in contract.warnings)


@pytest.mark.parametrize(
    ("path", "record", "resource"),
    [
        ("/pets/{petId}", f"id: {{type: integer}}, {PET}", Resource.PETS),
        ("/pets/{id}", f"id: {{type: integer}}, uuid: {{type: string}}, {PET}", Resource.PETS),
        ("/pets/{uuid}", f"uuid: {{type: string}}, {PET}", Resource.PETS),
        ("/pets/{id}", f"_id: {{type: string}}, {PET}", Resource.PETS),
        ("/inventory/{id}", STOCK, Resource.INVENTORY),
        ("/inventory/{petId}", f"id: {{type: integer}}, {STOCK}, status: {{type: string}}", Resource.INVENTORY),
    ],
)
def test_a_record_is_named_by_the_id_that_its_list_shows(path: str, record: str, resource: Resource) -> None:
    assert len(on_one(shop(path, record), resource)) >= 2


@pytest.mark.parametrize("name", ["id", "stockId"])
def test_stock_whose_path_may_mean_its_own_id_is_not_written_before_a_read_has_told(name: str) -> None:
    path, record = f"/inventory/{{{name}}}", f"id: {{type: integer}}, {STOCK}, status: {{type: string}}"
    contract = shop(path, record)
    assert contract.doubt(contract.operations[Op.STOCK_CHANGE]) == "key-doubted"
    own = with_stock_key(contract, StockKey.OWN, ("id",))
    assert own.doubt(own.operations[Op.STOCK_CHANGE]) == ""
    assert {own.operations[op].hole for op in on_one(own, Resource.INVENTORY)} == {("id",)}
    pets = with_stock_key(own, StockKey.PET, ("id",))
    assert pets.doubt(pets.operations[Op.STOCK_CHANGE]) == "" and knows_stock_key(pets)
    assert pets.operations[Op.STOCK_CHANGE].hole == ()
    assert carried(own, shop(path, record)) == own, "it is kept for a document that is the same"


def test_a_person_says_which_of_two_ids_names_a_record() -> None:
    record = f"id: {{type: integer}}, orderNumber: {{type: integer}}, {ORDER}"
    said = shop("/orders/{orderNumber}", record, orders__id="orderNumber")
    assert on_one(said, Resource.ORDERS) == {Op.ORDER_READ, Op.ORDER_CHANGE, Op.ORDER_CANCEL}
    assert said.map(Resource.ORDERS).paths["id"] == ("orderNumber",)
    assert said.map(Resource.ORDERS).guessed == ()


def test_an_operation_that_a_person_chose_waits_for_the_id_that_it_means() -> None:
    record = f"id: {{type: integer}}, orderNumber: {{type: integer}}, {ORDER}"
    chosen = {"orders__cancel": "DELETE /orders/{orderNumber}"}
    contract = shop("/orders/{orderNumber}", record, **chosen)
    assert contract.map(Resource.ORDERS).guessed == ("id",)
    assert contract.doubt(contract.operations[Op.ORDER_CANCEL])
    both = shop("/orders/{orderNumber}", record, orders__id="id", **chosen)
    assert not both.doubt(both.operations[Op.ORDER_CANCEL])


def test_a_body_that_names_the_record_by_another_id_is_not_sent() -> None:
    record = f"id: {{type: integer}}, petId: {{type: integer}}, {PET}"
    contract = shop("/pets", record, sent=f"petId: {{type: integer}}, {PET}")
    assert on_one(contract, Resource.PETS) == set()
    assert on_one(shop("/pets", record, sent=f"id: {{type: integer}}, {PET}"), Resource.PETS) == {Op.PET_CHANGE}


def test_the_first_records_show_a_second_id_where_no_document_does() -> None:
    contract = default()
    assert contract.operations[Op.ORDER_CANCEL].path == "/store/orders/{orderId}"
    orders = [{"id": 1, "orderId": 2, "petId": 3, "quantity": 1}, {"id": 2, "orderId": 1, "petId": 3, "quantity": 2}]
    found = learned(contract, Resource.ORDERS, orders)
    assert found is not None
    assert found.map(Resource.ORDERS).guessed == ("id",)
    assert found.doubt(found.operations[Op.ORDER_CANCEL])
    assert learned(found, Resource.ORDERS, orders) is None
    said = learned(replace(contract, by_hand={"orders.id": "id"}), Resource.ORDERS, orders)
    assert said is None or said.map(Resource.ORDERS).guessed == ()


def test_records_show_a_second_id_of_which_their_document_is_silent() -> None:
    contract = shop("/orders/{orderNumber}", f"id: {{type: integer}}, {ORDER}")
    assert Op.ORDER_CHANGE in contract.operations
    assert learned(contract, Resource.ORDERS, [{"id": 1, "petId": 3, "quantity": 1}]) is None
    found = learned(contract, Resource.ORDERS, [{"id": 1, "orderNumber": 2, "petId": 3, "quantity": 1}])
    assert found is not None
    assert found.doubt(found.operations[Op.ORDER_CHANGE], "complete")


def test_a_second_id_is_among_the_guesses_that_a_trial_of_the_connection_shows() -> None:
    orders = [{"id": 1, "orderId": 2, "petId": 3, "quantity": 1}]
    assert sample_of(default(), {Resource.ORDERS: orders}).guessed == ((Resource.ORDERS, "id", "id"),)


@pytest.mark.parametrize(
    ("taken", "key", "is_taken"),
    [
        ("{type: string, format: uuid}", "integer", False),
        ("{type: integer}", "string", False),
        ("{type: string}", "integer", True),
        ("{type: string, format: uuid}", "string", True),
        ("{type: integer}", "integer", True),
    ],
)
def test_a_placeholder_that_takes_no_such_id_is_not_filled_with_it(taken: str, key: str, is_taken: bool) -> None:
    record = f"{{type: object, properties: {{id: {{type: {key}}}, code: {{type: string}}, {PET}}}}}"
    said = f"parameters: [{{name: petId, in: path, required: true, schema: {taken}}}]"
    listed = answer(f"{{type: array, items: {record}}}")
    paths = f"\n  /pets: {{get: {{{listed}}}}}\n  /pets/{{petId}}: {{{said}, delete: {{}}}}"
    contract = load(document(paths), source="chosen")
    assert (Op.PET_DELETE in contract.operations) is is_taken


def test_the_own_key_of_an_entry_of_stock_is_not_its_pet_also_where_a_person_says_so() -> None:
    """Two stores have the stock of one pet: entry 7 was shown, and written, as the stock of pet 7."""
    record = f"id: {{type: integer}}, storeId: {{type: integer}}, {STOCK}"
    chosen = {"inventory__change": "PATCH /inventory/{id}"}
    wrong = shop("/inventory/{id}", record, inventory__pet_id="id", **chosen)
    assert wrong.doubt(wrong.operations[Op.STOCK_CHANGE], "quantity")
    named = shop(
        "/inventory/{id}",
        "id: {type: integer}, pet: {type: string}, quantity: {type: integer}",
        inventory__pet_id="id",
        **chosen,
    )
    assert not named.doubt(named.operations[Op.STOCK_CHANGE], "quantity"), "what is called pet is its name there"
