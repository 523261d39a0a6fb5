"""A bound Contract as JSON text, so that a start needs neither the document nor YAML.

It is read before the first paint: keep it cheap.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from msgspec.structs import asdict

from petstore_desktop.contract.model import FROM_PROFILE, Contract, KeyPlace, KeyPlacement, Operation
from petstore_desktop.contract.operations import FieldMap, Op, Stability
from petstore_desktop.domain.commands import ServiceKey, ServiceValue
from petstore_desktop.domain.errors import DocumentUnusable
from petstore_desktop.domain.records import Resource
from petstore_desktop.platform_support import write_whole
from petstore_desktop.regular_files import read_regular

FORMAT = 53
"""The cache version: raised whenever the fields of Contract or Operation or the binding rules change; an older cache is
bound again from its document."""

MOST_KEPT = 64 * 1024 * 1024
"""Bytes that are read of a document that is kept, or of what it was bound to."""

ASKED_AGAIN_S = 7 * 86_400.0
"""Seconds after which the first start asks a service again for the document that it publishes."""


def read(file: Path, address: str) -> Contract | None:
    """The contract that is kept of the service at this address; None where there is none that can be used. Blocks."""
    try:
        contract = from_json(read_regular(file, MOST_KEPT).decode("utf-8"))
    except (OSError, UnicodeDecodeError, DocumentUnusable):
        return None
    return contract if contract.address == address else None


def write(file: Path, contract: Contract) -> None:
    """Keep it, whole or not at all. Blocks. Raises OSError."""
    write_whole(file, to_json(contract).encode("utf-8"))


def is_fresh(contract: Contract | None, now: float) -> bool:
    """Whether what is kept needs not be asked for again: a document that a service publishes may change, also one with
    which a profile is compared."""
    asked = contract is not None and contract.source in ("published", FROM_PROFILE)
    return contract is not None and (not asked or now - contract.read_at < ASKED_AGAIN_S)


def to_json(contract: Contract) -> str:
    """The contract as one JSON text."""
    kept = asdict(contract)
    del kept["survey"], kept["refused"]
    return json.dumps({"format": FORMAT, **kept}, ensure_ascii=False, default=asdict)


def from_json(text: str) -> Contract:
    """The inverse of `to_json`. Raises DocumentUnusable (`cache-unusable`) for anything else, an older format too."""
    try:
        data = json.loads(text)
        if data.pop("format") != FORMAT:
            raise DocumentUnusable("cache-unusable")
        key, beside = _placement(data["key"]), tuple(map(_placement, data["beside"]))
        data["alternatives"] = tuple(map(_placement, data["alternatives"]))
        keys = tuple(ServiceKey(**key) for key in data["keys"])
        values = tuple(ServiceValue(**_values(value)) for value in data["values"])
        operations = {Op(op): Operation(**_operation(Op(op), fields)) for op, fields in data["operations"].items()}
        data["fields"] = {Resource(resource): _field_map(said) for resource, said in data["fields"].items()}
        data["statuses"] = {Resource(resource): tuple(words) for resource, words in data["statuses"].items()}
        counts = data["counts"]
        data["counts"] = None if counts is None else Operation(**_operation(Op(counts["op"]), counts))
        return Contract(**_values(data, operations=operations, key=key, beside=beside, keys=keys, values=values))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise DocumentUnusable("cache-unusable") from None


def _operation(op: Op, fields: Mapping[str, Any]) -> dict[str, Any]:
    key = None if fields["key"] is None else tuple(map(_placement, fields["key"]))
    writes = _field_map(fields["writes"])
    return _values(fields, op=op, stability=Stability(fields["stability"]), writes=writes, key=key)


def _placement(said: Mapping[str, Any]) -> KeyPlacement:
    return KeyPlacement(**_values(said, place=KeyPlace(said["place"])))


def _field_map(said: Mapping[str, Any]) -> FieldMap:
    paths = {name: tuple(path) for name, path in said["paths"].items()}
    return FieldMap(paths, said["told"], tuple(said["guessed"]))


def _values(fields: Mapping[str, Any], **read: object) -> dict[str, Any]:
    """The fields of one object, with the `read` values of some; JSON has lists where the contract has tuples."""
    lists = {name: tuple(cast("list[object]", value)) for name, value in fields.items() if isinstance(value, list)}
    return {**fields, **lists, **read}
