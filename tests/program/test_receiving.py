"""Receiving goods in the running program: ten lines by keys, one undo, and what a kill leaves."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from petstore_desktop.domain.changes import Create, NewChange
from petstore_desktop.domain.codes import label_code
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.ui.receiving.receive_page import ReceivePage
from petstore_desktop.ui.window.main_window import MainWindow
from tests.program.opened import Opened
from tests.program.running import Running, connect, until
from tests.program.test_keyboard_runs import Hands
from tests.support.shop import Shop

LINES = 10
P = TypeVar("P", Opened, Running)
C3_KEYS, C3_REQUESTS = 36, 11


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with Shop(tmp_path_factory.mktemp("receive") / "shop", plan="unlimited", pets=60) as running:
        yield running


@pytest.fixture(scope="module")
def data(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return connect(tmp_path_factory.mktemp("receive-data") / "data", shop, read=True)


def running(data: Path, shop: Shop) -> Running:
    """The same as a process, to be killed."""
    return read(Running(data, "--connection", "Shop", key=shop.key), shop)


def opened(data: Path, shop: Shop) -> Opened:
    return read(Opened(data, "--connection", "Shop", key=shop.key), shop)


def read(program: P, shop: Shop) -> P:
    count = shop.rows("SELECT count(*) FROM inventory")[0][0]
    until(lambda: program.ask("known", "inventory") == count and program.ask("known", "pets") > 0, "the lists")
    return program


def stock(shop: Shop) -> dict[int, int]:
    return dict(shop.rows("SELECT pet_id, quantity FROM inventory"))


def writes(shop: Shop) -> int:
    return sum(line["method"] != "GET" for line in shop.log_lines())


def pets(shop: Shop) -> list[int]:
    rows = shop.rows("SELECT p.id FROM pets p JOIN inventory i ON i.pet_id = p.id ORDER BY p.id LIMIT ?", LINES)
    return [key for (key,) in rows]


def open_station(program: Opened | Running) -> None:
    program.ask("press", "F8")
    until(lambda: program.ask("focus").startswith("ScanField"), "the desk is open")


def scan(program: Opened | Running, key: int) -> None:
    """What a scanner types: these keys are no person's."""
    program.ask("write", label_code(key))
    program.ask("press", "Return")


def listed(program: Opened | Running) -> list[list[str]]:
    return program.ask("all_cells", "receiveList")


def received(program: Opened | Running) -> dict[str, str]:
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
        lines = {f"p{key}": f"{number + 3}" for number, key in enumerate(keys)}
        assert received(program) == lines, "its lines are on the desk again"
        until(lambda: len(listed(program)) == LINES, "and are seen")
        hands.press("Ctrl+Shift+Z")
        until(lambda: stock(shop) == wanted and program.ask("sent_all"), "redo books it again")
        assert received(program) == {} and not program.ask("widget", "receiveList")
        assert program.quit() == 0
    with opened(data, shop) as program:
        open_station(program)
        program.ask("press", "Ctrl+Z")
        until(lambda: stock(shop) == before and program.ask("sent_all"), "in another run too")
        assert received(program) == lines
        until(lambda: len(listed(program)) == LINES, "its lines are on the desk again")
        program.ask("press", "Ctrl+Return")
        until(lambda: stock(shop) == wanted and program.ask("sent_all"), "they can be booked anew")
        program.ask("press", "Ctrl+Z")
        until(lambda: stock(shop) == before and received(program) == lines, "and come back again")
        until(lambda: len(listed(program)) == LINES, "they are seen")
        hands = Hands(program)
        hands.write("7")
        hands.press("Return")
        until(
            lambda: sorted(received(program).values()) == sorted([*list(lines.values())[:-1], "7"]), "the newest is 7"
        )
        program.ask("press", "Ctrl+Z")
        until(lambda: received(program) == lines, "it is as it was")
        for _ in lines:
            program.ask("press", "Down", "Delete")
        until(lambda: received(program) == {}, "nothing is left")
        program.ask("press", *["Ctrl+Z"] * LINES)
        until(lambda: received(program) == lines, "each removal is undone")
        for _ in lines:
            program.ask("press", "Down", "Delete")
        until(lambda: received(program) == {}, "nothing is left")
        assert program.quit() == 0


