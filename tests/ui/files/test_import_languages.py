"""What a list shows in one language, copied with its headings, is read back in every other; so is an export."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QDate, QLocale, Qt
from PySide6.QtWidgets import QApplication

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.imports.import_layout import FIELDS_OF, Layout, fields_named, guess_fields, guess_layout
from petstore_desktop.desk.imports.import_values import STATUS_WORDS, read_flag
from petstore_desktop.desk.imports.importing import Import
from petstore_desktop.desk.table.exporting import listed, parts
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.records import InventoryItem, Order, Pet, Resource
from petstore_desktop.domain.sheets import Sheet, SheetOptions, SheetRow
from petstore_desktop.exchange.reading import read_sheet
from petstore_desktop.exchange.records_file import Format, RecordsFile
from petstore_desktop.ui.cells.table_model import TableModel
from petstore_desktop.ui.files.import_texts import import_field_words
from petstore_desktop.ui.text.localize import localize
from petstore_desktop.ui.text.translate import column_title, locale, speak, status_word
from tests.desk.shopkit import small_shop, tell

LANGUAGES = ("en", "de", "fr", "es", "pt_BR", "ar", "ja")


def desk_in(app: QApplication, language: str) -> Desk:
    """The small shop for people of a language."""
    speak(app, language)
    desk = small_shop()
    tell(desk, Resource.PETS, Pet(1129, "Corn snake", 2, "sold"))
    tell(desk, Resource.INVENTORY, InventoryItem(1129, 2_500, "sold"))
    tell(desk, Resource.ORDERS, Order(2, 940, 3, "2025-11-22T09:00:00Z", False))
    localize(desk)
    for table in desk.tables.values():
        table.open()
    return desk


def copied(desk: Desk, resource: Resource) -> Sheet:
    """The whole list as it is copied with headings."""
    model = TableModel(desk, desk.tables[resource])
    columns = range(model.columnCount())
    heads = [str(model.headerData(at, Qt.Orientation.Horizontal) or "") for at in columns]
    rows: list[SheetRow] = [tuple(model.copied(row, at) for at in columns) for row in range(model.rowCount())]
    return Sheet("list.csv", [tuple(heads), *rows])


def compared(desk: Desk, sheet: Sheet, layout: Layout) -> Import:
    made = Import(desk, sheet, layout)
    for _ in made.compare():
        pass
    return made


@pytest.mark.parametrize("shown", LANGUAGES)
@pytest.mark.parametrize("resource", list(Resource))
def test_a_list_copied_in_one_language_is_read_in_every_other(
    app: QApplication, resource: Resource, shown: str
) -> None:
    sheet = copied(desk_in(app, shown), resource)
    for language in LANGUAGES:
        desk = desk_in(app, language)
        layout = guess_layout(sheet, desk.shop, Resource.CATEGORIES)
        assert (layout.header, len(sheet.rows)) == (0, desk.tables[resource].total + 1)
        if resource is Resource.INVENTORY:  # without ids it looks like pets: a person says what it is
            layout = Layout(resource, 0, guess_fields(sheet, 0, resource, desk.shop))
        assert layout.resource is resource, (shown, language, sheet.rows[0])
        made = compared(desk, sheet, layout)
        assert {kind.value: n for kind, n in made.counts.items() if n} == {"same": desk.tables[resource].total}
        wanted = {
            Resource.PETS: {"id", "name", "category", "status", "stock"},
            Resource.CATEGORIES: {"id", "name", "description"},
            Resource.ORDERS: {"id", "pet", "quantity", "ship_date", "complete"},
            Resource.INVENTORY: {"pet", "quantity", "status"},
        }[resource]
        assert wanted <= {*made.layout.fields}, (shown, language, sheet.rows[0], made.layout.fields)


@pytest.mark.parametrize("shown", LANGUAGES)
def test_every_name_of_a_field_that_the_window_has_means_that_field(app: QApplication, shown: str) -> None:
    speak(app, shown)
    for resource in Resource:
        for field in FIELDS_OF[resource]:
            assert field.id in fields_named(resource, import_field_words(resource, field.id)), (resource, field.id)
            base = field.id.removesuffix("_id")
            title = column_title(resource, field.id)
            assert {field.id, base} & {*fields_named(resource, title)}, (resource, field.id, title)
    own = {code: status_word(code) for code in ("available", "pending", "sold", "complete", "open")}
    speak(app, "en")
    for code in ("available", "pending", "sold"):
        assert code in (own[code], STATUS_WORDS.get(fold(own[code]))), own[code]
    assert read_flag(own["complete"], {}) is True and read_flag(own["open"], {}) is False


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("resource", list(Resource))
def test_a_file_exported_in_japanese_is_imported_in_german(
    app: QApplication, tmp_path: Path, resource: Resource, kind: Format
) -> None:
    desk, path = desk_in(app, "ja"), tmp_path / f"list.{kind}"
    table = desk.tables[resource]
    file = RecordsFile(path, resource, kind, listed=listed(resource))
    for _, rows in parts(desk.shop, table, table.all_keys()):
        file.write(rows)
    file.finish(table.total)
    desk, sheet = desk_in(app, "de"), read_sheet(path, SheetOptions(), lambda _: None)
    made = compared(desk, sheet, guess_layout(sheet, desk.shop, Resource.PETS))
    assert made.layout.resource is resource
    assert {k.value: n for k, n in made.counts.items() if n} == {"same": table.total}


@pytest.mark.parametrize(
    ("head", "cells", "field"),
    [
        ("Status", ("offen", "abgeschlossen"), "complete"),
        ("Estado", ("abierto", "completado"), "complete"),
        ("状態", ("未完了", "完了"), "complete"),
        ("État", ("placed", "approved"), "status"),
        ("Status", ("open", "placed"), "status"),
        ("Status", ("", ""), "status"),
    ],
)
def test_of_an_orders_two_states_the_one_is_meant_that_the_cells_look_like(
    app: QApplication, head: str, cells: tuple[str, str], field: str
) -> None:
    desk = desk_in(app, "fr")
    desk.shop.told_order_statuses = ("placed", "approved", "open")
    sheet = Sheet(
        "o.csv", [("id", "pet_id", "quantity", head), *[(str(n), "1234", "2", c) for n, c in enumerate(cells)]]
    )
    assert guess_layout(sheet, desk.shop, Resource.ORDERS).fields == ("id", "pet_id", "quantity", field)
    both = Sheet("o.csv", [("id", "complete", "quantity", "Status"), ("1", "true", "2", "offen")])
    assert guess_layout(both, desk.shop, Resource.ORDERS).fields == ("id", "complete", "quantity", "status")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_day_by_the_name_of_its_month_is_read_here_and_in_english(app: QApplication, language: str) -> None:
    desk = desk_in(app, language)
    day, here = QDate(2026, 11, 27), locale()
    forms = [here.toString(day, here.dateFormat(QLocale.FormatType.LongFormat)), "27-Nov-2026", "Nov 27, 2026"]
    if language != "ja":  # whose months are numbers
        forms.append(here.toString(day, "d MMM yyyy"))
    for written in (*forms, "Fri, 27 November 2026"):
        assert ship_date(desk, written).startswith("2026-11-27"), written
    for wrong in ("27 November", "Nov 2026", "27-Nov-26", "Mon, 27 Nov 2026", "27 Nonsense 2026", "31-Nov-2026"):
        assert ship_date(desk, wrong) == "date-unreadable", wrong


def ship_date(desk: Desk, written: str) -> str:
    """What an order's ship date becomes by a file, or why it stays."""
    sheet = Sheet("orders.csv", [("id", "ship_date"), ("2", written)])
    made = compared(desk, sheet, guess_layout(sheet, desk.shop, Resource.ORDERS))
    problems = [one.problem.code for one in map(made.judged, made.places()) if one is not None and one.problem]
    return (problems or [one.text for one in made.inputs()])[0]
