"""Killed at any moment, before a network that fails, the program loses nothing that it called saved and does nothing
twice. `packaging/dev.py long kills` does the same a thousand times."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from petstore_desktop.domain.changes import AddStock, ChangeState, Create, Delete, NewChange, Reason
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.rows import Outcome
from tests.long import kills as long_kills
from tests.support.fault_proxy import Fault, FaultProxy, Passed
from tests.support.killed_child import POINTS, SENDS_AGAIN
from tests.support.killing import ACTED, KILLS, LEAST_SAVED, ON_THE_WIRE, WINDOWS, Ground
from tests.support.killing_acts import Act, Books
from tests.support.killing_judge import Evidence, Tally, Violation, judge
from tests.support.session import Watched
from tests.support.shop import Shop
from tests.support.soon_again import soon_again

pytestmark = pytest.mark.posix("the programs that are killed are forks")


def test_whatever_kills_it_each_acknowledged_edit_is_in_the_shop_once_or_listed(tmp_path: Path) -> None:
    """Only a process can be killed: one at a fail point, one when the shop has acted, and the real window."""
    total = Tally()
    with Ground(tmp_path / "ground") as ground:
        total.add(ground.run(0, first=KILLS[0]))
        total.add(ground.run(1, first=ACTED, window=True))
    assert total.runs == 2
    assert total.least >= LEAST_SAVED
    assert sum(total.kills[end] for end in WINDOWS) == 1
    assert total.passed <= set(POINTS), "where the program commits something, it is to be killed: killed_child.COMMITS"
    assert total.states["done"] > 0.6 * total.acknowledged, total.states


# ---------------------------------------------------------------- what the proxy does


FAULTS = (
    (Fault.NONE, 1, ChangeState.DONE),
    (Fault.DRIP, 1, ChangeState.DONE),
    (Fault.DUPLICATE, 1, ChangeState.DONE),
    (Fault.DROP_BEFORE, 0, ChangeState.UNCERTAIN),
    (Fault.RESET_BEFORE, 0, ChangeState.UNCERTAIN),
    (Fault.DROP_AFTER, 1, ChangeState.DONE),
    (Fault.RESET_AFTER, 1, ChangeState.DONE),
    (Fault.HALF, 1, ChangeState.DONE),
    (Fault.FAIL_BEFORE, 0, ChangeState.UNCERTAIN),
    (Fault.FAIL_AFTER, 1, ChangeState.DONE),
    (Fault.AWAY_BEFORE, 0, ChangeState.UNCERTAIN),
    (Fault.AWAY_AFTER, 1, ChangeState.DONE),
)
"""What meets the creation of a category, how often it is in the shop then, and how the creation ends."""


def test_a_creation_that_meets_a_fault_is_sent_once_and_found_where_it_was_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    soon_again(monkeypatch.setattr)
    with (
        Shop(tmp_path / "shop", plan="unlimited", pets=20) as shop,
        FaultProxy(shop.url, random.Random(1)) as proxy,
        Watched(tmp_path / "data", shop, url=proxy.url) as desk,
    ):
        desk.wait_loaded()
        for fault, times, state in FAULTS:
            read, sent = len(desk.ended(Resource.CATEGORIES)), len(proxy.log)
            proxy.next_write(fault)
            ids = desk.apply(NewChange(Ref(Resource.CATEGORIES, LocalId.new()), Create({"name": fault})))
            if state is ChangeState.UNCERTAIN:
                desk.wait(lambda read=read: len(desk.ended(Resource.CATEGORIES)) > read, "the list is read to find it")
            desk.wait_for(ids, state)
            (passed,) = [passed for passed in proxy.log[sent:] if passed.method == "POST"]
            assert passed.fault is fault
            assert passed.acted == bool(times), fault
            assert shop.rows("SELECT count(*) FROM categories WHERE name = ?", fault) == [(times,)], fault


# ---------------------------------------------------------------- what would be found out


def test_a_program_that_sends_again_what_was_on_the_wire_is_found_out(tmp_path: Path) -> None:
    with (
        Ground(tmp_path / "ground", careless=SENDS_AGAIN) as ground,
        pytest.raises(Violation, match=r"(sent|made) 2 times|may be"),
    ):
        for seed in range(20):
            ground.run(seed, first=ON_THE_WIRE[seed % len(ON_THE_WIRE)])


PET = 1001
BOOK = {"verb": "book", "resource": "inventory", "key": PET, "text": "+8"}
CREATE = {"verb": "create", "resource": "categories", "key": "k1-", "fields": {"name": "k1-new"}}
POST = Passed("POST", "/v1/categories", b'{"name": "k1-new"}', Fault.NONE, asked=True, status=201)
UNSURE = (ChangeState.UNCERTAIN, Reason("interrupted", ""))
DONE = (ChangeState.DONE, None)


def evidence_of(folder: Path, *ends: tuple[ChangeState, Reason | None] | None, act: Act = BOOK) -> Evidence:
    """Of one act that was called saved, and sent once for each end; where that is None, it is on the wire."""
    journal = Journal(folder / "journal.db")
    (change,) = journal.append("b", [NewChange(Ref(Resource.INVENTORY, PET), AddStock(8))], 1.0)
    for end in ends:
        attempt = journal.begin_attempt([change.id], "{}", {}, {}, 2.0)
        if end is not None:
            journal.end_attempt(attempt, Outcome(*end), 3.0)
    journal.close()
    books = Books({"pets": {}, "categories": {}, "orders": {}}, {PET: 5})
    return Evidence(
        1, {"b": [act]}, {"b": [1]}, {"b": {change.id}}, [], 0, books, books, folder / "journal.db", [], Counter(), []
    )


@pytest.mark.parametrize(
    ("ends", "quantity", "found"),
    [
        ((DONE,), 13, ""),
        ((DONE,), 5, "was 5 and is 5"),
        ((DONE,), 21, "was 5 and is 21"),
        ((UNSURE,), 5, ""),
        ((UNSURE,), 13, ""),
        ((UNSURE,), 21, "was 5 and is 21"),
        ((UNSURE, DONE), 13, ""),
        ((UNSURE, DONE), 5, "was 5 and is 5"),
        (((ChangeState.REFUSED, Reason("refused", "no")),), 13, "was 5 and is 13"),
        (((ChangeState.CONFLICT, None),), 5, "nobody says why"),
        ((), 5, "left behind"),
        ((None,), 13, "left behind"),
    ],
)
def test_a_booking_that_is_lost_or_done_twice_or_left_behind_is_found_out(
    tmp_path: Path, ends: tuple[tuple[ChangeState, Reason | None], ...], quantity: int, found: str
) -> None:
    evidence = evidence_of(tmp_path, *ends)
    evidence = replace(evidence, after=replace(evidence.after, stock={PET: quantity}))
    if not found:
        assert judge(evidence).acknowledged == 1
        return
    with pytest.raises(Violation, match=found):
        judge(evidence)


def test_what_was_called_saved_and_is_not_in_the_journal_is_found_out(tmp_path: Path) -> None:
    evidence = evidence_of(tmp_path)
    with pytest.raises(Violation, match="called saved"):
        judge(replace(evidence, batches={"c": [BOOK]}, made={"c": [1]}, saved={"c": {2}}))


@pytest.mark.parametrize(("log", "names", "found"), [([POST] * 2, {7: "k1-new"}, "sent 2"), ([POST], {}, "is None")])
def test_a_creation_that_is_sent_twice_or_lost_is_found_out(
    tmp_path: Path, log: list[Passed], names: dict[int, str], found: str
) -> None:
    evidence = evidence_of(tmp_path, DONE, act=CREATE)
    after = replace(evidence.after, names={**evidence.after.names, "categories": names})
    with pytest.raises(Violation, match=found):
        judge(replace(evidence, log=log, after=after))


def test_two_records_of_one_creation_are_found_out(tmp_path: Path) -> None:
    evidence = evidence_of(tmp_path, DONE, act=CREATE)
    twice = replace(evidence.after, names={**evidence.after.names, "categories": {7: "k1-new", 8: "k1-new"}})
    with pytest.raises(Violation, match="was made 2 times"):
        judge(replace(evidence, after=twice))


@pytest.mark.parametrize("left", [None, "k1-new"])
def test_a_creation_that_is_done_twice_and_deleted_once_is_found_out_whatever_a_person_said(
    tmp_path: Path, left: str | None
) -> None:
    acts = [CREATE, {"verb": "delete", "resource": "categories", "key": "k1-"}]
    with closing(Journal(tmp_path / "journal.db")) as journal:
        ref = Ref(Resource.CATEGORIES, LocalId.new())
        news = [NewChange(ref, Create({"name": "k1-new"})), NewChange(Ref(ref.resource, 7), Delete())]
        made, gone = journal.append("b", news, 1.0)
        for change, end in ((made, UNSURE), (made, DONE), (gone, DONE)):
            if end is DONE and change is made:
                journal.settle([made.id], Outcome(ChangeState.QUEUED), 2.0)
            journal.end_attempt(journal.begin_attempt([change.id], "{}", {}, {}, 2.0), Outcome(*end), 3.0)
    nothing = Books({"pets": {}, "categories": {}, "orders": {}}, {})
    books = Books({"pets": {}, "categories": {} if left is None else {8: left}, "orders": {}}, {})
    evidence = Evidence(
        1, {"b": acts}, {"b": [1, 1]}, {"b": {made.id, gone.id}}, [], 0, nothing,
        books, tmp_path / "journal.db", [POST, POST], Counter(), [], again=Counter({made.id: 1}),
    )  # fmt: skip
    if left is None:
        assert judge(evidence).acknowledged == 2
        return
    with pytest.raises(Violation, match="it may be"):
        judge(evidence)


def test_a_program_in_which_something_went_wrong_is_found_out(tmp_path: Path) -> None:
    with pytest.raises(Violation, match="went wrong"):
        judge(replace(evidence_of(tmp_path, UNSURE), troubles=["RuntimeError()"]))


# ---------------------------------------------------------------- what the long run says


@pytest.mark.parametrize(
    ("hits", "done", "passed", "bad"),
    [
        (10, 900, POINTS[0], ""),
        (9, 900, POINTS[0], f"fewer than 10 times: {POINTS[0]}"),
        (10, 100, POINTS[0], "100 done"),
        (10, 900, "after journal.burn", "after journal.burn"),
    ],
)
def test_the_whole_count_is_bad_if_a_point_was_seldom_hit_or_little_was_done(
    capsys: pytest.CaptureFixture[str], hits: int, done: int, passed: str, bad: str
) -> None:
    kills = Counter(dict.fromkeys(KILLS, 10)) + Counter(dict.fromkeys(WINDOWS, 50))
    kills[POINTS[0]] = hits
    total = Tally(Counter({"done": done, "uncertain": 100}), kills=kills, passed={passed}, runs=1_000, least=5)
    total.visits = total.chosen = total.colleague = 1
    assert long_kills.tell(total, full=True) is bool(bad)
    said = capsys.readouterr().out
    assert bad in said
    assert all(point in said for point in (*KILLS, *WINDOWS))
