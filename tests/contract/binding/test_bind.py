from __future__ import annotations

import pytest

from petstore_desktop import resources
from petstore_desktop.contract import params
from petstore_desktop.contract.binding.load import default, load
from petstore_desktop.contract.operations import Op, Verb
from petstore_desktop.domain.errors import DocumentUnusable
from petstore_desktop.domain.records import Resource
from tests.contract.documents import SCHEMAS, answer, body, bound, list_of, ref

NINE = {
    Op.PETS_LIST,
    Op.PET_CREATE,
    Op.PET_READ,
    Op.CATEGORIES_LIST,
    Op.CATEGORY_CREATE,
    Op.ORDERS_LIST,
    Op.ORDER_CANCEL,
    Op.INVENTORY_LIST,
    Op.STOCK_CHANGE,
}

TABLE: dict[str, tuple[str, set[Op]]] = {
    "only what the specification names, with nothing said of bodies": (
        """
  /pets/{petId}: {get: {deprecated: true, responses: {200: {description: ok}}}}
  /store/orders: {get: {responses: {200: {description: ok}}}}""",
        {Op.PET_READ, Op.ORDERS_LIST},
    ),
    "a prefix in each path, singular nouns, other names of path parameters": (
        f"""
  /api/v2/pet: {{get: {{{answer(list_of("Pet"))}}}, post: {{{body(ref("NewPet"))}}}}}
  /api/v2/pet/{{uid}}: {{get: {{{answer(ref("Pet"))}}}, put: {{{body(ref("NewPet"))}}}, delete: {{}}}}
  /api/v2/category: {{get: {{{answer(list_of("Category"))}}}}}""",
        {Op.PETS_LIST, Op.PET_CREATE, Op.PET_READ, Op.PET_CHANGE, Op.PET_DELETE, Op.CATEGORIES_LIST},
    ),
    "nouns of its own, so that nothing but the schemas speaks of them": (
        f"""
  /creatures: {{get: {{{answer(list_of("Pet"))}}}, post: {{{body(ref("NewPet"))}}}}}
  /creatures/{{x}}: {{delete: {{}}, patch: {{{body(ref("NewPet"))}}}}}
  /purchases: {{get: {{{answer(list_of("Order"))}}}}}
  /purchases/{{x}}: {{delete: {{}}}}""",
        set(),
    ),
    "a noun of its own beside one that is known: its fields are read, never written": (
        f"""
  /creatures: {{get: {{{answer(list_of("Pet"))}}}, post: {{{body(ref("NewPet"))}}}}}
  /creatures/{{x}}: {{delete: {{}}, patch: {{{body(ref("NewPet"))}}}}}
  /orders: {{get: {{{answer(list_of("Order"))}}}}}
  /orders/{{x}}: {{delete: {{}}}}""",
        {Op.PETS_LIST, Op.ORDERS_LIST, Op.ORDER_CANCEL},
    ),
    "stock below its pet": (
        f"""
  /pets/{{petId}}/stock: {{get: {{{answer(ref("InventoryItem"))}}}, put: {{{body(ref("InventoryUpdate"))}}}}}
  /pets/{{petId}}/photos: {{get: {{{answer("{type: array, items: {type: string}}")}}}}}""",
        {Op.STOCK_READ, Op.STOCK_CHANGE},
    ),
    "lists in envelopes": (
        f"""
  /pets: {{get: {{{answer(f"{{properties: {{data: {list_of('Pet')}, nextCursor: {{type: string}}}}}}")}}}}}
  /orders: {{get: {{{answer(f"{{type: object, properties: {{orders: {list_of('Order')}}}}}")}}}}}
  /inventory: {{get: {{{answer("{type: object, properties: {items: {type: array, items: {}}}}")}}}}}""",
        {Op.PETS_LIST, Op.ORDERS_LIST, Op.INVENTORY_LIST},
    ),
    "what looks alike but is something else": (
        f"""
  /store/inventory: {{get: {{{answer("{type: object, additionalProperties: {type: integer}}")}}}}}
  /pets/findByStatus: {{get: {{parameters: [{{name: status, in: query, required: true}}], {answer(list_of("Pet"))}}}}}
  /pets/{{a}}/friends/{{b}}: {{get: {{{answer(ref("Pet"))}}}}}
  /categories: {{get: {{{answer(list_of("Order"))}}}}}
  /inventory/{{petId}}: {{patch: {{{body("{type: object, properties: {delta: {type: integer}}}")}}}}}
  /orders/{{id}}: {{get: {{{answer(ref("Order"))}}}, patch: {{{body("{type: array}", "text/json-patch")}}}}}""",
        {Op.ORDER_READ},
    ),
}


