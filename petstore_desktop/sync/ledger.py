"""What people did, on the sync thread: written to the journal before anything else happens, and told as saved only
then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from petstore_desktop.clock import Clock
from petstore_desktop.domain.changes import Change, ChangeState, Fields, Reason
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import LocalId, Record, Ref
from petstore_desktop.store.journal import Attempt, Journal
from petstore_desktop.sync.commands import Apply
from petstore_desktop.sync.engine import supersedes
from petstore_desktop.sync.events import ChangesMoved, Event, NotSaved
from petstore_desktop.sync.outbox import Outbox


class Ledger:
    """The journal and the outbox, kept in step. `news` is set whenever something moved."""

    def __init__(
        self,
        connection: str,
        journal: Journal,
        clock: Clock,
        tell: Callable[[Event], None],
        image: Callable[[Ref], Record | None],
    ) -> None:
        self._connection = connection
        self._journal = journal
        self._clock = clock
        self._tell = tell
        self._image = image
        self.outbox = Outbox()
        self.local_ids: dict[LocalId, int] = {}
        self.news = asyncio.Event()

    def restore(self) -> None:
        """Take over what an earlier run left; what was being sent then is uncertain now, never queued. Raises
        StorageError."""
        self._journal.recover(self._now())
        self.local_ids = dict(self._journal.local_ids())
        self._moved(self._journal.open_changes())

    def apply(self, command: Apply) -> tuple[Change, ...]:
        """Write a batch down; all of it or, told as NotSaved, nothing. Refused changes that it takes the place of
        are let go."""
        images = [self._image(new.ref) for new in command.changes]
        try:
            changes = self._journal.append(command.batch, command.changes, self._now(), images)
        except StorageError as error:
            self._tell(NotSaved(self._connection, command.batch, error))
            return ()
        old = tuple(
            before.id
            for change in changes
            for before in self.outbox.of(change.ref)
            if supersedes(change.intent, before, change.ref.resource)
        )
        if old:
            self.discard(old)
        self._moved(changes)
        return changes

    def discard(self, change_ids: tuple[int, ...]) -> None:
        """Take back what is neither sent nor being sent."""
        self._moved(self._journal.discard(change_ids, self._now()))

    def retry(self, change_ids: tuple[int, ...]) -> tuple[Change, ...]:
        """A person says: again."""
        moved = self._journal.requeue(change_ids, self._now())
        self._moved(moved)
        return moved

    def settle(self, changes: Iterable[Change], state: ChangeState, reason: Reason | None) -> None:
        """Decide about changes without a request."""
        ids = tuple(change.id for change in changes)
        self._moved(self._journal.settle(ids, state, self._now(), reason))

    def begin(self, changes: tuple[Change, ...], request: str, base: Fields, value: Fields) -> int:
        """These changes are about to leave, committed before the first byte; the attempt's id. Raises
        StorageError."""
        ids = tuple(change.id for change in changes)
        attempt = self._journal.begin_attempt(ids, request, base, value, self._now())
        self._moved(self._journal.changes(ids))
        return attempt

    def end(self, attempt: int, state: ChangeState, reason: Reason | None, result_key: int | None = None) -> None:
        """How the attempt ended."""
        moved = self._journal.end_attempt(attempt, state, reason, self._now(), result_key)
        for change in moved:
            if change.result_key is not None and isinstance(change.ref.key, LocalId):
                self.local_ids[change.ref.key] = change.result_key
        self._moved(moved)

    def last_sent(self, change: Change) -> Attempt | None:
        """The last attempt that sent this change."""
        return self._journal.last_sent(change.id)

    def _moved(self, changes: tuple[Change, ...]) -> None:
        self.outbox.put(changes)
        if changes:
            self._tell(ChangesMoved(self._connection, changes))
        self.news.set()

    def _now(self) -> float:
        return self._clock.now().wall
