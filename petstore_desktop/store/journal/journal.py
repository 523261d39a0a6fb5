"""journal.db: every change that people made, and its state. The one file that must never lose anything.

It is outbox, undo stack, audit log and job list at once. Every method that writes has committed and synced when it
returns; when it raises, nothing of it is kept. One connection for each file; a second program is told `locked`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from petstore_desktop.domain.batches import JOB, SINGLE, Batch
from petstore_desktop.domain.changes import Change, ChangeState, Fields, NewChange
from petstore_desktop.domain.commands import KeepDraft
from petstore_desktop.domain.records import LocalId, Record, Ref, Resource, ServiceId, key_from_text, key_to_text
from petstore_desktop.store.journal.rows import (
    ATTEMPT_COLUMNS,
    CHANGE_COLUMNS,
    CREATING,
    LATEST,
    SUMMED_COLUMNS,
    Attempt,
    Outcome,
    attempt_of,
    change_of,
    row_sum,
)
from petstore_desktop.store.journal.schema import KIND, keep_address, kept_address
from petstore_desktop.store.journal.values_json import decode_fields, decode_intent, encode
from petstore_desktop.store.sqlite.database import Database
from petstore_desktop.store.sqlite.typed_apsw import Connection, Value, Values, number, numbers

_LAST = 2_000
"""Attempts that are looked through at a start."""
ENDED = "ended:"
"""How the forms begin under which is kept what drafts were before a batch ended them."""


class Journal(Database):
    """The journal of one connection. Used by one thread. All times are UTC epoch seconds."""

    __slots__ = ()

    def __init__(self, path: Path) -> None:
        """Open or create it. Raises StorageError."""
        super().__init__(path, KIND)

    @property
    def address(self) -> str | None:
        """The service's address that it was written for; None where none was kept yet. Raises StorageError."""
        return kept_address(self)

    def belong_to(self, address: str) -> None:
        """Keep the service's address that it is written for, unless it has one. Raises StorageError."""
        keep_address(self, address)

    # ---------------------------------------------------------------- writing

    def append(
        self,
        batch: str,
        changes: Sequence[NewChange],
        at: float,
        before: Sequence[Record | None] = (),
        source: str = "",
        drafts: Sequence[KeepDraft] = (),
    ) -> tuple[Change, ...]:
        """Write changes, all or none, queued in this order. They may be called saved only when this returns.

        `before`: for each change the whole record as the mirror had it, where there was one (for undo and history).
        Several changes are a job; `source` says what made it (see `Batch`). `drafts` are stored or deleted with them;
        with drafts a batch that is here already is left as it is, and nothing is returned.
        """
        with self.transaction() as connection:
            if drafts and connection.execute("SELECT 1 FROM change WHERE batch = ?", (batch,)).fetchone():
                return ()
            if returning := [draft for draft in drafts if draft.returns]:
                keep_ended(connection, batch, returning, at)
            write_drafts(connection, drafts, at)
            if len(changes) > 1 or source:
                priority = JOB if len(changes) > 1 else SINGLE
                insert_batch(connection, Batch(batch, at, priority=priority, source=source))
            return insert_changes(connection, batch, changes, at, before)

    def begin_attempt(
        self,
        change_ids: Sequence[int],
        request: str,
        base: Fields,
        value: Fields,
        at: float,
        deletes: Record | None = None,
    ) -> int:
        """Mark changes as sending, before the first byte leaves; returns the attempt's id.

        `request` is the sender's own JSON text, `base` what the service has now as far as known, `value` what is sent;
        `deletes`: the record that this deletes, as it was last read. Several changes of one record may share an
        attempt. Raises ValueError for changes that are sending or closed.
        """
        with self.transaction() as connection:
            ready = select_ids(connection, change_ids, "EXISTS (SELECT 1 FROM open_change WHERE change_id = c.id)")
            if len(ready) != len(set(change_ids)) or not ready:
                raise ValueError(f"not all of these changes can be sent: {list(change_ids)}")
            values = {"at": at, "request": request, "base": encode(base), "value": encode(value)}
            attempt_id = insert_attempt(connection, change_ids, values)
            if deletes is not None:
                keep_made(connection, attempt_id, deletes)
            return attempt_id

    def end_attempt(self, attempt_id: int, outcome: Outcome, at: float) -> None:
        """Write the outcome of an attempt. Raises ValueError if the attempt is not under way."""
        with self.transaction() as connection:
            values = outcome_values(outcome, at)
            connection.execute(
                f"UPDATE attempt SET {' = ?, '.join(values)} = ? WHERE id = ? AND outcome IS NULL",
                (*values.values(), attempt_id),
            )
            if connection.changes() != 1:
                raise ValueError(f"attempt {attempt_id} is not on its way")
            seal(connection, [attempt_id])
            keep_outcome(connection, attempt_id, outcome)

    def settle(self, change_ids: Sequence[int], outcome: Outcome, at: float) -> tuple[Change, ...]:
        """Decide about open changes without a request (a look settled them). Changes that
        are sending or closed are left alone; returns the others in their new state."""
        with self.transaction() as connection:
            ids = select_ids(connection, change_ids, "c.id IN (SELECT change_id FROM open_change)")
            if not ids:
                return ()
            insert_outcome(connection, ids, outcome, at)
        return self.changes(ids)

    def discard(self, change_ids: Sequence[int], at: float) -> tuple[Change, ...]:
        """Discard changes that are neither being sent nor closed; returns the discarded ones."""
        return self.settle(change_ids, Outcome(ChangeState.DISCARDED), at)

    def recover(self, at: float) -> None:
        """At start, mark changes that the last run was sending as uncertain: they may or may not have arrived, so they
        are never queued again."""
        with self.transaction() as connection:
            left = numbers(
                connection,
                "UPDATE attempt SET outcome = 'uncertain', ended_at = ?, code = 'interrupted', message = '' "
                "WHERE outcome IS NULL RETURNING id",
                (at,),
            )
            seal(connection, left)

    def last_attempt(self) -> int:
        """The id of the latest attempt; 0 where there is none."""
        return self.number("SELECT max(id) FROM attempt")

    def take_over(self, attempts: Mapping[int, tuple[Values | None, set[int]]], at: float) -> None:
        """Write the attempts of a lost commit again, with their changes. For attempts that cannot be read a person
        decides, because something may have been sent."""
        columns = ATTEMPT_COLUMNS.partition(", coalesce")[0].replace("a.", "").split(", ")
        with self.transaction() as connection:
            for attempt, (row, change_ids) in attempts.items():
                ids = select_ids(connection, sorted(change_ids), "c.id IN (SELECT change_id FROM open_change)")
                if not ids:
                    continue
                unread = (attempt, at, None, None, None, "conflict", at, "interrupted", "", *[None] * 4)
                *told, key = row or unread
                values: dict[str, Value] = dict(zip(columns, told, strict=True))
                values["result_text" if isinstance(key, str) else "result_key"] = key
                insert_attempt(connection, ids, values)
                if values["outcome"] is not None and not ChangeState(str(values["outcome"])).is_open:
                    close_changes(connection, attempt)

    # ---------------------------------------------------------------- reading

    def open_changes(self, after: int = 0, limit: int = -1) -> tuple[Change, ...]:
        """Open changes, oldest first: the first `limit` with ids above `after` (`limit` below 0: all). They wait for
        time, the service or a person."""
        where = "c.id IN (SELECT change_id FROM open_change WHERE change_id > ? ORDER BY change_id LIMIT ?)"
        return self._changes(where, (after, limit))

    def changes(self, change_ids: Sequence[int]) -> tuple[Change, ...]:
        """These changes in their current state, by id; unknown ids are left out."""
        return self._changes("c.id IN (SELECT value FROM json_each(?))", (json.dumps(list(change_ids)),))

    def batch(self, batch: str) -> tuple[Change, ...]:
        """All changes of one batch."""
        return self._changes("c.batch = ?", (batch,))

    def changes_of(self, ref: Ref) -> tuple[Change, ...]:
        """The history of one record, oldest first."""
        return self._changes("c.resource = ? AND c.key = ?", (ref.resource.value, key_to_text(ref.key)))

    def attempts(self, change_id: int) -> tuple[Attempt, ...]:
        """Every attempt of a change, oldest first."""
        query = (
            f"SELECT {ATTEMPT_COLUMNS} FROM attempt a JOIN attempt_change t ON t.attempt_id = a.id "
            "WHERE t.change_id = ? ORDER BY a.id"
        )
        return tuple(self.read(attempt_of, query, (change_id,)))

    def ended_with(self, refs: Sequence[Ref], codes: Sequence[str]) -> tuple[Attempt, ...]:
        """The attempts of these records that ended with one of these codes, oldest first."""
        query = (
            f"SELECT DISTINCT {ATTEMPT_COLUMNS} FROM attempt a JOIN attempt_change t ON t.attempt_id = a.id "
            "JOIN change c ON c.id = t.change_id "
            "WHERE c.resource = ? AND c.key = ? AND a.code IN (SELECT value FROM json_each(?)) ORDER BY a.id"
        )
        found = [
            attempt
            for ref in refs
            for attempt in self.read(
                attempt_of, query, (ref.resource.value, key_to_text(ref.key), json.dumps(list(codes)))
            )
        ]
        return tuple(sorted(found, key=lambda attempt: attempt.id))

    def latest_ended_with(self, code: str) -> list[tuple[Ref, Attempt]]:
        """The attempts that ended with this code, among the latest _LAST, each with the record of its first change,
        oldest first."""
        return self._latest("a.code = ?", code)

    def done_since(self, at: float) -> list[tuple[Ref, Attempt]]:
        """The attempts that were done at this moment (UTC epoch seconds) or later, in the same way."""
        return self._latest("a.outcome = 'done' AND a.ended_at >= ?", at)

    def _latest(self, where: str, value: Value) -> list[tuple[Ref, Attempt]]:
        query = (
            f"SELECT {ATTEMPT_COLUMNS}, c.resource, c.key FROM attempt a JOIN attempt_change t ON t.attempt_id = a.id "
            f"JOIN change c ON c.id = t.change_id WHERE {where} "
            "AND a.id > (SELECT coalesce(max(id), 0) FROM attempt) - ? GROUP BY a.id ORDER BY a.id"
        )
        return list(self.read(_with_ref, query, (value, _LAST)))

    def changes_of_attempt(self, attempt_id: int) -> frozenset[int]:
        """The ids of the changes that an attempt was about."""
        return frozenset(self.numbers("SELECT change_id FROM attempt_change WHERE attempt_id = ?", (attempt_id,)))

    def last_sent(self, change_id: int) -> Attempt | None:
        """The value last sent for a change and the base it rested on; None if nothing was sent."""
        return next((attempt for attempt in reversed(self.attempts(change_id)) if attempt.request is not None), None)

    def local_ids(self) -> dict[LocalId, ServiceId]:
        """The ids that the service gave to records created here, so that later changes find their record."""
        pairs = self.read(
            lambda row: (key_from_text(str(row[0])), row[1]),
            "SELECT c.key, coalesce(a.result_key, a.result_text) FROM attempt a "
            "JOIN attempt_change t ON t.attempt_id = a.id JOIN change c ON c.id = t.change_id "
            f"WHERE a.id IN ({CREATING}) AND a.outcome = 'done' AND c.key LIKE 'local:%'",
        )
        return {key: result for key, result in pairs if isinstance(key, LocalId) and isinstance(result, ServiceId)}

    def has_changes_of(self, ref: Ref) -> bool:
        """Whether anything was ever done here to this record, under this name."""
        query = "SELECT EXISTS (SELECT 1 FROM change WHERE resource = ? AND key = ?)"
        return self.number(query, (ref.resource.value, key_to_text(ref.key))) == 1

    def forget_pages(self) -> None:
        """Free the memory used by reading a long journal; most of it is not needed again."""
        self.rows("PRAGMA shrink_memory")

    # ---------------------------------------------------------------- inside

    def _changes(self, where: str, bindings: Sequence[Value]) -> tuple[Change, ...]:
        query = (
            f"SELECT {CHANGE_COLUMNS} FROM change c LEFT JOIN attempt a ON a.id = {LATEST} WHERE {where} ORDER BY c.id"
        )
        return tuple(self.read(change_of, query, bindings))


