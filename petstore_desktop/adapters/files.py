"""Files of rows for the window: they are read and written in threads of their own, and told in the window's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, cast

from petstore_desktop.domain.errors import ShopError
from petstore_desktop.ui.base.background import Background

if TYPE_CHECKING:
    from petstore_desktop.domain.records import Resource
    from petstore_desktop.domain.sheets import Sheet, SheetWish
    from petstore_desktop.exchange.records_file import Format, RowsWriting

_TOLD_S: Final = 0.1
"""So often a screen can say something new."""

_at_work: set[Background] = set()
"""What posts to the window must be there until the last of it has arrived."""


class _Stopped(Exception):
    """Somebody wants no more of it."""


def _carry_out(work: Callable[[], object], done: Callable[[object], None]) -> None:
    """Work in a thread of its own; `done` gets in the window's what came of it, or the ShopError that it raised."""
    background = Background()
    _at_work.add(background)

    def told() -> object:
        try:
            return work()
        except ShopError as error:
            return error

    def ended(outcome: object) -> None:
        _at_work.discard(background)
        done(outcome)

    background.run(told, ended)


class FilesGlue:
    """FilesPort."""

    def read(
        self, path: str, wish: SheetWish, tell: Callable[[int], None], done: Callable[[Sheet | ShopError], None]
    ) -> Callable[[], None]:
        """Read a file of rows; to be called in the window's thread."""
        background = Background()
        _at_work.add(background)
        reading = _Reading(background, tell)

        def work() -> object:
            from petstore_desktop.exchange.reading import read_sheet  # late: few people import

            try:
                return read_sheet(Path(path), wish, reading.progress)
            except ShopError as error:
                return error
            except _Stopped:
                return None

        def ended(result: object) -> None:
            _at_work.discard(background)
            if not reading.stopped:
                done(cast("Sheet | ShopError", result))

        background.run(work, ended)
        return reading.stop

    def write(
        self,
        path: str,
        resource: Resource,
        format_: str,
        total: int,
        *,
        mark: bool,
        done: Callable[[int | ShopError | None], None],
    ) -> RowsWriting:
        """Begin a file of rows; to be called in the window's thread."""
        from petstore_desktop.exchange.records_file import RowsWriting

        writing = RowsWriting(Path(path), resource, cast("Format", format_), total, mark=mark)
        _carry_out(writing.run, lambda outcome: done(cast("int | ShopError | None", outcome)))
        return writing

    def keep(
        self, path: str, content: bytes, *, over: bool, make_folder: bool, done: Callable[[str | ShopError], None]
    ) -> None:
        """Write a file whole; to be called in the window's thread."""

        def work() -> str:
            from petstore_desktop.exchange.whole_file import keep_whole

            return str(keep_whole(Path(path).expanduser(), content, over=over, make_folder=make_folder))

        _carry_out(work, lambda outcome: done(cast("str | ShopError", outcome)))


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
        """So many rows are read; in the reading thread."""
        if self.stopped:
            raise _Stopped
        now = monotonic()
        if now >= self._next:
            self._next = now + _TOLD_S
            self._background.call(lambda: None if self.stopped else self._tell(rows))
