from __future__ import annotations

import statistics
import time
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from petstore_desktop.domain.counts import NO_GAPS, Gaps
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import (
    Category,
    ContentId,
    InventoryItem,
    LocalId,
    Order,
    Pet,
    Ref,
    Resource,
    Row,
    ShownFields,
)
from petstore_desktop.store.mirror.mirror import Mirror, Walk
from petstore_desktop.store.mirror.reader import MirrorReader
from petstore_desktop.store.mirror.schema import KIND
from petstore_desktop.store.sqlite.database import Database, DatabaseKind

PETS = Resource.PETS
BIG = 9_223_372_036_854_775_807

ODD_ROWS = {
    PETS: (
        Row(
            BIG,
            Pet(BIG, "<b>bold</b>\0\n", -(2**63), "sold", {"a": [1, 2.5, None, {"b": 2**60}], "é": "🐕"}),
            1.25,
            '"v1"',
        ),
        Row(0, Pet(0, ""), 1.0),
        Row(-(2**63), Pet(-(2**63), "مرحبا 🦜", None, "on holiday"), 2.0),
        Row("ord_7", Pet("ord_7", "Rex", "local:3"), 2.0),
        Row("local:7", Pet("local:7", "Rex", "007"), 2.0),
        Row("7 🐕", Pet("7 🐕", "Rex", 7), 2.0),
    ),
    Resource.CATEGORIES: (
        Row(BIG - 1, Category(BIG - 1, "鳥", "birds 🦜"), 1.0),
        Row(1, Category(1, "x"), 2.0, 'W/"2"'),
    ),
    Resource.ORDERS: (
        Row(BIG, Order(BIG, BIG, 2**62, "2024-02-30T25:00", False), 1.0),
        Row(2, Order(2), 1.0),
        Row(3, Order(3, complete=True), 1.0),
        Row("content:ab12", Order("content:ab12", "text:é"), 1.0),
        Row(ContentId("ab12"), Order(None, 7, -1, "", None, extra={"gift": True}), 1.0),
    ),
    Resource.INVENTORY: (
        Row(BIG, InventoryItem(BIG, -(2**63)), 1.0),
        Row(5, InventoryItem(5, 0, "sold"), 1.0),
        Row("5a", InventoryItem("5a", 1), 1.0),
    ),
}


def pet(id_: int, name: str = "Rex", seen_at: float = 1.0, etag: str | None = None) -> Row:
    return Row(id_, Pet(id_, name, 1, "available"), seen_at, etag)


def put(mirror: Mirror, *rows: Row, walk: int | None = None, cursor: str | None = None) -> tuple[Row, ...]:
    return mirror.put(PETS, rows, mirror.begin_read(), None if walk is None else Walk(walk, cursor))


def names(mirror: Mirror, *ids: int) -> list[str | None]:
    rows = [mirror.get(Ref(PETS, id_)) for id_ in ids]
    return [None if row is None else row.record.name for row in rows]


_TAGS = st.sampled_from([None, '"a"', '"b"'])
_PAGE = st.tuples(
    st.integers(0, 30),
    st.integers(1, 2),
    _TAGS,
    st.dictionaries(st.integers(0, 60), st.tuples(st.sampled_from(["Rex", "Koi"]), _TAGS), max_size=3),
    st.sampled_from([None, 1, 2]),
    st.integers(0, 2),
    st.integers(0, 60),
)
"""The first id and the step to the next, the ETag of most rows, odd rows, the walk, how late it is, and who goes."""


