"""Reads the parts of a workbook with bounds: each piece is counted before it is used, so that no part can fill memory
or run for ever."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO, Any, BinaryIO, Final, Literal, Self, cast
from xml.parsers import expat
from zipfile import ZipFile, ZipInfo

from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.sheets import MOST_CELLS, MOST_COLUMNS, MOST_HELD, MOST_ROWS
from petstore_desktop.exchange.spreadsheet import read_back

MOST_READ: Final = 400 * 1024 * 1024
"""Bytes that are unpacked in all. A part may be read more than once, and counts each time."""
MOST_AT_ONCE: Final = 8 * 1024 * 1024
MOST_ELEMENTS: Final = 150_000
"""Bytes and elements that are in memory together: of a row with its cells, of a text, and of a part that is read whole.
A workbook may have 65,490 formats of cells, each with an alignment."""
MOST_OF_OTHERS: Final = 20_000
"""Elements of a part that is neither a sheet nor texts nor formats: of the list of sheets, and what it names."""
MOST_BEYOND: Final = 1_000_000
"""Cells beyond the last column that is read; whole rows may be painted."""
MOST_SHARED: Final = 1_000_000
"""Texts that cells share."""
_PIECE: Final = 64 * 1024
MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_FORMATS: Final = f"{MAIN}styleSheet"
NUMBER_COST: Final = 40
"""Bytes of memory for a cell with a number in it, and for where it is."""
TEXT_COST: Final = 64
"""Bytes for a text without its letters."""

Told = Callable[[], None]
"""Called for each piece; may raise what ends the reading."""


class WorkbookSize:
    """What all parts of one workbook have come to."""

    def __init__(self) -> None:
        self.read = self.rows = self.cells = self.beyond = self.held = 0

    def unpacked(self, count: int) -> None:
        """Count these bytes."""
        self.read += count
        if self.read > MOST_READ:
            raise BadInput("file-too-large", most=MOST_READ)

    def hold(self, count: int) -> None:
        """Count these bytes of memory, which stay in use until the end."""
        self.held += count
        if self.held > MOST_HELD:
            raise BadInput("file-too-large", most=MOST_HELD)

    def at_once(self, count: int, elements: int) -> None:
        """Set how many bytes and elements are in memory together now."""
        if count > MOST_AT_ONCE + _PIECE:
            raise BadInput("file-too-large", most=MOST_AT_ONCE)
        if elements > MOST_ELEMENTS:
            raise BadInput("file-too-large", most=MOST_ELEMENTS)

    def end_row(self, cells: int, texts: int) -> None:
        """Count one row with its cells and the bytes of its own texts."""
        self.rows += 1
        if self.rows > MOST_ROWS + 2:  # a header and an end
            raise BadInput("too-many-rows", most=MOST_ROWS)
        self.cells += cells
        if self.cells > MOST_CELLS:
            raise BadInput("too-many-cells", most=MOST_CELLS)
        self.beyond += max(0, cells - MOST_COLUMNS)
        if self.beyond > MOST_BEYOND:
            raise BadInput("too-many-columns", most=MOST_COLUMNS)
        self.hold(cells * NUMBER_COST + texts)


class BoundedZip(ZipFile):
    """The parts, each bounded."""

    def __init__(self, file: BinaryIO, told: Told) -> None:
        super().__init__(file)
        self.tally = WorkbookSize()
        self._told = told

    def open(self, name: str | ZipInfo, mode: Literal["r", "w"] = "r", *_: Any, **__: Any) -> IO[bytes]:
        """A part to be read."""
        return cast("IO[bytes]", _Part(super().open(name, mode), self.tally, self._told))

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield a part in pieces, counting them."""
        with super().open(name) as part:
            while data := part.read(_PIECE):
                self._told()
                self.tally.unpacked(len(data))
                yield data

    def texts(self, name: str) -> list[str]:
        """The texts of a part that holds nothing else."""
        reading = _SharedTexts(self.tally)
        for data in self.pieces(name):
            reading.feed(data)
        reading.feed(b"", True)
        return reading.texts

    def read(self, name: str | ZipInfo, pwd: bytes | None = None) -> bytes:
        """A part as a whole."""
        assert pwd is None
        with self.open(name) as part:
            return part.read()


