"""What happened is looked up in the journal of a session at work, and written to a file, from the first entry on."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from petstore_desktop.domain.batches import BatchLine, ChangeFilter
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, NewChange, SetFields
from petstore_desktop.domain.commands import Apply, CheckLive, Discard, ExportChanges, ReadChanges, ReadHistory
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.store.journal.archive import Archive
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.sync.wire.events import ChangesCounted, ChangesExported, ChangesRead, Checked, HistoryRead
from tests.support.session import NAME, Watched, stock
from tests.support.shop import Shop


def stocked(shop: Shop, nth: int) -> int:
    """The pet of the nth stock entry."""
    return shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 1 OFFSET ?", nth)[0][0]


def name_of(shop: Shop, pet: int) -> str:
    return shop.rows("SELECT name FROM pets WHERE id = ?", pet)[0][0]


def read(
    shop: Watched,
    wanted: ChangeFilter | None = None,
    before: int | None = None,
    limit: int = 100,
    apart: bool = False,
) -> ChangesRead:
    token = uuid.uuid4().hex
    shop.submit(ReadChanges(token, wanted or ChangeFilter(), before, limit, apart))
    shop.wait(lambda: token in {one.token for one in shop.of(ChangesRead)}, "the journal is read")
    return next(one for one in shop.of(ChangesRead) if one.token == token)


def counted(shop: Watched, token: str) -> tuple[int, int]:
    shop.wait(lambda: token in {one.token for one in shop.of(ChangesCounted)}, "the entries are counted")
    return next((one.found, one.total) for one in shop.of(ChangesCounted) if one.token == token)


def history(shop: Watched, ref: Ref) -> HistoryRead:
    before = len(shop.of(HistoryRead))
    shop.submit(ReadHistory(ref))
    shop.wait(lambda: len(shop.of(HistoryRead)) > before, "the history is read")
    return shop.of(HistoryRead)[-1]


def acts(pets: list[int]) -> list[NewChange]:
    return [NewChange(Ref(Resource.PETS, pet), SetFields({"status": "sold"}), {"status": "pending"}) for pet in pets]


def renamed(shop: Shop, pet: int) -> NewChange:
    return NewChange(Ref(Resource.PETS, pet), SetFields({"name": "Ours"}), {"name": name_of(shop, pet)})


@pytest.fixture
def offline(tmp_path: Path) -> Iterator[Watched]:
    """No service, no key: what happened is known all the same."""
    with Watched(tmp_path, key=None) as shop:
        yield shop


def test_what_happened_is_read_without_a_service_the_newest_first(offline: Watched) -> None:
    one = offline.apply(*acts([1, 2, 3]))
    two = offline.apply(NewChange(stock(7), AddStock(3), {"quantity": 4}))
    offline.submit(Discard(one[:1]))
    offline.wait_for(one[:1], ChangeState.DISCARDED)
    told = read(offline)
    assert [(line.count, line.last, line.alike) for line in told.lines] == [(1, two[0], True), (3, one[0], True)]
    assert dict(told.lines[1].states) == {ChangeState.QUEUED: 2, ChangeState.DISCARDED: 1}
    assert told.lines[1].first.change.id == one[2]
    assert not told.more
    assert counted(offline, told.token) == (4, 4)


def test_a_long_list_comes_in_pieces_that_keep_batches_whole(offline: Watched) -> None:
    batches = [offline.apply(*acts(list(range(7)))) for _ in range(5)]
    told = read(offline, limit=2)
    assert [line.count for line in told.lines] == [7, 7]
    assert told.more
    rest = read(offline, limit=3, before=told.lines[-1].last)
    assert [line.last for line in rest.lines] == [ids[0] for ids in batches[2::-1]]
    assert not rest.more
    one = replace(ChangeFilter(), batches=(told.lines[0].first.change.batch,))
    alone = read(offline, one, apart=True)
    assert [line.last for line in alone.lines] == list(batches[4][::-1])


def test_entries_are_found_by_name_id_state_and_day_and_counted(full_shop: Shop, tmp_path: Path) -> None:
    pets = [stocked(full_shop, nth) for nth in range(3)]
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        (done,) = shop.apply(NewChange(stock(pets[0]), AddStock(1), {"quantity": 1}))
        shop.wait_for((done,), ChangeState.DONE)
        shop.apply(*(NewChange(stock(pet), AddStock(0), {}) for pet in pets[1:]))
        named = ChangeFilter(finds=lambda text: name_of(full_shop, pets[0]) in text)
        assert [line.last for line in read(shop, named).lines] == [done]
        told = read(shop, ChangeFilter(finds=lambda text: text.endswith(f" {pets[0]}")))
        assert [line.first.title for line in told.lines] == [name_of(full_shop, pets[0])]
        assert counted(shop, told.token) == (1, 3)
        assert read(shop, ChangeFilter(since=told.lines[0].first.change.at + 3600)).lines == ()
        sent = read(
            shop, ChangeFilter(states=frozenset({ChangeState.DONE}), batches=(told.lines[0].first.change.batch,))
        )
        assert [line.last for line in sent.lines] == [done]


def test_only_the_newest_reading_is_answered_to_its_end(offline: Watched) -> None:
    for _ in range(3):
        offline.apply(*acts(list(range(400))))
    for n in range(5):
        offline.submit(ReadChanges(f"t{n}", ChangeFilter(finds=lambda _text: False)))
    offline.wait(lambda: any(one.token == "t4" for one in offline.of(ChangesCounted)), "the last is counted")
    assert [one.token for one in offline.of(ChangesCounted)] == ["t4"]


def test_every_entry_that_fits_is_in_the_file(offline: Watched, tmp_path: Path) -> None:
    ids = [id_ for _ in range(3) for id_ in offline.apply(*acts(list(range(400))))]
    path = tmp_path / "changes.json"
    offline.submit(ExportChanges(str(path), ChangeFilter(finds=lambda text: text.endswith("1")), {}))
    offline.wait(lambda: offline.of(ChangesExported), "the file is written")
    said = offline.of(ChangesExported)[-1]
    stored = json.loads(path.read_text("ascii"))
    assert (said.count, said.error) == (120, None)
    assert (stored["count"], stored["of"], len(stored["entries"])) == (120, len(ids), 120)
    offline.submit(ExportChanges(str(tmp_path / "no" / "x.csv"), ChangeFilter(), {}))
    offline.wait(lambda: len(offline.of(ChangesExported)) == 2, "it cannot be written")
    assert offline.of(ChangesExported)[-1].error is not None


def test_what_was_stored_away_is_found_and_written_like_all_else(tmp_path: Path) -> None:
    with Watched(tmp_path, key=None) as shop:
        old = shop.apply(*acts([1, 2, 3]))
        shop.submit(Discard(old))
        shop.wait_for(old, ChangeState.DISCARDED)
        (kept,) = shop.apply(NewChange(stock(1), AddStock(3), {"quantity": 4}))
    journal = Journal(shop.places.journal(NAME))
    archive = Archive(journal)
    archive.store_away(1e10)
    assert archive.database is not None
    archive.close()
    journal.close()
    with Watched(tmp_path, key=None) as shop:
        told = read(shop)
        assert [(line.last, line.count) for line in told.lines] == [(kept, 1), (old[0], 3)]
        assert counted(shop, told.token) == (4, 4)
        assert [entry.change.id for entry in history(shop, Ref(Resource.PETS, 2)).entries] == [old[1]]
        shop.submit(ExportChanges(str(tmp_path / "all.json"), ChangeFilter(), {}))
        shop.wait(lambda: shop.of(ChangesExported), "the file is written")
        assert shop.of(ChangesExported)[-1].count == 4


def test_what_cannot_be_read_is_said_and_named(offline: Watched, tmp_path: Path) -> None:
    (change,) = offline.apply(*acts([1]))
    offline.submit(Discard((change,)))
    offline.wait_for((change,), ChangeState.DISCARDED)
    offline.close()
    journal = Journal(offline.places.journal(NAME))
    with journal.transaction() as connection:
        connection.execute("UPDATE change SET intent = 'rubbish'")
    journal.close()
    with Watched(tmp_path, key=None) as shop:
        for error in (read(shop).error, history(shop, Ref(Resource.PETS, 1)).error):
            assert isinstance(error, StorageError)
            assert (error.code, error.params["path"]) == ("damaged", str(shop.places.journal(NAME)))
        shop.submit(ExportChanges(str(tmp_path / "x.csv"), ChangeFilter(), {}))
        shop.wait(lambda: shop.of(ChangesExported), "it cannot be written")
        assert shop.of(ChangesExported)[-1].error is not None
        assert not (tmp_path / "x.csv").exists()


def test_a_record_has_its_own_changes_and_those_of_others_in_its_history(full_shop: Shop, tmp_path: Path) -> None:
    pet = stocked(full_shop, 0)
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        ids = shop.apply(renamed(full_shop, pet))
        ids += shop.apply(NewChange(stock(pet), AddStock(12), {"quantity": 1}))
        shop.wait_for(ids, ChangeState.DONE)
        assert httpx.patch(f"{full_shop.url}/pets/{pet}", headers=full_shop.auth, json={"name": "Theirs"}).is_success
        shop.submit(CheckLive(Ref(Resource.PETS, pet)))
        shop.wait(lambda: shop.of(Checked), "the record is checked")
        told = history(shop, Ref(Resource.PETS, pet))
        assert [entry.change.id for entry in told.entries] == list(ids[::-1])
        assert [entry.change.state for entry in told.entries] == [ChangeState.DONE] * 2
        assert [(seen.field, seen.before, seen.after) for seen in told.observed] == [("name", "Ours", "Theirs")]
        alone = history(shop, stock(pet))
        assert ([entry.change.id for entry in alone.entries], alone.observed) == ([ids[1]], ())


def test_what_an_attempt_of_unknown_fate_did_is_not_taken_for_somebody_elses(full_shop: Shop, tmp_path: Path) -> None:
    pet = stocked(full_shop, 0)
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        full_shop.control("lose-answers", next=1)
        ids = shop.apply(renamed(full_shop, pet))
        shop.wait_for(ids, ChangeState.DONE)
        assert history(shop, Ref(Resource.PETS, pet)).observed == ()


def test_what_was_created_here_has_the_history_of_both_its_names(full_shop: Shop, tmp_path: Path) -> None:
    local, ((category,), *_) = LocalId.new(), full_shop.rows("SELECT id FROM categories")
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        ids = shop.apply(
            NewChange(
                Ref(Resource.PETS, local), Create({"name": "Axolotl", "category_id": category, "status": "available"})
            )
        )
        shop.wait_for(ids, ChangeState.DONE)
        number = full_shop.rows("SELECT id FROM pets WHERE name = 'Axolotl'")[0][0]
        ids += shop.apply(NewChange(Ref(Resource.PETS, number), SetFields({"status": "sold"}), {"status": "available"}))
        shop.wait_for(ids, ChangeState.DONE)
        told = history(shop, Ref(Resource.PETS, number))
        assert [entry.change.id for entry in told.entries] == list(ids[::-1])
        assert {entry.ref for entry in told.entries} == {Ref(Resource.PETS, number)}
        (line,) = read(shop, ChangeFilter(finds=lambda text: text == f"Axolotl {number}"), limit=1).lines
        assert isinstance(line, BatchLine)


def test_a_batch_keeps_what_made_it_also_after_a_restart(tmp_path: Path) -> None:
    various = (NewChange(stock(7), AddStock(3), {"quantity": 4}), *acts([1, 2]))
    with Watched(tmp_path, key=None) as desk:
        desk.submit(Apply("b1", various, "import:litter.csv"))
        desk.wait(lambda: len(desk.batches.get("b1", ())) == 3, "the batch is saved")
        desk.apply(*acts([5, 6]))
        assert [line.source for line in read(desk).lines] == ["", "import:litter.csv"]
    with Watched(tmp_path, key=None) as desk:
        assert [line.source for line in read(desk).lines] == ["", "import:litter.csv"]
