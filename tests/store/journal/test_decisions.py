from __future__ import annotations

from pathlib import Path

from petstore_desktop.domain.changes import AddStock, ChangeState, Create, NewChange, Reason, SetFields
from petstore_desktop.domain.commands import Choice, Decided, Draft, KeepDraft
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.store.journal.decisions import Drafts, JournalDecisions
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.rows import Outcome

PET = Ref(Resource.PETS, 7)
MOVED = Reason("moved", "", theirs={"name": "Kai"})


def stuck(journal: Journal, *outcomes: str) -> list[int]:
    """A change in each of these states."""
    acts = [NewChange(Ref(Resource.PETS, n), SetFields({"name": "Koi"}), {"name": "K"}) for n in range(len(outcomes))]
    ids = [change.id for change in journal.append("batch", acts, 10.0)]
    for id_, outcome in zip(ids, outcomes, strict=True):
        if outcome != "queued":
            attempt = journal.begin_attempt((id_,), "{}", {}, {}, 20.0)
            journal.end_attempt(attempt, Outcome(ChangeState(outcome), MOVED), 21.0)
    return ids


def states(journal: Journal, ids: list[int]) -> list[str]:
    return [change.state.value for change in journal.changes(ids)]


def test_a_person_can_send_again_only_what_waits_for_a_person(journal: Journal) -> None:
    ids = stuck(journal, "refused", "conflict", "uncertain", "done", "queued")
    again = JournalDecisions(journal).decide("d", (Decided(tuple(ids), Choice.MINE),), 30.0)
    assert [change.id for change in again] == ids[:3]
    assert {(change.state, change.reason) for change in again} == {(ChangeState.QUEUED, None)}
    assert states(journal, ids) == ["queued", "queued", "queued", "done", "queued"]
    assert [attempt.outcome for attempt in journal.attempts(ids[4])] == []


def test_every_decision_can_be_brought_back_with_its_reason_and_over_a_restart(
    journal: Journal, journal_path: Path
) -> None:
    ids = stuck(journal, "refused", "conflict", "uncertain")
    before = journal.changes(ids)
    choices = [Decided((id_,), choice) for id_, choice in zip(ids, Choice, strict=True)]
    JournalDecisions(journal).decide("d", choices, 30.0)
    assert states(journal, ids) == ["queued", "discarded", "done"]
    journal.close()
    again = Journal(journal_path)
    book = JournalDecisions(again)
    assert [(one.id, one.at, one.change_ids) for one in book.latest()] == [("d", 30.0, tuple(ids))]
    back = book.take_back("d", 40.0)
    assert [(one.state, one.reason) for one in back] == [(one.state, one.reason) for one in before]
    assert [change.id for change in again.open_changes()] == ids
    assert book.latest() == ()
    again.close()


def test_what_has_gone_on_since_is_not_brought_back(journal: Journal) -> None:
    first, second = stuck(journal, "conflict", "conflict")
    book = JournalDecisions(journal)
    book.decide("d", (Decided((first, second), Choice.MINE),), 30.0)
    journal.begin_attempt((first,), "{}", {}, {}, 31.0)
    assert [one.change_ids for one in book.latest()] == [(first, second)]
    assert book.gone_on("d") == {"batch": [first]}
    assert [change.id for change in book.take_back("d", 40.0)] == [second]
    assert states(journal, [first, second]) == ["sending", "conflict"]


def test_what_took_the_place_of_another_stands_once_it_is_being_sent(journal: Journal) -> None:
    (old,) = stuck(journal, "conflict")
    book = JournalDecisions(journal)
    (new,) = journal.append("d", [NewChange(PET, SetFields({"name": "Kim"}), {"name": "Kai"})], 30.0)
    book.decide("d", (Decided((old,), Choice.THEIRS),), 30.0)
    assert [one.id for one in book.latest()] == ["d"]
    journal.begin_attempt((new.id,), "{}", {}, {}, 31.0)
    assert book.latest() == ()
    assert book.take_back("d", 40.0) == ()
    assert states(journal, [old]) == ["discarded"]


