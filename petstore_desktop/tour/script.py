"""The order of the tour's steps, and a tour through all of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QLocale

from petstore_desktop.app import Program
from petstore_desktop.clock import OffsetClock
from petstore_desktop.demo.witness import Witness
from petstore_desktop.tour import runner
from petstore_desktop.tour.interruptions.connect import CONNECTING
from petstore_desktop.tour.interruptions.end import CLOSING, ENDING
from petstore_desktop.tour.interruptions.journal import NEXT_DAY, REFUSING
from petstore_desktop.tour.interruptions.pause import PAUSING
from petstore_desktop.tour.runner import StepOutcome, TourStep
from petstore_desktop.tour.steps.change import CHANGING
from petstore_desktop.tour.steps.filter import FILTERING, FILTERING_DARK
from petstore_desktop.tour.steps.grid import BULK, BULK_DARK
from petstore_desktop.tour.steps.import_file import IMPORTING
from petstore_desktop.tour.steps.look import looking
from petstore_desktop.tour.steps.new import MAKING
from petstore_desktop.tour.steps.orders import ORDERING
from petstore_desktop.tour.steps.palette import JUMPING
from petstore_desktop.tour.steps.views import VIEWING
from petstore_desktop.ui.base.qt_messages import log_qt_messages

Before = Callable[[Witness], object]


def play(
    program: Program, witness: Witness, clock: OffsetClock, folder: Path, before: Before | None = None
) -> list[StepOutcome]:
    """Open the program, take all steps, and close it."""
    log_qt_messages()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    program.application.setCursorFlashTime(0)  # a blinking caret would make two pictures of one state
    try:
        program.open()
        return runner.run(script(before), runner.Stage(program, witness, clock), folder)
    finally:
        program.close()


def script(before: Before | None = None) -> tuple[TourStep, ...]:
    """All steps; `before` prepares the shop, once it runs."""
    first = (
        *looking(before),
        *FILTERING,
        *VIEWING,
        *JUMPING,
        *CHANGING,
        *REFUSING,
        *MAKING,
        *BULK,
        *IMPORTING,
        *ORDERING,
        *PAUSING,
        *BULK_DARK,
        *FILTERING_DARK,
        *ENDING,
    )
    return (*first, *NEXT_DAY, *CONNECTING, *CLOSING)
