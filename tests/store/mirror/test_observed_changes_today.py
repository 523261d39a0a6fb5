"""What is new or looks otherwise since a midnight, as the mirror knows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from petstore_desktop.domain.records import Category, Key, Pet, Resource, Row
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.store.mirror.reader import MirrorReader

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
    mirror.finish_walk(PETS, number, at)


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
