from __future__ import annotations

import csv
import json
import os
import stat
from pathlib import Path

import pytest

from petstore_desktop.commands.sentences import sentence
from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.sync.jobs.salvage_lists import journal_set_aside
from petstore_desktop.ui.text.errors.errors import error_words


def set_aside(path: Path, *deltas: int, address: str = "") -> Path:
    """A journal that was damaged after these bookings, as it was set aside."""
    journal = Journal(path)
    if address:
        journal.belong_to(address)
    news = [NewChange(Ref(Resource.INVENTORY, 7), AddStock(delta), {"quantity": 4}) for delta in deltas]
    journal.append("b", news, 1_763_700_000.0)
    journal.close()
    with path.open("r+b") as file:
        file.write(b"\xa5" * 4096)
    again = Journal(path)
    again.close()
    assert again.set_aside is not None
    return again.set_aside


def test_what_waited_in_a_damaged_journal_can_be_read_in_two_forms_by_its_owner_alone(tmp_path: Path) -> None:
    aside = set_aside(tmp_path / "journal.db", 12, -3)
    error = journal_set_aside(aside)
    listed = Path(str(error.params["list"]))
    assert (error.code, error.params["path"], error.params["count"]) == ("journal-listed", str(aside), 2)
    rows = list(csv.DictReader(listed.read_text("utf-8-sig").splitlines()))
    assert [(row["record"], row["id"], row["booked"], row["state"]) for row in rows[:2]] == [
        ("inventory", "7", "12", "queued"),
        ("inventory", "7", "-3", "queued"),
    ]
    whole = json.loads(listed.with_suffix(".json").read_text("utf-8"))
    assert ([entry["booked"] for entry in whole["entries"]], whole["count"]) == ([12, -3], 2)
    if os.name == "posix":
        assert {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.glob("*.unsent.*")} == {0o600}


@pytest.mark.parametrize("deltas", [(12,), ()])
def test_a_damaged_journal_of_another_service_is_told_with_its_address(tmp_path: Path, deltas: tuple[int, ...]) -> None:
    aside = set_aside(tmp_path / "journal.db", *deltas, address="https://old.example:443")
    error = journal_set_aside(aside, "https://new.example:443")
    assert all("https://old.example:443" in said for said in (error_words(error).what, sentence(error)))
    own = journal_set_aside(aside, "https://old.example:443")
    assert not any("old.example" in said for said in (error_words(own).what, sentence(own)))


def test_an_address_that_is_not_as_it_was_written_is_not_told(tmp_path: Path) -> None:
    aside = set_aside(tmp_path / "journal.db", 12, address="https://old.example:443")
    content = bytearray(aside.read_bytes())
    content[content.index(b"old.example") + 2] ^= 2
    aside.write_bytes(content)
    assert "address" not in journal_set_aside(aside, "https://new.example:443").params


def test_where_nothing_can_be_read_the_file_itself_is_named(tmp_path: Path) -> None:
    aside = tmp_path / "journal.db.damaged-1"
    aside.write_bytes(b"\xa5" * 40_000)
    error = journal_set_aside(aside)
    assert (error.code, error.params) == ("journal-set-aside", {"path": str(aside), "told": f"{aside}.told"})
    assert list(tmp_path.iterdir()) == [aside]


def test_where_the_list_cannot_be_written_the_file_itself_is_named(tmp_path: Path) -> None:
    aside = set_aside(tmp_path / "journal.db", 12)
    aside.with_name(f"{aside.name}.unsent.csv").mkdir()
    assert journal_set_aside(aside).code == "journal-set-aside"
