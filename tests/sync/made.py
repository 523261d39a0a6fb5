"""Changes and facts, made by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from petstore_desktop.contract.binding.load import default, load
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.changes import Change, ChangeState, Fields, Intent, NewChange, Reason
from petstore_desktop.domain.records import Category, InventoryItem, Key, Pet, Record, Ref, Resource, Row
from petstore_desktop.resources import path
from petstore_desktop.sync.price.price import Present, pricing
from petstore_desktop.sync.send.next_step import StepFacts

KEY = 7
FULL = load(path("openapi", "full.json").read_bytes(), source="published")
"""All operations, ETags on single records."""
DEFAULT = default()


def without_etags(contract: Contract) -> Contract:
    """The same operations, none of which takes If-Match."""
    return replace(
        contract, operations={op: replace(one, conditional=False) for op, one in contract.operations.items()}
    )


def without(contract: Contract, *ops: Op) -> Contract:
    """The contract without these operations."""
    return replace(contract, operations={op: one for op, one in contract.operations.items() if op not in ops})


def change(
    number: int,
    intent: Intent,
    resource: Resource = Resource.INVENTORY,
    key: Key = KEY,
    state: ChangeState = ChangeState.QUEUED,
    base: Fields | None = None,
    reason: str = "",
) -> Change:
    why = Reason(reason, "") if reason else None
    return Change(number, "batch", 0.0, Ref(resource, key), intent, base or {}, state, 0.0, why)


def stock_row(quantity: int, etag: str | None = None, key: int = KEY) -> Row:
    return Row(key, InventoryItem(key, quantity), 0.0, etag)


def pet_row(name: str = "Koi", etag: str | None = None, key: int = KEY, **fields: Any) -> Row:
    return Row(key, Pet(key, name, **fields), 0.0, etag)


def resource_of(record: Record) -> Resource:
    return {Pet: Resource.PETS, Category: Resource.CATEGORIES}.get(type(record), Resource.INVENTORY)


def facts(*rows: Row, contract: Contract = FULL, age: float = math.inf, **more: Any) -> StepFacts:
    """What is known: these rows, all of this age."""
    known: Mapping[Ref, Row] = {Ref(resource_of(row.record), row.key): row for row in rows}
    more.setdefault("local_ids", {})
    return StepFacts(known.get, lambda _: age, contract, **more)


def price(changes: Sequence[NewChange], present: Present) -> Price:
    """The price of these changes, found at one go."""
    steps = pricing(changes, present)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value
