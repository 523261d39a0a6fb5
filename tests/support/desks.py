"""Two desks of one shop, each a program of its own with a key of its own; and what became of every act, judged from
outside: by the shop's log of requests, its books, and what each desk's journal says.

    found = two_desks(folder, seed=1, acts=100, etags=False)
    assert found.wrong == []
    found.unseen, found.conflicts        # what was overwritten without having been seen; what was listed as a conflict

A look can see what landed before the desk last asked. What lands between that and its write is in the time that stays
open where no ETag guards it: for `+n` the round trip of a pair, or, where stock is read by its list, 5 s after that;
for `=n` the minute that what the person saw may be old. It is counted here, and must not be longer.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from petstore_desktop.data_folder import Places
from petstore_desktop.domain.changes import UNPROVEN, AddStock, Change, ChangeState, SetStock
from petstore_desktop.store.journal.journal import Attempt, Journal
from petstore_desktop.sync.send.next_step import LOOK_SERVES_S
from tests.support.session import NAME
from tests.support.shop import ROOT, Shop

TRIP_S = 1.0
"""What a request may take on a busy machine, beyond what is kept to."""
KEYS = ("key-of-the-first-desk", "key-of-the-second-desk")
FAULTS_EVERY_S, FAULT_S = 0.4, 0.1


class DeskChild:
    """A desk with somebody at it; see desk_child.py."""

    def __init__(self, folder: Path, key: str, **orders: object) -> None:
        self.data = folder
        self._errors = folder.with_suffix(".stderr")
        said = json.dumps({"data": str(folder), **orders})
        with self._errors.open("w") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.support.desk_child", said],
                cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
            )  # fmt: skip
        self._say(key)

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def hear(self, word: str) -> None:
        """Wait for this word; the test's own timeout is the deadline."""
        assert self._process.stdout is not None
        said = self._process.stdout.readline().strip()
        assert said == word, f"a desk said {said!r}, not {word!r}: {self._errors.read_text()}"

    def begin(self) -> None:
        """Let it act."""
        self._say("begin")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()


@dataclass(frozen=True, slots=True)
class Heard:
    """The shop told a desk what a record holds, as the `at`th request of the log: by a look at it, or by the list."""

    at: int
    time: float
    value: int
    by: str


@dataclass(frozen=True, slots=True)
class Write:
    """The shop did it: `value` stands where `before` stood."""

    at: int
    time: float
    desk: int
    pet: int
    value: int
    before: int
    by_another: bool
    """Whether what stood there was the other desk's."""
    asked: Heard | None
    """What its desk was told when it last asked."""


@dataclass(slots=True)
class Found:
    """What came of it. `wrong`: each breach of what was promised. `turns`: writes upon one of the other desk's.
    `unseen`: what was overwritten without having been seen, by `+n` or `=n` and by what kind of look that rested on;
    `open_s`: the longest time between such a look and its write."""

    writes: int = 0
    turns: int = 0
    states: Counter[str] = field(default_factory=Counter[str])
    conflicts: int = 0
    unseen: Counter[str] = field(default_factory=Counter[str])
    open_s: dict[str, float] = field(default_factory=dict[str, float])
    wrong: list[str] = field(default_factory=list[str])

    def overwrote(self, write: Write, since: Heard, act: str, most_s: float) -> None:
        """A write took the place of what nobody at its desk had seen: it landed after the desk last asked."""
        seconds = write.time - since.time
        self.unseen[f"{act} after a {since.by}"] += 1
        self.open_s[act] = max(self.open_s.get(act, 0.0), seconds)
        if seconds > most_s:
            self.wrong.append(f"{write} rests on what was asked {seconds:.1f} s before")

    def add(self, other: Found) -> None:
        """Count both as one."""
        for mine, theirs in ((self.states, other.states), (self.unseen, other.unseen)):
            mine.update(theirs)
        self.writes, self.turns = self.writes + other.writes, self.turns + other.turns
        self.conflicts += other.conflicts
        self.open_s = {act: max(self.open_s.get(act, 0.0), other.open_s.get(act, 0.0)) for act in ("+n", "=n")}
        self.wrong += other.wrong

    def __str__(self) -> str:
        unseen = ", ".join(f"{count} by {what}" for what, count in sorted(self.unseen.items())) or "nothing"
        longest = ", ".join(f"{act} at most {seconds:.2f} s" for act, seconds in self.open_s.items())
        states = ", ".join(f"{count} {state}" for state, count in sorted(self.states.items()))
        return (
            f"{states}; {self.writes} writes, {self.turns} upon one of the other desk's; "
            f"{self.conflicts} conflicts listed; overwritten in the time that stays open: {unseen} ({longest})"
        )


# ---------------------------------------------------------------- what the shop saw


