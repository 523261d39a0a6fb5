"""Several waiting changes of one record become one request. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import (
    AddStock,
    Change,
    Create,
    Delete,
    Fields,
    Intent,
    NewChange,
    SetFields,
    SetStock,
    combine_stock,
)
from petstore_desktop.domain.records import INT64_MAX, INT64_MIN, LocalId, ServiceId


class Nothing(Struct, frozen=True):
    """The result of changes that cancel each other out: no request."""


class Run(Struct, frozen=True):
    """Changes of one record, oldest first, and the one intent they come to. `base` is what the person saw before the
    first."""

    changes: tuple[Change, ...]
    intent: Intent | Nothing
    base: Fields


def merge(first: Intent | Nothing, second: Intent) -> Intent | Nothing | None:
    """What `first` then `second` come to; None where they must stay two requests."""
    match first, second:
        case Create(fields=made), SetFields(fields=set_):
            return replace(first, fields={**made, **set_})
        case Create(), Delete():
            return Nothing()
        case SetFields(fields=one), SetFields(fields=two):
            return SetFields({**one, **two})
        case (AddStock(), AddStock()) | (SetStock(), AddStock()) | ((AddStock() | SetStock()), SetStock()):
            return _merge_stock(first, second)
        case _:
            return None


def _merge_stock(first: AddStock | SetStock, second: AddStock | SetStock) -> Intent | Nothing | None:
    both = combine_stock(first, second)
    number = both.quantity if isinstance(both, SetStock) else both.delta
    if not INT64_MIN <= number <= INT64_MAX:
        return None
    return both if number or isinstance(both, SetStock) else Nothing()


def coalesce(waiting: Sequence[Change]) -> Run:
    """The longest run from the front of `waiting` (at least one change, all of one record) that is one request."""
    taken = [waiting[0]]
    intent: Intent | Nothing = waiting[0].intent
    base: dict[str, object] = dict(waiting[0].base)
    for change in waiting[1:]:
        merged = merge(intent, change.intent)
        if merged is None:
            break
        taken.append(change)
        intent = merged
        base = {**change.base, **base}
    return Run(tuple(taken), intent, base)  # pyright: ignore[reportArgumentType] -- values come from Fields alone


def verb_of(intent: Intent) -> Verb:
    """The operation that an intent needs."""
    match intent:
        case Create():
            return Verb.CREATE
        case Delete():
            return Verb.DELETE
        case _:
            return Verb.CHANGE


def with_ids(fields: Fields, local_ids: Mapping[LocalId, ServiceId]) -> Fields:
    """Fields with the service's ids, as far as they are known."""
    return {name: local_ids.get(v, v) if isinstance(v, LocalId) else v for name, v in fields.items()}


def is_meant(waiting: Sequence[Change], sent: Fields, local_ids: Mapping[LocalId, ServiceId], *, added: bool) -> bool:
    """Whether what was sent is what these of its changes come to, where others of them may have been taken back since.
    `added`: nothing but bookings was in it, and each of them is done if the whole is."""
    intent = coalesce(waiting).intent
    match intent:
        case SetFields(fields=fields):
            real = with_ids(fields, local_ids).items()
            return all(name in sent and sent[name] == value for name, value in real)
        case SetStock(quantity=quantity):
            return sent.get("quantity") == quantity
        case AddStock() | Nothing():
            return added
        case _:
            return True


def stock_after(start: int, changes: Iterable[Change | NewChange]) -> int:
    """The quantity after these changes."""
    now = start
    for change in changes:
        if isinstance(change.intent, SetStock):
            now = change.intent.quantity
        elif isinstance(change.intent, AddStock):
            now += change.intent.delta
    return now
