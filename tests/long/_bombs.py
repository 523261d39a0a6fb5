"""No file, document or list takes all memory or all day: each bomb ends in its bounds, and in words.

Each is read in a process of its own. Documents are drawn too: at one place of a good one stands something that is too
long, too wide, too deep, or stands for too much, in all sizes to ten megabytes. A bomb for which a bound was taken away
must be found out, or nothing was judged.
"""

from __future__ import annotations

import random
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from petstore_desktop.domain import errors
from petstore_desktop.sync.send.walker import MOST_MIRROR
from petstore_desktop.ui.files.import_texts import file_error_words
from tests.long._running import Run, say
from tests.support.bomb_child import GIVEN_UP, MOST_KEPT, MOST_MEMORY, MOST_SECONDS, STILL_S, Blown, blow
from tests.support.bombs import DOCUMENTS, MEGABYTE, TABLES, WORKBOOKS, Bomb, Endless
from tests.support.drawn_documents import drawn
from tests.support.odd_service import OddService
from tests.support.slowness import slowness

MOST_S = 600.0
"""Seconds after which nobody waits any longer, however slow the machine is."""
DRAWN = 60
"""Documents that are drawn beside those that are written down."""
TRIES_MORE = 2
"""How often a file is read again that took too much processor time: the least counts."""
MIRROR_SLACK = 64 * MEGABYTE
"""What one answer brings, and what the database keeps beside its rows."""
LISTS = {"long records": (Endless(500, 10_000), 3), "short records": (Endless(5_000, 10), 1)}
"""Lists without an end, and how often each is left until its mirror is judged: three times is more than the mirror
takes."""


class Planted(NamedTuple):
    """A bomb that is found out, in these words, where this bound is taken away."""

    group: str
    name: str
    bounds: tuple[str, ...]
    words: str


PLANTED = (
    Planted(
        "workbooks",
        "long texts of other letters",
        ("petstore_desktop.exchange.bounded_parts:MOST_HELD=2000000000",),
        "of memory",
    ),
    Planted(
        "documents", "values", ("petstore_desktop.contract.document.yaml_reading:MOST_NODES=2000000",), "of memory"
    ),
    Planted("lists", "long records", ("petstore_desktop.sync.send.walker:MOST_MIRROR=100000000000",), "the mirror has"),
)


