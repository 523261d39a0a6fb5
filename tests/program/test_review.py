"""Two counts that another desk overtook, settled in the window by keys alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.program.opened import Opened
from tests.program.running import connect, to_stock, until
from tests.support.session import quantity
from tests.support.shop import Shop

MINE, THEIRS = 4, 5


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with Shop(tmp_path / "shop", plan="unlimited", pets=20) as running:
        connect(tmp_path / "data", running)
        yield running


def test_a_conflict_is_settled_by_keys_and_a_decision_comes_back_with_ctrl_z(shop: Shop, tmp_path: Path) -> None:
    with Opened(tmp_path / "data", "--connection", "Shop", key=shop.key) as program:
        to_stock(program)
        pets = list(program.ask("cells", "inventory"))[:2]
        seen = [quantity(shop, int(pet)) for pet in pets]
        for pet, before in zip(pets, seen, strict=True):
            answer = httpx.patch(f"{shop.url}/inventory/{pet}", headers=shop.auth, json={"quantity": before + 7})
            assert answer.is_success
        program.ask("book", ["=400", "=500"])
        program.wait("says", "refusedBadge", "2 need attention")
        program.ask("choose", "Shop", "Needs attention")
        rows = until(lambda: program.ask("all_cells", "reviewView"), "the list")
        assert [(row[MINE], row[THEIRS]) for row in rows] == [
            ("400", f"{seen[0] + 7:,}"),
            ("500", f"{seen[1] + 7:,}"),
        ]
        program.ask("press", "Home", "M")
        until(lambda: quantity(shop, int(pets[0])) == 400, "mine is sent")
        until(lambda: len(program.ask("all_cells", "reviewView")) == 1, "the other one is left")
        program.ask("press", "T")
        until(lambda: not program.ask("widget", "refusedBadge"), "theirs is taken")
        program.ask("press", "Ctrl+Z")
        program.wait("says", "refusedBadge", "1 needs attention")
        assert [row[MINE] for row in until(lambda: program.ask("all_cells", "reviewView"), "it is back")] == ["500"]
        assert quantity(shop, int(pets[1])) == seen[1] + 7
