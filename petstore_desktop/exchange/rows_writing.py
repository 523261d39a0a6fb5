"""A file of records that one thread writes while another one still finds out the rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue

from petstore_desktop.domain.records import Resource
from petstore_desktop.exchange.records_file import Format, RecordsFile
from petstore_desktop.exchange.records_table import Cell

AHEAD = 16
"""So many parts may wait to be written; who makes them should rest meanwhile."""


class RowsWriting:
    """`put` and `end` (or `give_up`) never wait, and are one thread's; `run` is another's. `total`: of how many rows
    the file is a part."""

    def __init__(self, target: Path, resource: Resource, format_: Format, total: int, *, mark: bool) -> None:
        self._open = lambda: RecordsFile(target, resource, format_, mark=mark, listed=True)
        self._total = total
        self._parts: SimpleQueue[Sequence[Sequence[Cell]] | None] = SimpleQueue()
        self._given_up = False

    @property
    def is_full(self) -> bool:
        """Whether more waits to be written than is worth it."""
        return self._parts.qsize() >= AHEAD

    def put(self, rows: Sequence[Sequence[Cell]]) -> None:
        """These rows come next."""
        self._parts.put(rows)

    def end(self) -> None:
        """That is all."""
        self._parts.put(None)

    def give_up(self) -> None:
        """No file is wanted any more, even if all its rows have been put."""
        self._given_up = True
        self._parts.put(None)

    def run(self) -> int | None:
        """Write until the end; how many rows the file holds, None where it was given up. Raises StorageError, and
        BadInput for what a sheet cannot hold."""
        file = self._open()
        try:
            while (rows := self._parts.get()) is not None and not self._given_up:
                file.write(rows)
            return None if self._given_up else file.finish(self._total)
        finally:
            file.discard()
