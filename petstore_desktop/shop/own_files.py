"""What is kept beside the service's records: minimum stock, taught bar codes, what Undo takes of both, what changed
today, and files of views.
Files are read and written in threads of their own; what came of it is told in the window's, with a StorageError where a
file cannot be read.

Views in a file are JSON, so that a person can read it and another computer too: `{"format": "petstore-desktop views",
"version": 1, "views": [...]}`; what a view is, its reader knows.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar, cast

from petstore_desktop.data_folder import storage_errors
from petstore_desktop.domain.codes import Codes
from petstore_desktop.domain.errors import BadInput, ShopError, StorageError
from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.own_acts import OwnActs
from petstore_desktop.domain.records import JsonValue
from petstore_desktop.exchange.whole_file import WholeFile
from petstore_desktop.regular_files import read_start
from petstore_desktop.shop.background import Background
from petstore_desktop.store.codes import export_codes, import_codes, read_codes, write_codes
from petstore_desktop.store.minimums import read_minimums, write_minimums
from petstore_desktop.store.mirror.reader import MirrorReader
from petstore_desktop.store.own_acts import read_acts, write_acts

if TYPE_CHECKING:
    from petstore_desktop.domain.records import Key, Resource

ChangedKeys: TypeAlias = "Mapping[Resource, frozenset[Key]]"
_Kept = TypeVar("_Kept")


class _OwnFile(Generic[_Kept]):
    """A file of the connection that only this computer has. `aside`: the message when a damaged one was set aside."""

    def __init__(
        self,
        path: Path,
        read: Callable[[Path], tuple[_Kept, Path | None]],
        write: Callable[[Path, _Kept], None],
        nothing: _Kept,
        aside: str,
    ) -> None:
        self._path, self._read, self._write, self._aside = path, read, write, aside
        self._nothing = self._newest = nothing
        self._writing = threading.Lock()

    def read(self) -> tuple[_Kept, ShopError | None]:
        """Read it. Blocks."""
        try:
            found, aside = self._read(self._path)
        except StorageError as error:
            return self._nothing, error
        return found, None if aside is None else StorageError(self._aside, path=str(aside))

    def keeping(self, newest: _Kept) -> Callable[[], None]:
        """What writes this, or what came since, in another thread. Raises StorageError there."""
        self._newest = newest

        def work() -> None:
            with self._writing:
                self._write(self._path, self._newest)

        return work


def _tell(done: Callable[[_Kept, ShopError | None], None], told: tuple[_Kept, ShopError | None]) -> None:
    done(*told)


class OwnFiles:
    """Those of one connection; `minimums`, `codes`, `acts` and `mirror` are its files. To be made in the window's
    thread."""

    def __init__(self, minimums: Path, codes: Path, acts: Path, mirror: Path, address: str | None = None) -> None:
        self._mirror, self._address = mirror, address
        self._background = Background()
        self._minimums = _OwnFile(minimums, read_minimums, write_minimums, Minimums(), "minimums-set-aside")
        self._codes = _OwnFile(codes, read_codes, write_codes, Codes(), "codes-set-aside")
        self._acts = _OwnFile(acts, read_acts, write_acts, OwnActs(), "damaged")

    def read_minimums(self, done: Callable[[Minimums, ShopError | None], None]) -> None:
        """Read the stored minimums; with an error if some are missing or a damaged file was set aside."""
        self._background.run(self._minimums.read, partial(_tell, done))

    def keep_minimums(self, minimums: Minimums, failed: Callable[[ShopError], None]) -> None:
        """Keep these in the place of all before; the last ones win."""
        self._background.attempt(self._minimums.keeping(minimums), lambda told: None if told is None else failed(told))

    def read_codes(self, done: Callable[[Codes, ShopError | None], None]) -> None:
        """Read the stored codes; with an error if some are missing or a damaged file was set aside."""
        self._background.run(self._codes.read, partial(_tell, done))

    def keep_codes(self, codes: Codes, failed: Callable[[ShopError], None]) -> None:
        """Keep these in the place of all before; the last ones win."""
        self._background.attempt(self._codes.keeping(codes), lambda told: None if told is None else failed(told))

    def read_acts(self, done: Callable[[OwnActs, ShopError | None], None]) -> None:
        """Read what earlier runs did that Undo takes, or an error, as above."""
        self._background.run(self._acts.read, partial(_tell, done))

    def keep_acts(self, acts: OwnActs) -> None:
        """Keep these in the place of all before. Where the disk takes none, Undo knows less after a restart."""
        self._background.attempt(self._acts.keeping(acts), lambda _: None)

    def export_codes(self, path: str, codes: Codes, done: Callable[[ShopError | None], None]) -> None:
        """Write codes to a file for another computer."""
        self._background.attempt(lambda: export_codes(Path(path), codes), done)

    def import_codes(self, path: str, done: Callable[[Codes | ShopError], None]) -> None:
        """Read a file that `export_codes` wrote, here or elsewhere."""
        self._background.attempt(lambda: import_codes(Path(path)), done)

    def changed_since(self, since: float, done: Callable[[ChangedKeys], None]) -> None:
        """Which records are new or look otherwise since then (UTC epoch seconds, a full quarter of an hour), whoever
        changed them; what the service was not yet asked for is not in it."""

        def work() -> ChangedKeys:
            # Of one that cannot be read the sync thread says what is wrong with it.
            with suppress(StorageError), closing(MirrorReader(self._mirror, self._address)) as reader:
                return reader.changed_since(since)
            return {}

        self._background.run(work, done)

    def write_views(self, path: str, views: Sequence[JsonValue], done: Callable[[ShopError | None], None]) -> None:
        """Write views to a file."""
        self._background.attempt(lambda: write_views(Path(path), views), done)

    def read_views(self, path: str, done: Callable[[Sequence[JsonValue] | ShopError], None]) -> None:
        """Read a file that `write_views` wrote, here or elsewhere."""
        self._background.attempt(lambda: read_views(Path(path)), done)


FORMAT: Final = "petstore-desktop views"
VERSION: Final = 1
_MOST: Final = 10_000_000
"""Bytes: no file of views is larger."""


def write_views(path: Path, views: Sequence[JsonValue]) -> None:
    """Write the file whole or not at all. Blocks. Raises StorageError."""
    content = {"format": FORMAT, "version": VERSION, "views": [*views]}
    file = WholeFile(path)
    try:
        file.file.write(f"{json.dumps(content, ensure_ascii=False, indent=2)}\n".encode())
        file.keep()
    finally:
        file.discard()


def read_views(path: Path) -> tuple[JsonValue, ...]:
    """Read the views in a file, unchecked. Blocks. Raises StorageError, and BadInput `not-views` for another kind of
    file."""
    with storage_errors(path):
        data = read_start(path, _MOST + 1)
    try:
        content = json.loads(data.decode("utf-8-sig")) if len(data) <= _MOST else None
    except (ValueError, RecursionError):
        content = None
    found = cast("dict[str, JsonValue]", content if isinstance(content, dict) else {})
    views = found.get("views")
    if found.get("format") != FORMAT or not isinstance(views, list):
        raise BadInput("not-views", path=str(path))
    return tuple(views)
