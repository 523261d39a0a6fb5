"""Several shops in one program: each with its own data, the others' unsent changes go on, and nothing gets mixed up."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.program.opened import Opened
from tests.program.running import Running, command, to_stock, until
from tests.support.keyring_daemon import KeyringSession
from tests.support.session import quantity, writes
from tests.support.shop import Shop
from tests.support.soon_again import soon_again

A_SWITCH = 2
"""Objects that a switch may leave behind, such as a line of the list of requests; a window has thousands."""
A_SCREEN = 200
"""Cells of one list that are painted."""


@pytest.fixture(autouse=True, scope="module")
def keyring() -> Iterator[KeyringSession]:
    """Each shop has its own key: that of the environment is for one connection alone."""
    with KeyringSession() as session, pytest.MonkeyPatch.context() as monkeypatch:
        session.start_keyring()
        for name in os.environ.keys() - session.environment.keys():
            monkeypatch.delenv(name)
        for name, value in session.environment.items():
            monkeypatch.setenv(name, value)
        yield session


@pytest.fixture
def uhland(tmp_path: Path) -> Iterator[Shop]:
    with Shop(tmp_path / "uhland", plan="unlimited", pets=30) as shop:
        yield shop


@pytest.fixture(autouse=True)
def again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shop that is back is found at once by a program in this process."""
    soon_again(monkeypatch.setattr)


@pytest.fixture
def hebel(tmp_path: Path) -> Iterator[Shop]:
    with Shop(tmp_path / "hebel", plan="unlimited", pets=30) as shop:
        yield shop


@pytest.fixture
def data(tmp_path: Path, uhland: Shop, hebel: Shop) -> Path:
    """Two connections."""
    folder = tmp_path / "data"
    for name, shop in (("Uhland", uhland), ("Hebel", hebel)):
        connect(folder, name, shop)
    return folder


def connect(data: Path, name: str, shop: Shop, *more: str) -> None:
    done = command("--data-dir", str(data), "connect", name, "--url", shop.url, "--key-stdin", *more, stdin=shop.key)
    assert done.returncode == 0, done.stderr


def switch(program: Opened, name: str) -> None:
    program.ask("switch_to", name)
    until(lambda: program.ask("titles") == [f"{name} — Pet Store Desktop"], f"the window of {name}")
    program.wait("ready")


def book(program: Opened, amounts: list[str], unsent: bool = False) -> Counter[int]:
    """Type bookings; returns what each pet gets: a row that moves on meanwhile gets two. With `unsent`, they wait
    visibly."""
    booked: Counter[int] = Counter()
    for pet, amount in program.ask("book", amounts):
        booked[int(pet)] += int(amount)
    if unsent:
        program.wait("says", "outboxBadge", f"{len(amounts)} unsent")
    return booked


def arrived(shop: Shop, before: dict[int, int], booked: dict[int, int]) -> bool:
    return all(quantity(shop, pet) == before[pet] + amount for pet, amount in booked.items())


def stocks(shop: Shop) -> dict[int, int]:
    return dict(shop.rows("SELECT pet_id, quantity FROM inventory"))


# ---------------------------------------------------------------- the others go on


def test_a_shop_that_is_not_shown_goes_on_and_says_what_only_a_person_can_mend(
    data: Path, uhland: Shop, hebel: Shop
) -> None:
    first, second = stocks(uhland), stocks(hebel)
    with Opened(data, "--connection", "Uhland") as program:
        to_stock(program)
        uhland.control("offline", on=True)
        booked = book(program, ["+3", "+4"], unsent=True)
        switch(program, "Hebel")
        until(lambda: "2 unsent" in "\n".join(program.ask("shops_listed")), "Uhland's unsent in the list of shops")
        program.wait("says", "othersBadge", "2 unsent elsewhere")
        to_stock(program)
        here = book(program, ["-1"])
        until(lambda: arrived(hebel, second, here), "the edit of the shop that is shown")

        switch(program, "Uhland")  # it brings what it has left, and gets more
        program.wait("says", "outboxBadge", "2 unsent")
        to_stock(program)
        booked += book(program, ["+5"])
        program.wait("says", "outboxBadge", "3 unsent")
        switch(program, "Hebel")
        program.wait("says", "othersBadge", "3 unsent elsewhere")
        assert stocks(uhland) == first
        uhland.control("offline", on=False)
        until(lambda: arrived(uhland, first, booked), "the edits of the shop that is not shown")
        until(lambda: not program.ask("widget", "othersBadge"), "that nothing waits elsewhere")
        program.wait("idle")  # and that shop is closed
        assert len(booked) <= len(writes(uhland)) <= 3, "two of one pet may leave together"
        assert len(writes(hebel)) == 1
        assert {pet for pet in stocks(hebel) if stocks(hebel)[pet] != second[pet]} == set(here)

        switch(program, "Uhland")
        to_stock(program)
        assert not program.ask("widget", "outboxBadge")
        uhland.control("offline", on=True)
        book(program, ["+3"], unsent=True)
        switch(program, "Hebel")
        uhland.control("refuse-writes", on=True)
        uhland.control("offline", on=False)
        program.wait("says", "toast", "Uhland")
        program.wait("says", "othersBadge", "Uhland")
        program.ask("click", "Show")
        until(lambda: program.ask("titles") == ["Uhland — Pet Store Desktop"], "the way there")
        program.wait("ready")
        program.wait("says", "refusedBadge", "1 refused")
        assert program.quit() == 0
    assert len(writes(hebel)) == 1


