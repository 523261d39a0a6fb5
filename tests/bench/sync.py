"""How long the window stands still while a shop arrives: the longest interval of a 1 ms timer in the GUI thread.

The real window, and a real demo shop without limits over a socket, in another process; each run begins with an empty
mirror. One more run says on stderr what was going on in the long intervals.
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

from tests.bench._report import Goal, Metric, Report, arguments, say
from tests.bench._shops import NAME, clean_environment, connect, unlimited
from tests.support.shop import Shop

RUNS = 5
PETS = 10_000
WORST_MS = 50.0
"""No interval may be longer."""
DEADLINE_S = 120
TOLD = 8
CHILD = Path(__file__).with_name("_sync_child.py")


def run(shop: Shop, folder: Path, pets: int, *more: str) -> dict[str, Any]:
    """Open an empty connection's window until all is there; return what it measured.

    Raises RuntimeError where not every pet came.
    """
    data = Path(tempfile.mkdtemp(dir=folder))
    connect(shop, data)
    env = clean_environment(folder, PETSTORE_API_KEY=shop.key)
    command = [sys.executable, str(CHILD), str(data), NAME, str(pets), *more]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    last = done.stdout.strip().splitlines()[-1:]
    if done.returncode or not last or not last[0].startswith("{"):
        raise RuntimeError(f"the pets did not come (exit code {done.returncode}): {done.stdout}{done.stderr}")
    found = json.loads(last[0])
    if found["pets"] != pets:
        raise RuntimeError(f"{found['pets']} pets came, {pets} should have")
    return found


def report(runs: Sequence[dict[str, Any]]) -> Report:
    """Put the runs together; the goal is about the worst interval of all of them."""
    found = Report("sync", runs=len(runs))
    worst = [max(one["gaps_ms"]) for one in runs]
    found.metrics["longest interval"] = Metric("ms", worst)
    # Where this is short and the interval long, another thread had the interpreter, or another program the processor.
    found.metrics["the window's own work in one interval"] = Metric("ms", [max(one["work_ms"]) for one in runs])
    found.metrics["99 % of intervals within"] = Metric("ms", [percentile(one["gaps_ms"], 0.99) for one in runs])
    found.metrics["middle interval"] = Metric("ms", [statistics.median(one["gaps_ms"]) for one in runs])
    found.metrics["first paint to all pets"] = Metric("s", [one["took_s"] for one in runs])
    found.goals["longest interval"] = Goal(WORST_MS, max(worst))
    return found


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least this share of them does not exceed."""
    return sorted(values)[max(0, math.ceil(len(values) * share) - 1)]


def culprits(said: Sequence[str]) -> list[str]:
    """Return what went on in the long intervals, most frequent first."""
    return [f"{count} x {what}" for what, count in Counter(said).most_common(TOLD)]


def main(argv: list[str]) -> int:
    """Measure, print, and return the exit code."""
    args = arguments(argv, "The window's longest standstill while pets arrive.", RUNS, PETS)
    runs: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        say(f"Starting a demo shop with {args.pets} pets")
        with unlimited(folder / "shop", args.pets) as shop:
            run(shop, folder, args.pets)  # compiles, and warms up the disk cache; not counted
            for number in range(args.runs):
                runs.append(run(shop, folder, args.pets))
                say(f"{number + 1}/{args.runs}: longest interval {max(runs[-1]['gaps_ms']):.1f} ms")
            watched = run(shop, folder, args.pets, "explain")
    for line in culprits(watched["long"]):
        say(f"  {line}")
    return report(runs).finish(one_line=args.json)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
