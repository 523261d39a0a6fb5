"""The placeholder of an operation on one record is this record's id, or it is not taken by itself."""

from __future__ import annotations

import pytest

from petstore_desktop.contract.binding.load import load
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op
from petstore_desktop.contract.survey import EndpointCandidate
from tests.contract.documents import answer, body, bound, document, list_of, ref

PETS = f"\n  /pets: {{get: {{{answer(list_of('Pet'))}}}}}"
NEW = body(ref("NewPet"))
NEED = "parameters: [{name: %s, in: header, required: true, schema: {type: string%s}}]"


def one(path: str, methods: str) -> str:
    return f"\n  {path}: {{{methods}}}"


def near(contract: Contract, op: Op) -> EndpointCandidate:
    assert contract.survey is not None
    found = contract.survey.of(op)
    assert found.endpoint == ""
    return found.near[0]


def test_all_pets_of_a_category_are_never_deleted_for_one_pet() -> None:
    paths = PETS + one("/pets/{petId}", f"get: {{{answer(ref('Pet'))}}}") + one("/pets/{categoryId}", "delete: {}")
    contract = bound(paths)
    assert set(contract.operations) == {Op.PETS_LIST, Op.PET_READ}
    choice = near(contract, Op.PET_DELETE)
    assert (choice.endpoint, choice.why, choice.what, choice.fits) == (
        "DELETE /pets/{categoryId}", "placeholder", "categoryId", True,
    )  # fmt: skip
    assert "DELETE /pets/{categoryId} is not used: its placeholder categoryId is not the record's id" in (
        contract.warnings
    )
    hand = load(document(paths), source="chosen", bindings={"pets.delete": "DELETE /pets/{categoryId}"})
    assert hand.operations[Op.PET_DELETE].path == "/pets/{categoryId}"


FOREIGN = [
    "/pets/{ownerId}", "/pets/{owner_id}", "/pets/{ownerid}", "/pets/{owner-uuid}", "/pet/{storeId}", "/pet/{STORE_ID}",
    "/pets/{status}", "/pets/{petStatus}", "/pets/{name}", "/pets/{category}", "/pets/{orderId}", "/pets/{order}",
    "/pets/{petCategoryId}", "/pets/{petOwnerId}", "/pets/{ids}", "/pets/{group}", "/shop-pets/{shopId}",
]  # fmt: skip


@pytest.mark.parametrize("path", FOREIGN)
def test_a_placeholder_that_names_something_else_is_not_filled_with_the_id_of_a_pet(path: str) -> None:
    many = path.rpartition("/")[0]
    listed = one(many, f"get: {{{answer(list_of('Pet'))}}}")
    contract = bound(listed + one(path, f"delete: {{}}, patch: {{{NEW}}}"))
    assert set(contract.operations) == {Op.PETS_LIST}
    with_list = bound(listed + one(path, f"get: {{{answer(list_of('Pet'))}}}, delete: {{}}, patch: {{{NEW}}}"))
    assert set(with_list.operations) == {Op.PETS_LIST}


OWN = [
    "/pets/{id}", "/pets/{ID}", "/pets/{_id}", "/pets/{petId}", "/pets/{pet_id}", "/pets/{PetID}", "/pets/{pet-id}",
    "/pets/{petsId}", "/pets/{pet}", "/pet/{animalId}", "/animals/{animalId}", "/animals/{petId}", "/pets/{petid}",
    "/pets/{uuid}", "/pets/{petUuid}", "/pets/{petNumber}", "/pets/{itemId}", "/pets/{recordId}",
    "/shop-pets/{shopPetId}", "/shop-pets/{petId}", "/pets/{guid}", "/pets/{petKey}", "/pets/{oid}", "/pets/{x}",
    "/pets/{number}", "/pets/{key}", "/pets/{nr}",
]  # fmt: skip


@pytest.mark.parametrize("path", OWN)
def test_the_id_of_the_record_is_known_however_it_is_spelled(path: str) -> None:
    many = path.rpartition("/")[0]
    contract = bound(one(many, f"get: {{{answer(list_of('Pet'))}}}") + one(path, f"delete: {{}}, patch: {{{NEW}}}"))
    assert set(contract.operations) == {Op.PETS_LIST, Op.PET_DELETE, Op.PET_CHANGE}


@pytest.mark.parametrize("hole", ["uid", "key", "slug", "sku", "tag", "animal_tag"])
def test_a_plain_word_is_the_id_where_the_record_is_read_by_it(hole: str) -> None:
    path = one(f"/pets/{{{hole}}}", f"get: {{{answer(ref('Pet'))}}}, delete: {{}}, patch: {{{NEW}}}")
    assert set(bound(PETS + path).operations) == {Op.PETS_LIST, Op.PET_READ, Op.PET_DELETE, Op.PET_CHANGE}


