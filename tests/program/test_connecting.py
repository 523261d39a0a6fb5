"""A shop is connected by command and by dialog; its key lies in a real keyring. That the next start finds it there is
in test_services.py, too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.program.opened import Opened
from tests.program.running import command, to_stock, until
from tests.support.other_shop import OtherShop
from tests.support.other_shop_ways import Ways
from tests.support.session import quantity
from tests.support.shop import Shop


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with Shop(tmp_path_factory.mktemp("shop"), plan="unlimited", pets=30) as shop:
        yield shop


def book_one(program: Opened, shop: Shop, amount: str) -> None:
    """Type a booking into the first row of the inventory; it must arrive in the shop."""
    until(lambda: "mainWindow" in program.ask("windows"), "the window of the shop")
    to_stock(program)
    before = {pet: quantity(shop, int(pet)) for pet in program.ask("cells", "inventory") if pet.isdigit()}
    ((pet, _),) = program.ask("book", [amount])
    until(lambda: quantity(shop, int(pet)) == before[pet] + int(amount), f"{amount} for {pet} in the shop's database")
    after = before[pet] + int(amount)
    until(lambda: program.ask("cells", "inventory")[pet]["In stock"] == str(after), "the new quantity in the window")
    until(lambda: not program.ask("widget", "outboxBadge"), "that nothing waits")


def test_the_address_at_which_a_shop_was_found_is_one_key_away_on_the_welcome_page(
    tmp_path: Path, session: dict[str, str], shop: Shop
) -> None:
    data = tmp_path / "data"
    with Opened(data, env=session) as program:
        assert program.ask("windows") == ["welcomePage"]
        fill_in(program, shop.url.removesuffix("/v1"), shop.key, "Lenau")
        until(lambda: told(program, shop.url), "where the service is")
        program.ask("tab_to", "useFound")
        program.ask("press", "Space")
        until(lambda: program.ask("titles") == ["Lenau — Pet Store Desktop"], "the window of the shop")
        assert program.quit() == 0
    assert command("--data-dir", str(data), "connections", env=session).stdout.startswith(f"Lenau\t{shop.url}\t")


def test_settings_of_an_open_shop_count_at_once_and_a_wrong_key_leaves_the_one_in_the_keyring(
    tmp_path: Path, session: dict[str, str], shop: Shop
) -> None:
    data = tmp_path / "data"
    arguments = ("--data-dir", str(data), "connect", "Heine", "--url", shop.url, "--key-stdin")
    assert command(*arguments, stdin=shop.key, env=session).returncode == 0
    with Opened(data, env=session) as program:
        program.wait("ready")
        program.ask("choose", "File", "Connection settings…")
        assert program.ask("dialogs") == ["connectionDialog"]
        program.ask("press", "End")  # the last of the plans, which has no numbers of its own
        program.ask("tab_to", "perDayField")
        program.ask("write", "7,770")
        program.ask("tab_to", "nameField")
        program.ask("write", "Droste")
        program.ask("press", "Return")
        until(lambda: program.ask("titles") == ["Droste — Pet Store Desktop"], "the window with the new name")
        book_one(program, shop, "+2")  # the key is the one it had
        assert "7,770" in str(program.ask("widget", "quotaMeter"))
        program.ask("choose", "File", "Connection settings…")
        program.ask("tab_to", "keyField")
        program.ask("write", "not-the-key")
        program.ask("press", "Return")
        until(lambda: program.ask("dialogs") == ["keyDialog"], "that another key is asked for")
    listed = command("--data-dir", str(data), "connections", env=session).stdout
    assert listed == f"Droste\t{shop.url}\tenterprise, 7770 a day\n"
    assert command("--data-dir", str(data), "sync", "Droste", env=session).returncode == 0, "the key is the one it had"


def test_a_service_never_seen_before_is_connected_in_one_dialog_with_few_reads_and_by_keyboard(
    tmp_path: Path, session: dict[str, str], shop: Shop
) -> None:
    data = tmp_path / "data"
    arguments = ("--data-dir", str(data), "connect", "Keller", "--url", shop.url, "--key-stdin")
    assert command(*arguments, stdin=shop.key, env=session).returncode == 0
    with OtherShop(Ways(auth="header")) as other, Opened(data, env=session) as program:
        program.ask("choose", "File", "Connect another shop…")
        assert program.ask("dialogs") == ["connectDialog"]
        fill_in(program, other.url, str(other.key), "Menagerie")
        asked: list[str] = []

        def opened() -> bool:
            asked[:] = [one.method for one in other.seen]
            assert program.ask("dialogs") in ([], ["connectDialog"])
            if told(program, "operations"):
                program.ask("press", "Space")  # what it offers has been read
            return program.ask("titles") == ["Menagerie — Pet Store Desktop"]

        until(opened, "the window of the new shop")
        assert 1 <= len(asked) <= 10
        assert set(asked) == {"GET"}
        program.wait("rows", "pets")
        assert program.ask("dialogs") == []
        assert {one.method for one in other.seen} == {"GET"}
        assert other.complaints == []
        assert program.quit() == 0


def test_a_service_that_is_down_is_saved_anyway_and_told_by_the_doctor(
    tmp_path: Path, session: dict[str, str], shop: Shop
) -> None:
    data = tmp_path / "data"
    with Opened(data, env=session) as program:
        fill_in(program, "http://127.0.0.1:9/v1", shop.key, "Kant")
        until(lambda: told(program, "Nothing listens"), "that nothing listens there")
        program.ask("tab_to", "saveAnyway")
        program.ask("press", "Space")
        until(lambda: program.ask("titles") == ["Kant — Pet Store Desktop"], "the window of the shop")
        program.ask("choose", "File", "Check the connection…")
        assert program.ask("dialogs") == ["doctorDialog"]
        until(lambda: program.ask("widget", "requestsTaken")["text"] == "Nothing was sent.", "the end of the check")
        program.ask("tab_to", "copyReport")
        program.ask("press", "Space")
        assert "WRONG  Address: Nothing listens at" in program.ask("clipboard")
        assert shop.key not in program.ask("clipboard")
        program.ask("press", "Esc")
        assert program.ask("dialogs") == []
        assert program.quit() == 0
    said = command("--data-dir", str(data), "doctor", "Kant", env=session)
    assert (said.returncode, said.stderr) == (1, "")
    assert "Nothing listens at 127.0.0.1:9" in said.stdout


def test_the_demo_shop_is_checked_as_well(tmp_path: Path) -> None:
    with Opened(tmp_path / "data", "--demo", "--fresh") as program:
        program.wait("rows", "pets")
        program.ask("choose", "File", "Check the connection…")
        until(lambda: program.ask("widget", "requestsTaken")["text"].startswith("It took"), "the end of the check")
        program.ask("click", "Copy for support")
        assert "Operations: It offers all 18 operations." in program.ask("clipboard")
        program.ask("press", "Esc")
        assert program.quit() == 0


def test_connecting_by_command_says_what_is_wrong_and_keeps_it_all_the_same(
    tmp_path: Path, session: dict[str, str], shop: Shop
) -> None:
    arguments = ("--data-dir", str(tmp_path / "data"), "connect", "Hegel", "--url", shop.url, "--key-stdin")
    done = command(*arguments, stdin="not-the-key", env=session)
    assert done.returncode == 0
    assert done.stderr.startswith("petstore-desktop: Key: The service does not accept the key")
    assert len(done.stderr.splitlines()) == 1
    listed = command("--data-dir", str(tmp_path / "data"), "connections", env=session).stdout
    assert listed.startswith("Hegel\t")


def fill_in(program: Opened, url: str, key: str, name: str) -> None:
    """Fill the form by keyboard alone and press its button."""
    for field, text in (("urlField", url), ("keyField", key), ("nameField", name)):
        program.ask("tab_to", field)
        program.ask("write", text)
    program.ask("tab_to", "connectButton")
    program.ask("press", "Space")


def told(program: Opened, part: str) -> str:
    result = program.ask("widget", "testResult")
    return result["text"] if result is not None and part in result["text"] else ""
