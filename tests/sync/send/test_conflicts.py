"""What a person decides: the service has neither what the person saw nor what the person wants."""

from __future__ import annotations

import pytest

from petstore_desktop.domain.changes import (
    AddStock,
    ChangeState,
    Create,
    Delete,
    Fields,
    Intent,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.records import Resource, Row
from petstore_desktop.sync.send.conflicts import moved_stock, settle, supersedes
from tests.sync.made import change, pet_row, stock_row

DONE, QUEUED, REFUSED = ChangeState.DONE, ChangeState.QUEUED, ChangeState.REFUSED
UNCERTAIN, CONFLICT = ChangeState.UNCERTAIN, ChangeState.CONFLICT

STOCK: Fields = {"quantity": 22}
BASE: Fields = {"quantity": 10}
SETTLED: list[tuple[Intent, Fields, Fields, Row | None, ChangeState]] = [
    (AddStock(12), STOCK, BASE, stock_row(22), DONE),
    (AddStock(12), STOCK, BASE, stock_row(10), QUEUED),
    (AddStock(12), STOCK, BASE, stock_row(15), CONFLICT),
    (AddStock(12), STOCK, BASE, None, REFUSED),
    (SetStock(22), STOCK, BASE, stock_row(22), DONE),
    (Delete(), {}, {}, None, DONE),
    (Delete(), {}, {}, pet_row(), QUEUED),
    (SetFields({"name": "Z"}), {"name": "Z"}, {"name": "Koi"}, pet_row("Z"), DONE),
    (SetFields({"name": "Z"}), {"name": "Z"}, {"name": "Koi"}, pet_row("Koi"), QUEUED),
    (SetFields({"name": "Z"}), {"name": "Z"}, {}, pet_row("Koi"), CONFLICT),
    (SetFields({"name": "Z"}), {"name": "Z"}, {"name": "Koi"}, pet_row("Theirs"), CONFLICT),
]


@pytest.mark.parametrize(("intent", "sent", "base", "row", "state"), SETTLED)
def test_a_look_settles_what_was_uncertain(
    intent: Intent, sent: Fields, base: Fields, row: Row | None, state: ChangeState
) -> None:
    found, reason = settle(intent, sent, base, row)
    assert found is state
    if state is CONFLICT:
        assert reason is not None
        assert reason.theirs


SUPERSEDED: list[tuple[Intent, Intent, ChangeState, bool]] = [
    (AddStock(1), SetStock(4), CONFLICT, True),
    (SetStock(1), AddStock(4), REFUSED, True),
    (SetStock(1), AddStock(4), UNCERTAIN, False),
    (SetStock(1), AddStock(4), QUEUED, False),
    (SetFields({"name": "a", "status": "sold"}), SetFields({"name": "b"}), REFUSED, True),
    (SetFields({"name": "a"}), SetFields({"name": "b", "status": "sold"}), REFUSED, False),
    (Delete(), SetFields({"name": "b"}), CONFLICT, True),
    (Delete(), Create({"name": ""}), REFUSED, True),
    (SetFields({"name": "a"}), Delete(), REFUSED, False),
]


@pytest.mark.parametrize(("new", "old", "state", "takes_over"), SUPERSEDED)
def test_a_new_act_takes_the_place_of_a_stuck_one_that_it_covers(
    new: Intent, old: Intent, state: ChangeState, takes_over: bool
) -> None:
    assert supersedes(new, change(1, old, state=state), Resource.INVENTORY) is takes_over


@pytest.mark.parametrize(
    ("seen", "now", "theirs"),
    [(24, 15, {"quantity": 15}), (24, 24, {}), (24, 30, {}), (24, None, {}), (None, 15, {})],
)
def test_a_stock_that_somebody_else_changed_is_a_conflict(seen: int | None, now: int | None, theirs: Fields) -> None:
    assert moved_stock(seen, 30, now) == theirs
