"""The batches of a journal: their titles and settings, and what undo and redo need to know.

Works in the journal's own connection. Times are UTC epoch seconds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import cast

from msgspec import Struct

from petstore_desktop.domain.batches import SINGLE, Batch, BatchKind
from petstore_desktop.domain.changes import Change, ChangeState, NewChange, Reason
from petstore_desktop.domain.commands import KeepDraft
from petstore_desktop.domain.records import Record, Resource
from petstore_desktop.store.journal.journal import (
    Journal,
    contents,
    draft_content,
    ended_form,
    insert_batch,
    insert_changes,
    insert_outcome,
    select_ids,
    write_drafts,
)
from petstore_desktop.store.journal.rows import (
    ATTEMPT_COLUMNS,
    LATEST,
    STATE,
    TAKEN_BACK_BY,
    Attempt,
    Outcome,
    attempt_of,
)
from petstore_desktop.store.journal.values_json import decode_record
from petstore_desktop.store.sqlite.typed_apsw import Connection, Values

UNDONE = "undone"
"""The reason code of changes discarded by an undo of their batch; the message holds the id of the undoing batch."""

_BATCH = "id, at, kind, undoes, redoes, paused, priority, source"
_GIVEN = "IN (SELECT value FROM json_each(?))"


class ChangeCount(Struct, frozen=True):
    """A count of the changes of a batch with the same properties. `kind`: of the intent, as `intents` writes it;
    `whole`: the values before are known; `taken`: undone, or to be undone once answered."""

    state: ChangeState
    resource: Resource
    kind: str
    whole: bool
    taken: bool
    count: int


class PastChange(Struct, frozen=True):
    """One change with the facts that undo needs: the attempt last sent for it (None: none was); the changes sent with
    it, itself included, in the order of acting; the record as it was before; `made`: for a creation, the record as the
    service first showed it, for a deletion, as last read before it was sent."""

    change: Change
    sent: Attempt | None = None
    together: tuple[Change, ...] = ()
    before: Record | None = None
    made: Record | None = None


class UndoWrites(Struct, frozen=True):
    """Everything that one undo or redo writes, as ids of changes except `send`.

    `discard`: they are unsent; `undone`: they are taken back herewith; `waits`: they will be when they are answered;
    `send`: new changes, each with the ids of the changes that it takes back; `before`: for each of `send` the record as
    it is now (see `Journal.append`); `back`: opposites that are not sent after all: what they would have taken back
    stands; `forget`: they are not waited for any more. `drafts` are put back, or ended again: those that the batch
    `ended_by` ended, and `ends` (empty: the same) from now on.
    """

    discard: Sequence[int] = ()
    undone: Sequence[int] = ()
    waits: Sequence[int] = ()
    send: Sequence[tuple[NewChange, Sequence[int]]] = ()
    before: Sequence[Record | None] = ()
    back: Sequence[int] = ()
    forget: Sequence[int] = ()
    drafts: Sequence[KeepDraft] = ()
    ended_by: str = ""
    ends: str = ""


class Batches:
    """Reads and writes the batches of a journal."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    # ---------------------------------------------------------------- writing

    def write(self, made: Batch, writes: UndoWrites, at: float) -> tuple[Change, ...]:
        """Write an undo, all of it or nothing. `made` is the batch of the undo; it may exist already. Returns the
        changes that moved and the new ones. Raises StorageError."""
        with self._journal.transaction() as connection:
            insert_batch(connection, made)
            discarded = _discard(connection, writes.discard, made.id, at)
            new = insert_changes(connection, made.id, [one for one, _ in writes.send], at, writes.before)
            opposite = {id_: change.id for change, (_, ids) in zip(new, writes.send, strict=True) for id_ in ids}
            undone = [(id_, made.id, opposite.get(id_)) for id_ in writes.undone]
            connection.executemany("INSERT OR REPLACE INTO undone VALUES (?, ?, ?)", undone)
            connection.executemany("DELETE FROM undone WHERE opposite = ?", [(id_,) for id_ in writes.back])
            _forget(connection, (*writes.undone, *writes.forget))
            waits = [(id_, "undo", made.id) for id_ in writes.waits]
            connection.executemany("INSERT OR REPLACE INTO pending VALUES (?, ?, ?)", waits)
            if writes.ended_by:
                _write_ended(connection, writes, at)
        return (*self._journal.changes(discarded), *new)

    def cancel_when_back(self, change_ids: Iterable[int], decision: str) -> None:
        """Mark changes that are on their way to be discarded if they come back unsent, as part of this decision. Raises
        StorageError."""
        with self._journal.transaction() as connection:
            rows = [(id_, "cancel", decision) for id_ in change_ids]
            connection.executemany("INSERT OR IGNORE INTO pending VALUES (?, ?, ?)", rows)

    def forget_pending(self, change_ids: Iterable[int]) -> None:
        """Forget the pending undo or cancel of these changes. Raises StorageError."""
        with self._journal.transaction() as connection:
            _forget(connection, change_ids)

    def steer(self, batch: Batch) -> None:
        """Store whether a batch is paused, and its priority. Raises StorageError."""
        with self._journal.transaction() as connection:
            insert_batch(connection, batch)
            connection.execute(
                "UPDATE batch SET paused = ?, priority = ? WHERE id = ?", (int(batch.paused), batch.priority, batch.id)
            )

    # ---------------------------------------------------------------- reading

    def find(self, ids: Iterable[str]) -> dict[str, Batch]:
        """The descriptions of these batches, by id; plain edits may be missing."""
        query = f"SELECT {_BATCH} FROM batch WHERE id {_GIVEN}"
        return {batch.id: batch for batch in self._journal.read(_batch_of, query, (json.dumps(list(ids)),))}

    def under_way(self) -> list[Batch]:
        """The batches with open changes, without plain edits."""
        return self._journal.read(
            _batch_of,
            f"SELECT {_BATCH} FROM batch WHERE id IN "
            "(SELECT c.batch FROM open_change o JOIN change c ON c.id = o.change_id)",
        )

    def one(self, id_: str) -> Batch | None:
        """One batch; None if it has no changes."""
        found = self.find((id_,)).get(id_)
        if found is not None:
            return found
        row = self._journal.row("SELECT min(at) FROM change WHERE batch = ?", (id_,))
        return Batch(id_, row[0]) if row is not None and isinstance(row[0], float) else None

    def pending(self) -> dict[int, tuple[str, str]]:
        """The pending act of each change that waits for its answer (`undo`, or `cancel` if it comes back), with the
        batch or decision that asked for it."""
        rows = self._journal.rows("SELECT change_id, what, by FROM pending")
        return {id_: (str(what), str(by)) for id_, what, by in rows if isinstance(id_, int)}

    def tallies(self, batch: str) -> list[ChangeCount]:
        """The changes of a batch, counted."""
        query = (
            f"SELECT {STATE}, c.resource, json_extract(c.intent, '$.kind'), c.before IS NOT NULL, "
            f"EXISTS {TAKEN_BACK_BY}, count(*) FROM change c LEFT JOIN attempt a ON a.id = {LATEST} "
            "WHERE c.batch = ? GROUP BY 1, 2, 3, 4, 5"
        )
        return self._journal.read(_tally_of, query, (batch,))

    def sample(self, batch: str) -> tuple[Change | None, bool]:
        """The first change of a batch, and whether all are alike (see `domain/batches.are_alike`)."""
        row = self._journal.row(
            "SELECT min(id), min(resource) = max(resource) AND min(act) = max(act) FROM (SELECT id, resource, "
            "CASE json_extract(intent, '$.kind') WHEN 'create' THEN 'create' ELSE intent END act "
            "FROM change WHERE batch = ?)",
            (batch,),
        )
        if row is None or not isinstance(row[0], int):
            return None, True
        return self._journal.changes((row[0],))[0], bool(row[1])

    def named(self, change_id: int) -> str:
        """The name of a change's record before the change; empty if unknown or unnamed."""
        found = self._journal.row("SELECT json_extract(before, '$.name') FROM change WHERE id = ?", (change_id,))
        return found[0] if found is not None and isinstance(found[0], str) else ""

    def before(self, newest: int | None = None) -> tuple[str, int] | None:
        """The latest batch whose changes all have ids below `newest`, and the id of its first change."""
        limit = 2**63 - 1 if newest is None else newest
        row = self._journal.row(
            "SELECT c.batch, (SELECT min(id) FROM change WHERE batch = c.batch) FROM change c "
            "WHERE c.id < ? ORDER BY c.id DESC LIMIT 1",
            (limit,),
        )
        return None if row is None or not isinstance(row[1], int) else (str(row[0]), min(row[1], limit - 1))

    def redoable(self, limit: int) -> list[Batch]:
        """The latest undos that can be redone, newest first: not redone yet, and nothing else was done after them."""
        query = (
            f"SELECT {_BATCH} FROM batch b WHERE kind = 'undo' AND undoes IS NOT NULL "
            "AND NOT EXISTS (SELECT 1 FROM batch WHERE undoes = b.id) "
            "AND NOT EXISTS (SELECT 1 FROM change c WHERE c.id > b.after AND NOT EXISTS "
            "(SELECT 1 FROM batch k WHERE k.id = c.batch AND k.kind IN ('undo', 'redo'))) "
            "ORDER BY number DESC LIMIT ?"
        )
        return self._journal.read(_batch_of, query, (limit,))

    def undo_of(self, batch: str) -> Batch | None:
        """The latest undo of a batch that was not redone."""
        query = (
            f"SELECT {_BATCH} FROM batch b WHERE undoes = ? AND kind = 'undo' "
            "AND NOT EXISTS (SELECT 1 FROM batch WHERE undoes = b.id) ORDER BY number DESC LIMIT 1"
        )
        return next(iter(self._journal.read(_batch_of, query, (batch,))), None)

    def taken(self, by: str) -> tuple[Change, ...]:
        """The changes that an undo reverted, oldest first."""
        return self._journal.changes(self._journal.numbers("SELECT change_id FROM undone WHERE by = ?", (by,)))

    def taken_back(self, batch: str) -> int:
        """How many changes the latest undo (not redone) of a batch reverted, or will revert when they are answered."""
        undo = self.undo_of(batch)
        query = (
            "SELECT (SELECT count(*) FROM undone WHERE by = ?1) + "
            "(SELECT count(*) FROM pending WHERE by = ?1 AND what = 'undo')"
        )
        return self._journal.number(query, ("" if undo is None else undo.id,))

    def ended_drafts(self, batch: str, *, again: bool = False) -> list[KeepDraft] | None:
        """What puts back the drafts that a batch ended, without those that were touched since; or what ends them
        `again`: None if one of them was touched since."""
        with self._journal.reading() as connection:
            ended = _ended(connection, batch)
            now = contents(connection, ended)
        if again and any(now.get(form) not in states for form, states in ended.items()):
            return None
        turned = {form: (since, before) if again else (before, since) for form, (before, since) in ended.items()}
        return [
            KeepDraft(form, None if to is None else draft_content(to))
            for form, (to, stands) in turned.items()
            if now.get(form) == stands
        ]

    def taken_of(self, change_ids: Iterable[int]) -> frozenset[int]:
        """The ids of those of these changes that were undone."""
        query = f"SELECT change_id FROM undone WHERE change_id {_GIVEN}"
        return frozenset(self._journal.numbers(query, (json.dumps(list(change_ids)),)))

    def past(self, changes: Sequence[Change]) -> tuple[PastChange, ...]:
        """These changes with what undo needs to know of each."""
        ids = json.dumps([change.id for change in changes])
        with self._journal.reading() as connection:
            sent = _last_sent(connection, ids)
            attempts = _attempts(connection, set(sent.values()))
            members = _members(connection, attempts)
            images = connection.execute(f"SELECT id, before FROM change WHERE id {_GIVEN}", (ids,))
            before = {id_: text for id_, text in images if isinstance(text, str)}
            records = connection.execute(f"SELECT change_id, record FROM made WHERE change_id {_GIVEN}", (ids,))
            made = {id_: str(text) for id_, text in records if isinstance(id_, int)}
        known = {one.id: one for one in self._journal.changes([id_ for group in members.values() for id_ in group])}
        together = {attempt: tuple(known[id_] for id_ in group) for attempt, group in members.items()}
        return tuple(
            PastChange(
                change,
                attempts.get(sent.get(change.id, -1)),
                together.get(sent.get(change.id, -1), ()),
                decode_record(change.ref.resource, before[change.id]) if change.id in before else None,
                decode_record(change.ref.resource, made[change.id]) if change.id in made else None,
            )
            for change in changes
        )


