"""The grid at 100,000 and at 1,000,000 pets: what a person waits for in the real window.

Each run is a process of its own (`_grid_child.py`) whose rows arrive as the sync thread's events do; there is no
service and no disk in it. The figures say what they are made of: a key of the filter is the search and what the window
does with it, a sort its click and the rest in slices, a refresh its slices.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.bench._report import Goal, Metric, Report, arguments, say
from tests.bench._shops import clean_environment
from tests.bench.sync import percentile

RUNS = 3
PETS = 100_000
MANY = 300_000
"""From so many pets on, the bounds are those for a million."""
DEADLINE_S = 600
CHILD = Path(__file__).with_name("_grid_child.py")

SCREEN, EXACT = "filter: key to the first screen painted", "filter: key to the exact count"
GAP, SCROLLS = "sort: longest interval", ("page down", "wheel", "jump")
TOTAL, SLICE = "refresh of 1 %: GUI time in all", "refresh of 1 %: longest slice"
PALETTE, PASTE = "palette: key to all answers", "paste of 500 x 3 cells: key to the preview painted"
FEW_BOUNDS = {EXACT: 16.0, TOTAL: 50.0, SLICE: 16.0, PALETTE: 50.0, PASTE: 150.0}
MANY_BOUNDS = {SCREEN: 30.0, EXACT: 120.0, GAP: 50.0, SLICE: 16.0}
SORT_MS = (100.0, 1000.0)
SCROLL_MS = 10.0
MEMORY_MIB = 400.0


def run(folder: Path, pets: int) -> dict[str, Any]:
    """Return what one run has measured. Raises RuntimeError where it did not come to its end."""
    command = [sys.executable, str(CHILD), str(pets)]
    done = subprocess.run(
        command, env=clean_environment(folder), stdout=subprocess.PIPE, text=True, timeout=DEADLINE_S, check=False
    )
    last = done.stdout.strip().splitlines()[-1:]
    if done.returncode or not last or not last[0].startswith("{"):
        raise RuntimeError(f"it did not come to its end (exit code {done.returncode}): {done.stdout}")
    return json.loads(last[0])


def report(runs: list[dict[str, Any]], pets: int) -> Report:
    """Put the runs together: each figure is the worst of its run, or 99 % where that is what is asked."""
    found = Report("grid", runs=len(runs))
    many = pets >= MANY
    for name in runs[0]["ms"]:
        unit = "rows" if "moved" in name or "lost" in name else "ms"
        found.metrics[name] = Metric(unit, [value for one in runs for value in one["ms"][name]])
    for name in runs[0]["memory"]:
        found.metrics[f"memory: {name}"] = Metric("MiB", [one["memory"][name] for one in runs])
    for name, bound in (MANY_BOUNDS if many else FEW_BOUNDS).items():
        found.goals[f"{name}, worst"] = Goal(bound, max(found.metrics[name].values))
    for name in [name for name in runs[0]["ms"] if name.startswith("sort by ")]:
        found.goals[f"{name}, worst"] = Goal(SORT_MS[many], max(found.metrics[name].values))
    scrolls = [value for name in SCROLLS for value in found.metrics[f"scroll: {name}"].values]
    found.goals["scroll: 99 % of repaints"] = Goal(SCROLL_MS, percentile(scrolls, 0.99))
    for name in ("rows the current one moved on the screen", "current row lost"):
        found.goals[f"refresh of 1 %: {name}"] = Goal(0.0, max(found.metrics[f"refresh of 1 %: {name}"].values))
    if many:
        found.goals["memory: pets open"] = Goal(MEMORY_MIB, max(found.metrics["memory: pets open"].values))
    return found


def main(argv: list[str]) -> int:
    """Measure, print, and return the exit code."""
    args = arguments(argv, "Filter, sort, scroll and refresh of a long list.", RUNS, PETS)
    runs: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        for number in range(args.runs):
            say(f"{number + 1}/{args.runs}")
            runs.append(run(Path(name), args.pets))
    found = report(runs, args.pets)
    for name, metric in found.metrics.items():
        say(f"  {name:55}{percentile(metric.values, 0.5):9.1f}{max(metric.values):9.1f} {metric.unit}")
    return found.finish(one_line=args.json)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main(sys.argv[1:]))
