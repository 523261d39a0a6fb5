"""What a connection on the sync thread is put together from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from msgspec import Struct

from petstore_desktop.api.client import Client
from petstore_desktop.clock import Clock
from petstore_desktop.contract.model import Contract
from petstore_desktop.domain.commands import UseKey
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.quota import GateView, Quota
from petstore_desktop.store.history.history import ShopHistory
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.store.mirror.reader import MirrorReader
from petstore_desktop.sync.shared.sent_report import SentReport
from petstore_desktop.sync.wire.event_queue import EventQueue


class ConnectionParts(Struct, frozen=True):
    """What a connection is put together from.

    `read_key` and `keep_key` may block for some seconds and are called off the loop; `reader` belongs to a thread of
    its own. `connect` makes the client, its gate restored for that key; it raises BadInput for a key or an address
    that cannot be used. `new_key` says that keys were entered, perhaps the same, which are used from now on, and gives
    all further ones. `learn` asks the service for its contract, for the first time or (True) again after a failure;
    `keep_contract` keeps one for the next start.
    """

    connection: str
    clock: Clock
    events: EventQueue
    mirror: Mirror
    history: ShopHistory
    reader: MirrorReader
    journal: Journal
    contract: Contract
    contract_known: bool
    read_key: Callable[[], str | None]
    keep_key: Callable[[UseKey], None]
    new_key: Callable[[UseKey], Mapping[str, str]]
    connect: Callable[[str | None, Callable[[GateView | Quota], None], Callable[[], None]], Client]
    learn: Callable[[Client, bool], Awaitable[Contract]]
    keep_contract: Callable[[Contract], object]
    sent: SentReport
    close: Callable[[], None]
    troubles: tuple[ShopError, ...] = ()
    read_only: bool = False
    """Nothing is written to the service; what waits is kept."""
    bind_by_hand: Callable[[Mapping[str, str]], Contract | None] = lambda _: None
    """Binds the stored document again; None if there is none, so that it has to be requested. Blocks. Raises
    DocumentUnusable."""
