"""A desk in a process of its own, and somebody at it who books or counts stock by chance. Not a test.

    python -m tests.support.desk_child '{"data": .., "url": .., "seed": 1, "acts": 50, "booked": [1001, 1002],
        "counted": [1003], "pace": 0.05, "faster": 1.0}'    (the key is the first line of stdin)

Says `ready` once the stock is on the screen, waits for a second line, acts, and says `done` once nothing is left that
could be sent. A conflict, and what no look could tell of, is decided by chance: the same again, over what was shown, or
taken back; what was refused, since no look came in time, is taken back. `booked`, `counted`: the pets whose stock is
changed by `+n`, or by `=n`.
`pace`: the seconds between two acts, at most. `faster`: the clock of this desk runs so many times as fast.
"""

from __future__ import annotations

import json
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from petstore_desktop.clock import Clock, Instant, SystemClock
from petstore_desktop.domain.changes import AddStock, Change, ChangeState, NewChange, SetStock
from petstore_desktop.domain.commands import Discard, Retry
from petstore_desktop.domain.records import InventoryItem, Resource
from tests.support.session import Watched, stock
from tests.support.session_child import say

MOST = 10**9
"""Quantities are drawn from so many that two are never the same by chance: each value tells whose it is."""
END_S = 60.0


class FastClock:
    """This computer's clock, its seconds shorter."""

    def __init__(self, faster: float) -> None:
        self._clock: Clock = SystemClock()
        self._faster = faster

    def now(self) -> Instant:
        now = self._clock.now()
        return replace(now, steady=now.steady * self._faster)


@dataclass(frozen=True, slots=True)
class Orders:
    """What somebody is to do; see above."""

    data: str
    url: str
    seed: int
    acts: int
    booked: list[int]
    counted: list[int]
    pace: float = 0.05
    faster: float = 1.0


class Clerk:
    """Somebody at a desk."""

    def __init__(self, desk: Watched, orders: Orders) -> None:
        self._desk = desk
        self._orders = orders
        self._chance = random.Random(orders.seed)

    def work(self) -> None:
        for _ in range(self._orders.acts):
            self._act()
            self._linger(self._chance.uniform(0.0, self._orders.pace))
        self._desk.wait(self._all_is_decided, "nothing is left to be sent", END_S)

    def _act(self) -> None:
        number = self._chance.randrange(1, MOST)
        pet = self._chance.choice(self._orders.booked + self._orders.counted)
        counted = pet in self._orders.counted
        if counted:
            self._desk.wait(lambda: self._is_settled(pet), f"what the service has of {pet} is shown", END_S)
        item = self._desk.rows[Resource.INVENTORY][pet]
        assert isinstance(item, InventoryItem)
        intent = SetStock(number) if counted else AddStock(number)
        self._desk.apply(NewChange(stock(pet), intent, {"quantity": item.quantity}))

    def _is_settled(self, pet: int) -> bool:
        self._decide()
        return all(change.ref.key != pet for change in self._open())

    def _linger(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0.0:
            self._desk.listen(left)
            self._decide()

    def _decide(self) -> None:
        for change in self._open():
            if change.needs_person:
                again = change.state is not ChangeState.REFUSED and self._chance.random() < 0.5
                decision = Retry if again else Discard
                self._desk.submit(decision((change.id,)))
                self._desk.wait(lambda old=change: self._desk.changes[old.id] is not old, "a decision is taken")

    def _all_is_decided(self) -> bool:
        self._decide()
        return not self._open()

    def _open(self) -> list[Change]:
        return [change for change in self._desk.changes.values() if change.state.is_open]


def main() -> None:
    orders = Orders(**json.loads(sys.argv[1]))
    key = sys.stdin.readline().strip()
    with Watched(Path(orders.data), key=key, url=orders.url, clock=FastClock(orders.faster)) as desk:
        desk.wait_loaded(Resource.INVENTORY)
        say("ready")
        sys.stdin.readline()
        Clerk(desk, orders).work()
    say("done")


if __name__ == "__main__":
    main()
