"""A JSON file of what only this computer keeps: written whole or not at all; a damaged one is set aside, and what can
be read of it is used. All functions block."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from petstore_desktop.data_folder import MOST_OWN, replacing, set_aside, storage_errors
from petstore_desktop.domain.records import JsonValue
from petstore_desktop.platform_support import make_private_directory, write_whole
from petstore_desktop.regular_files import read_looked_at, read_regular

_Kept = TypeVar("_Kept")


def read_own(
    path: Path, parse: Callable[[object], tuple[_Kept, bool]], write: Callable[[Path, _Kept], None]
) -> tuple[_Kept, Path | None]:
    """Read the file, and the path of a damaged one that was set aside. `parse`: what is valid of it, and whether all
    was. Raises StorageError."""
    nothing = found = parse({})[0]
    aside = None
    while aside is None:  # where another program has put a damaged one aside meanwhile, there is another to be read
        found, whole = nothing, False
        with storage_errors(path):
            try:
                content, looked_at = read_looked_at(path, MOST_OWN)
            except FileNotFoundError:
                return found, None
        with suppress(ValueError, RecursionError):
            found, whole = parse(json.loads(content))
        if whole:
            return found, None
        aside = set_aside(path, looked_at)
    if found != nothing:
        write(path, found)
    return found, aside


def valid_own(path: Path, parse: Callable[[object], tuple[_Kept, bool]]) -> _Kept:
    """Read the valid part of a file that another thread may write; nothing where it cannot be read."""
    with suppress(OSError, ValueError, RecursionError):
        return parse(json.loads(read_regular(path, MOST_OWN)))[0]
    return parse({})[0]


def write_own(path: Path, content: JsonValue) -> None:
    """Write the file whole or not at all. Raises StorageError."""
    with storage_errors(path):
        make_private_directory(path.parent)
        with replacing(path):
            write_whole(path, f"{json.dumps(content, indent=2)}\n".encode("ascii"))
