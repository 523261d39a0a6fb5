"""The preview in the whole program: what is ticked arrives at the shop as it was shown, and nothing else."""

from __future__ import annotations

from pathlib import Path

from tests.program.opened import Opened
from tests.program.running import connect, until
from tests.support.shop import Shop

PETS = 16


def _writes(shop: Shop) -> int:
    return sum(line["method"] != "GET" for line in shop.log_lines())


def test_what_the_preview_shows_is_what_the_shop_gets(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Shop(tmp_path / "shop", plan="unlimited", pets=PETS) as shop:
        connect(data, shop, read=True)
        ((category, name),) = shop.rows("SELECT id, name FROM categories ORDER BY name DESC LIMIT 1")
        before = dict(shop.rows("SELECT id, category_id FROM pets"))
        stock = dict(shop.rows("SELECT pet_id, quantity FROM inventory"))
        with Opened(data, "--connection", "Shop", key=shop.key) as program:
            until(lambda: program.ask("rows", "pets") == PETS, "all pets are there")
            program.ask("press", "Down", "Ctrl+A", "Ctrl+E")
            program.wait("widget", "bulkEditDialog")
            program.ask("press", "Tab")
            program.ask("write", name)
            program.ask("press", "Tab")
            program.ask("write", "+5")
            program.ask("press", "Return")
            program.wait("says", "previewDialog", "Ctrl+Z undoes all of it")
            rows = program.ask("all_cells", "previewTable")
            program.ask("press", "Space")
            program.wait("says", "previewDialog", f"1 of {2 * PETS} is left out.")
            program.ask("press", "Ctrl+Return")
            others = len([pet for pet in before if before[pet] != category])
            until(lambda: _writes(shop) == others + len(stock) - 1, "all that is ticked has arrived")
            assert program.ask("dialogs") == []
            program.wait("sent_all")  # the answers, too
            assert program.quit() == 0
        now = dict(shop.rows("SELECT id, category_id FROM pets"))
        after = dict(shop.rows("SELECT pet_id, quantity FROM inventory"))
    assert len(rows) == 2 * PETS
    moved = {pet for pet in before if now[pet] != before[pet]}
    booked = {pet for pet in stock if after[pet] != stock[pet]}
    assert all(now[pet] == category for pet in moved)
    assert all(after[pet] == stock[pet] + 5 for pet in booked)
    assert len(moved) + len(booked) == others + len(stock) - 1, "only the row that was left out stays as it was"