@pytest.mark.parametrize("name", TABLE)
def test_binds_by_method_path_shape_and_schemas(name: str) -> None:
    paths, expected = TABLE[name]
    assert set(bound(paths).operations) == expected


def test_the_shipped_default_document_offers_the_nine_operations() -> None:
    contract = default()
    assert set(contract.operations) == NINE
    assert contract.source == "default"
    pets = contract.operations[Op.PETS_LIST]
    assert (pets.path, pets.query, pets.page_limit) == ("/pets", ("limit", "status"), 100)
    assert contract.operations[Op.PET_READ].deprecated
    assert contract.operations[Op.PET_READ].sunset
    assert contract.operations[Op.ORDER_CANCEL].stability == "beta"
    assert contract.operations[Op.STOCK_CHANGE].stability == "experimental"
    assert not contract.warnings


def test_the_shipped_full_document_offers_every_operation_there_is() -> None:
    data = resources.path("openapi", "full.json").read_bytes()
    contract = load(data, source="published")
    assert set(contract.operations) == set(Op)
    assert contract.operations[Op.STOCK_CHANGE].conditional
    assert contract.find(Resource.ORDERS, Verb.DELETE) is contract.operations[Op.ORDER_CANCEL]


def test_patch_is_taken_before_put_whatever_their_order() -> None:
    both = f"put: {{{body(ref('NewPet'))}}}, patch: {{{body(ref('NewPet'))}}}"
    turned = f"patch: {{{body(ref('NewPet'))}}}, put: {{{body(ref('NewPet'))}}}"
    for methods in (both, turned):
        operation = bound(f"  /pets/{{id}}: {{{methods}}}").operations[Op.PET_CHANGE]
        assert (operation.method, operation.replaces) == ("PATCH", False)


def test_a_put_of_the_whole_object_replaces_it_and_a_put_of_the_quantity_does_not() -> None:
    contract = bound(
        f"""
  /pets/{{id}}: {{put: {{{body(ref("Pet"))}}}}}
  /inventory/{{id}}: {{put: {{{body(ref("InventoryUpdate"))}}}}}"""
    )
    assert contract.operations[Op.PET_CHANGE].replaces
    assert not contract.operations[Op.STOCK_CHANGE].replaces


def test_an_operation_that_is_not_deprecated_is_taken_before_one_that_is() -> None:
    contract = bound(
        f"""
  /pets: {{get: {{deprecated: true, {answer(list_of("Pet"))}}}}}
  /v2/pets: {{get: {{{answer(list_of("Pet"))}}}}}"""
    )
    assert contract.operations[Op.PETS_LIST].path == "/v2/pets"


def test_if_match_is_known_by_its_parameter_or_by_the_428() -> None:
    contract = bound(
        f"""
  /pets/{{id}}:
    parameters: [{{name: if-match, in: header, schema: {{type: string}}}}]
    patch: {{{body(ref("NewPet"))}}}
  /inventory/{{id}}: {{patch: {{{body(ref("InventoryUpdate"))}, responses: {{428: {{description: demanded}}}}}}}}
  /categories/{{id}}: {{patch: {{{body(ref("Category"))}, responses: {{412: {{description: not enough}}}}}}}}
  /orders/{{id}}: {{delete: {{}}}}"""
    )
    assert not contract.operations[Op.CATEGORY_CHANGE].conditional
    assert contract.operations[Op.PET_CHANGE].conditional
    assert contract.operations[Op.STOCK_CHANGE].conditional
    assert not contract.operations[Op.ORDER_CANCEL].conditional


@pytest.mark.parametrize(
    ("schema", "limit"),
    [
        ("{type: integer, maximum: 250}", 250),
        ("{type: integer, maximum: 250, exclusiveMaximum: true}", 249),
        ("{type: integer, exclusiveMaximum: 251}", 250),
        ("{type: integer}", None),
    ],
)
def test_the_largest_page_is_read_from_the_limit_parameter(schema: str, limit: int | None) -> None:
    contract = bound(f"  /pets: {{get: {{parameters: [{{name: page_size, in: query, schema: {schema}}}]}}}}")
    assert contract.operations[Op.PETS_LIST].page_limit == limit


