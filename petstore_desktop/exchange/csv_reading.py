"""CSV files as other programs write them: the separator is found out by which one makes columns, the encoding
by its mark, else by what the bytes can be."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from io import SEEK_END
from itertools import chain
from pathlib import Path
from sys import getsizeof
from typing import BinaryIO, Final, TextIO

from msgspec.structs import replace

from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.sheets import (
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_HELD,
    MOST_ROWS,
    Sheet,
    SheetOptions,
    SheetRow,
)
from petstore_desktop.exchange.file_signatures import refuse_zeros
from petstore_desktop.regular_files import open_regular

SEPARATORS: Final = (",", ";", "\t", "|")
"""What may stand between the columns of a CSV file."""
MOST_BYTES: Final = 128 * 1024 * 1024
MOST_SIGNS: Final = 8 * 1024 * 1024
"""Of one row."""
_SAMPLE_ROWS: Final = 200
_SAMPLE_SIGNS: Final = 200_000
_TOLD_EVERY: Final = 1_000

Progress = Callable[[int], None]
"""Told how many rows are read; may raise what ends it."""


def read_csv(path: Path, options: SheetOptions, progress: Progress) -> Sheet:
    """All rows of a text file. Raises OSError, BadInput (`file-too-large`, `not-in-encoding`, `too-many-rows`,
    `too-many-columns`, `too-many-cells`, `cell-not-closed`, `not-a-table`)."""
    with open_regular(path) as content:
        if content.seek(0, SEEK_END) > MOST_BYTES:
            raise BadInput("file-too-large", most=MOST_BYTES)
        return _sheet_of(path, content, options, progress)


def _sheet_of(path: Path, content: BinaryIO, options: SheetOptions, progress: Progress) -> Sheet:
    content.seek(0)
    encoding = _encoding(content.read(), options.encoding)
    content.seek(0)
    try:
        # Piece by piece: as one text it would take up to four times as many bytes.
        with io.TextIOWrapper(content, encoding, newline="") as file:
            sheet = _read(path, file, encoding, options.separator, progress)
    except (ValueError, LookupError) as error:  # no such encoding, or one that these bytes are not in
        raise BadInput("not-in-encoding", encoding=encoding) from error
    guessed = not options.encoding and encoding in _GUESSES
    return replace(sheet, guessed=guessed and not all(map(is_western, map(str, chain.from_iterable(sheet.rows)))))


def _encoding(data: bytes, chosen: str) -> str:
    encoding = chosen or encoding_of(data)
    refuse_zeros(data, encoding)
    return encoding


def _read(path: Path, file: TextIO, encoding: str, chosen: str, progress: Progress) -> Sheet:
    sample = file.read(_SAMPLE_SIGNS)
    named = _named_separator(sample.removeprefix("\ufeff"))
    separator = chosen or named or separator_of(sample.removeprefix("\ufeff"), cut=len(sample) == _SAMPLE_SIGNS)
    file.seek(0)
    file.read(sample.startswith("\ufeff"))
    rows: list[SheetRow] = []
    if named:  # Excel's first line `sep=;` is no row, but it has a number
        rows.append(())
        file.readline()
    cells = held = 0
    for row in _records(file, separator, len(rows)):
        if len(row) > MOST_COLUMNS:
            raise BadInput("too-many-columns", most=MOST_COLUMNS)
        rows.append(tuple(row) if any(row) else ())
        cells += len(rows[-1])
        held += sum(map(getsizeof, rows[-1]))
        _bound(len(rows), cells, held + 8 * cells)
        if len(rows) % _TOLD_EVERY == 0:
            progress(len(rows))
    return Sheet(str(path), rows, encoding, separator, SEPARATORS)


def _bound(rows: int, cells: int, held: int) -> None:
    if rows > MOST_ROWS + 2:  # a header and an end
        raise BadInput("too-many-rows", most=MOST_ROWS)
    if cells > MOST_CELLS:
        raise BadInput("too-many-cells", most=MOST_CELLS)
    if held > MOST_HELD:
        raise BadInput("file-too-large", most=MOST_HELD)


def _records(file: TextIO, separator: str, before: int) -> Iterable[list[str]]:
    """The rows; `before`: lines of the file that were read already. One that goes on after its first line, or has no
    end, has to be exact: only so is it certain that a quotation mark is missing nowhere, and no other rows are in its
    cells."""
    lines = _Lines(file, separator, before)
    try:
        for row in csv.reader(lines, delimiter=separator):
            if lines.goes_on:
                list(csv.reader(lines.record, delimiter=separator, strict=True))
            lines.begin()
            yield row
    except csv.Error as error:  # a cell beyond csv's own limit, or one that is not closed
        raise BadInput("cell-not-closed", line=lines.first) from error


class _Lines:
    """The lines of a file. `record`: those of the row that they make, which begins at the line `first` of the file;
    `goes_on`: whether it was not at its end with the first of them."""

    def __init__(self, file: TextIO, separator: str, before: int) -> None:
        self._file = file
        self._separator = separator
        self.first = before + 1
        self.record: list[str] = []
        self.goes_on = False
        self._signs = 0

    def begin(self) -> None:
        """The next line is the first of a row."""
        self.first += len(self.record)
        self.record = []
        self.goes_on = False
        self._signs = 0

    def __iter__(self) -> Iterator[str]:
        while line := self._next():
            self.record.append(line)
            self._signs += len(line)
            if self._signs >= MOST_SIGNS:
                if line.count(self._separator) >= MOST_COLUMNS:
                    raise BadInput("too-many-columns", most=MOST_COLUMNS)
                raise BadInput("cell-not-closed", line=self.first)
            yield line

    def _next(self) -> str:
        self.goes_on = bool(self.record)
        return self._file.readline(MOST_SIGNS)


def _named_separator(text: str) -> str:
    line = text[:20].partition("\n")[0].strip("\r\"' ").lower()
    mark = line.removeprefix("sep=")
    return mark if line.startswith("sep=") and mark in SEPARATORS else ""


def separator_of(sample: str, *, cut: bool) -> str:
    """The separator that gives most rows the same number of columns, more than one; a comma where none does. `cut`: the
    last row may be half of one."""
    scores = [(_score(sample, separator, cut), separator) for separator in SEPARATORS]
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


_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_GUESSES: Final = ("windows-1252", "iso-8859-1")
"""What a file may be in that is neither marked nor UTF-8; so may be twenty others."""
_SAMPLE: Final = 65_536
_ZEROS: Final = 0.2
"""Of UTF-16 text that is mostly Latin every second byte is zero; of other scripts at least separators, digits are."""


def encoding_of(data: bytes) -> str:
    """The encoding that these bytes are most likely in: a mark, UTF-16 by its zeros, UTF-8 where all of it is that,
    else Windows-1252, or Latin-1 where that has no sign for a byte."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    wide = _wide(data[:_SAMPLE])
    if wide:
        return wide
    return next((encoding for encoding in ("utf-8", *_GUESSES[:-1]) if _fits(data, encoding)), _GUESSES[-1])


