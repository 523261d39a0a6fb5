"""A stocktake on the real session in virtual time, with a second desk that sells meanwhile, and a plain model beside it
of what the shop must have in the end: what was counted, and what was sold after that.

    play(seed, steps, folder)       # raises AssertionError; returns what happened, by name
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.desk.scanning.session import Hears, ScanLine
from petstore_desktop.desk.stocktake.count import Count
from petstore_desktop.desk.stocktake.standing import LineStanding
from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange
from petstore_desktop.domain.commands import Apply, Choice, Command, Decide, Decided, Discard, Refresh, Revert
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.domain.seen_changes import SeenChange
from petstore_desktop.store.history.reader import PastReader
from petstore_desktop.sync.wire.events import DraftsMoved, Event
from petstore_desktop.ui.station.scan_page import session_at
from petstore_desktop.ui.stocktake.booking import Booking
from tests.support.virtual_desk import NAME, VirtualDesk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime

PETS = 5
STOCK = Resource.INVENTORY
PLACE = "stocktake"


class _Past:
    """The history as it is on disk."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def changes_of(self, ref: Ref, done: Callable[[Sequence[SeenChange]], None]) -> None:
        reader = PastReader(self._room.places.history(NAME))
        try:
            done(reader.changes_of(ref))
        finally:
            reader.close()


class Room(VirtualDesk):
    """The program below its window, with what the window keeps of a count."""

    def start(self) -> None:
        self.desk = Desk(NAME, self.clock)
        self.past = _Past(self)
        super().start()
        self.count: Count | None = None
        self.booking = Booking(cast("Any", self))

    def note(self, event: Event) -> None:
        super().note(event)
        moved = apply_event(self.desk, event)
        self.booking.desk_changed(moved)

    def open_count(self) -> None:
        """Stocktake is opened."""
        self.wait(lambda: self.of(DraftsMoved), "the drafts are here")
        self.wait_idle()
        count = self.count = session_at(cast("Any", self), PLACE, partial(Count, self.desk.shop))
        count.hears = Hears(acted=lambda _, inverse: self.desk.done.add("", inverse, PLACE))
        self.desk.done.here = lambda: PLACE


@dataclass
class Truth:
    """What moved the stock of each pet, in the order in which it happened."""

    moves: dict[int, list[tuple[float, int]]] = field(default_factory=dict[int, list[tuple[float, int]]])

    def move(self, pet: int, at: float, by: int) -> None:
        self.moves.setdefault(pet, []).append((at, by))

    def at(self, pet: int, moment: float) -> int:
        return sum(by for at, by in self.moves[pet] if at <= moment)

    def now(self, pet: int) -> int:
        return sum(by for _, by in self.moves[pet])


