"""What a service demands beside the record is sent where the document or the person says its value."""

from __future__ import annotations

from typing import cast

import httpx
import pytest

from petstore_desktop.contract.binding.load import load
from petstore_desktop.contract.cache import from_json, to_json
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.commands import ServiceValue
from petstore_desktop.domain.errors import DocumentUnusable
from petstore_desktop.domain.records import Ref, Resource
from tests.api.speaking import BY_PERSON, Service, talk, walk
from tests.contract.documents import SCHEMAS, answer, document, list_of, ref

ADDRESS = "http://127.0.0.1:9/v1"


def shop(parameters: str, given: dict[str, str] | None = None, path: str = "") -> Contract:
    paths = f"""
  {path}/categories: {{get: {{{answer(list_of("Category"))}}}}}
  {path}/pets: {{get: {{parameters: [{parameters}], {answer(list_of("Pet"))}}}}}
  {path}/pets/{{petId}}: {{get: {{parameters: [{parameters}], {answer(ref("Pet"))}}}}}"""
    bindings = {f"parameters.{name}": value for name, value in (given or {}).items()}
    return load(document(paths, SCHEMAS), source="chosen", address=ADDRESS, bindings=bindings)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ("{type: string, default: de}", "de"),
        ("{type: integer, default: 7}", "7"),
        ("{type: boolean, default: false}", "false"),
        ("{type: string, enum: [only]}", "only"),
        ("{const: this}", "this"),
    ],
)
def test_the_value_that_the_document_gives_is_sent_with_every_request(schema: str, value: str) -> None:
    contract = shop(
        f"{{name: locale, in: query, required: true, schema: {schema}}}, "
        f"{{name: X-Locale, in: header, required: true, schema: {schema}}}"
    )
    service = Service(lambda asked: httpx.Response(200, json=[] if asked.url.path == "/v1/pets" else PET))
    talk(service, lambda client: walk(client, Resource.PETS), contract, base=ADDRESS)
    talk(service, lambda client: client.read(Ref(Resource.PETS, 5), BY_PERSON), contract, base=ADDRESS)
    assert [request.url.params["locale"] for request in service.requests] == [value, value]
    assert [request.headers["X-Locale"] for request in service.requests] == [value, value]


def test_what_is_always_sent_goes_along_to_a_page_whose_link_does_not_say_it() -> None:
    contract = shop("{name: locale, in: query, required: true, schema: {type: string, default: de}}")
    more = {"data": [PET], "links": {"next": f"{ADDRESS}/pets?after=a%2Bb"}}
    service = Service(
        lambda asked: httpx.Response(200, json=more if "after" not in asked.url.params else {"data": [PET | {"id": 6}]})
    )
    talk(service, lambda client: walk(client, Resource.PETS), contract, base=ADDRESS)
    assert [dict(request.url.params) for request in service.requests] == [
        {"locale": "de"},
        {"after": "a+b", "locale": "de"},
    ]


PET = {"id": 5, "name": "Rex", "categoryId": 1}


def test_what_nobody_says_is_not_offered_until_a_person_says_it() -> None:
    demand = "{name: tenant, in: query, required: true, schema: {type: string}}"
    before = shop(demand)
    assert Op.PETS_LIST not in before.operations
    assert "GET /pets is not used: it demands the parameter tenant" in before.warnings
    assert shop(demand, {"tenant": "acme"}).operations[Op.PETS_LIST].always_query == {"tenant": "acme"}


def test_a_person_also_says_what_is_not_demanded() -> None:
    contract = shop("{name: lang, in: query, schema: {type: string}}", {"lang": "de"})
    assert contract.operations[Op.PETS_LIST].always_query == {"lang": "de"}


def test_the_record_that_all_lies_below_is_named_once() -> None:
    path = "/shops/{shopId}"
    with pytest.raises(DocumentUnusable) as caught:
        shop("", path=path)
    assert caught.value.code == "document-place"
    contract = shop("", {"shopId": "a b"}, path)
    assert contract.operations[Op.PET_READ].path == "/shops/a%20b/pets/{petId}"
    assert contract.operations[Op.CATEGORIES_LIST].path == "/shops/a%20b/categories"


