"""A history.db that cannot be used costs the history alone: mirror and readings go on."""

from __future__ import annotations

from contextlib import closing
from datetime import date
from pathlib import Path

import apsw
import pytest

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.store.history import history as of_history
from petstore_desktop.store.history.reader import PastReader
from tests.store.failing_disk import failing_disk
from tests.store.history.past_bench import KOI, NO_HISTORY, PETS, PastBench, pet, told_of

PARTS = ("history.db", "history.db-wal", "history.db-shm")


def spoil(bench: PastBench) -> None:
    bench.close()
    bench.path.write_bytes(b"no database at all, and long enough to be looked at as one" * 100)


def test_a_damaged_history_is_set_aside_and_begins_anew(bench: PastBench) -> None:
    bench.walk(pet(1))
    spoil(bench)
    bench.open()
    assert [error.code for error in bench.told] == ["history-set-aside"]
    assert len(list(bench.folder.glob("history.db.damaged-*"))) == 1
    bench.walk(pet(1))
    bench.walk(pet(1, "Kai"))
    assert bench.said() == [("changed", "name", "Koi", "Kai", "elsewhere")]


def test_the_last_three_damaged_histories_are_kept(bench: PastBench) -> None:
    for _ in range(3):
        spoil(bench)
        bench.open()
    bench.walk(pet(1))
    for _ in range(2):
        bench.history._database.connection.execute("UPDATE shown SET fields = 'rubbish'")
        bench.show(pet(1, "Kai"))
        bench.walk(pet(1))
    assert [error.code for error in bench.told] == ["history-set-aside"] * 5
    kept = {str(error.params["path"]) for error in bench.told[-3:]}
    found = {str(path).removesuffix("-wal").removesuffix("-shm") for path in bench.folder.glob("history.db.damaged-*")}
    assert found == kept


def test_damage_that_is_met_later_is_set_aside_then(bench: PastBench) -> None:
    bench.walk(*(pet(number, "x" * 50) for number in range(1, 400)))
    bench.close()
    with closing(apsw.Connection(str(bench.path))) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(bench.path.read_bytes())
    content[4096 * 2 :] = b"\xff" * (len(content) - 4096 * 2)
    bench.path.write_bytes(content)
    bench.open()
    bench.show(pet(1, "Kai"))
    bench.show(pet(1, "Kim"))
    assert bench.mirror.get(KOI).record.name == "Kim"
    assert [error.code for error in bench.told] == ["history-set-aside"]
    bench.walk(pet(1, "Kim"), pet(2))
    bench.walk(pet(1, "Kai"), pet(2))
    assert bench.said() == [("changed", "name", "Kim", "Kai", "elsewhere")]


def test_what_no_program_of_ours_wrote_counts_as_damage(bench: PastBench) -> None:
    bench.walk(pet(1))
    bench.history._database.connection.execute("UPDATE shown SET fields = 'rubbish'")
    bench.show(pet(1, "Kai"))
    assert [error.code for error in bench.told] == ["history-set-aside"]
    assert bench.mirror.get(KOI).record.name == "Kai"


@pytest.mark.parametrize(
    "damage",
    [
        *(f"DROP TABLE {table}" for table in ("change", "list", "trimmed", "shown", "day")),
        "UPDATE change SET key = 1.5",
    ],
)
def test_a_missing_table_or_odd_key_is_damage_to_readers_and_is_set_aside_at_the_start(
    bench: PastBench, damage: str
) -> None:
    bench.walk(pet(1))
    bench.walk(pet(1, "Kai"))
    bench.close()
    with closing(apsw.Connection(str(bench.path))) as raw:
        raw.execute(damage)
    read = (
        PastReader.span,
        lambda reader: reader.changes_between(0.0, 9e9),
        lambda reader: reader.totals(date.min, date.max),
    )
    said: list[str] = []
    for question in read:
        with closing(bench.reader) as reader:
            try:
                question(reader)
            except StorageError as error:
                said.append(error.code)
    assert set(said) == {"damaged"}
    bench.open()
    bench.history.catch_up(bench.mirror)
    assert [error.code for error in bench.told] == ["history-set-aside"]
    assert bench.reader.span() == NO_HISTORY


