"""The journal in the real window: how long an act takes until it is said to be saved, and what a full journal costs.

A known connection whose service is gone, so that nothing is sent and nothing else goes on. Three journals in turn: an
empty one, one with 10,000 changes that wait, one with 100,000 that are done. Each is started, weighed, and worked with.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from petstore_desktop.data_folder import Places
from petstore_desktop.domain.changes import AddStock, Change, NewChange, SetFields
from petstore_desktop.domain.records import Pet, Ref, Resource
from petstore_desktop.store.journal.journal import Journal
from tests.bench._busy import busy_core
from tests.bench._report import Goal, Metric, Report, arguments, say
from tests.bench._rounds import rounds
from tests.bench._shops import NAME, clean_environment, known_connection
from tests.bench.sync import percentile

RUNS, MOST_RUNS = 5, 9
PETS = 10_000
QUEUED, DONE = 10_000, 100_000
EDITS = 60
PAUSE_MS = 400
"""Between two bookings: a person is not faster."""
IN_BATCH = 500
SAVED_MS = 16.0
START_RATIO = 1.2
MEMORY_RATIO = 1.05
DEADLINE_S = 300
CHILD = Path(__file__).with_name("_journal_child.py")


@dataclass(slots=True)
class Found:
    """What the runs with one journal have shown, run by run; `saved_ms` and the window's own work in it, `work_ms`, act
    by act."""

    painted: list[float] = field(default_factory=list)
    known: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    saved_ms: list[float] = field(default_factory=list)
    work_ms: list[float] = field(default_factory=list)


def fill(path: Path, queued: int, done: int, pets: int) -> None:
    """Write a journal about so many pets, with changes that wait and changes that are done, in batches."""
    journal = Journal(path)
    for ended, count in ((True, done), (False, queued)):
        for first in range(0, count, IN_BATCH):
            keys = range(first, min(first + IN_BATCH, count))
            before = [Pet(key % pets + 1, "Rex", None, "available", {}) for key in keys]
            at = time.time() - 86_400.0 + first / 10
            changes = journal.append(f"batch-{ended}-{first}", [_change(key, pets) for key in keys], at, before)
            if ended:
                _end(journal, changes)
    journal.close()


def _end(journal: Journal, changes: Sequence[Change]) -> None:
    """An attempt for each, which was answered at once: in one transaction, which the journal itself never does."""
    with journal.transaction() as connection:
        for change in changes:
            connection.execute(
                "INSERT INTO attempt (at, request, base, value, outcome, ended_at) VALUES (?, ?, ?, ?, ?, ?)",
                (change.at, '{"op":"inventory.change"}', '{"quantity":4}', '{"quantity":5}', "done", change.at),
            )
            attempt = connection.last_insert_rowid()
            connection.execute("INSERT INTO attempt_change VALUES (?, ?)", (change.id, attempt))
            connection.execute("DELETE FROM open_change WHERE change_id = ?", (change.id,))


def _change(key: int, pets: int) -> NewChange:
    pet = key % pets + 1
    if key % 2:
        return NewChange(Ref(Resource.INVENTORY, pet), AddStock(1), {"quantity": 4})
    return NewChange(Ref(Resource.PETS, pet), SetFields({"status": "sold"}), {"status": "available"})


def start(env: dict[str, str], data: Path, waiting: int, found: Found, edits: int, pause_ms: int) -> None:
    """Start the program once, on a copy of the data. Raises RuntimeError if it does not come to an end."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "data"
        shutil.copytree(data, copy)
        command = [sys.executable, str(CHILD), str(copy), NAME, *map(str, (waiting, edits, pause_ms))]
        spawned = time.perf_counter()
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    last = done.stdout.strip().splitlines()[-1:]
    if done.returncode or not last:
        raise RuntimeError(f"it did not come to its end (exit code {done.returncode}): {done.stdout}{done.stderr}")
    said = json.loads(last[0])
    found.painted.append((said["painted"] - spawned) * 1000)
    found.known.append((said["known"] - spawned) * 1000)
    found.memory.append(said["memory_mib"])
    found.saved_ms += said["saved_ms"]
    found.work_ms += said["work_ms"]