@dataclass
class _Field:
    """Where bombs are set off, and what was counted."""

    folder: Path
    chance: random.Random
    counted: Counter[str] = field(default_factory=Counter[str])
    memory: tuple[int, str] = (0, "")
    seconds: tuple[float, str] = (0.0, "")

    def trials(self) -> list[tuple[str, str]]:
        """All groups and names, mixed."""
        groups = {"workbooks": WORKBOOKS, "tables": TABLES, "documents": DOCUMENTS, "lists": LISTS}
        trials = [(group, name) for group, bombs in groups.items() for name in bombs]
        trials += [("drawn", str(self.chance.randrange(10**6))) for _ in range(DRAWN)]
        self.chance.shuffle(trials)
        return trials

    def set_off(self, group: str, name: str, bounds: tuple[str, ...] = ()) -> list[str]:
        """One bomb; what was wrong."""
        files = {"workbooks": WORKBOOKS, "tables": TABLES, "documents": DOCUMENTS}
        do: Callable[[tuple[str, ...]], list[str]]
        if group == "lists":
            do = partial(self._list, name)
        elif group == "drawn":
            words, data = drawn(int(name))
            name, do = f"{name} ({words})", partial(self._file, group, words, Bomb(lambda: data, ""))
        else:
            do = partial(self._file, group, name, files[group][name])
        try:
            wrong = do(bounds)
        except subprocess.TimeoutExpired:
            wrong = [f"it was not over after {MOST_S:.0f} s"]
        except RuntimeError as error:
            wrong = [str(error)]
        return [f"{group}, {name}: {what}" for what in wrong]

    def _file(self, group: str, name: str, bomb: Bomb, bounds: tuple[str, ...]) -> list[str]:
        path = self.folder / "bomb.xlsx"  # what it is, is found out by what is in it
        path.write_bytes(bomb.make())
        kind = "document" if group in ("documents", "drawn") else "table"
        blown = blow(kind, path, bounds=bounds, most=MOST_S)
        for _ in range(TRIES_MORE):
            if blown.seconds > MOST_SECONDS * slowness():  # beside others, who share its caches, it needs more
                blown = min(blown, blow(kind, path, bounds=bounds, most=MOST_S), key=lambda one: one.seconds)
        wrong = (
            []
            if group == "drawn" or blown.code == bomb.code
            else [f"it ended with {blown.code!r} instead of {bomb.code!r}"]
        )
        wrong += _wrong(blown)
        if blown.seconds > MOST_SECONDS * slowness():
            wrong.append(f"it took {blown.seconds:.1f} s of processor time")
        if bounds:
            return wrong
        self._note(group, f"{group}, {name}", blown)
        self.seconds = max(self.seconds, (blown.seconds, f"{group}, {name}"))
        return wrong + (self._give_up(path, blown.told) if kind == "table" else [])

    def _give_up(self, path: Path, told: int) -> list[str]:
        """Whoever is asked whether to go on can say no, whenever it is."""
        if not told:
            return []
        stop = self.chance.randint(1, told)
        self.counted["cancelled"] += 1
        ended = blow("table", path, stop=stop, most=MOST_S).code
        return [] if ended == GIVEN_UP else [f"it was not given up at the call {stop} of {told}: {ended!r}"]

    def _list(self, name: str, bounds: tuple[str, ...]) -> list[str]:
        endless, times = LISTS[name]
        with tempfile.TemporaryDirectory(dir=self.folder) as folder, OddService(endless) as service:
            blown = blow("endless", Path(folder), url=service.url, stop=times, bounds=bounds, most=MOST_S)
            mirror = sum(path.stat().st_size for path in Path(folder).rglob("mirror.db*"))
        wrong = [] if blown.code == "endless" else [f"it ended with {blown.code!r}"]
        wrong += _wrong(blown)
        if mirror > MOST_MIRROR + MIRROR_SLACK:
            wrong.append(f"the mirror has {mirror / MEGABYTE:,.0f} MiB")
        if not blown.told:
            wrong.append("its reading could not be cancelled")
        if not bounds:
            self._note("lists", f"lists, {name} ({mirror / MEGABYTE:,.0f} MiB of mirror)", blown)
            self.counted["cancelled"] += blown.told
        return wrong

    def _note(self, group: str, what: str, blown: Blown) -> None:
        self.counted[group] += 1
        self.memory = max(self.memory, (blown.memory, what))


def _wrong(blown: Blown) -> list[str]:
    """What may be wrong of every bomb: its memory, and its words."""
    wrong: list[str] = []
    if blown.memory > MOST_MEMORY:
        wrong.append(f"it took {blown.memory / MEGABYTE:,.0f} MiB of memory")
    if blown.still > STILL_S * slowness():
        wrong.append(f"no other thread had a turn in {blown.still:.1f} s")
    if blown.kept > MOST_KEPT:
        wrong.append(f"{blown.kept:,} letters are kept or said of it")
    if blown.code:
        words = file_error_words(getattr(errors, blown.kind)(blown.code, **blown.params))
        if not words or blown.code in words:
            wrong.append(f"no words for {blown.code!r}: {words!r}")
    return wrong


def bombs(run: Run, ends: float) -> list[str]:
    """Bombs by chance, at least one, until it is over, and a planted one; with the whole count all of them."""
    found: list[str] = []
    with tempfile.TemporaryDirectory(prefix="bombs-") as folder:
        place = _Field(Path(folder), random.Random(run.seed))
        trials = place.trials()
        for number, (group, name) in enumerate(trials):
            if number and not run.full and time.monotonic() > ends:
                break
            found += place.set_off(group, name)
        for planted in PLANTED if run.full else [place.chance.choice(PLANTED)]:
            noticed = "; ".join(place.set_off(*planted[:3]))
            say(f"bombs: planted: {noticed or 'nothing was found'}")
            if planted.words not in noticed:
                found.append(f"a planted bomb was not found: {planted}")
    said = ", ".join(f"{amount} {what}" for what, amount in sorted(place.counted.items()))
    say(f"bombs: {said}, of {len(trials)} in all; {len(found)} wrong")
    say(f"bombs: the most memory: {place.memory[0] / MEGABYTE:,.0f} MiB ({place.memory[1]})")
    if place.seconds[1]:
        say(f"bombs: the most processor time of a file: {place.seconds[0]:.1f} s ({place.seconds[1]})")
    return found
