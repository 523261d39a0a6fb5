"""What is kept of one connection beside the service's records, for the window: ViewsPort. Files are read and written in
threads of their own; what came of it is told in the window's."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from petstore_desktop.domain.errors import ShopError, StorageError
from petstore_desktop.domain.minimums import Minimums
from petstore_desktop.exchange.views_file import read_views, write_views
from petstore_desktop.store.minimums import read_minimums, write_minimums
from petstore_desktop.store.mirror.reader import MirrorReader
from petstore_desktop.ui.base.background import Background

if TYPE_CHECKING:
    from petstore_desktop.domain.records import JsonValue
    from petstore_desktop.ui.context.ports_views import ChangedKeys


class ViewsGlue:
    """To be made in the window's thread. `minimums` and `mirror` are the connection's files."""

    def __init__(self, minimums: Path, mirror: Path, address: str | None = None) -> None:
        self._minimums, self._mirror, self._address = minimums, mirror, address
        self._background = Background()
        self._writing = threading.Lock()
        self._newest = Minimums()

    def read_minimums(self, done: Callable[[Minimums, ShopError | None], None]) -> None:
        """See ViewsPort."""

        def work() -> tuple[Minimums, ShopError | None]:
            try:
                found, aside = read_minimums(self._minimums)
            except StorageError as error:
                return Minimums(), error
            return found, None if aside is None else StorageError("minimums-set-aside", path=str(aside))

        self._background.run(work, lambda told: done(*cast("tuple[Minimums, ShopError | None]", told)))

    def keep_minimums(self, minimums: Minimums, failed: Callable[[ShopError], None]) -> None:
        """See ViewsPort. Of several writers the last to come writes the newest."""
        self._newest = minimums

        def work() -> StorageError | None:
            with self._writing:
                try:
                    write_minimums(self._minimums, self._newest)
                except StorageError as error:
                    return error
            return None

        self._background.run(work, lambda told: failed(told) if isinstance(told, ShopError) else None)

    def changed_since(self, since: float, done: Callable[[ChangedKeys], None]) -> None:
        """See ViewsPort; of a mirror that cannot be read nothing is known to have changed."""

        def work() -> ChangedKeys:
            reader = MirrorReader(self._mirror, self._address)
            try:
                return reader.changed_since(since)
            except StorageError:
                return {}  # the sync thread says what is wrong with it
            finally:
                reader.close()

        self._background.run(work, lambda told: done(cast("ChangedKeys", told)))

    def write_views(self, path: str, views: Sequence[JsonValue], done: Callable[[ShopError | None], None]) -> None:
        """See ViewsPort."""

        def work() -> ShopError | None:
            try:
                write_views(Path(path), views)
            except StorageError as error:
                return error
            return None

        self._background.run(work, lambda told: done(cast("ShopError | None", told)))

    def read_views(self, path: str, done: Callable[[Sequence[JsonValue] | ShopError], None]) -> None:
        """See ViewsPort."""

        def work() -> Sequence[JsonValue] | ShopError:
            try:
                return read_views(Path(path))
            except ShopError as error:
                return error

        self._background.run(work, lambda told: done(cast("Sequence[JsonValue] | ShopError", told)))