def test_closing_asks_once_for_what_all_shops_have_unsent_and_the_next_start_sends_it(
    data: Path, uhland: Shop, hebel: Shop
) -> None:
    """After a kill it is no other: test_kills.py."""
    first, second = stocks(uhland), stocks(hebel)
    with Opened(data, "--connection", "Hebel") as program:
        to_stock(program)
        switch(program, "Uhland")
        to_stock(program)
        for shop in (uhland, hebel):
            shop.control("offline", on=True)
        booked = book(program, ["+3", "+4"], unsent=True)
        switch(program, "Hebel")
        to_stock(program)
        here = book(program, ["+7"], unsent=True)
        program.wait("says", "othersBadge", "2 unsent elsewhere")
        program.ask("press", "Ctrl+Q")
        assert program.ask("dialogs") == ["closingDialog"]
        assert program.ask("says", "closingDialog", "Uhland")
        program.ask("click", "Close")
        until(lambda: not program.ask("windows"), "it is closed")
    for shop in (uhland, hebel):
        shop.control("offline", on=False)
    with Opened(data, "--connection", "Hebel") as program:
        until(lambda: arrived(hebel, second, here), "what waits of the shop that is shown")
        until(lambda: arrived(uhland, first, booked), "what waits of the other one")
        program.wait("idle")
        program.wait("sent_all")
        assert program.quit() == 0
    assert (len(writes(uhland)), len(writes(hebel))) == (2, 1)


# ---------------------------------------------------------------- one gate


def test_two_connections_to_one_service_with_one_key_never_send_into_each_others_pause(tmp_path: Path) -> None:
    """The shop bans who sends once more after a 429."""
    data = tmp_path / "data"
    with Shop(tmp_path / "shop", rpm=20, rpd=5000, minute=2, ban_at=1, pets=30) as shop:
        for name in ("One", "Two"):
            connect(data, name, shop)
        first = stocks(shop)
        with Opened(data, "--connection", "One") as program:
            to_stock(program)
            shop.control("pause", seconds=2)  # from the first request on, however long it takes to come
            total = book(program, ["+1"] * 6)
            switch(program, "Two")
            to_stock(program)
            total += book(program, ["+1"] * 6)
            until(lambda: arrived(shop, first, total), "all edits of both")
            program.wait("sent_all")
            assert program.quit() == 0
        lines = shop.log_lines()
        assert any(line["status"] == 429 for line in lines), "it was never paused: nothing is proved"
        assert [line for line in lines if line["inside_pause"]] == []
        assert [line for line in lines if line["status"] == 403] == []
        assert len(writes(shop)) == 12


# ---------------------------------------------------------------- nothing is left over


def settled(program: Opened) -> dict[str, Any]:
    """What it holds once the shop that is shown is connected, it alone, and nothing more comes or goes: of a shop just
    opened, parts are still being made."""
    program.wait("idle")
    until(lambda: program.ask("running")["ours"].get("Gateway") == 1, "the shop that is shown is connected, it alone")
    seen = [program.ask("running")]

    def unchanged() -> dict[str, Any] | None:
        seen.append(program.ask("running"))
        return seen[-1] if seen[-1] == seen[-2] else None

    return until(unchanged, "that nothing more comes or goes", first_s=0.7, every_s=0.7)


