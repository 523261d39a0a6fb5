"""Compares what answers show with the records as they were last shown, and records each difference once."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, TypeAlias, cast

from msgspec import Struct, field

from petstore_desktop.domain.changes import Fields, likened
from petstore_desktop.domain.records import FIELDS, FOLLOWS, FieldValue, Key, LocalId, Ref, Resource
from petstore_desktop.domain.seen_changes import What, Who
from petstore_desktop.store.history.rows import plain_value, stored_fields, text_of
from petstore_desktop.store.mirror.rows import key_of, key_value
from petstore_desktop.store.sqlite.typed_apsw import Connection, Value, Values, number

Stored: TypeAlias = dict[str, Value]
"""The known fields of a record as the history stores them."""

_INSERT: Final = (
    "INSERT INTO change (resource, key, what, field, before, after, seen_after, seen_by, who, fields, attempt) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_KEEP: Final = "INSERT OR REPLACE INTO shown (resource, key, fields, seen_at) VALUES (?, ?, ?, ?)"


SAME_CLOCK_S: Final = 1.0
"""Seconds; two moments that are further apart in the wrong order tell that the clock was set between them."""

ASSUMED: Final = "assumed"
"""In `along`: the last that was shown of a record is what was sent, and the service may write it in its own way."""


class OwnAttempt(Struct, frozen=True):
    """An attempt made here whose fate is not known yet: what it was to do to a record, and the values that it sent.

    `id` is unique for ever; `ref` of a creation names a LocalId, or the record that it is known to have made; `along`:
    the records that go with one that it deletes.
    """

    id: str
    ref: Ref
    what: What
    value: Fields
    along: tuple[Ref, ...] = ()


AskAttempts: TypeAlias = Callable[[Resource, Collection[Key]], Sequence[OwnAttempt]]
"""The attempts of unknown fate for these records, with all creations of their list, and those that made them."""


class Shown(Struct, frozen=True):
    """One record as an answer shows it. `said_before`: when the service last said its old content, as far as the mirror
    knows (UTC epoch seconds)."""

    key: Key
    fields: Stored
    seen_at: float
    said_before: float | None = None


class Own(Struct, frozen=True):
    """The answer to a write of ours: the values that it gave, and whether it made the record."""

    values: Fields
    made: bool = False


class _ListState(Struct):
    first: float | None
    began: float | None

    def said(self, by_mirror: float | None, shown_at: float = 0.0) -> float:
        """When something was last said, as the mirror knows it; else that of its last whole reading, or of a later
        one of the record alone."""
        return by_mirror if by_mirror is not None else max(shown_at, self.began or 0.0)


class Recording(Struct):
    """One answer about one list, inside a transaction of the history. `told`: the mirror's number of this news."""

    connection: Connection
    resource: Resource
    told: int
    ask: AskAttempts
    own: Own | None = None
    _changes: list[Values] = field(default_factory=list[Values])
    _used: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    def take(self, shown: Iterable[Shown]) -> None:
        """Take over records that were shown; what differs is a change. Before the list was read whole nothing is: it is
        taken over from the mirror then, and one that never ends is not written a second time."""
        tells, attempts = self._list(), None
        if tells.first is None:
            return
        rows = list(shown)
        known = self._known([row.key for row in rows])
        for row in rows:
            before = known.get(row.key)
            if before is None or _differs(before[0], row.fields):
                attempts = self._attempts([one.key for one in rows]) if attempts is None else attempts
                if before is None:
                    self._came(row, tells.said(row.said_before), attempts)
                else:
                    self._changed(row, before[0], tells.said(row.said_before, before[1]), attempts)
        kept = [
            (self.resource.value, key_value(row.key), text_of(_filled(known.get(row.key), row.fields)), row.seen_at)
            for row in rows
        ]
        self.connection.executemany(_KEEP, kept)
        self._write()

    def drop(self, keys: Mapping[Key, float | None], at: float) -> None:
        """Take over that these records are gone; with when the service last said each, as far as the mirror knows."""
        known, tells = self._known(list(keys)), self._list()
        attempts = self._attempts(list(known)) if known and tells.first is not None else ()
        for key, (fields, seen_at) in known.items() if tells.first is not None else ():
            self._went(key, fields, tells.said(keys[key], seen_at), at, attempts)
        self.connection.executemany(
            "DELETE FROM shown WHERE resource = ? AND key = ?",
            [(self.resource.value, key_value(key)) for key in known],
        )
        self._write()

    # -- one record

    def _came(self, row: Shown, said: float, attempts: Sequence[OwnAttempt]) -> None:
        makes = [one for one in attempts if one.what is What.NEW and self._made(one, row)]
        attempt = next((one for one in makes if self._is_free(one, "")), None)
        if attempt is None:
            self._doubt([one for one in makes if isinstance(one.ref.key, LocalId)], row.key)
        ours = attempt is not None or (self.own is not None and self.own.made)
        if self.resource is Resource.PETS:
            self._end_along(What.GONE, row.key)
            self._along(What.NEW, [Ref(Resource.INVENTORY, row.key)] if ours else ())
        ours = ours or (self._is_along(What.NEW, row.key) and (self.own is not None or not row.fields.get("quantity")))
        self._note(row.key, What.NEW, "", (None, None), (said, row.seen_at), ours, attempt, row.fields)

    def _made(self, attempt: OwnAttempt, row: Shown) -> bool:
        """Whether the attempt explains that this record came: it is the one that it is known to have made, and came
        never before, or it is as it was sent."""
        if isinstance(attempt.ref.key, LocalId):
            return _gives_all(attempt.value, row.fields)
        query = "SELECT EXISTS (SELECT 1 FROM change WHERE resource = ? AND key = ? AND what = 'new')"
        at = (self.resource.value, key_value(row.key))
        return attempt.ref.key == row.key and not number(self.connection, query, at)

    def _doubt(self, attempts: Sequence[OwnAttempt], key: Key) -> None:
        """One more record is as these attempts were to make one: which of them was made here, nobody can tell."""
        if attempts:
            self._write()
        for attempt in attempts:
            at = (self.resource.value, attempt.id, key_value(key))
            made = "SELECT key FROM change WHERE resource = ?1 AND attempt = ?2 AND what = 'new' AND key <> ?3"
            kinds = "(?1, 'inventory')" if self.resource is Resource.PETS else "(?1)"
            self.connection.execute(
                f"UPDATE change SET who = 'elsewhere' WHERE resource IN {kinds} AND key IN ({made}) AND what = 'new'",
                at,
            )
            self.connection.execute(f"DELETE FROM along WHERE key IN ({made}) AND what = 'new'", at)

    def _changed(self, row: Shown, before: Stored, said: float, attempts: Sequence[OwnAttempt]) -> None:
        mine = [one for one in attempts if one.what is What.CHANGED and one.ref.key == row.key]
        assumed = self._is_along(ASSUMED, row.key)
        for name, value in row.fields.items():
            if name not in before or before[name] == value:
                continue
            sent = (one for one in mine if name in one.value and not _left_after(one, row.seen_at))
            gives = (one for one in sent if _is_alike(one.value[name], value))
            attempt = next((one for one in gives if self._is_free(one, name)), None)
            answered = self.own is not None and name in self.own.values
            rewritten = assumed and likened(cast("FieldValue", before[name])) == likened(cast("FieldValue", value))
            ours = attempt is not None or rewritten
            if answered and self.own is not None:
                ours = _is_alike(self.own.values[name], value)
            elif self.own is not None and name in FOLLOWS[self.resource]:
                ours = True  # our write rests on what was shown before it, and the service has made this of it
            self._note(row.key, What.CHANGED, name, (before[name], value), (said, row.seen_at), ours, attempt)

    def _went(self, key: Key, fields: Stored, said: float, at: float, attempts: Sequence[OwnAttempt]) -> None:
        deletes = (one for one in attempts if one.what is What.GONE and one.ref.key == key)
        attempt = next((one for one in deletes if self._is_free(one, "")), None)
        ours = attempt is not None or self.own is not None
        if self.resource is Resource.PETS:
            self._end_along(What.NEW, key)
            self._along(What.GONE, attempt.along if attempt is not None else ())
        ours = ours or self._is_along(What.GONE, key)
        self._note(key, What.GONE, "", (None, None), (said, at), ours, attempt, fields)

    def _note(
        self,
        key: Key,
        what: What,
        name: str,
        values: tuple[Value, Value],
        seen: tuple[float, float],
        ours: bool,
        attempt: OwnAttempt | None,
        fields: Stored | None = None,
    ) -> None:
        who, seen = Who.HERE if ours else Who.ELSEWHERE, (min(seen), seen[1])  # a clock may have been ahead
        used = attempt.id if ours and attempt is not None else None
        if used is not None:
            self._used.add((used, name))
        text = None if fields is None else text_of(fields)
        self._changes.append(
            (self.resource.value, key_value(key), what.value, name, *values, *seen, who.value, text, used)
        )

    def _write(self) -> None:
        if self._changes:
            self.connection.executemany(_INSERT, self._changes)
            self._changes = []

    # -- what is known

    def _known(self, keys: Sequence[Key]) -> dict[Key, tuple[Stored, float]]:
        rows = self.connection.execute(
            "SELECT key, fields, seen_at FROM shown WHERE resource = ? AND key IN (SELECT value FROM json_each(?))",
            (self.resource.value, json.dumps([key_value(key) for key in keys])),
        )
        return {key_of(key): (stored_fields(str(fields)), cast("float", at)) for key, fields, at in rows}

    def _list(self) -> _ListState:
        row = self.connection.execute(
            "SELECT first, began FROM list WHERE resource = ?", (self.resource.value,)
        ).fetchone()
        return _ListState(*cast("tuple[float | None, float | None]", row or (None, None)))

    def _attempts(self, keys: Collection[Key]) -> Sequence[OwnAttempt]:
        return self.ask(self.resource, keys)

    def _is_free(self, attempt: OwnAttempt, name: str) -> bool:
        """Whether this attempt has explained no change of this field yet."""
        query = "SELECT EXISTS (SELECT 1 FROM change WHERE attempt = ? AND field = ?)"
        return (attempt.id, name) not in self._used and not number(self.connection, query, (attempt.id, name))

    def _along(self, what: What, refs: Iterable[Ref]) -> None:
        """These come, or go, with what was done here, until the next whole reading of their lists."""
        self.connection.executemany(
            "INSERT OR REPLACE INTO along (resource, key, what, since) VALUES (?, ?, ?, ?)",
            [(ref.resource.value, key_value(ref.key), what.value, self.told) for ref in refs],
        )

    def _end_along(self, what: What, pet: Key) -> None:
        """The pet went, or came back: its stock does not come, or go, with what was done here before."""
        self.connection.execute(
            "DELETE FROM along WHERE resource = ? AND key = ? AND what = ?",
            (Resource.INVENTORY.value, key_value(pet), what.value),
        )

    def _is_along(self, what: str, key: Key) -> bool:
        """Whether this record comes, or goes, with what was done here; that explains it once."""
        self.connection.execute(
            "DELETE FROM along WHERE resource = ? AND key = ? AND what = ?",
            (self.resource.value, key_value(key), str(what)),
        )
        return self.connection.changes() > 0


