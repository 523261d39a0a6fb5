"""Decisions of a person about stuck changes, in journal.db, and how to undo them; and drafts of half-filled dialogs.

A decision is one attempt without a request for each record that it is about: queued (mine is sent again), discarded
(theirs is taken, or what waited is let go), or done (it was done, the person knows). Bringing it back writes the fate
before it once more.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from petstore_desktop.domain.changes import Change, ChangeState, Fields
from petstore_desktop.domain.commands import Choice, Decided, Decision, Draft, KeepDraft
from petstore_desktop.store.journal.journal import (
    ENDED,
    Journal,
    draft_content,
    insert_attempt,
    keep_outcome,
    outcome_values,
    seal,
    select_ids,
    write_drafts,
)
from petstore_desktop.store.journal.rows import LATEST, Outcome
from petstore_desktop.store.journal.values_json import decode_fields, encode
from petstore_desktop.store.sqlite.typed_apsw import Connection, numbers

TAKEN_BACK = "taken-back"
"""The reason code of a decision that was undone."""
_LATEST_DECISIONS = 200
_STATES = {Choice.MINE: ChangeState.QUEUED, Choice.THEIRS: ChangeState.DISCARDED, Choice.DONE: ChangeState.DONE}

_STUCK = "a.outcome IN ('refused', 'conflict', 'uncertain')"
_OPEN = "c.id IN (SELECT change_id FROM open_change)"
_HELD = f"""
    SELECT d.decision, d.at, t.change_id
    FROM decision d JOIN attempt_change t ON t.attempt_id = d.attempt_id JOIN change c ON c.id = t.change_id
    WHERE t.attempt_id = {LATEST}
    AND NOT EXISTS (
        SELECT 1 FROM change n JOIN attempt_change m ON m.change_id = n.id WHERE n.batch = d.decision
    )
"""
"""For each decision, the changes that have not moved since; a replaced value counts only until the new one is being
sent."""
_GONE_ON = f"""
    SELECT d.decision, d.at, t.change_id, c.batch
    FROM decision d JOIN attempt o ON o.id = d.attempt_id JOIN attempt_change t ON t.attempt_id = o.id
    JOIN change c ON c.id = t.change_id JOIN attempt a ON a.id = {LATEST}
    WHERE o.outcome = 'queued' AND o.code IS NULL AND a.id > o.id
    AND a.id NOT IN (SELECT attempt_id FROM decision)
    AND coalesce(a.outcome, 'sending') IN ('queued', 'sending', 'uncertain', 'done')
    AND NOT EXISTS (SELECT 1 FROM undone WHERE change_id = c.id)
    AND NOT EXISTS (SELECT 1 FROM pending WHERE change_id = c.id AND what = 'undo')
