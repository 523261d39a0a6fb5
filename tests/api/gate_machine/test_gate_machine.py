"""Whatever the service answers, whoever touches the clock, the disk or the power: never early, one probe, nothing lost.

Dice make the many steps, from a seed, in long episodes of changing weather; Hypothesis makes the same moves in short
ones, and shrinks what it finds. `dev.py long gate` makes many more, a million with `--full`.
"""

from __future__ import annotations

import dataclasses
import random
from typing import TypeVar

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from msgspec.structs import replace

from petstore_desktop.api.gate.model import Ask
from petstore_desktop.domain.quota import GatePhase, LimitSpan, RequestClass
from tests.api.gate_machine.clocks import the_moment_comes, time_passes
from tests.api.gate_machine.machine import LEAST_IN_A_PAUSE, SLOW, Dice, GateMachine, drive, relive
from tests.api.gate_machine.moves import (
    SMALL,
    it_is_answered,
    no_connection_is_made,
    remaining_rises,
    the_key_is_banned,
    the_service_fails,
    too_fast,
    too_fast_in_words_nobody_understands,
)
from tests.api.gate_machine.rules import RULES, Rule, remove
from tests.api.gate_machine.service import LENGTHS, Counter, Sent, Service, Told, Violation
from tests.api.gate_machine.world import PLACES, Desk, World

T = TypeVar("T")
SEED, STEPS = 5, 1_400

PROOF = settings(max_examples=10, stateful_step_count=40, deadline=None, suppress_health_check=SLOW)
HUNT = settings(
    max_examples=200,
    stateful_step_count=30,
    deadline=None,
    derandomize=True,
    database=None,
    report_multiple_bugs=False,
    phases=[Phase.generate],
    suppress_health_check=SLOW,
)


class First:
    """No chance: always the first of what may be, or this ticket where it is among them."""

    def __init__(self, ticket: int = 0) -> None:
        self._ticket = ticket

    def choice(self, options: list[T]) -> T:
        return options[options.index(self._ticket) if self._ticket in options else 0]


def test_no_request_leaves_inside_a_pause_whatever_happens(capsys: pytest.CaptureFixture[str]) -> None:
    found = drive(SEED, STEPS)
    with capsys.disabled():
        print("", *found.lines(), sep="\n")  # noqa: T201 - the counts are part of the proof
    assert found.steps == STEPS
    assert found.in_pause >= LEAST_IN_A_PAUSE * STEPS
    assert {phase.value for phase in GatePhase} <= set(found.seen)
    assert found.seen["start"] and found.seen["called back"] and found.seen["pair called back"]


def test_hypothesis_finds_no_way_into_a_pause_either() -> None:
    run_state_machine_as_test(GateMachine, settings=PROOF)


def test_nothing_leaves_with_the_key_before_while_those_who_wait_are_withdrawn_from_its_gate() -> None:
    desk = Desk(World("named-delta", 10, 1_000, None))
    for _ in range(3):
        desk.ask(RequestClass.PERSON, write=False)
    too_fast(desk, Dice(random.Random(1)))
    desk.sleep(1e6)  # and nobody tells the gate: it finds out at the first that is withdrawn
    desk.new_key()
    desk.check()
    assert {sent.key for sent in desk.service.out.values()} == {1}
    assert len(desk.waiting) + len(desk.service.out) == desk.asked == 3


def test_the_pause_of_a_window_that_ends_nobody_knows_when_is_of_its_key_alone() -> None:
    desk = Desk(World("pairs-bare", 10, 1_000, None))
    desk.ask(RequestClass.PERSON, write=False)
    sent = desk.service.out[1]
    desk.service.blind(sent, desk.true)
    desk.service.use_key(1)
    assert (desk.service.closed_until, desk.service.probe_owed) == (0.0, False)
    desk.service.use_key(0)
    assert desk.service.closed_until > 60.0 and desk.service.probe_owed


def with_the_last_of_the_minute(desk: Desk) -> None:
    """A read takes it; until when nothing is left, nobody says."""
    minute = desk.service.counters[LimitSpan.MINUTE]
    minute.count(desk.true, minute.remaining - 1 if desk.true < minute.ends else minute.limit - 1)
    desk.ask(RequestClass.PERSON, write=False)
    it_is_answered(desk, First(desk.tickets))
    assert desk.state.closure is not None and desk.service.own_pause


