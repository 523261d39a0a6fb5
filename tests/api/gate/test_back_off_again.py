"""What a pause leaves to the next one, and what it does not."""

from __future__ import annotations

from petstore_desktop.api.gate.back_off import FAILURE_FIRST
from petstore_desktop.api.gate.model import ProbeWanted
from petstore_desktop.api.headers.limit_headers import WindowFacts
from tests.api.gate_machine.bench import CHANGES, Bench, High, answer, paused


def probe(bench: Bench) -> int:
    """Wait for the end of the pause; the ticket of its probe."""
    bench.pass_time(bench.waits)
    ticket = bench.ask()
    assert bench.left() == [ticket]
    return ticket


def test_good_answers_from_before_a_pause_forgive_nothing_after_it() -> None:
    bench = Bench()
    bench.one(answer(429))
    bench.pass_time(bench.waits)
    for _ in range(9):
        bench.one(answer(200))
    bench.one(answer(429))
    assert bench.waits == 121.0
    bench.say(probe(bench), answer(200))
    bench.one(answer(429))
    assert bench.waits == 241.0


def test_lost_probes_of_one_pause_make_none_of_the_next_later() -> None:
    bench = paused(10.0)
    for waits in (2.0, 3.0):
        bench.lose(probe(bench))
        assert bench.waits == waits
    bench.pass_time(100.0)
    bench.one(answer(200))
    bench.one(answer(429, retry_after=10.0))
    bench.lose(probe(bench))
    assert bench.waits == 2.0
    assert bench.state.closure is not None
    assert bench.state.closure.length == 2.0


def test_a_probe_is_asked_for_at_the_end_of_each_pause_however_short_the_next_one_is() -> None:
    bench = paused(10.0)
    bench.ask(CHANGES, write=True)
    bench.pass_time(11.0)
    assert bench.of(ProbeWanted)
    ticket = bench.ask()
    assert bench.left() == [ticket]
    bench.say(ticket, answer(429, retry_after=5.0))
    bench.pass_time(bench.waits)
    assert bench.of(ProbeWanted)


def test_another_probe_is_asked_for_as_soon_as_a_lost_one_may_be_tried_again() -> None:
    bench = paused(10.0)
    bench.ask(CHANGES, write=True)
    bench.pass_time(11.0)
    ticket = bench.ask()
    assert bench.left() == [ticket]
    bench.lose(ticket)
    bench.pass_time(bench.waits)
    assert bench.of(ProbeWanted)


def test_the_first_failure_of_all_is_the_first_of_its_row() -> None:
    bench = Bench(chance=High())
    bench.one(answer(500))
    assert bench.state.failures.until - bench.clock.now().steady == FAILURE_FIRST


def test_a_refusal_that_names_no_wait_is_waited_for_until_the_next_reset() -> None:
    bench = Bench()
    bench.warm()
    bench.one(answer(429, WindowFacts(60, 5, 40.0), WindowFacts(1000, 500, 30_000.0), WindowFacts(None, 1, None)))
    assert bench.waits == 41.0