"""
"""For decisions to send again: the changes that were sent since, are not stuck again and not undone."""
_UNDER_WAY = (
    "EXISTS (SELECT 1 FROM attempt_change t JOIN open_change o ON o.change_id = t.change_id "
    "WHERE t.attempt_id = attempt.id AND (SELECT max(attempt_id) FROM attempt_change WHERE change_id = t.change_id) "
    "NOT IN (SELECT attempt_id FROM decision WHERE decision = ?))"
)
"""Changes sent since the decision and still open: they rest on the value that the person saw."""


class JournalDecisions:
    """The decisions of one journal; each method that writes has committed when it returns. Raises StorageError."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def decide(self, decision: str, choices: Sequence[Decided], at: float) -> tuple[Change, ...]:
        """Write a decision, all of it or nothing. Changes that are being sent or closed are skipped; a change that is
        not stuck can only be discarded."""
        decided: list[int] = []
        with self._journal.transaction() as connection:
            for choice in choices:
                where = _OPEN if choice.choice is Choice.THEIRS else _STUCK
                ids = select_ids(connection, choice.change_ids, where)
                if ids:
                    self._write(connection, decision, ids, choice, at)
                    decided += ids
        return self._journal.changes(decided)

    def _write(self, connection: Connection, decision: str, ids: list[int], choice: Decided, at: float) -> None:
        outcome = Outcome(_STATES[choice.choice])
        values = {"at": at, "base": encode(choice.theirs), **outcome_values(outcome, at)}
        attempt = insert_attempt(connection, ids, values)
        connection.execute("INSERT INTO decision VALUES (?, ?, ?)", (attempt, decision, at))
        keep_outcome(connection, attempt, outcome)

    def latest(self) -> tuple[Decision, ...]:
        """The decisions that can be undone, and those whose changes, sent since, can be undone; oldest first."""
        since = "SELECT attempt_id FROM decision ORDER BY attempt_id DESC LIMIT ?1"
        rows = self._journal.rows(
            f"SELECT decision, at, change_id FROM ({_HELD} AND d.attempt_id IN ({since}) "
            f"UNION SELECT decision, at, change_id FROM ({_GONE_ON} AND d.attempt_id IN ({since}))) "
            "ORDER BY at, change_id",
            (_LATEST_DECISIONS,),
        )
        held: dict[str, Decision] = {}
        for name, at, change in rows:
            if isinstance(name, str) and isinstance(at, float) and isinstance(change, int):
                before = held.get(name, Decision(name, at, ()))
                held[name] = Decision(name, at, (*before.change_ids, change))
        return tuple(held.values())

    def take_back(self, decision: str, at: float, only: Sequence[int] = ()) -> tuple[Change, ...]:
        """Undo a decision (for some changes `only`) as far as nothing has happened since; returns the changes, restored
        to their state before it."""
        with self._journal.transaction() as connection:
            held = connection.execute(f"{_HELD} AND d.decision = ? ORDER BY t.change_id", (decision,)).fetchall()
            wanted = set(only)
            ids = [id_ for _, _, id_ in held if isinstance(id_, int) and (not wanted or id_ in wanted)]
            if not wanted:
                connection.execute(
                    "UPDATE attempt SET code = ?, message = '' "
                    f"WHERE id IN (SELECT attempt_id FROM decision WHERE decision = ?) AND NOT {_UNDER_WAY}",
                    (TAKEN_BACK, decision, decision),
                )
                own = numbers(connection, "SELECT attempt_id FROM decision WHERE decision = ?", (decision,))
                seal(connection, own)
            for id_ in ids:
                _restore(connection, id_, decision, at)
        return self._journal.changes(ids)

    def gone_on(self, decision: str) -> dict[str, list[int]]:
        """The changes of a decision that were sent since and can be undone, by batch."""
        rows = self._journal.rows(f"{_GONE_ON} AND d.decision = ? ORDER BY t.change_id", (decision,))
        by_batch: dict[str, list[int]] = {}
        for _, _, id_, batch in rows:
            if isinstance(id_, int):
                by_batch.setdefault(str(batch), []).append(id_)
        return by_batch

    def accepted(self) -> dict[int, Fields]:
        """For each open change that a person decided to send again: the service's value that the person saw."""
        rows = self._journal.rows(
            "SELECT t.change_id, a.base FROM decision d JOIN attempt a ON a.id = d.attempt_id "
            "JOIN attempt_change t ON t.attempt_id = a.id JOIN open_change o ON o.change_id = t.change_id "
            "WHERE a.code IS NULL AND a.base <> '{}' ORDER BY a.id"
        )
        return {id_: decode_fields(str(base)) for id_, base in rows if isinstance(id_, int)}


def _restore(connection: Connection, change: int, decision: str, at: float) -> None:
    """Restore the outcome before this decision; a change without one waits again."""
    before = connection.execute(
        "SELECT max(t.attempt_id) FROM attempt_change t WHERE t.change_id = ? AND NOT EXISTS "
        "(SELECT 1 FROM decision d JOIN attempt a ON a.id = d.attempt_id WHERE d.attempt_id = t.attempt_id "
        "AND (a.code = ? OR d.decision = ?))",
        (change, TAKEN_BACK, decision),
    ).fetchone()
    values = outcome_values(Outcome(ChangeState.QUEUED), at)
    if before is not None and before[0] is not None:
        columns = "base, outcome, code, message, status, raw, theirs"
        row = connection.execute(f"SELECT {columns} FROM attempt WHERE id = ?", (before[0],)).fetchone()
        values |= dict(zip(columns.split(", "), row or (), strict=True))
    again = insert_attempt(connection, [change], {"at": at, **values})
    if before is not None:  # a decision that was let go again by a later one
        connection.execute(
            "INSERT INTO decision SELECT ?, decision, at FROM decision WHERE attempt_id = ?", (again, before[0])
        )
    connection.execute("INSERT OR IGNORE INTO open_change VALUES (?)", (change,))


_log = logging.getLogger(__name__)


class Drafts:
    """The drafts of one connection. Raises StorageError."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def write(self, drafts: Sequence[KeepDraft], at: float) -> None:
        """Store or delete drafts, all or none; a draft replaces the earlier one of the same form."""
        with self._journal.transaction() as connection:
            write_drafts(connection, drafts, at)

    def all(self) -> tuple[Draft, ...]:
        """All stored drafts."""
        found: list[Draft] = []
        query = "SELECT form, at, content FROM draft WHERE form NOT GLOB ?"
        for form, at, content in self._journal.rows(query, (f"{ENDED}*",)):
            try:
                fields = draft_content(str(content))
            except ValueError:
                _log.warning("what was half filled in %s cannot be read", form)
                continue
            if isinstance(form, str) and isinstance(at, float):
                found.append(Draft(form, at, fields))
        return tuple(found)