def test_the_probe_that_ends_such_a_pause_does_so_though_the_next_key_has_one_of_its_own_by_then() -> None:
    desk = Desk(World("pairs-bare", 8, 60, None))
    with_the_last_of_the_minute(desk)
    the_moment_comes(desk, First())
    desk.ask(RequestClass.PERSON, write=False)
    probe = desk.tickets
    desk.new_key()
    with_the_last_of_the_minute(desk)
    it_is_answered(desk, First(probe))
    desk.enter(0)
    desk.ask(RequestClass.PERSON, write=True)
    assert [(sent.key, sent.ask.write) for sent in desk.service.out.values()] == [(0, True)]
    desk.enter(1)
    assert desk.service.probe_owed and desk.state.closure is not None
    desk.a_kind_hour()
    desk.check()


def test_it_does_so_though_the_next_key_has_met_a_pause_of_both_by_then_which_is_over() -> None:
    desk = Desk(World("pairs-bare", 8, 60, None))
    with_the_last_of_the_minute(desk)
    the_moment_comes(desk, First())
    desk.ask(RequestClass.PERSON, write=False)
    probe = desk.tickets
    desk.new_key()
    desk.ask(RequestClass.PERSON, write=False)
    too_fast(desk, First(desk.tickets))
    it_is_answered(desk, First(probe))
    the_moment_comes(desk, First())
    it_is_answered(desk, First())
    desk.enter(0)
    desk.ask(RequestClass.PERSON, write=True)
    assert [(sent.key, sent.ask.write) for sent in desk.service.out.values()] == [(0, True)]


def test_a_late_answer_to_the_key_before_does_not_make_its_own_pause_that_of_all() -> None:
    desk = Desk(World("pairs-bare", 8, 60, None))
    desk.new_key()
    desk.enter(0)
    for _ in range(2):
        desk.ask(RequestClass.PERSON, write=False)
        it_is_answered(desk, First())
    desk.ask(RequestClass.PERSON, write=False)
    late = desk.tickets
    with_the_last_of_the_minute(desk)
    desk.enter(1)
    remaining_rises(desk, First(5))
    desk.ask(RequestClass.PERSON, write=False)
    too_fast(desk, First(desk.tickets))
    it_is_answered(desk, First(late))
    the_moment_comes(desk, First())
    assert [(sent.key, sent.probe) for sent in desk.service.out.values()] == [(1, True)]
    assert desk.true < 60.0


def answered_as_the_probe(desk: Desk, place: str) -> None:
    """Whoever waited gives up, and this place is asked for once the pause is over."""
    desk.give_up(desk.tickets)
    desk.ask(RequestClass.PERSON, write=False, place=place)
    while not desk.service.out:
        the_moment_comes(desk, First())
    it_is_answered(desk, First())


def test_where_a_ban_was_said_a_403_after_a_later_limit_may_still_be_taken_for_one() -> None:
    pets, categories, _ = PLACES
    desk = Desk(World("named-delta", 10, 1_000, None, forbidden=(categories,)))
    desk.ask(RequestClass.PERSON, write=False, place=categories)
    the_key_is_banned(desk, First())  # by its code, which says nothing of the place
    answered_as_the_probe(desk, pets)
    desk.ask(RequestClass.PERSON, write=False, place=pets)
    too_fast(desk, First())
    answered_as_the_probe(desk, categories)
    assert desk.seen["taken for a ban"] == 1


