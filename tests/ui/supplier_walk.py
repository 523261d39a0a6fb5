"""What a field that is new to the program does from end to end; run by tests/program/test_new_field.py in a copy of the
program that knows the supplier of a pet."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import httpx
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

import petstore_desktop
from petstore_desktop.api import wire
from petstore_desktop.desk.changes.details import details_of
from petstore_desktop.desk.columns.columns import COLUMNS
from petstore_desktop.desk.filters.cell_filters import filter_by_cell
from petstore_desktop.domain.changes import ChangeState, Create, NewChange, SetFields
from petstore_desktop.domain.records import LocalId, Pet, Ref, Resource
from petstore_desktop.domain.sheets import SheetOptions
from petstore_desktop.exchange.reading import read_sheet
from petstore_desktop.exchange.records_file import RecordsFile
from petstore_desktop.exchange.records_table import RecordNames, cells
from petstore_desktop.store.history.history import ShopHistory
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.store.mirror.reader import MirrorReader
from petstore_desktop.ui.details.details_side import fact_title
from petstore_desktop.ui.records.record_dialogs import BulkEditDialog, NewPetDialog, RecordDialog
from petstore_desktop.ui.text.changes.history import file_words
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.window.dialogs import open_bulk_edit
from petstore_desktop.ui.window.main_window import MainWindow
from tests.desk.imports.test_importing import done, laid, said, sheet
from tests.desk.shopkit import filter_column, row, small_shop, tell
from tests.support.session import Watched
from tests.support.shop import Shop
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import RecordingShop
from tests.ui.records.test_record_dialogs import KOI, opened

PETS = Resource.PETS
SUPPLIER = "supplier"
supplied = cast("Callable[..., Pet]", Pet)
"""The class as it is in the copy."""


def supplier_of(record: object) -> Any:
    return getattr(record, SUPPLIER)


def test_the_copy_is_what_runs() -> None:
    assert Path(petstore_desktop.__file__).is_relative_to(os.environ["PETSTORE_COPY"])


def test_a_pets_supplier_is_read_kept_and_sent(tmp_path: Path) -> None:
    assert wire.decode_one(PETS, {"id": 1, "name": "Koi"}) == supplied(1, "Koi", supplier=None)
    with Shop(tmp_path / "books", plan="unlimited", pets=20) as books:
        ((pet, category),) = books.rows("SELECT id, category_id FROM pets WHERE category_id IS NOT NULL LIMIT 1")
        address = f"{books.url}/pets/{pet}"
        assert httpx.patch(address, headers=books.auth, json={SUPPLIER: "Aqua", "tag": 7}).is_success
        with Watched(tmp_path / "data", books) as shown:
            shown.wait_loaded()
            there = shown.rows[PETS][pet]
            assert (supplier_of(there), there.extra) == ("Aqua", {"tag": 7})
            edit = NewChange(Ref(PETS, pet), SetFields({SUPPLIER: "Baltic"}), {SUPPLIER: "Aqua"})
            fresh = Create({"name": "Zoë", "category_id": category, SUPPLIER: "Aqua"})
            ids = shown.apply(edit, NewChange(Ref(PETS, LocalId.new()), fresh))
            shown.wait_for(ids, ChangeState.DONE)
        told = httpx.get(f"{books.url}/pets", params={"limit": 100}, headers=books.auth).json()
        records = told if isinstance(told, list) else next(one for one in told.values() if isinstance(one, list))
        assert {one["name"]: one.get(SUPPLIER) for one in records}["Zoë"] == "Aqua"
        said_now = httpx.get(address, headers=books.auth).json()
        assert (said_now[SUPPLIER], said_now["tag"]) == ("Baltic", 7)


def test_the_mirror_of_an_earlier_version_loses_nothing() -> None:
    path, expected = Path(os.environ["OLD_MIRROR"]), json.loads(os.environ["OLD_MIRROR_HELD"])
    mirror = Mirror(path)
    assert mirror.set_aside is None
    rows = [mirror.get(Ref(PETS, key)) for key in range(1, 6)]
    records = [one.record for one in rows if one is not None]
    assert [supplier_of(one) for one in records] == ["Aqua é", None, None, None, None]
    assert [dict(one.extra) for one in records] == [{"tag": "ü"}, {SUPPLIER: 5}, {}, {"other": {"deep": [1]}}, {}]
    # What a service says as before is no news, and what looked as in the morning looks so still.
    again = [one for one in rows if one is not None]
    assert mirror.put(PETS, again, mirror.begin_read()) == ()
    reader = MirrorReader(path)
    assert sorted(map(str, reader.changed_since(expected["since"])[PETS])) == expected["changed"]
    history = ShopHistory(path.with_name("history.db"), "here", lambda: again[0].seen_at)
    mirror.tell_to(history)
    history.catch_up(mirror)
    moved = [supplied(3, "Newt", 1, "available", supplier="Aqua")]
    mirror.put(PETS, [row(one, seen_at=again[0].seen_at + 60) for one in moved], mirror.begin_read())
    (seen,) = history.changes_of(Ref(PETS, 3))
    assert (seen.field, seen.before, seen.after) == (SUPPLIER, None, "Aqua")
    (before,) = history.changes_of(Ref(PETS, 5))
    assert (before.field, before.before, before.after) == ("status", "available", "sold")
    assert len(history.changes_of(Ref(PETS, 1))) == 2
    history.close()
    reader.close()
    mirror.close()


def filled(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    """Two pets have a supplier."""
    shop.tell_rows(
        PETS,
        [
            supplied(1234, "Koi", 1, "available", supplier="Aqua"),
            supplied(877, "Budgerigar", 2, "pending", supplier="Baltic Birds"),
        ],
        done=False,
    )
    table = tab_of(window).table
    qtbot.waitUntil(lambda: table.cell_of(877, SUPPLIER).text == "Baltic Birds")


def test_the_list_shows_sorts_and_filters_it(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    filled(qtbot, window, shop)
    tab = tab_of(window)
    place = [column.id for column in tab.table.columns].index(SUPPLIER)
    assert tab.model.headerData(place, Qt.Orientation.Horizontal) == "Supplier"
    assert tab.model.index_of(1234, place).data() == "Aqua"
    tab.table.sort_by(SUPPLIER, descending=True)
    qtbot.waitUntil(lambda: [tab.table.key_at(number) for number in range(2)] == [877, 1234])
    tab.table.set_filter("baltic")
    qtbot.waitUntil(lambda: tab.table.row_count == 1)
    tab.table.set_filter("")
    filter_column(tab.table, SUPPLIER, "aq")
    qtbot.waitUntil(lambda: tab.table.row_count == 1)
    slot = shop.desk.shop.stores[PETS].slot(1234)
    assert slot is not None
    assert filter_by_cell(shop.desk.shop, PETS, slot, SUPPLIER) == "=Aqua"
    filter_column(tab.table, SUPPLIER, "=")
    qtbot.waitUntil(lambda: tab.table.row_count == 2)


def test_a_cell_a_dialog_and_many_records_edit_it(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    filled(qtbot, window, shop)
    tab = tab_of(window)
    index = tab.model.index_of(1234, [column.id for column in tab.table.columns].index(SUPPLIER))
    assert index.flags() & Qt.ItemFlag.ItemIsEditable
    assert tab.model.setData(index, " Nordic ", Qt.ItemDataRole.EditRole)
    tab.show_ref(KOI)
    window.parts.actions["edit"].trigger()
    dialog = opened(window, "editPetDialog")
    assert isinstance(dialog, RecordDialog)
    dialog.texts[SUPPLIER].set_text("")
    dialog.accept()
    window.parts.actions["newPet"].trigger()
    fresh = opened(window, "newPetDialog")
    assert isinstance(fresh, NewPetDialog)
    fresh.category.set_value("2")
    fresh.names.setPlainText("Ada")
    fresh.texts[SUPPLIER].set_text("Aqua")
    fresh.accept()
    qtbot.waitUntil(lambda: not window.parts.edits.unsaved)  # else the preview takes it for another's change
    open_bulk_edit(window, (Ref(PETS, 877), KOI))
    bulk = opened(window, "bulkEditDialog")
    assert isinstance(bulk, BulkEditDialog)
    field = bulk.fields[SUPPLIER]
    assert isinstance(field, FormField)
    field.set_text("Baltic")
    bulk.accept()
    preview = cast("Any", opened(window, "previewDialog"))
    qtbot.waitUntil(lambda: preview.windowTitle() == "Change 2 pets")
    preview.accept()
    made = [change.intent for changes in shop.asked_for("apply") for change in changes]
    assert made == [
        SetFields({SUPPLIER: "Nordic"}),
        SetFields({SUPPLIER: ""}),
        Create({"name": "Ada", "status": "available", "category_id": 2, SUPPLIER: "Aqua"}),
        SetFields({SUPPLIER: "Baltic"}),
        SetFields({SUPPLIER: "Baltic"}),
    ]


def test_details_and_texts_name_it(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    filled(qtbot, window, shop)
    shop.act(NewChange(KOI, SetFields({SUPPLIER: "Baltic"}), {SUPPLIER: "Aqua"}))
    qtbot.waitUntil(lambda: tab_of(window).table.cell_of(1234, SUPPLIER).text == "Baltic")
    details = details_of(shop.desk.shop, KOI, None)
    assert details is not None
    assert fact_title(PETS, SUPPLIER) == "Supplier"
    assert SUPPLIER in [line.label for line in details.facts]
    assert [(line.field, line.before.text, line.after.text) for line in details.changes] == [
        (SUPPLIER, "Aqua", "Baltic")
    ]
    assert file_words()[SUPPLIER] == "Supplier"


def test_files_take_it_away_and_bring_it_back(tmp_path: Path) -> None:
    desk = small_shop()
    pets = [supplied(1234, "Koi", 1, "available", supplier="Aqua"), supplied(940, "Clownfish", 1, "pending")]
    tell(desk, PETS, *pets)
    path = tmp_path / "pets.csv"
    file = RecordsFile(path, PETS, "csv")
    file.write([cells(PETS, row(one), RecordNames()) for one in pets])
    file.finish(2)
    ours = read_sheet(path, SheetOptions(), lambda _: None)
    assert "supplier" in path.read_text("utf-8-sig").splitlines()[0]
    assert said(laid(desk, ours)) == ["same", "same"]
    theirs = sheet(
        ("id", "name", "category", "Supplier"),
        ("1234", "Koi", "Fish", "Baltic"),
        ("", "Tetra", "Fish", "Aqua"),
    )
    made = laid(desk, theirs)
    assert done(made, desk) == {
        1234: SetFields({SUPPLIER: "Baltic"}),
        "new": Create({"name": "Tetra", "category_id": 1, SUPPLIER: "Aqua"}),
    }
    assert [column.id for column in COLUMNS[PETS]].count(SUPPLIER) == 1
