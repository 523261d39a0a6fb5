"""Reads the lists of the service, page by page, into the mirror. A walk that was cut, failed or was cancelled
removes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from petstore_desktop.contract.model import Verb
from petstore_desktop.domain.errors import Interrupted, KeyRejected, NotOffered, ShopError, Unreachable
from petstore_desktop.domain.quota import RequestClass
from petstore_desktop.domain.records import Resource
from petstore_desktop.store.mirror import Mirror
from petstore_desktop.sync.context import Context
from petstore_desktop.sync.events import LoadEnded, LoadFailed, LoadMoved

ROOM_POLL_S = 0.004
"""How often a walk looks whether the window has caught up."""


class Walker:
    """At most one walk for each resource; asking again for one that runs changes nothing.

    `crowded` says that the window has not yet taken what it was told.
    """

    def __init__(self, context: Context, mirror: Mirror, crowded: Callable[[], bool]) -> None:
        self._context = context
        self._connection = context.connection
        self._clock = context.clock
        self._records = context.records
        self._link = context.link
        self._tell = context.tell
        self._mirror = mirror
        self._crowded = crowded
        self._walks: dict[Resource, asyncio.Task[None]] = {}
        self._again: set[Resource] = set()
        self._retry: asyncio.Task[None] | None = None

    def start(self, resources: Iterable[Resource], cls: RequestClass) -> None:
        """Read these lists anew."""
        for resource in resources:
            if resource not in self._walks:
                task = asyncio.get_running_loop().create_task(self._guarded(resource, cls))
                self._walks[resource] = task
                task.add_done_callback(lambda _, resource=resource: self._walks.pop(resource, None))

    async def walk(self, resource: Resource, cls: RequestClass) -> None:
        """Read this list and wait for its end. Raises what the walk raises."""
        running = self._walks.get(resource)
        if running is not None:
            await asyncio.wait([running])
        await self._walk(resource, cls)

    def cancel(self, resource: Resource) -> None:
        """Stop a walk; what has come stays."""
        self._again.discard(resource)
        task = self._walks.get(resource)
        if task is not None:
            task.cancel()

    async def close(self) -> None:
        """Stop everything."""
        tasks = [*self._walks.values(), *([self._retry] if self._retry is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _guarded(self, resource: Resource, cls: RequestClass) -> None:
        try:
            await self._walk(resource, cls)
        except ShopError:
            pass  # told as LoadFailed
        except asyncio.CancelledError:
            count = self._mirror.count(resource)
            as_of = self._mirror.as_of(resource) or self._clock.now().wall
            self._tell(LoadMoved(self._connection, resource, count, None))
            self._tell(LoadEnded(self._connection, resource, as_of, cancelled=True))
            raise

    async def _walk(self, resource: Resource, cls: RequestClass) -> None:
        if not self._context.contract.offers(resource, Verb.LIST):
            error = NotOffered(resource=resource.value)
            self._tell(LoadFailed(self._connection, resource, error))
            raise error
        try:
            await self._read_pages(resource, cls)
        except ShopError as error:
            self._link.failed(error)
            self._tell(LoadFailed(self._connection, resource, error))
            if isinstance(error, KeyRejected):
                self._context.key_wanted(error)
            if isinstance(error, Unreachable | Interrupted):
                self._try_again_later(resource)
            raise
        self._again.discard(resource)

    async def _read_pages(self, resource: Resource, cls: RequestClass) -> None:
        began = self._clock.now().steady
        walk = self._mirror.begin_walk(resource)
        done, cut_at, set_aside = 0, None, list[str]()
        self._tell(LoadMoved(self._connection, resource, 0, None))
        async for page in self._context.client.pages(resource, cls):
            self._link.answered()
            self._records.put(resource, page.rows, walk, walk)
            done += len(page.rows)
            cut_at = page.cut_at or cut_at
            set_aside += page.set_aside
            self._tell(LoadMoved(self._connection, resource, done, page.total))
            # Another thread empties the queue, and it cannot set an asyncio.Event.
            while self._crowded():  # noqa: ASYNC110
                await asyncio.sleep(ROOM_POLL_S)
        as_of = self._clock.now().wall
        removed = self._mirror.finish_walk(
            resource, walk, as_of=as_of, complete=True, cut_at=cut_at, sweep=not set_aside
        )
        self._records.listed(resource, began)
        self._records.tell_rows(resource, (), tuple(removed))
        self._tell(LoadEnded(self._connection, resource, as_of, cut_at, tuple(set_aside)))

    def _try_again_later(self, resource: Resource) -> None:
        self._again.add(resource)
        if self._retry is None or self._retry.done():
            self._retry = asyncio.get_running_loop().create_task(self._retry_when_due())

    async def _retry_when_due(self) -> None:
        while self._again:
            await asyncio.sleep(max(1.0, self._link.wait_s()))
            self.start(tuple(self._again), RequestClass.BACKGROUND)
            await asyncio.sleep(0)
            if self._walks:
                await asyncio.wait(self._walks.values())
