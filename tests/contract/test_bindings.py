"""What a person binds by hand, and what the page of operations is told."""

from __future__ import annotations

import pytest

from petstore_desktop.contract import survey
from petstore_desktop.contract.binding.load import default, load
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op, Stability
from petstore_desktop.contract.survey import Finding, Survey
from petstore_desktop.domain.errors import DocumentUnusable
from petstore_desktop.domain.records import ALL_SPECS, Resource
from tests.contract.documents import answer, body, document, list_of, ref

STATUS = next(spec for spec in ALL_SPECS[Resource.PETS] if spec.name == "status")
PATHS = f"""
  /pets: {{get: {{summary: All pets, {answer(list_of("Pet"))}}}, post: {{{body(ref("NewPet"))}}}}}
  /archive: {{get: {{deprecated: true, x-sunset: 2027-06-30, summary: ' The old ones ', {answer(list_of("Pet"))}}}}}
  /things: {{get: {{x-beta: true}}, post: {{{body("{type: object, properties: {colour: {}}}")}}}}}
  /things/{{a}}: {{get: {{}}, delete: {{}}}}
  /things/{{a}}.json: {{get: {{}}}}
  /things/{{a}}/parts/{{b}}: {{get: {{}}}}
  /search: {{get: {{parameters: [{{name: q, in: query, required: true}}], {answer(list_of("Pet"))}}}}}
  /orders: {{get: {{{answer(list_of("Order"))}}}}}"""


def by_hand(**bindings: object) -> Contract:
    """The contract with these bindings; `_` stands for the dot."""
    bindings = {name.replace("_", "."): endpoint for name, endpoint in bindings.items()}
    return load(document(PATHS), source="published", bindings=bindings)


def finding(contract: Contract, op: Op) -> Finding:
    assert contract.survey is not None
    return contract.survey.of(op)


def test_what_is_bound_by_hand_wins_over_what_is_found_with_its_own_marks() -> None:
    assert by_hand().operations[Op.PETS_LIST].path == "/pets"
    contract = by_hand(pets_list="GET /archive")
    operation = contract.operations[Op.PETS_LIST]
    assert (operation.path, operation.deprecated, operation.sunset) == ("/archive", True, "2027-06-30")
    found = finding(contract, Op.PETS_LIST)
    assert (found.endpoint, found.by_hand, found.chosen) == ("GET /archive", True, "")
    assert not finding(contract, Op.PET_CREATE).by_hand
    assert Op.PET_CREATE not in contract.operations  # nothing is added to another list
    both = by_hand(pets_list="GET /archive", pets_create="POST /pets")
    assert both.operations[Op.PET_CREATE].path == "/pets"


def test_what_nothing_was_found_for_can_be_bound_even_where_the_path_holds_more_than_an_id() -> None:
    contract = by_hand(categories_list="GET /things", categories_read="GET /things/{a}.json")
    assert contract.operations[Op.CATEGORIES_LIST].stability is Stability.BETA
    assert contract.operations[Op.CATEGORY_READ].path == "/things/{a}.json"


def test_the_order_of_the_operations_stays_whatever_is_bound_by_hand() -> None:
    contract = by_hand(categories_list="GET /things", pets_list="GET /archive")
    assert list(contract.operations) == [op for op in Op if op in contract.operations]


def test_a_person_overrules_what_an_answer_seems_to_be() -> None:
    contract = by_hand(categories_list="GET /orders")
    assert contract.operations[Op.CATEGORIES_LIST].path == "/orders"
    choices = {choice.endpoint: choice for choice in finding(contract, Op.CATEGORIES_LIST).choices}
    assert (choices["GET /orders"].why, choices["GET /orders"].what) == ("answer-other", "orders")


