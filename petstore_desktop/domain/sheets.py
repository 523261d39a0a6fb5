"""Rows as a file holds them, before its columns are mapped to fields."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, TypeAlias

from msgspec import Struct

from petstore_desktop.domain.records import Resource

SheetCell: TypeAlias = str | int | float | bool | datetime
"""One cell. A text file has texts only; a workbook numbers, truth values and times too. Empty is an empty text."""

SheetRow: TypeAlias = tuple[SheetCell, ...]

ENCODINGS: Final = (
    "utf-8", "utf-16-le", "utf-16-be", "windows-1252", "iso-8859-1", "iso-8859-15", "windows-1250", "windows-1251",
    "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "cp874", "shift_jis", "gb18030",
    "euc_kr", "big5", "mac_roman",
)  # fmt: skip
"""The encodings of text files that a person may choose from."""
MOST_ROWS: Final = 200_000
MOST_COLUMNS: Final = 256
"""The most rows read from one file; a longer file is refused with a message."""
MOST_CELLS: Final = 3_000_000
MOST_HELD: Final = 352 * 1024 * 1024
"""The most cells, and the most bytes of memory for their contents: all rows are held at once."""


class SheetOptions(Struct, frozen=True):
    """How a file is to be read, where a person said so; empty is found out."""

    encoding: str = ""
    separator: str = ""
    sheet: str = ""


class Sheet(Struct, frozen=True):
    """The rows of one file, or of one sheet of it.

    `rows`: every row in the file's order, so that a row's number is its place plus one; rows of nothing are empty, and
    lines that only say how many rows there are, are taken out in the same way. `encoding` and `separator`, one of the
    `separators` that there are, as they were found or chosen; empty of a workbook, which has `sheets`, of which `sheet`
    is this one. `own`: what an export of ours says that it holds, `count` rows of it; `disarmed`: its texts were made
    harmless for spreadsheets (`exchange.spreadsheet`); `guessed`: its characters can be read in several encodings;
    `content`: a digest of the rows.
    """

    path: str
    rows: Sequence[SheetRow]
    encoding: str = ""
    separator: str = ""
    separators: tuple[str, ...] = ()
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    own: Resource | None = None
    count: int | None = None
    disarmed: bool = False
    guessed: bool = False
    content: str = ""