def _last_sent(connection: Connection, ids: str) -> dict[int, int]:
    rows = connection.execute(
        "SELECT t.change_id, max(a.id) FROM json_each(?) j JOIN attempt_change t ON t.change_id = j.value "
        "JOIN attempt a ON a.id = t.attempt_id WHERE a.request IS NOT NULL GROUP BY t.change_id",
        (ids,),
    )
    return {change: attempt for change, attempt in rows if isinstance(change, int) and isinstance(attempt, int)}


def _attempts(connection: Connection, ids: Iterable[int]) -> dict[int, Attempt]:
    rows = connection.execute(
        f"SELECT {ATTEMPT_COLUMNS} FROM attempt a WHERE a.id {_GIVEN}",
        (json.dumps(list(ids)),),
    )
    return {attempt.id: attempt for attempt in map(attempt_of, rows)}


def _members(connection: Connection, attempts: Mapping[int, Attempt]) -> dict[int, list[int]]:
    rows = connection.execute(
        f"SELECT attempt_id, change_id FROM attempt_change WHERE attempt_id {_GIVEN} ORDER BY change_id",
        (json.dumps(list(attempts)),),
    )
    members: dict[int, list[int]] = {}
    for attempt, change in rows:
        if isinstance(attempt, int) and isinstance(change, int):
            members.setdefault(attempt, []).append(change)
    return members


