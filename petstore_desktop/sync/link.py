"""Whether the service can be reached, and how long to leave it alone when it cannot. Pure but for the telling."""

from __future__ import annotations

from collections.abc import Callable

from petstore_desktop.api.admission import GateLocked
from petstore_desktop.clock import Clock, Random
from petstore_desktop.domain.errors import AnswerUnusable, Interrupted, ServiceError, ShopError, Unreachable
from petstore_desktop.domain.quota import Link
from petstore_desktop.sync.events import Event, LinkMoved

FIRST_WAIT_S = 2.0
LONGEST_WAIT_S = 60.0


class LinkWatch:
    """Counts failures in a row; after each the wait doubles, from 2 s to 60 s, with jitter."""

    def __init__(self, connection: str, clock: Clock, random: Random, tell: Callable[[Event], None]) -> None:
        self._connection = connection
        self._clock = clock
        self._random = random
        self._tell = tell
        self._failures = 0
        self._since: float | None = None
        self.link = Link.IDLE

    def answered(self) -> None:
        """The service answered, whatever it said."""
        self._failures = 0
        if self.link is not Link.LIVE:
            self._move(Link.LIVE, None)

    def failed(self, error: ShopError) -> None:
        """A request came to nothing. A broken or missing connection counts, an answer that says no is an answer, and
        what never left this computer says nothing."""
        if isinstance(error, ServiceError | AnswerUnusable) and not isinstance(error, GateLocked):
            self.answered()
        if not isinstance(error, Unreachable | Interrupted) or error.code == "gate-closed":
            return
        self._failures += 1
        if self.link is not Link.OFFLINE:
            self._move(Link.OFFLINE, error)

    def asked_anew(self) -> None:
        """Another key is used from now on: what the service says to it is not known yet."""
        self._failures = 0
        if self.link is Link.LIVE:
            self._move(Link.IDLE, None)

    def wait_s(self) -> float:
        """Seconds to wait before the next try; 0 while the service answers."""
        if self._failures == 0:
            return 0.0
        longest = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** min(self._failures - 1, 10))
        return self._random.uniform(longest / 2, longest)

    def _move(self, link: Link, error: ShopError | None) -> None:
        self.link = link
        self._tell(LinkMoved(self._connection, link, self._clock.now().wall, error))
