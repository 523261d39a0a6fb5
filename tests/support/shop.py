"""The demo shop as a child process, for tests that want a real service on a real socket.

with Shop(tmp_path, plan="free", rpm=10, minute=5, ban_at=1) as shop:
    httpx.get(f"{shop.url}/pets", headers=shop.auth)
    shop.control("exhaust")
    shop.control("rows", orders=[{}])
    shop.log_lines()[-1]["inside_pause"]
    shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", 1001)
    shop.kill(); shop.start()          # the same shop again, at the same address
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import threading
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path
from subprocess import PIPE
from typing import Any, Self

from tests.support.forked import Forked, start
from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
KEY = "test-key-of-the-demo-shop"
START_DEADLINE = 30.0


class Shop:
    """One demo shop. Every keyword but `key` becomes an option of the command: `ban_at=1` is `--ban-at 1`.

    Attributes:
        url: the base URL, which ends in /v1.
        key, auth: the key, and the header that carries it.
        db_path, log_path: the shop's SQLite file and its log of requests, both below the folder that was given.
        process: the running process.
    """

    def __init__(self, folder: Path, *, key: str = KEY, **options: str | int | float | bool | Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.key = key
        self.auth = {"Authorization": f"Bearer {key}"}
        self.db_path = Path(str(options.pop("db", folder / "shop.db")))
        self.log_path = Path(str(options.pop("log", folder / "shop.log")))
        self.errors_path = folder / "shop.stderr"
        self.url = ""
        self.control_url = ""
        self.process: Forked | subprocess.Popen[bytes] | None = None
        self._options: dict[str, str | int | float | bool | Path] = {"control": True, **options}
        self.start()

    def start(self) -> None:
        """Start the process, at the address that it had before if it ran already."""
        given = ["--announce-json", "--until-stdin-closes", "--key-stdin"]
        given += ["--db", str(self.db_path), "--log", str(self.log_path)]
        for name, value in self._options.items():
            if value is not False:
                given += [f"--{name.replace('_', '-')}"] + ([] if value is True else [str(value)])
        with self.errors_path.open("ab") as errors:
            self.process = start(
                "petstore_desktop.demo", *given, package="petstore_desktop.demo", stdin=PIPE, stdout=PIPE, stderr=errors
            )
        assert self.process.stdin is not None
        self.process.stdin.write(f"{self.key}\n".encode())
        self.process.stdin.flush()
        announced = self._announcement()
        self.url = announced["url"]
        self.control_url = announced["control"] or ""
        self._options["port"] = int(self.url.rpartition(":")[2].partition("/")[0])

    def _announcement(self) -> dict[str, Any]:
        assert self.process is not None and self.process.stdout is not None
        watchdog = threading.Timer(START_DEADLINE, self.process.kill)
        watchdog.start()
        try:
            for line in self.process.stdout:
                if line.startswith(b"{"):
                    return json.loads(line)
        finally:
            watchdog.cancel()
        raise RuntimeError(f"the demo shop did not start: {self.errors()}")

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
        """Every request so far, oldest first; those of a run before a restart too."""
        return [json.loads(line) for line in self.log_path.read_text(encoding="utf-8").splitlines()]

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """What the shop's own database holds: tables pets, categories, orders and inventory."""
        with closing(sqlite3.connect(f"{self.db_path.as_uri()}?mode=ro", uri=True, timeout=PATIENCE_S)) as database:
            return database.execute(sql, values).fetchall()

    def errors(self) -> str:
        """What the shop wrote to stderr; nothing, if all is well."""
        return self.errors_path.read_text(encoding="utf-8", errors="replace")

    def stop(self) -> int:
        """End the shop by closing its stdin, and return its exit status."""
        if self.process is None:
            return 0
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        try:
            status = self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self.process.stdout.close()
        self.process = None
        return status

    def kill(self) -> None:
        """End the shop at once, as a power cut would."""
        if self.process is not None:
            self.process.kill()
        self.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
