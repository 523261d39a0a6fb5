"""By which id a path names an entry of stock: its pet's, or one that the entry has of its own.

No schema tells, and a wrong guess books another pet's stock. So stock is only read until one read has told: the path is
asked with the two ids of an entry in which they differ. Pure.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec.structs import replace

from petstore_desktop.contract.model import FROM_PROFILE, Contract, Operation
from petstore_desktop.contract.operations import Op, Path
from petstore_desktop.domain.records import ALL_SPECS, Resource

_MARK: Final = "stock-key:"
"""Before what is kept among the contract's proofs."""
_KEYED = (Op.STOCK_READ, Op.STOCK_CHANGE)


class StockKey(StrEnum):
    """What the id in the path is."""

    PET = "pet"
    OWN = "own"
    EQUAL = "equal"
    """All entries have the id of their pet: it makes no difference until one comes that has another."""


def seen(contract: Contract) -> StockKey | None:
    """Which id the path of a change was seen to mean; None where that was not seen."""
    change = contract.operations.get(Op.STOCK_CHANGE)
    said = "" if change is None else _said(contract, change).rpartition("=")[2]
    return StockKey(said) if said in [*StockKey] else None


def with_stock_key(contract: Contract, key: StockKey, own: Path) -> Contract:
    """The contract once it was seen which id the path means. `own`: where entries have their own."""
    change = contract.operations.get(Op.STOCK_CHANGE)
    if change is None:
        return contract
    others = (one for one in contract.proven if not one.startswith(_MARK))
    said = f"{_MARK}{change.method} {change.path}:{'.'.join(own)}={key.value}"
    return applied(replace(contract, proven=tuple(sorted({*others, said}))))


def applied(contract: Contract) -> Contract:
    """The contract as what was seen of its stock's ids makes it."""
    change = contract.operations.get(Op.STOCK_CHANGE)
    key = seen(contract)
    if change is None or key is None or contract.source == FROM_PROFILE:
        return contract
    own = _said(contract, change).rpartition("=")[0]
    hole = () if key is StockKey.PET else tuple(own.split("."))
    keyed = {op: replace(one, hole=hole) for op, one in contract.operations.items() if op in _KEYED and "{" in one.path}
    fields = contract.map(Resource.INVENTORY)
    spec = ALL_SPECS[Resource.INVENTORY][0]
    known = replace(fields, guessed=tuple(name for name in fields.guessed if name != spec.name))
    return replace(
        contract,
        operations={**contract.operations, **keyed},
        fields={**contract.fields, Resource.INVENTORY: known} if known != fields else contract.fields,
    )


def _said(contract: Contract, change: Operation) -> str:
    begin = f"{_MARK}{change.method} {change.path}:"
    return next((one.removeprefix(begin) for one in contract.proven if one.startswith(begin)), "")
