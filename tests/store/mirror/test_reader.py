from __future__ import annotations

import itertools
import threading

import pytest

from petstore_desktop.desk.model.row_store import RowStore
from petstore_desktop.domain.counts import Gaps
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Category, ContentId, InventoryItem, Order, Pet, Resource, Row
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.store.mirror.reader import FEW_CATEGORIES, MirrorReader

PETS = Resource.PETS


@pytest.fixture
def reader(mirror_path):
    reader = MirrorReader(mirror_path)
    yield reader
    reader.close()


def fill(mirror: Mirror, *names: str) -> None:
    rows = [Row(n, Pet(n, name), 1.0) for n, name in enumerate(names, start=1)]
    mirror.put(PETS, rows, mirror.begin_read())


def test_a_mirror_that_does_not_exist_is_empty_and_is_not_made(reader, mirror_path):
    assert reader.first(PETS, 100) == []
    assert list(reader.stream(PETS)) == []
    assert (reader.facts(PETS).count, reader.facts(PETS).as_of) == (0, None)
    assert not mirror_path.exists()


def test_a_mirror_that_is_made_later_is_found(reader, mirror_path):
    assert reader.first(PETS, 100) == []
    mirror_path.parent.mkdir(parents=True)
    mirror_path.touch()
    assert reader.first(PETS, 100) == []
    mirror = Mirror(mirror_path)
    fill(mirror, "Rex")
    assert [row.record.name for row in reader.first(PETS, 100)] == ["Rex"]
    mirror.close()


def test_the_first_rows_come_in_the_order_asked_for(reader, mirror):
    fill(mirror, "bella", "Arko", "", "Zeus", "arko")
    assert [row.key for row in reader.first(PETS, 3)] == [1, 2, 3]
    assert [row.record.name for row in reader.first(PETS, 9, "name")] == ["", "Arko", "arko", "bella", "Zeus"]


def test_missing_values_come_last(reader, mirror):
    rows = [Row(n, Order(n, pet_id=pet_id), 1.0) for n, pet_id in enumerate((None, 5, None, 2**62))]
    mirror.put(Resource.ORDERS, rows, mirror.begin_read())
    found = [row.record.pet_id for row in reader.first(Resource.ORDERS, 9, "pet_id")]
    assert found == [5, 2**62, None, None]


def test_a_column_that_the_resource_does_not_have_is_refused(reader):
    for order in ("quantity", "name; DROP TABLE pets", "sequence"):
        with pytest.raises(ValueError, match="cannot be sorted"):
            reader.first(PETS, 1, order)


def test_all_rows_stream_in_lists_by_key(reader, mirror):
    rows = [Row(n, InventoryItem(n, n), 1.0) for n in range(1_234)]
    mirror.put(Resource.INVENTORY, rows, mirror.begin_read())
    lists = list(reader.stream(Resource.INVENTORY))
    assert [len(part) for part in lists] == [500, 500, 234]
    assert list(itertools.chain.from_iterable(lists)) == rows
    assert [len(part) for part in reader.stream(Resource.INVENTORY, size=617)] == [617, 617]


def test_the_same_rows_come_as_columns(reader, mirror):
    rows = [
        Row(n, Order(n, n, 2, None, bool(n % 2), extra={"note": n} if n == 7 else {}), 1.0) for n in range(1, 1_500)
    ]
    rows.append(Row(ContentId("abc"), Order(), 2.0))
    mirror.put(Resource.ORDERS, rows, mirror.begin_read())
    blocks = list(reader.blocks(Resource.ORDERS))
    assert [len(block) for block in blocks] == [1_000, 500]
    store = RowStore(Resource.ORDERS)
    for block in blocks:
        store.extend(block)
    assert [store.row(row.key) for row in rows] == rows
    assert list(reader.blocks(PETS)) == []