class Story:
    """The shop's log, told again: every value that stood, who wrote it, and what each desk had been told by then."""

    def __init__(self, lines: list[dict[str, Any]], start: dict[int, int], key_ids: list[str]) -> None:
        self.writes: list[Write] = []
        self.stock = dict(start)
        self._desks = {key_id: number for number, key_id in enumerate(key_ids)}
        self._asked: dict[tuple[int, int], Heard] = {}
        self._last: dict[int, int] = {}
        for at, line in enumerate(lines):
            desk = self._desks.get(line["key_id"])
            path = line["path"].partition("?")[0].removeprefix("/v1/")
            if desk is not None and path.startswith("inventory") and line["status"] in (200, 304):
                self._tell(at, line, desk, path)

    def _tell(self, at: int, line: dict[str, Any], desk: int, path: str) -> None:
        pet = path.partition("/")[2]
        if line["method"] == "GET":
            for one in [int(pet)] if pet else self.stock:
                self._asked[desk, one] = Heard(at, line["time"], self.stock[one], "look" if pet else "list")
            return
        one, value = int(pet), json.loads(line["body"])["quantity"]
        by_another = self._last.get(one, desk) != desk
        asked = self._asked.get((desk, one))
        self.writes.append(Write(at, line["time"], desk, one, value, self.stock[one], by_another, asked))
        self.stock[one], self._last[one] = value, desk


# ---------------------------------------------------------------- what a desk says


@dataclass(frozen=True, slots=True)
class Said:
    """A desk's journal: its changes by id, the attempts of each, and which changes each attempt sent."""

    changes: dict[int, Change]
    attempts: dict[int, tuple[Attempt, ...]]
    sent: dict[int, frozenset[int]]

    def attempt_of(self, write: Write) -> Attempt | None:
        """The attempt that the shop's write came from: values are drawn so that no two are the same. Where one was sent
        again, it had come to nothing before."""
        done = (ChangeState.DONE, ChangeState.UNCERTAIN)
        tries = {one.id: one for some in self.attempts.values() for one in some if one.outcome in done}
        sent = [id_ for id_, one in tries.items() if one.request and one.value.get("quantity") == write.value]
        return tries[max(sent)] if sent else None

    def conflicts(self) -> Iterable[Attempt]:
        """Each time that a change was listed as a conflict."""
        return (one for tries in self.attempts.values() for one in tries if one.outcome is ChangeState.CONFLICT)

    def seen(self, attempt: Attempt) -> set[object]:
        """What the person had seen: what was on the screen when acting, and what a conflict showed since."""
        ids = self.sent[attempt.id]
        seen: set[object] = {self.changes[id_].base.get("quantity") for id_ in ids}
        shown = (one.reason for id_ in ids for one in self.attempts[id_] if one.id < attempt.id)
        return seen | {reason.theirs.get("quantity") for reason in shown if reason is not None}


def journal_of(data: Path) -> Said:
    """Read a desk's journal, its program ended."""
    journal = Journal(Places(data).journal(NAME))
    try:
        changes = {change.id: change for change in journal.changes(journal.numbers("SELECT id FROM change"))}
        attempts = {id_: journal.attempts(id_) for id_ in changes}
        tries = {one.id for some in attempts.values() for one in some if one.request is not None}
        return Said(changes, attempts, {id_: journal.changes_of_attempt(id_) for id_ in tries})
    finally:
        journal.close()


# ---------------------------------------------------------------- the judge


@dataclass(frozen=True, slots=True)
class Judge:
    """Compares both. `etags`: each write was guarded by the service itself. `faster`: of the desks' clocks."""

    story: Story
    said: list[Said]
    etags: bool
    faster: float

    def found(self) -> Found:
        found = Found(len(self.story.writes), sum(write.by_another for write in self.story.writes))
        for said in self.said:
            found.states.update(change.state for change in said.changes.values())
            found.conflicts += len(list(said.conflicts()))
        times = Counter[tuple[int, int]]()
        for write in self.story.writes:
            attempt = self.said[write.desk].attempt_of(write)
            if attempt is None:
                found.wrong.append(f"{write} is in no journal")
                continue
            ids = self.said[write.desk].sent[attempt.id]
            times.update((write.desk, id_) for id_ in ids)
            self._weigh(write, attempt, found)
        for desk, said in enumerate(self.said):
            found.wrong += [
                f"desk {desk}: {change} was done {times[desk, change.id]} times"
                for change in said.changes.values()
                if not self._is_right(change, said.attempts[change.id], times[desk, change.id])
            ]
        return found

    def _is_right(self, change: Change, attempts: tuple[Attempt, ...], times: int) -> bool:
        """Once if it is done, else at most once, and listed. Once more for each time that a person said "again"; and a
        count, whose value may be sent again where a look shows what it was sent upon, for each such look: so it does
        when the other desk counts "again" what it had counted before."""
        back = [one.reason for one in attempts if one.request is None and one.outcome is ChangeState.QUEUED]
        again = len(back) if isinstance(change.intent, SetStock) else back.count(None)
        told = (ChangeState.CONFLICT, ChangeState.REFUSED)
        asked = any(one.reason is not None and one.reason.code in UNPROVEN for one in attempts)
        listed = change.state is ChangeState.DONE or asked or any(one.outcome in told for one in attempts)
        return listed and int(change.state is ChangeState.DONE) <= times <= 1 + again

    def _weigh(self, write: Write, attempt: Attempt, found: Found) -> None:
        """Was what it overwrote known?"""
        said = self.said[write.desk]
        acts = [said.changes[id_] for id_ in said.sent[attempt.id]]
        base = attempt.base.get("quantity")
        if isinstance(acts[0].intent, AddStock):
            added = sum(act.intent.delta for act in acts if isinstance(act.intent, AddStock))
            if not isinstance(base, int) or base + added != write.value:
                found.wrong.append(f"{write} is not {base} and what was booked")
            self._weigh_known(write, {base}, "+n", found)
        else:
            self._weigh_known(write, said.seen(attempt) | {write.value}, "=n", found)

    def _weigh_known(self, write: Write, known: set[object], act: str, found: Found) -> None:
        if write.before in known:
            return
        if self.etags:
            found.wrong.append(f"{write} is a blind overwrite in spite of ETags")
        elif write.asked is None or write.asked.value not in known:
            found.wrong.append(f"{write} overwrote what a look had shown")
        else:
            found.overwrote(write, write.asked, act, LOOK_SERVES_S / self.faster + TRIP_S)


