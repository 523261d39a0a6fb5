"""How far each batch has come, and what undo and redo take next: read from the journal, and told in good time.

What moved is told TOLD_S seconds later, with what moves meanwhile, and so seldom that reading it takes no more than a
twentieth of the time.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from time import perf_counter

from petstore_desktop.domain.batches import SINGLE, Batch, BatchFacts, BatchKind, are_alike
from petstore_desktop.domain.changes import Change, ChangeState
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.store.journal.batches import Batches, ChangeCount
from petstore_desktop.sync.jobs.undo import ORDER_CANCELLED, Offers, why_not
from petstore_desktop.sync.wire.events import BatchesMoved, Event, Trouble

TOLD_S, SHARE = 0.2, 20
STACK = 20
"""How many batches ahead are known for undo, and for redo."""
LOOKED_AT = 200
"""How many of the latest batches are searched for them."""


class JobFacts:
    """The facts of one connection. `undo`, `redo`: ids of batches, the next one first. What cannot be undone has its
    place among what undo takes: undo stops there, and goes past it only when a person says so."""

    def __init__(
        self,
        connection: str,
        batches: Batches,
        tell: Callable[[Event], None],
        offers: Offers,
        is_cancelled: Callable[[Change], bool],
    ) -> None:
        self._connection, self._batches, self._tell, self._offers = connection, batches, tell, offers
        self._is_cancelled = is_cancelled
        self.undo: list[str] = []
        self.redo: list[str] = []
        self._known: dict[str, BatchFacts] = {}
        self._shown: set[str] = set()
        """What the window knows of what undo and redo take."""
        self._hopeless: dict[str, str] = {}
        """Batches of which nothing can be taken back, as it turned out, each with the code of the reason."""
        self._dirty: set[str] = set()
        self._news = asyncio.Event()
        self._looked = False
        self._looking = True
        self._takes = False
        """Whether undo had something to take when it was told last."""
        self._met: set[str] = set()
        """The batches that were met when it was last looked for what undo takes."""

    # -- what happens to batches

    def _named(self, first: Change) -> str:
        """A saved batch stays valid even if its name cannot be read."""
        try:
            return self._batches.named(first.id)
        except StorageError:
            return ""

    def new(self, batch: Batch, changes: Sequence[Change]) -> None:
        """A person did something; all of it is unsent."""
        first = changes[0]
        count = len(changes)
        named = self._named(first)
        self._known[batch.id] = BatchFacts(
            batch, count, {ChangeState.QUEUED: count}, first, are_alike(changes), count, named
        )
        self.undo.insert(0, batch.id)
        self.redo.clear()
        for forgotten in self.undo[LOOKED_AT:]:
            self._known.pop(forgotten, None)
        self._say((batch.id,))

    def undone(self, batch: str, made: str) -> None:
        """Something of a batch was taken back by `made`."""
        self.redo.insert(0, batch)
        self.tell((batch, made))

    def hopeless(self, batch: str, code: str) -> None:
        """It turned out that nothing of a batch can be taken back."""
        self._hopeless[batch] = code
        self.tell((batch,))

    def redone(self, batch: str, made: str | None) -> None:
        """The undone changes of a batch are redone, in a batch of their own (`made`) if they need one."""
        if batch in self.redo:
            self.redo.remove(batch)
        if batch not in self.undo:
            self.undo.insert(0, batch)
        if made is not None:
            self.undo.insert(0, made)
        self.tell((batch,) if made is None else (batch, made))

    def back(self, ids: Iterable[str]) -> None:
        """Of these batches something is open again: they have their place among what undo takes."""
        for id_ in ids:
            facts = self._read(id_)
            if facts is not None and _undo_meets(facts):
                self._put_by_time(facts.batch)
        self.tell(ids)

    def _put_by_time(self, batch: Batch) -> None:
        """Undo takes this batch after all newer ones."""
        if batch.id not in self.undo:
            known = (self._known[other].batch.at for other in self.undo if other in self._known)
            self.undo.insert(sum(at > batch.at for at in known), batch.id)

    def look_again(self) -> None:
        """The service can do something else than before: what can be undone may be something else, too."""
        self._hopeless.clear()
        self._dirty.update(self._known)
        self._looked, self._looking = False, True
        self._news.set()

    def moved(self, ids: Iterable[str]) -> None:
        """Changes of these batches came further."""
        self._dirty.update(id_ for id_ in ids if id_ in self._known)
        if self._dirty:
            self._news.set()

    def tell(self, ids: Iterable[str]) -> None:
        """Read these and tell them now. Raises StorageError."""
        ids = tuple(ids)
        for id_ in ids:
            self._read(id_)
        self._dirty.difference_update(ids)
        self._say(ids)

    # -- reading and telling

    async def run(self, open_jobs: Iterable[str]) -> None:
        """Report the batches of earlier runs, then their progress."""
        ids = tuple(open_jobs)
        while True:
            pause_s = TOLD_S
            try:
                await self._load(ids)
                ids = ()
                began = perf_counter()
                if self._dirty:
                    self.tell(tuple(self._dirty))
                pause_s = max(TOLD_S, SHARE * (perf_counter() - began))
            except StorageError as error:
                self._dirty.clear()
                self._tell(Trouble(self._connection, error))
            await self._news.wait()
            await asyncio.sleep(pause_s)
            self._news.clear()

    async def _load(self, open_jobs: Sequence[str]) -> None:
        """Find out about these, and, unless it is known, what undo and redo take next."""
        for id_ in open_jobs:
            self._read(id_)
            await asyncio.sleep(0)
        if self._looked:
            return
        self._looked = True
        new = set(self.undo)
        await self._find_undoable()
        if not self.redo and new <= self._met:
            self.redo = [undo.undoes for undo in self._batches.redoable(STACK) if undo.undoes is not None]
        for id_ in self.redo:
            self._read(id_)
        self._looking = False
        self._say((*open_jobs, *self.undo, *self.redo))

    async def _find_undoable(self) -> None:
        """Put the latest batches of which something can be undone among what undo takes, and what stays between."""
        found = 0
        newest: int | None = None
        seen = self._met = set()
        while found < STACK and len(seen) < LOOKED_AT:
            before = self._batches.before(newest)
            if before is None:
                break
            id_, newest = before
            if id_ not in seen:
                seen.add(id_)
                facts = self._read(id_)
                if facts is not None and _undo_meets(facts):
                    found += bool(facts.undoable)
                    self._put_by_time(facts.batch)
                await asyncio.sleep(0)

    def _read(self, id_: str) -> BatchFacts | None:
        batch, known = self._batches.one(id_), self._known.get(id_)
        first, alike = (known.first, known.alike) if known is not None else self._batches.sample(id_)
        if batch is None or first is None:
            return None
        tallies = self._batches.tallies(id_)
        counts: Counter[ChangeState] = Counter()
        for tally in tallies:
            counts[tally.state] += tally.count
        hopeless = self._hopeless.get(id_)
        if hopeless is None and counts.total() == 1 and counts[ChangeState.DONE] and self._is_cancelled(first):
            hopeless = ORDER_CANCELLED
        reasons = [(tally, hopeless or self._why_not(tally)) for tally in tallies if _is_there(tally)]
        undoable = sum(tally.count for tally, reason in reasons if reason is None)
        is_whole = not undoable and not any(tally.taken for tally in tallies)
        stays = next((reason for _, reason in reasons if reason is not None), "") if is_whole else ""
        named = self._named(first) if known is None else known.named
        redoable = self._batches.taken_back(id_) if id_ in self.redo else 0
        facts = BatchFacts(batch, counts.total(), dict(counts), first, alike, undoable, named, redoable, stays)
        self._known[id_] = facts
        return facts

    def _why_not(self, tally: ChangeCount) -> str | None:
        """The code of the reason why these changes cannot be undone; None where they can."""
        if tally.state is not ChangeState.DONE:
            return None
        return why_not(tally.resource, tally.kind, tally.whole, self._offers)

    def _say(self, ids: Iterable[str]) -> None:
        """Report these batches and the next for undo; finished ones are forgotten."""
        self.undo = [id_ for id_ in self.undo if id_ in self._known and _undo_meets(self._known[id_])]
        undo, redo = self._next_for_undo(), tuple(self.redo[:STACK])
        takes = any(self._known[id_].undoable for id_ in undo)
        had, self._takes = self._takes, takes
        come_up = (id_ for id_ in (*undo, *redo) if id_ not in self._shown)
        told = [self._known[id_] for id_ in dict.fromkeys((*ids, *come_up)) if id_ in self._known]
        self._shown = {*undo, *redo}
        if had and not takes:  # there may be older ones
            self._looked, self._looking = False, True
            self._news.set()
        self._tell(BatchesMoved(self._connection, tuple(told), undo, redo, self._looking))
        for facts in told:
            wanted = facts.batch.id in self.undo or facts.batch.id in self.redo
            if not wanted and (not facts.open or facts.batch.priority >= SINGLE):
                del self._known[facts.batch.id]

    def _next_for_undo(self) -> tuple[str, ...]:
        """What undo meets next; of those that stay, which come one after the other, the newest stands for all."""
        met: list[str] = []
        for id_ in self.undo:
            if self._known[id_].undoable or not met or self._known[met[-1]].undoable:
                met.append(id_)
        return tuple(met[:STACK])


def _is_there(tally: ChangeCount) -> bool:
    return not tally.taken and tally.state is not ChangeState.DISCARDED


def _undo_meets(facts: BatchFacts) -> bool:
    """Whether undo takes it, or stops there."""
    return bool(facts.undoable or facts.stays) and facts.batch.kind is not BatchKind.UNDO