def test_switching_again_and_again_leaves_no_thread_file_window_or_data_behind(data: Path, uhland: Shop) -> None:
    """A process has files and threads of its own. Objects are counted: how much memory the system has given to it is no
    matter of ours."""
    with Running(data, "--connection", "Uhland") as program:
        for name in ("Hebel", "Uhland") * 2:  # what is loaded late is loaded by then
            switch(program, name)
        before = settled(program)
        switches = 2
        for name in ("Hebel", "Uhland") * switches:
            switch(program, name)
        most = {"threads": before["threads"], "files": before["files"] + 2, "windows": before["windows"]}
        kept = Counter(before["ours"])
        assert kept.pop("Cell", 0) < A_SCREEN  # as many as have been painted by then, of those the collector looks at

        def is_over() -> bool:
            """What a shop had may go a moment after it is shown no more."""
            now = settled(program)
            left = Counter(now["ours"])
            assert left.pop("Cell", 0) < A_SCREEN
            few = left.total() - kept.total() < 2 * switches * A_SWITCH
            return few and all(now[what] <= count for what, count in most.items())

        until(is_over, "that threads, files, windows and objects of the shops that were left are gone")
        assert program.quit() == 0


# ---------------------------------------------------------------- read-only


def test_a_read_only_connection_sends_nothing_and_says_why(data: Path, uhland: Shop) -> None:
    first = stocks(uhland)
    with Opened(data, "--connection", "Uhland") as program:
        to_stock(program)
        uhland.control("offline", on=True)
        booked = book(program, ["+3"], unsent=True)

    uhland.control("offline", on=False)
    connect(data, "Uhland", uhland, "--read-only")
    with Opened(data, "--connection", "Uhland") as program:
        program.wait("says", "readOnlyBadge", "Read-only")
        program.ask("press", "Alt+I")
        program.wait("rows", "inventory")
        program.wait("says", "outboxBadge", "1 unsent")
        program.wait("says", "connectionState", "live")
        assert not program.ask("writable", "inventory", "In stock")
        assert "read-only (File > Connection settings)" in program.ask("action_tip", "newPet")
        program.ask("choose", "Shop", "Outbox")
        program.wait("says", "listCounts", "read-only")
        assert stocks(uhland) == first
        program.ask("choose", "File", "Connection settings…")
        program.ask("tab_to", "readOnlyBox")
        program.ask("press", "Space", "Return")
        until(lambda: arrived(uhland, first, booked), "what was held, once writing is allowed again")
        assert not program.ask("widget", "readOnlyBadge")
        program.wait("sent_all")
        assert program.quit() == 0
    assert len(writes(uhland)) == 1


# ---------------------------------------------------------------- forgetting


def test_forgetting_in_the_window_exports_what_is_unsent_leaves_nothing_else_and_ends_at_the_welcome_page(
    data: Path, uhland: Shop
) -> None:
    with Opened(data, "--connection", "Uhland") as program:
        to_stock(program)
        uhland.control("offline", on=True)
        book(program, ["+3", "+4"], unsent=True)
        program.ask("choose", "File", "Connection settings…")
        program.ask("click", "Forget this shop…")
        program.wait("says", "forgetUnsent", "All this is written to a file in")  # one may have been cut off on its way
        program.ask("click", "Forget")
        place = program.wait("says", "exportPlace", "uhland-unsent")
        until(lambda: program.ask("windows") == ["mainWindow"], "the other shop's window")
        assert program.ask("dialogs") == ["forgottenDialog"]
        program.ask("press", "Escape")
        assert program.ask("titles") == ["Hebel — Pet Store Desktop"]
        left_of_uhland(data, Path(place))
        to_stock(program)
        program.ask("choose", "File", "Connection settings…")
        program.ask("click", "Forget this shop…")
        program.wait("says", "forgetUnsent", "All your changes there are sent")
        program.ask("click", "Forget")
        program.wait("says", "forgottenDialog", "forgotten")
        assert program.ask("windows") == ["welcomePage"]
    assert not (data / "connections" / "hebel").exists()
    assert len([path for path in (data / "forgotten").iterdir() if path.suffix == ".json"]) == 1
    assert writes(uhland) == []


def left_of_uhland(data: Path, place: Path) -> None:
    """What was unsent is in a file, and nothing else of the shop is anywhere but in the log."""
    entries = json.loads(place.with_suffix(".json").read_text())["entries"]
    assert sorted(entry["booked"] for entry in entries) == [3, 4]
    assert not (data / "connections" / "uhland").exists()
    kept = json.loads((data / "preferences.json").read_text())
    assert [connection["name"] for connection in kept["profiles"]] == ["Hebel"]
    assert "uhland" not in kept["window"]
    left = [path for path in data.rglob("*") if path.is_file() and b"uhland" in path.read_bytes().lower()]
    assert [path for path in left if "forgotten" not in path.parts and "log" not in path.parts] == []
