"""`import NAME RESOURCE FILE`: the window's import without the window.

Processes of their own: kills in the midst of sending, and Ctrl+C.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.commands import order_runs
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.records import Resource
from petstore_desktop.store.mirror.mirror import Mirror
from tests.program.running import ROOT, command, environment, until
from tests.program.small_disk import small_disk
from tests.support.kill_hard import kill_hard
from tests.support.patience import PATIENCE_S
from tests.support.shop import Shop

WRITES = ("PATCH", "PUT", "POST", "DELETE")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with Shop(tmp_path_factory.mktemp("shop"), plan="unlimited", pets=60) as shop:
        yield shop


@pytest.fixture
def data(shop: Shop, tmp_path: Path) -> Path:
    """A data folder that has read the shop."""
    return connected(tmp_path / "data", shop)


@pytest.fixture(scope="module")
def quiet(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder for tests that send nothing."""
    return connected(tmp_path_factory.mktemp("quiet") / "data", shop)


def connected(data: Path, shop: Shop) -> Path:
    for given in (["connect", "Shop", "--url", shop.url], ["sync", "Shop"]):
        done = command("--data-dir", str(data), *given, key=shop.key)
        assert done.returncode == 0, done.stderr
    return data


def imported(data: Path, file: Path, *options: str, resource: str = "pets", key: str | None = None) -> Any:
    return command("--data-dir", str(data), "import", "Shop", resource, str(file), *options, key=key)


def table(path: Path, *rows: tuple[object, ...]) -> Path:
    path.write_text("\n".join(",".join(map(str, row)) for row in rows) + "\n", encoding="utf-8")
    return path


def renaming(shop: Shop, path: Path, word: str, count: int) -> tuple[Path, dict[int, str]]:
    """A file that renames this many pets, and the names by id."""
    ids = [row[0] for row in shop.rows("SELECT id FROM pets ORDER BY id LIMIT ?", count)]
    names = {id_: f"{word} {id_}" for id_ in ids}
    return table(path, ("id", "name"), *names.items()), names


def writes(shop: Shop) -> list[dict[str, Any]]:
    return [line for line in shop.log_lines() if line["method"] in WRITES]


def names_now(shop: Shop) -> dict[int, str]:
    return dict(shop.rows("SELECT id, name FROM pets"))


def test_without_yes_it_only_says_what_it_would_do_and_cost(shop: Shop, quiet: Path, tmp_path: Path) -> None:
    file, names = renaming(shop, tmp_path / "pets.csv", "Dry", 3)
    with file.open("a") as more:
        more.write("1,Nobody\n")
    before, now = len(shop.log_lines()), names_now(shop)
    for options in ((), ("--dry-run",)):
        plain = imported(quiet, file, *options)
        assert plain.returncode == 1
        assert "3 to change, 0 new, 0 the same, 1 wrong" in plain.stdout
        assert "row 5: There is no record #1." in plain.stdout
        assert "3 changes: 3 requests" in plain.stdout
    said = json.loads(imported(quiet, file, "--dry-run", "--json", key=shop.key).stdout)
    assert said["rows"] == {"new": 0, "changed": 3, "same": 0, "wrong": 1}
    assert [(one["row"], one["code"]) for one in said["errors"]] == [(5, "no-such-id")]
    assert (said["requests"], said["saved"], said["done"]) == (3, False, False)
    assert isinstance(said["minutes"], float)
    assert len(shop.log_lines()) == before
    assert names_now(shop) == now
    assert not names.items() & now.items()


def test_with_yes_each_row_is_sent_once_and_the_same_file_sends_nothing_again(
    shop: Shop, data: Path, tmp_path: Path
) -> None:
    file, names = renaming(shop, tmp_path / "pets.csv", "Once", 4)
    before = len(writes(shop))
    done = imported(data, file, "--yes", "--json", key=shop.key)
    said = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert (said["done"], said["saved"], said["changes"]["sent"], said["error"]) == (True, True, 4, None)
    assert names_now(shop).items() >= names.items()
    assert len(writes(shop)) == before + 4
    asked = len(shop.log_lines())
    again = imported(data, file, "--yes", "--json", key=shop.key)
    said = json.loads(again.stdout)
    assert (again.returncode, said["rows"]["same"], said["changes"]["total"]) == (0, 4, 0)
    assert len(shop.log_lines()) == asked


