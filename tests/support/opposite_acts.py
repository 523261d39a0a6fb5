"""A desk that books +1 and -1 while answers are lost, and a colleague who books the same or the opposite meanwhile;
judged by adding up: what there was, and all that is acknowledged, is what there is.

    found = books_by_ones(loop, folder, seed=1, acts=30, etags=False)
    assert found.wrong == []

In virtual time. Of each write it is drawn whether its answer is lost, the write having arrived or not, for how long the
line is dead then, whether the program is killed meanwhile, and whether and when the colleague acts, who may have acted
before it too, since the number was seen. Where the program
asks, the person knows what happened (from the shop's own books) and says so. Nothing may be asked that a version tells.

What no look can tell is counted and left out of the sum: without versions, an act of the colleague between a write and
a look that comes within `SOON_S` of it; with them, one that books the very same of a write that did not arrive.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from petstore_desktop.clock import unique
from petstore_desktop.domain.changes import UNPROVEN, AddStock, Change, ChangeState, NewChange, SetFields
from petstore_desktop.domain.commands import Choice, Decide, Decided
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.send.lost_answer import SOON_S
from tests.support.slow_shop import SlowShop
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_time import VirtualTime

LOSS_ODDS, COLLEAGUE_ODDS, KILL_ODDS, FIELD_ODDS, EARLIER_ODDS = 0.7, 0.8, 0.25, 0.25, 0.3
ENOUGH = 1_000
DEAD_S = (0.0, 0.0, 2.0, 8.0, 20.0, 90.0, 700.0)


@dataclass(slots=True)
class Found:
    """What came of it. `asked`: questions, by what was seen; `untold`: what no look could tell."""

    acts: int = 0
    lost: int = 0
    kills: int = 0
    asked: Counter[str] = field(default_factory=Counter[str])
    untold: int = 0
    wrong: list[str] = field(default_factory=list[str])

    def add(self, other: Found) -> None:
        """Count both as one."""
        self.acts, self.lost, self.kills = self.acts + other.acts, self.lost + other.lost, self.kills + other.kills
        self.asked.update(other.asked)
        self.untold += other.untold
        self.wrong += other.wrong

    def __str__(self) -> str:
        asked = ", ".join(f"{count} {code}" for code, count in sorted(self.asked.items())) or "nothing"
        return (
            f"{self.acts} acts, {self.lost} answers lost, {self.kills} kills; asked: {asked}; "
            f"{self.untold} that no look could tell"
        )


class _Scene:
    def __init__(self, loop: VirtualTime, folder: Path, seed: int, *, etags: bool) -> None:
        self.loop, self.dice, self.etags = loop, random.Random(seed), etags
        self.shop = SlowShop(loop, folder / "shop", pets=12)
        self.shop.control("etags", on=etags)
        self.pets = sorted(pet for (pet,) in self.shop.rows("SELECT pet_id FROM inventory WHERE pet_id IS NOT NULL"))
        for pet in self.pets:
            self.shop.sells(pet, self.shop.stock(pet) - ENOUGH)
        self.desk = VirtualDesk(loop, self.shop, folder / "desk", per_minute=60_000, per_day=6_000_000)
        self.desk.wait_idle()
        self.stock = dict.fromkeys(self.pets, ENOUGH)
        """What there must be: the start, and all that is acknowledged."""
        self.found = Found()

    def act(self) -> None:
        """One booking, or one name, from the beginning to its end."""
        self.loop.run_for(self.dice.choice([1.0, 10.0, 60.0]))
        pet = self.dice.choice(self.pets)
        self.found.acts += 1
        if self.dice.random() < FIELD_ODDS:
            self._name(pet)
        else:
            self._book(pet, self.dice.choice([-1, 1]))

    # -- a booking

    def _book(self, pet: int, delta: int) -> None:
        colleague = self.dice.choice([-delta, -delta, delta])
        arrived, acted_at = self._lose()
        if self.dice.random() < EARLIER_ODDS:
            acted_at = None  # but before it
            self._somebody_books(pet, delta)
            self.loop.run_for(SOON_S + 1.0)
        before = self.shop.stock(pet)
        ids = self.desk.apply(NewChange(Ref(Resource.INVENTORY, pet), AddStock(delta), {"quantity": before}))
        arrived, there = self._until_it_stands(ids, acted_at, arrived, lambda: self._somebody_books(pet, colleague))
        if self.desk.state(ids[0]) is ChangeState.DONE:
            self.stock[pet] += delta
        if there is not None and self._is_untold(there, same=colleague == delta, arrived=arrived):
            self.found.untold += 1
            self.stock[pet] = self.shop.stock(pet)
        if self.stock[pet] != self.shop.stock(pet):
            arrival = "arrived" if arrived else "not arrived"
            self.found.wrong.append(
                f"{pet}: {self.shop.stock(pet)}, not {self.stock[pet]}, after {delta:+d}, {arrival}, and "
                f"{colleague:+d} of a colleague {there} s after it: {self.desk.changes[ids[0]]}"
            )
            self.stock[pet] = self.shop.stock(pet)

    def _somebody_books(self, pet: int, delta: int) -> None:
        self.shop.sells(pet, -delta)
        self.stock[pet] += delta

    # -- a name

    def _name(self, pet: int) -> None:
        record = self.shop.record("pets", pet)
        assert record is not None
        new = f"Rex {self.found.acts}"
        back = lambda: self.shop.somebody_else("pets", **record)  # noqa: E731 -- what a colleague does
        arrived, acted_at = self._lose()
        ids = self.desk.apply(NewChange(Ref(Resource.PETS, pet), SetFields({"name": new}), {"name": record["name"]}))
        arrived, there = self._until_it_stands(ids, acted_at, arrived, back)
        wanted = record["name"] if there is not None and arrived else new
        now = self.shop.record("pets", pet)
        if there is not None and self._is_untold(there, same=False, arrived=arrived):
            self.found.untold += 1
        elif now is None or now["name"] != wanted:
            self.found.wrong.append(f"{pet} is {now}, not {wanted}: set back {there} s after it by a colleague")

    # -- what goes wrong, and who acts meanwhile

    def _lose(self) -> tuple[bool, float | None]:
        """Draw what becomes of the next write, and how long after it the colleague acts; None: not at all."""
        if self.dice.random() >= LOSS_ODDS:
            return True, None
        arrived, dead = self.dice.random() < 0.5, self.dice.choice(DEAD_S)
        self.shop.lose(arrived=arrived, down_s=dead)
        if self.dice.random() >= COLLEAGUE_ODDS:
            return arrived, None
        return arrived, self.dice.uniform(0.0, dead)

    def _until_it_stands(
        self, ids: tuple[int, ...], acted_at: float | None, arrived: bool, act: Callable[[], None]
    ) -> tuple[bool, float | None]:
        """Let it come to an end; whether what was lost had arrived and was done (a version may have been out of date),
        and how many seconds after it the colleague acted."""
        before = self.shop.lost
        if acted_at is not None:
            self.shop.in_between = lambda: self._acts_later(acted_at, act)
        lost = self.shop.will_lose
        if lost:
            self.desk.wait(lambda: self.shop.lost > before, "the answer is lost")
            self.found.lost += 1
            arrived = self.shop.done
            if self.dice.random() < KILL_ODDS:
                self.found.kills += 1
                self.desk.kill()
                self.loop.run_for(self.dice.choice([0.1, 3.0, 30.0]))
                self.desk.start()
        self.desk.wait(lambda: self._stands(ids[0]), "it stands", 3_600.0)
        self._answer(ids, arrived)
        return arrived, acted_at if lost else None

    def _acts_later(self, seconds: float, act: Callable[[], None]) -> None:
        if seconds:
            self.loop.call_later(seconds, act)
        else:
            act()

    def _stands(self, id_: int) -> bool:
        change = self.desk.changes[id_]
        return self.loop.time() >= self.shop.down_until and (change.needs_person or not change.state.is_open)

    def _answer(self, ids: tuple[int, ...], arrived: bool) -> None:
        """The person knows what happened, and says so."""
        change: Change = self.desk.changes[ids[0]]
        if not change.state.is_open:
            return
        code = change.reason.code if change.reason is not None else ""
        self.found.asked[code] += 1
        if code not in UNPROVEN:
            self.found.wrong.append(f"it is not a question: {change}")
        theirs = {} if change.reason is None else change.reason.theirs
        choice = Decided(ids, Choice.DONE) if arrived else Decided(ids, Choice.MINE, theirs)
        self.desk.submit(Decide(unique(), (choice,)))
        self.desk.wait_for(ids, ChangeState.DONE)

    def _is_untold(self, acted_at: float, *, same: bool, arrived: bool) -> bool:
        """Whether no look could tell, and the program need not have asked."""
        if self.etags and not (same and not arrived):
            return False
        return acted_at <= 2 * SOON_S


def books_by_ones(
    loop: VirtualTime, folder: Path, *, seed: int, acts: int, etags: bool, until_wrong: bool = False
) -> Found:
    """Act, and add up; `until_wrong`: no more once something is."""
    scene = _Scene(loop, folder, seed, etags=etags)
    for _ in range(acts):
        if until_wrong and scene.found.wrong:
            break
        scene.act()
    return scene.found
