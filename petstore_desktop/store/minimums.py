"""minimums.json in a connection's folder: the least stock that a person wants. It outlasts a new mirror."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.minimums import Minimums
from petstore_desktop.domain.records import INT64_MAX, INT64_MIN
from petstore_desktop.platform_support import make_private_directory, storage_code, write_whole


def read_minimums(path: Path) -> tuple[Minimums, Path | None]:
    """What is kept, and where a file lies now that was damaged and so set aside. Blocks. Raises StorageError."""
    try:
        return _minimums(json.loads(path.read_bytes())), None
    except FileNotFoundError:
        return Minimums(), None
    except OSError as error:
        raise StorageError(storage_code(error), path=str(path), why=error.strerror) from error
    except (ValueError, RecursionError):
        return Minimums(), _set_aside(path)


def write_minimums(path: Path, minimums: Minimums) -> None:
    """Write it whole or not at all. Blocks. Raises StorageError."""
    kept = {
        "pets": {str(key): least for key, least in sorted(minimums.pets.items())},
        "categories": {str(key): least for key, least in sorted(minimums.categories.items())},
    }
    try:
        make_private_directory(path.parent)
        write_whole(path, f"{json.dumps(kept, indent=2)}\n".encode("ascii"))
    except OSError as error:
        raise StorageError(storage_code(error), path=str(path), why=error.strerror) from error


def _minimums(stored: object) -> Minimums:
    """Raises ValueError for what `write_minimums` never writes."""
    if not isinstance(stored, dict):
        raise ValueError("not an object")
    found = cast("dict[str, object]", stored)
    return Minimums(_numbers(found.get("pets")), _numbers(found.get("categories")))


def _numbers(stored: object) -> dict[int, int]:
    if not isinstance(stored, dict):
        raise ValueError("not an object")
    numbers: dict[int, int] = {}
    for key, least in cast("dict[str, object]", stored).items():
        number = int(key)
        if not INT64_MIN <= number <= INT64_MAX or type(least) is not int or not 0 <= least <= INT64_MAX:
            raise ValueError(key)
        numbers[number] = least
    return numbers


def _set_aside(path: Path) -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    try:
        return path.rename(path.with_name(f"{path.name}.damaged-{stamp}"))
    except OSError as error:
        raise StorageError(storage_code(error), path=str(path), why=error.strerror) from error
