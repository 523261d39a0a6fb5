"""Asks the service how many pets it has of each status, where it has such a count in place of a list of stock: one
request after each reading of all pets."""

from __future__ import annotations

import asyncio

from petstore_desktop import log
from petstore_desktop.api.http.gateway import Sending
from petstore_desktop.domain.errors import AnswerUnusable, ShopError
from petstore_desktop.domain.quota import RequestClass
from petstore_desktop.domain.records import Resource, StatusCount, StatusCounts
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.sync.shared.connectivity import NOT_NOW
from petstore_desktop.sync.shared.context import Context
from petstore_desktop.sync.wire.events import CountsRead


class StatusCounter:
    """For one connection. Nothing depends on the answer: where none can be used, the earlier count stays, and the
    question is put again when a person reads the pets anew."""

    def __init__(self, context: Context, mirror: Mirror) -> None:
        self._context = context
        self._mirror = mirror
        self._wake = asyncio.Event()
        self._cls = RequestClass.BACKGROUND
        self._given_up = False

    @property
    def is_due(self) -> bool:
        """Whether a reading of the pets takes this one request more."""
        return self._context.contract.counts is not None and not self._given_up

    def ask(self, cls: RequestClass) -> None:
        """The pets were read: count them."""
        self._cls = cls
        self._wake.set()

    def forgive(self) -> None:
        """A person wants to know."""
        self._given_up = False

    async def run(self) -> None:
        """Ask whenever it is time, as long as the task lives."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self.is_due:
                await self._count()

    async def _count(self) -> None:
        try:
            counted = await self._context.client.count_by_status(Sending(self._cls))
            counts = self._beside_shown(counted)
            self._mirror.put_counts(counts)
        except NOT_NOW:
            return  # it was not answered: with the next reading
        except ShopError:
            self._given_up = True
            return
        self._context.tell(CountsRead(self._context.connection, counts))

    def _beside_shown(self, counted: dict[str, int]) -> StatusCounts:
        """The service's counts beside how many pets of each status are known here. Raises AnswerUnusable where none of
        its words is a status: it counts something else."""
        shown = self._mirror.shown_by_status()
        told = {*shown, *self._context.contract.statuses.get(Resource.PETS, ())}
        if counted and told.isdisjoint(counted):
            raise AnswerUnusable("bad-record", why="none of its names is a status")
        said = {one: n for one, n in counted.items() if not log.holds_secret(one)}
        counts = tuple(StatusCount(one, n, shown.get(one, 0)) for one, n in said.items())
        return StatusCounts(self._context.clock.now().wall, counts)
