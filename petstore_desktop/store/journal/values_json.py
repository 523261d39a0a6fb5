"""Intents, values of fields and whole records as JSON text, and back, exactly: int64 stays int64, a LocalId stays a
LocalId. Pure.

The text is the standard library's, in ASCII: even a lone surrogate that was typed comes back as it was, which msgspec's
own text cannot hold.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Final

from msgspec import Struct, convert, to_builtins

from petstore_desktop.domain.changes import Delete, Fields, Intent
from petstore_desktop.domain.records import RECORD_TYPES, Record, Resource

_KEPT: Final = 512
"""How many decoded texts are cached: the changes of a batch (up to 10,000) are mostly alike."""


class _Kept(Struct):
    """Both kinds of values in a class, into which msgspec knows the way at once: types alone it looks at each time."""

    fields: Fields = {}
    intent: Intent = Delete()


def encode(value: Fields | Intent | Record) -> str:
    """A value as one JSON object: an intent with its `kind`, a LocalId as `{"local": "<hex>"}`."""
    return json.dumps(to_builtins(value), separators=(",", ":"))


@lru_cache(maxsize=_KEPT)
def decode_fields(text: str) -> Fields:
    """The fields that were encoded. Raises ValueError. Equal texts may give the same object."""
    return convert({"fields": json.loads(text)}, _Kept).fields


@lru_cache(maxsize=_KEPT)
def decode_intent(text: str) -> Intent:
    """The intent that was encoded. Raises ValueError. Equal texts may give the same object."""
    return convert({"intent": json.loads(text)}, _Kept).intent


def decode_record(resource: Resource, text: str) -> Record:
    """The record of this resource that was encoded. Raises ValueError."""
    return convert(json.loads(text), RECORD_TYPES[resource])
