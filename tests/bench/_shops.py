"""Shops and connections for the benches: the real demo shop in another process, and the program's own commands."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.program.running import command_here
from tests.support.shop import ROOT, Shop

NAME = "bench"
"""The connection, as the benches call it."""


_APART = 10_000_000
"""Between the ids of a record and those of its copies."""
MOST_MADE = 100_000
"""A demo shop makes no more pets than these within its time to start; more are copies, under other names."""


def unlimited(folder: Path, pets: int) -> Shop:
    """Start a demo shop with so many pets and without limits, as someone else's program runs it. Of many pets a few in
    a hundred are fewer: records that are odd have no copies."""
    shop = Shop(folder, process=True, plan="unlimited", pets=min(pets, MOST_MADE))
    if pets > MOST_MADE:
        shop.stop()
        with closing(sqlite3.connect(shop.db_path)) as database, database:
            for table, key in (("pets", "id"), ("orders", "id"), ("inventory", "pet_id")):
                _copy(database, table, key, pets // MOST_MADE - 1)
        shop.start()
    return shop


def _copy(database: sqlite3.Connection, table: str, key: str, copies: int) -> None:
    """Put copies of all ordinary records of a table behind them, with ids and names of their own."""
    names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    (last,) = database.execute(f"SELECT max(row) FROM {table}").fetchone()
    for number in range(1, copies + 1):
        other = {name: f"{name} + {_APART * number}" for name in ("id", "pet_id")}
        other |= {"row": f"row + {last * number}", "name": f"name || ', line {number}'"}
        chosen = ", ".join(other.get(name, name) for name in names)
        database.execute(
            f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) SELECT {chosen} FROM {table} "
            f"WHERE row <= ? AND raw IS NULL AND {key} < ?",
            (last, _APART * 900),
        )


def clean_environment(folder: Path, **more: str) -> dict[str, str]:
    """Return the environment for what is measured: this one's, but Python behaves as on a person's computer, where all
    is compiled once. In a checkout that cannot be written the compiled files go below `folder`: a warm-up is enough
    wherever it lies."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    compiled = {} if os.access(ROOT, os.W_OK) else {"PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    screen = {"QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")}
    return kept | screen | compiled | more


def command(shop: Shop, data: Path, *args: str) -> None:
    """Run a command of the program on a data directory, in this process. Raises RuntimeError with what it said if it
    fails."""
    done = command_here("--data-dir", str(data), *args, environment=os.environ | {"PETSTORE_API_KEY": shop.key})
    if done.returncode:
        raise RuntimeError(f"{args[0]} failed: {(done.stdout + done.stderr).decode()}")


def connect(shop: Shop, data: Path, url: str | None = None) -> None:
    """Make the connection, to the shop or to another address that takes its key; nothing is read yet."""
    command(shop, data, "connect", NAME, "--url", url or shop.url)


def known_connection(folder: Path, pets: int) -> Path:
    """Return a data directory whose connection has been read whole; its shop is gone again."""
    data = folder / "data"
    with unlimited(folder / "shop", pets) as shop:
        connect(shop, data)
        command(shop, data, "sync", NAME)
    return data
