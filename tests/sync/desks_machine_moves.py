"""What happens to two connections of one program and to their file of pauses, beside the gate's own moves."""

from __future__ import annotations

from petstore_desktop.api.gate.model import DOCUMENT
from petstore_desktop.domain.quota import RequestClass
from tests.api.gate_machine.clocks import the_disk_fails, the_disk_works_again
from tests.api.gate_machine.machine import Game
from tests.api.gate_machine.moves import CROWD, TABLE, Row, a_world
from tests.api.gate_machine.service import ROUNDING, Violation
from tests.api.gate_machine.words import Chance
from tests.api.gate_machine.world import Desk
from tests.sync.desks_machine import Desks

WRITTEN_WITHIN = 1.0
"""Seconds after which what the file could not take is tried again."""


def the_document_is_asked_for(desks: Desks, chance: Chance) -> None:
    desks.ask(RequestClass.PERSON, write=False, scheme=DOCUMENT)


def one_of_the_two_is_closed_and_opened(desks: Desks, chance: Chance) -> None:
    desks.reopen(chance.choice([0, 1]))


def the_file_is_let_go(desks: Desks, chance: Chance) -> None:
    """What could not be written down is as soon as the gate has itself woken, and that is soon."""
    desks.disk_fails = False
    if not desks.written_down:
        if desks.wake is None or desks.wake > desks.true + WRITTEN_WITHIN + ROUNDING:
            raise Violation("a pause is not written down for a long time")
        desks.true = max(desks.true, desks.wake)
        desks.all_wake()
        if not desks.written_down:
            raise Violation("a pause is not written down, and could be")


def the_file_is_damaged(desks: Desks, chance: Chance) -> None:
    """Or is gone, when the program starts after a kill."""
    desks.sleep(chance.choice([0.0, 3.0, 100.0]))
    desks.damage(chance.choice(["another mark", "another mark", "rubbish", "emptied", "gone"]))
    desks.start()


def the_file_goes_while_it_is_in_use(desks: Desks, chance: Chance) -> None:
    """Who is closed then writes it anew; of other keys nothing is left."""
    desks.places.gates.unlink()
    desks.close()
    desks.sleep(chance.choice([0.0, 3.0, 100.0]))
    desks.service.forget_what_was_spent()
    desks.start()


def _always(desks: Desks) -> bool:
    return True


def _on_disk(desks: Desks) -> bool:
    return desks.durable


DESKS_TABLE = [
    *(row for row in TABLE if row.move not in (the_disk_fails, the_disk_works_again, Desk.a_kind_hour)),
    Row(6, the_disk_fails, lambda desks: not desks.fuse and not desks.disk_fails),
    Row(12, the_document_is_asked_for, lambda desks: len(desks.waiting) + len(desks.parked) < CROWD),
    Row(3, one_of_the_two_is_closed_and_opened, _always),
    Row(30, the_file_is_let_go, lambda desks: desks.disk_fails, ever=True),
    Row(2, the_file_is_damaged, _on_disk),
    Row(1, the_file_goes_while_it_is_in_use, _on_disk),
    Row(1, Desks.a_kind_hour, _always),
]

DESKS = Game(lambda chance: Desks(a_world(chance)), DESKS_TABLE)
