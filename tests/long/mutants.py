"""How well the tests watch the gate: each mutant of its modules must make one of them fail.

The tests run on a copy of the package, in a process of their own for each mutant, and stop at the first that fails.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.long._equivalent import EQUIVALENT, Same
from tests.long._mutate import Mutant, mutants
from tests.long._running import Run, run_from, say

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "petstore_desktop/api"
MODULES = {
    "back_off": "test_back_off.py",
    "gate": "test_gate.py",
    "gate_answers": "test_gate.py",
    "gate_memory": "test_gate_memory.py",
    "gate_model": "test_gate.py",
    "gate_order": "test_gate_order.py",
    "gate_statements": "test_gate_statements.py",
    "gate_view": "test_gate_view.py",
    "gate_windows": "test_gate_windows.py",
    "limit_headers": "test_limit_headers.py",
    "moments": "test_limit_headers.py",
}
"""The modules, each with the tests that are asked first."""

THEN = [
    "test_back_off.py", "test_gate.py", "test_gate_keys.py", "test_gate_order.py", "test_gate_windows.py",
    "test_gate_statements.py", "test_gate_memory.py", "test_gate_view.py", "test_limit_headers.py",
    "test_limit_headers_fuzz.py", "test_admission.py", "test_gate_pace.py", "test_gate_machine.py",
]  # fmt: skip
NOT_ASKED = "not is_found_out and not finds_no_way and not would_find"
"""Tests that take rules away from the gate themselves, and those that say the same again."""

LEAST_KILLED, MOST_EQUIVALENT = 0.95, 0.03
DEADLINE_S = 120.0
"""A mutant that runs this long runs for ever, and is found out."""


@dataclass(slots=True)
class Tally:
    """What became of the mutants."""

    ends: Counter[str] = field(default_factory=Counter)
    survivors: list[str] = field(default_factory=list)

    def killed(self) -> float:
        """The share found out, of those that change anything."""
        judged = self.ends.total() - self.ends["equivalent"]
        return (self.ends["killed"] + self.ends["ran for ever"]) / judged if judged else 1.0


def main(argv: list[str]) -> int:
    """Return 0 if at least 95 % of the mutants were killed and at most 3 % are said to be equivalent."""
    run = run_from(argv, "mutants")
    found = [(module, mutant) for module in MODULES for mutant in mutants(_source(module))]
    stale = [same for same in EQUIVALENT if not any(_is(same, module, mutant) for module, mutant in found)]
    for same in stale:
        say(f"no such mutant any more: {same.module}: {same.text}: {same.what}")
    if not run.full:
        random.Random(run.seed).shuffle(found)
    with tempfile.TemporaryDirectory() as folder:
        place = copy_of_the_package(Path(folder))
        if found_out(place, "gate") is not None:
            say("the tests fail on what is no mutant")
            return 1
        tally = _judge(place, found, run)
    share = sum(any(_is(same, module, mutant) for same in EQUIVALENT) for module, mutant in found) / len(found)
    counts = ", ".join(f"{count} {end}" for end, count in tally.ends.most_common())
    say(f"{tally.ends.total()} of {len(found)} mutants: {counts}")
    say(
        f"{tally.killed():.1%} killed (goal {LEAST_KILLED:.0%}); {share:.1%} equivalent (at most {MOST_EQUIVALENT:.0%})"
    )
    return int(tally.killed() < LEAST_KILLED or share > MOST_EQUIVALENT or bool(stale))


def _judge(place: Path, found: list[tuple[str, Mutant]], run: Run) -> Tally:
    tally = Tally()
    for module, mutant in found:
        if not run.goes_on():
            break
        if any(_is(same, module, mutant) for same in EQUIVALENT):
            tally.ends["equivalent"] += 1
            continue
        file = place / FOLDER / f"{module}.py"
        file.write_text(mutant.source, "utf-8")
        end = found_out(place, module)
        shutil.copyfile(ROOT / FOLDER / f"{module}.py", file)
        tally.ends[end or "survived"] += 1
        if end is None:
            say(f"survived: {FOLDER}/{module}.py:{mutant.line}: {mutant.what}: {mutant.text}")
    return tally


def found_out(place: Path, module: str) -> str | None:
    """How the tests found the mutant out; None where they did not."""
    files = dict.fromkeys([MODULES[module], *THEN])
    tests = [f"tests/api/{name}" for name in files if (place / "tests" / "api" / name).is_file()]
    options = ["-x", "-q", "-k", NOT_ASKED, "-c", "mutants.ini", "--noconftest", "-p", "no:cacheprovider"]
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", *options, *tests]
    try:
        done = subprocess.run(command, cwd=place, env=env, capture_output=True, check=False, timeout=DEADLINE_S)
    except subprocess.TimeoutExpired:
        return "ran for ever"
    return "killed" if done.returncode else None


def copy_of_the_package(folder: Path) -> Path:
    """What the tests of the gate need, and nothing else that is on this machine."""
    ignored = shutil.ignore_patterns("__pycache__", "_resources", "bench", "ui", "program")
    shutil.copytree(
        ROOT / "petstore_desktop", folder / "petstore_desktop", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=ignored)
    (folder / "mutants.ini").write_text("[pytest]\npythonpath = .\naddopts = --import-mode=importlib\n", "utf-8")
    return folder


def _source(module: str) -> str:
    return (ROOT / FOLDER / f"{module}.py").read_text("utf-8")


def _is(same: Same, module: str, mutant: Mutant) -> bool:
    return (same.module, same.text, same.what) == (module, mutant.text, mutant.what)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
