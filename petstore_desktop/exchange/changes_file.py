"""Entries of the journal as a file for people: CSV for a spreadsheet, JSON where the name ends in `.json`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import IO, Final

from petstore_desktop.domain.batches import HistoryEntry
from petstore_desktop.domain.changes import AddStock, Change, ChangeState, Create, Fields, SetFields, SetStock
from petstore_desktop.domain.records import FieldValue, LocalId, calendar_moment, key_to_text
from petstore_desktop.exchange.counted_file import CountedFile, CsvWriter, JsonWriter, RowWriter
from petstore_desktop.exchange.spreadsheet import cell_text, disarmed

COLUMNS: Final = (
    "time", "record", "id", "name", "what", "old", "new", "booked", "state", "since", "reason", "http", "batch",
)  # fmt: skip
"""The columns of the CSV file. `booked`: the quantity that a booking added; `http`: the status of a refusal; `since`:
when the change reached its state; for an undone change, when it was undone."""


class ChangesFile(CountedFile):
    """A file of entries. `words` says the codes of columns, kinds of records, acts, fields and states in the person's
    language, and `end` the last line; JSON keeps the codes. Times are local in CSV (`zone` None: the computer's), UTC
    in JSON."""

    def __init__(self, target: Path, words: Mapping[str, str], zone: tzinfo | None = None) -> None:
        self._words = words
        self._zone = zone
        self._json = target.suffix.lower() == ".json"
        super().__init__(target, self._open)

    def _open(self, file: IO[bytes]) -> RowWriter:
        if self._json:
            return JsonWriter(file, '{"entries": [')
        return CsvWriter(file, map(self._word, COLUMNS), self._word("end"))

    def write(self, rows: Sequence[HistoryEntry]) -> None:
        """Add entries, in this order."""
        super().write([plain_entry(entry) if self._json else self._cells(entry) for entry in rows])

    def write_unreadable(self, id_: int, at: float | None, record: str, text: str) -> None:
        """Add an unreadable change: its number and, if known, its time, record and raw text."""
        if self._json:
            time = None if at is None else _utc(at)
            super().write([{"id": id_, "unreadable": True, "time": time, "record": record, "text": text}])
        else:
            what = self._word("unreadable").format(id=id_)
            time = "" if at is None else self._time(at)
            super().write([[time, disarmed(record), "", "", what, "", disarmed(text)]])

    # -- CSV

    def _word(self, code: str) -> str:
        return self._words.get(code, code)

    def _cells(self, entry: HistoryEntry) -> list[object]:
        change, reason = entry.change, entry.change.reason
        what, old, new, booked = _steps(change)
        sent = change.state is ChangeState.DONE
        state = ("sent-undone" if sent else "undone") if entry.undone else change.state.value
        return [
            self._time(change.at),
            self._word(entry.ref.resource.value),
            str(entry.ref.key) if isinstance(entry.ref.key, int | str) else "",
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
        moment = datetime.fromtimestamp(calendar_moment(at), UTC)
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


def plain_entry(entry: HistoryEntry) -> dict[str, object]:
    """An entry as JSON has it, with the codes and times in UTC."""
    change, reason = entry.change, entry.change.reason
    what, old, new, booked = _steps(change)
    said: dict[str, object] = {
        "id": change.id,
        "batch": change.batch,
        "time": _utc(change.at),
        "resource": entry.ref.resource.value,
        "key": entry.ref.key if isinstance(entry.ref.key, int | str) else key_to_text(entry.ref.key),
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
    return datetime.fromtimestamp(calendar_moment(at), UTC).isoformat().replace("+00:00", "Z")
