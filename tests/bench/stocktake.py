"""A stocktake of 5,000 pets: what one scan takes in the window, and what storing it takes in the journal.

The window is the real one, on a shop that answers at once; each pet is scanned once, in any order, and then some again.
The journal is a file on this computer's disk, with a draft for each line.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from pathlib import Path

from petstore_desktop.domain.commands import KeepDraft
from petstore_desktop.domain.records import Category, InventoryItem, Pet, Resource
from petstore_desktop.store.journal.decisions import Drafts
from petstore_desktop.store.journal.journal import Journal
from tests.bench._busy import busy_core
from tests.bench._report import Goal, Metric, Report, arguments, say
from tests.bench.sync import percentile

RUNS, PETS = 1, 5_000
AGAIN = 500
MOST_MS = 10.0
IN_WINDOW, IN_JOURNAL = "a scan in the window", "a scan stored in the journal"


def in_window(pets: int) -> list[float]:
    """Return the processor time of each scan until its turn of the event loop was over, the repaint of all rows
    included, in milliseconds."""
    from PySide6.QtWidgets import QApplication

    from petstore_desktop.contract.binding.load import default
    from petstore_desktop.tour.pilot import until
    from petstore_desktop.ui.base.theme import ThemeController
    from petstore_desktop.ui.stocktake.stocktake_page import StocktakePage
    from petstore_desktop.ui.window.main_window import MainWindow
    from tests.ui.recording_shop import RecordingApp, RecordingShop

    application = QApplication.instance() or QApplication(["bench"])
    assert isinstance(application, QApplication)
    _themes = ThemeController(application, "light")
    shop = RecordingShop()
    window = MainWindow(shop, RecordingApp())
    shop.tell_ready(default())
    shop.tell_rows(Resource.CATEGORIES, [Category(number, f"Category {number}") for number in range(1, 40)])
    shop.tell_rows(Resource.PETS, [Pet(1_000 + n, f"Pet {n}", 1 + n % 39, "available") for n in range(pets)])
    shop.tell_rows(Resource.INVENTORY, [InventoryItem(1_000 + n, n % 30, "available") for n in range(pets)])
    window.resize(1280, 800)
    window.show()
    _ = window.after_paint
    tab = window.tab()
    until(lambda: tab is not None and tab.table.total == pets, "the pets did not come")
    window.parts.actions["stocktake"].trigger()
    page = window.page()
    assert isinstance(page, StocktakePage)
    order = [str(1_000 + n) for n in range(pets)]
    chosen = random.Random(15)
    chosen.shuffle(order)
    took: list[float] = []
    for code in (*order, *chosen.sample(order, min(AGAIN, pets))):
        begun = time.thread_time()
        page.take_scan(code)
        application.processEvents()
        took.append((time.thread_time() - begun) * 1000)
    window.close_now = True
    window.close()
    return took


def in_journal(pets: int) -> list[float]:
    """Return how long storing each of these lines took, in milliseconds."""
    took: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "journal.db")
        drafts = Drafts(journal)
        drafts.write([_line(number) for number in range(pets)], 0.0)
        for number in range(AGAIN):
            begun = time.perf_counter()
            drafts.write([_line(number * 7 % pets)], float(number))
            took.append((time.perf_counter() - begun) * 1000)
        journal.close()
    return took


def _line(number: int) -> KeepDraft:
    content = {"pet": str(number), "name": f"Pet {number}", "scans": "1", "typed": "", "expected": "5", "quantity": "5"}
    return KeepDraft(f"stocktake:{'c' * 32}:line:{number}", {**content, "said": "0.0", "since": "1.0", "at": "1.0"})


def main() -> int:
    """Measure it, and print one JSON object."""
    given = arguments(sys.argv[1:], __doc__ or "", RUNS, PETS)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    report = Report("stocktake", given.runs)
    for name, measure in ((IN_WINDOW, in_window), (IN_JOURNAL, in_journal)):
        with busy_core(given.busy):
            values = [value for _ in range(given.runs) for value in measure(given.pets)]
        mean = sum(values) / len(values)
        say(f"{name}: {mean:.2f} ms, 99 % within {percentile(values, 0.99):.2f} ms")
        report.metrics[name] = Metric("ms", values)
        report.goals[f"{name}, on average"] = Goal(MOST_MS, mean)
    return report.finish(one_line=given.json, busy=given.busy)


if __name__ == "__main__":
    sys.exit(main())
