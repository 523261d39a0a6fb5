"""A profile says all that a run follows of a contract, and reads back as the same."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from petstore_desktop import resources
from petstore_desktop.api.encoding import encode
from petstore_desktop.contract.binding.answer_fields import learned
from petstore_desktop.contract.binding.load import default, load, load_file
from petstore_desktop.contract.model import FROM_PROFILE, Contract
from petstore_desktop.contract.operations import Op
from petstore_desktop.contract.profile.reading import contract_of
from petstore_desktop.contract.profile.writing import followed, text_of
from petstore_desktop.contract.stock_key import StockKey, with_stock_key
from petstore_desktop.domain.records import Resource
from tests.contract.test_documents import DOCUMENTS, TABLE
from tests.contract.test_shapes import SHOPS, bound
from tests.support.services.document import document_of
from tests.support.services.drawn import drawn
from tests.support.services.named import SCENARIOS
from tests.support.services.scenario import Scenario
from tests.support.services.service import Service

MOST_LINES = 120
"""Of the longest profile here: JSON:API, with a type beside each id."""


def bound_of(scenario: Scenario) -> Contract:
    service = Service(scenario)
    place = f"http://127.0.0.1:9{scenario.document_path}"
    data = json.dumps(document_of(scenario)).encode()
    return load(data, source="published", bindings=service.bindings, address=service.url, place=place, refuse=False)


def back(contract: Contract) -> Contract:
    return contract_of(text_of(contract).encode())


def contracts() -> Iterator[tuple[str, Contract]]:
    yield "specification", default()
    yield "full", load(resources.path("openapi", "full.json").read_bytes(), source="published")
    for name, scenario in SCENARIOS.items():
        if scenario.document != "none":
            yield name, bound_of(scenario)
    for name in TABLE:
        yield name, load_file(str(DOCUMENTS / name), refuse=False)
    for name, written in SHOPS.items():
        yield name, bound(written)


def test_what_the_binder_makes_of_each_document_comes_back_from_its_profile() -> None:
    judged = 0
    for name, contract in contracts():
        if not contract.operations:
            continue
        words = text_of(contract)
        assert back(contract) == replace(followed(contract), source=FROM_PROFILE), name
        assert len(words.splitlines()) <= MOST_LINES, name
        assert text_of(back(contract)) == words, name
        judged += 1
    assert judged > len(SCENARIOS)


@given(st.integers(0, 10_000))
def test_so_does_what_it_makes_of_services_drawn_at_random(seed: int) -> None:
    scenario = drawn(seed)
    if scenario.document != "none":
        contract = bound_of(scenario)
        if contract.operations:
            assert back(contract) == replace(followed(contract), source=FROM_PROFILE)


@given(st.text(min_size=1), st.text(min_size=1), st.sampled_from(["", "string", "integer", "object"]))
def test_names_may_have_any_signs_in_them(name: str, inner: str, kind: str) -> None:
    """A field of a body is called as its service likes."""
    one = default().operations[Op.PET_CREATE]
    types = {name: kind, f"{name}.{inner}": "string"}
    body = tuple(dict.fromkeys(("name", name)))
    odd = replace(one, body_fields=body, required_fields=(name,), body_types=types, fills={inner: [name]})
    contract = replace(default(), operations={Op.PET_CREATE: odd})
    assert back(contract) == replace(followed(contract), source=FROM_PROFILE)


def test_what_was_learned_from_answers_is_in_it_and_nothing_is_guessed_any_more() -> None:
    pets = [{"id": 7, "name": "Rex", "kind": 3}]
    taught = learned(default(), Resource.PETS, pets)
    assert taught is not None
    followed_now = back(taught)
    assert followed_now.map(Resource.PETS).paths["category_id"] == ("kind",)
    assert followed_now.map(Resource.PETS).guessed == ("category_id",)
    assert learned(back(default()), Resource.PETS, pets) is None


def test_stock_that_is_read_and_changed_by_an_id_of_its_own_comes_back() -> None:
    """It could not be written down: "hole: only a change of stock is named by another id"."""
    told = load(resources.path("openapi", "full.json").read_bytes(), source="published")
    for place in ("id", "meta.id"):
        contract = with_stock_key(told, StockKey.OWN, tuple(place.split(".")))
        read, change = contract.operations[Op.STOCK_READ], contract.operations[Op.STOCK_CHANGE]
        assert read.hole == change.hole == tuple(place.split("."))
        assert back(contract) == replace(followed(contract), source=FROM_PROFILE)
        apart = {**contract.operations, Op.STOCK_READ: replace(read, hole=())}
        other = replace(contract, operations=apart)
        assert back(other) == replace(followed(other), source=FROM_PROFILE)


def test_a_read_at_the_place_of_a_change_means_the_same_id() -> None:
    words = """profile = 1
[inventory]
list = "GET /items"
read = "GET /items/{id}"
change = { call = "PATCH /items/{id}", hole = "id", body = ["quantity!: integer"] }
"""
    assert contract_of(words.encode()).operations[Op.STOCK_READ].hole == ("id",)
    elsewhere = contract_of(words.replace("GET /items/{id}", "GET /stock/{petId}").encode())
    assert elsewhere.operations[Op.STOCK_READ].hole == ()


def test_an_id_without_a_type_is_sent_as_answers_show_it() -> None:
    """json-server makes ids of four hexadecimal digits, which now and then are digits alone: a link to them is a text,
    or it leads nowhere. Older ones have numbers."""
    told = contract_of(resources.path("profiles", "json-server.toml").read_bytes())
    texts = learned(told, Resource.PETS, [{"id": "bf94", "name": "Rex", "categoryId": "1414"}])
    assert texts is not None
    assert encode(texts.operations[Op.PET_CREATE], {"category_id": 1414}) == b'{"categoryId": "1414"}'
    assert encode(texts.operations[Op.PET_CHANGE], {"category_id": 1414}) == b'{"categoryId": "1414"}'
    assert learned(texts, Resource.PETS, [{"id": "bf94", "name": "Rex", "categoryId": "1414"}]) is None
    assert learned(told, Resource.PETS, [{"id": 7, "name": "Rex", "categoryId": 3}]) is None
    assert encode(told.operations[Op.PET_CREATE], {"category_id": 3}) == b'{"categoryId": 3}'


def test_a_body_has_a_field_where_answers_have_it_if_it_has_that_name_and_the_own_name_in_any_spelling_before() -> None:
    words = """profile = 1
[pets]
fields = { name = "title", category_id = "category.id", status = "state" }
body = ["title!: string", "category_id: integer", "state.code: string", "status: string"]
create = "POST /pets"
[inventory]
fields = { pet_id = "animal", quantity = "count" }
body = ["count!: integer"]
change = "PUT /stock/{id}"
"""
    contract = contract_of(words.encode())
    writes = contract.operations[Op.PET_CREATE].writes.paths
    assert writes == {"name": ("title",), "category_id": ("category_id",)}
    stock = contract.operations[Op.STOCK_CHANGE]
    assert encode(stock, {"quantity": 12}) == b'{"count": 12}'
    assert back(contract) == replace(contract, title="")
    apart = replace(stock, writes=replace(stock.writes, paths={}), body_fields=("quantity", "count"))
    both = replace(contract, operations={Op.STOCK_CHANGE: apart})
    assert back(both).operations == both.operations
