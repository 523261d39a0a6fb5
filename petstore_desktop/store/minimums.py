"""minimums-*.json in a connection's folder: the least stock that a person wants. It outlasts a new mirror. Each address
that the connection had has its own: the same number may be another pet there."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import cast

from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.records import INT64_MAX, JsonValue, ServiceId, key_from_text, key_to_text
from petstore_desktop.store.own_file import read_own, valid_own, write_own

_EARLIER = "minimums.json"
"""The file name of earlier versions, without an address."""


def read_minimums(path: Path) -> tuple[Minimums, Path | None]:
    """Read the valid minimums, and the path of a damaged file that was set aside. Blocks. Raises StorageError."""
    with suppress(OSError):
        if not path.exists():
            path.with_name(_EARLIER).rename(path)
    return read_own(path, _minimums, write_minimums)


def valid_minimums(path: Path) -> Minimums:
    """The valid minimums of a file that another thread may write; none where it cannot be read. Blocks."""
    return valid_own(path, _minimums)


def write_minimums(path: Path, minimums: Minimums) -> None:
    """Write the minimums atomically. Blocks. Raises StorageError."""
    write_own(path, {"pets": _written(minimums.pets), "categories": _written(minimums.categories)})


def _written(minimums: Mapping[ServiceId, int]) -> dict[str, JsonValue]:
    return {key_to_text(key): minimums[key] for key in sorted(minimums, key=lambda key: (isinstance(key, str), key))}


def _minimums(stored: object) -> tuple[Minimums, bool]:
    """The valid minimums, and whether all were valid."""
    found = cast("dict[str, object]", stored) if isinstance(stored, dict) else {}
    (pets, all_pets), (categories, all_categories) = (_numbers(found.get(name)) for name in ("pets", "categories"))
    return Minimums(pets, categories), all_pets and all_categories


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
