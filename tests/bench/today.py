"""What history costs, and how quickly it answers, at 10,000 pets and 400 days of 200 changes: MiB on the disk, ms a
change, its share of a refresh, a start beside one without it, and the questions that Today, Compare and Report ask.

The past is told to the real mirror (tests/support/made_past.py). What is compared with nothing is measured in turn.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from pathlib import Path

from petstore_desktop.data_folder import Places
from petstore_desktop.domain.records import Resource, Row
from petstore_desktop.store.history.history import ShopHistory
from petstore_desktop.store.history.reader import PastReader
from petstore_desktop.store.mirror.mirror import Mirror
from tests.bench._busy import busy_core
from tests.bench._report import Goal, Metric, Report, arguments, say
from tests.bench._shops import NAME, clean_environment, command, connect, unlimited
from tests.bench.startup import start, start_to_leave
from tests.support.made_past import DAY_S, make_past, rows_of
from tests.support.shop import Shop

PETS, RUNS = 10_000, 9
DAYS, CHANGES = 400, 200
SHORT_DAYS = 20
MOST_MIB, MOST_MS_A_CHANGE, MOST_SHARE, MOST_START = 60.0, 1.0, 0.05, 1.05
QUESTIONS_MS: Mapping[str, float] = {
    "changes of 7 days": 100.0,
    "all changes": 500.0,
    "one record": 50.0,
    "totals of 400 days": 50.0,
    "pieces gone in 28 days": 50.0,
}
CHILD = Path(__file__).with_name("_today_child.py")
WINDOW = CHILD.with_name("_today_window.py")
DEADLINE_S = 400
MOST_MS_TO_PAINT = 100.0


def made(folder: Path, rows: Mapping[Resource, list[Row]], address: str, *, days: int, history: bool) -> float:
    """Tell a past to a new mirror in this folder; the seconds that it took after the first whole reading."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    mirror = Mirror(folder / "mirror.db")
    mirror.belong_to(address, emptied=False)
    now = time.time()
    clock = [now]
    told = ShopHistory(folder / "history.db", address, lambda: clock[-1]) if history else None
    if told is not None:
        mirror.tell_to(told)
    make_past(mirror, rows, days=0, changes=0, until=now - days * DAY_S)
    began = time.perf_counter()
    make_past(mirror, rows, days=days, changes=CHANGES, until=now, set_clock=clock.append)
    took = time.perf_counter() - began
    if told is not None:
        told.close()
    mirror.close()
    return took


def of_writing(found: Report, folder: Path, rows: Mapping[Resource, list[Row]], address: str, runs: int) -> None:
    """Measure what a change costs beside the mirror's own work."""
    took: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(runs):
        for history in (True, False):
            took[history].append(made(folder / "short", rows, address, days=SHORT_DAYS, history=history))
    pairs = zip(took[True], took[False], strict=True)
    each = [(one - other) * 1000 / (SHORT_DAYS * CHANGES) for one, other in pairs]
    found.metrics["history, a change"] = Metric("ms", each)
    found.goals["history, a change, ms"] = Goal(MOST_MS_A_CHANGE, statistics.median(each))


def of_asking(found: Report, history: Path, runs: int) -> None:
    """Measure the questions of Today, Compare and Report."""
    now, today = time.time(), date.today()
    reader = PastReader(history)
    record = reader.changes_between(now - DAY_S, now + DAY_S)[0].ref
    questions: dict[str, Callable[[], object]] = {
        "changes of 7 days": lambda: reader.changes_between(now - 7 * DAY_S, now),
        "all changes": lambda: reader.changes_between(0.0, now),
        "one record": lambda: reader.changes_of(record),
        "totals of 400 days": lambda: reader.totals(today - timedelta(days=400), today),
        "pieces gone in 28 days": lambda: reader.units_gone(now - 28 * DAY_S),
    }
    for name, ask in questions.items():
        took: list[float] = []
        for _ in range(runs):
            began = time.perf_counter()
            assert ask() is not None
            took.append((time.perf_counter() - began) * 1000)
        found.metrics[name] = Metric("ms", took)
        found.goals[f"{name}, ms"] = Goal(QUESTIONS_MS[name], statistics.median(took))
    reader.close()


