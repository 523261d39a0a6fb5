"""Two desks of one shop without ETags, in virtual time: both edit the same few pets and stock entries, and the shop's
own books judge what became of every field.

    found = two_desks_edit(loop, folder, Way("PUT"), seed=1, acts=500)
    assert found.wrong == []
    assert found.merged and found.conflicts

A look can see what stood when it was served. So what a write takes the place of must be known to whoever was at that
desk, unless it came to stand after the desk's last look was served; and that look must have been asked for at most 5 s
before the write left. Where a record is read by itself (the stock of a "full" shop), that look is of it alone and
for this write alone. What comes in between is counted: nothing can see it where no ETag is.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from petstore_desktop.domain.changes import AddStock, Change, Delete, NewChange, SetFields, SetStock
from petstore_desktop.domain.commands import Discard, Refresh, Retry
from petstore_desktop.domain.records import InventoryItem, Pet, Ref, Resource
from petstore_desktop.store.journal.journal import Attempt
from petstore_desktop.sync.send.next_step import LOOK_SERVES_S, SLOW_LOOK_SERVES_S
from tests.support.desks import Said, journal_of
from tests.support.slow_shop import Pace, Served, SlowShop
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_time import VirtualTime

KEYS = ("key-of-the-first-desk", "key-of-the-second-desk")
RECORDS = 4
"""So many pets, and their stock, are edited: few enough for two to get in each other's way."""
VALUES = {"name": ("",), "status": ("available", "pending", "sold"), "category_id": (1, 2, 3)}
"""What is given to each field; a name is always another."""
SLACK_S = 0.01
"""By so much clocks that tell the same moment may differ; a request takes longer."""


@dataclass(frozen=True, slots=True)
class Way:
    """How the shop takes a change of a pet; `slow`: connections and answers take their time, lists longer than a look
    serves; `service`: "default" shows stock in its list alone."""

    change: str = "PATCH"
    slow: bool = False
    service: str = "full"


@dataclass(slots=True)
class Found:
    """What came of it. `merged`: fields of the other desk that a write left alone although its person had not seen
    them; `conflicts` listed; `told`: how often somebody was told that no look comes in time; `open`: fields overwritten
    in the time that stays open; `wrong`: each breach of what was promised."""

    writes: int = 0
    merged: int = 0
    conflicts: int = 0
    told: int = 0
    open: int = 0
    longest_s: float = 0.0
    wrong: list[str] = field(default_factory=list[str])

    def add(self, other: Found) -> None:
        """Count both as one."""
        self.writes, self.merged = self.writes + other.writes, self.merged + other.merged
        self.conflicts, self.told = self.conflicts + other.conflicts, self.told + other.told
        self.open, self.longest_s = self.open + other.open, max(self.longest_s, other.longest_s)
        self.wrong += other.wrong

    def __str__(self) -> str:
        return (
            f"{self.writes} writes, {self.merged} fields of the other desk kept, {self.conflicts} conflicts listed, "
            f"{self.told} times told that no look comes in time; {self.open} overwritten in the time that stays open; "
            f"a write left at most {self.longest_s:.2f} s after its look was asked for; {len(self.wrong)} unseen"
        )


# ---------------------------------------------------------------- the run


def two_desks_edit(loop: VirtualTime, folder: Path, way: Way, *, seed: int, acts: int) -> Found:
    """Let two desks make so many edits in turn, as chance has it, and judge."""
    chance = random.Random(seed)
    shop = SlowShop(loop, folder / "shop", service=way.service, pets=10)
    bindings = {"pets.change": f"{way.change} /pets/{{petId}}"} if way.service == "full" else {}
    desks = [
        VirtualDesk(loop, shop.place(key), folder / f"desk{number}", bindings=bindings, chance=random.Random(seed))
        for number, key in enumerate(KEYS)
    ]
    for desk in desks:
        desk.wait_idle()
    if way.slow:
        shop.pace.anew = lambda pace: _slower(pace, chance)
    start = len(shop.served)
    clerk = Clerk(desks, way, chance)
    for _ in range(acts):
        clerk.act()
        loop.run_for(chance.choice((0.1, 1.0, 8.0)) * chance.random())
    clerk.finish()
    for desk in desks:
        desk.close()
    judge = Judge([journal_of(desk.data) for desk in desks], way)
    for served in shop.served[:start]:
        judge.take(served, quiet=True)
    for served in shop.served[start:]:
        judge.take(served)
    shop.close()
    return judge.end()


