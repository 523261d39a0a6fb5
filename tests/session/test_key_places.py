"""A service whose document names another place for the key than the one where it takes it: the check finds that out
with one more read, keeps it, and says it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.clock import SystemClock
from petstore_desktop.commands.checks_said import English
from petstore_desktop.contract.binding.load import load
from petstore_desktop.contract.operations import MAIN_KEY, Op
from petstore_desktop.data_folder import Places
from petstore_desktop.desk.checks.check_words import advice, said
from petstore_desktop.domain.checks import About
from petstore_desktop.session.checking import Checking, CheckOutcome, Wanted
from tests.support.key_service import KEY, SCHEMES, document, service
from tests.support.odd_service import LIMITS, Asked, OddService, Reply, error


def check(tmp_path: Path, url: str, **more: Any) -> CheckOutcome:
    wanted = Wanted(url, KEY, **{"choose_key": True, **more})
    return Checking(Places(tmp_path), wanted, SystemClock()).run()


def words(found: CheckOutcome) -> str:
    one = found.report.of(About.KEY)
    assert one is not None
    return f"{said(one, English())} {advice(one, English())}".strip()


def statuses(found: CheckOutcome, path: str) -> list[int | None]:
    return [one.status for one in found.sent if one.path.startswith(path)]


@pytest.mark.parametrize("status", [401, 403])
def test_where_the_token_is_refused_the_documents_other_key_is_tried_and_kept(tmp_path: Path, status: int) -> None:
    with service("api_key", KEY, error(status)) as shop:
        found = check(tmp_path, shop.url)
        assert statuses(found, "/pets") == [status, 200]
        assert words(found) == "The service takes the key. It is sent in the header api_key."
        assert all(asked.method == "GET" for asked in shop.asked)
    assert found.learnt is not None
    contract = found.learnt.contract
    assert contract.by_hand[MAIN_KEY] == "api_key"
    assert {place.name for op in contract.operations for place in contract.sent(op)} == {"api_key"}
    again = load(found.learnt.data or b"", source="published", bindings=contract.by_hand, address=shop.url)
    assert (again.key, again.keys, again.operations) == (contract.key, contract.keys, contract.operations)
    assert [key.name for key in again.keys] == ["api_key"]


def test_where_the_plain_key_is_refused_it_is_tried_as_a_token(tmp_path: Path) -> None:
    with service("authorization", f"Bearer {KEY}", security=[{"api_key": []}]) as shop:
        found = check(tmp_path, shop.url)
    assert found.report.usable
    assert words(found).endswith("It is sent in the header Authorization.")


def test_a_key_that_is_refused_everywhere_stays_where_the_document_has_it(tmp_path: Path) -> None:
    with service("api_key", "another") as shop:
        found = check(tmp_path, shop.url)
    assert statuses(found, "/pets") == [401, 401]
    assert "It is sent in the header Authorization." in words(found)
    assert "OpenAPI" not in words(found)
    assert found.learnt is not None
    assert (found.learnt.contract.key.name, found.learnt.contract.by_hand) == ("Authorization", {})


@pytest.mark.parametrize(
    "more", [{"further": {"other": "x"}}, {"choose_key": False}, {"bindings": {MAIN_KEY: "petstore_auth"}}]
)
def test_nothing_is_tried_unless_one_key_is_connected_whose_place_is_open(tmp_path: Path, more: dict[str, Any]) -> None:
    with service("api_key", KEY) as shop:
        found = check(tmp_path, shop.url, **more)
    assert statuses(found, "/pets") == [401]


def test_nothing_is_tried_after_a_pause_was_asked_for(tmp_path: Path) -> None:
    with service("api_key", KEY, error(429, "slow", "", ("Retry-After", "30"))) as shop:
        found = check(tmp_path, shop.url)
    assert statuses(found, "/pets") == [429]


def test_keys_that_are_no_alternatives_are_not_tried_for_one_another(tmp_path: Path) -> None:
    plain = {**SCHEMES, "petstore_auth": {"type": "http", "scheme": "bearer"}}
    with service("api_key", KEY, schemes=plain) as shop:
        assert statuses(check(tmp_path, shop.url), "/pets") == [401]
    with service("api_key", KEY, schemes=plain, security=[{"petstore_auth": []}, {"api_key": []}]) as shop:
        found = check(tmp_path / "either", shop.url)
        assert found.report.usable
    assert found.learnt is not None
    assert found.learnt.contract.sent(Op.PET_CREATE)[0].name == "api_key"


def test_a_value_and_a_key_that_are_missing_are_asked_for_at_once(tmp_path: Path) -> None:
    schemes = {"appId": {"type": "apiKey", "in": "header", "name": "X-App-Id"}, "apiKey": SCHEMES["api_key"]}
    told = document(schemes, [{"appId": [], "apiKey": []}])
    shop_id = {"name": "shopId", "in": "path", "required": True, "schema": {"type": "string"}}
    told["paths"] = {"/shops/{shopId}/pets": {"parameters": [shop_id], **told["paths"]["/pets"]}}
    with OddService(lambda asked: Reply(200, told, LIMITS) if "openapi" in asked.path else error(404)) as shop:
        found = check(tmp_path, shop.url)
        assert [asked.path for asked in shop.asked] == ["/v1/openapi.json"]
    assert [value.name for value in found.report.values] == ["shopId"]
    assert [(key.scheme, key.name, key.parameter) for key in found.report.keys] == [
        ("", "appId", "X-App-Id"),
        ("apiKey", "apiKey", "api_key"),
    ]
    assert words(found).startswith("The service wants another key too: apiKey (header api_key).")
    other = found.report.of(About.DOCUMENT)
    assert other is not None
    assert other.ok is False


@pytest.mark.parametrize(
    "told", [None, {"schemes": {}, "security": None}], ids=["no document", "a document without keys"]
)
def test_where_no_document_says_how_the_key_travels_it_is_tried_as_an_api_key_too(
    tmp_path: Path, told: dict[str, Any] | None
) -> None:
    with service("x-api-key", KEY, published=told is not None, **(told or {})) as shop:
        found = check(tmp_path, shop.url)
        assert words(found) == "The service takes the key. It is sent in the header X-API-Key."
        assert all(asked.method == "GET" for asked in shop.asked)
        assert found.learnt is not None
        chosen = {MAIN_KEY: found.learnt.contract.by_hand[MAIN_KEY]}
        again = check(tmp_path, shop.url, choose_key=False, bindings=chosen)
        assert 401 not in statuses(again, ""), "the next start sends it there at once"


def test_a_wrong_key_is_asked_about_once_more_where_no_document_says_how_it_travels(tmp_path: Path) -> None:
    with service("x-api-key", "another", published=False) as shop:
        found = check(tmp_path, shop.url)
        assert len(shop.asked) <= 19
    assert statuses(found, "/store/orders") == [401, 401]


def test_a_service_that_refuses_the_key_also_for_its_document_is_connected_by_what_that_says(tmp_path: Path) -> None:
    """As Spring Security: 401 for a bearer's key that it does not know, wherever it comes, and for all that nobody may
    read; the document is for everybody, and names another header."""
    said = document({"api_key": SCHEMES["api_key"]}, [{"api_key": []}])

    def serve(asked: Asked) -> Reply:
        if "authorization" in asked.headers:
            return error(401)
        if asked.path == "/v1/v3/api-docs":
            return Reply(200, said, LIMITS)
        good = asked.path in ("/v1/pets", "/v1/inventory") and asked.headers.get("api_key") == KEY
        return Reply(200, [{"id": 1, "name": "Rex"}], LIMITS) if good else error(401)

    with OddService(serve) as shop:
        found = check(tmp_path, shop.url)
        assert [asked.path for asked in shop.asked if "authorization" in asked.headers] == ["/v1/openapi.json"]
    assert found.report.usable
    assert words(found) == "The service takes the key."
