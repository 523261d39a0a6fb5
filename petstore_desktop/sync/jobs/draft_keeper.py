"""Keeps what is half filled in dialogs, so that a crash does not cost it."""

from __future__ import annotations

import logging
from collections.abc import Callable

from petstore_desktop.clock import Clock
from petstore_desktop.domain.drafts import Draft
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.store.journal.drafts import Drafts
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.sync.wire.commands import KeepDraft
from petstore_desktop.sync.wire.events import DraftsMoved, Event


class DraftKeeper:
    """The drafts of one connection. A disk that takes none is not complained of here: nobody said that a draft is
    saved, and it is said of the first act that is."""

    def __init__(self, connection: str, journal: Journal, clock: Clock, tell: Callable[[Event], None]) -> None:
        self._connection = connection
        self._drafts = Drafts(journal)
        self._clock = clock
        self._tell = tell

    def say(self) -> None:
        """Tell all that is half filled."""
        try:
            self._tell(DraftsMoved(self._connection, self._drafts.all()))
        except StorageError:
            logging.getLogger(__name__).warning("drafts cannot be read", exc_info=True)

    def keep(self, command: KeepDraft) -> None:
        """Keep a draft, or let it go."""
        try:
            if command.content is None:
                self._drafts.drop(command.form)
            else:
                self._drafts.keep(Draft(command.form, self._clock.now().wall, command.content))
        except StorageError:
            logging.getLogger(__name__).warning("the draft of %s is not kept", command.form, exc_info=True)
        self.say()
