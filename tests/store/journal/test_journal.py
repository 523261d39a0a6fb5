from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from petstore_desktop.domain.changes import (
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    NewChange,
    Reason,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import LocalId, Pet, Ref, Resource
from petstore_desktop.store.journal.batches import Batches
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.rows import Outcome
from tests.store.failing_disk import failing_disk
from tests.support.kill_hard import kill_hard

ROOT = Path(__file__).parents[3]
PET = Ref(Resource.PETS, 9_223_372_036_854_775_807)
STOCK = Ref(Resource.INVENTORY, 9_007_199_254_740_993)
NO = Reason(
    "invalid", "no such <b>status</b> 🐕 مرحبا", 422, '{"code":"invalid"}', {"status": "sold", "quantity": 2**60}
)


def add(journal: Journal, *intents: object, ref: Ref = STOCK, at: float = 10.0) -> list[int]:
    changes = journal.append("batch", [NewChange(ref, intent) for intent in intents], at)
    return [change.id for change in changes]


def send(
    journal: Journal, *ids: int, outcome: ChangeState = ChangeState.DONE, at: float = 20.0, **more
) -> tuple[Change, ...]:
    attempt = journal.begin_attempt(ids, "{}", {}, {}, at)
    journal.end_attempt(attempt, Outcome(outcome, **more), at + 1)
    return journal.changes(ids)


def states(journal: Journal, ids: list[int]) -> list[str]:
    return [change.state.value for change in journal.changes(ids)]


def test_what_was_appended_is_there_after_a_restart_to_the_last_digit_and_letter(journal, journal_path):
    local = LocalId.new()
    acts = [
        NewChange(Ref(Resource.CATEGORIES, local), Create({"name": "鳥 🦜", "description": None})),
        NewChange(
            PET,
            SetFields({"name": "<b>bold</b>\n\0 مرحبا", "category_id": local}),
            {"name": "", "category_id": -(2**63)},
        ),
        NewChange(STOCK, AddStock(2**62)),
        NewChange(STOCK, SetStock(0), {"quantity": 2**53 + 1}),
        NewChange(PET, Delete()),
    ]
    saved = journal.append("one", acts, 1_763_700_000.25)
    assert [(change.ref, change.intent, change.base) for change in saved] == [
        (act.ref, act.intent, act.base) for act in acts
    ]
    assert {(change.batch, change.at, change.state) for change in saved} == {
        ("one", 1_763_700_000.25, ChangeState.QUEUED)
    }
    journal.close()
    again = Journal(journal_path)
    assert again.open_changes() == saved
    assert again.batch("one") == saved
    again.close()


def test_changes_come_in_the_order_of_acting(journal):
    ids = add(journal, AddStock(1), AddStock(2)) + add(journal, AddStock(3))
    assert ids == sorted(ids)
    assert [change.intent for change in journal.open_changes()] == [AddStock(1), AddStock(2), AddStock(3)]


def test_a_change_is_sending_from_before_its_first_byte_until_the_answer(journal):
    (id_,) = add(journal, AddStock(1))
    attempt = journal.begin_attempt([id_], '{"op":"inventory.change"}', {"quantity": 4}, {"quantity": 5}, 20.0)
    assert states(journal, [id_]) == ["sending"]
    journal.end_attempt(attempt, Outcome(ChangeState.DONE), 21.5)
    (done,) = journal.changes([id_])
    assert (done.state, done.moved_at, done.at) == (ChangeState.DONE, 21.5, 10.0)
    assert journal.open_changes() == ()


@pytest.mark.parametrize("outcome", ["queued", "refused", "conflict", "uncertain"])
def test_an_outcome_that_is_not_the_end_keeps_the_change_open_with_its_reason(journal, outcome):
    (id_,) = add(journal, AddStock(1))
    (change,) = send(journal, id_, outcome=ChangeState(outcome), reason=NO)
    assert (change.state.value, change.reason) == (outcome, NO)
    assert journal.open_changes() == (change,)


def test_an_attempt_ends_only_as_something_that_an_attempt_can_end_as(journal):
    (id_,) = add(journal, AddStock(1))
    with pytest.raises(ValueError, match="sending"):
        send(journal, id_, outcome=ChangeState.SENDING)
    assert states(journal, [id_]) == ["sending"]


def test_several_changes_can_share_one_attempt(journal):
    ids = add(journal, AddStock(1), AddStock(2), AddStock(3))
    moved = send(journal, *ids[:2])
    assert [change.id for change in moved] == ids[:2]
    assert states(journal, ids) == ["done", "done", "queued"]
    (attempt,) = journal.attempts(ids[0])
    assert journal.changes_of_attempt(attempt.id) == frozenset(ids[:2])


def test_what_is_sending_or_done_cannot_be_sent(journal):
    first, second, third = add(journal, AddStock(1), AddStock(2), AddStock(3))
    send(journal, first)
    journal.begin_attempt([second], "{}", {}, {}, 20.0)
    for ids in ([first], [second], [third, second], [999], []):
        with pytest.raises(ValueError, match="not all of these"):
            journal.begin_attempt(ids, "{}", {}, {}, 30.0)
    assert states(journal, [first, second, third]) == ["done", "sending", "queued"]


def test_an_attempt_ends_once(journal):
    (id_,) = add(journal, AddStock(1))
    attempt = journal.begin_attempt([id_], "{}", {}, {}, 20.0)
    journal.end_attempt(attempt, Outcome(ChangeState.REFUSED, NO), 21.0)
    with pytest.raises(ValueError, match="not on its way"):
        journal.end_attempt(attempt, Outcome(ChangeState.DONE), 22.0)
    assert states(journal, [id_]) == ["refused"]


def test_every_attempt_stays_on_record(journal):
    (id_,) = add(journal, AddStock(1))
    for n, outcome in enumerate((ChangeState.QUEUED, ChangeState.UNCERTAIN)):
        attempt = journal.begin_attempt([id_], f'{{"n":{n}}}', {"quantity": 2**53 + 1}, {"quantity": n}, 20.0 + n)
        journal.end_attempt(attempt, Outcome(outcome, NO), 20.5 + n)
    journal.discard([id_], 30.0)
    attempts = journal.attempts(id_)
    assert [(item.request, item.outcome) for item in attempts] == [
        ('{"n":0}', ChangeState.QUEUED),
        ('{"n":1}', ChangeState.UNCERTAIN),
        (None, ChangeState.DISCARDED),
    ]
    last = journal.last_sent(id_)
    assert last == attempts[1]
    assert (last.base, last.value, last.at, last.ended_at) == ({"quantity": 2**53 + 1}, {"quantity": 1}, 21.0, 21.5)
    assert last.reason == NO


def test_only_what_is_neither_sending_nor_closed_can_be_discarded(journal):
    ids = add(journal, *(AddStock(n) for n in range(5)))
    send(journal, ids[0])
    journal.begin_attempt([ids[1]], "{}", {}, {}, 20.0)
    send(journal, ids[2], outcome=ChangeState.UNCERTAIN)
    taken = journal.discard(ids, 30.0)
    assert [change.id for change in taken] == ids[2:]
    assert {change.moved_at for change in taken} == {30.0}
    assert states(journal, ids) == ["done", "sending", "discarded", "discarded", "discarded"]
    assert journal.discard(ids, 31.0) == ()


def test_a_look_can_settle_an_uncertain_creation(journal):
    local = LocalId.new()
    (id_,) = add(journal, Create({"name": "Rex"}), ref=Ref(Resource.PETS, local))
    send(journal, id_, outcome=ChangeState.UNCERTAIN)
    (done,) = journal.settle([id_], Outcome(ChangeState.DONE, result_key=2**63 - 1), 40.0)
    assert (done.state, done.result_key) == (ChangeState.DONE, 2**63 - 1)
    assert journal.local_ids() == {local: 2**63 - 1}
    assert journal.open_changes() == ()


def test_changes_that_come_to_nothing_are_closed(journal):
    ids = add(journal, AddStock(1), AddStock(-1))
    settled = journal.settle(ids, Outcome(ChangeState.DONE), 15.0)
    assert [change.state for change in settled] == [ChangeState.DONE] * 2
    assert journal.open_changes() == ()


def test_the_service_s_id_is_known_for_every_local_one_after_a_restart(journal, journal_path):
    first, second, refused, third = LocalId.new(), LocalId.new(), LocalId.new(), LocalId.new()
    made = ((first, "done", 12), (second, "done", 2**62), (refused, "refused", 99), (third, "done", "local:7"))
    for local, outcome, key in made:
        (id_,) = add(journal, Create({"name": "x"}), ref=Ref(Resource.PETS, local))
        send(journal, id_, outcome=ChangeState(outcome), result_key=key)
    add(journal, SetFields({"category_id": first}), ref=Ref(Resource.PETS, first))
    add(journal, SetFields({"category_id": "ord_1"}), ref=Ref(Resource.PETS, "local:7"))
    journal.close()
    again = Journal(journal_path)
    assert again.local_ids() == {first: 12, second: 2**62, third: "local:7"}
    assert [change.ref.key for change in again.open_changes()] == [refused, first, "local:7"]
    again.close()


def test_what_was_on_the_wire_when_the_program_ended_is_uncertain_and_not_queued(journal, journal_path):
    ids = add(journal, AddStock(1), AddStock(2), AddStock(3))
    journal.begin_attempt(ids[:2], "{}", {}, {"quantity": 5}, 20.0)
    journal.close()
    again = Journal(journal_path)
    again.recover(50.0)
    recovered = again.changes(ids[:2])
    assert [(change.id, change.state, change.moved_at) for change in recovered] == [
        (ids[0], ChangeState.UNCERTAIN, 50.0),
        (ids[1], ChangeState.UNCERTAIN, 50.0),
    ]
    assert recovered[0].reason is not None
    assert recovered[0].reason.code == "interrupted"
    again.recover(60.0)
    assert again.changes(ids[:2]) == recovered
    assert states(again, ids) == ["uncertain", "uncertain", "queued"]
    again.close()


def test_the_record_as_it_was_before_is_kept(journal):
    pet = Pet(2**63 - 1, "Rex", None, "sold", {"chip": [1, 2.5, None], "big": 2**60})
    changes = journal.append("b", [NewChange(PET, Delete()), NewChange(STOCK, AddStock(1))], 10.0, [pet, None])
    assert [past.before for past in Batches(journal).past(changes)] == [pet, None]


def test_the_history_of_one_record_is_its_own(journal):
    add(journal, AddStock(1))
    add(journal, AddStock(2), ref=Ref(Resource.INVENTORY, 5))
    add(journal, SetFields({"name": "x"}), ref=Ref(Resource.PETS, STOCK.key))
    assert [change.intent for change in journal.changes_of(STOCK)] == [AddStock(1)]


def test_reading_what_waits_costs_the_same_with_thousands_done(journal):
    waiting = add(journal, *(AddStock(n) for n in range(10)))
    before = steps_of(journal)
    done = add(journal, *(AddStock(n) for n in range(5_000)))
    send(journal, *done)
    assert [change.id for change in journal.open_changes()] == waiting
    assert steps_of(journal) < before * 1.5


def steps_of(journal: Journal) -> int:
    """How many instructions of SQLite's machine it takes to read what waits, in tens."""
    count = 0

    def step() -> bool:
        nonlocal count
        count += 1
        return False

    connection = journal.connection
    connection.set_progress_handler(step, 10)
    journal.open_changes()
    connection.set_progress_handler(None)
    assert count > 0
    return count


def test_a_value_that_nobody_wrote_is_told_as_damage(journal):
    add(journal, AddStock(1))
    journal.connection.execute("UPDATE change SET intent = '{}'")
    with pytest.raises(StorageError) as caught:
        journal.open_changes()
    assert caught.value.code == "damaged"


@pytest.mark.parametrize(
    ("fault", "error", "code"),
    [
        ("fail_writes", apsw.FullError, "disk-full"),
        ("fail_writes", apsw.IOError, "io-error"),
        ("fail_syncs", apsw.IOError, "io-error"),
        ("fail_writes", apsw.ReadOnlyError, "read-only"),
    ],
)
def test_what_the_disk_did_not_take_is_not_said_to_be_saved(journal_path, fault, error, code):
    with failing_disk() as disk:
        journal = Journal(journal_path)
        (kept,) = add(journal, AddStock(1))
        setattr(disk, fault, error)
        with pytest.raises(StorageError) as caught:
            add(journal, AddStock(2), AddStock(3))
        assert caught.value.code == code
        assert caught.value.params["path"] == str(journal_path)
        with pytest.raises(StorageError):
            journal.begin_attempt([kept], "{}", {}, {}, 20.0)
        setattr(disk, fault, None)
        assert states(journal, [kept]) == ["queued"]
        assert [change.intent for change in journal.open_changes()] == [AddStock(1)]
        add(journal, AddStock(4))
        journal.close()
    again = Journal(journal_path)
    assert again.set_aside is None
    assert [change.intent for change in again.open_changes()] == [AddStock(1), AddStock(4)]
    again.close()


def test_a_damaged_journal_is_set_aside_and_named(journal, journal_path):
    add(journal, *(AddStock(n) for n in range(500)))
    journal.close()
    content = b"\xa5" * 4096 + journal_path.read_bytes()[4096:]
    journal_path.write_bytes(content)
    again = Journal(journal_path)
    assert again.set_aside is not None
    assert again.set_aside.parent == journal_path.parent
    assert again.set_aside.read_bytes() == content
    assert again.open_changes() == ()
    again.close()


def test_the_log_of_a_damaged_journal_goes_with_it(journal, journal_path):
    """Left behind it would be replayed into the fresh file; and it holds what a kill kept from the damaged one."""
    add(journal, *(AddStock(n) for n in range(2_000)))
    journal.close()
    run_and_kill(journal_path, 5)
    middle = journal_path.stat().st_size // 2
    with journal_path.open("r+b") as file:
        file.seek(middle)
        file.write(b"\xa5" * 50_000)
    again = Journal(journal_path)
    assert again.set_aside is not None
    assert again.open_changes() == ()
    again.close()
    log = again.set_aside.with_name(again.set_aside.name + "-wal")
    assert log.stat().st_size > 0


def run_and_kill(path: Path, acknowledged: int) -> list[str]:
    """Let a program append until it said so many lines, and kill it; returns all that it said."""
    command = [sys.executable, "-m", "tests.store.appender", str(path), "append"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as appender:
        assert appender.stdout is not None
        lines = [appender.stdout.readline() for _ in range(acknowledged)]
        kill_hard(appender)
        return lines + appender.stdout.readlines()  # what it said before it died


@pytest.mark.parametrize("acknowledged", [1, 7, 23, 60])
def test_a_kill_loses_nothing_that_was_said_to_be_saved(journal_path, acknowledged):
    lines = run_and_kill(journal_path, acknowledged)
    saved = [line.split() for line in lines if line.startswith("saved") and line.endswith("\n")]
    sending = {int(line.split()[1]) for line in lines if line.startswith("sending") and line.endswith("\n")}
    assert saved
    journal = Journal(journal_path)
    journal.recover(1e9)
    there = {change.id: change for change in journal.open_changes()}
    for n, (_, batch, *ids) in enumerate(saved, start=1):
        for id_ in map(int, ids):
            assert (there[id_].batch, there[id_].intent) == (batch, AddStock(n))
    assert all(there[id_].state is ChangeState.UNCERTAIN for id_ in sending)
    assert len(there) % 2 == 0, "half a batch"
    assert journal.set_aside is None
    journal.close()
