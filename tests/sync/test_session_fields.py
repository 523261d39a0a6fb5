"""What the first records show of their fields is known from then on, and what a person says of them counts at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.commands import BindOperations
from petstore_desktop.domain.records import Pet, Resource
from petstore_desktop.sync.wire.events import ContractRead, RowsChanged
from tests.support.session import Watched
from tests.support.sparse_shop import SparseShop

pytestmark = pytest.mark.usefixtures("soon")

PETS = Resource.PETS
TITLE = {"en": "Koi", "de": "Karpfen"}
DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "Silent", "version": "1"},
    "paths": {"/pets": {"get": {}}, "/pets/{petId}": {"patch": {}}},
}
ANSWERS = {
    "GET /v1/openapi.json": DOCUMENT,
    "GET /v1/pets": [{"pet_id": 7, "label": "Fish 7", "title": TITLE, "category": {"id": 2}, "state": "sold"}],
}
LEARNED = {"id": ("pet_id",), "name": ("label",), "category_id": ("category", "id"), "status": ("state",)}
SAID = {"pets.name": "title.en"}


@pytest.fixture
def shop() -> Iterator[SparseShop]:
    with SparseShop(ANSWERS) as shop:
        yield shop


def watched(data: Path, shop: SparseShop, **connection: object) -> Watched:
    return Watched(data, url=shop.url, key=shop.key, **connection)


def paths(session: Watched) -> Any:
    """Where the fields of pets lie, as last told."""
    told = session.of(ContractRead)
    return told[-1].contract.map(PETS).paths if told else None


def name(session: Watched) -> str:
    """The pet's name, as last told."""
    told = [row.record for event in session.of(RowsChanged) if event.resource is PETS for row in event.rows]
    return told[-1].name if told and isinstance(told[-1], Pet) else ""


def test_what_the_first_records_show_is_known_at_the_next_start_for_changes_too(
    tmp_path: Path, shop: SparseShop
) -> None:
    with watched(tmp_path, shop) as session:
        session.wait_loaded(PETS)
        assert name(session) == "Fish 7"
        assert paths(session) == LEARNED
    with watched(tmp_path, shop) as session:
        (told, *_) = session.wait(lambda: session.of(ContractRead), "what is kept is followed")
        assert told.contract.map(PETS).paths == told.contract.operations[Op.PET_CHANGE].writes.paths == LEARNED


def test_what_a_person_says_of_a_field_counts_at_once_and_at_the_next_start(tmp_path: Path, shop: SparseShop) -> None:
    with watched(tmp_path, shop) as session:
        session.wait_loaded(PETS)
        session.submit(BindOperations(SAID))
        session.wait(lambda: name(session) == "Koi", "the list is read anew")
        assert session.session.connection.fields == SAID
        assert session.session.connection.bindings == {}
        session.submit(BindOperations({}))
        session.wait(lambda: name(session) == "Fish 7", "the program chooses again")
        session.submit(BindOperations(SAID))
        session.wait(lambda: paths(session) == {**LEARNED, "name": ("title", "en")}, "it is followed again")
    with watched(tmp_path, shop, fields=SAID) as session:
        session.wait(lambda: paths(session) == {**LEARNED, "name": ("title", "en")}, "what is kept is followed")
    assert shop.paths.count("GET /v1/openapi.json") == 1


def test_a_guess_is_kept_as_one_until_a_person_says_that_it_is_right(tmp_path: Path, shop: SparseShop) -> None:
    def guessed(session: Watched) -> Any:
        told = session.of(ContractRead)
        return told[-1].contract.map(PETS).guessed if told else None

    with watched(tmp_path, shop) as session:
        session.wait_loaded(PETS)
        assert guessed(session) == ("name", "status")
    with watched(tmp_path, shop) as session:
        session.wait(lambda: guessed(session) == ("name", "status"), "what is kept is followed")
        session.submit(BindOperations({"pets.status": "state"}))
        session.wait(lambda: guessed(session) == ("name",), "what a person said is followed")
        session.wait_loaded(PETS)
        assert (guessed(session), paths(session)["status"]) == (("name",), ("state",))