def report(empty: Found, full: dict[str, Found]) -> Report:
    """Put the figures together; `full` by what is in the journal."""
    found = Report("journal", runs=len(empty.painted))
    for name, one in {"empty": empty, **full}.items():
        found.metrics[f"{name}: start to first paint"] = Metric("ms", one.painted)
        found.metrics[f"{name}: start to all that waits known"] = Metric("ms", one.known)
        found.metrics[f"{name}: memory"] = Metric("MiB", one.memory)
        found.metrics[f"{name}: key press to saved"] = Metric("ms", one.saved_ms)
        found.metrics[f"{name}: the window's own work in that"] = Metric("ms", one.work_ms)
        found.goals[f"{name}: key press to saved, 99 %"] = Goal(SAVED_MS, percentile(one.saved_ms, 0.99))
    for name, one in full.items():
        ratios = {
            "start to first paint": (one.painted, empty.painted, START_RATIO),
            "start to all that waits known": (one.known, empty.known, START_RATIO),
            "memory": (one.memory, empty.memory, MEMORY_RATIO),
        }
        for what, (mine, theirs, bound) in ratios.items():
            ratio = statistics.median(mine) / statistics.median(theirs)
            found.ratios[f"{name}: {what} / empty"] = ratio
            found.goals[f"{name}: {what} / empty"] = Goal(bound, ratio)
    return found


def main(argv: list[str]) -> int:
    """Measure, print, and return the exit code."""
    args = arguments(argv, "What a journal costs at the start and at each act.", RUNS, PETS, MOST_RUNS)
    sizes = {"empty": (0, 0), f"{QUEUED} queued": (QUEUED, 0), f"{DONE} done": (0, DONE)}
    found = measured((args.runs, args.most), args.pets, sizes, busy=args.busy)
    return found.finish(one_line=args.json, busy=args.busy)


def measured(
    runs: tuple[int, int],
    pets: int,
    sizes: dict[str, tuple[int, int]],
    edits: int = EDITS,
    pause_ms: int = PAUSE_MS,
    warm: int = 1,
    busy: bool = False,
) -> Report:
    """Make the journals, by name (queued, done), the empty one first; and start each in turn, at least and at most as
    often as `runs` says. The first `warm` rounds compile, and warm up the disk cache; they are not counted."""
    found = {name: Found() for name in sizes}

    def so_far() -> Report:
        (_, empty), *others = found.items()
        return report(empty, dict(others))

    with tempfile.TemporaryDirectory() as folder:
        say(f"Filling a mirror with {pets} pets, and the journals")
        base = known_connection(Path(folder), pets)
        env = clean_environment(Path(folder), PETSTORE_API_KEY="bench")
        data = {name: Path(folder) / f"journal-{number}" for number, name in enumerate(sizes)}
        for name, place in data.items():
            shutil.copytree(base, place)
            fill(Places(place).journal(NAME), *sizes[name], pets)
        with busy_core(busy):
            for number in chain(range(-warm, 0), rounds(*runs, lambda: so_far().goals)):
                for name in list(sizes) if number % 2 else reversed(sizes):
                    one = found[name] if number >= 0 else Found()
                    start(env, data[name], sizes[name][0], one, edits, pause_ms)
                    last = percentile(one.saved_ms, 0.99)
                    say(f"run {number + 1}, {name}: painted {one.painted[-1]:.0f} ms, known {one.known[-1]:.0f} ms, "
                        f"{one.memory[-1]:.1f} MiB, saved within {last:.1f} ms (99 %)")  # fmt: skip
    return so_far()


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main(sys.argv[1:]))
