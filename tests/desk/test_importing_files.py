"""Whole files laid over a shop: one of ours changes nothing, and a dirty one is soon clean."""

from __future__ import annotations

import csv
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from openpyxl import load_workbook

from petstore_desktop.desk.imports.import_judging import RowKind
from petstore_desktop.desk.imports.import_layout import Layout
from petstore_desktop.desk.preview import Preview
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.desk.table.exporting import listed, parts
from petstore_desktop.domain.changes import Create, SetFields, SetStock
from petstore_desktop.domain.records import Category, ContentId, InventoryItem, Order, Pet, Resource, Row
from petstore_desktop.domain.sheets import SheetOptions
from petstore_desktop.exchange.reading import read_sheet
from petstore_desktop.exchange.records_file import Format, RecordsFile
from petstore_desktop.exchange.records_table import RecordNames, cells
from petstore_desktop.sync.wire.events import RowsChanged
from tests.desk.imports.test_importing import CATEGORIES, ORDERS, PETS, STOCK, laid, said, sheet
from tests.desk.shopkit import new_desk, small_shop, tell, whole

NAME = st.text(st.characters(exclude_categories=("Cs",)), max_size=12) | st.sampled_from(
    ["=1+1", "'=x", "-3", "0042", "a\nb", 'x";', "\u202eevil", "# 1 of 1 pets", "local:1", "12", "#12", " spaced "]
)
ID = st.integers(1, 30) | st.integers(2**62, 2**63 - 1)
STATUS = st.none() | st.sampled_from(["available", "sold", "on holiday", "=gone", ""])
DATE = st.none() | st.sampled_from(["2025-11-18T14:00:00.000+01:00", "2025-11-18", "soon", "03/04/2026", ""])


INT64 = st.integers(-(2**63), 2**63 - 1)
RECORDS = {
    CATEGORIES: st.builds(Category, ID, NAME, st.none() | NAME),
    PETS: st.builds(Pet, ID, NAME, st.none() | ID, STATUS),
    ORDERS: st.builds(Order, st.none() | ID, st.none() | ID, st.none() | INT64, DATE, st.none() | st.booleans()),
    STOCK: st.builds(InventoryItem, ID, INT64, STATUS),
}


@settings(max_examples=25, deadline=None)
@given(
    *(st.lists(records, max_size=4) for records in RECORDS.values()),
    st.sampled_from(["csv", "csv", "xlsx"]),
    st.sampled_from(Resource),
)
def test_a_file_of_ours_changes_nothing(
    categories: list[Category],
    pets: list[Pet],
    orders: list[Order],
    stock: list[InventoryItem],
    format_: Format,
    resource: Resource,
) -> None:
    desk = new_desk()
    names = RecordNames({pet.id: pet.name for pet in pets}, {one.id: one.name for one in categories})
    lists = {CATEGORIES: categories, PETS: pets, ORDERS: orders, STOCK: stock}
    rows = {resource: list({row.key: row for row in map(rowed, told)}.values()) for resource, told in lists.items()}
    for resource, told in rows.items():
        apply_event(desk, RowsChanged("shop", resource, tuple(told)))
    with tempfile.TemporaryDirectory() as folder:
        for resource, told in rows.items():
            path = Path(folder) / f"{resource}.{format_}"
            file = RecordsFile(path, resource, format_)
            file.write([cells(resource, one, names) for one in told])
            file.finish(len(told))
            made = laid(desk, read_sheet(path, SheetOptions(), lambda _: None))
            assert set(said(made)) <= {"same"}
            assert (made.layout.resource, [*made.inputs()], made.new(), made.missing) == (resource, [], (), 0)
            assert "" not in made.layout.fields


@pytest.mark.parametrize("format_", ["csv", "xlsx"])
@pytest.mark.parametrize("resource", Resource)
def test_what_a_list_shows_beside_its_records_changes_nothing_when_it_comes_back(
    resource: Resource, format_: Format, tmp_path: Path
) -> None:
    desk = small_shop()
    store = desk.shop.stores[resource]
    keys = [store.keys[slot] for slot in store.slots()]
    file = RecordsFile(tmp_path / f"list.{format_}", resource, format_, listed=listed(resource))
    for _, rows in parts(desk.shop, desk.tables[resource], keys):
        file.write(rows)
    file.finish(len(keys))
    made = laid(desk, read_sheet(tmp_path / f"list.{format_}", SheetOptions(), lambda _: None))
    assert set(said(made)) == {"same"}
    assert made.is_mapped and ([*made.inputs()], made.new()) == ([], ())


@pytest.mark.parametrize("format_", ["csv", "xlsx", "json"])
def test_fields_that_the_program_does_not_know_are_exported_as_one_text_and_change_nothing(
    format_: Format, tmp_path: Path
) -> None:
    desk = small_shop()
    assert not desk.shop.stores[PETS].has_extras
    tell(desk, PETS, Pet(1234, "Koi", 1, "available", {"tags": ["=1+1", "ä"], "photo": None}))
    store, path = desk.shop.stores[PETS], tmp_path / f"pets.{format_}"
    assert store.has_extras
    file = RecordsFile(path, PETS, format_, listed=listed(PETS), others=True)
    other = next(key for key in map(store.keys.__getitem__, store.slots()) if key != 1234)
    for _, rows in parts(desk.shop, desk.tables[PETS], [1234, other], others=True):
        file.write(rows)
    file.finish(2)
    text = '{"photo":null,"tags":["=1+1","\\u00e4"]}'
    if format_ == "json":
        told = [row["other_fields"] for row in json.loads(path.read_text())["rows"]]
    else:
        if format_ == "csv":
            told = [row[-1] or None for row in list(csv.reader(path.read_text("utf-8-sig").splitlines()))[1:3]]
        else:
            told = [row[-1].value for row in list(load_workbook(path)["pets"].iter_rows())[1:3]]
        made = laid(desk, read_sheet(path, SheetOptions(), lambda _: None))
        assert (set(said(made)), made.is_mapped) == ({"same"}, True)
    assert told == [text, None]


