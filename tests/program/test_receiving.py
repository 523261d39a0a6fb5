"""Receiving goods in the running program: ten lines by keys, and one undo."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from petstore_desktop.domain.codes import label_code
from tests.program.running import Running, command, until
from tests.program.test_keyboard_runs import Hands
from tests.support.shop import Shop

LINES = 10
C3_KEYS, C3_REQUESTS = 36, 11


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with Shop(tmp_path_factory.mktemp("receive") / "shop", plan="unlimited", pets=60) as running:
        yield running


@pytest.fixture(scope="module")
def data(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("receive-data") / "data"
    for given in (["connect", "Shop", "--url", shop.url], ["sync", "Shop"]):
        done = command("--data-dir", str(folder), *given, key=shop.key)
        assert done.returncode == 0, done.stderr
    return folder


def opened(data: Path, shop: Shop) -> Running:
    program = Running(data, "--connection", "Shop", key=shop.key)
    count = shop.rows("SELECT count(*) FROM inventory")[0][0]
    until(lambda: program.ask("known", "inventory") == count and program.ask("known", "pets") > 0, "the lists")
    return program


def stock(shop: Shop) -> dict[int, int]:
    return dict(shop.rows("SELECT pet_id, quantity FROM inventory"))


def pets(shop: Shop) -> list[int]:
    rows = shop.rows("SELECT p.id FROM pets p JOIN inventory i ON i.pet_id = p.id ORDER BY p.id LIMIT ?", LINES)
    return [key for (key,) in rows]


def scan(program: Running, key: int) -> None:
    """What a scanner types: these keys are no person's."""
    program.ask("write", label_code(key))
    program.ask("press", "Return")


def received(program: Running) -> dict[str, str]:
    """The drafts of lines, by pet: how many."""
    lines = program.ask("draft_fields", "count").items()
    return {form.rpartition(":")[2]: count for form, count in lines if form.startswith("receive:")}


def test_c3_ten_lines_are_received_with_few_keys_and_taken_back_by_one(data: Path, shop: Shop) -> None:
    keys, before = pets(shop), stock(shop)
    with opened(data, shop) as program:
        hands = Hands(program)
        logged = len(shop.log_lines())
        hands.press("F8")
        until(lambda: program.ask("focus").startswith("ScanField"), "the desk is open")
        for number, key in enumerate(keys):
            scan(program, key)
            hands.write(f"{number + 3}")
            hands.press("Return")
        until(lambda: len(received(program)) == LINES, "all lines are kept")
        hands.press("Ctrl+Return")
        wanted = before | {key: before[key] + number + 3 for number, key in enumerate(keys)}
        until(lambda: stock(shop) == wanted, "all are booked at the shop")
        until(lambda: program.ask("sent_all"), "the window knows")
        assert hands.counted() <= C3_KEYS
        assert len(shop.log_lines()) - logged <= C3_REQUESTS
        assert received(program) == {}
        hands.press("Ctrl+Z")
        until(lambda: stock(shop) == before, "one undo takes the delivery back")
        until(lambda: program.ask("sent_all"), "the window knows that too")
        assert program.quit() == 0
