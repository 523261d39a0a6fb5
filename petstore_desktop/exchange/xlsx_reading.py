"""Workbooks (XLSX): the values of one sheet. Nothing in them is worked out: of a formula the value is taken that the
spreadsheet left beside it, and macros, links and pictures are not even opened."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final, cast
from zipfile import BadZipFile, ZipFile

from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.sheets import MOST_COLUMNS, MOST_ROWS, Sheet, SheetCell, SheetRow, SheetWish
from petstore_desktop.exchange.csv_reading import Progress
from petstore_desktop.exchange.spreadsheet import read_back

MOST_BYTES: Final = 64 * 1024 * 1024
MOST_UNPACKED: Final = 1024 * 1024 * 1024
"""All parts together, as they will be when they are unpacked; `zipfile` reads no more of a part than it says."""
MOST_TEXTS: Final = 256 * 1024 * 1024
"""The texts, which are all held at once; the rows are not."""
ABOUT: Final = "about"
"""The sheet of our own exports that says how many rows there are."""
_TEXTS: Final = "xl/sharedStrings.xml"
_TOLD_EVERY: Final = 500


def read_xlsx(path: Path, wish: SheetWish, progress: Progress) -> tuple[Sheet, tuple[SheetRow, ...]]:
    """One sheet's rows, and those of the sheet `about` if there is one.

    Raises OSError, BadInput (`file-too-large`, `not-a-workbook`, `too-many-rows`, `too-many-columns`).
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
    from openpyxl import load_workbook  # late: 139 ms, and only this format needs it

    book: Any = load_workbook(path, read_only=True, data_only=True, keep_links=False)
    try:
        # Sheets of charts have no rows.
        sheets: dict[str, Any] = {one.title: one for one in book.worksheets if hasattr(one, "reset_dimensions")}
        if not sheets:
            raise BadInput("not-a-workbook", why="it has no sheet")
        _mend_texts(book, list(sheets.values()))
        names = tuple(name for name in sheets if name != ABOUT or len(sheets) == 1)
        name = wish.sheet if wish.sheet in sheets else names[0]
        rows = list(_rows(sheets[name], progress))
        about = tuple(_rows(sheets[ABOUT], progress)) if ABOUT in sheets and name != ABOUT else ()
    finally:
        book.close()
    return Sheet(str(path), rows, sheet=name, sheets=names), about


def _mend_texts(book: Any, sheets: list[Any]) -> None:
    """The texts as they stand in the file: openpyxl takes the mark out by which a text like `_x0041_` is told from a
    sign that is written out (ECMA-376 part 1, 22.9.2.19), and the two could not be told apart any more."""
    archive = cast("ZipFile", book._archive)
    if _TEXTS not in archive.namelist():
        return
    from xml.etree.ElementTree import iterparse

    from openpyxl.cell.text import Text
    from openpyxl.xml.constants import SHEET_MAIN_NS

    texts: list[str] = []
    with archive.open(_TEXTS) as file:
        for _, node in iterparse(file):
            if node.tag == f"{{{SHEET_MAIN_NS}}}si":
                texts.append(cast("Any", Text).from_tree(node).content)
                node.clear()
    for sheet in sheets:
        sheet._shared_strings = texts


def _rows(sheet: Any, progress: Progress) -> Iterator[SheetRow]:
    sheet.reset_dimensions()  # what the file says of its size may be anything
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        if len(row) > MOST_COLUMNS and any(cell is not None for cell in row[MOST_COLUMNS:]):
            raise BadInput("too-many-columns", most=MOST_COLUMNS)
        if number > MOST_ROWS + 2:  # a header and an end
            raise BadInput("too-many-rows", most=MOST_ROWS)
        if number % _TOLD_EVERY == 0:
            progress(number)
        yield _trimmed([_cell(value) for value in row[:MOST_COLUMNS]])


def _trimmed(row: list[SheetCell]) -> SheetRow:
    while row and row[-1] == "" and isinstance(row[-1], str):
        row.pop()
    return tuple(row)


def _cell(value: object) -> SheetCell:
    match value:
        case None:
            return ""
        case bool() | int() | float() | datetime():
            return value
        case date():
            return datetime(value.year, value.month, value.day)  # noqa: DTZ001  a spreadsheet's days have no zone
        case str():
            return read_back(value)
        case _:
            return str(value)