def test_ids_that_the_document_wants_as_texts_and_fields_that_only_the_service_sets_are_known() -> None:
    schemas = """
components: {schemas: {Pet: {type: object, additionalProperties: false, required: [id, name], properties: {
  id: {type: string, readOnly: true}, name: {type: string}, categoryId: {type: string}, seen: {readOnly: true}}}}}"""
    operation = bound(f"  /pets/{{id}}: {{put: {{{body(ref('Pet'))}}}}}", schemas).operations[Op.PET_CHANGE]
    assert operation.body_fields == ("name", "categoryId")
    assert operation.required_fields == ("name",)
    assert operation.read_only_fields == ("id", "seen")
    assert operation.text_fields == ("id", "categoryId")
    assert operation.closed


def test_openapi_3_1_with_lists_of_types_null_variants_and_keys_beside_a_reference() -> None:
    schemas = """
components: {schemas: {Pet: {type: [object, 'null'], properties: {id: {type: integer}, name: {type: [string, 'null']},
  status: {anyOf: [{type: string}, {type: 'null'}]}}}}}"""
    listed = "{anyOf: [{type: array, items: {$ref: '#/components/schemas/Pet', description: one}}, {type: 'null'}]}"
    contract = bound(f"  /beasts: {{get: {{{answer(listed)}}}}}", schemas, head="openapi: 3.1.0")
    assert contract.survey is not None
    assert [(one.op, one.alike) for one in contract.survey.alike] == [(Op.PETS_LIST, "GET /beasts")]


def test_strange_references_cost_their_branch_and_a_warning_never_the_document() -> None:
    schemas = """
components: {schemas: {A: {$ref: '#/components/schemas/B'}, B: {$ref: '#/components/schemas/A'},
  Deep: {type: array, items: {$ref: '#/components/schemas/Deep'}}}}"""
    contract = bound(
        f"""
  /pets: {{get: {{{answer(ref("A"))}}}}}
  /orders: {{get: {{{answer("{$ref: 'other.yaml#/Order'}")}}}}}
  /categories: {{get: {{{answer(ref("Missing"))}}}}}
  /inventory: {{get: {{{answer(ref("Deep"))}}}}}""",
        schemas,
    )
    assert set(contract.operations) == {Op.PETS_LIST, Op.ORDERS_LIST, Op.CATEGORIES_LIST, Op.INVENTORY_LIST}
    warnings = " | ".join(contract.warnings)
    assert "circle" in warnings
    assert "other.yaml#/Order" in warnings
    assert "#/components/schemas/Missing" in warnings


def test_what_is_not_used_is_named_with_its_reason() -> None:
    paths, _ = TABLE["what looks alike but is something else"]
    warnings = "\n".join(bound(paths).warnings)
    assert "GET /store/inventory is not used: its answer is not made of inventory" in warnings
    assert "GET /categories is not used: its answer holds orders" in warnings
    assert "PATCH /inventory/{petId} is not used: its body has no field that is known" in warnings


@pytest.mark.parametrize(
    ("head", "code"),
    [
        ("swagger: '1.2'", "document-version"),
        ("openapi: 4.0.0", "document-version"),
        ("x: 1", "document-without-version"),
    ],
)
def test_other_kinds_of_documents_are_refused(head: str, code: str) -> None:
    with pytest.raises(DocumentUnusable) as caught:
        bound("  /pets: {get: {}}", head=head)
    assert caught.value.code == code


def test_a_document_in_which_nothing_can_be_bound_is_refused() -> None:
    with pytest.raises(DocumentUnusable) as caught:
        bound("  /weather: {get: {}}", SCHEMAS)
    assert caught.value.code == "document-empty"


def test_an_answer_that_only_names_what_was_made_does_not_say_where_records_have_their_id() -> None:
    schemas = """
components: {schemas: {Pet: {type: object, properties: {pet_id: {type: string}, name: {type: string},
  status: {type: string}}}}}"""
    made = answer("{type: object, properties: {id: {type: string}}}")
    paths = f"\n  /pets: {{get: {{{answer(list_of('Pet'))}}}, post: {{{body(ref('Pet'))}, {made}}}}}"
    assert bound(paths, schemas).map(Resource.PETS).paths["id"] == ("pet_id",)