def test_a_first_screen_of_pets_has_their_stock_their_categories_and_how_often_they_were_ordered(reader, mirror):
    fill(mirror, "Ara", "Boa", "Cat")
    mirror.put(PETS, [Row(7, Pet(7, "Koi", 3), 1.0)], mirror.begin_read())
    mirror.put(Resource.CATEGORIES, [Row(n, Category(n, f"C{n}"), 1.0) for n in (3, 4)], mirror.begin_read())
    mirror.put(Resource.INVENTORY, [Row(n, InventoryItem(n, 5), 1.0) for n in (1, 7)], mirror.begin_read())
    mirror.put(Resource.ORDERS, [Row(n, Order(n, 7 if n % 2 else 2), 1.0) for n in range(1, 6)], mirror.begin_read())
    rows, counts = reader.first_screen(PETS, [7, 3, 99])
    assert {resource: {row.key for row in some} for resource, some in rows.items()} == {
        PETS: {7, 3},
        Resource.INVENTORY: {7},
        Resource.CATEGORIES: {3, 4},  # few are read whole: a new pet may be of any
    }
    assert counts == {Resource.ORDERS: {7: 3}}
    rows, counts = reader.first_screen(Resource.CATEGORIES, [3, 4])
    assert ({row.key for row in rows[Resource.CATEGORIES]}, counts) == ({3, 4}, {PETS: {3: 1}})
    rows, _ = reader.first_screen(Resource.ORDERS, [1, 2])
    assert {row.key for row in rows[PETS]} == {7, 2}


def test_of_many_categories_a_first_screen_has_those_that_are_named(reader, mirror):
    many = FEW_CATEGORIES + 50
    mirror.put(Resource.CATEGORIES, [Row(n, Category(n, f"C{n:03}"), 1.0) for n in range(many)], mirror.begin_read())
    mirror.put(PETS, [Row(7, Pet(7, "Koi", many - 1), 1.0)], mirror.begin_read())
    rows, _ = reader.first_screen(PETS, [7])
    assert [row.key for row in rows[Resource.CATEGORIES]] == [*range(FEW_CATEGORIES), many - 1]


def test_a_stream_shows_one_moment_while_the_writer_goes_on(reader, mirror):
    fill(mirror, *(["old"] * 1_000))
    stream = reader.stream(PETS, size=100)
    seen = next(stream)
    fill(mirror, *(["new"] * 1_500))
    seen += itertools.chain.from_iterable(stream)
    assert {row.record.name for row in seen} == {"old"}
    assert len(seen) == 1_000
    assert [len(part) for part in reader.stream(PETS, size=5_000)] == [1_500]


def test_a_stream_that_is_left_early_holds_nothing(reader, mirror):
    fill(mirror, *(["old"] * 1_000))
    stream = reader.stream(PETS, size=100)
    next(stream)
    stream.close()
    mirror.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert mirror.path.with_name("mirror.db-wal").stat().st_size == 0


def test_facts_are_those_of_the_writer(reader, mirror):
    fill(mirror, "a", "b")
    mirror.finish_walk(PETS, mirror.begin_walk(PETS), 5.5, Gaps(2))
    assert reader.facts(PETS) == mirror.facts(PETS)


def test_readers_on_other_threads_see_whole_pages_while_the_writer_writes(mirror, mirror_path):
    counts: list[int] = []
    done = threading.Event()

    def read() -> None:
        reader = MirrorReader(mirror_path)
        while not done.is_set():
            counts.append(reader.facts(PETS).count)
        reader.close()

    thread = threading.Thread(target=read)
    thread.start()
    while not counts and thread.is_alive():
        pass
    for page in range(40):
        rows = [Row(n, Pet(n, "x"), 1.0) for n in range(page * 500, page * 500 + 500)]
        mirror.put(PETS, rows, mirror.begin_read())
    done.set()
    thread.join()
    assert counts
    assert all(count % 500 == 0 for count in counts)


def test_a_reader_cannot_write(reader, mirror):
    fill(mirror, "Rex")
    reader.first(PETS, 1)
    with pytest.raises(Exception, match="readonly"):
        reader._connection.execute("DELETE FROM pets")
    assert mirror.count(PETS) == 1


def test_a_damaged_mirror_is_told_and_left_for_the_writer(reader, mirror_path):
    mirror_path.parent.mkdir(parents=True)
    mirror_path.write_bytes(b"no database" * 1000)
    with pytest.raises(StorageError) as caught:
        reader.first(PETS, 1)
    assert (caught.value.code, caught.value.params["path"]) == ("damaged", str(mirror_path))
    assert mirror_path.read_bytes() == b"no database" * 1000
