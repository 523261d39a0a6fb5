"""Request limits: windows, the gate's state, the classes of requests, and sent requests.

Times named `*_at` are UTC epoch seconds unless they say otherwise.
"""

from __future__ import annotations

import math
from enum import IntEnum, StrEnum

from msgspec import Struct

from petstore_desktop.domain.comparing import without


class RequestClass(IntEnum):
    """Who waits for a request; a lower value leaves first."""

    PERSON = 0
    CHANGES = 1
    VISIBLE = 2
    BACKGROUND = 3


_LEAVES = {
    RequestClass.CHANGES: (0.10, 5, 0.5),
    RequestClass.VISIBLE: (0.15, 6, 0.6),
    RequestClass.BACKGROUND: (0.25, 10, 0.7),
}
"""Share of a window, requests at least, share at most."""


def reserve(cls: RequestClass, limit: int | None) -> int:
    """Requests of a window that the class leaves to those before it; less than the whole of a small window."""
    leaves = _LEAVES.get(cls)
    if limit is None or leaves is None:
        return 0
    share, least, most = leaves
    return min(max(math.ceil(limit * share), least), math.floor(limit * most))


class Link(StrEnum):
    """The connection in one word: answers come, one is awaited for seconds, not asked yet, or nothing answers."""

    LIVE = "live"
    SILENT = "silent"
    IDLE = "idle"
    OFFLINE = "offline"


class Plan(Struct, frozen=True):
    """A plan's limits in requests; None where unknown or without limit (specification, "Rate limits by plan")."""

    name: str
    per_minute: int | None
    per_day: int | None


PLANS: dict[str, Plan] = {
    "free": Plan("free", 60, 1_000),
    "pro": Plan("pro", 300, 10_000),
    "business": Plan("business", 1_000, 100_000),
    "enterprise": Plan("enterprise", None, None),
}
OWN_NUMBERS = ("", "enterprise")
"""Plans whose limits a person may give: those of a contract of one's own, and what one knows without a plan's name."""


class Window(Struct, frozen=True):
    """One rate-limit window as known now. `own_count`: counted by us, because the service does not speak of it: each
    request comes back one window after it left, so many at each moment (`returns`, the soonest first; all moments are
    UTC epoch seconds); `others`: requests that others with this key take of it, as far as answers have shown it."""

    limit: int | None = None
    remaining: int | None = None
    resets_at: float | None = None
    own_count: bool = False
    others: int = 0
    returns: tuple[tuple[float, int], ...] = ()

    def __eq__(self, other: object) -> bool:
        """Whether both say the same; when each request comes back does not count, as it moves with every one."""
        return isinstance(other, Window) and without(self, "returns") == without(other, "returns")

    def __hash__(self) -> int:
        return hash(without(self, "returns"))


class Quota(Struct, frozen=True):
    """Both windows of the key in use."""

    minute: Window = Window()
    day: Window = Window()
    skew: float | None = None
    """Whole seconds by which the service's clock is ahead of ours, by its Date header; None where unknown."""


class GatePhase(StrEnum):
    """The gate's states."""

    OPEN = "open"
    SPENT = "spent"
    PAUSED = "paused"
    PROBING = "probing"
    BANNED = "banned"
    LOCKED = "locked"


class LongerPause(StrEnum):
    """Why a pause is longer than the service asked."""

    AGAIN = "again"
    """It refused several times in a row, and the program's own back-off is the longer one."""
    UNTOLD = "untold"
    """It named no time that the program understands."""


class HeldBy(StrEnum):
    """What lets changes leave only later though the gate is open."""

    MINUTE = "minute"
    """The minute's requests that are left are kept for what a person asks, and for a list that is about to be read."""
    DAY = "day"
    """The day's are."""
    TURN = "turn"
    """Another window, a pace that refusals have taught, or what a failure has brought."""


class Hold(Struct, frozen=True):
    """No change leaves before `until` (UTC epoch seconds by this computer's clock), None where that is unknown."""

    by: HeldBy
    until: float | None


class GateView(Struct, frozen=True):
    """The gate as a person may see it. `until` and `since` are UTC epoch seconds by this computer's clock; `reason`
    is the service's own message, `raw` the redacted answer that caused the state; `persisted` is False when the
    pause could not be written to disk."""

    phase: GatePhase = GatePhase.OPEN
    since: float | None = None
    until: float | None = None
    reason: str | None = None
    status: int | None = None
    raw: str | None = None
    persisted: bool = True
    ask_person: bool = False
    """The pause is longer than 24 h: it is obeyed, and the window asks."""
    length: float | None = None
    """Seconds of the whole wait that an answer brought; None without one."""
    longer: LongerPause | None = None
    """None too where the pause is no longer, or after a restart: it does not outlive the process."""
    hold: Hold | None = None
    """What holds back changes while the gate is open or a window is used up; by the same function that lets them
    leave. Of a window that we count ourselves one request is back long before there are some for changes."""


class GateSnapshot(Struct, frozen=True):
    """What of the gate outlives the process: enough to go on waiting after a kill or a reboot.

    `until_steady` holds on the boot `boot_id`; on another boot `until_wall` counts, re-armed to `length` seconds in
    full if the wall clock went back before `written_wall`. `payload` is the gate's own JSON for the rest (back-off
    exponent, windows, own counts).
    """

    phase: GatePhase
    boot_id: str
    until_steady: float | None
    until_wall: float | None
    length: float
    written_wall: float
    payload: str


class SentRequest(Struct, frozen=True):
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
