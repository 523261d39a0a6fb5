"""Entries of the journal as files: all of them, whole or not at all, and harmless in a spreadsheet."""

from __future__ import annotations

import csv
import json
from datetime import timedelta, timezone
from pathlib import Path

import pytest
from msgspec.structs import replace

from petstore_desktop.domain.batches import HistoryEntry
from petstore_desktop.domain.changes import (
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Fields,
    Intent,
    Reason,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.exchange.changes_file import COLUMNS, ChangesFile

KOI = Ref(Resource.PETS, 2**63 - 1)
STOCK = Ref(Resource.INVENTORY, 1234)
NEW = Ref(Resource.PETS, LocalId("ab"))
NOON = 1_763_726_400.0
WORDS = {"time": "Time", "pets": "Pet", "status": "Status", "done": "sent", "end": "{count} of {total} changes"}
NO = Reason("invalid", "=no such status", 422, "{}", {"status": "sold"})


def entry(
    ref: Ref, intent: Intent, base: Fields | None = None, title: str = "Koi", reason: Reason | None = None
) -> HistoryEntry:
    state = ChangeState.DONE if reason is None else ChangeState.REFUSED
    return HistoryEntry(Change(7, "b", NOON, ref, intent, base or {}, state, NOON + 90.5, reason), ref, title)


ENTRIES = (
    entry(KOI, SetFields({"status": "sold"}), {"status": "pending"}),
    entry(STOCK, AddStock(-3), {"quantity": 24}),
    entry(STOCK, AddStock(2)),
    entry(STOCK, SetStock(2**62), {"quantity": -(2**63)}),
    entry(NEW, Create({"name": "Axolotl", "category_id": LocalId("cd")}), title="Axolotl"),
    entry(KOI, Delete(), title='=HYPERLINK("x")'),
    entry(KOI, SetFields({"name": "@b", "status": None}), {"name": 'a";\n', "status": "sold"}, "\ud800", NO),
)


def write(path: Path, *entries: HistoryEntry, total: int = 99) -> int:
    file = ChangesFile(path, WORDS, timezone(timedelta(hours=1)))
    for one in entries:
        file.write([one])
    return file.finish(total)


def test_a_spreadsheet_gets_every_entry_and_how_many_they_are(tmp_path):
    path = tmp_path / "changes.csv"
    assert write(path, *ENTRIES) == len(ENTRIES)
    with path.open(encoding="utf-8-sig", newline="") as file:
        head, *rows, end = csv.reader(file)
    assert head == ["Time" if column == "time" else column for column in COLUMNS]
    assert end == ["7 of 99 changes"]
    told = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
    values = [(row["what"], row["old"], row["new"], row["booked"]) for row in told]
    assert values == [
        ("Status", "pending", "sold", ""),
        ("quantity", "24", "21", "-3"),
        ("quantity", "", "", "2"),
        ("quantity", str(-(2**63)), str(2**62), ""),
        ("create", "", "name: Axolotl; category_id: ", ""),
        ("delete", "", "", ""),
        ("name; Status", 'name: a";\n; Status: sold', "name: '@b; Status: ", ""),
    ]
    assert (told[0]["time"], told[0]["since"]) == ("2025-11-21 13:00:00+01:00", "2025-11-21 13:01:30+01:00")
    assert (told[0]["record"], told[0]["id"], told[0]["state"]) == ("Pet", str(2**63 - 1), "sent")
    assert told[4]["id"] == "", "the service has not numbered it yet"
    assert (told[5]["name"], told[6]["reason"], told[6]["http"]) == ('\'=HYPERLINK("x")', "'=no such status", "422")


def test_what_was_sent_and_taken_back_says_both_and_since_when(tmp_path):
    taken = replace(ENTRIES[0], undone=True, undone_at=NOON + 600)
    write(tmp_path / "changes.csv", taken, ENTRIES[0])
    with (tmp_path / "changes.csv").open(encoding="utf-8-sig", newline="") as file:
        _, row, *_ = csv.reader(file)
    told = dict(zip(COLUMNS, row, strict=True))
    assert (told["state"], told["since"]) == ("sent-undone", "2025-11-21 13:10:00+01:00")
    write(tmp_path / "changes.json", taken, ENTRIES[0])
    stored = json.loads((tmp_path / "changes.json").read_text("ascii"))["entries"]
    assert [(one["state"], one["since"], one.get("undone_at")) for one in stored] == [
        ("done", "2025-11-21T12:01:30.500000Z", "2025-11-21T12:10:00Z"),
        ("done", "2025-11-21T12:01:30.500000Z", None),
    ]


def test_json_keeps_every_value_as_it_is(tmp_path):
    path = tmp_path / "changes.JSON"
    write(path, *ENTRIES)
    stored = json.loads(path.read_text("ascii"))
    assert (stored["count"], stored["of"]) == (7, 99)
    assert stored["entries"][3]["new"] == {"quantity": 2**62}
    assert stored["entries"][1]["booked"] == -3
    assert stored["entries"][5]["name"] == '=HYPERLINK("x")'
    assert stored["entries"][6]["name"] == "\ud800"
    assert stored["entries"][6]["reason"]["theirs"] == {"status": "sold"}
    assert stored["entries"][0]["time"] == "2025-11-21T12:00:00Z"


@pytest.mark.parametrize("name", ["none.csv", "none.json"])
def test_a_file_without_entries_says_so(tmp_path, name):
    write(tmp_path / name, total=5)
    text = (tmp_path / name).read_text("utf-8-sig")
    assert "0 of 5 changes" in text if name.endswith("csv") else json.loads(text)["count"] == 0


def test_what_is_given_up_leaves_nothing_behind_and_the_old_file_as_it_was(tmp_path):
    path = tmp_path / "changes.csv"
    path.write_text("old")
    file = ChangesFile(path, WORDS)
    file.write(ENTRIES)
    file.discard()
    assert [one.name for one in tmp_path.iterdir()] == ["changes.csv"]
    assert path.read_text() == "old"
    write(path, *ENTRIES)
    assert path.read_text("utf-8-sig").startswith("Time")
    assert [one.name for one in tmp_path.iterdir()] == ["changes.csv"]


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(StorageError) as caught:
        ChangesFile(tmp_path / "gone" / "changes.csv", WORDS)
    assert caught.value.params["path"] == str(tmp_path / "gone")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(StorageError) as caught:
        ChangesFile(tmp_path / "folder.csv", WORDS)
    assert caught.value.code == "not-a-file"
    assert [one.name for one in tmp_path.iterdir()] == ["folder.csv"]
