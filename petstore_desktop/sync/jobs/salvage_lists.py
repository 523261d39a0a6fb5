"""Makes a damaged journal readable: its unsent changes, as files beside it that a person can open."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from petstore_desktop.data_folder import MOST_OWN
from petstore_desktop.domain.batches import HistoryEntry
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Ref, Resource, ServiceId
from petstore_desktop.exchange.changes_file import ChangesFile
from petstore_desktop.held_files import remove
from petstore_desktop.platform_support import make_private
from petstore_desktop.regular_files import read_regular
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.salvage import LostChange, Salvaged, address_in, attempts_after, salvaged
from petstore_desktop.store.journal.unsent_count import pet_names
from petstore_desktop.store.sqlite.database import COPY, log_of, not_yet_told, told_mark
from petstore_desktop.store.sqlite.typed_apsw import told

_WORDS: Final = {"end": "{count} of {total}", "unreadable": "change {id} cannot be read"}

_log = logging.getLogger(__name__)


def journal_set_aside(path: Path, here: str | None = None) -> StorageError:
    """The error that reports the damaged journal at `path`, or its log alone beside it. `list`: where its unsent
    changes can be read (CSV, with a JSON file beside it), `count`: how many, `lost`: how many of these cannot be read;
    no `list` if none could be read or written. `told`: the file that is made when a person has read it. `address`: that
    of its service, where it is not the one `here`."""
    log = path.with_name(f"{path.name}-wal")
    kept = str(path if path.exists() else log)
    listed = path.with_name(f"{path.name}.unsent.csv")
    params = {"path": kept, "told": str(told_mark(path))}
    if (address := address_in(path)) not in ("", here):
        params["address"] = address
    try:
        count, lost = _listed_before(listed) or _list(salvaged(path), listed)
        if count:
            return StorageError("journal-listed", list=str(listed), count=count, lost=lost, **params)
    except (StorageError, OSError, ValueError, OverflowError) as error:
        _log.info("the unsent changes of a damaged journal could not be listed: %s", error)
    return StorageError("journal-set-aside", **params)


def _list_missing(copy: Path, journal: Journal, at: float) -> bool:
    """List what waits in a copy and is not in the journal; whether there is anything. Raises StorageError."""
    listed = copy.with_name(f"{copy.name}.unsent.csv")
    if _listed_before(listed) is not None:
        return True
    journal.take_over(attempts_after(copy, journal.last_attempt()), at)
    found = salvaged(copy)
    ids = [*(change.id for change, _ in found.changes), *(one.id for one in found.lost)]
    here = {change.id for change in journal.changes(ids)}
    missing = tuple((change, name) for change, name in found.changes if change.id not in here)
    lost = tuple(one for one in found.lost if one.id not in here)
    return _list(Salvaged(missing, lost), listed)[0] > 0


def _listed_before(listed: Path) -> tuple[int, int] | None:
    """The numbers of a list that was made at an earlier start: somebody may work with it. None where there is none."""
    try:
        entries = json.loads(read_regular(listed.with_suffix(".json"), MOST_OWN).decode("ascii"))["entries"]
        return len(entries), sum("unreadable" in entry for entry in entries)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def damaged_lists(journal: Journal, at: float) -> list[StorageError]:
    """The errors that report damaged journals, and damaged archives, of which a person has not been told. Their unsent
    changes are listed, again at each start until then. Of a copy of this journal, whose last commit may be lost, only
    changes missing here are listed; its attempts are written again, or sent changes would be sent once more. `at`: now
    (UTC epoch seconds). Raises StorageError."""
    path = journal.path
    with told(path):
        journals, archives = not_yet_told(path), not_yet_told(path.with_name("journal-archive.db"))
        for copy in [one for one in journals if one.name.endswith(COPY)]:
            if not _list_missing(copy, journal, at):
                journals.remove(copy)
                for part in (copy, log_of(copy)):
                    remove(part)
    earlier = [StorageError("archive-set-aside", path=str(path), told=str(told_mark(path))) for path in archives]
    return [*(journal_set_aside(one, journal.address) for one in journals), *earlier]


def note_told(error: StorageError) -> None:
    """A person was told of it. Blocks."""
    mark = error.params.get("told")
    if isinstance(mark, str):
        with suppress(OSError):  # it is told again
            Path(mark).touch(mode=0o600)


def list_unsent(path: Path, target: Path, mirror: Path | None = None) -> int:
    """Write the unsent changes of a journal that nobody has open to `target` (CSV), and the same beside it as JSON;
    returns how many, and writes nothing where there are none. `mirror` is asked for the names of pets whose stock
    changes. Raises StorageError."""
    return _list(salvaged(path), target, mirror)[0]


def _list(found: Salvaged, target: Path, mirror: Path | None = None) -> tuple[int, int]:
    """How many are listed, and how many of them cannot be read."""
    names = _stock_names(mirror, (change.ref for change, _ in found.changes)) if mirror is not None else {}
    entries = [HistoryEntry(change, change.ref, title or names.get(change.ref, "")) for change, title in found.changes]
    if entries or found.lost:
        for one in (target, target.with_suffix(".json")):
            _write(one, entries, found.lost)
    return len(entries) + len(found.lost), len(found.lost)


def _stock_names(mirror: Path, refs: Iterable[Ref]) -> dict[Ref, str]:
    pets = {ref.key: ref for ref in refs if ref.resource is Resource.INVENTORY and isinstance(ref.key, ServiceId)}
    try:
        return {pets[key]: name for key, name in pet_names(mirror, pets).items()}
    except StorageError as error:
        _log.info("the names of the pets could not be read: %s", error)
        return {}


def _write(target: Path, entries: Sequence[HistoryEntry], lost: Sequence[LostChange]) -> None:
    file = ChangesFile(target, _WORDS)
    try:
        file.write(entries)
        for one in lost:
            file.write_unreadable(one.id, one.at, one.record, one.text)
        file.finish(len(entries) + len(lost))
        make_private(target)
    finally:
        file.discard()
