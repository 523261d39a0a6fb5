"""Counts and times the requests of sending changes, without a service. Pure.

Each look is taken to show what is known already, and each write to be accepted. Of records that cost the same (see
`alike`) the engine is asked until nothing is new any more; the rest are counted.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.contract.model import proofs
from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import Change, ChangeState, Create, Delete, Fields, NewChange
from petstore_desktop.domain.deletions import EXTRA, extra_of
from petstore_desktop.domain.records import (
    ALL_SPECS,
    FIELDS,
    INT64_MIN,
    RECORD_TYPES,
    LocalId,
    Ref,
    Resource,
    Row,
    ServiceId,
)
from petstore_desktop.sync.price.alike import Alike, Stands, as_change, nothing_known
from petstore_desktop.sync.send.next_step import (
    LOOK_SERVES_S,
    LOOKS_IN_A_ROW,
    NEXT,
    Look,
    Send,
    Settle,
    Step,
    StepFacts,
    no_id,
    real_ref,
    serves_s,
    step_of_record,
)
from petstore_desktop.sync.shared.dependents import dependents_of
from petstore_desktop.sync.shared.send_schedule import Departures, leave_all

SLICE, PLAYED = 1_000, 50
"""How many records are counted between two pauses of a run, and as how many one counts that the engine is asked of."""

Queue: TypeAlias = list[Change | NewChange]


class Played(Struct, frozen=True):
    """What a record of a kind costs: requests, of which so many look first, and leave together with the write; or the
    state that its changes come to without one. `until`: as long as the list that was read serves it."""

    requests: int
    looks: int
    settled: ChangeState | None
    until: float


class DryRun:
    """One run. `list_cost`: in how many requests a record is looked at by its list, None where it has an operation of
    its own. `leaving`: when the requests leave. `stands`: what is known of many records at once. `ends`: when the last
    request of each batch has left."""

    def __init__(
        self,
        facts: StepFacts,
        list_cost: Callable[[Ref], int | None],
        leaving: Departures,
        stands: Stands = nothing_known,
    ) -> None:
        self.leaving = leaving
        self.requests = 0
        self.looks = 0
        self.settled = dict.fromkeys(ChangeState, 0)
        self.ends: dict[str, float] = {}
        self._known = facts
        self._list_cost = list_cost
        self._rows: dict[Ref, Row | None] = {}
        self._spoken: dict[Ref, float] = {}
        self._looked: dict[Ref, float] = {}
        self._paired: Ref | None = None
        self._written: set[Ref] = set()
        self._listed: dict[Resource, float] = {}
        self._serves: dict[Resource, float] = {}
        """Until when a reading of a list that took long tells what goes with a deletion."""
        self._local_ids = dict(facts.local_ids)
        self._numbers = itertools.count(INT64_MIN)  # no service gives such
        self._new_ids = itertools.count(INT64_MIN)  # nor the journal
        self._made_at: dict[ServiceId, float] = {}
        """When pets were made in this run: a reading of the stock after that shows theirs."""
        self._made_here: dict[LocalId, Queue] = {}
        self._deletes = set(facts.deletes)
        self._proven: set[str] = set()
        """What this run has looked at of what writes are meant to do; see `Contract.unproven`."""
        self._queues: list[Queue] = []
        self._place = 0
        """Of the record that is sent now."""
        self._waiting: dict[LocalId, list[Queue]] = {}
        """By the creation that they wait for."""
        self._alike = Alike(facts, list_cost, stands)
        self._played: dict[Hashable, Played] = {}
        self._effort = 0
        self._facts = replace(
            facts,
            row=self._row,
            age=self._age,
            doubted=self._doubted,
            local_ids=self._local_ids,
            echoed=self._echoed,
            whole=self._whole,
            dependent_age=self._dependent_age,
            paired=self._is_paired,
            listed=self._is_listed,
            new_id=no_id,  # which one does not matter; see `_write`
        )

    def run(self, waiting: Iterable[Change], new: Iterable[NewChange] = ()) -> Iterator[None]:
        """Send these open changes, which come in the order of sending, those of one record in the order of acting, and
        after them the new ones; pauses now and then."""
        queues: dict[Ref, Queue] = {}
        for change in itertools.chain(waiting, new):
            queue = queues.get(change.ref)
            if queue is None:
                queues[change.ref] = [change]
            else:
                queue.append(change)
        for ref, queue in queues.items():
            if isinstance(ref.key, LocalId):
                self._made_here.setdefault(ref.key, queue)  # the creation's, which is the oldest
        yield from self._alike.take_in(queues)
        self._queues = [*queues.values()]
        yield from self._send_all()

    def _send_all(self) -> Iterator[None]:
        """One record after the other; neighbours of one kind together."""
        begun, kind = 0, None
        for place, queue in enumerate(self._queues):
            if begun < place and isinstance(queue[0].ref.key, LocalId) and not isinstance(queue[0].intent, Create):
                yield from self._send_alike(kind, begun, place)  # it may be what this one waits for
                begun = place
            this = self._kind(queue)
            if this is None or this != kind:
                yield from self._send_alike(kind, begun, place)
                begun, kind = place, this
            if this is None:
                yield from self._send_alike(None, place, place + 1)
                begun = place + 1
            if self._is_tired(1):
                yield
        yield from self._send_alike(kind, begun, len(self._queues))

    def _kind(self, queue: Queue) -> Hashable | None:
        if self._waiting and isinstance(queue[0].intent, Create):
            return None  # what waits for it goes out next
        return self._alike.kind(queue, self._local_ids)

    def _is_tired(self, effort: int) -> bool:
        """Whether it is time for a pause."""
        self._effort += effort
        if self._effort < SLICE:
            return False
        self._effort = 0
        return True

    def _send_alike(self, kind: Hashable | None, begun: int, end: int) -> Iterator[None]:
        """Send to these neighbours, which are of one kind; one of none comes alone."""
        while begun < end:
            played = self._played.get(kind)
            count = 0 if played is None else self._count(played, begun, end - begun)
            if not count:
                count, self._place = 1, begun
                self._play(kind, self._queues[begun])
                if self._is_tired(PLAYED):
                    yield
            begun += count

    def _count(self, played: Played, begun: int, wanted: int) -> int:
        """Send to so many neighbours as to one of their kind; to how many of them that is the same."""
        count, leaving, first = wanted, self.leaving, self._queues[begun]
        if played.until < math.inf:
            each_s = leaving.each_s
            count = min(count, int((played.until - leaving.at) // each_s) + 1) if each_s else count
            count = leaving.most(count) if count > 0 and played.until >= leaving.at else 0
            if count <= 0:
                return 0
        if played.requests:
            leave_all(count * played.requests, leaving, together=played.requests)
        self.requests += count * played.requests
        self.looks += count * played.looks
        if played.settled is not None:
            self.settled[played.settled] += count * len(first)
        for change in first:
            if isinstance(change, Change):
                self.ends[change.batch] = leaving.last
        if isinstance(first[0].intent, Create):
            for place in range(begun, begun + count):
                self._count_creation(self._queues[place], made=played.settled is None)
        return count

    def _count_creation(self, queue: Queue, *, made: bool) -> None:
        ref = queue[0].ref
        queue.clear()
        if made and isinstance(ref.key, LocalId):
            self._local_ids[ref.key] = number = next(self._numbers)
            if ref.resource is Resource.PETS:
                self._made_at[number] = self.leaving.at

    def _play(self, kind: Hashable | None, queue: Queue) -> None:
        """Send to one record as the engine does, and remember what that costs if it was nothing new."""
        ref, changes = queue[0].ref, len(queue)
        seen, requests, looks, settled = self._news(), self.requests, self.looks, dict(self.settled)
        began = self.leaving.at
        until = math.inf
        if kind is not None and isinstance(ref.key, ServiceId) and self._list_cost(ref) is not None:
            until = began + serves_s(Look(ref), self._facts) - self._age(ref)
        self._send_with_those_that_wait(queue)
        requests, looks = self.requests - requests, self.looks - looks
        if kind is None or queue or self._news() != seen or (requests, looks) not in ((0, 0), (1, 0), (2, 1)):
            return
        states = [state for state, count in self.settled.items() if count - settled[state] == changes]
        if requests or states:
            state = None if requests else states[0]
            needed = requests and until >= began  # else it went out without one
            self._played[kind] = Played(requests, looks, state, until if needed else math.inf)

    def _news(self) -> tuple[object, ...]:
        """What makes the next record of a kind cost something else than the last."""
        return len(self._proven), dict(self._listed)

    def is_coming(self, local: LocalId) -> bool:
        """Whether the creation of this record is still open."""
        return any(isinstance(change.intent, Create) for change in self._made_here.get(local, ()))

    def _send_with_those_that_wait(self, queue: Queue) -> None:
        queues, waiting = [queue], self._waiting
        while queues:
            queue = queues.pop()
            queue[:] = [as_change(change, next(self._new_ids)) for change in queue]
            self._send(cast("list[Change]", queue))
            for local in self._missing(queue):
                waiting.setdefault(local, []).append(queue)
            for local in [local for local in waiting if local in self._local_ids]:
                queues += waiting.pop(local)

    def _missing(self, queue: Queue) -> set[LocalId]:
        """The creations that these changes wait for."""
        named: set[LocalId] = set()
        for change in queue:
            values = getattr(change.intent, "fields", {}).values()
            named.update(value for value in (change.ref.key, *values) if isinstance(value, LocalId))
        return {local for local in named if local not in self._local_ids}

    # -- one record

    def _send(self, queue: list[Change]) -> None:
        """Take steps until the queue is empty, or all that is left waits."""
        self._finish_what_is_on_the_wire(queue)
        looks = 0
        while queue and looks <= LOOKS_IN_A_ROW:
            step = step_of_record(tuple(queue), self, self._facts)
            if step is None:
                return
            before = len(queue)
            self._take(step, queue)
            looks = 0 if len(queue) < before else looks + isinstance(step, Look)

    def _take(self, step: Step, queue: list[Change]) -> None:
        match step:
            case Settle():
                self.settled[step.state] += len(step.changes)
                self._over(step.changes, queue)
            case Look():
                self._look(step, queue)
            case Send():
                if self.leaving.ready(1) > self.leaving.at:
                    self.leaving.wait(1)  # what was seen before may be too old by then: ask the engine again
                else:
                    self._write(step, queue)

    def _finish_what_is_on_the_wire(self, queue: list[Change]) -> None:
        for change in [change for change in queue if change.state is ChangeState.SENDING]:
            if isinstance(change.intent, Create):
                self._created(change.ref, change.intent.fields)
            self._write_is_answered(self._real(change.ref))
            self._over((change,), queue)

    def _over(self, changes: Iterable[Change], queue: list[Change]) -> None:
        for change in changes:
            queue.remove(change)
            self.ends[change.batch] = self.leaving.last

    def _look(self, step: Look, queue: list[Change]) -> None:
        if not step.dependents:
            self._look_at(step, queue)
            return
        for ref in dependents_of(step.ref, self._known.contract):
            if self._dependent_age(ref) > LOOK_SERVES_S:
                self._look_at(Look(ref, dependents=True), [])

    def _dependent_age(self, ref: Ref) -> float:
        """Seconds since a part of what goes with a record was asked for, in this run or before it; see
        `RecordReader.dependent_age`."""
        if self.leaving.at <= self._serves.get(ref.resource, -math.inf):
            return 0.0
        looked = max(self._looked.get(ref, -math.inf), self._listed.get(ref.resource, -math.inf))
        return min(self.leaving.at - looked, self._known.dependent_age(ref) + self.leaving.at)

    def _look_at(self, step: Look, queue: list[Change]) -> None:
        pages = self._list_cost(step.ref)
        if pages is None:
            self.leaving.wait(2 if step.pair else 1)
            self._spoken[step.ref] = self._looked[step.ref] = self.leaving.at
            self._paired = step.ref if step.pair else None
            self._request()
        else:
            self.read_list(step.ref.resource, pages)
        self._written.discard(step.ref)
        self.looks += pages or 1
        if step.settles:
            self._settle(step, queue)
        if queue and isinstance(step.ref.key, ServiceId):
            self._show(step.ref, queue, with_etag=pages is None)

    def read_list(self, resource: Resource, pages: int) -> None:
        """Read a list in so many requests."""
        began = math.inf
        for _ in range(pages):
            self.leaving.wait(1)
            began = min(began, self.leaving.at)
            self._listed[resource] = self.leaving.at
            self._request()
        self._serves[resource] = 2 * self.leaving.at - began
        self._written = {ref for ref in self._written if ref.resource is not resource}

    def _settle(self, step: Look, queue: list[Change]) -> None:
        for change in step.settles:
            if isinstance(change.intent, Create):
                self._created(change.ref, change.intent.fields)
        self._over(step.settles, queue)

    def _show(self, ref: Ref, queue: list[Change], *, with_etag: bool) -> None:
        row = self._row(ref)
        if row is None and ref in self._rows:  # deleted in this run: it is gone, and nothing else can be done to it
            waiting = [change for change in queue if change.state is ChangeState.QUEUED]
            self.settled[ChangeState.REFUSED] += sum(not isinstance(change.intent, Delete) for change in waiting)
            self._over(waiting, queue)
            return
        if row is None:  # it will be as the person saw it
            row = _made_up(ref, {name: value for change in reversed(queue) for name, value in change.base.items()})
        self._rows[ref] = _with_etag(row) if with_etag else row

    def _write(self, step: Send, queue: list[Change]) -> None:
        if step.verb is Verb.CREATE and step.free is None and self._known.contract.chooses_id(step.ref.resource):
            self.leaving.wait(2)  # a look whether the id is free
            self.looks += 1
            self._request()
        self._request()
        self._write_is_answered(step.ref)
        if step.verb is Verb.CREATE:
            self._created(step.ref, step.fields)
        elif step.verb is Verb.DELETE:
            self._rows[step.ref] = None
            self._look_after_deletion(step.ref)
        else:
            row = self._row(step.ref) or _made_up(step.ref, step.base)
            record = replace(row.record, **step.fields)
            self._rows[step.ref] = _with_etag(replace(row, record=record))
        self._look_after_first(step)
        self._over(step.changes, queue)

    def _look_after_first(self, step: Send) -> None:
        """See `Writer`: whether a write of a kind that nobody has seen yet does what is meant is looked at."""
        operation = self._known.contract.find(step.ref.resource, step.verb)
        if operation is None or step.verb is Verb.DELETE or step.free is not None:
            return
        meant = proofs(operation, step.fields)
        cost = 0 if meant <= self._proven else self._known.proof_cost(self._real(step.ref), operation, step.fields)
        if cost:
            self._proven |= meant
            self.looks += 1
        for _ in range(cost):
            self._request()

    def _look_after_deletion(self, ref: Ref) -> None:
        """See `Writer`: whether it was one is looked at, unless the next that waits is of its kind too."""
        heads = (queue[0] for queue in self._queues[self._place + 1 : self._place + 1 + NEXT] if queue)
        more = any(isinstance(one.intent, Delete) and one.ref.resource is ref.resource for one in heads)
        if self._known.after_deletion(ref) and not (more and ref.resource in self._deletes):
            self._look_at(Look(ref, dependents=True), [])
            self._deletes.add(ref.resource)

    def _write_is_answered(self, ref: Ref) -> None:
        self._spoken[ref] = self.leaving.at
        self._looked.pop(ref, None)
        self._written.add(ref)

    def _request(self) -> None:
        self.leaving.leave(1)
        self.requests += 1

    def _created(self, ref: Ref, fields: Fields) -> None:
        if isinstance(ref.key, LocalId):
            self._local_ids[ref.key] = next(self._numbers)
        real = self._real(ref)
        if ref.resource is Resource.PETS and isinstance(real.key, ServiceId):
            self._made_at[real.key] = self.leaving.at
        self._rows[real] = _with_etag(_made_up(real, fields))

    # -- what is known

    def _real(self, ref: Ref) -> Ref:
        return real_ref(ref, self._local_ids)

    def _row(self, ref: Ref) -> Row | None:
        if ref not in self._rows and ref.resource is Resource.INVENTORY and isinstance(ref.key, ServiceId):
            made_at = self._made_at.get(ref.key, math.inf)
            if made_at <= self._listed.get(ref.resource, -math.inf):
                self._rows[ref] = _made_up(ref, {})
        return self._rows[ref] if ref in self._rows else self._known.row(ref)

    def _age(self, ref: Ref) -> float:
        if ref in self._rows and self._rows[ref] is None:
            return math.inf  # it is gone, and nothing was said of it
        last = max(self._spoken.get(ref, -math.inf), self._listed.get(ref.resource, -math.inf))
        return self.leaving.at - last if last > -math.inf else self._known.age(ref) + self.leaving.at

    def _echoed(self, ref: Ref) -> bool:
        if ref in self._spoken or ref.resource in self._listed:
            return ref in self._written
        return self._known.echoed(ref)

    def _is_paired(self, ref: Ref) -> bool:
        return ref == self._paired

    def _is_listed(self, ref: Ref) -> bool:
        return self._list_cost(ref) is not None

    def _whole(self, ref: Ref) -> bool:
        return ref in self._spoken or self._list_cost(ref) is not None or self._known.whole(ref)

    def _doubted(self, ref: Ref) -> bool:
        return ref not in self._spoken and ref.resource not in self._listed and self._known.doubted(ref)


def _with_etag(row: Row) -> Row:
    """The service's answer tells one; here any will do."""
    return replace(row, etag=row.etag or str(row.key))


def _made_up(ref: Ref, fields: Fields) -> Row:
    """A row with only these fields known."""
    named = {name: value for name, value in fields.items() if name in FIELDS[ref.resource]}
    needed = (spec.name for spec in ALL_SPECS[ref.resource] if not spec.optional)
    known: dict[str, object] = {**dict.fromkeys(needed), **named}
    if EXTRA in fields:
        known["extra"] = extra_of(fields[EXTRA])
    record = RECORD_TYPES[ref.resource](**known)  # pyright: ignore[reportArgumentType] -- names were checked when the change was made
    return Row(ref.key, record, math.inf)
