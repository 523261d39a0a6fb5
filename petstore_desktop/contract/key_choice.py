"""Which of a service's security schemes the main key is for, where a person's further keys or a check decided that."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from petstore_desktop.contract.model import Contract, KeyPlacement, Operation
from petstore_desktop.contract.operations import MAIN_KEY
from petstore_desktop.domain.commands import ServiceKey


def with_main_key(contract: Contract, scheme: str) -> Contract:
    """The contract with the main key sent as this security scheme says: one that is sent beside it, or one that stands
    for it (`Contract.alternatives`). Any other scheme leaves it as it is."""
    if not contract.keys:
        return contract
    chosen = {**contract.by_hand, MAIN_KEY: scheme}
    if any(place.scheme == scheme for place in contract.beside):
        return replace(_exchanged(contract, scheme), by_hand=chosen)
    other = next((place for place in contract.alternatives if place.scheme == scheme), None)
    return contract if other is None else replace(_replaced(contract, other), by_hand=chosen)


def main_key_beside(contract: Contract, further: Mapping[str, str]) -> str:
    """The scheme that the main key is for where a further key is given for the one that was taken for it: the first
    beside it without a key of its own; empty where nothing has to change."""
    if not contract.keys or contract.keys[0].name not in contract.named_keys(further):
        return ""
    named = contract.named_keys(further)
    return next((place.scheme for place in contract.beside if place.scheme not in named), "")


def _exchanged(contract: Contract, scheme: str) -> Contract:
    """The main key and the one of this scheme take each other's places."""
    before = contract.keys[0].name
    names = {"": before, scheme: ""}

    def renamed(place: KeyPlacement) -> KeyPlacement:
        return replace(place, scheme=names.get(place.scheme, place.scheme))

    every = [renamed(place) for place in (contract.key, *contract.beside)]
    keys = [replace(key, scheme=names.get(key.scheme, key.scheme)) for key in contract.keys]
    return replace(
        _with_each(contract, lambda one: replace(one, key=None if one.key is None else tuple(map(renamed, one.key)))),
        key=next(place for place in every if not place.scheme),
        beside=tuple(place for place in every if place.scheme),
        keys=tuple(sorted(keys, key=lambda key: bool(key.scheme))),
    )


def _replaced(contract: Contract, other: KeyPlacement) -> Contract:
    """The main key goes where that of the other scheme does, also for what wants that scheme alone."""
    first = ServiceKey("", other.scheme, place=other.place.value, parameter=other.name)
    rest = [key for key in contract.keys if key.scheme not in ("", other.scheme)]
    key = replace(other, scheme="")
    contract = _with_each(contract, lambda one: replace(one, key=None, scheme="") if one.key == (other,) else one)
    return replace(contract, key=key, keys=(first, *rest), alternatives=())


def _with_each(contract: Contract, change: Callable[[Operation], Operation]) -> Contract:
    """The contract with each of its operations changed."""
    operations = {op: change(one) for op, one in contract.operations.items()}
    counts = None if contract.counts is None else change(contract.counts)
    return replace(contract, operations=operations, counts=counts)
