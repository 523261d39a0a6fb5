"""People who take back what they did, do it again, stop a batch and let it go on; and what must have come of it."""

from __future__ import annotations

from typing import Any

from petstore_desktop.domain.batches import Batch, BatchKind
from petstore_desktop.domain.changes import AddStock, Change, ChangeState, Create, SetFields, SetStock
from petstore_desktop.domain.commands import CancelBatch, Revert, SteerBatch
from petstore_desktop.domain.records import FieldValue, Resource
from petstore_desktop.store.journal.batches import Batches
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.sync.wire.events import Undone
from tests.api.gate_machine.service import Violation
from tests.api.gate_machine.words import Chance
from tests.sync.machine_history import Tried

WAITS = (ChangeState.QUEUED, ChangeState.SENDING)


# ---------------------------------------------------------------- people


def somebody_undoes(desk: Any, chance: Chance) -> None:
    """A whole batch, mostly one of the latest."""
    batch = chance.choice(_batches(desk))
    answers = len(desk.program.of(Undone))
    desk.submit(Revert(batch))
    _note(desk, answers)


def somebody_undoes_one(desk: Any, chance: Chance) -> None:
    batch = chance.choice(_batches(desk))
    desk.submit(Revert(batch, (chance.choice(desk.program.batches[batch]),)))


def somebody_redoes(desk: Any, chance: Chance) -> None:
    answers = len(desk.program.of(Undone))
    desk.submit(Revert(chance.choice(sorted(desk.undone)), again=True))
    _note(desk, answers)


def somebody_steers_a_batch(desk: Any, chance: Chance) -> None:
    """Stops it, lets it go on, prefers it, or has what is left of it not sent."""
    batch = chance.choice([change.batch for change in desk.open_changes()])
    how: Any = chance.choice(["pause", "pause", "resume", "first", None])
    desk.submit(CancelBatch(batch) if how is None else SteerBatch(batch, how))


def everything_goes_on(desk: Any) -> None:
    for batch in {change.batch for change in desk.open_changes()}:
        desk.submit(SteerBatch(batch, "resume"))


def _batches(desk: Any) -> list[str]:
    return [*desk.program.batches, *[*desk.program.batches][-3:] * 4]


def _note(desk: Any, answers: int) -> None:
    """What is told as taken back, and not as done again after that, is to be so."""
    for said in desk.program.of(Undone)[answers:]:
        desk.seen[("done again" if said.redo else "taken back") if said.sends else "nothing to send back"] += 1
        if said.redo:
            desk.undone.discard(said.batch)
        else:
            desk.undone.add(said.batch)


# ---------------------------------------------------------------- what must have come of it


def judge(desk: Any, journal: Journal, tried: list[Tried]) -> None:
    """What was taken back is not sent any more, or has its opposite, which restores what was there. Raises
    Violation."""
    told: dict[int, Change] = desk.program.changes
    batches = Batches(journal)
    made = batches.find({change.batch for change in told.values()})
    taken = batches.taken_of(told)
    impossible = {change.id for said in desk.program.of(Undone) for change, _ in said.impossible}
    for batch in desk.undone:
        own = [change for change in told.values() if change.batch == batch and not desk.again_by_person[change.id]]
        for change in own:
            open_ = change.state in WAITS
            if open_ or (change.state is ChangeState.DONE and change.id not in taken | impossible):
                raise Violation(f"said to be taken back: {change}")
        if not _done_again(batch, made):
            _sums_are_nothing(desk, batch, own, made)
    for change in told.values():
        batch = made.get(change.batch)
        if batch is not None and batch.kind is BatchKind.UNDO and isinstance(change.intent, SetFields):
            _restores(change, batch, tried)


def _done_again(batch: str, made: dict[str, Batch]) -> bool:
    return any(batch in (one.undoes, one.redoes) and one.kind is BatchKind.REDO for one in made.values())


def _sums_are_nothing(desk: Any, batch: str, own: list[Change], made: dict[str, Batch]) -> None:
    """What was booked in was booked out by as much."""
    told = desk.program.changes.values()
    counted = {change.ref for change in told if isinstance(change.intent, SetStock)}
    opposite = [change for change in told if change.batch in made and made[change.batch].undoes == batch]
    if any(change.state is ChangeState.DISCARDED for change in opposite):
        return  # that was taken back in its turn
    booked = [change for change in own if change.state is ChangeState.DONE]
    for ref in {change.ref for change in booked if isinstance(change.intent, AddStock)} - counted:
        deltas = [one.intent.delta for one in [*booked, *opposite] if one.ref == ref]
        if ref.resource is Resource.INVENTORY and isinstance(ref.key, int) and sum(deltas):
            raise Violation(f"not taken back as it was: {booked}, by {opposite}")


def _restores(change: Change, batch: Batch, tried: list[Tried]) -> None:
    """The name that it gives is one that was there before, or that somebody gave together with what is undone."""
    there: set[FieldValue] = set()
    for one in tried:
        if any(own.batch == batch.undoes for own in one.changes):
            there |= {served.before["name"] for left in one.lefts for served in left.served if served.before}
            there |= {one.attempt.base.get("name")}
            named = [own.intent for own in one.changes if isinstance(own.intent, Create | SetFields)]
            there |= {intent.fields.get("name") for intent in named}
            there |= {own.base.get("name") for own in one.changes}
    if isinstance(change.intent, SetFields) and change.intent.fields.get("name") not in there:
        raise Violation(f"restores what was not there: {change}, {there}")
