"""`--demo`: one more shop of the one program, and what lasts from one start of it to the next."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from petstore_desktop.data_folder import Places
from petstore_desktop.desk.price import usage_of
from petstore_desktop.domain.changes import NewChange, SetFields
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.preferences import Preferences, PreferenceStore, ShopConnection
from petstore_desktop.store.journal.journal import Journal
from tests.program.opened import Opened
from tests.program.running import environment, until
from tests.support.shop import ROOT, Shop


def used(program: Opened, before: int = 0) -> tuple[int, int]:
    """How many requests of the day are not left, and how many this computer used of it, once all is counted, and it is
    more than before."""
    shop = program.program.shown
    assert shop is not None
    desk = shop.desk

    def counts() -> tuple[int, int] | None:
        day, ours = desk.quota.day, usage_of(desk, desk.now()).ours
        gone = None if day.limit is None or day.remaining is None else day.limit - day.remaining
        return None if gone is None or not before < gone <= ours or not program.ask("whole", "orders") else (gone, ours)

    return until(counts, "all is counted")


def test_what_is_left_of_the_day_and_what_was_used_of_it_agree_at_the_next_start_too(tmp_path: Path) -> None:
    """The second start had a key of its own, and so "992 of 1,000 left" beside 16 that were used today."""
    with Opened(tmp_path, "--demo", "--pets", "30") as program:
        first = used(program)
        assert program.quit() == 0
    with Opened(tmp_path, "--demo") as program:
        second = used(program, first[0])
    assert first[0] == first[1] < second[0] == second[1]


def started(program: Opened, *arguments: str) -> str:
    """What another start says, which finds this one."""
    given = [sys.executable, "-m", "petstore_desktop", "--data-dir", str(program.data), *arguments]
    with subprocess.Popen(given, cwd=ROOT, env=environment(), stderr=subprocess.PIPE, text=True) as other:
        until(lambda: program.ask("titles") and other.poll() is not None, "the other start ends")
        assert other.returncode == 0
        return other.communicate()[1]


def test_a_second_start_finds_the_demo_shop_that_was_opened_from_the_welcome_page(tmp_path: Path) -> None:
    """It opened a second window on the same files: "in use by another program", then "All pets 100"."""
    with Opened(tmp_path) as program:
        assert program.ask("windows") == ["welcomePage"]
        program.ask("click", "Open the demo shop")
        until(lambda: program.ask("titles") == ["Demo shop — Pet Store Desktop"], "the window of the demo shop")
        before = program.program.shown
        assert "already running; its window was brought to the front" in started(program, "--demo")
        assert program.program.shown is before, "it stays as it is"


def test_a_start_shows_what_it_was_to_open_in_the_window_that_is_there(tmp_path: Path) -> None:
    with Shop(tmp_path / "shop", pets=5) as shop:
        data = tmp_path / "data"
        store = PreferenceStore(Places(data).preferences)
        store.save(Preferences(connections=(ShopConnection("Koi & Co", "koi", shop.url),)))
        with Opened(data, "--connection", "Koi & Co", key=shop.key) as program:
            started(program, "--demo")
            until(lambda: program.ask("titles") == ["Demo shop — Pet Store Desktop"], "the demo shop")
            started(program, "--connection", "Koi & Co")
            until(lambda: program.ask("titles") == ["Koi & Co — Pet Store Desktop"], "the own shop")


def test_the_demo_shop_looks_as_the_person_prefers(tmp_path: Path) -> None:
    """It had preferences of its own, in which nothing was set."""
    PreferenceStore(Places(tmp_path).preferences).save(Preferences(theme="dark", language="de"))
    with Opened(tmp_path, "--demo", "--pets", "5") as program:
        assert program.program.remembered.now.theme == "dark"
        assert program.ask("action_text", "newPet") == "Neues Tier…"


def test_unsent_changes_of_the_demo_shop_go_out_at_the_next_start_whatever_that_opens(tmp_path: Path) -> None:
    """They waited until the demo shop was opened again, and nobody said so."""
    with Opened(tmp_path, "--demo", "--pets", "5") as program:
        program.wait("whole", "pets")
        shop = program.program.shown
        assert shop is not None
        pet = shop.desk.tables[Resource.PETS].all_keys()[0]
        assert program.quit() == 0
    places = Places(tmp_path / "demo-shop")
    journal = Journal(places.journal("demo"))
    journal.append("b", [NewChange(Ref(Resource.PETS, pet), SetFields({"name": "Koi of mine"}))], time.time())
    journal.close()

    def name() -> str:
        with closing(sqlite3.connect(places.data / "shop.db")) as books:
            return books.execute("SELECT name FROM pets WHERE id = ?", (pet,)).fetchone()[0]

    assert name() != "Koi of mine"
    with Opened(tmp_path) as program:
        assert program.ask("windows") == ["welcomePage"]
        until(lambda: program.ask("windows") and name() == "Koi of mine", "it arrives")


def test_new_data_are_made_once_however_often_the_demo_shop_is_opened(tmp_path: Path) -> None:
    """With `--fresh` it lost what was done in it whenever it was opened again from the window."""

    def tag() -> str:
        with closing(sqlite3.connect(tmp_path / "demo-shop" / "shop.db")) as books:
            return books.execute("SELECT value FROM meta WHERE name = 'tag'").fetchone()[0]

    tags: list[str] = []
    with Opened(tmp_path, "--demo", "--fresh", "--pets", "5") as program:
        for _ in range(2):
            child = program.program.child
            assert child is not None
            child.ready()
            tags.append(tag())
            before = program.program.window
            program.program.open_demo()
            until(lambda before=before: program.ask("titles") and program.program.window is not before, "it opens")
    assert tags[0] == tags[1]