@pytest.mark.parametrize(
    ("op", "chosen"),
    [
        ("pets.list", "GET /nowhere"),
        ("pets.list", "POST /things"),
        ("pets.list", "GET /things/{a}"),
        ("pets.list", "GET /search"),
        ("pets.read", "GET /things"),
        ("pets.read", "GET /things/{a}/parts/{b}"),
        ("pets.create", "POST /things"),
        ("pets.delete", "GET /things/{a}"),
        ("pets.list", "nonsense"),
        ("pets.list", {"a": "b"}),
    ],
)
def test_what_cannot_be_bound_is_named_and_the_program_chooses(op: str, chosen: object) -> None:
    contract = by_hand(**{op.replace(".", "_"): chosen})
    assert contract.operations.keys() == by_hand().operations.keys()
    assert any(words.startswith(f"{op} was bound by hand to {chosen}, which") for words in contract.warnings)
    found = finding(contract, Op(op))
    assert (found.chosen, found.by_hand) == (str(chosen), False)


@pytest.mark.parametrize("bindings", [{"pets.fly": "GET /pets"}, {"pets.list": ""}, {"pets.list": None}, {}])
def test_bindings_of_unknown_operations_and_empty_ones_are_none(bindings: dict[str, object]) -> None:
    contract = load(document(PATHS), source="published", bindings=bindings)
    assert contract == by_hand()


def test_a_document_in_which_nothing_is_found_can_be_used_by_hand_alone() -> None:
    weather = document("  /forecast: {get: {}}")
    with pytest.raises(DocumentUnusable):
        load(weather, source="chosen")
    contract = load(weather, source="chosen", bindings={"pets.list": "GET /forecast"})
    assert set(contract.operations) == {Op.PETS_LIST}


def test_each_operation_says_what_was_near_and_what_else_could_be_chosen() -> None:
    contract = by_hand()
    pets = finding(contract, Op.PETS_LIST)
    assert pets.endpoint == "GET /pets"
    assert [choice.endpoint for choice in pets.near] == ["GET /archive", "GET /search"]
    archive, search = pets.near
    assert (archive.note, archive.why, archive.fits) == ("The old ones", "apart", True)
    assert (search.why, search.what, search.fits) == ("demands", "q", False)
    assert [choice.endpoint for choice in pets.choices] == [
        "GET /pets",
        "GET /archive",
        "GET /search",
        "GET /things",
        "GET /orders",
    ]
    create = finding(contract, Op.CATEGORY_CREATE)
    assert (create.endpoint, create.near) == ("", ())
    things = {choice.endpoint: choice for choice in create.choices}["POST /things"]
    assert (things.why, things.fits) == ("body-unknown", False)


def test_a_survey_counts_and_comes_back_from_its_file_as_it_was() -> None:
    for contract in (by_hand(pets_list="GET /nowhere", categories_list="GET /things"), default()):
        assert contract.survey is not None
        assert contract.survey.bound == len(contract.operations)
        assert len(contract.survey.findings) == len(Op)
        assert survey.from_json(survey.to_json(contract.survey)) == contract.survey


@pytest.mark.parametrize(
    "text", ["", "null", "{}", "[]", '{"format": 0}', '{"format": 1, "findings": [{}]}', "[" * 99_999]
)
def test_a_survey_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(DocumentUnusable):
        survey.from_json(text)


def test_an_empty_survey_has_nothing_for_any_operation() -> None:
    assert Survey().of(Op.PETS_LIST) == Finding(Op.PETS_LIST)


def test_a_name_that_may_mean_something_else_is_written_once_a_person_has_chosen_it() -> None:
    pet = "{type: object, properties: {id: {type: integer}, name: {type: string}, state: {type: string}}}"
    one = f"{{get: {{{answer(pet)}}}, patch: {{{body(pet)}}}}}"
    paths = f"\n  /pets: {{get: {{{answer(f'{{type: array, items: {pet}}}')}}}}}\n  /pets/{{id}}: {one}"

    def is_guess(said: dict[str, object]) -> bool:
        contract = load(document(paths), source="published", bindings=said)
        assert contract.map(Resource.PETS).path(STATUS) == ("state",)
        return contract.doubt(contract.operations[Op.PET_CHANGE], "status")

    assert is_guess({})
    assert is_guess({"pets.name": "name"})
    assert not is_guess({"pets.status": "state"})