def test_a_folder_in_its_place_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "history.db").mkdir()
    with pytest.raises(StorageError) as told:
        PastReader(tmp_path / "history.db").span()
    assert told.value.code == "cannot-open"


def test_a_history_of_a_later_version_is_left_alone(bench: PastBench) -> None:
    bench.walk(pet(1))
    bench.close()
    with closing(apsw.Connection(str(bench.path))) as later:
        later.execute("PRAGMA user_version = 99")
    bench.open()
    bench.walk(pet(1, "Kai"))
    assert [(error.code, error.params["why"]) for error in bench.told] == [("history-off", "too-new")]
    assert bench.mirror.get(KOI).record.name == "Kai"
    with pytest.raises(StorageError):
        bench.reader.span()
    assert not list(bench.folder.glob("history.db.damaged-*"))


def test_a_locked_history_is_said_once_and_catches_up(bench: PastBench) -> None:
    bench.walk(pet(1), pet(2))
    with closing(apsw.Connection(str(bench.path))) as other:
        other.execute("BEGIN IMMEDIATE")
        bench.show(pet(1, "Kai"))
        bench.gone(KOI)
        bench.walk(pet(2, "Max"), pet(3))
        other.execute("ROLLBACK")
    assert [(error.code, error.params["why"]) for error in bench.told] == [("history-off", "locked")]
    assert (bench.changes(), bench.mirror.count(PETS)) == ([], 2)
    bench.walk(pet(2, "Max"), pet(3), pet(4))
    found = bench.reader.changes_between(0.0, 9e9)
    assert {(one.ref.key, one.what.value, one.field) for one in found} == {
        (1, "gone", ""),
        (2, "changed", "name"),
        (3, "new", ""),
        (4, "new", ""),
    }


@pytest.mark.posix("a database that is opened to read can be locked alone")
def test_a_full_disk_stops_the_recording_until_there_is_room(tmp_path) -> None:
    with failing_disk(only="history.db") as disk:
        bench = PastBench(tmp_path)
        bench.walk(pet(1), pet(2))
        disk.fail_writes = apsw.FullError
        bench.walk(pet(1, "Kai"), pet(2))
        bench.walk(pet(1, "Kim"), pet(2))
        assert [(error.code, error.params["why"]) for error in bench.told] == [("history-off", "disk-full")]
        assert bench.mirror.get(KOI).record.name == "Kim"
        disk.fail_writes = None
        bench.walk(pet(1, "Kim"))
        assert bench.said() == [("changed", "name", "Koi", "Kim", "elsewhere")]
        assert {one.what.value for one in bench.changes()} == {"changed", "gone"}
        bench.close()


def test_a_folder_where_nothing_can_be_written_costs_the_history_alone(bench: PastBench) -> None:
    bench.close()
    for part in PARTS:
        (bench.folder / part).unlink(missing_ok=True)
    bench.path.mkdir()
    bench.open()
    bench.walk(pet(1))
    assert [error.code for error in bench.told] == ["history-off"]
    bench.path.rmdir()
    bench.walk(pet(1))
    bench.walk(pet(1, "Kai"))
    assert bench.said() == [("changed", "name", "Koi", "Kai", "elsewhere")]


# -- bounds


def test_changes_that_are_too_old_go_and_the_history_begins_later(bench: PastBench) -> None:
    bench.walk(pet(1, "A"))
    bench.walk(pet(1, "B"))
    old = bench.now
    bench.read_daily()
    bench.now = old + of_history.KEPT_S - 1.0
    bench.walk(pet(1, "C"))
    assert len(bench.of(KOI)) == 2, "the first is a second younger"
    bench.now += 1.0
    bench.walk(pet(1, "C"))
    assert [one[2:4] for one in bench.said()] == [("B", "C")]
    assert bench.reader.span() == told_of(old, bench.now)
    assert bench.state()[PETS][1]["name"] == "C"


