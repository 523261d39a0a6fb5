"""Intents and field values as JSON text, and back, exactly: int64 stays int64, a LocalId stays a LocalId. Pure."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, cast

from petstore_desktop.domain.changes import AddStock, Create, Delete, Fields, Intent, SetFields, SetStock
from petstore_desktop.domain.records import Extra, FieldValue, LocalId

_KEPT: Final = 512
"""How many decoded texts are cached: the changes of a batch (up to 10,000) are mostly alike."""


def encode_fields(fields: Fields) -> str:
    """Fields as one JSON object; a LocalId as `{"local": "<hex>"}`."""
    return _dump(_plain(fields))


@lru_cache(maxsize=_KEPT)
def decode_fields(text: str) -> Fields:
    """The inverse of `encode_fields`. Raises ValueError. Equal texts may give the same object."""
    return _fields(json.loads(text))


def encode_intent(intent: Intent) -> str:
    """An intent as one JSON object with `kind`: create, set, add-stock, set-stock or delete."""
    match intent:
        case Create(fields, extra):
            made = {"kind": "create", "fields": _plain(fields)}
            return _dump({**made, "extra": extra} if extra else made)
        case SetFields(fields):
            return _dump({"kind": "set", "fields": _plain(fields)})
        case AddStock(delta):
            return _dump({"kind": "add-stock", "delta": delta})
        case SetStock(quantity):
            return _dump({"kind": "set-stock", "quantity": quantity})
        case Delete():
            return _dump({"kind": "delete"})


@lru_cache(maxsize=_KEPT)
def decode_intent(text: str) -> Intent:
    """The inverse of `encode_intent`. Raises ValueError. Equal texts may give the same object."""
    stored = _object(json.loads(text))
    match stored.get("kind"):
        case "create":
            extra = cast("Extra", _object(stored.get("extra", {})))
            return Create(_fields(stored.get("fields")), extra)
        case "set":
            return SetFields(_fields(stored.get("fields")))
        case "add-stock":
            return AddStock(_whole(stored.get("delta")))
        case "set-stock":
            return SetStock(_whole(stored.get("quantity")))
        case "delete":
            return Delete()
        case other:
            raise ValueError(f"not a kind of intent: {other!r}")


def _dump(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))  # ASCII: even a lone surrogate that was typed comes back as it was


def _plain(fields: Fields) -> dict[str, object]:
    return {name: {"local": value.value} if isinstance(value, LocalId) else value for name, value in fields.items()}


def _fields(stored: object) -> dict[str, FieldValue]:
    return {sys.intern(name): _value(value) for name, value in _object(stored).items()}


def _value(stored: object) -> FieldValue:
    if isinstance(stored, dict):
        local = _object(cast("object", stored)).get("local")
        if isinstance(local, str):
            return LocalId(local)
    if stored is None or isinstance(stored, bool | int | str):
        return stored
    raise ValueError(f"not a field's value: {stored!r}")


def _whole(stored: object) -> int:
    if isinstance(stored, int) and not isinstance(stored, bool):
        return stored
    raise ValueError(f"not a whole number: {stored!r}")


def _object(stored: object) -> Mapping[str, object]:
    if isinstance(stored, dict):
        return cast("dict[str, object]", stored)
    raise ValueError(f"not an object: {stored!r}")
