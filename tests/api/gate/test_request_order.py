"""Who leaves next, and when the next could."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from petstore_desktop.api.gate.machine import forecast
from petstore_desktop.api.headers.limit_headers import WindowFacts
from petstore_desktop.domain.quota import PLANS, GatePhase, LimitSpan
from tests.api.gate_machine.bench import BACKGROUND, CHANGES, PERSON, VISIBLE, Bench, answer


def busy() -> tuple[Bench, list[int]]:
    """A gate with four requests in flight."""
    bench = Bench()
    bench.warm(60)
    tickets = [bench.ask() for _ in range(4)]
    assert bench.left() == tickets
    return bench, tickets


def test_classes_leave_in_their_order_and_within_a_class_the_first_comes_first() -> None:
    bench, flying = busy()
    asked = [bench.ask(cls) for cls in (BACKGROUND, VISIBLE, CHANGES, PERSON, BACKGROUND, PERSON)]
    left: list[int] = []
    for _ in asked:
        bench.say(flying.pop(0), answer(200, remaining=50))
        left += bench.left()
        flying += left[-1:]
    assert left == [asked[index] for index in (3, 5, 2, 1, 0, 4)]


def test_of_a_window_whose_limit_nobody_knows_every_class_may_take_the_last() -> None:
    for cls in (PERSON, CHANGES, VISIBLE, BACKGROUND):
        bench = Bench()
        bench.warm(1, limit=None)
        ticket = bench.ask(cls)
        assert bench.left() == [ticket]


def test_writes_leave_one_at_a_time_and_reads_go_on_beside_them() -> None:
    bench = Bench()
    bench.warm(50)
    writes = [bench.ask(CHANGES, write=True) for _ in range(3)]
    reads = [bench.ask(VISIBLE) for _ in range(2)]
    assert bench.left() == [writes[0], *reads]
    bench.say(reads[0], answer(200, remaining=45))
    assert bench.left() == []
    bench.say(writes[0], answer(200, remaining=44))
    assert bench.left() == [writes[1]]


def test_what_waits_for_over_a_minute_goes_before_every_class() -> None:
    bench, flying = busy()
    starved = bench.ask(BACKGROUND)
    bench.pass_time(60.0)
    bench.ask(PERSON)
    bench.say(flying[0], answer(200, remaining=50))
    assert bench.left() == [starved]


def test_in_a_flood_of_people_background_still_leaves_within_a_minute_and_a_turn() -> None:
    bench = Bench()
    bench.warm(60)
    background = bench.ask(BACKGROUND, write=True)
    bench.left()
    bench.lose(background, sent=False)
    in_flight = [bench.ask(PERSON) for _ in range(4)]
    background = bench.ask(BACKGROUND)
    for second in range(64):
        bench.ask(PERSON)
        bench.left()
        bench.say(in_flight.pop(0), answer(200, remaining=50))
        left = bench.left()
        in_flight += left
        if background in left:
            assert second >= 59
            return
        bench.pass_time(1.0)
    pytest.fail("background starved")


def test_a_crowd_that_starved_does_not_starve_a_person_in_turn() -> None:
    bench, flying = busy()
    crowd = [bench.ask(BACKGROUND) for _ in range(10)]
    bench.pass_time(61.0)
    persons = [bench.ask(PERSON) for _ in range(3)]
    left: list[int] = []
    for _ in range(6):
        bench.say(flying.pop(0), answer(200, remaining=50))
        left += bench.left()
        flying += left[-1:]
    assert left == [crowd[0], persons[0], crowd[1], persons[1], crowd[2], persons[2]]


def test_one_that_starves_but_may_not_leave_does_not_hold_the_others() -> None:
    bench = Bench()
    bench.warm(5, reset_in=500.0, limit=50)
    bench.ask(CHANGES, write=True)
    bench.pass_time(100.0)
    person = bench.ask(PERSON)
    assert bench.left() == [person]


@pytest.mark.parametrize("writes_answered", ["first", "last"])
def test_changes_leave_within_a_minute_and_a_turn_though_people_write_without_end(writes_answered: str) -> None:
    bench = Bench()
    bench.warm(60)
    writes = {bench.ask(write=True)}
    in_flight = [*writes, *(bench.ask() for _ in range(3))]
    starved = bench.ask(CHANGES, write=True)
    bench.left()
    for second in range(66):
        reads = [bench.ask(PERSON) for _ in range(4)]
        writes |= {bench.ask(PERSON, write=True) for _ in reads}
        for ticket in sorted(in_flight, key=lambda ticket: (ticket in writes) is (writes_answered == "last")):
            bench.say(ticket, answer(200, remaining=50))
        in_flight = bench.left()
        if starved in in_flight:
            assert second >= 59
            return
        bench.pass_time(1.0)
    pytest.fail("changes starved")


def test_of_those_that_starve_the_next_goes_where_the_oldest_may_not() -> None:
    bench, flying = busy()
    write = bench.ask(CHANGES, write=True)
    bench.pass_time(30.0)
    bench.say(flying.pop(), answer(200, remaining=50))
    assert bench.left() == [write]
    starved = [bench.ask(BACKGROUND, write=True), bench.ask(BACKGROUND)]
    bench.pass_time(60.0)
    bench.ask(PERSON)
    bench.say(flying.pop(), answer(200, remaining=50))
    assert bench.left() == starved[1:]


def test_nobody_that_starves_is_passed_over_twice_though_each_time_it_could_leave_was_the_classes_turn() -> None:
    """A write can leave only while no other does, and the turns may fall so that this is never its turn."""
    bench = Bench()
    bench.warm(60)
    writing = bench.ask(PERSON, write=True)
    in_flight = [bench.ask() for _ in range(3)]
    bench.left()
    starved = bench.ask(CHANGES, write=True)
    crowd = [bench.ask(BACKGROUND) for _ in range(4)]
    bench.pass_time(60.0)
    passed = 0
    for turn in range(3):
        people = bench.ask(PERSON, write=True)
        bench.say(in_flight.pop(0), answer(200, remaining=50))
        assert bench.left() == [crowd[turn]]  # its turn, while a write is on its way
        bench.say(writing, answer(200, remaining=50))
        (writing,) = bench.left()
        if writing == starved:
            break
        assert writing == people
        passed += 1
    assert passed == 1


def test_of_those_that_starve_only_the_oldest_that_could_leave_is_passed_over() -> None:
    bench, flying = busy()
    crowd = [bench.ask(BACKGROUND) for _ in range(3)]
    bench.pass_time(60.0)
    people = [bench.ask(PERSON) for _ in range(2)]
    for leaves, passed in ((crowd[0], []), (people[0], crowd[1:2]), (crowd[1], []), (people[1], crowd[2:])):
        bench.say(flying.pop(0), answer(200, remaining=50))
        assert bench.left() == [leaves]
        assert [waiting.ask.ticket for waiting in bench.state.queue if waiting.passed] == passed
        flying.append(leaves)


def test_a_retry_that_starves_gets_the_next_token_before_its_class() -> None:
    bench = Bench()
    bench.warm(60)
    for _ in range(10):
        ticket = bench.ask(CHANGES, retry=True)
        assert bench.left() == [ticket]
        bench.say(ticket, answer(500))
    starved = bench.ask(BACKGROUND, retry=True)
    changes = [bench.ask(CHANGES, retry=True) for _ in range(2)]
    left: list[int] = []
    for _ in range(3):
        bench.pass_time(60.0)
        left += bench.left()
        bench.say(left[-1], answer(500))
    assert left == [starved, *changes]


# ---------------------------------------------------------------- forecast


def ahead(bench: Bench, cls=PERSON, cost: int = 1) -> float | None:
    at = forecast(bench.state, bench.clock.now(), cls, cost).at
    return None if at is None else at - bench.clock.now().steady


def test_an_open_gate_lets_each_class_leave_now() -> None:
    bench = Bench()
    bench.warm(50)
    assert [ahead(bench, cls) for cls in (PERSON, CHANGES, VISIBLE, BACKGROUND)] == [0.0] * 4


def test_changes_that_come_too_near_to_the_persons_share_leave_at_the_reset() -> None:
    bench = Bench()
    bench.warm(6, reset_in=30.0)
    assert (ahead(bench, PERSON), ahead(bench, CHANGES)) == (0.0, 31.0)
    bench.ask(CHANGES, write=True)
    bench.pass_time(31.0)
    assert len(bench.left()) == 1


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        (answer(200, remaining=0, reset_in=30.0), 31.0),
        (answer(429, retry_after=10.0), 11.0),
        (answer(429, retry_after=10.0, remaining=0, reset_in=90.0), 91.0),
        (answer(403, code="key_banned"), 3_601.0),
        (answer(401), None),
    ],
)
def test_a_closed_gate_says_when_the_next_could_leave(said, seconds: float | None) -> None:
    bench = Bench()
    bench.one(said)
    assert ahead(bench) == seconds
    assert ahead(bench, BACKGROUND) == seconds


@pytest.mark.parametrize("span", list(LimitSpan))
def test_a_window_that_has_ended_since_the_last_word_holds_nobody(span: LimitSpan) -> None:
    bench = Bench()
    bench.one(answer(200, WindowFacts(60, 0, 30.0, span=span)))
    assert ahead(bench) == 31.0
    bench.clock.advance(31.0)
    assert ahead(bench) == 0.0


def test_a_forecast_is_of_one_request_where_nothing_else_is_said() -> None:
    bench = Bench()
    bench.warm(1)
    now = bench.clock.now()
    assert forecast(bench.state, now, PERSON).at == now.steady
    assert forecast(bench.state, now, PERSON, 2).at == now.steady + 31.0


def test_our_own_count_forecasts_when_its_oldest_requests_are_forgotten() -> None:
    bench = Bench(plan=PLANS["free"])
    for _ in range(60):
        bench.one(answer(200))
        bench.pass_time(0.5)
    assert bench.phase is GatePhase.SPENT
    first = ahead(bench)
    assert first is not None
    assert first == 30.25
    tenth = ahead(bench, cost=10)
    assert tenth is not None
    assert tenth == 34.75


BY_OUR_CLOCK_LATER = WindowFacts(60, 6, 20.0, late=300.0)
"""The minute ends in 20 s by the service's own clock, and in 320 s by this computer's."""


def test_what_is_kept_for_a_person_may_show_by_one_request_that_a_window_is_over() -> None:
    """With this computer's clock five minutes behind, each minute lasted six: 150 bookings took 20 minutes, not two."""
    bench = Bench()
    bench.one(answer(200, BY_OUR_CLOCK_LATER))
    first, second = bench.ask(CHANGES), bench.ask(CHANGES)
    bench.pass_time(20.5)
    assert bench.left() == []
    bench.pass_time(0.5)
    assert bench.left() == [first]
    bench.pass_time(10.0)
    assert bench.left() == []
    bench.say(first, answer(200, WindowFacts(60, 59, 40.0, late=300.0)))
    assert bench.left() == [second]


def test_if_it_is_not_over_by_that_answer_the_rest_waits_for_the_later_end() -> None:
    bench = Bench()
    bench.one(answer(200, BY_OUR_CLOCK_LATER))
    first, second = bench.ask(CHANGES), bench.ask(CHANGES)
    bench.pass_time(21.0)
    assert bench.left() == [first]
    bench.say(first, answer(200, WindowFacts(60, 5, None)))
    bench.pass_time(200.0)
    assert bench.left() == []
    bench.pass_time(101.0)
    assert bench.left() == [second]


@pytest.mark.parametrize(("remaining", "cost"), [(0, 1), (1, 2)])
def test_without_room_nothing_shows_it(remaining: int, cost: int) -> None:
    bench = Bench()
    bench.one(answer(200, replace(BY_OUR_CLOCK_LATER, remaining=remaining)))
    ticket = bench.ask(CHANGES, cost=cost)
    bench.pass_time(300.0)
    assert bench.left() == []
    bench.pass_time(21.0)
    assert bench.left() == [ticket]
