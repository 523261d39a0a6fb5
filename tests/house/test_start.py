"""The window is painted before anything slow is imported."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from petstore_desktop.preferences import PreferenceStore
from tests.house.trees import ROOT, python
from tests.program.running import command
from tests.support import first_paint
from tests.support.importers import imported
from tests.support.keyring_daemon import KeyringSession
from tests.support.shop import Shop

NETWORK = {"asyncio", "ssl", "httpx", "pydantic"}
"""What only the thread that speaks with the service needs."""
KEYRING = {"keyring", "cryptography", "secretstorage"}
"""What only the process needs that asks the keyring."""
OF_THE_WINDOW = """
import importlib, pkgutil, sys
from petstore_desktop import adapters, app, desk, ui
for package in (adapters, desk, ui):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
print(*sys.modules)
"""


def test_the_welcome_page_waits_for_nothing_slow(tmp_path: Path) -> None:
    found = first_paint.complaints(first_paint.modules(ROOT, "--data-dir", str(tmp_path)))
    assert found == [], "\n".join(found)


def test_a_known_shop_waits_for_nothing_slow(tmp_path: Path) -> None:
    data = ("--data-dir", str(tmp_path / "data"))
    with Shop(tmp_path / "shop", plan="unlimited") as shop:
        key = {"PETSTORE_API_KEY": shop.key}
        for given in (["connect", "shop", "--url", shop.url], ["sync", "shop"]):
            done = command(*data, *given, key=shop.key)
            assert done.returncode == 0, done.stderr
        today = first_paint.modules(ROOT, *data, "--connection", "shop", **key)
        store = PreferenceStore(tmp_path / "data" / "preferences.json")
        store.save(replace(store.load(), unknown={"todayFirst": "off"}))
        loaded = first_paint.modules(ROOT, *data, "--connection", "shop", **key)
    assert not [name for name in loaded if ".today" in name], "a start on a list does without Today"
    found = [*first_paint.complaints(loaded), *first_paint.complaints(today)]
    assert found == [], "\n".join(found)


def test_a_list_left_sorted_and_filtered_waits_for_nothing_slow(tmp_path: Path) -> None:
    data = ("--data-dir", str(tmp_path / "data"), "--connection", "shop")
    with Shop(tmp_path / "shop", plan="unlimited") as shop:
        key = {"PETSTORE_API_KEY": shop.key}
        for given in (["connect", "shop", "--url", shop.url], ["sync", "shop"]):
            assert command(*data[:2], *given, key=shop.key).returncode == 0
        left = python(ROOT, "-m", "tests.bench._first_rows", "leave", *data, **key)
        assert left.returncode == 0, left.stderr
        found = first_paint.complaints(first_paint.modules(ROOT, *data, **key))
    assert found == [], "\n".join(found)


def test_the_libraries_of_the_network_are_imported_by_the_thread_that_needs_them(tmp_path: Path) -> None:
    data = ("--data-dir", str(tmp_path / "data"))
    with KeyringSession() as session, Shop(tmp_path / "shop", plan="unlimited") as shop:
        session.start_keyring()
        environment = {**session.environment, "PETSTORE_API_KEY": ""}
        given = ("connect", "shop", "--url", shop.url, "--key-stdin")
        assert command(*data, *given, env=environment, stdin=f"{shop.key}\n").returncode == 0
        found = imported(ROOT, *data, "--connection", "shop", **environment)
    assert NETWORK.isdisjoint(found["before"])
    who = {name: found["after"].get(name) for name in NETWORK}
    assert who == dict.fromkeys(NETWORK, "sync shop")
    assert KEYRING.isdisjoint({*found["before"], *found["after"]}), "the key has been read all the same"


def test_no_module_of_the_window_brings_a_library_of_the_network_or_the_keyring_with_it() -> None:
    done = python(ROOT, "-c", OF_THE_WINDOW)
    assert done.returncode == 0, done.stderr
    labels = {"ssl"}  # segno, which draws codes, loads it; by then it has long been there
    assert (NETWORK - labels | KEYRING).isdisjoint(done.stdout.split())
