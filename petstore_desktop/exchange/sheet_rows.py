"""The rows of one sheet of a workbook, read in one pass that counts what they hold as well."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias
from xml.parsers import expat

from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.sheets import MOST_COLUMNS, SheetCell, SheetRow
from petstore_desktop.exchange.bounded_parts import MAIN, TEXT_COST, WorkbookSize, memory_of, refuse_doctype
from petstore_desktop.exchange.spreadsheet import read_back

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
