"""Two desks that create, delete and undo at one service, and a colleague at a third who edits known and unknown fields
there, books stock and places orders: the service's own books judge whether anything of another went unseen.

    found = two_desks_come_and_go(loop, folder, client_ids=True, seed=1, acts=100)
    assert found.wrong == []
    assert found.ended and found.conflicts

What stood when a look was served can be seen by it: whatever a deletion takes with it must be known to whoever was at
that desk, unless it came to stand after the desk's last look. What comes in between is counted.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.domain.changes import FOUND_ALIKE, Change, ChangeState, Create, Delete, Fields, NewChange
from petstore_desktop.domain.commands import Discard, Refresh, Retry, Revert
from petstore_desktop.domain.deletions import EXTRA, ORDERS, STOCK, extra_of
from petstore_desktop.domain.records import LocalId, Pet, Ref, Resource
from petstore_desktop.store.journal.rows import Attempt
from petstore_desktop.sync.send import conflicts as compared
from petstore_desktop.sync.send import created_record as creations
from petstore_desktop.sync.send import next_step as engine
from petstore_desktop.sync.send.created_record import Creations, departure_of
from petstore_desktop.sync.send.ledger import Ledger
from tests.support.book_shop import Fault
from tests.support.comings_shop import COLLEAGUE, KEYS, Books, Ended, Place
from tests.support.desks import Said, journal_of
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_time import VirtualTime

NAMES, STATUSES = ("Koi", "Rex"), ("available", "sold")
UNKNOWN = ("chip", "vetNotes")
KNOWN = {"name": "name", "status": "status", "categoryId": "category_id"}


@dataclass(slots=True)
class Found:
    """What came of it. `ended`: pets that were deleted; `back`: deletions that were undone; `conflicts` told; `open`:
    what went in the time that stays open; `left`: the numbers of the pets that are there in the end; `wrong`: each
    breach of what was promised."""

    ended: int = 0
    back: int = 0
    conflicts: int = 0
    open: int = 0
    left: tuple[int, ...] = ()
    wrong: list[str] = field(default_factory=list[str])

    def add(self, other: Found) -> None:
        """Count both as one."""
        self.ended, self.back = self.ended + other.ended, self.back + other.back
        self.conflicts, self.open = self.conflicts + other.conflicts, self.open + other.open
        self.left, self.wrong = self.left + other.left, self.wrong + other.wrong

    def __str__(self) -> str:
        return (
            f"{self.ended} deleted, {self.back} brought back, {self.conflicts} conflicts listed, "
            f"{self.open} gone in the time that stays open; {len(self.wrong)} unseen"
        )


# ---------------------------------------------------------------- the run


def two_desks_come_and_go(
    loop: VirtualTime, folder: Path, *, client_ids: bool, seed: int, acts: int, taken: str = "replaced"
) -> Found:
    """Let both make so many acts in turn, as chance has it, and judge. The same seed gives the same run. `taken`: what
    the service makes of a creation under a number that there is (see `BookShop`)."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("petstore_desktop.clock.os.urandom", random.Random(seed).randbytes)
        shop = Books(loop, client_ids=client_ids)
        shop.taken = taken
        return _come_and_go(loop, folder, shop, seed, acts)


def _come_and_go(loop: VirtualTime, folder: Path, shop: Books, seed: int, acts: int) -> Found:
    chance = random.Random(seed)
    for name in NAMES * 2:
        shop.add(name=name, chip=str(chance.randrange(10_000)))
    desks = [
        VirtualDesk(loop, Place(shop, key), folder / f"desk{number}", chance=random.Random(seed))
        for number, key in enumerate(KEYS)
    ]
    for desk in desks:
        desk.wait_idle()
    people = People(shop, desks, chance)
    for _ in range(acts):
        people.act()
        loop.run_for(chance.choice((0.1, 1.0, 12.0)) * chance.random())
    shop.faults.clear()
    people.finish()
    for desk in desks:
        desk.close()
    return _judge(shop, [journal_of(desk.data) for desk in desks])


