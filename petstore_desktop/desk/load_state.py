"""How each table is being filled, and the connection in three words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.domain.counts import NO_GAPS, AtLeast, Gaps
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.quota import Cause, Link

Phase: TypeAlias = Literal["reading", "never", "loading", "ready", "empty", "failed", "not-offered", "cancelled"]


class Waits(Struct, frozen=True):
    """A list was asked for and cannot be read at once: about until when (UTC epoch seconds, None where unknown), and
    why; None: the list was read a moment ago."""

    until: float | None
    why: Cause | None


class Costs(Struct, frozen=True):
    """What the rest of a walk costs: requests, and about when the last of them leaves (UTC epoch seconds)."""

    requests: int
    ends_at: float | None


class LoadState(Struct, frozen=True):
    """One table's load. `done` of `total` rows (None where the service does not say); `as_of` in UTC epoch seconds.

    "reading": what this computer kept is still being read; "never": there is nothing kept. `gaps`: what the last
    reading to its end did not show.
    """

    phase: Phase = "reading"
    done: int = 0
    total: int | None = None
    as_of: float | None = None
    error: ShopError | None = None
    gaps: Gaps = NO_GAPS
    rows: int = 0
    waits: Waits | None = None
    costs: Costs | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all that the service has is here, as it was when the list was last read to its end."""
        told = self.as_of is not None and self.phase not in ("reading", "never")
        return told and not self.gaps.any

    @property
    def is_in_part(self) -> bool:
        """Whether the list was never read to its end, or the service shows only a part of it."""
        return self.as_of is None or self.gaps.cut_at is not None

    @property
    def lacks_records(self) -> bool:
        """Whether the service may have more records of this list: of another part, or such as could not be read."""
        return self.is_in_part or bool(self.gaps.set_aside)

    def counted(self, n: int) -> int:
        """The number of its records, of which `n` are here; at least so many, where not all of them are."""
        return AtLeast(n) if self.lacks_records and self.phase != "reading" else n

    def with_rows(self, rows: int, offered: bool) -> LoadState:
        """The state of a table with this many rows."""
        state = replace(self, rows=rows)
        if not offered and not rows:
            return replace(state, phase="not-offered")
        if not offered and state.phase == "failed":  # the rows were looked up one by one: no list could fail
            return replace(state, phase="ready", error=None)
        if state.phase == "ready" and not rows:
            return replace(state, phase="empty")
        return state


def kept_load(as_of: float | None, gaps: Gaps) -> LoadState:
    """The state of a list of which only what this computer kept was read."""
    return LoadState("never" if as_of is None else "ready", as_of=as_of, gaps=gaps)


class ConnectionState(Struct, frozen=True):
    """The connection: answers come (live), one is awaited since `at` (silent), not asked yet (as-of, or never, or
    reading while it is not known what was kept), nothing answers (offline since `at`)."""

    word: Literal["live", "silent", "as-of", "offline", "never", "reading"]
    at: float | None
    error: ShopError | None


def connection_state(
    link: Link, since: float | None, error: ShopError | None, loads: Iterable[LoadState]
) -> ConnectionState:
    """The connection in a word; of one that was not asked yet, when anything was last read to its end."""
    if link is Link.OFFLINE:
        return ConnectionState("offline", since, error)
    if link in (Link.LIVE, Link.SILENT):
        return ConnectionState("live" if link is Link.LIVE else "silent", since, None)
    known = tuple(loads)
    latest = max((load.as_of for load in known if load.as_of is not None), default=None)
    if latest is not None:
        return ConnectionState("as-of", latest, None)
    return ConnectionState("reading" if any(load.phase == "reading" for load in known) else "never", None, None)
