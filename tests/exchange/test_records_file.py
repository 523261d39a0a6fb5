"""Records as files: all of them, exactly as they are, harmless in a spreadsheet, and whole or not at all."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from petstore_desktop.domain.errors import BadInput, StorageError
from petstore_desktop.domain.records import Category, ContentId, InventoryItem, Order, Pet, Record, Resource, Row
from petstore_desktop.exchange import records_file
from petstore_desktop.exchange.records_file import Format, RecordsFile
from petstore_desktop.exchange.records_table import COLUMNS, Cell, RecordNames, cells
from petstore_desktop.exchange.spreadsheet import armed, disarmed, is_formula, read_back, written_out

LARGE = 2**63 - 1
NAMES = RecordNames({7: "Koi"}, {3: "Fish"})
HOSTILE = (
    "=1+1",
    "+49",
    "-3",
    "@x",
    "'=quoted",
    "0042",
    "#N/A",
    'a";\n,b',
    "\u202egnp.exe",
    "_x0041_",
    "\t",
    "ＡＢ",
    "",
)


def write(path: Path, format_: Format, resource: Resource, *records: Record, total: int | None = None) -> int:
    file = RecordsFile(path, resource, format_)
    for record in records:
        key = getattr(record, "id", None) or ContentId("c")
        file.write([cells(resource, Row(key, record, 0.0), NAMES)])
    return file.finish(len(records) if total is None else total)


def read_csv(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


def read_xlsx(path: Path) -> dict[str, list[list[Any]]]:
    book = load_workbook(path)
    return {sheet.title: [[cell.value for cell in row] for row in sheet.iter_rows()] for sheet in book}


def test_a_csv_file_has_ids_names_and_texts_as_the_shop_has_them(tmp_path: Path) -> None:
    path = tmp_path / "pets.csv"
    assert write(path, "csv", Resource.PETS, Pet(LARGE, "Koi, red", 3, "sold"), Pet(8, "", 99), total=5) == 2
    assert read_csv(path) == [
        ["id", "name", "category_id", "category", "status"],
        [str(LARGE), "Koi, red", "3", "Fish", "sold"],
        ["8", "", "99", "", ""],
        ["# 2 of 5 pets"],
    ]
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")


def test_the_mark_of_a_csv_file_can_be_left_out(tmp_path: Path) -> None:
    file = RecordsFile(tmp_path / "c.csv", Resource.CATEGORIES, "csv", mark=False)
    file.finish(0)
    assert (tmp_path / "c.csv").read_bytes() == b"id,name,description\r\n# 0 of 0 categories\r\n"


def test_a_json_file_has_values_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "orders.json"
    order = Order(1, 7, -3, "2026-02-30T25:00", None)
    write(path, "json", Resource.ORDERS, order, Order())
    assert json.loads(path.read_text("ascii")) == {
        "resource": "orders",
        "rows": [
            {
                "id": 1,
                "pet_id": 7,
                "pet": "Koi",
                "quantity": -3,
                "ship_date": "2026-02-30T25:00",
                "complete": None,
                "status": None,
            },
            {
                "id": None,
                "pet_id": None,
                "pet": None,
                "quantity": None,
                "ship_date": None,
                "complete": None,
                "status": None,
            },
        ],
        "count": 2,
        "of": 2,
        "whole": True,
    }


def test_in_json_an_id_of_digits_is_a_text_where_the_ids_of_its_list_are(tmp_path: Path) -> None:
    """json-server numbers by four hexadecimal digits: `1414` stood as a number beside `"bf94"`."""
    path = tmp_path / "pets.json"
    file = RecordsFile(path, Resource.PETS, "json", text_ids=[Resource.PETS])
    pets = Pet(1414, "Koi", 3, "sold"), Pet("bf94", "Rex", None, "sold")
    file.write([cells(Resource.PETS, Row(pet.id, pet, 0.0), NAMES) for pet in pets])
    file.finish(2)
    rows = json.loads(path.read_text("ascii"))["rows"]
    assert [(row["id"], row["category_id"]) for row in rows] == [("1414", 3), ("bf94", None)]
    file = RecordsFile(path, Resource.INVENTORY, "json", text_ids=[Resource.PETS])
    file.write([cells(Resource.INVENTORY, Row(1414, InventoryItem(1414, 5), 0.0), NAMES)])
    file.finish(1)
    (row,) = json.loads(path.read_text("ascii"))["rows"]
    assert (row["pet_id"], row["quantity"]) == ("1414", 5)


def test_a_sheet_keeps_19_digits_and_counts_with_numbers(tmp_path: Path) -> None:
    path = tmp_path / "stock.xlsx"
    sixteen = 5_406_295_527_848_473  # below 2^53; LibreOffice saves it with a zero at its end
    many = InventoryItem(7, LARGE, "sold"), InventoryItem(7, sixteen)
    write(path, "xlsx", Resource.INVENTORY, InventoryItem(LARGE, -3), *many)
    sheets = read_xlsx(path)
    assert sheets["inventory"][1:] == [
        [str(LARGE), None, -3, None],
        ["7", "Koi", str(LARGE), "sold"],
        ["7", "Koi", str(sixteen), None],
    ]
    assert sheets["about"] == [["resource", "inventory"], ["count", 3], ["of", 3]]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_a_formula_and_each_comes_back_as_it_was(text: str, tmp_path: Path) -> None:
    category = Category(1, text, text)
    for format_ in ("csv", "json", "xlsx"):
        write(tmp_path / f"c.{format_}", format_, Resource.CATEGORIES, category)
    (_, row, _) = read_csv(tmp_path / "c.csv")
    assert armed(row[1]) == text
    assert not is_formula(row[1])
    assert json.loads((tmp_path / "c.json").read_text("ascii"))["rows"][0]["description"] == text
    cell = load_workbook(tmp_path / "c.xlsx")["categories"]["B2"]
    assert (read_back(cell.value or ""), cell.data_type if text else "s") == (text, "s")
    assert cell.quotePrefix or not is_formula(text)


@given(st.text())
def test_what_is_disarmed_or_written_out_comes_back_exactly(text: str) -> None:
    assert armed(disarmed(text)) == text
    assert not is_formula(disarmed(text))
    assert read_back(written_out(text)) == text


def test_a_file_that_is_given_up_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "pets.csv"
    path.write_text("old")
    file = RecordsFile(path, Resource.PETS, "csv")
    file.write([(1, "Koi", 3, "Fish", None)])
    file.discard()
    assert [entry.name for entry in tmp_path.iterdir()] == ["pets.csv"]
    assert path.read_text() == "old"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as caught:
        RecordsFile(tmp_path / "none" / "pets.csv", Resource.PETS, "csv")
    assert caught.value.params["path"] == str(tmp_path / "none")


def test_a_sheet_that_is_too_small_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_file, "MOST_ROWS", 1)
    rows: list[tuple[Cell, ...]] = [(1, "a", None), (2, "b", None)]
    file = RecordsFile(tmp_path / "c.xlsx", Resource.CATEGORIES, "xlsx")
    with pytest.raises(BadInput, match="too-many-rows"):
        file.write(rows)
    file.discard()
    assert list(tmp_path.iterdir()) == []


def test_a_text_that_no_cell_holds_is_said_and_not_cut(tmp_path: Path) -> None:
    file = RecordsFile(tmp_path / "c.xlsx", Resource.CATEGORIES, "xlsx")
    with pytest.raises(BadInput, match="text-too-long"):
        file.write([(1, "x" * 32_768, None)])
    file.discard()


def test_every_field_of_the_specification_has_a_column() -> None:
    for resource, record in zip(Resource, (Pet(1, ""), Category(1, ""), Order(), InventoryItem(1, 1)), strict=True):
        fields = {name for name in record.__struct_fields__ if name != "extra"}
        assert fields <= {column.name for column in COLUMNS[resource]}
