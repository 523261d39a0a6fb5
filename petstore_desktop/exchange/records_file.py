"""Records as a file: CSV, XLSX or JSON.

A text that a spreadsheet would work out is disarmed: in CSV by a sign before it (`spreadsheet.disarmed`), in XLSX by
the mark of its cell. Numbers are left as they are. In XLSX ids are texts: a spreadsheet keeps 15 digits of a number,
and an id may have 19. In JSON an id is a text where any of its list is: `1414` beside `bf94` is one. One thread may
write it while another one still finds out the rows (`RowsWriting`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any, Final, Literal, TypeAlias

from petstore_desktop.domain.counts import AtLeast
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import Resource
from petstore_desktop.exchange.counted_file import CountedFile, CsvWriter, JsonWriter, RowWriter
from petstore_desktop.exchange.records_table import COLUMNS, OTHERS, Cell, Kind, ids_of
from petstore_desktop.exchange.spreadsheet import EXACT, cell_text, is_formula, written_out

Format: TypeAlias = Literal["csv", "xlsx", "json"]
_Columns: TypeAlias = list[tuple[str, Kind]]
Texts: TypeAlias = Collection[str]
"""The columns whose ids are texts, also where all their signs are digits."""
END: Final = "# {count} of {total} {resource}"
"""The last line of a CSV file."""
MOST_ROWS: Final = 1_048_575
MOST_SIGNS: Final = 32_767
"""Rows of a sheet without its header, and signs of a cell (ECMA-376 names none; every spreadsheet has these)."""
TOO_LONG: Final = "# {count} signs, too long for a cell: export as CSV or JSON"
"""What stands in a sheet for the other fields of a record where they are longer."""


class RecordsFile(CountedFile):
    """A file of records, each with a value for every column. `mark`: see `CsvWriter`; `listed`: whether the rows go on
    with what lists show beside their records, and `others` with the fields that the program does not know, in whose
    place a sheet says where they are too long for it; `text_ids`: the lists of which ids are texts. `write` raises
    BadInput (`too-many-rows`, `text-too-long`) for what a sheet cannot hold else: nothing is cut off in silence."""

    def __init__(
        self,
        target: Path,
        resource: Resource,
        format_: Format,
        *,
        mark: bool = True,
        listed: Sequence[tuple[str, Kind]] = (),
        others: bool = False,
        text_ids: Collection[Resource] = (),
    ) -> None:
        columns: _Columns = [(column.name, column.kind) for column in COLUMNS[resource]]
        columns += listed
        if others:
            columns.append((OTHERS, "text"))
        super().__init__(
            target, lambda file: _WRITERS[format_](file, resource, columns, mark, ids_of(resource, text_ids))
        )


class _Csv(CsvWriter):
    """Texts that a spreadsheet would work out are disarmed."""

    def __init__(self, file: IO[bytes], resource: Resource, columns: _Columns, mark: bool, _: Texts) -> None:
        end = END.replace("{resource}", resource.value)
        super().__init__(file, [name for name, _ in columns], end, mark=mark)

    def rows(self, rows: Iterable[Iterable[object]]) -> None:
        super().rows(map(cell_text, row) for row in rows)


class _Json(JsonWriter):
    """`resource`, and `rows` with a field for each column. Values are as they are, those in `texts` as texts."""

    def __init__(self, file: IO[bytes], resource: Resource, columns: _Columns, _: bool, texts: Texts) -> None:
        super().__init__(file, f'{{"resource": "{resource.value}", "rows": [')
        self._names = [name for name, _ in columns]
        self._texts = texts

    def rows(self, rows: Iterable[Sequence[Cell]]) -> None:
        super().rows(map(self._object, rows))

    def _object(self, row: Sequence[Cell]) -> dict[str, Cell]:
        made = dict(zip(self._names, row, strict=True))
        return {**made, **{name: str(made[name]) for name in self._texts if made[name] is not None}}


class _Xlsx(RowWriter):
    """A sheet with the rows, and one that says how many they are."""

    def __init__(self, file: IO[bytes], resource: Resource, columns: _Columns, _: bool, __: Texts) -> None:
        from openpyxl import Workbook  # late: 139 ms, and only this format needs it

        self._file, self._resource = file, resource
        self._book: Any = Workbook(write_only=True)
        self._sheet: Any = self._book.create_sheet(resource.value)
        self._columns = columns
        self._left = MOST_ROWS
        self._sheet.freeze_panes = "A2"
        self._sheet.append([name for name, _ in columns])

    def rows(self, rows: Iterable[Sequence[Cell]]) -> None:
        for row in rows:
            self._left -= 1
            if self._left < 0:
                raise BadInput("too-many-rows", most=MOST_ROWS)
            self._sheet.append([self._cell(*column, cell) for column, cell in zip(self._columns, row, strict=True)])

    def _cell(self, name: str, kind: str, cell: Cell) -> object:
        if cell is None or isinstance(cell, bool):
            return cell
        if isinstance(cell, int) and kind == "number" and abs(cell) < EXACT:
            return cell
        from openpyxl.cell import WriteOnlyCell

        text = written_out(str(cell))
        if len(text) > MOST_SIGNS and name == OTHERS:
            text = TOO_LONG.format(count=len(text))
        if len(text) > MOST_SIGNS:
            raise BadInput("text-too-long", most=MOST_SIGNS)
        made: Any = WriteOnlyCell(self._sheet, value=text)
        made.data_type = "s"  # also what looks like a formula or an error
        made.quotePrefix = is_formula(text)  # and it stays a text when somebody edits it
        return made

    def end(self, count: int, total: int) -> None:
        about: Any = self._book.create_sheet("about")
        of = f"{total}" if isinstance(total, AtLeast) else total
        for line in (("resource", self._resource.value), ("count", count), ("of", of)):
            about.append(line)
        self._book.save(self._file)

    def give_up(self) -> None:
        """Close what openpyxl writes the sheet to; it takes it away at the program's end."""
        if not self._sheet.closed:
            with suppress(OSError):  # where it lies the disk may be full
                self._sheet.close()


