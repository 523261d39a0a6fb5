"""The report of 400 days: from what the history answers to the whole PDF, and the longest turn that the window waits.

A made-up shop of 10,000 pets with the net changes of 400 days at 200 a day; the disk is not part of it.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import TypeVar

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.reduce import show_read, take_block
from petstore_desktop.desk.report.period import Period, PeriodKind
from petstore_desktop.desk.report.report import Past
from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.domain.seen_changes import DayTotals, SeenChange, Span, What, Who
from petstore_desktop.sync.wire.events import MirrorRead
from tests.bench._busy import busy_core
from tests.bench._grid_rows import blocks
from tests.bench._report import Goal, Metric, Report, arguments, say
from tests.desk.shopkit import new_desk

RUNS = 3
PETS = 10_000
CHANGES = 30_000
"""Net: of 80,000 seen in 400 days, many are of the same field."""
WHOLE_S, TURN_S = 1.0, 0.05
Found = TypeVar("Found")


def full_desk(pets: int) -> Desk:
    """Return a desk with all lists."""
    desk = new_desk()
    for resource in Resource:
        for block in blocks(pets, resource, 2_000):
            take_block(desk, block)
        show_read(desk, MirrorRead("shop", resource, len(desk.shop.stores[resource]), desk.now()))
    desk.set_minimums(Minimums(categories=dict.fromkeys(range(1, 40), 5)))
    return desk


def past_of(desk: Desk, period: Period) -> Past:
    """Return what a history would answer."""
    chosen, now = random.Random(14), desk.now()
    kinds = (
        (Resource.PETS, "status", "available", "sold"),
        (Resource.INVENTORY, "quantity", 9, 4),
        (Resource.ORDERS, "complete", False, True),
    )
    changes: list[SeenChange] = []
    for number in range(CHANGES):
        resource, field, before, after = kinds[number % len(kinds)]
        ref, at = Ref(resource, 1 + number // len(kinds)), now - chosen.random() * 400 * 86_400
        who = chosen.choice(tuple(Who))
        changes.append(SeenChange(ref, What.CHANGED, who, field, before, after, at - 900, at, {}, f"Pet {number}"))
    totals = DayTotals(period.first - timedelta(days=1), {"available": 9_000}, {1: 400}, 12, 3, 4, 5)
    return Past(Span(now - 401 * 86_400, now), totals, None, changes, period.moments(None)[0])


def timed(steps: Iterator[Found | None], turns: list[float]) -> Found | None:
    """Run to the end; how long each step took comes to the turns."""
    last: Found | None = None
    while True:
        begun = time.perf_counter()
        try:
            found = next(steps)
        except StopIteration:
            return last
        turns.append(time.perf_counter() - begun)
        last = last if found is None else found


def measure(pets: int) -> tuple[float, float, int]:
    """Return how long all of it took, the longest turn, and the number of pages."""
    from PySide6.QtCore import QBuffer, QIODevice
    from PySide6.QtGui import QPdfWriter

    from petstore_desktop.ui.paper.paper_dialog import painted
    from petstore_desktop.ui.paper.sheet import page_layout, sheet_of
    from petstore_desktop.ui.report.report_pages import make_report

    desk, layout, turns = full_desk(pets), page_layout(0), list[float]()
    period = Period(PeriodKind.DAYS, desk.today - timedelta(days=400), desk.today)
    past = past_of(desk, period)
    begun = time.perf_counter()
    pages = timed(make_report(desk, "Shop", period, past, sheet_of(layout)), turns)
    assert pages is not None
    memory = QBuffer()
    memory.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(memory)
    writer.setPageLayout(layout)
    assert timed(painted(writer, pages), turns) is True
    return time.perf_counter() - begun, max(turns), pages.pages


def main() -> int:
    """Measure it, and print one JSON object."""
    given = arguments(sys.argv[1:], __doc__ or "", RUNS, PETS)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    _ = QApplication(["bench"])
    with busy_core(given.busy):
        found = [measure(given.pets) for _ in range(given.runs)]
    whole, turn = [one[0] for one in found], [one[1] for one in found]
    say(f"{found[0][2]} pages")
    report = Report("report", given.runs)
    report.metrics = {"whole": Metric("s", whole), "longest turn": Metric("s", turn)}
    report.goals = {"whole": Goal(WHOLE_S, sorted(whole)[len(whole) // 2]), "longest turn": Goal(TURN_S, max(turn))}
    return report.finish(one_line=given.json, busy=given.busy)


if __name__ == "__main__":
    sys.exit(main())
