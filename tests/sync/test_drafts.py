"""Drafts outlive the program, are told as they move, and end with the batch that was made from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.domain.changes import AddStock, ChangeState, Create, NewChange
from petstore_desktop.domain.commands import Apply, KeepDraft, KeepDrafts
from petstore_desktop.domain.records import LocalId, Ref, Resource, key_to_text
from petstore_desktop.sync.wire.events import DraftsMoved
from tests.support.session import Watched, quantity, stock
from tests.support.shop import Shop
from tests.sync.conftest import ShopFactory

DONE = ChangeState.DONE


@pytest.fixture
def shop(new_shop: ShopFactory) -> Shop:
    return new_shop(plan="unlimited")


def test_a_draft_is_told_at_the_next_start(shop: Shop, tmp_path: Path) -> None:
    with Watched(tmp_path, shop) as session:
        session.submit(KeepDraft("new-pet", {"names": "Koi"}))
        session.wait(lambda: session.of(DraftsMoved) and session.of(DraftsMoved)[-1].drafts, "the draft is kept")
    with Watched(tmp_path, shop) as again:
        again.wait(lambda: again.of(DraftsMoved), "drafts are told")
        (draft,) = again.of(DraftsMoved)[-1].drafts
        assert (draft.form, dict(draft.content)) == ("new-pet", {"names": "Koi"})
        again.submit(KeepDraft("new-pet", None))
        again.wait(lambda: again.of(DraftsMoved)[-1].finished == ("new-pet",), "the draft is let go")


def told(session: Watched) -> int:
    """How many drafts the latest event tells."""
    events = session.of(DraftsMoved)
    return len(events[-1].drafts) if events else 0


def lines_of_count(count: int) -> tuple[KeepDraft, ...]:
    return tuple(KeepDraft(f"count:{number}", {"counted": str(number)}) for number in range(count))


def test_of_many_drafts_only_the_one_that_moved_is_told(shop: Shop, tmp_path: Path) -> None:
    with Watched(tmp_path, shop) as session:
        session.submit(KeepDrafts(lines_of_count(500)))
        session.wait(lambda: told(session) == 500, "all are kept")
        session.submit(KeepDraft("count:7", {"counted": "8"}))
        session.wait(lambda: told(session) == 1, "one is told")
    with Watched(tmp_path, shop) as again:
        again.wait(lambda: again.of(DraftsMoved), "drafts are told")
        drafts = {draft.form: draft.content["counted"] for draft in again.of(DraftsMoved)[-1].drafts}
        assert drafts == {f"count:{number}": str(number if number != 7 else 8) for number in range(500)}


def test_a_batch_ends_its_drafts_with_it_and_is_not_written_again(shop: Shop, tmp_path: Path) -> None:
    ((pet,),) = shop.rows("SELECT pet_id FROM inventory LIMIT 1")
    with Watched(tmp_path, shop) as session:
        session.wait_loaded()
        before = quantity(shop, pet)
        session.submit(KeepDrafts(lines_of_count(2)))
        ended = tuple(KeepDraft(line.form, None) for line in lines_of_count(2))
        booked = Apply("b" * 32, (NewChange(stock(pet), AddStock(5), {}),), "count:all", ended)
        session.submit(booked)
        session.submit(booked)
        session.wait(lambda: session.of(DraftsMoved)[-1].finished == ("count:0", "count:1"), "the drafts are let go")
        session.wait(lambda: [c for c in session.changes.values() if c.state is DONE], "it is booked")
        session.submit(KeepDraft("after", {}))
        session.wait(lambda: session.of(DraftsMoved)[-1].drafts, "all was done")
        assert len(session.changes) == 1
    assert quantity(shop, pet) == before + 5


def test_with_a_draft_that_names_a_pet_made_here_its_number_is_told_at_the_next_start(
    shop: Shop, tmp_path: Path
) -> None:
    """A line of a delivery was of no pet in a later run, and could not be booked."""
    made, other = LocalId.new(), LocalId.new()
    with Watched(tmp_path, shop) as session:
        session.wait_loaded()
        fields = {"name": "Newt", "status": "available", "category_id": 1}
        new = tuple(NewChange(Ref(Resource.PETS, one), Create(fields)) for one in (made, other))
        ids = session.apply(*new)
        session.wait_for(ids, DONE)
        number = session.changes[ids[0]].result_key
        session.submit(KeepDraft(f"receive:b:p{key_to_text(made)}", {"count": "3"}))
        session.wait(lambda: told(session) == 1, "the line is kept")
    with Watched(tmp_path, shop) as again:
        again.wait(lambda: again.of(DraftsMoved), "drafts are told")
        assert again.of(DraftsMoved)[0].numbers == {made: number}, "only of what the draft names"
