"""Whether the service can be reached; and asks it something cheap where nobody else does: when a pause is over,
and for as long as nothing answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from petstore_desktop.api.client import Client
from petstore_desktop.api.gate.unauthorized import GateLocked
from petstore_desktop.api.http.gateway import Sending
from petstore_desktop.api.http.transport import SILENT_S, LookTooOld
from petstore_desktop.clock import Clock
from petstore_desktop.domain.errors import (
    AnswerUnusable,
    Interrupted,
    KeyRejected,
    NotYet,
    RateLimited,
    ServiceError,
    ServiceFailed,
    ShopError,
    Unreachable,
)
from petstore_desktop.domain.quota import Link, RequestClass
from petstore_desktop.off_loop import beside
from petstore_desktop.sync.wire.events import Event, LinkMoved

_OURS = ("gate-closed", "another-origin", LookTooOld.code)
"""What we ourselves did not send."""

NOT_NOW = (Unreachable, Interrupted, RateLimited, KeyRejected)
"""What says nothing about what was asked for: it is asked once more when there is a service to ask."""


def came_to_nothing(error: ShopError) -> bool:
    """Whether the service or the line failed, so that the same may be asked again. The gate spaces that out."""
    return isinstance(error, Unreachable | Interrupted | ServiceFailed | NotYet) and error.code not in _OURS


class LinkWatch:
    """`lost` is called whenever a request has met no service: somebody is to find out when there is one again. `there`
    is set for as long as none has."""

    def __init__(self, connection: str, clock: Clock, tell: Callable[[Event], None], lost: Callable[[], None]) -> None:
        self._connection = connection
        self._clock = clock
        self._tell = tell
        self._lost = lost
        self.link = Link.IDLE
        self.there = asyncio.Event()
        self.there.set()

    def answered(self) -> None:
        """The service answered, whatever it said."""
        if self.link is not Link.LIVE:
            self._move(Link.LIVE, None)

    def failed(self, error: ShopError) -> None:
        """A request came to nothing. A broken or missing connection counts, an answer that says no is an answer, and
        what never left this computer says nothing."""
        if isinstance(error, ServiceError | AnswerUnusable):
            if not isinstance(error, GateLocked):
                self.answered()
        elif came_to_nothing(error):
            if self.link is not Link.OFFLINE:
                self._move(Link.OFFLINE, error)
            self._lost()

    def silent(self, silent: bool) -> None:
        """A request has no answer after SILENT_S; or (False) it was given up then, and nothing is known."""
        if silent and self.link is Link.LIVE:
            self._move(Link.SILENT, None, for_s=SILENT_S)
        elif not silent and self.link is Link.SILENT:
            self._move(Link.IDLE, None)

    def asked_anew(self) -> None:
        """Another key is used from now on: what the service says to it is not known yet."""
        if self.link in (Link.LIVE, Link.SILENT):
            self._move(Link.IDLE, None)
        elif self.link is Link.OFFLINE:
            self._lost()

    def _move(self, link: Link, error: ShopError | None, for_s: float = 0.0) -> None:
        self.link = link
        if link is Link.OFFLINE:
            self.there.clear()
        else:
            self.there.set()
        self._tell(LinkMoved(self._connection, link, self._clock.now().wall - for_s, error))


class Prober:
    """At most one question at a time. A read, because of a write that is cut off nobody knows whether it was done; how
    long after a failure, the gate knows."""

    def __init__(self, client: Client, link: LinkWatch) -> None:
        self._client = client
        self._link = link
        self._task: asyncio.Task[None] | None = None

    def ask(self) -> None:
        """Ask, if nobody does."""
        if self._task is None or self._task.done():
            self._task = beside(self._ask())

    def close(self) -> None:
        """Ask no more."""
        if self._task is not None:
            self._task.cancel()

    async def _ask(self) -> None:
        while True:
            retry = self._link.link is Link.OFFLINE
            try:
                await self._client.probe(Sending(RequestClass.CHANGES, retry=retry))
            except ShopError as error:
                self._link.failed(error)
                if not came_to_nothing(error):
                    return
            else:
                self._link.answered()
            if self._link.link is not Link.OFFLINE:
                return
