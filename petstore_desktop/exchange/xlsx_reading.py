"""Workbooks (XLSX): the values of one sheet. Nothing in them is worked out: of a formula the value is taken that the
spreadsheet left beside it, and macros, links and pictures are not even opened."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.sheets import MOST_ROWS, Sheet, SheetCell, SheetRow, SheetWish
from petstore_desktop.exchange.bounded_parts import BoundedZip
from petstore_desktop.exchange.csv_reading import Progress
from petstore_desktop.exchange.sheet_rows import Meaning, SheetRows

MOST_BYTES: Final = 64 * 1024 * 1024
MOST_UNPACKED: Final = 1024 * 1024 * 1024
"""All parts together, as they will be when they are unpacked; `zipfile` reads no more of a part than it says."""
MOST_TEXTS: Final = 256 * 1024 * 1024
"""The texts, which are all held at once; the rows are not."""
ABOUT: Final = "about"
"""The sheet of our own exports that says how many rows there are."""
_TEXTS: Final = "xl/sharedStrings.xml"
MOST_SAID: Final = 100
"""Rows of what our own exports say."""


def read_xlsx(path: Path, wish: SheetWish, progress: Progress) -> tuple[Sheet, tuple[SheetRow, ...]]:
    """One sheet's rows, and those of the sheet `about` if there is one.

    Raises OSError, BadInput (`file-too-large`, `not-a-workbook`, `too-many-rows`, `too-many-columns`,
    `too-many-cells`).
    """
    if path.stat().st_size > MOST_BYTES:
        raise BadInput("file-too-large", most=MOST_BYTES)
    try:
        _bound(path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl's, about looks that nobody shows here
            return _read(path, wish, progress)
    except BadInput:
        raise
    except Exception as error:  # what a broken workbook raises in openpyxl can be anything
        if not _is_of_file(error):
            raise
        raise BadInput("not-a-workbook", why=str(error)[:200]) from error


def _is_of_file(error: Exception) -> bool:
    """Whether an error is about the file; what ends the reading from outside comes through."""
    if isinstance(error, OSError) and error.errno is not None:  # the disk's; openpyxl's own have no number
        return False
    module = type(error).__module__
    return module.split(".", 1)[0] in ("builtins", "zipfile", "xml", "openpyxl", "zlib", "struct")


def _bound(path: Path) -> None:
    """Look at the list of parts before any of them is unpacked."""
    try:
        with ZipFile(path) as archive:
            sizes = {part.filename: part.file_size for part in archive.infolist()}
    except BadZipFile as error:
        raise BadInput("not-a-workbook", why=str(error)) from error
    if sum(sizes.values()) > MOST_UNPACKED or sizes.get(_TEXTS, 0) > MOST_TEXTS:
        raise BadInput("file-too-large", most=MOST_UNPACKED)


def _read(path: Path, wish: SheetWish, progress: Progress) -> tuple[Sheet, tuple[SheetRow, ...]]:
    from openpyxl.reader.excel import ExcelReader  # late: 139 ms, and only this format needs it

    done = Done(progress)
    with path.open("rb") as file:  # of a path it would look at the name: what a file is, is what is in it
        reader: Any = ExcelReader(file, read_only=True, data_only=True, keep_links=False)
        reader.archive.close()
    with BoundedZip(path, done.again) as parts:
        reader.archive, reader.valid_files = parts, frozenset(parts.namelist())
        reader.read_strings = lambda: _read_texts(reader, parts)
        reader.read_worksheets = lambda: None  # its way to a sheet's size may be through all of it
        reader.read()
        sheets = {sheet.name: str(rel.target) for sheet, rel in reader.parser.find_sheets() if _has_rows(reader, rel)}
        if not sheets:
            raise BadInput("not-a-workbook", why="it has no sheet")
        names = tuple(name for name in sheets if name != ABOUT or len(sheets) == 1)
        name = wish.sheet if wish.sheet in sheets else names[0]
        rows = list(_rows(reader, sheets[name], done))
        about = ABOUT in sheets and name != ABOUT
        said = tuple(islice(_rows(reader, sheets[ABOUT], done), MOST_SAID)) if about else ()
    return Sheet(str(path), rows, sheet=name, sheets=names), said


def _has_rows(reader: Any, rel: Any) -> bool:
    return "chartsheet" not in rel.Type and rel.target in reader.valid_files


class Done:
    """The number of rows read so far. The callback also gets it for each piece of a part, and can stop the reading."""

    def __init__(self, tell: Progress) -> None:
        self._tell = tell
        self.rows = 0

    def again(self) -> None:
        self._tell(self.rows)


def _read_texts(reader: Any, parts: BoundedZip) -> None:
    """The texts by our own reader: openpyxl takes the mark out by which a text like `_x0041_` is told from a sign that
    is written out (ECMA-376 part 1, 22.9.2.19), and the two could not be told apart any more."""
    from openpyxl.xml.constants import SHARED_STRINGS

    named = reader.package.find(SHARED_STRINGS)
    if named is not None:
        reader.shared_strings = parts.texts(named.PartName[1:])


def _rows(reader: Any, part: str, done: Done) -> Iterator[SheetRow]:
    """The rows of a sheet in their order; one that comes again, or too late, is passed over."""
    parts: BoundedZip = reader.archive
    reading = SheetRows(parts.tally, _meanings(reader.wb, reader.shared_strings))
    number = 0
    for data in chain(parts.pieces(part), (b"",)):
        reading.feed(data, not data)
        for place, row in reading.rows:
            if place > MOST_ROWS + 2:  # a header and an end
                raise BadInput("too-many-rows", most=MOST_ROWS)
            if place > number:
                yield from [()] * (place - number - 1)
                number = done.rows = place
                yield row
        reading.rows.clear()


def _meanings(book: Any, texts: Sequence[str]) -> dict[str, Meaning]:
    """What the values of cells mean that hold no text of their own."""
    from openpyxl.utils import datetime as _times

    times: Any = _times
    days, spans = book._date_formats, book._timedelta_formats

    def number(value: str, format_: int) -> SheetCell:
        found = float(value) if "." in value or "E" in value or "e" in value else int(value)
        if format_ not in days:
            return found
        try:
            return _time(times.from_excel(found, book.epoch, timedelta=format_ in spans))
        except (OverflowError, ValueError):
            return "#VALUE!"  # what a spreadsheet shows for it

    return {
        "n": number,
        "s": lambda value, _: texts[int(value)],
        "b": lambda value, _: bool(int(value)),
        "d": lambda value, _: _time(times.from_ISO8601(value)),
    }


def _time(value: object) -> SheetCell:
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day)  # noqa: DTZ001  a spreadsheet's days have no zone
    return value if isinstance(value, datetime) else str(value)
