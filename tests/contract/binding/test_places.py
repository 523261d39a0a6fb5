"""A service whose pets lie below a shop is used with the shop in its address, and says so where it is missing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from petstore_desktop.cli import main
from petstore_desktop.contract.binding.load import is_for, load
from petstore_desktop.contract.binding.places import document_places
from petstore_desktop.contract.binding.servers import root_of
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import DocumentUnusable
from tests.contract.documents import answer, body, document, list_of, ref
from tests.support.clinic import Clinic
from tests.support.odd_service import LIMITS, Asked, OddService, Reply, error

SHOPS = f"""
  /shops: {{get: {{{answer("{type: array, items: {properties: {id: {}, name: {}, description: {}}}}")}}}}}
  /shops/{{shopId}}/pets: {{get: {{{answer(list_of("Pet"))}}}, post: {{{body(ref("NewPet"))}}}}}
  /shops/{{shopId}}/pets/{{petId}}: {{delete: {{}}, patch: {{{body(ref("NewPet"))}}}}}
  /shops/{{shopId}}/store/orders: {{get: {{{answer(list_of("Order"))}}}}}
  /shops/{{shopId}}/pets/{{petId}}/stock: {{put: {{{body(ref("InventoryUpdate"))}}}}}
  /categories: {{get: {{{answer(list_of("Category"))}}}}}"""
PETS = {Op.PETS_LIST, Op.PET_CREATE, Op.PET_CHANGE, Op.PET_DELETE, Op.ORDERS_LIST, Op.STOCK_CHANGE, Op.CATEGORIES_LIST}


@pytest.mark.parametrize(
    ("address", "root"),
    [
        ("https://shop.example/v1/shops/7", "https://shop.example/v1"),
        ("https://shop.example/shops/berlin", "https://shop.example"),
        ("https://shop.example/api/shops/a%20b", "https://shop.example/api"),
    ],
)
def test_the_shop_in_the_address_is_the_one_in_the_paths(address: str, root: str) -> None:
    contract = load(document(SHOPS), source="published", address=address)
    assert set(contract.operations) == PETS
    below = root_of(contract, address)
    assert below == root
    pets, one = contract.operations[Op.PETS_LIST], contract.operations[Op.PET_DELETE]
    assert below + pets.path == f"{address}/pets"
    assert below + one.path == f"{address}/pets/{{petId}}"
    assert below + contract.operations[Op.CATEGORIES_LIST].path == f"{root}/categories"


def test_the_address_need_not_have_the_folder_that_follows_the_shop() -> None:
    paths = f"""
  /shops/{{shopId}}/store/orders: {{get: {{{answer(list_of("Order"))}}}}}
  /shops/{{shopId}}/animals/pets: {{get: {{{answer(list_of("Pet"))}}}}}"""
    contract = load(document(paths), source="published", address="https://shop.example/v1/shops/7")
    assert contract.operations[Op.PETS_LIST].path == "/shops/7/animals/pets"
    assert contract.operations[Op.ORDERS_LIST].path == "/shops/7/store/orders"


@pytest.mark.parametrize(
    ("address", "found"), [("https://shop.example/v1/shops/7", True), ("https://shop.example/b", False)]
)
def test_a_document_that_lacks_what_a_person_says_is_that_of_the_shop_in_the_address(address: str, found: bool) -> None:
    demand = "parameters: [{name: X-Tenant, in: header, required: true, schema: {type: string}}]"
    paths = f"\n  /shops/{{shopId}}/pets: {{get: {{{demand}, {answer(list_of('Pet'))}}}}}"
    data = document(paths, more="servers: [{url: /v1}]")
    assert is_for(data, address, "https://shop.example/v1/openapi.json") is found


@pytest.mark.parametrize(
    ("address", "example"),
    [
        ("https://shop.example/v1", "https://shop.example/v1/shops/7"),
        ("https://shop.example/v1/shops", "https://shop.example/v1/shops/7"),
        ("https://shop.example/v1/", "https://shop.example/v1/shops/7"),
    ],
)
def test_an_address_without_the_shop_is_told_how_to_be(address: str, example: str) -> None:
    with pytest.raises(DocumentUnusable) as caught:
        load(document(SHOPS), source="published", address=address)
    assert caught.value.code == "document-place"
    said = caught.value.params
    assert (said["scope"], said["example"]) == ("/shops/{shopId}", example)


def test_what_lies_below_a_customer_is_no_reason_where_the_rest_is_there() -> None:
    paths = """
  /pets: {get: {}}
  /store/orders: {get: {}}
  /customers/{id}/orders: {get: {}}"""
    contract = load(document(paths), source="published", address="https://shop.example/v1")
    assert set(contract.operations) == {Op.PETS_LIST, Op.ORDERS_LIST}
    orders = "\n  /pets/{petId}/orders: {get: {}}\n  /pets: {get: {}}"
    assert set(load(document(orders), source="published").operations) == {Op.PETS_LIST}


def test_a_tenant_at_the_beginning_is_no_version() -> None:
    paths = "\n  /{tenant}/pets: {get: {}}"
    assert load(document(paths), source="published", address="https://shop.example/acme").within == "/acme"
    with pytest.raises(DocumentUnusable):
        load(document(paths), source="published", address="https://shop.example/v1")


def test_a_version_that_stands_for_a_value_is_given_like_one() -> None:
    paths = "\n  /api/{version}/pets: {get: {}}"
    assert load(document(paths), source="published", address="https://shop.example/api/v1").within == "/api/v1"
    with pytest.raises(DocumentUnusable) as caught:
        load(document(paths), source="published", address="https://shop.example/api")
    assert caught.value.params["example"] == "https://shop.example/api/v1"


def test_the_slash_at_the_end_of_a_path_stays_where_the_address_has_its_beginning() -> None:
    paths = "\n  /api/pets/: {get: {}}\n  /api/pets/{id}/: {get: {}}"
    found = load(document(paths), source="published", address="https://shop.example/api")
    assert [operation.path for operation in found.operations.values()] == ["/api/pets/", "/api/pets/{id}/"]


@pytest.mark.parametrize(
    ("address", "folders", "further"),
    [
        ("https://a.example", [""], []),
        ("https://a.example/v1", ["/v1", ""], []),
        ("https://a.example/api/v1/", ["/api/v1", "/api"], [""]),
        ("https://a.example/v1/shops/7", ["/v1/shops/7", "/v1/shops"], ["/v1", ""]),
    ],
)
def test_a_document_is_looked_for_under_its_commonest_name_up_to_the_top_and_under_others_below_and_beside(
    address: str, folders: list[str], further: list[str]
) -> None:
    names = ["openapi.yaml", "v3/api-docs", "swagger.json", "swagger/v1/swagger.json", "api-docs"]
    seldom = ["openapi.yaml"]
    if further:
        names.remove("swagger/v1/swagger.json")
        seldom.append("api-docs")
    first = [f"{folder}/openapi.json" for folder in (*folders, *further)]
    below = [f"{folders[0]}/{name}" for name in names]
    beside = [f"{folder}/{name}" for folder in folders[1:] for name in names if name not in seldom]
    tops = ("openapi/v1.json", "api/schema/", "docs/api.json", "swagger/v1/swagger.json", "v3/api-docs")
    at_top = (f"/{name}" for name in (*tops, "api-json", "q/openapi", "docs.json"))
    wanted = tuple(dict.fromkeys((*first, *below, *beside, *at_top)))[:14]
    assert document_places(address) == tuple(f"https://a.example{place}" for place in wanted)


def test_however_long_an_address_is_few_places_are_tried() -> None:
    assert len(document_places("https://a.example" + "/x" * 100)) == 14


@pytest.mark.parametrize("place", ["openapi/v1.json", "api/schema/", "docs/api.json", "swagger/v1/swagger.json"])
@pytest.mark.parametrize("address", ["https://a.example", "https://a.example/api", "https://a.example/api/v2"])
def test_where_django_laravel_and_aspnet_publish_their_documents_is_among_them(address: str, place: str) -> None:
    assert f"https://a.example/{place}" in document_places(address)


PREFIXED = """
  /api/v1/pets: {get: {}}
  /api/v1/store/orders: {get: {}}
  /health: {get: {}}"""


@pytest.mark.parametrize(
    ("address", "root"),
    [
        ("https://a.example/api/v1", "https://a.example"),
        ("https://a.example/x/api/v1", "https://a.example/x"),
        ("https://a.example", "https://a.example"),
        ("https://a.example/v2", "https://a.example/v2"),
    ],
)
def test_an_address_that_ends_as_all_paths_begin_is_not_said_twice(address: str, root: str) -> None:
    contract = load(document(PREFIXED), source="published", address=address)
    assert root_of(contract, address) == root


def test_an_end_that_only_some_paths_begin_with_belongs_to_the_address() -> None:
    paths = "\n  /pets: {get: {}}\n  /store/orders: {get: {}}"
    contract = load(document(paths), source="published", address="https://a.example/store")
    assert contract.within == ""


def test_where_a_server_has_the_end_it_is_said_twice() -> None:
    contract = load(
        document(PREFIXED, more="servers: [{url: /api/v1}]"), source="published", address="https://a.example/api/v1"
    )
    assert contract.within == ""


# ---------------------------------------------------------------- with a service


@pytest.fixture
def clinic(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Clinic:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    return Clinic(tmp_path / "data", capsys, monkeypatch)


def two_shops(name: str) -> Callable[[Asked], Reply]:
    lists = {
        "/v1/shops/7/pets": [{"id": 1, "name": "Koi", "categoryId": 2}],
        "/v1/shops/7/store/orders": [{"id": 5, "petId": 1, "quantity": 1}],
        "/v1/categories": [{"id": 2, "name": "Fish", "description": ""}],
    }

    def answers(asked: Asked) -> Reply:
        if asked.path == f"/v1/{name}":
            return Reply(200, document(SHOPS).decode(), LIMITS, "application/yaml")
        return Reply(200, lists[asked.path], LIMITS) if asked.path in lists else error(404)

    return answers


def test_the_address_is_asked_for_and_then_works(
    clinic: Clinic, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with OddService(two_shops("openapi.json")) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
        assert (said.status, said.wrong) == (1, ["document"])
        assert said.cause() == (
            "The service keeps its records below /shops/{shopId}, and the address does not say which. "
            f"Enter the value, or give the address with it, such as {service.url}/shops/7. "
            "On the command line `petstore-desktop connect --value NAME=VALUE` takes it."
        )
        assert main(["--data-dir", str(clinic.data), "sync", "Shop"]) == 1
        assert f"such as {service.url}/shops/7" in capsys.readouterr().err
        clinic.connect(f"{service.url}/shops/7")
        assert clinic.doctor().wrong == []
        assert main(["--data-dir", str(clinic.data), "sync", "Shop"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert [line.partition(" ")[0] + line.split()[1] for line in lines[:3]] == [
            "pets:1",
            "categories:1",
            "orders:1",
        ]


def test_with_a_document_in_a_file_the_same_holds(
    clinic: Clinic, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "shops.yaml"
    file.write_bytes(document(SHOPS))
    with OddService(two_shops("nowhere.json")) as service:
        line = ["--data-dir", str(clinic.data), "connect", "Shop", "--document", str(file), "--url"]
        assert main([*line, service.url]) == 1
        assert f"such as {service.url}/shops/7" in capsys.readouterr().err
        assert main([*line, f"{service.url}/shops/7"]) == 0
        capsys.readouterr()
        assert clinic.doctor().wrong == []
        assert {asked.path for asked in service.asked} == {
            "/v1/shops/7/pets",
            "/v1/shops/7/store/orders",
            "/v1/categories",
        }
