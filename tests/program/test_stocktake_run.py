"""Task C2 on the real window: a stocktake of 50 pets, 6 of them off, with another desk that sells meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from tests.program.opened import Opened
from tests.program.running import Running, connect, until
from tests.program.test_keyboard_runs import Hands
from tests.support.shop import Shop

PETS, OFF = 50, 6
MOST_KEYS, MOST_REQUESTS = 113, 7
P = TypeVar("P", Opened, Running)


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with Shop(tmp_path / "shop", plan="unlimited", pets=PETS) as running:
        yield running


def opened(shop: Shop, data: Path) -> Opened:
    return read(Opened(data, "--connection", "Shop", key=shop.key), shop)


def running(shop: Shop, data: Path) -> Running:
    """The same as a process, to be killed."""
    return read(Running(data, "--connection", "Shop", key=shop.key), shop)


def read(program: P, shop: Shop) -> P:
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
        if line["path"].partition("?")[0].endswith("inventory") or line["method"] != "GET"
    ]


def test_c2_a_stocktake_of_fifty_pets_of_which_six_are_off(shop: Shop, tmp_path: Path) -> None:
    connect(tmp_path / "data", shop, read=True)
    with opened(shop, tmp_path / "data") as program:
        hands, shelf = Hands(program), stock(shop)
        wanted = {pet: quantity + (1 if place < OFF else 0) for place, (pet, quantity) in enumerate(shelf.items())}
        before = len(shop.log_lines())
        hands.press("F9")
        program.wait("widget", "stocktakePage")
        for pet, quantity in wanted.items():
            program.ask("scan", f"{pet}\n")
            hands.write(str(quantity))
        program.ask("press", "Return")  # as Ctrl+Return would: now it is known what differs
        until(lambda: program.ask("widget", "deskPrimary")["more"] == f"{OFF + 1} requests", "what it costs is said")
        hands.press("Ctrl+Return")
        program.wait("widget", "previewDialog")
        program.wait("says", "previewDialog", f"{OFF} requests")  # the list is read
        hands.press("Ctrl+Return")
        until(lambda: stock(shop) == wanted, "the differences are booked")
        until(lambda: program.ask("sent_all"), "the window knows")
        keys, sent = hands.counted(), requests(shop, before)
        digits = sum(len(str(quantity)) for quantity in wanted.values())
        assert keys == digits + 5
        assert keys <= MOST_KEYS
        assert len(sent) == OFF + 1 <= MOST_REQUESTS, [(line["method"], line["path"]) for line in sent]
        assert not program.ask("counting")
        program.ask("press", "Ctrl+Z")
        until(lambda: stock(shop) == shelf and program.ask("sent_all"), "one undo takes the count back")
        until(lambda: program.ask("counting") and program.ask("counted") == wanted, "and it goes on as it was")
        assert program.quit() == 0
    with opened(shop, tmp_path / "data") as program:
        count_on(program, wanted)
        program.ask("press", "Ctrl+Return")
        program.wait("widget", "previewDialog")
        program.ask("press", "Ctrl+Return")
        until(lambda: stock(shop) == wanted and program.ask("sent_all"), "it can be booked anew")
        assert not program.ask("counting")
        program.ask("press", "Ctrl+Z")
        until(lambda: stock(shop) == shelf and program.ask("sent_all"), "and undone anew")
        assert program.quit() == 0


def test_what_another_desk_sells_while_it_is_counted_is_not_booked_away(shop: Shop, tmp_path: Path) -> None:
    connect(tmp_path / "data", shop, read=True)
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


def test_a_kill_at_any_scan_loses_no_scan_and_books_nothing_twice(shop: Shop, tmp_path: Path) -> None:
    """Only a process can be killed: while it counts, and when it begins to book. `packaging/dev.py long stocktake` has
    any scan, and more kills."""
    data = tmp_path / "data"
    connect(data, shop, read=True)
    shelf = stock(shop)
    counted: dict[int, int] = {}
    left = [pet for pet in list(shelf)[:4] for _ in range(2)]
    for scans in (5, 3):
        with running(shop, data) as program:
            count_on(program, counted)
            for _ in range(scans):
                pet = left.pop()
                program.ask("scan", f"{pet}\n")
                counted[pet] = counted.get(pet, 0) + 1
            until(lambda p=program: p.ask("counted_safely") == counted, "it is stored")
            if not left:
                program.ask("press", "Ctrl+Return")
                program.wait("widget", "previewDialog")
                program.ask("press", "Ctrl+Return")
            program.kill()
    with opened(shop, data) as program:
        count_on(program, counted)
        if program.ask("counting"):  # it was killed before it was booked
            program.ask("press", "Ctrl+Return")
            program.wait("widget", "previewDialog")
            program.ask("press", "Ctrl+Return")
        wanted = {pet: counted.get(pet, quantity) for pet, quantity in shelf.items()}
        until(lambda: stock(shop) == wanted, "all is booked, once")
        until(lambda: program.ask("sent_all"), "the window knows")
        assert not program.ask("counting")
        assert program.quit() == 0


def count_on(program: Running | Opened, counted: dict[int, int]) -> None:
    """Open the page, with all that was counted."""
    program.ask("press", "F9")
    program.wait("widget", "stocktakePage")
    until(lambda: program.ask("counted") == counted, "all that was counted is here")
