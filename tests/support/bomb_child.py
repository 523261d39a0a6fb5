"""Does one piece of work in a process of its own, and says how it ended, with how much memory, in how much time.

python -m tests.support.bomb_child KIND NAME FILE
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from petstore_desktop.contract.load import load_file
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.sheets import SheetWish
from petstore_desktop.exchange.reading import read_sheet

ROOT = Path(__file__).resolve().parents[2]
MOST_MEMORY = 500 * 1024 * 1024
MOST_SECONDS = 10.0
STILL_S = 1.0


@dataclass(frozen=True)
class Blown:
    """How it went. `code` of the refusal, empty where there was none; `memory`: bytes at most; `seconds` of processor
    time; `still`: seconds for which no other thread had a turn, at most; `told`: how often the work asked whether to go
    on."""

    code: str
    memory: int
    seconds: float
    still: float
    told: int


def blow(kind: str, path: Path) -> Blown:
    """Do the work in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.bomb_child", kind, str(path)],
        cwd=ROOT, capture_output=True, text=True, timeout=110, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{kind}: status {done.returncode}: {done.stderr[-2000:]}")
    return Blown(**json.loads(done.stdout))


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
        last = time.perf_counter()
        while not self.over.wait(0.01):
            now = time.perf_counter()
            self.still = max(self.still, now - last)
            last = now


def main(kind: str, path: Path) -> None:
    """Work, and print how it went."""
    told = 0

    def hear(_: int) -> None:
        nonlocal told
        told += 1

    works: dict[str, Callable[[], object]] = {
        "table": lambda: read_sheet(path, SheetWish(), hear),
        "document": lambda: load_file(str(path)),
    }
    pulse = _Pulse()
    pulse.start()
    began, code = time.process_time(), ""
    try:
        works[kind]()
    except ShopError as error:
        code = error.code
    seconds = time.process_time() - began
    pulse.over.set()
    pulse.join()
    json.dump(asdict(Blown(code, _peak(), seconds, pulse.still, told)), sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
