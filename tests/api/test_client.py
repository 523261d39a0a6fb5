from __future__ import annotations

import ast
import base64
import json
from collections.abc import Awaitable
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

import petstore_desktop
from petstore_desktop import resources
from petstore_desktop.api.client import Client, PublishedDocument
from petstore_desktop.api.write_answer import WriteAnswer
from petstore_desktop.contract.binding.load import default, load
from petstore_desktop.contract.model import Contract, KeyPlace, KeyPlacement
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import (
    AnswerUnusable,
    BadInput,
    NotOffered,
    ServiceError,
    ServiceFailed,
)
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.domain.records import ContentId, Order, Pet, Ref, Resource
from tests.api.speaking import BY_PERSON, KEY, Service, always, talk, walk

PET = Ref(Resource.PETS, 5)
STOCK = Ref(Resource.INVENTORY, 5)
ORDER = Ref(Resource.ORDERS, 9)


def full() -> Contract:
    """The contract that offers everything."""
    return load(resources.path("openapi", "full.json").read_bytes(), source="published")


# ---------------------------------------------------------------- operations


def test_each_operation_has_its_method_path_and_body() -> None:
    service = Service(always(200, {"id": 5, "petId": 5, "name": "Rex", "quantity": 1, "status": "sold"}))

    async def act(client: Client) -> None:
        await client.read(PET, BY_PERSON)
        await client.create(Resource.PETS, {"name": "Rex", "category_id": 2}, BY_PERSON)
        await client.change(PET, {"status": "sold"}, sending=BY_PERSON)
        await client.change(Ref(Resource.INVENTORY, 5), {"quantity": 40}, sending=BY_PERSON)
        await client.change(Ref(Resource.ORDERS, 5), {"ship_date": "2026-01-01", "complete": True}, sending=BY_PERSON)
        await client.delete(PET, sending=BY_PERSON)
        await client.delete(ORDER, sending=BY_PERSON)

    talk(service, act, full())
    assert service.asked == [
        "GET /v1/pets/5",
        "POST /v1/pets",
        "PATCH /v1/pets/5",
        "PATCH /v1/inventory/5",
        "PATCH /v1/store/orders/5",
        "DELETE /v1/pets/5",
        "DELETE /v1/store/orders/9",
    ]
    bodies = [json.loads(request.content) for request in service.requests if request.content]
    assert bodies == [
        {"name": "Rex", "categoryId": 2},
        {"status": "sold"},
        {"quantity": 40},
        {"shipDate": "2026-01-01", "complete": True},
    ]
    assert all(request.headers["user-agent"] == "test/1" for request in service.requests)
    assert service.requests[1].headers["content-type"] == "application/json"


def test_a_row_has_the_answers_etag_if_it_is_a_strong_one() -> None:
    body = {"id": 5, "name": "Rex", "@odata.etag": '"other"'}
    for etag, kept in (('"a1"', '"a1"'), ("a1", "a1"), ('W/"a1"', None), ('"ä"', None), ("", None)):
        answer = httpx.Response(200, json=body, headers=[(b"etag", etag.encode())])
        row = talk(lambda _, answer=answer: answer, lambda client: client.read(PET, BY_PERSON))
        assert (row.key, row.record, row.etag) == (5, Pet(5, "Rex"), kept)


def test_if_match_is_sent_where_the_contract_takes_it_and_nowhere_else() -> None:
    service = Service(always(200, {"id": 5, "name": "Rex"}))
    for contract in (full(), default()):
        talk(service, lambda client: client.delete(ORDER, etag='"a1"', sending=BY_PERSON), contract)
    assert [request.headers.get("if-match") for request in service.requests] == ['"a1"', None]


def test_an_empty_answer_shows_nothing_but_its_version() -> None:
    """What was sent is not what was seen: the sender alone knows what to assume."""
    whole = Pet(5, "Rex", 2, "sold", {"colour": "red"})

    def act(client: Client) -> Awaitable[WriteAnswer]:
        return client.change(PET, {"name": "Max"}, whole=whole, etag='"a1"', sending=BY_PERSON)

    assert talk(always(204, etag='"a2"'), act, full()) == WriteAnswer(silent=True, etag='"a2"')


