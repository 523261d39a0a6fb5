"""The order of the tour's steps."""

from __future__ import annotations

from collections.abc import Callable

from petstore_desktop.demo.witness import Witness
from petstore_desktop.tour.runner import Step
from petstore_desktop.tour.steps_change import CHANGING
from petstore_desktop.tour.steps_connect import CONNECTING
from petstore_desktop.tour.steps_end import CLOSING, ENDING
from petstore_desktop.tour.steps_filter import FILTERING, FILTERING_DARK
from petstore_desktop.tour.steps_grid import BULK, BULK_DARK
from petstore_desktop.tour.steps_import import IMPORTING
from petstore_desktop.tour.steps_journal import NEXT_DAY, REFUSING
from petstore_desktop.tour.steps_look import looking
from petstore_desktop.tour.steps_new import MAKING
from petstore_desktop.tour.steps_orders import ORDERING
from petstore_desktop.tour.steps_palette import JUMPING
from petstore_desktop.tour.steps_pause import PAUSING
from petstore_desktop.tour.steps_views import VIEWING


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
