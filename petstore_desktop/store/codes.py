"""codes-*.json in a connection's folder: the bar codes that a person taught, with the pets of each. They outlast a new
mirror. Each address that the connection had has its own: the same number may be another pet there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, cast

from petstore_desktop.data_folder import storage_errors
from petstore_desktop.domain.codes import MOST_CODE, Codes, scanned_code
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import JsonValue, ServiceId, key_from_text, key_to_text
from petstore_desktop.platform_support import write_whole
from petstore_desktop.regular_files import place_to_write, read_start
from petstore_desktop.store.own_file import read_own, write_own

FORMAT: Final = "petstore-desktop codes"
VERSION: Final = 1
MOST_BYTES: Final = 50_000_000
"""No file of codes is larger; what is cut there is none."""


def read_codes(path: Path) -> tuple[Codes, Path | None]:
    """Read the valid codes, and the path of a damaged file that was set aside. Blocks. Raises StorageError."""
    return read_own(path, _codes, write_codes)


def write_codes(path: Path, codes: Codes) -> None:
    """Write the codes atomically. Blocks. Raises StorageError."""
    write_own(path, {"codes": _written(codes)})


def export_codes(path: Path, codes: Codes) -> None:
    """Write the codes to a file for another computer. Blocks. Raises StorageError."""
    content: JsonValue = {"format": FORMAT, "version": VERSION, "codes": _written(codes)}
    with storage_errors(path):
        write_whole(place_to_write(path), f"{json.dumps(content, indent=2)}\n".encode("ascii"))


def import_codes(path: Path) -> Codes:
    """Read the valid codes of such a file. Blocks. Raises StorageError, and BadInput `not-codes` for another file."""
    with storage_errors(path):
        data = read_start(path, MOST_BYTES)
    with suppress(ValueError, RecursionError):
        content = json.loads(data.decode("utf-8-sig"))
        if isinstance(content, dict) and cast("dict[str, object]", content).get("format") == FORMAT:
            return _codes(cast("object", content))[0]
    raise BadInput("not-codes", path=str(path))


def _written(codes: Codes) -> dict[str, JsonValue]:
    return {code: [key_to_text(pet) for pet in codes.pets[code]] for code in sorted(codes.pets)}


def _codes(stored: object) -> tuple[Codes, bool]:
    """The valid codes, and whether all were valid."""
    found = cast("dict[str, object]", stored).get("codes") if isinstance(stored, dict) else None
    if not isinstance(found, dict):
        return Codes(), False
    valid: dict[str, tuple[ServiceId, ...]] = {}
    whole = True
    for code, its in cast("dict[str, object]", found).items():
        pets = tuple(_pets(its)) if _is_code(code) else ()
        whole = whole and bool(pets) and len(pets) == len(cast("list[object]", its))
        if pets:
            valid[code] = pets
    return Codes(valid), whole


def _is_code(code: str) -> bool:
    return 0 < len(code) <= MOST_CODE and code == scanned_code(code)


def _pets(stored: object) -> Iterator[ServiceId]:
    for text in cast("list[object]", stored) if isinstance(stored, list) else ():
        with suppress(ValueError):
            key = key_from_text(text) if isinstance(text, str) else None
            if isinstance(key, ServiceId):
                yield key
