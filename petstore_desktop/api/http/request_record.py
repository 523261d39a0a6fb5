"""The record of a sent request, for display: never the key, never a body."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from petstore_desktop import log
from petstore_desktop.api import address
from petstore_desktop.api.http.connection_errors import reason_of
from petstore_desktop.api.http.secret import Secret, redact
from petstore_desktop.clock import Instant
from petstore_desktop.domain.errors import AnswerUnusable, Interrupted
from petstore_desktop.domain.quota import RequestClass, SentRequest

PATH_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Leaving:
    """One request from the moment on at which the gate has let it out. `asked`: steady second at which somebody began
    to wait for that."""

    at: Instant
    asked: float
    cls: RequestClass
    method: str
    path: str
    probe: bool

    def ended(self, now: Instant, status: int | None, lost: str) -> SentRequest:
        """It came to its end now; `lost` says why no answer, or not the whole of it, came."""
        return SentRequest(
            at=self.at.wall,
            cls=self.cls,
            method=self.method,
            path=self.path,
            status=status,
            waited_s=max(0.0, self.at.steady - self.asked),
            took_s=max(0.0, now.steady - self.at.steady),
            lost=lost,
            probe=self.probe,
        )


def path_of(base_url: str, url: str, secret: Secret | None) -> str:
    """Path and query below the base address (the whole path where it lies beside), with every known key masked, and
    cut. What a service puts into the next address of a list is its own: it may repeat a key, an earlier one too."""
    below = url[len(base_url) :] if url.startswith((f"{base_url}/", f"{base_url}?")) else address.below_origin(url)
    # Masked before the cut: half a key is still half a key.
    path = log.redact(redact(secret, below))
    return path if len(path) <= PATH_CHARACTERS else f"{path[:PATH_CHARACTERS]}…"


def why_lost(error: BaseException | None) -> str:
    """One word: why no answer, or not the whole of it, came; empty where all is well."""
    if error is None:
        return ""
    if isinstance(error, asyncio.CancelledError):
        return "cancelled"
    if isinstance(error, Interrupted):
        return str(error.params.get("why") or "broken")
    return "unusable" if isinstance(error, AnswerUnusable) else reason_of(error)
