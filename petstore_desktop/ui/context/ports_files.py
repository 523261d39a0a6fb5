"""What the window asks about files of rows: to write what a list shows, and to read what shall be brought in.

None of these methods blocks; callbacks come in the GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from petstore_desktop.desk.table.exporting import Cell
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.domain.records import Resource
    from petstore_desktop.domain.sheets import Sheet, SheetOptions


class RowsSink(Protocol):
    """A file that is being written: who finds out its rows hands them over part by part."""

    @property
    def is_full(self) -> bool:
        """Whether more waits to be written than is worth it."""
        ...

    def put(self, rows: Sequence[Sequence[Cell]]) -> None:
        """These rows come next."""
        ...

    def end(self) -> None:
        """That is all."""
        ...

    def give_up(self) -> None:
        """No file is wanted any more."""
        ...


class FilesPort(Protocol):
    """Files of one shop's rows."""

    def read(
        self, path: str, options: SheetOptions, tell: Callable[[int], None], done: Callable[[Sheet | ShopError], None]
    ) -> Callable[[], None]:
        """Read a file of rows. `tell` hears now and then how many rows are read; `done` gets them all, or why there are
        none. Returns what stops it: then neither is called any more."""
        ...

    def write(
        self,
        path: str,
        resource: Resource,
        format_: str,
        total: int,
        *,
        mark: bool,
        others: bool,
        done: Callable[[int | ShopError | None], None],
    ) -> RowsSink:
        """Begin a file ("csv", "xlsx" or "json") for some of `total` rows; `mark`: with the mark of UTF-8 (CSV);
        `others`: with the fields that the program does not know. `done` gets how many rows it holds, why there is no
        file, or None where it was given up."""
        ...

    def keep(
        self, path: str, content: bytes, *, over: bool, make_folder: bool, done: Callable[[str | ShopError], None]
    ) -> None:
        """Write a file whole or not at all; one that is there already is written over (`over`), or the new one gets a
        number in its name. `make_folder`: also the folder that it is to be in. `done` gets where it is, or why it is
        not."""
        ...