@settings(max_examples=25)
@given(st.lists(_PAGE, min_size=2, max_size=4))
def test_a_page_that_is_stored_at_once_is_as_if_its_rows_came_one_by_one(
    tmp_path_factory: pytest.TempPathFactory,
    pages: list[tuple[int, int, str | None, dict[int, tuple[str, str | None]], int | None, int, int]],
) -> None:
    """Some pages are late, so that newer answers have changed or removed what they show."""
    folder = tmp_path_factory.mktemp("mirrors")
    at_once, singly = Mirror(folder / "once.db"), Mirror(folder / "singly.db")
    query = "SELECT key, name, category_id, status, extra, etag, seen_at, sequence, walk FROM pets"
    with closing(at_once), closing(singly):
        for number, (first, step, tag, odd, walk, late, gone) in enumerate(pages, 1):
            shown = {key: odd.get(key, ("Rex", tag)) for key in range(first, first + 20 * step, step)}
            rows = [pet(key, name, float(number), etag) for key, (name, etag) in shown.items()]
            sequence, of = 10 * (number - late), None if walk is None else Walk(walk, None)
            told = [row for one in rows for row in singly.put(PETS, (one,), sequence, of)]
            assert sorted(row.key for row in at_once.put(PETS, rows, sequence, of)) == [row.key for row in told]
            for mirror in (at_once, singly):
                mirror.remove(Ref(PETS, gone), 10 * number + 1)
            assert at_once.rows(query) == singly.rows(query)


@pytest.mark.parametrize("resource", list(Resource))
def test_rows_come_back_to_the_last_digit_and_letter_after_a_restart(mirror, mirror_path, resource):
    rows = ODD_ROWS[resource]
    assert mirror.put(resource, rows, mirror.begin_read()) == rows
    mirror.close()
    again = Mirror(mirror_path)
    for row in rows:
        kept = again.get(Ref(resource, row.key))
        assert repr(kept) == repr(row)
    assert again.count(resource) == len(rows)
    assert again.put(resource, rows, again.begin_read()) == ()
    again.close()


def test_only_what_is_new_or_changed_is_told(mirror):
    put(mirror, pet(1), pet(2), pet(3))
    assert put(mirror, pet(1), pet(2, "Max"), pet(4)) == (pet(2, "Max"), pet(4))


@pytest.mark.parametrize(
    "changed",
    [
        Pet(1, "Rex", 2, "available"),
        Pet(1, "Rex", None, "available"),
        Pet(1, "Rex", 1, "sold"),
        Pet(1, "Rex", 1, "available", {"x": 1}),
    ],
)
def test_any_difference_in_content_is_a_change(mirror, changed):
    put(mirror, pet(1))
    assert put(mirror, Row(1, changed, 1.0)) == (Row(1, changed, 1.0),)


def test_a_row_that_was_confirmed_is_younger_and_keeps_the_newest_tag_but_is_no_news(mirror):
    put(mirror, pet(1, seen_at=1.0, etag='"a"'))
    assert put(mirror, pet(1, seen_at=9.0, etag='"b"')) == ()
    row = mirror.get(Ref(PETS, 1))
    assert row is not None
    assert (row.seen_at, row.etag) == (9.0, '"b"')


def test_a_list_that_tells_no_tags_takes_none_from_rows_that_it_shows_unchanged(mirror):
    put(mirror, pet(1, etag='"a"'), pet(2, etag='"b"'))
    put(mirror, pet(1), pet(2, "Max"))
    kept = [mirror.get(Ref(PETS, key)) for key in (1, 2)]
    assert [row.etag for row in kept] == ['"a"', None]


def test_a_row_twice_in_one_page_counts_once_as_it_came_last(mirror):
    assert put(mirror, pet(1, "old"), pet(1, "new")) == (pet(1, "new"),)


def test_a_read_that_started_earlier_does_not_overwrite_what_a_later_one_wrote(mirror):
    early, late = mirror.begin_read(), mirror.begin_read()
    assert mirror.put(PETS, [pet(1, "late")], late) == (pet(1, "late"),)
    assert mirror.put(PETS, [pet(1, "early"), pet(2, "early")], early) == (pet(2, "early"),)
    assert names(mirror, 1, 2) == ["late", "early"]


def test_sequences_go_on_after_a_restart(mirror, mirror_path):
    put(mirror, pet(1, "before"))
    used = mirror.begin_read()
    mirror.put(PETS, [pet(1, "last")], used)
    mirror.close()
    again = Mirror(mirror_path)
    assert again.begin_read() > used
    assert put(again, pet(1, "after")) == (pet(1, "after"),)
    again.close()


