"""Services drawn at random: all that is offered works, and undoes itself; all else is refused in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.services.drawn import drawn
from tests.support.services.play import play

SERVICES = 3
"""`dev.py long services` draws others, and more."""
FOUND = (392904, 715208, 80440, 147057)
"""Those in which a fault was found: a creation that is answered with nothing, and leaves out what was hidden; a stock
entry put whole, answered with nothing."""


@pytest.mark.parametrize("seed", [*range(SERVICES), *FOUND])
def test_a_service_is_used_as_it_offers_itself(seed: int, tmp_path: Path) -> None:
    done = play(drawn(seed), tmp_path / "desk")
    assert done["records read"] > 0


def test_what_is_drawn_is_the_same_each_time_and_differs() -> None:
    assert drawn(7) == drawn(7)
    assert len({str(drawn(seed).kinds) for seed in range(25)}) == 25
