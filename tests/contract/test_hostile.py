"""Documents that were made to hurt: each is read in bounded work, or refused in words."""

from __future__ import annotations

import json
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from petstore_desktop import log
from petstore_desktop.contract.binding.load import load
from petstore_desktop.contract.cache import to_json
from petstore_desktop.contract.document import reading as document
from petstore_desktop.contract.document import yaml_reading
from petstore_desktop.contract.document.parse import parse
from petstore_desktop.contract.model import Contract, KeyPlacement
from petstore_desktop.contract.operations import Op
from petstore_desktop.contract.survey import MAX_CHOICES
from petstore_desktop.domain.errors import DocumentUnusable
from tests.contract.documents import answer, body, bound, ref
from tests.support.bomb_child import MOST_KEPT, MOST_MEMORY, STILL_S, Blown, blow, blow_each
from tests.support.bombs import DOCUMENTS, MEGABYTE
from tests.support.drawn_documents import drawn


def of(value: object) -> Contract:
    return load(json.dumps(value).encode(), source="published")


def test_schemas_that_lead_to_each_other_many_times_over_are_given_up_on() -> None:
    names = [f"S{n}" for n in range(23)]
    schemas = {name: {"allOf": [{"$ref": f"#/components/schemas/{after}"}] * 9} for name, after in pairwise(names)}
    listed = {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}}}
    paths = {"/pets": {"get": {"responses": listed}}}
    contract = of({"openapi": "3.1.0", "paths": paths, "components": {"schemas": schemas}})
    assert Op.PETS_LIST in contract.operations
    assert "the schemas are too tangled to be read to the end" in contract.warnings


