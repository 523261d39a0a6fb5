"""What waits, as people see it: the lines of the outbox, and what undo names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct

from petstore_desktop.contract.model import Contract
from petstore_desktop.desk.changes.change_lines import chip_of, concern, field_of, kind_of, standing_of
from petstore_desktop.desk.changes.done_act import DoneAct
from petstore_desktop.desk.model.overlay import MARK_OF
from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.desk.values.cells import Chip, Mark, Sentence
from petstore_desktop.domain.batches import SINGLE, BatchFacts
from petstore_desktop.domain.changes import Change, ChangeState
from petstore_desktop.domain.commands import Decision
from petstore_desktop.domain.records import Ref
from petstore_desktop.sync.jobs.undo import intent_name, why_not
from petstore_desktop.sync.wire.change_table import ChangeStore

STUCK = frozenset((ChangeState.REFUSED, ChangeState.CONFLICT, ChangeState.UNCERTAIN))
"""The states of what needs a person, or a look at what became of it."""


class OutboxLine(Struct, frozen=True):
    """One open change."""

    change_id: int
    ref: Ref
    title: str
    ref_id: str
    field: str
    chip: Chip
    mark: Mark
    sentence: Sentence


class Job(Struct, frozen=True):
    """A batch of several changes that is not over.

    `sent`, `left`, `refused`: how many of `total` the service has confirmed, are still to go out, and need a person;
    `unknown`: of how many of those that are left it is not known whether they arrived; `first`: it is sent before all
    else.
    """

    batch: str
    sentence: Sentence
    total: int
    sent: int
    left: int
    refused: int
    paused: bool
    first: bool
    unknown: int = 0

    @property
    def stuck(self) -> bool:
        """Whether nothing of it will be sent any more: the rest needs a person, or a check of its outcome."""
        return self.left == self.unknown


def in_order(changes: Iterable[Change], batches: Mapping[str, BatchFacts]) -> list[Change]:
    """The lines in the order of sending: single edits first, paused ones last."""

    def rank(change: Change) -> int:
        own = level(change.batch, batches)
        return 1 if own is None else own

    return sorted(changes, key=rank)


def place(change: Change, batches: Mapping[str, BatchFacts]) -> tuple[int, int] | None:
    """Where a change stands in the order of sending: the least goes out next. None where it does not wait for that."""
    if change.state is not ChangeState.QUEUED:
        return None
    own = level(change.batch, batches)
    return None if own is None else (own, change.id)


def first_of(kept: ChangeStore, batches: Mapping[str, BatchFacts]) -> int | None:
    """The id of the change with the least `place`."""
    levels: dict[str, int | None] = {}
    best: tuple[int, int] | None = None
    for id_, common in kept.standing():  # in the order of acting: within a level the first one found is the first
        if common.state is not ChangeState.QUEUED:
            continue
        if common.batch not in levels:
            levels[common.batch] = level(common.batch, batches)
        own = levels[common.batch]
        if own is not None and (best is None or own < best[0]):
            best = own, id_
    return None if best is None else best[1]


def level(batch: str, batches: Mapping[str, BatchFacts]) -> int | None:
    """The place of a batch in the order of sending: the least goes out next. None where it is paused."""
    facts = batches.get(batch)
    if facts is None:
        return -SINGLE
    return None if facts.batch.paused else -facts.batch.priority


def jobs_of(shop: ShopModel, batches: Iterable[BatchFacts]) -> tuple[Job, ...]:
    """Those that are jobs."""
    jobs = sorted(
        (facts for facts in batches if facts.total > 1 and facts.open),
        key=lambda facts: (facts.batch.paused, -facts.batch.priority, facts.first.id),
    )
    return tuple(_job_of(shop, facts, number == 0) for number, facts in enumerate(jobs))


def _job_of(shop: ShopModel, facts: BatchFacts, first: bool) -> Job:
    refused = sum(facts.counts.get(state, 0) for state in (ChangeState.REFUSED, ChangeState.CONFLICT))
    return Job(
        facts.batch.id,
        batch_sentence(shop, facts, facts.total),
        facts.total,
        facts.counts.get(ChangeState.DONE, 0),
        facts.open - refused,
        refused,
        facts.batch.paused,
        first,
        facts.counts.get(ChangeState.UNCERTAIN, 0),
    )


def line_of(
    shop: ShopModel, change: Change, next_id: int | None, batches: Mapping[str, BatchFacts] = MappingProxyType({})
) -> OutboxLine:
    """One change as a line; `next_id` is the change that goes out next."""
    sentence = standing_of(shop, change, next_id)
    if sentence.code == "change.unsent" and level(change.batch, batches) is None:
        sentence = Sentence("change.job-paused", sentence.params)
    ref = shop.overlay.resolve(change.ref)
    return OutboxLine(
        change.id,
        ref,
        str(concern(shop, change)["title"]),
        id_text(ref.key),
        field_of(change),
        chip_of(shop, change),
        MARK_OF[change.state],
        sentence,
    )


def batch_act(shop: ShopModel, facts: BatchFacts, redo: bool = False) -> DoneAct:
    """A batch as undo, or redo, names it."""
    count = (facts.redoable if redo else facts.undoable) or facts.total
    said, stays = batch_sentence(shop, facts, count), "" if redo else facts.stays
    return DoneAct(facts.batch.id, said, facts.batch.at, count, stays=stays)


def may_be_undone(change: Change, contract: Contract | None) -> bool:
    """Whether undo can take a change back as it stands now, as far as its kind tells."""
    if change.state is not ChangeState.DONE or contract is None:
        return True
    return why_not(change.ref.resource, intent_name(change), True, contract.offers) is None


def decision_act(decision: Decision) -> DoneAct:
    """A decision as undo names it."""
    count = len(decision.change_ids)
    return DoneAct(decision.id, Sentence("undo.decision", {"count": count}), decision.at, count, decision=True)


def batch_sentence(shop: ShopModel, facts: BatchFacts, count: int) -> Sentence:
    """The sentence that names this many changes of a batch."""
    params = concern(shop, facts.first)
    params["title"] = params["title"] or facts.named
    first = f"undo.{kind_of(facts.first)}"
    if facts.total > 1:
        code = "undo.alike" if facts.alike else "undo.many"
        several = {"count": count, "change": facts.first, "first": first, "source": facts.batch.source}
        return Sentence(code, {**several, **params})
    return Sentence(first, params)
