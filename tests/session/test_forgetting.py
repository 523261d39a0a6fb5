"""A connection is let go of: what is unsent is readable afterwards, and everything else of it is gone."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from petstore_desktop import credentials
from petstore_desktop.commands.connections import forget
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange
from petstore_desktop.domain.errors import BadInput, KeyringError, StorageError
from petstore_desktop.domain.records import Pet, Ref, Resource, Row
from petstore_desktop.preferences import Preferences, PreferenceStore, ShopConnection
from petstore_desktop.session.forgetting import (
    export_target,
    remove_files,
    save_and_lock_out,
    unsent_count,
    unsure_count,
)
from petstore_desktop.store.gates import Gates
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.rows import Outcome
from petstore_desktop.store.journal_address import open_journal
from petstore_desktop.store.mirror.mirror import Mirror

NOW = 1_763_731_320.0
HEBEL = ShopConnection("Hebel", "hebel", "https://hebel.example/v1")


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """A data folder, on a computer without a keyring."""

    def absent(*_: object) -> None:
        raise KeyringError("keyring-absent")

    monkeypatch.setattr(credentials, "forget", absent)
    return Places(tmp_path)


def edited(places: Places, *amounts: int) -> None:
    """Bookings wait in its journal."""
    places.connection("hebel").mkdir(parents=True)
    journal = Journal(places.journal("hebel"))
    for pet, amount in enumerate(amounts, 1):
        ref = Ref(Resource.INVENTORY, pet)
        journal.append(f"batch {pet}", (NewChange(ref, AddStock(amount), {"quantity": 5}),), NOW)
    journal.close()


def test_what_was_made_for_an_address_that_it_had_before_is_exported_too(places: Places) -> None:
    edited(places, 3, -4)
    journal = places.journal("hebel")
    for address in ("https://old:443", "https://new:443"):
        open_journal(journal, address).journal.close()
    assert unsent_count(places, "hebel") == 2
    forgotten = save_and_lock_out(places, HEBEL, NOW)
    assert forgotten.export is not None
    assert (forgotten.unsent, forgotten.export.exists()) == (2, True)


def test_what_is_unsent_is_counted_and_exported_for_spreadsheets_and_programs(places: Places) -> None:
    edited(places, 3, -4)
    assert unsent_count(places, "hebel") == 2
    forgotten = save_and_lock_out(places, HEBEL, NOW)
    assert forgotten.export is not None
    assert forgotten.export == export_target(places, "hebel", NOW)
    assert forgotten.unsent == 2
    assert forgotten.export.read_text(encoding="utf-8-sig").splitlines()[-1] == "2 of 2"
    entries = json.loads(forgotten.export.with_suffix(".json").read_text())["entries"]
    assert [(entry["key"], entry["booked"]) for entry in entries] == [(1, 3), (2, -4)]
    remove_files(places, "hebel")
    assert {path.name for path in places.data.iterdir()} == {"forgotten"} | {
        path.name for path in places.data.glob("gates.db*")
    } | ({"connections"} if not list((places.data / "connections").iterdir()) else set())


def test_what_was_on_its_way_or_uncertain_is_counted_apart_and_stock_has_its_pets_name(places: Places) -> None:
    edited(places, 3, -4, 5)
    journal, mirror = Journal(places.journal("hebel")), Mirror(places.mirror("hebel"))
    first, second, _ = journal.open_changes()
    journal.begin_attempt([first.id], "{}", {}, {}, NOW)
    cut = journal.begin_attempt([second.id], "{}", {}, {}, NOW)
    journal.end_attempt(cut, Outcome(ChangeState.UNCERTAIN), NOW)
    mirror.put(Resource.PETS, [Row(1, Pet(1, "Koi", None, "sold"), NOW)], mirror.begin_read())
    journal.close()
    mirror.close()
    assert (unsent_count(places, "hebel"), unsure_count(places, "hebel")) == (3, 2)
    forgotten = save_and_lock_out(places, HEBEL, NOW)
    assert (forgotten.unsent, forgotten.unsure) == (3, 2)
    assert forgotten.export is not None
    with forgotten.export.open(encoding="utf-8-sig", newline="") as file:
        assert [(row["id"], row["name"]) for row in csv.DictReader(file)][:3] == [("1", "Koi"), ("2", ""), ("3", "")]


def test_the_command_line_says_what_may_have_arrived(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    edited(places, 3, -4)
    journal = Journal(places.journal("hebel"))
    journal.begin_attempt([journal.open_changes()[0].id], "{}", {}, {}, NOW)
    journal.close()
    PreferenceStore(places.preferences).save(Preferences(connections=(HEBEL,)))
    assert forget(str(places.data), "Hebel", yes=True) == 0
    said = capsys.readouterr().out
    assert "1 change was not sent; 1 may have arrived: check at the service before you make it again" in said


def test_where_all_is_sent_nothing_is_exported(places: Places) -> None:
    edited(places)
    assert unsent_count(places, "hebel") == 0
    assert save_and_lock_out(places, HEBEL, NOW).export is None
    assert not (places.data / "forgotten").exists() or not list((places.data / "forgotten").iterdir())


def test_a_connection_that_was_never_opened_can_be_forgotten(places: Places) -> None:
    assert unsent_count(places, "hebel") == 0
    assert save_and_lock_out(places, HEBEL, NOW).unsent == 0
    remove_files(places, "hebel")


def test_what_was_listed_of_a_journal_that_was_damaged_earlier_is_kept_too(places: Places) -> None:
    edited(places, 3)
    earlier = places.connection("hebel") / "journal.db.damaged-1.unsent.csv"
    earlier.write_text("an old list")
    save_and_lock_out(places, HEBEL, NOW)
    remove_files(places, "hebel")
    kept = [path.read_text() for path in (places.data / "forgotten").iterdir() if "damaged" in path.name]
    assert kept == ["an old list"]


def test_a_keyring_that_gives_no_answer_keeps_the_connection_as_it_is(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited(places, 3)

    def silent(*_: object) -> None:
        raise KeyringError("keyring-silent")

    monkeypatch.setattr(credentials, "forget", silent)
    with pytest.raises(KeyringError):
        save_and_lock_out(places, HEBEL, NOW)
    assert unsent_count(places, "hebel") == 1


def test_looking_at_a_damaged_journal_sets_nothing_aside(places: Places) -> None:
    places.connection("hebel").mkdir(parents=True)
    places.journal("hebel").write_bytes(b"no database at all" * 400)
    with pytest.raises(StorageError):
        unsent_count(places, "hebel")
    assert [path.name for path in places.connection("hebel").iterdir()] == ["journal.db"]


def test_what_the_window_remembered_of_it_goes_too() -> None:
    now = Preferences(connections=(HEBEL,), last_connection="hebel", window={"hebel": {"tab": 1}, "other": {"tab": 2}})
    after = now.without_connection("hebel")
    assert (after.connections, after.last_connection, after.window) == ((), None, {"other": {"tab": 2}})


def test_the_memory_of_the_gates_stays(places: Places) -> None:
    edited(places, 3)
    Gates(places.gates).close()
    before = places.gates.read_bytes()
    save_and_lock_out(places, HEBEL, NOW)
    remove_files(places, "hebel")
    assert places.gates.read_bytes() == before


@pytest.mark.parametrize("slug", ["../../Documents", "", ".", "hebel/../.."])
def test_forgetting_removes_nothing_outside_of_the_connection(places: Places, slug: str) -> None:
    documents = places.data / "Documents"
    documents.mkdir()
    places = Places(places.data / "data")
    edited(places, 3)
    (documents / "letter.txt").write_text("dear")
    places.preferences.write_text(json.dumps({"profiles": [{"name": "Evil", "slug": slug, "url": HEBEL.url}]}))
    with pytest.raises((StorageError, BadInput)):
        forget(str(places.data), "Evil", yes=True)
    with pytest.raises(StorageError):
        remove_files(places, slug)
    assert (documents / "letter.txt").read_text() == "dear"
    assert unsent_count(places, "hebel") == 1
