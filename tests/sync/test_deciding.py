"""What a person decides about a conflict, at a real shop: carried out on what was seen, and brought back."""

from __future__ import annotations

import random
import uuid
from pathlib import Path

import httpx
import pytest

from petstore_desktop.clock import SystemClock
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, NewChange, SetStock
from petstore_desktop.domain.commands import CancelBatch, Choice, Decide, Decided, Discard, Revert
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.sync.wire.events import BatchesMoved, DecisionsMoved, GateMoved
from tests.support.fault_proxy import Fault as Dropped
from tests.support.fault_proxy import FaultProxy, Passed
from tests.support.hostile_answers import Fault, Means, Spoilt
from tests.support.session import NAME, Watched, quantity, stock, writes
from tests.support.shop import Shop
from tests.sync.conftest import ShopFactory

pytestmark = pytest.mark.usefixtures("soon")

CONFLICT, DONE = ChangeState.CONFLICT, ChangeState.DONE
REFUSED = Fault(Means.USELESS, lambda good: Spoilt(good.said(b"{}", status="400 Bad Request")))


class Clash:
    """A count that is in conflict: 7 more are there than were seen."""

    def __init__(self, shop: Shop, session: Watched, number: int) -> None:
        self.shop, self.session = shop, session
        ((self.pet,),) = shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 1 OFFSET ?", number)
        session.wait_loaded()
        self.seen = quantity(shop, self.pet)
        self.write(self.seen + 7)
        self.ids = session.apply(NewChange(stock(self.pet), SetStock(40), {"quantity": self.seen}))
        session.wait_for(self.ids, CONFLICT)

    def write(self, value: int) -> None:
        """Another desk writes."""
        headers = {"Authorization": f"Bearer {self.shop.key}"}
        answer = httpx.patch(f"{self.shop.url}/inventory/{self.pet}", headers=headers, json={"quantity": value})
        assert answer.is_success

    def decide(self, *choices: Decided) -> str:
        decision = uuid.uuid4().hex
        told = len(self.session.of(DecisionsMoved))
        self.session.submit(Decide(decision, choices))
        self.session.wait(lambda: len(self.session.of(DecisionsMoved)) > told, "the decision is told")
        return decision

    def now(self) -> int:
        return quantity(self.shop, self.pet)


def undone_next(session: Watched) -> tuple[str, bool]:
    """What Ctrl+Z would take, and whether it is a decision."""
    desk = Desk(NAME, SystemClock())
    for event in session.events:
        apply_event(desk, event)
    target = desk.done.next()
    return ("", False) if target is None else (target.id, target.decision)


@pytest.fixture
def shop(new_shop: ShopFactory) -> Shop:
    return new_shop(plan="unlimited")


def test_mine_is_sent_on_what_was_seen_and_a_value_that_moved_again_is_a_conflict_anew(
    shop: Shop, tmp_path: Path
) -> None:
    with Watched(tmp_path, shop) as session:
        clash = Clash(shop, session, 0)
        clash.write(clash.seen + 9)  # after what the person saw
        clash.decide(Decided(clash.ids, Choice.MINE, {"quantity": clash.seen + 7}))
        session.wait_for(clash.ids, CONFLICT)
        reason = session.changes[clash.ids[0]].reason
        assert reason is not None
        assert (dict(reason.theirs), clash.now()) == ({"quantity": clash.seen + 9}, clash.seen + 9)
        clash.decide(Decided(clash.ids, Choice.MINE, {"quantity": clash.seen + 9}))
        session.wait_for(clash.ids, DONE)
        assert clash.now() == 40


def test_theirs_is_taken_without_a_request_and_brought_back_over_a_restart(shop: Shop, tmp_path: Path) -> None:
    with Watched(tmp_path, shop) as session:
        clash = Clash(shop, session, 1)
        decision = clash.decide(Decided(clash.ids, Choice.THEIRS))
        session.wait_for(clash.ids, ChangeState.DISCARDED)
        before = session.changes[clash.ids[0]]
        assert [one.id for one in session.of(DecisionsMoved)[-1].decisions] == [decision]
    with Watched(tmp_path, shop) as again:
        again.wait(lambda: again.of(DecisionsMoved), "what can be brought back is told at the start")
        assert [one.id for one in again.of(DecisionsMoved)[-1].decisions] == [decision]
        again.submit(Revert(decision))
        again.wait_for(clash.ids, CONFLICT)
        back = again.changes[clash.ids[0]]
        assert (back.intent, back.base, dict(back.reason.theirs if back.reason else {})) == (
            before.intent,
            before.base,
            {"quantity": clash.seen + 7},
        )
    assert clash.now() == clash.seen + 7
    assert [line["status"] for line in writes(shop, f"/inventory/{clash.pet}")] == [200]  # the other desk's alone


