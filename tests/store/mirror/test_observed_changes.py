"""What others changed, as far as answers show it: each value that moved, its record, and between which moments."""

from __future__ import annotations

from dataclasses import replace

import pytest

from petstore_desktop.domain.changes import Fields
from petstore_desktop.domain.history import ObservedChange
from petstore_desktop.domain.records import Category, ContentId, InventoryItem, Order, Pet, Ref, Resource, Row
from petstore_desktop.store.mirror import observed_changes as observed
from petstore_desktop.store.mirror.mirror import Mirror, Walk

PETS = Resource.PETS
KOI = Ref(PETS, 2**63 - 1)


def say(mirror: Mirror, resource: Resource, row: Row, own: Fields | None = None) -> None:
    mirror.put(resource, (row,), mirror.begin_read(), None, own)


def koi(name: str, status: str | None, at: float, category: int | None = 1) -> Row:
    return Row(KOI.key, Pet(2**63 - 1, name, category, status), at)


def test_a_value_that_moved_is_seen_with_both_values_and_both_moments(mirror):
    say(mirror, PETS, koi("Koi", "available", 10.0))
    assert mirror.observed([KOI]) == ()
    say(mirror, PETS, koi("Koi", "available", 20.0))
    assert mirror.observed([KOI]) == ()
    say(mirror, PETS, koi("Koi, large", "sold", 30.0))
    say(mirror, PETS, koi("Koi, large", None, 40.0))
    assert set(mirror.observed([KOI])) == {
        ObservedChange(KOI, "status", "sold", None, 40.0, 30.0),
        ObservedChange(KOI, "name", "Koi", "Koi, large", 30.0, 20.0),
        ObservedChange(KOI, "status", "available", "sold", 30.0, 20.0),
    }
    assert mirror.observed([KOI])[0].new is None, "the newest comes first"


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
    (seen,) = mirror.observed([Ref(resource, 3)])
    assert (seen.field, seen.old, seen.new) == (field, *values)
    assert type(seen.new) is type(values[1])


def test_what_the_program_does_not_know_is_no_sighting(mirror):
    say(mirror, PETS, koi("Koi", "sold", 1.0))
    row = koi("Koi", "sold", 2.0)
    say(mirror, PETS, replace(row, record=replace(row.record, extra={"price": 12}), etag='"2"'))
    assert mirror.observed([KOI]) == ()


def test_a_row_that_a_later_answer_wrote_is_not_seen_to_change_by_an_earlier_one(mirror):
    early = mirror.begin_read()
    say(mirror, PETS, koi("Koi", "sold", 2.0))
    mirror.put(PETS, (koi("Koi", "available", 3.0),), early)
    assert mirror.observed([KOI]) == ()


def test_what_a_write_of_ours_did_is_nobody_elses_change(mirror):
    say(mirror, PETS, koi("Koi", "available", 1.0))
    say(mirror, PETS, koi("Koi, large", "sold", 2.0), own={"status": "sold"})
    assert [seen.field for seen in mirror.observed([KOI])] == ["name"]
    say(mirror, Resource.ORDERS, Row(3, Order(3, complete=False), 1.0))
    say(mirror, Resource.ORDERS, Row(3, Order(3, complete=True), 2.0), own={"complete": True})
    assert mirror.observed([Ref(Resource.ORDERS, 3)]) == ()


def test_sightings_are_kept_over_a_restart_and_asked_for_by_record(mirror, mirror_path):
    for at in (1.0, 2.0):
        say(mirror, PETS, koi("Koi", f"status {at}", at))
        say(mirror, Resource.INVENTORY, Row(KOI.key, InventoryItem(2**63 - 1, int(at)), at))
        say(mirror, PETS, Row(5, Pet(5, f"Carp {at}"), at))
    mirror.close()
    again = Mirror(mirror_path)
    assert [seen.field for seen in again.observed([KOI, Ref(Resource.INVENTORY, KOI.key)])] == ["quantity", "status"]
    assert [seen.ref for seen in again.observed([Ref(PETS, 5)])] == [Ref(PETS, 5)]
    assert again.observed([Ref(Resource.ORDERS, ContentId("ab"))]) == ()
    again.close()


def test_the_oldest_are_let_go_of_when_a_walk_ends(mirror, monkeypatch):
    monkeypatch.setattr(observed, "KEPT", 3)
    for at in range(6):
        say(mirror, PETS, koi(f"Koi {at}", "sold", float(at)))
    mirror.finish_walk(PETS, mirror.begin_walk(PETS), 10.0, sweep=False)
    assert [seen.new for seen in mirror.observed([KOI])] == ["Koi 5", "Koi 4", "Koi 3"]
    later = 4.0 + observed.KEPT_S
    walk = mirror.begin_walk(PETS)
    mirror.put(PETS, (koi("Koi 6", "sold", later),), mirror.begin_read(), Walk(walk, None))
    mirror.finish_walk(PETS, walk, later, sweep=False)
    assert [seen.new for seen in mirror.observed([KOI])] == ["Koi 6", "Koi 5", "Koi 4"]
