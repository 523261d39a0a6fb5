"""Whatever the service answers, whoever touches the clock: never early, one probe, nothing lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from petstore_desktop.api import back_off, gate_memory, gate_order
from tests.api.gate_model_server import SEEN, GateMachine, Violation

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
"""The machine that runs this may be busy; the draws themselves are small."""

PROOF = settings(max_examples=120, stateful_step_count=50, deadline=None, suppress_health_check=SLOW)
HUNT = settings(
    max_examples=400,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    database=None,
    report_multiple_bugs=False,
    phases=[Phase.generate],
    suppress_health_check=SLOW,
)


def test_no_request_ever_leaves_inside_a_pause() -> None:
    SEEN.clear()
    run_state_machine_as_test(GateMachine, settings=PROOF)
    assert {"open", "spent", "paused", "banned", "probing"} <= set(SEEN)
    assert SEEN["paused"] + SEEN["banned"] >= 0.05 * SEEN.total(), SEEN


def _no_wait(*_: object, **__: object) -> float:
    return 0.0


@pytest.mark.parametrize(
    ("where", "name", "broken"),
    [
        (back_off, "pause_length", _no_wait),
        (gate_order, "may_probe", lambda _: True),
        (gate_order, "in_flight_cap", lambda _: 5),
        (gate_order, "probe_due", lambda state, now: state.closure and now >= state.closure.until),
        (gate_memory, "restored_until", lambda kept, now: kept.until_wall and now.steady),
    ],
    ids=["no wait", "a write as a probe", "five in flight", "two probes", "a start forgets"],
)
@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")
def test_a_gate_without_one_of_its_rules_is_found_out(
    monkeypatch: pytest.MonkeyPatch, where: object, name: str, broken: Callable[..., object]
) -> None:
    monkeypatch.setattr(where, name, broken)
    with pytest.raises(Violation):
        run_state_machine_as_test(GateMachine, settings=HUNT)
