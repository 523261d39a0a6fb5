"""Commands while a window runs on the same data folder: their work is done there, once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from petstore_desktop.instance import ask
from tests.commands.test_import import connected, imported, names_now, renaming, table, writes
from tests.program.running import ROOT, Running, command, environment, until
from tests.support.patience import PATIENCE_S
from tests.support.session import quantity
from tests.support.shop import Shop

STRANGE: list[tuple[str, object]] = [
    ("batch", "../../x"),
    ("batch", "0" * 31),
    ("resource", "users"),
    ("save", "yes"),
    ("file", "x" * 5000),
    ("file", None),
    ("connection", "other"),
    ("dates", "dm"),
    ("numbers", 5),
    ("encoding", None),
    ("content", "x"),
    ("again", None),
]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with Shop(tmp_path_factory.mktemp("shop"), plan="unlimited", pets=60) as shop:
        yield shop


@pytest.fixture(scope="module")
def data(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = connected(tmp_path_factory.mktemp("scripts") / "data", shop)
    command("--data-dir", str(folder), "connect", "Other", "--url", shop.url)
    return folder


@pytest.fixture(scope="module")
def program(shop: Shop, data: Path) -> Iterator[Running]:
    """The window, in a process: a command waits for it."""
    with Running(data, "--connection", "Shop", key=shop.key) as program:
        program.wait("rows", "pets")
        yield program
        assert program.quit() == 0


def test_the_window_does_it_once_and_can_undo_it(shop: Shop, program: Running, data: Path, tmp_path: Path) -> None:
    file, names = renaming(shop, tmp_path / "pets.csv", "In the window", 3)
    before, old = len(writes(shop)), names_now(shop)
    looked = json.loads(imported(data, file, "--json").stdout)
    assert (looked["rows"]["changed"], looked["requests"], looked["saved"]) == (3, 3, False)
    done = imported(data, file, "--yes", "--json")
    said = json.loads(done.stdout)
    assert (done.returncode, said["changes"]["sent"], said["done"]) == (0, 3, True), done.stderr
    assert "the running program does it" in done.stderr
    assert names_now(shop).items() >= names.items()
    again = json.loads(imported(data, file, "--yes", "--json").stdout)
    assert (again["rows"]["same"], again["changes"]["total"]) == (3, 0)
    assert len(writes(shop)) == before + 3
    program.ask("press", "Ctrl+Z")
    until(lambda: names_now(shop) == old, "the old names")


def test_what_a_file_leaves_open_is_asked_whatever_the_window_speaks(
    shop: Shop, program: Running, data: Path, tmp_path: Path
) -> None:
    """A window in German reads 1.234 as a thousand, one in English as a fraction; who runs the command is neither."""
    pet = shop.rows("SELECT id FROM pets ORDER BY id")[0][0]
    file = table(tmp_path / "stock.csv", ("pet_id", "quantity"), (pet, "1.234"))
    said: dict[str, str] = {}
    for language in ("de", "en"):
        program.ask("speak", language)
        program.ask("press", "Escape")
        done = imported(data, file, resource="inventory")
        assert done.returncode == 1, done.stdout
        said[language] = done.stderr
        told = imported(data, file, "--numbers", "comma", resource="inventory")
        assert told.returncode == 0, told.stderr
    assert said["en"] == said["de"] and "--numbers" in said["en"], said


@pytest.mark.usefixtures("program")
def test_a_file_in_another_encoding_is_read_as_it_was_said_or_not_at_all(
    shop: Shop, data: Path, tmp_path: Path
) -> None:
    file = tmp_path / "pets.csv"
    file.write_bytes("name,category,status\nさくら,Dogs,available\n".encode("shift_jis"))
    before = len(writes(shop))

    def refused(folder: Path, *options: str) -> str:
        done = imported(folder, file, *options, resource="pets")
        assert done.returncode and len(writes(shop)) == before, done.stdout
        return done.stderr.replace("petstore-desktop: the running program does it\n", "")

    without_window = connected(tmp_path / "data", shop)
    for options in ((), ("--encoding", "no-such"), ("--encoding", "utf-8")):
        assert refused(data, *options) == refused(without_window, *options)
    assert "--encoding" in refused(data)
    done = imported(data, file, "--encoding", "shift_jis", "--yes", resource="pets")
    assert done.returncode == 0, done.stderr
    assert shop.rows("SELECT name FROM pets ORDER BY id DESC LIMIT 1") == [("さくら",)]


def test_a_window_that_ends_meanwhile_loses_nothing_and_sends_nothing_twice(tmp_path: Path) -> None:
    with Shop(tmp_path / "shop", rpm=20, minute=3, pets=40) as shop:
        data = connected(tmp_path / "data", shop)
        file, names = renaming(shop, tmp_path / "pets.csv", "Going on", 20)
        given = ["--data-dir", str(data), "import", "Shop", "pets", str(file), "--yes", "--json"]
        with Running(data, key=shop.key) as program:
            program.wait("rows", "pets")
            with subprocess.Popen(
                [sys.executable, "-m", "petstore_desktop", *given], cwd=ROOT, env=environment(shop.key),
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            ) as process:  # fmt: skip
                until(lambda: len(writes(shop)) > 3 or process.poll() is not None, "some writes")
                program.kill()
                out, errors = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, errors
        assert "the running program has ended; the work goes on here" in errors
        assert json.loads(out)["changes"]["sent"] == 20
        rows = json.loads(out)["rows"]  # the same, where it compares after all were saved: nobody told it before
        assert (rows["changed"], rows["same"]) in ((20, 0), (0, 20))
        assert names_now(shop).items() >= names.items()
        good = [line["path"] for line in writes(shop) if line["status"] == 200]
        assert sorted(good) == sorted(set(good))


@pytest.mark.usefixtures("program")
def test_a_booking_and_a_connection_that_is_not_open_there(shop: Shop, data: Path) -> None:
    ((pet,),) = shop.rows("SELECT pet_id FROM inventory LIMIT 1")
    before = quantity(shop, pet)
    done = command("--data-dir", str(data), "stock", "Shop", str(pet), "+4")
    assert (done.returncode, quantity(shop, pet)) == (0, before + 4), done.stderr
    other = command("--data-dir", str(data), "stock", "Other", str(pet), "+4")
    assert other.returncode == 1
    assert "has not opened Other" in other.stderr
    unknown = command("--data-dir", str(data), "stock", "Shop", "Nobody", "+4")
    assert (unknown.returncode, "there is no pet Nobody" in unknown.stderr) == (1, True), unknown.stderr
    assert quantity(shop, pet) == before + 4


@pytest.mark.usefixtures("program")
def test_two_commands_at_once_and_strange_questions(shop: Shop, data: Path, tmp_path: Path) -> None:
    file, names = renaming(shop, tmp_path / "pets.csv", "At once", 6)
    before = len(writes(shop))
    given = ["--data-dir", str(data), "import", "Shop", "pets", str(file), "--yes", "--json"]
    order = {"batch": "0" * 32, "connection": "shop", "resource": "pets", "save": True, "file": str(file)}
    order |= {"pet": "", "amount": "", "dates": "", "numbers": "", "encoding": "", "content": "", "again": False}
    for strange in (
        {},
        {"do": "begin"},
        {"do": "begin", "order": []},
        {"do": "follow", "batch": "0" * 32},
        {"do": "follow", "batch": ["0"]},
        *({"do": "begin", "order": order | {name: wrong}} for name, wrong in STRANGE),
    ):
        # Who says nothing for two seconds, as a busy computer may make it, is hung up on, and may ask again.
        answer = until(lambda asked=strange: ask(data, asked, PATIENCE_S), "an answer")
        assert answer.get("unknown") or answer["error"], strange
    other = subprocess.Popen(
        [sys.executable, "-m", "petstore_desktop", *given], cwd=ROOT, env=environment(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    one = command(*given)
    said = [json.loads(one.stdout), json.loads(other.communicate(timeout=PATIENCE_S)[0])]
    assert (one.returncode, other.returncode) == (0, 0)
    assert sorted(one["changes"]["total"] for one in said) == [0, 6]
    assert len(writes(shop)) == before + 6
    assert names_now(shop).items() >= names.items()
