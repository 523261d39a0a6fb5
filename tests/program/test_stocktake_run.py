"""Task C2 on the real window: a stocktake of 50 pets, 6 of them off, with another desk that sells meanwhile."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.program.running import Running, command, until
from tests.program.test_keyboard_runs import Hands
from tests.support.shop import Shop

PETS, OFF = 50, 6
MOST_KEYS, MOST_REQUESTS = 113, 7


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with Shop(tmp_path / "shop", plan="unlimited", pets=PETS) as running:
        yield running


def connected(shop: Shop, data: Path) -> None:
    for given in (["connect", "Shop", "--url", shop.url], ["sync", "Shop"]):
        done = command("--data-dir", str(data), *given, key=shop.key)
        assert done.returncode == 0, done.stderr


def opened(shop: Shop, data: Path) -> Running:
    program = Running(data, "--connection", "Shop", key=shop.key)
    until(lambda: program.ask("known", "inventory") == stock_rows(shop), "the stock is here")
    until(lambda: program.ask("known", "pets") == shop.rows("SELECT count(*) FROM pets")[0][0], "the pets are here")
    return program


def stock_rows(shop: Shop) -> int:
    return shop.rows("SELECT count(*) FROM inventory")[0][0]


def stock(shop: Shop) -> dict[int, int]:
    return dict(shop.rows("SELECT pet_id, quantity FROM inventory ORDER BY pet_id"))


def sell(shop: Shop, pet: int) -> None:
    """Another desk sells one."""
    left = stock(shop)[pet] - 1
    headers = {"Authorization": f"Bearer {shop.key}"}
    assert httpx.patch(f"{shop.url}/inventory/{pet}", headers=headers, json={"quantity": left}).is_success


def requests(shop: Shop, before: int) -> list[dict[str, Any]]:
    """Those since then, without the other desk's."""
    return [
        line
        for line in shop.log_lines()[before:]
        if line["path"].rstrip("/").endswith("inventory") or line["method"] != "GET"
    ]


def test_c2_a_stocktake_of_fifty_pets_of_which_six_are_off(shop: Shop, tmp_path: Path) -> None:
    connected(shop, tmp_path / "data")
    with opened(shop, tmp_path / "data") as program:
        hands, shelf = Hands(program), stock(shop)
        wanted = {pet: quantity + (1 if place < OFF else 0) for place, (pet, quantity) in enumerate(shelf.items())}
        before = len(shop.log_lines())
        hands.press("F9")
        program.wait("widget", "stocktakePage")
        for pet, quantity in wanted.items():
            program.ask("scan", f"{pet}\n")
            hands.write(str(quantity))
        hands.press("Ctrl+Return")
        program.wait("widget", "previewDialog")
        hands.press("Ctrl+Return")
        until(lambda: stock(shop) == wanted, "the differences are booked")
        until(lambda: program.ask("sent_all"), "the window knows")
        keys, sent = hands.counted(), requests(shop, before)
        digits = sum(len(str(quantity)) for quantity in wanted.values())
        assert keys == digits + 5
        assert keys <= MOST_KEYS
        assert len(sent) <= MOST_REQUESTS, [(line["method"], line["path"]) for line in sent]
        assert program.quit() == 0


def test_what_another_desk_sells_while_it_is_counted_is_not_booked_away(shop: Shop, tmp_path: Path) -> None:
    connected(shop, tmp_path / "data")
    with opened(shop, tmp_path / "data") as program:
        shelf = stock(shop)
        first, second, third, *_ = shelf
        program.ask("press", "F9")
        program.wait("widget", "stocktakePage")
        for pet in (first, second, third):
            program.ask("scan", f"{pet}\n")
            program.ask("write", str(shelf[pet] + 2))
        program.ask("scan", f"{third}\n")
        sell(shop, second)  # nobody can know whether before or after it was counted
        program.ask("press", "Ctrl+Return")
        program.wait("widget", "previewDialog")
        program.ask("press", "Ctrl+Return")
        until(lambda: stock(shop)[first] == shelf[first] + 2, "the sure ones are booked")
        until(lambda: program.ask("sent_all"), "the window knows")
        now = stock(shop)
        assert (now[second], now[third]) == (shelf[second] - 1, shelf[third] + 3)
        assert program.quit() == 0


@pytest.mark.parametrize("seed", [1])
def test_a_kill_at_any_scan_loses_no_scan_and_books_nothing_twice(seed: int, shop: Shop, tmp_path: Path) -> None:
    connected(shop, tmp_path / "data")
    rng, shelf = random.Random(seed), stock(shop)
    counted: dict[int, int] = {}
    left = [pet for pet in list(shelf)[:8] for _ in range(2)]
    while left:
        with opened(shop, tmp_path / "data") as program:
            program.ask("press", "F9")
            program.wait("widget", "stocktakePage")
            until(lambda p=program: p.ask("counted") == counted, "all that was counted is here")
            for _ in range(min(rng.randint(3, 7), len(left))):
                pet = left.pop()
                program.ask("scan", f"{pet}\n")
                counted[pet] = counted.get(pet, 0) + 1
            until(lambda p=program: p.ask("counted_safely") == counted, "it is stored")
            program.kill()
    for end in ("kill", "quit"):
        with opened(shop, tmp_path / "data") as program:
            program.ask("press", "F9")
            program.wait("widget", "stocktakePage")
            until(lambda p=program: p.ask("counted") == counted, "all that was counted is here")
            if end == "kill":
                program.ask("press", "Ctrl+Return")
                program.wait("widget", "previewDialog")
                program.ask("press", "Ctrl+Return")
                program.kill()
                continue
            if program.ask("counting"):  # it was killed before it was booked
                program.ask("press", "Ctrl+Return")
                program.wait("widget", "previewDialog")
                program.ask("press", "Ctrl+Return")
            wanted = {pet: counted.get(pet, quantity) for pet, quantity in shelf.items()}
            until(lambda want=wanted: stock(shop) == want, "all is booked, once")
            until(lambda p=program: p.ask("sent_all"), "the window knows")
            assert not program.ask("counting")
            assert program.quit() == 0