def _write_ended(connection: Connection, writes: UndoWrites, at: float) -> None:
    """Store the drafts that come back, or end again; of the others the batch has no say any more."""
    write_drafts(connection, writes.drafts, at)
    moved = {draft.form for draft in writes.drafts}
    left = {form: states for form, states in _ended(connection, writes.ended_by).items() if form in moved}
    connection.execute("DELETE FROM draft WHERE form = ?", (ended_form(writes.ended_by),))
    if left:
        values = (ended_form(writes.ends or writes.ended_by), at, json.dumps(left))
        connection.execute("INSERT INTO draft VALUES (?, ?, ?)", values)


def _ended(connection: Connection, batch: str) -> dict[str, tuple[str | None, str | None]]:
    """What the drafts were that a batch ended, and are since. Nothing where that is damaged."""
    row = connection.execute("SELECT content FROM draft WHERE form = ?", (ended_form(batch),)).fetchone()
    with suppress(ValueError, TypeError, AttributeError):
        found = cast("dict[str, list[str | None]]", {} if row is None else json.loads(str(row[0])))
        ended = {form: (before, since) for form, (before, since) in found.items()}
        for text in (text for states in ended.values() for text in states if text is not None):
            draft_content(text)
        return ended
    return {}


def _forget(connection: Connection, change_ids: Iterable[int]) -> None:
    connection.executemany("DELETE FROM pending WHERE change_id = ?", [(id_,) for id_ in change_ids])


def _discard(connection: Connection, change_ids: Sequence[int], by: str, at: float) -> list[int]:
    ids = select_ids(connection, change_ids, "c.id IN (SELECT change_id FROM open_change)")
    if ids:
        insert_outcome(connection, ids, Outcome(ChangeState.DISCARDED, Reason(UNDONE, by)), at)
    return ids


def _batch_of(row: Values) -> Batch:
    id_, at, kind, undoes, redoes, paused, priority, source = row
    return Batch(
        str(id_),
        at if isinstance(at, float) else 0.0,
        BatchKind(str(kind)),
        None if undoes is None else str(undoes),
        None if redoes is None else str(redoes),
        bool(paused),
        priority if isinstance(priority, int) else SINGLE,
        str(source),
    )


def _tally_of(row: Values) -> ChangeCount:
    state, resource, kind, whole, taken, count = row
    return ChangeCount(
        ChangeState(str(state)),
        Resource(str(resource)),
        str(kind),
        bool(whole),
        bool(taken),
        count if isinstance(count, int) else 0,
    )
