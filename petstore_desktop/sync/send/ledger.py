"""What people did, on the sync thread: written to the journal before anything else happens, and told as saved only
then."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

from msgspec.structs import replace

from petstore_desktop.clock import Clock
from petstore_desktop.contract.operations import OPS, Op, Verb
from petstore_desktop.domain.changes import (
    GOING,
    ID_KNOWN,
    LIST_SHOWS_LESS,
    OPERATION_STOPPED,
    UNGUARDED,
    UNKNOWN_FIELD,
    AddStock,
    Change,
    ChangeState,
    Delete,
    Fields,
    NewChange,
    Reason,
    SetStock,
    unknown_fields,
)
from petstore_desktop.domain.commands import Apply
from petstore_desktop.domain.deletions import EXTRA, STOCK, dependent_refs, with_base
from petstore_desktop.domain.errors import BadInput, NotFound, RateLimited, StorageError
from petstore_desktop.domain.records import Key, LocalId, Record, Ref, Resource, ServiceId
from petstore_desktop.domain.seen_changes import What
from petstore_desktop.store.history.recording import OwnAttempt
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.rows import Attempt, Outcome
from petstore_desktop.sync.send.answer_verdict import ASSUMED, REWRITTEN, WRONG, OwnWrite
from petstore_desktop.sync.send.coalesce import stock_after, verb_of
from petstore_desktop.sync.send.conflicts import supersedes
from petstore_desktop.sync.send.lost_answer import lost_answer
from petstore_desktop.sync.send.next_step import Pin, real_ref
from petstore_desktop.sync.send.outbox import Outbox
from petstore_desktop.sync.wire.events import (
    EVENT_CHANGES,
    ChangesMoved,
    DraftsMoved,
    Event,
    NotSaved,
    RowsChanged,
    Trouble,
)

UNMOVED = Reason("unmoved", "")
"""Why a change is queued again after a look: its attempt was not done. Tells this from a person's "again"."""


Told: TypeAlias = Callable[[tuple[Change, ...]], None]