def test_new_rows_are_made_once(shop: Shop, data: Path, tmp_path: Path) -> None:
    file = table(tmp_path / "new.csv", ("name", "category", "status"), ("Newt of a script", "Reptiles", "available"))
    for expected in ({"new": 1, "same": 0}, {"new": 0, "same": 1}):
        done = imported(data, file, "--yes", "--json", key=shop.key)
        assert done.returncode == 0, done.stdout + done.stderr
        assert json.loads(done.stdout)["rows"].items() >= expected.items()
    assert shop.rows("SELECT count(*) FROM pets WHERE name = 'Newt of a script'") == [(1,)]


def test_a_colleagues_change_is_a_conflict_and_stays(shop: Shop, data: Path, tmp_path: Path) -> None:
    file, names = renaming(shop, tmp_path / "pets.csv", "Mine", 2)
    theirs = next(iter(names))
    shop.control("rows", pets=[{"id": theirs, "name": "Theirs"}])
    time.sleep(0.1)
    done = imported(data, file, "--yes", "--json", key=shop.key)
    said = json.loads(done.stdout)
    assert done.returncode == 1
    assert (said["changes"]["conflicts"], said["changes"]["sent"], said["done"]) == (1, 1, False)
    assert "1 in conflict" in done.stderr
    assert names_now(shop)[theirs] == "Theirs"


def test_a_killed_import_and_the_same_again_send_each_row_once(tmp_path: Path) -> None:
    with Shop(tmp_path / "shop", plan="unlimited", pets=60) as shop:
        data = connected(tmp_path / "data", shop)
        file, names = renaming(shop, tmp_path / "pets.csv", "Killed", 40)
        given = ["--data-dir", str(data), "import", "Shop", "pets", str(file), "--yes"]
        for sent in (0, 3, 18):
            with subprocess.Popen(
                [sys.executable, "-m", "petstore_desktop", *given], cwd=ROOT, env=environment(shop.key),
                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            ) as process:  # fmt: skip
                until(lambda sent=sent: len(writes(shop)) >= sent or process.poll() is not None, f"{sent} writes")
                kill_hard(process)
        done = imported(data, file, "--yes", "--json", key=shop.key)
        assert done.returncode == 0, done.stdout + done.stderr
        assert names_now(shop).items() >= names.items()
        good = [line["path"] for line in writes(shop) if line["status"] == 200]
        # A request that was on the wire when it was killed may have arrived; it is looked after, and not sent blindly.
        assert sorted(set(good)) == sorted(good)


@pytest.mark.posix("a process can be sent Ctrl+C")
def test_ctrl_c_leaves_the_rest_in_the_journal_and_says_so(tmp_path: Path) -> None:
    with Shop(tmp_path / "shop", rpm=15, minute=30, pets=40) as shop:
        data = connected(tmp_path / "data", shop)
        file, names = renaming(shop, tmp_path / "pets.csv", "Later", 20)
        given = ["--data-dir", str(data), "import", "Shop", "pets", str(file), "--yes"]
        with subprocess.Popen(
            [sys.executable, "-m", "petstore_desktop", *given], cwd=ROOT, env=environment(shop.key),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            assert process.stderr is not None
            until(lambda: writes(shop) or process.poll() is not None, "a write")
            process.send_signal(signal.SIGINT)
            rest = process.stderr.read()
            assert process.wait(PATIENCE_S) == 130
        sent = len(names.items() & names_now(shop).items())
        assert f"{20 - sent} changes saved on this computer and not sent" in rest
        assert 0 < sent < 20
        assert not [line for line in shop.log_lines() if line["inside_pause"]]


def test_a_pause_is_said_and_kept(tmp_path: Path) -> None:
    with Shop(tmp_path / "shop", plan="unlimited", pets=20) as shop:
        data = connected(tmp_path / "data", shop)
        file, names = renaming(shop, tmp_path / "pets.csv", "Paused", 3)
        shop.control("pause", seconds=2)  # from the first request on, however long it takes to come
        done = imported(data, file, "--yes", key=shop.key)
        assert done.returncode == 0, done.stderr
        assert "waiting until" in done.stderr
        assert names_now(shop).items() >= names.items()
        assert not [line for line in shop.log_lines() if line["inside_pause"]]
        assert len([line for line in writes(shop) if line["status"] == 200]) == 3


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "This file is empty"),
        (b"%PDF-1.7 and so on\n", "This is a PDF, not a table"),
        (b"PK\x03\x04 damaged", "This workbook cannot be read"),
        (b"id,name\n" + b"1,x\n" * 200_002, "more than 200,000 rows"),
        (b"\x00\xff\xfe\x01" * 400, "no column of the file"),
        (b"colour,weight\nred,3\n", "no column of the file"),
    ],
    ids=["empty", "pdf", "damaged", "too many rows", "bytes", "other columns"],
)
def test_a_file_that_is_no_table_is_refused_in_words(
    shop: Shop, quiet: Path, tmp_path: Path, content: bytes, words: str
) -> None:
    file = tmp_path / "file.csv"
    file.write_bytes(content)
    before = len(shop.log_lines())
    done = imported(quiet, file, "--yes", key=shop.key)
    assert done.returncode == 1
    assert any(word in done.stderr for word in words.split("|")), done.stderr
    assert "unexpected" not in done.stderr
    assert len(shop.log_lines()) == before