@pytest.mark.parametrize("path", ["/inventory/{petId}", "/inventory/{stock}", "/stock/{inventoryItemId}"])
def test_a_stock_entry_is_known_by_its_pet_or_by_itself(path: str) -> None:
    assert set(bound(one(path, f"patch: {{{body(ref('InventoryUpdate'))}}}")).operations) == {Op.STOCK_CHANGE}


@pytest.mark.parametrize("path", ["/inventory/{orderId}", "/inventory/{warehouseId}", "/orders/{orderId}/stock"])
def test_a_stock_entry_is_not_known_by_anything_else(path: str) -> None:
    more = one(path, f"patch: {{{body(ref('InventoryUpdate'))}}}")
    assert set(bound(PETS + more).operations) == {Op.PETS_LIST}


@pytest.mark.parametrize(
    ("path", "op"), [("/orders/{petId}", Op.ORDER_CANCEL), ("/categories/{petId}", Op.CATEGORY_DELETE)]
)
def test_other_records_are_not_deleted_by_the_id_of_a_pet(path: str, op: Op) -> None:
    contract = bound(PETS + one(path, "delete: {}"))
    assert near(contract, op).why == "placeholder"


@pytest.mark.parametrize(
    "schema",
    ["{type: string, enum: [sold, pending]}", "{allOf: [{enum: [a, b]}]}", "{type: array}", "{type: [array, 'null']}"],
)
def test_one_of_a_few_values_is_no_id(schema: str) -> None:
    parameters = f"parameters: [{{name: id, in: path, required: true, schema: {schema}}}]"
    contract = bound(PETS + one("/pets/{id}", f"{parameters}, delete: {{}}"))
    assert near(contract, Op.PET_DELETE).why == "placeholder"


@pytest.mark.parametrize(
    ("op", "methods", "why"),
    [
        (Op.PET_CHANGE, f"patch: {{{NEW}, {answer(list_of('Pet'))}}}", "answer-list"),
        (Op.PET_DELETE, f"delete: {{{answer(list_of('Pet'))}}}", "answer-list"),
        (Op.PET_CHANGE, f"put: {{{body(ref('NewPet'), 'multipart/form-data')}}}", "body-media"),
        (Op.PET_CHANGE, f"put: {{{body(ref('NewPet'), 'application/xml')}}}", "body-media"),
        (Op.PET_DELETE, f"delete: {{{NEED % ('X-Reason', '')}}}", "demands-header"),
        (Op.PET_CHANGE, f"patch: {{{NEED % ('X-Tenant', '')}, {NEW}}}", "demands-header"),
    ],
)  # fmt: skip
def test_what_is_not_done_to_one_record_in_the_programs_way_waits_for_a_choice(op: Op, methods: str, why: str) -> None:
    contract = bound(PETS + one("/pets/{petId}", methods))
    assert (near(contract, op).why, near(contract, op).fits) == (why, True)


@pytest.mark.parametrize("name", ["If-Match", "X-Api-Key", "Authorization", "accept", "Content-Type", "User-Agent"])
def test_a_header_that_the_program_sends_may_be_required(name: str) -> None:
    more = "  securitySchemes: {key: {type: apiKey, in: header, name: x-api-key}}\nsecurity: [{key: []}]"
    path = one("/pets/{petId}", f"patch: {{{NEED % (name, '')}, {NEW}}}")
    assert Op.PET_CHANGE in bound(PETS + path, more=more).operations


def test_a_header_with_a_default_may_be_required() -> None:
    path = one("/pets/{petId}", f"delete: {{{NEED % ('X-Version', ', default: v1')}}}")
    assert Op.PET_DELETE in bound(PETS + path).operations


@pytest.mark.parametrize("media", ["application/json; charset=utf-8", "'*/*'", "application/merge-patch+json"])
def test_a_body_that_may_be_json_is_sent_as_json(media: str) -> None:
    assert Op.PET_CHANGE in bound(PETS + one("/pets/{id}", f"patch: {{{body(ref('NewPet'), media)}}}")).operations


@pytest.mark.parametrize("many", [list_of("Pet"), f"{{properties: {{data: {list_of('Pet')}}}}}", "{type: array}"])
def test_a_search_is_no_creation_even_where_a_person_says_so(many: str) -> None:
    paths = one("/pets", f"get: {{{answer(list_of('Pet'))}}}, post: {{{NEW}, {answer(many)}}}")
    for bindings in ({}, {"pets.create": "POST /pets"}):
        contract = load(document(paths), source="chosen", bindings=bindings)
        assert set(contract.operations) == {Op.PETS_LIST}
        assert (near(contract, Op.PET_CREATE).why, near(contract, Op.PET_CREATE).fits) == ("answer-search", False)
