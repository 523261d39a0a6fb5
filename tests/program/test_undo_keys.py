"""The whole program: undo held down takes one act a press, and a press right after the start counts too."""

from __future__ import annotations

import re
from pathlib import Path

from tests.program.opened import Opened
from tests.program.running import connect, until
from tests.support.shop import Shop

PETS = 12
ACTS = 3


def sold(shop: Shop) -> int:
    return shop.rows("SELECT count(*) FROM pets WHERE status = 'sold'")[0][0]


def test_each_press_of_undo_and_redo_counts_also_right_after_the_start(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Shop(tmp_path / "shop", plan="unlimited", pets=PETS) as shop:
        connect(data, shop)
        before = sold(shop)
        pets = [str(pet) for (pet,) in shop.rows("SELECT id FROM pets WHERE status <> 'sold' LIMIT ?", ACTS)]
        with Opened(data, key=shop.key) as program:
            until(lambda: program.ask("rows", "pets") == PETS, "all pets are there")
            for pet in pets:
                program.ask("to_cell", "pets", pet, "Name")
                program.ask("press", "Alt+3")
            until(lambda: sold(shop) == before + len(pets), "all are sold")
            program.ask("press", *["Ctrl+Z"] * len(pets))
            until(lambda: sold(shop) == before, "each press took one back")
            program.ask("press", *["Ctrl+Shift+Z"] * len(pets))
            until(lambda: sold(shop) == before + len(pets), "each press did one again")
            program.ask("press", "Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+Z", "Ctrl+Z")
            until(lambda: sold(shop) == before + len(pets) - 2, "one after the other")
        with Opened(data, key=shop.key) as program:
            program.wait("ready")
            program.ask("press", "Ctrl+Z")
            until(lambda: sold(shop) == before + len(pets) - 3, "it waited until it was known what it takes")


def test_what_a_redo_did_again_is_said_by_its_name(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Shop(tmp_path / "shop", plan="unlimited", pets=PETS) as shop:
        connect(data, shop)
        with Opened(data, key=shop.key) as program:
            until(lambda: program.ask("rows", "pets") == PETS, "all pets are there")
            program.ask("press", "Ctrl+A", "Alt+3")
            until(lambda: sold(shop) == PETS and program.ask("sent_all"), "all are sold, and the program knows")
            program.ask("press", "Ctrl+Z")
            program.wait("says", "toast", "sold, sent")
            program.ask("press", "Ctrl+Shift+Z")
            program.wait("says", "toast", "Redone: ")
            assert re.match(r"Redone: \d+ pets: sold", program.ask("says", "toast", "Redone: "))
