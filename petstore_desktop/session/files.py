"""What one connection keeps on disk, opened for its sync thread."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

from msgspec import Struct

from petstore_desktop.data_folder import Places
from petstore_desktop.desk.values.dates import local_day, parse_ship_date
from petstore_desktop.domain.errors import ShopError, StorageError
from petstore_desktop.held_files import remove
from petstore_desktop.platform_support import lies_on_network, make_private_directory, storage_code
from petstore_desktop.store.gates import Gates
from petstore_desktop.store.history.history import ShopHistory
from petstore_desktop.store.history.totals import LocalRules
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.unsent_count import address_of, open_changes
from petstore_desktop.store.journal_address import journals_elsewhere, open_journal
from petstore_desktop.store.minimums import valid_minimums
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.store.request_log import SendLog
from petstore_desktop.sync.shared.sent_report import not_kept


class Files(Struct, frozen=True):
    """What a connection keeps on disk."""

    journal: Journal
    mirror: Mirror
    history: ShopHistory
    gates: Gates
    send_log: SendLog | None
    send_log_failed: StorageError | None
    journal_gone: bool
    journal_troubles: tuple[StorageError, ...] = ()
    """Messages about damaged journals, found now or at an earlier start without a person."""

    @property
    def troubles(self) -> tuple[ShopError, ...]:
        """Damaged files that were set aside, to be named to the person; and what could not be opened but can be done
        without; and a folder that keeps no promises."""
        set_aside = (
            ("set-aside", self.mirror.set_aside),
            ("requests-set-aside", self.send_log.set_aside if self.send_log is not None else None),
        )
        said: list[ShopError] = [StorageError(code, path=str(path)) for code, path in set_aside if path is not None]
        said += self.history.troubles
        said += [self.gates.trouble] if self.gates.trouble is not None else []
        journal = self.journal.path
        said[:0] = self.journal_troubles
        if self.journal_gone:
            said.insert(0, StorageError("journal-gone", path=str(journal)))
        said += [error for kept in journals_elsewhere(journal) if (error := _unsent_elsewhere(kept)) is not None]
        if lies_on_network(journal.parent):
            said.append(StorageError("network-folder", path=str(journal.parent)))
        return tuple(said) if self.send_log_failed is None else (*said, self.send_log_failed)

    def close(self) -> None:
        """Close all of them."""
        for part in (self.mirror, self.history, self.journal, self.gates, self.send_log):
            if part is not None:
                part.close()


def open_gates(places: Places) -> Gates:
    """The file of pauses, which should be there once requests have left from here. Raises StorageError."""
    return Gates(places.gates, used=any(places.data.glob("connections/*/requests.db")))


def open_files(places: Places, name: str, now: Callable[[], float], address: str, gates: Gates) -> Files:
    """Open all files or none, except the log of requests, which is only checked. `address` is the service's: data of
    another address is not opened. `now`: UTC epoch seconds. `gates` is open already, and closed on failure. Raises
    StorageError."""
    folder = places.connection(name)
    with ExitStack() as opened:
        opened.callback(gates.close)
        try:
            make_private_directory(folder)
        except OSError as error:
            raise StorageError(storage_code(error), path=str(folder)) from error
        found = open_journal(places.journal(name), address)
        journal = found.journal
        opened.callback(journal.close)
        gone = _journal_gone(journal, places, name)
        mirror = Mirror(places.mirror(name))
        opened.callback(mirror.close)
        if mirror.address != address:
            others = found.moved or mirror.address is not None
            gone = gone and mirror.address is None and not journals_elsewhere(journal.path)
            if others:
                _remove(places.requests(name))
            # One of an earlier version names no address: it is of that of the journal beside it.
            mirror.belong_to(address, emptied=others or journal.is_new)
        untold = _untold(journal, now())
        wanted = partial(valid_minimums, places.minimums(name, address))
        rules = LocalRules(local_day, lambda text: parse_ship_date(text).day, wanted)
        history = ShopHistory(places.history(name), address, now, rules)
        opened.callback(history.close)
        mirror.tell_to(history)
        opened.pop_all()
    try:
        return Files(journal, mirror, history, gates, SendLog(places.requests(name), now()), None, gone, untold)
    except StorageError as error:
        return Files(journal, mirror, history, gates, None, not_kept(error), gone, untold)


def _untold(journal: Journal, now: float) -> tuple[StorageError, ...]:
    """Of damaged journals. Raises StorageError."""
    if not list(journal.path.parent.glob("*.damaged-*")):
        return ()
    from petstore_desktop.sync.jobs.salvage_lists import damaged_lists  # late: few starts read damaged journals

    return tuple(damaged_lists(journal, now))


def _unsent_elsewhere(journal: Path) -> StorageError | None:
    """Changes that wait in the journal of another address, as an error; None where none do."""
    try:
        count, address = open_changes(journal), address_of(journal)
    except StorageError as error:
        from petstore_desktop.store.journal.salvage import address_in  # late: few starts need it

        error.params["address"] = address_in(journal)
        return error
    return StorageError("changes-elsewhere", path=str(journal), count=count, address=address) if count else None


def forget_answers(places: Places, name: str) -> None:
    """Remove what the service at another address was asked and said: it is of no use at this one. Its history is put
    by when that of this one is opened."""
    for kept in (places.mirror(name), places.requests(name)):
        _remove(kept)


def _remove(database: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        with suppress(OSError):
            remove(database.with_name(database.name + suffix))


def _journal_gone(journal: Journal, places: Places, name: str) -> bool:
    """Whether the journal was created although later files existed, so an earlier one is lost. The list of requests
    does not count: connecting writes to it."""
    later = (places.mirror(name), places.journal(name).with_name("journal-archive.db"))
    return journal.is_new and any(file.exists() for file in later)
