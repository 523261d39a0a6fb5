"""Files of rows as other programs write them: what they are is found out, and what is too much is refused."""

from __future__ import annotations

import io
import tempfile
import zipfile
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from petstore_desktop.domain.errors import BadInput, StorageError
from petstore_desktop.domain.records import Resource
from petstore_desktop.domain.sheets import ENCODINGS, Sheet, SheetOptions
from petstore_desktop.exchange import csv_reading, xlsx_reading
from petstore_desktop.exchange.csv_reading import encoding_of
from petstore_desktop.exchange.reading import read_sheet
from petstore_desktop.exchange.records_file import Format, RecordsFile
from petstore_desktop.exchange.spreadsheet import armed


def read(path: Path, **options: str) -> Sheet:
    return read_sheet(path, SheetOptions(**options), lambda _: None)


def of_text(tmp_path: Path, data: bytes, **options: str) -> Sheet:
    path = tmp_path / "file.csv"
    path.write_bytes(data)
    return read(path, **options)


def of_book(tmp_path: Path, *rows: list[object]) -> Path:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    path = tmp_path / "book.xlsx"
    book.save(path)
    return path


def of_export(tmp_path: Path, format_: Format, *texts: str) -> Sheet:
    path = tmp_path / f"categories.{format_}"
    file = RecordsFile(path, Resource.CATEGORIES, format_)
    file.write([(1 + at, text, text) for at, text in enumerate(texts)])
    file.finish(len(texts))
    return read(path)


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("id,name\n1,Köi".encode(), "utf-8"),
        ("\ufeffid,name\n1,Köi".encode(), "utf-8"),
        ("id,name\n1,Köi".encode("utf-16"), "utf-16-le"),
        ("id,name\n1,Köi".encode("utf-16-le"), "utf-16-le"),
        ("id,name\n1,Köi".encode("utf-16-be"), "utf-16-be"),
        ("id,name\n1,Köi".encode("windows-1252"), "windows-1252"),
        ("id,name\n1,Köi\n2,\x81".encode("iso-8859-1"), "iso-8859-1"),
        (b"id,name\n1,Koi", "utf-8"),
    ],
)
def test_the_encoding_is_found_out(data: bytes, encoding: str, tmp_path: Path) -> None:
    sheet = of_text(tmp_path, data)
    assert (sheet.encoding, encoding_of(data)) == (encoding, encoding)
    assert sheet.guessed is (b"\x81" in data and encoding == "iso-8859-1"), "Western letters need no question"
    assert not of_text(tmp_path, data, encoding=encoding).guessed, "a person said so"
    assert sheet.rows[:2] == [("id", "name"), ("1", "Koi" if "ö" not in data.decode(encoding) else "Köi")]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "picture"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "picture"),
        (b"RIFF\x10\x00\x00\x00WEBPVP8 ", "picture"),
        (b"%PDF-1.7\n%\xe2\xe3", "pdf"),
        (b"\x7fELF\x02\x01\x01\0", "program"),
        (b"\x1f\x8b\x08\0\0\0", "packed"),
        (b"SQLite format 3\0\x10", "database"),
        (b"id,name\n1,K\0i\n", "bytes"),
        (bytes(range(256)), "bytes"),
    ],
)
def test_what_is_no_table_is_refused_whatever_it_is_called(data: bytes, kind: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not-a-table") as refused:
        of_text(tmp_path, data)
    assert refused.value.params == {"kind": kind}
    with pytest.raises(BadInput, match="not-a-table"):
        of_text(tmp_path, data, encoding="windows-1252")


def test_another_encoding_can_be_chosen_and_one_that_it_cannot_be_is_refused(tmp_path: Path) -> None:
    data = "id;name\n1;Кот".encode("windows-1251")
    assert of_text(tmp_path, data, encoding="windows-1251").rows[1] == ("1", "Кот")
    with pytest.raises(BadInput, match="not-in-encoding"):
        of_text(tmp_path, data, encoding="utf-8")
    for encoding in ENCODINGS:
        "a".encode(encoding)


def test_files_of_the_same_rows_have_the_same_content_and_others_another(tmp_path: Path) -> None:
    first = of_text(tmp_path, b"id,name\n1,Koi\n").content
    assert first
    assert of_text(tmp_path, b"id;name\r\n1;Koi\r\n").content == first
    others = (b"id,name\n1,Koi\n1,Koi\n", b"id,name\n1,Kois\n", b"id,name\n,1\n", b"id,name,1\nKoi\n")
    assert len({first, *(of_text(tmp_path, one).content for one in others)}) == 5


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_the_one_that_makes_columns(separator: str, tmp_path: Path) -> None:
    lines = [["id", "name", "price"], ["1", "Koi, red; 3|4", "1,50"], ["2", 'the "big" one', "2,00"]]
    quoted = [['"' + cell.replace('"', '""') + '"' for cell in line] for line in lines]
    sheet = of_text(tmp_path, "\r\n".join(separator.join(line) for line in quoted).encode())
    assert (sheet.separator, sheet.rows) == (separator, [tuple(line) for line in lines])


def test_a_line_break_within_quotes_is_part_of_the_cell_and_an_empty_line_keeps_its_number(tmp_path: Path) -> None:
    sheet = of_text(tmp_path, b'id,name\n\n1,"Koi\nthe second"\r\n,\n2,Nemo')
    assert sheet.rows == [("id", "name"), (), ("1", "Koi\nthe second"), (), ("2", "Nemo")]


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ('8,"Open\n9,Nine\n10,Ten\n', 2),
        ('8,"Open\n9,Nine\n10,Ten', 2),
        ('8,"Eight\nand a half"\n\n9,"Open', 5),
        ('8,"Eight"\n9,"Open\n10,"Ten"\n11,Eleven\n', 3),
        ('8,"Eight"\n9,"', 3),
    ],
    ids=["to the end", "no line after it", "in the last line", "up to the next cell in quotes", "one sign"],
)
@pytest.mark.parametrize("first", ["", "sep=,\n"])
def test_rows_that_a_missing_quotation_mark_puts_into_a_cell_are_no_text_of_it(
    first: str, rows: str, line: int, tmp_path: Path
) -> None:
    """They were: one pet got the others for a name, and these stayed as they were."""
    with pytest.raises(BadInput, match="cell-not-closed") as caught:
        of_text(tmp_path, f"{first}id,name\n{rows}".encode())
    assert caught.value.params == {"line": line + bool(first)}


