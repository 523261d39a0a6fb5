"""Services that call the fields of records otherwise: read, one field changed, and nothing else changes in what is
sent."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from petstore_desktop.contract.binding.answer_fields import learned
from petstore_desktop.contract.binding.load import default, load
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.changes import Fields
from petstore_desktop.domain.records import Category, InventoryItem, Order, Pet, Record, Ref, Resource
from tests.api.speaking import BY_PERSON, Service, rows_of, talk, walk
from tests.contract.documents import answer, body, document

PETS, CATEGORIES, ORDERS, INVENTORY = Resource.PETS, Resource.CATEGORIES, Resource.ORDERS, Resource.INVENTORY
PLACES = {PETS: "/pets", CATEGORIES: "/categories", ORDERS: "/orders", INVENTORY: "/inventory"}
TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}


def schema_of(value: Any) -> dict[str, Any]:
    """The schema of such values."""
    if isinstance(value, dict):
        return {"type": "object", "properties": {name: schema_of(inner) for name, inner in value.items()}}
    if isinstance(value, list):
        return {"type": "array", "items": schema_of(value[0]) if value else {}}
    return {"type": TYPES[type(value)]} if value is not None else {}


def offers(resource: Resource, method: str, record: Any, sent: Any = None, list_: Any = None) -> Contract:
    """The contract of a document whose records look so."""
    place, one = PLACES[resource], json.dumps(schema_of(record))
    many = json.dumps(schema_of([record] if list_ is None else list_))
    taken = one if sent is None else json.dumps(schema_of(sent))
    paths = f"""
  {place}: {{get: {{{answer(many)}}}, post: {{{body(taken)}}}}}
  {place}/{{id}}: {{{method.lower()}: {{{body(taken)}, {answer(one)}}}}}"""
    pets = '{"type": "array", "items": {"properties": {"id": {}, "name": {}, "status": {}}}}'
    paths += "" if resource is PETS else f"\n  /pets: {{get: {{{answer(pets)}}}}}"
    return load(document(paths, ""), source="chosen")


def silent(resource: Resource, method: str) -> Contract:
    """The contract of a document that says nothing of records."""
    place = PLACES[resource]
    paths = f"\n  {place}: {{get: {{}}, post: {{}}}}\n  {place}/{{id}}: {{{method.lower()}: {{}}}}"
    return load(document(paths, ""), source="chosen")


def edited(contract: Contract, resource: Resource, came: Any, fields: Fields) -> tuple[Record, Any]:
    """The record as it was read from its list, and the body by which these fields of it are changed."""
    service = Service(lambda request: httpx.Response(200, json=came if request.method == "GET" else None))

    async def act(client: Any) -> Record:
        row = rows_of(await walk(client, resource))[0]
        await client.change(Ref(resource, 7), fields, BY_PERSON, whole=row.record)
        return row.record

    record = talk(service, act, contract)
    return record, json.loads(service.requests[-1].content)


SHAPES: list[tuple[Resource, Any, Fields, Record, Any]] = [
    (
        PETS,
        {"pet_id": 7, "pet_name": "Rex", "category_id": 2, "pet_status": "sold", "tags": ["a"]},
        {"name": "Max"},
        Pet(7, "Rex", 2, "sold", {"tags": ["a"]}),
        {"pet_name": "Max"},
    ),
    (
        PETS,
        {"_id": 7, "title": "Rex", "category": {"id": 2, "name": "Dogs"}, "state": "new"},
        {"status": "sold"},
        Pet(7, "Rex", 2, "new", {"category": {"name": "Dogs"}}),
        {"state": "sold"},
    ),
    (
        CATEGORIES,
        {"category_id": 7, "title": "Dogs", "desc": "bark", "parent": None},
        {"description": "wow"},
        Category(7, "Dogs", "bark", {"parent": None}),
        {"desc": "wow"},
    ),
    (
        ORDERS,
        {"id": 7, "pet": {"id": 3, "name": "Rex"}, "qty": 1, "shipped_at": "2026-01-01", "completed": False},
        {"quantity": 2, "complete": True},
        Order(7, 3, 1, "2026-01-01", False, extra={"pet": {"name": "Rex"}}),
        {"qty": 2, "completed": True},
    ),
    *(
        (
            INVENTORY,
            {"pet_id": 7, word: 4, "shelf": "B"},
            {"quantity": 5},
            InventoryItem(7, 4, None, {"shelf": "B"}),
            {word: 5},
        )
        for word in ("stock", "qty", "count", "on_hand")
    ),
]


def merged(came: Any, sent: Any) -> Any:
    """A record after a merge patch."""
    return {**came, **{k: merged(came[k], v) if isinstance(v, dict) and came.get(k) else v for k, v in sent.items()}}


@pytest.mark.parametrize("tells", [True, False])
@pytest.mark.parametrize(("resource", "came", "fields", "record", "part"), SHAPES)
def test_one_field_is_changed_and_the_rest_goes_back_as_it_came(
    resource: Resource, came: Any, fields: Fields, record: Record, part: Any, *, tells: bool
) -> None:
    patched = offers(resource, "PATCH", came) if tells else silent(resource, "PATCH")
    assert edited(patched, resource, [came], fields) == (record, part)
    put = offers(resource, "PUT", came) if tells else silent(resource, "PUT")
    assert put.operations[next(op for op in put.operations if op.value.endswith("change"))].replaces
    read, sent = edited(put, resource, {"data": [came]}, fields)
    own = "id" if "id" in came else next(name for name in came if name.endswith("id"))
    whole = {name: value for name, value in merged(came, part).items() if value is not None or name == "parent"}
    assert read == record
    assert {own: came[own], **sent} == whole


def test_another_category_is_named_by_its_id_and_not_described_by_the_name_of_the_old_one() -> None:
    came = {"id": 7, "name": "Rex", "category": {"id": 2, "name": "Dogs"}}
    for method, rest in (("PATCH", {}), ("PUT", {"id": 7, "name": "Rex"})):
        _, sent = edited(offers(PETS, method, came), PETS, [came], {"category_id": 5})
        assert sent == {**rest, "category": {"id": 5}}
        _, sent = edited(offers(PETS, method, came), PETS, [came], {"category_id": None})
        assert sent == {**rest, "category": None}


def test_a_category_is_a_number_under_its_bare_name() -> None:
    came = {"id": 7, "name": "Rex", "category": 2}
    assert edited(offers(PETS, "PATCH", came), PETS, [came], {"category_id": 5}) == (Pet(7, "Rex", 2), {"category": 5})


@pytest.mark.parametrize("value", [[2], True, 2.5, {"key": [1]}, {"id": True}])
def test_what_only_seems_to_be_a_category_costs_no_record_and_goes_back_as_it_came(value: Any) -> None:
    came = {"id": 7, "name": "Rex", "category": 2}
    contract = offers(PETS, "PUT", came)
    assert edited(contract, PETS, [{**came, "category": value}], {"name": "Max"}) == (
        Pet(7, "Rex", extra={"category": value}),
        {"id": 7, "name": "Max", "category": value},
    )
    nested = offers(PETS, "PUT", {**came, "category": {"id": 2}})
    assert edited(nested, PETS, [{**came, "category": value}], {"name": "Max"})[1] == {
        "id": 7,
        "name": "Max",
        "category": value,
    }


def test_what_is_read_as_an_object_is_sent_as_the_body_wants_it() -> None:
    came = {"id": 7, "name": "Rex", "category": {"id": 2, "name": "Dogs"}, "note": "x"}
    sent = {"name": "Rex", "category_id": 2, "note": "x"}
    contract = offers(PETS, "PUT", came, sent)
    assert contract.unlisted(PETS) == ()
    assert edited(contract, PETS, [came], {"name": "Max"})[1] == {"name": "Max", "category_id": 2, "note": "x"}
    assert edited(contract, PETS, [came], {"category_id": 5})[1] == {"name": "Rex", "category_id": 5, "note": "x"}


ATTRIBUTES = {"name": "Rex", "status": "sold", "weight": 3}
RELATED = {"category": {"data": {"type": "categories", "id": "2"}}}
RESOURCE = {"type": "pets", "id": "7", "attributes": ATTRIBUTES, "relationships": RELATED}


def test_json_api_is_spoken_with_its_attributes_and_its_envelope() -> None:
    contract = offers(PETS, "PATCH", {"data": RESOURCE}, {"data": RESOURCE}, {"data": [RESOURCE]})
    assert contract.operations[Op.PET_CHANGE].takes("name")
    record, sent = edited(contract, PETS, {"data": [RESOURCE]}, {"name": "Max"})
    kept = {"attributes": {"weight": 3}, "relationships": {"category": {"data": {"type": "categories"}}}}
    assert record == Pet(7, "Rex", 2, "sold", {"type": "pets", **kept})
    assert (sent["data"]["type"], sent["data"]["id"]) == ("pets", "7")
    assert sent["data"]["attributes"] == {"name": "Max", "status": "sold", "weight": 3}
    _, sent = edited(contract, PETS, {"data": [RESOURCE]}, {"category_id": 5})
    assert sent["data"]["relationships"] == {"category": {"data": {"type": "categories", "id": "5"}}}


def test_a_creation_of_json_api_names_the_type_of_what_it_makes() -> None:
    contract = offers(PETS, "PATCH", {"data": RESOURCE}, {"data": {"attributes": ATTRIBUTES}}, {"data": [RESOURCE]})
    service = Service(lambda _: httpx.Response(201, json={"data": {**RESOURCE, "id": "9"}}))
    created = talk(service, lambda client: client.create(PETS, {"name": "Koi"}, BY_PERSON), contract)
    assert created.id == 9
    assert json.loads(service.requests[0].content) == {"data": {"type": "pets", "attributes": {"name": "Koi"}}}


def test_what_a_creation_must_have_is_filled_in() -> None:
    needs = """{type: object, required: [name, category_id, kind, weight, tags, owner, born], properties: {
      name: {type: string}, category_id: {type: integer}, kind: {type: string, enum: [new, old]},
      weight: {type: number}, tags: {type: array, items: {type: string}}, born: {type: string, default: today},
      owner: {type: object, required: [name], properties: {name: {type: string}}}}}"""
    contract = load(document(f"\n  /pets: {{post: {{{body(needs)}}}, get: {{}}}}", ""), source="chosen")
    service = Service(lambda _: httpx.Response(201, json={"id": 9}))
    fields: Fields = {"name": "Koi", "category_id": 3}
    assert talk(service, lambda client: client.create(PETS, fields, BY_PERSON), contract).id == 9
    assert json.loads(service.requests[0].content) == {
        "kind": "new",
        "weight": 0,
        "tags": [],
        "owner": {"name": ""},
        "born": "today",
        "name": "Koi",
        "category_id": 3,
    }
    assert contract.operations[Op.PET_CREATE].requires("category_id")


def test_the_default_document_is_no_ones_own_and_the_first_records_say_how_fields_are_called() -> None:
    service = Service(lambda _: httpx.Response(200, json=[{"pet_id": 7, "pet_name": "Rex", "category": {"id": 2}}]))
    adopted: list[Contract] = []

    async def act(client: Any) -> Any:
        adopt = client.tell_learned
        client.tell_learned = lambda contract: (adopted.append(contract), adopt(contract))
        return rows_of([*await walk(client, PETS), *await walk(client, PETS)])

    rows = talk(service, act, default())
    assert [row.record for row in rows] == [Pet(7, "Rex", 2, extra={"category": {}})] * 2
    assert len(adopted) == 1
    create = adopted[0].operations[Op.PET_CREATE]
    assert create.body_fields == ("pet_name", "category", "status")
    assert create.takes("category_id")


def test_a_later_page_that_shows_a_field_which_the_first_had_not_tells_where_it_is() -> None:
    came: list[dict[str, Any]] = [{"id": 7, "name": "Rex", "kind": "x"}]
    service = Service(lambda _: httpx.Response(200, json=came))
    adopted: list[Contract] = []

    async def act(client: Any) -> Any:
        client.tell_learned = lambda contract: (adopted.append(contract), client.use_contract(contract))
        await walk(client, PETS)
        await walk(client, PETS)
        assert len(adopted) == 1
        came[:] = [{"id": 8, "name": "Max", "kind": "x", "state": "sold"}]
        return rows_of(await walk(client, PETS))

    assert [row.record for row in talk(service, act, default())] == [Pet(8, "Max", "x", "sold")]
    assert len(adopted) == 2


def test_records_of_the_specifications_own_shape_teach_nothing() -> None:
    service = Service(lambda _: httpx.Response(200, json=[{"id": 7, "name": "Rex", "kind": "x", "categoryId": None}]))
    contract = default()

    async def act(client: Any) -> Any:
        await walk(client, PETS)
        return client.contract

    assert talk(service, act, contract) is contract


def test_what_a_person_says_of_a_field_wins() -> None:
    paths = "\n  /pets: {get: {}}\n  /pets/{id}: {patch: {}}"
    said = {"pets.name": "title.en", "pets.nothing": "x", "pets.status": "a..b"}
    contract = load(document(paths, ""), source="chosen", bindings=said)
    came = {"id": 7, "title": {"en": "Rex", "de": "Rexi"}, "label": "L"}
    record, sent = edited(contract, PETS, [came], {"name": "Max"})
    assert record == Pet(7, "Rex", extra={"title": {"de": "Rexi"}, "label": "L"})
    assert sent == {"title": {"en": "Max", "de": "Rexi"}}


TEXTS: list[tuple[Resource, dict[str, Any], Fields, Record, Any]] = [
    (
        INVENTORY,
        {"petId": "7", "quantity": "12", "status": "available"},
        {"quantity": 15},
        InventoryItem(7, 12, "available"),
        "15",
    ),
    (PETS, {"id": "7", "name": "Koi", "categoryId": "3"}, {"category_id": 4}, Pet(7, "Koi", 3), "4"),
]


@pytest.mark.parametrize(
    ("whose", "resource", "came", "fields", "record", "sent"),
    [("default", *TEXTS[0]), *(("silent", *one) for one in TEXTS), *(("told", *one) for one in TEXTS)],
)
def test_numbers_that_a_service_writes_as_texts_are_read_and_written_so(
    whose: str, resource: Resource, came: dict[str, Any], fields: Fields, record: Record, sent: str
) -> None:
    told = offers(resource, "PATCH", came)
    contract = default() if whose == "default" else silent(resource, "PATCH") if whose == "silent" else told
    name = "quantity" if resource is INVENTORY else "categoryId"
    assert edited(contract, resource, [came], fields) == (record, {name: sent})


def test_what_came_as_null_goes_back_as_null_and_what_did_not_come_stays_away() -> None:
    came = {"id": 7, "name": None, "status": None, "note": None}
    record, sent = edited(
        offers(PETS, "PUT", {**came, "categoryId": 2, "status": "sold"}), PETS, [came], {"status": "sold"}
    )
    assert record == Pet(7, "", extra={"name": None, "status": None, "note": None})
    assert sent == {"id": 7, "name": None, "status": "sold", "note": None}
    came = {"id": 7, "title": None, "category": {"id": None, "name": "x"}, "status": ""}
    put = offers(PETS, "PUT", {**came, "title": "", "category": {"id": 2, "name": ""}})
    assert edited(put, PETS, [came], {"status": "sold"})[1] == {**came, "status": "sold"}
    other = offers(
        PETS, "PUT", {**came, "title": "", "category": {"id": 2, "name": ""}}, {"name": "", "category_id": 2}
    )
    sent = edited(other, PETS, [{**came, "category": None}], {"name": "Max"})[1]
    assert sent == {"name": "Max", "category_id": None, "status": ""}


def test_a_part_has_with_it_what_every_change_must_have() -> None:
    came = {"id": 7, "name": "Rex", "status": "sold", "version": 4, "note": None, "other": 1}
    needs = json.dumps({**schema_of(came), "required": ["name", "version", "note", "reason"]})
    paths = f"\n  /pets: {{get: {{}}}}\n  /pets/{{id}}: {{patch: {{{body(needs)}}}}}"
    sent = edited(load(document(paths, ""), source="chosen"), PETS, [came], {"status": "new"})[1]
    assert sent == {"name": "Rex", "version": 4, "note": None, "status": "new"}


def test_json_api_keeps_the_type_that_a_record_has_and_makes_new_ones_of_it() -> None:
    animal = {**RESOURCE, "type": "animal"}
    contract = offers(PETS, "PATCH", {"data": animal}, {"data": animal}, {"data": [animal]})
    assert edited(contract, PETS, {"data": [animal]}, {"name": "Max"})[1]["data"]["type"] == "animal"
    seen = learned(contract, PETS, [animal, animal])
    assert seen is not None
    assert seen.operations[Op.PET_CREATE].fills["type"] == "animal"
    assert learned(seen, PETS, [animal]) is None
    assert learned(contract, PETS, [animal, {**animal, "type": "plant"}]) is None


def test_ids_go_back_as_the_texts_that_they_came_as_where_a_document_does_not_say_what_they_are() -> None:
    came = {"id": "7", "name": "Rex", "categoryId": "3", "status": "sold"}
    untyped = {"id": None, "name": "Rex", "categoryId": None, "status": "sold"}
    _, sent = edited(offers(PETS, "PUT", untyped), PETS, [came], {"status": "new"})
    assert sent == {**came, "status": "new"}
