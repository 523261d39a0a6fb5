"""What the mirror keeps of a list as a whole: its price, its ETag, and how far a walk has come."""

from __future__ import annotations

import apsw
import pytest

from petstore_desktop.domain.counts import NO_GAPS, Gaps
from petstore_desktop.domain.records import Pet, Ref, Resource, Row
from petstore_desktop.store.mirror.mirror import Mirror, Walk
from petstore_desktop.store.mirror.rows import ListStatus
from petstore_desktop.store.mirror.schema import KIND

PETS = Resource.PETS


def pet(id_: int, name: str = "Rex", seen_at: float = 1.0) -> Row:
    return Row(id_, Pet(id_, name, 1, "available"), seen_at)


def read_whole(mirror: Mirror, *rows: Row, etag: str | None = '"v1" /pets', requests: int = 1) -> None:
    """A walk from one end to the other in one answer."""
    walk = mirror.begin_walk(PETS)
    mirror.put(PETS, rows, mirror.begin_read(), Walk(walk, None, requests))
    mirror.finish_walk(PETS, walk, 5.0, requests=requests, etag=etag)


def test_what_a_walk_took_and_its_etag_outlive_a_restart(mirror, mirror_path):
    read_whole(mirror, pet(1), pet(2), requests=7)
    mirror.close()
    again = Mirror(mirror_path)
    assert again.facts(PETS) == ListStatus(2, 5.0, NO_GAPS, 7, '"v1" /pets')
    again.close()


def test_a_walk_says_how_many_requests_it_has_taken_and_which_rows_it_has_seen(mirror, mirror_path):
    walk = mirror.begin_walk(PETS)
    assert mirror.walk(PETS) == Walk(walk, None, 0)
    mirror.put(PETS, [pet(1), pet(2)], mirror.begin_read(), Walk(walk, "b", 3, 50))
    mirror.put(PETS, [pet(9)], mirror.begin_read())
    mirror.close()
    again = Mirror(mirror_path)
    assert again.walk(PETS) == Walk(walk, "b", 3, 50)
    assert again.walked(PETS, walk) == 2
    again.close()


def test_the_etag_is_kept_while_the_rows_are_what_the_list_showed(mirror):
    read_whole(mirror, pet(1), pet(2))
    mirror.put(PETS, [pet(1, seen_at=8.0)], mirror.begin_read())
    mirror.put(Resource.CATEGORIES, [], mirror.begin_read())
    assert not mirror.remove(Ref(PETS, 77), mirror.begin_read())
    assert mirror.facts(PETS).etag is not None


@pytest.mark.parametrize("how", ["changed", "added", "removed", "changed by a walk that does not end"])
def test_whatever_changes_a_row_lets_go_of_the_etag(mirror, how):
    read_whole(mirror, pet(1), pet(2))
    if how == "removed":
        mirror.remove(Ref(PETS, 1), mirror.begin_read())
    elif how == "added":
        mirror.put(PETS, [pet(3)], mirror.begin_read())
    else:
        walk = mirror.begin_walk(PETS) if "walk" in how else None
        mirror.put(PETS, [pet(1, "Max")], mirror.begin_read(), walk and Walk(walk, None))
    assert mirror.facts(PETS).etag is None


@pytest.mark.parametrize("how", [{"gaps": Gaps(2)}, {"sweep": False}])
def test_a_list_that_did_not_come_whole_has_no_etag(mirror, how):
    read_whole(mirror, pet(1), pet(2))
    walk = mirror.begin_walk(PETS)
    mirror.put(PETS, [pet(1), pet(2)], mirror.begin_read(), walk and Walk(walk, None))
    mirror.finish_walk(PETS, walk, 6.0, etag='"v2" /pets', **how)
    assert mirror.facts(PETS).etag is None


@pytest.mark.parametrize("how", ["written", "removed"])
def test_a_row_that_something_newer_touched_while_the_list_was_on_its_way_is_not_the_list_s(mirror, how):
    walk, read = mirror.begin_walk(PETS), mirror.begin_read()
    if how == "written":
        mirror.put(PETS, [pet(1, "Max")], mirror.begin_read())
    else:
        mirror.remove(Ref(PETS, 1), mirror.begin_read())
    mirror.put(PETS, [pet(1), pet(2)], read, Walk(walk, None))
    mirror.finish_walk(PETS, walk, 5.0, etag='"v1" /pets')
    assert mirror.facts(PETS).etag is None


def test_a_list_that_was_confirmed_was_seen_again_and_stays_as_it_is(mirror):
    read_whole(mirror, pet(1), pet(2), requests=1)
    walk, read = mirror.begin_walk(PETS), mirror.begin_read()
    mirror.confirm_walk(PETS, walk, read, 9.5)
    assert mirror.facts(PETS) == ListStatus(2, 9.5, NO_GAPS, 1, '"v1" /pets')
    row = mirror.get(Ref(PETS, 1))
    assert (row.seen_at, row.record.name) == (9.5, "Rex")
    assert mirror.walk(PETS) is None
    # What is older than the confirmation does not undo it.
    assert mirror.put(PETS, [pet(1, "Old")], read - 1) == ()
    assert mirror.get(Ref(PETS, 1)).record.name == "Rex"


def test_what_came_while_a_list_was_confirmed_is_younger_than_that(mirror):
    read_whole(mirror, pet(1), pet(2))
    walk, read = mirror.begin_walk(PETS), mirror.begin_read()
    mirror.put(PETS, [pet(1, "Max", seen_at=9.9)], mirror.begin_read())
    mirror.confirm_walk(PETS, walk, read, 9.5)
    row = mirror.get(Ref(PETS, 1))
    assert (row.seen_at, row.record.name) == (9.9, "Max")
    assert mirror.facts(PETS).etag is None


def test_a_walk_that_was_replaced_confirms_nothing(mirror):
    read_whole(mirror, pet(1))
    old = mirror.begin_walk(PETS)
    mirror.begin_walk(PETS)
    mirror.confirm_walk(PETS, old, mirror.begin_read(), 9.5)
    assert mirror.facts(PETS).as_of == 5.0


def test_a_mirror_of_the_first_version_keeps_its_rows_and_its_walk(mirror_path):
    mirror_path.parent.mkdir(parents=True)
    connection = apsw.Connection(str(mirror_path))
    for statement in KIND.steps[0]:
        connection.execute(statement)
    connection.execute("INSERT INTO pets VALUES (1, 'Rex', 1, 'available', NULL, NULL, 1.0, 5, 4, 5)")
    connection.execute("INSERT INTO fact VALUES ('pets', 5.0, 100)")
    connection.execute("INSERT INTO walk VALUES ('pets', 4, 'b')")
    connection.execute(f"PRAGMA application_id={KIND.application_id}")
    connection.execute("PRAGMA user_version=1")
    connection.close()
    mirror = Mirror(mirror_path)
    assert mirror.facts(PETS) == ListStatus(1, 5.0, Gaps(100), None, None)
    assert mirror.walk(PETS) == Walk(4, "b", 0)
    assert mirror.get(Ref(PETS, 1)) == pet(1)
    mirror.close()