def insert_batch(connection: Connection, batch: Batch) -> None:
    """Insert the description of a batch, unless it has one."""
    connection.execute(
        "INSERT OR IGNORE INTO batch (id, at, kind, undoes, redoes, paused, priority, source, after) VALUES "
        "(?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(id), 0) FROM change))",
        (
            *(batch.id, batch.at, batch.kind.value, batch.undoes, batch.redoes, int(batch.paused)),
            *(batch.priority, batch.source),
        ),
    )


def insert_changes(
    connection: Connection, batch: str, changes: Sequence[NewChange], at: float, before: Sequence[Record | None]
) -> tuple[Change, ...]:
    """Insert changes, queued in this order (see `Journal.append`)."""
    images = list(before) or [None] * len(changes)
    last = number(connection, "SELECT seq FROM sqlite_sequence WHERE name = 'change'")
    ids = range(last + 1, last + 1 + len(changes))
    texts = [(encode(new.intent), encode(new.base)) for new in changes]
    for id_, new, (intent, base), image in zip(ids, changes, texts, images, strict=True):
        values = (
            id_, batch, float(at), new.ref.resource.value, key_to_text(new.ref.key), intent, base,
            None if image is None else encode(image),
        )  # fmt: skip
        connection.execute(
            f"INSERT INTO change ({SUMMED_COLUMNS}, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*values, row_sum(values))
        )
    connection.executemany("INSERT INTO open_change VALUES (?)", [(id_,) for id_ in ids])
    return tuple(  # as it is read: what is alike is one object
        Change(id_, batch, at, new.ref, decode_intent(intent), decode_fields(base), ChangeState.QUEUED, at)
        for id_, new, (intent, base) in zip(ids, changes, texts, strict=True)
    )


