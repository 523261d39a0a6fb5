"""The whole program, by keys: what a colleague and this desk changed is compared, opened, copied, and there after a
restart."""

from __future__ import annotations

from pathlib import Path

from tests.program.opened import Opened
from tests.program.running import connect, until
from tests.support.shop import Shop

PETS = 40


def lines(program: Opened) -> list[list[str]]:
    """The rows of the comparison that are changes: record, what, then, who."""
    cells = program.ask("all_cells", "compareView")
    return [row[:4] for row in cells if row[1]]


def headers(program: Opened) -> list[str]:
    """The groups of the comparison."""
    return [row[0] for row in program.ask("all_cells", "compareView") if not row[1]]


def compare_from_the_first_reading(program: Opened) -> None:
    """Open the page by its key, for a day: that is more than is known, so that it offers from when it is."""
    program.ask("press", "Ctrl+Shift+D")
    until(lambda: program.ask("widget", "comparePage"), "the page is open")
    program.ask("tab_to", "range-day")
    program.ask("press", "Return")
    until(lambda: program.ask("says", "comparePage", "The history does not go back so far"), "it says since when")
    program.ask("click", program.ask("says", "comparePage", "Compare from "))
    until(lambda: program.ask("widget", "compareView"), "it compares")


def sell_both(program: Opened, shop: Shop, theirs: int, mine: int) -> None:
    """A colleague’s sale is read, and one of this desk is sent."""
    program.wait("rows", "pets")
    program.ask("press", "F5")
    until(lambda: program.ask("cells", "pets")[str(theirs)]["Status"] == "sold", "theirs is read")
    program.ask("to_cell", "pets", str(mine), "Name")
    program.ask("press", "Alt+3")
    until(lambda: shop.rows("SELECT status FROM pets WHERE id = ?", mine) == [("sold",)], "mine is sent")
    program.ask("press", "F5")
    until(lambda: program.ask("sent_all"), "nothing waits")


def look_at_a_record_and_copy(program: Opened) -> list[str]:
    """Open a record and come back; what is copied then."""
    program.ask("tab_to", "compareView")
    program.ask("press", "Home", "Down", "Return")
    until(lambda: "compareView" not in program.ask("focus"), "Enter opens the record")
    program.ask("press", "Alt+Left")
    until(lambda: "compareView" in program.ask("focus"), "Back finds it again")
    program.ask("press", "Ctrl+C")
    return program.ask("clipboard").splitlines()


def test_colleagues_and_own_changes_are_compared_by_keys_and_again_after_a_restart(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Shop(tmp_path / "shop", plan="unlimited", pets=PETS) as shop:
        connect(data, shop, read=True)
        found = shop.rows("SELECT id, name, category_id FROM pets WHERE status = 'available' ORDER BY name LIMIT 2")
        (theirs, their_name, category), (mine, my_name, _) = found
        sold = {"id": theirs, "name": their_name, "categoryId": category, "status": "sold"}
        shop.control("rows", pets=[sold])
        with Opened(data, "--connection", "Shop", key=shop.key) as program:
            sell_both(program, shop, theirs, mine)
            compare_from_the_first_reading(program)
            until(lambda: len(lines(program)) == 2, "both are there")
            assert headers(program) == ["Pets sold"]
            assert sorted(lines(program)) == sorted(
                [[their_name, "Status", "available", "elsewhere"], [my_name, "Status", "available", "here"]]
            )
            assert program.ask("says", "compareTotals", "") == "2 pets sold."
            copied = look_at_a_record_and_copy(program)
            assert sorted(line.split("\t")[6] for line in copied[1:]) == ["elsewhere", "here"]
            program.quit()
        with Opened(data, "--connection", "Shop", key=shop.key) as program:
            compare_from_the_first_reading(program)
            until(lambda: len(lines(program)) == 2, "both are there after a restart")
            assert program.ask("says", "compareTotals", "") == "2 pets sold."
            program.ask("tab_to", "compareView")
            program.ask("press", "Escape")
            until(lambda: program.ask("widget", "comparePage") is None, "Escape goes back to Today")
            program.quit()
