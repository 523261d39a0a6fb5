"""The journal as a table, the newest entry first: read in windows, so that no single read takes long.

The journal belongs to one thread, which has other things to do. A window is a bounded number of changes of the
filter's scope (all, some batches, some records); those of them that fit come back, and where the next window begins.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Final, cast

from msgspec import Struct

from petstore_desktop.domain.batches import BatchKind, ChangeFilter
from petstore_desktop.domain.changes import Change, ChangeState
from petstore_desktop.domain.records import Ref, Resource, key_from_text, key_to_text
from petstore_desktop.store.journal.rows import CHANGE_COLUMNS, LATEST, STATE, TAKEN_BACK_BY, change_of
from petstore_desktop.store.sqlite.database import Database
from petstore_desktop.store.sqlite.typed_apsw import Value, Values

WINDOW: Final = 50
"""Changes per window: 1 or 2 ms if all of them match."""

_EXTRA: Final = (
    f"{STATE}, c.before, EXISTS {TAKEN_BACK_BY}, (SELECT max(at) FROM batch WHERE id IN {TAKEN_BACK_BY}), "
    "coalesce((SELECT kind FROM batch WHERE id = c.batch), 'edit'), "
    "(SELECT source FROM batch WHERE id = c.batch), "
    "CASE a.outcome WHEN 'discarded' THEN (SELECT iif(x.outcome = 'refused' AND x.status NOT NULL, 'refused', 'tried') "
    "FROM attempt_change t JOIN attempt x ON x.id = t.attempt_id WHERE t.change_id = c.id AND x.request NOT NULL "
    "ORDER BY x.id DESC LIMIT 1) END"
)
_CREATE: Final = '{"kind":"create"'
"""The first characters of a stored intent that creates a record."""
_EXTRAS: Final = 7


class StoredChange(Struct, frozen=True):
    """A change as it lies in the journal; made a Change only where it is needed. `undone`: it was taken back, or is
    about to be, by an act of `undone_at` (UTC epoch seconds; None where that is not known); `kind`: how its batch came
    to be."""

    values: Values
    state: ChangeState
    before: str | None
    undone: bool
    undone_at: float | None
    kind: BatchKind
    source: str = ""
    """The source of its batch, as in `Batch`."""
    tried: str = ""
    """What became of a discarded change before that, as in `HistoryEntry`."""

    @property
    def id(self) -> int:
        """The change's id."""
        return cast("int", self.values[0])

    @property
    def batch(self) -> str:
        """The id of its batch."""
        return cast("str", self.values[1])

    @property
    def ref(self) -> Ref:
        """Its record."""
        return Ref(Resource(str(self.values[3])), key_from_text(str(self.values[4])))

    @property
    def act(self) -> tuple[Value, Value]:
        """The act and the kind of record; equal if two changes are alike (see `domain/batches.are_alike`)."""
        intent = str(self.values[5])
        return self.values[3], "create" if intent.startswith(_CREATE) else intent

    @property
    def named(self) -> str:
        """The record's old name, or its new one; empty if the change holds neither."""
        known = json.loads(self.before) if self.before else json.loads(str(self.values[5])).get("fields", {})
        name = known.get("name")
        return name if isinstance(name, str) else ""

    def change(self) -> Change:
        """The whole change. Raises ValueError when it holds what this program never writes."""
        return change_of(self.values)


class JournalReading:
    """Looks up changes in a journal and its archive, on the journal's own thread. Each method raises StorageError."""

    __slots__ = ("_archive", "_journal")

    def __init__(self, journal: Database, archive: Callable[[], Database | None] = lambda: None) -> None:
        """`archive` opens the archive, if there is one."""
        self._journal = journal
        self._archive = archive

    @property
    def path(self) -> str:
        """The path of the journal."""
        return str(self._journal.path)

    def window(
        self, wanted: ChangeFilter, below: int | None = None, size: int = WINDOW
    ) -> tuple[list[StoredChange], int | None]:
        """Of the newest `size` changes in scope with ids below `below` those in the wanted states and times, newest
        first; and below which id to go on, None at the end. The filter's `finds` is the caller's to ask."""
        edges = [(database, *_edge(database, wanted, below, size)) for database in self._databases()]
        lowest = max((edge for _, _, edge in edges if edge is not None), default=None)
        found: dict[int, StoredChange] = {}
        for database, newest, _ in reversed(edges):  # what is in both is read from the journal
            if newest is not None and (lowest is None or newest >= lowest):
                found.update((filed.id, filed) for filed in _read(database, wanted, below, lowest))
        return [found[id_] for id_ in sorted(found, reverse=True)], lowest

    def total(self) -> int:
        """How many changes there are."""
        return sum(database.number("SELECT count(*) FROM change") for database in self._databases())

    def _databases(self) -> list[Database]:
        archive = self._archive()
        return [self._journal] if archive is None else [self._journal, archive]


def _edge(database: Database, wanted: ChangeFilter, below: int | None, size: int) -> tuple[int | None, int | None]:
    """The newest change in scope, and the last one of its window if there are more."""
    scope, values = _scope(wanted, below)
    query = f"SELECT max(id), min(id), count(*) FROM (SELECT id FROM change WHERE {scope} ORDER BY id DESC LIMIT ?)"
    newest, lowest, count = cast("tuple[int | None, int | None, int]", database.row(query, (*values, size)))
    return newest, lowest if count == size else None


def _read(database: Database, wanted: ChangeFilter, below: int | None, lowest: int | None) -> Iterator[StoredChange]:
    scope, values = _scope(wanted, below, lowest)
    fits, more = _fits(wanted)
    query = (
        f"SELECT {CHANGE_COLUMNS}, {_EXTRA} FROM (SELECT * FROM change WHERE {scope}) c "
        f"LEFT JOIN attempt a ON a.id = {LATEST} WHERE {fits}"
    )
    return map(_filed, database.rows(query, (*values, *more)))


def _scope(wanted: ChangeFilter, below: int | None = None, lowest: int | None = None) -> tuple[str, list[Value]]:
    """Which changes a window is cut from: by indices alone."""
    where, values = ["1"], list[Value]()
    for bound, sign in ((below, "<"), (lowest, ">=")):
        if bound is not None:
            where.append(f"id {sign} ?")
            values.append(bound)
    if wanted.batches:
        where.append("batch IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(wanted.batches))
    if wanted.refs:
        where.append("(" + " OR ".join(["(resource = ? AND key = ?)"] * len(wanted.refs)) + ")")
        for ref in wanted.refs:
            values += (ref.resource.value, key_to_text(ref.key))
    if wanted.states and all(state.is_open for state in wanted.states):
        where.append("id IN (SELECT change_id FROM open_change)")
    return " AND ".join(where), values


def _fits(wanted: ChangeFilter) -> tuple[str, list[Value]]:
    where, values = ["1"], list[Value]()
    if wanted.states:
        where.append(f"{STATE} IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(sorted(state.value for state in wanted.states)))
    for moment, sign in ((wanted.since, ">="), (wanted.until, "<")):
        if moment is not None:
            where.append(f"c.at {sign} ?")
            values.append(moment)
    return " AND ".join(where), values


def _filed(row: Values) -> StoredChange:
    values, (state, before, undone, at, kind, source, tried) = row[:-_EXTRAS], row[-_EXTRAS:]
    return StoredChange(
        values,
        ChangeState(str(state)),
        before if isinstance(before, str) else None,
        bool(undone),
        at if isinstance(at, float) else None,
        BatchKind(str(kind)),
        source if isinstance(source, str) else "",
        tried if isinstance(tried, str) else "",
    )