def test_a_file_in_another_encoding_is_read(shop: Shop, data: Path, tmp_path: Path) -> None:
    ((pet,),) = shop.rows("SELECT id FROM pets ORDER BY id DESC LIMIT 1")
    file = tmp_path / "latin.csv"
    file.write_bytes(f"id;name\n{pet};Kätzchen Größe\n".encode("windows-1252"))
    assert imported(data, file, "--yes", key=shop.key).returncode == 0
    assert names_now(shop)[pet] == "Kätzchen Größe"


def test_what_cannot_be_sent_stays_saved_and_is_said(tmp_path: Path) -> None:
    with Shop(tmp_path / "shop", plan="unlimited", pets=20) as shop:
        data = connected(tmp_path / "data", shop)
        file, names = renaming(shop, tmp_path / "pets.csv", "Wrong key", 3)
        done = imported(data, file, "--yes", "--json", key="another-key")
        said = json.loads(done.stdout)
        assert done.returncode == 1
        assert "rejected the key" in done.stderr
        assert "3 changes saved on this computer and not sent" in done.stderr
        assert (said["changes"]["total"], said["changes"]["sent"], said["done"]) == (3, 0, False)
        # The same again, with the right key, sends what is saved and makes nothing new.
        again = imported(data, file, "--yes", "--json", key=shop.key)
        assert again.returncode == 0, again.stdout + again.stderr
        assert json.loads(again.stdout)["rows"]["same"] == 3
        assert names_now(shop).items() >= names.items()
        assert len([line for line in writes(shop) if line["status"] == 200]) == 3


def test_a_read_only_connection_says_so(shop: Shop, tmp_path: Path) -> None:
    data = connected(tmp_path / "data", shop)
    command("--data-dir", str(data), "connect", "Shop", "--url", shop.url, "--read-only")
    file, _ = renaming(shop, tmp_path / "pets.csv", "Read-only", 2)
    done = imported(data, file, "--yes", key=shop.key)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Shop is read-only; nothing was saved" in done.stderr
    looked = imported(data, file, key=shop.key)
    assert (looked.returncode, "--yes does it" in looked.stdout) == (1, False)
    assert "--yes would be refused: Shop is read-only" in looked.stderr


def test_rows_that_the_service_refused_are_not_called_done_by_the_same_again(tmp_path: Path) -> None:
    with Shop(tmp_path / "shop", plan="unlimited", pets=20) as shop:
        data = connected(tmp_path / "data", shop)
        file, _ = renaming(shop, tmp_path / "pets.csv", "Refused", 2)
        shop.control("refuse-writes")
        first = imported(data, file, "--yes", "--json", key=shop.key)
        assert (first.returncode, json.loads(first.stdout)["changes"]["refused"]) == (1, 2)
        assert "2 refused" in first.stderr
        for options in (("--yes",), ("--dry-run",)):
            again = imported(data, file, *options, "--json", key=shop.key)
            said = json.loads(again.stdout)
            assert (again.returncode, said["done"], said["unsettled"], said["changes"]["total"]) == (1, False, 2, 0)
            assert "2 rows are the same only by changes that the service has not taken" in again.stderr