def test_what_the_probe_after_a_used_up_window_is_told_is_believed_for_it_left_later() -> None:
    service = Service(None, {span: Counter(10, length) for span, length in LENGTHS.items()}, heard=True)
    ask = Ask(1, RequestClass.PERSON, write=False, idempotent=True)
    first, last = (Sent(replace(ask, ticket=ticket), 1, probe=False, key=0) for ticket in (1, 2))
    service.out = {1: first, 2: last}

    def says(sent: Sent, remaining: int, ends: float | None) -> None:
        del service.out[sent.ask.ticket]
        told = Told(10, remaining, 500.0, ends, ends, 501.0, due=500.0)
        service.tell(sent, {LimitSpan.DAY: told}, 1.0, sure=True)

    says(first, 0, None)  # until when, it does not say
    says(last, 9, 600.0)  # of this window or of the next: they crossed
    assert service.told[LimitSpan.DAY].remaining == 0
    probe = service.out[3] = Sent(replace(ask, ticket=3), 1, probe=True, key=0)
    says(probe, 8, 600.0)
    assert service.told[LimitSpan.DAY].remaining == 8


def test_the_end_of_a_used_up_window_is_guessed_only_until_an_answer_tells_it() -> None:
    service = Service(None, {span: Counter(10, length) for span, length in LENGTHS.items()})
    sent = Sent(Ask(1, RequestClass.PERSON, write=False, idempotent=True), 1, probe=False, key=0)
    blank = Told(10, 0, 30.0)
    service.tell(sent, {LimitSpan.MINUTE: blank}, 1.0, sure=True)
    assert [*service.spent.values()] == [61.0]
    service.tell(
        sent, {LimitSpan.MINUTE: dataclasses.replace(blank, reset_in=29.0, ends=30.0, due=30.0)}, 1.0, sure=True
    )
    assert [*service.spent.values()] == [30.0]


@pytest.fixture
def probing() -> Desk:
    """A pause is over. A probe with one key connects, and then one with the next."""
    desk = Desk(World("silent", 8, 60, SMALL))
    desk.ask(RequestClass.PERSON, write=False)
    too_fast(desk, First())
    desk.slow = True
    the_moment_comes(desk, First())
    desk.new_key()
    desk.ask(RequestClass.PERSON, write=False)
    assert [(sent.key, sent.probe) for sent in desk.service.admitted.values()] == [(0, True), (1, True)]
    return desk


def test_of_probes_with_two_keys_that_are_lost_each_is_tried_again_after_a_while_of_its_own(probing: Desk) -> None:
    for _ in range(2):
        no_connection_is_made(probing, First())
        time_passes(probing, First())
    assert probing.gates[1].closure is not None and probing.gates[1].lost_probes == 1
    probing.a_kind_hour()
    probing.check()


def test_a_pause_that_a_late_probe_with_the_key_before_meets_is_not_ended_by_this_ones(probing: Desk) -> None:
    for ticket in sorted(probing.service.admitted):
        probing.service.arrive(ticket, probing.true)
    too_fast(probing, First())
    it_is_answered(probing, First())
    assert probing.state.closure is not None and probing.service.probe_owed
    probing.a_kind_hour()
    probing.check()


def test_a_used_up_window_of_the_key_before_does_not_make_the_probe_with_this_one_count_for_nothing() -> None:
    desk = Desk(World("pairs-bare", 8, 60, None))
    desk.ask(RequestClass.PERSON, write=False)
    too_fast(desk, First())
    for counter in desk.service.counters.values():
        counter.count(desk.true, 100)
    the_moment_comes(desk, First())
    desk.new_key()
    desk.ask(RequestClass.PERSON, write=False)
    assert [(sent.key, sent.probe) for sent in desk.service.out.values()] == [(0, True), (1, True)]
    the_service_fails(desk, First())  # with nothing left, until nobody knows when
    too_fast_in_words_nobody_understands(desk, First())
    assert desk.state.strikes == desk.service.strikes == 2
    desk.a_kind_hour()
    desk.check()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.says)
def test_a_gate_without_one_of_its_rules_is_found_out(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    remove(rule, monkeypatch)
    with pytest.raises(Violation):
        relive(rule.episode)


@pytest.mark.parametrize("says", ["writes one at a time", "ends a pause with a probe"])
# Hypothesis warns that what it found is not repeated: here it is the finding that is wanted.
@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")
def test_hypothesis_would_find_it_out_too(says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    remove(next(rule for rule in RULES if rule.says == says), monkeypatch)
    with pytest.raises(Violation):
        run_state_machine_as_test(GateMachine, settings=HUNT)
