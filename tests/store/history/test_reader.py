from __future__ import annotations

from contextlib import closing
from datetime import date
from pathlib import Path

import apsw
import pytest

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.domain.seen_changes import Who
from petstore_desktop.store.history import net
from petstore_desktop.store.history import reader as of_reader
from petstore_desktop.store.history.reader import PastReader
from petstore_desktop.store.history.schema import KIND
from petstore_desktop.store.sqlite.database import Database
from tests.store.history.past_bench import NO_HISTORY, pet, stock, told_of
from tests.support.past_states import state_at

KOI = Ref(Resource.PETS, 7)


def row(what, field="", before=None, after=None, who="elsewhere", at=1.0, fields=None, key=7):
    return ("pets", key, what, who, field, before, after, at - 1, at, fields)


def net_changes(rows):
    return [row for _, row in sorted(net.net_changes(enumerate(rows)), key=lambda one: one[0])]


def test_a_history_that_is_not_there_yet_tells_nothing(tmp_path: Path) -> None:
    with closing(PastReader(tmp_path / "history.db")) as reader:
        assert reader.span() == NO_HISTORY
        assert (reader.changes_between(0.0, 9.0), reader.changes_of(KOI)) == ([], [])
        assert (reader.totals(date(2026, 1, 1), date(2026, 2, 1)), reader.units_gone(0.0)) == ([], {})
        assert state_at(reader, 1.0) == {resource: {} for resource in Resource}
    assert not (tmp_path / "history.db").exists()


def test_a_history_of_another_address_or_a_later_version_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    with closing(Database(path, KIND)) as database, database.transaction() as connection:
        connection.execute("INSERT INTO origin VALUES (1, 'here', '')")
        connection.execute("INSERT INTO list VALUES ('pets', 10.0, 11.0, 12.0, 0)")
    assert PastReader(path, "here").span() == told_of(10.0, 12.0)
    assert PastReader(path, "elsewhere").span() == NO_HISTORY
    with closing(apsw.Connection(str(path))) as later:
        later.execute("PRAGMA user_version = 99")
    with pytest.raises(StorageError) as told:
        PastReader(path, "here").span()
    assert told.value.code == "too-new"


def test_the_history_tells_since_all_lists_were_read(bench) -> None:
    bench.walk(pet(1))
    bench.now += 7 * 86_400.0
    bench.walk(stock(1, 5))
    assert bench.reader.span() == told_of(bench.now, bench.now, Resource.PETS, Resource.INVENTORY)


def test_what_moved_and_moved_back_is_no_difference() -> None:
    there_and_back = [row("changed", "name", "Koi", "Kai"), row("changed", "name", "Kai", "Koi")]
    assert net_changes(there_and_back) == []
    came_and_went = [row("new", fields='{"name":"Koi"}'), row("gone", fields='{"name":"Koi"}')]
    assert net_changes(came_and_went) == []


def test_all_changes_of_a_field_say_who_and_since_when() -> None:
    rows = [
        row("changed", "name", "Koi", "Kai", "here", 5.0),
        row("changed", "status", None, "sold", "here", 6.0),
        row("changed", "name", "Kai", "Kim", "elsewhere", 7.0),
    ]
    assert net_changes(rows) == [
        row("changed", "status", None, "sold", "here", 6.0),
        ("pets", 7, "changed", "both", "name", "Koi", "Kim", 4.0, 7.0, None),
    ]


def test_a_record_that_went_elsewhere_and_was_made_again_here_is_changed_by_both() -> None:
    came = row("new", fields='{"name":"Koi","status":"sold"}', who="here", at=5.0)
    again = [row("gone", fields='{"name":"Koi","status":null}', at=3.0), came]
    assert net_changes(again) == [("pets", 7, "changed", "both", "status", None, "sold", 2.0, 5.0, None)]


def test_what_both_changed_between_two_moments_is_told_as_both(bench) -> None:
    bench.walk(stock(7, 10))
    start = bench.now
    bench.walk(stock(7, 5))
    bench.now += 3_600
    bench.answer(stock(7, 6), quantity=6)
    with closing(bench.reader) as reader:
        [net] = reader.changes_between(start, bench.now)
        [ours] = reader.changes_between(bench.now - 1, bench.now)
    assert (net.before, net.after, net.who, net.seen_after, net.seen_by) == (10, 6, Who.BOTH, start, bench.now)
    assert (ours.before, ours.after, ours.who) == (5, 6, Who.HERE)


def test_a_record_that_came_is_told_as_it_is_now_and_one_that_came_again_by_what_differs() -> None:
    new = [row("new", fields='{"name":"Koi","status":null}', at=3.0), row("changed", "status", None, "sold", at=4.0)]
    assert net_changes(new) == [row("new", fields='{"name":"Koi","status":"sold"}', at=3.0)]
    again = [row("gone", fields='{"name":"Koi","status":"sold"}'), row("new", fields='{"name":"Kai","status":"sold"}')]
    assert net_changes(again) == [row("changed", "name", "Koi", "Kai")]


def test_a_record_that_went_is_told_as_it_was_at_the_first_of_two_moments() -> None:
    gone = [row("changed", "name", "Koi", "Kai", at=3.0), row("gone", fields='{"name":"Kai","status":"sold"}', at=4.0)]
    assert net_changes(gone) == [row("gone", fields='{"name":"Koi","status":"sold"}', at=4.0)]


def test_many_records_that_came_are_told_as_few_are(bench, monkeypatch) -> None:
    bench.walk(pet(1))
    bench.walk(pet(1), *(pet(number) for number in range(2, 8)))
    bench.walk(pet(1, "Kai"), *(pet(number, "Kim") for number in range(2, 7)))
    few = bench.reader.changes_between(0.0, 9e9)
    monkeypatch.setattr(of_reader, "_FEW", 3)
    assert bench.reader.changes_between(0.0, 9e9) == few
    assert [(one.what.value, one.ref.key, one.record.get("name")) for one in few] == [
        *(("new", number, "Kim") for number in range(2, 7)),
        ("changed", 1, None),
    ]
