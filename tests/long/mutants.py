"""How well the tests watch the gate, its sharing, and the planner: each mutant of their modules must fail one of them.

The tests run on copies of the package, each mutant in a process of its own, and stop at the first that fails. What
found out a mutant of the same function is asked first, then the tests named for the module, then all the others.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

from tests.long._equivalent import EQUIVALENT, Same
from tests.long._forked import Answer, Judge
from tests.long._mutate import Mutant, changed, mutants
from tests.long._running import Run, most_likely, run_from, say

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "petstore_desktop"

WATCHED = {
    (
        "api/gate/answers.py", "api/gate/back_off.py", "api/gate/unauthorized.py", "api/gate/machine.py",
        "api/gate/m[eo]*.py", "api/gate/request_order.py", "api/gate/retries.py", "api/gate/view.py",
        "api/gate/limits/[a-z]*.py", "api/headers/limit_headers.py", "api/headers/header_values.py",
    ): (
        "api/gate/test_*.py", "api/gate/limits/test_*.py", "api/gate_machine/test_*.py", "api/headers/test_*.py",
    ),
    ("api/gate/registry.py",): ("api/gate/test_*.py",),
    ("sync/price/price.py", "sync/shared/send_schedule.py", "sync/price/dry_run.py"): (
        "sync/price/test_*.py", "sync/test_planner*.py", "sync/test_pricing.py",
    ),
}  # fmt: skip
"""Modules of the package, and the tests that are asked about them."""

NOT_ASKED = ["-k", "not is_found_out and not finds_no_way and not would_find"]
"""Tests that take rules away from the gate themselves, and those that say the same again."""

LEAST_KILLED, MOST_EQUIVALENT = 0.95, 0.03
LEAST_JUDGED = 100
"""A sample has at least so many, however long that takes: of none, anything could be said."""
JUDGES = 2
MOST_KNOWN = 4
"""So many tests that found out a neighbour are asked alone, before whole files."""


@dataclass(slots=True)
class Docket:
    """What is to be judged, and what has become of what was."""

    run: Run
    coming: Iterator[tuple[str, Mutant]]
    sources: dict[str, str]
    """The modules' texts, as they were when it began."""
    ends: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """By module."""
    found_by: defaultdict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))
    """By module and function, the last one first."""
    begun: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self) -> tuple[str, Mutant] | None:
        """The next mutant; None at the end of the time if the sample is large enough, and at the end of the mutants."""
        with self.lock:
            if self.begun >= LEAST_JUDGED and not self.run.goes_on():
                return None
            self.begun += 1
            return next(self.coming, None)

    def note(self, module: str, mutant: Mutant, answer: Answer | None) -> None:
        """Keep what became of a mutant; None is one that is known to change nothing."""
        with self.lock:
            end = "equivalent" if answer is None else END[answer.end]
            self.ends[module][end] += 1
            if answer is not None and answer.by:
                known = self.found_by[module, mutant.function]
                known[:] = [answer.by, *(test for test in known if test != answer.by)][:MOST_KNOWN]
        if end == "survived":
            say(f"survived: {PACKAGE}/{module}.py:{mutant.line}: {mutant.what}: {mutant.text}")


END = {"passed": "survived", "failed": "killed", "ran for ever": "ran for ever"}


def main(argv: list[str]) -> int:
    """Return 0 if at least 95 % of the mutants were killed and at most 3 % are said to be equivalent."""
    parser = argparse.ArgumentParser(prog="dev.py long mutants", add_help=False)
    parser.add_argument("--only", action="append", help="a module, such as api/gate/view; may be repeated")
    only, rest = parser.parse_known_args(argv)
    if not hasattr(os, "fork"):
        say("mutants: this needs a system on which a process can fork")
        return 2
    run = run_from(rest, "mutants")
    chosen = [module for module in modules() if not only.only or module in only.only]
    sources = {module: source_of(module) for module in chosen}
    found = [(module, mutant) for module, source in sources.items() for mutant in mutants(source)]
    stale = [same for same in EQUIVALENT if not any(_is(same, *mutant) for mutant in found) and same.module in chosen]
    for same in stale:
        say(f"no such mutant any more: {same.module}: {same.text}: {same.what}")
    if not run.full:
        random.Random(run.seed).shuffle(found)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as ending:
        judges = call_judges(Path(folder), chosen, ending)
        if judges is None:
            return 1
        docket = Docket(run, iter(found), sources)
        with ThreadPoolExecutor(len(judges)) as pool:
            list(pool.map(lambda judge: _judge(judge, docket), judges))
    return int(_tell(docket, found) or bool(stale))


