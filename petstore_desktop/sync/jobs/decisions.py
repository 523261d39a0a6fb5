"""Stores and carries out decisions about stuck changes; they can be undone until sent. Also stores drafts, so that a
crash does not lose them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from petstore_desktop.clock import Clock, unique
from petstore_desktop.domain.changes import Change, ChangeState, Fields
from petstore_desktop.domain.commands import Apply, Choice, Decide, Decided, KeepDraft, KeepDrafts, Revert
from petstore_desktop.domain.errors import BadInput, StorageError
from petstore_desktop.domain.records import LocalId, ServiceId
from petstore_desktop.store.journal.decisions import Drafts, JournalDecisions
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.sync.send.ledger import Ledger
from petstore_desktop.sync.wire.events import DecisionsMoved, DraftsMoved, Event, Trouble, numbers_in


class Decisions:
    """The decisions of one connection. Raises StorageError where something cannot be written down."""

    def __init__(
        self, connection: str, journal: Journal, ledger: Ledger, clock: Clock, tell: Callable[[Event], None]
    ) -> None:
        self._connection = connection
        self._journal = journal
        self._decisions = JournalDecisions(journal)
        self._ledger = ledger
        self._clock = clock
        self._tell = tell

    def restore(self) -> None:
        """Load the decisions of earlier runs. Called before the ledger loads the changes."""
        self._ledger.accept(self._decisions.accepted())

    def say(self) -> None:
        """Tell which decisions can be brought back."""
        self._tell(DecisionsMoved(self._connection, self._decisions.latest()))

    def decide(self, command: Decide) -> tuple[Change, ...]:
        """Carry out a decision; the changes that it is about. Acts in the place of others are saved before those are
        let go: nothing is lost in between."""
        made = tuple(new for choice in command.choices for new in choice.instead)
        if made and not self._ledger.apply(Apply(command.decision, made), supersede=False):
            return ()
        choices = [self._with_dependants(choice) for choice in command.choices]
        moved = self._decisions.decide(command.decision, choices, self._clock.now().wall)
        accepted: dict[int, Fields] = {id_: one.theirs for one in choices for id_ in one.change_ids}
        self._ledger.decided(moved, accepted)
        self.say()
        return moved

    def _with_dependants(self, choice: Decided) -> Decided:
        """With a creation that is let go, all that was done to what it was to create."""
        if choice.choice is not Choice.THEIRS:
            return choice
        outbox = self._ledger.outbox
        more = outbox.with_dependants(outbox.those(choice.change_ids))
        return replace(choice, change_ids=tuple(dict.fromkeys((*choice.change_ids, *more))))

    def let_go(self, change_ids: tuple[int, ...], decision: str) -> None:
        """Discard changes that are neither closed nor being sent: a decision like any other."""
        choice = self._with_dependants(Decided(change_ids, Choice.THEIRS))
        if any(one.state is ChangeState.SENDING for one in self._ledger.outbox.those(choice.change_ids)):
            self._tell(Trouble(self._connection, BadInput("being-sent"), aside=True))
        self._ledger.decided(self._decisions.decide(decision or unique(), [choice], self._clock.now().wall), {})
        self.say()

    def again(self, change_ids: tuple[int, ...]) -> tuple[Change, ...]:
        """A person says "send again" on what the service was seen to have when they got stuck."""
        stuck = self._ledger.outbox.those(change_ids)
        choices = tuple(
            Decided((change.id,), Choice.MINE, change.reason.theirs if change.reason is not None else {})
            for change in stuck
        )
        return self.decide(Decide(unique(), choices))

    def holds(self, command: Revert) -> bool:
        """Whether this is a decision that can be brought back, and these are changes of it."""
        held = next((one for one in self._decisions.latest() if one.id == command.act), None)
        return not command.again and held is not None and set(command.change_ids) <= set(held.change_ids)

    def gone_on(self, decision: str) -> tuple[Revert, ...]:
        """What takes back the changes that were sent since, or what took their place."""
        rows = self._decisions.gone_on(decision).items()
        sent = tuple(Revert(batch, tuple(ids)) for batch, ids in rows)
        begun = any(self._journal.attempts(change.id) for change in self._journal.batch(decision))
        return (*sent, Revert(decision)) if begun else sent

    def take_back(self, command: Revert) -> tuple[Change, ...]:
        """Bring a decision back, as far as nothing has happened since; what took the place of something is let go
        when that is open again. Returns what stands again as before."""
        instead = self._journal.batch(command.act)
        only = () if instead else command.change_ids
        moved = self._decisions.take_back(command.act, self._clock.now().wall, only)
        self._ledger.brought_back(moved, self._decisions.accepted())
        if moved:
            self._ledger.discard(tuple(change.id for change in instead))
        self.say()
        return moved


class DraftKeeper:
    """The drafts of one connection. A disk that takes none is not complained of here: nobody said that a draft is
    saved, and it is said of the first act that is."""

    def __init__(
        self,
        connection: str,
        journal: Journal,
        clock: Clock,
        tell: Callable[[Event], None],
        numbers: Callable[[], Mapping[LocalId, ServiceId]],
    ) -> None:
        """`numbers`: those that the service gave to records made here."""
        self._connection = connection
        self._drafts = Drafts(journal)
        self._clock = clock
        self._tell = tell
        self._numbers = numbers

    def say(self) -> None:
        """Tell all that is half filled."""
        try:
            drafts = self._drafts.all()
        except StorageError:
            logging.getLogger(__name__).warning("drafts cannot be read", exc_info=True)
        else:
            self._tell(DraftsMoved(self._connection, drafts, numbers=numbers_in(drafts, self._numbers())))

    def keep(self, command: KeepDraft | KeepDrafts) -> None:
        """Store drafts or let them go, and tell only these."""
        drafts = command.drafts if isinstance(command, KeepDrafts) else (command,)
        at = self._clock.now().wall
        try:
            self._drafts.write(drafts, at)
        except StorageError:
            logging.getLogger(__name__).warning("%d drafts are not kept", len(drafts), exc_info=True)
            self._tell(DraftsMoved(self._connection, unsaved=tuple(draft.form for draft in drafts)))
        else:
            self._tell(DraftsMoved.of(self._connection, drafts, at))