def _slower(pace: Pace, chance: random.Random) -> None:
    pace.connect_s = chance.choice((0.0, 0.0, 2.0, 7.0)) * chance.random()
    pace.look_s = chance.choice((0.0, 0.0, 3.0, 6.0)) * chance.random()
    pace.list_s = chance.choice((0.0, 1.0, 11.0)) * chance.random()


class Clerk:
    """Whoever sits at both desks."""

    def __init__(self, desks: list[VirtualDesk], way: Way, chance: random.Random) -> None:
        self._desks, self._chance = desks, chance
        self._pets = sorted(key for key in desks[0].rows[Resource.PETS] if isinstance(key, int))[:RECORDS]
        self._stock_alone = way.service == "default"
        self._number = 0

    def act(self) -> None:
        """One edit at one of them."""
        desk, pet = self._chance.choice(self._desks), self._chance.choice(self._pets)
        self._decide(desk)
        self._number += 1
        if self._chance.random() < 0.05:
            desk.submit(Refresh((Resource.PETS, Resource.INVENTORY)))
        if self._stock_alone or self._chance.random() < 0.25:
            self._book(desk, pet)
        elif isinstance(seen := desk.rows[Resource.PETS].get(pet), Pet):
            self._edit(desk, seen)

    def _edit(self, desk: VirtualDesk, seen: Pet) -> None:
        ref, base = Ref(Resource.PETS, seen.id), {name: getattr(seen, name) for name in VALUES}
        if self._chance.random() < 0.02:
            desk.apply(NewChange(ref, Delete(), base))
            return
        name = self._chance.choice(tuple(VALUES))
        value = self._chance.choice(VALUES[name]) or f"Rex {self._number}"
        if value != base[name]:
            desk.apply(NewChange(ref, SetFields({name: value}), {name: base[name]}))

    def _book(self, desk: VirtualDesk, pet: int) -> None:
        item = desk.rows[Resource.INVENTORY].get(pet)
        if isinstance(item, InventoryItem):
            number = self._number * 1_000 + self._chance.randrange(1_000)
            intent = SetStock(number) if self._chance.random() < 0.3 else AddStock(number)
            desk.apply(NewChange(Ref(Resource.INVENTORY, pet), intent, {"quantity": item.quantity}))

    def finish(self) -> None:
        """Decide until nothing is left."""
        for desk in self._desks:
            for _ in range(100):
                # Edits wait behind a conflict on the same record: such a desk is never idle before it is decided.
                desk.wait(lambda desk=desk: desk.idle or _stuck(desk), "all is done, or to be decided", 3_600.0)
                if not self._decide(desk):
                    break

    def _decide(self, desk: VirtualDesk) -> bool:
        stuck = _stuck(desk)
        for change in stuck:
            decision = Retry if self._chance.random() < 0.5 and not _is_gone(change.reason) else Discard
            desk.submit(decision((change.id,)))
            desk.wait(lambda old=change: desk.changes[old.id] is not old, "a decision is taken")
        return bool(stuck)


def _stuck(desk: VirtualDesk) -> list[Change]:
    return [change for change in desk.changes.values() if change.needs_person]


def _is_gone(reason: Any) -> bool:
    return reason is not None and reason.code in ("no-such-record", "not-found", "gone", "refused")


# ---------------------------------------------------------------- the judge


