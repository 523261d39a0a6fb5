"""A bound Contract as JSON text, so that a start needs neither the document nor YAML.

It is read before the first paint: keep it cheap.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from petstore_desktop.contract.model import Contract, KeyPlace, KeyPlacement, Operation
from petstore_desktop.contract.operations import Op, Stability
from petstore_desktop.domain.errors import DocumentUnusable

FORMAT = 6
"""The cache version: raised whenever the fields of Contract or Operation or the binding rules change; an older cache is
bound again from its document."""

_OPERATION_FIELDS = tuple(name for name in Operation.__dataclass_fields__ if name not in ("op", "stability"))
_KEY_FIELDS = ("name", "prefix", "basic")
_TEXTS = ("source", "title", "version", "digest", "within", "address")


def read(file: Path, address: str) -> Contract | None:
    """The contract that is kept of the service at this address; None where there is none that can be used. Blocks."""
    try:
        contract = from_json(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, DocumentUnusable):
        return None
    return contract if contract.address == address else None


def to_json(contract: Contract) -> str:
    """The contract as one JSON text."""
    return json.dumps(
        {
            "format": FORMAT,
            **{name: getattr(contract, name) for name in _TEXTS},
            "warnings": contract.warnings,
            "servers": contract.servers,
            "by_hand": dict(contract.by_hand),
            "key": {"place": contract.key.place, **{name: getattr(contract.key, name) for name in _KEY_FIELDS}},
            "operations": {op: _operation_to_json(operation) for op, operation in contract.operations.items()},
        },
        ensure_ascii=False,
    )


def _operation_to_json(operation: Operation) -> dict[str, object]:
    return {"stability": operation.stability, **{name: getattr(operation, name) for name in _OPERATION_FIELDS}}


def from_json(text: str) -> Contract:
    """The inverse of `to_json`. Raises DocumentUnusable (`cache-unusable`) for anything else, an older format too."""
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise DocumentUnusable("cache-unusable", format=data["format"])
        operations = {Op(op): _operation_from_json(Op(op), fields) for op, fields in data["operations"].items()}
        key = data["key"]
        return Contract(
            operations=operations,
            key=KeyPlacement(KeyPlace(key["place"]), **{name: key[name] for name in _KEY_FIELDS}),
            warnings=tuple(data["warnings"]),
            servers=tuple(data["servers"]),
            by_hand=dict(data["by_hand"]),
            **{name: data[name] for name in _TEXTS},
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise DocumentUnusable("cache-unusable") from None


def _operation_from_json(op: Op, fields: Mapping[str, object]) -> Operation:
    values = {name: _plain(fields[name]) for name in _OPERATION_FIELDS}
    return Operation(op=op, stability=Stability(cast("str", fields["stability"])), **cast("dict[str, Any]", values))


def _plain(value: object) -> object:
    """JSON has lists where Operation has tuples."""
    return tuple(cast("list[object]", value)) if isinstance(value, list) else value
