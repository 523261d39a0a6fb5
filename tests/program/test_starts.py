"""Starts that do not find the world as it should be: another start before them, no network, a full disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.program.opened import Opened
from tests.program.running import Running, command, connect, to_stock, until
from tests.program.small_disk import SmallDisk, small_disk
from tests.support.shop import Shop

LISTS = ("pets", "categories", "orders", "inventory")
EVERYTHING = 1 + len(LISTS)
"""Requests of a first start: the document and four lists."""
INTERFERE = (
    ("sync", "Shop"),
    ("connect", "Other", "--url", "http://127.0.0.1:9/v1"),
    ("forget", "Shop", "--yes"),
)


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with Shop(tmp_path / "shop", plan="unlimited", pets=30) as running:
        yield running


@pytest.fixture
def data(tmp_path: Path, shop: Shop) -> Path:
    return connected(tmp_path / "data", shop)


def connected(data: Path, shop: Shop) -> Path:
    connect(data, shop)
    return data


def one_line(text: str) -> bool:
    return text.count("\n") == 1 and text.startswith("petstore-desktop: ")


# ---------------------------------------------------------------- two starts


def test_a_second_start_brings_the_first_ones_window_back_and_what_would_interfere_refuses_in_one_line(
    data: Path, shop: Shop
) -> None:
    """Two programs at once."""
    with Running(data, key=shop.key) as first:
        first.wait("rows", "pets")
        asked = until(lambda: len(shop.log_lines()) >= EVERYTHING and len(shop.log_lines()), "all has been read")
        for arguments in INTERFERE:
            done = command("--data-dir", str(data), *arguments, key=shop.key)
            assert (done.returncode, done.stdout) == (1, ""), arguments
            assert one_line(done.stderr) and "running" in done.stderr, arguments
        assert len(shop.log_lines()) == asked
        kept = [f"Shop\t{shop.url}\tplan not known"]
        assert command("--data-dir", str(data), "connections").stdout.splitlines() == kept

        first.ask("minimize")
        assert first.ask("minimized")
        second = command("--data-dir", str(data), key=shop.key)
        assert (second.returncode, second.stdout) == (0, "")
        assert one_line(second.stderr)
        until(lambda: not first.ask("minimized"), "the first window")
        assert first.ask("rows", "pets"), "the first one goes on"

        for socket in data.glob("*.socket"):
            socket.unlink()
        second = command("--data-dir", str(data), key=shop.key)
        assert (second.returncode, second.stdout) == (1, "")
        assert one_line(second.stderr) and "running" in second.stderr

        first.ask("press", "Ctrl+F", "Return", "Ctrl+C")
        assert first.ask("clipboard")
        assert first.quit() == 0, "it ends well with something on the clipboard"


# ---------------------------------------------------------------- no network


def names_of(program: Opened) -> dict[str, str]:
    """The pet of each stock entry that the window shows; empty until it has been read."""
    return {key: cell["Pet"] for key, cell in program.ask("cells", "inventory").items()}


def test_without_network_the_window_opens_from_the_mirror_and_edits_are_kept(data: Path, shop: Shop) -> None:
    with Opened(data, key=shop.key) as program:
        to_stock(program)
        names = names_of(program)
        assert program.quit() == 0
    shop.stop()

    with Opened(data, key=shop.key) as program:
        to_stock(program)
        assert names_of(program) == names, "as the mirror has them"
        ((pet, _),) = program.ask("book", ["+12"])
        program.wait("says", "outboxBadge", "1 unsent")
        program.wait("says", "connectionState", "offline since")
        program.ask("press", "Ctrl+Q")
        assert program.ask("dialogs") == ["closingDialog"]
        program.ask("click", "Close")
        until(lambda: not program.ask("windows"), "it is closed")

    (before,) = shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", int(pet))
    shop.start()
    with Opened(data, key=shop.key):
        until(
            lambda: shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", int(pet)) == [(before[0] + 12,)],
            "the edit that was kept",
        )


def test_a_connection_that_was_never_read_says_so_without_network(data: Path, shop: Shop) -> None:
    shop.stop()
    with Opened(data, key=shop.key) as program:
        program.wait("says", "petsTab", "cannot be reached")
        assert program.ask("dialogs") == []
        assert program.quit() == 0


# ---------------------------------------------------------------- a full disk


def test_an_edit_that_finds_no_room_is_not_called_saved_and_is_done_again_once_there_is_room(
    tmp_path: Path, shop: Shop
) -> None:
    """The system limits the files of a process; a full disk, where one can be mounted, is full for all."""
    with small_disk(tmp_path / "disk") as disk:
        data = connected(disk.folder / "data", shop)
        with Running(data, key=shop.key) as program:
            to_stock(program)
            for resource in LISTS:  # what is read later finds no room either, and says so in a dialog of its own
                program.wait("whole", resource)
            if disk.mounted:
                disk.fill()  # so that the log cannot be put right before there is room
                refused_and_done_again(program, shop, disk, ". The last change may be saved after all.")
            program.ask("limit_files", True)
            refused_and_done_again(program, shop, disk, "; the last change is not.")


def refused_and_done_again(program: Running, shop: Shop, disk: SmallDisk, last: str) -> None:
    """Edit without room, and once there is some."""
    before = program.ask("cells", "inventory")
    shop.control("offline")

    pet, saved = edit_until_refused(program)

    words = " ".join(program.ask("widget", "errorDialog")["words"])
    assert f"Earlier saved changes are safe{last}" in words
    assert program.ask("cells", "inventory")[pet]["In stock"] == before[pet]["In stock"]
    assert program.ask("says", "outboxBadge", "unsent") == (f"{saved} unsent" if saved else "")
    disk.empty()
    program.ask("limit_files", False)
    shop.control("offline", on=False)
    program.ask("press", "Return")
    wanted = int(before[pet]["In stock"].replace(",", "")) + 1
    until(
        lambda: shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", int(pet)) == [(wanted,)],
        "the edit after there is room again",
    )
    program.wait("sent_all")
    until(lambda: program.ask("dialogs") == [], "nothing is asked")


def edit_until_refused(program: Running) -> tuple[str, int]:
    """Type bookings, one row after the other, until one is not taken: its pet, and how many were taken before. A file
    may have some room in itself. The next one waits for the answer: its keys would answer the dialog that says no."""
    for saved in range(20):
        pet = list(program.ask("cells", "inventory"))[saved]
        program.ask("to_cell", "inventory", pet, "In stock")
        program.ask("write", "+1")
        program.ask("press", "Return")
        taken = f"{saved + 1} unsent"
        until(
            lambda taken=taken: program.ask("dialogs") or program.ask("says", "outboxBadge", "unsent") == taken,
            "an answer to the edit",
        )
        if program.ask("dialogs"):
            return pet, saved
    raise AssertionError("a full disk took everything")