@pytest.mark.parametrize("dots", [".", ".."])
def test_dots_name_no_record_below_which_all_lies(dots: str) -> None:
    with pytest.raises(DocumentUnusable) as caught:
        shop("", {"shopId": dots}, "/shops/{shopId}")
    assert caught.value.code == "document-place"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X-HTTP-Method-Override", "DELETE"),
        ("_method", "DELETE"),
        ("Transfer-Encoding", "chunked"),
        ("Connection", "close"),
        ("X-Note", "a\\nb"),
        ("X-Note", "ä"),
        ("X-Note", "x" * 1_001),
        ("X Note", "a"),
    ],
)
def test_no_document_makes_another_request_of_it(name: str, value: str) -> None:
    place = "query" if name.startswith("_") else "header"
    parameter = f'{{name: {name}, in: {place}, required: true, schema: {{type: string, default: "{value}"}}}}'
    assert Op.PETS_LIST not in shop(parameter).operations


def test_pages_that_are_an_object_in_the_query_are_its_fields() -> None:
    pageable = (
        "{name: pageable, in: query, required: true, schema: {type: object, properties: "
        "{page: {type: integer, minimum: 0, default: 0}, size: {type: integer, minimum: 1, maximum: 40}, "
        "sort: {type: array, items: {type: string}}}}}"
    )
    listing = shop(pageable).operations[Op.PETS_LIST]
    assert (listing.query, listing.page_limit, listing.first_page) == (("page", "size", "sort"), 40, 0)


# ---------------------------------------------------------------- what a person is asked for

TENANT = (
    "{name: tenant, in: query, required: true, description: 'Which of\n  your shops', "
    "schema: {type: string, enum: [north, south]}}"
)


def test_a_person_is_asked_for_the_record_that_all_lies_below() -> None:
    with pytest.raises(DocumentUnusable) as caught:
        shop("{name: shopId, in: path, required: true, example: 17, schema: {type: integer}}", path="/shops/{shopId}")
    operations = ("pets.list", "pets.read", "categories.list")
    (asked,) = cast("tuple[ServiceValue, ...]", caught.value.params["values"])
    assert (asked.name, asked.place, asked.example, set(asked.operations)) == ("shopId", "path", "17", set(operations))
    known = shop("", {"shopId": "17"}, "/shops/{shopId}")
    assert [one.name for one in known.values] == ["shopId"]
    assert known.missing_values == ()


def test_a_person_is_asked_for_what_is_demanded_with_the_documents_own_words() -> None:
    contract = shop(TENANT)
    (asked,) = contract.missing_values
    assert (asked.name, asked.place, asked.description) == ("tenant", "query", "Which of your shops")
    assert (asked.choices, set(asked.operations)) == (("north", "south"), {"pets.list", "pets.read"})
    given = shop(TENANT, {"tenant": "north"})
    assert (given.missing_values, given.values[0].choices) == ((), ("north", "south"))


def test_where_nothing_can_be_used_without_it_the_service_is_no_other_one() -> None:
    demand = "{name: X-Tenant, in: header, required: true, schema: {type: string}}"
    paths = f"  /pets: {{get: {{parameters: [{demand}], {answer(list_of('Pet'))}}}}}"
    with pytest.raises(DocumentUnusable) as caught:
        load(document(paths, SCHEMAS), source="chosen")
    assert (caught.value.code, caught.value.params["names"]) == ("document-values", "X-Tenant")


@pytest.mark.parametrize(
    "demand",
    [
        "{name: session, in: cookie, required: true, schema: {type: string}}",
        "{name: Connection, in: header, required: true, schema: {type: string}}",
        "{name: lang, in: query, schema: {type: string}}",
        "{name: lang, in: query, required: true, schema: {type: string, default: de}}",
    ],
)
def test_nobody_is_asked_for_what_cannot_be_sent_or_need_not_be(demand: str) -> None:
    assert shop(demand).values == ()


def test_nobody_is_asked_for_the_owner_of_what_is_reached_without() -> None:
    paths = f"""
  /pets: {{get: {{{answer(list_of("Pet"))}}}}}
  /owners/{{ownerId}}/pets: {{post: {{{answer(ref("Pet"))}}}}}
  /owners/{{ownerId}}/pets/{{petId}}: {{get: {{{answer(ref("Pet"))}}}}}"""
    assert load(document(paths, SCHEMAS), source="chosen").values == ()


def test_the_values_are_in_the_cache() -> None:
    contract = shop(TENANT)
    assert from_json(to_json(contract)).values == contract.values