def test_mine_that_waits_is_brought_back_before_it_leaves(new_shop: ShopFactory, tmp_path: Path) -> None:
    shop = new_shop(rpm=1_000)
    with Watched(tmp_path, shop) as session:
        clash = Clash(shop, session, 2)
        shop.control("exhaust", key=shop.key, leave=0)
        session.apply(NewChange(stock(clash.pet + 1), SetStock(9), {}))
        session.wait(lambda: session.of(GateMoved)[-1].gate.phase is GatePhase.PAUSED, "nothing may be sent")
        decision = clash.decide(Decided(clash.ids, Choice.MINE, {"quantity": clash.seen + 7}))
        assert session.state(clash.ids[0]) is ChangeState.QUEUED
        session.submit(Revert(decision))
        session.wait_for(clash.ids, CONFLICT)
        session.wait(lambda: not session.of(DecisionsMoved)[-1].decisions, "nothing is left to bring back")
        assert clash.now() == clash.seen + 7


def test_another_value_takes_the_place_of_mine_and_lets_it_back_in(shop: Shop, tmp_path: Path) -> None:
    with Watched(tmp_path, shop) as session:
        clash = Clash(shop, session, 3)
        other = NewChange(stock(clash.pet), SetStock(41), {"quantity": clash.seen + 7})
        decision = clash.decide(Decided(clash.ids, Choice.THEIRS, {}, (other,)))
        session.wait(lambda: decision in session.batches, "the other value is saved")
        session.wait_for(tuple(session.batches[decision]), DONE)
        assert (clash.now(), session.state(clash.ids[0])) == (41, ChangeState.DISCARDED)
        session.wait(lambda: session.of(DecisionsMoved), "told")
        session.submit(Revert(decision))  # it is sent: the other value is undone
        session.wait(lambda: clash.now() == clash.seen + 7, "theirs is there again")
        assert session.state(clash.ids[0]) is ChangeState.DISCARDED


def test_what_undo_takes_goes_by_what_was_decided_last_sent_or_not(shop: Shop, tmp_path: Path) -> None:
    with Watched(tmp_path, shop) as session:
        taken, other, mine = (Clash(shop, session, number) for number in (4, 6, 7))
        ((another,),) = shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 1 OFFSET 8")
        later = session.apply(NewChange(stock(another), AddStock(1)))  # after the three acts, before what is decided
        session.wait_for(later, DONE)
        before = session.changes[later[0]].batch
        instead = NewChange(stock(other.pet), SetStock(41), {"quantity": other.seen + 7})
        decisions = [
            taken.decide(Decided(taken.ids, Choice.THEIRS)),
            other.decide(Decided(other.ids, Choice.THEIRS, {}, (instead,))),
            mine.decide(Decided(mine.ids, Choice.MINE, {"quantity": mine.seen + 7})),
        ]
        session.wait_for((*mine.ids, *session.batches[decisions[1]]), DONE)
    with Watched(tmp_path, shop) as session:
        session.wait(lambda: session.of(BatchesMoved)[-1:] and session.of(BatchesMoved)[-1].undo, "undo is known")
        assert undone_next(session) == (decisions[2], True)
        session.submit(Revert(decisions[2]))
        session.wait(lambda: mine.now() == mine.seen + 7, "mine is undone")
        session.wait(lambda: undone_next(session) == (decisions[1], False), "the other value is next")
        session.submit(Revert(decisions[1]))
        session.wait(lambda: other.now() == other.seen + 7, "the other value is undone")
        session.wait(lambda: undone_next(session) == (decisions[0], True), "what was let go is next")
        session.submit(Revert(decisions[0]))
        session.wait_for(taken.ids, CONFLICT)
        session.wait(lambda: undone_next(session) == (before, False), "the act before the decisions is next")


