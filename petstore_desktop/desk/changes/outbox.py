"""Everything that waits: in the order in which it is sent, counted, and what undo would take back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petstore_desktop.sync.wire.change_table import Kept

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from petstore_desktop.desk.changes.outbox_lines import Job, OutboxLine, UndoTarget
    from petstore_desktop.desk.model.shop_model import ShopModel
    from petstore_desktop.domain.batches import BatchFacts
    from petstore_desktop.domain.changes import Change
    from petstore_desktop.domain.commands import Decision
    from petstore_desktop.sync.wire.events import BatchesMoved, Undone


class OutboxView:
    """The open changes as people see them."""

    def __init__(self, shop: ShopModel) -> None:
        self._shop = shop
        self._kept = Kept()
        """The open changes."""
        self._next: Change | None = None
        self._next_known = True
        self.refused = 0
        """How many the service said no to."""
        self.needs_person = 0
        """How many only a person can bring further."""
        self.batches: dict[str, BatchFacts] = {}
        """The jobs that go on, and the latest batches that can be undone or redone, by id."""
        self.looking = True
        """Whether what undo and redo take is still looked for."""
        self._doing: UndoTarget | None = None
        """What undo or redo is at; answered when it is in the journal, and over when the next target is known."""
        self._answered = False
        self._undo: tuple[str, ...] = ()
        self._passed: set[str] = set()
        """What cannot be undone, and a person went past all the same, until something else is done."""
        self._redo: tuple[str, ...] = ()
        self.decisions: dict[str, Decision] = {}
        """What a person decided about changes and undo takes back, sent or not, oldest first, by id."""

    def went_on(self, changes: Sequence[Change]) -> None:
        """These changes moved: a decision about one that is stuck anew is over."""
        stuck = {change.id for change in changes if change.needs_person} if self.decisions else ()
        if stuck:
            kept = ((id_, one) for id_, one in self.decisions.items() if stuck.isdisjoint(one.change_ids))
            self.decisions = dict(kept)

    def decided(self) -> dict[int, str]:
        """Of each change that a decision is about which undo takes, the latest such decision."""
        return {id_: one.id for one in self.decisions.values() for id_ in one.change_ids}

    def show_batches(self, moved: BatchesMoved) -> None:
        """Batches stand like this now; those that are over, and that neither undo nor redo takes, are let go."""
        from petstore_desktop.desk.changes.outbox_lines import level  # late, as all below: the first paint is before it

        if moved.undo and moved.undo[0] not in self.batches:
            self._passed.clear()
        self._undo, self._redo, self.looking = moved.undo, moved.redo, moved.looking
        if self._answered:
            self.end()
        kept = {*self._undo, *self._redo}
        before = self.batches
        now = before | {facts.batch.id: facts for facts in moved.batches}
        self.batches = {id_: one for id_, one in now.items() if id_ in kept or (one.total > 1 and one.open)}
        if self._kept and [level(id_, before) for id_ in now] != [level(id_, self.batches) for id_ in now]:
            self._next_known = False

    @property
    def open(self) -> tuple[Change, ...]:
        """Every open change, in the order of acting. They are made for this; `len` costs nothing."""
        return tuple(self._kept)

    def __len__(self) -> int:
        """How many changes are open."""
        return len(self._kept)

    def those(self, change_ids: Collection[int]) -> tuple[Change, ...]:
        """The open ones of these, in the order of acting."""
        return tuple(self._kept.some(sorted({*change_ids})))

    def of_batches(self, batches: Collection[str]) -> tuple[Change, ...]:
        """The open changes of these batches, in the order of acting."""
        return tuple(self._kept.where(lambda common: common.batch in batches))

    def stuck(self) -> tuple[Change, ...]:
        """The open changes that are refused, in conflict or unconfirmed, in the order of acting."""
        from petstore_desktop.desk.changes.outbox_lines import STUCK

        return tuple(self._kept.where(lambda common: common.state in STUCK))

    def update(self, changes: Iterable[Change]) -> None:
        """These changes are in the journal in the state that they carry. What waits besides is not looked at: it may
        be 10,000, and this happens at every act."""
        from petstore_desktop.desk.changes.outbox_lines import place

        first = None if self._next is None else place(self._next, self.batches)
        for change in changes:
            old = self._kept.get(change.id)
            if old is not None:
                self._count(old, -1)
            if change.state.is_open:
                self._kept.put(change)
                self._count(change, 1)
            elif old is not None:
                self._kept.drop(change.id)
            at = place(change, self.batches)
            if self._next is not None and change.id == self._next.id:
                self._next, self._next_known, first = change, self._next_known and at is not None, at
            elif at is not None and self._next_known and (first is None or at < first):
                self._next, first = change, at

    def _count(self, change: Change, by: int) -> None:
        self.refused += by if change.state == "refused" else 0
        self.needs_person += by if change.needs_person else 0

    # ---- counts, in changes

    @property
    def unsent(self) -> int:
        """Saved on this computer and not confirmed: waiting, being sent, or checked because the outcome is unknown."""
        return len(self) - self.needs_person

    @property
    def next_id(self) -> int | None:
        """The change that goes out next."""
        if not self._next_known and self._kept:
            from petstore_desktop.desk.changes.outbox_lines import first_of

            first = first_of(self._kept, self.batches)
            self._next, self._next_known = None if first is None else self._kept.get(first), True
        return None if self._next is None else self._next.id

    # ---- lines

    def lines(self) -> tuple[OutboxLine, ...]:
        """Every open change in the order of sending; `mark` tells the ones that wait for a person."""
        if not self:
            return ()
        from petstore_desktop.desk.changes.outbox_lines import in_order, line_of

        next_id = self.next_id
        return tuple(line_of(self._shop, change, next_id, self.batches) for change in in_order(self.open, self.batches))

    def jobs(self) -> tuple[Job, ...]:
        """The batches of several changes that are not over, in the order of sending."""
        if not any(facts.total > 1 for facts in self.batches.values()):
            return ()
        from petstore_desktop.desk.changes.outbox_lines import jobs_of

        return jobs_of(self._shop, self.batches.values())

    # ---- undo

    def begin(self, target: UndoTarget) -> None:
        """Undo or redo is told to take this."""
        self._doing, self._answered = target, False

    def end(self) -> None:
        """Undo or redo has ended, or is no longer waited for."""
        self._doing, self._answered = None, False

    def undone(self, event: Undone) -> None:
        """Undo or redo is in the journal."""
        if self._doing is not None and event.batch == self._doing.batch:
            self._answered = True
            if event.redo and not event.made:  # nothing moved, and nothing is told of
                self.end()

    @property
    def busy(self) -> bool:
        """Whether undo or redo is at something: what the next one takes is not known yet."""
        doing = self._doing
        return doing is not None and (not doing.decision or doing.batch in self.decisions)

    def undo_target(self) -> UndoTarget | None:
        """The latest batch that a person has not gone past, of any run; or a decision made after it. One that `stays`
        cannot be undone: what was done before it is taken only when a person says so (`go_past`)."""
        return self._latest(tuple(id_ for id_ in self._undo if id_ not in self._passed))

    def further_back(self) -> UndoTarget | None:
        """What undo would take past what cannot be undone."""
        known = (id_ for id_ in self._undo if id_ in self.batches)
        return self._latest(tuple(id_ for id_ in known if self.batches[id_].undoable))

    def go_past(self, target: UndoTarget) -> None:
        """A person wants undo to go on behind what cannot be undone."""
        self._passed.add(target.batch)

    def _latest(self, ids: tuple[str, ...]) -> UndoTarget | None:
        """The first of these batches, or a decision made after it."""
        decision = next(reversed(self.decisions.values()), None)
        latest = self.batches.get(ids[0]) if ids else None
        if decision is None or (latest is not None and latest.batch.at > decision.at):
            return self._target(ids)
        from petstore_desktop.desk.changes.outbox_lines import decision_target

        return decision_target(decision)

    def redo_target(self) -> UndoTarget | None:
        """The batch that was undone last, unless something was done since."""
        return self._target(self._redo, redo=True)

    def named(self, change: Change) -> str:
        """What the record of a change was called before it, where the latest batches tell; else empty."""
        facts = self.batches.get(change.batch)
        return facts.named if facts is not None and facts.first.id == change.id else ""

    def _target(self, ids: tuple[str, ...], redo: bool = False) -> UndoTarget | None:
        facts = self.batches.get(ids[0]) if ids else None
        if facts is None:
            return None
        from petstore_desktop.desk.changes.outbox_lines import undo_target_of

        return undo_target_of(self._shop, facts, redo)
