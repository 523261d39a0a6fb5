"""Groups what was seen to change between two moments by its kind: pets sold, orders placed, stock changed and so on.

Works on net changes, one for each record and field, as the history gives them for two moments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from heapq import merge, nsmallest
from typing import Any, Final

from msgspec import Struct

from petstore_desktop.domain.records import Resource, key_to_text, status_kind
from petstore_desktop.domain.seen_changes import SeenChange, What, Who


class SeenKind(StrEnum):
    """The kinds of changes, in the order in which they are shown."""

    SOLD = "sold"
    PLACED = "placed"
    COMPLETED = "completed"
    STOCK = "stock"
    NEW_PETS = "new-pets"
    GONE = "gone"
    OTHER = "other"


ALL_KINDS: Final = tuple(SeenKind)
_STEP, _RUN = 512, 2048
"""How many changes are looked at in one step, and how many sorted."""


class SeenGroup(Struct, frozen=True):
    """Changes of one kind, all or the first of them; the counts are of all. `here`, `elsewhere` and `both`: how many
    were made by whom, which add up to `count`, the one number that every page says; `pieces`: by how many pieces the
    stock of all its records together changed (0 for other kinds)."""

    kind: SeenKind
    changes: tuple[SeenChange, ...]
    here: int
    elsewhere: int
    both: int
    pieces: int

    @property
    def count(self) -> int:
        """How many changes there are."""
        return self.here + self.elsewhere + self.both


def kind_of_change(change: SeenChange) -> SeenKind | None:
    """The kind of one change; None for one that only repeats what another record says: a stock entry's status is its
    pet's."""
    resource, what = change.ref.resource, change.what
    if resource is Resource.INVENTORY:
        counts = what is not What.CHANGED or change.field == "quantity"
        return SeenKind.STOCK if counts else None
    if what is What.GONE:
        return SeenKind.GONE
    if what is What.NEW:
        return _kind_of_new(resource)
    if resource is Resource.PETS and _became_sold(change):
        return SeenKind.SOLD
    if resource is Resource.ORDERS and change.field == "complete" and change.after is True:
        return SeenKind.COMPLETED
    return SeenKind.OTHER


def _kind_of_new(resource: Resource) -> SeenKind:
    if resource is Resource.PETS:
        return SeenKind.NEW_PETS
    return SeenKind.PLACED if resource is Resource.ORDERS else SeenKind.OTHER


def _became_sold(change: SeenChange) -> bool:
    return change.field == "status" and _is_sold(change.after) and not _is_sold(change.before)


def _is_sold(value: object) -> bool:
    return isinstance(value, str) and status_kind(value) == "sold"


def stock_values(change: SeenChange) -> tuple[int | None, int | None]:
    """The stock before and after a change of a stock entry; None where there was no entry, or no longer is one."""
    before, after = change.before, change.after
    if change.what is What.NEW:
        before, after = None, change.record.get("quantity")
    elif change.what is What.GONE:
        before, after = change.record.get("quantity"), None
    return _count(before), _count(after)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def pieces_of(change: SeenChange) -> int:
    """By how many pieces a stock entry changed; one that is new or gone counts with all that was in it."""
    before, after = stock_values(change)
    return (after or 0) - (before or 0)


def group_changes(
    changes: Iterable[SeenChange],
    kinds: Sequence[SeenKind] = ALL_KINDS,
    order: Callable[[SeenChange], Any] | None = None,
) -> tuple[SeenGroup, ...]:
    """The changes by kind, in the order of `kinds`, without those that have none; a kind that is not in `kinds` counts
    as other. Within a kind they are sorted by `order`, else they stay as they came."""
    found: dict[SeenKind, list[SeenChange]] = {kind: [] for kind in kinds}
    others = found.setdefault(SeenKind.OTHER, [])
    for change in changes:
        kind = kind_of_change(change)
        if kind is not None:
            found.get(kind, others).append(change)
    if order is not None:
        for members in found.values():
            members.sort(key=order)
    return tuple(_group(kind, members) for kind, members in found.items() if members)


def grouping(
    changes: Sequence[SeenChange], order: Callable[[SeenChange], Any]
) -> Iterator[tuple[SeenGroup, ...] | None]:
    """The same for very many changes in short steps; the groups come last."""
    found: dict[SeenKind, list[SeenChange]] = {kind: [] for kind in ALL_KINDS}
    for number, change in enumerate(changes):
        kind = kind_of_change(change)
        if kind is not None:
            found[kind].append(change)
        if number % _STEP == 0:
            yield None
    groups: list[SeenGroup] = []
    for kind, members in found.items():
        runs: list[list[SeenChange]] = []
        for start in range(0, len(members), _RUN):
            runs.append(sorted(members[start : start + _RUN], key=order))
            yield None
        ordered: list[SeenChange] = []
        for number, change in enumerate(merge(*runs, key=order)):
            ordered.append(change)
            if number % _STEP == 0:
                yield None
        groups += [_group(kind, ordered)] if ordered else []
        yield None
    yield tuple(groups)


def first_of_groups(
    changes: Sequence[SeenChange], kinds: Sequence[SeenKind], order: Callable[[SeenChange], Any], most: int
) -> Iterator[tuple[SeenGroup, ...] | None]:
    """The same, but each group holds only the first `most` of its changes, though its counts are those of all."""
    kinds = tuple(dict.fromkeys((*kinds, SeenKind.OTHER)))
    totals = {kind: SeenGroup(kind, (), 0, 0, 0, 0) for kind in kinds}
    for start in range(0, len(changes), _STEP):
        for group in group_changes(changes[start : start + _STEP], kinds):
            before = totals[group.kind]
            totals[group.kind] = SeenGroup(
                group.kind,
                tuple(nsmallest(most, (*before.changes, *group.changes), order)),
                before.here + group.here,
                before.elsewhere + group.elsewhere,
                before.both + group.both,
                before.pieces + group.pieces,
            )
        yield None
    yield tuple(group for group in totals.values() if group.changes)


def _group(kind: SeenKind, changes: list[SeenChange]) -> SeenGroup:
    by = Counter(change.who for change in changes)
    pieces = sum(map(pieces_of, changes)) if kind is SeenKind.STOCK else 0
    return SeenGroup(kind, tuple(changes), by[Who.HERE], by[Who.ELSEWHERE], by[Who.BOTH], pieces)


def by_name(rank: Callable[[str], Any]) -> Callable[[SeenChange], Any]:
    """The order of names, then ids; `rank` gives what a name sorts as in the person's language."""
    ranks: dict[str, Any] = {}

    def order(change: SeenChange) -> Any:
        title, key = change.title, change.ref.key
        if title not in ranks:
            ranks[title] = rank(title)
        if isinstance(key, int):
            return ranks[title], False, key, "", change.field
        return ranks[title], True, 0, key_to_text(key), change.field

    return order
