"""Opens the journal that belongs to a service's address; those of other addresses are kept beside it.

Changes made at one service can neither be undone nor sent at another. So a journal keeps the address that it was
written for. Where a connection has another address by now, the journal is moved to `elsewhere/<digest of its address>/`
with its archive, and is moved back when the connection has that address again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from msgspec import Struct

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.held_files import move
from petstore_desktop.platform_support import make_private_directory, sync_directory
from petstore_desktop.store.journal.archive import Archive
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.schema import kept_address
from petstore_desktop.store.sqlite.database import COPY, log_of, not_yet_told, size_of
from petstore_desktop.store.sqlite.typed_apsw import told

_FOLDER: Final = "elsewhere"


class OpenedJournal(Struct, frozen=True):
    """An open journal; `moved`: the journal of another address was moved out of its place."""

    journal: Journal
    moved: bool


def open_journal(path: Path, address: str) -> OpenedJournal:
    """Open the journal of this address, or create it. One that names no address yet is taken for its own, unless its
    own is kept elsewhere: a start that ended early left it, or it stands in for a damaged one. Raises StorageError."""
    with told(path):
        if not path.exists():
            _bring_back(path, address, path.name)
        journal = Journal(path)
        if journal.is_new or journal.set_aside is not None:
            _move_strange_archive(journal, address)
        own = _folder(path, address) / path.name
        moved = journal.address != address and (journal.address is not None or own.exists())
        if moved:
            _move_away(journal)
            _bring_back(path, address, path.name)
            journal = Journal(path)
        if not own.exists():
            for name in (Archive(journal).path.name, *_copies(own)):
                _bring_back(path, address, name)
        journal.belong_to(address)
    return OpenedJournal(journal, moved)


def journals_elsewhere(path: Path) -> list[Path]:
    """The journals of other addresses that the connection had."""
    return sorted(path.parent.joinpath(_FOLDER).glob(f"*/{path.name}"))


def _folder(path: Path, address: str) -> Path:
    return path.parent / _FOLDER / hashlib.sha256(address.encode()).hexdigest()[:16]


def _move_away(journal: Journal) -> None:
    """Move a journal, with its archive and its copies. It goes last: they would be taken for those of the next one."""
    path = journal.path
    address = journal.address or ""
    with closing(journal), closing(Archive(journal)) as archive:
        earlier = [archive.path] if archive.database is not None else []
    _put_away([*earlier, path], address, [path.with_name(name) for name in _copies(path)])


def _copies(path: Path) -> list[str]:
    """The names of the copies of a journal whose last commit may be lost; the next start reads it from them."""
    kept = [copy for copy in not_yet_told(path) if copy.name.endswith(COPY)]
    return [part.name for copy in kept for part in path.parent.glob(f"{copy.name}*")]


def _move_strange_archive(journal: Journal, address: str) -> None:
    """Move the archive of another address, which is left where its journal was lost."""
    with closing(Archive(journal)) as archive:
        other = None if archive.database is None else kept_address(archive.database)
    if other not in (None, address):
        _put_away([archive.path], str(other))


def _put_away(parts: Sequence[Path], address: str, copies: Sequence[Path] = ()) -> None:
    path = parts[-1]
    home = _folder(path, address)
    folder, count = home, 1
    while (folder / path.name).exists():
        count += 1
        folder = home.with_name(f"{home.name}-{count}")
    for part in parts:
        if size_of(log_of(part)):  # closing folds it into the file, unless there is no room
            raise StorageError("disk-full", path=str(part))
    make_private_directory(folder.parent)
    make_private_directory(folder)
    for part in (*copies, *parts):
        move(part, folder / part.name)
        sync_directory(folder)
        sync_directory(path.parent)


def _bring_back(path: Path, address: str, name: str) -> None:
    kept, place = _folder(path, address) / name, path.with_name(name)
    if kept.exists() and not place.exists():
        move(kept, place)
        sync_directory(path.parent)
