"""minimums-*.json in a connection's folder: the least stock that a person wants, and up to which it is ordered. It
outlasts a new mirror. Each address that the connection had has its own: the same number may be another pet there."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import cast

from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.records import INT64_MAX, JsonValue, ServiceId, key_from_text, key_to_text
from petstore_desktop.held_files import move
from petstore_desktop.store.own_file import read_own, valid_own, write_own

_EARLIER = "minimums.json"
"""The file name of earlier versions, without an address."""
_NEEDED = ("pets", "categories")
_LATER = ("pets_up_to", "categories_up_to")
"""What files of earlier versions do not have."""


def read_minimums(path: Path) -> tuple[Minimums, Path | None]:
    """Read the valid minimums, and the path of a damaged file that was set aside. Blocks. Raises StorageError."""
    with suppress(OSError):
        if not path.exists():
            move(path.with_name(_EARLIER), path)
    return read_own(path, _minimums, write_minimums)


def valid_minimums(path: Path) -> Minimums:
    """The valid minimums of a file that another thread may write; none where it cannot be read. Blocks."""
    return valid_own(path, _minimums)


def write_minimums(path: Path, minimums: Minimums) -> None:
    """Write the minimums atomically. Blocks. Raises StorageError."""
    write_own(path, {name: _written(getattr(minimums, name)) for name in (*_NEEDED, *_LATER)})


def _written(minimums: Mapping[ServiceId, int]) -> dict[str, JsonValue]:
    return {key_to_text(key): minimums[key] for key in sorted(minimums, key=lambda key: (isinstance(key, str), key))}


def _minimums(stored: object) -> tuple[Minimums, bool]:
    """The valid minimums, and whether all were valid."""
    found = cast("dict[str, object]", stored) if isinstance(stored, dict) else {}
    parts = [_numbers(found.get(name)) for name in _NEEDED] + [_numbers(found.get(name, {})) for name in _LATER]
    return Minimums(*(levels for levels, _ in parts)), all(valid for _, valid in parts)


def _numbers(stored: object) -> tuple[dict[ServiceId, int], bool]:
    if not isinstance(stored, dict):
        return {}, False
    numbers: dict[ServiceId, int] = {}
    for key, least in cast("dict[str, object]", stored).items():
        with suppress(ValueError):
            number = key_from_text(key)
            if isinstance(number, ServiceId) and type(least) is int and 0 <= least <= INT64_MAX:
                numbers[number] = least
    return numbers, len(numbers) == len(cast("dict[str, object]", stored))
