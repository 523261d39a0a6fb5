from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.contract.binding.load import default, load_file
from petstore_desktop.contract.binding.servers import base_path

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


def test_variables_are_filled_with_their_defaults_and_a_server_without_is_passed_over() -> None:
    contract = load_file(str(DOCUMENTS / "servers.yaml"))
    assert contract.servers == ("https://eu.shop.example:443/store/v2", "./relative/")
    assert base_path(contract.servers, "https://eu.shop.example") == "/store/v2"
    assert base_path(contract.servers, "https://us.shop.example") == "/relative"


def test_the_document_that_ships_says_nothing_of_where_a_service_lies() -> None:
    assert default().servers == ()
