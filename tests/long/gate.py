"""Never early: the gate alone, two connections that share one and its file, and the whole program below its window,
before a service that bans.

A million steps over all, or as many as there is time for. The gate alone is quick and has the most of them; the last
one sends real requests through real files.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import pytest

from tests.api.gate_machine import rules as gate_machine_rules
from tests.api.gate_machine.machine import GATE, LEAST_IN_A_PAUSE, Game, drive, relive
from tests.api.gate_machine.moves import (
    Row,
    it_begins_to_count_anew_between_two_answers,
    the_service_begins_to_count_anew,
)
from tests.api.gate_machine.service import Violation
from tests.api.gate_machine.world import Desk
from tests.long._running import Run, run_from, say
from tests.sync import machine_rules
from tests.sync.desks_machine_moves import DESKS
from tests.sync.desks_machine_rules import MENDS, take_out
from tests.sync.machine import ENGINE

MOST = 10**12

SAMPLE = 2_000
"""Fewer steps are a few episodes, which may be quiet ones: their share of pauses says nothing."""

ROUNDING = 3.0
"""Seconds: Date and reset are told in whole ones, and answers of one window may differ by two (gate_statements)."""

NEW_WINDOWS = (the_service_begins_to_count_anew, it_begins_to_count_anew_between_two_answers)


def _can_be_told_apart(desk: Desk) -> bool:
    """Whether windows that begin now end seconds later than those before: of two that end within the rounding of their
    headers no client can tell which one is meant. In a million steps that happens; in a test's it does not."""
    return all(desk.true - (counter.ends - counter.length) > ROUNDING for counter in desk.service.counters.values())


def _told_apart(row: Row) -> Row:
    if row.move not in NEW_WINDOWS:
        return row
    return row._replace(can=lambda desk: row.can(desk) and _can_be_told_apart(desk))


class Part(NamedTuple):
    """One machine, its steps of the whole count, and its share of the minutes."""

    name: str
    game: Game
    full: int
    share: float


def _lasting(game: Game) -> Game:
    return game._replace(table=[_told_apart(row) for row in game.table])


LONG_GATE = _lasting(GATE)
PARTS = [
    Part("the gate alone", LONG_GATE, 840_000, 0.4),
    Part("two connections", _lasting(DESKS), 60_000, 0.2),
    Part("the whole program", _lasting(ENGINE), 100_000, 0.25),
]


class Lack(NamedTuple):
    """A rule that is taken away, and where the machine is to find that out: in the episode that did last, else, where
    it has other moves since, in the first of these seeds and steps that does."""

    rule: Any
    remove: Callable[[pytest.MonkeyPatch], None]
    game: Game
    episode: str
    seeds: tuple[int, ...]
    steps: int


OF_THE_GATE = [
    Lack(rule, partial(gate_machine_rules.remove, rule), GATE, rule.episode, (12, 13), 40_000)
    for rule in gate_machine_rules.RULES
]
OF_THE_PROGRAM = [
    Lack(rule, partial(remove, rule), ENGINE, episode, (5, 20, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11), 600)
    for remove, rules in (
        (machine_rules.remove, [(rule, rule.episode) for rule in machine_rules.RULES]),
        (
            gate_machine_rules.remove,
            [
                (rule, machine_rules.OF_ITS_GATE[rule.says])
                for rule in gate_machine_rules.RULES
                if rule.says in machine_rules.OF_ITS_GATE
            ],
        ),
    )
    for rule, episode in rules
]
LACKS = [*OF_THE_GATE, *OF_THE_PROGRAM]


def main(argv: list[str]) -> int:
    """Return 0 if nothing was found and at least 5 % of each machine's steps met a pause."""
    run = run_from(argv, "gate")
    lasts = run.ends - time.monotonic()
    played = [_play(part, run, time.monotonic() + part.share * lasts) for part in PARTS]
    return max([*played, _mends(), _rules(run)])


def _mends() -> int:
    """Two connections without one of their safeguards, each in the episode that finds it out."""
    for mend in MENDS:
        with pytest.MonkeyPatch.context() as patch:
            take_out(mend, patch)
            try:
                relive(mend.episode, DESKS)
            except Violation:
                continue
        say(f"two connections: nobody finds out that the program no longer {mend.says}")
        return 1
    say(f"two connections: {len(MENDS)} safeguards taken away, each found out")
    return 0


def _rules(run: Run) -> int:
    """A gate or a program without one of its rules, in as many episodes as it takes to find that out; as many rules as
    there is time for, another one first in each run."""
    first = run.seed % len(LACKS)
    done = 0
    for lack in (*LACKS[first:], *LACKS[:first]):
        if not run.full and time.monotonic() >= run.ends:
            break
        if not _is_found_out(lack):
            say(f"rules: nobody finds out that it no longer {lack.rule.says}")
            return 1
        done += 1
    say(f"rules: {done} of {len(LACKS)} taken away, each found out")
    return 0


def _is_found_out(lack: Lack) -> bool:
    with pytest.MonkeyPatch.context() as patch:
        lack.remove(patch)
        known = partial(relive, lack.episode, lack.game)
        for search in (known, *(partial(drive, seed, lack.steps, game=lack.game) for seed in lack.seeds)):
            try:
                search()
            except Violation as violation:
                say(f"rules: {lack.rule.says}: {violation.__notes__[0].partition(',')[0]}")
                return True
    return False


def _play(part: Part, run: Run, ends: float) -> int:
    began = time.monotonic()
    its = replace(run, ends=ends)
    try:
        found = drive(
            run.seed, part.full if run.full else MOST, lambda steps: its.wants_more(steps, part.full), part.game
        )
    except Violation:
        traceback.print_exc()
        say(f"{part.name}: repeat it with: --seed {run.seed} (an episode is {part.game.episode} steps)")
        return 1
    for line in found.lines():
        say(f"{part.name}: {line}")
    say(f"{part.name}: {time.monotonic() - began:.0f} s, nothing found")
    return int(found.steps >= SAMPLE and found.in_pause < LEAST_IN_A_PAUSE * found.steps)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