def test_out_of_reach_it_stays_saved_and_a_look_then_sends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order_runs, "_OFFLINE_S", 0.5)  # for so long it is given a chance
    with Shop(tmp_path / "shop", plan="unlimited", pets=20) as shop:
        data = connected(tmp_path / "data", shop)
        file, names = renaming(shop, tmp_path / "pets.csv", "Offline", 2)
        shop.stop()
        done = imported(data, file, "--yes", key=shop.key)
        assert done.returncode == 1
        assert "the service cannot be reached: 2 changes saved on this computer and not sent" in done.stderr
        shop.start()
        before = len(shop.log_lines())
        assert imported(data, file, "--dry-run", key=shop.key).returncode == 0
        assert len(shop.log_lines()) == before
        again = imported(data, file, "--yes", key=shop.key)
        assert (again.returncode, again.stdout.splitlines()[-1]) == (
            0,
            "nothing to change; 2 changes saved before went on",
        )
        assert names_now(shop).items() >= names.items()


def test_a_file_that_ends_within_quotation_marks_is_refused_with_the_line_where_that_begins(
    shop: Shop, data: Path, tmp_path: Path
) -> None:
    file, before = tmp_path / "pets.csv", names_now(shop)
    file.write_text('id,name\n8,"Open\n9,Nine\n10,Ten\n', encoding="utf-8")
    done = imported(data, file, "--yes", "--json", key=shop.key)
    assert (done.returncode, json.loads(done.stdout)["saved"], names_now(shop)) == (1, False, before)
    assert "begins in line 2" in done.stderr and "A quotation mark may be missing" in done.stderr


@pytest.mark.posix("a small disk can be mounted")
def test_a_full_disk_saves_nothing_sends_nothing_and_says_so(tmp_path: Path) -> None:
    with Shop(tmp_path / "shop", plan="unlimited", pets=20) as shop, small_disk(tmp_path / "small") as disk:
        disk.need()
        data = connected(disk.folder / "data", shop)
        file, names = renaming(shop, tmp_path / "pets.csv", "Full", 5)
        before = len(shop.log_lines())
        disk.fill()
        done = imported(data, file, "--yes", "--json", key=shop.key)
        assert (done.returncode, json.loads(done.stdout)["saved"]) == (1, False)
        assert "the disk is full" in done.stderr
        assert len(shop.log_lines()) == before
        disk.empty()
        assert imported(data, file, "--yes", key=shop.key).returncode == 0
        assert names_now(shop).items() >= names.items()
        assert len(shop.log_lines()) == before + 5


def test_the_bookings_of_a_file_are_made_once_and_whole(shop: Shop, data: Path, tmp_path: Path) -> None:
    before = dict(shop.rows("SELECT pet_id, quantity FROM inventory ORDER BY pet_id LIMIT 3"))
    file = table(tmp_path / "delivery.csv", ("pet_id", "booking"), *((pet, "+3") for pet in before), (1, "+3"))

    def gained() -> set[int]:
        return {
            quantity - before[pet]
            for pet, quantity in shop.rows("SELECT pet_id, quantity FROM inventory")
            if pet in before
        }

    def book(*options: str) -> tuple[int, dict[str, Any]]:
        done = imported(data, file, *options, "--json", resource="inventory", key=shop.key)
        return done.returncode, json.loads(done.stdout)

    code, said = book("--yes")
    assert (code, said["rows"]["wrong"], gained()) == (1, 1, {0})
    assert "imported whole or not at all" in said["error"]
    code, said = book("--dry-run")
    assert (code, said["rows"]["wrong"]) == (1, 1)
    assert said["error"].startswith("--yes would be refused: the file has wrong rows (1)")
    table(file, ("pet_id", "booking"), *((pet, "+3") for pet in before))
    for options, sum_ in (
        ((), 0),
        (("--yes",), 3),
        (("--yes",), 3),
        ((), 3),
        (("--yes", "--again"), 6),
        (("--yes",), 6),
    ):
        code, said = book(*options)
        assert (code, gained()) == (0, {sum_}), (options, said)
    again = imported(data, file, "--yes", resource="inventory", key=shop.key).stdout.splitlines()[-1]
    assert again.startswith("nothing to do: this file's bookings were saved before (3 of 3 changes sent), and")


