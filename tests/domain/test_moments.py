"""Stored times that no calendar has."""

from __future__ import annotations

import math

import pytest

from petstore_desktop.desk.values.dates import local_day
from petstore_desktop.domain.records import calendar_moment
from petstore_desktop.ui.text.times import as_of, moment, on_paper

NO_TIMES = (-1e12, -1.0, 253_402_300_800.0, 1e300, math.inf, -math.inf, math.nan)
PRESENT = 1_795_000_000.25


@pytest.mark.parametrize("said", NO_TIMES)
def test_every_number_is_said_as_a_time(said: float) -> None:
    assert local_day(said).year in (1969, 1970, 2999, 3000)
    assert all((on_paper(said), moment(said, PRESENT), moment(PRESENT, said), as_of(said, said)))


def test_a_time_stays_as_it_is() -> None:
    assert calendar_moment(PRESENT) == PRESENT