_WESTERN: Final = frozenset("àáâãäåæçèéêëìíîïñòóôõöøùúûüßœÀÁÂÃÄÅÆÇÈÉÊËÍÎÏÑÒÓÔÖØÚÜŒ’‘“”„«»–—…°€£§®™")
_SIDE_BY_SIDE: Final = frozenset(("äß", "öß", "üß", "ßä", "ßü", "çã", "çõ"))
_NONE_OF_ASCII: Final = re.compile(r"[^\W\d_a-zA-Z]{2}|[^\x00-\x7f]")


def is_western(text: str) -> bool:
    """Whether a text reads as one in a language of Western Europe: each foreign sign is one of theirs, and hardly two
    such letters stand side by side. Texts in other encodings that are read so hardly ever do."""
    return text.isascii() or (_WESTERN | _SIDE_BY_SIDE).issuperset(_NONE_OF_ASCII.findall(text))


def _fits(data: bytes, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for begin in range(0, len(data), _SAMPLE):  # piece by piece: as a text it may be four times as long
            decoder.decode(data[begin : begin + _SAMPLE])
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        return False
    return True


def _wide(sample: bytes) -> str:
    """UTF-16 without a mark: zeros at one of every two bytes, and hardly any at the other."""
    half = len(sample) // 2
    if not half:
        return ""
    first, second = sample[0::2].count(0) / half, sample[1::2].count(0) / half
    if second > _ZEROS and first < second / 4:
        return "utf-16-le"
    return "utf-16-be" if first > _ZEROS and second < first / 4 else ""
