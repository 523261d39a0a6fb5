"""Bodies made from the schemas and damaged: no crash, nothing unhandled, no wrong row."""

from __future__ import annotations

from msgspec.structs import replace

from petstore_desktop.domain.records import Pet, Record, Resource
from tests.support.hostile_fuzz import Fuzz

BODIES = 300
"""`long hostile` makes many more."""
GOOD = b'[{"id": 7, "name": "Rex", "categoryId": 3}, {"id": 8}]'


def test_no_body_that_can_be_made_of_the_schemas_crashes_or_makes_a_wrong_row() -> None:
    with Fuzz(5) as fuzz:
        fuzz.run(BODIES)
    assert fuzz.wrong == []
    assert fuzz.tally["bodies"] >= BODIES
    assert fuzz.tally["rows accepted"] > BODIES / 4
    assert len(fuzz.tally) > 10, "few kinds of errors were met"


def planted(change: dict[str, object]) -> list[str]:
    def plant(rows: list[Record]) -> list[Record]:
        return [replace(row, **change) if isinstance(row, Pet) and row.id == 7 else row for row in rows]  # pyright: ignore[reportArgumentType] -- wrong on purpose

    with Fuzz(1, plant) as fuzz:
        fuzz.one(Resource.PETS, GOOD, is_list=True)
    return fuzz.wrong


def test_the_judge_notices_a_row_that_was_not_in_the_body() -> None:
    assert planted({}) == []
    for change in ({"id": 9}, {"name": "rex"}, {"category_id": 3.0}, {"category_id": True}, {"extra": {"x": 1}}):
        assert planted(change), change


def test_the_judge_notices_a_row_that_is_missing_and_one_from_a_body_that_is_no_json() -> None:
    with Fuzz(1, lambda rows: rows[1:]) as fuzz:
        fuzz.one(Resource.PETS, GOOD, is_list=True)
        assert fuzz.wrong
    with Fuzz(1, lambda _: [Pet(7, "Rex")]) as fuzz:
        fuzz.one(Resource.PETS, GOOD.replace(b'"Rex"', b'"Rex'), is_list=True)
        assert fuzz.wrong
