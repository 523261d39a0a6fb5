from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from petstore_desktop.data_folder import Places, data_directory, slug
from petstore_desktop.domain.errors import BadInput, StorageError
from petstore_desktop.domain.quota import Plan
from petstore_desktop.preferences import ConnectionSettings, Preferences, PreferenceStore, ShopConnection
from petstore_desktop.session.connections import with_settings

SHOP = ShopConnection(
    name="Zoo Köln", slug="zoo-koln-1", url="https://shop.example/v1", plan="pro", per_minute=300, per_day=2**40,
    document="https://shop.example/openapi.json", colour="#3366CC", demo=False,
)  # fmt: skip
DEMO = ShopConnection(name="Demo 🐕", slug="demo", url="http://127.0.0.1:8000", demo=True)
FULL = Preferences(
    theme="dark",
    language="ar",
    last_connection="demo",
    connections=(SHOP, DEMO),
    window={
        "geometry": "AdnQywAD",
        "tab": "pets",
        "tables": {"pets": {"columns": ["id", "name"], "sort": ["name", True]}},
    },
)


@pytest.fixture
def store(tmp_path):
    return PreferenceStore(tmp_path / "data" / "preferences.json")


def test_what_was_saved_is_loaded(store):
    store.save(FULL)
    assert PreferenceStore(store.path).load() == FULL


def test_without_a_file_the_defaults_hold_and_nothing_is_written(store):
    assert store.load() == Preferences()
    assert store.set_aside is None
    assert not store.path.parent.exists()


def test_the_file_is_for_its_owner_only(store):
    store.save(FULL)
    store.save(FULL)
    assert {file.name for file in store.path.parent.iterdir()} == {"preferences.json", "files.lock"}
    if os.name == "posix":
        assert stat.S_IMODE(store.path.stat().st_mode) == 0o600
        assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700


def test_what_a_later_program_wrote_is_kept(store):
    store.save(FULL)
    stored = json.loads(store.path.read_text())
    stored["invented_later"] = {"a": [1, 2**60]}
    stored["profiles"][0]["currency"] = "EUR"
    stored["profiles"].append({"kind": "of another sort"})
    store.path.write_text(json.dumps(stored))
    store.save(replace(store.load(), theme="light"))
    assert json.loads(store.path.read_text()) == {**stored, "theme": "light"}


@pytest.mark.parametrize("content", [b"", b"{", b"[1, 2]", b"\xff\xfe\x00", b"[" * 100_000])
def test_a_damaged_file_is_set_aside_and_named(store, content):
    store.path.parent.mkdir()
    store.path.write_bytes(content)
    assert store.load() == Preferences()
    assert store.set_aside is not None
    assert store.set_aside.name.startswith("preferences.json.damaged-")
    assert store.set_aside.read_bytes() == content
    store.save(FULL)
    assert store.load() == FULL


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("theme", "pink"),
        ("theme", 3),
        ("theme", ["dark"]),
        ("language", 5),
        ("last_connection", []),
        ("profiles", "none"),
        ("window", 7),
    ],
)
def test_a_value_of_a_wrong_type_becomes_its_default_and_spares_the_rest(store, name, value):
    store.save(FULL)
    store.path.write_text(json.dumps({**json.loads(store.path.read_text()), name: value}))
    loaded = store.load()
    attribute = {"profiles": "connections"}.get(name, name)
    assert loaded == replace(FULL, **{attribute: getattr(Preferences(), attribute)})
    assert store.set_aside is None


@pytest.mark.parametrize(
    "entry",
    [
        None,
        "shop",
        {},
        {"name": "x", "slug": "x"},
        {"name": "x", "slug": "x", "url": 5},
        {"name": "x", "slug": "x", "url": "u", "per_day": True},
    ],
)
def test_a_connection_that_cannot_be_used_is_left_out_but_not_lost(store, entry):
    store.save(FULL)
    stored = json.loads(store.path.read_text())
    stored["profiles"].insert(0, entry)
    store.path.write_text(json.dumps(stored))
    loaded = store.load()
    assert loaded.connections == (SHOP, DEMO)
    store.save(loaded)
    assert entry in json.loads(store.path.read_text())["profiles"]


def test_a_file_that_cannot_be_written_is_said_and_the_old_one_stays(store):
    store.save(FULL)
    blocked = PreferenceStore(store.path / "preferences.json")
    with pytest.raises(StorageError) as caught:
        blocked.save(FULL)
    assert caught.value.params["path"] == str(blocked.path)
    assert store.load() == FULL


