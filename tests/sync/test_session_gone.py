"""A start that finds its journal gone says so, once; a first start has nothing to say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal_address import open_journal
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.sync.jobs.salvage_lists import note_told
from petstore_desktop.sync.wire.events import BatchesMoved, MirrorRead, Trouble
from tests.support.session import NAME, Watched
from tests.support.shop import Shop


@pytest.fixture
def shop(tmp_path: Path):
    with Shop(tmp_path / "shop", pets=5) as running:
        yield running


def troubles(data: Path, shop: Shop) -> list[tuple[str, object]]:
    """What a start had to say: codes and files."""
    with Watched(data, shop) as started:
        started.wait(lambda: started.of(BatchesMoved) and started.of(MirrorRead), "it is at work")
        return [(event.error.code, event.error.params.get("path")) for event in started.of(Trouble)]


@pytest.mark.parametrize("empty", [False, True], ids=["gone", "empty"])
def test_a_journal_that_is_gone_is_told_once(tmp_path: Path, shop: Shop, empty: bool) -> None:
    data = tmp_path / "data"
    assert troubles(data, shop) == []
    assert troubles(data, shop) == []
    journal = Watched(data, shop, start=False).places.journal(NAME)
    for part in journal.parent.glob("journal.db*"):
        part.unlink()
    if empty:
        journal.touch()
    assert troubles(data, shop) == [("journal-gone", str(journal))]
    assert troubles(data, shop) == []


def test_an_address_changed_during_the_first_start_is_no_loss(tmp_path: Path, shop: Shop) -> None:
    """The program ended after it had made the list's file, before that file named the address (`belong_to`)."""
    data = tmp_path / "data"
    places = Watched(data, shop, start=False).places
    opened = open_journal(places.journal(NAME), "https://old:443")
    opened.journal.close()
    Mirror(places.mirror(NAME)).close()
    assert [code for code, _ in troubles(data, shop)] == []


def test_a_log_without_its_file_is_told_as_damage(tmp_path: Path, shop: Shop) -> None:
    data = tmp_path / "data"
    with Watched(data, shop) as started:
        started.wait_loaded(Resource.PETS)
        journal = started.places.journal(NAME)
        log = journal.with_name("journal.db-wal").read_bytes()
    journal.unlink()
    journal.with_name("journal.db-wal").write_bytes(log)
    ((code, kept),) = troubles(data, shop)
    assert code == "journal-set-aside"
    assert Path(str(kept)).read_bytes() == log


def acted(journal: Path, count: int) -> None:
    """So many edits wait in the journal of a shop."""
    made = Journal(journal)
    for pet in range(count):
        made.append(f"b{pet}", [NewChange(Ref(Resource.INVENTORY, 10_000 + pet), AddStock(1), {"quantity": 4})], 1.0)
    made.close()


def test_one_flipped_bit_in_one_intent_does_not_close_the_shop(tmp_path: Path, shop: Shop) -> None:
    data = tmp_path / "data"
    troubles(data, shop)
    journal = Watched(data, shop, start=False).places.journal(NAME)
    acted(journal, 20)
    content = bytearray(journal.read_bytes())
    content[content.index(b'{"kind":"add-stock"') + 3] ^= 1
    journal.write_bytes(content)
    with Watched(data, shop) as started:
        started.wait(lambda: started.of(BatchesMoved) and started.of(MirrorRead), "it is at work")
        (error,) = (event.error for event in started.of(Trouble))
        assert (error.code, error.params["count"], error.params["lost"]) == ("journal-listed", 20, 1)
        assert not any(event.fatal for event in started.of(Trouble))
    entries = json.loads(Path(str(error.params["list"])).with_suffix(".json").read_text())["entries"]
    (unreadable,) = (entry for entry in entries if "unreadable" in entry)
    assert (unreadable["record"], unreadable["text"]) == ("inventory 10019", '{"khnd":"add-stock","delta":1}')


def test_a_journal_that_was_set_aside_is_listed_at_each_start_until_it_was_told(tmp_path: Path, shop: Shop) -> None:
    data = tmp_path / "data"
    troubles(data, shop)
    journal = Watched(data, shop, start=False).places.journal(NAME)
    acted(journal, 20)
    with journal.open("r+b") as file:
        file.write(b"\xa5" * 4096)
    Journal(journal).close()  # a program that ends before it has said a word of it
    ((code, path),) = troubles(data, shop)
    assert code == "journal-listed"
    with Watched(data, shop) as again:
        again.wait(lambda: again.of(BatchesMoved) and again.of(MirrorRead), "it is at work")
        (error,) = (event.error for event in again.of(Trouble))
        assert (error.code, error.params["path"], error.params["count"]) == ("journal-listed", path, 20)
    note_told(error)
    assert troubles(data, shop) == []


def test_a_damaged_file_of_earlier_changes_is_told(tmp_path: Path, shop: Shop) -> None:
    data = tmp_path / "data"
    troubles(data, shop)
    archive = Watched(data, shop, start=False).places.journal(NAME).with_name("journal-archive.db")
    archive.with_name(f"{archive.name}.damaged-20260101T000000Z").touch()
    ((code, _),) = troubles(data, shop)
    assert code == "archive-set-aside"
