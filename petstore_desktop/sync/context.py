"""What the parts of one connection share on the sync thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from petstore_desktop.api.client import Client
from petstore_desktop.clock import Clock
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.sync.events import Event
from petstore_desktop.sync.link import LinkWatch
from petstore_desktop.sync.records import Records


@dataclass(frozen=True, slots=True)
class Context:
    """Handed to sender and walker. `tell` puts an event; `key_wanted` is told of a missing (None) or rejected key."""

    connection: str
    clock: Clock
    client: Client
    records: Records
    link: LinkWatch
    tell: Callable[[Event], None]
    key_wanted: Callable[[ShopError | None], None]
