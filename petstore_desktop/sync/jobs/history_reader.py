"""Answers questions about the past: entries of the journal, and changes by others.

The journal is the sync thread's, which has more urgent things to do: it is read in small windows, and between two of
them everything else has its turn. What is over for long goes from it into the archive, piece by piece, when nothing
waits for it.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from petstore_desktop.clock import Clock
from petstore_desktop.domain.batches import BatchLine, ChangeFilter, HistoryEntry
from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.commands import ExportChanges, ReadChanges, ReadHistory
from petstore_desktop.domain.errors import ShopError, StorageError
from petstore_desktop.domain.records import Key, LocalId, Ref, Resource, ServiceId
from petstore_desktop.domain.seen_changes import SeenChange, What, Who
from petstore_desktop.exchange.changes_file import ChangesFile
from petstore_desktop.off_loop import off_loop
from petstore_desktop.store.journal.archive import Archive
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.reader import JournalReading, StoredChange
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.store.sqlite.database import Database
from petstore_desktop.sync.wire.events import ChangesCounted, ChangesExported, ChangesRead, Event, HistoryRead, Trouble

HISTORY = 60
"""How many entries of one record are reported, and how many changes by others."""
PIECE = 1_000
"""How many entries are written to a file in one step."""
_NAMES = {  # house: whole-table - an order has no name
    Resource.PETS: Resource.PETS,
    Resource.INVENTORY: Resource.PETS,
    Resource.CATEGORIES: Resource.CATEGORIES,
}
"""Where the name of a record is found; an order has none."""
Question: TypeAlias = ReadChanges | ReadHistory | ExportChanges


class _Named(Struct, frozen=True):
    """What lies in the journal, with its record's number and name where they are known by now."""

    filed: StoredChange
    ref: Ref
    title: str

    def entry(self) -> HistoryEntry:
        filed = self.filed
        return HistoryEntry(
            filed.change(), self.ref, self.title, filed.undone, filed.undone_at, filed.source, filed.tried, filed.kind
        )


class _Group(Struct):
    """Neighbours of one batch, the newest first."""

    first: _Named
    last: int = 0
    states: Counter[ChangeState] = field(default_factory=Counter[ChangeState])
    alike: bool = True
    undone: int = 0
    tried: int = 0

    def add(self, named: _Named) -> None:
        self.last = named.filed.id
        self.states[named.filed.state] += 1
        self.alike = self.alike and named.filed.act == self.first.filed.act
        self.undone += named.filed.undone
        self.tried += bool(named.filed.tried)

    def line(self) -> BatchLine:
        states, filed = tuple(self.states.items()), self.first.filed
        return BatchLine(self.first.entry(), self.last, states, self.alike, self.undone, filed.source, self.tried)


class _Groups:
    """At most `limit` groups; `full` once there is an entry for another one. `count`: entries that were taken in."""

    def __init__(self, limit: int, apart: bool) -> None:
        self._limit = limit
        self._apart = apart
        self._groups: list[_Group] = []
        self.full = limit == 0
        self.count = 0

    def add_window(self, window: list[_Named]) -> None:
        """Take in what comes next; what no longer has room is only counted."""
        self.count += len(window)
        for named in window if not self.full else ():
            if self._apart or not self._groups or self._groups[-1].first.filed.batch != named.filed.batch:
                if len(self._groups) == self._limit:
                    self.full = True
                    return
                self._groups.append(_Group(named))
            self._groups[-1].add(named)

    def lines(self) -> tuple[BatchLine, ...]:
        """The groups so far."""
        return tuple(group.line() for group in self._groups)


