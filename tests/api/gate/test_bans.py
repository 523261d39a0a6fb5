"""A 403 after a 429 is a ban, unless the key may not ask that place at any time: then another place shows it."""

from __future__ import annotations

import pytest

from petstore_desktop.api.gate.memory import snapshot
from petstore_desktop.api.gate.model import Persist, ProbeWanted
from petstore_desktop.api.headers.limit_headers import AnswerFacts
from petstore_desktop.domain.quota import GatePhase
from tests.api.gate_machine.bench import BACKGROUND, Bench, answer

ORDERS, PETS, STOCK = "/store/orders", "/pets", "/inventory"
FORBIDDEN, GOOD, LIMITED = answer(403), answer(200), answer(429, retry_after=10.0)


def asked(bench: Bench, place: str) -> bool:
    """One request for this place: it leaves, and the service answers as it always does there."""
    ticket = bench.ask(BACKGROUND, place=place)
    if bench.left() != [ticket]:
        return False
    bench.say(ticket, FORBIDDEN if place == ORDERS else GOOD, place=place)
    return True


def limited(bench: Bench) -> None:
    ticket = bench.ask(place=PETS)
    assert bench.left() == [ticket]
    bench.say(ticket, LIMITED, place=PETS)
    bench.pass_time(bench.waits)


def test_a_list_that_a_key_may_never_read_is_no_ban_where_it_is_asked_after_a_pause() -> None:
    bench = Bench()
    assert asked(bench, PETS) and asked(bench, ORDERS)
    for _ in range(5):
        limited(bench)
        orders = bench.ask(place=ORDERS)
        assert bench.left() == []
        assert bench.of(ProbeWanted)
        probe = bench.ask(place=STOCK)
        assert bench.left() == [probe]
        bench.say(probe, GOOD, place=STOCK)
        assert bench.phase is GatePhase.OPEN
        bench.pass_time(200.0)
        assert bench.left() == [orders]
        bench.say(orders, FORBIDDEN, place=ORDERS)
        assert bench.phase is GatePhase.OPEN
        bench.pass_time(200.0)
        assert asked(bench, PETS)
        bench.pass_time(200.0)


def test_another_place_that_waits_is_the_probe() -> None:
    bench = Bench()
    assert asked(bench, ORDERS)
    limited(bench)
    orders, pets = bench.ask(place=ORDERS), bench.ask(BACKGROUND, place=PETS)
    assert bench.left() == [pets] and orders


def test_where_all_that_can_be_asked_refuses_the_pause_ends_all_the_same() -> None:
    bench = Bench()
    assert asked(bench, ORDERS)
    limited(bench)
    orders = bench.ask(place=ORDERS)
    bench.pass_time(5.0)
    assert bench.left() == [orders]
    bench.say(orders, FORBIDDEN, place=ORDERS)
    assert bench.phase is GatePhase.OPEN
    pets = bench.ask(place=PETS)
    bench.say(pets, FORBIDDEN, place=PETS)  # which never said so before: whether there is a ban was still open
    assert bench.phase is GatePhase.BANNED


def test_of_a_place_that_was_never_asked_before_a_403_is_a_ban_once_and_then_another_is_asked() -> None:
    bench = Bench()
    limited(bench)
    first = bench.ask(place=ORDERS)
    bench.say(first, FORBIDDEN, place=ORDERS)
    assert (bench.phase, bench.waits) == (GatePhase.BANNED, 3_601.0)
    bench.pass_time(3_601.0)
    orders, pets = bench.ask(place=ORDERS), bench.ask(BACKGROUND, place=PETS)
    bench.out = [one for one in bench.out if one.ticket != first]
    assert bench.left() == [pets]
    bench.say(pets, GOOD, place=PETS)
    assert bench.left() == [orders]
    bench.say(orders, FORBIDDEN, place=ORDERS)
    limited(bench)
    bench.ask(place=ORDERS)
    assert bench.left() == []


