"""Does one piece of work in a process of its own, and says how it ended, with how much memory, in how much time.

python -m tests.support.bomb_child KIND PATH URL STOP [MODULE:BOUND=VALUE ...]

Of documents, PATH may be a folder: each file in it is read, one after the other. Of a table, the reading is given up at
the call of its progress with the number STOP, unless that is 0. An endless list
is read from the service at URL into the folder PATH: given up once, and then again and again until STOP times it was
left. Bounds are changed before the work, to see that without them it is found out.
"""

from __future__ import annotations

import gc
import importlib
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from petstore_desktop.clock import SystemClock
from petstore_desktop.contract.binding.load import load_file
from petstore_desktop.contract.cache import to_json
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.commands import CancelLoad, Refresh
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import Resource
from petstore_desktop.domain.sheets import SheetOptions
from petstore_desktop.exchange.reading import read_sheet
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.session.session import Session
from petstore_desktop.sync.wire.events import LoadEnded, LoadFailed, LoadMoved

ROOT = Path(__file__).resolve().parents[2]
MOST_MEMORY = 500 * 1024 * 1024
MOST_SECONDS = 10.0
STILL_S = 1.0
MOST_KEPT = 300_000
"""Letters of what is kept, or said, of a document, however large it is."""


@dataclass(frozen=True)
class Blown:
    """How it went.

    `code` of the refusal, empty where there was none, with its `kind` and `params`; `kept`: letters of what is kept of
    a document, with what is said of it; `memory`: bytes at most; `seconds`
    of processor time; `still`: so many of them in which no other thread had a turn, at most; `told`: how often the work
    asked whether to go on.
    """

    code: str
    memory: int
    seconds: float
    still: float
    told: int
    kind: str = ""
    kept: int = 0
    params: dict[str, object] = field(default_factory=dict)


GIVEN_UP = "cancelled"


def blow(
    kind: str, path: Path, *, url: str = "", stop: int = 0, bounds: tuple[str, ...] = (), most: float = 110
) -> Blown:
    """Do the work in a process of its own; subprocess.TimeoutExpired after `most` seconds."""
    (blown,) = _blown([kind, str(path), url, str(stop), *bounds], most).values()
    return blown


def blow_each(kind: str, folder: Path, *, most: float = 110) -> dict[str, Blown]:
    """Read each document, or each table, of a folder in one process; by the files' names."""
    return _blown([kind, str(folder), "", "0"], most)


def _blown(arguments: list[str], most: float) -> dict[str, Blown]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.bomb_child", *arguments],
        cwd=ROOT, capture_output=True, text=True, timeout=most, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{arguments}: status {done.returncode}: {done.stderr[-2000:]}")
    return {name: Blown(**said) for name, said in json.loads(done.stdout).items()}


def _forget_peak() -> None:
    """From now on the peak is that of what comes (proc(5), clear_refs)."""
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _peak() -> int:
    """Bytes of memory at most so far. What `getrusage` says would hold that of whoever started this."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("the memory cannot be measured here")


class _Pulse(threading.Thread):
    """Another thread, as the window's is."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.still = 0.0
        self.over = threading.Event()

    def run(self) -> None:
        last = time.process_time()
        while not self.over.wait(0.01):
            now = time.process_time()
            self.still = max(self.still, now - last)
            last = now


class _GivenUp(Exception):
    """A person has seen enough."""


class _Work:
    """What is done, how often it asked whether to go on, and with what code it ended."""

    def __init__(self, path: Path, url: str, stop: int) -> None:
        self._path, self._url, self._stop = path, url, stop
        self.told = self.kept = 0
        self.error = ShopError("")

    def run(self, kind: str) -> None:
        works: dict[str, Callable[[], object]] = {
            "table": lambda: read_sheet(self._path, SheetOptions(), self._hear),
            "document": self._bind,
            "endless": self._read_without_end,
        }
        try:
            works[kind]()
        except ShopError as error:
            self.error = error
        except _GivenUp:
            self.error = ShopError(GIVEN_UP)

    def _bind(self) -> None:
        contract = load_file(str(self._path))
        said = len(repr(contract.survey)) if contract.survey is not None else 0
        self.kept = len(to_json(contract)) + said

    def _hear(self, _: int) -> None:
        self.told += 1
        if self.told == self._stop:
            raise _GivenUp

    def _read_without_end(self) -> None:
        """Give the list up when it moves; then read it until it was left so often. The last error is raised."""
        session = Session(Places(self._path), ShopConnection("Shop", "shop", self._url), SystemClock(), self._service)
        session.start()
        cancelled, errors = False, list[ShopError]()
        while len(errors) < self._stop:
            if not session.events.wait(60.0):
                raise RuntimeError(f"nothing was told for a minute; cancelled: {cancelled}; {errors}")
            for event in session.events.drain(1.0):
                if isinstance(event, LoadMoved) and not cancelled and event.resource is Resource.PETS:
                    session.submit(CancelLoad(Resource.PETS))
                elif isinstance(event, LoadEnded) and event.resource is Resource.PETS:
                    cancelled = event.cancelled
                    session.submit(Refresh((Resource.PETS,)))
                elif isinstance(event, LoadFailed) and event.resource is Resource.PETS:
                    errors.append(event.error)
                    session.submit(Refresh((Resource.PETS,)))
        self.told = int(cancelled)
        if not session.close():
            raise RuntimeError("the session did not end")
        raise errors[-1]

    def _service(self) -> tuple[str, str]:
        return self._url, "some-key"


def _set(bound: str) -> None:
    where, value = bound.split("=")
    module, name = where.split(":")
    there = importlib.import_module(module)
    if not hasattr(there, name):
        raise AttributeError(f"there is no {where}")
    setattr(there, name, int(value))


def main(kind: str, path: str, url: str, stop: str, *bounds: str) -> None:
    """Work, and print how it went."""
    for bound in bounds:
        _set(bound)
    gc.disable()  # as the program does
    given = Path(path)
    if kind != "endless" and given.is_dir():
        found = {one.name: _how(kind, _Work(one, url, int(stop)), fresh=True) for one in sorted(given.iterdir())}
    else:
        found = {given.name: _how(kind, _Work(given, url, int(stop)))}
    json.dump({name: asdict(blown) for name, blown in found.items()}, sys.stdout, default=str)


def _how(kind: str, work: _Work, *, fresh: bool = False) -> Blown:
    if fresh:
        _forget_peak()
    pulse = _Pulse()
    pulse.start()
    began = time.process_time()
    work.run(kind)
    seconds = time.process_time() - began
    pulse.over.set()
    pulse.join()
    error = work.error
    said = work.kept or len(repr(error.params))
    return Blown(error.code, _peak(), seconds, pulse.still, work.told, type(error).__name__, said, error.params)


if __name__ == "__main__":
    main(*sys.argv[1:])
