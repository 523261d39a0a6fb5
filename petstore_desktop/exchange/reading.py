"""Files of rows, whatever their format: which one it is, and what an export of ours says of itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from petstore_desktop.data_folder import storage_errors
from petstore_desktop.domain.errors import BadInput, StorageError
from petstore_desktop.domain.records import Resource
from petstore_desktop.domain.sheets import Sheet, SheetOptions, SheetRow
from petstore_desktop.exchange.csv_reading import Progress, read_csv
from petstore_desktop.exchange.file_signatures import HEAD, refuse_beginning
from petstore_desktop.exchange.records_file import END
from petstore_desktop.exchange.xlsx_reading import read_xlsx
from petstore_desktop.regular_files import open_regular

_ZIP: Final = b"PK\x03\x04"
_OLD: Final = b"\xd0\xcf\x11\xe0"
"""Workbooks of before 2007, and those with a password (MS-CFB, 2.2)."""
_END: Final = re.compile(
    "^" + re.escape(END).replace(r"\{count\}", r"(\d{1,9})").replace(r"\{total\}", r"\d{1,9}\+?").replace(
        r"\{resource\}", f"({'|'.join(Resource)})"
    ) + "$"
)  # fmt: skip


def read_sheet(path: Path, options: SheetOptions, progress: Progress) -> Sheet:
    """Read a file of rows. `progress` hears how many rows are read; what it raises ends the reading.

    Raises StorageError, and BadInput (`file-empty`, `not-a-workbook`, `old-workbook`, `not-a-table`, and those
    of the formats).
    """
    with storage_errors(path):
        try:
            with open_regular(path) as file:
                head = file.read(HEAD)
        except FileNotFoundError as error:
            raise StorageError("file-missing", path=str(path), why=error.strerror) from error
        if not head:
            raise BadInput("file-empty")
        if head.startswith(_OLD):
            raise BadInput("old-workbook")
        refuse_beginning(head)
        if head.startswith(_ZIP):
            sheet, about = read_xlsx(path, options, progress)
            sheet = _with_about(sheet, about)
        else:
            sheet = read_csv(path, options, progress)
    sheet = _without_end(sheet)
    if not any(sheet.rows):
        raise BadInput("file-empty")
    return replace(sheet, content=content_of(sheet.rows))


def content_of(rows: Iterable[SheetRow]) -> str:
    """Return a digest of what rows say."""
    digest = sha256()
    for row in rows:
        digest.update("\0".join([*map(str, row), "\n"]).encode(errors="surrogatepass"))
    return digest.hexdigest()


def _with_about(sheet: Sheet, about: Sequence[SheetRow]) -> Sheet:
    """What the sheet `about` of our exports says."""
    said = {row[0]: row[1] for row in about if len(row) > 1}
    own, count = said.get("resource"), said.get("count")
    if own not in tuple(Resource):
        return sheet
    return replace(sheet, own=Resource(str(own)), count=int(count) if isinstance(count, int | float) else None)


def _without_end(sheet: Sheet) -> Sheet:
    """Remove the last line of our CSV files, which a sort may have moved to another row."""
    for place, row in enumerate(sheet.rows):
        found = _END.match(row[0]) if row and isinstance(row[0], str) and row[0].startswith("#") else None
        if found is not None and not any(row[1:]):
            rows = [*sheet.rows[:place], (), *sheet.rows[place + 1 :]]
            return replace(sheet, rows=rows, own=Resource(found[2]), count=int(found[1]), disarmed=True)
    return sheet
