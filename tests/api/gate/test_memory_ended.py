"""A pause that is over stays over, whatever the power does and whoever sets the clock."""

from __future__ import annotations

from petstore_desktop.api.gate.memory import snapshot
from petstore_desktop.api.gate.model import EndPause
from petstore_desktop.api.headers.limit_headers import WindowFacts
from petstore_desktop.domain.quota import GatePhase, LimitSpan
from tests.api.gate.test_memory import started
from tests.api.gate_machine.bench import Bench, answer

DAY_BACK = -86_400.0


def test_a_pause_that_a_person_has_ended_does_not_begin_anew_whatever_the_clock_of_the_next_boot_says() -> None:
    bench = Bench()
    bench.warm()
    bench.one(answer(429, retry_after=1e9))
    bench.feed(EndPause())
    again = started(bench.snapshot, later=30.0, boot="boot-2", wall_jump=DAY_BACK)
    assert again.phase is GatePhase.PROBING
    probe = again.ask()
    assert again.left() == [probe]


def test_one_that_was_over_when_it_was_written_down_leaves_the_window_beneath_it_to_wait_for() -> None:
    bench = Bench()
    bench.warm()
    refused, late = bench.ask(), bench.ask()
    bench.say(refused, answer(429, retry_after=1e5))
    bench.pass_time(1e5 + 2.0)
    assert bench.phase is GatePhase.PROBING
    bench.say(late, answer(200, WindowFacts(1000, 0, 500.0, span=LimitSpan.DAY)))
    kept = snapshot(bench.state, bench.clock.now())
    assert started(kept, later=0.0, boot="boot-2", wall_jump=DAY_BACK).waits == 501.0
    bench.pass_time(501.0)
    over = snapshot(bench.state, bench.clock.now())
    assert started(over, later=0.0, boot="boot-2", wall_jump=DAY_BACK).phase is GatePhase.PROBING