def test_what_the_contract_does_not_offer_is_never_sent() -> None:
    service = Service(always(200, []))
    for act in (
        lambda client: client.delete(PET, sending=BY_PERSON),
        lambda client: client.read(ORDER, BY_PERSON),
        lambda client: client.create(Resource.INVENTORY, {}, BY_PERSON),
        lambda client: client.delete(Ref(Resource.ORDERS, ContentId("x")), sending=BY_PERSON),
    ):
        with pytest.raises(NotOffered):
            talk(service, act)
    assert service.asked == []


def test_a_whole_object_is_put_only_when_there_is_one() -> None:
    contract = full()
    put = replace(contract.operations[Op.PET_CHANGE], method="PUT", replaces=True)
    contract = replace(contract, operations={**contract.operations, Op.PET_CHANGE: put})
    service = Service(always(204))
    with pytest.raises(NotOffered):
        talk(service, lambda client: client.change(PET, {"name": "x"}, sending=BY_PERSON), contract)
    whole = Pet(5, "Rex", 2, "sold", {"colour": "red"})
    talk(service, lambda client: client.change(PET, {"name": "Max"}, whole=whole, sending=BY_PERSON), contract)
    (request,) = service.requests
    assert json.loads(request.content) == {"name": "Max", "categoryId": 2, "status": "sold", "colour": "red"}


@pytest.mark.parametrize(
    ("body", "headers", "expected"),
    [
        ({"id": 7, "name": "Rex"}, {}, (True, 7)),
        ({"data": {"id": "7", "name": "Rex"}}, {}, (True, 7)),
        ({"pet": {"id": 7, "name": "Rex"}, "id": None}, {}, (True, 7)),
        ({"id": 7}, {}, (False, 7)),
        ({"petId": "7"}, {}, (False, 7)),
        (7, {}, (False, 7)),
        ("7", {}, (False, 7)),
        (None, {"location": "/v1/pets/7"}, (False, 7)),
        (None, {"location": "https://elsewhere.example/pets/7/"}, (False, 7)),
        (None, {}, (False, None)),
        ({"ok": True}, {}, (False, None)),
        (b"ok", {}, (False, None)),
        ({"id": 7.0, "name": "x"}, {}, (False, None)),
    ],
)
def test_a_creation_answers_with_the_record_with_its_id_or_with_neither(
    body: object, headers: dict[str, str], expected: tuple[bool, int | None]
) -> None:
    for status in (200, 201):
        created: WriteAnswer = talk(
            always(status, body, **headers), lambda client: client.create(Resource.PETS, {"name": "Rex"}, BY_PERSON)
        )
        assert (created.row is not None, created.id) == expected


@pytest.mark.parametrize(
    "body",
    [b"<html>", b"come back later", {"success": False}, {"error": "no"}, {"status": "error", "data": {"name": "Rex"}}],
)
@pytest.mark.parametrize("status", [200, 201])
def test_a_write_that_is_answered_with_a_page_or_an_error_inside_is_not_said_to_be_done(
    status: int, body: object
) -> None:
    for write in (
        lambda client: client.create(Resource.PETS, {"name": "Rex"}, BY_PERSON),
        lambda client: client.change(PET, {"name": "Rex"}, sending=BY_PERSON),
        lambda client: client.delete(PET, sending=BY_PERSON),
    ):
        with pytest.raises(AnswerUnusable):
            talk(always(status, body), write, full())


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (None, WriteAnswer(silent=True)),
        (b"ok", WriteAnswer(silent=True)),
        ({}, WriteAnswer()),
        ([], WriteAnswer()),
        ({"ok": True}, WriteAnswer()),
        ({"code": "no", "message": "not done", "status": 400}, WriteAnswer()),
        ({"id": 6}, WriteAnswer(id=6)),
    ],
)
def test_a_change_whose_answer_holds_no_record_shows_none(body: object, shown: WriteAnswer) -> None:
    assert talk(always(200, body), lambda client: client.change(PET, {"name": "x"}, sending=BY_PERSON), full()) == shown


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"id": 6, "name": "other"}, {"id", "name"}),
        ({"data": {"id": 6, "name": "other", "status": None}}, {"id", "name", "status"}),
    ],
)
def test_a_record_in_the_answer_is_shown_with_its_own_id_and_with_what_it_names(body: object, named: set[str]) -> None:
    shown = talk(always(200, body), lambda client: client.change(PET, {"name": "x"}, sending=BY_PERSON), full())
    assert shown.row is not None
    assert (shown.id, shown.row.record, shown.fields) == (6, Pet(6, "other", extra=shown.row.record.extra), named)