def test_a_read_on_its_way_does_not_bring_back_what_was_removed_meanwhile(mirror):
    put(mirror, pet(1), pet(2))
    early = mirror.begin_read()
    assert mirror.remove(Ref(PETS, 1), mirror.begin_read()) is True
    assert mirror.put(PETS, [pet(1), pet(2, "x")], early) == (pet(2, "x"),)
    assert names(mirror, 1) == [None]
    assert put(mirror, pet(1, "back")) == (pet(1, "back"),)


def test_removing_spares_a_row_that_is_newer_than_the_answer(mirror):
    early = mirror.begin_read()
    put(mirror, pet(1))
    assert mirror.remove(Ref(PETS, 1), early) is False
    assert names(mirror, 1) == ["Rex"]


def test_a_complete_walk_removes_what_it_did_not_see_and_dates_the_resource(mirror):
    put(mirror, pet(1), pet(2), pet(3))
    assert mirror.as_of(PETS) is None
    walk = mirror.begin_walk(PETS)
    put(mirror, pet(1), walk=walk, cursor="2")
    put(mirror, pet(3), walk=walk)
    assert mirror.finish_walk(PETS, walk, 99.5) == (2,)
    assert names(mirror, 1, 2, 3) == ["Rex", None, "Rex"]
    assert (mirror.as_of(PETS), mirror.count(PETS)) == (99.5, 2)
    assert mirror.as_of(Resource.ORDERS) is None


def test_a_complete_walk_spares_what_came_from_elsewhere_since_it_began(mirror):
    put(mirror, pet(1))
    walk = mirror.begin_walk(PETS)
    put(mirror, pet(2, "created meanwhile"))
    assert mirror.finish_walk(PETS, walk, 5.0) == (1,)
    assert names(mirror, 1, 2) == [None, "created meanwhile"]


def test_a_row_that_the_walk_saw_too_late_to_write_is_not_removed(mirror):
    put(mirror, pet(1, "old"))
    walk = mirror.begin_walk(PETS)
    page = mirror.begin_read()
    put(mirror, pet(1, "changed meanwhile"))
    mirror.put(PETS, [pet(1, "old")], page, Walk(walk, None))
    assert mirror.finish_walk(PETS, walk, 5.0) == ()
    assert names(mirror, 1) == ["changed meanwhile"]


def test_a_walk_that_another_one_replaced_removes_and_dates_nothing(mirror):
    put(mirror, pet(1))
    walk = mirror.begin_walk(PETS)
    put(mirror, pet(2), walk=walk)
    mirror.begin_walk(PETS)
    assert mirror.finish_walk(PETS, walk, 5.0) == ()
    assert (mirror.count(PETS), mirror.as_of(PETS)) == (2, None)


@pytest.mark.parametrize("how", [{"gaps": Gaps(1000)}, {"sweep": False}])
def test_a_cut_or_partly_unreadable_walk_dates_but_removes_nothing(mirror, how):
    put(mirror, pet(1))
    walk = mirror.begin_walk(PETS)
    assert mirror.finish_walk(PETS, walk, 5.0, **how) == ()
    facts = mirror.facts(PETS)
    assert (facts.count, facts.as_of, facts.gaps) == (1, 5.0, how.get("gaps", NO_GAPS))


def test_a_later_uncut_walk_takes_the_cut_back(mirror):
    mirror.finish_walk(PETS, mirror.begin_walk(PETS), 5.0, Gaps(1000))
    mirror.finish_walk(PETS, mirror.begin_walk(PETS), 6.0)
    assert mirror.facts(PETS).gaps.cut_at is None


def test_a_walk_goes_on_after_a_restart_where_its_last_page_ended(mirror, mirror_path):
    put(mirror, pet(1), pet(2), pet(3))
    walk = mirror.begin_walk(PETS)
    put(mirror, pet(1), walk=walk, cursor="after 1")
    mirror.close()
    again = Mirror(mirror_path)
    assert again.walk(PETS) == Walk(walk, "after 1")
    assert again.walk(Resource.ORDERS) is None
    put(again, pet(3), walk=walk)
    assert again.finish_walk(PETS, walk, 7.0) == (2,)
    assert again.walk(PETS) is None
    again.close()


