"""Views in a file: JSON, so that a person can read it and another computer too.

`{"format": "petstore-desktop views", "version": 1, "views": [...]}`; what a view is, its reader knows.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

from petstore_desktop.domain.errors import BadInput, StorageError
from petstore_desktop.domain.records import JsonValue
from petstore_desktop.exchange.whole_file import WholeFile
from petstore_desktop.platform_support import storage_code

FORMAT: Final = "petstore-desktop views"
VERSION: Final = 1
_MOST: Final = 10_000_000
"""Bytes: no file of views is larger."""


def write_views(path: Path, views: Sequence[JsonValue]) -> None:
    """Write the file whole or not at all. Blocks. Raises StorageError."""
    content = {"format": FORMAT, "version": VERSION, "views": [*views]}
    file = WholeFile(path)
    try:
        with file.told():
            file.part.write_text(f"{json.dumps(content, ensure_ascii=False, indent=2)}\n", encoding="utf-8")
            file.keep()
    finally:
        file.discard()


def read_views(path: Path) -> tuple[JsonValue, ...]:
    """What is in the file, as it stands there. Blocks. Raises StorageError, and BadInput `not-views` for a file of
    something else."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST + 1)
    except OSError as error:
        raise StorageError(storage_code(error), path=str(path), why=error.strerror or str(error)) from error
    try:
        content = json.loads(data.decode("utf-8-sig")) if len(data) <= _MOST else None
    except (ValueError, RecursionError):
        content = None
    found = cast("dict[str, JsonValue]", content if isinstance(content, dict) else {})
    views = found.get("views")
    if found.get("format") != FORMAT or not isinstance(views, list):
        raise BadInput("not-views", path=str(path))
    return tuple(views)
