"""Entries of the journal as a file for people: CSV for a spreadsheet, JSON where the name ends in `.json`.

It is written piece by piece under a name of its own, and gets the name that was asked for only when it is whole. Its
end says how many entries it holds, and of how many: a file without that line was cut off.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import IO, Final

from petstore_desktop.domain.changes import AddStock, Change, ChangeState, Create, Fields, SetFields, SetStock
from petstore_desktop.domain.history import HistoryEntry
from petstore_desktop.domain.records import FieldValue, LocalId, key_to_text
from petstore_desktop.exchange.spreadsheet import cell_text, disarmed
from petstore_desktop.exchange.whole_file import WholeFile

COLUMNS: Final = (
    "time", "record", "id", "name", "what", "old", "new", "booked", "state", "since", "reason", "http", "batch",
)  # fmt: skip
"""The columns of the CSV file. `booked`: the quantity that a booking added; `http`: the status of a refusal; `since`:
when the change reached its state; for an undone change, when it was undone."""


class ChangesFile:
    """A file that is being written, by one thread at a time. `words` says the codes of columns, kinds of records, acts,
    fields and states in the person's language, and `end` the last line; JSON keeps the codes. Times are local in CSV
    (`zone` None: the computer's), UTC in JSON. Each method raises StorageError."""

    def __init__(self, target: Path, words: Mapping[str, str], zone: tzinfo | None = None) -> None:
        self._whole = WholeFile(target)
        self._words = words
        self._zone = zone
        self._json = target.suffix.lower() == ".json"
        self._count = 0
        with self._whole.told():
            self._file = self._open()
            self._begin()

    def _open(self) -> IO[str]:
        if self._json:
            return self._whole.part.open("x", encoding="ascii", newline="\n")
        # Spreadsheets take a file for UTF-8 by its mark; half a letter that a service sent must not end it all.
        return self._whole.part.open("x", encoding="utf-8-sig", errors="replace", newline="")

    def _begin(self) -> None:
        if self._json:
            self._file.write('{"entries": [')
        else:
            self._row(self._word(column) for column in COLUMNS)

    def write(self, entries: Sequence[HistoryEntry]) -> None:
        """Add entries, in this order."""
        with self._whole.told():
            for entry in entries:
                if self._json:
                    self._object(_plain(entry))
                else:
                    self._row(self._cells(entry))
                self._count += 1

    def write_unreadable(self, id_: int, at: float | None, record: str, text: str) -> None:
        """Add an unreadable change: its number and, if known, its time, record and raw text."""
        with self._whole.told():
            if self._json:
                time = None if at is None else _utc(at)
                self._object({"id": id_, "unreadable": True, "time": time, "record": record, "text": text})
            else:
                what = self._word("unreadable").format(id=id_)
                self._row(["" if at is None else self._time(at), disarmed(record), "", "", what, "", disarmed(text)])
            self._count += 1

    def finish(self, total: int) -> int:
        """Say how many they were, of `total`, and give the file its name; returns how many."""
        with self._whole.told():
            if self._json:
                self._file.write(f'\n], "count": {self._count}, "of": {total}}}\n')
            else:
                self._row([self._word("end").format(count=self._count, total=total)])
            self._file.close()
            self._whole.keep()
        return self._count

    def discard(self) -> None:
        """Leave nothing behind; after `finish` it has no effect."""
        self._file.close()
        self._whole.discard()

    def _object(self, said: Mapping[str, object]) -> None:
        self._file.write(f"{',' if self._count else ''}\n{json.dumps(said)}")

    # -- CSV

    def _row(self, cells: Iterable[object]) -> None:
        csv.writer(self._file).writerow(cells)

    def _word(self, code: str) -> str:
        return self._words.get(code, code)

    def _cells(self, entry: HistoryEntry) -> list[object]:
        change, reason = entry.change, entry.change.reason
        what, old, new, booked = _steps(change)
        sent = change.state in (ChangeState.DONE, ChangeState.MERGED)
        state = ("sent-undone" if sent else "undone") if entry.undone else change.state.value
        return [
            self._time(change.at),
            self._word(entry.ref.resource.value),
            str(entry.ref.key) if isinstance(entry.ref.key, int) else "",
            disarmed(entry.title),
            _join(map(self._word, what)),
            self._one(old),
            self._one(new),
            cell_text(booked),
            self._word(state),
            self._time(change.moved_at if entry.undone_at is None else entry.undone_at),
            "" if reason is None else disarmed(reason.message or self._word(reason.code)),
            "" if reason is None or reason.status is None else reason.status,
            change.batch,
        ]

    def _one(self, fields: Fields) -> object:
        """A single value stands alone, several are named."""
        if len(fields) == 1:
            return _cell(next(iter(fields.values())))
        return disarmed(_join(f"{self._word(name)}: {_cell(value)}" for name, value in fields.items()))

    def _time(self, at: float) -> str:
        moment = datetime.fromtimestamp(at, UTC)
        return moment.astimezone(self._zone).isoformat(" ", "seconds")


def _join(parts: Iterable[str]) -> str:
    return "; ".join(parts)


def _steps(change: Change) -> tuple[tuple[str, ...], Fields, Fields, int | None]:
    """The fields that a change is about, or its act; the values before and after it; and the quantity that it books."""
    base = change.base.get("quantity")
    match change.intent:
        case Create(fields):
            return ("create",), {}, fields, None
        case SetFields(fields):
            return tuple(fields), {name: change.base.get(name) for name in fields}, fields, None
        case SetStock(quantity):
            return ("quantity",), {"quantity": base}, {"quantity": quantity}, None
        case AddStock(delta):
            new = {"quantity": base + delta} if isinstance(base, int) else {}
            return ("quantity",), {"quantity": base}, new, delta
        case _:
            return ("delete",), change.base, {}, None


def _cell(value: FieldValue) -> object:
    return "" if isinstance(value, LocalId) else cell_text(value)


# -- JSON


def _plain(entry: HistoryEntry) -> dict[str, object]:
    change, reason = entry.change, entry.change.reason
    what, old, new, booked = _steps(change)
    said: dict[str, object] = {
        "id": change.id,
        "batch": change.batch,
        "time": _utc(change.at),
        "resource": entry.ref.resource.value,
        "key": entry.ref.key if isinstance(entry.ref.key, int) else key_to_text(entry.ref.key),
        "name": entry.title,
        "what": list(what),
        "old": _fields(old),
        "new": _fields(new),
        "state": change.state.value,
        "since": _utc(change.moved_at),
        "undone": entry.undone,
    }
    if entry.undone_at is not None:
        said["undone_at"] = _utc(entry.undone_at)
    if booked is not None:
        said["booked"] = booked
    if reason is not None:
        theirs = _fields(reason.theirs)
        said["reason"] = {"code": reason.code, "message": reason.message, "status": reason.status, "theirs": theirs}
    return said


def _fields(fields: Fields) -> dict[str, object]:
    return {name: value.value if isinstance(value, LocalId) else value for name, value in fields.items()}


def _utc(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z")
