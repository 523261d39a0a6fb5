"""`petstore-desktop changes NAME`: what was done here, from the journal, and what answers showed to change, from
the history. Nothing is sent or written; a window may be open."""

from __future__ import annotations

import re
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from petstore_desktop.commands.change_words import NAMED, Names, name_of, names_kept, record_words, shown, steps_words
from petstore_desktop.commands.sentences import find_connection, note, show, show_json
from petstore_desktop.contract import cache
from petstore_desktop.contract.operations import Verb
from petstore_desktop.desk.load_state import LoadState, kept_load
from petstore_desktop.desk.values.text import visible
from petstore_desktop.domain.batches import ChangeFilter, HistoryEntry
from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import LocalId, Ref, Resource, calendar_moment
from petstore_desktop.domain.seen_changes import SeenChange, What, Who
from petstore_desktop.exchange.changes_file import plain_entry
from petstore_desktop.held_files import move
from petstore_desktop.session.session import service_address
from petstore_desktop.store.history.reader import PastReader
from petstore_desktop.store.journal.archive import Archive
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.reader import JournalReading
from petstore_desktop.store.journal.unsent_count import copied
from petstore_desktop.store.mirror.reader import MirrorReader

if TYPE_CHECKING:
    from petstore_desktop.data_folder import Places
    from petstore_desktop.preferences import ShopConnection

_TRIES, _AGAIN_S = 20, 0.1
"""A window may write while its journal is copied."""
_UNITS: Final = {"h": 3600.0, "d": 86_400.0, "w": 7 * 86_400.0}
_SPAN: Final = re.compile(r"([0-9]{1,5})([hdw])")


def moment_of(text: str, now: float) -> float:
    """The moment (UTC epoch seconds) that `12h`, `7d`, `2w`, `2026-11-20` or `2026-11-20T08:00` means; a time without a
    zone is this computer's. Raises ValueError."""
    span = _SPAN.fullmatch(text)
    if span is not None:
        return now - int(span[1]) * _UNITS[span[2]]
    try:
        return datetime.fromisoformat(text).timestamp()
    except OverflowError as error:
        raise ValueError(text) from error


def changes(data_dir: str | None, name: str, since: float, as_json: bool) -> int:
    """Do it; the exit code. `since`: UTC epoch seconds. Raises BadInput, StorageError."""
    places, connection = find_connection(data_dir, name)
    done = _done(places, connection, since)
    seen, unknown = _seen(places, connection, since)
    if as_json:
        entries = [dict(plain_entry(entry)) | {"source": source} for entry, source in done]
        by_others = [_plain(one) for one in seen]
        show_json(
            {
                "connection": connection.name,
                "since": _utc(since),
                "done": entries,
                "seen": by_others,
                "unknown": unknown,
            }
        )
        return 0
    lines = [(entry.change.at, _line(entry)) for entry, _ in done]
    lines += [(one.seen_by, _seen_line(one)) for one in seen if one.who is not Who.HERE]
    show(line for _, line in sorted(lines, key=lambda pair: pair[0], reverse=True))
    if unknown:
        note(f"what others changed in {', '.join(unknown)} is not known: not read whole")
    return 0


# -- what was done here


def _done(places: Places, connection: ShopConnection, since: float) -> list[tuple[HistoryEntry, str]]:
    """The entries of the journal, the newest first, each with what made its batch."""
    if not places.journal(connection.slug).exists():
        return []
    names = names_kept(places, connection)
    for left in reversed(range(_TRIES)):
        try:
            with _copied(places.journal(connection.slug)) as copy:
                found = _entries(copy, names, since)
                if list(copy.parent.glob("*.damaged-*")):  # of the copy: the journal itself stays as it is
                    raise StorageError("journal-damaged", path=str(places.journal(connection.slug)))
                return found
        except StorageError as error:
            if error.code != "locked" or not left:
                raise
            time.sleep(_AGAIN_S)
    return []


@contextmanager
def _copied(journal: Path) -> Generator[Path]:
    """A copy of the journal with its archive. Raises StorageError: `locked` if it changes meanwhile."""
    with copied(journal) as copy:
        archive = journal.with_name("journal-archive.db")
        if archive.exists():
            with copied(archive) as other:
                for part in other.parent.iterdir():
                    move(part, copy.parent / part.name)
        yield copy


def _entries(copy: Path, names: Names, since: float) -> list[tuple[HistoryEntry, str]]:
    found: list[tuple[HistoryEntry, str]] = []
    with closing(Journal(copy)) as journal, closing(Archive(journal)) as archive:
        reading, numbers = JournalReading(journal, lambda: archive.database), journal.local_ids()
        below: int | None = None
        while True:
            window, below = reading.window(ChangeFilter(since=since), below)
            for one in window:
                number = numbers.get(one.ref.key) if isinstance(one.ref.key, LocalId) else None
                ref = one.ref if number is None else Ref(one.ref.resource, number)
                title = name_of(names, ref) or (one.named if ref.resource in NAMED else "")
                found.append((HistoryEntry(one.change(), ref, title, one.undone, one.undone_at), one.source))
            if below is None:
                return found


def _line(entry: HistoryEntry) -> str:
    state = "undone" if entry.undone else entry.change.state.value
    reason = entry.change.reason
    waits = entry.change.state is ChangeState.QUEUED  # what it came to before is not what it is
    why = "" if reason is None or waits else f": {reason.message or reason.code}"
    what = f"{record_words(entry.ref, entry.title)}: {steps_words(entry.change)}"
    return f"{_local(entry.change.at)}  here  {what} ({state}{visible(why)})"


# -- what answers showed


def _seen(places: Places, connection: ShopConnection, since: float) -> tuple[list[SeenChange], list[str]]:
    """The newest first, and the lists of which it is not known what changed."""
    with closing(PastReader(places.history(connection.slug), service_address(connection))) as reader:
        found, untold = reader.changes_between(since, time.time())[::-1], reader.span().untold
    contract = cache.read(places.contract(connection.slug), service_address(connection))
    with closing(MirrorReader(places.mirror(connection.slug), service_address(connection))) as mirror:
        untold |= {resource for resource in Resource if _kept(mirror, resource).is_in_part}
    return found, [
        one.value for one in Resource if one in untold and (contract is None or contract.offers(one, Verb.LIST))
    ]


def _kept(mirror: MirrorReader, resource: Resource) -> LoadState:
    facts = mirror.facts(resource)
    return kept_load(facts.as_of, facts.gaps)


def _plain(one: SeenChange) -> dict[str, object]:
    return {
        "resource": one.ref.resource.value,
        "key": one.ref.key if isinstance(one.ref.key, int | str) else str(one.ref.key),
        "name": one.title,
        "what": one.what.value,
        "field": one.field or None,
        "old": _json(one.before),
        "new": _json(one.after),
        "who": one.who.value,
        "seen_after": _utc(one.seen_after),
        "seen_by": _utc(one.seen_by),
    }


def _json(value: object) -> object:
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def _seen_line(one: SeenChange) -> str:
    what = f"{one.field} {shown(one.before)} -> {shown(one.after)}" if one.what is What.CHANGED else one.what.value
    who = "elsewhere" if one.who is Who.ELSEWHERE else "here and elsewhere"
    return f"{_local(one.seen_by)}  {who}  {record_words(one.ref, one.title)}: {what}"


def _local(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(calendar_moment(at)))


def _utc(at: float) -> str:
    return (datetime.fromtimestamp(0, UTC) + timedelta(seconds=calendar_moment(at))).isoformat().replace("+00:00", "Z")
