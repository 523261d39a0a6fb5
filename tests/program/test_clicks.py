"""Many edits, and a person who asks for the list again and again all the while: the shop is never asked too much or too
early, the list is read all the same, and each click is answered in the window.

The parameters are short ones. `PETSTORE_FULL_PAUSES=1` plays it with twenty requests in twenty seconds, for two
minutes.
"""

from __future__ import annotations

import os
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.program.opened import Opened
from tests.program.running import connect, to_stock, until
from tests.support.shop import Shop

FULL = bool(os.environ.get("PETSTORE_FULL_PAUSES"))
RPM, MINUTE_S, EDITS, CLICKING_S = (20, 20.0, 100, 120.0) if FULL else (20, 3.0, 40, 11.0)
CLICKS_A_SECOND = 2 if FULL else 4
ANSWERED_MS = 100.0
"""Asked of a quiet machine only: PETSTORE_FULL_PAUSES is for people. That each click is answered is always asked."""
READ_IN_EACH_WINDOW = 4 if FULL else 2
DEADLINE_S = 180.0
Log = list[dict[str, Any]]


@dataclass(frozen=True)
class Click:
    """What came of one press of F5: after how many milliseconds the window had an answer, and in which words.

    `due_s`: seconds until the list is read next, None if it is read at once.
    """

    ms: float
    line: str
    due_s: float | None


def windows_of(log: Log) -> list[Log]:
    """The requests by the shop's windows: one begins with the first request after the last one's end."""
    found: list[Log] = []
    ends = 0.0
    for line in log:
        if line["time"] >= ends:
            found.append([])
            ends = line["time"] + MINUTE_S
        found[-1].append(line)
    return found


def readings(window: Log) -> int:
    """How often the list of the stock was read."""
    return sum(line["method"] == "GET" and line["path"].split("?")[0] == "/v1/inventory" for line in window)


@pytest.fixture
def shop(tmp_path: Path) -> Any:
    options = {"rpm": RPM, "minute": MINUTE_S, "ban_at": 1, "pets": EDITS + 20}
    with Shop(tmp_path / "shop", **options) as running:
        connect(tmp_path / "data", running)
        yield running


def stock(shop: Shop) -> dict[int, int]:
    """What the shop's database says is in stock, by pet."""
    return dict(shop.rows("SELECT pet_id, quantity FROM inventory"))


def click_for(program: Opened, seconds: float) -> list[Click]:
    """Press F5 some times a second, for so long."""
    clicks: list[Click] = []
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        began = time.monotonic()
        clicks.append(Click(*program.ask("refresh", "inventory")))
        time.sleep(max(0.0, 1.0 / CLICKS_A_SECOND - (time.monotonic() - began)))
    return clicks


@pytest.mark.timeout(2 * DEADLINE_S)
def test_who_clicks_refresh_without_end_neither_offends_the_shop_nor_goes_without_an_answer(
    shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Opened(tmp_path / "data", "--connection", "Shop", key=shop.key) as program:
        to_stock(program)
        before = stock(shop)
        booked = {int(pet): int(amount) for pet, amount in program.ask("book", ["+1"] * EDITS)}
        began = shop.log_lines()[-1]["time"]
        clicks = click_for(program, CLICKING_S)
        ended = shop.log_lines()[-1]["time"]
        until(lambda: not program.ask("widget", "outboxBadge"), "all edits sent", DEADLINE_S, 0.2)
        assert program.quit() == 0

    log = shop.log_lines()
    whole = [window for window in windows_of(log) if window[0]["time"] >= began][:-1]
    whole = [window for window in whole if window[0]["time"] + MINUTE_S <= ended]
    read = [readings(window) for window in whole]
    answered = [click.ms for click in clicks]
    with capsys.disabled():
        print(  # noqa: T201 - the figures are part of the proof
            f"\n{len(clicks)} clicks, answered within {statistics.median(answered):.0f} ms, the slowest"
            f" {max(answered):.0f} ms; read in each window: {read}; {len(log)} requests"
        )
    assert not [line for line in log if line["inside_pause"] or line["status"] in (403, 429)]
    assert len(whole) >= 2
    assert min(read) >= READ_IN_EACH_WINDOW
    assert not FULL or max(answered) <= ANSWERED_MS
    for click in clicks:
        assert "as of" in click.line or "reading" in click.line
        assert click.due_s is None or click.due_s < 2.5 or "next refresh at" in click.line, click
    assert {pet: now - before[pet] for pet, now in stock(shop).items() if now != before[pet]} == booked
    writes = [line["path"] for line in log if line["method"] == "PATCH" and line["status"] == 200]
    assert sorted(writes) == sorted(f"/v1/inventory/{pet}" for pet in booked)