@pytest.mark.parametrize(
    ("parameter", "taken"),
    [
        ("{name: count, schema: {type: boolean}}", False),
        ("{name: size, schema: {type: string, enum: [small, large]}}", False),
        ("{name: start, schema: {type: string, format: date}}", False),
        ("{name: after, schema: {type: string, format: date-time}}", False),
        ("{name: max, schema: {type: number}}", True),
        ("{name: size, schema: {type: integer}}", True),
        ("{name: after, schema: {type: string}}", True),
    ],
)
def test_a_parameter_of_another_type_is_not_taken_for_one_of_pages(parameter: str, taken: bool) -> None:
    listed = f"parameters: [{{in: query, {parameter[1:]}], {answer(list_of('Pet'))}"
    (name,) = parameter[7:].split(",")[:1]
    assert (name in bound(f"\n  /pets: {{get: {{{listed}}}}}").operations[Op.PETS_LIST].query) is taken
    assert params.pick(["max"], params.LIMITS) is None, "a price"


@pytest.mark.parametrize(("more", "whole"), [("", True), (", status: {type: string}", False)])
def test_a_stock_entry_is_put_whole_where_its_body_has_all_of_it(more: str, whole: bool) -> None:
    schemas = f"""
components: {{schemas: {{Count: {{type: object, properties: {{petId: {{type: integer}}, quantity: {{type: integer}}}}}},
  Stock: {{type: object, properties: {{petId: {{type: integer}}, quantity: {{type: integer}}{more}}}}}}}}}"""
    paths = f"\n  /inventory/{{petId}}: {{put: {{{body(ref('Count'))}, {answer(ref('Stock'))}}}}}"
    assert bound(paths, schemas).operations[Op.STOCK_CHANGE].replaces is whole


@pytest.mark.parametrize("said", ["", "{type: object, properties: {ok: {type: boolean}}}"])
@pytest.mark.parametrize("listed", ["  /inventory", "  /inventory/{petId}"])
def test_a_stock_entry_that_is_answered_with_nothing_is_compared_with_the_list(said: str, listed: str) -> None:
    schemas = """
components: {schemas: {Stock: {type: object, properties: {petId: {type: integer}, quantity: {type: integer}}},
  More: {type: object, properties: {petId: {type: integer}, quantity: {type: integer}, shelf: {type: string}}}}}"""
    for record, whole in (("Stock", True), ("More", False)):
        shown = answer(ref(record) if "petId" in listed else list_of(record))
        put = f"put: {{{body(ref('Stock'))}{', ' + answer(said) if said else ''}}}"
        apart = f"\n{listed}: {{get: {{{shown}}}}}\n  /inventory/{{petId}}: {{{put}}}"
        paths = f"\n{listed}: {{get: {{{shown}}}, {put}}}" if "petId" in listed else apart
        assert bound(paths, schemas).operations[Op.STOCK_CHANGE].replaces is whole


@pytest.mark.parametrize("word", ["oneOf", "anyOf"])
def test_where_a_body_is_a_list_of_records_or_a_record_a_record_is_sent(word: str) -> None:
    """As Directus has it; "POST /items/pets was not taken: it does not take a record". What is sent without an id
    may be meant for all of them, and is no change of one."""
    either = f"{{{word}: [{list_of('NewPet')}, {ref('NewPet')}]}}"
    paths = f"""
  /items/pets: {{get: {{{answer(list_of("Pet"))}}}, post: {{{body(either)}, {answer(ref("Pet"))}}},
    patch: {{{body(either)}, {answer(list_of("Pet"))}}}}}
  /items/pets/{{id}}: {{get: {{{answer(ref("Pet"))}}}, patch: {{{body(ref("NewPet"))}, {answer(ref("Pet"))}}}}}"""
    contract = bound(paths)
    create, change = contract.operations[Op.PET_CREATE], contract.operations[Op.PET_CHANGE]
    assert (create.path, create.body_fields) == ("/items/pets", ("name", "categoryId", "status"))
    assert change.path == "/items/pets/{id}"


def test_where_a_body_is_a_list_alone_no_record_is_sent() -> None:
    paths = f"""
  /items/pets: {{get: {{{answer(list_of("Pet"))}}}, post: {{{body(list_of("NewPet"))}}}}}"""
    assert Op.PET_CREATE not in bound(paths).operations
