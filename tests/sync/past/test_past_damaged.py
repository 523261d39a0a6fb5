"""A history.db that is damaged, held, too new or on a full disk costs only history: reading, editing and sending go
on, it is said what happened, and history begins anew."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from petstore_desktop.domain.changes import ChangeState, NewChange, SetStock
from petstore_desktop.domain.commands import Refresh
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.wire.events import Trouble
from tests.program.small_disk import small_disk
from tests.support.killing_history import judge_history
from tests.support.virtual_desk import NAME, VirtualDesk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime

PAGE = 4_096
STOCK = Resource.INVENTORY
HOLD = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def desk(loop: VirtualTime, tmp_path: Path) -> VirtualDesk:
    """A desk with some history, that is closed."""
    shop = VirtualShop(loop, tmp_path / "shop", pets=20, rpm=60_000, rpd=6_000_000)
    desk = VirtualDesk(loop, shop, tmp_path / "desk", per_minute=60_000, per_day=6_000_000)
    desk.wait_idle()
    for number in range(3):
        book(desk, 100 + number)
    desk.close()
    assert judge_history(history_of(desk), mirror_of(desk)) >= 3
    return desk


def history_of(desk: VirtualDesk) -> Path:
    return desk.places.history(NAME)


def mirror_of(desk: VirtualDesk) -> Path:
    return desk.places.mirror(NAME)


def book(desk: VirtualDesk, quantity: int) -> None:
    """Set the stock of the first pet, until it is done."""
    key = min(desk.rows[STOCK], key=str)
    shown = desk.rows[STOCK][key]
    base = {"quantity": getattr(shown, "quantity")}  # noqa: B009 - records are of four kinds
    desk.wait_for(desk.apply(NewChange(Ref(STOCK, key), SetStock(quantity), base)), ChangeState.DONE)


def works(desk: VirtualDesk, quantity: int) -> list[StorageError]:
    """The program starts, reads, edits and ends; what it said of the history."""
    told = len(desk.events)
    desk.start()
    desk.loop.run_for(1.0)
    desk.submit(Refresh(tuple(Resource)))
    desk.wait_idle()
    assert desk.rows[STOCK], "the mirror is there"
    book(desk, quantity)
    desk.close()
    said = [one.error for one in desk.events[told:] if isinstance(one, Trouble)]
    found = [one for one in said if isinstance(one, StorageError)]
    assert all("history" in str(one.params.get("path")) for one in found), found
    return found


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2 + 100])


def garbage(path: Path) -> None:
    path.write_bytes(b"no database " * 1_000)


def another_program(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("PRAGMA application_id = 42")
        other.execute("CREATE TABLE song (title TEXT)")


def too_new(path: Path) -> None:
    with closing(sqlite3.connect(path)) as newer, newer:
        newer.execute("PRAGMA user_version = 999")


def nothing(path: Path) -> None:
    path.write_bytes(b"")


def a_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def deleted(path: Path) -> None:
    path.unlink()


def another_address(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE origin SET address = 'https://elsewhere.example'")


LOST: list[tuple[Callable[[Path], None], bool]] = [
    (truncate, True), (garbage, True), (another_program, True), (nothing, False), (deleted, False),
    (another_address, False),
]  # fmt: skip
"""What can be done to the file so that another takes its place, and whether it is said."""
KEPT = (too_new, a_directory)
"""What is left alone, so that nothing is recorded."""


@pytest.mark.parametrize(("damage", "said"), LOST, ids=lambda one: getattr(one, "__name__", one))
def test_a_lost_history_begins_anew(desk: VirtualDesk, damage: Callable[[Path], None], said: bool) -> None:
    damage(history_of(desk))
    assert bool(works(desk, 200)) is said
    works(desk, 201)
    assert judge_history(history_of(desk), mirror_of(desk)) >= 1


@pytest.mark.parametrize("damage", KEPT, ids=lambda one: one.__name__)
def test_what_cannot_be_opened_is_left_alone_and_said(desk: VirtualDesk, damage: Callable[[Path], None]) -> None:
    damage(history_of(desk))
    assert works(desk, 200)
    assert history_of(desk).exists()


def test_one_bit_in_any_page_costs_only_history(desk: VirtualDesk) -> None:
    whole, data = history_of(desk).read_bytes(), desk.data
    place = history_of(desk).relative_to(data)
    for page in range(len(whole) // PAGE):
        desk.data = data.with_name(f"page-{page}")
        shutil.copytree(data, desk.data)
        bent = bytearray(whole)
        bent[page * PAGE + (page * 577) % PAGE] ^= 1 << (page % 8)
        (desk.data / place).write_bytes(bent)
        desk.changes.clear()
        desk.batches.clear()
        works(desk, 300 + page)


def test_one_that_another_process_holds_costs_only_what_comes_meanwhile(desk: VirtualDesk) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(history_of(desk))], stdin=-1, stdout=-1, text=True)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline()
        assert works(desk, 200)
    finally:
        holder.communicate()
    assert not works(desk, 201)
    assert judge_history(history_of(desk), mirror_of(desk)) >= 4


def test_a_full_disk_costs_only_what_comes_meanwhile(desk: VirtualDesk, tmp_path: Path) -> None:
    with small_disk(tmp_path / "small", "2m") as disk:
        disk.need()
        history = history_of(desk)
        for part in history.parent.glob("history.db*"):
            shutil.move(part, disk.folder / part.name)
            part.symlink_to(disk.folder / part.name)
        disk.fill()
        said = works(desk, 200)
        disk.empty()
        assert said
        works(desk, 201)
        assert judge_history(history, mirror_of(desk)) >= 4