class Judge:
    """Holds each write against what its desk had been shown."""

    def __init__(self, said: list[Said], way: Way) -> None:
        self._said, self._way = said, way
        self._looks: dict[tuple[int, str, int | None], list[Served]] = {}
        """By desk and record, or the list of all; what it was shown."""
        self._stood: dict[tuple[str, int, str], tuple[float, int]] = {}
        self._wrote: dict[int, float] = {}
        """By desk: when its last write left."""
        self._sent = [sorted(_sent(one), key=lambda attempt: attempt.at) for one in said]
        self._found = Found()

    def take(self, served: Served, *, quiet: bool = False) -> None:
        """The next request, in the order of being served."""
        if served.key not in KEYS or served.status >= 300 or served.kind not in ("pets", "inventory"):
            return
        desk = KEYS.index(served.key)
        if served.method != "GET":
            self._write(served, desk)
        else:
            self._looks.setdefault((desk, served.kind, served.number), []).append(served)

    def end(self) -> Found:
        """What was found."""
        for said in self._said:
            reasons = Counter(one.reason.code for tries in said.attempts.values() for one in tries if one.reason)
            self._found.conflicts += len(list(said.conflicts()))
            self._found.told += reasons["look-too-slow"]
        return self._found

    def _write(self, served: Served, desk: int) -> None:
        number, before = served.number or 0, served.before or {}
        self._found.writes += 1
        looks = [one for key in (number, None) for one in self._looks.get((desk, served.kind, key), ())]
        look = max((one for one in looks if one.heard <= served.left), key=lambda one: one.left)
        attempt = max((one for one in self._sent[desk] if one.at <= served.left + SLACK_S), key=lambda one: one.at)
        told = _was_told(self._said[desk], attempt)
        self._rests_on(served, look, told)
        if served.kind == "inventory" and self._way.service == "full" and not told:
            self._is_for_it_alone(served, desk)
        self._wrote[desk] = served.left
        for name in (served.after or before).keys() | before.keys():
            self._judge(served, desk, name, look, attempt)

    def _rests_on(self, served: Served, look: Served, told: bool) -> None:
        seconds = served.left - look.left
        most = SLOW_LOOK_SERVES_S if told else LOOK_SERVES_S
        if not told:
            self._found.longest_s = max(self._found.longest_s, seconds)
        if seconds > most + SLACK_S:
            self._found.wrong.append(f"{served} left {seconds:.2f} s after its look was asked for")

    def _is_for_it_alone(self, served: Served, desk: int) -> None:
        looks = (
            one.left for one in self._looks.get((desk, served.kind, served.number), ()) if one.heard <= served.left
        )
        if max(looks, default=0.0) < self._wrote.get(desk, 0.0):
            self._found.wrong.append(f"{served} left without a look of its own")

    def _judge(self, served: Served, desk: int, name: str, look: Served, attempt: Attempt) -> None:
        """One field: kept, known to whoever wrote, or overwritten."""
        number = served.number or 0
        was, now = (served.before or {}).get(name), None if served.after is None else served.after.get(name)
        since, by = self._stood.get((served.kind, number, name), (0.0, desk))
        known = _known(self._said[desk], attempt, name)
        if was == now:
            self._found.merged += by != desk and was not in known and since > 0.0
            return
        self._stood[served.kind, number, name] = (served.at, desk)
        if was in known or by == desk:
            return
        if since > look.at or (since == look.at and (look.before or {}).get(name) != was):
            self._found.open += 1  # of two at one moment the look was served first
        else:
            self._found.wrong.append(f"{name} {was!r} was overwritten, which a look had shown: {served}")


def _sent(said: Said) -> Iterator[Attempt]:
    tries = {one.id: one for some in said.attempts.values() for one in some if one.request is not None}
    return iter(tries.values())


def _was_told(said: Said, attempt: Attempt) -> bool:
    """Whether somebody had sent it on, told that no look comes in time."""
    tries = (one for id_ in said.sent[attempt.id] for one in said.attempts[id_] if one.id < attempt.id)
    return any(one.reason is not None and one.reason.code == "look-too-slow" for one in tries)


def _known(said: Said, attempt: Attempt, wire: str) -> set[Any]:
    """What whoever sent it knew to be in a field: what was on the screen, what a conflict showed since, and, of a
    booking, what the sum was made from."""
    name = {"categoryId": "category_id"}.get(wire, wire)
    ids = said.sent[attempt.id]
    known: set[Any] = {said.changes[id_].base[name] for id_ in ids if name in said.changes[id_].base}
    for one in (one for id_ in ids for one in said.attempts[id_] if one.id < attempt.id and one.reason is not None):
        known |= {one.reason.theirs[name]} if one.reason is not None and name in one.reason.theirs else set()
    if name in attempt.base and all(isinstance(said.changes[id_].intent, AddStock) for id_ in ids):
        known.add(attempt.base[name])
    return known