def _differs(before: Stored, now: Stored) -> bool:
    return any(name in before and before[name] != value for name, value in now.items())


def _filled(before: tuple[Stored, float] | None, now: Stored) -> Stored:
    """The record as it is known now; what a version of the program with more fields stored stays."""
    return now if before is None else {**before[0], **now}


def _left_after(attempt: OwnAttempt, seen_at: float) -> bool:
    """Whether an attempt left when the answer was here already, by less than a clock is set back."""
    _, _, at = attempt.id.rpartition("@")
    return "@" in attempt.id and 0.0 <= float(at) - seen_at < SAME_CLOCK_S


def _gives_all(sent: Fields, shown: Stored) -> bool:
    return all(name in shown and _is_alike(value, shown[name]) for name, value in sent.items())


def _is_alike(sent: FieldValue, shown: Value) -> bool:
    """Whether this is what was sent, perhaps in the service's own way of writing it."""
    plain = plain_value(sent)
    return plain == shown or likened(sent) == likened(cast("FieldValue", shown))


# ---------------------------------------------------------------- comparing with a mirror

MIRROR: Final = "shop"
"""The name under which the mirror is attached."""


def fill(connection: Connection, resource: Resource) -> None:
    """Take over all rows of the attached mirror as shown; nothing is a change yet."""
    pairs = ", ".join(f"'{name}', {name}" for name in FIELDS[resource])
    connection.execute("DELETE FROM main.shown WHERE resource = ?", (resource.value,))
    connection.execute(
        "INSERT INTO main.shown (resource, key, fields, seen_at) "
        f"SELECT ?, key, json_object({pairs}), seen_at FROM {MIRROR}.{resource.value}",
        (resource.value,),
    )


