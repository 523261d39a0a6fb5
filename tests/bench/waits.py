"""Waits with a bound of their own that no other benchmark measures: in seconds, each against its bound.

F5 until the window shows that it was heard, a draft until it is in the journal, the price of many changes, a mirror
written and read whole, a large demo shop opened, a keyring that never answers, and a stop with a request on its way.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from petstore_desktop.credentials import BOUND_S
from petstore_desktop.domain.records import Pet, Resource, Row
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.store.mirror.reader import MirrorReader
from tests.bench._busy import busy_core
from tests.bench._report import Goal, Metric, Report, arguments, say
from tests.bench._shops import unlimited
from tests.program.running import Running, command, until
from tests.support.keyring_daemon import KeyringSession
from tests.support.priced_shop import sell, world
from tests.support.shop import ROOT, Shop

RUNS = 3
PETS = 100_000
CHANGES = 10_000
IN_WINDOW = 2_000
PAGE = 500
F5, DRAFT, PRICE = "F5 to its first sign", "last key to the draft kept", f"{CHANGES:,} changes priced"
WRITTEN, READ, OPENED = "mirror: written", "mirror: read", "demo shop: opened"
KEYRING, STOP = "a keyring that never answers", "a stop with a request on its way"
BOUNDS = {F5: 0.1, DRAFT: 1.0, PRICE: 0.1, WRITTEN: 20.0, READ: 2.0, OPENED: 10.0, KEYRING: BOUND_S + 0.5, STOP: 3.0}
"""In seconds. A stop waits two for what is on its way; the rest of it is the end of a process."""
Seconds = dict[str, float]


def lasts(work: Callable[[], object]) -> float:
    """Return how many seconds it takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def window(folder: Path) -> Seconds:
    """What a person waits for in the window, and its end while the service keeps a request."""
    data, found = folder / "data", Seconds()
    with Shop(folder / "shop", process=True, plan="unlimited", pets=IN_WINDOW) as shop:
        for given in (["connect", "Shop", "--url", shop.url], ["sync", "Shop"]):
            done = command("--data-dir", str(data), *given, key=shop.key)
            if done.returncode:
                raise RuntimeError(done.stderr)
        with Running(data, "--connection", "Shop", key=shop.key) as program:
            (pets,) = shop.rows("SELECT count(*) FROM pets")[0]
            until(lambda: program.ask("known", "pets") == pets, "all pets are here")
            found[F5] = program.ask("refresh", "pets")[0] / 1000
            program.ask("press", "Ctrl+N")
            program.wait("widget", "newPetDialog")
            program.ask("write", "Ada")
            found[DRAFT] = lasts(lambda: program.wait("drafts"))
            program.ask("press", "Esc")
            until(lambda: not program.ask("dialogs"), "the dialog is closed")
            shop.control("delay", seconds=60)
            program.ask("press", "F5")
            found[STOP] = lasts(program.quit)
    return found


def price() -> Seconds:
    """All pets of a shop sold at once; the clock of the shop is virtual, the work is not."""
    with world(pets=CHANGES, rpm=10_000, rpd=1_000_000) as made:
        changes = [sell(pet) for pet in made.pets]
        return {PRICE: lasts(lambda: made.price(*changes)) * CHANGES / len(changes)}


def mirror(folder: Path, pets: int) -> Seconds:
    """A list of so many pets, page by page as it comes from a service."""
    rows = [Row(10**18 + n, Pet(10**18 + n, f"Pet {n}", 1, "available"), 1.0, None) for n in range(pets)]
    made = Mirror(folder / "mirror.db")

    def write() -> None:
        for at in range(0, pets, PAGE):
            made.put(Resource.PETS, tuple(rows[at : at + PAGE]), made.begin_read(), None)

    found = {WRITTEN: lasts(write)}
    made.close()
    reader = MirrorReader(folder / "mirror.db")
    found[READ] = lasts(lambda: sum(map(len, reader.stream(Resource.PETS))))
    reader.close()
    return found


def keyring() -> Seconds:
    """A Secret Service that owns its name and says nothing."""
    with KeyringSession() as session:
        session.own_the_name_and_say_nothing()
        child = [sys.executable, "-m", "tests.support.credentials_child", "read", "shop https://shop.example/v1"]
        child.append(str(BOUND_S))
        said = subprocess.check_output(child, cwd=ROOT, env=session.environment, input="", text=True)
    return {KEYRING: json.loads(said)["seconds"]}


def run(pets: int) -> Seconds:
    """Measure each once."""
    found = Seconds()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        began = time.perf_counter()
        with unlimited(folder / "large", pets):
            found[OPENED] = time.perf_counter() - began
        found |= window(folder) | price() | mirror(folder, pets)
    return found | (keyring() if sys.platform == "linux" else {})


def report(runs: list[Seconds]) -> Report:
    """Put the runs together; each bound is about the worst of them."""
    found = Report("waits", runs=len(runs))
    for name in runs[0]:
        found.metrics[name] = Metric("s", [one[name] for one in runs])
        found.goals[name] = Goal(BOUNDS[name], max(one[name] for one in runs))
    return found


def main(argv: list[str]) -> int:
    """Measure, print, and return the exit code."""
    args = arguments(argv, "Waits that have a bound: F5, drafts, prices, mirror, demo shop, keyring, stop.", RUNS, PETS)
    runs: list[Seconds] = []
    with busy_core(args.busy):
        for number in range(args.runs):
            runs.append(run(args.pets))
            said = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in runs[-1].items())
            say(f"{number + 1}/{args.runs}: {said}")
    return report(runs).finish(one_line=args.json, busy=args.busy)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main(sys.argv[1:]))
