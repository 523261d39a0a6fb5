"""A recording shop with a past: a real journal and a real mirror answer what the window asks of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from petstore_desktop.domain.changes import ChangeState, NewChange, Reason
from petstore_desktop.domain.commands import Command, ExportChanges, ReadChanges, ReadHistory
from petstore_desktop.domain.records import Resource, Row
from petstore_desktop.store.history.history import ShopHistory
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.reader import JournalReading
from petstore_desktop.store.journal.rows import Outcome
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.sync.jobs.history_reader import HistoryReader, Question
from petstore_desktop.sync.wire.events import ChangesMoved, Event
from tests.ui.recording_shop import CONNECTION, RecordingShop


class PastShop(RecordingShop):
    """`held`: answers wait until `let_go`, as those of a slow disk would."""

    def __init__(self, folder: Path, **more: Any) -> None:
        super().__init__(**more)
        self.log = Journal(folder / "journal.db")
        self.mirror = Mirror(folder / "mirror.db")
        self.held = False
        self._kept: list[Event] = []
        self.seen = ShopHistory(folder / "history.db", "here", lambda: self.clock.now().wall)
        self.mirror.tell_to(self.seen)
        for resource in Resource:  # what comes from now on is news
            self.mirror.finish_walk(resource, self.mirror.begin_walk(resource), 0.0)
        self._history = HistoryReader(
            CONNECTION,
            JournalReading(self.log),
            self.mirror,
            self.seen.changes_of,
            self.log.local_ids,
            self._tell,
        )

    def close(self) -> None:
        self.log.close()
        self.mirror.close()
        self.seen.close()

    def _tell(self, event: Event) -> None:
        if self.held:
            self._kept.append(event)
        else:
            self.events.tell(event)

    def let_go(self) -> None:
        """The disk is quick again."""
        self.held = False
        kept, self._kept = self._kept, []
        self.events.tell(*kept)

    # -- what the window asks

    def submit(self, command: Command) -> None:
        super().submit(command)
        if isinstance(command, ReadChanges | ReadHistory | ExportChanges):
            self._answer(command)

    def _answer(self, question: Question) -> None:
        asyncio.run(self._history.answer(question))

    # -- what happened

    def see(self, resource: Resource, *records: Any, at: float) -> None:
        """An answer shows these records."""
        keys = [record.pet_id if resource is Resource.INVENTORY else record.id for record in records]
        rows = [Row(key, record, at) for key, record in zip(keys, records, strict=True)]
        self.mirror.put(resource, rows, self.mirror.begin_read())

    def act(self, at: float, *acts: NewChange, batch: str = "", tell: bool = True) -> list[int]:
        """A person did this; it waits."""
        changes = self.log.append(batch or f"b{at}", acts, at)
        if tell:
            self.events.tell(ChangesMoved(CONNECTION, changes))
        return [change.id for change in changes]

    def settle(self, ids: Sequence[int], state: ChangeState, at: float) -> None:
        """A look, or a person, decided about them."""
        self.events.tell(ChangesMoved(CONNECTION, self.log.settle(ids, Outcome(state), at)))

    def end(
        self, ids: Sequence[int], state: ChangeState, at: float, reason: Reason | None = None, tell: bool = True
    ) -> None:
        """They were sent, and this came of it."""
        for change in ids:
            attempt = self.log.begin_attempt([change], "{}", {}, {}, at)
            self.log.end_attempt(attempt, Outcome(state, reason), at)
            if tell:
                self.events.tell(ChangesMoved(CONNECTION, self.log.changes([change])))
