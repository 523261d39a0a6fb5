from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.contract import kept
from petstore_desktop.contract.load import default, load, load_file
from petstore_desktop.contract.model import Contract, Op
from petstore_desktop.domain.errors import DocumentUnusable
from tests.contract.documents import document

DATA = document("  /pets: {get: {}}\n  /things: {get: {}}")
BY_HAND = {"categories.list": "GET /things"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "contract.json"


def published() -> Contract:
    return load(DATA, source="published")


def test_what_is_kept_comes_back_with_how_it_was_found(file: Path) -> None:
    contract = published()
    kept.keep(file, contract, DATA)
    known = kept.read(file)
    assert known == contract
    assert known is not None
    assert known.survey is None
    assert kept.survey_of(file, known) == contract.survey


def test_a_survey_that_is_lost_says_what_the_contract_says(file: Path) -> None:
    found = kept.survey_of(file, kept.read(file) or published())
    assert found == published().survey
    kept.keep(file, published(), None)
    file.with_name("operations.json").unlink()
    found = kept.survey_of(file, kept.read(file))
    assert (found.bound, found.title, found.of(Op.PETS_LIST).endpoint) == (1, "Shop", "GET /pets")


def test_as_long_as_nothing_is_known_the_default_document_is_told(file: Path) -> None:
    assert kept.survey_of(file, None) == default().survey


def test_an_operation_is_bound_by_hand_without_asking_the_service(file: Path) -> None:
    kept.keep(file, published(), DATA)
    assert kept.rebind(file, None, BY_HAND)
    known = kept.read(file)
    assert known is not None
    assert known.operations[Op.CATEGORIES_LIST].path == "/things"
    assert known.source == "published"
    assert kept.survey_of(file, known).of(Op.CATEGORIES_LIST).by_hand
    assert kept.rebind(file, None, {})
    assert kept.read(file) == published()


def test_the_default_document_is_bound_by_hand_too(file: Path) -> None:
    kept.keep(file, default(), None)
    assert kept.rebind(file, None, {"orders.read": "GET /pets/{petId}"})
    known = kept.read(file)
    assert known is not None
    assert known.operations[Op.ORDER_READ].path == "/pets/{petId}"
    assert known.servers == ()


def test_a_document_on_this_computer_is_read_where_it_lies(file: Path, tmp_path: Path) -> None:
    chosen = tmp_path / "chosen.yaml"
    chosen.write_bytes(DATA)
    kept.keep(file, load_file(str(chosen)), None)
    chosen.write_bytes(document("  /pets: {get: {}}\n  /things: {get: {}}\n  /orders: {get: {}}"))
    assert kept.rebind(file, str(chosen), BY_HAND)
    known = kept.read(file)
    assert known is not None
    assert set(known.operations) == {Op.PETS_LIST, Op.CATEGORIES_LIST, Op.ORDERS_LIST}
    chosen.unlink()
    with pytest.raises(DocumentUnusable):
        kept.rebind(file, str(chosen), {})
    assert kept.read(file) == known


def test_where_the_document_is_not_kept_the_service_is_asked_anew(file: Path) -> None:
    assert not kept.rebind(file, None, BY_HAND)
    kept.keep(file, published(), None)
    assert not kept.rebind(file, None, BY_HAND)
    assert kept.read(file) is None


def test_all_of_it_is_forgotten_together(file: Path) -> None:
    kept.keep(file, published(), DATA)
    kept.forget(file)
    assert list(file.parent.iterdir()) == []
    kept.forget(file)
