"""Power cuts under a journal that is at work: what it had said to be saved is there afterwards, and nothing is by half.

An episode is a run of the real journal over random acts, recorded. It is cut at moments that chance picks; each time
the files as they would be found are opened by the real journal. What it holds then must be what it held after the last
act that was acknowledged before the cut, or after the one that was under way. The next episode begins with what one of
these cuts left, so that what is done at a start is cut too.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from petstore_desktop.domain.batches import Batch, BatchKind
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, Delete, Intent, NewChange, SetFields
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import LocalId, Pet, Ref, Resource
from petstore_desktop.store.journal.archive import Archive
from petstore_desktop.store.journal.batches import Batches, UndoWrites
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.rows import Outcome
from petstore_desktop.store.sqlite.typed_apsw import Values
from tests.support.power_cut import Disk, Op, Trace, recording

NAME = "journal.db"
ACTS = 40
CUTS = 10
"""In each episode."""
EPISODES = 5
"""So many are one life; then an empty disk comes next, so that it stays small."""
DAY = 86_400.0
ENDS = (*[ChangeState.DONE] * 6, ChangeState.QUEUED, ChangeState.REFUSED, ChangeState.CONFLICT, ChangeState.UNCERTAIN)

Content = frozenset[tuple[str, Values]]
"""Rows with the names of their tables."""


class Loss(AssertionError):
    """Something that was said to be saved is not there."""


@dataclass(slots=True)
class Tally:
    """What a run met."""

    cuts: int = 0
    acts: int = 0
    """Acknowledged before a cut, and looked for after it."""
    under_way: int = 0
    """Cuts inside an act."""
    in_part: int = 0
    """Cuts at which something was not synced."""


def content_of(path: Path) -> Content:
    """All that a journal and its archive hold; each thing once, wherever it lies. Raises Loss if damaged."""
    with closing(Journal(path)) as journal, closing(Archive(journal)) as archive:
        if journal.set_aside is not None or (archive.database is not None and archive.database.set_aside is not None):
            raise Loss("a file was damaged")
        rows: set[tuple[str, Values]] = set()
        for database in (journal, archive.database):
            rows |= _rows(database.connection) if database is not None else set()
        return frozenset(rows)


def _rows(connection) -> set[tuple[str, Values]]:
    if connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
        raise Loss("a file was damaged")
    tables = [str(name) for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    ours = [table for table in tables if not table.startswith("sqlite_")]
    return {(table, row) for table in ours for row in connection.execute(f"SELECT * FROM {table}")}


class Worker:
    """Acts on a journal, at random; says after each act what there is."""

    def __init__(self, journal: Journal, archive: Archive, chance: random.Random, trace: Trace) -> None:
        self._journal, self._archive, self._chance, self._trace = journal, archive, chance, trace
        self._batches = Batches(journal)
        self._now = 1_000.0
        self.known: list[Content] = []
        """What there was, act by act."""

    def work(self, acts: int) -> None:
        self._done()
        self._journal.recover(self._now)
        self._done()
        for _ in range(acts):
            self._now += self._chance.choice((1.0, DAY))
            self._chance.choice(
                (*[self._append] * 3, *[self._begin] * 3, *[self._end] * 3, self._settle, self._undo,
                 *[self._store_away] * 2, self._bring_back)
            )()  # fmt: skip
            self._done()

    def _done(self) -> None:
        rows: set[tuple[str, Values]] = set()
        for database in (self._journal, self._archive.database):
            rows |= _rows(database.connection) if database is not None else set()
        self._trace.say(str(len(self.known)))
        self.known.append(frozenset(rows))

    def _append(self) -> None:
        changes = [
            NewChange(self._ref(), self._intent(), {"quantity": 7}) for _ in range(self._chance.choice((1, 1, 4)))
        ]
        images = [Pet(5, "Rex" * self._chance.choice((1, 3_000)), None, "sold", {}) for _ in changes]
        self._journal.append(f"batch-{self._now}", changes, self._now, images)

    def _ref(self) -> Ref:
        key = self._chance.choice((LocalId.new(), self._chance.randrange(2**60)))
        return Ref(Resource.PETS, key)

    def _intent(self) -> Intent:
        text = "x" * self._chance.choice((3, 300, 5_000))
        others = [AddStock(2**60), SetFields({"name": text}), Delete()]
        return self._chance.choice((*others * 3, Create({"name": text})))

    def _open(self, state: ChangeState) -> list[int]:
        return [change.id for change in self._journal.open_changes() if change.state is state]

    def _begin(self) -> None:
        ready = self._open(ChangeState.QUEUED)
        if ready:
            chosen = self._chance.sample(ready, min(len(ready), 2))
            self._journal.begin_attempt(chosen, "{}", {"quantity": 1}, {"quantity": 2}, self._now)

    def _end(self) -> None:
        for id_ in self._open(ChangeState.SENDING)[:1]:
            attempt = self._journal.attempts(id_)[-1]
            self._journal.end_attempt(attempt.id, Outcome(self._chance.choice(ENDS), None, 77), self._now)

    def _settle(self) -> None:
        waiting = self._open(ChangeState.QUEUED) + self._open(ChangeState.UNCERTAIN)
        if waiting:
            self._journal.discard(self._chance.sample(waiting, 1), self._now)

    def _undo(self) -> None:
        made = self._journal.numbers("SELECT id FROM change")
        done = [change for change in self._journal.changes(made) if not change.state.is_open]
        if done:
            made = Batch(f"undo-{self._now}", self._now, BatchKind.UNDO)
            self._batches.write(made, UndoWrites(undone=[self._chance.choice(done).id]), self._now)

    def _store_away(self) -> None:
        self._archive.store_away(self._now, most=self._chance.randint(1, 30), keep=15, keep_s=5 * DAY)

    def _bring_back(self) -> None:
        database = self._archive.database
        if database is not None:
            batches = [str(batch) for (batch,) in database.connection.execute("SELECT batch FROM change ORDER BY id")]
            if batches:
                self._archive.bring_back(self._chance.choice(batches))


def run(
    seed: int,
    goes_on: Callable[[Tally], bool],
    *,
    deaf: bool = False,
    spoil: Callable[[Journal], None] = lambda _: None,
) -> Tally:
    """Cut the power until `goes_on` says no. `deaf`: syncs do not arrive; `spoil`: what is done to each journal before
    it works. Raises Loss."""
    chance, tally, episode = random.Random(seed), Tally(), 0
    files: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        while goes_on(tally):
            if episode % EPISODES == 0:
                files = {}
            episode += 1
            found = _episode(place, files, chance, tally, deaf=deaf, spoil=spoil)
            files = chance.choice(found)
    return tally


def _episode(
    place: Path,
    files: dict[str, bytes],
    chance: random.Random,
    tally: Tally,
    *,
    deaf: bool,
    spoil: Callable[[Journal], None],
) -> list[dict[str, bytes]]:
    before = _after(place, files)
    _put(place, files)
    with recording(deaf=deaf) as trace:
        known = _work(place / NAME, chance, trace, spoil)
    found: list[dict[str, bytes]] = []
    disk, position = Disk(files), 0
    for cut in sorted(chance.choices(_moments(trace.ops), k=CUTS)):
        for op in trace.ops[position:cut]:
            disk.take(op)
        position = cut
        left = disk.after_a_cut(chance)
        said = [int(op.name) for op in trace.ops[:cut] if op.what == "said"]
        last = said[-1] if said else -1
        allowed = {known[last] if said else before, *known[last + 1 : last + 2]}
        tally.cuts += 1
        tally.acts += len(said)
        tally.under_way += trace.ops[cut - 1].what != "said"
        tally.in_part += disk.waits
        if _after(place, left) not in allowed:
            raise Loss(f"after {len(said)} acknowledged acts, cut before operation {cut} of {len(trace.ops)}")
        found.append(left)
    return found


def _moments(ops: Sequence[Op]) -> list[int]:
    """Where to cut: anywhere, and as often right after something was promised or synced."""
    after = [at + 1 for at, op in enumerate(ops) if op.what in ("said", "sync")]
    return [*range(1, len(ops) + 1), *after, *after]


def _work(path: Path, chance: random.Random, trace: Trace, spoil: Callable[[Journal], None]) -> list[Content]:
    with closing(Journal(path)) as journal, closing(Archive(journal)) as archive:
        spoil(journal)
        journal.connection.execute(f"PRAGMA wal_autocheckpoint = {chance.choice((5, 40, 1_000))}")
        worker = Worker(journal, archive, chance, trace)
        worker.work(ACTS)
    return worker.known


def _after(place: Path, files: dict[str, bytes]) -> Content:
    _put(place, files)
    try:
        return content_of(place / NAME)
    except StorageError as error:
        raise Loss(str(error)) from error


def _put(place: Path, files: dict[str, bytes]) -> None:
    for old in place.iterdir():
        old.unlink()
    for name, data in files.items():
        (place / name).write_bytes(data)
