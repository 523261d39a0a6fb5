"""The whole program: what is low and what changed today, by views, and the view that was open after a new start."""

from __future__ import annotations

from pathlib import Path

import httpx

from tests.program.opened import Opened
from tests.program.running import connect, until
from tests.support.shop import Shop

PETS = 12


def says(program: Opened, part: str) -> bool:
    """Whether anything in the window holds this text."""
    return any(part in text for text in program.ask("everything"))


def test_low_stock_and_what_changed_today_are_views_that_outlast_a_start(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Shop(tmp_path / "shop", plan="unlimited", pets=PETS) as shop:
        connect(data, shop)
        stocked = shop.rows(
            "SELECT p.id, i.quantity FROM pets p JOIN inventory i ON i.pet_id = p.id WHERE i.quantity > 0 ORDER BY p.id"
        )
        (pet, quantity), (other, _), *_ = stocked
        with Opened(data, key=shop.key) as program:
            until(lambda: program.ask("rows", "pets") == PETS, "all pets are there")
            program.ask("to_cell", "pets", str(pet), "Name")
            program.ask("choose", "Shop", "Minimum stock…")
            until(lambda: says(program, "Minimum stock of"), "the question is there")
            program.ask("write", str(quantity))
            program.ask("press", "Return")
            program.ask("press", "Ctrl+3")
            until(lambda: list(program.ask("cells", "inventory")) == [str(pet)], "it is low")
            program.ask("press", "Ctrl+7")
            until(lambda: says(program, "Changed today"), "the view is open")
            assert program.ask("rows", "pets") == 0
            asked = len(shop.log_lines())
            assert httpx.patch(f"{shop.url}/pets/{other}", headers=shop.auth, json={"name": "Theirs"}).is_success
            program.ask("press", "F5")
            until(lambda: list(program.ask("cells", "pets")) == [str(other)], "what somebody else changed is found")
            assert len(shop.log_lines()) == asked + 2, "their write, and one reading of the list"
            program.ask("press", "Ctrl+3")
            assert program.quit() == 0
        with Opened(data, key=shop.key) as program:
            until(lambda: list(program.ask("cells", "inventory")) == [str(pet)], "low stock shows at once")
            assert says(program, "Low stock")
            assert program.quit() == 0
