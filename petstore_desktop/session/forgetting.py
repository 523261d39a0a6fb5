"""Removes a connection: exports its unsent changes, then deletes its key and files.

What stays: the export, and what the gates remember of origin and key (`gates.db`): a key that is banned stays banned.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.data_folder import Places
from petstore_desktop.domain.errors import KeyringError, StorageError
from petstore_desktop.domain.records import calendar_moment
from petstore_desktop.held_files import carry, remove_folder
from petstore_desktop.platform_support import make_private_directory, storage_code
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.session.keys import forget_keys
from petstore_desktop.store.journal.unsent_count import open_changes, unsure_changes
from petstore_desktop.store.journal_address import journals_elsewhere


class Forgotten(Struct, frozen=True):
    """The result: how many changes were open, and the file that lists them (CSV, with a JSON file beside it). `unsure`
    of them may have arrived. `keyring`: there was one to remove the key from; `lists`: what damaged journals told."""

    unsent: int
    export: Path | None
    unsure: int = 0
    keyring: bool = True
    lists: tuple[Path, ...] = ()


def unsent_count(places: Places, slug: str) -> int:
    """How many changes are not sent, refused and uncertain ones included; nobody may have the journal open. Raises
    StorageError."""
    return sum(open_changes(journal) for journal in _journals(places, slug))


def put_damaged_aside(places: Places, slug: str, now: float) -> tuple[StorageError, ...]:
    """Set damaged journals of a connection aside, as a start does, and list what they still tell; the errors that say
    so, with the `count` of each list. Nobody may have them open. `now`: UTC epoch seconds. Raises
    StorageError."""
    said: list[StorageError] = []
    for path in _journals(places, slug):
        try:
            open_changes(path)
        except StorageError as error:
            if error.code != "damaged":
                raise
            from petstore_desktop.store.journal.journal import Journal  # late, as what follows: few are damaged
            from petstore_desktop.sync.jobs.salvage_lists import damaged_lists

            with closing(Journal(path)) as journal:
                said += damaged_lists(journal, now)
    return tuple(said)


def listed_count(said: Sequence[StorageError]) -> int:
    """How many changes stand in the lists of damaged journals."""
    return sum(count for error in said if isinstance(count := error.params.get("count"), int))


def unsure_count(places: Places, slug: str) -> int:
    """How many open changes may have arrived, including those being sent. Raises StorageError."""
    return sum(unsure_changes(journal) for journal in _journals(places, slug))


def _journals(places: Places, slug: str) -> list[Path]:
    """The journals of a connection that hold changes: its own, and those of addresses that it had before."""
    own = places.journal(slug)
    return [own, *journals_elsewhere(own)]


def export_folder(places: Places) -> Path:
    """Where the unsent changes go of connections that are forgotten."""
    return places.data / "forgotten"


def export_target(places: Places, slug: str, now: float) -> Path:
    """The file for the unsent changes of a connection that is forgotten at `now` (UTC epoch seconds)."""
    stamp = datetime.fromtimestamp(calendar_moment(now), UTC).astimezone().strftime("%Y-%m-%d-%H%M%S")
    return export_folder(places) / f"{slug}-unsent-{stamp}.csv"


def save_and_lock_out(places: Places, connection: ShopConnection, now: float) -> Forgotten:
    """Export the unsent changes, then remove the key from the keyring. Blocks. Raises StorageError or KeyringError:
    then nothing is lost, and the connection still works."""
    forgotten = _export(places, connection, now)
    try:
        forget_keys(places, connection)
    except KeyringError as error:
        if error.code != "keyring-absent":
            error.params["forgetting"] = True
            raise
        return replace(forgotten, keyring=False)
    return forgotten


def remove_files(places: Places, slug: str) -> None:
    """Remove all that was kept of it here. Raises StorageError."""
    folder = places.connection(slug)
    try:
        if folder.exists():
            remove_folder(folder)
    except OSError as error:
        raise StorageError(storage_code(error), path=str(folder)) from error


def _export(places: Places, connection: ShopConnection, now: float) -> Forgotten:
    from petstore_desktop.sync.jobs.salvage_lists import list_unsent  # late: it needs what reads damaged journals

    journal, target = places.journal(connection.slug), export_target(places, connection.slug, now)
    lists = [one for kept in _journals(places, connection.slug) for one in _lists(kept)]
    if not unsent_count(places, connection.slug) and not lists:
        return Forgotten(0, None)
    make_private_directory(target.parent)
    unsure = unsure_count(places, connection.slug)
    count, files = 0, 0
    for one in _journals(places, connection.slug):
        name = target if not files else target.with_name(f"{target.stem}-{files + 1}.csv")
        mirror = places.mirror(connection.slug) if one == journal else None
        found = list_unsent(one, name, mirror) if one.exists() else 0
        count, files = count + found, files + bool(found)
    moved: list[Path] = []
    for number, earlier in enumerate(lists):  # of journals that were damaged: their changes are in no other
        place = target.with_name(f"{target.stem}-{earlier.name}")
        moved.append(place.with_name(f"{place.stem}-{number}{place.suffix}") if place in moved else place)
        _move(earlier, moved[-1])
    return Forgotten(count, target if count else None, unsure, lists=tuple(moved))


def _lists(journal: Path) -> list[Path]:
    """The salvaged changes of damaged journals (`salvaged`)."""
    return [*journal.parent.glob("*.unsent.csv"), *journal.parent.glob("*.unsent.json")]


def _move(source: Path, target: Path) -> None:
    try:
        carry(source, target)
    except OSError as error:
        raise StorageError(storage_code(error), path=str(target)) from error
