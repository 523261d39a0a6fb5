"""The order of the tour's steps, and a tour through all of them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from petstore_desktop.app import Program
from petstore_desktop.clock import OffsetClock
from petstore_desktop.demo.witness import Witness
from petstore_desktop.tour import runner
from petstore_desktop.tour.interruptions.connect import CONNECTING
from petstore_desktop.tour.interruptions.contrast import CONTRAST
from petstore_desktop.tour.interruptions.end import CLOSING, ENDING
from petstore_desktop.tour.interruptions.journal import NEXT_DAY, REFUSING
from petstore_desktop.tour.interruptions.morning import MORNING
from petstore_desktop.tour.interruptions.pause import PAUSING
from petstore_desktop.tour.runner import StepOutcome
from petstore_desktop.tour.stage import Before, Stage
from petstore_desktop.tour.steps.change import CHANGING
from petstore_desktop.tour.steps.desks import DESKS
from petstore_desktop.tour.steps.filter import FILTERING, FILTERING_DARK
from petstore_desktop.tour.steps.grid import BULK, BULK_DARK
from petstore_desktop.tour.steps.import_file import IMPORTING
from petstore_desktop.tour.steps.look import LOOKING
from petstore_desktop.tour.steps.new import MAKING
from petstore_desktop.tour.steps.orders import ORDERING
from petstore_desktop.tour.steps.palette import JUMPING
from petstore_desktop.tour.steps.views import VIEWING
from petstore_desktop.ui.base.qt_setup import log_qt_messages


def play(program: Program, witness: Witness, clock: OffsetClock, folder: Path, before: Before) -> list[StepOutcome]:
    """Open the program, take all steps, and close it."""
    log_qt_messages()
    program.application.setCursorFlashTime(0)  # a blinking caret would make two pictures of one state
    try:
        program.open()
        return runner.run(SCRIPT, Stage(program, witness, clock, before), folder)
    finally:
        program.close()


SCRIPT: Final = (
    *LOOKING,
    *FILTERING,
    *VIEWING,
    *JUMPING,
    *CHANGING,
    *REFUSING,
    *MAKING,
    *BULK,
    *IMPORTING,
    *ORDERING,
    *DESKS,
    *PAUSING,
    *BULK_DARK,
    *FILTERING_DARK,
    *ENDING,
    *NEXT_DAY,
    *MORNING,
    *CONTRAST,
    *CONNECTING,
    *CLOSING,
)
"""All steps, in order."""
