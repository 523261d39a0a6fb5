"""The demo shop on a real socket, served by a thread of the test's own process.

with Shop(tmp_path, plan="free", rpm=10, minute=5, ban_at=1) as shop:
    httpx.get(f"{shop.url}/pets", headers=shop.auth)
    shop.control("exhaust")
    shop.control("rows", orders=[{}])
    shop.log_lines()[-1]["inside_pause"]
    shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", 1001)
    shop.stop(); shop.start()          # the same shop again, at the same address

With `process=True` it is a process of its own: for what only a process can show, such as being killed.
"""

from __future__ import annotations

import argparse
import atexit
import json
import logging
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from contextlib import closing, suppress
from datetime import date
from functools import cache
from pathlib import Path
from subprocess import PIPE
from typing import Any, Protocol, Self

from petstore_desktop.demo.books.database import ShopDatabase
from petstore_desktop.demo.books.shop import seed
from petstore_desktop.demo.command import add_arguments, opened
from petstore_desktop.demo.server import Server
from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
KEY = "test-key-of-the-demo-shop"
Option = str | int | float | bool | Path


class Shop:
    """One demo shop. Every keyword but `key` and `process` becomes an option of the command: `ban_at=1` is
    `--ban-at 1`.

    Attributes:
        url: the base URL, which ends in /v1.
        key, auth: the key, and the header that carries it.
        db_path, log_path: the shop's SQLite file and its log of requests, both below the folder that was given.
    """

    def __init__(self, folder: Path, *, key: str = KEY, process: bool = False, **options: Option) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.key = key
        self.auth = {"Authorization": f"Bearer {key}"}
        self.db_path = Path(str(options.pop("db", folder / "shop.db")))
        self.log_path = Path(str(options.pop("log", folder / "shop.log")))
        self.errors_path = folder / "shop.stderr"
        self.url = ""
        self.control_url = ""
        self._kind = _ShopProcess if process else _ShopThread
        self._serving: _Serving | None = None
        self._options: dict[str, Option] = {"control": True, **options}
        self.start()

    def start(self) -> None:
        """Begin to serve, at the address that it had before if it did already."""
        given = ["--db", str(self.db_path), "--log", str(self.log_path)]
        for name, value in self._options.items():
            if value is not False:
                given += [f"--{name.replace('_', '-')}"] + ([] if value is True else [str(value)])
        if not self.db_path.exists() and not {"records", "fresh"} & self._options.keys():
            pets, today = self._options.get("pets", 200), str(self._options.get("today", date.today().isoformat()))
            shutil.copyfile(_seeded(int(pets), today), self.db_path)
        self._serving = self._kind(given, self.key, self.errors_path)
        self.url = self._serving.url
        self.control_url = self.url.replace("/v1", "/control") if self._options["control"] else ""
        self._options["port"] = int(self.url.rpartition(":")[2].partition("/")[0])

    def control(self, action: str, **body: object) -> dict[str, Any]:
        """Turn one of the control switches (`state` only asks), and return the shop's state."""
        data = None if action == "state" else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.control_url}/{action}", data)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"control {action}: {error.read().decode()}") from None

    def log_lines(self) -> list[dict[str, Any]]:
        """Every request so far, oldest first; those of a run before a restart too. Whatever `rows` has shown is in it:
        a row is written a moment before the line, in one turn of the shop's loop."""
        if self._serving is not None:
            self._serving.turn()
        return [json.loads(line) for line in self.log_path.read_text(encoding="utf-8").splitlines()]

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """What the shop's own database holds: tables pets, categories, orders and inventory."""
        with closing(sqlite3.connect(f"{self.db_path.as_uri()}?mode=ro", uri=True, timeout=PATIENCE_S)) as database:
            return database.execute(sql, values).fetchall()

    def errors(self) -> str:
        """What the shop's process wrote to stderr; nothing, if all is well. Of one in a thread the test's own log is
        told (`LogWatch`)."""
        return self.errors_path.read_text(encoding="utf-8", errors="replace") if self.errors_path.exists() else ""

    def stop(self) -> int:
        """End the shop in order, and return its exit status."""
        serving, self._serving = self._serving, None
        return 0 if serving is None else serving.stop()

    def kill(self) -> None:
        """End the shop at once: a process as a power cut would."""
        serving, self._serving = self._serving, None
        if serving is not None:
            serving.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Serving(Protocol):
    url: str

    def turn(self) -> None:
        """Wait until what its loop is at is done."""

    def stop(self) -> int: ...
    def kill(self) -> None: ...