class People:
    """Whoever sits at the desks, and the colleague."""

    def __init__(self, shop: Books, desks: list[VirtualDesk], chance: random.Random) -> None:
        self._shop, self._desks, self._chance, self._number = shop, desks, chance, 0

    def act(self) -> None:
        """One act of one of them."""
        desk, dice = self._chance.choice(self._desks), self._chance.random()
        self._number += 1
        self._decide(desk)
        if dice < 0.45:
            self._edit()
        elif dice < 0.6:
            self._fault()
            desk.apply(NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": self._chance.choice(NAMES)})))
        elif dice < 0.75:
            self._delete(desk)
        elif dice < 0.95:
            self._undo(desk)
        else:
            desk.submit(Refresh((Resource.PETS, Resource.INVENTORY, Resource.ORDERS)))

    def _fault(self) -> None:
        if self._chance.random() < 0.3 and not self._shop.faults:
            self._shop.faults.append(Fault(done=self._chance.random() < 0.5))

    def _bring_back(self) -> None:
        """The colleague makes another pet under a number that was somebody's."""
        free = sorted({one.number for one in self._shop.ended} - self._shop.pets.keys())
        if free:
            number = self._chance.choice(free)
            self._shop.pets[number] = {"id": number, "name": "Koi", "chip": f"chip {self._number}"}
            self._shop.came(COLLEAGUE, number)

    def _edit(self) -> None:
        """The colleague does something to a pet."""
        if self._chance.random() < 0.2:
            self._bring_back()
        if not self._shop.pets:
            return
        number = self._chance.choice(sorted(self._shop.pets))
        what = self._chance.choice(("status", *UNKNOWN, STOCK, ORDERS))
        if what == STOCK:
            self._shop.stock[number] += self._number
        elif what == ORDERS:
            self._shop.orders[self._number] = number
            self._shop.stands(number, self._number)
        else:
            values = STATUSES if what == "status" else (f"{what} {self._number}",)
            value = self._chance.choice(values)
            if self._shop.pets[number].get(what) == value:
                return
            self._shop.pets[number][what] = value
        self._shop.stands(number, what)

    def _delete(self, desk: VirtualDesk) -> None:
        pets = [pet for pet in desk.rows[Resource.PETS].values() if isinstance(pet, Pet)]
        if pets:
            self._fault()
            pet = self._chance.choice(sorted(pets, key=lambda one: one.id))
            seen: Fields = {"name": pet.name, "category_id": pet.category_id, "status": pet.status}
            desk.apply(NewChange(Ref(Resource.PETS, pet.id), Delete(), seen))

    def _undo(self, desk: VirtualDesk) -> None:
        done = [change for change in desk.changes.values() if change.state is ChangeState.DONE]
        if done:
            self._fault()
            desk.submit(Revert(self._chance.choice(done[-6:]).batch))

    def finish(self) -> None:
        """Decide until nothing is left."""
        for desk in self._desks:
            for _ in range(60):
                desk.wait_idle(3_600.0)
                if not self._decide(desk):
                    break

    def _decide(self, desk: VirtualDesk) -> bool:
        stuck = [change for change in desk.changes.values() if change.needs_person]
        for change in stuck:
            decision = Retry if self._chance.random() < 0.3 else Discard
            desk.submit(decision((change.id,)))
            desk.wait(lambda old=change: desk.changes[old.id] is not old, "a decision is taken")
        return bool(stuck)


# ---------------------------------------------------------------- the rules


def _nothing(_: Any) -> Any:
    return lambda *_: {}


def _no_look(_: Any) -> Any:
    return lambda _run, _intent, send, _operation, _facts: send


def _no_image(begin: Any) -> Any:
    return lambda self, changes, request, base, value, _=None: begin(self, changes, request, base, value)


def _known_alone(_: Any) -> Any:
    """As if it were enough that the known fields are alike, whatever id was sent."""

    def made_by(self: Creations, head: Change, attempt: Any, whole: bool) -> Any:
        left = departure_of(attempt)
        found = () if left is None else self._records.mirror.matching(head.ref.resource, attempt.value, left.mark)
        return next((creations.CreatedRecord(key) for key in found if isinstance(key, int)), None) if whole else None

    return made_by


RULES: dict[str, tuple[Any, str, Any]] = {
    "unknown fields are compared": (compared, "moved_extra", _nothing),
    "stock and orders are compared": (engine, "came_since", _nothing),
    "an undone deletion looks first": (engine, "_creation_step", _no_look),
    "what comes back is what was read last": (Ledger, "begin", _no_image),
    "a creation is told from others that are alike": (Creations, "made_by", _known_alone),
}
"""Each with where it lies and what stands there once it is taken out."""


# ---------------------------------------------------------------- the judge


def _judge(shop: Books, said: list[Said]) -> Found:
    found = Found(ended=len(shop.ended), open=shop.open, left=tuple(shop.pets), wrong=shop.wrong)
    for desk, one in enumerate(said):
        found.conflicts += len(list(one.conflicts()))
        for change in one.changes.values():
            if isinstance(change.intent, Create):
                _judge_creation(found, shop, desk, one, change)
    for ended in shop.ended:
        _judge_end(found, ended, list(_told(said[ended.desk], ended)))
    return found


def _judge_creation(found: Found, shop: Books, desk: int, said: Said, change: Change) -> None:
    """It is its own record that it was taken to have made; of one that comes back, whole."""
    intent = change.intent
    was = intent.old_id if isinstance(intent, Create) else None
    number = change.result_key or 0
    tries = [one for one in said.attempts[change.id] if one.request is not None]
    first = tries[0].at if tries else math.inf
    own = [at for at, who in shop.made[number] if who == desk and first <= at <= change.moved_at]
    if change.state is ChangeState.DONE and not own and (tries or was is None):
        _judge_taken(found, shop, desk, change, tries)
    deleted = [one for one in said.changes.values() if isinstance(one.intent, Delete) and one.ref.key == was]
    ends = [
        one
        for one in shop.ended
        if one.number == was
        and one.at <= change.at
        and (one.desk == desk or any(own.at <= one.at <= own.moved_at for own in deleted))  # both may have deleted it
    ]
    if not ends or not isinstance(intent, Create):
        return
    found.back += 1
    known = {wire: intent.fields[name] for wire, name in KNOWN.items() if name in intent.fields}
    back = {**known, **intent.others, "id": was}
    lost = [{name for name, value in one.pet.items() if back.get(name) != value} - one.unseen for one in ends]
    if all(lost):  # it may have been deleted more than once
        found.wrong.append(f"{sorted(map(str, lost[-1]))} of {ends[-1].pet} did not come back: {back}")


def _judge_taken(found: Found, shop: Books, desk: int, change: Change, tries: list[Attempt]) -> None:
    """It was taken to have made what another made: only where nobody could tell, since that came after the last look
    and while it was not known what had become of the attempt, and where it is said that it may be a colleague's."""
    number, said_so = change.result_key or 0, change.reason is not None and change.reason.code == FOUND_ALIKE
    looks = [*shop.looks[desk, "pets"], *shop.looks[desk, f"pets/{number}"]]
    looked = max((at for at in looks if tries and at <= tries[-1].at), default=math.inf)
    made = max((at for at, _ in shop.made[number] if at <= change.moved_at), default=0.0)
    untold = shop.taken == "kept" and change.reason is None  # as it was sent, and called made: nobody could know
    if (said_so or untold) and made > looked:
        found.open += 1
    else:
        found.wrong.append(f"{change} of desk {desk} was taken to have made what another did")


def _told(said: Said, ended: Ended) -> Iterator[Fields]:
    """What whoever deleted it was shown of it: what the deletion rested on, and what conflicts told since."""
    for id_, change in said.changes.items():
        keys = [json.loads(one.request or "{}").get("key") for one in said.attempts[id_] if one.at <= ended.at]
        if isinstance(change.intent, Delete) and str(ended.number) in keys:
            yield change.base
            for one in said.attempts[id_]:
                if one.reason is not None and one.at <= ended.at:
                    yield one.reason.theirs


def _judge_end(found: Found, ended: Ended, told: list[Fields]) -> None:
    for name, value in ended.pet.items():
        field_of = KNOWN.get(name, "")
        known = [one.get(field_of) if field_of else extra_of(one.get(EXTRA)).get(name) for one in told]
        _judge_part(found, ended, name, name == "id" or value in known, f"{name} {value!r}")
    stock = not ended.stock or ended.stock in [one.get(STOCK) for one in told]
    _judge_part(found, ended, STOCK, stock, f"a stock of {ended.stock}")
    shown = {id_ for one in told if ORDERS in one for id_ in json.loads(str(one[ORDERS]))}
    for order in ended.orders:
        _judge_part(found, ended, order, str(order) in shown, f"order {order}")


def _judge_part(found: Found, ended: Ended, what: object, known: bool, words: str) -> None:
    if known or what in ended.own:
        return
    if what in ended.unseen:
        found.open += 1
    else:
        found.wrong.append(f"{words} went with pet {ended.number}, which a look of desk {ended.desk} had shown")
