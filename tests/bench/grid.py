"""The grid at 100,000 and at 1,000,000 pets: what a person waits for in the real window.

Each run is a process of its own (`_grid_child.py`) whose rows arrive as the sync thread's events do; there is no
service and no disk in it. The figures say what they are made of: a key of the filter is the search and what the window
does with it, a sort its click and the rest in slices, a refresh its slices. Judged is the median of what was the worst
in each run; the worst of all is printed as well. The ratios set it against what nobody can be quicker than here
(_grid_limits): numpy's search and sort over the same names, a bare table that paints the same cells.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from tests.bench._busy import busy_core
from tests.bench._grid_limits import SCROLL, SEARCH
from tests.bench._grid_limits import SORT as LIMIT_OF_SORT
from tests.bench._report import MEDIAN_OF_WORST, Goal, Metric, Report, arguments, say
from tests.bench._rounds import rounds
from tests.bench._shops import clean_environment
from tests.bench.sync import percentile

RUNS, MOST_RUNS = 3, 9
PETS = 100_000
MANY = 300_000
"""From so many pets on, the bounds are those for a million."""
DEADLINE_S = 900
CHILD = Path(__file__).with_name("_grid_child.py")

SCREEN, EXACT = "filter: key to the first screen painted", "filter: key to the exact count"
SORT, GAP, SCROLLS = "sort by ", "sort: longest interval", ("page down", "wheel", "jump")
TOTAL, SLICE = "refresh of 1 %: GUI time in all", "refresh of 1 %: longest slice"
PALETTE, PASTE = "palette: key to all answers", "paste of 500 x 3 cells: key to the preview painted"
OPEN, USED = "pets open", "after everything was used once"


class Bound(NamedTuple):
    """What a figure may be at most where nothing else runs, and beside a busy core."""

    quiet: float
    busy: float


FEW_MS = {EXACT: Bound(8, 16), SORT: Bound(40, 80), TOTAL: Bound(40, 80), SLICE: Bound(16, 32)}
FEW_MS |= {PALETTE: Bound(50, 50), PASTE: Bound(150, 150)}
MANY_MS = {SCREEN: Bound(20, 40), EXACT: Bound(120, 200), SORT: Bound(400, 800), GAP: Bound(30, 60)}
MANY_MS |= {TOTAL: Bound(250, 500), SLICE: Bound(16, 32)}
SCROLL_MS = Bound(8, 16)
FEW_MIB, MANY_MIB = {OPEN: 150.0, USED: 175.0}, {OPEN: 380.0, USED: 450.0}


def run(folder: Path, pets: int, *more: str) -> dict[str, Any]:
    """Return what one run has measured. Raises RuntimeError where it did not come to its end."""
    command = [sys.executable, str(CHILD), str(pets), *more]
    done = subprocess.run(
        command, env=clean_environment(folder), stdout=subprocess.PIPE, text=True, timeout=DEADLINE_S, check=False
    )
    last = done.stdout.strip().splitlines()[-1:]
    if done.returncode or not last or not last[0].startswith("{"):
        raise RuntimeError(f"it did not come to its end (exit code {done.returncode}): {done.stdout}")
    return json.loads(last[0])


def report(runs: list[dict[str, Any]], pets: int, *, busy: bool = False) -> Report:
    """Put the runs together, and judge them by the bounds for so many pets, quiet or beside a busy core."""
    found = Report("grid", runs=len(runs))
    for name in runs[0]["ms"]:
        unit = "rows" if "moved" in name or "lost" in name else "ms"
        found.metrics[name] = Metric(unit, [value for one in runs for value in one["ms"][name]])
    for name in runs[0]["memory"]:
        found.metrics[f"memory: {name}"] = Metric("MiB", [one["memory"][name] for one in runs])
    for name, bound in (MANY_MS if pets >= MANY else FEW_MS).items():
        for one in [one for one in runs[0]["ms"] if one == name or (name == SORT and one.startswith(SORT))]:
            worst = statistics.median(max(run["ms"][one]) for run in runs)
            found.goals[f"{one}, {MEDIAN_OF_WORST}"] = Goal(bound[busy], worst)
    scrolls = [[value for name in SCROLLS for value in run["ms"][f"scroll: {name}"]] for run in runs]
    most = statistics.median(percentile(values, 0.99) for values in scrolls)
    found.goals["scroll: 99 % of repaints, median of the runs"] = Goal(SCROLL_MS[busy], most)
    for name, ratio in ratios(runs).items():
        found.ratios[name] = ratio
    for name in ("rows the current one moved on the screen", "current row lost"):
        found.goals[f"refresh of 1 %: {name}"] = Goal(0.0, max(found.metrics[f"refresh of 1 %: {name}"].values))
    for name, most in (MANY_MIB if pets >= MANY else FEW_MIB).items():
        taken = statistics.median(run["memory"][name] for run in runs)
        found.goals[f"memory: {name}, median of the runs, MiB"] = Goal(most, taken)
    return found


def ratios(runs: list[dict[str, Any]]) -> dict[str, float]:
    """Return how many times its limit each of these takes: 99 in 100 keys of the filter and repaints, the slowest sort,
    and a refresh's time and longest slice against the limit of a sort and of a repaint."""

    def middle(*names: str, share: float) -> float:
        found = [[value for name in one["ms"] if name.startswith(names) for value in one["ms"][name]] for one in runs]
        return statistics.median(percentile(values, share) for values in found)

    search, sort, paint = (middle(name, share=0.5) for name in (SEARCH, LIMIT_OF_SORT, SCROLL))
    return {
        f"{EXACT}, 99 % / numpy's search": middle(EXACT, share=0.99) / search,
        "slowest sort / numpy's sort": middle(SORT, share=1.0) / sort,
        "scroll, 99 % / a bare table's repaint": middle(*(f"scroll: {one}" for one in SCROLLS), share=0.99) / paint,
        f"{TOTAL} / numpy's sort": middle(TOTAL, share=1.0) / sort,
        f"{SLICE} / a bare table's repaint": middle(SLICE, share=1.0) / paint,
    }


def short(folder: Path, pets: int) -> Report:
    """Return what one run with so many pets shows, without the palette, a paste and the rest."""
    runs = [run(folder, pets, "short")]
    found = Report("grid", runs=1)
    found.ratios |= ratios(runs)
    return found


def main(argv: list[str]) -> int:
    """Measure, print, and return the exit code."""
    args = arguments(argv, "Filter, sort, scroll and refresh of a long list.", RUNS, PETS, MOST_RUNS)
    runs: list[dict[str, Any]] = []

    def so_far() -> Report:
        return report(runs, args.pets, busy=args.busy)

    with tempfile.TemporaryDirectory() as name, busy_core(args.busy):
        for number in rounds(args.runs, args.most, lambda: so_far().goals):
            say(f"run {number + 1}")
            runs.append(run(Path(name), args.pets))
    found = so_far()
    for name, metric in found.metrics.items():
        say(f"  {name:55}{percentile(metric.values, 0.5):9.1f}{max(metric.values):9.1f} {metric.unit}")
    return found.finish(one_line=args.json, busy=args.busy)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main(sys.argv[1:]))
