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
from petstore_desktop.domain.records import Resource
from petstore_desktop.sync.send.conflicts import moved_stock, supersedes
from tests.sync.made import change

QUEUED, REFUSED = ChangeState.QUEUED, ChangeState.REFUSED
UNCERTAIN, CONFLICT = ChangeState.UNCERTAIN, ChangeState.CONFLICT

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