def test_what_waited_behind_a_creation_that_was_let_go_waits_again(journal: Journal) -> None:
    local = LocalId("a")
    made, booked = journal.append(
        "batch",
        [
            NewChange(Ref(Resource.PETS, local), Create({"name": "Koi"})),
            NewChange(Ref(Resource.INVENTORY, local), AddStock(2)),
        ],
        10.0,
    )
    journal.settle((made.id,), Outcome(ChangeState.REFUSED, Reason("bad", "no")), 11.0)
    book = JournalDecisions(journal)
    book.decide("d", (Decided((made.id, booked.id), Choice.THEIRS),), 30.0)
    assert states(journal, [made.id, booked.id]) == ["discarded", "discarded"]
    book.take_back("d", 40.0)
    assert states(journal, [made.id, booked.id]) == ["refused", "queued"]


def test_what_a_person_saw_is_known_until_the_change_is_over_or_the_decision_is_brought_back(journal: Journal) -> None:
    first, second, third = stuck(journal, "conflict", "conflict", "conflict")
    book = JournalDecisions(journal)
    for name, id_ in (("a", first), ("b", second), ("c", third)):
        book.decide(name, (Decided((id_,), Choice.MINE, {"name": f"Kai {name}"}),), 30.0)
    journal.settle((first,), Outcome(ChangeState.DONE), 31.0)
    book.take_back("b", 32.0)
    assert book.accepted() == {third: {"name": "Kai c"}}


def test_a_decision_that_a_later_one_let_go_stands_again_and_is_brought_back_in_turn(journal: Journal) -> None:
    (id_,) = stuck(journal, "conflict")
    book = JournalDecisions(journal)
    book.decide("mine", (Decided((id_,), Choice.MINE, {"name": "Kai"}),), 30.0)
    book.decide("away", (Decided((id_,), Choice.THEIRS),), 31.0)
    assert [one.id for one in book.latest()] == ["away"]
    book.take_back("away", 40.0)
    assert (states(journal, [id_]), book.accepted()) == (["queued"], {id_: {"name": "Kai"}})
    assert [(one.id, one.at) for one in book.latest()] == [("mine", 30.0)]
    (back,) = book.take_back("mine", 41.0)
    assert (back.state, back.reason, book.accepted()) == (ChangeState.CONFLICT, MOVED, {})


def test_some_of_what_was_let_go_is_brought_back_and_the_rest_later(journal: Journal) -> None:
    ids = stuck(journal, "conflict", "refused", "queued")
    book = JournalDecisions(journal)
    book.decide("away", (Decided(tuple(ids), Choice.THEIRS),), 30.0)
    assert [change.id for change in book.take_back("away", 40.0, ids[1:2])] == ids[1:2]
    assert states(journal, ids) == ["discarded", "refused", "discarded"]
    assert [one.change_ids for one in book.latest()] == [(ids[0], ids[2])]
    book.decide("again", (Decided(tuple(ids[1:2]), Choice.THEIRS),), 41.0)
    book.take_back("again", 42.0)
    book.take_back("away", 43.0)
    assert states(journal, ids) == ["conflict", "refused", "queued"]


def test_a_draft_is_kept_over_a_restart_and_replaced_and_dropped(journal: Journal, journal_path: Path) -> None:
    drafts = Drafts(journal)
    drafts.write([KeepDraft("new-pet", {"names": "Koi"}), KeepDraft("new-category", {"name": "Fish"})], 10.0)
    drafts.write([KeepDraft("new-pet", {"names": "Koi\nKai 🐕", "status": ""}), KeepDraft("new-category", None)], 11.0)
    journal.close()
    again = Journal(journal_path)
    assert Drafts(again).all() == (Draft("new-pet", 11.0, {"names": "Koi\nKai 🐕", "status": ""}),)
    again.close()
