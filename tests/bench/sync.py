"""How long a shop takes to arrive, against a bare loop over the same pages (_bare_loop.py) in the same run; and how
long the window stands still meanwhile, and while all of it is refreshed: the longest interval of a 1 ms timer in the
GUI thread.

The real window, and a real demo shop without limits over a socket, in another process, which gives pages of 500; and
the same lists as one body each. Each run begins with an empty mirror, and reads all once more when it is filled. One
more run says on stderr what was going on in the long intervals. The bounds are the same for 100,000 and for 1,000,000
pets; judged is the median of the runs' worst intervals.
"""

from __future__ import annotations

import json
import math
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.bench._busy import busy_core
from tests.bench._report import MEDIAN_OF_WORST, Goal, Metric, Report, arguments, say
from tests.bench._rounds import rounds
from tests.bench._shops import NAME, clean_environment, connect, unlimited
from tests.bench._whole_shop import bodies, serving
from tests.support.shop import Shop

RUNS, MOST_RUNS = 3, 9
PETS = 100_000
FILLING, REFRESHING = 1.6, 1.4
"""All lists may take so many times what the bare loop takes to read and write them, and to read them again."""
FILLING_MS = 50.0
"""No interval may be longer while the shop arrives,"""
WORST_MS = (40.0, 80.0)
"""and none while all is refreshed, where nothing else runs and beside a busy core."""
MOST_MS = (12.0, 24.0)
"""So long may 99 in 100 of these be."""
MANY = 300_000
"""With so many pets a run takes minutes: none is made that is not counted."""
DEADLINE_S, MORE_S = 400, 0.002
"""Seconds until a run is given up, and so many more for each pet."""
PAGES, BODY = "pages of 500", "one body"
TOLD = 8
CHILD = Path(__file__).with_name("_sync_child.py")
BARE = Path(__file__).with_name("_bare_loop.py")


def run(shop: Shop, folder: Path, pets: int, *more: str, url: str | None = None) -> dict[str, Any]:
    """Open an empty connection's window until all is there, and read it once more; return what it measured.

    Raises RuntimeError where not every pet came.
    """
    data = Path(tempfile.mkdtemp(dir=folder))
    connect(shop, data, url)
    env = clean_environment(folder, PETSTORE_API_KEY=shop.key)
    command = [sys.executable, str(CHILD), str(data), NAME, str(pets), *more]
    deadline = DEADLINE_S + MORE_S * pets
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=deadline, check=False)
    last = done.stdout.strip().splitlines()[-1:]
    if done.returncode or not last or not last[0].startswith("{"):
        raise RuntimeError(f"the pets did not come (exit code {done.returncode}): {done.stdout}{done.stderr}")
    found = json.loads(last[0])
    if found["pets"] != pets:
        raise RuntimeError(f"{found['pets']} pets came, {pets} should have")
    return found


def bare_loop(shop: Shop, folder: Path) -> dict[str, Any]:
    """Return what the least took: reading all pages with nothing around it. Raises CalledProcessError if it fails."""
    place = tempfile.mkdtemp(dir=folder)
    command = [sys.executable, str(BARE), shop.url, shop.key, place]
    env = clean_environment(folder)
    return json.loads(subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True).stdout)


def report(runs: Sequence[dict[str, Any]], bare: Sequence[dict[str, Any]]) -> Report:
    """Put the runs and the bare loops beside them together; the goals are about their ratio and the longest interval of
    each run."""
    found = Report("sync", runs=len(runs))
    middle = {name: statistics.median(one[name] for one in bare) for name in bare[0]}
    page_ms = 1000 * middle["took_s"] / middle["pages"]
    ratios = {
        "all read / bare loop": ("all_s", middle["took_s"], FILLING),
        "all read again / bare loop": ("reread_s", middle["again_s"], REFRESHING),
    }
    for name, (mine, least, most) in ratios.items():
        found.ratios[name] = statistics.median(one[mine] for one in runs) / least
        found.goals[name] = Goal(most, found.ratios[name])
    for name, seen in (("longest interval", "gaps_ms"), ("longest interval of a refresh", "again_ms")):
        found.ratios[f"{name} / page of the bare loop"] = statistics.median(max(one[seen]) for one in runs) / page_ms
    found.metrics["bare loop"] = Metric("s", [one["took_s"] for one in bare])
    found.metrics["bare loop again, nothing written"] = Metric("s", [one["again_s"] for one in bare])
    found.metrics["first paint to all lists"] = Metric("s", [one["all_s"] for one in runs])
    found.metrics["all lists again"] = Metric("s", [one["reread_s"] for one in runs])
    worst = [max(one["gaps_ms"]) for one in runs]
    found.metrics["longest interval"] = Metric("ms", worst)
    # Where this is short and the interval long, another thread had the interpreter, or another program the processor.
    found.metrics["the window's own work in one interval"] = Metric("ms", [max(one["work_ms"]) for one in runs])
    found.metrics["99 % of intervals within"] = Metric("ms", [percentile(one["gaps_ms"], 0.99) for one in runs])
    found.metrics["middle interval"] = Metric("ms", [statistics.median(one["gaps_ms"]) for one in runs])
    found.metrics["first paint to all pets"] = Metric("s", [one["took_s"] for one in runs])
    found.goals[f"longest interval, {MEDIAN_OF_WORST}"] = Goal(FILLING_MS, statistics.median(worst))
    return found


