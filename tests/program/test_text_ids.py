"""Ids that are texts at every place of the window: found, filtered, copied, written to a file and read back, booked,
and settled where two disagree."""

from __future__ import annotations

import csv
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from petstore_desktop.sync.price import dry_run
from petstore_desktop.sync.send import next_step, record_reader
from tests.program.running import until
from tests.program.test_services import ORDERS, PETS, STOCK, Desk, window
from tests.support.services.named import SCENARIOS
from tests.support.services.service import Service

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups, in a window that outlives a test


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory, session: dict[str, str]) -> Iterator[Desk]:
    """A service whose ids are 24 hexadecimal digits."""
    data = tmp_path_factory.mktemp("ids") / "data"
    scenario = replace(SCENARIOS["mongo"], etags=True)
    with Service(scenario).served() as service, window(data, service, session) as desk:
        yield desk


@pytest.fixture
def desk(opened: Desk) -> Iterator[Desk]:
    opened.go(PETS)
    yield opened
    opened.judge("nothing else is touched")


def only(desk: Desk, *keys: object) -> None:
    """Wait until exactly these are listed."""
    until(lambda: set(desk.ask("cells", "pets")) == {desk.shown(key) for key in keys}, f"only {keys}")


def test_a_pet_is_found_by_its_id_in_every_field(desk: Desk) -> None:
    key, whole = desk.pet(4), [*desk.expected[PETS]]
    desk.ask("press", "Ctrl+F")
    desk.ask("write", str(key).upper())
    only(desk, key)
    desk.ask("press", "Ctrl+A", "Delete", "Return")
    only(desk, *whole)
    desk.ask("to_cell", "pets", desk.shown(desk.pet(0)), "Id")
    desk.ask("press", "Ctrl+Shift+F")
    desk.ask("write", f"!{key}")
    only(desk, *(one for one in whole if one != key))
    desk.ask("press", "Esc", "Esc")
    only(desk, *whole)
    desk.ask("press", "Ctrl+K")
    desk.ask("write", str(key))
    desk.ask("press", "Return")
    until(lambda: desk.ask("says", "detailsPane", "Ace"), "its details")


def test_orders_and_stock_lead_to_their_pets_and_back(desk: Desk) -> None:
    order = next(iter(desk.service.kept[ORDERS]))
    pet = desk.service.value(ORDERS, order, "pet_id")
    desk.go(ORDERS)
    assert "Tom" in desk.ask("cells", "orders")[desk.shown(order)]["Pet"]
    desk.ask("to_cell", "orders", desk.shown(order), "Pet")
    desk.ask("press", "Ctrl+Shift+F")
    desk.ask("write", f"#{pet}")
    until(lambda: set(desk.ask("cells", "orders")) == {desk.shown(order)}, "the order of that pet")
    desk.ask("press", "Esc", "Esc")
    desk.ask("to_cell", "orders", desk.shown(order), "Pet")
    desk.ask("choose", "Shop", "Go to its pet")
    until(lambda: desk.ask("says", "detailsPane", "Tom"), "the pet")
    desk.go(STOCK)
    key = desk.pet(2)
    desk.ask("to_cell", "inventory", desk.shown(key), "In stock")
    desk.ask("write", "+12")
    desk.ask("press", "Return")
    was = desk.expected[STOCK][key].copy()
    path = desk.scenario.kinds[STOCK].fields["quantity"]
    desk.expected[STOCK][key][path[0]] += 12
    desk.judge("12 more")
    desk.ask("press", "Ctrl+Z")
    desk.expected[STOCK][key] = was
    desk.judge("as before")


def test_what_is_copied_or_exported_comes_back_with_its_ids(desk: Desk, tmp_path: Path) -> None:
    key = desk.pet(1)
    desk.ask("to_cell", "pets", desk.shown(key), "Name")
    desk.ask("press", "Shift+Space", "Ctrl+C")
    until(lambda: str(key) in desk.ask("clipboard"), "its id is copied")
    file = tmp_path / "pets.csv"
    rows = [["id", "name"], *([str(one), f"{n} of the file"] for n, one in enumerate([desk.pet(0), key]))]
    with file.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows(rows)
    imported(desk, file)
    for number, one in enumerate([desk.pet(0), key]):
        desk.expect(one, "name", f"{number} of the file")
    desk.judge("both have the names of the file")
    with file.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([[str(key), "Without a header"], [str(desk.pet(0)), "Neither"]])
    imported(desk, file)
    desk.expect(key, "name", "Without a header")
    desk.expect(desk.pet(0), "name", "Neither")
    desk.judge("ids are known by what they are")


def imported(desk: Desk, file: Path) -> None:
    desk.ask("drop", str(file))
    until(lambda: desk.ask("dialogs")[-1:] == ["previewDialog"], "the preview")
    until(lambda: desk.ask("says", "previewDialog", "Ctrl+Z undoes all of it"), "what it costs")
    desk.ask("press", "Ctrl+Return")
    until(lambda: desk.ask("dialogs") == [], "it is saved")


def test_a_colleagues_change_of_the_same_field_waits_for_a_person(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in (dry_run, next_step, record_reader):
        monkeypatch.setattr(place, "LOOK_SERVES_S", 1.5)
    key = desk.pet(0)
    time.sleep(1.6)  # what was read later needs no further look
    desk.service.records.put(PETS, key, "name", "Theirs")
    desk.expect(key, "name", "Theirs")
    desk.program.wait("writable", "pets", "Name")
    desk.ask("to_cell", "pets", desk.shown(key), "Name")
    desk.ask("press", "F2", "Ctrl+A")
    desk.ask("write", "Ours")
    desk.ask("press", "Return")
    desk.program.wait("says", "refusedBadge", "1 needs attention")
    assert desk.service.value(PETS, key, "name") == "Theirs"
    desk.ask("choose", "Shop", "Needs attention")
    until(lambda: desk.ask("all_cells", "reviewView"), "the list")
    desk.ask("press", "Home", "M")
    desk.expect(key, "name", "Ours")
    desk.judge("ours, after a look")
