"""What was sent to the service: one entry for each request, as a person or support may read it."""

from __future__ import annotations

from dataclasses import dataclass

from petstore_desktop.domain.quota import RequestClass


@dataclass(frozen=True, slots=True)
class SentRequest:
    """One request that left this computer. It holds no key, no body, and of the address only path and query below the
    service's base address, without whatever carries the key.

    `at`: UTC epoch seconds at which the gate let it go. `status`: of the answer; None where none came. `lost`: why no
    answer, or not the whole of it, came, in one word (those of `connection_errors.reason_of`, and deadline, cancelled,
    unusable). `waited_s`: seconds from asking for admission to leaving, waiting again included where the gate shut
    meanwhile; `took_s`: from leaving to the end of the answer, making the connection included. `probe`: it was the one
    question after a pause.
    """

    at: float
    cls: RequestClass
    method: str
    path: str
    status: int | None
    waited_s: float = 0.0
    took_s: float = 0.0
    lost: str = ""
    probe: bool = False
