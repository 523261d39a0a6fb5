"""From the start of the process to the first paint that holds data rows: against a bare window, and against DB Browser
for SQLite on the same pets.

A known connection, its list of pets in the mirror, and left sorted by stock and filtered; pairs in turn, so that a busy
machine slows both. Against the bare window each says itself when it has painted. Against DB Browser both are watched on
one screen (`_eye`), under xcb: there a start ends when the rows stand as they then stay. DB Browser sorts and filters
nothing. The parts come from runs of their own, memory from others.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench._busy import busy_core
from tests.bench._report import Goal, Metric, Report, arguments, say
from tests.bench._rival import OURS, THEIRS, Compared, compare, missing
from tests.bench._rounds import rounds
from tests.bench._shops import NAME, clean_environment, known_connection

PAIRS, MOST_PAIRS = 15, 30
PETS = 100_000
EXPLAINED = MEMORIES = 5
AGAINST = 1.1
"""The program may take so many times what DB Browser takes."""
MEMORY_RATIO, FEW = 1.3, 200_000
"""And so many times its memory, up to so many pets,"""
MEMORY_MIB = 400.0
"""and so much with more."""
RATIO = 2.2
"""The program may take so many times what a bare window takes."""
DEADLINE_S = 60
CHILD = Path(__file__).with_name("_first_rows.py")


def start(env: dict[str, str], *args: str) -> tuple[float, dict[str, Any]]:
    """Return the seconds from the spawn to the paint, and what the child said.

    Raises RuntimeError if nothing was painted.
    """
    command = [sys.executable, str(CHILD), *args]
    spawned = time.perf_counter()
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    last = done.stdout.strip().splitlines()[-1:]
    if done.returncode or not last or not last[0].startswith("{"):
        raise RuntimeError(f"nothing was painted (exit code {done.returncode}): {done.stdout}{done.stderr}")
    said = json.loads(last[0])
    return said["painted"] - spawned, said | {"spawned": spawned}


def start_to_leave(env: dict[str, str], program: tuple[str, ...]) -> None:
    """Have the program left with a sort and a filter. Raises RuntimeError where that fails."""
    command = [sys.executable, str(CHILD), "leave", *program]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the program could not be left: {done.stdout}{done.stderr}")


def measured(env: dict[str, str], program: tuple[str, ...], least: int, most: int) -> tuple[list[float], list[float]]:
    """Return the seconds of the bare window and of the program, pair by pair; the order within a pair alternates."""
    both: dict[str, list[float]] = {"bare": [], "program": []}

    def once(number: int) -> dict[str, float]:
        kinds = ["bare", "program"] if number % 2 else ["program", "bare"]
        return {kind: start(env, kind, *(program if kind == "program" else ()))[0] for kind in kinds}

    if most > 1:
        once(-1)  # compiles, and warms up the disk cache; it is not counted
    for number in rounds(least, most, lambda: report(both["bare"], both["program"], {}).goals):
        took = once(number)
        for kind, seconds in took.items():
            both[kind].append(seconds)
        say(f"pair {number + 1}: bare {took['bare'] * 1000:.0f} ms, program {took['program'] * 1000:.0f} ms")
    return both["bare"], both["program"]


def explained(env: dict[str, str], program: tuple[str, ...], runs: int) -> dict[str, Metric]:
    """Return what the time of a start goes into."""
    parts: dict[str, list[float]] = {}
    modules: list[float] = []
    for _ in range(runs):
        _, said = start(env, "explain", *program)
        found = {"interpreter": said["began"] - said["spawned"], **said["parts"]}
        modules.append(said["modules"])
        for name, seconds in found.items():
            parts.setdefault(name, []).append(seconds * 1000)
    metrics = {f"part: {name}": Metric("ms", values) for name, values in parts.items()}
    return metrics | {"modules of ours": Metric("modules", modules)}


def against(both: Compared) -> dict[str, Goal]:
    """Return the goal that the pairs of starts on one screen go on for."""
    return {f"start: {OURS} / {THEIRS}": Goal(AGAINST, both.ratio(both.seconds))}


def judge(found: Report, both: Compared, pets: int) -> None:
    """Add what was seen of the two on one screen."""
    for kind in (OURS, THEIRS):
        found.metrics[f"{kind} on the screen"] = Metric("ms", [seconds * 1000 for seconds in both.seconds[kind]])
        found.metrics[f"{kind} memory"] = Metric("MiB", both.memory[kind])
    memory = both.ratio(both.memory)
    found.ratios |= {f"start: {OURS} / {THEIRS}": both.ratio(both.seconds), f"memory: {OURS} / {THEIRS}": memory}
    found.goals |= against(both)
    if pets <= FEW:
        found.goals[f"memory: {OURS} / {THEIRS}"] = Goal(MEMORY_RATIO, memory)
    else:
        found.goals[f"{OURS} memory, MiB"] = Goal(MEMORY_MIB, statistics.median(both.memory[OURS]))


def report(bare: list[float], program: list[float], parts: dict[str, Metric]) -> Report:
    """Put the figures (seconds) together."""
    ratio = statistics.median(program) / statistics.median(bare)
    found = Report("startup", runs=len(program))
    found.metrics["bare window"] = Metric("ms", [seconds * 1000 for seconds in bare])
    found.metrics["program with rows"] = Metric("ms", [seconds * 1000 for seconds in program])
    found.metrics |= parts
    found.ratios["program / bare window"] = ratio
    found.goals["program / bare window"] = Goal(RATIO, ratio)
    return found


def short(folder: Path, pets: int, pairs: int) -> Report:
    """Return what so many pairs of starts show, against a bare window alone."""
    data = known_connection(folder, pets)
    program = ("--data-dir", str(data), "--connection", NAME)
    env = clean_environment(folder)
    start_to_leave(env, program)
    return report(*measured(env, program, pairs, pairs), {})


def main(argv: list[str]) -> int:
    """Measure, print, and return the exit code."""
    alone = "against a bare window only, not against DB Browser"
    args = arguments(argv, "Start to first rows, against others.", PAIRS, PETS, MOST_PAIRS, alone=alone)
    absent = [] if args.alone else missing()
    if absent:
        say(f"Not compared with DB Browser: install {' and '.join(absent)}")
    both: Compared | None = None

    def pairs(so_far: Compared) -> Iterator[int]:
        return rounds(args.runs, args.most, lambda: against(so_far))

    with tempfile.TemporaryDirectory() as folder:
        say(f"Filling a mirror with {args.pets} pets")
        data = known_connection(Path(folder), args.pets)
        program = ("--data-dir", str(data), "--connection", NAME)
        env = clean_environment(Path(folder))
        start_to_leave(env, program)
        with busy_core(args.busy):
            bare, whole = measured(env, program, args.runs, args.most)
            parts = explained(env, program, min(EXPLAINED, args.runs))
            if not absent and not args.alone:
                both = compare(env, data, Path(folder), pairs, min(MEMORIES, args.runs))
    for name, metric in parts.items():
        say(f"  {name:40}{statistics.median(metric.values):8.1f} {metric.unit}")
    found = report(bare, whole, parts)
    if both is not None:
        judge(found, both, args.pets)
    say(f"{found.ratios['program / bare window']:.2f} x a bare window, at most {RATIO}")
    return found.finish(one_line=args.json, busy=args.busy)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
