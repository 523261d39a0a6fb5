"""What became of every act of a run, by the program's journal and by the shop's own books.

An act that was called saved is in the journal. One that the journal calls done is in the shop once; one that it calls
uncertain, in conflict or refused has its reason, and is in the shop once or not at all, where something was sent that
may have been done, else not at all; any other is not in the shop. No creation was sent twice, unless a person said so.
What a colleague booked meanwhile is added: the start, all that was acknowledged and done, and that, is what there is.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.fault_proxy import Fault, Passed
from tests.support.killing_acts import Act, Books
from tests.support.killing_damage import Damage, Row

LISTED = ("uncertain", "conflict", "refused")
MOST_DOUBTS = 10
"""So many acts of one record may be doubtful; that is 1,024 ways how it may have gone."""


class Violation(AssertionError):
    """An act is lost, was done twice, or is in a state in which it must not be left."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is known of a run: what people did (`batches`; in the window `typed`, of which the first `marked` were
    shown as saved), what the program said (`made`, `saved`), the books before and after, its journal, and what passed
    the proxy; the fail points that were `passed`, and how often a person said "again" to which changes."""

    seed: int
    batches: Mapping[str, Sequence[Act]]
    made: Mapping[str, Sequence[int]]
    saved: Mapping[str, set[int]]
    typed: Sequence[tuple[int, str]]
    marked: int
    before: Books
    after: Books
    journal: Path
    log: Sequence[Passed]
    hits: Counter[str]
    troubles: Sequence[str]
    passed: Set[str] = frozenset()
    again: Counter[int] = field(default_factory=Counter)
    damage: Damage | None = None
    """Where a byte was damaged, and the journal set aside, or a copy of it: then `journal` is what came after."""
    colleague: Counter[int] = field(default_factory=Counter)
    """What somebody else booked meanwhile, at stocks that nobody counts."""


@dataclass(slots=True)
class Tally:
    """What runs add up to: states of acknowledged acts, kills by where, requests by what was done to them, and the fail
    points that the program came to."""

    states: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    kills: Counter[str] = field(default_factory=Counter)
    faults: Counter[Fault] = field(default_factory=Counter)
    passed: set[str] = field(default_factory=set)
    runs: int = 0
    least: int = 1_000_000
    """The fewest acts that a run had acknowledged."""
    damaged: Counter[str] = field(default_factory=Counter)
    """What came of damaged bytes."""
    visits: int = 0
    """How often the connection was moved to another service."""
    chosen: int = 0
    """Creations that were sent with an id of ours."""
    colleague: int = 0
    """How often a colleague booked between two lives."""

    def add(self, other: Tally) -> None:
        """Take in the counts of others."""
        self.states += other.states
        self.reasons += other.reasons
        self.kills += other.kills
        self.faults += other.faults
        self.passed |= other.passed
        self.damaged += other.damaged
        self.visits += other.visits
        self.chosen += other.chosen
        self.colleague += other.colleague
        self.runs += other.runs
        self.least = min(self.least, other.least)

    @property
    def acknowledged(self) -> int:
        """How many acts were called saved."""
        return self.states.total()


@dataclass(slots=True)
class Deed:
    """An act and its fate. `state` is empty where the journal does not have it, and "listed" where that was damaged and
    a list has it; `sent`: whether a request left that
    may have done it, though nobody can say."""

    act: Act
    id: int = 0
    state: str = ""
    code: str = ""
    doubtful: bool = False
    acknowledged: bool = False

    @property
    def ways(self) -> tuple[bool, ...]:
        """Whether it may be in the shop, and whether it may not."""
        if self.state == "done":
            return (True,)
        return (False, True) if self.doubtful else (False,)

    def __str__(self) -> str:
        said = " acknowledged" if self.acknowledged else ""
        doubt = " doubtful" if self.doubtful else ""
        return f"{self.id}: {json.dumps(self.act)} {self.state or 'not in the journal'} {self.code}{doubt}{said}"


_STATES = """
    SELECT c.id, c.batch, coalesce(last.outcome, iif(last.id IS NULL, 'queued', 'sending')), coalesce(last.code, ''),
        EXISTS (SELECT 1 FROM attempt_change t JOIN attempt a ON a.id = t.attempt_id
                WHERE t.change_id = c.id AND a.request IS NOT NULL AND coalesce(a.outcome, '') IN ('uncertain', ''))
    FROM change c LEFT JOIN attempt last
        ON last.id = (SELECT max(attempt_id) FROM attempt_change WHERE change_id = c.id)
    ORDER BY c.id