def test_a_quotation_mark_within_a_row_of_one_line_is_a_sign_as_any_other(tmp_path: Path) -> None:
    sheet = of_text(tmp_path, b'id,name\n1,Tank of 5"\n2,"Koi" the second\n3,"5"" and\nmore"\n')
    assert sheet.rows[1:] == [("1", 'Tank of 5"'), ("2", "Koi the second"), ("3", '5" and\nmore')]


def test_a_first_line_that_names_the_separator_is_followed(tmp_path: Path) -> None:
    sheet = of_text(tmp_path, b"sep=;\r\nid;name, first\r\n1;Koi")
    assert (sheet.separator, sheet.rows) == (";", [(), ("id", "name, first"), ("1", "Koi")])


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file-empty"),
        (b"\n \n".replace(b" ", b""), "file-empty"),
        (b"PK\x03\x04 no workbook", "not-a-workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old-workbook"),
        (b"," * 300, "too-many-columns"),
        (b'id,name\n1,"' + b"x" * 200_000, "cell-not-closed"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(data: bytes, code: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        of_text(tmp_path, data)
    assert caught.value.code == code


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as caught:
        read(tmp_path / "none.csv")
    assert caught.value.params["path"] == str(tmp_path / "none.csv")


def test_more_rows_than_the_bound_are_refused_and_not_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (csv_reading, xlsx_reading):
        monkeypatch.setattr(module, "MOST_ROWS", 5)
    with pytest.raises(BadInput, match="too-many-rows"):
        of_text(tmp_path, b"id\n" + b"1\n" * 9)
    with pytest.raises(BadInput, match="too-many-rows"):
        read(of_book(tmp_path, *[[number] for number in range(9)]))
    book = Workbook()
    book.active["A1048576"] = "far below"
    book.save(tmp_path / "far.xlsx")
    with pytest.raises(BadInput, match="too-many-rows"):
        read(tmp_path / "far.xlsx")


def test_a_workbook_that_unpacks_to_more_than_the_bound_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = of_book(tmp_path, ["id"])
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/bomb.xml", bytes(10_000_000))
    assert path.stat().st_size < 100_000
    monkeypatch.setattr(xlsx_reading, "MOST_UNPACKED", 9_000_000)
    with pytest.raises(BadInput, match="file-too-large"):
        read(path)


def test_a_workbook_of_which_a_part_is_missing_or_broken_is_refused_by_name(tmp_path: Path) -> None:
    path = of_book(tmp_path, ["id"])
    source = zipfile.ZipFile(path)
    parts = {part: source.read(part) for part in source.namelist()}
    for part, whole in parts.items():
        for spoilt in (None, whole[: len(whole) // 2], b"<a/>"):
            with zipfile.ZipFile(tmp_path / "spoilt.xlsx", "w") as archive:
                for name, content in parts.items():
                    if name != part or spoilt is not None:
                        archive.writestr(name, spoilt if name == part and spoilt is not None else content)
            try:
                read(tmp_path / "spoilt.xlsx")
            except BadInput as error:
                assert error.code in ("not-a-workbook", "file-empty"), part


def test_what_a_person_stops_ends_at_once(tmp_path: Path) -> None:
    class Stopped(Exception):
        pass

    def stop(_: int) -> None:
        raise Stopped

    path = tmp_path / "long.csv"
    path.write_text("id\n" + "1\n" * 5_000)
    with pytest.raises(Stopped):
        read_sheet(path, SheetOptions(), stop)
    with pytest.raises(Stopped):
        read_sheet(of_book(tmp_path, *[[number] for number in range(900)]), SheetOptions(), stop)


def test_a_workbook_gives_values_and_works_nothing_out(tmp_path: Path) -> None:
    path = of_book(
        tmp_path, ["id", "name", "when", "done"], [7, "0042", datetime(2026, 3, 4), True], ["=1+1", None, 1.5, None]
    )
    assert read(path).rows == [("id", "name", "when", "done"), (7, "0042", datetime(2026, 3, 4), True), ("", "", 1.5)]


def test_a_sheet_is_chosen_by_its_name(tmp_path: Path) -> None:
    book = Workbook()
    book.active.title = "first"
    book.active.append(["a"])
    book.create_sheet("second").append(["b"])
    book.save(tmp_path / "two.xlsx")
    assert read(tmp_path / "two.xlsx").sheets == ("first", "second")
    assert read(tmp_path / "two.xlsx", sheet="second").rows == [("b",)]


HOSTILE = [
    "=1+1",
    "'=x",
    "@x",
    "0042",
    'a";\n,b',
    "\u202egnp.exe",
    "_x0041_",
    "\t",
    " x ",
    "1e5",
    "#N/A",
    "# 1 of 2 pets",
    "\x01",
]


@pytest.mark.parametrize("format_", ["csv", "xlsx"])
def test_an_export_of_ours_is_read_as_it_was_and_known_as_ours(format_: Format, tmp_path: Path) -> None:
    sheet = of_export(tmp_path, format_, *HOSTILE)
    assert (sheet.own, sheet.count, sheet.disarmed) == (Resource.CATEGORIES, len(HOSTILE), format_ == "csv")
    back = [armed(str(row[1])) if sheet.disarmed else row[1] for row in sheet.rows[1:] if row]
    assert back == HOSTILE


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.text(st.characters(exclude_categories=("Cs",)), min_size=1), min_size=1, max_size=4),
    st.sampled_from(["csv", "xlsx"]),
)
def test_any_text_comes_back_from_a_file_of_ours(texts: list[str], format_: Format) -> None:
    with tempfile.TemporaryDirectory() as folder:
        sheet = of_export(Path(folder), format_, *texts)
    assert [armed(str(row[1])) if sheet.disarmed else row[1] for row in sheet.rows[1:] if row] == texts


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "file.csv"
        file.write_bytes(data)
        try:
            assert any(read(file).rows)
        except BadInput as error:
            assert error.code


def test_a_shared_text_that_looks_written_out_stays_as_it_is(tmp_path: Path) -> None:
    """Spreadsheets write texts into a table of their own, where openpyxl loses the mark of what is written out."""
    path = of_book(tmp_path, ["name"], ["PLACE"])
    source, target = zipfile.ZipFile(path), io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for part in source.namelist():
            archive.writestr(part, source.read(part).replace(b"PLACE", b"_x005F_x0041_ and _x0041_"))
    path.write_bytes(target.getvalue())
    assert read(path).rows[1] == ("_x0041_ and A",)


@pytest.mark.parametrize("encoding", ["no-such", "rot13", "a\0b", "hex", "ascii", "x" * 4096])
def test_what_is_no_encoding_of_the_file_is_refused(encoding: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not-in-encoding"):
        of_text(tmp_path, "id,name\n1,Köi".encode(), encoding=encoding)