# ---------------------------------------------------------------- the run


def two_desks(
    folder: Path, *, seed: int, acts: int, etags: bool = True, faults: bool = False, service: str = "full",
    booked: int = 2, counted: int = 2, faster: float = 1.0, pace: float = 0.05,
) -> Found:  # fmt: skip
    """Let two desks of one shop do `acts` acts each, and judge what became of them. `faults`: answers are lost and
    connections cut. `booked`, `counted`: on so many stock entries. `faster`: the desks' clocks are."""
    with ExitStack() as stack:
        shop = stack.enter_context(Shop(folder / "shop", plan="unlimited", pets=20, service=service))
        shop.control("etags", on=etags)
        key_ids = [_let_in(shop, key) for key in KEYS]
        start = dict(shop.rows("SELECT pet_id, quantity FROM inventory WHERE pet_id IS NOT NULL"))
        pets = sorted(start)[: booked + counted]
        orders = {"booked": pets[:booked], "counted": pets[booked:], "faster": faster, "pace": pace}
        desks = [
            stack.enter_context(
                DeskChild(folder / f"desk{number}", key, url=shop.url, seed=2 * seed + number, acts=acts, **orders)
            )
            for number, key in enumerate(KEYS)
        ]
        for desk in desks:
            desk.hear("ready")
        over = threading.Event()
        if faults:
            stack.callback(_fault_thread(shop, seed, over).join)
        stack.callback(over.set)
        for desk in desks:
            desk.begin()
        for desk in desks:
            desk.hear("done")
        story = Story(shop.log_lines(), start, key_ids)
        said = [journal_of(desk.data) for desk in desks]
        found = Judge(story, said, etags, faster).found()
        if dict(shop.rows("SELECT pet_id, quantity FROM inventory WHERE pet_id IS NOT NULL")) != story.stock:
            found.wrong.append("the shop's books are not what its log tells")
        if etags and not faults:
            found.wrong += _not_the_sum(pets[:booked], start, story, said)
    assert shop.errors() == ""
    return found


def _let_in(shop: Shop, key: str) -> str:
    return shop.control("restore", key=key)["keys"][-1]["key_id"]


def _not_the_sum(booked: list[int], start: dict[int, int], story: Story, desks: list[Said]) -> list[str]:
    """Where what stands at the end is not all that was booked."""
    sums = {pet: start[pet] for pet in booked}
    for said in desks:
        for change in said.changes.values():
            if isinstance(change.intent, AddStock) and isinstance(change.ref.key, int):
                sums[change.ref.key] += change.intent.delta
    return [f"{pet}: {story.stock[pet]}, not {total}" for pet, total in sums.items() if story.stock[pet] != total]


def _fault_thread(shop: Shop, seed: int, over: threading.Event) -> threading.Thread:
    """Lose answers and cut connections by chance until it is over."""
    chance = random.Random(seed)

    def work() -> None:
        while not over.wait(chance.uniform(0.0, 2 * FAULTS_EVERY_S)):
            # Ended soon: whoever waits after a failure must not be met by the next one for certain.
            if chance.random() < 0.7:
                shop.control("lose-answers", next=1)
                over.wait(FAULT_S)
                shop.control("lose-answers", next=0)
            else:
                shop.control("offline", on=True)
                over.wait(FAULT_S)
                shop.control("offline", on=False)

    thread = threading.Thread(target=work)
    thread.start()
    return thread
