"""What time, hands on the clock, power and disk do to a desk: moves of the machine."""

from __future__ import annotations

from petstore_desktop.api.gate.model import Tick
from tests.api.gate_machine.words import Chance
from tests.api.gate_machine.world import Desk


def time_passes(desk: Desk, chance: Chance) -> None:
    desk.true += chance.choice([0.01, 0.01, 0.3, 0.3, 1.0, 1.0, 5.0, 5.0, 61.0])
    desk.feed(Tick())


def the_moment_comes(desk: Desk, chance: Chance) -> None:
    """The one that the gate asked to be woken at, or just before it, or just after."""
    assert desk.wake is not None
    desk.true = max(desk.true, desk.wake + chance.choice([0.0, 0.0, -0.01, 0.01]))
    desk.feed(Tick())


def the_laptop_sleeps(desk: Desk, chance: Chance) -> None:
    """Nobody wakes the gate: the next to speak to it is whoever comes first."""
    desk.sleep(chance.choice([10.0, 70.0, 4_000.0, 100_000.0]))


def a_hand_sets_the_clock(desk: Desk, chance: Chance) -> None:
    desk.wall_ahead += chance.choice([-86_400.0, -3_600.0, 3_600.0, 86_400.0])
    desk.feed(Tick())


def the_program_is_killed(desk: Desk, chance: Chance) -> None:
    """And perhaps somebody sets the clock before it is started again."""
    desk.sleep(chance.choice([0.0, 3.0, 100.0]))
    desk.wall_ahead += chance.choice([0.0, 0.0, 0.0, 0.0, -86_400.0, 86_400.0])
    desk.start()


def the_program_dies_right_after_it_has_sent(desk: Desk, chance: Chance) -> None:
    desk.fuse = True


def the_program_is_closed_and_opened(desk: Desk, chance: Chance) -> None:
    desk.close()
    desk.sleep(chance.choice([0.0, 3.0, 100.0]))
    desk.start()


def the_machine_starts_anew(desk: Desk, chance: Chance) -> None:
    desk.sleep(chance.choice([30.0, 4_000.0]))
    desk.reboot(chance.choice([0.0, 0.0, 0.0, -10.0, -3_600.0, -86_400.0, 86_400.0]))


def the_disk_fails(desk: Desk, chance: Chance) -> None:
    desk.disk_fails = True


def the_disk_works_again(desk: Desk, chance: Chance) -> None:
    desk.disk_fails = False
    desk.feed(Tick())
