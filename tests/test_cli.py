"""The commands as people and scripts call them: exit codes, one line on stderr, and what they keep."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from petstore_desktop import resources
from petstore_desktop.cli import COMMANDS, main
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.instance import Instance
from petstore_desktop.preferences import PreferenceStore, ShopConnection
from petstore_desktop.store.journal.journal import Journal
from tests.program.running import command_here
from tests.support.keyring_daemon import KeyringSession
from tests.support.shop import KEY, Shop

Said = subprocess.CompletedProcess[str]
SHOP_URL = "https://shop.example/v1"


def run(keyring: KeyringSession | None, data: Path, *arguments: str, stdin: str = "") -> Said:
    """A command as a process of its own would do it, with this keyring."""
    given = (*arguments, "--data-dir", str(data))
    environment = keyring.environment if keyring else os.environ
    done = command_here(*given, environment=environment, stdin=stdin.encode())
    return subprocess.CompletedProcess(given, done.returncode, done.stdout.decode(), done.stderr.decode())


def here(capsys: pytest.CaptureFixture[str], data: Path, *arguments: str) -> Said:
    """A command in this process, which is faster; only for those that need no key."""
    code = main([*arguments, "--data-dir", str(data)])
    out, err = capsys.readouterr()
    return subprocess.CompletedProcess(arguments, code, out, err)


def failed(said: Said, code: int = 1) -> str:
    """What it said on stderr: one line."""
    assert said.returncode == code, said.stderr
    assert said.stdout == ""
    assert said.stderr.count("\n") == 1, said.stderr
    assert said.stderr.startswith("petstore-desktop")
    return said.stderr


def connections(data: Path) -> list[ShopConnection]:
    return list(PreferenceStore(Places(data).preferences).load().connections)


@pytest.fixture(scope="module")
def keyring() -> Iterator[KeyringSession]:
    with KeyringSession() as session:
        session.start_keyring()
        yield session


@pytest.fixture(scope="module")
def no_keyring() -> Iterator[KeyringSession]:
    with KeyringSession(bus=False) as session:
        yield session


# ---------------------------------------------------------------- usage


@pytest.mark.parametrize(
    "arguments",
    [
        ("connect", "Shop"),
        ("connect",),
        ("forget",),
        ("sync", "Shop", "--yaml"),
        ("unheard-of",),
        ("--plan", "gold"),
        ("--pets", "0"),
        ("connect", "Shop", "--url", SHOP_URL, "--plan", "gold"),
        *(("connect", "Shop", "--url", SHOP_URL, "--per-day", n) for n in ("0", "-5", "1,000", "2e3", "", "٧")),
        ("connect", "Shop", "--url", SHOP_URL, "--per-minute", str(2**63)),
        ("connect", "Shop", "--url", SHOP_URL, "--per-minute", "9" * 5_000),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_one_line_and_exit_code_2(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(list(arguments))
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("command", ["", "connect", "connections", "forget", "sync", "demo-shop"])
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*filter(None, [command]), "--help"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith(f"usage: petstore-desktop {command}".rstrip())
    assert err == ""


def test_the_help_says_as_many_requests_of_doctor_as_the_manual() -> None:
    said = resources.path("manual", "en", "commands.md").read_text(encoding="utf-8")
    (most,) = re.findall(r"`petstore-desktop doctor .*\((at most \d+)\)", said)
    assert f"{most} requests" in COMMANDS["doctor"][0]


def test_an_error_nobody_expected_is_one_line_that_names_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, expected_log: object
) -> None:
    assert callable(expected_log)
    expected_log("unexpected error in a command")
    monkeypatch.setattr(PreferenceStore, "load", lambda _: 1 // 0)
    line = failed(here(capsys, tmp_path, "connections"))
    assert "ZeroDivisionError" in line
    log = Places(tmp_path).log
    assert str(log) in line
    assert "Traceback" in log.read_text(encoding="utf-8")


# ---------------------------------------------------------------- connect


def test_a_connection_is_made_with_its_key_and_a_new_process_finds_both(
    keyring: KeyringSession, tmp_path: Path
) -> None:
    with Shop(tmp_path / "shop", plan="unlimited", pets=10) as shop:
        made = run(keyring, tmp_path, "connect", "Köln", "--url", f"{shop.url}/", "--key-stdin", stdin=f"{KEY}\n")
        assert (made.returncode, made.stderr) == (0, "")
        assert made.stdout == f"Köln: {shop.url}, its key is in the keyring\n"
        listed = run(keyring, tmp_path, "connections")
        assert listed.stdout == f"Köln\t{shop.url}\tplan not known\n"
        synced = run(keyring, tmp_path, "sync", "Köln")
        assert (synced.returncode, synced.stderr) == (0, ""), synced
        assert "pets: 10 (10 new, 0 changed, 0 gone)" in synced.stdout
        assert not any(KEY.encode() in path.read_bytes() for path in tmp_path.rglob("*.json"))
        gone = run(keyring, tmp_path, "forget", "Köln")
        assert (gone.returncode, gone.stderr) == (0, "")
        assert gone.stdout == "Köln is forgotten. Its key and its data on this computer are removed.\n"
        assert connections(tmp_path) == []
        assert list((tmp_path / "connections").iterdir()) == []
        # The same name and address anew: its key was forgotten with it.
        run(keyring, tmp_path, "connect", "Köln", "--url", shop.url)
        assert "there is no key for Köln" in failed(run(keyring, tmp_path, "sync", "Köln"))


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://shop.example/v1", "plain http"),
        ("http://192.168.1.7/v1", "plain http"),
        ("ftp://shop.example", "not an http(s) address"),
        ("shop.example", "not an http(s) address"),
        ("https://me:secret@shop.example/v1", "user name or password"),
    ],
)
def test_an_address_that_would_give_the_key_away_is_refused(
    url: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert words in failed(here(capsys, tmp_path, "connect", "Shop", "--url", url))
    assert connections(tmp_path) == []


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/v1", "http://localhost:8000/v1", "http://[::1]:8000/v1"])
def test_plain_http_is_fine_on_this_computer(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert here(capsys, tmp_path, "connect", "Shop", "--url", url).returncode == 0
    assert [connection.url for connection in connections(tmp_path)] == [url]


def test_connecting_again_changes_the_connection_and_keeps_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here(capsys, tmp_path, "connect", "Shop", "--url", SHOP_URL, "--plan", "pro")
    here(capsys, tmp_path, "connect", "Shop", "--url", "https://shop.example/v2")
    (connection,) = connections(tmp_path)
    assert (connection.url, connection.plan, connection.slug) == ("https://shop.example/v2", "pro", "shop")


def test_numbers_of_ones_own_are_kept_with_enterprise_or_without_a_plan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = [
        (("--per-minute", "90"), ("", 90, None)),
        (("--per-day", "20000"), ("", 90, 20_000)),
        (("--plan", "enterprise", "--per-day", str(2**63 - 1)), ("enterprise", None, 2**63 - 1)),
        (("--plan", "enterprise", "--per-minute", "600"), ("enterprise", 600, 2**63 - 1)),
        ((), ("enterprise", 600, 2**63 - 1)),
        (("--plan", "pro"), ("pro", None, None)),
    ]
    for arguments, kept in steps:
        said = here(capsys, tmp_path, "connect", "Shop", "--url", SHOP_URL, *arguments)
        assert (said.returncode, said.stderr) == (0, "")
        (connection,) = connections(tmp_path)
        assert (connection.plan or "", connection.per_minute, connection.per_day) == kept
        listed = here(capsys, tmp_path, "connections").stdout
        assert all(str(number) in listed for number in kept[1:] if number is not None)


def test_numbers_beside_a_plan_that_has_its_own_are_refused_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    connect = ("connect", "Shop", "--url", SHOP_URL)
    assert "the plan free has its own" in failed(
        here(capsys, tmp_path, *connect, "--plan", "free", "--per-minute", "9")
    )
    assert connections(tmp_path) == []
    here(capsys, tmp_path, *connect, "--plan", "pro")
    assert "the plan pro has its own" in failed(here(capsys, tmp_path, *connect, "--per-day", "9"))


def test_fewer_requests_a_day_than_a_minute_are_kept_and_wondered_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = ("--per-minute", "600", "--per-day", "500")
    said = here(capsys, tmp_path, "connect", "Shop", "--url", SHOP_URL, "--plan", "enterprise", *numbers)
    assert (said.returncode, said.stderr.count("\n")) == (0, 1)
    assert "500 requests a day are fewer than 600 a minute" in said.stderr
    assert connections(tmp_path)[0].per_day == 500


def unsent(data: Path) -> None:
    """A change that is not sent yet."""
    journal = Journal(Places(data).journal("shop"))
    journal.append("b", [NewChange(Ref(Resource.INVENTORY, 1), AddStock(1))], 0.0)
    journal.close()


def test_changes_that_wait_for_one_address_never_go_to_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here(capsys, tmp_path, "connect", "Shop", "--url", SHOP_URL)
    unsent(tmp_path)
    line = failed(here(capsys, tmp_path, "connect", "Shop", "--url", "https://other.example/v1"))
    assert f"Shop has changes that wait for {SHOP_URL} (1)" in line
    assert here(capsys, tmp_path, "connect", "Shop", "--url", SHOP_URL, "--plan", "pro").returncode == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "cannot be read"),
        ("not: [a document", "neither JSON nor YAML"),
        ("{}", "it does not say which version of OpenAPI it follows"),
    ],
)
def test_a_document_that_cannot_be_used_is_refused_at_once(
    text: str | None, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = tmp_path / "openapi.yaml"
    if text is not None:
        document.write_text(text)
    arguments = ("connect", "Shop", "--url", SHOP_URL, "--document", str(document))
    assert words in failed(here(capsys, tmp_path / "data", *arguments))
    assert connections(tmp_path / "data") == []


@pytest.mark.parametrize(("key", "words"), [("\n", "no key came"), ("ключ\n", "cannot be sent")])
def test_a_key_that_is_none_is_refused(no_keyring: KeyringSession, key: str, words: str, tmp_path: Path) -> None:
    said = run(no_keyring, tmp_path, "connect", "Shop", "--url", SHOP_URL, "--key-stdin", stdin=key)
    assert words in failed(said)
    assert connections(tmp_path) == []


def test_without_a_keyring_the_key_is_stored_nowhere_and_nothing_is_changed(
    no_keyring: KeyringSession, tmp_path: Path
) -> None:
    said = run(no_keyring, tmp_path, "connect", "Shop", "--url", SHOP_URL, "--key-stdin", stdin=f"{KEY}\n")
    line = failed(said)
    assert "no keyring" in line
    assert "nothing was stored, neither key nor connection. Connect without --key-stdin" in line
    assert "PETSTORE_API_KEY" in line
    assert connections(tmp_path) == []
    assert not any(KEY.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    run(no_keyring, tmp_path, "connect", "Shop", "--url", SHOP_URL)
    gone = run(no_keyring, tmp_path, "forget", "Shop")
    assert (gone.returncode, "No key was removed, because no keyring was found." in gone.stdout) == (0, True)


# ---------------------------------------------------------------- connections, forget


def test_without_connections_the_list_says_how_to_make_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = here(capsys, tmp_path, "connections")
    assert (said.returncode, said.stdout) == (0, "")
    assert "petstore-desktop connect" in said.stderr


@pytest.mark.parametrize("command", ["forget", "sync"])
def test_a_connection_that_is_not_there_is_named(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "no connection called Nobody" in failed(here(capsys, tmp_path, command, "Nobody"))


NAMESAKES = ("My shop", "my shop", "My-Shop")


def namesakes(capsys: pytest.CaptureFixture[str], data: Path, *names: str) -> list[ShopConnection]:
    for name in names:
        assert here(capsys, data, "connect", name, "--url", SHOP_URL).returncode == 0
    return connections(data)


@pytest.mark.parametrize(
    "arguments",
    [
        ("forget", "my-shop", "--yes"),
        ("sync", "my-shop"),
        ("doctor", "my-shop"),
        ("export", "my-shop", "pets"),
        ("--connection", "my-shop"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_name_in_no_list_touches_no_shop_and_those_like_it_are_named(
    arguments: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = namesakes(capsys, tmp_path, *NAMESAKES)
    line = failed(run(None, tmp_path, *arguments))
    assert "there is no connection called my-shop; did you mean “My shop”, “my shop” or “My-Shop”?" in line
    assert connections(tmp_path) == before


@pytest.mark.parametrize(
    ("name", "typed"), [("W4", "w4"), ("My shop", "my shop"), ("Köln", "KÖLN"), ("Köln", "Ko\u0308ln")]
)
def test_a_name_that_differs_by_its_case_or_spelling_is_not_taken_for_another(
    name: str, typed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = namesakes(capsys, tmp_path, name, "Elsewhere")
    line = failed(here(capsys, tmp_path, "forget", typed, "--yes"))
    assert f"no connection called {typed}; did you mean “{name}”?" in line
    assert connections(tmp_path) == before


def test_connecting_under_a_name_like_another_makes_a_new_connection_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = namesakes(capsys, tmp_path, *NAMESAKES)
    said = here(capsys, tmp_path, "connect", "my-shop", "--url", "http://127.0.0.1:7/v9")
    assert (said.returncode, said.stdout) == (0, "my-shop: http://127.0.0.1:7/v9\n")
    assert "my-shop is a new connection; “My shop”, “my shop” and “My-Shop” stay as they are" in said.stderr
    *left, new = connections(tmp_path)
    assert (left, new.name, new.url) == (before, "my-shop", "http://127.0.0.1:7/v9")
    assert len({connection.slug for connection in (*left, new)}) == 4
    assert here(capsys, tmp_path, "forget", "my-shop").returncode == 0
    assert connections(tmp_path) == before


def test_forgetting_asks_when_changes_are_unsent_unless_told_yes(no_keyring: KeyringSession, tmp_path: Path) -> None:
    run(no_keyring, tmp_path, "connect", "Shop", "--url", SHOP_URL)
    unsent(tmp_path)
    assert "Shop has changes that are not sent yet (1)" in failed(run(no_keyring, tmp_path, "forget", "Shop"))
    assert len(connections(tmp_path)) == 1
    done = run(no_keyring, tmp_path, "forget", "Shop", "--yes")
    assert (done.returncode, done.stderr, connections(tmp_path)) == (0, "", [])
    place = Path(done.stdout.splitlines()[0].rpartition(" are in ")[2])
    assert place.parent == tmp_path / "forgotten"
    assert place.read_text(encoding="utf-8-sig").splitlines()[-1] == "1 of 1"
    assert not Places(tmp_path).connection("shop").exists()


@pytest.mark.parametrize(
    "arguments", [("sync", "Shop"), ("forget", "Shop", "--yes"), ("connect", "Shop", "--url", SHOP_URL)], ids=" ".join
)
def test_a_second_program_on_the_same_folder_refuses_in_words(
    arguments: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here(capsys, tmp_path, "connect", "Shop", "--url", SHOP_URL)
    running = Instance(tmp_path)
    try:
        assert "already running" in failed(here(capsys, tmp_path, *arguments))
        assert here(capsys, tmp_path, "connections").returncode == 0  # it only reads
    finally:
        running.release()


def damaged_with(data: Path, amount: int) -> Path:
    """Its journal, with one booking that waits, whose first page a disk has spoiled."""
    path = Places(data).journal("shop")
    journal = Journal(path)
    journal.append("b", [NewChange(Ref(Resource.INVENTORY, 10), AddStock(amount))], 0.0)
    journal.close()
    with path.open("r+b") as file:
        file.write(b"\xa5" * 4096)
    return path


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_connection_with_a_damaged_journal_is_forgotten_with_what_it_still_tells(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], elsewhere: bool
) -> None:
    """It said `check the disk`, for ever."""
    here(capsys, tmp_path, "connect", "Shop", "--url", SHOP_URL)
    damaged = damaged_with(tmp_path, 5)
    if elsewhere:
        (damaged.parent / "elsewhere" / "0123456789abcdef").mkdir(parents=True)
        damaged.rename(damaged.parent / "elsewhere" / "0123456789abcdef" / damaged.name)
    assert "1" in failed(here(capsys, tmp_path, "forget", "Shop"))
    said = here(capsys, tmp_path, "forget", "Shop", "--yes")
    assert said.returncode == 0, said.stderr
    (listed,) = (tmp_path / "forgotten").glob("*.csv")
    assert str(listed) in said.stdout
    assert "stock +5" in listed.read_text("utf-8-sig") or "5" in listed.read_text("utf-8-sig")
    assert not Places(tmp_path).connection("shop").exists()
    assert connections(tmp_path) == []


def test_a_connection_with_a_damaged_journal_can_have_another_address(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here(capsys, tmp_path, "connect", "Shop", "--url", SHOP_URL)
    journal = damaged_with(tmp_path, 5)
    said = here(capsys, tmp_path, "connect", "Shop", "--url", "https://shop.example/v2")
    assert said.returncode == 0, said.stderr
    (listed,) = journal.parent.glob("journal.db.damaged-*.unsent.csv")
    assert f"what was not sent yet (1) is listed in {listed}" in said.stderr
    assert [connection.url for connection in connections(tmp_path)] == ["https://shop.example/v2"]
