"""What `doctor` shows of the records that it read: pets, fields that were not understood, and why something cannot be
done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.clinic import Clinic
from tests.support.odd_service import LIMITS, Asked, OddService, Reply, nine
from tests.support.shop import KEY


@pytest.fixture
def clinic(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Clinic:
    return Clinic(tmp_path / "data", capsys, monkeypatch)


ODD_PETS: list[dict[str, object]] = [
    {"pet_id": number, "title": f"Pet {number}", "state": "IN_STOCK", "photoUrls": [], "tags": "old"}
    for number in range(1, 9)
]


def with_pets(pets: list[dict[str, object]]) -> Callable[[Asked], Reply]:
    return lambda asked: Reply(200, pets, LIMITS) if asked.path == "/v1/pets" else nine(asked)


def test_the_first_pets_are_shown_as_the_program_reads_them(clinic: Clinic) -> None:
    with OddService(with_pets(ODD_PETS)) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
        assert said.data["pets"] == [
            {"id": number, "name": f"Pet {number}", "category_id": None, "status": "IN_STOCK"} for number in range(1, 6)
        ]
        assert said.data["not_found"] == {"pets": ["category_id"]}
        assert said.data["not_used"] == {"pets": ["photoUrls", "tags"]}
        assert said.data["guessed"] == {"pets.name": "title", "pets.status": "state"}
        before = len(service.asked)
        assert clinic.sample() == [
            "Pets as the program reads them:",
            "  Id  Name   Category  Status",
            *(f"  {number}   Pet {number}  –         IN_STOCK" for number in range(1, 6)),
            "Not found among the fields of pets: Category.",
            "Other fields of pets, which are shown in the details: photoUrls, tags.",
            "Name of pets is read from title, a guess by its name; choose it in File > Operations to change it.",
            "Status of pets is read from state, a guess by its name; choose it in File > Operations to change it.",
        ]
        (asked,) = [one for one in service.asked[before:] if one.path == "/v1/pets"]
        assert asked.query == "limit=5"


def test_what_a_service_writes_is_cut_and_without_keys(clinic: Clinic) -> None:
    long: list[dict[str, object]] = [
        {"id": 1, "name": "x" * 9_999 + "\u202e", "status": "\u202eold", "n" * 9_999: 1},
        {"id": 2, "name": f"my key is {KEY}"},
        *({"id": number, f"more{number}": 1} for number in range(3, 99)),
    ]
    with OddService(with_pets(long)) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
        lines = clinic.sample()
        assert [pet["id"] for pet in said.data["pets"]] == [1, 3, 4, 5, 6]
        assert len(said.data["pets"][0]["name"]) < 200
        assert len(said.data["not_used"]["pets"]) == 20
        for told in (said.out, "\n".join(lines)):
            assert KEY not in told
            assert "\u202e" not in told
        assert max(map(len, lines[:7])) < 110


def test_why_something_cannot_be_done_is_told_with_the_endpoint_that_comes_near(clinic: Clinic) -> None:
    shop = {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}
    listed = {"200": {"description": "", "content": {"application/json": {"schema": {"type": "array", "items": shop}}}}}
    demanding = {"name": "shelf", "in": "query", "required": True, "schema": {"type": "string"}}
    document = {
        "openapi": "3.0.3",
        "info": {"title": "Shop", "version": "1"},
        "paths": {
            "/pets": {"get": {"responses": listed}},
            "/categories": {"get": {"responses": listed, "parameters": [demanding]}},
        },
    }

    def answer(asked: Asked) -> Reply:
        return Reply(200, document, LIMITS) if asked.path == "/v1/openapi.json" else nine(asked)

    with OddService(answer) as service:
        clinic.connect(service.url)
        why = "it requires a value for “shelf”"
        assert clinic.doctor().data["not_possible"] == [
            {"operation": "categories.list", "endpoint": "GET /categories", "why": why}
        ]
        assert clinic.doctor().data["missing_values"] == ["shelf"]
        assert clinic.sample() == [
            "Values that the service needs and that are not known: shelf. Enter them in the connection’s settings.",
            f"Not possible: see all categories. GET /categories was not taken: {why}.",
        ]
