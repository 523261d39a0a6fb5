"""What a data check finds in the whole program, corrected with keys alone, at the shop and here."""

from __future__ import annotations

from pathlib import Path

from tests.program.opened import Opened
from tests.program.running import connect, until
from tests.support.shop import Shop

SOLD = """SELECT p.id FROM pets p JOIN inventory i ON i.pet_id = p.id WHERE p.status = 'sold' AND i.quantity > 0"""


def test_sold_pets_with_stock_are_set_to_zero_with_keys_alone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Shop(tmp_path / "shop", plan="unlimited", pets=40) as shop:
        connect(data, shop, read=True)
        found = {pet for (pet,) in shop.rows(SOLD)}
        before = dict(shop.rows("SELECT pet_id, quantity FROM inventory"))
        assert found, "the demo shop has some"
        with Opened(data, "--connection", "Shop", key=shop.key) as program:
            until(lambda: program.ask("rows", "pets") == 40, "all pets are there")
            until(lambda: program.ask("known", "inventory") == len(before), "the stock is there")
            program.ask("press", "Ctrl+K")
            program.ask("write", "sold pets with stock")
            program.ask("press", "Return")
            until(lambda: program.ask("rows", "pets") == len(found), "the list shows what is found")
            program.ask("press", "Ctrl+K")
            program.ask("write", "set all stock shown")
            program.ask("press", "Return")
            program.wait("says", "previewDialog", "Ctrl+Z undoes all of it")
            program.ask("press", "Ctrl+Return")
            until(lambda: not shop.rows(SOLD), "all of it has arrived")
            program.wait("sent_all")  # the answers, too
            assert dict(shop.rows("SELECT pet_id, quantity FROM inventory")) == {
                pet: 0 if pet in found else quantity for pet, quantity in before.items()
            }
            program.ask("press", "F5")
            until(lambda: program.ask("rows", "pets") == 0, "nothing is left to correct")
            assert program.ask("dialogs") == []
            assert program.quit() == 0
