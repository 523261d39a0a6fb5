"""Judges the history beside a mirror: it ends where the mirror is, and each record's changes follow one another."""

from __future__ import annotations

import math
from pathlib import Path

from petstore_desktop.domain.changes import Fields
from petstore_desktop.domain.records import FIELDS, FieldValue, Key, Ref, Resource
from petstore_desktop.domain.seen_changes import SeenChange, What, Who
from petstore_desktop.store.history.reader import PastReader
from petstore_desktop.store.mirror.reader import MirrorReader
from tests.support.past_states import state_at

State = dict[Ref, Fields]


class Wrong(AssertionError):
    """The history is not as it must be."""


def judge_history(history: Path, mirror: Path) -> int:
    """How many changes the history tells. Raises Wrong."""
    reader = PastReader(history)
    try:
        now = _told(reader)
        there = shown_by(mirror)
        if now != there:
            raise Wrong(f"the history ends elsewhere than the mirror: {_unlike(now, there)}")
        return sum(_judge_one(reader.changes_of(ref), ref, now.get(ref)) for ref in sorted(now, key=str))
    finally:
        reader.close()


def _told(reader: PastReader) -> State:
    state = state_at(reader, math.inf)
    return {Ref(resource, key): dict(row) for resource, rows in state.items() for key, row in rows.items()}


def _unlike(now: State, there: State) -> list[str]:
    return [
        f"{ref}: {now.get(ref)} and {there.get(ref)}"
        for ref in now.keys() | there.keys()
        if now.get(ref) != there.get(ref)
    ]


def shown_by(mirror: Path) -> State:
    """What a mirror holds, field by field."""
    found: State = {}
    reader = MirrorReader(mirror)
    try:
        for resource in Resource:
            for block in reader.blocks(resource):
                columns = [block.columns[name] for name in FIELDS[resource]]
                rows = zip(*columns, strict=True)
                found |= {
                    Ref(resource, key): dict(zip(FIELDS[resource], row, strict=True))
                    for key, row in zip(block.keys, rows, strict=True)
                }
    finally:
        reader.close()
    return found


def _judge_one(changes: list[SeenChange], ref: Ref, now: Fields | None) -> int:
    """Rolled back from now, each change of one record ends where the one after it begins."""
    record: dict[str, FieldValue] | None = None if now is None else dict(now)
    count = 0
    for change in (one for one in changes if one.ref == ref):
        count += 1
        if change.what is What.GONE:
            fits, record = record is None, dict(change.record)
        elif change.what is What.NEW:
            fits, record = record == change.record, None
        else:
            fits = record is not None and record[change.field] == change.after != change.before
            record = None if record is None else record | {change.field: change.before}
        if not fits or change.who not in Who:
            raise Wrong(f"it does not follow from the one before: {change}, {changes}")
    return count


def keys_of(state: State, resource: Resource) -> set[Key]:
    """The keys of a list."""
    return {ref.key for ref in state if ref.resource is resource}