def test_a_target_that_cannot_be_replaced_leaves_no_rubbish(store):
    store.path.mkdir(parents=True)
    with pytest.raises(StorageError):
        store.save(FULL)
    assert {file.name for file in store.path.parent.iterdir()} == {store.path.name, "files.lock"}


def test_saving_from_many_threads_leaves_one_whole_file(store):
    versions = [replace(FULL, language=f"x-{n}" * 1_000) for n in range(8)]
    threads = [threading.Thread(target=store.save, args=(version,)) for version in versions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.load() in versions
    assert {file.name for file in store.path.parent.iterdir()} == {"preferences.json", "files.lock"}


def test_connections_are_added_changed_found_and_removed():
    preferences = Preferences().with_connection(SHOP).with_connection(DEMO)
    assert preferences.connections == (SHOP, DEMO)
    assert (preferences.connection("Zoo Köln"), preferences.connection("demo"), preferences.of_slug("demo")) == (
        SHOP,
        None,
        DEMO,
    )
    renamed = replace(SHOP, name="Zoo", url="https://new.example")
    preferences = preferences.with_connection(renamed)
    assert preferences.connections == (renamed, DEMO)
    left = replace(preferences, last_connection="demo").without_connection("demo")
    assert (left.connections, left.last_connection) == ((renamed,), None)


def test_two_connections_cannot_have_one_name():
    preferences = Preferences().with_connection(SHOP)
    with pytest.raises(BadInput) as caught:
        preferences.with_connection(replace(DEMO, name=SHOP.name))
    assert (caught.value.code, caught.value.params) == ("name-taken", {"name": SHOP.name})


def test_connections_whose_names_fold_alike_get_folders_of_their_own():
    preferences = Preferences()
    for name in ("My Shop", "my-shop", "MY.SHOP"):
        preferences = preferences.with_connection(
            ShopConnection(name, preferences.free_slug(name), "https://a.example")
        )
    assert [connection.slug for connection in preferences.connections] == ["my-shop", "my-shop-2", "my-shop-3"]


@pytest.mark.parametrize("secret", ["https://me:pass@shop.example/v1", "https://token@shop.example"])
def test_an_address_with_a_secret_in_it_is_refused(store, secret):
    for change in ({"url": secret}, {"document": secret}):
        with pytest.raises(BadInput) as caught:
            replace(SHOP, **change)
        assert caught.value.code == "url-holds-secret"
        assert "pass" not in str(caught.value)


def test_there_is_no_place_for_a_key():
    words = {field.name for kind in (ShopConnection, Preferences) for field in fields(kind)}
    assert not {word for word in words if any(bad in word for bad in ("key", "token", "secret", "password", "auth"))}


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Shop", "shop"), ("  My Shop ", "my-shop"), ("Café", "cafe"), ("𝕬b", "ab"), ("a.b", "a-b")],
)
def test_plain_names_make_plain_folders(name, expected):
    assert slug(name) == expected


@given(st.text(st.characters()))
def test_every_name_makes_a_folder_that_every_system_takes(name):
    made = slug(name)
    assert made
    assert len(made) <= 60
    assert all(sign in "abcdefghijklmnopqrstuvwxyz0123456789-" for sign in made)
    assert made.strip("-") == made
    assert made not in {"con", "nul", "aux", "prn", "com1", "lpt9"}


def test_names_that_lose_letters_stay_apart():
    names = ["متجر", "ペット", "🐕", "🐈", "con", "", "Zoo & Co", "Zoo + Co"]
    assert len({slug(name) for name in names}) == len(names)


def test_the_data_directory_is_the_one_asked_for_else_the_system_s(tmp_path, monkeypatch):
    assert data_directory(str(tmp_path / "x")) == tmp_path / "x"
    monkeypatch.chdir(tmp_path)
    assert data_directory("here") == tmp_path / "here"
    default = data_directory(None)
    assert default.is_absolute()
    assert default.name == "petstore-desktop"


def test_everything_lies_below_the_data_directory(tmp_path):
    places = Places(tmp_path)
    folder = tmp_path / "connections" / "demo"
    assert places.connection("demo") == folder
    assert (places.mirror("demo"), places.journal("demo")) == (folder / "mirror.db", folder / "journal.db")
    assert places.contract("demo") == folder / "contract.json"
    assert (places.preferences, places.gates) == (tmp_path / "preferences.json", tmp_path / "gates.db")
    assert places.log == tmp_path / "log" / "petstore.log"