def test_a_walk_that_another_replaced_has_no_effect(mirror):
    put(mirror, pet(1))
    old = mirror.begin_walk(PETS)
    new = mirror.begin_walk(PETS)
    put(mirror, pet(1), walk=old, cursor="from the old one")
    assert mirror.finish_walk(PETS, old, 5.0) == ()
    assert mirror.as_of(PETS) is None
    assert mirror.walk(PETS) == Walk(new, None)


def test_a_page_that_cannot_be_kept_moves_no_cursor(mirror):
    walk = mirror.begin_walk(PETS)
    put(mirror, pet(1), walk=walk, cursor="1")
    mirror.connection.execute("PRAGMA max_page_count = 20")
    with pytest.raises(StorageError) as caught:
        put(mirror, *(pet(n, "x" * 3000) for n in range(100, 200)), walk=walk, cursor="2")
    assert caught.value.code == "disk-full"
    assert mirror.walk(PETS) == Walk(walk, "1")
    assert mirror.count(PETS) == 1


def test_orders_without_an_id_are_replaced_whole(mirror):
    one, other = (Row(ContentId(digest), Order(None, 1, n), 1.0) for n, digest in enumerate(("aa", "bb")))
    mirror.put(Resource.ORDERS, [one], mirror.begin_read())
    walk = mirror.begin_walk(Resource.ORDERS)
    mirror.put(Resource.ORDERS, [other], mirror.begin_read(), Walk(walk, None))
    assert mirror.finish_walk(Resource.ORDERS, walk, 5.0) == (ContentId("aa"),)
    assert mirror.get(Ref(Resource.ORDERS, ContentId("bb"))) == other


@pytest.mark.parametrize("row", [Row(1, Order(1), 1.0), Row(LocalId("ab"), Pet(1, "x"), 1.0)])
def test_only_what_a_service_said_of_this_resource_is_taken(mirror, row):
    with pytest.raises(ValueError, match="not "):
        put(mirror, pet(2), row)
    assert mirror.count(PETS) == 0


def test_a_damaged_mirror_is_set_aside_and_a_fresh_one_opened(mirror, mirror_path: Path):
    put(mirror, *(pet(n) for n in range(2_000)))
    mirror.close()
    content = mirror_path.read_bytes()
    damaged = content[:8192] + b"\xa5" * (len(content) - 8192)
    mirror_path.write_bytes(damaged)
    again = Mirror(mirror_path)
    assert again.set_aside is not None
    assert again.set_aside.read_bytes() == damaged
    assert again.count(PETS) == 0
    assert put(again, pet(1)) == (pet(1),)
    again.close()


def test_the_last_of_a_hundred_thousand_rows_cost_what_the_first_did(mirror, mirror_path):
    """Work is compared within the run, in processor time; how long it takes is a benchmark's matter."""
    rows = [pet(10**18 + n, f"Pet {n}") for n in range(100_000)]
    lasted: list[float] = []
    for at in range(0, len(rows), 500):
        begun = time.thread_time()
        put(mirror, *rows[at : at + 500])
        lasted.append(time.thread_time() - begun)
    assert statistics.median(lasted[-50:]) < 5 * statistics.median(lasted[:50])
    reader = MirrorReader(mirror_path)
    assert sum(map(len, reader.stream(PETS))) == 100_000
    reader.close()


