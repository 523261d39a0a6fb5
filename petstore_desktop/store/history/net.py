"""Folds single changes into what differs between two moments. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, cast

from msgspec import Struct, field

from petstore_desktop.domain.seen_changes import What, Who
from petstore_desktop.store.history.rows import stored_fields, text_of
from petstore_desktop.store.sqlite.typed_apsw import Value, Values

_EXISTENCE: Final = ""
"""The field of a change that brought or took a record."""
_NEVER: Final = float("inf")


class _Folded(Struct):
    """One record: whether it was there at first and is now, its known values then and now, for each field the place and
    row of its last change, and who changed it since when."""

    was: bool
    exists: bool
    then: dict[str, Value] = field(default_factory=dict[str, Value])
    now: dict[str, Value] = field(default_factory=dict[str, Value])
    last: dict[str, tuple[int, Values]] = field(default_factory=dict[str, tuple[int, Values]])
    whos: dict[str, set[Value]] = field(default_factory=dict[str, set[Value]])
    since: dict[str, float] = field(default_factory=dict[str, float])

    def add(self, place: int, row: Values) -> None:
        what, name = row[2], cast("str", row[4])
        self.last[name] = (place, row)
        self.whos.setdefault(name, set()).add(row[3])
        self.since[name] = min(self.since.get(name, _NEVER), cast("float", row[7]))
        if what == What.CHANGED.value:
            if self.was:
                self.then.setdefault(name, row[5])
            self.now[name] = row[6]
            return
        record = stored_fields(str(row[9]))
        self.exists = what == What.NEW.value
        if self.exists:
            self.now = record
            self.last.update(dict.fromkeys(record, (place, row)))
        elif self.was:
            for one, value in record.items():
                self.then.setdefault(one, value)

    def net(self) -> Iterator[tuple[int, Values]]:
        """What differs, as rows, each with the place of its last change."""
        if self.was and self.exists:
            for name, after in self.now.items():
                if name in self.then and self.then[name] != after:
                    yield self._changed(name, after)
        elif self.exists:
            place, row = self.last[_EXISTENCE]
            yield place, (*row[:9], text_of(self.now))
        elif self.was:
            place, row = self.last[_EXISTENCE]
            yield place, (*row[:9], text_of(self.then))

    def _changed(self, name: str, after: Value) -> tuple[int, Values]:
        """One field of a record that was there and is: by all who changed it, or who brought or took the record."""
        place, row = self.last[name]
        whos = self.whos.get(name, set()) | self.whos.get(_EXISTENCE, set())
        who = Who.BOTH.value if len(whos) > 1 else row[3]
        since = min(self.since.get(name, _NEVER), self.since.get(_EXISTENCE, _NEVER))
        return place, (*row[:2], What.CHANGED.value, who, name, self.then[name], after, since, row[8], None)


def net_changes(rows: Iterable[tuple[int, Values]]) -> list[tuple[int, Values]]:
    """Rows of CHANGE_COLUMNS with their ids, oldest first, as one for each record and field that differs between before
    the first and after the last of them, with the id of its last change."""
    records: dict[tuple[Value, Value], _Folded] = {}
    for place, row in rows:
        at = row[0], row[1]
        folded = records.get(at)
        if folded is None:
            was = row[2] != What.NEW.value
            folded = records[at] = _Folded(was, was)
        folded.add(place, row)
    return [one for folded in records.values() for one in folded.net()]