class _Part:
    """One part while it is read."""

    def __init__(self, source: IO[bytes], tally: WorkbookSize, told: Told) -> None:
        self._source = source
        self._tally = tally
        self._told = told
        self._look: _Look | None = _Look(tally)

    def read(self, size: int = -1) -> bytes:
        if size < 0:
            return b"".join(iter(lambda: self.read(_PIECE), b""))
        self._told()
        data = self._source.read(min(size, _PIECE))
        self._tally.unpacked(len(data))
        if self._look is not None and not self._look.at(data):
            self._look = None  # whoever reads it stops at the same place, or takes it for no XML
        return data

    def close(self) -> None:
        self._source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Look:
    """Counts the contents of an XML part that is held as a whole."""

    def __init__(self, tally: WorkbookSize) -> None:
        self._tally = tally
        self._elements = self._fed = 0
        self._most = 0
        self._parser = expat.ParserCreate(namespace_separator="}")
        self._parser.StartElementHandler = self._start
        self._parser.StartDoctypeDeclHandler = refuse_doctype

    def at(self, data: bytes) -> bool:
        """Look at the next piece; whether it is XML."""
        self._fed += len(data)
        try:
            self._parser.Parse(data, not data)
        except expat.ExpatError:
            return False
        self._tally.at_once(self._fed, 0)
        return True

    def _start(self, name: str, _: dict[str, str]) -> None:
        self._most = self._most or (MOST_ELEMENTS if name == _FORMATS else MOST_OF_OTHERS)
        self._elements += 1
        if self._elements > self._most:
            raise BadInput("file-too-large", most=self._most)


def refuse_doctype(*_: object) -> None:
    """Nothing in a workbook defines anything (ECMA-376 part 2, 9.1.4)."""
    raise BadInput("not-a-workbook", why="it defines entities")


class _SharedTexts:
    """The texts that cells share, while they are read."""

    def __init__(self, tally: WorkbookSize) -> None:
        self.texts: list[str] = []
        self._tally = tally
        self._depth = 0
        self._pieces: list[str] = []
        self._length = 0
        self._silent = 0
        """The depth of what only helps to pronounce the text, 0 outside of it."""
        self._parser = expat.ParserCreate(namespace_separator="}")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = refuse_doctype
        self.feed = self._parser.Parse

    def _start(self, name: str, _: dict[str, str]) -> None:
        self._depth += 1
        if name == f"{MAIN}rPh":
            self._silent = self._silent or self._depth
        elif name == f"{MAIN}t" and not self._silent:
            self._parser.CharacterDataHandler = self._text

    def _text(self, piece: str) -> None:
        self._pieces.append(piece)
        self._length += 8 + memory_of(piece)
        if self._length > MOST_AT_ONCE:
            raise BadInput("file-too-large", most=MOST_AT_ONCE)

    def _end(self, _: str) -> None:
        self._parser.CharacterDataHandler = None
        if self._depth == self._silent:
            self._silent = 0
        self._depth -= 1
        if self._depth == 1:
            self._end_text()

    def _end_text(self) -> None:
        if len(self.texts) >= MOST_SHARED:
            raise BadInput("too-many-cells", most=MOST_SHARED)
        self._tally.hold(TEXT_COST + self._length)
        self.texts.append(read_back("".join(self._pieces)))  # once: a text of its own for each cell would be too much
        self._pieces.clear()
        self._length = 0


def memory_of(text: str) -> int:
    """Bytes that the signs of a text take, at most."""
    return len(text) if text.isascii() else 4 * len(text)
