"""However an address is spelled, it is one origin, and one connection."""

from __future__ import annotations

import pytest

from petstore_desktop.api.address import (
    clean_base_url,
    gate_origin,
    host_of,
    origin_of,
    origin_text,
    same_origin_target,
    service_of,
)
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.preferences import Preferences, ShopConnection
from petstore_desktop.session.connections import added_or_changed
from petstore_desktop.session.keys import keyring_name

SPELLINGS = {
    "https://shop.example/v1": [
        "https://shop.example./v1", "https://SHOP.Example/v1", "HTTPS://shop.example:443/v1/", "https://shop.example.:443/v1",
        " https://shop.example/v1?x=1#y ", "https://shop\u3002example/v1", "https://\uff53hop.example/v1",
    ],
    "https://xn--bcher-kva.example/v1": [
        "https://b\u00fccher.example/v1", "https://B\u00dcCHER.example./v1", "https://XN--BCHER-KVA.example:443/v1",
        "https://bu\u0308cher.example/v1",
    ],
    "http://127.0.0.1": ["http://127.0.0.1:80", "http://127.0.0.1./"],
    "http://[::1]:8080": ["http://[0:0:0:0:0:0:0:1]:8080/", "http://[::0001]:8080"],
    "http://localhost": ["http://LOCALHOST.:80/"],
}  # fmt: skip


@pytest.mark.parametrize(("clean", "spelled"), [(one, other) for one, all_ in SPELLINGS.items() for other in all_])
def test_all_spellings_of_an_address_are_one(clean: str, spelled: str) -> None:
    assert clean_base_url(spelled) == clean == clean_base_url(clean)
    assert origin_of(spelled.strip()) == origin_of(clean)
    assert origin_text(spelled.strip()) == origin_text(clean)


@pytest.mark.parametrize(
    "other",
    ["http://shop.example", "https://shop.example:8443", "https://shop.example:444", "https://shop.example2",
     "https://www.shop.example", "https://shop.example.evil.example"],
)  # fmt: skip
def test_what_is_another_origin_stays_one(other: str) -> None:
    assert origin_of(other) != origin_of("https://shop.example")


@pytest.mark.parametrize(
    "url", ["https://\u0661.\ud83d\ude00\u200d.example", "https://-\u00fc-.example", "https://.", "https://"]
)
def test_what_is_no_name_of_a_host_is_told(url: str) -> None:
    with pytest.raises(BadInput, match="address-unusable"):
        clean_base_url(url)
    assert origin_of(url) is None


def test_only_this_computer_may_be_asked_without_encryption_however_it_is_spelled() -> None:
    assert clean_base_url("http://shop.localhost./v1") == "http://shop.localhost/v1"
    with pytest.raises(BadInput, match="address-insecure"):
        clean_base_url("http://shop.example./v1")


def test_a_next_address_in_another_spelling_is_followed() -> None:
    assert same_origin_target("https://shop.example/v1/pets", "https://SHOP.example.:443/v1/pets?page=2") is not None


def test_the_root_dot_alone_is_taken_off() -> None:
    assert host_of("a.b.") == "a.b"
    for empty in ("a..", "a..b", "\u00fc.."):
        with pytest.raises(ValueError, match="empty label"):
            host_of(empty)


def test_a_connection_whose_address_is_typed_in_another_spelling_stays_as_it_is_kept() -> None:
    """Its key and what is kept of it go by the address."""
    first, connection = added_or_changed(Preferences(), "Shop", "https://shop.example/v1", None)
    _, again = added_or_changed(first, "Shop", "https://SHOP.example.:443/v1/", None)
    assert again.url == connection.url == "https://shop.example/v1"
    _, moved = added_or_changed(first, "Shop", "https://shop.example/v2", None)
    assert moved.url == "https://shop.example/v2"


LOOPBACK = ("http://127.0.0.1:8080/v1", "http://localhost:8080/v1", "http://LOCALHOST.:8080/v1", "http://[::1]:8080/v1")


@pytest.mark.parametrize("spelled", LOOPBACK)
def test_this_computer_has_one_gate_however_it_is_called(spelled: str) -> None:
    assert gate_origin(spelled) == "http://127.0.0.1:8080"
    assert service_of(spelled) == "http://127.0.0.1:8080/v1"
    # What listens on one of them need not be what listens on another: the key goes to the one that was given.
    same = spelled == LOOPBACK[0]
    assert (same_origin_target(LOOPBACK[0], f"{spelled}/pets?page=2") is not None) is same
    assert origin_of(spelled) != origin_of("http://127.0.0.1:8081/v1")


def test_the_address_of_this_computer_stays_as_it_was_typed() -> None:
    assert clean_base_url(LOOPBACK[1]) == LOOPBACK[1]
    assert keyring_name(ShopConnection("Shop", "shop", clean_base_url(LOOPBACK[1]))) == f"shop {LOOPBACK[1]}"
    assert origin_of("http://127.0.0.2:8080") != origin_of(LOOPBACK[0])
    assert origin_of("http://shop.localhost:8080") != origin_of(LOOPBACK[0])