def test_the_answer_to_a_read_must_be_the_record_that_was_asked_for() -> None:
    with pytest.raises(AnswerUnusable) as caught:
        talk(always(200, {"id": 6, "name": "Max"}), lambda client: client.read(PET, BY_PERSON))
    assert caught.value.code == "another-record"
    row = talk(always(200, {"data": {"quantity": 3}}), lambda client: client.read(ORDER, BY_PERSON), full())
    assert (row.key, row.record) == (9, Order(quantity=3))


@pytest.mark.parametrize(
    ("body", "code"), [(None, "empty"), (b"<html>", "not-json"), ({"id": 1.5}, "bad-record"), ([], "bad-record")]
)
def test_a_read_that_brings_nothing_usable_says_what_and_of_which_operation(body: object, code: str) -> None:
    with pytest.raises(AnswerUnusable) as caught:
        talk(always(200, body), lambda client: client.read(PET, BY_PERSON))
    assert caught.value.code == code
    assert caught.value.params["operation"] == "pets.read"


# ---------------------------------------------------------------- the document


def test_the_published_document_is_looked_for_as_json_and_as_yaml() -> None:
    document = b"openapi: 3.0.3\npaths: {/pets: {get: {}}}"

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith(".yaml"):
            return httpx.Response(200, content=document)
        return httpx.Response(200, content=b"<!doctype html><title>Shop</title>")

    service = Service(answer)
    found = talk(service, lambda client: client.fetch_document())
    assert found == PublishedDocument(document, "http://127.0.0.1:9/v1/openapi.yaml")
    assert service.asked == ["GET /v1/openapi.json", "GET /openapi.json", "GET /v1/openapi.yaml"]


@pytest.mark.parametrize("status", [302, 400, 403, 404, 405, 410])
def test_a_service_without_a_document_publishes_none(status: int) -> None:
    assert talk(always(status), lambda client: client.fetch_document()) is None


def test_a_document_that_needs_another_time_is_not_a_missing_one() -> None:
    with pytest.raises(ServiceFailed):
        talk(always(500), lambda client: client.fetch_document())


def test_a_document_that_does_not_take_the_key_is_asked_for_without_it_and_the_key_is_not_locked() -> None:
    """Spring Security refuses a bearer's key that it does not know also where anybody may read."""
    document = json.dumps({"openapi": "3.0.3", "paths": {}}).encode()

    def answer(request: httpx.Request) -> httpx.Response:
        if "authorization" in request.headers:
            return httpx.Response(401, json={})
        known = request.url.path == "/v1/v3/api-docs"
        return httpx.Response(200, content=document) if known else httpx.Response(401, json={})

    service = Service(answer)

    async def both(client: Client) -> tuple[PublishedDocument | None, object]:
        return await client.fetch_document(), client.admission.locked()

    assert talk(service, both) == (PublishedDocument(document, "http://127.0.0.1:9/v1/v3/api-docs"), None)
    assert ["authorization" in request.headers for request in service.requests].count(True) == 1


