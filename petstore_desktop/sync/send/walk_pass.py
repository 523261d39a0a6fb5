"""One way through a list, and what the rest of it will cost."""

from __future__ import annotations

import math
from dataclasses import dataclass, field


@dataclass(slots=True)
class Pass:
    """One way through a list: its number in the mirror, where it goes on (None: at the beginning), and what came.

    `done` rows and `requests` count those of earlier runs too, `answers` do not; `usual`: requests that the last whole
    walk took, None where unknown; `etag`: of the list, as kept, until an answer brings another; `began`: steady
    second at which its first request of this run left.
    """

    number: int
    cursor: str | None
    usual: int | None = None
    etag: str | None = None
    done: int = 0
    total: int | None = None
    requests: int = 0
    cut_at: int | None = None
    set_aside: list[str] = field(default_factory=list[str])
    resumed: bool = False
    answers: int = 0
    began: float | None = None
    oldest: float | None = None
    """When the service said the oldest of the rows of this run (UTC epoch seconds)."""
    _left_at: float = 0.0
    _on_wire_s: float = 0.0

    @property
    def whole(self) -> bool:
        """Whether what it did not show is not there."""
        return self.cut_at is None and not self.set_aside and not self.resumed

    @property
    def each_s(self) -> float:
        """Seconds that a request and its answer have taken on the mean."""
        return self._on_wire_s / self.answers if self.answers else 0.0

    def leaves(self, now: float) -> None:
        """A request leaves at this steady second."""
        self.requests += 1
        self._left_at = now
        self.began = now if self.began is None else self.began

    def answered(self, now: float) -> None:
        """All rows of its answer have come at this steady second."""
        self._on_wire_s += now - self._left_at
        self.answers += 1

    def left(self) -> int | None:
        """How many requests are still to come, by the rows that came with those so far, or else by the last whole walk;
        None where neither tells. To be asked when an answer has come to its end."""
        if self.total is not None and self.done and self.requests:
            return math.ceil(max(0, self.total - self.done) * self.requests / self.done)
        return None if self.usual is None else max(0, self.usual - self.requests)