def ended_form(batch: str) -> str:
    """Under which form is kept what the drafts were that a batch ended."""
    return f"{ENDED}{batch}"


def keep_ended(connection: Connection, batch: str, drafts: Sequence[KeepDraft], at: float) -> None:
    """Keep what these drafts are before the batch that ends or changes them, and what they are since."""
    texts = {draft.form: None if draft.content is None else encode(draft.content) for draft in drafts}
    before = contents(connection, texts)
    ended = {form: (before.get(form), since) for form, since in texts.items()}
    connection.execute("INSERT OR REPLACE INTO draft VALUES (?, ?, ?)", (ended_form(batch), at, json.dumps(ended)))


def contents(connection: Connection, forms: Iterable[str]) -> dict[str, str]:
    """The texts of these drafts that are there, by form."""
    query = "SELECT form, content FROM draft WHERE form IN (SELECT value FROM json_each(?))"
    return {str(form): str(content) for form, content in connection.execute(query, (json.dumps([*forms]),))}


def draft_content(text: str) -> dict[str, str]:
    """The texts of a stored draft. Raises ValueError."""
    return {name: str(value) for name, value in decode_fields(text).items()}


def write_drafts(connection: Connection, drafts: Sequence[KeepDraft], at: float) -> None:
    """Store drafts, or delete those of finished forms."""
    for draft in drafts:
        if draft.content is None:
            connection.execute("DELETE FROM draft WHERE form = ?", (draft.form,))
        else:
            values = (draft.form, at, encode(draft.content))
            connection.execute("INSERT OR REPLACE INTO draft VALUES (?, ?, ?)", values)


