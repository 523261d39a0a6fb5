"""Looks at the stock of pets that have gone: a service may remove it with them, or keep it, and until the stock is read
again it would be shown as it was."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress

from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.quota import RequestClass
from petstore_desktop.domain.records import Key, Ref, Resource, ServiceId
from petstore_desktop.off_loop import beside
from petstore_desktop.sync.send.absence import MOST_REQUESTS
from petstore_desktop.sync.send.record_reader import RecordReader
from petstore_desktop.sync.send.walker import Walker
from petstore_desktop.sync.shared.context import Context

POLL_S = 1.0
"""How often it is looked whether what waits has left."""


class StockOfGone:
    """For one connection. Several pets that go together, as in a batch of deletions, are looked at together: each by
    itself, or all by one reading of the list, whichever takes fewer requests. `busy`: whether changes wait to be sent;
    they go first. Where both take many, the next reading of the list tells, as before."""

    def __init__(self, context: Context, walker: Walker, record_reader: RecordReader, busy: Callable[[], bool]) -> None:
        self._context = context
        self._walker = walker
        self._record_reader = record_reader
        self._busy = busy
        self._gone: dict[ServiceId, float] = {}
        """Pets whose stock is here, and the steady second at which they were known to be gone."""
        self._task: asyncio.Task[None] | None = None

    def records_gone(self, resource: Resource, keys: Iterable[Key]) -> None:
        """The service says that these are gone. Raises StorageError."""
        if resource is Resource.PETS:
            self._pets_gone(keys)

    def _pets_gone(self, pets: Iterable[Key]) -> None:
        now, mirror = self._context.clock.now().steady, self._context.records.mirror
        gone = [pet for pet in pets if isinstance(pet, ServiceId)]
        self._gone.update(dict.fromkeys((pet for pet in gone if mirror.get(_stock(pet)) is not None), now))
        if self._gone and (self._task is None or self._task.done()):
            self._task = beside(self._look_when_free())

    def close(self) -> None:
        """Look at nothing more."""
        if self._task is not None:
            self._task.cancel()

    async def _look_when_free(self) -> None:
        while self._gone:
            if self._busy() or self._walker.reads(Resource.INVENTORY):
                await asyncio.sleep(POLL_S)
                continue
            gone, self._gone = self._gone, {}
            with suppress(ShopError):  # the next reading of the list tells
                await self._look([pet for pet, at in gone.items() if self._may_be_gone(pet, at)])

    def _may_be_gone(self, pet: ServiceId, at: float) -> bool:
        """Whether its stock is still here, and nothing was said of that since the pet was known to be gone."""
        records, ref = self._context.records, _stock(pet)
        return records.mirror.get(ref) is not None and records.age(ref) > self._context.clock.now().steady - at

    async def _look(self, pets: list[ServiceId]) -> None:
        if not pets:
            return
        mirror, refs = self._context.records.mirror, [_stock(pet) for pet in pets]
        other, cost = mirror.another_key(Resource.INVENTORY, pets), mirror.facts(Resource.INVENTORY).requests or 1
        shown = None if other is None else Ref(Resource.INVENTORY, other)
        most = min(cost, MOST_REQUESTS)
        known = await self._record_reader.ask_alone(refs, shown, RequestClass.VISIBLE, most)
        if not known and cost <= MOST_REQUESTS:
            self._walker.start((Resource.INVENTORY,), RequestClass.VISIBLE)


def _stock(pet: ServiceId) -> Ref:
    return Ref(Resource.INVENTORY, pet)
