"""What sender and walker of one connection share on the sync thread."""

from __future__ import annotations

import logging
from collections.abc import Callable

from msgspec import Struct

from petstore_desktop.api.client import Client
from petstore_desktop.clock import Clock
from petstore_desktop.contract.model import Contract
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.sync.shared.connectivity import LinkWatch
from petstore_desktop.sync.shared.mirror_writer import Records
from petstore_desktop.sync.wire.events import Event, Trouble

CANCELLED = "cancelled"
"""The code of the ShopError of a look that a person stopped together with the list that it needed."""
ANOTHER_WAY = "another-way"
"""The code of the ShopError of a look whose operation has just proved to be gone: the next one takes another way."""


class Context(Struct):
    """`tell` puts an event; `key_wanted` is told of a missing (None) or rejected key; `contract` is what the service
    offers as far as known; `read_only`: no write leaves; `followed`: called when the service can do something else."""

    connection: str
    clock: Clock
    client: Client
    records: Records
    link: LinkWatch
    tell: Callable[[Event], None]
    key_wanted: Callable[[ShopError | None], None]
    contract: Contract
    read_only: bool = False
    followed: Callable[[], object] = lambda: None

    def unexpected(self, error: Exception) -> None:
        """Nobody expected this error; it concerns some changes alone, and the others go on."""
        logging.getLogger(__name__).error("unexpected error with a change", exc_info=error)
        self.tell(Trouble(self.connection, error, aside=True))

    def use_contract(self, contract: Contract) -> None:
        """Follow this contract from now on."""
        before, self.contract = self.contract, contract
        self.client.use_contract(contract)
        if (contract.operations.keys(), contract.by_hand) != (before.operations.keys(), before.by_hand):
            self.followed()
