"""What a ban and a rejected key close, and what another key opens."""

from __future__ import annotations

import pytest

from petstore_desktop.api.gate import machine as gate
from petstore_desktop.api.gate.answers import spent_reset_in
from petstore_desktop.api.gate.machine import may_send
from petstore_desktop.api.gate.model import DOCUMENT, MAIN, Deny, PlanChanged, Unlock, Withdraw
from petstore_desktop.api.headers.limit_headers import WindowFacts
from petstore_desktop.domain.quota import PLANS, GatePhase, Plan, Window
from tests.api.gate_machine.bench import CHANGES, PERSON, Bench, answer, paused

# ---------------------------------------------------------------- bans


@pytest.mark.parametrize("code", ["key_banned", "KEY_BANNED", "key-banned", " key_banned ", "api key banned", "banned"])
def test_a_banned_key_waits_as_told_or_an_hour(code: str) -> None:
    for retry_after, waits in ((900.0, 901.0), (None, 3_601.0)):
        bench = Bench()
        bench.warm()
        bench.one(answer(403, code=code, retry_after=retry_after, message="Banned"))
        assert (bench.phase, bench.waits, bench.view.reason) == (GatePhase.BANNED, waits, "Banned")


def test_the_reset_of_a_window_which_every_answer_has_does_not_shorten_a_ban() -> None:
    for remaining, reset_in, waits in (
        (40, 20.0, 3_601.0),
        (40, 50_000.0, 3_601.0),
        (0, 20.0, 3_601.0),
        (0, 5e3, 5_001.0),
    ):
        bench = Bench()
        bench.warm()
        bench.one(answer(403, code="key_banned", remaining=remaining, reset_in=reset_in))
        assert (bench.phase, bench.waits) == (GatePhase.BANNED, waits)


def test_a_plain_403_is_about_one_operation_alone() -> None:
    bench = Bench()
    bench.warm()
    bench.one(answer(403, code="forbidden", remaining=40))
    assert bench.phase is GatePhase.OPEN
    bench.one(answer(200))


def test_a_403_after_a_429_is_a_ban() -> None:
    bench = paused(10.0)
    probe = bench.ask()
    bench.pass_time(11.0)
    bench.say(probe, answer(403))
    assert (bench.phase, bench.waits) == (GatePhase.BANNED, 3_601.0)


def test_a_403_long_after_a_429_is_none() -> None:
    bench = paused(10.0)
    bench.pass_time(11.0)
    bench.one(answer(200))
    bench.one(answer(403))
    assert bench.phase is GatePhase.OPEN


def test_bans_double_to_a_day_each_ended_by_one_probe() -> None:
    bench = Bench()
    waits: list[float] = []
    for _ in range(7):
        ticket, other = bench.ask(), bench.ask()
        assert bench.left() == [ticket]
        bench.feed(Withdraw(other))
        bench.say(ticket, answer(403, code="key_banned"))
        waits.append(bench.waits)
        bench.pass_time(bench.waits)
    assert waits == [3_601.0, 7_201.0, 14_401.0, 28_801.0, 57_601.0, 86_401.0, 86_401.0]


def test_several_requests_refused_with_a_ban_at_once_are_one_ban() -> None:
    bench = Bench()
    bench.warm()
    for ticket in [bench.ask(), bench.ask(), bench.ask()]:
        bench.say(ticket, answer(403, code="key_banned"))
    assert (bench.waits, bench.state.bans) == (3_601.0, 1)


def test_a_pause_that_a_late_403_turned_into_a_ban_was_the_first_ban() -> None:
    bench = Bench()
    bench.warm()
    first, late = bench.ask(), bench.ask()
    bench.say(first, answer(429))
    bench.say(late, answer(403))
    assert (bench.phase, bench.waits) == (GatePhase.BANNED, 3_601.0)
    bench.pass_time(bench.waits)
    bench.left()
    bench.one(answer(403))
    assert bench.waits == 7_201.0


@pytest.mark.parametrize(("good", "waits"), [(9, 7_201.0), (10, 3_601.0)])
def test_bans_are_forgotten_after_ten_good_answers(good: int, waits: float) -> None:
    bench = Bench()
    bench.one(answer(403, code="key_banned"))
    bench.pass_time(bench.waits)
    for _ in range(good):
        bench.one(answer(200))
    bench.one(answer(403, code="key_banned"))
    assert bench.waits == waits


def test_of_two_spent_windows_the_later_reset_is_the_wait() -> None:
    told = answer(429, WindowFacts(60, 0, 40.0), WindowFacts(1000, 0, 5_000.0), WindowFacts(9, 1, 7_000.0))
    assert spent_reset_in(told) == 5_000.0
    assert spent_reset_in(answer(429, WindowFacts(60, 0, None), WindowFacts(60, 1, 30.0))) is None


