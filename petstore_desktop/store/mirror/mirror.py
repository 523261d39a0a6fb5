"""mirror.db: the service's records as last read. Disposable; only the service's answers write it.

Every answer carries a sequence from `begin_read`. A *read* takes it before its request leaves; the answer to a *write*
takes it when it has arrived. A row that a higher sequence wrote is never overwritten, nor brought back after a higher
sequence removed it: so a page that was asked for before a change was answered cannot undo what the answer said.

A walk reads a resource from one end to the other, over many pages, perhaps over days. Its cursor commits with its rows.
Only a walk that came to its end, uncut, removes what it did not see, and only where that is known to be gone.

The ETag of a list that came whole in one answer is kept for as long as the rows are exactly what that answer showed:
whatever else changes, adds or removes one of them lets go of it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, cast

from msgspec import Struct

from petstore_desktop.domain.changes import Fields
from petstore_desktop.domain.counts import NO_GAPS, Gaps
from petstore_desktop.domain.records import (
    FIELDS,
    Extra,
    FieldValue,
    Key,
    LocalId,
    Ref,
    Resource,
    Row,
    ServiceId,
    ShownFields,
    StatusCounts,
)
from petstore_desktop.store.mirror.observed_changes import know, mark
from petstore_desktop.store.mirror.recorder import (
    MOVED,
    NEW_IDENTITY,
    MirrorNews,
    Recorder,
    WholeReading,
    news,
    no_news,
    said_before,
)
from petstore_desktop.store.mirror.rows import (
    CONTENT,
    ROW_COLUMNS,
    ListStatus,
    extra_of,
    facts_of,
    key_of,
    key_value,
    reader_of,
    reasons_of,
    reasons_value,
    row_values,
)
from petstore_desktop.store.mirror.schema import KIND
from petstore_desktop.store.sqlite.database import Database
from petstore_desktop.store.sqlite.typed_apsw import Connection, Value, Values, number


class Walk(Struct, frozen=True):
    """An unfinished walk through a list: its number, where to continue (the client's text; None: at the beginning), the
    requests used so far, the length of the list if the service tells it, how many records could not be read so far, and
    why the first of them could not."""

    number: int
    cursor: str | None
    requests: int = 0
    total: int | None = None
    set_aside: int = 0
    reasons: tuple[str, ...] = ()


def _insert(resource: Resource) -> str:
    places = ", ".join("?" * (len(CONTENT[resource]) + 7))
    return f"INSERT INTO {resource.value} ({ROW_COLUMNS[resource]}, sequence, walk, changed, born) VALUES ({places})"


def _upsert(resource: Resource) -> str:
    content = CONTENT[resource]
    same = " AND ".join(f"{name} IS excluded.{name}" for name in content)
    taken = ", ".join(f"{name} = excluded.{name}" for name in (*content, "seen_at", "sequence", "walk"))
    # Many lists tell no ETags: a row that one shows unchanged keeps the one that it has.
    etag = f"CASE WHEN excluded.etag IS NULL AND {same} THEN etag ELSE excluded.etag END"
    return (
        f"{_insert(resource)} ON CONFLICT (key) DO UPDATE SET {taken}, etag = {etag}, "
        f"changed = CASE WHEN {same} THEN changed ELSE excluded.changed END "
        "WHERE sequence <= excluded.sequence RETURNING key, changed"
    )


_UPSERT: Final = {resource: _upsert(resource) for resource in Resource}
_INSERT: Final = {resource: _insert(resource) for resource in Resource}
_BETWEEN: Final = {
    resource: f"SELECT key, {', '.join(CONTENT[resource])}, etag FROM {resource.value} "
    "WHERE key BETWEEN ? AND ? LIMIT ?"
    for resource in Resource
}
_SEEN: Final = {
    resource: f"UPDATE {resource.value} SET seen_at = ?, sequence = ?, walk = ? "
    "WHERE key BETWEEN ? AND ? AND sequence <= ? AND key NOT IN (SELECT value FROM json_each(?))"
    for resource in Resource
}
_FEW: Final = 16
"""Fewer rows are stored one by one."""

_TOLD: Final = """
    SELECT name FROM sqlite_schema
    WHERE type = 'table' AND name NOT IN ('counter', 'origin', 'identity') AND name NOT LIKE 'sqlite_%' ORDER BY rowid
"""
"""The tables with the service's records."""


class Mirror(Database):
    """The writer of a mirror. Used by one thread; others use MirrorReader. Each method raises StorageError."""

    __slots__ = ("_gone", "_listed", "_sequence", "recorder")

    def __init__(self, path: Path) -> None:
        """Open or create it."""
        super().__init__(path, KIND)
        self._sequence = self.known_until()
        # What was removed, and when: reads on their way then must not bring it back. They die with the process.
        self._gone: dict[tuple[Resource, Key], int] = {}
        self._listed: dict[Resource, tuple[frozenset[str], ShownFields]] = {}
        self.recorder: Recorder | None = None

    def tell_to(self, recorder: Recorder) -> None:
        """Tell this one all news from now on. Raises StorageError."""
        with self.reading() as connection:
            for statement in MOVED if self.recorder is None else ():
                connection.execute(statement)
        self.recorder = recorder

    @property
    def news(self) -> MirrorNews:
        """All that has been told."""
        with self.reading() as connection:
            return no_news(connection)

    @property
    def address(self) -> str | None:
        """The service's address of this mirror; None if it has none yet."""
        row = self.row("SELECT address FROM origin")
        return None if row is None else str(row[0])

    def belong_to(self, address: str, *, emptied: bool) -> None:
        """Bind the mirror to the service at this address; the rows of another service are removed (`emptied`)."""
        self._listed.clear()
        with self.transaction() as connection:
            for (table,) in connection.execute(_TOLD).fetchall() if emptied else ():
                connection.execute(f"DELETE FROM {table}")
            if emptied:
                connection.execute(NEW_IDENTITY)
            connection.execute("INSERT OR REPLACE INTO origin VALUES (1, ?)", (address,))

    # ---------------------------------------------------------------- writing

    def begin_read(self) -> int:
        """A new sequence, higher than all before: for a read before it leaves, for a write when its answer has come."""
        self._sequence += 1
        return self._sequence

    def put(
        self,
        resource: Resource,
        rows: Sequence[Row],
        sequence: int,
        walk: Walk | None = None,
        own: Fields | None = None,
        made: bool = False,
    ) -> tuple[Row, ...]:
        """Store rows; returns the new and the changed ones. Of the others `seen_at` moves, and `etag` if the row has
        one.

        `walk`: these are a page of that walk, which is then as it says. `own`: the values that a write of ours gave
        these rows; `made`: it made the record. Raises ValueError for another resource's rows.
        """
        kept = {row.key: row for row in rows if self._gone.get((resource, row.key), 0) <= sequence}
        put = self.begin_read()
        values = [row_values(resource, row) for row in kept.values()]
        with self.transaction() as connection:
            keys = _stored(connection, resource, values, (sequence, None if walk is None else walk.number, put, put))
            if walk is not None:
                connection.execute(
                    "UPDATE walk SET cursor = ?, requests = ?, total = ?, set_aside = ?, reasons = ? "
                    "WHERE resource = ? AND number = ?",
                    (
                        walk.cursor,
                        walk.requests,
                        walk.total,
                        walk.set_aside,
                        reasons_value(walk.reasons),
                        resource.value,
                        walk.number,
                    ),
                )
            mark(connection, kept.values(), put)
            new = tuple(kept[key_of(key)] for key in keys)
            if new:
                _let_go_of_etag(connection, resource)
                told = news(connection, put)
                if self.recorder is not None:
                    self.recorder.shown(resource, new, said_before(connection), told, own, made)
            self._keep_sequence(connection)
        if new and walk is None and self.recorder is not None:
            self.recorder.settled(self.news, self.path)
        return new

    def _tell_gone(
        self, connection: Connection, resource: Resource, keys: Mapping[Key, float | None], own: bool | None = False
    ) -> None:
        told = news(connection, self.begin_read())
        if self.recorder is not None:
            self.recorder.gone(resource, keys, told, own)

    def remove(self, ref: Ref, sequence: int, *, own: bool | None = False) -> bool:
        """Remove a record that the service says is gone; returns whether the mirror had it. `own`: as Recorder has
        it."""
        self._gone[ref.resource, ref.key] = sequence
        table, key = ref.resource.value, key_value(ref.key)
        with self.transaction() as connection:
            rows = connection.execute(
                f"DELETE FROM {table} WHERE key = ? AND sequence <= ? RETURNING seen_at", (key, sequence)
            ).fetchall()
            if rows:
                _let_go_of_etag(connection, ref.resource)
            if rows or number(connection, f"SELECT EXISTS (SELECT 1 FROM {table} WHERE key = ?)", (key,)) == 0:
                seen = cast("float", rows[0][0]) if rows else None
                self._tell_gone(connection, ref.resource, {ref.key: seen}, own)
            self._keep_sequence(connection)
        if self.recorder is not None:
            self.recorder.settled(self.news, self.path)
        return bool(rows)

    # ---------------------------------------------------------------- walks

    def begin_walk(self, resource: Resource) -> int:
        """Begin a new walk, and forget one that has not come to its end; returns its number."""
        number = self.begin_read()
        with self.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO walk (resource, number) VALUES (?, ?)", (resource.value, number))
            self._keep_sequence(connection)
        return number

    def size(self) -> int:
        """The used bytes of the file, and of what its recorder keeps."""
        used = self.number("PRAGMA page_count") - self.number("PRAGMA freelist_count")
        return used * self.number("PRAGMA page_size") + (0 if self.recorder is None else self.recorder.size())

    def walk(self, resource: Resource) -> Walk | None:
        """The unfinished walk, of this run or an earlier one."""
        row = self.row(
            "SELECT number, cursor, requests, total, set_aside, reasons FROM walk WHERE resource = ?", (resource.value,)
        )
        if row is None:
            return None
        number, cursor, requests, total, set_aside, reasons = cast(
            "tuple[int, str | None, int, int | None, int, str | None]", row
        )
        return Walk(number, cursor, requests, total, set_aside, reasons_of(reasons))

    def finish_walk(
        self,
        resource: Resource,
        walk: int,
        as_of: float,
        gaps: Gaps = NO_GAPS,
        sweep: bool = True,
        requests: int | None = None,
        etag: str | None = None,
        statuses: Collection[str] = (),
        since: float | None = None,
    ) -> tuple[Key, ...]:
        """End a walk that came to the list's end; returns the keys of the rows that it removed. If another has replaced
        it, it has no effect.

        What was not seen since its beginning is removed, and `as_of` kept. Nothing is removed where the service showed
        only the first records (`gaps.cut_at`), nor with `sweep` False (for a walk in which records could not be read):
        what was not seen may still be there. `requests`: what it took; `etag`: of the list, kept if the rows are now
        the walk's and nothing else's; `statuses`: those that alone were asked for, so that rows without one of them
        stay; `since`: when the oldest of the rows was said that stay without having been seen.
        """
        removed: dict[Key, float | None] = {}
        self._listed.pop(resource, None)
        with self.transaction() as connection:
            connection.execute("DELETE FROM walk WHERE resource = ? AND number = ?", (resource.value, walk))
            if connection.changes() != 1:
                return ()
            whole = sweep and gaps.cut_at is None
            if whole:
                removed = _sweep(connection, resource, walk, statuses)
            kept = etag if whole and self._is_as_walked(connection, resource, walk) else None
            connection.execute(
                "INSERT OR REPLACE INTO fact (resource, as_of, requests, etag, cut_at, set_aside, reasons, missing) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    resource.value,
                    as_of,
                    requests,
                    kept,
                    gaps.cut_at,
                    gaps.set_aside,
                    reasons_value(gaps.reasons),
                    gaps.missing,
                ),
            )
            know(connection, resource, self._sequence, as_of)
            if removed:
                self._tell_gone(connection, resource, removed)
                self._keep_sequence(connection)
        self._gone = {at: sequence for at, sequence in self._gone.items() if at[0] is not resource or sequence > walk}
        if gaps.cut_at is None and self.recorder is not None:
            began = min(self.oldest(resource, walk) or as_of, as_of if since is None else since)
            reading = WholeReading(walk, began, as_of, whole, tuple(statuses))
            self.recorder.read_whole(resource, reading, self.news, self.path)
        return tuple(removed)

    def missed(self, resource: Resource, walk: int, statuses: Collection[str] = ()) -> tuple[Key, ...]:
        """The keys of the rows that a walk to the list's end did not see: what `finish_walk` would remove."""
        where, values = _unseen(walk, statuses)
        return tuple(key_of(key) for (key,) in self.rows(f"SELECT key FROM {resource.value} WHERE {where}", values))

    def shows_all_of(self, resource: Resource, before: int, walk: int, statuses: Collection[str] = ()) -> bool:
        """Whether a walk to the list's end saw every row that was said since an earlier one began, and none of them was
        removed since."""
        if any(at[0] is resource and sequence > before for at, sequence in self._gone.items()):
            return False
        where, values = _unseen(walk, statuses)
        others = f"SELECT EXISTS (SELECT 1 FROM {resource.value} WHERE {where} AND sequence > ?)"
        return self.number(others, (*values, before)) == 0

    def another_key(self, resource: Resource, keys: Collection[Key]) -> Key | None:
        """The key of one row that is none of these, if there is any."""
        known = json.dumps([key_value(key) for key in keys])
        query = f"SELECT key FROM {resource.value} WHERE key NOT IN (SELECT value FROM json_each(?)) LIMIT 1"
        row = self.row(query, (known,))
        return None if row is None else key_of(row[0])

    def confirm_walk(self, resource: Resource, walk: int, sequence: int, as_of: float) -> None:
        """End a walk whose one request was answered with "not modified": every row was seen again at `as_of`, and all
        else that is known of the list stays. If another walk has replaced it, it has no effect."""
        with self.transaction() as connection:
            connection.execute("DELETE FROM walk WHERE resource = ? AND number = ?", (resource.value, walk))
            if connection.changes() != 1:
                return
            connection.execute("UPDATE fact SET as_of = ? WHERE resource = ?", (as_of, resource.value))
            connection.execute(
                f"UPDATE {resource.value} SET seen_at = ?, sequence = ?, walk = ? WHERE sequence <= ?",
                (as_of, sequence, walk, sequence),
            )
            self._keep_sequence(connection)
        if self.recorder is not None and self.facts(resource).gaps.cut_at is None:
            self.recorder.read_whole(resource, WholeReading(walk, as_of, as_of), self.news, self.path)

    def _is_as_walked(self, connection: Connection, resource: Resource, walk: int) -> bool:
        """Whether only this walk wrote or removed rows since it began."""
        if any(at[0] is resource and sequence > walk for at, sequence in self._gone.items()):
            return False
        others = f"SELECT EXISTS (SELECT 1 FROM {resource.value} WHERE walk IS NOT ?)"
        return number(connection, others, (walk,)) == 0

    # ---------------------------------------------------------------- reading

    def get(self, ref: Ref) -> Row | None:
        """One row."""
        query = f"SELECT {ROW_COLUMNS[ref.resource]} FROM {ref.resource.value} WHERE key = ?"
        values = self.row(query, (key_value(ref.key),))
        return None if values is None else reader_of(ref.resource)(values)

    def stands(self, resource: Resource, keys: Sequence[Key], fields: Sequence[str]) -> dict[Key, Values]:
        """Each of these rows that there is as its key, whether it has an ETag, the sequence of the answer that last
        showed it, and these fields as they are stored. Raises ValueError for an unknown field."""
        if not {*fields} <= {*FIELDS[resource]}:
            raise ValueError(f"not fields of {resource}: {sorted(fields)}")
        names = ", ".join(("key", "etag NOT NULL", "sequence", *fields))
        query = f"SELECT {names} FROM {resource.value} WHERE key IN (SELECT value FROM json_each(?))"
        rows = self.rows(query, (json.dumps([key_value(key) for key in keys]),))
        return {key_of(row[0]): row for row in rows}

    def sequence(self, ref: Ref) -> int:
        """The sequence of the answer that last showed a row; 0 if there is none."""
        return self.number(f"SELECT sequence FROM {ref.resource.value} WHERE key = ?", (key_value(ref.key),))

    def known_until(self) -> int:
        """A mark: rows that come from now on are new to it (see `knew`, `matching`). It outlives the process."""
        return self.number("SELECT sequence FROM counter")

    def knew(self, ref: Ref, mark: int) -> bool:
        """Whether this row was stored before the mark; False if there is no row."""
        query = f"SELECT EXISTS (SELECT 1 FROM {ref.resource.value} WHERE key = ? AND born <= ?)"
        return self.number(query, (key_value(ref.key), mark)) == 1

    def highest(self, resource: Resource) -> int:
        """The highest id that is a number; 0 if there is none above that."""
        # Of keys of all kinds numbers come before texts.
        return self.number(f"SELECT max(0, coalesce(max(key), 0)) FROM {resource.value} WHERE key < ''")

    def names_by_text(self, resource: Resource) -> bool:
        """Whether records of a list have texts for ids."""
        return (
            self.number(f"SELECT EXISTS (SELECT 1 FROM {resource.value} WHERE key >= 'text:' AND key < 'text;')") == 1
        )

    def matching(self, resource: Resource, fields: Fields, mark: int) -> frozenset[Key]:
        """The keys of the rows stored after this mark that have exactly these values. Raises ValueError for an unknown
        field."""
        if not fields.keys() <= set(FIELDS[resource]):
            raise ValueError(f"not fields of {resource}: {sorted(fields)}")
        where = " AND ".join(("born > ?", *(f"{name} IS ?" for name in fields)))
        values = [mark, *(None if isinstance(value, LocalId) else value for value in fields.values())]
        return frozenset(key_of(key) for (key,) in self.rows(f"SELECT key FROM {resource.value} WHERE {where}", values))

    def names(self, resource: Resource, keys: Sequence[Key]) -> dict[Key, str]:
        """The names of these pets or categories, as far as they are in the mirror."""
        wanted = json.dumps([key_value(key) for key in keys if isinstance(key, ServiceId)])
        query = f"SELECT key, name FROM {resource.value} WHERE key IN (SELECT value FROM json_each(?))"
        rows = self.rows(query, (wanted,))
        return {key_of(key): str(name) for key, name in rows}

    def named(self, resource: Resource, name: str) -> tuple[Key, ...]:
        """The pets or categories of this name, two at most."""
        rows = self.rows(f"SELECT key FROM {resource.value} WHERE name = ? LIMIT 2", (name,))
        return tuple(key_of(key) for (key,) in rows)

    def carried(self, resource: Resource, field: str, most: int) -> tuple[FieldValue, ...]:
        """What records have in this field, the first `most` of them that have anything. Raises ValueError for an
        unknown field."""
        if field not in FIELDS[resource]:
            raise ValueError(f"not a field of {resource}: {field!r}")
        query = f"SELECT {field} FROM {resource.value} WHERE {field} NOT NULL LIMIT ?"
        return tuple(dict.fromkeys(cast("FieldValue", value) for (value,) in self.rows(query, (most,))))

    def described(self, resource: Resource, field: str) -> Iterator[tuple[Key, Extra]]:
        """Each other record that this field names, with the unknown fields of what names it, as they were last said.
        Raises ValueError for an unknown field."""
        if field not in FIELDS[resource]:
            raise ValueError(f"not a field of {resource}: {field!r}")
        query = f"SELECT {field}, extra, max(sequence) FROM {resource.value} WHERE extra NOT NULL GROUP BY {field}"
        rows = cast("list[tuple[Key | None, str, int]]", self.rows(query))
        yield from ((key, extra_of(text)) for key, text, _ in rows if key is not None)

    def listed(self, resource: Resource, rooms: frozenset[str]) -> ShownFields | None:
        """Which fields the records of a list show, as far as it was the list that said last what there is of them; None
        where it was of none. `rooms`: the objects whose fields count as well. Worked out once for each whole
        reading."""
        if (known := self._listed.get(resource)) is not None and known[0] == rooms:
            return known[1]
        table, names = resource.value, FIELDS[resource]
        some = ", ".join(f"max({name} NOT NULL AND {name} IS NOT '')" for name in names)
        with self.reading() as connection:
            found = connection.execute(f"SELECT {some}, count(*) FROM {table} WHERE walk NOT NULL").fetchone()
            *has, count = found or (0,)
            if not count:
                return None
            others = set[tuple[str, ...]]()
            for way in ((), *((room,) for room in rooms if '"' not in room)):
                place = "".join(("$", *(f'."{name}"' for name in way)))
                inner = connection.execute(
                    f"SELECT DISTINCT one.key FROM {table}, json_each(extra, ?) AS one "
                    "WHERE walk NOT NULL AND extra NOT NULL AND typeof(one.key) = 'text'",
                    (place,),
                )
                others.update((*way, cast("str", name)) for (name,) in inner)
        own = frozenset(name for name, is_there in zip(names, has, strict=True) if is_there)
        shown = ShownFields(own, frozenset(others))
        if self.as_of(resource) is not None:
            self._listed[resource] = rooms, shown
        return shown

    def facts(self, resource: Resource) -> ListStatus:
        """How many rows there are, and when they were last walked."""
        with self.reading() as connection:
            return facts_of(connection, resource)

    def put_counts(self, counts: StatusCounts) -> None:
        """Keep the service's own count of its pets, in place of the one before."""
        rows = [(one.status, one.counted, one.shown, counts.as_of) for one in counts.counts]
        with self.transaction() as connection:
            connection.execute("DELETE FROM status_count")
            if rows:
                connection.executemany("INSERT INTO status_count VALUES (?, ?, ?, ?)", rows)

    def shown_by_status(self) -> dict[str, int]:
        """How many pets there are of each status."""
        rows = self.rows("SELECT status, count(*) FROM pets WHERE status NOT NULL GROUP BY status")
        return dict(cast("list[tuple[str, int]]", rows))

    def oldest(self, resource: Resource, walk: int) -> float | None:
        """When the oldest of the rows seen by this walk was read (UTC epoch seconds); None if it saw none."""
        row = self.row(f"SELECT min(seen_at) FROM {resource.value} WHERE walk = ?", (walk,))
        return row[0] if row is not None and isinstance(row[0], float) else None

    def seen_by(self, resource: Resource, walk: int) -> tuple[Key, ...]:
        """The rows that this walk has seen."""
        rows = self.rows(f"SELECT key FROM {resource.value} WHERE walk = ?", (walk,))
        return tuple(key_of(key) for (key,) in rows)

    def walked(self, resource: Resource, walk: int) -> int:
        """How many rows this walk has seen."""
        return self.number(f"SELECT count(*) FROM {resource.value} WHERE walk = ?", (walk,))

    def as_of(self, resource: Resource) -> float | None:
        """When the resource was last walked to its end (UTC epoch seconds); None if never."""
        return self.facts(resource).as_of

    def count(self, resource: Resource) -> int:
        """How many rows there are."""
        return self.facts(resource).count

    def _keep_sequence(self, connection: Connection) -> None:
        connection.execute("UPDATE counter SET sequence = ?", (self._sequence,))


