"""No answer of any server can hurt: every fault with every operation, the same before a whole session, a yes to every
kind of write that was not done, and bodies made of the schemas and damaged, judged by rules of their own. No file,
document or list without an end can either.

The whole count: all faults x all operations, all faults x all lists and two kinds of write of a session, all idle
answers x all kinds of write, all kinds of key in all forms in all places of an answer, all bombs, and 100,000 bodies. A
sample does as much of each as there is time for, the bodies last.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from petstore_desktop import credentials
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.records import Resource
from tests.long._bombs import bombs
from tests.long._echoes import echoes
from tests.long._running import Run, run_from, say
from tests.support.fault_proxy import FaultProxy
from tests.support.hostile_answers import FAULTS, Fault, Means
from tests.support.hostile_fuzz import Fuzz
from tests.support.hostile_service import trials
from tests.support.hostile_session import ENDLESS, Besieged
from tests.support.idle_answers import KINDS, NAMES, prepare
from tests.support.session import Watched
from tests.support.shop import Shop

BODIES, ROUND = 100_000, 2_000
SHARES = {"operations": 0.2, "session": 0.35, "idle": 0.45, "echoes": 0.6, "bombs": 0.8}
"""Of the minutes, when each part of a sample is over at the latest."""
ACCEPTED_SHARE = 0.2
"""So many rows for each body must have been accepted at least, or nothing was judged."""


def main(argv: list[str]) -> int:
    """Return 0 if nothing was found, the planted fault was, and enough rows were accepted to be judged."""
    run = run_from(argv, "hostile")
    began = time.monotonic()
    lasts = run.ends - began
    found = asyncio.run(_operations(run, began + SHARES["operations"] * lasts))
    found += _session(run, began + SHARES["session"] * lasts)
    found += _idle(run, began + SHARES["idle"] * lasts)
    found += echoes(run, began + SHARES["echoes"] * lasts)
    found += bombs(run, began + SHARES["bombs"] * lasts)
    found += _bodies(run)
    for wrong in found:
        say(wrong)
    say(f"{len(found)} wrong")
    return int(bool(found))


def _mixed(run: Run, many: list[tuple[str, object]]) -> list[tuple[str, object]]:
    random.Random(run.seed).shuffle(many)
    return many


async def _operations(run: Run, ends: float) -> list[str]:
    """Each fault with each operation."""
    found: list[str] = []
    tally: Counter[str] = Counter()
    pairs = _mixed(run, [(name, op) for name in FAULTS for op in Op])
    async with trials() as trial:
        for name, op in pairs:
            if not run.full and time.monotonic() > ends:
                break
            found += await trial.run(name, Op(op))
            tally[FAULTS[name].means.name] += 1
        planted = Fault(Means.BROKEN, FAULTS["no content type"].spoil)
        missed = not await trial.run("planted", Op.PETS_LIST, planted)
    said = ", ".join(f"{amount} {means.lower()}" for means, amount in tally.items())
    say(f"operations: {tally.total()} of {len(pairs)} faults tried ({said}), {len(found)} wrong")
    return [*found, "a planted fault of an operation was not found"] if missed else found


@contextmanager
def _besieged() -> Iterator[Besieged]:
    credentials.ALLOWED = frozenset()  # the keyring of whoever runs this is not ours
    with (
        tempfile.TemporaryDirectory(prefix="hostile-") as name,
        Shop(Path(name) / "s", plan="unlimited", pets=200) as shop,
        FaultProxy(shop.url, random.Random(1)) as proxy,
        Watched(Path(name) / "d", shop, url=proxy.url) as session,
    ):
        prepare(shop)
        session.wait_loaded()
        yield Besieged(session, proxy, shop)


def _session(run: Run, ends: float) -> list[str]:
    """Each fault with each list, and with two kinds of write, of a whole session."""
    found: list[str] = []
    done: Counter[str] = Counter()
    names = [name for name in FAULTS if name not in ENDLESS]
    with _besieged() as besieged:
        writes: dict[str, Callable[[str], list[str]]] = {"stock": besieged.set_stock, "creation": besieged.create_pet}
        half = (ends - time.monotonic()) / 2 + time.monotonic()
        for name, _ in _mixed(run, [(name, "lists") for name in names]):
            if not run.full and time.monotonic() > half:
                break
            found += besieged.read(name, *Resource)
            done["lists"] += len(Resource)
        for name, kind in _mixed(run, [(name, kind) for name in names for kind in writes]):
            if not run.full and time.monotonic() > ends:
                break
            found += writes[str(kind)](name)
            done[str(kind)] += 1
    say(f"a session: {', '.join(f'{amount} of {what}' for what, amount in done.items())}, {len(found)} wrong")
    return found


def _idle(run: Run, ends: float) -> list[str]:
    """Each kind of write with each yes of a shop that does nothing, in a whole session."""
    found: list[str] = []
    done: Counter[str] = Counter()
    with _besieged() as besieged:
        for kind, answer in _mixed(run, [(kind, answer) for kind in KINDS for answer in NAMES]):
            if not run.full and time.monotonic() > ends:
                break
            found += besieged.do_nothing(kind, str(answer))
            done[kind] += 1
    said = ", ".join(f"{amount} of {kind}" for kind, amount in done.items())
    say(f"a yes without the deed: {said}, {len(found)} wrong")
    return found


def _bodies(run: Run) -> list[str]:
    """Bodies, as many as there is time for, and some where the bombs took longer than their share."""
    total: Counter[str] = Counter()
    while run.wants_more(total["bodies"], BODIES):
        with Fuzz(run.seed + total["bodies"] // ROUND) as fuzz:
            fuzz.run(ROUND)
        total.update(fuzz.tally)
        if fuzz.wrong:
            return fuzz.wrong
    for what, amount in total.most_common():
        say(f"bodies: {amount:8,} {what}")
    few = total["rows accepted"] < ACCEPTED_SHARE * total["bodies"]
    return ["hardly any row was accepted: nothing was judged"] if few else []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
