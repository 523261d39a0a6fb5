"""The operations of a resource lie at one path that names it; what is only alike waits for a person's choice."""

from __future__ import annotations

import pytest

from petstore_desktop.contract.binding.load import load
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op
from petstore_desktop.contract.survey import Survey
from petstore_desktop.domain.errors import DocumentUnusable
from petstore_desktop.domain.records import Resource
from tests.contract.documents import answer, body, bound, document, list_of, ref

CLINIC = f"""
  /pets: {{get: {{{answer(list_of("Pet"))}}}}}
  /vets: {{get: {{{answer(list_of("Category"))}}}}}
  /clinics: {{get: {{{answer(list_of("Category"))}}}, post: {{{body(ref("Category"))}}}}}
  /clinics/{{id}}: {{get: {{{answer(ref("Category"))}}}, delete: {{}}, patch: {{{body(ref("Category"))}}}}}"""


def offered(contract: Contract, resource: Resource) -> dict[Op, str]:
    return {op: f"{one.method} {one.path}" for op, one in contract.operations.items() if op.resource is resource}


def survey(contract: Contract) -> Survey:
    assert contract.survey is not None
    return contract.survey


def whole(path: str, name: str = "Pet", new: str = "NewPet") -> str:
    """A path with all that can be done."""
    return f"""
  {path}: {{get: {{{answer(list_of(name))}}}, post: {{{body(ref(new))}}}}}
  {path}/{{x}}: {{get: {{{answer(ref(name))}}}, patch: {{{body(ref(new))}}}, delete: {{}}}}"""


def test_a_list_that_is_only_alike_is_no_list_of_categories_and_nothing_elsewhere_is_deleted_for_it() -> None:
    contract = bound(CLINIC)
    assert offered(contract, Resource.CATEGORIES) == {}
    deletes = survey(contract).of(Op.CATEGORY_DELETE)
    assert (deletes.endpoint, deletes.near[0].endpoint) == ("", "DELETE /clinics/{id}")
    assert (deletes.near[0].why, deletes.near[0].fits) == ("fields-alone", True)
    assert (
        "DELETE /clinics/{id} is not used: it has the fields of categories, but no word of its path says so"
        in contract.warnings
    )


def test_a_person_may_choose_what_is_only_alike_each_operation_by_itself() -> None:
    bindings = {"categories.list": "GET /clinics", "categories.delete": "DELETE /clinics/{id}"}
    contract = load(document(CLINIC), source="chosen", bindings=bindings)
    assert offered(contract, Resource.CATEGORIES) == {
        Op.CATEGORIES_LIST: "GET /clinics",
        Op.CATEGORY_DELETE: "DELETE /clinics/{id}",
    }


@pytest.mark.parametrize("resource", ["Pet", "Order"])
def test_fields_that_name_a_resource_are_read_beside_one_that_is_named_by_its_path_and_never_written(
    resource: str,
) -> None:
    schema = "NewPet" if resource == "Pet" else "Order"
    contract = bound(whole("/things", resource, schema) + "\n  /inventory: {get: {}}")
    verbs = {op.value.partition(".")[2] for op in contract.operations if op.resource is not Resource.INVENTORY}
    assert verbs == {"list", "read"}
    listed = survey(contract).of(Op.PETS_LIST if resource == "Pet" else Op.ORDERS_LIST)
    assert (listed.endpoint, listed.by_fields) == ("GET /things", True)


def test_a_list_in_one_place_and_changes_in_another_are_not_put_together() -> None:
    contract = bound(
        f"""
  /shop/categories: {{get: {{{answer(list_of("Category"))}}}}}
  /blog/categories/{{id}}: {{delete: {{}}, patch: {{{body(ref("Category"))}}}}}"""
    )
    assert offered(contract, Resource.CATEGORIES) == {Op.CATEGORIES_LIST: "GET /shop/categories"}
    near = survey(contract).of(Op.CATEGORY_DELETE).near[0]
    assert (near.endpoint, near.why, near.what) == ("DELETE /blog/categories/{id}", "apart", "GET /shop/categories")