def select_ids(connection: Connection, change_ids: Sequence[int], where: str) -> list[int]:
    """The ids of changes that match `where` and are not being sent, in the order of acting."""
    query = (
        f"SELECT c.id FROM change c LEFT JOIN attempt a ON a.id = {LATEST} "
        f"WHERE c.id IN (SELECT value FROM json_each(?)) AND ({where}) AND (a.id IS NULL OR a.outcome IS NOT NULL) "
        "ORDER BY c.id"
    )
    return numbers(connection, query, (json.dumps(list(change_ids)),))


def insert_outcome(connection: Connection, change_ids: Sequence[int], outcome: Outcome, at: float) -> None:
    """Insert an attempt without a request that decides about these changes."""
    attempt_id = insert_attempt(connection, change_ids, {"at": at, **outcome_values(outcome, at)})
    keep_outcome(connection, attempt_id, outcome)


def insert_attempt(connection: Connection, change_ids: Sequence[int], values: Mapping[str, Value]) -> int:
    """Insert an attempt with these columns, and link it with its changes; returns its id."""
    connection.execute(
        f"INSERT INTO attempt ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})", tuple(values.values())
    )
    attempt_id = connection.last_insert_rowid()
    seal(connection, [attempt_id])
    connection.executemany("INSERT INTO attempt_change VALUES (?, ?)", [(id_, attempt_id) for id_ in set(change_ids)])
    return attempt_id


