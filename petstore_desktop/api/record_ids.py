"""The ids of records in answers: in which field each list has them (the first of `domain/records`), and what
stands for an id where an order has none. Which ids of a list came before is known by `lists.duplicate_filter`.

The same number in two lists names two records: a `Ref` (`domain/records`) tells them apart.
"""

from __future__ import annotations

import hashlib
import json

from msgspec.structs import asdict

from petstore_desktop.domain.records import ALL_SPECS, ContentId, InventoryItem, Key, Record, Resource


def own_id(resource: Resource) -> str:
    """The wire name of a record's own id."""
    return ALL_SPECS[resource][0].wire


def key_of(record: Record) -> Key:
    """The id by which the service knows a record; for an order without one, a digest of its contents."""
    key = record.pet_id if isinstance(record, InventoryItem) else record.id
    return content_key(record) if key is None else key


def content_key(record: Record, occurrence: int = 0) -> ContentId:
    """A key for an order without an id. `occurrence` tells apart orders of one list that are equal in everything."""
    text = json.dumps(asdict(record), sort_keys=True, ensure_ascii=True)
    return ContentId(hashlib.sha256(f"{occurrence}:{text}".encode()).hexdigest()[:32])