class Ledger:
    """The journal and the outbox, kept in step. `news` is set whenever something moved.

    `pins`: stock changes whose last attempt may still come true, by id. `local_ids`: what was created here.
    `unguarded`: changes that a person has sent on in this run, told that no look comes soon enough for them; `partial`:
    told that they empty fields of their record. `stopped`: the operations that the service answered with something else
    than was meant, each with the fields in which it did; nothing of the kind is sent until a person sends one again.
    """

    def __init__(
        self,
        connection: str,
        journal: Journal,
        clock: Clock,
        tell: Callable[[Event], None],
        image: Callable[[Ref], Record | None],
        dependents: Callable[[Ref], Fields] = lambda _: {},
        unshown: Callable[[Ref], bool] = lambda _: False,
    ) -> None:
        self._connection = connection
        self._journal = journal
        self._clock = clock
        self._tell = tell
        self._image, self._dependents, self._unshown = image, dependents, unshown
        self.outbox = Outbox()
        self.local_ids: dict[LocalId, ServiceId] = {}
        self.pins: dict[int, Pin] = {}
        self.unguarded: set[int] = set()
        self.partial: set[int] = set()
        self.stopped: dict[Op, frozenset[str]] = {}
        self._accepted_fields: dict[Op, frozenset[str]] = {}
        self.news = asyncio.Event()
        self._accepted: dict[int, Fields] = {}
        self._unsure: set[int] = set()
        """Changes on the wire, or of unknown fate."""
        self._sending: dict[int, tuple[Change, ...]] = {}
        """By attempt, what is on its way."""
        self._unwritten: list[tuple[int, Outcome]] = []
        self._applied: Told | None = None
        self._moved_on: Told | None = None

    def listen(self, applied: Told, moved: Told) -> None:
        """Have it told when a batch is saved, and when changes are in another state, which the outbox knows."""
        self._applied, self._moved_on = applied, moved

    def restore(self) -> None:
        """Take over what an earlier run left; what was being sent then is uncertain now, never queued. Raises
        StorageError."""
        self._journal.recover(self._now())
        self.local_ids = dict(self._journal.local_ids())
        left = self._journal.open_changes(limit=EVENT_CHANGES)
        while left:
            for change in left:
                self._pin_again(change)
                if change.reason is not None and change.reason.code in WRONG:
                    self.stop(op_of(change), change.reason.theirs)
            self.moved(left)
            left = self._journal.open_changes(left[-1].id, EVENT_CHANGES)
        self._journal.forget_pages()

    def apply(self, command: Apply, *, supersede: bool = True) -> tuple[Change, ...]:
        """Write a batch down; all of it or, told as NotSaved, nothing. Refused changes that it takes the place of
        are let go, unless the caller sees to that (`supersede`)."""
        if strange := [name for new in command.changes for name in unknown_fields(new.ref, new.intent)]:
            self._tell(NotSaved(self._connection, command.batch, BadInput(UNKNOWN_FIELD, field=strange[0])))
            return ()
        now = self._now()
        try:
            images = [self._image(new.ref) for new in command.changes]
            based = self.with_base(command.changes, images)
            changes = self._journal.append(command.batch, based, now, images, command.source, command.drafts)
        except StorageError as error:
            self._tell(NotSaved(self._connection, command.batch, error))
            return ()
        if command.drafts:
            if not changes and command.changes:
                return ()
            self._tell(DraftsMoved.of(self._connection, command.drafts, now))
        if self._applied is not None:  # first, so that both wake the window once
            self._applied(changes)
        self.moved(changes)
        if not supersede:
            return changes
        old = tuple(
            before.id
            for change in changes
            for before in self.outbox.of(change.ref)
            if before.id < change.id and supersedes(change.intent, before, change.ref.resource, command.source)
        )
        if old:
            self.moved(self._journal.discard(old, self._now()))
        return changes

    def with_base(self, batch: Sequence[NewChange], images: Iterable[Record | None]) -> list[NewChange]:
        """A batch with all that its deletions rest on. `images`: the records of the batch as they are known now."""
        booked: defaultdict[Ref, list[NewChange]] = defaultdict(list)
        based: list[NewChange] = []
        for new, image in zip(batch, images, strict=True):
            if isinstance(new.intent, AddStock | SetStock):
                booked[real_ref(new.ref, self.local_ids)].append(new)
            based.append(self._with_base(new, image, booked) if isinstance(new.intent, Delete) else new)
        return based

    def _with_base(self, new: NewChange, image: Record | None, earlier: Mapping[Ref, Sequence[NewChange]]) -> NewChange:
        """Of stock a person sees what was booked here, by `earlier` acts of the batch too, and goes out yet."""
        ref = real_ref(new.ref, self.local_ids)
        dependents, stock = dict(self._dependents(ref)), Ref(Resource.INVENTORY, ref.key)
        going = [change for change in self.outbox.of(stock) if change.state in GOING]
        booked = [*going, *earlier.get(stock, ())]
        if booked and STOCK in dependents:
            found = dependents[STOCK]
            dependents[STOCK] = stock_after(found if isinstance(found, int) else 0, booked)
        based = with_base(new, image or self._image(ref), dependents)
        if self._unshown(ref):  # of its unknown fields none was seen, so that none can have moved
            return replace(based, base={name: value for name, value in based.base.items() if name != EXTRA})
        return based

    def discard(self, change_ids: tuple[int, ...]) -> None:
        """Take back what is neither sent nor being sent; with a creation, all that was done to what it was to
        create. Raises StorageError."""
        wanted = {*change_ids, *self.outbox.with_dependants(self.outbox.those(change_ids))}
        self.moved(self._journal.discard(tuple(wanted), self._now()))

    def accept(self, theirs: Mapping[int, Fields]) -> None:
        """What a person saw that the service has, of changes that were decided about: they rest on that."""
        self._accepted.update((id_, fields) for id_, fields in theirs.items() if fields)

    def decided(self, changes: tuple[Change, ...], theirs: Mapping[int, Fields]) -> None:
        """A person decided about these changes, which is written down."""
        self.accept({change.id: theirs.get(change.id, {}) for change in changes})
        told = self.outbox.those([change.id for change in changes])
        self.unguarded |= {one.id for one in told if one.reason is not None and one.reason.code in UNGUARDED}
        self.partial |= {one.id for one in told if one.reason is not None and one.reason.code == LIST_SHOWS_LESS}
        again = {change.id for change in changes if change.state is ChangeState.QUEUED}
        for one in told:
            if one.id in again and one.reason is not None and one.reason.code in _STOPS:
                self._go_on(op_of(one))
        for change in changes:
            self.pins.pop(change.id, None)
        self.moved(changes)

    def stop(self, op: Op, theirs: Fields) -> None:
        """The service has answered this operation with something else than was meant. `theirs`: what it has in the
        fields in which it did."""
        self.stopped[op] = self.stopped.get(op, frozenset()) | frozenset(theirs)

    def _go_on(self, op: Op) -> None:
        """A person has decided: the operation is used again, and what the service makes of these fields is as it is to
        be."""
        self._accepted_fields[op] = self.accepted_fields(op) | self.stopped.pop(op, frozenset())

    def accepted_fields(self, op: Op) -> frozenset[str]:
        """The fields of which a person has seen in this run that the service writes something else than is sent."""
        return self._accepted_fields.get(op, frozenset())

    def brought_back(self, changes: tuple[Change, ...], theirs: Mapping[int, Fields]) -> None:
        """These changes stand again as they did before a person decided about them. `theirs`: what of open changes
        was accepted by an earlier decision."""
        for change in changes:
            self._forget_decisions(change.id)
        self.accept(theirs)
        for change in changes:
            self._pin_again(change)
        self.moved(changes)

    def settle(self, changes: Iterable[Change], outcome: Outcome) -> None:
        """Decide about changes without a request. Raises StorageError."""
        changes = tuple(changes)
        if outcome.reason is UNMOVED:
            known = {change.id: self.pins[change.id] for change in changes if change.id in self.pins}
            self.pins |= {id_: replace(pin, sent=replace(pin.sent, missed=True)) for id_, pin in known.items()}
        self.moved(self._journal.settle([change.id for change in changes], outcome, self._now()))

    def begin(
        self, changes: tuple[Change, ...], request: str, base: Fields, value: Fields, deletes: Record | None = None
    ) -> int:
        """These changes are about to leave, committed before the first byte; the attempt's id. `deletes`: the record
        that goes, as it was last read. Raises StorageError."""
        ids, now = tuple(change.id for change in changes), self._now()
        attempt = self._journal.begin_attempt(ids, request, base, value, now, deletes)
        self._sending[attempt] = self._now_in(changes, Outcome(ChangeState.SENDING), now)
        self._put(map(self._with_accepted_base, self._sending[attempt]))
        self.news.set()
        return attempt

    def _now_in(self, changes: tuple[Change, ...], said: Outcome, now: float) -> tuple[Change, ...]:
        """These changes as the journal has them after this was written; read only where they do not carry the base
        that it has."""
        if any(change.id in self._accepted for change in changes):
            return self._journal.changes([change.id for change in changes])
        known = {"state": said.state, "moved_at": now, "reason": said.reason, "result_key": said.result_key}
        return tuple(replace(change, **known) for change in changes)

    def tell_sending(self, attempt: int) -> None:
        """These changes are on their way, unless they have come back by now."""
        if attempt in self._sending:
            self.moved(self._sending[attempt])

    def end(self, attempt: int, outcome: Outcome, rows: RowsChanged | None = None) -> None:
        """How the attempt ended, and the rows of its answer. If the disk refuses the end, it is kept for `catch_up` and
        the changes stay on the wire; the rows are told now, because newer ones may come before then."""
        self._unwritten.append((attempt, outcome))
        try:
            self.catch_up(rows)
        except StorageError as error:
            if rows is not None:
                self._tell(rows)
            self._tell(Trouble(self._connection, error))

    def catch_up(self, rows: RowsChanged | None = None) -> None:
        """Write the ends of attempts that could not be written before; `rows` are told with the last. Raises
        StorageError."""
        while self._unwritten:
            (attempt, outcome), now = self._unwritten[0], self._now()
            self._journal.end_attempt(attempt, outcome, now)
            del self._unwritten[0]
            moved = self._now_in(self._sending.pop(attempt), outcome, now)
            for change in moved if outcome.state is ChangeState.UNCERTAIN else ():
                self._pin_again(change)
            self.moved(moved, None if self._unwritten else rows)

    def last_sent(self, change: Change) -> Attempt | None:
        """The last attempt that sent this change. Raises StorageError."""
        return self._journal.last_sent(change.id)

    def sent(self, change: Change) -> tuple[Attempt, ...]:
        """The attempts that sent this change, oldest first. Raises StorageError."""
        return tuple(one for one in self._journal.attempts(change.id) if one.request is not None)

    def act(self, send: Sequence[Change], attempt: int, verb: Verb) -> str:
        """The name of what an attempt carries out. A creation stays the same until a person says "again"; another write
        rests on a look of its own each time. Raises StorageError."""
        first = send[0]
        if verb is Verb.CREATE:
            attempt = max((one.id for one in self._journal.attempts(first.id) if _is_by_person(one)), default=0)
        return f"{first.batch} {first.id} {attempt}"

    def own_writes(self, ref: Ref) -> tuple[OwnWrite, ...]:
        """Our writes to this record that are done, and whose values the service did not show as they were sent, oldest
        first. Raises StorageError."""
        keys = {ref.key, *(local for local, id_ in self.local_ids.items() if id_ == ref.key)}
        refs = [Ref(ref.resource, key) for key in keys]
        attempts = self._journal.ended_with(refs, (ASSUMED, REWRITTEN))
        return tuple(OwnWrite(one.value, one.reason) for one in attempts if one.reason is not None)

    def assumed_writes(self) -> list[tuple[Ref, Attempt]]:
        """Our latest writes that are done, and whose values the service did not show, with their records, oldest first.
        Raises StorageError."""
        found = self._journal.latest_ended_with(ASSUMED)
        return [(real_ref(ref, self.local_ids), attempt) for ref, attempt in found]

    def done_since(self, at: float) -> list[tuple[Ref, Attempt]]:
        """Our writes that were done at this moment (UTC epoch seconds) or later, with their records, oldest first.
        Raises StorageError."""
        return [(real_ref(ref, self.local_ids), attempt) for ref, attempt in self._journal.done_since(at)]

    def unsure(self, resource: Resource, keys: Collection[Key]) -> Sequence[OwnAttempt]:
        """The attempts of unknown fate for these records, with all creations of their list, and those that made them;
        none where the journal cannot be read."""
        wanted, found = frozenset(keys), dict[int, OwnAttempt]()
        with suppress(StorageError):
            for change in self.outbox.those(self._unsure) if self._unsure else ():
                ref = real_ref(change.ref, self.local_ids)
                if ref.resource is resource and (ref.key in wanted or isinstance(ref.key, LocalId)):
                    attempt = self._last_effective(change)
                    if attempt is not None and attempt.outcome in (None, ChangeState.UNCERTAIN):
                        found.setdefault(attempt.id, _own_attempt(ref, change, attempt))
            named = ((local, key) for local, key in self.local_ids.items() if key in wanted)
            made = [key for local, key in named if self._journal.has_changes_of(Ref(resource, local))]
            return *found.values(), *(OwnAttempt(f"made {key}", Ref(resource, key), What.NEW, {}) for key in made)
        return tuple(found.values())

    def _last_effective(self, change: Change) -> Attempt | None:
        """The last attempt that sent this change and may have done it: a deletion that found nothing did not. Raises
        StorageError."""
        sent = (one for one in reversed(self._journal.attempts(change.id)) if one.request is not None)
        return next((one for one in sent if one.reason is None or one.reason.code != NotFound.code), None)

    def _put(self, changes: Iterable[Change]) -> None:
        changes = tuple(changes)
        for change in changes:
            known = self._unsure.add if change.state in _UNSURE else self._unsure.discard
            known(change.id)
        self.outbox.put(changes)

    def is_same_again(self, change: Change) -> bool:
        """Whether its last two sendings, since a person last said "again", came to the same. Raises StorageError."""
        attempts = self._journal.attempts(change.id)
        last = next((number for number, one in enumerate(attempts, 1) if _is_by_person(one)), 0)
        sent = [one.reason.code for one in attempts[last:] if one.request is not None and one.reason is not None]
        return len(sent) > 1 and sent[-1] == sent[-2]

    def was_unsure(self, change: Change) -> bool:
        """Whether an attempt that sent it ended in the unknown, since a person last said "again"; True too where the
        journal cannot be read."""
        with suppress(StorageError):
            since = itertools.takewhile(lambda one: not _is_by_person(one), reversed(self._journal.attempts(change.id)))
            return any(one.request is not None and one.outcome is ChangeState.UNCERTAIN for one in since)
        return True

    def limited(self, change: Change) -> list[Fields]:
        """What attempts of a change were to set anew that were answered 429, since a person last said "again". Raises
        StorageError."""
        since = itertools.takewhile(lambda one: not _is_by_person(one), reversed(self._journal.attempts(change.id)))
        limited = (one for one in since if one.reason is not None and one.reason.code == RateLimited.code)
        return [one.value for one in limited if one.outcome is ChangeState.QUEUED and one.value != one.base]

    def _pin_again(self, change: Change) -> None:
        """Since a person last said "again": did an attempt of this stock change end in the unknown? What has no reason
        was never sent, or a person said "again". Times tell nothing: they may be the same."""
        if change.reason is None or not isinstance(change.intent, AddStock | SetStock):
            return
        missed = False
        for attempt in reversed(self._journal.attempts(change.id)):
            if _is_by_person(attempt):
                return
            missed = missed or attempt.reason == UNMOVED
            if attempt.request is not None and attempt.outcome is ChangeState.UNCERTAIN:
                together = self._journal.changes_of_attempt(attempt.id)
                booked = all(isinstance(one.intent, AddStock) for one in self._journal.changes(sorted(together)))
                self.pins[change.id] = Pin(attempt.id, lost_answer(attempt, booked=booked, missed=missed), together)
                return

    def moved(self, changes: tuple[Change, ...], rows: RowsChanged | None = None) -> None:
        """These changes were written down in another state; `rows` came with that."""
        for change in changes:
            if change.result_key is not None and isinstance(change.ref.key, LocalId):
                self.local_ids[change.ref.key] = change.result_key
            if not change.state.is_open:
                self.pins.pop(change.id, None)
                self._forget_decisions(change.id)
        self._put(self._with_accepted_base(change) for change in changes)
        if changes:
            self._tell(ChangesMoved(self._connection, changes, rows))
        self.news.set()
        if changes and self._moved_on is not None:
            self._moved_on(changes)

    def _forget_decisions(self, change_id: int) -> None:
        self._accepted.pop(change_id, None)
        self.unguarded.discard(change_id)
        self.partial.discard(change_id)

    def _with_accepted_base(self, change: Change) -> Change:
        """What a person saw in a conflict, and went on from, is what the change rests on now."""
        accepted = self._accepted.get(change.id)
        return change if accepted is None else replace(change, base={**change.base, **accepted})

    def _now(self) -> float:
        return self._clock.now().wall


def _is_by_person(attempt: Attempt) -> bool:
    """Whether this is a person's "again"."""
    return attempt.request is None and attempt.outcome is ChangeState.QUEUED and attempt.reason is None


_STOPS: Final = frozenset({*WRONG, ID_KNOWN, OPERATION_STOPPED})


def op_of(change: Change) -> Op:
    """The operation that a change needs."""
    return OPS[change.ref.resource, verb_of(change.intent)]


_UNSURE: Final = (ChangeState.SENDING, ChangeState.UNCERTAIN)


def _own_attempt(ref: Ref, change: Change, attempt: Attempt) -> OwnAttempt:
    verb = str(json.loads(attempt.request or "{}").get("op", "")).rpartition(".")[2]
    what = {"create": What.NEW, "delete": What.GONE}.get(verb, What.CHANGED)
    along = dependent_refs(ref.key, change.base) if what is What.GONE and ref.resource is Resource.PETS else ()
    return OwnAttempt(f"{attempt.id}@{attempt.at!r}", ref, what, attempt.value, along)
