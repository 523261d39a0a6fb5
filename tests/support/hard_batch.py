"""A batch of some hundred rows on a bad day: a short minute, pauses, failures, cut lines, and rows that the shop will
not take.

What became of each row is judged by the shop's own log of requests: done once, or listed with its reason.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

from petstore_desktop.clock import unique
from petstore_desktop.domain.changes import NOT_FOUND_OUT, AddStock, Change, ChangeState, Create, NewChange, SetFields
from petstore_desktop.domain.commands import Choice, Decide, Decided, Retry
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.sync.send.created_record import WHOLE_SERVES_S
from petstore_desktop.sync.wire.events import LinkMoved
from tests.support.session import Watched, stock
from tests.support.shop import Shop

GONE, TOO_LONG, NOWHERE = 14, 13, 13
NO_LUCK = '{"code": "oops", "message": "no luck", "status": 500}'
Trouble = tuple[str, dict[str, Any]]
TROUBLES: list[Trouble] = [
    ("pause", {"seconds": 1}),
    ("answer-next", {"next": 1, "status": 500, "body": NO_LUCK}),
    ("answer-next", {"next": 1, "status": 503, "body": "<h1>busy</h1>"}),
    ("lose-answers", {"next": 1}),
    ("lose-answers", {"next": 2}),
    ("offline", {"on": True}),
]
STOPS = (429, 503)
"""These say nothing of the row."""


class Batch:
    """Renamed pets, bookings and new pets in any order, and among them what the shop will refuse: pets that somebody
    deletes meanwhile (`gone`), names that are too long, and categories that do not exist."""

    def __init__(self, shop: Shop, chance: random.Random, rows: int) -> None:
        bookings, creations = rows // 5, rows // 8
        names = dict(shop.rows("SELECT id, name FROM pets WHERE id IS NOT NULL"))
        counts = dict(shop.rows("SELECT pet_id, quantity FROM inventory WHERE pet_id IS NOT NULL"))
        renamed = sorted(names)[: rows - bookings - creations - NOWHERE]
        new = [(f"Renamed {key}", key) for key in renamed]
        new[:TOO_LONG] = [("x" * 501, key) for key in renamed[:TOO_LONG]]
        self.gone = renamed[-GONE:]
        self.rows = [
            *(NewChange(Ref(Resource.PETS, key), SetFields({"name": name}), {"name": names[key]}) for name, key in new),
            *(NewChange(stock(key), AddStock(key), {"quantity": counts[key]}) for key in sorted(counts)[:bookings]),
            *(_new_pet(f"New {number}", 1) for number in range(creations)),
            *(_new_pet(f"Nowhere {number}", 999) for number in range(NOWHERE)),
        ]
        chance.shuffle(self.rows)

    def refusal(self, change: Change) -> int | None:
        """With which status the shop must refuse a row; None where it must take it."""
        fields = change.intent.fields if isinstance(change.intent, Create | SetFields) else {}
        if change.ref.resource is Resource.PETS and change.ref.key in self.gone:
            return 404
        return 400 if fields.get("category_id") == 999 or len(str(fields.get("name", ""))) > 500 else None


def _new_pet(name: str, category: int) -> NewChange:
    return NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": name, "category_id": category}))


class BadDay:
    """Brings one trouble after another, each when some more rows have come to an end."""

    def __init__(self, shop: Shop, desk: Watched, ids: tuple[int, ...], troubles: list[Trouble]) -> None:
        self._shop, self._desk, self._ids = shop, desk, ids
        self._troubles = list(troubles)
        self._step = len(ids) / (len(troubles) + 1)
        self._links = 0

    def is_over(self) -> bool:
        """Whether nothing is left that goes on by itself, or that a look could settle. Called at every event."""
        states = Counter(self._desk.state(id_) for id_ in self._ids)
        waits = states[ChangeState.QUEUED] + states[ChangeState.SENDING]
        if self._troubles and waits < self._step * len(self._troubles):
            action, body = self._troubles.pop()
            self._shop.control(action, **body)
        if len(links := self._desk.of(LinkMoved)) > self._links:
            self._links = len(links)
            self._shop.control("offline", on=False)
        return waits == 0 and not self._can_look()

    def _can_look(self) -> bool:
        unsure = [self._desk.changes[id_] for id_ in self._ids if self._desk.state(id_) is ChangeState.UNCERTAIN]
        return any(not one.needs_person or (isinstance(one.intent, Create) and self._is_told(one)) for one in unsure)

    def _is_told(self, creation: Change) -> bool:
        """Whether a look must tell that the record was made: the list had been read right before it was. On a slow
        machine that may be too long ago, and then a person is asked."""
        name = str(creation.intent.fields["name"]) if isinstance(creation.intent, Create) else ""
        made = [line["time"] for line in Log(self._shop).of(creation)]
        if not made or not self._shop.rows("SELECT 1 FROM pets WHERE name = ?", name):
            return False
        readings = [one.as_of for one in self._desk.ended(Resource.PETS) if one.as_of <= made[0]]
        return made[0] - max(readings, default=0.0) < WHOLE_SERVES_S / 2


class Log:
    """The requests of the shop that would change something, by what they were about."""

    def __init__(self, shop: Shop) -> None:
        self.lines = shop.log_lines()
        self._of: dict[str, list[dict[str, Any]]] = {}
        for line in self.lines:
            if line["method"] == "POST" and "body" in line:
                self._of.setdefault(json.loads(line["body"])["name"], []).append(line)
            elif line["method"] == "PATCH":
                self._of.setdefault(line["path"], []).append(line)

    def of(self, change: Change) -> list[dict[str, Any]]:
        """Those of one row."""
        if isinstance(change.intent, Create):
            return self._of.get(str(change.intent.fields["name"]), [])
        return self._of.get(f"/v1/{change.ref.resource}/{change.ref.key}", [])


def wrong(change: Change, lines: list[dict[str, Any]], refusal: int | None) -> str:
    """What is not right about a row, by the requests that were about it."""
    done = sum(line["status"] in (200, 201) for line in lines)
    refused = [line["status"] for line in lines if not line.get("lost") and (line["status"] or 0) >= 400]
    refused = [status for status in refused if status not in STOPS]
    said = None if change.reason is None else change.reason.status
    match change.state:
        case ChangeState.DONE:
            right = done == 1 and refusal is None
        case ChangeState.REFUSED:
            # A creation that the shop failed at with a 500 is not sent again by itself.
            expected = 500 if said == 500 and isinstance(change.intent, Create) else refusal
            # What a look finds gone is not asked for.
            looked = expected == 404 and change.reason is not None and change.reason.code in ("gone", "no-such-record")
            right = done == 0 and expected is not None and (looked or (said == expected and refused[-1:] == [expected]))
        case _:
            right = change.state is ChangeState.UNCERTAIN and done <= int(is_unproven(change))
            right = right and (isinstance(change.intent, Create) or is_unproven(change))
    return "" if right else f"{change}, done {done} times, refused with {refused}, not {refusal}"


def hard_batch(folder: Path, seed: int, times: int = 1, rows: int = 500) -> Counter[str]:
    """Let a session work through the batch while each trouble comes `times` times, have a person send again what is
    worth it, and judge every row both times. Returns how many rows came to which end at first, and how many requests
    were answered with which status. AssertionError where a row is not as it should be."""
    chance = random.Random(seed)
    with Shop(folder / "shop", pets=rows, rpm=200, rpd=100_000, minute=2, ban_at=1) as shop:
        with Watched(folder / "data", shop) as desk:
            desk.wait_loaded()
            batch = Batch(shop, chance, rows)
            shop.control("remove", pets=batch.gone)
            ids = desk.apply(*batch.rows)
            troubles = chance.sample(TROUBLES * times, len(TROUBLES) * times)
            desk.wait(BadDay(shop, desk, ids, troubles).is_over, "the batch is through")
            first = judged(shop, desk, ids, batch)
            again = tuple(id_ for id_ in ids if is_worth_another_try(desk.changes[id_]))
            log = Log(shop)
            done = tuple(id_ for id_ in again if is_unproven(desk.changes[id_]) and _is_there(log, desk.changes[id_]))
            desk.submit(Decide(unique(), (Decided(done, Choice.DONE),)))
            desk.submit(Retry(tuple(id_ for id_ in again if id_ not in done)))
            desk.wait(lambda: not any(is_worth_another_try(desk.changes[id_]) for id_ in ids), "all is sent again")
            desk.wait(BadDay(shop, desk, ids, []).is_over, "the rest is through")
            last = judged(shop, desk, ids, batch)
        refused = GONE + TOO_LONG + NOWHERE
        assert last == {"done": rows - refused, "refused": refused}
        lines = shop.log_lines()
        assert not any(line["inside_pause"] for line in lines)
        assert sum(line["status"] == 429 for line in lines) <= times * sum(name == "pause" for name, _ in TROUBLES)
    assert shop.errors() == ""
    return first + Counter(str(line["status"] or "no answer") for line in lines if not line.get("lost"))


def is_unproven(change: Change) -> bool:
    """Whether a look could not tell whether it was done."""
    return change.reason is not None and change.reason.code in NOT_FOUND_OUT


def _is_there(log: Log, change: Change) -> bool:
    return any(line["status"] in (200, 201) for line in log.of(change))


def is_worth_another_try(change: Change) -> bool:
    """Whether a person would send it again: its fate is unknown, or the shop failed."""
    failed = change.reason is not None and change.reason.status == 500
    return change.state is ChangeState.UNCERTAIN or (change.state is ChangeState.REFUSED and failed)


def judged(shop: Shop, desk: Watched, ids: tuple[int, ...], batch: Batch) -> Counter[str]:
    """How many rows came to which end, each rightly so."""
    log = Log(shop)
    changes = [desk.changes[id_] for id_ in ids]
    bad = [said for one in changes if (said := wrong(one, log.of(one), batch.refusal(one)))]
    assert not bad, "\n".join(bad)
    return Counter(change.state.value for change in changes)
