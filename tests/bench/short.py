"""The short form: start, sync, grid, gate and journal with 20,000 pets, judged by their ratios against those of the
last release (ratios.json beside this).

It fails where something has become half as slow again against its limit in the same run. What is slower in one run is
run again: a machine's whim passes, a standstill stays. `--write` writes the table, of the middle of three runs.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from petstore_desktop import __version__
from tests.bench import gate, grid, journal, startup, sync
from tests.bench._report import Goal, Report, say

PETS, JOURNAL_PETS = 20_000, 2_000
PAIRS = 5
QUEUED, DONE, EDITS, PAUSE_MS = 2_000, 20_000, 2, 200
SLOWER = 1.5
"""So many times its ratio in the table may each take."""
TRIES = 3
TABLE = Path(__file__).with_name("ratios.json")

BENCHES: dict[str, Callable[[Path], Report]] = {
    "start": lambda folder: startup.short(folder, PETS, PAIRS),
    "sync": lambda folder: sync.short(folder, PETS),
    "grid": lambda folder: grid.short(folder, PETS),
    "gate": gate.short,
    "journal": lambda _: journal.measured(
        (3, 3), JOURNAL_PETS, {"empty": (0, 0), "queued": (QUEUED, 0), "done": (0, DONE)}, EDITS, PAUSE_MS
    ),
}


def measured(name: str) -> dict[str, float]:
    """The ratios of one bench."""
    with tempfile.TemporaryDirectory() as folder:
        return BENCHES[name](Path(folder)).ratios


def slower(found: dict[str, float], table: dict[str, float]) -> list[str]:
    """Return the ratios that are too far above those of the table. One that it does not have is slower than nothing."""
    return [name for name, ratio in found.items() if name in table and ratio > SLOWER * table[name]]


def judged(
    name: str, table: dict[str, float], measure: Callable[[str], dict[str, float]] = measured
) -> dict[str, Goal]:
    """Measure a bench, again while something is slower and tries are left, and judge the least of each ratio. A ratio
    of the table that was not measured does not hold."""
    least: dict[str, float] = {}
    for number in range(TRIES):
        for ratio, value in measure(name).items():
            least[ratio] = min(value, least.get(ratio, value))
        if not slower(least, table):
            break
        say(f"{name}: {', '.join(slower(least, table))} slower than it was, run {number + 1}")
    return {ratio: Goal(SLOWER * table[ratio], least.get(ratio, float("nan"))) for ratio in table}


def main(argv: list[str]) -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(description="The benches in short, against the last release's ratios.")
    parser.add_argument("--json", action="store_true", help="print the object on one line")
    parser.add_argument("--write", action="store_true", help="write the table instead of judging by it")
    args = parser.parse_args(argv)
    if args.write:
        return _write()
    table = json.loads(TABLE.read_text("utf-8"))["ratios"]
    found = Report("short", runs=1)
    for name in BENCHES:
        for ratio, goal in judged(name, table[name]).items():
            found.ratios[f"{name}: {ratio}"] = goal.value
            found.goals[f"{name}: {ratio}"] = goal
            said = "" if goal.holds else ", TOO SLOW"
            say(f"{name}: {ratio}: {goal.value:.2f}, at most {goal.bound:.2f}{said}")
    return found.finish(one_line=args.json)


def _write() -> int:
    table: dict[str, dict[str, float]] = {}
    for name in BENCHES:
        runs = [measured(name) for _ in range(TRIES)]
        table[name] = {ratio: round(statistics.median(run[ratio] for run in runs), 3) for ratio in runs[0]}
        say(f"{name}: {table[name]}")
    TABLE.write_text(json.dumps({"release": __version__, "ratios": table}, indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main(sys.argv[1:]))