class _ShopThread:
    """What serves in this process."""

    def __init__(self, given: list[str], key: str, _errors: Path) -> None:
        parser = argparse.ArgumentParser()
        add_arguments(parser)
        self.url = ""
        self._server: Server | None = None
        self._failed: BaseException | None = None
        self._told = threading.Event()
        self._thread = threading.Thread(
            target=self._serve, args=(parser.parse_args(given), key), name="shop", daemon=True
        )
        self._thread.start()
        assert self._told.wait(PATIENCE_S)
        if self._failed is not None:
            raise RuntimeError(f"the demo shop did not start: {self._failed}")

    def _serve(self, args: argparse.Namespace, key: str) -> None:
        sys.setprofile(None)  # no thread of the program: nobody need watch whether it touches Qt (qt_threads.py)
        try:
            with opened(args, key) as server:
                self._server, self.url = server, f"{server.origin}/v1"
                self._told.set()
                server.serve_here()
        except BaseException as error:  # noqa: BLE001 -- raised by whoever began or ends this
            self._failed = error
        finally:
            self._told.set()

    def turn(self) -> None:
        turned = threading.Event()
        for listening in getattr(self._server, "servers", ()):  # none: it has not begun to serve
            with suppress(RuntimeError):  # its loop is closed
                listening.get_loop().call_soon_threadsafe(turned.set)
                while self._thread.is_alive() and not turned.wait(0.05):
                    pass

    def stop(self) -> int:
        assert self._server is not None
        said = logging.getLogger("uvicorn.error")
        level = said.level
        said.setLevel(logging.CRITICAL)  # that what it still works at is given up at its end is no fault
        self._server.end()
        self._thread.join()
        said.setLevel(level)
        if self._failed is not None:
            raise RuntimeError("the demo shop failed") from self._failed
        return 0

    def kill(self) -> None:
        assert self._server is not None
        self._server.force_exit = True
        self.stop()


class _ShopProcess:
    """What serves in a process of its own."""

    def __init__(self, given: list[str], key: str, errors: Path) -> None:
        own = ["--announce-json", "--until-stdin-closes", "--key-stdin"]
        with errors.open("ab") as stderr:
            command = [sys.executable, "-m", "petstore_desktop.demo", *own, *given]
            self._process = subprocess.Popen(command, cwd=ROOT, stdin=PIPE, stdout=PIPE, stderr=stderr)
        assert self._process.stdin is not None
        self._process.stdin.write(f"{key}\n".encode())
        self._process.stdin.flush()
        self.url = self._announced(errors)["url"]

    def _announced(self, errors: Path) -> dict[str, Any]:
        assert self._process.stdout is not None
        watchdog = threading.Timer(PATIENCE_S, self._process.kill)
        watchdog.start()
        try:
            for line in self._process.stdout:
                if line.startswith(b"{"):
                    return json.loads(line)
        finally:
            watchdog.cancel()
        raise RuntimeError(f"the demo shop did not start: {errors.read_text(encoding='utf-8', errors='replace')}")

    def turn(self) -> None:
        """Nobody compares the rows of a process with its log."""

    def stop(self) -> int:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        try:
            status = self._process.wait(PATIENCE_S)
        finally:
            self._process.kill()
            self._process.stdout.close()
        return status

    def kill(self) -> None:
        self._process.kill()
        self.stop()


@cache
def _seeded(pets: int, today: str) -> Path:
    """The file of a new shop, made once in each process of tests, to be copied."""
    path = _folder() / f"{pets}-{today}.db"
    with closing(ShopDatabase(path)) as database:
        seed(database, pets, date.fromisoformat(today))
    return path


@cache
def _folder() -> Path:
    folder = tempfile.mkdtemp(prefix="petstore-shops-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
