"""What a command accepts, the next start accepts; and what it cannot take it says in words.

A process of its own: stdin is a device that never ends.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from petstore_desktop.data_folder import Places
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.quota import Plan
from petstore_desktop.preferences import Preferences, PreferenceStore, ShopConnection
from petstore_desktop.session.connections import added_or_changed
from petstore_desktop.store.mirror.mirror import Mirror
from tests.program.running import command
from tests.support.shop import ROOT, Shop

SHOP = ShopConnection("Shop", "shop", "https://no.invalid")
Said = subprocess.CompletedProcess[str]


def run(data: Path, *arguments: str, stdin: str | bytes = "") -> Said:
    return command(*arguments, "--data-dir", str(data), stdin=stdin)


@pytest.mark.parametrize("port", ["0", "00", "65536", "-1", "x"])
@pytest.mark.parametrize("option", ["--url", "--document"])
def test_a_port_that_is_none_is_refused_at_once(tmp_path, port, option):
    """It was accepted, and called damage at the next start."""
    given = {"--url": "https://shop.example/v1", option: f"https://shop.example:{port}/v1"}
    said = run(tmp_path, "connect", "Shop", *(word for pair in given.items() for word in pair))
    assert said.returncode == 1
    assert "is not an http(s) address" in said.stderr
    assert PreferenceStore(Places(tmp_path).preferences).load() == Preferences()


NAMES = ("Shop", "Köln", " x ", "a\tb", "\udcff", "\0", "x" * 10_000, "con", "..", "../..")
ADDRESSES = (
    *("https://shop.example", "http://127.0.0.1:1", "http://[::1]:8", "https://shop.example:0", "http://localhost:00"),
    *("https://\udcff.example", "https://shop.example/\udcff", "https://SHOP.example:443/v1?x#y", "https://[::1"),
)


@pytest.mark.parametrize("url", ADDRESSES, ids=ascii)
@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name[:9]))
def test_what_is_accepted_is_read_again(tmp_path, name, url):
    store = PreferenceStore(tmp_path / "preferences.json")
    for plan in (None, Plan("", 2**63 - 1, 1), Plan("free", None, None), Plan("", 2**63, None)):
        try:
            made, connection = added_or_changed(Preferences(), name, url, plan)
        except BadInput:
            continue
        store.save(made)
        read = store.load()
        assert store.trouble is None
        assert read.connections == (connection,)


@pytest.mark.parametrize("line", [b"\xff\xfe\xfdkey\n", "Schlüssel\n".encode(), b"\0key\n", b"a b\n", b"k" * (2 << 20)])
def test_a_key_that_cannot_be_sent_is_refused_in_words(tmp_path, line):
    """One that is no UTF-8 ended in a crash report; one without an end was read to it."""
    done = run(tmp_path, "connect", "Shop", "--url", "https://shop.example", "--key-stdin", stdin=line)
    assert done.returncode == 1
    why = "is longer than 16,384 characters" if len(line) > 16_384 else "contains characters that cannot be sent"
    assert f"the key {why}" in done.stderr
    assert "nothing was changed" in done.stderr
    assert not list(tmp_path.rglob("crash*"))


@pytest.mark.parametrize("name", ["sync", "doctor"])
@pytest.mark.parametrize("key", ["\udcff\udcc3x", "Schlüssel"], ids=ascii)
def test_so_is_one_of_the_environment(tmp_path, key, name):
    """One that is no UTF-8 ended as an unexpected error."""
    PreferenceStore(Places(tmp_path).preferences).save(Preferences(connections=(SHOP,)))
    said = command(name, "Shop", "--data-dir", str(tmp_path), key=key)
    assert said.returncode == 1
    assert "characters that cannot be sent" in said.stdout + said.stderr


@pytest.mark.posix("a device has no end")
def test_a_key_without_an_end_is_not_read_to_it(tmp_path):
    given = ("connect", "Shop", "--url", "https://shop.example", "--key-stdin", "--data-dir", str(tmp_path))
    with Path("/dev/zero").open("rb") as endless:
        done = subprocess.run(
            [sys.executable, "-m", "petstore_desktop", *given],
            cwd=ROOT, stdin=endless, capture_output=True, timeout=100, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert b"the key is longer than 16,384 characters" in done.stderr


@pytest.mark.parametrize("value", ["x", "=y", "a b"])
def test_what_is_no_value_is_named(tmp_path, value):
    """It said that "not said" is none."""
    said = run(tmp_path, "connect", "Shop", "--url", "https://shop.example", "--value", value)
    assert (said.returncode, value in said.stderr, "not said" in said.stderr) == (1, True, False)


@pytest.mark.posix("names are bytes")
def test_a_folder_whose_name_is_no_text_is_one_like_any_other(tmp_path):
    """It was accepted, and the next command ended as an unexpected error."""
    data = tmp_path / "\udcff"
    with Shop(tmp_path, pets=3) as shop:
        assert command("connect", "Shop", "--url", shop.url, "--data-dir", str(data), key=shop.key).returncode == 0
        for _ in range(2):
            said = command("sync", "Shop", "--data-dir", str(data), key=shop.key)
            assert (said.returncode, said.stderr) == (0, "")
    said = command("export", "Shop", "pets", "--data-dir", str(data))
    assert (said.returncode, said.stdout.removeprefix("\ufeff")[:7]) == (0, "id,name")
    assert not list(data.rglob("*.damaged*"))


@pytest.mark.parametrize("amount", ["=-5", "=-0", "--5", "=", "+"])
def test_a_count_below_zero_is_refused(tmp_path, amount):
    """`=-5` was sent without a question."""
    said = run(tmp_path, "stock", "Shop", "1", amount)
    assert said.returncode == 2
    assert "=N" in said.stderr


def test_a_dash_is_standard_output(tmp_path, monkeypatch):
    """`--out -` wrote a file of that name."""
    places = Places(tmp_path / "data")
    PreferenceStore(places.preferences).save(Preferences(connections=(SHOP,)))
    mirror = Mirror(places.mirror("shop"))
    mirror.close()
    monkeypatch.chdir(tmp_path)
    said = run(places.data, "export", "Shop", "pets", "--out", "-")
    assert "nothing is kept here of the pets" in said.stderr
    assert not (tmp_path / "-").exists()
