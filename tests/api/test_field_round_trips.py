"""Records of any shape: whatever its fields are called and wherever they lie, one is changed and nothing else."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.api import wire
from petstore_desktop.api.encoding import Known, encode
from petstore_desktop.contract.binding.answer_fields import learned
from petstore_desktop.contract.fields.likeness import sure_words
from petstore_desktop.contract.operations import OPS, Verb, put_at, value_at
from petstore_desktop.domain.records import ALL_SPECS, INT64_MAX, FieldKind, FieldSpec, Resource, plain
from tests.api.test_other_fields import offers, silent

WAYS: dict[tuple[Resource, str], list[str]] = {
    (Resource.PETS, "id"): ["id", "_id", "pet_id", "petId", "ID", "uuid"],
    (Resource.PETS, "name"): ["name", "petName", "pet_name", "title", "display-name"],
    (Resource.PETS, "category_id"): ["categoryId", "category_id", "category.id", "category", "species.id", "kind._id"],
    (Resource.PETS, "status"): ["status", "petStatus", "availability", "state"],
    (Resource.CATEGORIES, "id"): ["id", "category_id", "_id"],
    (Resource.CATEGORIES, "name"): ["name", "category_name", "label"],
    (Resource.CATEGORIES, "description"): ["description", "desc", "notes"],
    (Resource.ORDERS, "id"): ["id", "order_id", "_id", "orderNumber"],
    (Resource.ORDERS, "pet_id"): ["petId", "pet_id", "pet.id", "pet", "animal.id", "item"],
    (Resource.ORDERS, "quantity"): ["quantity", "qty", "amount", "count"],
    (Resource.ORDERS, "ship_date"): ["shipDate", "ship_date", "shippedAt", "delivery_date"],
    (Resource.ORDERS, "complete"): ["complete", "isComplete", "fulfilled", "is_done"],
    (Resource.ORDERS, "status"): ["status", "order_status", "state"],
    (Resource.INVENTORY, "pet_id"): ["petId", "pet_id", "pet.id", "id", "item_id"],
    (Resource.INVENTORY, "quantity"): ["quantity", "qty", "stock", "count", "on_hand", "available"],
    (Resource.INVENTORY, "status"): ["status", "pet_status", "state"],
}
VALUES: dict[FieldKind, st.SearchStrategy[Any]] = {
    FieldKind.ID: st.integers(1, INT64_MAX),
    FieldKind.TEXT: st.text("abcé 🐈", min_size=1),
    FieldKind.WORD: st.sampled_from(["sold", "Reserved?", "placed"]),
    FieldKind.NUMBER: st.integers(-5, INT64_MAX),
    FieldKind.FLAG: st.booleans(),
    FieldKind.MOMENT: st.sampled_from(["2026-01-01", "2026-01-01T00:00:00Z", "soon"]),
}
OTHER = st.dictionaries(
    st.sampled_from(["colour", "photoUrls", "x-weight", "owner", "vet visits"]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text("ab", max_size=3),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("pq"), inner, max_size=2),
        max_leaves=4,
    ),
)


@st.composite
def shapes(draw: st.DrawFn) -> tuple[Resource, dict[str, tuple[str, ...]], dict[str, Any], FieldSpec]:
    """A resource, where its fields lie, a record that looks so, and a field to change."""
    resource = draw(st.sampled_from(list(Resource)))
    ways = {
        spec.name: tuple(draw(st.sampled_from(WAYS[resource, spec.name])).split(".")) for spec in ALL_SPECS[resource]
    }
    came: dict[str, Any] = draw(OTHER)
    for spec in ALL_SPECS[resource]:
        way = ways[spec.name]
        if len(way) > 1:
            put_at(came, way[:-1], {"note": "of the other", **draw(OTHER)})
        put_at(came, way, draw(VALUES[spec.kind]))
    return resource, ways, came, draw(st.sampled_from(ALL_SPECS[resource][1:]))


def is_sure(resource: Resource, ways: dict[str, tuple[str, ...]]) -> bool:
    """Whether a document with such records is taken for that of a shop: a field tells what they are."""
    telling = [spec.name for spec in ALL_SPECS[resource] if spec.kind is not FieldKind.WORD and spec.wire != "id"]
    return any(plain(ways[name][0]) in sure_words(resource, name) for name in telling)


def read_and_changed(
    resource: Resource, came: Any, name: str, value: Any, method: str, *, tells: bool
) -> tuple[Any, Any]:
    contract = offers(resource, method, came) if tells else silent(resource, method)
    contract = learned(contract, resource, [came]) or contract
    fields = contract.map(resource)
    record = wire.decode_one(resource, came, fields=fields)
    operation = contract.operations[OPS[resource, Verb.CHANGE]]
    return record, json.loads(encode(operation, {name: value}, Known(record, reads=fields)))


@given(shape=shapes(), data=st.data(), tells=st.booleans())
def test_a_field_is_read_where_it_lies_and_changed_there_alone(shape: Any, data: Any, *, tells: bool) -> None:
    resource, ways, came, spec = shape
    tells = tells and is_sure(resource, ways)
    value = data.draw(VALUES[spec.kind])
    before, way = deepcopy(came), ways[spec.name]
    expected = deepcopy(came)
    is_another = spec.kind is FieldKind.ID and value != value_at(came, way)
    put_at(expected, way[:1], {way[1]: value}) if is_another and len(way) > 1 else put_at(expected, way, value)
    for method, whole in (("PUT", expected), ("PATCH", {way[0]: expected[way[0]]})):
        record, sent = read_and_changed(resource, came, spec.name, value, method, tells=tells)
        assert {name: getattr(record, name) for name in ways} == {name: value_at(came, ways[name]) for name in ways}
        assert came == before
        assert sent == whole
