"""Tells the window what is kept here, before anything is asked of the service."""

from __future__ import annotations

from petstore_desktop.domain.records import Resource
from petstore_desktop.store.mirror_reader import MirrorReader
from petstore_desktop.sync.event_queue import EventQueue
from petstore_desktop.sync.events import EVENT_ROWS, MirrorRead, RowsChanged

ORDER = (Resource.CATEGORIES, Resource.PETS, Resource.INVENTORY, Resource.ORDERS)
"""The order in which lists are told and read: names before what is named by them."""


def tell_mirror(connection: str, reader: MirrorReader, events: EventQueue) -> None:
    """All rows of all lists, as fast as the window takes them; blocks. Ends early once nobody listens. Raises
    StorageError."""
    try:
        for resource in ORDER:
            count = 0
            for rows in reader.stream(resource, EVENT_ROWS):
                if not events.put_when_room(RowsChanged(connection, resource, tuple(rows))):
                    return
                count += len(rows)
            events.put(MirrorRead(connection, resource, count, reader.facts(resource).as_of))
    finally:
        reader.close()
