"""What others changed, as far as answers show it: each value that moved, its record, and between which moments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from petstore_desktop.domain.changes import Fields
from petstore_desktop.domain.history import Sighting
from petstore_desktop.domain.records import Category, ContentId, InventoryItem, Key, Order, Pet, Ref, Resource, Row
from petstore_desktop.store.mirror import observed_changes as sightings
from petstore_desktop.store.mirror.mirror import Mirror, Walk
from petstore_desktop.store.mirror.reader import MirrorReader

PETS = Resource.PETS
KOI = Ref(PETS, 2**63 - 1)


def say(mirror: Mirror, resource: Resource, row: Row, own: Fields | None = None) -> None:
    mirror.put(resource, (row,), mirror.begin_read(), None, own)


def koi(name: str, status: str | None, at: float, category: int | None = 1) -> Row:
    return Row(KOI.key, Pet(2**63 - 1, name, category, status), at)


def test_a_value_that_moved_is_seen_with_both_values_and_both_moments(mirror):
    say(mirror, PETS, koi("Koi", "available", 10.0))
    assert mirror.sightings([KOI]) == ()
    say(mirror, PETS, koi("Koi", "available", 20.0))
    assert mirror.sightings([KOI]) == ()
    say(mirror, PETS, koi("Koi, large", "sold", 30.0))
    say(mirror, PETS, koi("Koi, large", None, 40.0))
    assert set(mirror.sightings([KOI])) == {
        Sighting(KOI, "status", "sold", None, 40.0, 30.0),
        Sighting(KOI, "name", "Koi", "Koi, large", 30.0, 20.0),
        Sighting(KOI, "status", "available", "sold", 30.0, 20.0),
    }
    assert mirror.sightings([KOI])[0].new is None, "the newest comes first"


@pytest.mark.parametrize(
    ("resource", "old", "new", "field", "values"),
    [
        (Resource.CATEGORIES, Category(3, "Fish", None), Category(3, "Fish", "wet"), "description", (None, "wet")),
        (Resource.INVENTORY, InventoryItem(3, -(2**63)), InventoryItem(3, 2**62), "quantity", (-(2**63), 2**62)),
        (Resource.ORDERS, Order(3, complete=False), Order(3, complete=True), "complete", (False, True)),
    ],
)
def test_each_kind_of_record_is_watched_and_its_values_come_back_as_they_were(
    mirror, resource, old, new, field, values
):
    say(mirror, resource, Row(3, old, 1.0))
    say(mirror, resource, Row(3, new, 2.0))
    (seen,) = mirror.sightings([Ref(resource, 3)])
    assert (seen.field, seen.old, seen.new) == (field, *values)
    assert type(seen.new) is type(values[1])


def test_what_the_program_does_not_know_is_no_sighting(mirror):
    say(mirror, PETS, koi("Koi", "sold", 1.0))
    row = koi("Koi", "sold", 2.0)
    say(mirror, PETS, replace(row, record=replace(row.record, extra={"price": 12}), etag='"2"'))
    assert mirror.sightings([KOI]) == ()


def test_a_row_that_a_later_answer_wrote_is_not_seen_to_change_by_an_earlier_one(mirror):
    early = mirror.begin_read()
    say(mirror, PETS, koi("Koi", "sold", 2.0))
    mirror.put(PETS, (koi("Koi", "available", 3.0),), early)
    assert mirror.sightings([KOI]) == ()


def test_what_a_write_of_ours_did_is_nobody_elses_change(mirror):
    say(mirror, PETS, koi("Koi", "available", 1.0))
    say(mirror, PETS, koi("Koi, large", "sold", 2.0), own={"status": "sold"})
    assert [seen.field for seen in mirror.sightings([KOI])] == ["name"]
    say(mirror, Resource.ORDERS, Row(3, Order(3, complete=False), 1.0))
    say(mirror, Resource.ORDERS, Row(3, Order(3, complete=True), 2.0), own={"complete": True})
    assert mirror.sightings([Ref(Resource.ORDERS, 3)]) == ()


def test_sightings_are_kept_over_a_restart_and_asked_for_by_record(mirror, mirror_path):
    for at in (1.0, 2.0):
        say(mirror, PETS, koi("Koi", f"status {at}", at))
        say(mirror, Resource.INVENTORY, Row(KOI.key, InventoryItem(2**63 - 1, int(at)), at))
        say(mirror, PETS, Row(5, Pet(5, f"Carp {at}"), at))
    mirror.close()
    again = Mirror(mirror_path)
    assert [seen.field for seen in again.sightings([KOI, Ref(Resource.INVENTORY, KOI.key)])] == ["quantity", "status"]
    assert [seen.ref for seen in again.sightings([Ref(PETS, 5)])] == [Ref(PETS, 5)]
    assert again.sightings([Ref(Resource.ORDERS, ContentId("ab"))]) == ()
    again.close()


def test_the_oldest_are_let_go_of_when_a_walk_ends(mirror, monkeypatch):
    monkeypatch.setattr(sightings, "KEPT", 3)
    for at in range(6):
        say(mirror, PETS, koi(f"Koi {at}", "sold", float(at)))
    mirror.finish_walk(PETS, mirror.begin_walk(PETS), 10.0, complete=True, sweep=False)
    assert [seen.new for seen in mirror.sightings([KOI])] == ["Koi 5", "Koi 4", "Koi 3"]
    later = 4.0 + sightings.KEPT_S
    walk = mirror.begin_walk(PETS)
    mirror.put(PETS, (koi("Koi 6", "sold", later),), mirror.begin_read(), Walk(walk, None))
    mirror.finish_walk(PETS, walk, later, complete=True, sweep=False)
    assert [seen.new for seen in mirror.sightings([KOI])] == ["Koi 6", "Koi 5", "Koi 4"]


DAY = 86_400.0
MIDNIGHT = 20_000 * DAY
PETS = Resource.PETS


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[Mirror]:
    mirror = Mirror(tmp_path / "mirror.db")
    yield mirror
    mirror.close()


def pet(key: int, name: str, at: float) -> Row:
    return Row(key, Pet(key, name), at)


def put(mirror: Mirror, at: float, *rows: Row) -> None:
    mirror.put(PETS, rows, mirror.begin_read())


def walk(mirror: Mirror, at: float, *names: str) -> None:
    """Pets 1, 2, 3, ... of these names come in one whole walk."""
    number, sequence = mirror.begin_walk(PETS), mirror.begin_read()
    found = mirror.walk(PETS)
    mirror.put(PETS, [pet(key, name, at) for key, name in enumerate(names, 1)], sequence, found)
    mirror.finish_walk(PETS, number, at, complete=True)


def changed(tmp_path: Path, since: float = MIDNIGHT, resource: Resource = PETS) -> set[Key]:
    reader = MirrorReader(tmp_path / "mirror.db")
    try:
        return set(reader.changed_since(since).get(resource, ()))
    finally:
        reader.close()


def test_nothing_is_known_of_a_mirror_that_is_not_there(tmp_path: Path) -> None:
    assert changed(tmp_path) == set()


def test_what_the_first_walk_brings_is_no_change_and_what_comes_after_it_is(tmp_path: Path, mirror: Mirror) -> None:
    walk(mirror, MIDNIGHT + 9 * 3600, "Koi", "Ara")
    assert changed(tmp_path) == set()
    walk(mirror, MIDNIGHT + 10 * 3600, "Koi", "Ara, blue", "New")
    assert changed(tmp_path) == {2, 3}


def test_yesterdays_changes_are_not_todays(tmp_path: Path, mirror: Mirror) -> None:
    walk(mirror, MIDNIGHT - 9000, "Koi", "Ara")
    walk(mirror, MIDNIGHT - 60, "Koi", "Ara, blue")
    assert changed(tmp_path) == set()
    walk(mirror, MIDNIGHT + 60, "Koi", "Ara, blue")
    assert changed(tmp_path) == set(), "nothing differs"
    walk(mirror, MIDNIGHT + 120, "Koi, old", "Ara, blue")
    assert changed(tmp_path) == {1}
    assert changed(tmp_path, MIDNIGHT - DAY) == {1, 2}
    assert changed(tmp_path, MIDNIGHT + DAY) == set()


def test_what_was_changed_and_changed_back_looks_as_in_the_morning(tmp_path: Path, mirror: Mirror) -> None:
    walk(mirror, MIDNIGHT - 9000, "Koi", "Ara", "Rex")
    walk(mirror, MIDNIGHT - 60, "Koi, red", "Ara", "Rex")
    for hour, names in enumerate(
        [("Koi", "Ara, blue", "Max"), ("Koi, gold", "Ara, red", "Rex"), ("Koi, red", "Ara", "Max")]
    ):
        walk(mirror, MIDNIGHT + 3600 * (hour + 1), *names)
    assert changed(tmp_path) == {3}
    assert changed(tmp_path, MIDNIGHT - DAY) == {1, 3}, "since the day before the first one has changed"
    walk(mirror, MIDNIGHT + 5 * 3600, "Koi, red", "Ara", "Rex", "New")
    walk(mirror, MIDNIGHT + 6 * 3600, "Koi, red", "Ara", "Rex", "New, red")
    walk(mirror, MIDNIGHT + 7 * 3600, "Koi, red", "Ara", "Rex", "New")
    assert changed(tmp_path) == {4}, "what came today is new, however often it changed"
    put(mirror, MIDNIGHT + 8 * 3600, pet(2, "Ara, blue", MIDNIGHT + 8 * 3600))
    mirror.put(PETS, [pet(2, "Ara", MIDNIGHT + 9 * 3600)], mirror.begin_read(), own={"name": "Ara"})
    assert changed(tmp_path) == {4}, "also when it was taken back here"
    assert changed(tmp_path, MIDNIGHT + 6 * 3600 + 900) == {4}


def test_a_write_of_ours_is_a_change_too(tmp_path: Path, mirror: Mirror) -> None:
    walk(mirror, MIDNIGHT - 9000, "Koi", "Ara")
    mirror.put(PETS, [pet(1, "Koi, red", MIDNIGHT + 5)], mirror.begin_read(), own={"name": "Koi, red"})
    assert changed(tmp_path) == {1}


def test_each_kind_of_record_counts_from_its_own_first_walk(tmp_path: Path, mirror: Mirror) -> None:
    walk(mirror, MIDNIGHT - 9000, "Koi")
    mirror.put(Resource.CATEGORIES, [Row(7, Category(7, "Fish"), MIDNIGHT + 5)], mirror.begin_read())
    assert changed(tmp_path, resource=Resource.CATEGORIES) == set()
