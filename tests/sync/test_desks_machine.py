"""Two connections of one program, its file of pauses and a document at the service's own address: never early.

`dev.py long gate` makes many more steps.
"""

from __future__ import annotations

import pytest

from tests.api.gate_machine.machine import LEAST_IN_A_PAUSE, drive, relive
from tests.api.gate_machine.service import Violation
from tests.sync.desks_machine_moves import DESKS
from tests.sync.desks_machine_rules import MENDS, Mend, take_out

SEED, STEPS = 2, 400


def test_no_connection_sends_inside_a_pause_whatever_happens_to_the_file() -> None:
    found = drive(SEED, STEPS, game=DESKS)
    assert found.steps == STEPS
    assert found.in_pause >= LEAST_IN_A_PAUSE * STEPS


@pytest.mark.parametrize("mend", MENDS, ids=lambda mend: mend.says)
def test_a_program_without_one_of_its_safeguards_is_found_out(mend: Mend, monkeypatch: pytest.MonkeyPatch) -> None:
    take_out(mend, monkeypatch)
    with pytest.raises(Violation):
        relive(mend.episode, DESKS)
