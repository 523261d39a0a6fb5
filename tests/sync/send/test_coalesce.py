"""Several changes of one record are one request, if they can be."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from petstore_desktop.domain.changes import AddStock, Create, Delete, Intent, SetFields, SetStock
from petstore_desktop.domain.records import INT64_MAX, INT64_MIN, Resource
from petstore_desktop.sync.send.coalesce import Nothing, coalesce, merge
from tests.sync.made import change

MERGED: list[tuple[Intent, Intent, Intent | Nothing | None]] = [
    (AddStock(5), AddStock(7), AddStock(12)),
    (AddStock(5), AddStock(-5), Nothing()),
    (AddStock(5), SetStock(40), SetStock(40)),
    (SetStock(40), AddStock(2), SetStock(42)),
    (SetStock(40), SetStock(41), SetStock(41)),
    (SetStock(INT64_MAX), AddStock(1), None),
    (AddStock(INT64_MIN), AddStock(-1), None),
    (AddStock(INT64_MAX - 1), AddStock(1), AddStock(INT64_MAX)),
    (SetFields({"name": "a"}), SetFields({"name": "b", "status": "sold"}), SetFields({"name": "b", "status": "sold"})),
    (SetFields({"name": "a"}), Delete(), None),
    (Create({"name": "a"}), SetFields({"name": "b"}), Create({"name": "b"})),
    (Create({"name": "a"}), Delete(), Nothing()),
    (Delete(), SetFields({"name": "a"}), None),
    (SetFields({"name": "a"}), AddStock(1), None),
]


@pytest.mark.parametrize(("first", "second", "both"), MERGED)
def test_two_intents_come_to_one_or_stay_two(first: Intent, second: Intent, both: Intent | Nothing | None) -> None:
    assert merge(first, second) == both


def test_after_changes_that_cancel_out_nothing_more_is_merged() -> None:
    assert merge(Nothing(), AddStock(1)) is None


def test_a_run_rests_on_what_was_seen_before_its_first_change() -> None:
    seen = [
        change(1, AddStock(1), base={"quantity": 10}),
        change(2, AddStock(2), base={"quantity": 11}),
        change(3, SetStock(50), base={"quantity": 13}),
    ]
    run = coalesce(seen)
    assert (run.intent, run.base, len(run.changes)) == (SetStock(50), {"quantity": 10}, 3)


def test_a_run_ends_before_what_cannot_be_merged() -> None:
    pet = change(1, SetFields({"name": "a"}), Resource.PETS)
    run = coalesce([pet, replace(pet, id=2, intent=Delete()), replace(pet, id=3)])
    assert [one.id for one in run.changes] == [1]