def test_a_true_ban_is_longer_each_time_whatever_is_asked() -> None:
    bench, waits = Bench(), list[float]()
    assert asked(bench, ORDERS)
    limited(bench)
    for place in (PETS, STOCK, "/categories"):
        probe = bench.ask(place=place)
        assert bench.left() == [probe]
        bench.say(probe, FORBIDDEN, place=place)
        waits.append(bench.waits)
        bench.pass_time(bench.waits)
    assert waits == [3_601.0, 7_201.0, 14_401.0]


@pytest.mark.parametrize("said", [answer(403, code="key_banned"), answer(403, retry_after=900.0)])
def test_a_ban_that_is_said_is_one_at_every_place(said: AnswerFacts) -> None:
    bench = Bench()
    assert asked(bench, ORDERS)
    ticket = bench.ask(place=ORDERS)
    bench.say(ticket, said, place=ORDERS)
    assert bench.phase is GatePhase.BANNED


def test_a_place_that_answers_otherwise_is_forbidden_no_more() -> None:
    bench = Bench()
    assert asked(bench, ORDERS)
    ticket = bench.ask(place=ORDERS)
    bench.left()
    bench.say(ticket, GOOD, place=ORDERS)
    limited(bench)
    ticket = bench.ask(place=ORDERS)
    assert bench.left() == [ticket]


def test_which_places_refuse_outlives_the_process() -> None:
    bench = Bench()
    assert asked(bench, ORDERS)
    limited(bench)
    again = Bench(kept=snapshot(bench.state, bench.clock.now()), clock=bench.clock)
    again.ask(place=ORDERS)
    assert again.left() == []
    pets = again.ask(place=PETS)
    assert again.left() == [pets]


def test_so_does_what_may_be_a_ban_only_and_the_probe_that_meets_it_again_ends_no_pause() -> None:
    bench = Bench()
    limited(bench)
    first = bench.ask(place=ORDERS)
    bench.say(first, FORBIDDEN, place=ORDERS)
    again = Bench(kept=snapshot(bench.state, bench.clock.now()), clock=bench.clock)
    again.pass_time(again.waits)
    orders = again.ask(place=ORDERS)
    again.pass_time(5.0)
    assert again.left() == [orders]
    again.say(orders, FORBIDDEN, place=ORDERS)
    assert (again.phase, again.waits) == (GatePhase.BANNED, 7_201.0)


def test_each_place_that_may_take_part_in_a_ban_is_written_down_though_the_ban_gets_no_longer_by_it() -> None:
    bench = Bench()
    bench.warm()
    pets, orders, stock = (bench.ask(place=place) for place in (PETS, ORDERS, STOCK))
    bench.say(pets, LIMITED, place=PETS)
    bench.say(orders, FORBIDDEN, place=ORDERS)
    bench.say(stock, FORBIDDEN, place=STOCK)
    assert bench.phase is GatePhase.BANNED
    assert bench.of(Persist)
    again = Bench(kept=bench.snapshot, clock=bench.clock)  # after a kill at this moment
    again.pass_time(again.waits)
    again.ask(place=STOCK)
    assert again.left() == []
    pets = again.ask(place=PETS)
    assert again.left() == [pets]


def test_after_a_true_ban_each_place_that_took_part_in_it_is_probed_in_its_turn() -> None:
    bench = Bench()
    limited(bench)
    for place in (PETS, STOCK, ORDERS):
        probe = bench.ask(place=place)
        assert bench.left() == [probe]
        bench.say(probe, FORBIDDEN, place=place)
        bench.pass_time(bench.waits)
    for _ in range(3):
        bench.ask(place=ORDERS)  # where this key is refused at all times, and which is asked for again and again
    bench.left()
    pets = bench.ask(BACKGROUND, place=PETS)
    bench.pass_time(5.0)
    assert bench.left() == [pets]
    bench.say(pets, GOOD, place=PETS)
    assert bench.phase is GatePhase.OPEN


def test_a_ban_that_is_said_does_not_make_its_place_one_that_always_refuses() -> None:
    bench = Bench()
    bench.say(bench.ask(place=PETS), answer(403, code="key_banned"), place=PETS)
    bench.pass_time(bench.waits)
    bench.left()
    pets = bench.ask(place=PETS)
    assert bench.left() == [pets]
