"""Reads the lists of the service, page by page, into the mirror. A walk that was cut, failed or was cancelled
removes nothing, and goes on where it stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from petstore_desktop.contract.model import Verb
from petstore_desktop.domain.errors import (
    Interrupted,
    KeyRejected,
    NotFound,
    NotOffered,
    RateLimited,
    Refused,
    ServiceFailed,
    ShopError,
    Unreachable,
)
from petstore_desktop.domain.quota import GatePhase, RequestClass
from petstore_desktop.domain.records import Resource
from petstore_desktop.store.mirror import Mirror
from petstore_desktop.sync.context import CANCELLED, Context
from petstore_desktop.sync.events import LoadEnded, LoadFailed, LoadMoved

ROOM_POLL_S = 0.004
"""How often a walk looks whether the window has caught up."""
AGAIN_LONGEST_S = 256.0
"""How long at most a list is left alone after a failure; the wait doubles from 1 s."""


@dataclass(slots=True)
class Pass:
    """One way through a list: its number in the mirror, where it begins (None: at the beginning), and what came."""

    number: int
    cursor: str | None
    began: float
    done: int = 0
    cut_at: int | None = None
    set_aside: list[str] = field(default_factory=list[str])
    resumed: bool = False

    @property
    def whole(self) -> bool:
        """Whether what it did not show is not there."""
        return self.cut_at is None and not self.set_aside and not self.resumed


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
        self._walks: dict[Resource, asyncio.Task[bool]] = {}
        self._again: set[Resource] = set()
        self._unread: set[Resource] = set()
        self._left: dict[Resource, Pass] = {}
        self._retry: asyncio.Task[None] | None = None

    def start(self, resources: Iterable[Resource], cls: RequestClass) -> None:
        """Read these lists anew."""
        for resource in resources:
            if resource not in self._walks:
                self._begin(resource, cls)

    async def walk(self, resource: Resource, cls: RequestClass) -> bool:
        """Read this list from now on, and wait for its end; whether what it did not show is not there. Raises what
        the client raises, and ShopError `cancelled` where a person stopped it."""
        running = self._walks.get(resource)
        if running is not None:  # it began before now: what it saw may be old
            await asyncio.wait([running])
        task = self._walks.get(resource) or self._begin(resource, cls)
        await asyncio.wait([task])
        if task.cancelled():
            raise ShopError(CANCELLED)
        return task.result()

    def failed(self, resource: Resource) -> bool:
        """Whether the last walk of this list came to nothing."""
        return resource in self._unread

    def cancel(self, resource: Resource) -> None:
        """Stop a walk; what has come stays."""
        self._again.discard(resource)
        task = self._walks.get(resource)
        if task is not None:
            task.cancel()

    def again_later(self, resource: Resource) -> None:
        """Read this list when the service can be reached again."""
        self._again.add(resource)
        if self._retry is None or self._retry.done():
            self._retry = asyncio.get_running_loop().create_task(self._retry_when_due())

    async def close(self) -> None:
        """Stop everything."""
        tasks: list[asyncio.Task[Any]] = [*self._walks.values()]
        if self._retry is not None:
            tasks.append(self._retry)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, resource: Resource, cls: RequestClass) -> asyncio.Task[bool]:
        task = asyncio.get_running_loop().create_task(self._walk(resource, cls))
        self._walks[resource] = task
        task.add_done_callback(lambda done: self._over(resource, done))
        return task

    def _over(self, resource: Resource, task: asyncio.Task[bool]) -> None:
        if self._walks.get(resource) is task:
            del self._walks[resource]
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, ShopError):
            asyncio.get_running_loop().call_exception_handler({"message": "a walk failed", "exception": error})

    async def _walk(self, resource: Resource, cls: RequestClass) -> bool:
        try:
            if not self._context.contract.offers(resource, Verb.LIST):
                raise NotOffered(resource=resource.value)
            whole = await self._persist_through_pauses(resource, cls)
        except ShopError as error:
            self._failed(resource, error)
            raise
        except asyncio.CancelledError:
            count = self._mirror.count(resource)
            as_of = self._mirror.as_of(resource) or self._clock.now().wall
            self._tell(LoadMoved(self._connection, resource, count, None))
            self._tell(LoadEnded(self._connection, resource, as_of, cancelled=True))
            raise
        self._again.discard(resource)
        self._unread.discard(resource)
        return whole

    def _failed(self, resource: Resource, error: ShopError) -> None:
        self._link.failed(error)
        self._unread.add(resource)
        self._tell(LoadFailed(self._connection, resource, error))
        if isinstance(error, KeyRejected) and self._context.client.admission.view.phase is GatePhase.LOCKED:
            self._context.key_wanted(error)
        if isinstance(error, Unreachable | Interrupted | ServiceFailed):
            self.again_later(resource)
        else:
            self._again.discard(resource)

    async def _persist_through_pauses(self, resource: Resource, cls: RequestClass) -> bool:
        """A pause is no failure: the walk waits at the gate, and asks for the same page again."""
        one = self._pass(resource)
        fresh = one.cursor is None
        while True:
            try:
                return await self._read_pages(resource, cls, one)
            except RateLimited:
                self._link.answered()
            except (Refused, NotFound):
                if fresh or one.done:
                    raise
                fresh = True  # the place where an earlier walk stopped is not known any more
                one = self._new_pass(resource)

    def _pass(self, resource: Resource) -> Pass:
        """The walk that an earlier failure or end of the program left, or a new one."""
        left = self._mirror.walk(resource)
        if left is None or not left.cursor:
            return self._new_pass(resource)
        mine = self._left.get(resource)
        if mine is not None and mine.number == left.number:
            return mine
        return self._remembered(resource, Pass(left.number, left.cursor, self._clock.now().wall, resumed=True))

    def _new_pass(self, resource: Resource) -> Pass:
        return self._remembered(resource, Pass(self._mirror.begin_walk(resource), None, self._clock.now().wall))

    def _remembered(self, resource: Resource, one: Pass) -> Pass:
        self._left[resource] = one
        return one

    async def _read_pages(self, resource: Resource, cls: RequestClass, one: Pass) -> bool:
        self._tell(LoadMoved(self._connection, resource, one.done, None))
        marks = [self._records.begin()]
        pages = self._context.client.pages(
            resource, cls, start=one.cursor, on_start=lambda: marks.append(self._records.begin())
        )
        async for page in pages:
            self._link.answered()
            self._records.put(resource, page.rows, marks[-1], one.number, page.cursor)
            one.done += len(page.rows)
            one.cursor = page.cursor
            one.cut_at = page.cut_at or one.cut_at
            one.set_aside += page.set_aside
            self._tell(LoadMoved(self._connection, resource, one.done, page.total))
            # Another thread empties the queue, and it cannot set an asyncio.Event.
            while self._crowded():  # noqa: ASYNC110 -- see above
                await asyncio.sleep(ROOM_POLL_S)
        self._end(resource, one)
        return one.whole

    def _end(self, resource: Resource, one: Pass) -> None:
        self._left.pop(resource, None)
        oldest = self._mirror.oldest(resource, one.number) if one.resumed else None
        as_of = self._clock.now().wall if oldest is None else oldest
        removed = self._mirror.finish_walk(
            resource, one.number, as_of=as_of, complete=True, cut_at=one.cut_at, sweep=one.whole
        )
        self._records.listed(resource, one.began)
        self._records.tell_rows(resource, (), tuple(removed))
        self._tell(LoadEnded(self._connection, resource, as_of, one.cut_at, tuple(one.set_aside)))

    async def _retry_when_due(self) -> None:
        times = 0
        while self._again:
            await asyncio.sleep(max(min(AGAIN_LONGEST_S, 2.0**times), self._link.wait_s()))
            times += 1
            self.start(tuple(self._again), RequestClass.BACKGROUND)
            walks = [self._walks[resource] for resource in self._again if resource in self._walks]
            if walks:
                await asyncio.wait(walks)
