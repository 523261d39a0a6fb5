"""A long day in one window over 100,000 pets: readings, edits, sorts, filters, searches and undo as they come. It never
stands still, shows what a plain sort and filter would, and needs no more memory in the end than before."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import statistics
import sys
import threading
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import cast

from PySide6.QtCore import QLocale, QTimer
from PySide6.QtWidgets import QApplication

from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.ui.base.qt_setup import collect_only_here
from petstore_desktop.ui.base.theme import ThemeController
from tests.bench._grid_child import Work
from tests.bench._memory import load_everything, memory_at_rest
from tests.bench._sync_child import innermost
from tests.long._running import Run, run_from, say
from tests.long._soak_acts import REST, Acts
from tests.long._soak_shop import READER, PlainShop
from tests.support.slope import Slope, of_each_act, slope
from tests.support.watch import NOTED_MS, Heartbeat, Witness

PETS = 100_000
FULL_S = 1_800.0
STILL_MS = 300.0
"""The window itself stands still for no longer, on a slow machine too; the benches judge by what is wanted."""
FILLING_S = 10.0
"""About what the filling of the window takes, and everything once."""
LEAST_S = 20.0
"""A run is no shorter, so that there are quarters to compare."""
SAMPLES = 32
"""So often memory is looked at;"""
COMPARING = 0.15
"""and with a look the list is compared with the plain one, if that has taken no larger share of the time so far."""
MOST_EACH_KIB = 8.0
"""By no more, surely, memory grows with each act: what does not level ends some day, however slowly it grows."""
MOST_GROWTH = 0.05
"""Where too little was done for a line, the last quarter needs at most so much more memory than the second: from look
to look it sways by a tenth, by what is open."""
POLL_MS = 5
LEAST_LOOKS, LEAST_ACTS = 8, 1_000
"""With fewer no line is fitted: what is loaded once, and what the allocator sets aside, are some MiB."""
AT_REST = 3
"""So many looks in which nothing is to do."""
PATIENCE_S = 60.0


@dataclass
class Found:
    """What was seen; gaps in ms, memory in MiB."""

    longest_ms: float = 0.0
    """The longest gap, also of the machine's making."""
    still_ms: float = 0.0
    """The longest that is the window's own,"""
    still_in: str = ""
    """and what happened in it, and in which lines of the window's thread."""
    beats: int = 0
    checks: int = 0
    memory: list[float] = field(default_factory=list[float])
    acts: list[dict[str, int]] = field(default_factory=list[dict[str, int]])
    """What had been done at each look at memory."""
    wrong: list[str] = field(default_factory=list[str])

    @property
    def lines(self) -> dict[str, Slope]:
        """KiB for each act: of all together, and of each kind by itself."""
        every = [sum(done.values()) for done in self.acts]
        if min(len(self.memory), len(every)) < LEAST_LOOKS or every[-1] < LEAST_ACTS:
            return {}
        kib = [mib * 1024 for mib in self.memory]
        return {"all": slope(every, kib), **of_each_act(self.acts, kib)}

    def quarter(self, number: int) -> float:
        """The median of one quarter (1 to 4)."""
        size = max(1, len(self.memory) // 4)
        end = len(self.memory) - size * (4 - number)
        return statistics.median(self.memory[max(0, end - size) : end])

    def judge(self) -> None:
        """Add what is wrong with gaps and memory."""
        if self.still_ms > STILL_MS:
            self.wrong.append(f"the window stood still for {self.still_ms:.0f} ms: {self.still_in}")
        lines = self.lines
        if len(self.memory) < 4:
            self.wrong.append("it ended before memory could be compared")
        elif not lines and self.quarter(4) > self.quarter(2) * (1 + MOST_GROWTH):
            self.wrong.append(f"memory grew from {self.quarter(2):.1f} to {self.quarter(4):.1f} MiB")
        elif lines and lines["all"].surely > MOST_EACH_KIB:
            most = max((name for name in lines if name != "all"), key=lambda name: lines[name].each)
            self.wrong.append(f"memory grows by {lines['all'].each:.1f} KiB an act without levelling, most with {most}")


class LateLines(threading.Thread):
    """Notes where the window's thread is whenever its event loop has not turned for NOTED_MS. Without that, five long
    runs said that the window had stood still, and nobody could say why."""

    def __init__(self) -> None:
        super().__init__(name="late lines", daemon=True)
        self._seen: deque[tuple[float, str]] = deque(maxlen=10_000)
        self._window = threading.get_ident()

    def run(self) -> None:
        while True:
            time.sleep(Witness.NAP_S)
            now = time.perf_counter()
            if now - Witness.get().beat > NOTED_MS / 1000:
                self._seen.append((now, innermost(sys._current_frames().get(self._window))))

    def between(self, begun: float, ended: float) -> str:
        """The lines that were seen most often between two moments."""
        seen = Counter(lines for at, lines in list(self._seen) if begun <= at <= ended)
        return max(seen, key=lambda lines: seen[lines], default="lines that nobody saw")


class Soak:
    """Drives the window from within its own event loop, and looks at it from time to time."""

    def __init__(self, work: Work, run: Run, seconds: float) -> None:
        self.found = Found()
        self._work, self._run, self._seconds = work, run, seconds
        self._plain = PlainShop(PETS, random.Random(run.seed))
        self.acts = Acts(work, self._plain, random.Random(run.seed + 1))
        self._life = self._live()
        self._wait, self._until, self._quiet = 0, 0.0, 0
        self._turned = self._began = time.perf_counter()
        self._comparing_s = 0.0
        self._heart = Heartbeat(note_ms=NOTED_MS)
        self._late = LateLines()
        self._timer = QTimer(interval=POLL_MS)
        self._timer.timeout.connect(self._turn)

    def start(self) -> None:
        """Begin with the next turn of the event loop."""
        self._heart.start()
        self._late.start()
        self._timer.start()

    def _turn(self) -> None:
        now = time.perf_counter()
        self._work.shop.clock.advance(now - self._turned)
        self._turned = now
        if modal := QApplication.activeModalWidget():
            self._end(f"{modal.objectName()} opened in {self.acts.begun[-1][1]}")
            return
        if self.acts.begun and time.perf_counter() - self.acts.begun[-1][0] > PATIENCE_S:
            self._end(f"it never ends: {self.acts.begun[-1][1]}")
            return
        if not self._is_due(now):
            return
        try:
            self._wait = next(self._life)
        except StopIteration:
            self._end()
        except Exception:  # noqa: BLE001 -- whatever it is, it is what was looked for
            self._end(traceback.format_exc())
        self._quiet, self._until = 0, now + (PATIENCE_S if self._wait == REST else self._wait / 1000)

    def _is_due(self, now: float) -> bool:
        """Whether the next step can be taken."""
        if self._wait != REST:
            return now >= self._until
        table = self._work.table
        busy = self._work.shop.events.waiting or table.is_working or table.is_behind
        self._quiet = 0 if busy else self._quiet + 1
        if now > self._until:
            self._end("what was told is never on the screen")
        return self._quiet >= AT_REST

    def _end(self, why: str = "") -> None:
        self._timer.stop()
        self._feel()
        if why:
            self.found.wrong.append(why)
        QApplication.exit()  # to quit is to ask the window first, which asks what is to be with unsent changes

    def _live(self) -> Iterator[int]:
        for act in self.acts.all:  # everything once: from then on memory is compared
            yield from self.acts.counted(act)
        begun = self._began = time.perf_counter()
        while time.perf_counter() - begun < self._seconds and not self.found.wrong:
            yield from self.acts.next()
            if time.perf_counter() - begun >= len(self.found.memory) * self._seconds / SAMPLES:
                yield from self.acts.refresh()
                self._look()

    # -- looks

    def _look(self) -> None:
        """What this costs is no gap of the window's."""
        self._feel()
        begun = time.perf_counter()
        if self._comparing_s <= COMPARING * (begun - self._began):
            self._compare()
            self._comparing_s += time.perf_counter() - begun
        self._forget()
        self.found.memory.append(memory_at_rest())
        self.found.acts.append(dict(self.acts.done))
        self._heart = Heartbeat(note_ms=NOTED_MS)
        self._heart.start()

    def _feel(self) -> None:
        found, heart = self.found, self._heart
        found.beats += heart.beats
        found.longest_ms = max(found.longest_ms, heart.longest_ms)
        for (begun, ended, _), still in zip(heart._gaps, heart.stills_ms(), strict=True):
            if still > found.still_ms:
                past = [what for at, what in self.acts.begun if at <= begun + POLL_MS / 1000]
                acts = " after ".join(reversed(past[-3:]))
                found.still_ms, found.still_in = still, f"{acts}; in {self._late.between(begun, ended)}"
        del self.acts.begun[:-3]
        heart.stop()

    def _compare(self) -> None:
        """The list with a plain sort and filter of what was told."""
        acts, table = self.acts, self._work.table
        waiting = [one for one in self._work.shop.journal.values() if one.state is ChangeState.QUEUED]
        wanted = in_a_child(
            lambda: self._plain.in_order(self._plain.seen(waiting), acts.sorts, acts.text, acts.filters.values())
        )
        shown = table.keys()
        self.found.checks += 1
        if shown == wanted and self._work.tab.model.rowCount() == len(wanted) and table.total == len(self._plain.pets):
            return
        first = next((n for n, (one, other) in enumerate(zip(shown, wanted, strict=False)) if one != other), "the end")
        asked = f"{acts.sorts}, {acts.text!r}, {[(one.column, one.text) for one in acts.filters.values()]}"
        self.found.wrong.append(f"{len(shown)} rows, should be {len(wanted)}, differ from row {first} on: {asked}")

    def _forget(self) -> None:
        """The made-up shop remembers all that it was asked: not the window's memory."""
        shop = self._work.shop
        for change in [one for one in shop.journal.values() if one.state is not ChangeState.QUEUED]:
            del shop.journal[change.id]
        for kept in (shop.asked, shop.sources, shop.past.asked):
            kept.clear()
        shop.events.tell(shop.batches_moved())


def in_a_child(reckon: Callable[[], list[int]]) -> list[int]:
    """What it gives, reckoned by a copy of this process: what it makes is neither the window's memory nor looked
    through with the window's garbage."""
    copies = multiprocessing.get_context("fork")
    receives, sends = copies.Pipe(duplex=False)
    child = copies.Process(target=lambda: sends.send(reckon()))
    child.start()
    sends.close()
    try:
        return cast("list[int]", receives.recv())
    finally:
        child.join()


def lived(run: Run, seconds: float) -> Soak:
    """Open the window, fill it, and let everything happen."""
    QLocale.setDefault(READER)
    application = QApplication([sys.argv[0]])
    theme = ThemeController(application, "light")
    work = Work(PETS)
    load_everything()
    collect_only_here(application)
    work.fill()
    soak = Soak(work, run, seconds)
    soak.start()
    application.exec()
    del theme
    return soak


def main(argv: list[str]) -> int:
    """Return 0 if nothing was found."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    run = run_from(argv, "soak")
    soak = lived(run, FULL_S if run.full else max(LEAST_S, run.ends - time.monotonic() - FILLING_S))
    found = soak.found
    found.judge()
    counts = {
        "acts": dict(soak.acts.done.most_common()),
        "compared": found.checks,
        "beats": found.beats,
        "longest_gap_ms": round(found.longest_ms),
        "longest_own_gap_ms": round(found.still_ms),
        "longest_own_gap": found.still_in,
        "kib_an_act": {name: round(line.each, 2) for name, line in found.lines.items()},
        "memory_mib": [round(found.quarter(number), 1) for number in range(1, 5)] if found.memory else [],
    }
    say(json.dumps(counts))
    for one in found.wrong:
        say(f"soak: {one}\nrepeat it with: --seed {run.seed}")
    say(f"soak: {sum(soak.acts.done.values())} acts, {'nothing found' if not found.wrong else 'see above'}")
    sys.stdout.flush()
    os._exit(int(bool(found.wrong)))


if __name__ == "__main__":
    main(sys.argv[1:])
