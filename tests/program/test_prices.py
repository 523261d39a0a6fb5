"""The whole program on a day with few requests: what a change of all that is selected costs is said beside it, and the
change itself is asked about before it is saved."""

from __future__ import annotations

from pathlib import Path

from tests.program.opened import Opened
from tests.program.running import connect, until
from tests.support.shop import Shop

PETS, A_DAY = 30, 40


def writes(shop: Shop) -> int:
    """How many changes the shop has seen."""
    return sum(line["method"] != "GET" for line in shop.log_lines())


def test_a_batch_is_priced_where_it_is_selected_and_asked_about_where_it_takes_most_of_the_day(tmp_path: Path) -> None:
    data, limits = tmp_path / "data", ("--plan", "enterprise", "--per-day", str(A_DAY))
    with Shop(tmp_path / "shop", plan="unlimited", pets=PETS) as shop:
        connect(data, shop, *limits)
        with Opened(data, key=shop.key) as program:
            until(lambda: program.ask("rows", "pets") == PETS, "all pets are there")
            program.ask("press", "Down", "Ctrl+A")
            program.wait("says", "selectionCount", f"Editing these costs {PETS} requests")
            program.ask("press", "Alt+2")
            program.wait("says", "previewDialog", "leaves ≈ ")
            asked = program.ask("widget", "previewDialog")
            assert "This takes more than half of the requests that are left for today." in asked["words"]
            program.ask("press", "Escape")
            until(lambda: program.ask("dialogs") == [], "the question is gone")
            assert writes(shop) == 0
            program.ask("press", "Alt+2")
            program.wait("says", "previewDialog", "leaves ≈ ")
            changes = program.wait("says", "previewDialog", "Set ").partition(" ")[2].partition(" ")[0]
            program.ask("press", "Ctrl+Return")
            until(lambda: writes(shop) == int(changes), "all changes have arrived")
            until(lambda: program.ask("widget", "outboxBadge") is None, "the window says so")
            assert program.quit() == 0
    assert PETS / 2 < int(changes) <= PETS