def call_judges(folder: Path, chosen: list[str], ending: ExitStack) -> list[Judge] | None:
    """Judges who know how long each test takes; None where not even what is no mutant passes."""
    place = copy_of_the_package(folder / "1")
    first = ending.enter_context(closing(Judge(place)))
    before = Answer("passed")
    for tests in dict.fromkeys(tuple(asked(place, module)) for module in chosen):
        answer = first.ask([*NOT_ASKED, *tests], [])
        if answer.end != "passed":
            say(f"the tests fail on what is no mutant: {answer.by or answer.end}")
            return None
        before.lasted |= answer.lasted
        before.needed = list(dict.fromkeys([*before.needed, *answer.needed]))
    places = [folder / str(number) for number in range(2, JUDGES + 2)]
    for copied in places:
        shutil.copytree(place, copied)
    return [ending.enter_context(closing(Judge(copied, before))) for copied in places]


def _judge(judge: Judge, docket: Docket) -> None:
    while following := docket.next():
        module, mutant = following
        if any(_is(same, module, mutant) for same in EQUIVALENT):
            docket.note(module, mutant, None)
            continue
        file = judge.place / PACKAGE / f"{module}.py"
        file.write_text(changed(docket.sources[module], mutant), "utf-8")
        answer = found_out(judge, module, docket.found_by[module, mutant.function])
        file.write_text(docket.sources[module], "utf-8")
        docket.note(module, mutant, answer)


def found_out(judge: Judge, module: str, known: list[str]) -> Answer:
    """How the tests end on what stands at the judge's place, those first that are `known` to find such things out."""
    tests = asked(judge.place, module)
    own = [name for name in tests if Path(name).name.startswith(f"test_{Path(module).name}")]
    for group in (list(known), own, [name for name in tests if name not in own]):
        answer = judge.ask([*NOT_ASKED, *group], list(known)) if group else Answer("passed")
        if answer.end not in END:
            raise RuntimeError(f"{answer.end}: {group}")
        if answer.end != "passed":
            return answer
    return Answer("passed")


def _tell(docket: Docket, found: list[tuple[str, Mutant]]) -> bool:
    """Say the counts; return whether they are bad. Of a sample they are bad if chance alone hardly makes them so."""
    total: Counter[str] = Counter()
    for module, ends in sorted(docket.ends.items()):
        total += ends
        say(f"{module}: {', '.join(f'{count} {end}' for end, count in ends.most_common())}; {share(ends):.1%} killed")
    equivalent = sum(any(_is(same, *mutant) for same in EQUIVALENT) for mutant in found) / len(found)
    judged = total.total() - total["equivalent"]
    whole = total.total() == len(found)
    best = share(total) if whole else most_likely(judged - total["survived"], judged)
    bound = "" if whole else f" of the sample; with 99 % confidence at most {best:.1%} of all"
    say(f"{total.total()} of {len(found)} mutants: {', '.join(f'{count} {end}' for end, count in total.most_common())}")
    say(f"{share(total):.1%} killed{bound} (goal {LEAST_KILLED:.0%})")
    say(f"{equivalent:.1%} equivalent (at most {MOST_EQUIVALENT:.0%})")
    return best < LEAST_KILLED or equivalent > MOST_EQUIVALENT


def share(ends: Counter[str]) -> float:
    """The share found out, of those that change anything."""
    judged = ends.total() - ends["equivalent"]
    return (judged - ends["survived"]) / judged if judged else 1.0


def modules() -> list[str]:
    """Those that are watched, such as `api/gate/machine`."""
    files = (file for patterns in WATCHED for pattern in patterns for file in (ROOT / PACKAGE).glob(pattern))
    return sorted(file.relative_to(ROOT / PACKAGE).with_suffix("").as_posix() for file in files)


def asked(place: Path, module: str) -> list[str]:
    """The files of tests that are asked about a module."""
    matches = [tests for patterns, tests in WATCHED.items() if any(Path(f"{module}.py").match(p) for p in patterns)]
    files = (file for tests in matches for pattern in tests for file in (place / "tests").glob(pattern))
    return sorted(file.relative_to(place).as_posix() for file in files)


def copy_of_the_package(place: Path) -> Path:
    """What the tests need, and nothing else that is on this machine."""
    ignored = shutil.ignore_patterns("__pycache__", "_resources", "bench", "ui", "program")
    shutil.copytree(ROOT / PACKAGE, place / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests", place / "tests", ignore=ignored)
    shutil.copytree(ROOT / "resources" / "openapi", place / "resources" / "openapi")
    return place


def source_of(module: str) -> str:
    """The text of a module as it stands in the checkout."""
    return (ROOT / PACKAGE / f"{module}.py").read_text("utf-8")


def _is(same: Same, module: str, mutant: Mutant) -> bool:
    return (same.module, same.text, same.what) == (module, mutant.text, mutant.what)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
