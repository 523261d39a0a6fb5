"""The way of one stock edit, from Enter to "sent", in the real window over the demo shop: counts, not times.

`sys.setprofile` counts in all threads, from the key's press until the window has shown the mark "sent" and the next
turn of its event loop is over:

- calls: how often a function that is defined below `petstore_desktop` is entered; a generator or coroutine that goes on
  is entered again.
- crossings: how often one thread wakes another: a command handed to the sync thread's loop, the event queue's bell.
- hops: the way leads from effect to effect. An effect is a command or event handed over, a Qt signal emitted, a
  statement of SQLite, bytes given to a socket; the way to it is the stack of our own functions, from where it leaves
  the stack of the last effect in the same thread. A hop is a step on that way from one of our files to another; `files`
  says how many the way leads through.

A person's next edit finds everything loaded, so the first edits are not counted. What moves from edit to edit (which
events share a turn, what is prepared meanwhile) is evened out by the median, which is what the goals are about.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench._busy import busy_core
from tests.bench._report import Goal, Metric, Report, arguments, say
from tests.bench._shops import NAME, clean_environment, command, connect, unlimited

RUNS = 3
PETS = 300
EDITS = 9
DEADLINE_S = 180
GOALS = {"crossings": 3, "hops": 85}
"""The answer is written into two files, the mirror and the history, which asks the journal what else may explain it:
that is 10 of the hops."""
CHILD = Path(__file__).with_name("_path_child.py")
Counts = dict[str, list[int]]


def run(pets: int, edits: int) -> Counts:
    """Start the program once and let it edit. Raises RuntimeError if it does not come to an end."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with unlimited(folder / "shop", pets) as shop:
            connect(shop, folder / "data")
            command(shop, folder / "data", "sync", NAME)
            env = clean_environment(folder, PETSTORE_API_KEY=shop.key)
            child = [sys.executable, str(CHILD), str(folder / "data"), NAME, str(edits)]
            done = subprocess.run(child, env=env, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    last = done.stdout.strip().splitlines()[-1:]
    if done.returncode or not last:
        raise RuntimeError(f"it did not come to its end (exit code {done.returncode}): {done.stdout}{done.stderr}")
    return json.loads(last[0])


def report(runs: list[Counts]) -> Report:
    """Put the runs together; each goal is about the median of all edits."""
    found = Report("path", runs=len(runs))
    for name in runs[0]:
        values = [value for one in runs for value in one[name]]
        found.metrics[name] = Metric(name, values)
        if name in GOALS:
            found.goals[name] = Goal(GOALS[name], statistics.median(values))
    return found


def main(argv: list[str]) -> int:
    """Measure, print, and return the exit code."""
    args = arguments(argv, "What a stock edit costs in calls, thread crossings and hops between files.", RUNS, PETS)
    runs: list[Counts] = []
    with busy_core(args.busy):
        for number in range(args.runs):
            runs.append(run(args.pets, EDITS))
            said = ", ".join(f"{statistics.median(values):,.0f} {name}" for name, values in runs[-1].items())
            say(f"{number + 1}/{args.runs}: {said}")
    return report(runs).finish(one_line=args.json, busy=args.busy)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main(sys.argv[1:]))