def test_the_windows_of_who_has_no_key_are_not_those_of_the_key() -> None:
    """Many services count whom they do not know apart: 0 of 60 an hour says nothing of the key's own hour."""

    def answer(request: httpx.Request) -> httpx.Response:
        known = "authorization" in request.headers
        windows = {"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "40"}
        return httpx.Response(401, json={}, headers={} if known else windows)

    async def both(client: Client) -> object:
        await client.fetch_document()
        return client.admission.quota.minute.remaining, client.admission.view.phase

    assert talk(Service(answer), both) == (None, GatePhase.OPEN)


@pytest.mark.parametrize("base", ["http://127.0.0.1:9", "http://127.0.0.1:9/v1"])
def test_after_two_places_that_refuse_who_has_no_key_only_those_of_spring_security_are_asked(base: str) -> None:
    """Others may lock out who comes without one."""
    service = Service(always(401, {}))
    assert talk(service, lambda client: client.fetch_document(), base=base) is None
    keyless = [request.url.path for request in service.requests if "authorization" not in request.headers]
    top = {"http://127.0.0.1:9": ["/openapi.json", "/openapi.yaml", "/v3/api-docs"]}
    assert keyless == top.get(base, ["/v1/openapi.json", "/openapi.json", "/v1/v3/api-docs", "/v3/api-docs"])
    assert len(service.requests) == len(keyless) + 1


# ---------------------------------------------------------------- the key


@pytest.mark.parametrize(
    ("place", "header", "value"),
    [
        (KeyPlacement(), "authorization", f"Bearer {KEY}"),
        (KeyPlacement(KeyPlace.HEADER, "X-Key", ""), "x-key", KEY),
        (
            KeyPlacement(prefix="Basic ", basic=True),
            "authorization",
            "Basic " + base64.b64encode(f"{KEY}:".encode()).decode(),
        ),
        (KeyPlacement(KeyPlace.NONE, "", ""), "authorization", None),
    ],
)
def test_the_key_travels_where_the_contract_says(place: KeyPlacement, header: str, value: str | None) -> None:
    service = Service(always(200, []))
    talk(service, lambda client: walk(client, Resource.ORDERS), replace(default(), key=place))
    (request,) = service.requests
    assert request.headers.get(header) == value
    assert KEY not in str(request.url)


def test_a_key_in_the_query_is_beside_the_other_parameters_and_in_no_kept_cursor() -> None:
    contract = replace(default(), key=KeyPlacement(KeyPlace.QUERY, "api_key", ""))

    def answer(request: httpx.Request) -> httpx.Response:
        if "cursor" in request.url.params:
            return httpx.Response(200, json=[{"id": 2}])
        return httpx.Response(200, json=[{"id": 1}], headers={"Link": f'<{request.url}&cursor=x>; rel="next"'})

    service = Service(answer)
    pages = talk(service, lambda client: walk(client, Resource.PETS), contract)
    assert service.asked == [
        f"GET /v1/pets?limit=100&api_key={KEY}",
        f"GET /v1/pets?limit=100&cursor=x&api_key={KEY}",
    ]
    assert pages[0].cursor == "url:/v1/pets?limit=100&cursor=x"


def test_a_new_key_is_used_from_then_on_and_none_is_none() -> None:
    service = Service(always(200, []))

    async def act(client: Client) -> None:
        client.gateway.use_key("  other-key\n")
        await walk(client, Resource.ORDERS)
        client.gateway.use_key(None)
        await walk(client, Resource.ORDERS)

    talk(service, act)
    assert [request.headers.get("authorization") for request in service.requests] == ["Bearer other-key", None]


@pytest.mark.parametrize(
    ("place", "sent"),
    [
        (KeyPlacement(), {"authorization": "Bearer k-123"}),
        (KeyPlacement(prefix="Token "), {"authorization": "Token k-123"}),
        (KeyPlacement(KeyPlace.HEADER, "Authorization", ""), {"authorization": "Bearer k-123"}),
        (KeyPlacement(KeyPlace.HEADER, "X-API-Key", ""), {"x-api-key": "k-123"}),
    ],
    ids=["as a bearer's", "after another word", "in the header for it", "in a header of its own"],
)
def test_the_word_before_a_pasted_key_is_no_part_of_it(place: KeyPlacement, sent: dict[str, str]) -> None:
    """It was "characters that cannot be sent"."""
    service = Service(always(200, []))
    contract = replace(default(), key=place)
    talk(service, lambda client: walk(client, Resource.ORDERS), contract, key=" Bearer  k-123\n")
    [asked] = service.requests
    assert {name: asked.headers.get(name) for name in sent} == sent


@pytest.mark.parametrize("key", ["two words", "Bearer two words", "line\nbreak", "schlüssel", "\x00"])
def test_a_key_that_cannot_travel_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(BadInput) as caught:
        talk(always(200), lambda client: client.fetch_document(), key=key)
    assert caught.value.code == "key-unusable"
    assert key not in repr(caught.value)


def test_an_answer_that_echoes_the_key_is_masked_everywhere() -> None:
    basic = base64.b64encode(f"{KEY}:".encode()).decode()
    echo = {"code": f"bad-{KEY}", "message": f"no such key {KEY} ({basic})", "key": KEY}
    with pytest.raises(ServiceError) as caught:
        talk(always(400, echo), lambda client: client.read(PET, BY_PERSON))
    error = caught.value
    for text in (str(error), repr(error), repr(error.params), error.message, error.raw):
        assert KEY not in text
        assert basic not in text
    assert "***" in error.message


# ---------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    ("base", "code"),
    [
        ("http://shop.example/v1", "address-insecure"),
        ("http://192.168.0.5/v1", "address-insecure"),
        ("http://127.0.0.1.example/", "address-insecure"),
        ("ftp://127.0.0.1/", "address-unusable"),
        ("127.0.0.1/v1", "address-unusable"),
        ("https://", "address-unusable"),
        ("https://[::1/", "address-unusable"),
        ("https://u:p@shop.example/", "address-with-credentials"),
    ],
)
def test_an_address_that_would_show_the_key_to_others_is_refused(base: str, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        talk(always(200), lambda client: client.fetch_document(), base=base)
    assert caught.value.code == code


def test_paths_are_appended_to_the_base_address() -> None:
    for base in ("http://localhost:1/shop/v1/", "http://[::1]:1/shop/v1", "http://127.8.8.8:1/shop/v1?x=1"):
        service = Service(always(200, []))
        talk(service, lambda client: walk(client, Resource.ORDERS), base=base)
        assert service.asked == ["GET /shop/v1/store/orders"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed_and_its_target_is_told(status: int) -> None:
    service = Service(always(status, location="https://elsewhere.example/pets/5"))
    with pytest.raises(AnswerUnusable) as caught:
        talk(service, lambda client: client.read(PET, BY_PERSON))
    assert caught.value.code == "redirected"
    assert caught.value.params["target"] == "https://elsewhere.example/pets/5"
    assert len(service.requests) == 1


# ---------------------------------------------------------------- the one way out


def test_nothing_in_the_program_can_send_but_the_gateway() -> None:
    package = Path(petstore_desktop.__file__).parent
    users: dict[str, set[str]] = {"AsyncClient": set(), "Client": set(), "Transport": set(), "urlopen": set()}
    for file in package.rglob("*.py"):
        name = file.relative_to(package).as_posix()
        if name.startswith("demo/"):
            continue  # the judge sends nothing on our behalf
        source = file.read_text("utf-8")
        if not any(word in source for word in users):
            continue  # to parse all of it takes long
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                owner = getattr(getattr(node.func, "value", None), "id", "")
                if called in users and (called != "Client" or owner == "httpx"):
                    users[called].add(name)
    assert users == {
        "AsyncClient": {"api/http/transport.py"},
        "Client": set(),
        "Transport": {"api/http/gateway.py", "adapters/updates.py"},  # this one to the packager's address, to no shop
        "urlopen": set(),
    }
