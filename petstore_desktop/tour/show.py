"""*Show me*: the best of the demo shop in a minute and a half, played by keys and mouse as the tour is, each part under
a caption. It has a window and a folder of its own, which is gone afterwards: nothing of the person's is touched."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QTableView, QWidget

from petstore_desktop.app import Program
from petstore_desktop.clock import OffsetClock
from petstore_desktop.demo.witness import Witness
from petstore_desktop.domain.codes import label_code
from petstore_desktop.domain.quota import GatePhase, Link
from petstore_desktop.domain.records import Resource
from petstore_desktop.tour import stage as stage_module
from petstore_desktop.tour.pilot import StepFailed, press, regain, scan, until, wait, write
from petstore_desktop.tour.runner import Act
from petstore_desktop.tour.stage import Stage
from petstore_desktop.tour.steps.change import stock_of, stock_pet
from petstore_desktop.ui.cells.cell_model import KeyRole
from petstore_desktop.ui.program.caption_bar import CaptionBar
from petstore_desktop.ui.text.translate import column_title, tr

LETTERS_A_SECOND, LEAST_S = 18.0, 4.0
"""How fast a caption is read, and how long it stands at least."""
_PAUSE_S, _SLOW_S = 14, 20.0
"""So long the service makes the program wait for the pause to end, and for an answer."""


class ShownPart(Struct, frozen=True):
    """What is said, then what is done."""

    words: Callable[[], str]
    do: Act


def play(
    program: Program,
    witness: Witness,
    clock: OffsetClock,
    pace: float = 1.0,
    shown: Callable[[QWidget], object] = lambda _: None,
) -> str:
    """Play all parts; empty, or what came between. `pace`: 0 plays without a rest. It ends early with End, and where
    the window is closed. `shown` is given the window after each part."""
    stage = Stage(program, witness, clock)
    try:
        program.open()
        until(lambda: program.window is not None, "the demo shop's window does not open")
        in_stock = column_title(Resource.INVENTORY, "stock")
        stage_module.read_back = lambda text: "In stock" if text == in_stock else text
        _open(stage)
        stage.window.close_now = True
        bar = CaptionBar()
        stage.window.place_above_tabs(bar, 0)
        _Show(stage, bar, pace).play(PARTS, shown)
    except StepFailed as error:
        return "" if program.window is None or not program.window.isVisible() else str(error)
    finally:
        program.close()
    return ""


class _Show:
    def __init__(self, stage: Stage, bar: CaptionBar, pace: float) -> None:
        self._stage, self._bar, self._pace = stage, bar, pace
        self._goes_on = self._ends = False
        bar.nextWanted.connect(self._next)
        bar.endWanted.connect(self._end)

    def _next(self) -> None:
        self._goes_on = True

    def _end(self) -> None:
        self._ends = True

    def play(self, parts: Sequence[ShownPart], shown: Callable[[QWidget], object]) -> None:
        """One after the other, and then wait for the end."""
        for part in parts:
            words = part.words()
            self._bar.say(words)
            self._rest(LEAST_S)
            if self._ends:
                return
            part.do(self._stage)
            self._rest(max(LEAST_S, len(words) / LETTERS_A_SECOND))
            shown(self._stage.window)

    def _rest(self, seconds: float) -> None:
        """Let it be read; where a screen reader reads it, for as long as it takes."""
        self._goes_on = False
        until_then = time.monotonic() + seconds * self._pace
        waits = QAccessible.isActive() and self._pace > 0
        self._bar.listen(True)
        try:
            while not (self._ends or self._goes_on) and (waits or time.monotonic() < until_then):
                if not self._stage.window.isVisible():
                    raise StepFailed("the window is closed")
                wait(30)
        finally:
            self._bar.listen(False)


# ---- the parts: asked of the window's state and not of its words, which are in the person's language


def _all_sent(stage: Stage) -> bool:
    return not len(stage.window.shop.desk.outbox)


def _open(stage: Stage) -> None:
    regain(stage.window)
    stage.fill(stage.window)
    stage.meet_shop()
    table = stage.go("Pets")
    until(lambda: table.model().rowCount() == stage.shop.count("pets"), "not all pets came")


def _found(stage: Stage) -> None:
    stage.go("Pets")
    stage.filter("koi")


def _booked(stage: Stage) -> None:
    stage.unfilter()
    stage.go("Inventory")
    pet = stock_pet(stage, 3)
    stage.notes.update(pet=pet, before=stock_of(stage, pet))
    stage.shop.control("delay", seconds=_SLOW_S)
    stage.book(pet, "+12")
    until(lambda: not _all_sent(stage), "the booking is not saved")


def _undone(stage: Stage) -> None:
    stage.shop.control("delay", seconds=0)
    pet, before = stage.notes["pet"], stage.notes["before"]
    until(lambda: stock_of(stage, pet) == before + 12 and _all_sent(stage), "the booking is not sent")
    press("Ctrl+Z")
    until(lambda: stock_of(stage, pet) == before and _all_sent(stage), "Ctrl+Z does not bring the stock back")


def _offline(stage: Stage) -> None:
    stage.go("Inventory")
    stage.shop.control("offline", on=True)
    stage.book(stock_pet(stage, 5), "+24")
    until(lambda: stage.window.shop.desk.link is Link.OFFLINE, "the window is not offline")


def _online(stage: Stage) -> None:
    stage.shop.control("offline", on=False)
    press("F5")
    until(lambda: _all_sent(stage), "what was done offline does not go out")


def _paused(stage: Stage) -> None:
    stage.go("Inventory")
    stage.shop.control("reset-limits")
    stage.shop.control("exhaust", ends_in=_PAUSE_S)
    stage.book(stock_pet(stage, 1), "+6")
    until(lambda: stage.window.shop.desk.gate.phase is GatePhase.PAUSED, "no pause shows")


def _scanned(stage: Stage) -> None:
    until(lambda: _all_sent(stage), "what waited does not go out")
    stage.go("Pets")
    pet = stock_pet(stage, 6)
    scan(label_code(pet))
    until(lambda: stage.shows("inventoryTable"), "the scan does not lead to the stock")
    table = stage.find(QTableView, "inventoryTable")
    until(lambda: table.currentIndex().data(KeyRole) == str(pet) and table.hasFocus(), "it is not at the pet's stock")
    write("+9")


def _nothing(_: Stage) -> None:
    pass


PARTS: Final = (
    ShownPart(lambda: tr("A whole shop, kept on this computer: searched as you type, offline too."), _found),
    ShownPart(lambda: tr("Type +12 into a stock, and Enter: saved on this computer first, then sent, once."), _booked),
    ShownPart(lambda: tr("Ctrl+Z undoes it, sent or not, tomorrow too."), _undone),
    ShownPart(lambda: tr("Now the network fails. You go on working; nothing is lost."), _offline),
    ShownPart(lambda: tr("It is back: what you did goes out by itself."), _online),
    ShownPart(
        lambda: tr("The service says “wait”. The program counts down and goes on by itself; you keep working."), _paused
    ),
    ShownPart(lambda: tr("A scanner works wherever you are: its pet’s stock opens for the number."), _scanned),
    ShownPart(lambda: tr("That was a demo shop. Open it to try it yourself, or connect your own shop."), _nothing),
)
