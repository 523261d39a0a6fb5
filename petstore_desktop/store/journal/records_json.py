"""Whole records as JSON text, for the before-images of the journal. Pure."""

from __future__ import annotations

import json
from typing import cast

from msgspec.structs import asdict

from petstore_desktop.domain.records import RECORD_TYPES, Record, Resource


def encode_record(record: Record) -> str:
    """A record as one JSON object of its fields."""
    return json.dumps(asdict(record), separators=(",", ":"))


def decode_record(resource: Resource, text: str) -> Record:
    """The inverse of `encode_record`. Raises ValueError."""
    stored = json.loads(text)
    kind = RECORD_TYPES[resource]
    try:
        return kind(**cast("dict[str, object]", stored))  # pyright: ignore[reportArgumentType]  # what we wrote
    except TypeError as error:
        raise ValueError(f"not one of the {resource}: {text[:200]!r}") from error