def differing(connection: Connection, resource: Resource) -> list[Shown]:
    """The rows of the attached mirror that are not as they were last shown."""
    names = FIELDS[resource]
    pairs = ", ".join(f"'{name}', m.{name}" for name in names)
    rows = connection.execute(
        f"SELECT m.key, m.seen_at, {', '.join(f'm.{name}' for name in names)} FROM {MIRROR}.{resource.value} AS m "
        "LEFT JOIN main.shown AS s ON s.resource = ? AND s.key = m.key "
        f"WHERE s.fields IS NOT json_object({pairs}) ORDER BY m.seen_at",
        (resource.value,),
    )
    return [
        Shown(key_of(key), dict(zip(names, values, strict=True)), cast("float", seen_at))
        for key, seen_at, *values in rows
    ]


def missing(connection: Connection, resource: Resource, statuses: Collection[str]) -> list[Key]:
    """The records last shown that the attached mirror does not have, if it was ever read whole; with `statuses`, of
    those with one of them."""
    asked = "AND s.fields ->> '$.status' IN (SELECT value FROM json_each(?2))" if statuses else ""
    rows = connection.execute(
        "SELECT s.key FROM main.shown AS s WHERE s.resource = ?1 "
        f"AND NOT EXISTS (SELECT 1 FROM {MIRROR}.{resource.value} AS m WHERE m.key = s.key) "
        f"AND EXISTS (SELECT 1 FROM {MIRROR}.fact WHERE resource = ?1 AND as_of NOT NULL AND cut_at IS NULL) {asked}",
        (resource.value, json.dumps(list(statuses)))[: 2 if statuses else 1],
    )
    return [key_of(key) for (key,) in rows]
