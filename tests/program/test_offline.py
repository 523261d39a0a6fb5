"""The shop is away for a while: work goes on from the mirror, and what waited goes out at the gate's pace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.program.opened import Opened
from tests.program.running import connect, to_stock, until
from tests.support.shop import Shop
from tests.support.soon_again import soon_again

RPM, MINUTE_S = 20, 2.0
EDITS = 22
"""More than one window's requests."""


@pytest.fixture
def shop(tmp_path: Path) -> Any:
    with Shop(tmp_path / "shop", rpm=RPM, minute=MINUTE_S, ban_at=1, pets=40) as running:
        connect(tmp_path / "data", running)
        yield running


def stock(shop: Shop) -> dict[int, int]:
    """What the shop's database says is in stock, by pet."""
    return dict(shop.rows("SELECT pet_id, quantity FROM inventory"))


@pytest.mark.timeout(180)
def test_what_was_done_while_the_shop_was_away_goes_out_when_it_is_back(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    soon_again(monkeypatch.setattr)
    with Opened(tmp_path / "data", "--connection", "Shop", key=shop.key) as program:
        to_stock(program)
        before = stock(shop)
        shop.control("offline")
        asked = len(shop.log_lines())
        booked = {int(pet): int(amount) for pet, amount in program.ask("book", ["+3"] * EDITS)}
        program.wait("says", "outboxBadge", f"{EDITS} unsent")
        program.wait("says", "connectionState", "offline since")
        program.wait("says", "pauseBanner", "Offline since")
        program.ask("press", "F5")
        program.wait("says", "toast", "Offline since")
        program.ask("choose", "Shop", "Outbox")
        program.wait("waits", "Waits for the network.")
        assert not program.ask("waits", "Goes out")
        program.ask("press", "Alt+I")
        # Everything that is kept here goes on: other lists, the filter, the details.
        program.ask("press", "Alt+P")
        until(lambda: program.ask("rows", "pets") == 40, "the pets of the mirror")
        name = next(iter(program.ask("cells", "pets").values()))["Name"]
        program.ask("press", "Ctrl+F")
        program.ask("write", name)
        until(lambda: 0 < program.ask("rows", "pets") < 40, "the filter")
        program.ask("press", "Escape")
        assert stock(shop) == before

        shop.control("offline", on=False)
        until(lambda: not program.ask("widget", "outboxBadge"), "all of it is sent")
        assert program.quit() == 0
    assert {pet: now - before[pet] for pet, now in stock(shop).items() if now != before[pet]} == booked
    log = shop.log_lines()[asked:]
    assert not [line for line in log if line["inside_pause"] or line["status"] in (403, 429)]
    sent = [line["time"] for line in log if line["method"] == "PATCH" and line["status"] == 200]
    assert len(sent) == EDITS
    assert sent[-1] - sent[0] >= MINUTE_S * (EDITS // RPM) / 2, "they went out in more than one window"
