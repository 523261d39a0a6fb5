"""DB Browser for SQLite (Debian's `sqlitebrowser`) beside the program, on one screen, with the same pets."""

from __future__ import annotations

import shutil
import sqlite3
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench._eye import Area, Screen, running, settled_memory
from tests.bench._report import say
from tests.bench._shops import NAME

NEEDED = {"sqlitebrowser": "sqlitebrowser", "Xvfb": "xvfb"}
"""Programs, and the Debian packages that have them."""
TABLE = "pets"
OURS, THEIRS = "program", "DB Browser"
AREAS = {OURS: Area(60, 155, 560, 640), THEIRS: Area(65, 200, 465, 660)}
"""Where rows stand: beside what is painted around them, and what DB Browser asks in the middle of its window."""
_FILL = """INSERT INTO main.pets
    SELECT pet.key, pet.name, category.name, pet.status, stock.quantity,
           (SELECT count(*) FROM mirror.orders AS bought WHERE bought.pet_id = pet.key)
    FROM mirror.pets AS pet
    LEFT JOIN mirror.categories AS category ON category.key = pet.category_id
    LEFT JOIN mirror.inventory AS stock ON stock.key = pet.key"""


@dataclass(slots=True)
class Compared:
    """Seconds from the spawn to rows on the screen, pair by pair, and MiB with the pets open."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {OURS: [], THEIRS: []})
    memory: dict[str, list[float]] = field(default_factory=lambda: {OURS: [], THEIRS: []})

    def ratio(self, figures: Mapping[str, list[float]]) -> float:
        """Return how many times the middle of theirs the middle of ours is."""
        return statistics.median(figures[OURS]) / statistics.median(figures[THEIRS])


def missing() -> list[str]:
    """Return the Debian packages without which nothing can be compared."""
    return [package for program, package in NEEDED.items() if shutil.which(program) is None]


def plain_table(mirror: Path, target: Path) -> None:
    """Write the pets of a mirror as one plain table, with what the program shows of each."""
    columns = "id INTEGER PRIMARY KEY, name TEXT, category TEXT, status TEXT, stock INTEGER, orders INTEGER"
    with closing(sqlite3.connect(target)) as database, database:
        database.execute(f"CREATE TABLE pets ({columns})")
        database.execute("ATTACH ? AS mirror", (f"file:{mirror}?mode=ro",))
        database.execute(_FILL)
        database.commit()


def compare(
    env: Mapping[str, str], data: Path, folder: Path, pairs: Callable[[Compared], Iterator[int]], memories: int
) -> Compared:
    """Start both in turn, so that a busy machine slows both; the order within a pair alternates. `pairs` gives the
    numbers of the pairs, told what was found so far. Raises RuntimeError where one of them does not show its rows."""
    table = folder / "pets.sqlite"
    plain_table(next(data.glob("connections/*/mirror.db")), table)
    python = [sys.executable, "-m", "petstore_desktop"]
    commands = {
        OURS: [*python, "--data-dir", str(data), "--connection", NAME],
        THEIRS: ["sqlitebrowser", str(table), "-t", TABLE],
    }
    with Screen() as screen:
        seen_by = {
            "DISPLAY": screen.name,
            "QT_QPA_PLATFORM": "xcb",
            "HOME": str(folder),
            "XDG_RUNTIME_DIR": str(folder),
        }
        stage = _Stage(screen, commands, {**env, **seen_by})
        for kind in (OURS, THEIRS, OURS, THEIRS):  # the first compiles, writes its settings, warms up the disk cache
            stage.look_at_rest(kind)
        found = Compared()
        for number in pairs(found):
            for kind in _in_turn(number):
                found.seconds[kind].append(stage.seconds(kind))
            said = ", ".join(f"{kind} {took[-1] * 1000:.0f} ms" for kind, took in found.seconds.items())
            say(f"pair {number + 1}: {said}")
        for number in range(memories):
            for kind in _in_turn(number):
                found.memory[kind].append(stage.memory(kind))
            said = ", ".join(f"{kind} {took[-1]:.0f} MiB" for kind, took in found.memory.items())
            say(f"memory {number + 1}/{memories}: {said}")
    return found


def _in_turn(number: int) -> tuple[str, str]:
    return (OURS, THEIRS) if number % 2 else (THEIRS, OURS)


class _Stage:
    """One screen, and how each of the two looks there when its rows have come."""

    def __init__(self, screen: Screen, commands: Mapping[str, list[str]], env: dict[str, str]) -> None:
        self._screen, self._commands, self._env = screen, commands, env
        self._rows: dict[str, list[bytes]] = {}

    def look_at_rest(self, kind: str) -> None:
        """Start it, and keep how its rows look when nothing moves any more."""
        self._screen.cleared()
        with running(self._commands[kind], self._env):
            self._rows[kind] = self._screen.at_rest(AREAS[kind])

    def seconds(self, kind: str) -> float:
        """Start it; return how long it takes until its rows stand there, as they then stay."""
        self._screen.cleared()
        spawned = time.perf_counter()
        with running(self._commands[kind], self._env):
            return self._screen.until(AREAS[kind], self._rows[kind]) - spawned

    def memory(self, kind: str) -> float:
        """Start it; return the MiB that it has when it has come to rest."""
        self._screen.cleared()
        with running(self._commands[kind], self._env) as process:
            self._screen.at_rest(AREAS[kind])
            return settled_memory(process.pid)
