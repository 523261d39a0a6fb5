"""A rehearsal: the window in a process of its own over a copy of the shop, and a judge in the place of the service."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from petstore_desktop.contract import cache
from petstore_desktop.data_folder import Places
from petstore_desktop.desk.rehearsal.scenes import RehearsalPlan, RehearsalScene
from petstore_desktop.domain.changes import NewChange, SetStock
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.preferences import PreferenceStore, ShopConnection
from petstore_desktop.session.rehearsal_folder import RehearsalFolder, clean_environment, make_folder, write_kept
from petstore_desktop.session.session import service_address
from tests.program.opened import Opened
from tests.program.running import Running, command, to_stock, until
from tests.program.small_disk import small_disk
from tests.support.patience import PATIENCE_S
from tests.support.shop import Shop

KEY = "a-real-key-that-no-rehearsal-may-know-4711"
NAME = "Riverside Pets"


class Judge:
    """Listens in the place of the service, and keeps every connection and byte that comes."""

    def __init__(self, port: int) -> None:
        self.came: list[bytes] = []
        self._listening = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                with connection:
                    connection.settimeout(1)
                    self.came.append(b"connected")
                    with suppress(OSError):
                        self.came.append(connection.recv(65536))

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)  # else the thread that waits in it keeps the port
        self._listening.close()


def port_of(url: str) -> int:
    return int(url.rpartition(":")[2].partition("/")[0])


class Copied:
    """A shop that was read, and is gone: in its place stands the judge."""

    def __init__(self, folder: Path) -> None:
        with Shop(folder / "shop", key=KEY, plan="unlimited") as shop:
            self.url = shop.url
            for given in (("connect", NAME, "--url", shop.url), ("sync", NAME)):
                done = command(*given, "--data-dir", str(folder / "data"), key=KEY)
                assert done.returncode == 0, done.stderr
            self.shown = {
                name: shop.rows(f"SELECT * FROM {name} ORDER BY 2") for name in ("pets", "orders", "inventory")
            }
        self.places = Places(folder / "data")
        self.preferences = PreferenceStore(self.places.preferences).load()
        self.connection: ShopConnection = self.preferences.connections[0]

    def folder(self, plan: RehearsalPlan) -> RehearsalFolder:
        address = service_address(self.connection)
        contract = cache.read(self.places.contract(self.connection.slug), address)
        return make_folder(self.places, self.connection, address, contract, plan, self.preferences)


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Copied:
    return Copied(tmp_path_factory.mktemp("real"))


@pytest.fixture
def judge(copied: Copied) -> Iterator[Judge]:
    with closing(Judge(port_of(copied.url))) as judge:
        yield judge


def rehearse(folder: RehearsalFolder, url: str) -> Running:
    given = {**os.environ, "PETSTORE_API_KEY": KEY, "HTTPS_PROXY": "http://proxy.example:8080", "OTHER": url}
    return Running(folder.path, "--rehearsal", str(folder.path), env=clean_environment(given, (url,)))


def knows(pid: int, *texts: str) -> list[str]:
    """Which of these texts a process has in its environment or memory."""
    environment = Path(f"/proc/{pid}/environ").read_bytes()
    found = {text for text in texts if text.encode() in environment}
    with Path(f"/proc/{pid}/mem").open("rb", 0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            place, rights = line.split()[:2]
            start, end = (int(one, 16) for one in place.split("-"))
            with suppress(OSError, ValueError, OverflowError):
                memory.seek(start)
                held = memory.read(end - start) if rights.startswith("rw") else b""
                found |= {text for text in texts if text.encode() in held}
    return sorted(found)


def test_a_booking_reaches_the_copy_and_nothing_the_service_whose_key_is_not_there(
    copied: Copied, judge: Judge
) -> None:
    """What a process has in its memory and environment. What a scene does when: tests/desk/rehearsal; what it tells the
    demo shop to do: tests/demo/test_control.py."""
    folder = copied.folder(RehearsalPlan(1_000, 10_000, RehearsalScene.COLLEAGUE))
    with rehearse(folder, copied.url) as program:
        program.wait("rows", "pets")
        until(lambda: folder.books.exists(), "the demo shop")
        to_stock(program)
        assert knows(program.process.pid, KEY, copied.url, "a rehearsal stays") == ["a rehearsal stays"]
        before = records(folder.books)
        ((pet, _),) = program.ask("book", ["+1"])
        program.wait("sent_all")
        until(lambda: ("inventory", int(pet)) in changed(folder.books, before), "the booking", every_s=0.5)
        own = {("inventory", int(pet))}
        until(lambda: changed(folder.books, before) - own, "what the scene's colleague changes", every_s=1.0)
        program.ask("press", "Ctrl+Q")
        program.wait("widget", "endRehearsalDialog")
        program.ask("click", "Throw away")
        assert program.process.wait(PATIENCE_S) == 0
    assert not folder.path.exists()
    assert judge.came == []


def records(books: Path) -> dict[tuple[str, int], tuple[object, ...]]:
    """All records of the copy, by list and id."""
    lists = {"pets": "id", "categories": "id", "orders": "id", "inventory": "pet_id"}
    with closing(sqlite3.connect(f"{books.as_uri()}?mode=ro", uri=True, timeout=PATIENCE_S)) as database:
        return {
            (name, row[0]): row
            for name, key in lists.items()
            for row in database.execute(f"SELECT {key}, * FROM {name}")
        }


def changed(books: Path, before: dict[tuple[str, int], tuple[object, ...]]) -> set[tuple[str, int]]:
    """Those that are not as before."""
    return {key for key, record in records(books).items() if before.get(key) != record}


def test_what_is_kept_comes_up_in_the_preview_and_is_sent_once(tmp_path: Path) -> None:
    """A rehearsal is a process, and its end the beginning of what is kept."""
    copied = Copied(tmp_path)
    folder = copied.folder(RehearsalPlan())
    with rehearse(folder, copied.url) as program:
        to_stock(program)
        program.ask("to_cell", "inventory", "1004", "In stock")
        program.ask("write", "+12")
        program.ask("press", "Return")
        until(lambda: "15" in str(program.ask("cells", "inventory")["1004"]), "booked")
        program.wait("sent_all")
        program.ask("press", "Ctrl+Q")
        program.wait("widget", "throwAwayButton")
        program.ask("click", "Keep these changes…")
        assert program.process.wait(PATIENCE_S) == 0
    assert folder.kept.exists()
    with (
        Shop(tmp_path / "shop", key=KEY, plan="unlimited", port=port_of(copied.url)) as shop,
        Opened(tmp_path / "data", key=KEY) as program,
    ):
        before = shop.rows("SELECT quantity FROM inventory WHERE pet_id = 1004")[0][0]
        program.wait("widget", "previewTable")
        program.ask("press", "Ctrl+Return")
        until(lambda: shop.rows("SELECT quantity FROM inventory WHERE pet_id = 1004")[0][0] == before + 12, "sent")
        until(lambda: not folder.path.exists(), "removed")
        writes = [line["path"] for line in shop.log_lines() if line["method"] not in ("GET", "HEAD")]
        assert writes == ["/v1/inventory/1004"]


def quantity(shop: Shop, pet: int) -> int:
    return int(shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", pet)[0][0])


def test_what_a_colleague_changed_since_is_left_out_and_a_program_killed_after_saving_repeats_nothing(
    tmp_path: Path,
) -> None:
    """Only a process can be killed."""
    copied = Copied(tmp_path)
    folder = copied.folder(RehearsalPlan())
    other = Ref(Resource.INVENTORY, 1010)
    seen = {pet: row[2] for row in copied.shown["inventory"] if (pet := row[1]) in (1004, 1010)}
    changes = [
        NewChange(Ref(Resource.INVENTORY, 1004), SetStock(70), {"quantity": seen[1004]}),
        NewChange(other, SetStock(80), {"quantity": seen[1010] + 1}),
    ]
    write_kept(folder, changes, 0, 1.0)
    kept, mark = folder.kept.read_bytes(), folder.mark.read_bytes()
    with Shop(tmp_path / "shop", key=KEY, plan="unlimited", port=port_of(copied.url)) as shop:
        with Running(tmp_path / "data", key=KEY) as program:
            program.wait("widget", "previewTable")
            program.ask("press", "Ctrl+Return")
            until(lambda: quantity(shop, 1004) == 70, "sent")
            until(lambda: not folder.path.exists(), "removed")
            program.kill()
        assert quantity(shop, 1010) == seen[1010]
        folder.path.mkdir()
        folder.kept.write_bytes(kept)
        folder.mark.write_bytes(mark)
        shop.control("rows", inventory=[{"petId": 1004, "quantity": 5, "status": "available"}])
        with Opened(tmp_path / "data", key=KEY) as program:
            until(lambda: not folder.path.exists(), "found to be saved already")
            assert program.ask("dialogs") == []
        assert quantity(shop, 1004) == 5


def test_the_window_starts_one_that_outlives_it_and_what_a_kill_leaves_is_removed(tmp_path: Path) -> None:
    """Processes that start processes, and are killed."""
    with Shop(tmp_path / "shop", key=KEY, plan="unlimited", pets=20) as shop:
        command("connect", NAME, "--url", shop.url, "--data-dir", str(tmp_path / "data"), key=KEY)
        with Running(tmp_path / "data", key=KEY) as program:
            program.wait("rows", "pets")
            for number in (1, 2):
                program.ask("choose", "Shop", "Rehearse…")
                program.wait("widget", "rehearseDialog")
                program.ask("press", "Return")
                until(lambda number=number: len(running(tmp_path)) == number, "a process for each")
                until(lambda: not program.ask("widget", "rehearseDialog"), "the keys go to the window again")
            program.kill()
        for pid, folder in running(tmp_path).items():
            until((folder / "shop.db").exists, "it goes on without the window that started it")
            assert KEY.encode() not in Path(f"/proc/{pid}/environ").read_bytes()
            os.kill(pid, signal.SIGKILL)  # house: platform - its processes are found in /proc
        until(lambda: not running(tmp_path), "killed")
        left = list((tmp_path / "data").glob("connections/*/rehearsals/*"))
        assert len(left) == 2
        with Opened(tmp_path / "data", key=KEY):
            until(lambda: not any(one.exists() for one in left), "removed at the next start")


def running(folder: Path) -> dict[int, Path]:
    """The processes of rehearsals below this folder, by their ids."""
    found: dict[int, Path] = {}
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with suppress(OSError):
                words = (process / "cmdline").read_bytes().decode().split("\0")
                at = words.index("--rehearsal") if "--rehearsal" in words else -1
                if at >= 0 and words[at + 1].startswith(str(folder)):
                    found[int(process.name)] = Path(words[at + 1])
    return found


def test_a_full_disk_leaves_no_folder(tmp_path: Path, copied: Copied) -> None:
    with small_disk(tmp_path / "disk", "1m") as disk:
        disk.need()
        data = disk.folder / "data"
        shutil.copytree(copied.places.data, data)
        disk.fill()
        full = Places(data)
        contract = cache.read(full.contract(copied.connection.slug), service_address(copied.connection))
        with pytest.raises(StorageError, match="disk-full"):
            make_folder(
                full,
                copied.connection,
                service_address(copied.connection),
                contract,
                RehearsalPlan(),
                copied.preferences,
            )
        assert not [one for one in data.glob("connections/*/rehearsals/*") if one.is_dir()]
