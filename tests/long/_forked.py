"""Tests, asked over and over in forks of one process that has imported what is not ours: a question takes no start-up.

Runs as `python -m tests.long._forked` in a copy of the package, and never imports the package itself. One question a
line on stdin, one answer a line on stdout, both JSON. `Judge` is what asks.
"""

from __future__ import annotations

import compileall
import importlib
import importlib.util
import json
import os
import py_compile
import resource
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import hypothesis
import pytest

OURS = ("petstore_desktop", "tests")

MOST_CPU_S, TIMES_AS_LONG = 10.0, 4.0
"""A test that works this many seconds longer than so many times what it took before works for ever. What counts is the
processor's time, of which a busy computer does not make it need more."""
UNKNOWN_S = 15.0
"""What a test is taken to need that nobody has seen yet."""
MOST_QUIET_S = 120.0
"""One that has not ended after this long waits for ever."""
MOST_MEMORY = 4 << 30

KNOWN = "known.json"
OPTIONS = ["-x", "-q", "-c", "mutants.ini", "--noconftest", "-p", "no:cacheprovider"]
INI = "[pytest]\npythonpath = .\naddopts = --import-mode=importlib\n"


@dataclass(slots=True)
class Answer:
    """How the tests ended (`passed`, `failed`, `ran for ever`), which failed, and what a first question wants to know:
    how long each took (seconds), and what modules they needed that are not ours.
    """

    end: str
    by: str | None = None
    lasted: dict[str, float] = field(default_factory=dict)
    needed: list[str] = field(default_factory=list)


class Judge:
    """The process that judges the copy at `place`. Its tests are named from there; close it in the end."""

    def __init__(self, place: Path, before: Answer | None = None) -> None:
        """`before`: what the same tests said of the package as it is. Raises OSError where no process can be
        started."""
        known = Answer("passed") if before is None else before
        (place / KNOWN).write_text(json.dumps([known.needed, known.lasted]), "utf-8")
        (place / "mutants.ini").write_text(INI, "utf-8")
        # What is compiled is known by its whole text: two mutants of one second may be of one length.
        checked = py_compile.PycInvalidationMode.CHECKED_HASH
        compileall.compile_dir(place / OURS[0], quiet=2, invalidation_mode=checked)
        self.place = place
        env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-m", "tests.long._forked"]
        self._process = subprocess.Popen(
            command, cwd=place, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, tests: list[str], first: list[str]) -> Answer:
        """Run `tests`, those of `first` before all others and quick ones before slow, until one fails.

        Raises RuntimeError if the process has gone.
        """
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps([tests, first]) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process that judges has gone: {self._process.wait()}")
        return Answer(**json.loads(line))

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


# ---------------------------------------------------------------- in the process that forks


def serve() -> None:
    """Answer questions until there are no more. Raises RuntimeError where the package is not the copy."""
    found = importlib.util.find_spec("petstore_desktop")
    if found is None or not Path(found.origin or "").resolve().is_relative_to(Path.cwd()):
        raise RuntimeError(f"this would judge {found and found.origin}")
    needed, lasted = json.loads(Path(KNOWN).read_text("utf-8"))
    sys.dont_write_bytecode = bool(needed)  # the first question compiles the tests, and what follows changes modules
    hypothesis.settings.register_profile("mutants", deadline=None, derandomize=True, database=None)
    hypothesis.settings.load_profile("mutants")
    for name in needed:
        importlib.import_module(name)
    for line in sys.stdin:
        tests, first = json.loads(line)
        sys.stdout.write(json.dumps(_fork(tests, first, lasted)) + "\n")
        sys.stdout.flush()


def _fork(tests: list[str], first: list[str], lasted: dict[str, float]) -> dict[str, object]:
    hears, says = os.pipe()
    child = os.fork()  # house: platform - the long run of mutants, which asks first whether there is one
    if child == 0:
        try:
            _answer(tests, _Watcher(first, lasted, says), says)
        finally:
            os._exit(1)  # without whatever the process that forks has to do at its end
    os.close(says)
    said, quiet = _listen(hears)
    os.close(hears)
    if quiet:
        os.killpg(child, signal.SIGKILL)  # house: platform - it has forked
    _, status = os.waitpid(child, 0)
    if quiet or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return {"end": "ran for ever"}
    return json.loads(said) if said else {"end": "failed"}


def _listen(hears: int) -> tuple[bytes, bool]:
    """What the child says at last, and whether it fell silent before. A space says that a test begins."""
    said = b""
    while select.select([hears], [], [], MOST_QUIET_S)[0]:
        more = os.read(hears, 1 << 16)
        if not more:
            return said.strip(), False
        said += more
    return b"", True


# ---------------------------------------------------------------- in the fork


def _answer(tests: list[str], watcher: _Watcher, says: int) -> None:
    os.setpgid(0, 0)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    watcher.pytest_runtest_logstart("")
    end = pytest.main([*OPTIONS, *tests], plugins=[watcher])
    if end in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED):
        answer: dict[str, object] = {"end": f"not asked: {end.name}"}
    elif end is not pytest.ExitCode.OK:
        answer = {"end": "failed", "by": watcher.failed}
    else:
        answer = {"end": "passed", "lasted": watcher.lasted, "needed": _needed()}
    os.write(says, json.dumps(answer).encode())


class _Watcher:
    """Puts the tests in order, notes how long they take, and gives each its time."""

    def __init__(self, first: list[str], known: dict[str, float], says: int) -> None:
        self._known = known
        self._order = {**known, **{name: number - len(first) for number, name in enumerate(first)}}
        self._says = says
        self.failed: str | None = None
        self.lasted: Counter[str] = Counter()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: self._order.get(item.nodeid, UNKNOWN_S))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        os.write(self._says, b" ")
        most = int(time.process_time() + MOST_CPU_S + TIMES_AS_LONG * self._known.get(nodeid, UNKNOWN_S))
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.lasted[report.nodeid] += report.duration
        if report.failed:
            self.failed = report.nodeid


def _needed() -> list[str]:
    """What can be imported again that is not ours, in the order in which it was."""
    foreign = [(name, module) for name, module in sys.modules.items() if name.partition(".")[0] not in OURS]
    return [name for name, module in foreign if getattr(getattr(module, "__spec__", None), "origin", None)]


if __name__ == "__main__":
    serve()
