"""Finds the price of a batch on the sync thread, beside all else that goes on there."""

from __future__ import annotations

import asyncio
import itertools

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.commands import PriceBatch
from petstore_desktop.domain.send_block import quota_in, send_block_of
from petstore_desktop.sync.price.price import Present, pricing
from petstore_desktop.sync.send.ledger import Ledger
from petstore_desktop.sync.send.record_reader import RecordReader
from petstore_desktop.sync.send.sender import Sender
from petstore_desktop.sync.shared.context import Context
from petstore_desktop.sync.shared.sent_report import SentReport
from petstore_desktop.sync.wire.events import BatchPriced


class Pricer(Struct, frozen=True):
    """For one connection."""

    _context: Context
    _ledger: Ledger
    _sender: Sender
    _record_reader: RecordReader
    _sent: SentReport

    async def price(self, command: PriceBatch, *, keyed: bool) -> None:
        """Report the price, or that there is none, to the waiting caller. `keyed`: there is a key."""
        price: Price | None = None
        try:
            price = await self._price(command, keyed)
        finally:
            self._context.tell(BatchPriced(self._context.connection, command.token, price))

    async def _price(self, command: PriceBatch, keyed: bool) -> Price:
        reads = {one: self._record_reader.pages(one) for one in command.reads}
        steps = pricing(command.changes, self._present(keyed), reads)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return end.value
            await asyncio.sleep(0)

    def _present(self, keyed: bool) -> Present:
        admission = self._context.client.admission
        quota = quota_in(send_block_of(admission.view, admission.quota, 0), admission.quota)
        return Present(
            tuple(itertools.chain.from_iterable(self._ledger.outbox.records())),
            replace(self._sender.facts(), kept=self._ledger.outbox.keeps),  # as if a read-only connection sent
            self._record_reader.list_cost,
            quota,
            admission.view if keyed else None,
            self._context.clock.now().wall,
            self._sent.usual_s,
            self._context.records.stands,
        )