"""


def judge(evidence: Evidence) -> Tally:
    """The counts of a run that was as it must be. Raises Violation."""
    deeds = _deeds(evidence)
    try:
        if evidence.troubles:
            raise Violation("something went wrong in the program that should not")
        _judge_states(deeds)
        _judge_books(deeds, evidence)
        _judge_the_rest(deeds, evidence)
        _judge_posts(deeds, evidence)
    except Violation as found:
        raise Violation("\n".join([f"seed {evidence.seed}: {found}", *_story(deeds, evidence)])) from None
    acknowledged = [deed for deed in deeds if deed.acknowledged]
    return Tally(
        Counter(deed.state for deed in acknowledged),
        Counter(f"{deed.state}: {deed.code}" for deed in acknowledged if deed.state in LISTED),
        evidence.hits,
        Counter(passed.fault for passed in evidence.log),
        set(evidence.passed),
        1,
        len(acknowledged),
        chosen=sum(_chosen(passed) is not None for passed in evidence.log),
    )


def _story(deeds: list[Deed], evidence: Evidence) -> list[str]:
    passed = [f"{p.method} {p.path} {p.body.decode()} {p.fault.value}: {p.status}" for p in evidence.log]
    writes = [line for line in passed if not line.startswith("GET")]
    damaged = [] if evidence.damage is None else [f"damaged: {evidence.damage}"]
    return [
        *map(str, deeds),
        *writes,
        *damaged,
        f"kills: {dict(evidence.hits)}",
        f"a colleague booked: {dict(evidence.colleague)}",
        f"troubles: {list(evidence.troubles)}",
    ]


# ---------------------------------------------------------------- what the journal says


def _deeds(evidence: Evidence) -> list[Deed]:
    rows = _rows(evidence.journal)
    if evidence.damage is not None:
        rows = evidence.damage.merged(_rows(evidence.damage.truth), rows)
    ours = [row for row in rows if row[1] in evidence.batches]
    typed = [row for row in rows if row[1] not in evidence.batches]
    deeds: list[Deed] = []
    for number, (pet, text) in enumerate(evidence.typed):
        row = typed[number] if number < len(typed) else None
        act = {"verb": "book", "resource": "inventory", "key": pet, "text": text}
        deeds.append(_deed(act, row, acknowledged=number < evidence.marked))
    for batch, acts in evidence.batches.items():
        made = [act for act, count in zip(acts, evidence.made.get(batch, ()), strict=False) if count]
        of_batch = [row for row in ours if row[1] == batch]
        if of_batch and len(of_batch) != len(made):
            raise Violation(f"batch {batch} is not whole in the journal: {of_batch}")
        ids = evidence.saved.get(batch, set())
        # A program that ended before it said a word may have sent some already: of these the next one says nothing.
        unsaid = {row[0] for row in of_batch if row[2] != "done"} - ids
        if ids and (unsaid or not ids <= {row[0] for row in of_batch}):
            raise Violation(f"batch {batch} was called saved as {ids}, and is {of_batch} in the journal")
        deeds += [
            _deed(act, row, acknowledged=bool(ids))
            for act, row in itertools.zip_longest(made, of_batch, fillvalue=None)
        ]
    return sorted(deeds, key=lambda deed: deed.id or 10**9)


def _rows(path: Path) -> list[Row]:
    with closing(sqlite3.connect(path)) as journal:
        return journal.execute(_STATES).fetchall()


def _deed(act: Act, row: Row | None, *, acknowledged: bool) -> Deed:
    if row is None:
        return Deed(act, acknowledged=acknowledged)
    id_, _, state, code, doubtful = row
    return Deed(act, id_, state, code, bool(doubtful), acknowledged)


def _judge_states(deeds: list[Deed]) -> None:
    for deed in deeds:
        if deed.acknowledged and not deed.state:
            raise Violation(f"it was called saved, and is lost: {deed}")
        if deed.state in LISTED and not deed.code:
            raise Violation(f"nobody says why: {deed}")
        if deed.state in ("sending", "merged") or (deed.state == "queued" and not _is_held_up(deed, deeds)):
            raise Violation(f"it was left behind: {deed}")


def _is_held_up(deed: Deed, deeds: list[Deed]) -> bool:
    """Whether what comes before it waits for a person: of its record, or the creation of what it names."""
    needs = {deed.act["key"], deed.act.get("category")}
    return any(other.state in LISTED and other.id < deed.id and other.act["key"] in needs for other in deeds)


# ---------------------------------------------------------------- what the shop says


def _judge_books(deeds: list[Deed], evidence: Evidence) -> None:
    records: dict[tuple[str, int | str], list[Deed]] = {}
    for deed in deeds:
        records.setdefault((deed.act["resource"], deed.act["key"]), []).append(deed)
    for (resource, key), own in records.items():
        before, after = (_found(books, resource, key) for books in (evidence.before, evidence.after))
        if isinstance(before, int) and isinstance(key, int):
            before += evidence.colleague[key]
        doubts = sum(len(deed.ways) > 1 for deed in own)
        if doubts > MOST_DOUBTS:
            raise Violation(f"too much is doubtful of {resource} {key}")
        ways = itertools.product(*(deed.ways for deed in own))
        may_be = {_after(before, [deed.act for deed, done in zip(own, way, strict=True) if done]) for way in ways}
        if after not in may_be:
            raise Violation(f"{resource} {key} was {before!r} and is {after!r}; it may be {sorted(map(repr, may_be))}")


def _judge_the_rest(deeds: list[Deed], evidence: Evidence) -> None:
    """What nobody touched is as it was."""
    before, after = evidence.before, evidence.after
    touched = {(deed.act["resource"], deed.act["key"]) for deed in deeds}
    pairs = [(kind, names, after.names[kind]) for kind, names in before.names.items()]
    for resource, old, new in (*pairs, ("inventory", before.stock, after.stock)):
        kind = "pets" if resource == "inventory" else resource
        moved = {key for key, value in old.items() if new.get(key) != value}
        strange = {key for key in moved if not {(resource, key), (kind, key)} & touched}
        if strange:
            raise Violation(f"nobody touched {sorted(strange)} of the {resource}, and they are not as they were")


def _found(books: Books, resource: str, key: int | str) -> int | str | None:
    """The name or the quantity; None where there is no such record, of a pet that is made here a stock of 0. Raises
    Violation where there are two."""
    if isinstance(key, int):
        return books.stock.get(key) if resource == "inventory" else books.names[resource].get(key)
    kind = "pets" if resource == "inventory" else resource
    ids = [id_ for id_, name in books.names[kind].items() if (name or "").startswith(key)]
    if len(ids) > 1:
        raise Violation(f"{key} was made {len(ids)} times")
    if resource == "inventory":
        return books.stock.get(ids[0], 0) if ids else 0
    return books.names[kind][ids[0]] if ids else None


def _after(value: int | str | None, acts: Sequence[Act]) -> int | str | None:
    """What comes of a record by these acts."""
    for act in acts:
        match act["verb"]:
            case "create":
                value = act["fields"]["name"]
            case "rename":
                value = act["name"]
            case "delete":
                value = None
            case _:
                text = act["text"]
                value = int(text[1:]) if text.startswith("=") else int(value or 0) + int(text)
    return value


def _judge_posts(deeds: list[Deed], evidence: Evidence) -> None:
    for deed in deeds:
        if deed.act["verb"] == "create":
            mark = deed.act["key"].encode()
            sent = [passed for passed in evidence.log if passed.method == "POST" and mark in passed.body]
            if len(sent) > 1 + evidence.again[deed.id]:
                raise Violation(f"it was sent {len(sent)} times: {deed}")
            # What the shop refused, or never saw, made nothing: a person sends it again with the next free id.
            harmless = all(one.status is None or 400 <= one.status < 500 for one in sent[:-1])
            if len(set(map(_chosen, sent))) > 1 and not harmless:
                raise Violation(f"it was sent with several ids: {deed}")


def _chosen(passed: Passed) -> int | None:
    """The id with which a creation was sent; None where the service chooses."""
    return json.loads(passed.body).get("id") if passed.method == "POST" else None
