"""CSV files as other programs write them: the separator is found out by which one makes columns."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.sheets import MOST_COLUMNS, MOST_ROWS, SEPARATORS, Sheet, SheetRow, SheetWish
from petstore_desktop.exchange.encodings import decoded, encoding_of
from petstore_desktop.exchange.no_table import refuse_zeros

MOST_BYTES: Final = 128 * 1024 * 1024
_SAMPLE_ROWS: Final = 200
_SAMPLE_SIGNS: Final = 200_000
_TOLD_EVERY: Final = 1_000

Progress = Callable[[int], None]
"""Told how many rows are read; may raise what ends it."""


def read_csv(path: Path, wish: SheetWish, progress: Progress) -> Sheet:
    """All rows of a text file. Raises OSError, BadInput (`file-too-large`, `not-in-encoding`, `too-many-rows`,
    `too-many-columns`, `cell-too-long`, `not-a-table`)."""
    if path.stat().st_size > MOST_BYTES:
        raise BadInput("file-too-large", most=MOST_BYTES)
    data = path.read_bytes()
    encoding = wish.encoding or encoding_of(data)
    refuse_zeros(data, encoding)
    text = decoded(data, encoding)
    del data
    named = _named_separator(text)
    separator = wish.separator or named or separator_of(text)
    rows: list[SheetRow] = []
    if named:  # Excel's first line `sep=;` is no row, but it has a number
        rows.append(())
        text = text.partition("\n")[2]
    for row in _records(text, separator):
        if len(row) > MOST_COLUMNS:
            raise BadInput("too-many-columns", most=MOST_COLUMNS)
        rows.append(tuple(row) if any(row) else ())
        if len(rows) > MOST_ROWS + 2:  # a header and an end
            raise BadInput("too-many-rows", most=MOST_ROWS)
        if len(rows) % _TOLD_EVERY == 0:
            progress(len(rows))
    return Sheet(str(path), rows, encoding, separator)


def _records(text: str, separator: str) -> Iterable[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        yield from reader
    except csv.Error as error:  # the one that a text can cause: a cell beyond csv's own limit
        raise BadInput("cell-too-long", row=reader.line_num) from error


def _named_separator(text: str) -> str:
    line = text[:20].partition("\n")[0].strip("\r\"' ").lower()
    mark = line.removeprefix("sep=")
    return mark if line.startswith("sep=") and mark in SEPARATORS else ""


def separator_of(text: str) -> str:
    """The separator that gives most rows the same number of columns, more than one; a comma where none does."""
    sample = text[:_SAMPLE_SIGNS]
    scores = [(_score(sample, separator, len(sample) < len(text)), separator) for separator in SEPARATORS]
    best = max(scores, key=lambda pair: pair[0])
    return best[1] if best[0][0] else SEPARATORS[0]


def _score(sample: str, separator: str, cut: bool) -> tuple[float, int]:
    counts: list[int] = []
    try:
        for row in csv.reader(io.StringIO(sample, newline=""), delimiter=separator):
            if any(row):
                counts.append(len(row))
            if len(counts) > _SAMPLE_ROWS:
                break
    except csv.Error:
        return 0.0, 0
    if cut and len(counts) > 1:
        counts.pop()  # it may be half a row
    common = Counter(count for count in counts if count > 1).most_common(1)
    return (common[0][1] / len(counts), common[0][0]) if common else (0.0, 0)
