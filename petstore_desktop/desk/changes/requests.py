"""The requests of the last days as this computer sent them, for the meter and for the activity page."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from itertools import islice

from msgspec import Struct, field

from petstore_desktop.domain.quota import TOO_MANY_REQUESTS, RequestClass, SentRequest

KEPT = 5_000
"""How many of the newest requests are in memory; the log on disk holds more, and the tallies count all of them."""


class DayRequests(Struct):
    """The requests of one local day. `refused`: of all of them, those that the service answered with "too many"."""

    by_class: Counter[RequestClass] = field(default_factory=Counter[RequestClass])
    refused: int = 0

    @property
    def total(self) -> int:
        """All classes together."""
        return self.by_class.total()


class Requests:
    """The sent requests, oldest first. `day_of`: the local day of a time in UTC epoch seconds.

    `live` counts what was taken in as it was sent, `earlier` what was taken from the log, both for as long as this
    object lives: callers compare them with the numbers of their last visit to ask for what is new.
    """

    def __init__(self, day_of: Callable[[float], date]) -> None:
        self.live = 0
        self.earlier = 0
        self._day_of = day_of
        self._sent: deque[SentRequest] = deque(maxlen=KEPT)
        self._tallies: dict[date, DayRequests] = {}

    def __len__(self) -> int:
        return len(self._sent)

    def __iter__(self) -> Iterator[SentRequest]:
        return iter(self._sent)

    def newest(self, count: int) -> list[SentRequest]:
        """The last `count`, or as many as there are, oldest first."""
        return list(islice(reversed(self._sent), count))[::-1]

    def oldest(self, count: int) -> list[SentRequest]:
        """The first `count`, or as many as there are, oldest first."""
        return list(islice(self._sent, count))

    def tally(self, day: date) -> DayRequests:
        """How many there were on a local day."""
        return self._tallies.get(day) or DayRequests()

    def add(self, sent: Iterable[SentRequest], *, earlier: bool) -> None:
        """Take in what has just been sent, or, `earlier`, what the log holds from before all that is here."""
        requests = tuple(sent)
        self._count(requests)
        if not earlier:
            self.live += len(requests)
            self._sent.extend(requests)
            return
        fitting = requests[max(0, len(requests) + len(self._sent) - KEPT) :]
        self.earlier += len(fitting)
        self._sent.extendleft(reversed(fitting))

    def _count(self, requests: Iterable[SentRequest]) -> None:
        for sent in requests:
            day = self._day_of(sent.at)
            tally = self._tallies.get(day)
            if tally is None:
                tally = self._tallies[day] = DayRequests()
            tally.by_class[sent.cls] += 1
            tally.refused += sent.status == TOO_MANY_REQUESTS
