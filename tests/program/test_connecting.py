"""A shop that runs by itself is connected by command and by dialog; its key lies in a real keyring and is found there
by the next start."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.program.opened import Opened
from tests.program.running import ROOT, command, until
from tests.support.keyring_daemon import KeyringSession
from tests.support.other_shop import OtherShop
from tests.support.other_shop_ways import Ways


@dataclass(frozen=True, slots=True)
class Started:
    """What `petstore-desktop demo-shop` said when it was started, and where it keeps its data."""

    url: str
    key: str
    db: Path

    def quantity(self, pet: str) -> int:
        """What the shop's own database says is in stock."""
        with closing(sqlite3.connect(f"{self.db.as_uri()}?mode=ro", uri=True)) as database:
            row = database.execute("SELECT quantity FROM inventory WHERE pet_id = ?", (int(pet),)).fetchone()
            return int(row[0])


@contextmanager
def demo_shop(folder: Path) -> Iterator[Started]:
    """The command `demo-shop`, by itself."""
    db = folder / "demo.db"
    options = ["--plan", "unlimited", "--pets", "30", "--db", str(db)]  # all tests share it: no limit may be met
    given = [sys.executable, "-m", "petstore_desktop", "demo-shop", *options]
    with subprocess.Popen(given, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = re.fullmatch(r"Demo shop at (\S+), key (\S+)\n", process.stdout.readline())
        try:
            assert said is not None
            yield Started(said[1], said[2], db)
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def session() -> Iterator[dict[str, str]]:
    with KeyringSession() as session:
        session.start_keyring()
        yield session.environment


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    with demo_shop(tmp_path_factory.mktemp("shop")) as started:
        yield started


def book_one(program: Opened, shop: Started, amount: str) -> None:
    """Type a booking into the first row of the inventory; it must arrive in the shop."""
    until(lambda: "mainWindow" in program.ask("windows"), "the window of the shop")
    program.wait("ready")
    program.ask("press", "Alt+I")
    program.wait("rows", "inventory")
    program.wait("writable", "inventory", "In stock")
    before = {pet: shop.quantity(pet) for pet in program.ask("cells", "inventory") if pet.isdigit()}
    ((pet, _),) = program.ask("book", [amount])
    until(lambda: shop.quantity(pet) == before[pet] + int(amount), f"{amount} for {pet} in the shop's database")
    after = before[pet] + int(amount)
    until(lambda: program.ask("cells", "inventory")[pet]["In stock"] == str(after), "the new quantity in the window")
    until(lambda: not program.ask("widget", "outboxBadge"), "that nothing waits")


def restart_finds_the_key(data: Path, session: dict[str, str], shop: Started) -> None:
    with Opened(data, env=session) as program:
        book_one(program, shop, "+3")
        assert program.ask("dialogs") == []
        assert program.quit() == 0


def test_a_shop_connected_by_command_is_edited_and_its_key_is_found_again(
    tmp_path: Path, session: dict[str, str], shop: Started
) -> None:
    data = tmp_path / "data"
    done = command(
        "--data-dir", str(data), "connect", "Uhland", "--url", shop.url, "--key-stdin", stdin=shop.key, env=session
    )
    assert (done.returncode, done.stderr) == (0, "")

    with Opened(data, "--connection", "Uhland", env=session) as program:
        book_one(program, shop, "+12")
        assert program.quit() == 0

    restart_finds_the_key(data, session, shop)


def test_a_shop_connected_on_the_welcome_page_by_keyboard_is_edited_and_its_key_is_found_again(
    tmp_path: Path, session: dict[str, str], shop: Started
) -> None:
    data = tmp_path / "data"
    with Opened(data, env=session) as program:
        assert program.ask("windows") == ["welcomePage"]
        fill_in(program, shop, "Lenau")
        book_one(program, shop, "-2")
        assert program.ask("titles") == ["Lenau — Pet Store"]
        assert program.quit() == 0

    restart_finds_the_key(data, session, shop)


def test_another_shop_connected_by_the_dialog_of_an_open_window_is_edited_and_its_key_is_found_again(
    tmp_path: Path, session: dict[str, str], shop: Started
) -> None:
    data = tmp_path / "data"
    arguments = ("--data-dir", str(data), "connect", "Hebel", "--url", shop.url, "--key-stdin")
    assert command(*arguments, stdin=shop.key, env=session).returncode == 0
    with Opened(data, env=session) as program:
        program.ask("choose", "File", "Connect another shop…")
        assert program.ask("dialogs") == ["connectDialog"]
        fill_in(program, shop, "Mörike")
        until(lambda: program.ask("titles") == ["Mörike — Pet Store"], "the window of the new shop")
        book_one(program, shop, "+1")
        assert program.quit() == 0

    restart_finds_the_key(data, session, shop)


def test_the_settings_of_an_open_shop_are_changed_by_keyboard_and_count_at_once(
    tmp_path: Path, session: dict[str, str], shop: Started
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
        until(lambda: program.ask("titles") == ["Droste — Pet Store"], "the window with the new name")
        book_one(program, shop, "+2")  # the key is the one it had
        assert "7,770" in str(program.ask("widget", "quotaMeter"))
        assert program.quit() == 0
    listed = command("--data-dir", str(data), "connections", env=session).stdout
    assert listed == f"Droste\t{shop.url}\tenterprise, 7770 a day\n"


def test_a_wrong_key_in_the_settings_is_told_at_once_and_leaves_the_one_in_the_keyring(
    tmp_path: Path, session: dict[str, str], shop: Started
) -> None:
    data = tmp_path / "data"
    arguments = ("--data-dir", str(data), "connect", "Heine", "--url", shop.url, "--key-stdin")
    assert command(*arguments, stdin=shop.key, env=session).returncode == 0
    with Opened(data, env=session) as program:
        program.wait("ready")
        program.ask("choose", "File", "Connection settings…")
        program.ask("tab_to", "keyField")
        program.ask("write", "not-the-key")
        program.ask("press", "Return")
        until(lambda: program.ask("dialogs") == ["keyDialog"], "that another key is asked for")
    restart_finds_the_key(data, session, shop)


def test_a_wrong_key_is_told_in_the_form_and_kept_nowhere(
    tmp_path: Path, session: dict[str, str], shop: Started
) -> None:
    data = tmp_path / "data"
    with Opened(data, env=session) as program:
        fill_in(program, Started(shop.url, "not-the-key", shop.db), "Wrong")
        words = until(lambda: told(program, "key"), "that the key is wrong")
        assert "key" in words
        assert program.ask("windows") == ["welcomePage"]
    assert command("--data-dir", str(data), "connections", env=session).stdout == ""


def test_a_service_never_seen_before_is_connected_in_one_dialog_with_few_reads_and_by_keyboard(
    tmp_path: Path, session: dict[str, str], shop: Started
) -> None:
    data = tmp_path / "data"
    arguments = ("--data-dir", str(data), "connect", "Keller", "--url", shop.url, "--key-stdin")
    assert command(*arguments, stdin=shop.key, env=session).returncode == 0
    with OtherShop(Ways(auth="header")) as other, Opened(data, env=session) as program:
        program.ask("choose", "File", "Connect another shop…")
        assert program.ask("dialogs") == ["connectDialog"]
        fill_in(program, Started(other.url, str(other.key), shop.db), "Menagerie")
        asked: list[str] = []

        def opened() -> bool:
            asked[:] = [one.method for one in other.seen]
            assert program.ask("dialogs") in ([], ["connectDialog"])
            if told(program, "operations"):
                program.ask("press", "Space")  # what it offers has been read
            return program.ask("titles") == ["Menagerie — Pet Store"]

        until(opened, "the window of the new shop")
        assert 1 <= len(asked) <= 10
        assert set(asked) == {"GET"}
        program.wait("rows", "pets")
        assert program.ask("dialogs") == []
        assert {one.method for one in other.seen} == {"GET"}
        assert other.complaints == []
        assert program.quit() == 0


def test_the_address_at_which_a_service_was_found_is_one_key_away(
    tmp_path: Path, session: dict[str, str], shop: Started
) -> None:
    data = tmp_path / "data"
    with Opened(data, env=session) as program:
        fill_in(program, Started(shop.url.removesuffix("/v1"), shop.key, shop.db), "Storm")
        until(lambda: told(program, shop.url), "where the service is")
        program.ask("tab_to", "useFound")
        program.ask("press", "Space")
        until(lambda: program.ask("titles") == ["Storm — Pet Store"], "the window of the shop")
        assert program.quit() == 0
    assert command("--data-dir", str(data), "connections", env=session).stdout.startswith(f"Storm\t{shop.url}\t")


def test_a_service_that_is_down_is_saved_anyway_and_told_by_the_doctor(
    tmp_path: Path, session: dict[str, str], shop: Started
) -> None:
    data = tmp_path / "data"
    with Opened(data, env=session) as program:
        fill_in(program, Started("http://127.0.0.1:9/v1", shop.key, shop.db), "Kant")
        until(lambda: told(program, "Nothing listens"), "that nothing listens there")
        program.ask("tab_to", "saveAnyway")
        program.ask("press", "Space")
        until(lambda: program.ask("titles") == ["Kant — Pet Store"], "the window of the shop")
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
    tmp_path: Path, session: dict[str, str], shop: Started
) -> None:
    arguments = ("--data-dir", str(tmp_path / "data"), "connect", "Hegel", "--url", shop.url, "--key-stdin")
    done = command(*arguments, stdin="not-the-key", env=session)
    assert done.returncode == 0
    assert done.stderr.startswith("petstore-desktop: Key: The service does not accept the key")
    assert len(done.stderr.splitlines()) == 1
    listed = command("--data-dir", str(tmp_path / "data"), "connections", env=session).stdout
    assert listed.startswith("Hegel\t")


def fill_in(program: Opened, shop: Started, name: str) -> None:
    """Fill the form by keyboard alone and press its button."""
    for field, text in (("urlField", shop.url), ("keyField", shop.key), ("nameField", name)):
        program.ask("tab_to", field)
        program.ask("write", text)
    program.ask("tab_to", "connectButton")
    program.ask("press", "Space")


def told(program: Opened, part: str) -> str:
    result = program.ask("widget", "testResult")
    return result["text"] if result is not None and part in result["text"] else ""
