"""The program below its window before a service that bans: never early, one probe, one write at a time, nothing lost,
nothing twice, nothing starves, whatever the service answers and whoever touches the clock, the power or the records.

Dice make the many steps, Hypothesis the same moves in short runs, and shrinks. `dev.py long gate` makes many more.
"""

from __future__ import annotations

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.quota import GatePhase
from tests.api.gate_machine import rules as gate_machine_rules
from tests.api.gate_machine.machine import LEAST_IN_A_PAUSE, SLOW, Game, drive, relive
from tests.api.gate_machine.service import Violation
from tests.sync import machine_rules
from tests.sync.machine import ENGINE, EngineMachine

SEED, STEPS = 4, 900
SEEDS, SOON = (5, 20, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11), 600
"""A program without one of its rules is found out in the episode that its rule names; where an order of hashes makes
that another one, within so many steps with one of these seeds."""

PROOF = settings(
    max_examples=6,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=SLOW,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
)
MET = [
    *(phase.value for phase in GatePhase),
    *(f"change {state}" for state in ChangeState),
    "sent as a probe", "called back", "no connection", "cancelled", "lost", "start", "answer well", "answer 429",
    "taken back", "done again"
]  # fmt: skip
"""What a run must have seen, to say anything."""


def test_nothing_is_early_lost_or_twice_in_many_steps(capsys: pytest.CaptureFixture[str]) -> None:
    found = drive(SEED, STEPS, game=ENGINE)
    with capsys.disabled():
        print("", *found.lines(), sep="\n")  # noqa: T201 - the counts are part of the proof
    assert found.steps == STEPS
    assert found.in_pause >= LEAST_IN_A_PAUSE * STEPS
    assert not [name for name in MET if not found.seen[name]]


def test_an_episode_is_the_same_each_time_it_is_lived() -> None:
    first, second = (drive(SEED, 50, game=ENGINE).lines() for _ in range(2))
    assert first == second


def test_hypothesis_finds_nothing_either() -> None:
    run_state_machine_as_test(EngineMachine, settings=PROOF)


@pytest.mark.parametrize("rule", machine_rules.RULES, ids=lambda rule: rule.says)
def test_an_engine_without_one_of_its_rules_is_found_out(
    rule: machine_rules.Rule, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine_rules.remove(rule, monkeypatch)
    with pytest.raises(Violation):
        hunt(rule.episode)


@pytest.mark.parametrize(("says", "episode"), machine_rules.OF_ITS_GATE.items())
def test_so_is_one_whose_gate_lacks_a_rule(says: str, episode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = next(rule for rule in gate_machine_rules.RULES if rule.says == says)
    gate_machine_rules.remove(rule, monkeypatch)
    with pytest.raises(Violation):
        hunt(episode)


def hunt(episode: str, game: Game = ENGINE) -> None:
    relive(episode, game)
    for seed in SEEDS:
        drive(seed, SOON, game=game)
