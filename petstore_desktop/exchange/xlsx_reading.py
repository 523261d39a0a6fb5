"""Workbooks (XLSX): the values of one sheet. Nothing in them is worked out: of a formula the value is taken that the
spreadsheet left beside it, and macros, links and pictures are not even opened."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from datetime import date, datetime
from io import SEEK_END
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile

from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.sheets import MOST_COLUMNS, MOST_ROWS, Sheet, SheetCell, SheetOptions, SheetRow
from petstore_desktop.exchange.bounded_parts import MAIN, TEXT_COST, BoundedZip, WorkbookSize, memory_of, refuse_doctype
from petstore_desktop.exchange.csv_reading import Progress
from petstore_desktop.exchange.spreadsheet import read_back
from petstore_desktop.regular_files import open_regular

_ROW: Final = f"{MAIN}row"
_CELL: Final = f"{MAIN}c"
_VALUE: Final = f"{MAIN}v"
_TEXT: Final = f"{MAIN}t"
_SPOKEN: Final = f"{MAIN}rPh"
"""What only helps to pronounce a text."""
_DIGITS: Final = "0123456789"

Meaning: TypeAlias = Callable[[str, int], SheetCell]
"""What a value stands for, with the number of its format."""


class SheetRows:
    """Takes the XML of a sheet in pieces; each row is added to `rows` as it ends, with its number.

    Of a formula the value beside it is taken. `meanings` by kind of cell (ECMA-376 part 1, 18.18.11); other kinds are
    texts.
    """

    def __init__(self, tally: WorkbookSize, meanings: Mapping[str, Meaning]) -> None:
        self.rows: list[tuple[int, SheetRow]] = []
        self._tally = tally
        self._meanings = meanings
        self._row: list[SheetCell] | None = None
        self._number = self._column = self._cells = self._elements = self._held = 0
        self._cell: dict[str, str] = {}
        """The attributes of the cell."""
        self._wanted = ""
        """The element whose text is the cell's."""
        self._heard: list[str] = []
        """Text since the last such element began."""
        self._pieces: list[str] = []
        """The cell's text."""
        self._columns: dict[str, int] = {}
        self._fed = self._since = 0
        """Bytes in all, and up to the end of the last row."""
        names = {name: name for name in (_ROW, _CELL, _VALUE, _TEXT, _SPOKEN)}
        self._parser = expat.ParserCreate(namespace_separator="}", intern=names)
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._heard.append
        self._parser.StartDoctypeDeclHandler = refuse_doctype

    def feed(self, data: bytes, is_last: bool = False) -> None:
        """Parse the next piece. Raises BadInput, and expat's error for invalid XML."""
        self._fed += len(data)
        self._parser.Parse(data, is_last)
        self._tally.at_once(self._fed - self._since, self._elements)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        if name == self._wanted:
            self._heard.clear()
        elif name == _CELL:
            self._cells += 1
            self._cell = attributes
            self._wanted = _TEXT if attributes.get("t") == "inlineStr" else _VALUE
        elif name == _ROW:
            self._begin_row(attributes)
        elif name == _SPOKEN:
            self._wanted = ""

    def _end(self, name: str) -> None:
        if name == self._wanted:
            self._pieces += self._heard
            if name == _VALUE:  # there is one; a text may be in parts
                self._wanted = ""
        elif name == _CELL:
            self._end_cell()
        elif name == _ROW:
            self._end_row()
        elif name == _SPOKEN:
            self._wanted = _TEXT

    def _begin_row(self, attributes: dict[str, str]) -> None:
        if self._row is not None:
            raise BadInput("not-a-workbook", why="a row inside of a row")
        self._number = int(float(attributes["r"])) if "r" in attributes else self._number + 1
        self._row = []
        self._column = self._cells = self._held = 0

    def _end_row(self) -> None:
        row = self._row or []
        self._tally.end_row(self._cells, self._held)
        self._tally.at_once(0, self._elements)
        while row and row[-1] == "" and isinstance(row[-1], str):
            row.pop()
        self.rows.append((self._number, tuple(row)))
        self._row = None
        self._wanted, self._elements = "", 0
        self._heard.clear()
        self._since = self._parser.CurrentByteIndex

    def _end_cell(self) -> None:
        cell, row = self._cell, self._row
        place = cell.get("r")
        self._column = self._column + 1 if place is None else self._column_of(place.rstrip(_DIGITS))
        text = "".join(self._pieces)
        self._pieces.clear()
        if not text or row is None:
            return
        if self._column > MOST_COLUMNS:
            raise BadInput("too-many-columns", most=MOST_COLUMNS)
        meaning = self._meanings.get(cell.get("t", "n"))
        if meaning is None:
            self._held += TEXT_COST + memory_of(text)
        row += [""] * (self._column - len(row))
        row[self._column - 1] = read_back(text) if meaning is None else meaning(text, int(cell.get("s", 0)))

    def _column_of(self, letters: str) -> int:
        """The number of a column, kept; `XFD` is the last that there may be, `ZZZ` the last that is understood."""
        found = self._columns.get(letters)
        if found is None:
            if not 1 <= len(letters) <= 3 or not letters.isascii() or not letters.isalpha():
                raise BadInput("not-a-workbook", why=f"there is no cell {letters[:20]}")
            found = 0
            for letter in letters.upper():
                found = found * 26 + ord(letter) - 64
            self._columns[letters] = found
        return found


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


