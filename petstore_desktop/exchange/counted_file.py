"""A file of rows that says at its end how many it holds, and of how many (`AtLeast` where there may be more): one
without that was cut off. It is written piece by piece under a name of its own, and gets the name that was asked for
only when it is whole."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any, Protocol

from petstore_desktop.domain.counts import AtLeast
from petstore_desktop.exchange.whole_file import WholeFile


class RowWriter(Protocol):
    """One format; `rows` may be called often, then `end` or `give_up`, once and last."""

    def rows(self, rows: Iterable[Any]) -> None:
        """Add rows."""
        ...

    def end(self, count: int, total: int) -> None:
        """Say how many they were."""
        ...

    def give_up(self) -> None:
        """No more will be written, also after `end`; mostly nothing but the file is held."""


class CsvWriter(RowWriter):
    """RFC 4180, in UTF-8; `mark`: with the mark (BOM) by which spreadsheets know it. `end`: the last line, with `count`
    and `total` to be filled in."""

    def __init__(self, file: IO[bytes], header: Iterable[str], end: str, *, mark: bool = True) -> None:
        # Half a surrogate pair that a service sent must not end it all.
        self._text = TextIOWrapper(file, "utf-8-sig" if mark else "utf-8", "replace", newline="")
        self._csv = csv.writer(self._text)
        self._csv.writerow(header)
        self._end = end

    def rows(self, rows: Iterable[Iterable[object]]) -> None:
        """Add rows of cells."""
        self._csv.writerows(rows)

    def end(self, count: int, total: int) -> None:
        """Add the last line."""
        self._csv.writerow([self._end.format(count=count, total=total)])
        self._text.flush()


class JsonWriter(RowWriter):
    """One object: after its `head`, which ends with the `[` of the rows, these, then `count`, `of`, and whether that is
    `whole`: all that there are."""

    def __init__(self, file: IO[bytes], head: str) -> None:
        self._file = file
        self._between = ""
        file.write(head.encode("ascii"))

    def rows(self, rows: Iterable[Any]) -> None:
        """Add objects."""
        for row in rows:
            self._file.write(f"{self._between}\n{json.dumps(row)}".encode("ascii"))
            self._between = ","

    def end(self, count: int, total: int) -> None:
        """Close the object."""
        whole = "false" if isinstance(total, AtLeast) else "true"
        self._file.write(f'\n], "count": {count}, "of": {int(total)}, "whole": {whole}}}\n'.encode("ascii"))


class CountedFile:
    """A file that is being written, by one thread at a time. Each method raises StorageError; `write` also what the
    format raises for what it cannot hold."""

    def __init__(self, target: Path, writer: Callable[[IO[bytes]], RowWriter]) -> None:
        self._whole = WholeFile(target)
        self._count = 0
        try:
            with self._whole.told():
                self._writer = writer(self._whole.file)
        except BaseException:
            self._whole.discard()
            raise

    def write(self, rows: Sequence[Any]) -> None:
        """Add rows, in this order."""
        with self._whole.told():
            self._writer.rows(rows)
        self._count += len(rows)

    def finish(self, total: int) -> int:
        """Say how many they were, of `total`, and give the file its name; returns how many."""
        with self._whole.told():
            self._writer.end(self._count, total)
        self._whole.keep()
        return self._count

    def discard(self) -> None:
        """Leave nothing behind; after `finish` it has no effect."""
        try:
            self._writer.give_up()
        finally:
            self._whole.discard()
