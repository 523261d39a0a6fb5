"""Files of rows for the window: they are read and written in threads of their own, and told in the window's."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from petstore_desktop.domain.errors import ShopError
from petstore_desktop.regular_files import named_path
from petstore_desktop.shop.background import Background

if TYPE_CHECKING:
    from petstore_desktop.domain.records import Resource
    from petstore_desktop.domain.sheets import Sheet, SheetOptions
    from petstore_desktop.exchange.records_file import Format, RowsWriting

RowsSink: TypeAlias = "RowsWriting"
"""A file that is being written: who finds out its rows hands them over part by part."""
_TOLD_S: Final = 0.1
"""So often a screen can say something new."""


class _Stopped(Exception):
    """Somebody wants no more of it."""


class RowFiles:
    """Files of one shop's rows. All is asked in the window's thread."""

    def read(
        self, path: str, options: SheetOptions, tell: Callable[[int], None], done: Callable[[Sheet | ShopError], None]
    ) -> Callable[[], None]:
        """Read a file of rows. `tell` hears now and then how many rows are read; `done` gets them all, or why there are
        none. Returns what stops it: then neither is called any more."""
        background = Background()
        reading = _Reading(background, tell)

        def work() -> Sheet | None:
            from petstore_desktop.exchange.reading import read_sheet  # late: few people import

            with suppress(_Stopped):
                return read_sheet(Path(path), options, reading.progress)

        def ended(result: Sheet | ShopError | None) -> None:
            if result is not None and not reading.stopped:
                done(result)

        background.attempt(work, ended)
        return reading.stop

    def write(
        self,
        path: str,
        resource: Resource,
        format_: str,
        total: int,
        *,
        mark: bool,
        others: bool,
        text_ids: Collection[Resource],
        done: Callable[[int | ShopError | None], None],
    ) -> RowsWriting:
        """Begin a file ("csv", "xlsx" or "json") for some of `total` rows; `mark`: with the mark of UTF-8 (CSV);
        `others`: with the fields that the program does not know; `text_ids`: the lists of which ids are texts. `done`
        gets how many rows it holds, why there is no file, or None where it was given up."""
        from petstore_desktop.desk.table.exporting import listed
        from petstore_desktop.exchange.records_file import RowsWriting

        behind = listed(resource)
        writing = RowsWriting(
            Path(path),
            resource,
            cast("Format", format_),
            total,
            mark=mark,
            listed=behind,
            others=others,
            text_ids=text_ids,
        )
        Background().attempt(writing.run, done)
        return writing

    def keep(
        self, path: str, content: bytes, *, over: bool, make_folder: bool, done: Callable[[str | ShopError], None]
    ) -> None:
        """Write a file whole or not at all; one that is there already is written over (`over`), or the new one gets a
        number in its name. `make_folder`: also the folder that it is to be in. `done` gets where it is, or why it is
        not."""

        def work() -> str:
            from petstore_desktop.exchange.whole_file import keep_whole

            return str(keep_whole(named_path(path), content, over=over, make_folder=make_folder))

        Background().attempt(work, done)


class _Reading:
    """One file that is being read."""

    def __init__(self, background: Background, tell: Callable[[int], None]) -> None:
        self._background, self._tell = background, tell
        self._next = monotonic() + _TOLD_S
        self.stopped = False

    def stop(self) -> None:
        """Want no more of it."""
        self.stopped = True

    def progress(self, rows: int) -> None:
        """Reports the number of rows read; called in the reading thread."""
        if self.stopped:
            raise _Stopped
        now = monotonic()
        if now >= self._next:
            self._next = now + _TOLD_S
            self._background.call(lambda: None if self.stopped else self._tell(rows))