def seal(connection: Connection, attempt_ids: Sequence[int]) -> None:
    """Give attempts that were just written their checksums."""
    query = f"SELECT {ATTEMPT_COLUMNS} FROM attempt a WHERE id IN (SELECT value FROM json_each(?))"
    rows = connection.execute(query, (json.dumps(list(attempt_ids)),)).fetchall()
    connection.executemany("UPDATE attempt SET sum = ? WHERE id = ?", [(row_sum(row), row[0]) for row in rows])


def keep_made(connection: Connection, attempt_id: int, record: Record) -> None:
    """Store the record that this attempt created or deletes, as the service showed it; it belongs to the oldest change
    of the attempt."""
    connection.execute(
        "INSERT OR REPLACE INTO made SELECT min(change_id), ? FROM attempt_change WHERE attempt_id = ?",
        (encode(record), attempt_id),
    )


def keep_outcome(connection: Connection, attempt_id: int, outcome: Outcome) -> None:
    """Store what an outcome says beside its attempt: the record that was made, and that the changes are closed."""
    if outcome.made is not None:
        keep_made(connection, attempt_id, outcome.made)
    if not outcome.state.is_open:
        close_changes(connection, attempt_id)


def close_changes(connection: Connection, attempt_id: int) -> None:
    """Close the changes of this attempt."""
    connection.execute(
        "DELETE FROM open_change WHERE change_id IN (SELECT change_id FROM attempt_change WHERE attempt_id = ?)",
        (attempt_id,),
    )


def outcome_value(state: ChangeState) -> str:
    """A state as the outcome of an attempt. Raises ValueError for one that no attempt ends in."""
    if state is ChangeState.SENDING:
        raise ValueError(f"an attempt cannot end as {state}")
    return state.value


def outcome_values(outcome: Outcome, at: float) -> dict[str, Value]:
    """The columns of an attempt that ended so; those that have no value may be left out."""
    key = outcome.result_key
    ended: dict[str, Value] = {"outcome": outcome_value(outcome.state), "ended_at": at}
    ended["result_text" if isinstance(key, str) else "result_key"] = key
    reason = outcome.reason
    if reason is None:
        return {**ended}
    theirs = encode(reason.theirs) if reason.theirs else None
    said = {"code": reason.code, "message": reason.message, "status": reason.status, "raw": reason.raw}
    return {**ended, **said, "theirs": theirs}


def _with_ref(row: Values) -> tuple[Ref, Attempt]:
    return Ref(Resource(str(row[-2])), key_from_text(str(row[-1]))), attempt_of(row[:-2])