def test_other_fields_that_are_too_long_for_a_cell_are_named_there_and_stop_no_export(tmp_path: Path) -> None:
    desk, path = small_shop(), tmp_path / "pets.xlsx"
    tell(desk, PETS, Pet(1234, "Koi", 1, "available", {"notes": "x" * 40_000}))
    file = RecordsFile(path, PETS, "xlsx", listed=listed(PETS), others=True)
    for _, rows in parts(desk.shop, desk.tables[PETS], [1234], others=True):
        file.write(rows)
    file.finish(1)
    assert load_workbook(path)["pets"]["H2"].value == "# 40012 signs, too long for a cell: export as CSV or JSON"
    made = laid(desk, read_sheet(path, SheetOptions(), lambda _: None))
    assert set(said(made)) == {"same"}


def test_old_counts_beside_the_pets_of_an_export_take_nothing_back_unless_somebody_chooses_them(tmp_path: Path) -> None:
    desk = small_shop()
    tell(desk, STOCK, InventoryItem(1234, 24))
    path = tmp_path / "pets.csv"
    file = RecordsFile(path, PETS, "csv", listed=listed(PETS))
    for _, rows in parts(desk.shop, desk.tables[PETS], [1234]):
        file.write(rows)
    file.finish(1)
    tell(desk, STOCK, InventoryItem(1234, 20))  # four were sold since
    made = laid(desk, read_sheet(path, SheetOptions(), lambda _: None))
    assert (said(made), [*made.inputs()]) == (["same"], [])
    column = made.names.index("stock")
    fields = tuple("stock" if at == column else field for at, field in enumerate(made.layout.fields))
    chosen = laid(desk, read_sheet(path, SheetOptions(), lambda _: None), layout=replace(made.layout, fields=fields))
    assert [cell_input.text for cell_input in chosen.inputs()] == ["=24"]


def rowed(record: Any) -> Row:
    key = record.pet_id if isinstance(record, InventoryItem) else record.id
    return Row(ContentId(repr(record)) if key is None else key, record, 0.0)


def test_a_file_of_ours_that_lost_rows_says_how_many() -> None:
    desk = small_shop()
    assert laid(desk, sheet(("id", "name"), ("1234", "Koi"), own=PETS, count=3)).missing == 2


def test_a_dirty_file_of_200_rows_is_clean_after_a_handful_of_acts(tmp_path: Path) -> None:
    """A title above the header, German words, another encoding, empty lines, spaces, doubles, new categories, numbers
    with dots, an id that a spreadsheet rounded."""
    desk = new_desk()
    tell(desk, CATEGORIES, Category(1, "Fische"), Category(2, "Vögel"))
    tell(desk, PETS, *[Pet(n, f"Tier Nr. {n}", 1 + n % 2, "available") for n in range(1000, 1200)])
    tell(desk, STOCK, *[InventoryItem(n, n) for n in range(1000, 1200)])
    whole(desk)
    lines = ["Bestand vom 7. November;;;;", "", "Artikel-Nr.;Bezeichnung;Warengruppe;Zustand;Bestand"]
    for n in range(1000, 1200):
        name, group, state, count = f"Tier Nr. {n}", ("Fische", "Vögel")[n % 2], "verfügbar", f"1.{n % 1000:03d}"
        number = f" #{n}" if n % 7 else str(n)
        if n % 10 < 4:
            state = ("Verkauft ", "VERKAUFT", "sold", "verkauft")[n % 10]
        name = f"  {name}" if n % 9 == 0 else name
        lines.append(f"{number};{name};{group};{state};{count}")
        lines += [";;;;"] if n % 50 == 0 else []
    lines[10] = lines[10].replace("Fische", "Zierfische").replace("Vögel", "Zierfische")
    lines[20] = lines[20].replace("verfügbar", "weiß nicht").replace("verkauft", "weiß nicht")
    lines[30] = "1,0025E+18;Tier;Fische;verkauft;1.000"
    lines[40] = lines[41]
    path = tmp_path / "bestand.csv"
    path.write_bytes("\r\n".join(lines).encode("windows-1252"))
    made = laid(desk, read_sheet(path, SheetOptions(), lambda _: None))
    assert made.layout == Layout(PETS, 2, ("id", "name", "category", "status", "stock"))
    wrong = {place: made.judged(place) for place in made.places(RowKind.WRONG)}
    problems = {
        place + 1: one.problem.code for place, one in wrong.items() if one is not None and one.problem is not None
    }
    assert sorted(problems.values()) == ["id-rounded", "no-such-status", "twice", "unknown-category"]
    made.create_categories(True)
    for place, one in wrong.items():
        assert one is not None and one.problem is not None
        if one.problem.code == "no-such-status":
            made.mend(place, 3, "sold")
        elif one.problem.code == "id-rounded":
            made.mend(place, 0, "1026")
    for _ in made.compare():
        pass
    assert (made.counts[RowKind.WRONG], made.total) == (1, 200)
    changes = Preview(desk, made.inputs(), made.new()).changes()
    assert {type(one.intent) for one in changes} == {Create, SetFields, SetStock}
