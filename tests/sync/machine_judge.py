"""What must be true of the journal and of the service's books when nothing waits any more."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations
from typing import Any

from petstore_desktop.domain.changes import AddStock, Change, ChangeState, Create, SetFields, SetStock
from petstore_desktop.domain.records import LocalId, Ref
from petstore_desktop.store.journal.archive import Archive
from petstore_desktop.store.journal.journal import Journal
from tests.api.gate_machine.service import Violation
from tests.sync import machine_history, machine_undo

EXACT = 3
"""Of so many stocks nobody else moves one that no ETag guards: there the sum of the bookings is exact."""
STUCK = (ChangeState.REFUSED, ChangeState.CONFLICT)


def sendable(open_changes: Iterable[Change]) -> list[Change]:
    """The changes that are to be sent without anybody's help."""
    heads: dict[Ref, Change] = {}
    for change in open_changes:
        heads.setdefault(change.ref, change)
    unmade = {head.ref.key for head in heads.values() if isinstance(head.intent, Create)}
    return [
        head
        for head in heads.values()
        if head.state not in STUCK
        and not (isinstance(head.intent, Create) and head.state is ChangeState.UNCERTAIN)
        and not head.needs_person
        and not unmade & set(_named(head))
    ]


def _named(change: Change) -> list[object]:
    """The records that must be there before this can be sent."""
    fields = change.intent.fields if isinstance(change.intent, Create | SetFields) else {}
    own = [] if isinstance(change.intent, Create) else [change.ref.key]
    return [*own, *(value for value in fields.values() if isinstance(value, LocalId))]


def compare(desk: Any) -> None:
    """Nothing is lost, nothing was done twice. Raises Violation."""
    changes = [change for _, change in sorted(desk.program.changes.items())]
    for change in changes:
        if (change.state in STUCK or change.state is ChangeState.UNCERTAIN) and change.reason is None:
            raise Violation(f"without a reason: {change}")
    _stocks(desk, changes)


def kept(desk: Any) -> None:
    """What was told as saved is in the journal on disk, as it was told, and what left is as it says. Raises
    Violation."""
    journal = Journal(desk.program.places.journal(desk.program.session.name))
    try:
        told = desk.program.changes
        _bring_back(journal, {change.batch for change in told.values()})
        found = {change.id: change for change in journal.changes(sorted(told))}
        for id_, change in told.items():
            there = found.get(id_)
            if there is None or there.state is not change.state:
                raise Violation(f"told {change}, in the journal is {there}; set aside: {journal.set_aside}")
        machine_undo.judge(desk, journal, machine_history.judge(desk, journal))
    finally:
        journal.close()


def _bring_back(journal: Journal, batches: set[str]) -> None:
    """What is long over (clocks are set forward here) may have been stored away."""
    archive = Archive(journal)
    try:
        for batch in sorted(batches):
            archive.bring_back(batch)
    finally:
        archive.close()


def _stocks(desk: Any, changes: list[Change]) -> None:
    """What this desk's writes did to a stock is the sum of the bookings that are done, and of some of those of which
    nobody knows whether they were: those that never came to an end, and those that a person had done again. Of stocks
    that are counted, of those that somebody else moves without a guard, and of pets that were created here, which have
    two names, no sum is judged."""
    by_pet: dict[object, list[Change]] = {}
    for change in changes:
        if isinstance(change.intent, AddStock):
            by_pet.setdefault(change.ref.key, []).append(change)
    counted = {change.ref.key for change in changes if isinstance(change.intent, SetStock)}
    unsure = counted if desk.guarded else counted | set(desk.books.pets[EXACT:])
    for pet, bookings in by_pet.items():
        if pet in unsure or pet not in desk.books.pets:
            continue
        done = sum(change.intent.delta for change in bookings if change.state is ChangeState.DONE)
        sure = set() if pet in desk.books.moved_late else desk.program.taken_back
        unknown = desk.program.sent - sure
        open_ = [b.intent.delta for b in bookings if b.state is not ChangeState.DONE and b.id in unknown]
        open_ += [b.intent.delta for b in bookings for _ in range(desk.again_by_person[b.id])]
        possible = {done + sum(some) for some in _subsets(open_)}
        if desk.books.effects[pet] not in possible:
            raise Violation(f"stock of {pet}: moved by {desk.books.effects[pet]}, booked {bookings}")


def _subsets(values: list[int]) -> Iterable[tuple[int, ...]]:
    return chain.from_iterable(combinations(values, size) for size in range(len(values) + 1))
