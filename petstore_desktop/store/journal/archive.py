"""journal-archive.db: old finished changes, moved here to keep the journal small. The same tables, beside the journal.

What moves is whole batches, and with a batch those that took it back, or that it took back: so that what the journal
still has of an act is all of it. They are copied first, in one transaction that is on the disk before another one takes
them out of the journal. A kill or a power cut in between leaves them in both; the next time finds that and goes on.

What drafts were before a batch is forgotten as it moves. In the journal stay:
what is open, waits to be taken back, or made a record (its later changes find the record by it).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final, cast

from msgspec.structs import replace

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.held_files import move
from petstore_desktop.store.journal.journal import Journal, ended_form
from petstore_desktop.store.journal.schema import KIND, keep_address, kept_address
from petstore_desktop.store.sqlite.database import Database
from petstore_desktop.store.sqlite.typed_apsw import Connection, Values, number, numbers

KEEP: Final = 100_000
"""How many of the newest changes stay in the journal, unless they are older than KEEP_S."""
KEEP_S: Final = 90 * 86_400.0
PIECE: Final = 200
"""How many changes are checked in one piece: about 20 ms if all move. A large batch moves as a whole."""

_KIND: Final = replace(KIND, checked=False, audit=None)
_GIVEN: Final = "IN (SELECT value FROM json_each(?1))"
_CHANGES: Final = f"(SELECT id FROM change WHERE batch {_GIVEN})"
_ATTEMPTS: Final = f"(SELECT attempt_id FROM attempt_change WHERE change_id IN {_CHANGES})"
_MOVED: Final = (
    ("batch", f"id {_GIVEN}"),
    ("change", f"batch {_GIVEN}"),
    ("attempt", f"id IN {_ATTEMPTS}"),
    ("attempt_change", f"change_id IN {_CHANGES}"),
    ("undone", f"change_id IN {_CHANGES}"),
    ("made", f"change_id IN {_CHANGES}"),
    ("decision", f"attempt_id IN {_ATTEMPTS}"),
)
"""The tables to move, referenced ones first, each with the condition that selects a batch's rows."""

_NO_TIE: Final = "NOT EXISTS (SELECT 1 FROM attempt_change WHERE attempt_id = "
_OVER: Final = f"""
    SELECT c.batch FROM change c
    LEFT JOIN attempt_change t ON t.change_id = c.id LEFT JOIN attempt a ON a.id = t.attempt_id
    WHERE c.batch {_GIVEN} GROUP BY c.batch
    HAVING (max(c.id) <= ?2 OR max(coalesce(a.ended_at, c.at)) < ?3)
        AND NOT max(c.intent ->> '$.kind' = 'create')
        AND NOT max(EXISTS (SELECT 1 FROM open_change WHERE change_id = c.id))
        AND NOT max(EXISTS (SELECT 1 FROM pending WHERE change_id = c.id))
"""
_LINKS: Final = f"""
    SELECT c.batch, u.by FROM undone u JOIN change c ON c.id = u.change_id WHERE u.by {_GIVEN}
    UNION SELECT c.batch, u.by FROM change c JOIN undone u ON u.change_id = c.id WHERE c.batch {_GIVEN}
    UNION SELECT id, undoes FROM batch WHERE undoes IS NOT NULL AND (id {_GIVEN} OR undoes {_GIVEN})
    UNION SELECT id, redoes FROM batch WHERE redoes IS NOT NULL AND (id {_GIVEN} OR redoes {_GIVEN})
"""


class Archive:
    """The archive of one journal, on the journal's own thread. Each method raises StorageError."""

    __slots__ = ("_cursor", "_database", "_journal", "path")

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._database: Database | None = None
        self._cursor = 0
        self.path = self._journal.path.with_name("journal-archive.db")

    @property
    def database(self) -> Database | None:
        """The archive, for those who read a journal's tables; None where nothing was ever stored away."""
        if self._database is None and self.path.exists():
            self._database = Database(self.path, _KIND)
        return self._database

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        if self._database is not None:
            self._database.close()

    def store_away(self, now: float, most: int = PIECE, keep: int = KEEP, keep_s: float = KEEP_S) -> bool:
        """Move finished changes among the next `most` that are old at `now` (UTC epoch seconds); returns whether more
        are left to check. After the last piece it starts from the beginning."""
        with self._journal.reading() as connection:
            edge = number(connection, "SELECT id FROM change ORDER BY id DESC LIMIT 1 OFFSET ?", (keep,))
            piece = connection.execute(
                "SELECT id, batch FROM change WHERE id > ? AND (id <= ? OR at < ?) ORDER BY id LIMIT ?",
                (self._cursor, edge, now - keep_s, most),
            ).fetchall()
            moves = _what_moves(connection, {str(batch) for _, batch in piece}, edge, now - keep_s)
        if moves:
            self._database = self.database or Database(self.path, _KIND)
            keep_address(self._database, kept_address(self._journal))
            try:
                _copy(self._journal, self._database, moves)
            except _Clash:
                self._begin_anew()
                _copy(self._journal, self._database, moves)
            _take_out(self._journal, moves)
        more = len(piece) == most
        self._cursor = cast("int", piece[-1][0]) if more else 0
        return more

    def bring_back(self, batch: str) -> bool:
        """Move a batch and its linked batches back into the journal, so that it can be undone; returns whether it was
        here."""
        if self.database is None or self._database is None:
            return False
        with self._database.reading() as connection:
            moves = _linked(connection, {batch})
            if not number(connection, "SELECT count(*) FROM change WHERE batch = ?", (batch,)):
                return False
        try:
            _copy(self._database, self._journal, moves)
        except _Clash as error:
            raise StorageError("damaged", path=str(self.path), why="another journal's") from error
        _take_out(self._database, moves)
        return True

    def _begin_anew(self) -> None:
        """Rename an archive that belongs to another journal (same ids), and start a new one."""
        old, count = cast("Database", self._database), 1
        old.close()
        while (other := self.path.with_name(f"journal-archive-{count}.db")).exists():
            count += 1
        move(self.path, other)
        self._database = Database(self.path, _KIND)
        keep_address(self._database, kept_address(self._journal))


