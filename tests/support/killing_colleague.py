"""A colleague who books between a kill and the next start, at the stock of which a booking was on its way.

The opposite of that booking, so that the stock is as it was before, or the very same once more, so that it is as if the
booking had arrived: what the next life sees tells nothing then, unless by the version of the entry. Before that life
begins a minute goes by on its clock, or, where the service tells versions, none at all.
"""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from tests.support.killing_acts import Act
from tests.support.shop import Shop

ODDS = 0.6
MINUTE_S = 60.0
_LAST = """
    SELECT a.request, a.base, a.value FROM attempt a
    WHERE a.request IS NOT NULL AND coalesce(a.outcome, 'uncertain') = 'uncertain' AND NOT EXISTS (
        SELECT 1 FROM attempt_change t JOIN attempt_change later
        ON later.change_id = t.change_id AND later.attempt_id > t.attempt_id WHERE t.attempt_id = a.id
    ) ORDER BY a.id DESC
"""


class Colleague:
    """Of one run. `booked`: what was, by pet; `later_s`: by how much the next life's clock is ahead."""

    def __init__(self, shop: Shop, journal: Path, dice: random.Random, *, versions: bool) -> None:
        self._shop, self._journal, self._dice, self._versions = shop, journal, dice, versions
        self.booked: Counter[int] = Counter()
        self.acts = 0
        self.later_s = 0.0

    def act(self, batches: Iterable[list[Act]]) -> None:
        """Perhaps book, at a stock that nobody counts in these batches."""
        acts = [act for batch in batches for act in batch if act["resource"] == "inventory"]
        counted = {act["key"] for act in acts if act["text"].startswith("=")}
        booked = {act["key"] for act in acts} - counted
        found = [one for one in self._on_the_way() if one[0] in booked]
        if not found or self._dice.random() >= ODDS:
            return
        pet, amount, value = found[0]
        now = self._stock(pet)
        soon = self._versions and self._dice.random() < 0.5
        # A booking that did not arrive and the same of somebody else, at once: nothing tells the two apart.
        same = self._dice.random() < 0.5 and not (soon and now != value)
        self._book(pet, now, amount if same else -amount)
        self.later_s += 0.0 if soon else MINUTE_S

    def _book(self, pet: int, now: int, amount: int) -> None:
        self._shop.control("rows", inventory=[{"petId": pet, "quantity": now + amount}])
        self.booked[pet] += amount
        self.acts += 1

    def _stock(self, pet: int) -> int:
        return self._shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", pet)[0][0]

    def _on_the_way(self) -> list[tuple[int, int, int]]:
        """The bookings of unknown fate, the last first: pet, amount, and the stock that they were to bring about."""
        with tempfile.TemporaryDirectory() as folder:
            for file in self._journal.parent.glob(f"{self._journal.name}*"):  # read in a copy: SQLite would repair it
                shutil.copy(file, folder)
            with closing(sqlite3.connect(Path(folder) / self._journal.name)) as journal:
                there = journal.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'attempt'").fetchone()[0]
                rows = journal.execute(_LAST).fetchall() if there else []  # it may have been killed at its first start
        found: list[tuple[int, int, int]] = []
        for request, base, value in rows:
            said, before, after = json.loads(request), json.loads(base), json.loads(value)
            amounts = before.get("quantity"), after.get("quantity")
            if said["op"] == "inventory.change" and said["key"].isdigit() and None not in amounts:
                found.append((int(said["key"]), amounts[1] - amounts[0], amounts[1]))
        return found