def test_reading_preferences_before_the_first_paint_imports_nothing_heavy(store):
    store.save(FULL)
    heavy = {"pydantic", "platformdirs", "asyncio", "apsw", "keyring", "httpx", "PySide6"}
    program = (
        "import sys; from pathlib import Path\n"
        "from petstore_desktop.data_folder import data_directory\n"
        "from petstore_desktop.preferences import PreferenceStore\n"
        "data_directory('x'); assert PreferenceStore(Path(sys.argv[1])).load().connections\n"
        f"print(sorted({heavy} & sys.modules.keys()))"
    )
    root = Path(__file__).parents[1]
    said = subprocess.run(
        [sys.executable, "-c", program, str(store.path)], cwd=root, capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == "[]"


HOSTILE_SLUGS = [
    "",
    ".",
    "..",
    "../../Documents",
    "a/b",
    "/tmp",
    "a\\b",
    "c:",
    "con",
    "Shop",
    "a b",
    "-a",
    "a-",
    "a" * 81,
]


@pytest.mark.parametrize("bad", HOSTILE_SLUGS)
def test_a_folder_outside_of_the_connections_is_never_reached(store, tmp_path, bad):
    store.save(FULL)
    stored = json.loads(store.path.read_text())
    stored["profiles"][0]["slug"] = bad
    store.path.write_text(json.dumps(stored))
    loaded = store.load()
    assert loaded.connections == (DEMO,)
    assert loaded.unread_connections == (stored["profiles"][0],)
    assert "Zoo Köln" in str(store.trouble.params["what"])
    for place in (Places(tmp_path).connection, Places(tmp_path).journal, Places(tmp_path).contract):
        with pytest.raises(StorageError):
            place(bad)


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("colour", "red; background: url(x)"), ("colour", 5), ("per_minute", 0), ("per_minute", -3), ("per_day", 2**63),
        ("document", "https://[::1"), ("document", "http://shop.example:zoo/openapi.json"),
        ("per_day", True), ("plan", []), ("document", {}), ("bindings", "pets"), ("demo", "no"), ("read_only", 1),
    ],
)  # fmt: skip
def test_a_bad_value_of_a_connection_costs_only_itself_and_is_said(store, name, bad):
    store.save(FULL)
    stored = json.loads(store.path.read_text())
    stored["profiles"][0][name] = bad
    store.path.write_text(json.dumps(stored))
    default = ShopConnection("x", "x", "https://x.example")
    assert store.load().connections == (replace(SHOP, **{name: getattr(default, name)}), DEMO)
    assert (store.trouble.code, store.trouble.params["what"]) == ("preferences-unusable", f"Zoo Köln: {name}")


@pytest.mark.parametrize("bad", [
    "", "ftp://shop.example", "javascript:alert(1)", "https://", "file:///etc/passwd",
    "http://[::1", "http://]", "https://[zoo]/v1", "https://shop.example:zoo", "https://shop.example:99999",
])  # fmt: skip
def test_a_connection_without_an_address_of_the_web_is_left_out_and_said(store, bad):
    store.save(FULL)
    stored = json.loads(store.path.read_text())
    stored["profiles"][0]["url"] = bad
    store.path.write_text(json.dumps(stored))
    assert store.load().connections == (DEMO,)
    assert store.trouble.params["what"] == "Zoo Köln"


def test_a_connection_may_be_called_as_the_folder_of_another(store):
    preferences = Preferences()
    for name in ("My shop", "my-shop"):
        preferences = preferences.with_connection(
            ShopConnection(name, preferences.free_slug(name), "https://a.example")
        )
    store.save(preferences)
    loaded = store.load()
    assert (loaded, store.trouble) == (preferences, None)
    assert (loaded.of_slug("my-shop").name, loaded.connection("my-shop").slug) == ("My shop", "my-shop-2")
    settings = ConnectionSettings("Renamed", Plan("pro", None, None))
    assert with_settings(loaded, "my-shop", settings)[0].name == "My shop"


@pytest.mark.parametrize("twice", ["slug", "name"])
def test_of_two_connections_with_one_folder_or_name_the_first_is_used(store, twice):
    store.save(FULL)
    stored = json.loads(store.path.read_text())
    stored["profiles"][1][twice] = stored["profiles"][0][twice]
    store.path.write_text(json.dumps(stored))
    loaded = store.load()
    assert loaded.connections == (SHOP,)
    assert loaded.unread_connections == (stored["profiles"][1],)


def test_what_is_sound_is_not_talked_about(store):
    store.save(FULL)
    store.load()
    assert store.trouble is None