class _Clash(Exception):
    """Two different rows have the same id."""


def _what_moves(connection: Connection, batches: set[str], edge: int, since: float) -> set[str]:
    """Select the finished batches among these, if all batches linked with them are finished too."""
    wanted = _linked(connection, batches)
    rows = connection.execute(_OVER, (json.dumps(sorted(wanted)), edge, since))
    over = {str(batch) for (batch,) in rows}
    links = [link for link in _links(connection, wanted) if _there(connection, link)]
    while torn := {batch for link in links if not set(link) <= over for batch in link if batch in over}:
        over -= torn
    return over


def _there(connection: Connection, link: tuple[str, str]) -> bool:
    """Whether both linked batches are in this database; a link with one end missing is ignored."""
    return all(number(connection, "SELECT 1 FROM change WHERE batch = ? LIMIT 1", (batch,)) for batch in link)


def _linked(connection: Connection, batches: set[str]) -> set[str]:
    """These batches, and all linked with them by undo, directly or not."""
    known, new = set(batches), set(batches)
    while new:
        new = {batch for link in _links(connection, new) for batch in link} - known
        known |= new
    return known


def _links(connection: Connection, batches: Iterable[str]) -> list[tuple[str, str]]:
    rows = connection.execute(_LINKS, (json.dumps(sorted(batches)),))
    return [(str(one), str(other)) for one, other in rows]


def _copy(source: Database, target: Database, batches: Iterable[str]) -> None:
    """Copy rows into the target and sync it. Raises _Clash, and copies nothing, if it has other rows with these ids."""
    given = json.dumps(sorted(batches))
    with source.reading() as connection:
        rows = {table: connection.execute(f"SELECT * FROM {table} WHERE {which}", (given,)).fetchall()
                for table, which in _MOVED}  # fmt: skip
    with target.transaction() as connection:
        for table in ("change", "attempt"):
            _compare(connection, table, rows[table])
        for table, _ in _MOVED:
            if rows[table]:
                marks = ", ".join("?" * len(rows[table][0]))
                how = "IGNORE" if table in ("change", "attempt") else "REPLACE"
                connection.executemany(f"INSERT OR {how} INTO {table} VALUES ({marks})", rows[table])


def _compare(connection: Connection, table: str, rows: list[Values]) -> None:
    new = {row[0]: row for row in rows}
    ids = json.dumps(list(new))
    for row in connection.execute(f"SELECT * FROM {table} WHERE id {_GIVEN}", (ids,)):
        if new[row[0]] != row:
            raise _Clash


def _take_out(database: Database, batches: Iterable[str]) -> None:
    given = json.dumps(sorted(batches))
    with database.transaction() as connection:
        attempts = json.dumps(numbers(connection, _ATTEMPTS[1:-1], (given,)))
        for table in ("undone", "made", "attempt_change"):
            connection.execute(f"DELETE FROM {table} WHERE change_id IN {_CHANGES}", (given,))
        connection.execute(
            f"DELETE FROM decision WHERE attempt_id {_GIVEN} AND {_NO_TIE} decision.attempt_id)", (attempts,)
        )
        connection.execute(f"DELETE FROM attempt WHERE id {_GIVEN} AND {_NO_TIE} attempt.id)", (attempts,))
        connection.execute(f"DELETE FROM change WHERE batch {_GIVEN}", (given,))
        connection.execute(f"DELETE FROM batch WHERE id {_GIVEN}", (given,))
        connection.executemany("DELETE FROM draft WHERE form = ?", [(ended_form(batch),) for batch in batches])
