"""What a session tells, and what it adds up to: rows, changes, lists."""

from __future__ import annotations

from typing import TypeVar

from petstore_desktop.desk.model.row_store import RowStore
from petstore_desktop.domain.changes import Change, ChangeState
from petstore_desktop.domain.records import Key, Record, Resource
from petstore_desktop.sync.wire.events import ChangesMoved, Event, LoadEnded, LoadFailed, RowsChanged, RowsRead, Trouble

T = TypeVar("T")


class Told:
    """Every event so far is in `events`, what they add up to in `rows`, `changes`, and `batches` (ids of changes)."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.rows: dict[Resource, dict[Key, Record]] = {resource: {} for resource in Resource}
        self.changes: dict[int, Change] = {}
        self.batches: dict[str, list[int]] = {}

    def note(self, event: Event) -> None:
        """Take an event over."""
        self.events.append(event)
        if isinstance(event, RowsChanged):
            self._note_rows(event)
        elif isinstance(event, RowsRead):
            store = RowStore(event.resource)
            store.extend(event.block)
            self.rows[event.resource].update({key: store.record(key) for key in event.block.keys})
        elif isinstance(event, ChangesMoved):
            self._note_rows(event.rows)
            for change in event.changes:
                if change.id not in self.changes:
                    self.batches.setdefault(change.batch, []).append(change.id)
                self.changes[change.id] = change
        elif isinstance(event, Trouble) and event.fatal:
            raise AssertionError("the sync thread ended") from event.error

    def _note_rows(self, event: RowsChanged | None) -> None:
        if event is not None:
            self.rows[event.resource].update({row.key: row.record for row in event.rows})
            for key in event.removed:
                self.rows[event.resource].pop(key, None)

    def of(self, kind: type[T]) -> list[T]:
        """The events of one kind so far, oldest first."""
        return [event for event in self.events if isinstance(event, kind)]

    def ended(self, resource: Resource) -> list[LoadEnded]:
        return [event for event in self.of(LoadEnded) if event.resource is resource]

    def load_failures(self, resource: Resource) -> list[LoadFailed]:
        return [event for event in self.of(LoadFailed) if event.resource is resource]

    def state(self, change_id: int) -> ChangeState:
        return self.changes[change_id].state

    def are(self, ids: tuple[int, ...], state: ChangeState) -> bool:
        """Whether all these changes are known, and in this state."""
        return all(id_ in self.changes and self.state(id_) is state for id_ in ids)