def judge(found: Report, way: str, runs: Sequence[dict[str, Any]], *, busy: bool = False) -> None:
    """Add what was seen while all was refreshed this way."""
    most = [percentile(one["again_ms"], 0.99) for one in runs]
    worst = [max(one["again_ms"]) for one in runs]
    found.metrics[f"refresh, {way}: longest interval"] = Metric("ms", worst)
    found.metrics[f"refresh, {way}: 99 % of intervals within"] = Metric("ms", most)
    longest = Goal(WORST_MS[busy], statistics.median(worst))
    found.goals[f"refresh, {way}: longest interval, {MEDIAN_OF_WORST}"] = longest
    within = Goal(MOST_MS[busy], statistics.median(most))
    found.goals[f"refresh, {way}: 99 % of intervals within, median of the runs"] = within


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least this share of them does not exceed."""
    return sorted(values)[max(0, math.ceil(len(values) * share) - 1)]


def culprits(said: Sequence[str]) -> list[str]:
    """Return what went on in the long intervals, most frequent first."""
    return [f"{count} x {what}" for what, count in Counter(said).most_common(TOLD)]


def short(folder: Path, pets: int) -> Report:
    """Return what one run with so many pets shows."""
    with unlimited(folder / "shop", pets) as shop:
        (pets,) = shop.rows("SELECT count(*) FROM pets")[0]
        bare = bare_loop(shop, folder)
        return report([run(shop, folder, pets)], [bare])


def main(argv: list[str]) -> int:
    """Measure, print, and return the exit code."""
    args = arguments(argv, "The window's longest standstill while pets arrive.", RUNS, PETS, MOST_RUNS)
    runs: dict[str, list[dict[str, Any]]] = {PAGES: [], BODY: []}
    bare: list[dict[str, Any]] = []

    def so_far() -> Report:
        found = report(runs[PAGES], bare)
        for way, seen in runs.items():
            judge(found, way, seen, busy=args.busy)
        return found

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        say(f"Starting a demo shop with {args.pets} pets")
        with unlimited(folder / "shop", args.pets) as shop:
            (pets,) = shop.rows("SELECT count(*) FROM pets")[0]
            answers = bodies(shop.db_path)
            whole = answers["/v1/pets"].count(b'"name"')
            if args.pets < MANY and args.most > 1:
                run(shop, folder, pets)  # compiles, and warms up the disk cache; not counted
            with serving(answers) as url, busy_core(args.busy):
                for number in rounds(args.runs, args.most, lambda: so_far().goals):
                    bare.append(bare_loop(shop, folder))
                    runs[PAGES].append(run(shop, folder, pets))
                    said = f"all read in {runs[PAGES][-1]['all_s']:.1f} s, the bare loop in {bare[-1]['took_s']:.1f} s"
                    say(f"run {number + 1}, {said}")
                    runs[BODY].append(run(shop, folder, whole, url=url))
                    for way, seen in runs.items():
                        told = f"{max(seen[-1]['gaps_ms']):.1f} ms, refreshed {max(seen[-1]['again_ms']):.1f} ms"
                        say(f"run {number + 1}, {way}: longest interval {told}")
            watched = run(shop, folder, pets, "explain")["long"] if args.pets < MANY else ()
    for line in culprits(watched):
        say(f"  {line}")
    return so_far().finish(one_line=args.json, busy=args.busy)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
