"""The real window over a made-up shop, as a program of its own: `_grid_child.py PETS [short]`.

The rows reach the window as the sync thread's events do. Then a person's work is done in it: sorting, filtering letter
by letter, scrolling, a refresh; with `short`, no more than this. Then what is the limit of it here (_grid_limits).
Prints one JSON line: lists of ms by what was measured, and memory in MiB.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE, BLOCK = 500, 2_000
PHRASES = ("golden koi 12", "élan red sold", "#1234 5", "queenie xyz")
SORTS = ("name", "id", "category", "status", "stock", "orders")
FILTER_SORTS = (("name", False), ("id", True), ("stock", False))
CHANGES = 200
SCREENS = 150
LIMIT_S = 30.0
EMPTY_S = 0.000_1
"""A turn that is no longer than this did nothing."""


class Work:
    """A window, and the clock over it."""

    def __init__(self, pets: int) -> None:
        from PySide6.QtCore import QEvent, QObject

        from petstore_desktop.ui.window.main_window import MainWindow
        from tests.ui.recording_shop import RecordingApp, RecordingShop

        self.pets = pets
        self.found: dict[str, list[float]] = {}
        self.shop = RecordingShop()
        self.shop.events = budgeted()
        self.desk = self.shop.desk
        self.window = MainWindow(self.shop, RecordingApp())
        self.window.resize(1280, 800)
        self.shop.tell_ready()
        self.window.show()
        work = self

        class Eye(QObject):
            """Sees each paint of the rows; it is over when what was queued in it has its turn."""

            def eventFilter(self, _: QObject, event: QEvent) -> bool:
                if event.type() == QEvent.Type.Paint:
                    work.paints += 1
                return False

        self.paints = 0
        self.turn()
        self.tab = self.window.tab()
        self.table = self.tab.table
        self._eye = Eye()
        self.tab.view.viewport().installEventFilter(self._eye)

    def turn(self) -> None:
        """One turn of the event loop; a loop that runs also deletes what is to be deleted later, and sleeps when there
        is nothing to do, so that other threads go on."""
        from PySide6.QtCore import QEvent
        from PySide6.QtWidgets import QApplication

        begun = time.perf_counter()
        QApplication.processEvents()
        QApplication.sendPostedEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        if time.perf_counter() - begun < EMPTY_S:
            time.sleep(EMPTY_S)

    def note(self, name: str, seconds: float) -> None:
        """One figure."""
        self.found.setdefault(name, []).append(seconds * 1000)

    def is_working(self) -> bool:
        """Whether the list on the screen is not yet what was asked for."""
        return bool(getattr(self.table, "is_working", False))

    def settle(self) -> None:
        """Let the window do all that it does when nothing else is to do."""
        end = time.perf_counter() + LIMIT_S + self.pets / 20_000
        quiet = 0
        while quiet < 3 and time.perf_counter() < end:
            self.turn()
            busy = self.desk.idle(0.004) or self.is_working()
            quiet = 0 if busy else quiet + 1

    # ---- what is measured

    def fill(self) -> None:
        """All rows come, as what is kept on this computer does at a start."""
        from petstore_desktop.domain.records import Resource
        from petstore_desktop.sync.wire.events import LoadEnded, MirrorRead, RowsRead
        from tests.bench._grid_rows import blocks

        slices: list[float] = []
        for resource in Resource:
            parts = blocks(self.pets, resource, BLOCK)
            slices.extend(self.told(RowsRead(self.desk.connection, block)) for block in parts)
            now, count = self.shop.clock.now().wall, len(self.desk.shop.stores[resource])
            slices.append(self.told(MirrorRead(self.desk.connection, resource, count, now)))
            slices.append(self.told(LoadEnded(self.desk.connection, resource, now)))
        begun = time.perf_counter()
        while self.is_working():
            self.turn()
        self.note("fill: sorted after the last row", time.perf_counter() - begun)
        self.settle()
        self.note("fill: ready for the filter", time.perf_counter() - begun)
        self.note("fill: all rows, GUI time", sum(slices))
        self.note("fill: longest turn", max(slices))

    def told(self, event: object) -> float:
        """Seconds of the turn that takes this event in."""
        begun = time.perf_counter()
        self.shop.events.tell(event)
        self.turn()
        return time.perf_counter() - begun

    def book(self) -> None:
        """Some changes wait: they lie over the rows."""
        from petstore_desktop.domain.changes import AddStock, NewChange, SetFields
        from petstore_desktop.domain.records import Ref, Resource

        keys = self.table.keys()[:: max(1, self.table.row_count // CHANGES)]
        acts = [NewChange(Ref(Resource.INVENTORY, key), AddStock(3), {}) for key in keys[::2]]
        acts += [NewChange(Ref(Resource.PETS, key), SetFields({"status": "sold"}), {}) for key in keys[1::2]]
        self.shop.act(*acts)
        self.settle()

    def sort(self, column: str, descending: bool) -> None:
        """Until the order is the final one, and what the window stood still meanwhile."""
        ticks = Ticks()
        begun = time.perf_counter()
        ticks.begin()
        self.tab.sort(column, descending)
        self.note("sort: the click itself", time.perf_counter() - begun)
        while self.is_working():
            self.turn()
        took = time.perf_counter() - begun
        self.until_painted(self.paints)
        ticks.end()
        self.note(f"sort by {column}{' down' if descending else ''}", took)
        self.note("sort: longest interval", ticks.longest)
        self.settle()

    def until_painted(self, before: int) -> None:
        """Until the rows were painted once more."""
        end = time.perf_counter() + LIMIT_S
        self.tab.view.viewport().update()
        while self.paints == before and time.perf_counter() < end:
            self.turn()

    def key(self, text: str) -> None:
        """One key in the filter: until the first screen is painted, and until the count is exact."""
        before = self.paints
        begun = time.perf_counter()
        self.tab.set_filter(text)
        said = time.perf_counter() - begun
        exact = 0.0 if self.is_working() else said
        painted = 0.0
        while not painted or not exact:
            self.turn()
            now = time.perf_counter() - begun
            painted = painted or (now if self.paints > before else 0.0)
            exact = exact or (0.0 if self.is_working() else now)
            if now > LIMIT_S:
                break
        self.note("filter: key to the first screen painted", painted)
        self.note("filter: key to the exact count", exact)
        self.note("filter: the key itself", said)
        if exact > 0.012 + self.pets / 1e7:
            print(f"  {exact * 1000:.1f} ms for {text!r} by {self.table.sort}", file=sys.stderr)

    def filters(self, pause: bool) -> None:
        """Each phrase letter by letter, in several orders. With a pause, what is prepared in idle time is ready."""
        for column, descending in FILTER_SORTS:
            self.tab.sort(column, descending)
            while self.is_working():
                self.turn()
            if pause:
                self.settle()
            for phrase in PHRASES:
                for length in range(1, len(phrase) + 1):
                    self.key(phrase[:length])
                self.key("")

    def scroll(self) -> None:
        """Pages, wheel steps and jumps; the time of each until it is painted."""
        from PySide6.QtCore import QPoint, QPointF, Qt
        from PySide6.QtGui import QWheelEvent
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QApplication

        view = self.tab.view
        bar = view.verticalScrollBar()
        view.setFocus()
        spot = QPointF(200, 200)

        def wheel() -> None:
            where = QPointF(view.viewport().mapToGlobal(spot.toPoint()))
            angle, none = QPoint(0, -240), Qt.MouseButton.NoButton
            turned = QWheelEvent(
                spot, where, QPoint(), angle, none, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False
            )
            QApplication.sendEvent(view.viewport(), turned)

        steps: dict[str, Callable[[], object]] = {
            "page down": lambda: QTest.keyClick(view, Qt.Key.Key_PageDown),
            "wheel": wheel,
            "jump": lambda: bar.setValue((bar.value() + bar.maximum() * 3 // 7) % max(1, bar.maximum())),
        }
        for name, step in steps.items():
            for _ in range(SCREENS):
                before, begun = self.paints, time.perf_counter()
                step()
                while self.paints == before and time.perf_counter() - begun < 1:
                    self.turn()
                self.note(f"scroll: {name}", time.perf_counter() - begun)
        begun = time.perf_counter()
        bar.setValue(bar.maximum())
        self.turn()
        self.note("scroll: to the end", time.perf_counter() - begun)

    def refresh(self) -> None:
        """A reading shows one row in a hundred changed; rows are selected, and one is current."""
        from PySide6.QtWidgets import QApplication

        from petstore_desktop.domain.records import Resource
        from petstore_desktop.sync.wire.events import RowsChanged
        from tests.bench._grid_rows import refreshed

        view, model = self.tab.view, self.tab.model
        row = self.table.row_count // 2
        view.setCurrentIndex(model.index(row, model.home_column))
        view.scrollTo(view.currentIndex(), view.ScrollHint.PositionAtCenter)
        self.settle()
        at, current = view.verticalScrollBar().value() // max(1, view.rowHeight(0)), self.tab.current_ref()
        offset = row - at
        pages = [
            RowsChanged(self.desk.connection, Resource.PETS, rows) for rows in refreshed(self.pets, 0.01, PAGE // 2)
        ]
        total, worst, idle = 0.0, 0.0, 0
        self.shop.events.tell(*pages)
        while idle < 2:
            before, begun = self.paints, time.perf_counter()
            QApplication.processEvents()  # a key that was pressed has its turn between two of these
            took = time.perf_counter() - begun
            total, worst = total + (took if took > EMPTY_S else 0.0), max(worst, took)
            busy = self.shop.events.waiting or self.is_working() or self.table.is_behind or self.paints > before
            idle = 0 if busy else idle + 1
        self.note("refresh of 1 %: GUI time in all", total)
        self.note("refresh of 1 %: longest slice", worst)
        now = view.currentIndex().row() - view.verticalScrollBar().value() // max(1, view.rowHeight(0))
        self.found["refresh of 1 %: rows the current one moved on the screen"] = [float(abs(now - offset))]
        self.found["refresh of 1 %: current row lost"] = [float(self.tab.current_ref() != current)]


class Ticks:
    """A timer of 1 ms, and its longest interval (s)."""

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self.longest = 0.0
        self._last = 0.0
        self._timer = QTimer(interval=1, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    def begin(self) -> None:
        """Now."""
        self._last = time.perf_counter()
        self._timer.start()

    def end(self) -> None:
        """Now."""
        self._tick()
        self._timer.stop()

    def _tick(self) -> None:
        now = time.perf_counter()
        self.longest, self._last = max(self.longest, now - self._last), now


def budgeted() -> object:
    """Events that wait in a line, and come for no longer than they may, as the real ones do."""
    from tests.ui.recording_shop import Events

    class Budget(Events):
        """Waits in a line, and comes for no longer than it may, as the real one does."""

        def drain(self, budget_s: float) -> Iterator[object]:
            end = time.perf_counter() + budget_s
            while self.waiting:
                yield self.waiting.pop(0)
                if time.perf_counter() >= end:
                    break
            if self.waiting and self.on_wake is not None:
                self.on_wake()

    return Budget()


def work_on(work: Work, said: Callable[[str], None], *, short: bool) -> None:
    """What a person does in a list that is filled."""
    work.book()
    for column in SORTS:
        for descending in (False, True):
            work.sort(column, descending)
    said("sorted")
    work.filters(pause=True)
    said("filtered")
    if not short:
        work.filters(pause=False)
        said("filtered without a pause")
    work.tab.sort("name", False)
    work.settle()
    work.scroll()
    said("scrolled")
    work.refresh()
    said("refreshed")
    from tests.bench._grid_limits import measure

    measure(work)
    said("measured the limits")
    if short:
        return
    from tests.bench._grid_palette import search

    search(work)
    said("searched by Ctrl+K")
    from tests.bench._grid_paste import paste

    paste(work)
    said("pasted")
    from tests.bench._grid_used import use

    use(work)
    said("used everything else")


def main(pets: int, *, short: bool) -> None:
    """Do it all, print, and end."""
    from PySide6.QtCore import QLocale
    from PySide6.QtWidgets import QApplication

    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    application = QApplication([sys.argv[0]])
    from petstore_desktop.ui.base.qt_setup import collect_only_here
    from petstore_desktop.ui.base.theme import ThemeController
    from tests.bench._memory import load_everything, memory_at_rest, memory_mib

    theme = ThemeController(application, "light")
    work = Work(pets)
    load_everything()
    collect_only_here(application)
    bare = memory_mib()
    begun = time.perf_counter()

    def said(what: str) -> None:
        took = time.perf_counter() - begun
        print(f"  {took:6.1f} s, {memory_mib():5.0f} MiB {what}", file=sys.stderr, flush=True)

    work.fill()
    said("filled")
    memory = {"window alone": bare, "pets open": memory_at_rest()}
    work_on(work, said, short=short)
    memory["after everything was used once"] = memory_at_rest()
    sys.stdout.write(json.dumps({"ms": work.found, "memory": memory, "theme": str(bool(theme))}) + "\n")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    main(int(sys.argv[1]), short=sys.argv[2:] == ["short"])