class HistoryReader(Struct, eq=False):
    """For one connection. `_local_ids`: the ids of records created here."""

    _connection: str
    _journal: JournalReading
    _mirror: Mirror
    _changes_of: Callable[[Ref], list[SeenChange]]
    _local_ids: Callable[[], Mapping[LocalId, ServiceId]]
    _tell: Callable[[Event], None]
    _readings: int = 0
    _countings: int = 0

    async def answer(self, question: Question) -> None:
        """Answer it; that something cannot be read is part of the answer."""
        try:
            match question:
                case ReadChanges():
                    await self._read(question)
                case ReadHistory(ref=ref):
                    await self._history(ref)
                case ExportChanges():
                    await self._export(question)
        except ShopError as error:
            self._tell(_failed(self._connection, question, error))
        except ValueError as error:
            damaged = StorageError("damaged", path=self._journal.path, why=str(error))
            self._tell(_failed(self._connection, question, damaged))

    # -- the table

    async def _read(self, asked: ReadChanges) -> None:
        """Lines, then how many entries fit in all, in one go. Whoever reads from the newest on has changed the filter:
        what is still read and counted by an older one is wanted no more."""
        anew = asked.before is None and not asked.wanted.batches
        self._countings += anew
        self._readings += anew and asked.limit > 0
        reading, counting = self._readings, self._countings
        groups = _Groups(asked.limit, asked.apart)
        async with aclosing(self._named(asked.wanted, asked.before)) as windows:
            async for window in windows:
                full = groups.full
                if anew and (counting != self._countings if full else reading != self._readings):
                    return
                groups.add_window(window)
                if groups.full and not full:
                    self._tell_lines(asked, groups)
                if groups.full and (not anew or asked.wanted.is_empty):
                    break
        if not groups.full:
            self._tell_lines(asked, groups)
        if anew and counting == self._countings:
            total = self._journal.total()
            found = total if asked.wanted.is_empty else groups.count
            self._tell(ChangesCounted(self._connection, asked.token, found, total))

    def _tell_lines(self, asked: ReadChanges, groups: _Groups) -> None:
        self._tell(ChangesRead(self._connection, asked.token, groups.lines(), groups.full))

    async def _named(self, wanted: ChangeFilter, below: int | None) -> AsyncGenerator[list[_Named]]:
        """What fits, the newest first, in windows."""
        while True:
            filed, below = self._journal.window(wanted, below)
            named = self._name(filed)
            if wanted.finds is not None:
                named = [one for one in named if wanted.finds(f"{one.title} {_id(one.ref)}")]
            yield named
            if below is None:
                return
            await asyncio.sleep(0)

    def _name(self, filed: list[StoredChange]) -> list[_Named]:
        numbers = self._local_ids()
        refs = [_numbered(one.ref, numbers) for one in filed]
        names: dict[Resource, dict[Key, str]] = {}
        for kind in {_NAMES[ref.resource] for ref in refs if ref.resource in _NAMES}:
            names[kind] = self._mirror.names(kind, [ref.key for ref in refs if _NAMES.get(ref.resource) is kind])
        return [
            _Named(one, ref, names[_NAMES[ref.resource]].get(ref.key) or one.named if ref.resource in _NAMES else "")
            for one, ref in zip(filed, refs, strict=True)
        ]

    # -- one record

    async def _history(self, ref: Ref) -> None:
        refs = self._refs_of(ref)
        entries: list[HistoryEntry] = []
        async with aclosing(self._named(ChangeFilter(refs=refs), None)) as windows:
            async for window in windows:
                entries += [named.entry() for named in window]
                if len(entries) >= HISTORY:
                    break
        seen = self._by_others(_numbered(ref, self._local_ids()))
        self._tell(HistoryRead(self._connection, ref, tuple(entries[:HISTORY]), seen[:HISTORY]))

    def _refs_of(self, ref: Ref) -> tuple[Ref, ...]:
        """The record under all its names; a pet with its stock."""
        ref = _numbered(ref, self._local_ids())
        keys = [ref.key, *(local for local, number in self._local_ids().items() if number == ref.key)]
        kinds = (ref.resource, Resource.INVENTORY) if ref.resource is Resource.PETS else (ref.resource,)
        return tuple(Ref(kind, key) for kind in kinds for key in keys)

    def _by_others(self, ref: Ref) -> tuple[SeenChange, ...]:
        """The fields of a record (a pet with its stock) that nothing done here explains, newest first."""
        if not isinstance(ref.key, ServiceId):
            return ()
        seen = self._changes_of(ref)
        return tuple(one for one in seen if one.who is Who.ELSEWHERE and one.what is What.CHANGED)

    # -- files

    async def _export(self, asked: ExportChanges) -> None:
        """All that fits, to its end, into a file that is whole or not there."""
        target = Path(asked.path)
        file = await off_loop(lambda: ChangesFile(target, asked.words), "export")
        try:
            count = await self._write(file, asked.wanted)
        finally:
            file.discard()
        self._tell(ChangesExported(self._connection, asked.path, count))

    async def _write(self, file: ChangesFile, wanted: ChangeFilter) -> int:
        entry: list[HistoryEntry] = []

        async def put() -> None:
            done = tuple(entry)
            entry.clear()
            await off_loop(lambda: file.write(done), "export")

        async with aclosing(self._named(wanted, None)) as windows:
            async for window in windows:
                entry += [named.entry() for named in window]
                if len(entry) >= PIECE:
                    await put()
        await put()
        total = self._journal.total()
        return await off_loop(lambda: file.finish(total), "export")


def _failed(connection: str, question: Question, error: ShopError) -> Event:
    match question:
        case ReadChanges(token=token):
            return ChangesRead(connection, token, (), error=error)
        case ReadHistory(ref=ref):
            return HistoryRead(connection, ref, error=error)
        case ExportChanges(path=path):
            return ChangesExported(connection, path, 0, error)


def _numbered(ref: Ref, numbers: Mapping[LocalId, ServiceId]) -> Ref:
    number = numbers.get(ref.key) if isinstance(ref.key, LocalId) else None
    return ref if number is None else replace(ref, key=number)


def _id(ref: Ref) -> str:
    return str(ref.key) if isinstance(ref.key, ServiceId) else ""


FIRST_S: Final = 60.0
"""After the start: by then the window has what it shows."""
AGAIN_S: Final = 86_400.0
PAUSE_S: Final = 0.5
"""Between two pieces, for what a person does meanwhile."""


class Archiver:
    """The archive of one connection, on the sync thread."""

    def __init__(self, connection: str, journal: Journal, clock: Clock, tell: Callable[[Event], None]) -> None:
        self._connection = connection
        self._journal = journal
        self._clock = clock
        self._tell = tell
        self._archive = Archive(journal)

    async def run(self) -> None:
        """Once a day, until cancelled. A disk that does not take it is told; all stays in the journal then."""
        await asyncio.sleep(FIRST_S)
        while True:
            more = self._store_a_piece()
            await asyncio.sleep(PAUSE_S if more else AGAIN_S)

    def bring_back(self, batch: str) -> None:
        """Have a batch in the journal again, because a person wants something of it. Raises StorageError."""
        if not self._journal.batch(batch):
            self._archive.bring_back(batch)

    def stored(self) -> Database | None:
        """Open the archive for readers of the journal's tables. Raises StorageError."""
        return self._archive.database

    def close(self) -> None:
        """Close the file."""
        self._archive.close()

    def _store_a_piece(self) -> bool:
        try:
            return self._archive.store_away(self._clock.now().wall)
        except StorageError as error:
            self._tell(Trouble(self._connection, error, aside=True))
            return False
