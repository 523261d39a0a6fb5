"""The whole program: what was done is found among the changes, and what somebody else did in a record's history."""

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


def test_what_was_done_is_looked_up_and_taken_back_and_others_are_named(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Shop(tmp_path / "shop", plan="unlimited", pets=PETS) as shop:
        connect(data, shop)
        with Opened(data, key=shop.key) as program:
            until(lambda: program.ask("rows", "pets") == PETS, "all pets are there")
            (pet, name), *_ = shop.rows("SELECT id, name FROM pets WHERE status = 'available' ORDER BY name")
            program.ask("to_cell", "pets", str(pet), "Name")
            program.ask("press", "Alt+3")
            until(lambda: status_of(shop, pet) == "sold", "the change has arrived")
            program.ask("choose", "Shop", "Changes")
            until(lambda: says(program, "1 change") and says(program, "Sent "), "it is in the list")
            program.ask("tab_to", "changesSearch")
            program.ask("write", "nobody")
            until(lambda: says(program, "No matching change"), "nothing fits")
            program.ask("press", "Escape")
            program.ask("write", f"#{pet}")
            program.ask("press", "Return")
            until(lambda: "changesView" in program.ask("focus"), "it is found by its id")
            assert [row[2:5] for row in program.ask("all_cells", "changesView")] == [[name, "Status", "available"]]
            program.ask("tab_to", "undoChangesButton")
            program.ask("press", "Return")
            until(lambda: status_of(shop, pet) == "available", "it is taken back")
            until(lambda: says(program, "Undone since"), "the list says so")
            renamed = httpx.patch(f"{shop.url}/pets/{pet}", headers=shop.auth, json={"name": "Theirs"})
            assert renamed.is_success
            program.ask("click", "Go to the record")
            program.ask("press", "Shift+F5")
            program.ask("choose", "View", "History")
            until(lambda: says(program, "Somebody else changed it between"), "it is named in the history")
            texts = program.ask("everything")
            assert name in texts
            assert "Theirs" in texts
            assert program.quit() == 0


def status_of(shop: Shop, pet: int) -> str:
    return shop.rows("SELECT status FROM pets WHERE id = ?", pet)[0][0]