def of_starting(found: Report, folder: Path, data: Path, history: Path, runs: int) -> None:
    """Measure a start with the history beside one without."""
    env = clean_environment(folder)
    program = ("--data-dir", str(data), "--connection", NAME)
    start_to_leave(env, program)
    kept = folder / "kept.db"
    shutil.copy(history, kept)
    took: dict[str, list[float]] = {"with": [], "without": []}
    for number in range(-1, runs):
        for kind in sorted(took, reverse=number % 2 == 0):
            for part in history.parent.glob("history.db*"):
                part.unlink()
            if kind == "with":
                shutil.copy(kept, history)
            seconds, _ = start(env, "program", *program)
            if number >= 0:
                took[kind].append(seconds * 1000)
    shutil.copy(kept, history)
    for kind, each in took.items():
        found.metrics[f"start {kind} history"] = Metric("ms", each)
    ratio = statistics.median(took["with"]) / statistics.median(took["without"])
    found.ratios["start with / without history"] = ratio
    found.goals["start with / without history"] = Goal(MOST_START, ratio)


def of_a_refresh(found: Report, shop: Shop, folder: Path, data: Path, runs: int) -> None:
    """Measure a refresh of all lists in which a day's changes come, with and without history, in turn."""
    env = clean_environment(folder, PETSTORE_API_KEY=shop.key)
    line = [sys.executable, str(CHILD), str(data), NAME, str(runs), shop.url, shop.key]
    done = subprocess.run(line, env=env, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    last = done.stdout.strip().splitlines()[-1:]
    if done.returncode or not last or not last[0].startswith("{"):
        raise RuntimeError(f"nothing was measured (exit code {done.returncode}): {done.stdout}{done.stderr}")
    said = json.loads(last[0])
    for name, each in said.items():
        found.metrics[name] = Metric("ms", each)
    with_, without = (statistics.median(said[f"refresh {kind} history"]) for kind in ("with", "without"))
    found.ratios["history / refresh"] = with_ / without - 1.0
    found.goals["history / refresh"] = Goal(MOST_SHARE, with_ / without - 1.0)


def of_today(found: Report, shop: Shop, folder: Path, data: Path, runs: int) -> None:
    """Measure Today's page, from its tab's choice to its paint, and count what it sends."""
    env = clean_environment(folder, PETSTORE_API_KEY=shop.key)
    line = [sys.executable, str(WINDOW), str(data), NAME, str(runs)]
    done = subprocess.run(line, env=env, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    last = done.stdout.strip().splitlines()[-1:]
    if done.returncode or not last or not last[0].startswith("{"):
        raise RuntimeError(f"nothing was painted (exit code {done.returncode}): {done.stdout}{done.stderr}")
    said = json.loads(last[0])
    for name, each in said["times"].items():
        found.metrics[name] = Metric("ms", each)
    for name in ("Today painted, first time", "Today painted"):
        found.goals[f"{name}, ms"] = Goal(MOST_MS_TO_PAINT, statistics.median(said["times"][name]))
    found.goals["requests of Today"] = Goal(0.0, said["requests"])


def main(argv: list[str]) -> int:
    """Measure, print, and return the exit code."""
    args = arguments(argv, "Today and history at 10,000 pets and 400 days.", RUNS, PETS)
    found = Report("today", runs=args.runs)
    with busy_core(args.busy), tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with unlimited(folder / "shop", args.pets) as shop:
            data = folder / "data"
            connect(shop, data)
            command(shop, data, "sync", NAME)
            places = Places(data)
            mirror = Mirror(places.mirror(NAME))
            rows = rows_of(mirror)
            mirror.close()
            say(f"{sum(map(len, rows.values()))} records; {DAYS} days of {CHANGES} changes are told")
            of_writing(found, folder, rows, shop.url, min(5, args.runs))
            made(folder / "long", rows, shop.url, days=DAYS, history=True)
            for part in (folder / "long").iterdir():
                for old in places.mirror(NAME).parent.glob(f"{part.name}*"):
                    old.unlink()
                shutil.copy(part, places.mirror(NAME).parent / part.name)
            history = places.history(NAME)
            mib = history.stat().st_size / 2**20
            found.metrics["history.db"] = Metric("MiB", [mib])
            found.goals["history.db, MiB"] = Goal(MOST_MIB, mib)
            of_asking(found, history, args.runs)
            of_starting(found, folder, data, history, args.runs)
            of_today(found, shop, folder, data, args.runs)
            of_a_refresh(found, shop, folder, data, args.runs)
    return found.finish(one_line=args.json, busy=args.busy)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
