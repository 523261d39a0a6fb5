"""The phone at the ear, played on the real window by key events alone: keys and requests are counted, and what came of
them is read in the shop's own database. A program of its own: keys reach it as they reach a person's."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QListView

from tests.program.eyes import visible_widget
from tests.program.opened import Opened
from tests.program.running import Running, connect, until
from tests.program.test_keyboard_runs import Hands, _order
from tests.support.shop import Shop

IDEAL = {"S3": 2, "S4": 8, "New order": 12}


def most(task: str) -> int:
    """The most keys that a task may take; held ones count too."""
    return round(IDEAL[task] * 1.1)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """A shop with one pet that is called Koi, available, and an open order of it."""
    with Shop(tmp_path_factory.mktemp("phone") / "shop", plan="unlimited", pets=200) as running:
        koi, category = running.rows("SELECT id, category_id FROM pets WHERE name = 'Koi'")[0]
        pet = {"id": koi, "name": "Koi", "categoryId": category, "status": "available"}
        running.control("rows", pets=[pet], orders=[_order(7001, koi, 3)])
        yield running


@pytest.fixture(scope="module")
def data(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program's data, with all lists read."""
    return connect(tmp_path_factory.mktemp("phone-data") / "data", shop, read=True)


@pytest.fixture
def hands(shop: Shop, data: Path) -> Iterator[Hands]:
    """The program on that shop."""
    with Opened(data, "--connection", "Shop", key=shop.key) as program:
        for resource in ("pets", "orders", "inventory", "categories"):
            count = shop.rows(f"SELECT count(*) FROM {resource}")[0][0]
            until(lambda r=resource, n=count: program.ask("known", r) == n, f"all {resource} are here")
        _quiet(shop)
        yield Hands(program)


def _quiet(shop: Shop) -> None:
    """Wait until what the start reads is read."""
    while True:
        before = len(shop.log_lines())
        time.sleep(0.6)
        if len(shop.log_lines()) == before:
            return


def _koi(shop: Shop) -> tuple[int, str]:
    return shop.rows("SELECT id, status FROM pets WHERE name = 'Koi'")[0]


def _orders(shop: Shop) -> list[tuple[Any, ...]]:
    """The orders of Koi that were placed here."""
    return shop.rows(
        "SELECT id, quantity, ship_date, complete FROM orders WHERE pet_id = ? ORDER BY id",
        _koi(shop)[0],
    )


def _card(hands: Hands) -> str:
    return " ".join((hands.program.ask("widget", "detailsPane") or {"words": []})["words"])


def _sent(hands: Hands, shop: Shop, before: int) -> list[str]:
    """What was asked of the shop after `before` lines, once all is sent."""
    until(lambda: hands.program.ask("sent_all"), "all is sent")
    return [f"{line['method']} {line['path']}" for line in shop.log_lines()[before:]]


def _ship_date(days: int) -> str:
    midnight = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    return f"{(midnight + timedelta(days=days)).date()}"


def test_s4_is_it_available_reserve_it(hands: Hands, shop: Shop) -> None:
    key, status = _koi(shop)
    assert status == "available"
    before = len(shop.log_lines())
    hands.jump("ko")
    until(lambda: "Koi" in _card(hands), "its card is open")
    hands.press("Shift+F5")
    hands.program.wait("says", "toast", "is unchanged, live at")
    assert "live, " in _card(hands)
    hands.press("Alt+2")
    until(lambda: _koi(shop)[1] == "pending", "it is reserved at the shop")
    asked = _sent(hands, shop, before)
    assert hands.counted() <= most("S4")
    assert len(asked) == 2, asked  # a list of one page serves where reading one pet is deprecated
    assert asked[1] == f"PATCH /v1/pets/{key}"
    hands.press("Ctrl+Z")
    until(lambda: _koi(shop)[1] == "available", "one undo takes it back")


def test_s3_mark_an_order_complete_from_its_card(hands: Hands, shop: Shop) -> None:
    hands.jump("7001")
    until(lambda: "Order 7001" in _card(hands), "its card is open")
    before = len(shop.log_lines())
    hands.counted()
    hands.press("Alt+2")
    until(lambda: shop.rows("SELECT complete FROM orders WHERE id = 7001") == [(1,)], "it is complete at the shop")
    assert len(_sent(hands, shop, before)) <= 2
    assert hands.counted() <= most("S3")


