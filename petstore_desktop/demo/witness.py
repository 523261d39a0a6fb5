"""Looks into a running demo shop from outside: its books, its log, and the control routes. Standard library only.

What a program says about a shop is judged by this, never by the program itself.
"""

from __future__ import annotations

import json
import sqlite3
import urllib.error
import urllib.request
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class Witness:
    """A shop seen through its SQLite file `db`, its log of requests `log`, and its control address `control`."""

    db: Path
    log: Path
    control_url: str

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """What the books hold: tables pets, categories, orders and inventory. Read only."""
        address = f"{self.db.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=_TIMEOUT_S)) as books:
            return books.execute(sql, values).fetchall()

    def value(self, sql: str, *values: object) -> Any:
        """The first column of the first row, or None where there is no row."""
        found = self.rows(sql, *values)
        return found[0][0] if found else None

    def count(self, table: str) -> int:
        """How many records a table holds."""
        return int(self.value(f"SELECT count(*) FROM {table}"))

    def mark(self) -> int:
        """The number of requests so far, for `requests`."""
        return len(self.requests())

    def requests(self, since: int = 0) -> list[dict[str, Any]]:
        """Lines of the log from `since` on, oldest first: time, method, path, status, inside_pause."""
        try:
            text = self.log.read_text(encoding="utf-8")
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in text.splitlines()[since:] if line.endswith("}")]

    def writes(self, path: str, since: int = 0) -> list[dict[str, Any]]:
        """Requests below `path` (such as `/v1/pets/7`) that would change something."""
        return [
            line
            for line in self.requests(since)
            if line["method"] not in ("GET", "HEAD") and line["path"].partition("?")[0] == path
        ]

    def control(self, action: str, **body: object) -> dict[str, Any]:
        """Turn one of the control switches (`state` only asks), and return the shop's state. Raises OSError."""
        data = None if action == "state" else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.control_url}/{action}", data)
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise OSError(f"control {action}: {error.read().decode()}") from None