# ---------------------------------------------------------------- values on which depends what is done

PATCHED = "requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}"


def writing(parameter: str, given: dict[str, str] | None = None, *, read: str = "") -> Contract:
    item = f"get: {{{answer(ref('Pet'))}}}, patch: {{parameters: [{parameter}], {PATCHED}, {answer(ref('Pet'))}}}"
    paths = f"""
  /pets: {{get: {{parameters: [{read}], {answer(list_of("Pet"))}}}}}
  /pets/{{petId}}: {{{item}}}"""
    bindings = {f"parameters.{name}": value for name, value in (given or {}).items()}
    return load(document(paths, SCHEMAS), source="chosen", address=ADDRESS, bindings=bindings)


def needs(name: str, schema: str, place: str = "query") -> str:
    return f"{{name: {name}, in: {place}, required: true, schema: {{{schema}}}}}"


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("dryRun", "type: boolean, default: true"),
        ("mode", "type: string, enum: [validate]"),
        ("force", "type: boolean, default: true"),
        ("delete", "type: string, default: all"),
        ("action", "type: string, enum: [purge]"),
        ("operation", "type: string, default: replaceAll"),
        ("version", "type: integer, default: 0"),
        ("silent", "type: boolean, default: true"),
    ],
)
def test_a_value_on_which_depends_what_is_done_comes_from_a_person_alone(name: str, schema: str) -> None:
    contract = writing(needs(name, schema))
    assert Op.PET_CHANGE not in contract.operations
    assert Op.PET_READ in contract.operations
    assert [(one.name, one.operations) for one in contract.missing_values] == [(name, ("pets.change",))]
    assert writing(needs(name, schema), {name: "1"}).operations[Op.PET_CHANGE].always_query == {name: "1"}


@pytest.mark.parametrize(
    ("name", "schema"),
    [("X-Dry-Run", "type: boolean, default: true"), ("X-Env", "type: string, enum: [sandbox]"),
     ("Prefer", "type: string, default: handling=strict"), ("If-None-Match", "type: string, default: '*'"),
     ("Range", "type: string, default: items=0-1")],
)  # fmt: skip
def test_so_does_that_of_a_header(name: str, schema: str) -> None:
    assert Op.PET_CHANGE not in writing(needs(name, schema, "header")).operations


@pytest.mark.parametrize(
    ("name", "schema", "value"),
    [("dryRun", "type: boolean, default: false", "false"), ("locale", "type: string, default: de", "de"),
     ("apiVersion", "type: string, default: '2'", "2")],
)  # fmt: skip
def test_a_value_that_steers_nothing_is_still_taken_from_the_document(name: str, schema: str, value: str) -> None:
    assert writing(needs(name, schema)).operations[Op.PET_CHANGE].always_query == {name: value}


def test_a_version_that_reading_wants_too_is_the_services() -> None:
    version = needs("version", "type: string, default: '2'")
    assert writing(version, read=version).operations[Op.PET_CHANGE].always_query == {"version": "2"}


@pytest.mark.parametrize("more", ["overwrite: {type: boolean, default: true}", "mode: {enum: [replaceAll, add]}"])
def test_a_creation_whose_body_says_what_is_done_is_not_used(more: str) -> None:
    name = more.partition(":")[0]
    body = f"{{type: object, required: [{name}], properties: {{name: {{type: string}}, {more}}}}}"
    create = f"requestBody: {{content: {{application/json: {{schema: {body}}}}}}}, {answer(ref('Pet'))}"
    paths = f"""
  /pets: {{get: {{{answer(list_of("Pet"))}}}, post: {{{create}}}}}"""
    contract = load(document(paths, SCHEMAS), source="chosen", address=ADDRESS)
    assert Op.PET_CREATE not in contract.operations
    assert f"POST /pets is not used: it demands the parameter {name}" in contract.warnings


def test_a_value_given_for_a_path_is_sent_nowhere_else() -> None:
    path = "{name: name, in: path, required: true, schema: {type: string}}"
    contract = shop(f"{path}, {{name: name, in: query, schema: {{type: string}}}}", {"name": "acme"}, "/tenants/{name}")
    assert contract.operations[Op.PETS_LIST].path == "/tenants/acme/pets"
    assert contract.operations[Op.PETS_LIST].always_query == {}
