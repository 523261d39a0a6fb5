"""The journal as a table: the newest first, in windows, open and closed entries alike."""

from __future__ import annotations

from petstore_desktop.desk.changes.history_lines import past_line
from petstore_desktop.domain.batches import BatchLine, ChangeFilter, HistoryEntry
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, NewChange, Reason, SetFields
from petstore_desktop.domain.records import LocalId, Pet, Ref, Resource
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.reader import JournalReading
from petstore_desktop.store.journal.rows import Outcome
from tests.desk.shopkit import small_shop

KOI, CARP = Ref(Resource.PETS, 1234), Ref(Resource.PETS, 2**62)
STOCK = Ref(Resource.INVENTORY, 1234)


def add(journal: Journal, batch: str, *refs: Ref, at: float = 10.0) -> list[int]:
    acts = [NewChange(ref, SetFields({"status": "sold"}), {"status": "pending"}) for ref in refs]
    return [change.id for change in journal.append(batch, acts, at)]


def end(journal: Journal, change: int, outcome: ChangeState, at: float = 20.0) -> None:
    attempt = journal.begin_attempt([change], "{}", {}, {"status": "sold"}, at)
    journal.end_attempt(attempt, Outcome(outcome), at + 1)


def found(journal: Journal, wanted: ChangeFilter | None = None, size: int = 100) -> list[int]:
    """All windows, one after the other."""
    ids: list[int] = []
    below: int | None = None
    while True:
        filed, below = JournalReading(journal).window(wanted or ChangeFilter(), below, size)
        ids += [one.id for one in filed]
        if below is None:
            return ids


def test_every_entry_is_read_once_the_newest_first_whatever_the_windows_are(journal):
    ids = add(journal, "one", *[KOI] * 7) + add(journal, "two", *[CARP] * 4)
    end(journal, ids[3], ChangeState.DONE)
    for size in (1, 2, 3, 11, 12):
        assert found(journal, size=size) == ids[::-1]
    assert JournalReading(journal).total() == 11


def test_a_window_is_bounded_even_where_nothing_in_it_fits(journal):
    ids = add(journal, "one", *[KOI] * 5)
    end(journal, ids[0], ChangeState.DONE)
    filed, below = JournalReading(journal).window(ChangeFilter(states=frozenset({ChangeState.DONE})), None, 3)
    assert (filed, below) == ([], ids[2])
    assert found(journal, ChangeFilter(states=frozenset({ChangeState.DONE})), 3) == [ids[0]]


def test_entries_are_found_by_state(journal):
    queued, sending, refused, done = add(journal, "one", *[KOI] * 4)
    end(journal, refused, ChangeState.REFUSED)
    end(journal, done, ChangeState.DONE)
    journal.begin_attempt([sending], "{}", {}, {}, 30.0)
    for state, change in (("queued", queued), ("sending", sending), ("refused", refused), ("done", done)):
        assert found(journal, ChangeFilter(states=frozenset({ChangeState(state)}))) == [change]
    both = frozenset({ChangeState.REFUSED, ChangeState.DONE})
    assert found(journal, ChangeFilter(states=both)) == [done, refused]


def test_entries_are_found_by_the_moment_the_person_acted(journal):
    early, late = add(journal, "one", KOI, at=100.0), add(journal, "two", KOI, at=200.0)
    end(journal, early[0], ChangeState.DONE, at=500.0)
    assert found(journal, ChangeFilter(since=200.0)) == late
    assert found(journal, ChangeFilter(until=200.0)) == early
    assert found(journal, ChangeFilter(since=100.0, until=200.0)) == early


def test_entries_are_found_by_batch_and_by_record(journal):
    one, two = add(journal, "one", KOI, CARP), add(journal, "two", STOCK, KOI)
    assert found(journal, ChangeFilter(batches=("two",)), 1) == two[::-1]
    assert found(journal, ChangeFilter(batches=("one", "two"))) == [*two[::-1], *one[::-1]]
    assert found(journal, ChangeFilter(refs=(KOI, STOCK)), 2) == [*two[::-1], one[0]]


def test_an_entry_knows_what_its_record_was_called(journal):
    made = journal.append(
        "b",
        [
            NewChange(KOI, AddStock(1)),
            NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": "Odd \ud800 <b>name</b>"})),
            NewChange(KOI, SetFields({"status": "sold"})),
        ],
        1.0,
        [Pet(1234, "Koi"), None, None],
    )
    filed, _ = JournalReading(journal).window(ChangeFilter())
    assert [one.named for one in filed] == ["", "Odd \ud800 <b>name</b>", "Koi"]
    assert [one.change() for one in filed] == list(made[::-1])
    assert [one.state for one in filed] == [ChangeState.QUEUED] * 3


def test_what_was_discarded_says_what_had_become_of_it_before(journal):
    shop = small_shop().shop
    unsent, held, refused, again = add(journal, "one", *[KOI] * 4)
    said_no = Outcome(ChangeState.REFUSED, Reason("conflict", "category 9 has 2 pets", 409))
    for change, outcomes in ((refused, (said_no,)), (again, (said_no, Outcome(ChangeState.QUEUED)))):
        for outcome in outcomes:
            journal.end_attempt(journal.begin_attempt([change], "{}", {}, {}, 20.0), outcome, 21.0)
    journal.settle([held], Outcome(ChangeState.REFUSED, Reason("record-unknown", "")), 21.0)
    journal.discard([unsent, held, refused, again], 30.0)
    filed, _ = JournalReading(journal).window(ChangeFilter())
    assert [(one.id, one.tried) for one in reversed(filed)] == [
        (unsent, ""),
        (held, ""),
        (refused, "refused"),
        (again, "tried"),
    ]
    entries = [HistoryEntry(one.change(), KOI, "Koi", undone=True, tried=one.tried) for one in reversed(filed)]
    lines = [past_line(shop, BatchLine(one, one.change.id, ((one.change.state, 1),)), None) for one in entries]
    assert [line.sentence.code.removeprefix("past.discarded") for line in lines] == [
        "-undone",
        "-undone",
        "-refused-undone",
        "-tried-undone",
    ]


def test_the_archive_is_read_with_the_journal_each_entry_once(journal, tmp_path):
    """Ids of both are mixed, and a kill may have left some in both."""
    other = Journal(tmp_path / "archive.db")
    ids = add(journal, "one", *[KOI] * 30)
    add(other, "one", *[KOI] * 30)
    for database, gone in ((journal, ids[2:8]), (other, [*ids[:2], *ids[9:]])):
        with database.transaction() as connection:
            for change in gone:
                connection.execute("DELETE FROM open_change WHERE change_id = ?", (change,))
                connection.execute("DELETE FROM change WHERE id = ?", (change,))
    both = JournalReading(journal, lambda: other)
    for size in (1, 4, 100):
        seen: list[int] = []
        below: int | None = None
        while True:
            filed, below = both.window(ChangeFilter(), below, size)
            assert len(filed) <= 2 * size
            seen += [one.id for one in filed]
            if below is None:
                break
        assert seen == ids[::-1]
    assert both.total() == 31, "until the next tidying one lies in both"
    other.close()