def test_records_with_texts_for_ids_are_named_matched_and_counted(mirror, mirror_path):
    rows = (Row("b:1", Pet("b:1", "Rex", "c"), 1.0), Row(1, Pet(1, "Koi", "c"), 1.0), Row("é", Pet("é", "Moe", 3), 1.0))
    mirror.put(PETS, rows, mirror.begin_read())
    assert mirror.names(PETS, ["b:1", 1, "c", LocalId("b:1")]) == {"b:1": "Rex", 1: "Koi"}
    assert mirror.matching(PETS, {"category_id": "c"}, -1) == {"b:1", 1}
    assert (mirror.highest(PETS), mirror.names_by_text(PETS), mirror.names_by_text(Resource.ORDERS)) == (1, True, False)
    reader = MirrorReader(mirror_path)
    assert reader.counts(PETS, "category_id", ["c", 3, "3"]) == {"c": 2, 3: 1}
    assert [key for block in reader.blocks(PETS) for key in block.keys] == [1, "b:1", "é"]
    assert {row.key for row in reader.some(PETS, ["é", 1])} == {"é", 1}
    assert mirror.remove(Ref(PETS, "é"), mirror.begin_read())
    reader.close()


def test_a_mirror_from_before_texts_were_ids_keeps_its_rows(mirror_path):
    old = DatabaseKind(KIND.application_id, KIND.steps[:8], durable=False)
    database = Database(mirror_path, old)
    with database.transaction() as connection:
        connection.execute("INSERT INTO pets VALUES (7, 'Rex', 3, 'sold', NULL, '\"v1\"', 1.0, 5, 2, 4, 4)")
        connection.execute(
            "INSERT INTO orders (key, pet_id, seen_at, sequence, changed) VALUES ('content:ab', 7, 1.0, 5, 4)"
        )
        connection.execute("UPDATE counter SET sequence = 5")
    database.close()
    mirror = Mirror(mirror_path)
    assert mirror.get(Ref(PETS, 7)) == Row(7, Pet(7, "Rex", 3, "sold"), 1.0, '"v1"')
    assert mirror.get(Ref(Resource.ORDERS, ContentId("ab"))) == Row(ContentId("ab"), Order(None, 7), 1.0)
    mirror.put(PETS, (Row(7, Pet(7, "Max", "c-3", "sold"), 2.0),), mirror.begin_read())
    assert mirror.get(Ref(PETS, 7)) == Row(7, Pet(7, "Max", "c-3", "sold"), 2.0)
    mirror.close()


def test_what_records_of_a_list_show_is_known_by_what_the_list_alone_said_last(mirror):
    pets, rooms = Resource.PETS, frozenset({"about"})
    assert mirror.listed(pets, rooms) is None
    walk = mirror.begin_walk(pets)
    put(mirror, Row(1, Pet(1, "Rex", extra={"chip": None, "about": {"tags": ["a"]}}), 1.0), walk=walk)
    put(mirror, Row(2, Pet(2, "Max", status="sold", extra={"owner": {"town": "x"}}), 1.0), walk=walk)
    mirror.finish_walk(pets, walk, 2.0)
    put(mirror, Row(3, Pet(3, "Koi", 7, extra={"notes": "x"}), 3.0))
    others = {("chip",), ("about",), ("about", "tags"), ("owner",)}
    assert mirror.listed(pets, rooms) == ShownFields(frozenset({"name", "status"}), frozenset(others))
    walk = mirror.begin_walk(pets)
    put(mirror, Row(1, Pet(1, "Rex"), 4.0), walk=walk)
    mirror.finish_walk(pets, walk, 5.0)
    assert mirror.listed(pets, rooms) == ShownFields(frozenset({"name"}), frozenset())


def test_how_many_records_stand_is_read_at_once(tmp_path: Path) -> None:
    with closing(Mirror(tmp_path / "mirror.db")) as mirror:
        for resource, rows in ODD_ROWS.items():
            sequence = mirror.begin_read()
            mirror.put(resource, rows, sequence, None)
            keys = [row.key for row in rows if not isinstance(row.key, ContentId)]
            name = "quantity" if resource in (Resource.ORDERS, Resource.INVENTORY) else "name"
            stands = mirror.stands(resource, [*keys, 12345], [name])
            assert set(stands) == {*keys}
            for row in rows:
                if row.key in stands:
                    seen = getattr(row.record, name)
                    assert stands[row.key][1:] == (row.etag is not None, sequence, seen)
        assert mirror.stands(PETS, [], []) == {}
        with pytest.raises(ValueError, match="not fields"):
            mirror.stands(PETS, [1], ["key) FROM pets --"])
