"""`sync NAME`: one pull without a window, for people and for scripts.

A process of its own: what it says while it still waits, and ends by a kill.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from petstore_desktop.commands import sync as commands_sync
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.changes import AddStock, Change, ChangeState, NewChange, SetFields
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.preferences import Preferences, PreferenceStore, ShopConnection
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.sync.wire.events import ChangesMoved
from tests.program.running import command, environment
from tests.support.odd_service import Asked, OddService, Reply, error, nine
from tests.support.session import quantity
from tests.support.shop import ROOT, Shop

Said = subprocess.CompletedProcess[str]


ALONE = {"DBUS_SESSION_BUS_ADDRESS": None}
"""Without a keyring."""


def begin(data: Path, *options: str, key: str | None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "petstore_desktop", "sync", "Shop", "--data-dir", str(data), *options],
        cwd=ROOT, env=environment(key, ALONE), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def sync(data: Path, *options: str, key: str | None) -> Said:
    return command("sync", "Shop", "--data-dir", str(data), *options, key=key, env=ALONE)


def connected(data: Path, url: str) -> Path:
    """A data directory with one connection."""
    connection = ShopConnection("Shop", "shop", url, plan="free")
    PreferenceStore(Places(data).preferences).save(Preferences(connections=(connection,)))
    return data


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with Shop(tmp_path_factory.mktemp("shop"), pets=30) as shop:
        yield shop


def test_the_json_says_what_came_what_changed_and_what_is_left(shop: Shop, tmp_path: Path) -> None:
    data = connected(tmp_path, shop.url)
    done = sync(data, "--json", key=shop.key)
    assert (done.returncode, done.stderr) == (0, "")
    first = json.loads(done.stdout)
    assert list(first) == ["connection", "resources", "requests", "quota", "waited_s", "unsent"]
    assert (first["connection"], first["requests"], first["waited_s"]) == ("Shop", 5, 0.0)
    assert first["resources"]["pets"] == {
        "rows": 30, "new": 30, "changed": 0, "gone": 0, "set_aside": 0, "cut_at": None, "missing": 0,
        "whole": True,
    }  # fmt: skip
    assert first["resources"].keys() == {"pets", "categories", "orders", "inventory"}
    assert first["quota"].keys() == {"minute", "day"}
    assert first["quota"]["minute"].keys() == {"limit", "remaining", "resets_at"}
    assert first["quota"]["minute"]["limit"] == 60
    (one,), (two,) = shop.rows("SELECT id FROM pets ORDER BY id DESC LIMIT 2")
    shop.control("rows", pets=[{"id": one, "name": "Changed"}, {"id": 9_000_000_001, "name": "New"}, '{"id": ".."}'])
    shop.control("remove", inventory=[two])
    second = json.loads(sync(data, "--json", key=shop.key).stdout)["resources"]
    del second["pets"]["cut_at"]
    assert second["pets"] == {
        "rows": 31,
        "new": 1,
        "changed": 1,
        "gone": 0,
        "set_aside": 1,
        "missing": 0,
        "whole": False,
    }
    assert (second["inventory"]["gone"], second["inventory"]["new"]) == (1, 0)


def test_the_plain_form_is_readable(shop: Shop, tmp_path: Path) -> None:
    done = sync(connected(tmp_path, shop.url), key=shop.key)
    lines = done.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines[:4]] == ["pets", "categories", "orders", "inventory"]
    assert lines[4].startswith("minute: ")
    assert "requests, waited 0.0 s" in lines[-1]


def test_each_list_that_cannot_be_read_is_named_and_is_not_called_empty(tmp_path: Path) -> None:
    def answer(asked: Asked) -> Reply:
        return error(404) if asked.path in ("/v1/categories", "/v1/inventory") else nine(asked)

    with OddService(answer) as service:
        done = sync(connected(tmp_path, service.url), key="a-key")
    assert done.returncode == 1
    lines = dict(line.split(": ", 1) for line in done.stdout.splitlines()[:4])
    assert (lines["categories"], lines["inventory"]) == ("not read", "not read")
    assert lines["pets"].startswith("0 (0 new")
    assert [line for line in done.stderr.splitlines() if "categories, inventory: the service answered 404" in line]


def test_of_a_first_reading_that_ended_early_nothing_is_called_older_than_it(tmp_path: Path) -> None:
    """It said "not read; 1 are kept here from before" where nothing had been there before."""
    pages = [Reply(200, '[{"id": 1, "name": "Koi", "categoryId": 1}]', (("Link", '</v1/pets?page=2>; rel="next"'),))]

    def answer(asked: Asked) -> Reply:
        if asked.path != "/v1/pets":
            return nine(asked)
        return error(404) if "page=2" in asked.query else pages[0]

    with OddService(answer) as service:
        data = connected(tmp_path, service.url)
        done = sync(data, key="a-key")
        again = sync(data, "--json", key="a-key")
        pages[0] = Reply(200, '[{"id": 1, "name": "Koi", "categoryId": 1}]')
        whole = json.loads(sync(data, "--json", key="a-key").stdout)["resources"]["pets"]
        pages[0] = error(404)
        later = sync(data, key="a-key")
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == "pets: not read to its end; 1 are here so far"
    read = json.loads(again.stdout)["resources"]
    assert (read["pets"]["rows"], read["pets"]["whole"], read["orders"]["whole"]) == (1, False, True)
    assert (whole["rows"], whole["whole"]) == (1, True)
    assert later.stdout.splitlines()[0] == "pets: not read; 1 are kept here from before"


@pytest.mark.parametrize(
    ("headers", "words"),
    [((), "does not say where to"), ((("Location", "/v1/openapi.json"),), "redirects to|in a circle")],
)
def test_a_redirect_is_told_in_whole_words(headers: tuple[tuple[str, str], ...], words: str, tmp_path: Path) -> None:
    with OddService(lambda _: Reply(302, "", headers)) as service:
        done = sync(connected(tmp_path, service.url), key="a-key")
    assert done.returncode == 1
    assert re.search(words, done.stderr)
    assert "not said" not in done.stderr


def test_what_waits_in_the_outbox_is_not_lost_by_a_pull(shop: Shop, tmp_path: Path) -> None:
    data = connected(tmp_path, shop.url)
    ((pet,),) = shop.rows("SELECT pet_id FROM inventory LIMIT 1")
    before = quantity(shop, pet)
    journal = Journal(Places(data).journal("shop"))
    journal.append("b", [NewChange(Ref(Resource.INVENTORY, pet), AddStock(5))], 0.0)
    journal.close()
    assert sync(data, key=shop.key).returncode == 0
    journal = Journal(Places(data).journal("shop"))
    waiting = len(journal.open_changes())
    journal.close()
    assert quantity(shop, pet) == before + (0 if waiting else 5)


def test_what_waited_in_a_damaged_journal_is_listed_and_the_list_named_in_one_line(shop: Shop, tmp_path: Path) -> None:
    data = connected(tmp_path, shop.url)
    path = Places(data).journal("shop")
    journal = Journal(path)
    journal.append("b", [NewChange(Ref(Resource.INVENTORY, 10), AddStock(5))], 0.0)
    journal.close()
    with path.open("r+b") as file:
        file.write(b"\xa5" * 4096)
    done = sync(data, key=shop.key)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    (listed,) = path.parent.glob("journal.db.damaged-*.unsent.csv")
    assert f"what was not sent yet (1) is listed in {listed}" in done.stderr


def test_a_wrong_key_is_one_line(shop: Shop, tmp_path: Path) -> None:
    done = sync(connected(tmp_path, shop.url), key="wrong-key")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "rejected the key" in done.stderr
    assert "wrong-key" not in done.stderr


def test_a_wrong_key_of_the_environment_is_called_so(shop: Shop, tmp_path: Path) -> None:
    done = sync(connected(tmp_path, shop.url), key="wrong-key")
    assert "rejected the key in PETSTORE_API_KEY" in done.stderr
    assert "--key-stdin" not in done.stderr


@pytest.mark.posix("there may be no keyring")
def test_without_a_key_and_a_keyring_the_way_to_give_one_is_said(shop: Shop, tmp_path: Path) -> None:
    done = sync(connected(tmp_path, shop.url), key=None)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "no keyring that can store a key; there is no key for Shop, so nothing was sent" in done.stderr
    assert "PETSTORE_API_KEY" in done.stderr
    assert "stored" not in done.stderr


def test_a_service_that_is_not_there_is_one_line_and_does_not_hang(tmp_path: Path) -> None:
    done = sync(connected(tmp_path, "http://127.0.0.1:9/v1"), key="some-key")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "cannot be reached" in done.stderr


def test_a_pause_is_waited_for_and_counted(tmp_path: Path) -> None:
    with Shop(tmp_path / "shop", rpm=20, minute=2, ban_at=1, pets=10) as shop:
        data = connected(tmp_path / "data", shop.url)
        shop.control("pause", seconds=2)  # from the first request on, however long it takes to come
        said = json.loads(sync(data, "--json", key=shop.key).stdout)
        assert said["resources"]["pets"]["rows"] == 10
        assert said["waited_s"] >= 1.0
        assert not any(line["inside_pause"] for line in shop.log_lines())


def test_a_long_ban_is_said_at_once_with_its_end_and_its_reason(tmp_path: Path) -> None:
    with Shop(tmp_path / "shop", pets=10) as shop:
        shop.control("ban", seconds=3600)
        with begin(connected(tmp_path / "data", shop.url), "--json", key=shop.key) as process:
            assert process.stderr is not None
            line = process.stderr.readline()  # comes while the command still waits
            assert process.poll() is None
            process.kill()
    said = (
        r"petstore-desktop: waiting until [-\d ]*\d\d:\d\d:\d\d \((1 h \d+ min|59 min \d+ s)\): .*banned this key.*\n"
    )
    assert re.fullmatch(said, line)


def test_a_pause_is_said_once_and_not_each_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands_sync, "_NOTICED_S", 0.5)
    with Shop(tmp_path / "shop", pets=10) as shop:
        shop.control("pause", seconds=2)
        done = sync(connected(tmp_path / "data", shop.url), "--json", key=shop.key)
    assert done.returncode == 0
    assert json.loads(done.stdout)["resources"]["pets"]["rows"] == 10
    assert done.stderr.count("\n") == done.stderr.count("the service asks to wait") == 1


def test_a_damaged_journal_is_named_and_the_command_fails(tmp_path: Path) -> None:
    with Shop(tmp_path / "shop", pets=30) as own:
        data = connected(tmp_path / "data", own.url)
        assert sync(data, key=own.key).returncode == 0
        Places(data).journal("shop").write_bytes(b"not a database at all" * 300)
        done = sync(data, key=own.key)
    assert done.returncode == 1
    assert "the file of your changes was damaged" in done.stderr
    assert "pets: 30" in done.stdout


@pytest.mark.parametrize(
    ("states", "said"),
    [
        ([], []),
        ([ChangeState.UNCERTAIN], ["1 change was sent, and a look is still to tell what came of that"]),
        ([ChangeState.QUEUED], ["1 change still waits to be sent; it goes out while the window is open"]),
        (
            [ChangeState.QUEUED, ChangeState.QUEUED, ChangeState.REFUSED],
            [
                "2 changes still wait to be sent; they go out while the window is open",
                "1 change needs your decision: `petstore-desktop decide Shop` lists them",
            ],
        ),
    ],
)
def test_what_waits_for_a_person_is_not_said_to_go_out(
    capsys: pytest.CaptureFixture[str], states: list[ChangeState], said: list[str]
) -> None:
    pull = commands_sync.Pull()
    changes = [
        Change(number, "batch", 0.0, Ref(Resource.PETS, number), SetFields({"name": "Koi"}), {}, state, 0.0)
        for number, state in enumerate(states, 1)
    ]
    pull.handle_event(ChangesMoved("shop", tuple(changes)))
    commands_sync.say_pull(ShopConnection("Shop", "shop", "https://shop.example/v1"), pull, 3, False)
    assert [line for line in capsys.readouterr().out.splitlines() if "change" in line and "(" not in line] == said
