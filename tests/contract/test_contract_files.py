from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from petstore_desktop.contract import cache
from petstore_desktop.contract import contract_files as kept
from petstore_desktop.contract.binding.load import default, load, load_file
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import DocumentUnusable
from tests.contract.documents import document

DATA = document("  /pets: {get: {}}\n  /things: {get: {}}")
BY_HAND = {"categories.list": "GET /things"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "contract.json"


def published() -> Contract:
    return load(DATA, source="published")


def read(file: Path) -> Contract:
    return cache.from_json(file.read_text(encoding="utf-8"))


def test_what_is_kept_comes_back_with_how_it_was_found(file: Path) -> None:
    contract = published()
    kept.keep(file, contract, DATA)
    assert read(file) == contract
    assert read(file).survey is None
    assert kept.survey_of(file, read(file)) == contract.survey


def test_a_survey_that_is_lost_says_what_the_contract_says(file: Path) -> None:
    kept.keep(file, published(), None)
    file.with_name("operations.json").unlink()
    found = kept.survey_of(file, read(file))
    assert (found.bound, found.title, found.of(Op.PETS_LIST).endpoint) == (1, "Shop", "GET /pets")


def test_as_long_as_nothing_is_known_the_default_document_is_told(file: Path) -> None:
    assert kept.survey_of(file, None) == default().survey


def test_an_operation_is_bound_by_hand_without_asking_the_service(file: Path) -> None:
    kept.keep(file, published(), DATA)
    contract = kept.rebind(file, None, BY_HAND, published())
    assert contract is not None
    assert contract == read(file)
    assert contract.operations[Op.CATEGORIES_LIST].path == "/things"
    assert (contract.source, contract.by_hand) == ("published", BY_HAND)
    assert kept.survey_of(file, read(file)).of(Op.CATEGORIES_LIST).by_hand
    assert kept.rebind(file, None, {}, contract) == published()
    assert read(file) == published()


def test_what_answers_said_of_an_operation_stays_when_another_is_bound(file: Path) -> None:
    kept.keep(file, published(), DATA)
    ending = replace(published().operations[Op.PETS_LIST], deprecated=True, sunset="2027-06-30")
    known = replace(published(), operations={Op.PETS_LIST: ending})
    contract = kept.rebind(file, None, BY_HAND, known)
    assert contract is not None
    assert contract.operations[Op.PETS_LIST] == ending


def test_the_default_document_is_bound_by_hand_too(file: Path) -> None:
    contract = kept.rebind(file, None, {"orders.read": "GET /pets/{petId}"}, default())
    assert contract == read(file)
    assert contract.operations[Op.ORDER_READ].path == "/pets/{petId}"
    assert contract.servers == ()


def test_a_document_on_this_computer_is_read_where_it_lies(file: Path, tmp_path: Path) -> None:
    chosen = tmp_path / "chosen.yaml"
    chosen.write_bytes(DATA)
    known = load_file(str(chosen))
    kept.keep(file, known, None)
    chosen.write_bytes(document("  /pets: {get: {}}\n  /things: {get: {}}\n  /orders: {get: {}}"))
    contract = kept.rebind(file, str(chosen), BY_HAND, known)
    assert contract is not None
    assert set(contract.operations) == {Op.PETS_LIST, Op.CATEGORIES_LIST, Op.ORDERS_LIST}
    chosen.unlink()
    with pytest.raises(DocumentUnusable):
        kept.rebind(file, str(chosen), {}, contract)
    assert read(file) == contract


def test_where_the_document_is_not_kept_the_service_has_to_be_asked(file: Path) -> None:
    assert kept.rebind(file, None, BY_HAND, None) is None
    kept.keep(file, published(), None)
    assert kept.rebind(file, None, BY_HAND, published()) is None
    assert read(file) == published()


def test_all_of_it_is_forgotten_together(file: Path) -> None:
    kept.keep(file, published(), DATA)
    kept.forget(file)
    assert list(file.parent.iterdir()) == []
    kept.forget(file)
