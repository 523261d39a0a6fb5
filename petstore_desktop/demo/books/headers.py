"""The shop's response headers: its time, the requests left, and when to come back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from email.utils import formatdate

from petstore_desktop.demo.books.quota import Verdict, WindowNotice

SAYS = ("minute", "day", "both", "nothing")
"""The windows that the limit headers report. One window has no name; with both, the day's are `X-RateLimit-Limit-Day`
and so on."""


@dataclass(slots=True)
class HeaderStyle:
    """How the shop speaks of time and limits, as the control routes have set it.

    ahead: seconds by which its clock is ahead of the truth.   says: one of SAYS.   retry_after: "seconds", "date" (RFC
    9110, 10.2.3), "nothing", or a text that is sent as it is.
    """

    ahead: float = 0.0
    says: str = "minute"
    retry_after: str = "seconds"

    def headers(self, verdict: Verdict, now: float) -> list[tuple[bytes, bytes]]:
        """Date and limit headers of an answer that leaves at `now` (true epoch seconds)."""
        told = {
            "minute": {"": verdict.minute},
            "day": {"": verdict.day},
            "both": {"-minute": verdict.minute, "-day": verdict.day},
        }.get(self.says, {})
        lines = [("date", formatdate(now + self.ahead, usegmt=True))]
        for name, window in told.items():
            lines += self._window(window, name)
        return [(name.encode(), text.encode()) for name, text in lines]

    def _window(self, told: WindowNotice, name: str) -> list[tuple[str, str]]:
        return [
            (f"x-ratelimit-limit{name}", str(told.limit)),
            (f"x-ratelimit-remaining{name}", str(told.remaining)),
            (f"x-ratelimit-reset{name}", str(math.ceil(told.reset + self.ahead))),
        ]

    def wait(self, seconds: int, now: float) -> dict[str, str]:
        """The Retry-After of an answer to a request that came at `now` (true epoch seconds)."""
        match self.retry_after:
            case "seconds":
                return {"Retry-After": str(seconds)}
            case "date":
                return {"Retry-After": formatdate(math.ceil(now + self.ahead) + seconds, usegmt=True)}
            case "nothing":
                return {}
            case text:
                return {"Retry-After": text}
