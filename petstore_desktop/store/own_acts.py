"""acts-*.json in a connection's folder: what was done to what only this computer keeps, so that Undo takes it after a
restart too. Each address that the connection had has its own, as the minimums and the bar codes have."""

from __future__ import annotations

from pathlib import Path

import msgspec

from petstore_desktop.domain.own_acts import OwnActs
from petstore_desktop.store.own_file import read_own, write_own


def read_acts(path: Path) -> tuple[OwnActs, Path | None]:
    """Read the acts; of a damaged file none, and its path once it is set aside. Blocks. Raises StorageError."""
    return read_own(path, _acts, write_acts)


def write_acts(path: Path, acts: OwnActs) -> None:
    """Write the acts atomically. Blocks. Raises StorageError."""
    write_own(path, msgspec.to_builtins(acts))


def _acts(stored: object) -> tuple[OwnActs, bool]:
    try:
        return msgspec.convert(stored, OwnActs), True
    except msgspec.ValidationError:
        return OwnActs(), False