def test_a_new_order_for_a_known_pet(hands: Hands, shop: Shop) -> None:
    hands.press("Alt+O")
    hands.counted()
    before, placed = len(shop.log_lines()), len(_orders(shop))
    hands.press("Ctrl+N")
    hands.program.wait("widget", "newOrderDialog")
    hands.write("ko")
    hands.press("Return")
    hands.write("2")
    hands.press("Return")
    hands.write("tom")
    hands.press("Ctrl+Return")
    until(lambda: len(_orders(shop)) == placed + 1, "it is at the shop")
    id_, quantity, ship_date, complete = _orders(shop)[-1]
    assert (quantity, complete) == (2, 0)
    assert datetime.fromisoformat(ship_date).astimezone().date().isoformat() == _ship_date(1)
    assert _sent(hands, shop, before) == ["POST /v1/store/orders"]
    assert hands.counted() <= most("New order")
    until(lambda: f"Order {id_}" in _card(hands), "its card is open")
    hands.press("Ctrl+Z")
    until(lambda: id_ not in {one[0] for one in _orders(shop)}, "one undo cancels it")


def test_reserving_for_a_caller_is_one_batch_and_one_undo(hands: Hands, shop: Shop) -> None:
    placed = len(_orders(shop))
    hands.jump("koi")
    until(lambda: "Koi" in _card(hands), "its card is open")
    hands.press("Alt+R")
    hands.program.wait("says", "newOrderDialog", "becomes")
    hands.press("Ctrl+Return")
    until(lambda: _koi(shop)[1] == "pending" and len(_orders(shop)) == placed + 1, "both are at the shop")
    until(lambda: hands.program.ask("sent_all"), "the window knows")
    hands.press("Ctrl+Z")
    until(lambda: _koi(shop)[1] == "available" and len(_orders(shop)) == placed, "one undo takes back both")


def test_a_cancelled_order_is_found_by_its_number_and_said_to_be_deleted(hands: Hands, shop: Shop) -> None:
    """The shop deletes an order that is cancelled: the next caller was told that there is no such order."""
    shop.control("rows", orders=[_order(7002, _koi(shop)[0], 3)])
    hands.press("Alt+O", "F5")
    until(lambda: "7002" in hands.program.ask("cells", "orders"), "the order is here")
    hands.jump("7002")
    until(lambda: "Order 7002" in _card(hands), "its card is open")
    hands.press("Alt+3")
    hands.program.wait("widget", "cancelOrderDialog")
    hands.press("Tab", "Space")
    until(lambda: not shop.rows("SELECT 1 FROM orders WHERE id = 7002"), "it is cancelled at the shop")
    until(lambda: hands.program.ask("sent_all"), "all is sent")
    hands.press("Ctrl+K")
    hands.write("7002")
    found = until(lambda: _found(hands, "Order 7002"), "it is found")
    assert "was deleted here" in found, found
    hands.press("Return")
    until(lambda: "changesView" in hands.program.ask("focus"), "what was done to it")


def test_an_order_whose_program_is_killed_is_placed_at_most_once(shop: Shop, data: Path) -> None:
    """Killed at any moment: test_kills.py."""
    placed = len(_orders(shop))
    with Running(data, "--connection", "Shop", key=shop.key) as program:
        until(lambda: program.ask("known", "pets") > 0, "the pets are here")
        hands = Hands(program)
        hands.press("Alt+O", "Ctrl+N")
        program.wait("widget", "newOrderDialog")
        hands.write("koi")
        hands.press("Return", "Ctrl+Return")
        program.wait("says", "toast", "Order")
        program.kill()
    with Opened(data, "--connection", "Shop", key=shop.key) as program:
        asked = until(lambda: _fate(program, shop, placed), "it is placed, or asked about")
        _quiet(shop)
    assert len(_orders(shop)) - placed <= 1
    assert asked == "asked" or len(_orders(shop)) - placed == 1


def _fate(program: Opened, shop: Shop, placed: int) -> str:
    """What has become of an order of which nobody knows how far it came; empty as long as that is open. One that was
    on the wire and that the shop does not have is for the person to decide: it is never sent again by itself."""
    if program.ask("says", "statusBar", "need"):
        return "asked"
    is_there = len(_orders(shop)) > placed
    return "placed" if program.ask("sent_all") and is_there else ""


def _found(hands: Hands, words: str) -> str:
    view = visible_widget("paletteList")
    assert isinstance(view, QListView)
    model = view.model()
    texts = [str(model.index(row, 0).data()) for row in range(model.rowCount())]
    return next((text for text in texts if words in text and "Look up" not in text), "")
