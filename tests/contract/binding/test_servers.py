from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.contract.binding.load import default, load, load_file
from petstore_desktop.contract.binding.servers import base_path, root_of
from petstore_desktop.contract.operations import Op
from tests.contract.documents import document

DOCUMENTS = Path(__file__).parents[1] / "documents"


@pytest.mark.parametrize(
    ("typed", "servers", "path"),
    [
        ("https://host", ["/v1"], "/v1"),
        ("https://host", ["/v1/"], "/v1"),
        ("https://host", ["v1"], "/v1"),
        ("https://host", ["./api/v1"], "/api/v1"),
        ("https://host", ["../../v1"], "/v1"),
        ("https://host", ["https://host/v1"], "/v1"),
        ("https://host", ["https://HOST:443/v1"], "/v1"),
        ("https://host:8443", ["https://host:8443/v1"], "/v1"),
        ("https://host", ["https://host/v1?a=b#c"], "/v1"),
        ("https://host", ["https://other/v0", "https://host/v1"], "/v1"),
        ("https://host", ["/"], ""),
        ("https://host", [], ""),
    ],
)
def test_where_the_typed_address_has_no_path_the_first_server_on_its_origin_gives_one(
    typed: str, servers: list[str], path: str
) -> None:
    assert base_path(servers, typed) == path
    assert base_path(servers, f"{typed}/") == path


@pytest.mark.parametrize(
    ("typed", "server"),
    [
        ("https://host/v2", "/v1"),
        ("https://host/v2", "https://host/v1"),
        ("https://host", "https://other/v1"),
        ("https://host", "http://host/v1"),
        ("https://host", "https://host:8443/v1"),
        ("https://host", "//other/v1"),
        ("https://host", "https://host@other/v1"),
        ("https://host", "https://host.other/v1"),
        ("https://host", "https://[bad/v1"),
        ("https://host", "ftp://host/v1"),
    ],
)
def test_a_typed_path_is_taken_as_it_is_and_no_other_origin_ever_counts(typed: str, server: str) -> None:
    assert base_path([server], typed) == ""


PLACE = "https://host/docs/openapi.json"


@pytest.mark.parametrize(
    ("server", "path"), [("v1", "/docs/v1"), ("../api", "/api"), ("./", "/docs/"), ("/v2", "/v2"), ("//b/v1", "//b/v1")]
)
def test_a_relative_server_counts_from_the_document(server: str, path: str) -> None:
    said = document("  /pets: {get: {}}", more=f"servers: [{{url: '{server}'}}]")
    assert load(said, source="chosen", place=PLACE).servers == (path,)


OWN = """
  /pets: {get: {}}
  /store/orders: {servers: [{url: /orders/v2}], get: {}}
  /inventory: {get: {servers: [{url: 'https://shop.example/stock'}]}}
  /categories: {get: {servers: [{url: 'https://elsewhere.example/v1'}]}}"""
SERVERS = "servers: [{url: 'https://shop.example/v1'}]"


@pytest.mark.parametrize("typed", ["https://shop.example/v1", "http://127.0.0.1:8000/v1", "https://shop.example"])
def test_an_operation_with_a_server_of_its_own_is_asked_there_if_that_is_on_the_origin(typed: str) -> None:
    contract = load(document(OWN, more=SERVERS), source="published", address=typed)
    origin = typed.removesuffix("/v1")
    where = {op: root_of(contract, typed, one) + one.path for op, one in contract.operations.items()}
    assert where[Op.ORDERS_LIST] == f"{origin}/orders/v2/store/orders"
    assert where[Op.INVENTORY_LIST] == f"{origin}/stock/inventory"
    assert where[Op.PETS_LIST] == (f"{origin}/v1/pets" if typed != "http://127.0.0.1:8000" else f"{origin}/pets")
    assert Op.CATEGORIES_LIST not in where
    assert any("only at another server, https://elsewhere.example/v1" in words for words in contract.warnings)


def test_variables_are_filled_with_their_defaults_and_a_server_without_is_passed_over() -> None:
    contract = load_file(str(DOCUMENTS / "servers.yaml"))
    assert contract.servers == ("https://eu.shop.example:443/store/v2", "./relative/")
    assert base_path(contract.servers, "https://eu.shop.example") == "/store/v2"
    assert base_path(contract.servers, "https://us.shop.example") == "/relative"


def test_the_document_that_ships_says_nothing_of_where_a_service_lies() -> None:
    assert default().servers == ()
