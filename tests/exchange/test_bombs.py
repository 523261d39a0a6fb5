"""Files that unpack to, or hold, far more than they are: each bound holds just past it, and ends in words."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.sheets import Sheet, SheetOptions
from petstore_desktop.exchange import bounded_parts, csv_reading, xlsx_reading
from petstore_desktop.exchange.reading import read_sheet
from petstore_desktop.ui.files.import_texts import file_error_words
from tests.support.bomb_child import MOST_MEMORY, Blown, blow_each
from tests.support.bombs import TABLES, WORKBOOKS, Bomb, many, workbook

QUICK = {
    "one text", "one row", "rows with one cell far out", "rows of nothing", "elements in elements", "formats",
    "entities", "an open quotation mark", "wide",
}  # fmt: skip
"""One of each kind, which ends in half a second; the others are part of `long hostile`."""
CHOSEN = [(name, bomb) for bombs in (WORKBOOKS, TABLES) for name, bomb in bombs.items() if name in QUICK]


def read(path: Path) -> Sheet:
    return read_sheet(path, SheetOptions(), lambda _: None)


@pytest.fixture(scope="module")
def blown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Blown]:
    """What became of all of them, read in a process that measures its memory for each."""
    folder = tmp_path_factory.mktemp("bombs")
    for name, bomb in CHOSEN:
        (folder / f"{name}.xlsx").write_bytes(bomb.make())  # what it is, is found out by what is in it
    return blow_each("table", folder)


@pytest.mark.linux("the memory of a process is told in /proc")
@pytest.mark.parametrize(("name", "bomb"), CHOSEN, ids=[name for name, _ in CHOSEN])
def test_a_bomb_is_refused_in_little_memory(name: str, bomb: Bomb, blown: dict[str, Blown]) -> None:
    found = blown[f"{name}.xlsx"]
    assert found.code == bomb.code
    assert found.memory < MOST_MEMORY


def cells(count: int) -> str:
    return "".join(f"<row>{'<c><v>1</v></c>' * 2}</row>" for _ in range(count // 2))


TEXT = "<c t='str'><v>0123456789</v></c>"
ROWS = "<row><c><v>1</v></c></row>"
BOUNDS: list[tuple[str, int, Callable[[int], bytes], str]] = [
    ("MOST_CELLS", 6, lambda n: workbook(sheet=cells(6) + ROWS * n), "too-many-cells"),
    ("MOST_BEYOND", 9, lambda n: workbook(sheet=f"{ROWS}<row>{'<c/>' * (256 + 9 + n)}</row>"), "too-many-columns"),
    ("MOST_SHARED", 5, lambda n: workbook(texts=many("<si><t>x</t></si>", 5 + n)), "too-many-cells"),
    ("MOST_ROWS", 5, lambda n: workbook(sheet=ROWS * (5 + 2 + n)), "too-many-rows"),
    ("MOST_ELEMENTS", 21, lambda n: workbook(sheet=f"<row>{'<c><v>1</v></c>' * 8}<c><v/>{'<x/>' * n}</c></row>"),
     "file-too-large"),
    ("MOST_OF_OTHERS", 20, lambda n: workbook(sheets="<sheet name='S' sheetId='1' r:id='r1'/>" * (18 + n)),
     "file-too-large"),
    ("MOST_HELD", 3 * (40 + 64 + 10),
     lambda n: workbook(sheet=f"<row>{TEXT * 3}{'<c/>' * n}</row>"), "file-too-large"),
]  # fmt: skip


@pytest.mark.parametrize(("bound", "value", "make", "code"), BOUNDS, ids=[bound for bound, *_ in BOUNDS])
def test_each_bound_of_a_workbook_holds_just_past_it(
    bound: str, value: int, make: Callable[[int], bytes], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_parts, bound, value)
    path = tmp_path / "book.xlsx"
    path.write_bytes(make(0))
    assert read(path).rows
    path.write_bytes(make(1))
    with pytest.raises(BadInput) as caught:
        read(path)
    assert caught.value.code == code
    assert file_error_words(caught.value)


def test_what_is_unpacked_is_counted_over_all_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "book.xlsx"
    path.write_bytes(workbook(sheet=f"{ROWS}{' ' * 100_000}", texts=" " * 100_000))
    monkeypatch.setattr(bounded_parts, "MOST_READ", 203_000)
    assert read(path).rows
    monkeypatch.setattr(bounded_parts, "MOST_READ", 199_000)
    with pytest.raises(BadInput, match="file-too-large"):
        read(path)


@pytest.mark.parametrize("inside", ["<row><c t='str'><v>{}</v></c></row>", f"{ROWS}<a>{{}}</a>"])
def test_what_is_held_at_once_is_bounded(inside: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_parts, "MOST_AT_ONCE", 200_000)
    path = tmp_path / "book.xlsx"
    path.write_bytes(workbook(sheet=inside.format("x" * 190_000)))
    assert read(path).rows
    path.write_bytes(workbook(sheet=inside.format("x" * 400_000)))
    with pytest.raises(BadInput, match="file-too-large"):
        read(path)


@pytest.mark.parametrize(
    ("bound", "value", "data", "code"),
    [
        ("MOST_CELLS", 4, b"a,b\n1,2\n{}", "too-many-cells"),
        ("MOST_HELD", 4 * 8 + sum(map(sys.getsizeof, "ab12")), b"a,b\n1,2\n{}", "file-too-large"),
        ("MOST_ROWS", 1, b"a,b\n1,2\n3,4\n{}", "too-many-rows"),
        ("MOST_SIGNS", 8, b'a,b\n1,"2\n3"{}', "cell-not-closed"),
        ("MOST_BYTES", 8, b"a,b\n1,2\n{}", "file-too-large"),
    ],
)
def test_each_bound_of_a_text_file_holds_just_past_it(
    bound: str, value: int, data: bytes, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_reading, bound, value)
    path = tmp_path / "file.csv"
    path.write_bytes(data.replace(b"{}", b""))
    assert read(path).rows
    path.write_bytes(data.replace(b"{}", b"3" if data.count(b"\n") == 2 and b'"' not in data else b"33333"))
    with pytest.raises(BadInput) as caught:
        read(path)
    assert caught.value.code == code
    assert file_error_words(caught.value)


@pytest.mark.parametrize("name", ["long texts", "cells of nothing"])
def test_a_large_workbook_can_be_given_up_before_its_first_row_is_read(name: str, tmp_path: Path) -> None:
    class Stopped(Exception):
        pass

    rows: list[int] = []

    def stop(count: int) -> None:
        rows.append(count)
        if len(rows) > 30:
            raise Stopped

    path = tmp_path / "book.xlsx"
    path.write_bytes(WORKBOOKS[name].make())
    with pytest.raises(Stopped):
        read_sheet(path, SheetOptions(), stop)
    assert name != "long texts" or rows == [0] * 31


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("<c t='inlineStr'><is><t>Koi</t></is></c>", "Koi"),
        ("<c t='inlineStr'><is><r><t>Ko</t></r><r><t>i</t></r><rPh><t>no</t></rPh></is></c>", "Koi"),
        ("<c t='s'><v>0</v></c>", "Koi"),
        ("<c t='s'><v>1</v></c>", "_x0041_"),
        ("<c t='str'><f>A2</f><v>Koi</v></c>", "Koi"),
        ("<c><v>12</v></c>", 12),
        ("<c t='b'><v>1</v></c>", True),
        ("<c t='e'><v>#REF!</v></c>", "#REF!"),
    ],
)
def test_each_kind_of_cell_is_read(cell: str, value: object, tmp_path: Path) -> None:
    texts = (
        "<si><r><t>Ko</t></r><r><t xml:space='preserve'>i</t></r><rPh><t>x</t></rPh></si><si><t>_x005F_x0041_</t></si>"
    )
    path = tmp_path / "book.xlsx"
    path.write_bytes(workbook(sheet=f"<row r='2'>{cell}</row>", texts=texts))
    assert read(path).rows == [(), (value,)]


def test_a_shared_text_is_one_in_all_cells_even_with_a_sign_that_is_written_out(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    cells = "<row><c t='s'><v>0</v></c><c t='s'><v>0</v></c></row>"
    path.write_bytes(workbook(sheet=cells, texts="<si><t>one_x0009_two</t></si>"))
    ((first, second),) = read(path).rows
    assert (first, first is second) == ("one\ttwo", True)


@pytest.mark.parametrize(
    ("cells", "row"),
    [
        ("<c r='C1'><v>3</v></c><c r='A1'><v>1</v></c><c><v>2</v></c>", (1, 2, 3)),
        ("<c r='AA1'><v>27</v></c>", ("",) * 26 + (27,)),
        ("<c t='n'><f>A2</f><v>1</v><extLst><v>9</v></extLst></c><c/><c><v>1.5e2</v></c>", (1, "", 150.0)),
        ("<c t='inlineStr'> <is> <t>a</t> <t>b</t> </is> <v>c</v></c>", ("ab",)),
    ],
)
def test_cells_stand_where_they_say(cells: str, row: tuple[object, ...], tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    path.write_bytes(workbook(sheet=f"<row>{cells}</row>"))
    assert read(path).rows == [row]


@pytest.mark.parametrize("bound", ["MOST_BYTES", "MOST_UNPACKED", "MOST_TEXTS"])
def test_each_bound_of_what_a_workbook_says_of_itself_holds_just_past_it(
    bound: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "book.xlsx"
    path.write_bytes(workbook(texts="<si><t>x</t></si>"))
    with ZipFile(path) as book:
        sizes = {part.filename: part.file_size for part in book.infolist()}
    size = {
        "MOST_BYTES": path.stat().st_size,
        "MOST_UNPACKED": sum(sizes.values()),
        "MOST_TEXTS": sizes["xl/sharedStrings.xml"],
    }[bound]
    monkeypatch.setattr(xlsx_reading, bound, size)
    assert read(path).rows
    monkeypatch.setattr(xlsx_reading, bound, size - 1)
    with pytest.raises(BadInput, match="file-too-large"):
        read(path)


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda n: workbook(sheet=f"<row>{'<c/>' * 255}{'<c><v>1</v></c>' * (1 + n)}</row>"), "too-many-columns"),
        (lambda n: b"," * (255 + n) + b"x\n", "too-many-columns"),
        (lambda n: workbook(texts=f"<si><t>{'x' * (1992 + n)}</t></si>"), "file-too-large"),
    ],
    ids=["columns of a workbook", "columns of a text file", "one text that cells share"],
)
def test_the_widest_row_and_the_longest_text_hold_just_past_their_bound(
    make: Callable[[int], bytes], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_parts, "MOST_AT_ONCE", 2000)  # with 8 for the text itself
    path = tmp_path / "file"
    path.write_bytes(make(0))
    assert read(path).rows
    path.write_bytes(make(1))
    with pytest.raises(BadInput, match=code):
        read(path)
