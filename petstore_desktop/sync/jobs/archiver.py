"""Keeps the journal small: what is over for long goes into the archive, piece by piece, when nothing waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from petstore_desktop.clock import Clock
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.store.journal.archive import Archive
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.sqlite.database import Database
from petstore_desktop.sync.wire.events import Event, Trouble

FIRST_S: Final = 60.0
"""After the start: by then the window has what it shows."""
AGAIN_S: Final = 86_400.0
PAUSE_S: Final = 0.5
"""Between two pieces, for what a person does meanwhile."""


class Archiver:
    """The archive of one connection, on the sync thread."""

    def __init__(self, connection: str, journal: Journal, clock: Clock, tell: Callable[[Event], None]) -> None:
        self._connection = connection
        self._journal = journal
        self._clock = clock
        self._tell = tell
        self._archive = Archive(journal)

    async def run(self) -> None:
        """Once a day, until cancelled. A disk that does not take it is told; all stays in the journal then."""
        await asyncio.sleep(FIRST_S)
        while True:
            more = self._store_a_piece()
            await asyncio.sleep(PAUSE_S if more else AGAIN_S)

    def bring_back(self, batch: str) -> None:
        """Have a batch in the journal again, because a person wants something of it. Raises StorageError."""
        if not self._journal.batch(batch):
            self._archive.bring_back(batch)

    def stored(self) -> Database | None:
        """What was stored away, for those who read a journal's tables. Raises StorageError."""
        return self._archive.database

    def close(self) -> None:
        """Close the file."""
        self._archive.close()

    def _store_a_piece(self) -> bool:
        try:
            return self._archive.store_away(self._clock.now().wall)
        except StorageError as error:
            self._tell(Trouble(self._connection, error, aside=True))
            return False
