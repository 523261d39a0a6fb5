"""A desk before a service that bans: driven by dice for many steps, by Hypothesis for few, with shrinking.

What is played is a `Game`: here the gate alone, in tests/sync/machine.py the whole engine.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hypothesis import HealthCheck
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.api.gate_machine.moves import TABLE, Row, an_odd_world
from tests.api.gate_machine.service import Violation
from tests.api.gate_machine.words import Chance, T
from tests.api.gate_machine.world import Desk

EPISODE = 200
"""Steps that one desk lives, before its queue is emptied and another begins."""


class Game(NamedTuple):
    """A desk to begin with, the moves that can be made at it, and how many it lives to see. A desk has `seen`, `check`,
    `meets_a_pause`, `a_kind_hour` and `end`."""

    begin: Callable[[Chance], Any]
    table: list[Row]
    episode: int = EPISODE


GATE = Game(lambda chance: Desk(an_odd_world(chance)), TABLE)

WEATHER = [0, 0, 0, 1, 1, 5]
"""How much oftener a move is made in one episode than in another: what never meets by even chance meets in some."""

LEAST_IN_A_PAUSE = 0.05
"""The share of steps that must meet a pause: else a run says little."""

LAST_MOVES = 25

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
"""What Hypothesis is not to complain of: the computer that runs this may be busy; the draws themselves are small."""


@dataclass
class Dice:
    """Chance from a seed."""

    random: random.Random

    def choice(self, options: list[T]) -> T:
        return options[int(self.random.random() * len(options))]


@dataclass
class Found:
    """What a run met."""

    steps: int = 0
    in_pause: int = 0
    seen: Counter[str] = field(default_factory=Counter)

    def lines(self) -> list[str]:
        """What is to be printed: the share of steps that met a pause, and how often each state and deed was met."""
        share = 100.0 * self.in_pause / max(self.steps, 1)
        counts = ", ".join(f"{name} {count}" for name, count in sorted(self.seen.items()))
        return [f"{self.steps} steps, {share:.1f} % of them in a pause", counts]


def drive(seed: int, steps: int, go_on: Callable[[int], bool] = lambda _: True, game: Game = GATE) -> Found:
    """Make `steps` moves by dice, while it goes on after so many. Raises Violation with the episode's seed and its last
    moves."""
    found = Found()
    episode = 0
    while found.steps < steps and go_on(found.steps):
        name = f"{seed}:{episode}"
        _live(name, min(game.episode, steps - found.steps), found, game)
        episode += 1
    return found


def relive(episode: str, game: Game = GATE) -> None:
    """One episode once more, by its name. Raises Violation."""
    _live(episode, game.episode, Found(), game)


def _live(name: str, steps: int, found: Found, game: Game) -> None:
    dice = Dice(random.Random(name))
    desk = game.begin(dice)
    weights = [row.weight * (1 if row.ever else dice.choice(WEATHER)) for row in game.table]
    made: list[str] = []
    try:
        for _ in range(steps):
            found.in_pause += desk.meets_a_pause()
            found.steps += 1
            row = _next(desk, dice, game.table, weights)
            made.append(row.move.__name__)
            row.move(desk, dice)
            desk.check()
        desk.a_kind_hour()
        desk.check()
    except Violation as violation:
        violation.add_note(f"episode {name}, {desk}, step {len(made)}: {made[-LAST_MOVES:]}")
        raise
    finally:
        desk.end()
        found.seen.update(desk.seen)


def _next(desk: Any, dice: Dice, table: list[Row], weights: list[int]) -> Row:
    ready = [weight if weight and row.can(desk) else 0 for row, weight in zip(table, weights, strict=True)]
    return dice.random.choices(table, ready)[0]


# ---------------------------------------------------------------- Hypothesis


class Drawn:
    """Chance from Hypothesis, which shrinks it."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    def choice(self, options: list[T]) -> T:
        return self._data.draw(st.sampled_from(options))


class _Machine(RuleBasedStateMachine):
    game: Game
    desk: Any

    @initialize(data=st.data())
    def somewhere(self, data: st.DataObject) -> None:
        self.desk = self.game.begin(Drawn(data))

    @invariant()
    def nothing_is_lost(self) -> None:
        if hasattr(self, "desk"):
            self.desk.check()

    def teardown(self) -> None:
        if hasattr(self, "desk"):
            try:
                self.desk.a_kind_hour()
            finally:
                self.desk.end()


def _rule(row: Row) -> Callable[..., None]:
    def move(self: _Machine, data: st.DataObject) -> None:
        row.move(self.desk, Drawn(data))

    move.__name__ = row.move.__name__
    ready = precondition(lambda self: hasattr(self, "desk") and row.can(self.desk))
    return ready(rule(data=st.data())(move))


def machine_of(game: Game) -> type[RuleBasedStateMachine]:
    """The same moves as rules."""
    rules = {f"{row.move.__name__}_{index}": _rule(row) for index, row in enumerate(game.table)}
    return type("Machine", (_Machine,), {"game": game, **rules})


GateMachine = machine_of(GATE)
