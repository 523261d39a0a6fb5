"""How well the tests watch what never loses, doubles or bans: of small changes (mutants) there, most must fail a test.

mutmut makes them and asks the tests of the same part, in a copy of the checkout. A sampled run takes some of each part
by chance, at least LEAST of them; --only names one part. What no test notices is listed: to be read, since some mutants
are the same program in other words.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tests.long._running import NOT_RUN, Run, most_likely, run_from, say

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("petstore_desktop", "tests", "packaging", "resources", "pyproject.toml", "README.md")
AS_SAMPLED = 10
"""So many mutants of a part are judged at once in a sampled run,"""
LEAST = 10
"""and so many at least, however long that takes: of none, anything could be said."""


@dataclass(frozen=True, slots=True)
class Part:
    """Modules, the tests that are asked about them, and how many of its mutants these must find at least."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    killed: float


PARTS = {
    "gate": Part(
        ("api/gate/*.py", "api/headers/limit_headers.py", "api/headers/header_values.py"),
        ("api/gate", "api/gate_machine", "api/headers"),
        0.70,
    ),
    "send": Part(
        ("sync/send/*.py",),
        ("sync/send", "sync/test_unsure_writes.py", "sync/test_wrong_answers.py", "sync/test_whole_writes.py"),
        0.30,  # sender and writer are asked by sessions, which take too long to be asked here
    ),
    "price": Part(
        ("sync/price/price.py", "sync/shared/send_schedule.py", "sync/price/dry_run.py", "sync/price/alike.py"),
        ("sync/price", "sync/test_pricing.py"),
        0.70,
    ),
    "journal": Part(("store/journal/*.py",), ("store/journal",), 0.70),
    "table": Part(("desk/table/*.py",), ("desk/table", "desk/test_joins.py", "desk/test_bulk_load.py"), 0.60),
    "edit": Part(("desk/edit/*.py",), ("desk/edit", "desk/test_text_ids.py"), 0.60),
}


def config_of(part: Part) -> str:
    """What mutmut is told, in the words of its own manual."""
    modules = [f"petstore_desktop/{one}" for one in part.modules]
    tests = [f"tests/{one}" for one in part.tests]
    return f"""
[tool.mutmut]
source_paths = ["petstore_desktop"]
only_mutate = {modules}
also_copy = ["packaging", "resources", "README.md"]
pytest_add_cli_args = ["-p", "no:cacheprovider"]
timeout_multiplier = 4.0
pytest_add_cli_args_test_selection = {tests}
"""


class Judge:
    """A copy of the checkout in which mutmut judges mutants of one part."""

    def __init__(self, folder: Path, part: Part, checkout: Path = ROOT) -> None:
        self._folder = folder
        for source in (checkout / name for name in COPIED):
            if source.is_dir():
                shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("__pycache__"))
            elif source.is_file():
                shutil.copy(source, folder)
        with (folder / "pyproject.toml").open("a", encoding="utf-8") as config:
            config.write(config_of(part))

    def names(self) -> list[str]:
        """All mutants there are."""
        self._mutmut("run", "no.such.mutant")  # makes them, and finds none to judge
        return sorted(self._results())

    def judge(self, names: list[str]) -> dict[str, str]:
        """What became of each: killed, survived, timeout, no tests and so on. Raises RuntimeError where the tests fail
        on the program as it is."""
        said = self._mutmut("run", *names)
        found = self._results()
        if any(found.get(name, "not checked") == "not checked" for name in names):
            raise RuntimeError(f"not every mutant was judged:\n{said[-4000:]}")
        return {name: found[name] for name in names}

    def _results(self) -> dict[str, str]:
        lines = (line.partition(": ") for line in self._mutmut("results", "--all", "true").splitlines())
        return {name.strip(): end.strip() for name, _, end in lines if "__mutmut_" in name}

    def _mutmut(self, *arguments: str) -> str:
        command = [sys.executable, "-m", "mutmut", *arguments]
        done = subprocess.run(command, cwd=self._folder, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr


def main(argv: list[str]) -> int:
    """Return 0 where the tests find as many mutants of each part as they should."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--only", choices=PARTS)
    options, rest = parser.parse_known_args(argv)
    run = run_from(rest, "mutants")
    if find_spec("mutmut") is None:
        say("mutants: not run: mutmut needs Linux and Python before 3.13")
        return NOT_RUN
    chosen = [options.only] if options.only else list(PARTS)
    first = run.seed % len(chosen)
    failed: list[str] = []
    for count, name in enumerate((*chosen[first:], *chosen[:first])):
        if count and not run.goes_on():
            say(f"{name}: not reached in time")
        elif not holds(name, run, (run.ends - time.monotonic()) / (len(chosen) - count)):
            failed.append(name)
    if failed:
        say(f"too few mutants are found in {', '.join(failed)}; repeat it with: --seed {run.seed}")
    return int(bool(failed))


def holds(name: str, run: Run, seconds: float) -> bool:
    """Judge mutants of one part, for about so long in a sampled run, and say what was found."""
    part, ends = PARTS[name], time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        judge = Judge(Path(folder), part)
        coming = judge.names()
        random.Random(run.seed).shuffle(coming)
        total, found = len(coming), dict[str, str]()
        while coming and (run.full or len(found) < LEAST or time.monotonic() < ends):
            count = len(coming) if run.full else AS_SAMPLED
            found |= judge.judge(coming[:count])
            del coming[:count]
    killed = sum(end in ("killed", "timeout", "caught by type check") for end in found.values())
    say(f"{name}: {killed} of {len(found)} mutants are found ({total} there are)")
    for mutant in sorted(mutant for mutant, end in found.items() if end in ("survived", "no tests")):
        say(f"  {found[mutant]}: {mutant}")
    return most_likely(killed, len(found)) >= part.killed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
