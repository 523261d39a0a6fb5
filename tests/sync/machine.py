"""The whole program below its window before a service that bans, driven as the gate alone is (tests/api)."""

from __future__ import annotations

from tests.api.gate_machine.machine import Game, machine_of
from tests.sync.machine_moves import OPPOSITE, TABLE, a_desk

EPISODE = 150

ENGINE = Game(a_desk, TABLE, EPISODE)
COLLEAGUES = Game(a_desk, [*TABLE, OPPOSITE], EPISODE)
"""The same with a colleague who does the opposite of what was not answered."""
EngineMachine = machine_of(ENGINE)