FAMILIES = {
    "singular and plural": ("/pets", "/pet/{petId}"),
    "in a folder": ("/store/pets", "/store/pets/{id}"),
    "both": ("/store/pet", "/store/pets/{id}"),
    "two versions": ("/v2/pets", "/v1/pets/{id}"),
    "a search": ("/pets/search", "/pets/{id}"),
    "two words": ("/shop-pets", "/shop_pets/{id}"),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_what_is_plainly_one_path_is_taken_together(name: str) -> None:
    many, one = FAMILIES[name]
    contract = bound(f"\n  {many}: {{get: {{{answer(list_of('Pet'))}}}}}\n  {one}: {{delete: {{}}}}")
    assert offered(contract, Resource.PETS) == {Op.PETS_LIST: f"GET {many}", Op.PET_DELETE: f"DELETE {one}"}


def test_the_stock_of_a_pet_lies_beside_its_pets() -> None:
    contract = bound(
        f"""
  /v1/inventory: {{get: {{{answer(list_of("InventoryItem"))}}}}}
  /v1/pets/{{petId}}/stock: {{patch: {{{body(ref("InventoryUpdate"))}}}}}
  /old/pets/{{petId}}/stock: {{put: {{{body(ref("InventoryUpdate"))}}}}}"""
    )
    assert offered(contract, Resource.INVENTORY) == {
        Op.INVENTORY_LIST: "GET /v1/inventory",
        Op.STOCK_CHANGE: "PATCH /v1/pets/{petId}/stock",
    }


def test_of_two_complete_paths_one_is_taken_as_a_whole() -> None:
    contract = bound(whole("/archive/pets") + whole("/pets"))
    assert {endpoint.partition(" ")[2] for endpoint in offered(contract, Resource.PETS).values()} == {
        "/pets",
        "/pets/{x}",
    }


def test_a_path_whose_list_holds_something_else_is_not_written_to_either() -> None:
    contract = bound(f"\n  /pets: {{get: {{}}}}{whole('/categories', 'Order', 'Order')}")
    assert offered(contract, Resource.CATEGORIES) == {}
    assert "DELETE /categories/{x} is not used: what else lies at its path holds orders" in contract.warnings


@pytest.mark.parametrize("path", ["/pet-photos", "/order-items", "/stockrooms", "/pets/{a}/photos", "/categorys-rules"])
def test_a_word_that_only_qualifies_another_names_nothing(path: str) -> None:
    contract = bound(f"\n  /store/orders: {{get: {{}}}}\n  {path}: {{delete: {{}}, post: {{}}, get: {{}}}}")
    assert set(contract.operations) == {Op.ORDERS_LIST}


def test_where_a_person_has_chosen_the_list_nothing_is_changed_elsewhere() -> None:
    paths = whole("/pets") + f"\n  /rescues: {{get: {{{answer(list_of('Pet'))}}}}}"
    contract = load(document(paths), source="chosen", bindings={"pets.list": "GET /rescues"})
    assert offered(contract, Resource.PETS) == {Op.PETS_LIST: "GET /rescues"}
    near = survey(contract).of(Op.PET_DELETE).near[0]
    assert (near.endpoint, near.why, near.what) == ("DELETE /pets/{x}", "apart", "GET /rescues")


# ---------------------------------------------------------------- documents of other services


def records(*fields: str) -> str:
    return f"{{type: object, properties: {{{', '.join(f'{name}: {{}}' for name in fields)}}}}}"


def service(path: str, *fields: str, wrapped: str = "") -> str:
    """A path of another service, with everything that can be done there, and records of these fields."""
    one = records(*fields)
    many = f"{{type: array, items: {one}}}"
    many = f"{{type: object, properties: {{{wrapped}: {many}}}}}" if wrapped else many
    return f"""
  {path}: {{get: {{{answer(many)}}}, post: {{{body(one)}}}}}
  {path}/{{id}}: {{get: {{{answer(one)}}}, put: {{{body(one)}}}, delete: {{}}}}"""


OTHERS = {
    "payments": service("/v1/products", "id", "object", "name", "description", wrapped="data")
    + service("/v1/climate/orders", "id", "object", "status", "metric_tons", "currency", wrapped="data")
    + service("/v1/plans", "id", "name", "status", wrapped="data"),
    "chat": service("/guilds", "id", "name", "description") + service("/applications", "id", "name", "status"),
    "watching": service("/api/v2/monitors", "id", "name", "status", wrapped="data")
    + service("/api/v2/dashboards", "id", "name", "description"),
    "books": service("/companies", "id", "name", "description", "status", wrapped="results"),
    "a German pet shop": whole("/tiere"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_document_in_which_no_path_names_a_resource_offers_nothing_and_says_what_is_alike(name: str) -> None:
    contract = load(document(OTHERS[name]), source="published")
    assert dict(contract.operations) == {}
    alike = survey(contract).alike
    assert alike
    assert all(finding.alike.startswith("GET /") for finding in alike)


def test_of_such_a_document_a_person_chooses() -> None:
    bindings = {"pets.list": "GET /tiere", "pets.delete": "DELETE /tiere/{x}"}
    contract = load(document(OTHERS["a German pet shop"]), source="published", bindings=bindings)
    assert offered(contract, Resource.PETS) == {Op.PETS_LIST: "GET /tiere", Op.PET_DELETE: "DELETE /tiere/{x}"}


def test_a_document_with_nothing_alike_is_another_services() -> None:
    with pytest.raises(DocumentUnusable) as caught:
        bound("  /forecast: {get: {}}")
    assert caught.value.code == "document-empty"