class Game:
    """One shop, one room, one count after the other."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.rng = random.Random(seed)
        self.loop = VirtualTime()
        self.shop = VirtualShop(self.loop, folder / "shop", pets=PETS, rpm=10_000, rpd=1_000_000)
        self.room = Room(self.loop, self.shop, folder / "desk", chance=random.Random(seed))
        self.truth, self.seen = Truth(), Counter[str]()
        self.pets = [pet for (pet,) in self.shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT ?", PETS)]
        for pet in self.pets:
            self.truth.move(pet, 0.0, self.stock(pet))
        self.room.open_count()

    @property
    def counted(self) -> Count:
        assert self.room.count is not None
        return self.room.count

    def stock(self, pet: int) -> int:
        return self.shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", pet)[0][0]

    def close(self) -> None:
        self.room.close()
        self.shop.close()
        self.loop.close()

    # -- what may happen

    def step(self) -> None:
        weights = {
            "scan": 8, "number": 6, "wait": 8, "sell": 4, "read": 3, "sell_here": 1,
            "code": 1, "assign": 1, "recount": 1, "undo": 1, "kill": 1, "book": 1,
        }  # fmt: skip
        (name,) = self.rng.choices(list(weights), list(weights.values()))
        self.seen[name] += 1
        getattr(self, name)()
        self.loop.run_for(self.rng.choice((0.001, 0.02, 0.3)))

    def pet(self) -> int:
        return self.rng.choice(self.pets)

    def scan(self) -> None:
        self.counted.scan(self.pet())

    def number(self) -> None:
        self.counted.number(self.rng.choice((0, 3, 12, 40)))

    def code(self) -> None:
        self.counted.scan_code(self.rng.choice(("4006", "4007")))

    def assign(self) -> None:
        codes = list(self.counted.codes)
        if codes:
            self.counted.assign(codes[0], self.pet())

    def recount(self) -> None:
        self.counted.recount(self.pet())

    def undo(self) -> None:
        if (act := self.room.desk.done.next()) is not None and act.place == PLACE:
            self.room.desk.done.turn(act.id)

    def wait(self) -> None:
        self.loop.run_for(self.rng.choice((0.01, 0.05, 1.0, 20.0, 90.0, 400.0)))

    def read(self) -> None:
        self.room.submit(Refresh((STOCK,)))

    def sell(self) -> None:
        """The second desk sells one."""
        pet = self.pet()
        if left := self.stock(pet):
            self.shop.control("rows", inventory=[{"petId": pet, "quantity": left - 1, "status": "available"}])
            self.truth.move(pet, self.loop.wall, -1)

    def sell_here(self) -> None:
        """This desk sells one, outside of the count."""
        pet = self.pet()
        if self.truth.now(pet) > 0:
            self.truth.move(pet, self.loop.wall, -1)
            self.room.apply(NewChange(Ref(STOCK, pet), AddStock(-1)))

    def kill(self) -> None:
        """What was stored is all that there is; the last step may not be. What this desk sold is sent before: whether a
        request that a kill cut off was carried out, nobody can tell from a sale of another desk at that moment."""
        self.room.wait_idle()
        self.loop.run_for(self.rng.choice((0.0001, 0.001, 0.5)))
        self.room.kill()
        self.loop.run_for(self.rng.choice((1.0, 100.0)))
        self.room.start()
        self.room.open_count()

    # -- the end of a count

    def book(self) -> None:
        """Check, and book what is sure; at times the program is killed as it is booked."""
        count, judged = self.counted, list[dict[Any, LineStanding]]()
        lines = [line for line in count.variances() if line.difference]
        if not lines or count.ended:
            return
        self.room.booking.judged.connect(judged.append)
        self.room.booking.start(lines)
        self.room.wait(lambda: judged, "the count is checked")
        self.room.booking.judged.disconnect()
        sure = [line for line in lines if judged[0][line.pet].sure]
        self.seen.update(f"line {standing.why}" for standing in judged[0].values())
        changes = tuple(NewChange(Ref(STOCK, line.pet), AddStock(line.difference or 0)) for line in sure)
        batch = count.batch
        command = Apply(batch, changes, "count:all", count.closing(line.pet for line in sure))
        booked = self._submit(command)
        if booked:
            self._must_be(sure)
            if sure and self.rng.random() < 0.4:
                self._undo(batch)
        self._settle()
        self._compare()
        if self.counted.ended:
            self.counted.start_anew(self.room.desk.drafts)

    def _submit(self, command: Command) -> bool:
        """Book it, perhaps twice, perhaps with a kill; whether it is in the journal."""
        for _ in range(self.rng.choice((1, 1, 2))):
            self.room.submit(command)
        if self.rng.random() < 0.3:
            self.loop.run_for(self.rng.choice((0.0001, 0.02, 0.06)))
            self.seen["killed while booking"] += 1
            self.room.kill()
            self.room.start()
            self.room.open_count()
        else:
            self.room.wait(lambda: self.counted.ended, "the count is closed")
        return self.counted.ended

    def _undo(self, batch: str) -> None:
        """Ctrl+Z of the booking, perhaps as it is sent, perhaps with a kill: the count goes on where it is undone."""
        self.loop.run_for(self.rng.choice((0.0, 0.001, 0.05, 3.0)))
        self.room.submit(Revert(batch))
        if self.rng.random() < 0.3:
            self.loop.run_for(self.rng.choice((0.0001, 0.02, 0.06)))
            self.seen["killed while undoing"] += 1
            self.room.kill()
            self.room.start()
            self._tell_what_is_there()
            self.room.open_count()
        else:
            self.room.wait(lambda: not self.counted.ended, "the count goes on")
        if not self.counted.ended:
            self.seen["undone"] += 1
            for pet, at, by in self.booked:
                self._note(pet, at, -by)

    def _tell_what_is_there(self) -> None:
        """Of what the kill cut off the program may not know whether it came through: the person has looked."""
        self.loop.run_for(5.0)
        for change in tuple(self.room.changes.values()):
            if change.state is ChangeState.UNCERTAIN and change.needs_person and change.reason is not None:
                self.seen["asked"] += 1
                choice = Choice.DONE if change.reason.code == "as-sent" else Choice.MINE
                decided = Decided((change.id,), choice, change.reason.theirs)
                self.room.submit(Decide(f"told-{change.id}", (decided,)))

    def _must_be(self, lines: Sequence[ScanLine]) -> None:
        """From now on the shop has what was counted, and what changed after it."""
        self.booked = list[tuple[int, float, int]]()
        for line in lines:
            assert isinstance(line.pet, int)
            self.booked.append((line.pet, line.at, line.counted - self.truth.at(line.pet, line.at)))
            self._note(*self.booked[-1])

    def _note(self, pet: int, at: float, by: int) -> None:
        self.truth.move(pet, at, by)
        self.truth.moves[pet].sort(key=lambda move: move[0])

    def _settle(self) -> None:
        """All is sent. The person gives up what the service does not take, as what would leave less than nothing."""
        self.room.wait_idle()
        self.loop.run_for(1.0)
        self.room.wait_idle()
        for change in tuple(self.room.changes.values()):
            if change.state in (ChangeState.REFUSED, ChangeState.CONFLICT) and isinstance(change.intent, AddStock):
                assert isinstance(change.ref.key, int)
                self.seen["refused"] += 1
                self.truth.move(change.ref.key, self.loop.wall, -change.intent.delta)
                self.room.submit(Discard((change.id,)))
        self.loop.run_for(1.0)

    def _compare(self) -> None:
        wrong = {pet: (self.stock(pet), self.truth.now(pet)) for pet in self.pets}
        wrong = {pet: pair for pet, pair in wrong.items() if pair[0] != pair[1]}
        assert not wrong, f"the shop has, and must have: {wrong}; {dict(self.seen)}"


def play(seed: int, steps: int, folder: Path) -> Counter[str]:
    """Play one game; what happened, by name."""
    game = Game(seed, folder)
    try:
        for _ in range(steps):
            game.step()
        game.book()
        game._settle()
        game._compare()
    except BaseException as error:
        error.add_note(f"play({seed}, {steps})")
        raise
    finally:
        game.close()
    return game.seen
