"""Reports sent requests to the window and the log, gathered for half a second, so that neither delays a request."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from statistics import median

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.quota import SentRequest
from petstore_desktop.store.request_log import SendLog
from petstore_desktop.sync.wire.event_queue import EventQueue
from petstore_desktop.sync.wire.events import Event, RequestsSent, Trouble

BATCH_S = 0.5
"""Seconds for which requests are gathered before they are told and written down."""
RECENT = 20
EARLIER_ROWS = 1000
"""Requests of earlier runs in one event: the window handles them within a turn."""


class SentReport:
    """For one connection, on its sync thread. Without a `log` (it could not be opened) the window hears all the same.

    A log that cannot be written is told once; the next batch is tried again.
    """

    def __init__(self, connection: str, tell: Callable[[Event], None], log: SendLog | None) -> None:
        self._connection = connection
        self._tell = tell
        self._log = log
        self._recent_s: deque[float] = deque(maxlen=RECENT)
        self._gathered: list[SentRequest] = []
        self._timer: asyncio.TimerHandle | None = None
        self._failed = False

    def add(self, sent: SentRequest) -> None:
        """A request has ended. Called from within the loop."""
        self._gathered.append(sent)
        self._recent_s.append(sent.took_s)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(BATCH_S, self.flush)

    @property
    def usual_s(self) -> float:
        """Seconds that a request took of late."""
        return median(self._recent_s) if self._recent_s else 0.0

    def flush(self) -> None:
        """Report and log the gathered requests."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        gathered, self._gathered = tuple(self._gathered), []
        if gathered:
            self._tell(RequestsSent(self._connection, gathered))
            self._write(gathered)

    def _write(self, requests: tuple[SentRequest, ...]) -> None:
        if self._log is None:
            return
        try:
            self._log.add(requests)
        except StorageError as error:
            if not self._failed:
                self._failed = True
                self._tell(Trouble(self._connection, not_kept(error), aside=True))

    def tell_earlier(self, events: EventQueue) -> None:
        """What the log holds of earlier runs, the newest first, as fast as the window takes them; blocks, for a thread
        of its own. Ends early once nobody listens."""
        if self._log is None:
            return
        try:
            for requests in self._log.earlier(EARLIER_ROWS):
                if not events.put_when_room(RequestsSent(self._connection, requests, earlier=True)):
                    return
        except StorageError as error:
            events.put(Trouble(self._connection, not_kept(error), aside=True))


def not_kept(error: StorageError) -> StorageError:
    """That the log does not work, which concerns nothing else."""
    return StorageError("requests-not-kept", path=error.params.get("path"), why=error.code)