def test_what_was_discarded_stands_as_before_when_it_is_brought_back_over_a_restart(
    new_shop: ShopFactory, tmp_path: Path
) -> None:
    shop = new_shop(rpm=1_000)
    local = LocalId.new()
    with Watched(tmp_path, shop) as session:
        clash = Clash(shop, session, 2)
        shop.control("exhaust", key=shop.key, leave=0)
        made = NewChange(Ref(Resource.PETS, local), Create({"name": "Koi", "category_id": 1}))
        booked = NewChange(Ref(Resource.INVENTORY, local), AddStock(2))
        (new,), (more,) = session.apply(made), session.apply(booked)
        session.wait(lambda: session.of(GateMoved)[-1].gate.phase is GatePhase.PAUSED, "nothing may be sent")
        session.submit(Discard((more,), "one"))
        session.wait_for((more,), ChangeState.DISCARDED)
        assert session.state(new) is ChangeState.QUEUED
        session.submit(Revert("one"))
        session.wait_for((more,), ChangeState.QUEUED)
        session.submit(Discard((*clash.ids, new), "all"))
        session.wait_for((*clash.ids, new, more), ChangeState.DISCARDED)
        session.wait(lambda: undone_next(session) == ("all", True), "undo takes it")
    with Watched(tmp_path, shop, start=False) as session:
        session.session.start()
        session.wait(lambda: undone_next(session) == ("all", True), "undo takes it after a restart")
        session.submit(Revert("all"))
        session.wait(lambda: more in session.changes, "brought back")
        assert [session.state(id_) for id_ in (*clash.ids, new, more)] == [
            CONFLICT,
            ChangeState.QUEUED,
            ChangeState.QUEUED,
        ]
        batch = session.changes[more].batch
        session.wait(lambda: undone_next(session) == (batch, False), "undo goes on with the latest act")


def test_a_stopped_job_goes_on_when_that_is_brought_back(new_shop: ShopFactory, tmp_path: Path) -> None:
    shop = new_shop(rpm=1_000)
    pets = [pet for (pet,) in shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 3")]
    with Watched(tmp_path, shop) as session:
        session.wait_loaded()
        shop.control("exhaust", key=shop.key, leave=0)
        ids = session.apply(*(NewChange(stock(pet), AddStock(1)) for pet in pets))
        batch = session.changes[ids[0]].batch
        session.wait(lambda: session.of(GateMoved)[-1].gate.phase is GatePhase.PAUSED, "nothing may be sent")
        session.submit(CancelBatch(batch, "stop"))
        session.wait_for(ids, ChangeState.DISCARDED)
        session.wait(lambda: undone_next(session) == ("stop", True), "undo takes the stop")
        session.submit(Revert("stop"))
        session.wait_for(ids, ChangeState.QUEUED)
        session.wait(lambda: undone_next(session) == (batch, False), "undo takes the job")


def test_a_creation_that_a_person_found_is_done_and_not_made_twice(shop: Shop, tmp_path: Path) -> None:
    ref = Ref(Resource.CATEGORIES, LocalId.new())
    with Watched(tmp_path, shop) as session:
        session.wait_loaded()
        shop.control("answer-next", next=1, status=502, body="<html>")
        ids = session.apply(NewChange(ref, Create({"name": "Geckos"})))
        session.wait(lambda: ids[0] in session.changes and session.changes[ids[0]].needs_person, "no list shows it")
        assert session.changes[ids[0]].reason is not None
        assert session.changes[ids[0]].reason.code == "unfound"
        decision = uuid.uuid4().hex
        session.submit(Decide(decision, (Decided(ids, Choice.DONE),)))
        session.wait_for(ids, DONE)
        session.submit(Revert(decision))
        session.wait_for(ids, ChangeState.UNCERTAIN)
        assert session.changes[ids[0]].needs_person
    assert shop.rows("SELECT count(*) FROM categories WHERE name = 'Geckos'") == [(0,)]


def test_an_edit_of_unknown_fate_needs_the_person_only_while_the_record_cannot_be_read(
    shop: Shop, tmp_path: Path
) -> None:
    ((pet,),) = shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 1")
    asked: list[str] = []

    def first_look(entry: Passed) -> Fault | None:
        """Refuse the first look after the write."""
        if not entry.path.endswith(f"/inventory/{pet}") or (entry.method == "GET" and not asked):
            return None
        asked.append(entry.method)
        return REFUSED if asked == ["PATCH", "GET"] else None

    with FaultProxy(shop.url, random.Random(1)) as proxy, Watched(tmp_path, shop, url=proxy.url) as session:
        session.wait_loaded()
        before = quantity(shop, pet)
        proxy.next_write(Dropped.DROP_AFTER)
        proxy.spoil = first_look
        (booking,) = session.apply(NewChange(stock(pet), AddStock(12), {}))
        session.wait_for((booking,), ChangeState.UNCERTAIN)
        assert not session.changes[booking].needs_person  # the program looks, as soon as it may
        session.wait(lambda: session.changes[booking].needs_person, "the look is refused")
        session.wait_for((booking,), DONE)  # and a later one is not
    assert quantity(shop, pet) == before + 12
    assert len(writes(shop, f"/inventory/{pet}")) == 1
