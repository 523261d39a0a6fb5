"""The order of the tour's steps."""

from __future__ import annotations

from collections.abc import Callable

from petstore_desktop.demo.witness import Witness
from petstore_desktop.tour.interruptions.connect import CONNECTING
from petstore_desktop.tour.interruptions.end import CLOSING, ENDING
from petstore_desktop.tour.interruptions.journal import NEXT_DAY, REFUSING
from petstore_desktop.tour.interruptions.pause import PAUSING
from petstore_desktop.tour.runner import Step
from petstore_desktop.tour.steps.change import CHANGING
from petstore_desktop.tour.steps.filter import FILTERING, FILTERING_DARK
from petstore_desktop.tour.steps.grid import BULK, BULK_DARK
from petstore_desktop.tour.steps.import_file import IMPORTING
from petstore_desktop.tour.steps.look import looking
from petstore_desktop.tour.steps.new import MAKING
from petstore_desktop.tour.steps.orders import ORDERING
from petstore_desktop.tour.steps.palette import JUMPING
from petstore_desktop.tour.steps.views import VIEWING


def script(before: Callable[[Witness], object] | None = None) -> tuple[Step, ...]:
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
