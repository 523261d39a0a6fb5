"""History is as a plain model of it: what was shown to change, between which readings, and who is never said wrongly.

Dice make the many steps, Hypothesis the same moves in short runs, and shrinks. `dev.py long history` makes many more.
"""

from __future__ import annotations

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.api.gate_machine.machine import SLOW, drive, machine_of, relive
from tests.sync.past.moves import GAME

SEED, STEPS = 13, 90
FOUND = ("1:0", "23406:0", "399721:0")
"""Episodes in which a fault was found: a record that a reading had not shown was called unchanged until then; a reading
that does not tell what went made the stock of a pet that was deleted here a colleague's deletion."""
PROOF = settings(
    max_examples=3,
    stateful_step_count=15,
    deadline=None,
    suppress_health_check=SLOW,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
)
MET = [
    "changes", "start", "overtaken", "list not modified", "killed after a commit of history.db",
    "killed after a commit of mirror.db", "write lost", "write failed", "write undone", "write refused",
]  # fmt: skip
"""What a run must have seen, to say anything."""

PastMachine = machine_of(GAME)


def test_history_says_what_was_shown_and_who_did_it() -> None:
    found = drive(SEED, STEPS, game=GAME)
    assert found.steps == STEPS
    assert not [name for name in MET if not found.seen[name]]


def test_hypothesis_finds_nothing_either() -> None:
    run_state_machine_as_test(PastMachine, settings=PROOF)


@pytest.mark.parametrize("episode", FOUND)
def test_what_was_found_stays_mended(episode: str) -> None:
    relive(episode, GAME)
