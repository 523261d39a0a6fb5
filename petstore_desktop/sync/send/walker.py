"""Reads the lists of the service, page by page, into the mirror. A walk that was cut, failed or was cancelled
removes nothing, and goes on where it stopped."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from typing import Any

from petstore_desktop import log
from petstore_desktop.api.http.gateway import Sending
from petstore_desktop.api.lists.pages import Page, categories_of
from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.errors import (
    AnswerUnusable,
    KeyRejected,
    NotFound,
    NotOffered,
    RateLimited,
    Refused,
    ShopError,
    Unreachable,
)
from petstore_desktop.domain.quota import RequestClass
from petstore_desktop.domain.records import Resource
from petstore_desktop.off_loop import beside
from petstore_desktop.store.mirror.mirror import Mirror, Walk
from petstore_desktop.sync.send.absence import Absence, AskAlone
from petstore_desktop.sync.send.walk_pass import Going, LoadReport, Pass, Walking
from petstore_desktop.sync.shared.connectivity import came_to_nothing
from petstore_desktop.sync.shared.context import CANCELLED, Context
from petstore_desktop.sync.shared.record_backoff import BackOff
from petstore_desktop.sync.wire.events import LoadEnded, LoadFailed

MOST_MIRROR = 1024 * 1024 * 1024
"""Bytes of what a service said that this computer keeps: beyond that no list is read on, unless that was its end."""
ROOM_POLL_S = 0.004
"""How often a walk looks whether the window has caught up."""


class _Hurried(Exception):
    """Somebody who may go first wants the list: ask for the page again, as who that is."""


class Walker:
    """At most one walk for each resource; asking again for one that runs makes it at most more urgent.

    `crowded` says that the window has not yet taken what it was told; `ended` is called when a walk has ended, however;
    `ask_alone`: see `absence`.
    """

    def __init__(
        self,
        context: Context,
        mirror: Mirror,
        crowded: Callable[[], bool],
        ended: Callable[[Resource], None],
        ask_alone: Callable[[], AskAlone],
    ) -> None:
        self._context = context
        self._connection = context.connection
        self._clock = context.clock
        self._records = context.records
        self._link = context.link
        self._tell = context.tell
        self._mirror = mirror
        self._crowded = crowded
        self._ended = ended
        self._absence = Absence(context, mirror, ask_alone)
        self.report = LoadReport(context)
        self._walks: dict[Resource, asyncio.Task[bool]] = {}
        self._walking: dict[Resource, Walking] = {}
        self._left_at: dict[Resource, float] = {}
        self._read_at: dict[Resource, float] = {}
        self._shown_at: dict[Resource, float] = {}
        self._took: dict[Resource, float] = {}
        self._shown_whole: set[Resource] = set()
        """Of these the next walk begins without what would let the service say "not modified"."""
        self._from_the_start: set[Resource] = set()
        """Of these the next walk takes up none that stopped in the middle: it would not show what came before."""
        self._again: set[Resource] = set()
        self._unread: set[Resource] = set()
        self._left: dict[Resource, Pass] = {}
        self._back_off = BackOff[Resource](context.clock)
        self._retry: asyncio.Task[None] | None = None

    def start(self, resources: Iterable[Resource], cls: RequestClass) -> None:
        """Read these lists anew; what is being read goes on as `cls`, if that goes before what it is."""
        for resource in resources:
            if resource in self._walks:
                self._hurry(resource, cls)
            else:
                self._begin(resource, cls)

    def say(self, resource: Resource) -> None:
        """Say again how the walk of this list goes."""
        one, walking = self._left.get(resource), self._walking.get(resource)
        if one is not None:
            self.report.moved(resource, one.done, one.total)
        if walking is not None and walking.waits:
            self.report.goes_on(resource)
            self.report.waits(resource, walking.cls, retry=walking.again)

    def show(self, shown: tuple[Resource, ...]) -> None:
        """These lists are on the screen now: what is read for the screen goes before what is read for later."""
        for resource, walking in self._walking.items():
            if walking.cls >= RequestClass.VISIBLE:
                cls = RequestClass.VISIBLE if resource in shown else RequestClass.BACKGROUND
                self._hurry(resource, cls)
                walking.cls = cls

    def gate_moved(self) -> None:
        """The gate has changed, or what it lets through: whoever waits there may wait for another moment."""
        for resource, walking in self._walking.items():
            if walking.waits:
                self.report.waits(resource, walking.cls, retry=walking.again)

    def reads(self, resource: Resource) -> bool:
        """Whether a walk of this list is at work."""
        return resource in self._walks

    def left_at(self, resource: Resource) -> float | None:
        """Steady second at which the first request of its last walk in this run left; None if none did."""
        return self._left_at.get(resource)

    def read_at(self, resource: Resource) -> float | None:
        """Steady second at which the first request of its last walk that came to its end left; None if none did."""
        return self._read_at.get(resource)

    def shown_at(self, resource: Resource) -> float | None:
        """Steady second as of which nothing that it showed is older: the same, but where a cache answered."""
        return self._shown_at.get(resource)

    def took(self, resource: Resource) -> float:
        """Seconds that this walk took from then to its end."""
        return self._took.get(resource, 0.0)

    async def walk(self, resource: Resource, cls: RequestClass, *, anew: bool = True, versions: bool = False) -> bool:
        """Read this list from now on, and wait for its end; whether what it did not show is not there. Not `anew`: one
        that began before will do. `versions`: the records are to be shown, with their ETags; "not modified" will not
        do. Raises what the client raises, and ShopError `cancelled` where a person stopped it."""
        running = self._walks.get(resource) if anew else None
        if running is not None:  # it began before now: what it saw may be old
            self._hurry(resource, cls)
            await asyncio.wait([running])
        if versions:
            self._shown_whole.add(resource)
        task = self._walks.get(resource)
        if task is None:
            if anew:
                self._from_the_start.add(resource)
            task = self._begin(resource, cls)
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

    def _again_later(self, resource: Resource) -> None:
        """Read this list when the service can be reached again."""
        self._again.add(resource)
        if self._retry is None or self._retry.done():
            self._retry = beside(self._retry_when_due())

    async def close(self) -> None:
        """Stop everything."""
        tasks: list[asyncio.Task[Any]] = [*self._walks.values()]
        if self._retry is not None:
            tasks.append(self._retry)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, resource: Resource, cls: RequestClass) -> asyncio.Task[bool]:
        again = resource in self._again and cls is not RequestClass.PERSON
        walking = self._walking[resource] = Walking(cls, again)
        task = asyncio.get_running_loop().create_task(self._walk(resource, walking))  # house: thread - _over looks
        self._walks[resource] = task
        task.add_done_callback(lambda done: self._over(resource, done))
        return task

    def _hurry(self, resource: Resource, cls: RequestClass) -> None:
        walking = self._walking[resource]
        if cls >= walking.cls:
            return
        walking.cls = cls
        walking.again = walking.again and cls is not RequestClass.PERSON
        if walking.waits and walking.step is not None:
            walking.hurried = True
            walking.step.cancel()

    def _over(self, resource: Resource, task: asyncio.Task[bool]) -> None:
        if self._walks.get(resource) is task:
            del self._walks[resource]
            del self._walking[resource]
            if resource is Resource.PETS and self._context.contract.is_gathered(Resource.CATEGORIES):
                self.start((Resource.CATEGORIES,), RequestClass.BACKGROUND)
        self.report.ended(resource)
        self._price()
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, ShopError):
            asyncio.get_running_loop().call_exception_handler({"message": "a walk failed", "exception": error})
        self._ended(resource)

    async def _walk(self, resource: Resource, walking: Walking) -> bool:
        try:
            if not self._context.contract.offers(resource, Verb.LIST):
                raise NotOffered(resource=resource.value)
            one = await self._read(resource, walking)
        except ShopError as error:
            self._failed(resource, error)
            raise
        except Exception:
            # Nobody knows what it was. As a failure it is tried again later; else it would be at once, and for ever.
            self._unread.add(resource)
            self._tell(LoadFailed(self._connection, resource, ShopError("unexpected")))
            raise
        except asyncio.CancelledError:
            count = self._mirror.count(resource)
            as_of = self._mirror.as_of(resource) or self._clock.now().wall
            self.report.moved(resource, count, None)
            self._tell(LoadEnded(self._connection, resource, as_of, cancelled=True))
            raise
        self._again.discard(resource)
        self._unread.discard(resource)
        self._back_off.went_well(resource)
        self._read_at[resource] = begun = self._left_at.get(resource, -math.inf)
        self._shown_at[resource] = begun - one.stored_s
        self._took[resource] = self._clock.now().steady - begun if math.isfinite(begun) else 0.0
        return one.whole

    def _failed(self, resource: Resource, error: ShopError) -> None:
        self._link.failed(error)
        self._unread.add(resource)
        if error.code == "endless":  # the next walk begins at the beginning
            self._left.pop(resource, None)
            self._mirror.begin_walk(resource)
        self._tell(LoadFailed(self._connection, resource, error))
        scheme = self._context.contract.scheme(resource, Verb.LIST)
        if isinstance(error, KeyRejected) and self._context.client.admission.locked(scheme):
            self._context.key_wanted(error)
        if came_to_nothing(error):
            if not isinstance(error, Unreachable):
                self._back_off.failed(resource, free=1)
            self._again_later(resource)
        else:
            self._again.discard(resource)

    async def _read(self, resource: Resource, walking: Walking) -> Pass:
        """Read a list to its end, and once more where that tells what became of records that it did not show."""
        one = await self._persist_through_pauses(resource, walking, self._pass(resource))
        if self._absence.asks_again(one):
            second = self._new_pass(resource)
            second.again = True
            one = await self._persist_through_pauses(resource, walking, second)
        return one

    async def _persist_through_pauses(self, resource: Resource, walking: Walking, one: Pass) -> Pass:
        """Read a list to its end; returns the pass that did. A pause is no failure: the walk waits at the gate, and
        asks for the same page again."""
        fresh, before = one.cursor is None, one.answers
        while True:
            try:
                await self._read_pages(resource, walking, one)
                return one
            except _Hurried:
                pass
            except RateLimited:
                self._link.answered()
            except (Refused, NotFound):
                if fresh or one.answers > before:
                    raise
                fresh = True  # the place where an earlier walk stopped is not known any more
                one = self._new_pass(resource)

    def _pass(self, resource: Resource) -> Pass:
        """The walk that an earlier failure or end of the program left, or a new one."""
        left = self._mirror.walk(resource)
        if resource in self._from_the_start or left is None or not left.cursor:
            self._from_the_start.discard(resource)
            return self._new_pass(resource)
        mine = self._left.get(resource)
        if mine is not None and mine.number == left.number:
            mine.done = self._mirror.walked(resource, left.number)  # of an answer that broke off, some came already
            return mine
        one = self._remembered(resource, left.number, left.cursor)
        one.requests, one.total, one.resumed = left.requests, left.total, True
        one.before = left.set_aside, left.reasons
        one.done = self._mirror.walked(resource, left.number)
        return one

    def _new_pass(self, resource: Resource) -> Pass:
        return self._remembered(resource, self._mirror.begin_walk(resource), None)

    def _remembered(self, resource: Resource, number: int, cursor: str | None) -> Pass:
        facts = self._mirror.facts(resource)
        one = Pass(number, cursor, facts.requests, None if resource in self._shown_whole else facts.etag)
        self._shown_whole.discard(resource)
        self._left[resource] = one
        return one

    async def _read_pages(self, resource: Resource, walking: Walking, one: Pass) -> None:
        self.report.moved(resource, one.done, one.total)
        one.set_aside, one.reasons = one.before  # an answer that broke off comes once more from its beginning
        one.rest = one.left()
        self._price()
        marks = [self._records.begin()]

        def leaves() -> None:
            walking.waits = False
            now = self._clock.now().steady
            if not walking.left:
                walking.left = True
                self._left_at[resource] = now
            marks.append(self._records.begin())
            one.leaves(now)

        def stored(seconds: float) -> None:
            self._records.stored(marks[-1], seconds)
            one.stored_s = max(one.stored_s, seconds)

        def sending() -> Sending:
            return Sending(walking.cls, on_start=leaves, stored=stored, retry=walking.again)

        pages = self._context.client.pages(resource, sending, start=one.cursor, etag=one.etag)
        if self._context.contract.is_gathered(resource):
            pages = self._gather(walking)
        async with aclosing(pages):
            ends = True
            while (page := await self._next(resource, walking, pages, asks=ends)) is not None:
                ends = page.ends
                self._came(walking)
                if page.not_modified:
                    self._confirm(resource, one, marks[-1])
                    return  # the ETag of a list is kept only where all of it came
                self._take(resource, one, page, marks[-1])
                # Another thread empties the queue, and it cannot set an asyncio.Event.
                while self._crowded():  # noqa: ASYNC110 -- see above
                    await asyncio.sleep(ROOM_POLL_S)
        asked = self._context.contract.asked_statuses(resource)
        one.kept_since = self._records.keep_made(resource, one.number, asked, one.shown_at)
        one.missing = await self._absence.missing(resource, one, walking.cls)
        self._end(resource, one, is_last=one.again or not self._absence.asks_again(one))

    def _came(self, walking: Walking) -> None:
        """Something has come, in an answer if it was asked for."""
        walking.again = False
        if walking.left:
            self._link.answered()

    async def _gather(self, walking: Walking) -> AsyncGenerator[Page]:
        """The categories that the pets describe, once those were read; anew, if a person asks."""
        if walking.cls is RequestClass.PERSON or self._mirror.facts(Resource.PETS).as_of is None:
            await self.walk(Resource.PETS, walking.cls, anew=False)
        pets = self._mirror.described(Resource.PETS, "category_id")
        yield categories_of(self._context.contract, pets, self._clock.now().wall)

    async def _next(
        self, resource: Resource, walking: Walking, pages: AsyncGenerator[Page], *, asks: bool
    ) -> Page | None:
        """The next page, None at the end; `asks`: it takes a request. Raises _Hurried where that waits no more as what
        it was."""
        walking.waits = asks
        if asks:
            self.report.waits(resource, walking.cls, retry=walking.again)
        walking.step = asyncio.get_running_loop().create_task(_next_of(pages))  # house: thread - awaited below
        try:
            return await walking.step
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not walking.hurried or (task is not None and task.cancelling()):
                raise
            raise _Hurried from None
        finally:
            walking.step, walking.waits, walking.hurried = None, False, False

    def _take(self, resource: Resource, one: Pass, page: Page, mark: int) -> None:
        cursor = None if log.holds_secret(page.cursor or "") else page.cursor  # asked now, and never kept
        one.set_aside += page.set_aside
        one.reasons += tuple(map(log.without_secrets, page.reasons))
        before = (one.set_aside, one.reasons) if page.ends else one.before
        news = self._records.put(resource, page.rows, mark, Walk(one.number, cursor, one.requests, page.total, *before))
        one.before = before
        if news and not page.last and self._mirror.size() > MOST_MIRROR:
            raise AnswerUnusable("endless", met=one.done, total=page.total)
        one.done += len(page.rows)
        if one.oldest is None and page.rows:
            one.oldest = page.rows[0].seen_at
        told = one.answers and None not in (one.total, page.total)  # what an earlier run was told may be old
        one.moved = one.moved or bool(told and one.total != page.total)
        one.total = page.total
        one.cursor = page.cursor
        one.cut_at = one.cut_at if page.cut_at is None else page.cut_at
        one.etag = page.etag
        self.report.goes_on(resource)
        self.report.moved(resource, one.done, one.total)
        if page.ends:
            one.answered(self._clock.now().steady)
            if page.last:
                one.rest = 0
            self._price()

    def _price(self) -> None:
        """What the rest of any walk takes has changed."""
        asks = [one for one in self._walking if not self._context.contract.is_gathered(one)]
        self.report.price({one: Going(self._left.get(one), self._walking[one].cls) for one in asks})

    def _confirm(self, resource: Resource, one: Pass, mark: int) -> None:
        """Nothing has changed since the list came whole."""
        self._left.pop(resource, None)
        now = self._clock.now().wall - one.stored_s
        self._records.confirm(resource, one.number, mark, now)
        if one.shown_at is not None:
            self._records.read_whole(resource, one.shown_at)
        self._records.tell_seen(resource, now)
        self._tell(LoadEnded(self._connection, resource, now, self._mirror.facts(resource).gaps))

    def _end(self, resource: Resource, one: Pass, *, is_last: bool) -> None:
        """It came to the end of the list; `is_last`: and it is not read once more at once."""
        self._left.pop(resource, None)
        oldest = self._mirror.oldest(resource, one.number) if one.resumed else None
        as_of = self._clock.now().wall - one.stored_s if oldest is None else oldest
        removed = self._mirror.finish_walk(
            resource,
            one.number,
            as_of=as_of,
            gaps=one.gaps,
            sweep=one.whole,
            requests=one.requests,
            etag=one.etag,
            statuses=self._context.contract.asked_statuses(resource),
            since=one.kept_since,
        )
        if one.whole and one.shown_at is not None:
            self._records.read_whole(resource, one.shown_at)
        self._records.tell_rows(resource, (), tuple(removed))
        seen = as_of if oldest is not None or one.oldest is None else one.oldest
        self._records.tell_seen(resource, seen, None if one.whole else self._mirror.seen_by(resource, one.number))
        if is_last:
            self._tell(LoadEnded(self._connection, resource, as_of, one.gaps))

    async def _retry_when_due(self) -> None:
        """How soon after a failure, and how often, the gate says; here only a list waits that fails by itself."""
        while self._again:
            await self._link.there.wait()
            due = [resource for resource in self._again if not self._back_off.is_held(resource)]
            self.start(due, RequestClass.BACKGROUND)
            if due:
                await asyncio.wait([self._walks[resource] for resource in due])
            else:
                await asyncio.sleep(self._back_off.shortest() or 0.0)


async def _next_of(pages: AsyncGenerator[Page]) -> Page | None:
    return await anext(pages, None)