def test_what_aliases_of_yaml_stand_for_is_counted_and_a_circle_does_no_harm() -> None:
    bomb = "\n".join(["a0: &a0 [x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 7))])
    document = f"openapi: 3.0.3\npaths: {{/pets: {{get: {{}}}}}}\ncircle: &c [*c, *c]\n{bomb}\n"
    assert set(load(document.encode(), source="published").operations) == {Op.PETS_LIST}
    with pytest.raises(DocumentUnusable) as caught:
        load(f"{document}a7: [{', '.join(['*a6'] * 9)}]\n".encode(), source="published")
    assert caught.value.code == "document-too-much"


def test_very_many_oddities_and_endpoints_leave_a_cache_that_a_start_can_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(document, "MAX_ENDPOINTS", 300)
    odd = {"$ref": f"https://{'x' * 4000}.example"}
    responses = {"200": {"content": {"application/json": {"schema": odd}}}}
    paths = {f"/p{n}/pets": {"get": {"summary": "s" * 9000, "responses": responses}} for n in range(350)}
    contract = of({"openapi": "3.1.0", "paths": paths})
    assert len(to_json(contract)) < 40_000
    assert "only the first 300 operations were looked at" in contract.warnings
    assert contract.survey is not None
    choices = contract.survey.of(Op.PETS_LIST).choices
    assert len(choices) == MAX_CHOICES
    assert max(len(choice.note) for choice in choices) <= 200


def test_a_document_with_too_many_operations_is_not_said_to_be_another_services(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(document, "MAX_ENDPOINTS", 600)
    paths: dict[str, object] = {f"/p{n}/things": {"get": {}} for n in range(600)}
    with pytest.raises(DocumentUnusable) as caught:
        of({"openapi": "3.1.0", "paths": paths})
    assert caught.value.code == "document-empty"
    with pytest.raises(DocumentUnusable) as caught:
        of({"openapi": "3.1.0", "paths": {**paths, "/pets": {"get": {}}}})
    assert (caught.value.code, caught.value.params) == ("document-too-many", {"most": 600})


@pytest.mark.parametrize(
    "scheme",
    [
        {"type": "apiKey", "in": "header", "name": "X-Key\r\nHost: elsewhere.example"},
        {"type": "apiKey", "in": "header", "name": "Host"},
        {"type": "apiKey", "in": "header", "name": "Transfer-Encoding"},
        {"type": "apiKey", "in": "header", "name": "X Key"},
        {"type": "apiKey", "in": "header", "name": "X-Key", "x-prefix": "a\r\nHost: elsewhere.example"},
        {"type": "apiKey", "in": "cookie", "name": "a=b; c"},
        {"type": "http", "scheme": "Bearer\r\nX-More:"},
        {"type": "http", "scheme": "digest"},
        {"type": "http", "scheme": "SCRAM-SHA-256"},
        {"type": ["http"], "scheme": {"a": 1}},
    ],
)
def test_no_document_puts_the_key_where_it_breaks_a_request(scheme: object) -> None:
    contract = of(
        {"openapi": "3.0.3", "paths": {"/pets": {"get": {}}}, "components": {"securitySchemes": {"one": scheme}}}
    )
    assert contract.key == KeyPlacement()
    assert "no security scheme of the document can be used; the key is sent as bearer" in contract.warnings


@pytest.mark.parametrize("path", ["/pets\r\nHost: x", "/pets\0", "/a pets", f"/{'p' * 900}/pets"])
def test_a_path_that_no_request_can_have_is_passed_over(path: str) -> None:
    contract = of({"openapi": "3.0.3", "paths": {path: {"get": {}}, "/orders": {"get": {}}}})
    assert set(contract.operations) == {Op.ORDERS_LIST}
    assert len(contract.warnings) == 1


@pytest.mark.parametrize("media", ["application/json\r\nX-More: 1", "application/json, text/html", "jsön/json"])
def test_a_media_type_that_no_header_can_carry_becomes_plain_json(media: str) -> None:
    content = {media: {"schema": {"type": "object", "properties": {"name": {}}}}}
    contract = of({"openapi": "3.0.3", "paths": {"/pets": {"post": {"requestBody": {"content": content}}}}})
    assert contract.operations[Op.PET_CREATE].content_type == "application/json"


@pytest.mark.parametrize(
    ("maximum", "limit"),
    [("1e400", None), ("-1e400", None), ("true", None), ("0", None), ("1" * 4000, 1000), ("99.5", 99), ("'5'", None)],
)
def test_a_largest_page_is_a_number_that_can_be_asked_for(maximum: str, limit: int | None) -> None:
    parameter = f"{{name: limit, in: query, schema: {{maximum: {maximum}}}}}"
    assert bound(f"  /pets: {{get: {{parameters: [{parameter}]}}}}").operations[Op.PETS_LIST].page_limit == limit


@pytest.mark.parametrize(
    "text",
    [
        "a: !!int x",
        "a: !!timestamp x",
        "a: !!float ''",
        "a: !!python/object:os.system x",
        "? {a: b}\n: c",
        "a: 9999-99-99",
    ],
)
def test_values_that_do_not_fit_their_tags_are_refused_in_words(text: str) -> None:
    with pytest.raises(DocumentUnusable) as caught:
        load(f"openapi: 3.0.3\n{text}\n".encode(), source="published")
    assert caught.value.code in ("document-unreadable", "document-empty")


def test_a_tall_tower_of_schemas_is_climbed_only_so_far() -> None:
    tower: object = {"type": "object", "properties": {"name": {}, "status": {}}}
    for _ in range(200):
        tower = {"type": "array", "items": tower}
    contract = of({"openapi": "3.1.0", "paths": {"/pets": {"get": {"responses": {"200": {"content": {"a/json": {
        "schema": tower}}}}}}}})  # fmt: skip
    assert Op.PETS_LIST in contract.operations


def test_an_answer_and_a_body_that_are_the_same_circle_do_no_harm() -> None:
    schemas = "components: {schemas: {Ring: {oneOf: [{$ref: '#/components/schemas/Ring'}]}}}"
    contract = bound(f"  /pets: {{get: {{{answer(ref('Ring'))}}}, post: {{{body(ref('Ring'))}}}}}", schemas)
    assert set(contract.operations) == {Op.PETS_LIST, Op.PET_CREATE}


SMALL = [name for name in DOCUMENTS if "aliases in the" in name or "aliases in a" in name]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Blown]:
    """What became of each of the small ones, read in one process."""
    folder = tmp_path_factory.mktemp("bombs")
    for name in SMALL:
        (folder / name).write_bytes(DOCUMENTS[name].make())
    return blow_each("document", folder)


@pytest.mark.linux("the memory of a process is told in /proc")
@pytest.mark.parametrize("name", SMALL)
def test_a_document_of_a_few_hundred_bytes_costs_neither_memory_nor_the_window_a_second(
    name: str, small: dict[str, Blown]
) -> None:
    blown = small[name]
    assert blown.code == DOCUMENTS[name].code
    assert (blown.memory < 100 * MEGABYTE, blown.still < STILL_S) == (True, True), blown


@pytest.mark.linux("the memory of a process is told in /proc")
@pytest.mark.parametrize("seed", [388, 626, 1397])
def test_of_a_document_of_any_size_little_is_kept_and_the_window_is_answered(seed: int, tmp_path: Path) -> None:
    words, data = drawn(seed)
    (tmp_path / "drawn").write_bytes(data)
    blown = blow("document", tmp_path / "drawn", most=60)
    within = (blown.memory < MOST_MEMORY, blown.still < STILL_S, blown.kept < MOST_KEPT)
    assert within == (True, True, True), (words, blown)


BOMBS = (
    "aliases that are copied",
    "aliases in one list",
    "lists in lists of YAML",
    "lists in lists of JSON",
    "a number to the base of 60",
    "a reference for all paths that is long",
)


@pytest.mark.linux("the memory of a process is told in /proc")
def test_a_bomb_ends_in_little_memory(tmp_path: Path) -> None:
    """In a process that measures its memory for each."""
    for name in BOMBS:
        (tmp_path / name).write_bytes(DOCUMENTS[name].make())
    for name, blown in blow_each("document", tmp_path).items():
        assert blown.code == DOCUMENTS[name].code, name
        assert blown.memory < MOST_MEMORY, name


@pytest.mark.parametrize(
    ("bound", "value", "good", "bad"),
    [
        ("MOST_NODES", 6, "a: [1, 2, 3]", "a: [1, 2, 3, 4]"),
        ("MOST_MERGED", 4, "a: {<<: {b: 1, c: 2, d: 3}}", "a: {<<: {b: 1, c: 2, d: 3, e: 4}}"),
        ("MOST_MERGED", 2, "x: &x {}\na: {<<: [*x, *x]}", "x: &x {}\na: {<<: [*x, *x, *x]}"),
        ("_LONGEST_NUMBER", 7, "a: !!int 1:30:30", "a: !!int 1:30:300:30"),
    ],
)
def test_each_bound_of_yaml_holds_just_past_it(
    bound: str, value: int, good: str, bad: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml_reading, bound, value)
    assert parse(good.encode())
    with pytest.raises(DocumentUnusable) as caught:
        parse(bad.encode())
    assert caught.value.code == "document-too-much"


def test_yaml_without_the_c_parser_means_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a: &a {x: 1, y: [2, 2020-01-02]}\nb: {<<: *a, x: !!str 3}\n"
    quick = yaml_reading.read(text)
    monkeypatch.setitem(sys.modules, "yaml.cyaml", None)
    assert yaml_reading.read(text) == quick
    with pytest.raises(RecursionError):
        yaml_reading.read("- " * 10_000)


@pytest.mark.parametrize(
    ("bound", "value", "path", "warning"),
    [
        ("MAX_PROPERTIES", 17, {}, "the schemas are too tangled to be read to the end"),
        ("MAX_REFERENCE", 20, {"$ref": "#/paths/~1others/post"}, "a reference is too long"),
    ],
)
def test_each_bound_of_references_is_said_just_past_it(
    bound: str, value: int, path: object, warning: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, bound, value)
    wide = {"properties": {f"p{n}": {} for n in range(6)}}
    body = {"content": {"application/json": {"schema": {"allOf": [wide, wide]}}}}
    paths = {"/pets": {"get": {}}, "/others": {"post": {"requestBody": body}}, "/x": path}
    contract = of({"openapi": "3.1.0", "paths": paths})
    assert Op.PETS_LIST in contract.operations
    assert any(words.startswith(warning) for words in contract.warnings)
    monkeypatch.setattr(document, bound, 100)
    assert of({"openapi": "3.1.0", "paths": paths}).warnings == ()


def test_of_very_many_parameters_the_first_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MAX_MEMBERS", 2)
    parameters = [{"name": name, "in": "query"} for name in ("status", "limit", "offset")]
    contract = of({"openapi": "3.1.0", "paths": {"/pets": {"get": {"parameters": parameters}}}})
    assert set(contract.operations[Op.PETS_LIST].query) == {"status", "limit"}


@pytest.mark.parametrize("key", ["api_key", "X-API-Key", "access_token", "Authorization"])
def test_a_key_that_is_called_as_the_header_that_it_is_sent_in_is_sent_in_it(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "_secrets", (key,))
    scheme = {"type": "apiKey", "in": "header", "name": key}
    schemes = {"components": {"securitySchemes": {key: scheme}}, "security": [{key: []}]}
    assert of({"openapi": "3.1.0", "paths": {"/pets": {"get": {}}}, **schemes}).key.name == key


def test_a_key_that_is_a_word_of_paths_leaves_them_as_they_are_beside_another_that_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(log, "_secrets", ("pets", "canary-key-4711"))
    contract = of({"openapi": "3.1.0", "info": {"title": "For canary-key-4711"}, "paths": {"/pets": {"get": {}}}})
    assert (contract.title, contract.operations[Op.PETS_LIST].path) == ("For ***", "/pets")