def test_a_kill_at_any_moment_neither_loses_a_line_nor_books_it_twice(data: Path, shop: Shop) -> None:
    """Only a process can be killed. What a kill leaves of scans that were not yet booked: test_stocktake_run.py."""
    keys, before = pets(shop), stock(shop)
    with running(data, shop) as program:
        open_station(program)
        program.ask("tab_to", "supplierNote")
        program.ask("write", "4711")
        until(lambda: program.ask("draft_fields", "note"), "the note is kept")
        program.ask("tab_to", "scanField")
        for key in keys[:5]:
            scan(program, key)
        until(lambda: received(program) == {f"p{key}": "1" for key in keys[:5]}, "the scans are kept")
        program.ask("press_soon", "Ctrl+Return")
        time.sleep(0.004)  # somewhere in what follows
        program.kill()
    wanted = before | {key: before[key] + 1 for key in keys[:5]}
    with opened(data, shop) as program:
        open_station(program)
        until(lambda: program.ask("draft_fields", "note"), "the journal is read")
        lines = received(program)
        assert lines in ({}, {f"p{key}": "1" for key in keys[:5]}), "all of them or none"
        if lines:
            program.ask("press", "Ctrl+Return")
        until(lambda: stock(shop) == wanted, "each is booked once")
        until(lambda: program.ask("sent_all"), "the window knows")
        assert received(program) == {}
        assert program.quit() == 0
    assert stock(shop) == wanted


def test_the_line_of_a_pet_made_here_is_booked_in_a_later_run(data: Path, shop: Shop) -> None:
    """It is stored under what this computer called the pet before the service gave it a number."""
    made = LocalId.new()
    with opened(data, shop) as program:
        open_station(program)
        window = program.program.window
        assert isinstance(window, MainWindow)
        page = window.page()
        assert isinstance(page, ReceivePage)
        fields = {"name": "Newt of a later run", "status": "available", "category_id": 1}
        window.parts.edits.apply((NewChange(Ref(Resource.PETS, made), Create(fields)),))
        page.take_pet(Ref(Resource.PETS, made))
        until(lambda: program.ask("sent_all") and received(program) == {made.value: "1"}, "the pet is at the shop")
        assert program.quit() == 0
    ((number,),) = shop.rows("SELECT id FROM pets WHERE name = ?", "Newt of a later run")
    shop.control("rows", inventory=[{"petId": number, "quantity": 4, "status": "available"}])
    with opened(data, shop) as program:
        open_station(program)
        until(lambda: len(listed(program)) == 1, "its line lies there")
        program.ask("press", "Ctrl+Return")
        until(lambda: stock(shop)[number] == 5 and program.ask("sent_all"), "it is booked")
        assert received(program) == {}
        program.ask("press", "Ctrl+Z")
        until(lambda: stock(shop)[number] == 4 and program.ask("sent_all"), "and taken back")
        until(lambda: len(listed(program)) == 1 and received(program) == {made.value: "1"}, "it lies there again")
        program.ask("press", "Down", "Delete")
        until(lambda: received(program) == {}, "nothing is left")
        assert program.quit() == 0


def test_c5_labels_for_what_was_received_take_three_keys(data: Path, shop: Shop) -> None:
    keys, before = pets(shop), stock(shop)
    with opened(data, shop) as program:
        open_station(program)
        for key in keys[5:8]:
            scan(program, key)
        until(lambda: len(listed(program)) == 3, "the lines are there")
        program.ask("press", "Ctrl+Return")
        until(lambda: program.ask("sent_all") and received(program) == {}, "it is booked")
        booked = before | {key: before[key] + 1 for key in keys[5:8]}
        until(lambda: stock(shop) == booked, "the shop has them")
        hands, logged = Hands(program), writes(shop)
        hands.press("Ctrl+L")
        until(lambda: "3" in " ".join(program.ask("shown_texts", "labelsPage")), "Labels show them")
        assert hands.counted() == 2, "and Enter, which prints"
        assert writes(shop) == logged, "labels write nothing"
