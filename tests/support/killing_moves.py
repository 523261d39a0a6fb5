"""A connection that is moved to another address between two lives of a run, and back again.

The service there has records of the same ids, under other names. What was done at the first must neither be sent,
undone nor shown there, and the other way round.
"""

from __future__ import annotations

import random
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from petstore_desktop.data_folder import Places
from tests.support.fault_proxy import WRITES, FaultProxy
from tests.support.killing_acts import Act, Books
from tests.support.killing_judge import Evidence, Violation, judge
from tests.support.killing_lives import KILLED, Forks, Kill, Record
from tests.support.session import NAME
from tests.support.shop import Shop

THEIRS = "theirs "
"""How every name there begins."""
MOVING = tuple(
    f"{when} {commit}"
    for when in ("before", "after")
    for commit in ("journal.keep_address", "mirror.belong_to", "requests.__init__", "mirror.put", "mirror.finish_walk")
)
"""Where a program is killed that finds itself at another address."""


class AnotherService:
    """The other service, for all runs of a ground."""

    def __init__(self, folder: Path) -> None:
        self.shop = Shop(folder, plan="unlimited", pets=60)
        for table in ("pets", "categories"):
            columns = "id, name, category_id" if table == "pets" else "id, name, NULL"
            rows = [
                {"id": id_, "name": f"{THEIRS}{name}"} | ({} if kind is None else {"categoryId": kind})
                for id_, name, kind in self.shop.rows(f"SELECT {columns} FROM {table}")
            ]
            self.shop.control("rows", **{table: rows})


class Moves:
    """The visits of one run to the other service, all at one address."""

    def __init__(self, seed: int, data: Path, shop: Shop, forks: Forks) -> None:
        self._seed, self._data, self._shop, self._forks = seed, data, shop, forks
        self.dice = random.Random(f"{seed} elsewhere")
        self._opened = ExitStack()
        self._proxy = self._opened.enter_context(FaultProxy(shop.url, self.dice))
        self._record = Record()
        self._batches: dict[str, list[Act]] = {}
        self._before = Books.of(shop)
        self._hits: Counter[str] = Counter()
        self.visits = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def visit(self, done: Record) -> None:
        """A life at the other service, perhaps after one that was killed there; `done` at the first. Raises
        Violation."""
        for kill in (*([Kill(self.dice.choice(MOVING))] if self.dice.random() < 0.5 else []), Kill()):
            self._live_one(kill, done)
        self._judge(done)
        self.visits += 1

    def _live_one(self, kill: Kill, done: Record) -> None:
        life = self._forks.start(self._data, (self._proxy.url, self._shop.key), self._record, kill)
        if life.wait(lambda: life.ready, "the lists are there") and not kill.at:
            life.send(undo=list(done.saved))
            batch = f"elsewhere {len(self._batches)}"
            self._batches[batch] = [self._booking()]
            life.send(batch=batch, acts=self._batches[batch])
            life.wait(lambda: self._record.saved.get(batch), "a booking is saved")
            life.wait(lambda: life.idle, "nothing is left to send")
        elif kill.at:
            life.wait(lambda: life.idle, "it is killed, or nothing is left to do")
            if not life.dead:
                life.kill()
        life.end()
        code = self._forks.reap(life.pid)
        assert code == (-KILLED if kill.at else 0), f"it ended with {code}"
        self._hits[kill.at] += bool(kill.at)

    def _booking(self) -> Act:
        pet = self.dice.choice(sorted(self._before.stock))
        return {"verb": "book", "resource": "inventory", "key": pet, "text": "+8"}

    def _judge(self, done: Record) -> None:
        self._proxy.settle()
        troubles = [trouble for trouble in self._record.troubles if "changes-elsewhere" not in trouble]
        judge(
            Evidence(
                self._seed, self._batches, self._record.made, self._record.saved, [], 0, self._before,
                Books.of(self._shop), Places(self._data).journal(NAME), self._proxy.log, Counter(), troubles,
            )
        )  # fmt: skip
        places = {f"/v1/inventory/{act['key']}" for (act,) in self._batches.values()}
        sent = [one for one in self._proxy.log if one.method in WRITES and one.path not in places]
        if sent:
            raise Violation(f"seed {self._seed}: what was done at one service was sent to another: {sent}")
        self.judge_shown(done)

    def judge_shown(self, done: Record) -> None:
        """Nothing of the one service was shown at the other."""
        strange = {name for name in self._record.shown if not name.startswith(THEIRS)}
        strange |= {name for name in done.shown if name.startswith(THEIRS)}
        strange |= self._record.batches & done.saved.keys()
        if strange:
            raise Violation(f"seed {self._seed}: of one service this was shown at another: {sorted(strange)[:5]}")