def test_a_ban_is_not_turned_into_a_pause_by_a_late_429() -> None:
    bench = Bench()
    bench.warm()
    first, second = bench.ask(), bench.ask()
    bench.say(first, answer(403, code="key_banned", retry_after=900.0))
    bench.say(second, answer(429, retry_after=5.0))
    assert (bench.phase, bench.waits) == (GatePhase.BANNED, 901.0)


def test_a_pause_is_turned_into_a_ban_by_a_late_403() -> None:
    bench = Bench()
    bench.warm()
    first, second = bench.ask(), bench.ask()
    bench.say(first, answer(429, retry_after=5.0))
    bench.say(second, answer(403))
    assert (bench.phase, bench.waits) == (GatePhase.BANNED, 3_601.0)


# ---------------------------------------------------------------- the key


def test_a_401_locks_and_denies_all_that_waits_until_there_is_another_key() -> None:
    bench = Bench()
    refused, waiting = bench.ask(), bench.ask()
    bench.say(refused, answer(401, message="Who?"))
    assert bench.effects[0] == Deny(waiting, "locked")
    assert (bench.phase, bench.view.status, bench.view.reason, bench.view.until) == (
        GatePhase.LOCKED,
        401,
        "Who?",
        None,
    )
    denied = bench.ask()
    assert bench.effects == [Deny(denied, "locked")]
    bench.feed(Unlock())
    assert bench.phase is GatePhase.OPEN
    bench.left()
    bench.one(answer(200))


def test_time_does_not_open_a_lock() -> None:
    bench = Bench()
    bench.one(answer(401))
    bench.pass_time(1e6)
    bench.ask()
    assert bench.left() == []


def test_a_401_to_one_security_scheme_locks_what_has_it_and_nothing_else() -> None:
    bench = Bench()
    bench.warm()
    first, second = (bench.ask(CHANGES, write=True, scheme="writing") for _ in range(2))
    same, other = bench.ask(), bench.ask()
    bench.say(first, answer(401), scheme="writing")
    assert Deny(second, "locked", "writing") in bench.effects
    assert bench.phase is GatePhase.OPEN
    for ticket in (same, other):
        assert may_send(bench.state, ticket) is False  # called back, and asked for again
        bench.feed(Withdraw(ticket))
    bench.left()
    bench.one(answer(200))
    denied = bench.ask(CHANGES, write=True, scheme="writing")
    assert Deny(denied, "locked", "writing") in bench.effects
    now = bench.clock.now()
    assert gate.forecast(bench.state, now, PERSON).at is not None
    bench.feed(Unlock())
    bench.left()
    again = bench.ask(CHANGES, write=True, scheme="writing")
    assert bench.left() == [again]


def test_the_main_scheme_is_locked_beside_another_one_and_tells_its_own_answer() -> None:
    bench = Bench()
    bench.warm()
    bench.say(bench.ask(scheme="writing"), answer(401, message="Not you"), scheme="writing")
    assert bench.view.reason is None
    bench.say(bench.ask(), answer(401, message="Nor anybody"))
    assert (bench.phase, bench.view.reason) == (GatePhase.LOCKED, "Nor anybody")
    assert set(bench.state.locked) == {"writing", MAIN}


@pytest.mark.parametrize("remaining", [0, 59])
def test_what_a_document_that_was_asked_for_without_the_key_tells_of_windows_is_not_of_this_key(remaining: int) -> None:
    bench = Bench()
    bench.warm(30)
    bench.say(
        bench.ask(scheme=DOCUMENT), answer(200, remaining=remaining, reset_in=None), scheme=DOCUMENT, keyless=True
    )
    assert (bench.phase, bench.state.minute.remaining) == (GatePhase.OPEN, 29)


def test_a_pause_that_a_document_meets_is_everybodys() -> None:
    bench = Bench()
    bench.warm(30)
    bench.say(bench.ask(scheme=DOCUMENT), answer(429, retry_after=20.0), scheme=DOCUMENT, keyless=True)
    assert (bench.phase, bench.waits) == (GatePhase.PAUSED, 21.0)


# ---------------------------------------------------------------- the plan


def test_another_plan_counts_at_once_what_left_before_it_too_and_only_where_the_service_is_silent() -> None:
    bench = Bench(plan=PLANS["free"])
    for _ in range(3):
        bench.one(answer(200))
    bench.feed(PlanChanged(Plan("own", 4, 500)))
    assert (bench.state.shown_quota.minute, bench.state.shown_quota.day.limit) == (
        Window(4, 1, None, own_count=True),
        500,
    )
    bench.one(answer(200))
    assert bench.phase is GatePhase.SPENT
    bench.feed(PlanChanged(None))
    assert (bench.state.shown_quota.minute, bench.state.shown_quota.day) == (Window(), Window())
    assert bench.phase is GatePhase.OPEN
    bench.warm(remaining=40)
    bench.feed(PlanChanged(PLANS["pro"]))
    assert (bench.state.shown_quota.minute.limit, bench.state.shown_quota.minute.own_count) == (60, False)
