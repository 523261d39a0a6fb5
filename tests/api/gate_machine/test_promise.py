"""What is kept of the minute for a person who is about to ask: the others leave it, and not a request more."""

from __future__ import annotations

import pytest

from petstore_desktop.api.gate.model import ReserveForPerson
from petstore_desktop.api.headers.limit_headers import WindowFacts
from petstore_desktop.domain.quota import LimitSpan, RequestClass
from tests.api.gate_machine.bench import BACKGROUND, CHANGES, PERSON, VISIBLE, Bench, answer


def served(bench: Bench, cls: RequestClass, left: int) -> int:
    """How many requests of a class leave one after the other, of `left` in a minute of 20."""
    bench.warm(left, limit=20)
    count = 0
    while (ticket := bench.ask(cls)) in bench.left():
        count += 1
        bench.say(ticket, answer(200, remaining=left - count, limit=20))
    return count


@pytest.mark.parametrize(("promised", "leave"), [(0, 15), (3, 15), (5, 15), (6, 14), (10, 10), (19, 1)])
def test_changes_leave_what_is_promised_where_it_is_more_than_their_reserve(promised: int, leave: int) -> None:
    bench = Bench()
    bench.feed(ReserveForPerson(promised))
    assert served(bench, CHANGES, 20) == leave


@pytest.mark.parametrize("cls", [VISIBLE, BACKGROUND])
def test_so_does_all_reading_that_nobody_asked_for(cls: RequestClass) -> None:
    bench = Bench()
    bench.feed(ReserveForPerson(12))
    assert served(bench, cls, 20) == 8


def test_the_person_takes_all_of_it() -> None:
    bench = Bench()
    bench.feed(ReserveForPerson(10))
    assert served(bench, PERSON, 10) == 10


def test_a_promise_that_is_taken_back_lets_those_who_wait_go_at_once() -> None:
    bench = Bench()
    bench.feed(ReserveForPerson(10))
    bench.warm(10, limit=20)
    ticket = bench.ask(CHANGES, write=True)
    assert bench.left() == []
    bench.feed(ReserveForPerson(4))
    assert bench.left() == [ticket]


def test_a_promise_larger_than_the_minute_stops_nobody_for_good() -> None:
    bench = Bench()
    bench.feed(ReserveForPerson(500))
    bench.warm(20, limit=20)
    ticket = bench.ask(CHANGES)
    assert bench.left() == [ticket]
    bench.say(ticket, answer(200, remaining=19, limit=20))
    assert bench.ask(CHANGES) not in bench.left()


def test_nothing_is_promised_of_the_day() -> None:
    bench = Bench()
    bench.feed(ReserveForPerson(200))
    bench.one(answer(200, WindowFacts(1_000, 150, 9_000.0, span=LimitSpan.DAY)))
    assert bench.ask(CHANGES) in bench.left()