def test_of_a_list_that_was_read_in_part_it_is_said_that_a_part_is_kept(shop: Shop, data: Path, tmp_path: Path) -> None:
    """It said that nothing is kept."""
    mirror = Mirror(Places(data).mirror("shop"))
    with mirror.transaction() as connection:
        connection.execute("DELETE FROM fact WHERE resource = 'pets'")
    kept = mirror.count(Resource.PETS)
    mirror.close()
    file, _ = renaming(shop, tmp_path / "pets.csv", "Part", 2)
    done = imported(data, file, key=shop.key)
    assert (done.returncode, done.stdout) == (1, "")
    said = f"only a part of the pets of Shop is kept here ({kept}); nothing was saved. `petstore-desktop sync"
    assert kept > 0 and said in done.stderr


def test_new_orders_of_a_file_are_placed_once_until_somebody_says_again(shop: Shop, data: Path, tmp_path: Path) -> None:
    """Nothing names an order without an id: the same file placed all of its orders with each import."""
    ((pet,),) = shop.rows("SELECT min(pet_id) FROM inventory")
    file = table(tmp_path / "orders.csv", ("pet_id", "quantity"), (str(pet), "1"), (str(pet), "2"))
    ((before,),) = shop.rows("SELECT count(*) FROM orders")
    for options, placed in (
        ((), 0),
        (("--yes",), 2),
        (("--yes",), 2),
        ((), 2),
        (("--yes", "--again"), 4),
        (("--yes",), 4),
    ):
        done = imported(data, file, *options, resource="orders", key=shop.key)
        assert done.returncode == 0, done.stdout + done.stderr
        assert shop.rows("SELECT count(*) FROM orders") == [(before + placed,)], options
    assert "this file's orders were saved before (2 of 2 changes sent)" in done.stdout


def test_new_rows_of_a_file_with_an_empty_id_are_made_once_whatever_becomes_of_them(
    shop: Shop, data: Path, tmp_path: Path
) -> None:
    """Nothing but the row names such a record: the same file made all of its pets with each import."""

    def there(word: str) -> int:
        ((count,),) = shop.rows(f"SELECT count(*) FROM pets WHERE name LIKE '{word}%'")
        return int(count)

    rows = [("id", "name", "category", "status"), ("", "Aay", "Reptiles", ""), ("", "Aay", "Reptiles", "")]
    file = table(tmp_path / "pets.csv", *rows)
    for options, new, made in ((("--yes",), 2, 2), (("--yes",), 0, 2), ((), 0, 2)):
        done = imported(data, file, *options, key=shop.key)
        assert done.returncode == 0, done.stdout + done.stderr
        assert f" {new} new, {2 - new} the same" in done.stdout
        assert there("Aay") == made
    assert "2 rows were imported before, and are not made again without --again" in done.stdout

    ((first,),) = shop.rows("SELECT min(id) FROM pets WHERE name = 'Aay'")
    shop.control("rows", pets=[{"id": first, "name": "Aay of a colleague"}])
    assert command("--data-dir", str(data), "sync", "Shop", key=shop.key).returncode == 0
    file = table(tmp_path / "longer.csv", *rows, ("", "Aay 3", "Reptiles", ""))
    for options, made in ((("--yes",), 3), (("--yes",), 3), (("--yes", "--again"), 6), (("--yes",), 6)):
        done = imported(data, file, *options, key=shop.key)
        assert done.returncode == 0, done.stdout + done.stderr
        assert there("Aay") == made, options


def test_a_killed_import_of_new_pets_with_an_empty_id_makes_none_of_them_twice(tmp_path: Path) -> None:
    with Shop(tmp_path / "shop", plan="unlimited", pets=60) as shop:
        data = connected(tmp_path / "data", shop)
        rows = [("", f"Kay {at}", "Reptiles") for at in range(30)]
        file = table(tmp_path / "pets.csv", ("id", "name", "category"), *rows)
        given = ["--data-dir", str(data), "import", "Shop", "pets", str(file), "--yes"]
        with subprocess.Popen(
            [sys.executable, "-m", "petstore_desktop", *given], cwd=ROOT, env=environment(shop.key),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as process:  # fmt: skip
            until(lambda: len(writes(shop)) >= 5 or process.poll() is not None, "5 writes")
            kill_hard(process)
        done = imported(data, file, "--yes", key=shop.key)
        found = shop.rows("SELECT name, count(*) FROM pets WHERE name LIKE 'Kay %' GROUP BY name")
        assert sorted(found) == sorted((name, 1) for _, name, _ in rows), done.stdout + done.stderr
