"""Sends the stored rows to the window before anything is asked of the service."""

from __future__ import annotations

from petstore_desktop.domain.records import Key, Resource
from petstore_desktop.store.mirror.reader import MirrorReader
from petstore_desktop.sync.wire.event_queue import EventQueue
from petstore_desktop.sync.wire.events import CountsRead, MirrorRead, RowsRead

ORDER = (Resource.CATEGORIES, Resource.PETS, Resource.INVENTORY, Resource.ORDERS)
"""The order in which lists are read from the service: names before what is named by them."""
_KEPT = (Resource.CATEGORIES, Resource.INVENTORY, Resource.ORDERS, Resource.PETS)
"""The order in which those that are kept here are told: what the pets' table shows of others is there before them."""


def tell_mirror(connection: str, reader: MirrorReader, events: EventQueue) -> None:
    """All rows of all lists, as fast as the window takes them; blocks. Ends early once nobody listens. Raises
    StorageError."""
    try:
        for resource in _KEPT:
            count, ends = 0, list[Key]()
            for block in reader.blocks(resource):
                if not events.put_when_room(RowsRead(connection, block)):
                    return
                count += len(block)
                ends = [ends[0] if ends else block.keys[0], block.keys[-1]]  # they come by key
            facts = reader.facts(resource)
            later = reader.named_later(resource)
            events.put(MirrorRead(connection, resource, count, facts.as_of, tuple(ends), facts.gaps, later))
        if (counts := reader.status_counts()) is not None:
            events.put(CountsRead(connection, counts))
    finally:
        reader.close()
