"""Everything that waits: in the order in which it is sent, and counted; and what the journal can undo and redo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petstore_desktop.sync.wire.change_table import ChangeStore

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from petstore_desktop.desk.changes.done_act import DoneAct
    from petstore_desktop.desk.changes.outbox_lines import Job, OutboxLine
    from petstore_desktop.desk.model.shop_model import ShopModel
    from petstore_desktop.domain.batches import BatchFacts
    from petstore_desktop.domain.changes import Change
    from petstore_desktop.domain.commands import Decision
    from petstore_desktop.sync.wire.events import BatchesMoved


class OutboxView:
    """The open changes as people see them."""

    def __init__(self, shop: ShopModel) -> None:
        self._shop = shop
        self._kept = ChangeStore()
        """The open changes."""
        self._next: Change | None = None
        self._next_known = True
        self.refused = 0
        """How many the service said no to."""
        self.waiting = 0
        """How many wait to leave, or to be looked at: those on their way do not."""
        self.needs_person = 0
        """How many only a person can bring further."""
        self.batches: dict[str, BatchFacts] = {}
        """The jobs that go on, and the latest batches that can be undone or redone, by id."""
        self.looking = True
        """Whether what undo and redo take is still looked for."""
        self.undo: tuple[str, ...] = ()
        """The batches that undo takes, the latest first, with what cannot be undone between them."""
        self.redo: tuple[str, ...] = ()
        """The batches that redo takes, the one that was undone last first."""
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

        self.undo, self.redo, self.looking = moved.undo, moved.redo, moved.looking
        kept = {*self.undo, *self.redo}
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
        self.waiting += by if change.state != "sending" and not change.needs_person else 0
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

    def latest(self, batch: str) -> DoneAct | None:
        """This batch as undo names it, or a decision made after it."""
        decision, facts = next(reversed(self.decisions.values()), None), self.batches.get(batch)
        if decision is None or (facts is not None and facts.batch.at > decision.at):
            return self.done_act(batch)
        from petstore_desktop.desk.changes.outbox_lines import decision_act

        return decision_act(decision)

    def done_act(self, batch: str, redo: bool = False) -> DoneAct | None:
        """A batch as undo, or redo, names it; None where it is not known."""
        facts = self.batches.get(batch)
        if facts is None:
            return None
        from petstore_desktop.desk.changes.outbox_lines import batch_act

        return batch_act(self._shop, facts, redo)

    def named(self, change: Change) -> str:
        """What the record of a change was called before it, where the latest batches tell; else empty."""
        facts = self.batches.get(change.batch)
        return facts.named if facts is not None and facts.first.id == change.id else ""
