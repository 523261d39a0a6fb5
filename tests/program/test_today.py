"""The manager's morning, on the real program: Today opens by itself, says what colleagues did meanwhile, and each of
its lines leads to the rows that it counts."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.program.opened import Opened
from tests.program.puppet import TODAY
from tests.program.running import connect, until
from tests.support.shop import Shop

FIRST = {TODAY: "1"}
"""What starts the program as a person's: with Today at the first start of a day."""


def sentence(program: Opened, part: str) -> str:
    """The sentence at the top, once it says this."""
    return until(lambda: program.ask("says", "todaySentence", part), f"the sentence says {part}")


def came_back_after(data: Path, seconds: float) -> None:
    """Have the window used last so long before it was."""
    file = data / "preferences.json"
    kept = json.loads(file.read_text(encoding="utf-8"))
    (state,) = kept["window"].values()
    state["here"]["used"] -= seconds
    file.write_text(json.dumps(kept), encoding="utf-8")


def test_m1_the_morning_check_is_one_start_and_its_lines_lead_to_their_rows(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Shop(tmp_path / "shop", plan="unlimited", pets=60) as shop:
        connect(data, shop, read=True)
        with Opened(data, "--connection", "Shop", key=shop.key, env=FIRST) as program:
            assert sentence(program, "overdue")
            program.ask("press", "Alt+P")
            program.wait("rows", "pets")
            program.quit()
        came_back_after(data, 2 * 3600)
        ((pet, name),) = shop.rows("SELECT id, name FROM pets WHERE status = 'available' LIMIT 1")
        ((category,),) = shop.rows("SELECT category_id FROM pets WHERE id = ?", pet)
        shop.control("rows", pets=[{"id": pet, "name": name, "categoryId": category, "status": "sold"}])
        late = {"id": 9001, "petId": pet, "quantity": 1, "shipDate": "2020-01-02T12:00:00Z", "complete": False}
        shop.control("rows", orders=[late])
        with Opened(data, "--connection", "Shop", key=shop.key, env=FIRST) as program:
            assert program.ask("widget", "todaySentence") is None, "the second start of a day shows what was shown last"
            program.ask("press", "Alt+T")
            sentence(program, "Nothing changed since ")
            before = program.wait("says", "today.orders.overdue", "Overdue")
            program.ask("press", "F5")
            assert re.match(r"Since \S+: 1 pet sold, 1 new order\b", sentence(program, "1 new order"))
            assert name in program.ask("says", "sinceTodaySection", name)
            program.ask("tab_to", "today.orders.overdue")
            until(lambda: program.ask("says", "today.orders.overdue", "Overdue") != before, "the new order is counted")
            count = program.ask("says", "today.orders.overdue", "Overdue")
            (overdue,) = re.findall(r"^Overdue.*?: (\d+)", count)
            program.ask("press", "Return")
            until(lambda: program.ask("rows", "orders") == int(overdue), f"{overdue} rows behind: {count}")
            program.ask("press", "Escape")
            assert "today.orders.overdue" in program.ask("focus")