def test_a_clock_that_is_years_ahead_for_once_costs_no_history(bench: PastBench) -> None:
    bench.now += 86_400.0 * 20_000
    right = bench.now
    bench.walk(pet(1, "A"))
    bench.walk(pet(1, "B"))
    bench.now += 3 * of_history.KEPT_S
    bench.walk(pet(1, "B"))
    bench.now = right + 60.0
    bench.walk(pet(1, "C"))
    assert [one[2:4] for one in bench.said()] == [("A", "B"), ("B", "C")]


def test_a_first_reading_by_a_clock_that_is_ahead_is_not_the_beginning_for_ever(bench: PastBench) -> None:
    bench.now = 9e8
    bench.walk(pet(1, "A"))
    bench.now = 5e8
    bench.walk(pet(1, "B"))
    assert bench.reader.span() == told_of(bench.now, bench.now)
    assert [(one.seen_after, one.seen_by) for one in bench.of(KOI)] == [(bench.now, bench.now)]


def test_the_oldest_go_where_the_file_is_too_large(bench: PastBench, monkeypatch) -> None:
    monkeypatch.setattr(of_history, "_TRIMMED_AT_ONCE", 50)
    bench.walk(*(pet(number, "x" * 100) for number in range(300)))
    bench.walk(*(pet(number, "y" * 100) for number in range(300)))
    size = of_history.size(bench.history._database)
    monkeypatch.setattr(of_history, "MOST_BYTES", size)
    bench.walk(*(pet(number, "y" * 100) for number in range(300)))
    assert len(bench.changes()) == 300
    bench.walk(*(pet(number, "z" * 100) for number in range(300)))
    kept = bench.reader.changes_between(0.0, 9e9)
    assert len([one for number in range(300) for one in bench.reader.changes_of(kept[0].ref)]) > 0
    assert of_history.size(bench.history._database) <= size
    assert {one.after for one in kept} == {"z" * 100}
    assert bench.reader.span().first is not None and bench.reader.span().first > 1_001.0


@pytest.mark.posix("an open file can be removed")
def test_a_history_that_is_deleted_meanwhile_is_said_and_begins_anew(bench: PastBench) -> None:
    bench.walk(pet(1))
    for part in PARTS:
        (bench.folder / part).unlink(missing_ok=True)
    bench.walk(pet(1))
    bench.walk(pet(1, "Kai"))
    assert [error.code for error in bench.told] == ["history-gone"]
    assert bench.said() == [("changed", "name", "Koi", "Kai", "elsewhere")]
    assert bench.state()[PETS][1]["name"] == "Kai"


@pytest.mark.parametrize("time", [-1e12, 253_402_300_800.0, float("inf")])
def test_a_time_beyond_the_calendar_is_read_as_the_nearest_in_it(bench: PastBench, time: float) -> None:
    bench.walk(pet(1))
    bench.show(pet(1, "Kai"))
    with closing(apsw.Connection(str(bench.path))) as other:
        other.execute("UPDATE change SET seen_after = ?, seen_by = ?", (time, time))
        other.execute("UPDATE list SET first = ?, ended = ?", (time, time))
    (one,) = bench.reader.changes_of(KOI)
    span = bench.reader.span()
    assert 0 <= one.seen_after == one.seen_by == span.first == span.last < 253_402_300_800


@pytest.mark.parametrize(
    "damage", ["DROP TABLE list", "DROP TABLE change", "DROP TABLE trimmed", "UPDATE change SET key = 1.5"]
)
def test_tables_and_values_that_are_not_ours_are_a_damaged_history(bench: PastBench, damage: str) -> None:
    bench.walk(pet(1))
    bench.show(pet(1, "Kai"))
    with closing(apsw.Connection(str(bench.path))) as other:
        other.execute(damage)
    with pytest.raises(StorageError) as raised:
        bench.reader.span()
        bench.reader.changes_between(0.0, 9e9)
    assert raised.value.code == "damaged"
