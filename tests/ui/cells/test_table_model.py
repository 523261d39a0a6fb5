"""The item model over a desk table keeps Qt's rules in every state, and shows and takes exactly what is there."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from pytestqt.modeltest import ModelTester

from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.changes import AddStock, NewChange, SetFields, SetStock
from petstore_desktop.domain.records import Category, InventoryItem, Pet, Ref, Resource
from petstore_desktop.sync.wire.events import ContractRead, RowsChanged
from petstore_desktop.ui.cells.cell_model import KeyRole
from petstore_desktop.ui.cells.table_model import TableModel
from petstore_desktop.ui.text.cell import CellRole
from tests.ui.recording_shop import CONNECTION, RecordingShop, full_contract, small_shop

pytestmark = pytest.mark.usefixtures("qapp")  # a model does in slices what takes long

BIG = 9_223_372_036_854_775_807


def filled(shop: RecordingShop) -> None:
    """Everything a desk needs, without a window."""
    apply_event(shop.desk, ContractRead(CONNECTION, full_contract()))
    for resource, records in small_shop().items():
        shop.tell_rows(resource, records)
    drain(shop)


def drain(shop: RecordingShop) -> None:
    """Take in what was told; on a slow machine rows wait for their places, which no event loop gives them here."""
    for event in shop.events.drain(1.0):
        apply_event(shop.desk, event)
    for table in shop.desk.tables.values():
        while table.work(inf) != "none":
            pass


def model_of(shop: RecordingShop, resource: Resource) -> TableModel:
    return TableModel(shop.desk, shop.desk.tables[resource])


def column(model: TableModel, name: str) -> int:
    return [one.id for one in model.table.columns].index(name)


def at(model: TableModel, key: int, name: str) -> QModelIndex:
    index = model.index_of(key, column(model, name))
    assert index.isValid()
    return index


def test_columns_of_second_rank_are_quieter(shop: RecordingShop) -> None:
    filled(shop)
    model = model_of(shop, Resource.PETS)
    tones = {name: at(model, 1234, name).data(CellRole).tone for name in ("id", "name", "category")}
    assert (tones["id"], tones["category"], tones["name"]) == ("muted", "muted", "text")


@pytest.mark.parametrize("resource", list(Resource))
def test_the_model_keeps_qts_rules_while_rows_come_go_change_and_move(
    qtmodeltester: ModelTester, shop: RecordingShop, resource: Resource
) -> None:
    model = model_of(shop, resource)
    qtmodeltester.check(model)  # stays connected: every change below is watched
    filled(shop)
    qtmodeltester.check(model)
    table = model.table
    pets = [Pet(n, f"Guppy {n % 7}", n % 3 + 1, "sold") for n in range(5000, 5400)]
    shop.tell_rows(Resource.PETS, pets)
    shop.tell_rows(Resource.INVENTORY, [InventoryItem(pet.id, pet.id % 50, "sold") for pet in pets])
    drain(shop)
    first = next(one.id for one in table.columns if one.kind != "gutter")
    table.sort_by(first, descending=True)
    table.set_filter("koi")
    table.set_filter("nothing fits this")
    qtmodeltester.check(model)
    table.set_filter("")
    apply_event(shop.desk, RowsChanged(CONNECTION, resource, (), tuple(table.keys()[::3])))
    apply_event(shop.desk, RowsChanged(CONNECTION, resource, (), tuple(table.keys())))
    qtmodeltester.check(model)
    assert model.rowCount() == 0


def test_persistent_indexes_follow_their_records_through_a_sort(shop: RecordingShop) -> None:
    model = model_of(shop, Resource.PETS)
    filled(shop)
    koi = QPersistentModelIndex(at(model, 1234, "name"))
    model.table.sort_by("id", descending=True)
    assert koi.isValid()
    assert koi.data() == "Koi"
    assert model.index(0, column(model, "id")).data() == str(BIG)


def test_ids_of_nineteen_digits_and_tags_are_shown_and_copied_letter_by_letter(shop: RecordingShop) -> None:
    model = model_of(shop, Resource.PETS)
    filled(shop)
    row = at(model, BIG, "name").row()
    assert model.index(row, column(model, "id")).data() == "9223372036854775807"
    assert model.index(row, 0).data(KeyRole) == "9223372036854775807"
    assert model.index(row, column(model, "name")).data() == "<b>bold</b>"
    assert model.copied(row, column(model, "id")) == "9223372036854775807"
    assert model.copied(row, column(model, "name")) == "<b>bold</b>"
    assert model.copied(row, column(model, "status")) == "on loan"


def test_a_tool_tip_never_carries_a_tag_of_the_service(shop: RecordingShop) -> None:
    model = model_of(shop, Resource.ORDERS)
    filled(shop)
    for row in range(model.rowCount()):
        for section in range(model.columnCount()):
            assert "<b>" not in str(model.index(row, section).data(Qt.ItemDataRole.ToolTipRole) or "")


def test_quantities_are_grouped_for_the_eye_and_plain_for_editor_and_clipboard(shop: RecordingShop) -> None:
    model = model_of(shop, Resource.INVENTORY)
    filled(shop)
    stock = at(model, BIG, "stock")
    assert stock.data() == "1,240"
    assert stock.data(Qt.ItemDataRole.EditRole) in ("1240", "")
    assert model.copied(stock.row(), stock.column()) == "1240"


def test_a_stock_cell_with_a_booking_says_all_three_numbers(shop: RecordingShop) -> None:
    model = model_of(shop, Resource.INVENTORY)
    filled(shop)
    ref = Ref(Resource.INVENTORY, 1234)
    apply_event(shop.desk, shop.saved([NewChange(ref, AddStock(12), {"quantity": 24})], "b"))
    stock = at(model, 1234, "stock")
    cell: Any = stock.data(CellRole)
    assert (cell.base, cell.chip, cell.result, cell.mark) == ("24", "+12", "36", "unsent")
    words = stock.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "36" in words
    assert "24" in words
    assert "+12" in words


@pytest.mark.parametrize(
    ("typed", "intent"),
    [
        ("+12", AddStock(12)),
        ("-3", AddStock(-3)),
        ("=40", SetStock(40)),
        ("40", SetStock(40)),
        ("1,000", SetStock(1000)),
    ],
)
def test_what_is_typed_in_a_stock_cell_becomes_one_act(shop: RecordingShop, typed: str, intent: object) -> None:
    model = model_of(shop, Resource.INVENTORY)
    filled(shop)
    acts: list[Any] = []
    model.acted.connect(acts.append)
    assert model.setData(at(model, 1234, "stock"), typed)
    ((change,),) = acts
    assert change.ref == Ref(Resource.INVENTORY, 1234)
    assert change.intent == intent


def test_rubbish_in_a_cell_is_kept_there_with_its_reason_until_it_is_mended_or_given_up(shop: RecordingShop) -> None:
    model = model_of(shop, Resource.INVENTORY)
    filled(shop)
    said: list[Any] = []
    acts: list[Any] = []
    model.mistyped.connect(said.append)
    model.acted.connect(acts.append)
    stock = at(model, 1234, "stock")
    assert not model.setData(stock, "many")
    assert not model.setData(stock, "1.5")
    assert [index.row() for index in said] == [stock.row()] * 2
    cell: Any = stock.data(CellRole)
    assert (cell.text, cell.mark, cell.tone, cell.icon) == ("1.5", "invalid", "bad", "warning")
    assert stock.data(Qt.ItemDataRole.EditRole) == "1.5"
    assert "no fraction" in stock.data(Qt.ItemDataRole.AccessibleDescriptionRole)
    tip = stock.data(Qt.ItemDataRole.ToolTipRole)
    assert "no fraction" in tip and "In its cell, correct it, or press Esc to discard." in tip
    assert "not saved" in stock.data(Qt.ItemDataRole.AccessibleTextRole)
    assert model.cell(model.index(stock.row(), 0)).mark == "invalid"
    model.table.sort_by("stock", descending=True)
    shop.tell_rows(Resource.INVENTORY, [InventoryItem(1234, 50, "available")])
    drain(shop)
    assert at(model, 1234, "stock").data(Qt.ItemDataRole.EditRole) == "1.5"
    assert model.give_up(at(model, 1234, "stock"))
    assert not model.give_up(at(model, 1234, "stock"))
    assert at(model, 1234, "stock").data() == "50"
    assert not model.setData(at(model, 1234, "stock"), "few")
    assert model.setData(at(model, 1234, "stock"), "+1")
    assert [change.intent for (change,) in acts] == [AddStock(1)]
    assert not model.invalid


def test_a_chosen_category_and_status_become_field_changes(shop: RecordingShop) -> None:
    model = model_of(shop, Resource.PETS)
    filled(shop)
    acts: list[Any] = []
    model.acted.connect(acts.append)
    model.setData(at(model, 1234, "status"), "sold")
    model.setData(at(model, 1234, "category"), "2")
    model.setData(at(model, 1234, "name"), "Koi, large")
    assert [act[0].intent for act in acts] == [
        SetFields({"status": "sold"}),
        SetFields({"category_id": 2}),
        SetFields({"name": "Koi, large"}),
    ]


def test_where_nothing_is_known_of_the_service_no_cell_can_be_edited(shop: RecordingShop) -> None:
    shop.tell_rows(Resource.CATEGORIES, [Category(1, "Fish")])
    drain(shop)
    model = model_of(shop, Resource.CATEGORIES)
    flags = [model.flags(model.index(0, section)) for section in range(model.columnCount())]
    assert not any(flag & Qt.ItemFlag.ItemIsEditable for flag in flags)


def test_a_dangling_pet_is_marked_and_its_id_shown(shop: RecordingShop) -> None:
    model = model_of(shop, Resource.ORDERS)
    filled(shop)
    cell: Any = at(model, 1247, "pet").data(CellRole)
    assert (cell.text, cell.ref_id, cell.note) == ("?", "1777", "no such pet")
