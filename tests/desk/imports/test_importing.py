"""Rows of a file over the shop: new, changed, the same, or wrong with a reason, whatever the file looks like."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.imports.import_judging import RowKind
from petstore_desktop.desk.imports.import_layout import Layout, guess_layout
from petstore_desktop.desk.imports.importing import Import
from petstore_desktop.desk.preview import Preview
from petstore_desktop.desk.values.text import Separators
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, SetFields, SetStock
from petstore_desktop.domain.records import (
    Category,
    InventoryItem,
    LocalId,
    Order,
    Pet,
    Ref,
    Resource,
)
from petstore_desktop.domain.sheets import Sheet, SheetCell
from petstore_desktop.exchange.reading import content_of
from tests.desk.shopkit import Journal, small_shop, tell

PETS, CATEGORIES, ORDERS, STOCK = Resource.PETS, Resource.CATEGORIES, Resource.ORDERS, Resource.INVENTORY


def sheet(*rows: tuple[SheetCell, ...], **more: Any) -> Sheet:
    return Sheet("pets.csv", list(rows), content=content_of(rows), **more)


def laid(desk: Desk, file: Sheet, preferred: Resource = PETS, layout: Layout | None = None) -> Import:
    """The file over the shop, compared to its end."""
    made = Import(desk, file, layout or guess_layout(file, desk.shop, preferred))
    for _ in made.compare():
        pass
    return made


def said(made: Import) -> list[str]:
    """What comes of each row: its kind, or what is wrong."""
    judged = [made.judged(place) for place in made.places()]
    return [one.kind.value if one.problem is None else one.problem.code for one in judged if one is not None]


def done(made: Import, desk: Desk) -> dict[Any, Any]:
    """What the preview would save, by record."""
    changes = Preview(desk, made.inputs(), made.new()).changes()
    return {one.ref.key if isinstance(one.ref.key, int) else "new": one.intent for one in changes}


@pytest.fixture
def desk() -> Desk:
    return small_shop()


# ---- kinds of rows


def test_rows_are_new_changed_the_same_or_wrong(desk: Desk) -> None:
    file = sheet(
        ("id", "name", "category", "status"),
        ("1234", "Koi", "Fish", "available"),
        ("1234", "Koi", "Fish", "sold"),
        ("99", "Nobody", "Fish", "sold"),
        ("", "Tetra", "Fish", "pending"),
        (),
        ("12x", "Koi", "", ""),
        ("", "", "Fish", ""),
    )
    made = laid(desk, file)
    assert said(made) == ["same", "twice", "no-such-id", "new", "id-unreadable", "name-empty"]
    assert made.counts == {RowKind.CHANGED: 0, RowKind.NEW: 1, RowKind.SAME: 1, RowKind.WRONG: 4}
    assert made.identity == "id"
    (new,) = made.new()
    assert new.intent == Create({"name": "Tetra", "category_id": 1, "status": "pending"})


def test_an_empty_cell_changes_nothing(desk: Desk) -> None:
    assert said(laid(desk, sheet(("id", "name", "category", "status"), ("1234", "", " ", "")))) == ["same"]


def test_a_changed_row_becomes_what_the_preview_saves(desk: Desk) -> None:
    made = laid(
        desk, sheet(("Id", "Name", "Category", "Status", "In stock"), ("#1 234", " Koi II", "birds", "SOLD", "+2"))
    )
    changes = Preview(desk, made.inputs(), made.new()).changes()
    assert {one.ref.resource: one.intent for one in changes} == {
        PETS: SetFields({"name": "Koi II", "category_id": 2, "status": "sold"}),
        STOCK: AddStock(2),
    }


def test_of_an_id_and_a_name_of_a_category_the_one_that_differs_counts(desk: Desk) -> None:
    def row(number: str, name: str) -> Any:
        made = laid(desk, sheet(("id", "category_id", "category"), ("1234", number, name)))
        return done(made, desk).get(1234, said(made)[0])

    assert row("1", "Fish") == "same"
    assert row("2", "Fish") == SetFields({"category_id": 2})
    assert row("1", "Birds") == SetFields({"category_id": 2})
    assert row("2", "Birds") == SetFields({"category_id": 2})
    assert row("1", "Bird") == "unknown-category"
    assert row("2", "Bird") == "categories-differ"
    assert row("41", "Fish") == "no-such-category"


def test_a_category_that_is_not_there_is_made_if_that_is_wanted(desk: Desk) -> None:
    file = sheet(
        ("id", "name", "category"),
        ("1234", "Koi", "Cats"),
        ("", "Tom", "cats "),
        ("", "Kit", "Cats"),
        ("", "X", "Fish"),
    )
    made = laid(desk, file)
    assert said(made) == ["unknown-category", "unknown-category", "unknown-category", "new"]
    assert made.unknown == ("Cats",)
    made.create_categories(True)
    for _ in made.compare():
        pass
    assert said(made) == ["changed", "new", "new", "new"]
    changes = Preview(desk, made.inputs(), made.new()).changes()
    category = next(one for one in changes if one.ref.resource is CATEGORIES)
    assert category.intent == Create({"name": "Cats"})
    names = [one.intent.fields.get("category_id") for one in changes if isinstance(one.intent, Create | SetFields)]
    assert names.count(category.ref.key) == 3
    assert isinstance(category.ref.key, LocalId)
    made.create_categories(False)
    next(made.compare())
    assert said(made)[0] == "unknown-category"


def test_the_stock_of_new_pets_is_left_out_if_that_is_wanted(desk: Desk) -> None:
    tell(desk, STOCK, InventoryItem(1234, 24, "available"))
    file = sheet(
        ("id", "name", "category", "stock"),
        ("", "Tom", "Fish", "0"),
        ("", "", "Fish", "2"),
        ("", "Kit", "Fish", ""),
        ("1234", "Koi", "Fish", "3"),
    )
    made = laid(desk, file)
    assert (said(made), made.stocked) == (["new-no-stock", "new-no-stock", "new", "changed"], 2)
    made.leave_stock(True)
    for _ in made.compare():
        pass
    assert (said(made), made.stocked) == (["new", "name-empty", "new", "changed"], 2)
    assert next(one.intent for one in made.new()) == Create({"name": "Tom", "category_id": 1})
    assert done(made, desk)[1234] == SetStock(3), "the stock of a pet that is there is set"
    made.mend(1, 3, "")
    assert made.stocked == 1
    assert made.with_layout(made.layout).leaving_stock
    made.leave_stock(False)
    next(made.compare())
    assert said(made)[:2] == ["new", "new-no-stock"]


def test_a_row_says_all_that_is_wrong_with_it_and_a_file_what_is_wrong_most(desk: Desk) -> None:
    tell(desk, STOCK, InventoryItem(1234, 24, "available"))
    file = sheet(
        ("id", "name", "category", "status", "stock"),
        ("99", "", "", "", ""),
        ("1234", "", "Cats", "gone", "1.5"),
        ("", "Tom", "Cats", "gone", "1"),
    )
    made = laid(desk, file)

    def codes(place: int) -> list[str]:
        judged = made.judged(place)
        return [] if judged is None else [one.code for one in judged.problems]

    assert codes(2) == ["unknown-category", "no-such-status", "quantity-fraction"]
    assert codes(3) == ["unknown-category", "no-such-status", "new-no-stock"]
    assert (made.new(), *made.inputs()) == ((),)
    most = made.most_wrong()
    assert most is not None
    assert (most[0], most[1].code) == (2, "unknown-category")
    made.mend(2, 2, "")
    made.mend(3, 2, "")
    most = made.most_wrong()
    assert most is not None
    assert most[1].code == "no-such-status"


def test_statuses_are_taken_by_word_in_several_languages(desk: Desk) -> None:
    rows = [("1234", word) for word in ("Verkauft",)]
    assert done(laid(desk, sheet(("Tier-Nr.", "Status"), *rows)), desk) == {1234: SetFields({"status": "sold"})}
    assert said(laid(desk, sheet(("id", "status"), ("1234", "lost")))) == ["no-such-status"]


def test_without_ids_pets_are_known_by_name_and_category_if_only_one_is_called_so(desk: Desk) -> None:
    tell(desk, PETS, Pet(50, "Kóï", 2, "sold"), Pet(51, "Tit", 2), Pet(52, "Tit", 2))
    file = sheet(
        ("Name", "Category", "Status"),
        ("koi", "Fish", "sold"),
        ("koi", "Birds", "sold"),
        ("Tit", "Birds", "sold"),
        ("New one", "Birds", ""),
        ("new one", "Birds", ""),
    )
    made = laid(desk, file)
    assert (made.identity, said(made)) == ("name-category", ["changed", "same", "several-records", "new", "twice"])
    assert done(made, desk)[1234] == SetFields({"status": "sold"})


def test_a_creation_of_unknown_fate_is_not_another_of_the_name_that_it_may_have_made(desk: Desk) -> None:
    """The program was killed before the answer: "2 are called Kill 0", of which the service had one."""
    journal = Journal(desk)
    new = Create({"name": "Kill 0", "category_id": 1})
    journal.move(journal.act(Ref(PETS, LocalId("a")), new, ChangeState.SENDING), ChangeState.UNCERTAIN)
    file = sheet(("Name", "Category"), ("Kill 0", "Fish"))
    assert said(laid(desk, file)) == ["same"], "of the creation itself"
    tell(desk, PETS, Pet(50, "Kill 0", 1, "available"))
    assert said(laid(desk, file)) == ["same"]
    assert done(laid(desk, sheet(("Name", "Status"), ("Kill 0", "sold"))), desk) == {50: SetFields({"status": "sold"})}
    journal.act(Ref(PETS, LocalId("b")), new)
    assert said(laid(desk, file)) == ["several-records"], "one that was never sent is one more"


# ---- stock


def test_a_quantity_is_a_count_unless_it_has_a_sign(desk: Desk) -> None:
    tell(desk, STOCK, InventoryItem(1234, 24, "available"))

    def quantity(cell: SheetCell, header: str = "quantity", **more: Any) -> Any:
        made = laid(desk, sheet(("pet_id", header), (1234, cell), **more), STOCK)
        return done(made, desk).get(1234, said(made)[0])

    assert quantity("24") == "same"
    assert quantity("1,000") == "numbers-unsure"
    assert quantity("1.040") == "numbers-unsure"  # may be one, and a little more
    assert quantity("1.001.040") == SetStock(1_001_040)
    assert quantity("1,040,000") == SetStock(1_040_000)
    assert quantity("40.00") == SetStock(40)
    assert quantity("=40") == SetStock(40)
    assert quantity(40.0) == SetStock(40)
    assert quantity("+5") == AddStock(5)
    assert quantity("−5") == AddStock(-5)
    assert quantity("-5", own=STOCK) == SetStock(-5)
    assert quantity(5, "booked") == AddStock(5)
    assert quantity("1.5") == "quantity-fraction"
    assert quantity("many") == "quantity-unreadable"
    assert quantity("99999999999999999999") == "quantity-too-large"
    assert quantity(2**60) == "id-rounded"


def test_a_stock_entry_is_found_by_the_name_of_its_pet_and_its_status_stays(desk: Desk) -> None:
    tell(desk, STOCK, InventoryItem(1234, 24, "available"))
    assert done(laid(desk, sheet(("Tier", "Bestand"), ("KOI", "3")), STOCK), desk) == {1234: SetStock(3)}
    assert said(laid(desk, sheet(("pet_id", "status"), ("1234", "sold")), STOCK)) == ["stock-status"]
    assert said(laid(desk, sheet(("pet_id", "quantity"), ("98765", "1")), STOCK)) == ["no-such-pet"]


# ---- orders


def test_a_day_of_an_order_is_read_in_the_order_that_the_column_has(desk: Desk) -> None:
    tell(desk, ORDERS, Order(7, 1234, 1, "2025-11-18T14:00:00Z", False), Order(8, 1234, 1, "2025-11-20", False))

    def date(*cells: SheetCell) -> Any:
        rows = [(str(7 + at), cell) for at, cell in enumerate(cells)]
        made = laid(desk, sheet(("id", "ship date"), *rows), ORDERS)
        inputs = {cell_input.ref.key: cell_input.text for cell_input in made.inputs()}
        return inputs.get(7, said(made)[0])

    assert date("18.11.2025") == "same"
    assert date("2025-11-18") == "same"
    assert date("18/11/2025") == "same"
    assert date("11/18/2025") == "same"
    assert date(datetime(2025, 11, 18)) == "same"
    assert date("19.11.2025") == "2025-11-19T14:00:00Z"
    assert date("2025-12-01 08:30") == "2025-12-01T07:30:00Z"
    assert date("03/04/2026") == "dates-unsure"
    assert date("03/04/2026", "25/12/2025") == "2026-04-03T14:00:00Z"
    assert date("03/04/2026", "12/25/2025") == "2026-03-04T14:00:00Z"
    assert date("18.11.25") == "dates-unsure"  # 18 November in Germany, 25 November 2018 in Japan
    assert date("31.11.2025", "18.11.2025") == "date-unreadable"
    assert date("2025年11月18日") == "same"
    assert date("\u0661\u0668\u200f/\u0661\u0661\u200f/\u0662\u0660\u0662\u0665") == "same"
    assert date("11/07/26") == "dates-unsure"
    assert date("26/11/07") == "dates-unsure"
    assert date("8年11月18日") == "date-unreadable"  # a year of an era
    assert date("11.03.2026", "11.25.2026") == "2026-11-03T14:00:00Z"
    assert date("03/04/2026", "03/25/2026", "03.04.2026") == "dates-unsure"
    assert date("05-05-06") == "dates-unsure"
    assert date("18.11.225") == date("18.11.1") == date("1811.11.25.1") == "date-unreadable"
    assert date("soon") == "date-unreadable"
    assert date("31.02.2026") == "date-unreadable"


def test_what_a_column_leaves_open_a_person_says(desk: Desk) -> None:
    tell(desk, ORDERS, Order(7, 1234, 1, "2025-11-18T14:00:00Z", False))
    made = laid(desk, sheet(("id", "date"), ("7", "03/04/2026")), ORDERS)
    assert made.formats.unsure == {"dates"}
    made.choose_formats(dates="mdy")
    next(made.compare())
    assert [cell_input.text for cell_input in made.inputs()] == ["2026-03-04T14:00:00Z"]
    assert done(made, desk) == {7: SetFields({"ship_date": "2026-03-04T14:00:00Z"})}


def test_an_order_stays_with_its_pet_and_a_new_one_needs_one(desk: Desk) -> None:
    tell(desk, ORDERS, Order(7, 1234, 2, None, False))
    file = sheet(
        ("id", "pet_id", "pet", "quantity", "complete"),
        ("7", "1234", "Koi, renamed", "3", "ja"),
        ("", "", "Koi", "1", "no"),
        ("", "", "", "1", "no"),
    )
    made = laid(desk, file, ORDERS)
    assert said(made) == ["changed", "new", "pet-missing"]
    assert done(made, desk) == {
        7: SetFields({"quantity": 3, "complete": True}),
        "new": Create({"pet_id": 1234, "quantity": 1, "complete": False}),
    }
    other = laid(desk, sheet(("id", "pet_id"), ("7", "98")), ORDERS)
    assert said(other) == ["order-pet"]


# ---- mending


def test_a_mended_cell_counts_at_once_and_a_mended_id_is_looked_at_with_all_others(desk: Desk) -> None:
    made = laid(desk, sheet(("id", "status"), ("1234", "lost"), ("12345", "sold"), ("77", "sold")))
    assert said(made) == ["no-such-status", "no-such-id", "no-such-id"]
    made.mend(1, 1, "sold")
    assert said(made)[0] == "changed"
    made.mend(2, 0, "1234")
    for _ in made.compare():
        pass
    assert said(made) == ["changed", "twice", "no-such-id"]
    assert (made.mended, made.text(1, 1)) == (2, "sold")
    moved = made.with_layout(made.layout)
    next(moved.compare())
    assert said(moved) == said(made)


def test_digits_that_a_spreadsheet_rounded_are_refused_with_a_word(desk: Desk) -> None:
    rows: list[SheetCell] = [1.2345678901234568e18, "1.23457E+18", 2**60]
    assert said(laid(desk, sheet(("id", "name"), *[(cell, "Koi") for cell in rows]))) == ["id-rounded"] * 3


# ---- layouts


def test_columns_are_known_by_their_names_in_several_languages_and_by_what_stands_in_them(desk: Desk) -> None:
    def fields(*rows: tuple[SheetCell, ...], preferred: Resource = PETS) -> tuple[Resource, int, tuple[str, ...]]:
        found = guess_layout(sheet(*rows), desk.shop, preferred)
        return found.resource, found.header, found.fields

    assert fields(("ID", "Bezeichnung", "Warengruppe", "Preis")) == (PETS, 0, ("id", "name", "category", ""))
    assert fields(("categoryId", "Nom", "État", "id")) == (PETS, 0, ("category_id", "name", "status", "id"))
    assert fields(("order", "pet_id", "qty", "Ship-Date", "done")) == (
        ORDERS, 0, ("id", "pet_id", "quantity", "ship_date", "complete"),
    )  # fmt: skip
    assert fields(("Stock of May",), (), ("pet_id", "quantity", "x")) == (STOCK, 2, ("pet_id", "quantity", ""))
    assert fields(("1234", "Koi", "Fish", "available")) == (PETS, -1, ("id", "name", "category", "status"))
    assert fields(("what", "whom"), ("1234", "sold")) == (PETS, 0, ("id", "status"))


# ---- odds and ends


def test_what_spreadsheets_drop_when_they_save_is_no_change(desk: Desk) -> None:
    tell(desk, CATEGORIES, Category(7, "a\r\nb", "\x01c\rd"), Category(8, "'=x", "\t"))
    rows = [("7", "a\nb", "c\nd"), ("8", "'=x", "'")]
    assert said(laid(desk, sheet(("id", "name", "description"), *rows), CATEGORIES)) == ["same", "same"]
    assert said(laid(desk, sheet(("id", "name"), ("8", "=x")), CATEGORIES)) == ["changed"]


def test_a_record_that_is_not_sent_yet_is_not_made_again(desk: Desk) -> None:
    desk.shop.stores[PETS].put_local(LocalId.new(), {"name": "Tetra", "category_id": 1})
    assert said(laid(desk, sheet(("id", "name", "category_id"), ("", "Tetra", "1")))) == ["same"]


def test_numbers_are_written_the_way_all_cells_agree_on() -> None:
    from petstore_desktop.desk.imports.import_values import number_style, read_whole

    english, german = Separators(",", "."), Separators(".", ",")
    for cells_, local, value, is_open in (
        (["1.234", "12,50"], english, "1.234", False),
        (["1.234.567", "3"], english, "1.234.567", False),
        (["1,234", "7.00"], german, "1,234", False),
        (["1 234", "5"], german, "1 234", False),
        (["1.234"], german, "1.234", False),
        (["1.000"], german, "1.000", True),
        (["1.234", "3"], english, "1.234", True),
        (["1,234", "3"], german, "1,234", True),
        (["(12)", "-3"], german, "(12)", False),
        (["1.500", "2.50"], german, "1.500", True),
        (["1.500", "0.500"], german, "1.500", True),
        (["1.500"] * 11 + ["2.50"], german, "1.500", False),
        (["1.234"], None, "1.234", True),
        (["1,234", "3"], None, "1,234", True),
        (["1,234", "12.00"], None, "1,234", False),
        (["1.234.567"], None, "1.234.567", False),
        (["1 234"], None, "1 234", False),
        (["(12)", "-3"], None, "(12)", False),
    ):
        style, unsure = number_style(cells_, local)
        assert unsure is is_open, cells_
        assert read_whole(value, style) in (1000, 1234, 1500, 1_234_567, -12), (cells_, style)


def test_a_ref_of_a_row_is_the_record_that_it_is_about(desk: Desk) -> None:
    made = laid(desk, sheet(("id", "status"), ("1234", "sold")))
    judged = made.judged(1)
    assert judged is not None
    assert judged.ref == Ref(PETS, 1234)


# ---- rows that were imported before


def imported(desk: Desk, made: Import) -> list[LocalId]:
    """The creations of a file are saved; their keys."""
    journal = Journal(desk)
    keys = [one.ref.key for one in made.new() if isinstance(one.ref.key, LocalId)]
    for number, one in enumerate(made.new(), 7001):
        change = journal.act(one.ref, one.intent)
        tell(desk, made.layout.resource, _as_made(made.layout.resource, number))
        journal.move(change, ChangeState.DONE, result_key=number)
    return keys


def _as_made(resource: Resource, number: int) -> Pet | Category | Order:
    """As the service keeps it: with a value of its own."""
    if resource is PETS:
        return Pet(number, "Named there", 1, None, "sold")
    return Category(number, "Named there") if resource is CATEGORIES else Order(number, 1234, 9, None, None, "placed")


@pytest.mark.parametrize(
    ("resource", "rows"),
    [
        (PETS, (("id", "name", "category"), ("", "Tetra", "Fish"), ("", "Tetra", "Fish"))),
        (PETS, (("name", "category"), ("Tetra", "Fish"), ("Guppy", "Fish"))),
        (CATEGORIES, (("id", "name"), ("", "Snails"), ("", "Crabs"))),
        (ORDERS, (("id", "pet", "quantity"), ("", "Koi", "1"), ("", "Koi", "1"))),
        (ORDERS, (("pet", "quantity"), ("Koi", "1"), ("Koi", "2"))),
    ],
)
def test_a_row_that_was_imported_makes_nothing_again_whatever_it_became(
    desk: Desk, resource: Resource, rows: tuple[tuple[SheetCell, ...], ...]
) -> None:
    made = laid(desk, sheet(*rows), resource)
    assert said(made) == ["new", "new"]
    imported(desk, made)
    for word in ("same", "new"):
        made = laid(desk, sheet(*rows), resource)
        made.make_again(word == "new")
        for _ in made.compare():
            pass
        assert (said(made), made.made_before) == ([word, word], 2)
    assert len({one.ref for one in made.new()}) == 2


def test_only_as_many_equal_rows_are_the_same_as_were_imported(desk: Desk) -> None:
    head, row = ("id", "name", "category"), ("", "Tetra", "Fish")
    imported(desk, laid(desk, sheet(head, row, row)))
    assert said(laid(desk, sheet(head, row, row, row))) == ["same", "same", "new"]


def test_a_pet_that_is_gone_is_new_again_and_an_order_of_another_file_is_another(desk: Desk) -> None:
    head, row = ("id", "name", "category"), ("", "Tetra", "Fish")
    imported(desk, laid(desk, sheet(head, row)))
    tell(desk, PETS, removed=(7001,))
    assert said(laid(desk, sheet(head, row))) == ["new"]
    head, row = ("id", "pet", "quantity"), ("", "Koi", "1")
    imported(desk, laid(desk, sheet(head, row), ORDERS))
    assert said(laid(desk, sheet(head, row, ("", "Koi", "2")), ORDERS)) == ["new", "new"]


def test_a_new_row_that_was_mended_into_one_imported_before_is_the_same(desk: Desk) -> None:
    head, row = ("id", "name", "category"), ("", "Tetra", "Fish")
    imported(desk, laid(desk, sheet(head, row)))
    made = laid(desk, sheet(head, ("", "Tetras", "Fish")))
    made.mend(1, 1, "Tetra")
    assert said(made) == ["same"]
    made.mend(1, 1, "Guppy")
    assert (said(made), made.made_before) == (["new"], 0)
