"""A damaged journal, made readable: what was waiting in it, as files beside it that a person can open."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.history import Entry
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.exchange.changes_file import ChangesFile
from petstore_desktop.platform_support import make_private
from petstore_desktop.store.peek import pet_names
from petstore_desktop.store.salvage import unsent

_END: Final = {"end": "{count} of {total}"}

_log = logging.getLogger(__name__)


def journal_set_aside(path: Path) -> StorageError:
    """What is to be said of the damaged journal that lies at `path` now, or its log alone beside it. `list`: where its
    unsent changes can be read (CSV, and the same beside it as JSON), `count`: how many; no `list` where none could be
    read or written."""
    log = path.with_name(f"{path.name}-wal")
    kept = str(path if path.exists() else log)
    listed = path.with_name(f"{path.name}.unsent.csv")
    try:
        count = list_unsent(path, listed)
        if count:
            return StorageError("journal-listed", path=kept, list=str(listed), count=count)
    except (StorageError, OSError) as error:
        _log.info("the unsent changes of a damaged journal could not be listed: %s", error)
    return StorageError("journal-set-aside", path=kept)


def list_unsent(path: Path, target: Path, mirror: Path | None = None) -> int:
    """Write the unsent changes of a journal that nobody has open to `target` (CSV), and the same beside it as JSON;
    returns how many, and writes nothing where there are none. `mirror` is asked for the names of pets whose stock
    changes. Raises StorageError."""
    found = unsent(path)
    names = _stock_names(mirror, (change.ref for change, _ in found)) if mirror is not None else {}
    entries = [Entry(change, change.ref, title or names.get(change.ref, "")) for change, title in found]
    if entries:
        for one in (target, target.with_suffix(".json")):
            _write(one, entries)
    return len(entries)


def _stock_names(mirror: Path, refs: Iterable[Ref]) -> dict[Ref, str]:
    pets = {ref.key: ref for ref in refs if ref.resource is Resource.INVENTORY and isinstance(ref.key, int)}
    try:
        return {pets[key]: name for key, name in pet_names(mirror, pets).items()}
    except StorageError as error:
        _log.info("the names of the pets could not be read: %s", error)
        return {}


def _write(target: Path, entries: list[Entry]) -> None:
    file = ChangesFile(target, _END)
    try:
        file.write(entries)
        file.finish(len(entries))
        make_private(target)
    finally:
        file.discard()