def _stored(
    connection: Connection, resource: Resource, values: Sequence[Values], read: tuple[int, int | None, int, int]
) -> list[Value]:
    """Store rows; returns the keys of the new and the changed ones. `read`: their sequence, walk, changed and born.

    A page mostly holds records that follow one another, and is all new or, later, all as it was. To look once at what
    is between its ends, and to insert all of it or to mark it as seen, takes half, or a third, of what it takes to ask
    SQLite what has become of each row."""
    rest, (sequence, walk, put, _) = values, read
    if len(values) >= _FEW and len({(type(row[0]), row[-1]) for row in values}) == 1:
        keys = [row[0] for row in values]
        ends, most = (min(cast("list[int]", keys)), max(cast("list[int]", keys))), len(keys) + _FEW
        found = connection.execute(_BETWEEN[resource], (*ends, most)).fetchall()
        if not found:
            connection.executemany(_INSERT[resource], [(*row, *read) for row in values])
            return keys
        if len(found) < most:
            before = {row[0]: row for row in found}
            rest = [row for row in values if not _is_as_before(before.get(row[0]), row[:-1])]
            others = before.keys() - keys | {row[0] for row in rest}
            seen_at = values[0][-1]
            connection.execute(_SEEN[resource], (seen_at, sequence, walk, *ends, sequence, json.dumps(list(others))))
    said = connection.executemany(_UPSERT[resource], [(*row, *read) for row in rest]).fetchall() if rest else []
    return [key for key, changed in said if changed == put]


def _is_as_before(before: Values | None, now: Values) -> bool:
    """Whether a row shows what is kept of it; the last value is its ETag, which many lists do not tell."""
    return before == now or (before is not None and now[-1] is None and before[:-1] == now[:-1])


def _let_go_of_etag(connection: Connection, resource: Resource) -> None:
    connection.execute("UPDATE fact SET etag = NULL WHERE resource = ? AND etag IS NOT NULL", (resource.value,))


def _unseen(walk: int, statuses: Collection[str]) -> tuple[str, tuple[Value, ...]]:
    """Which rows a walk did not see, except those written by newer answers, and those that it did not ask for."""
    asked = f" AND status IN ({', '.join('?' * len(statuses))})" if statuses else ""
    return f"sequence <= ? AND walk IS NOT ?{asked}", (walk, walk, *statuses)


def _sweep(connection: Connection, resource: Resource, walk: int, statuses: Collection[str]) -> dict[Key, float | None]:
    """Remove the rows that a walk did not see; returns when each was last said."""
    where, values = _unseen(walk, statuses)
    rows = connection.execute(f"DELETE FROM {resource.value} WHERE {where} RETURNING key, seen_at", values)
    return {key_of(key): cast("float", seen) for key, seen in rows.fetchall()}
