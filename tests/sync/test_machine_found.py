"""What the machine has found once, played again by hand."""

from __future__ import annotations

from petstore_desktop.domain.quota import PLANS
from tests.api.gate_machine import moves as gate
from tests.api.gate_machine.words import T
from tests.sync.machine_moves import a_desk
from tests.sync.made import FULL


class Drawn:
    """Chance that has fallen already."""

    def __init__(self, *drawn: object) -> None:
        self._drawn = list(drawn)

    def choice(self, options: list[T]) -> T:
        return options[options.index(self._drawn.pop(0))]


def test_a_pause_that_a_person_ended_is_over_after_the_computer_started_anew_with_its_clock_set_back() -> None:
    plan = PLANS["free"]
    desk = a_desk(Drawn(plan, "minute-epoch", plan, ("full", FULL, True)))
    try:
        gate.a_wait_of_many_digits(desk, Drawn(next(iter(desk.service.out)), 100.0))
        gate.the_machine_starts_anew(desk, Drawn(30.0, -86_400.0))
        desk.a_kind_hour()
        desk.check()
    finally:
        desk.end()
