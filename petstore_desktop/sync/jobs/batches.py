"""Batches on the sync thread: undo and redo, pause and cancel.

What is said of a batch is in the journal before anything else happens, so it outlasts a restart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.clock import Clock, unique
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op, Verb
from petstore_desktop.domain.batches import JOB, SINGLE, Batch, BatchKind
from petstore_desktop.domain.changes import Change, ChangeState, Delete, NewChange
from petstore_desktop.domain.commands import (
    BatchCommand,
    CancelBatch,
    Revert,
    SteerBatch,
)
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Record, Ref, Resource
from petstore_desktop.store.journal.batches import UNDONE, Batches, UndoWrites
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.sync.jobs.batch_facts import JobFacts
from petstore_desktop.sync.jobs.undo import UndoPlan, for_now, plan_undo
from petstore_desktop.sync.send.ledger import Ledger
from petstore_desktop.sync.send.next_step import real_ref
from petstore_desktop.sync.wire.events import DraftsMoved, Event, NotSaved, Trouble, Undone

_ON_THE_WAY = (ChangeState.SENDING, ChangeState.UNCERTAIN)


class Surroundings(Struct, frozen=True):
    """What `Jobs` works with. `image`: a record as the mirror has it; `contract`: what the service can do; `let_go`:
    discards changes as a part of a decision, which can be brought back."""

    connection: str
    clock: Clock
    tell: Callable[[Event], None]
    image: Callable[[Ref], Record | None]
    contract: Callable[[], Contract]
    let_go: Callable[[tuple[int, ...], str], None]


class Jobs:
    """The batches of one connection."""

    def __init__(self, around: Surroundings, journal: Journal, ledger: Ledger) -> None:
        self._around, self._journal, self._ledger = around, journal, ledger
        self._batches = Batches(journal)
        self.facts = JobFacts(around.connection, self._batches, around.tell, self._offers, self._is_cancelled)
        self._pending: dict[int, tuple[str, str]] = {}
        ledger.listen(self.applied, self.moved)

    def restore(self) -> None:
        """Restore paused batches, before the open changes are loaded. Raises StorageError."""
        for batch in self._batches.under_way():
            self._ledger.outbox.arrange(batch)
        self._pending = self._batches.pending()
        self._ledger.outbox.taken_back.update(self._pending)

    async def run(self) -> None:
        """Tell what goes on since an earlier run and what of it can be undone, then how all jobs come on."""
        await self.facts.run(tuple(self._ledger.outbox.batches))

    def _offers(self, resource: Resource, verb: Verb) -> bool:
        return self._around.contract().offers(resource, verb)

    def _chosen_by_hand(self) -> bool:
        """Whether a person chose operations, and not only fields or values."""
        return any(op.value in self._around.contract().by_hand for op in Op)

    # -- what a person says

    def applied(self, changes: tuple[Change, ...]) -> None:
        """A batch was saved."""
        if changes:
            batch = Batch(changes[0].batch, changes[0].at, priority=_priority(len(changes)))
            if len(changes) > 1:
                self._ledger.outbox.arrange(batch)
            self.facts.new(batch, changes)

    def retried(self, change_ids: Iterable[int]) -> None:
        """A person wants these sent after all. Raises StorageError."""
        self._forget(id_ for id_ in change_ids if id_ in self._pending)

    def knows(self, act: str) -> bool:
        """Whether this is a batch. Raises StorageError."""
        return self._batches.one(act) is not None

    def revert(self, command: Revert) -> tuple[Change, ...]:
        """Undo a batch, or redo it; the new changes. Raises StorageError."""
        batch = self._batches.one(command.act)
        if batch is None:
            return ()
        is_redo = command.again or (batch.kind is BatchKind.UNDO and not command.change_ids)
        return self._redo(batch) if is_redo else self._undo(batch, command.change_ids)

    def handle(self, command: BatchCommand) -> None:
        """Carry out one command. Raises StorageError."""
        batch = self._batches.one(command.batch)
        if batch is None:
            return
        match command:
            case CancelBatch(decision=decision):
                self._cancel(batch, decision or unique())
            case SteerBatch(how="first"):
                others = [one.priority for one in self._ledger.outbox.batches.values() if one.priority < SINGLE]
                self._steer(replace(batch, paused=False, priority=min(max(others, default=JOB) + 1, SINGLE - 1)))
            case SteerBatch(how=how):
                self._steer(replace(batch, paused=how == "pause"))

    def price_of_undo(self, batch: str, change_ids: Sequence[int]) -> tuple[NewChange, ...]:
        """What an undo would send. Raises StorageError."""
        return tuple(new for new, _ in self._plan(self._takeable(batch, change_ids)).send)

    def _steer(self, batch: Batch) -> None:
        self._batches.steer(batch)
        self._ledger.outbox.arrange(batch)
        self._ledger.news.set()
        self.facts.tell((batch.id,))

    def _cancel(self, batch: Batch, decision: str) -> None:
        own = self._ledger.outbox.of_batch(batch.id)
        on_the_way = [change.id for change in own if change.state in _ON_THE_WAY and not change.needs_person]
        self._batches.cancel_when_back(on_the_way, decision)
        self._pending.update((id_, ("cancel", decision)) for id_ in on_the_way if id_ not in self._pending)
        self._ledger.outbox.taken_back.update(on_the_way)
        self._around.let_go(tuple(change.id for change in own if change.state is ChangeState.QUEUED), decision)
        self.facts.tell((batch.id,))

    def brought_back(self, decision: str, changes: Sequence[Change]) -> None:
        """These stand again as before a decision; what it was to discard when it comes back is not. Raises
        StorageError."""
        self._forget([id_ for id_, pending in self._pending.items() if pending == ("cancel", decision)])
        ids = {change.batch for change in changes}
        for batch in self._batches.find(ids).values():
            self._ledger.outbox.arrange(batch)
        self.facts.back(ids)

    # -- undo and redo

    def _undo(self, batch: Batch, change_ids: Sequence[int]) -> tuple[Change, ...]:
        changes = self._takeable(batch.id, change_ids)
        if not changes:
            self._around.tell(Undone(self._around.connection, batch.id, ""))
            self.facts.tell((batch.id,))
            return ()
        plan = self._plan(changes)
        if len(plan.impossible) == len(changes):
            self._tell_impossible(batch.id, plan)
            return ()
        made = self._made(BatchKind.UNDO, batch, len(plan.send))
        writes = self._undo_writes(changes, plan)
        if not change_ids:
            drafts = () if plan.impossible else self._batches.ended_drafts(batch.id) or ()
            writes = replace(writes, drafts=drafts, ended_by=batch.id)
        moved = self._write(made, writes)
        if moved is None:
            return ()
        self._tell_undone(batch.id, made, plan, len(changes))
        self.facts.undone(batch.id, made.id)
        return moved

    def _tell_impossible(self, batch: str, plan: UndoPlan, *, redo: bool = False) -> None:
        """Nothing of it can be undone, or redone: it is not offered again, unless another choice of operations might
        do it."""
        now = for_now(plan.impossible) if self._chosen_by_hand() else None
        told = tuple(plan.impossible if now is None else now)
        self._around.tell(Undone(self._around.connection, batch, "", impossible=told, redo=redo))
        if now is not None:
            self.facts.tell((batch,))
        elif redo:
            self.facts.redone(batch, None)
        else:
            self.facts.hopeless(batch, plan.impossible[0][1])

    def _takeable(self, batch: str, change_ids: Sequence[int]) -> list[Change]:
        """The changes of a batch that can be undone, with the changes of records that they created."""
        wanted = set(change_ids)
        own = (change for change in self._journal.batch(batch) if not wanted or change.id in wanted)
        known = self._ledger.outbox.with_dependants(own)
        gone = self._batches.taken_of(known)
        return [
            known[id_]
            for id_ in sorted(known)
            if id_ not in gone
            and known[id_].state is not ChangeState.DISCARDED
            and self._pending.get(id_, ("", ""))[0] != "undo"
        ]

    def _plan(self, changes: Sequence[Change], *, of_undo: bool = False) -> UndoPlan:
        pasts = self._batches.past(changes)
        together = {one.id for past in pasts for one in past.together}
        deleted = [change for change in changes if isinstance(change.intent, Delete)]
        earlier = {change.id: self._since_its_image(change) for change in deleted}
        taken = self._batches.taken_of(together)
        cancelled = [change.id for change in changes if self._is_cancelled(change)]
        return plan_undo(pasts, taken, self._offers, self._ledger.local_ids, earlier, cancelled, of_undo=of_undo)

    def _is_cancelled(self, change: Change) -> bool:
        """Whether this is of an order that we have cancelled since: there is nothing left to be undone."""
        later = (one for one in self._of_order(change.ref) if one.id > change.id)
        return any(isinstance(one.intent, Delete) and one.state is ChangeState.DONE for one in later)

    def _of_order(self, ref: Ref) -> tuple[Change, ...]:
        """All changes of an order, also from before it had its id; none of other records."""
        if ref.resource is not Resource.ORDERS:
            return ()
        real = real_ref(ref, self._ledger.local_ids)
        local = (key for key, id_ in self._ledger.local_ids.items() if id_ == real.key)
        refs = (real, *(replace(real, key=key) for key in local))
        return tuple(one for each in refs for one in self._journal.changes_of(each))

    def _since_its_image(self, deletion: Change) -> list[Change]:
        """The changes of a record between a person's deletion and its sending."""
        own = [change for change in self._journal.changes_of(deletion.ref) if change.id < deletion.id]
        return [change for change in own if change.state is ChangeState.DONE and change.moved_at >= deletion.at]

    def _undo_writes(self, changes: Sequence[Change], plan: UndoPlan) -> UndoWrites:
        left = {*plan.waits, *(change.id for change, _ in plan.impossible)}
        return UndoWrites(
            discard=plan.discard,
            undone=[change.id for change in changes if change.id not in left],
            waits=plan.waits,
            send=plan.send,
            before=[self._around.image(new.ref) for new, _ in plan.send],
        )

    def _with_base(self, writes: UndoWrites) -> UndoWrites:
        """With all that a deletion is compared with."""
        based = self._ledger.with_base([new for new, _ in writes.send], writes.before)
        return replace(writes, send=[(new, ids) for new, (_, ids) in zip(based, writes.send, strict=True)])

    def _redo(self, batch: Batch) -> tuple[Change, ...]:
        undo = batch if batch.kind is BatchKind.UNDO else self._batches.undo_of(batch.id)
        drafts = None if undo is None or undo.undoes is None else self._batches.ended_drafts(undo.undoes, again=True)
        if undo is None or undo.undoes is None or drafts is None:
            self._around.tell(Undone(self._around.connection, batch.id, "", redo=True))
            return ()
        opposite = self._takeable(undo.id, ())
        plan = self._plan(opposite, of_undo=True)
        taken = self._batches.taken(undo.id)
        again = [
            NewChange(change.ref, change.intent, change.base)
            for change in taken
            if change.reason is not None and (change.reason.code, change.reason.message) == (UNDONE, undo.id)
        ]
        waited = [id_ for id_, (_, by) in self._pending.items() if by == undo.id]
        if len(plan.impossible) == len(opposite) and opposite and not again and not waited:
            self._tell_impossible(undo.undoes, plan, redo=True)
            return ()
        writes = self._undo_writes(opposite, plan)
        send = [*plan.send, *((new, ()) for new in again)]
        before = [self._around.image(new.ref) for new, _ in send]
        made = self._made(BatchKind.REDO, undo, len(send))
        writes = replace(writes, send=send, before=before, back=plan.discard, forget=waited)
        if drafts:
            writes = replace(writes, drafts=drafts, ended_by=undo.undoes, ends=made.id if send else "")
        moved = self._write(made, writes)
        if moved is None:
            return ()
        self._drop(waited)
        self._tell_undone(undo.undoes, made, plan, len(taken) + len(waited), len(again))
        self.facts.redone(undo.undoes, made.id if send else None)
        return moved

    def _made(self, kind: BatchKind, of: Batch, size: int) -> Batch:
        """A batch that takes `of` back, made of what that was made of: a redone delivery has its note again."""
        redoes = of.undoes if kind is BatchKind.REDO else None
        at = self._around.clock.now().wall
        return Batch(unique(), at, kind, of.id, redoes, priority=_priority(size), source=of.source)

    def _write(self, made: Batch, writes: UndoWrites) -> tuple[Change, ...] | None:
        """Put it into the journal; the changes that moved. None: told as NotSaved, nothing has happened."""
        at = self._around.clock.now().wall
        try:
            moved = self._batches.write(made, self._with_base(writes), at)
        except StorageError as error:
            self._around.tell(NotSaved(self._around.connection, made.id, error))
            return None
        if writes.drafts:
            told = DraftsMoved.of(self._around.connection, writes.drafts, at, self._ledger.local_ids)
            self._around.tell(told)
        self._ledger.outbox.arrange(made)
        self._pending.update((id_, ("undo", made.id)) for id_ in writes.waits)
        self._ledger.outbox.taken_back.update(writes.waits)
        self._ledger.moved(moved)
        return moved

    def _tell_undone(self, batch: str, made: Batch, plan: UndoPlan, of: int, again: int = 0) -> None:
        """`of`: how many changes were to be undone or redone."""
        self._around.tell(
            Undone(
                self._around.connection,
                batch,
                made.id,
                discarded=len(plan.discard),
                stuck=plan.stuck,
                again=again,
                sends=len(plan.send) + again,
                waits=len(plan.waits),
                anew=tuple(plan.anew),
                impossible=tuple(plan.impossible),
                redo=made.kind is BatchKind.REDO,
                count=of - len({change.id for change, _ in plan.impossible}),
            )
        )

    # -- what was on its way

    def moved(self, changes: tuple[Change, ...]) -> None:
        """Changes moved: those that were to be taken back once they are answered are."""
        answered = [change for change in changes if change.id in self._pending and change.state not in _ON_THE_WAY]
        gone = [one for one in changes if isinstance(one.intent, Delete) and one.state is ChangeState.DONE]
        batches = {change.batch for change in changes}
        try:
            if answered:
                self._follow(answered)
            batches.update(one.batch for change in gone for one in self._of_order(change.ref))
        except StorageError as error:
            self._around.tell(Trouble(self._around.connection, error))
        self.facts.moved(batches)

    def _follow(self, answered: Sequence[Change]) -> None:
        undoing: dict[str, list[Change]] = {}
        for change in answered:
            what, by = self._pending[change.id]
            if what == "undo" and change.state is not ChangeState.DISCARDED:
                undoing.setdefault(by, []).append(change)
            elif what == "cancel" and change.state is ChangeState.QUEUED:
                self._forget((change.id,))
                self._around.let_go((change.id,), by)
            else:
                self._forget((change.id,))
        for by, own in undoing.items():
            made = self._batches.one(by)
            redo = made is not None and made.kind is BatchKind.REDO
            plan = self._plan(own, of_undo=redo)
            writes = replace(self._undo_writes(own, plan), forget=[change.id for change, _ in plan.impossible])
            if made is not None and self._write(made, writes) is not None:
                self._drop([change.id for change in own])
                self.facts.tell((by,))
                if plan.impossible:
                    impossible = tuple(plan.impossible)
                    told = Undone(self._around.connection, made.undoes or by, "", impossible=impossible, redo=redo)
                    self._around.tell(told)

    def _forget(self, change_ids: Iterable[int]) -> None:
        ids = tuple(change_ids)
        if ids:
            self._batches.forget_pending(ids)
            self._drop(ids)

    def _drop(self, change_ids: Iterable[int]) -> None:
        for id_ in change_ids:
            self._pending.pop(id_, None)
            self._ledger.outbox.taken_back.discard(id_)


def _priority(size: int) -> int:
    return JOB if size > 1 else SINGLE
