"""How far the shop is read, how old the data are, and what needs a person: the beginning of Today."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from petstore_desktop.desk.changes.review import Case, cases_of
from petstore_desktop.domain.quota import Link
from petstore_desktop.domain.records import Resource

if TYPE_CHECKING:
    from collections.abc import Iterable

    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.load_state import LoadState

Stage = Literal["reading", "loading", "unread", "empty", "ready"]
_NEEDS = ("conflict", "refused", "uncertain")
"""In this order they stand below each other."""


class Standing(Struct, frozen=True):
    """How the shop is known. "reading": what this computer kept is still being read; "loading": it is read from the
    service for the first time, `done` of `total` records (None where a list has not told its length); "unread": nothing
    of it is here, and nothing is being read; "empty": it was read, and nothing is in it.

    `oldest`: when the list that is oldest was read; `offline`: since when nothing answers; both UTC epoch seconds.
    """

    stage: Stage
    done: int = 0
    total: int | None = None
    oldest: float | None = None
    offline: float | None = None


class NeedGroup(Struct, frozen=True):
    """Changes that wait for a person for the same reason: "conflict", "refused" or "uncertain"."""

    mark: str
    count: int
    cases: tuple[Case, ...]


def standing_of(desk: Desk) -> Standing:
    """How the shop is known now."""
    loads = {resource: desk.load(resource) for resource in Resource}
    offline = desk.link_since if desk.link is Link.OFFLINE else None
    if any(load.phase == "reading" for load in loads.values()):
        return Standing("reading", offline=offline)
    read = [load.as_of for load in loads.values() if load.as_of is not None]
    oldest = min(read, default=None)
    offered = [load for load in loads.values() if load.phase != "not-offered"]
    has_rows = any(load.rows for load in offered)
    if not has_rows and any(load.as_of is None for load in offered) and not _is_read(offered, offline):
        return Standing("unread", oldest=oldest, offline=offline)
    if any(_is_first(load) for load in loads.values()):
        totals = [load.total if _is_first(load) else load.rows for load in loads.values()]
        known = [total for total in totals if total is not None]
        done = sum(max(load.done, load.rows) for load in loads.values())
        return Standing("loading", done, sum(known) if len(known) == len(totals) else None, oldest, offline)
    empty = not has_rows and not any(load.gaps.any for load in offered)
    return Standing("empty" if empty else "ready", oldest=oldest, offline=offline)


def has_an_end(desk: Desk, shown: Resource, *others: Resource) -> bool:
    """Whether this list, which the service offers, and as far as it does these others were read at least once, or the
    reading of them has failed or was stopped."""
    loads = [desk.load(resource) for resource in (shown, *others)]
    ended = ("not-offered", "failed", "cancelled")
    return loads[0].phase != "not-offered" and all(load.as_of is not None or load.phase in ended for load in loads)


def _is_read(loads: Iterable[LoadState], offline: float | None) -> bool:
    """Whether a list is being read, or will be at once."""
    return offline is None and any(_is_first(load) for load in loads)


def _is_first(load: LoadState) -> bool:
    return load.as_of is None and load.phase in ("never", "loading")


def needs_of(desk: Desk) -> tuple[NeedGroup, ...]:
    """What needs a person; nothing where nothing does."""
    if not desk.outbox.needs_person:
        return ()
    stuck = [change for change in desk.outbox.stuck() if change.needs_person]
    cases = cases_of(desk.shop, stuck, None)
    found: list[NeedGroup] = []
    for mark in _NEEDS:
        some = tuple(case for case in cases if case.mark == mark)
        if some:
            found.append(NeedGroup(mark, sum(len(case.change_ids) for case in some), some))
    return tuple(found)
