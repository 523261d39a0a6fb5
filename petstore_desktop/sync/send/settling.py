"""What a look says of attempts whose answer never came: done, not done, or for a person to decide."""

from __future__ import annotations

from msgspec.structs import replace

from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import (
    STAYED,
    STILL_THERE,
    UNFOUND,
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Fields,
    Reason,
    SetStock,
)
from petstore_desktop.domain.records import LocalId, Ref, Row, ServiceId
from petstore_desktop.store.journal.rows import Attempt, Outcome
from petstore_desktop.sync.send.coalesce import is_meant
from petstore_desktop.sync.send.created_record import CreatedRecord, Creations, departure_of, told_id
from petstore_desktop.sync.send.ledger import UNMOVED, Ledger
from petstore_desktop.sync.send.lost_answer import lost_answer, settle
from petstore_desktop.sync.send.next_step import real_ref
from petstore_desktop.sync.send.outcomes import may_pass
from petstore_desktop.sync.shared.context import Context

REDIRECTED = "redirected"
"""The code of an answer that sends the request to another address, which is never followed."""


class Settling:
    """The changes of unknown fate of one connection. `unfound`: creations that a list could not tell about."""

    def __init__(self, context: Context, ledger: Ledger, creations: Creations) -> None:
        self._context, self._ledger, self._creations = context, ledger, creations
        self.unfound: set[int] = set()

    def still_unknown(self, changes: tuple[Change, ...]) -> tuple[Change, ...]:
        """Those of which a person has not decided while the look was on its way."""
        now = (one for change in changes for one in self._ledger.outbox.of(change.ref) if one.id == change.id)
        return tuple(change for change in now if change.state is ChangeState.UNCERTAIN)

    def by_row(self, changes: tuple[Change, ...], row: Row | None) -> None:
        """Settle an attempt by the row that is there now, except changes with another result because the last sent
        value was undone."""
        attempt, changes = self._sent_together(changes)
        why = None if attempt is None else attempt.reason
        if row is not None and why is not None and why.code == STILL_THERE:  # the second look has found it too
            self._ledger.settle(changes, Outcome(ChangeState.REFUSED, why))
            return
        if attempt is None:
            state, reason = ChangeState.QUEUED, None
        else:
            pin, records = self._ledger.pins.get(changes[0].id), self._context.records
            added = pin is None or pin.sent.booked
            sent = lost_answer(attempt, booked=added and isinstance(changes[0].intent, AddStock | SetStock))
            ref = real_ref(changes[0].ref, self._ledger.local_ids)
            soon = sent.is_soon(self._context.clock.now(), records.age(ref), records.took(ref))
            state, reason = settle(changes[0].intent, sent, row, soon=soon, versioned=records.versioned(ref))
            if state is ChangeState.QUEUED and self._is_hopeless(changes[0], attempt.reason):
                # It would be sent on for ever.
                self._ledger.settle(changes, Outcome(ChangeState.REFUSED, attempt.reason))
                return
            if state is ChangeState.DONE and not is_meant(changes, attempt.value, self._ledger.local_ids, added=added):
                state, reason = ChangeState.CONFLICT, Reason("moved", "", theirs=attempt.value)
        self._ledger.settle(changes, Outcome(state, UNMOVED if state is ChangeState.QUEUED else reason))

    def _is_hopeless(self, change: Change, why: Reason | None) -> bool:
        """Whether what was not done would come to the same again. A deletion that was taken in twice, with the record
        still there, may have removed something else each time."""
        if why is None or (may_pass(why) and not isinstance(change.intent, Delete)):
            return False
        return why.code in (REDIRECTED, STAYED) or self._ledger.is_same_again(change)

    def _sent_together(self, changes: tuple[Change, ...]) -> tuple[Attempt | None, tuple[Change, ...]]:
        """The first one's last attempt, and those that it was about: a person may have had one sent again alone."""
        sent = [(self._ledger.last_sent(change), change) for change in changes]
        attempt = sent[0][0]
        return attempt, tuple(change for last, change in sent if last == attempt)

    def place(self, ref: Ref, changes: tuple[Change, ...]) -> Ref:
        """Where to look for what came of these: a creation by the id that its answer named, if the service shows single
        records; one that was sent with an id chosen here, by that, where it has no list of them."""
        contract, last = self._context.contract, self._ledger.last_sent(changes[0]) if changes else None
        left = None if last is None or isinstance(ref.key, int) else departure_of(last)
        told = None if last is None or isinstance(ref.key, ServiceId) else told_id(last.reason)
        if told is not None and contract.offers(ref.resource, Verb.READ):
            return Ref(ref.resource, told)
        alone = contract.offers(ref.resource, Verb.READ) and not contract.offers(ref.resource, Verb.LIST)
        return Ref(ref.resource, left.id) if alone and left is not None and left.id is not None else ref

    def creation(self, changes: tuple[Change, ...], whole: bool) -> None:
        """Where it is certain which record it made, it is done; else a person decides. `whole`: the list has just come
        whole."""
        attempt, changes = self._sent_together(changes)
        head = changes[0]
        found = None if attempt is None else self._creations.made_by(head, attempt, whole)
        if found is not None and attempt is not None and not (found.reason and self._more_waits(changes)):
            self._settle_made(changes, attempt.value, found)
        elif attempt is not None and self._creations.is_told(head, attempt, whole):
            self._ledger.settle(changes, Outcome(ChangeState.DONE))
        elif attempt is not None and self._creations.is_denied(head, attempt, whole):
            self._ledger.settle(changes, Outcome(ChangeState.QUEUED, UNMOVED))
        else:
            self.unfound.update(change.id for change in changes)
            self.ask_person(changes, UNFOUND)

    def _more_waits(self, creation: tuple[Change, ...]) -> bool:
        """Whether more was done here to what it is to make, which would be done to a record that may be a
        colleague's."""
        local = creation[0].ref.key
        waiting = self._ledger.outbox.of_local(local) if isinstance(local, LocalId) else ()
        return any(change not in creation for change in waiting)

    def ask_person(self, changes: tuple[Change, ...], code: str) -> None:
        """No look settles these: that is written down, once, with the answer that there was."""
        unsaid = tuple(change for change in self.still_unknown(changes) if not change.needs_person)
        if unsaid:
            reason = unsaid[0].reason or Reason(code, "")
            self._ledger.settle(unsaid, Outcome(ChangeState.UNCERTAIN, replace(reason, code=code)))

    def _settle_made(self, changes: tuple[Change, ...], sent: Fields, found: CreatedRecord) -> None:
        """It was created as `sent`. Edits that came to something else, since one of them was taken back, were not
        done."""
        edits = tuple(change for change in changes if not isinstance(change.intent, Create))
        row = self._context.records.row(Ref(changes[0].ref.resource, found.key))
        made = None if row is None else row.record
        if not edits or is_meant(edits, sent, self._ledger.local_ids, added=False):
            self._ledger.settle(changes, Outcome(ChangeState.DONE, found.reason, found.key, made))
            return
        alone = tuple(change for change in changes if change not in edits)
        self._ledger.settle(alone, Outcome(ChangeState.DONE, found.reason, found.key, made))
        self._ledger.settle(edits, Outcome(ChangeState.CONFLICT, Reason("moved", "", theirs=sent)))
