"""What is counted for records that cost the same is what the engine comes to when it is asked of each."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from petstore_desktop.domain.changes import NewChange, SetFields
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.price import dry_run
from tests.support.drawn_prices import drawn, stands_of
from tests.sync.made import facts, pet_row, price
from tests.sync.test_planner_price import present

DRAWN, PARTS = 400, 4


@pytest.mark.parametrize("part", range(PARTS))
def test_a_batch_costs_what_each_of_its_records_does(part: int) -> None:
    for seed in range(part, DRAWN, PARTS):
        one = drawn(Random(seed))
        played, counted = price(one.changes, one.present), price(one.changes, one.counted)
        assert replace(counted, seconds=None) == replace(played, seconds=None), seed
        assert counted.seconds == pytest.approx(played.seconds), seed
        assert counted.ends == pytest.approx(played.ends), seed


def test_of_a_thousand_records_that_cost_the_same_the_engine_is_asked_of_a_few(monkeypatch: Any) -> None:
    asked, step_of_record = 0, dry_run.step_of_record

    def counted(*args: Any) -> Any:
        nonlocal asked
        asked += 1
        return step_of_record(*args)

    monkeypatch.setattr(dry_run, "step_of_record", counted)
    rows = [pet_row(etag="e", key=number, status="available") for number in range(1_000)]
    stands = stands_of(rows, {Ref(Resource.PETS, row.key): 0 for row in rows})
    sold = SetFields({"status": "sold"})
    changes = [NewChange(Ref(Resource.PETS, row.key), sold, {"status": "available"}) for row in rows]
    found = price(changes, replace(present(facts(*rows)), stands=stands))
    assert (found.requests, found.looks) == (1_000, 0)
    assert asked < 10
