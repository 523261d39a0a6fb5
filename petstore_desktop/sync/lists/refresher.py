"""Refreshes the lists: those on the screen, those due, and those that a person asks for."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterable

from petstore_desktop.clock import Instant
from petstore_desktop.domain.commands import CancelLoad, Watch
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.quota import Link, RequestClass
from petstore_desktop.domain.records import Resource
from petstore_desktop.domain.send_block import send_block_of
from petstore_desktop.off_loop import beside
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.sync.lists.refresh_plan import (
    ListReading,
    MinuteLength,
    Scene,
    Spent,
    after,
    next_reading,
    person_spacing,
    promised,
)
from petstore_desktop.sync.lists.status_counter import StatusCounter
from petstore_desktop.sync.send.walker import Walker
from petstore_desktop.sync.shared.context import Context
from petstore_desktop.sync.shared.initial_load import ORDER
from petstore_desktop.sync.wire.events import LoadWaits

RECHECK_S = 30.0
"""Seconds after which the plan is looked at anew: a timer stands still while a laptop sleeps."""
PENDING_RECHECK_S = 1.0
"""The same while a person waits: the changes that it makes room for may all be sent before."""


class Refresher:
    """For one connection. What a person asked for is read as soon as that is right (`refresh_plan.person_spacing`), at
    most once however often it was asked for meanwhile; a list that a person stopped is read again only when asked for.
    """

    def __init__(self, context: Context, walker: Walker, mirror: Mirror, changes_wait: Callable[[], bool]) -> None:
        self._context = context
        self._walker = walker
        self._mirror = mirror
        self._changes_wait = changes_wait
        self._wake = asyncio.Event()
        self._counter = StatusCounter(context, mirror)
        self._counted_at: float | None = None
        """Steady second at which the reading of the pets began after which they were counted."""
        self._known: dict[Resource, ListReading] = {}
        self._shown: tuple[Resource, ...] = ()
        self._rekeyed: set[Resource] = set()
        """The lists being read when the key changed: their failure says nothing about the new key."""
        self._aside = False
        """There is no window."""
        self._present = True
        """A person is there at the start; the window reports the rest."""
        self._spent = Spent()
        self._minute = MinuteLength()
        self._asked: dict[Resource, float] = {}
        """What a person asked for and is spaced out: when it was said to be read (steady; -inf: not said yet)."""
        self._person_free_at = -math.inf
        self._hurried: Resource | None = None
        self._hurried_until = -math.inf
        """Somebody asks for this list faster than it can be read, and will for some time, as far as one can tell."""
        self._promised = 0
        self._stopped: set[Resource] = set()

    # -- from start to end

    async def run(self) -> None:
        """Read due lists as long as the task lives."""
        self._known = {resource: self._look_up(resource, starts=True) for resource in ORDER}
        counting = beside(self._counter.run())
        try:
            await self._read_due()
        finally:
            counting.cancel()

    async def _read_due(self) -> None:
        while True:
            self._wake.clear()
            wait = self._turn()
            try:
                async with asyncio.timeout(wait):
                    await self._wake.wait()
            except TimeoutError:
                pass

    def _count(self) -> None:
        """The pets may have been read to their end: then the service's own count is of use."""
        read_at = self._walker.read_at(Resource.PETS)
        if read_at is not None and read_at != self._counted_at:
            self._counted_at = read_at
            self._counter.ask(RequestClass.VISIBLE if Resource.PETS in self._shown else RequestClass.BACKGROUND)

    # -- what is told

    def handle(self, command: Watch | CancelLoad) -> None:
        """What the window says of itself, or of a list that is being read."""
        match command:
            case Watch(resources=shown, present=present, aside=aside):
                self._aside = aside
                self.watch(shown, present)
            case CancelLoad(resource=resource):
                self.stop(resource)

    def watch(self, shown: tuple[Resource, ...], present: bool) -> None:
        """This is on the screen now, and somebody is there, or not. A list that could not be read is tried again when
        it comes onto the screen."""
        for resource in shown:
            if resource not in self._shown:
                self._forgive(resource)
        self._shown, self._present = shown, present
        self._walker.show(shown)
        self._wake.set()

    def moved(self) -> None:
        """The gate, or what it lets through, has changed."""
        now = self._context.clock.now()
        self._minute = self._minute.met(self._context.client.admission.quota.minute, now.wall)
        self._walker.gate_moved()
        self._wake.set()

    def ended(self, resource: Resource) -> None:
        """A walk of this list has come to an end, however."""
        if self._known:
            known = self._look_up(resource)
            if resource in self._rekeyed and known.failed_at is not None:
                known = ListReading(resource, known.read_at, known.cost)  # with the key of before, perhaps
            self._rekeyed.discard(resource)
            self._known[resource] = known
            self._count()
            self._wake.set()

    def key_changed(self) -> None:
        """Another key is used from now on: what could not be read is read at once."""
        failed = [known for known in self._known.values() if known.failed_at is not None]
        self._known.update({known.resource: ListReading(known.resource, None, known.cost) for known in failed})
        self._rekeyed = {resource for resource in self._known if self._walker.reads(resource)}
        self._wake.set()

    def _forgive(self, resource: Resource) -> None:
        known = self._known.get(resource)
        if known is not None:
            self._known[resource] = ListReading(resource, known.read_at, known.cost)

    # -- what a person asks for

    def ask(self, resources: Iterable[Resource]) -> None:
        """Read these lists anew, and say at once how that goes."""
        self._counter.forgive()
        now = self._context.clock.now()
        for resource in resources:
            self._stopped.discard(resource)
            if self._walker.reads(resource):
                self._walker.start((resource,), RequestClass.PERSON)
                self._walker.say(resource)
                self._hurry_for(resource, now)
            else:
                self._asked[resource] = -math.inf
        self._read_asked(now)
        for resource in self._asked:
            self._hurry_for(resource, now)
        self._wake.set()

    def say_closed(self, resources: Iterable[Resource], *, keyless: bool) -> None:
        """These were asked for, and nothing can be read yet: there is no key, or what the service offers is not known,
        and the gate holds up the question."""
        admission = self._context.client.admission
        blocked = send_block_of(admission.view, admission.quota, 0, keyless=keyless)
        for resource in resources:
            until, why = (None, None) if blocked is None else (blocked.until, blocked.cause)
            self._context.tell(LoadWaits(self._context.connection, resource, until, why))

    def stop(self, resource: Resource) -> None:
        """Leave this list alone until somebody asks for it; what has come stays."""
        self._stopped.add(resource)
        if self._asked.pop(resource, None) is not None:
            self._say(resource, self._context.clock.now().wall)
        self._walker.cancel(resource)

    def _read_asked(self, now: Instant) -> float | None:
        """Begin the reading that is due; returns the seconds until the next, None if none waits."""
        scene, first = self._scene(), math.inf
        for resource, said in tuple(self._asked.items()):
            gap = person_spacing(self._cost(resource), scene)
            due = self._due(resource, gap, scene)
            if due <= now.steady:
                del self._asked[resource]
                self._person_free_at = now.steady + gap
                self._walker.start((resource,), RequestClass.PERSON)
                continue
            first = min(first, due - now.steady)
            if abs(due - said) >= PENDING_RECHECK_S:
                self._asked[resource] = due
                self._say(resource, now.wall + due - now.steady)
        return min(first, PENDING_RECHECK_S) if first < math.inf else None

    def _due(self, resource: Resource, gap: float, scene: Scene) -> float:
        """While changes wait, all that a person asks for shares one part of the minute."""
        left_at = self._walker.left_at(resource)
        own = -math.inf if left_at is None else left_at + gap
        return max(own, self._person_free_at) if scene.changes_wait else own

    def _hurry_for(self, resource: Resource, now: Instant) -> None:
        self._hurried = resource
        self._hurried_until = now.steady + 2 * person_spacing(self._cost(resource), self._scene())

    def _cost(self, resource: Resource) -> int:
        return self._known[resource].cost if self._known else 1

    def _promise(self, now: Instant) -> bool:
        """Let the gate keep what such a person is about to take; whether it does."""
        requests = 0
        if self._hurried is not None and now.steady < self._hurried_until:
            requests = promised(self._cost(self._hurried), self._person_free_at, self._scene(), now)
        if requests != self._promised:
            self._promised = requests
            self._context.client.admission.promise(requests)
        return requests > 0

    def _say(self, resource: Resource, until: float) -> None:
        self._context.tell(LoadWaits(self._context.connection, resource, until, None))

    # -- what is due

    def _turn(self) -> float | None:
        """Begin due readings; returns the seconds until the next look, None if only news can change anything."""
        now = self._context.clock.now()
        wait = self._read_asked(now)
        if self._promise(now) and wait is None:
            wait = PENDING_RECHECK_S
        if self._aside:
            return wait
        while (reading := next_reading(self._idle(), self._scene(), self._spent, now)) is not None:
            if reading.at > now.steady:
                return min(reading.at - now.steady, RECHECK_S if wait is None else wait)
            if reading.again:
                self._spent = after(self._spent, self._known[reading.resource], self._scene(), now)
            self._walker.start((reading.resource,), reading.cls)
        return wait

    def _idle(self) -> list[ListReading]:
        """The lists that nobody reads, or is about to, or has stopped."""
        busy = self._stopped | self._asked.keys()
        return [known for known in self._known.values() if known.resource not in busy and not self._reads(known)]

    def _reads(self, known: ListReading) -> bool:
        return self._walker.reads(known.resource)

    def _scene(self) -> Scene:
        admission = self._context.client.admission
        return Scene(
            self._shown,
            self._present,
            admission.view.phase,
            self._context.link.link is Link.OFFLINE,
            self._changes_wait(),
            admission.quota,
            self._minute.length,
        )

    def _look_up(self, resource: Resource, *, starts: bool = False) -> ListReading:
        """What the mirror says of a list, and how its last walk ended. One without rows is read anew when the program
        starts: nobody wrote down whether there were none, or none that could be read."""
        now, read_at = self._context.clock.now(), None
        try:
            facts = self._mirror.facts(resource)
        except StorageError:  # the walk that is tried says it to the person
            return ListReading(resource, None, failed_at=now.steady)
        if facts.as_of is not None and (facts.count or not starts):
            age = now.wall - facts.as_of
            read_at = now.steady - age if age >= 0 else -math.inf  # somebody set the clock back
            if not self._walker.failed(resource):  # a cache may show what is old, however often it is asked
                read_at = max(read_at, self._walker.read_at(resource) or -math.inf)
        failed_at = now.steady if self._walker.failed(resource) else None
        cost = (facts.requests or 1) + int(resource is Resource.PETS and self._counter.is_due)
        return ListReading(resource, read_at, cost, failed_at)