_WRITERS: Final[Mapping[Format, Callable[[IO[bytes], Resource, _Columns, bool, Texts], RowWriter]]] = {
    "csv": _Csv,
    "json": _Json,
    "xlsx": _Xlsx,
}

AHEAD = 16
"""How many parts may wait to be written before the maker should pause."""


class RowsWriting:
    """`put` and `end` (or `give_up`) never wait, and are one thread's; `run` is another's. `total`: of how many rows
    the file is a part."""

    def __init__(
        self,
        target: Path,
        resource: Resource,
        format_: Format,
        total: int,
        *,
        mark: bool,
        listed: Sequence[tuple[str, Kind]] = (),
        others: bool = False,
        text_ids: Collection[Resource] = (),
    ) -> None:
        self._open = lambda: RecordsFile(
            target, resource, format_, mark=mark, listed=listed, others=others, text_ids=text_ids
        )
        self._total = total
        self._parts: SimpleQueue[Sequence[Sequence[Cell]] | None] = SimpleQueue()
        self._given_up = False

    @property
    def is_full(self) -> bool:
        """Whether more waits to be written than is worth it."""
        return self._parts.qsize() >= AHEAD

    def put(self, rows: Sequence[Sequence[Cell]]) -> None:
        """These rows come next."""
        self._parts.put(rows)

    def end(self) -> None:
        """That is all."""
        self._parts.put(None)

    def give_up(self) -> None:
        """No file is wanted any more, even if all its rows have been put."""
        self._given_up = True
        self._parts.put(None)

    def run(self) -> int | None:
        """Write until the end; how many rows the file holds, None where it was given up. Raises StorageError, and
        BadInput for what a sheet cannot hold."""
        file = self._open()
        try:
            while (rows := self._parts.get()) is not None and not self._given_up:
                file.write(rows)
            return None if self._given_up else file.finish(self._total)
        finally:
            file.discard()