def read_xlsx(path: Path, options: SheetOptions, progress: Progress) -> tuple[Sheet, tuple[SheetRow, ...]]:
    """One sheet's rows, and those of the sheet `about` if there is one.

    Raises OSError, BadInput (`file-too-large`, `not-a-workbook`, `too-many-rows`, `too-many-columns`,
    `too-many-cells`).
    """
    with open_regular(path) as file:
        if file.seek(0, SEEK_END) > MOST_BYTES:
            raise BadInput("file-too-large", most=MOST_BYTES)
        return _sheet_of(path, file, options, progress)


def _sheet_of(
    path: Path, file: BinaryIO, options: SheetOptions, progress: Progress
) -> tuple[Sheet, tuple[SheetRow, ...]]:
    try:
        _bound(file)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl's, about looks that nobody shows here
            return _read(path, file, options, progress)
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


def _bound(file: BinaryIO) -> None:
    """Look at the list of parts before any of them is unpacked."""
    try:
        with ZipFile(file) as archive:
            sizes = {part.filename: part.file_size for part in archive.infolist()}
    except BadZipFile as error:
        raise BadInput("not-a-workbook", why=str(error)) from error
    if sum(sizes.values()) > MOST_UNPACKED or sizes.get(_TEXTS, 0) > MOST_TEXTS:
        raise BadInput("file-too-large", most=MOST_UNPACKED)


def _read(path: Path, file: BinaryIO, options: SheetOptions, progress: Progress) -> tuple[Sheet, tuple[SheetRow, ...]]:
    from openpyxl.reader.excel import ExcelReader  # late: 139 ms, and only this format needs it

    done = Done(progress)
    # Of a path it would look at the name: what a file is, is what is in it.
    reader: Any = ExcelReader(file, read_only=True, data_only=True, keep_links=False)
    reader.archive.close()
    with BoundedZip(file, done.again) as parts:
        reader.archive, reader.valid_files = parts, frozenset(parts.namelist())
        reader.read_manifest()
        reader.read_workbook()
        meanings = _meanings(reader.wb.epoch, _times(parts), _texts(reader, parts))
        sheets = {sheet.name: str(rel.target) for sheet, rel in reader.parser.find_sheets() if _has_rows(reader, rel)}
        if not sheets:
            raise BadInput("not-a-workbook", why="it has no sheet")
        names = tuple(name for name in sheets if name != ABOUT or len(sheets) == 1)
        name = options.sheet if options.sheet in sheets else names[0]
        rows = list(_rows(parts, sheets[name], meanings, done))
        about = ABOUT in sheets and name != ABOUT
        said = tuple(islice(_rows(parts, sheets[ABOUT], meanings, done), MOST_SAID)) if about else ()
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


def _texts(reader: Any, parts: BoundedZip) -> Sequence[str]:
    """The texts by our own reader: openpyxl takes the mark out by which a text like `_x0041_` is told from a sign that
    is written out (ECMA-376 part 1, 22.9.2.19), and the two could not be told apart any more."""
    from openpyxl.xml.constants import SHARED_STRINGS

    named = reader.package.find(SHARED_STRINGS)
    return () if named is None else parts.texts(named.PartName[1:])


def _times(parts: BoundedZip) -> tuple[Container[int], Container[int]]:
    """The numbers of the formats that show a moment or a length of time, and of those that show a length."""
    from openpyxl.styles.stylesheet import Stylesheet
    from openpyxl.xml.constants import ARC_STYLE
    from openpyxl.xml.functions import fromstring

    if ARC_STYLE not in parts.namelist():
        return (), ()
    sheet: Any = Stylesheet
    styles = sheet.from_tree(fromstring(parts.read(ARC_STYLE)))
    return styles.date_formats, styles.timedelta_formats


def _rows(parts: BoundedZip, part: str, meanings: Mapping[str, Meaning], done: Done) -> Iterator[SheetRow]:
    """The rows of a sheet in their order; one that comes again, or too late, is passed over."""
    reading = SheetRows(parts.tally, meanings)
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


def _meanings(
    epoch: datetime, formats: tuple[Container[int], Container[int]], texts: Sequence[str]
) -> dict[str, Meaning]:
    """What the values of cells mean that hold no text of their own."""
    from openpyxl.utils import datetime as conversions

    times: Any = conversions
    days, spans = formats

    def number(value: str, format_: int) -> SheetCell:
        found = float(value) if "." in value or "E" in value or "e" in value else int(value)
        if format_ not in days:
            return found
        try:
            return _time(times.from_excel(found, epoch, timedelta=format_ in spans))
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
