"""Runs in which the program is killed while people work, and what became of what it said was saved.

with Ground(tmp_path) as ground:
    tally = ground.run(seed=7)                # raises Violation
    tally = ground.run(seed=8, window=True)   # the real window is killed first

What a run is, all by its seed: some acts on the shop's records, in batches; lives of the program that are given them,
each killed at a fail point, at a moment when the shop has acted and the answer is on its way, or at any other; a
colleague who books the opposite of what was on its way before the next life; a proxy that treats requests as networks
do; at last a life that nobody kills, until nothing is left to send. What the program called saved is kept here, outside
of it, and then compared with the shop's own books (`killing_judge`).
"""

from __future__ import annotations

import random
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

from petstore_desktop.data_folder import Places
from petstore_desktop.domain.records import Resource
from petstore_desktop.preferences import Preferences, PreferenceStore, ShopConnection
from tests.program.running import Running, to_stock
from tests.support.choosing_proxy import ChoosingProxy
from tests.support.fault_proxy import FaultProxy, Passed
from tests.support.killed_child import ANSWER, FIRST_BYTE, LAST_BYTE, OFTEN, POINTS, REPAIRS, SELDOM
from tests.support.killing_acts import Act, Books, acts_of
from tests.support.killing_colleague import Colleague
from tests.support.killing_damage import EVERY, Damage, damage, look
from tests.support.killing_history import judge_history
from tests.support.killing_judge import Evidence, Tally, judge
from tests.support.killing_lives import KILLED, Forks, Kill, Life, Record
from tests.support.killing_moves import AnotherService, Moves
from tests.support.session import NAME
from tests.support.shop import Shop

ACTED, ANY_MOMENT = "before the answer, the shop having acted", "any moment"
KILLS = (*(point for point in POINTS if point not in (*REPAIRS, *SELDOM)), ACTED, ANY_MOMENT)
WINDOW_AT_A_POINT, WINDOW_AT_ANY_MOMENT = "the window, at a fail point", "the window, at any moment"
WINDOWS = (WINDOW_AT_A_POINT, WINDOW_AT_ANY_MOMENT)
OF_A_WINDOW = (
    "before journal.append", "after journal.append", "before journal.begin_attempt", "after journal.begin_attempt",
    "before journal.end_attempt", "after journal.end_attempt", FIRST_BYTE, LAST_BYTE, ANSWER,
)  # fmt: skip
"""What a window comes to in which somebody books."""
LONGEST_LIFE_S = 3.0
LEAST_SAVED = 5
LONGEST_MOMENT_S = 0.12
WRITE_ODDS, READ_ODDS, MOVE_ODDS = 0.3, 0.04, 0.3
CHOOSING = "choosing"
"""Of the services: one that offers everything, and whose clients choose the ids of what they create."""
AFTER_A_KILL = ("before journal.recover", "after journal.recover", "before journal.settle", "after journal.settle",
                "before mirror.confirm_walk", "after mirror.confirm_walk")  # fmt: skip
REFRESHING = ("before mirror.confirm_walk", "after mirror.confirm_walk")
CLOSING = ("before requests.add", "after requests.add")
DECIDING = ("before journal.decide", "after journal.decide")
LATE = ("before mirror.remove", "after mirror.remove", *DECIDING)
"""What is deleted, is deleted late; and what is to be decided about has gone wrong before."""
ON_THE_WIRE = (FIRST_BYTE, LAST_BYTE, ANSWER, ACTED, "after journal.begin_attempt", "before journal.end_attempt")


def kills_of(dice: random.Random, first: str | None = None) -> list[Kill]:
    """From one to three. What can only be come to after a kill follows one on the wire."""
    at = first or dice.choice(KILLS)
    if at in AFTER_A_KILL:
        kills = [Kill(dice.choice(ON_THE_WIRE), dice.randint(1, 3)), Kill(at)]
    else:
        kills = [_kill_at(at, dice)]
    while dice.random() < 0.4 and len(kills) < 3:
        kills.append(_kill_at(dice.choice(KILLS), dice))
    return kills


def _kill_at(at: str, dice: random.Random) -> Kill:
    often = at not in POINTS or at in (FIRST_BYTE, LAST_BYTE, ANSWER) or at.partition(" ")[2] in OFTEN
    return Kill(at, dice.randint(1, 4) if often else 1)


class Ground:
    """A demo shop and what starts programs beside it, for many runs one after the other."""

    def __init__(self, folder: Path, service: str = "full", *, careless: str = "", moves: bool = False) -> None:
        """`moves`: the connection has another address between some lives."""
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._proxies = ChoosingProxy if service == CHOOSING else FaultProxy
        self._full = service in ("full", CHOOSING)
        self._shop = Shop(folder / "shop", plan="unlimited", pets=60, service="full" if self._full else service)
        self._another = AnotherService(folder / "another").shop if moves else None
        self._forks = Forks(folder, careless=careless)
        self._starts = 0

    def __enter__(self) -> Self:
        return self

    def is_to_be_damaged(self, enough: bool) -> bool:
        """Whether it is the turn of this start, one of a program that was killed; if there is enough to lose."""
        self._starts += 1
        if self._starts < EVERY or not enough:
            return False
        self._starts = 0
        return True

    def __exit__(self, *_: object) -> None:
        self._forks.close()
        self._shop.stop()
        if self._another is not None:
            self._another.stop()

    def run(self, seed: int, *, window: bool = False, first: str | None = None) -> Tally:
        """One run; `first`: where the program is killed first. Raises Violation."""
        dice = random.Random(seed)
        with ExitStack() as opened:
            proxy = opened.enter_context(self._proxies(self._shop.url, dice, writes=WRITE_ODDS, reads=READ_ODDS))
            run = _Run(self._folder / f"run-{seed}", dice, Books.of(self._shop), proxy, self._shop, self._forks)
            run.is_to_be_damaged = self.is_to_be_damaged
            run.colleague = Colleague(
                self._shop, Places(run.data).journal(NAME), random.Random(f"{seed} colleague"), versions=self._full
            )
            if self._another is not None:
                run.moves = opened.enter_context(Moves(seed, run.data, self._another, self._forks))
            if window:
                run.kill_the_window()
            taken = {pet for pet, _ in run.typed}
            run.live(kills_of(dice, first), acts_of(dice, run.books, f"k{seed}", taken, full=self._full))
            proxy.settle()
            evidence = Evidence(
                seed, run.batches, run.record.made, run.record.saved, run.typed, run.marked, run.books,
                Books.of(self._shop), Places(run.data).journal(NAME), proxy.log, run.hits, run.record.troubles,
                run.record.passed, run.again, run.damage if run.damage is not None and run.damage.counts else None,
                run.colleague.booked,
            )  # fmt: skip
            tally = judge(evidence)
            tally.colleague = run.colleague.acts
            self._judge_history(run)
            if run.moves is not None:
                run.moves.judge_shown(run.record)
                tally.visits = run.moves.visits
            if run.damage is not None:
                tally.damaged[run.damage.outcome] += 1
        shutil.rmtree(run.data)
        shutil.rmtree(run.data.with_name(f"{run.data.name}-truth"), ignore_errors=True)
        return tally

    def _judge_history(self, run: _Run) -> None:
        """After the next whole reading mirror and history agree, and no change is told twice."""
        if run.damage is not None or run.moves is not None:
            return
        life = self._forks.start(run.data, (self._shop.url, self._shop.key), run.record, Kill())
        life.wait(lambda: life.ready, "the lists are there")
        reads = life.read + len(Resource)
        life.send(refresh=True)
        assert life.wait(lambda: life.idle and life.read >= reads, "all is read"), run.record.troubles
        life.end()
        assert self._forks.reap(life.pid) == 0
        places = Places(run.data)
        judge_history(places.history(NAME), places.mirror(NAME))


class _Run:
    def __init__(
        self, data: Path, dice: random.Random, books: Books, proxy: FaultProxy, shop: Shop, forks: Forks
    ) -> None:
        self.data, self.books, self.record = data, books, Record()
        self.batches: dict[str, list[Act]] = {}
        self.typed: list[tuple[int, str]] = []
        self.marked = 0
        self.again: Counter[int] = Counter()
        self._seen: set[str] = set()
        self.hits: Counter[str] = Counter()
        self.damage: Damage | None = None
        self.is_to_be_damaged: Callable[[bool], bool] = lambda _: False
        self.moves: Moves | None = None
        self.colleague: Colleague | None = None
        self.may_move = True
        self._dice, self._proxy, self._shop, self._forks = dice, proxy, shop, forks

    # -- without a window

    def live(self, kills: list[Kill], batches: list[list[Act]]) -> None:
        """All the lives, the last of which nobody ends."""
        self.batches = {f"{self.data.name}-{number}": acts for number, acts in enumerate(batches)}
        shares = len(kills) + 1
        for number, kill in enumerate([*kills, Kill()]):
            most = len(batches) if kill.at in LATE else len(batches) * (number + 1) // shares
            due = [batch for batch in list(self.batches)[:most] if batch not in self.record.made]
            enough = self.damage is None and self.record.acknowledged >= LEAST_SAVED
            moves = bool(number and self.may_move and self.moves is not None and self.moves.dice.random() < MOVE_ODDS)
            if number and self.colleague is not None and not self.typed:
                self._proxy.empty()
                self.colleague.act(batches)
                self.record.later_s = self.colleague.later_s
            if moves and self.moves is not None:
                self.moves.visit(self.record)
            if number and self.is_to_be_damaged(enough) and self._damaged(elsewhere=moves):
                return
            life = self._forks.start(self.data, (self._proxy.url, self._shop.key), self.record, kill)
            self._live_one(life, kill, due)
        if self.damage is not None and self.damage.is_elsewhere:  # each start tells of it, until a person has read it
            look(Places(self.data).journal(NAME), self.damage, self.record.troubles)

    def _damaged(self, *, elsewhere: bool) -> bool:
        """A start after a byte was damaged, in peace, but that it may be killed where it repairs; whether what is there
        is set aside, so that nothing goes on. After a visit (`elsewhere`) the journal that lies there is that of the
        other service: of ours nothing is lost, and there is no visit any more."""
        journal = Places(self.data).journal(NAME)
        found = self.damage = damage(journal, self.data.with_name(f"{self.data.name}-truth"), self._dice)
        self._proxy.calm()
        for kill in (Kill(self._dice.choice(REPAIRS)), Kill()):
            life = self._forks.start(self.data, (self._proxy.url, self._shop.key), self.record, kill)
            if life.wait(lambda life=life: life.ready and life.idle, "nothing is left to send"):
                self._end(life, Kill())
                break
            self._end(life, kill)
        look(journal, found, self.record.troubles)
        if elsewhere:
            found.is_elsewhere, self.may_move = True, False
        return found.is_aside and not elsewhere

    def _live_one(self, life: Life, kill: Kill, due: list[str]) -> None:
        self._kill_when_acted(life, kill)
        reads = self._refresh(life) if kill.at in REFRESHING else 0
        self._work(life, due, wait=not kill.at or self._dice.random() < 0.3)
        if not kill.at:
            self._proxy.calm()
            assert life.wait(lambda: life.idle, "nothing is left to send"), self.record.troubles
            if self._dice.random() < 0.5:
                self._say_again(life)
        elif kill.at == ANY_MOMENT:
            time.sleep(self._dice.uniform(0.0, LONGEST_MOMENT_S))
        else:
            if kill.at in DECIDING:
                self._decide(life)
            life.wait(lambda: life.idle and life.read >= reads, "it is killed, or nothing is left to do")
        self._end(life, kill)

    def _refresh(self, life: Life) -> int:
        """Read all lists again, which have not changed; how many have been read when that is done."""
        life.wait(lambda: life.ready, "the lists are there")
        life.send(refresh=True)
        return life.read + len(Resource)

    def _say_again(self, life: Life) -> None:
        """Somebody has what may have been made, and was not, made after all; and says that it was done of what is, or
        was, in the list."""
        doubtful, made = self._not_made(life), self._of_unknown_fate(life, seen=True)
        if doubtful or made:
            self.again.update(doubtful)
            life.send(again=doubtful, done=made)
            states, ids = self.record.states, (*doubtful, *made)
            moved = life.wait(lambda: life.idle and all(states[id_] != "uncertain" for id_ in ids), "it is decided")
            assert moved, self.record.troubles

    def _decide(self, life: Life) -> None:
        """Somebody says "again" to all that is refused, too."""
        if life.wait(lambda: life.idle, "something is refused"):
            stuck = [*self._not_made(life), *(id_ for id_, state in self.record.states.items() if state == "refused")]
            if stuck:
                self.again.update(stuck)
                life.send(again=stuck)

    def _not_made(self, life: Life) -> list[int]:
        """What may have been done to records that are made here, as far as the program knows, but was not: there are no
        such records."""
        return self._of_unknown_fate(life, seen=False)

    def _of_unknown_fate(self, life: Life, *, seen: bool) -> list[int]:
        """The changes of unknown fate to records that are made here, which the list has shown (`seen`) or never did."""
        self._look()
        return [
            id_
            for batch, ids in self.record.saved.items()
            for id_, act in zip(sorted(ids), self._made_of(batch), strict=False)
            if self.record.states[id_] == "uncertain"
            and id_ in life.told
            and isinstance(act["key"], str)
            and (act["key"] in self._seen) is seen
            and (act["verb"] == "create" or not seen)
        ]

    def _look(self) -> None:
        """Somebody looks at the lists, and remembers what was made here: who deletes a record knows that it was
        there."""
        names = (name for names in Books.of(self._shop).names.values() for name in names.values())
        self._seen.update(f"{name.partition('-')[0]}-" for name in names if name)

    def _made_of(self, batch: str) -> list[Act]:
        """Those acts of a batch that changed anything."""
        pairs = zip(self.batches.get(batch, ()), self.record.made.get(batch, ()), strict=False)
        return [act for act, count in pairs if count]

    def _end(self, life: Life, kill: Kill) -> None:
        died = life.dead
        if kill.at and not died and kill.at not in CLOSING:
            life.kill()
        life.end()
        code = self._forks.reap(life.pid)
        assert code == (-KILLED if kill.at else 0) or (code == 0 and kill.at in CLOSING), f"it ended with {code}"
        if code:
            self.hits[kill.at if died or kill.at in CLOSING else ANY_MOMENT] += 1
        self._proxy.on_write = lambda _: None

    def _kill_when_acted(self, life: Life, kill: Kill) -> None:
        left = kill.nth if kill.at == ACTED else 0

        def on_write(passed: Passed) -> None:
            nonlocal left
            left -= passed.acted
            if left == 0 and passed.acted:
                life.kill()

        if left:
            self._proxy.on_write = on_write

    def _work(self, life: Life, due: list[str], *, wait: bool) -> None:
        life.wait(lambda: life.ready, "the lists are there")
        for batch in due:
            if life.dead:
                return
            acts = self.batches[batch]
            self._look()
            life.send(batch=batch, acts=acts)
            if wait or any(act["verb"] == "create" for act in acts):
                life.wait(lambda batch=batch: self._is_saved(batch), "a batch is saved")

    def _is_saved(self, batch: str) -> bool:
        made = self.record.made.get(batch)
        return made is not None and len(self.record.saved.get(batch, ())) == sum(made)

    # -- with one

    def kill_the_window(self) -> None:
        """Book in the window, until enough is marked as saved, and some more; then end it, whatever it does."""
        connection = ShopConnection("Shop", NAME, self._proxy.url)
        store = PreferenceStore(Places(self.data).preferences)
        store.save(Preferences(connections=(connection,), last_connection=NAME))
        with Running(self.data, key=self._shop.key) as program:
            to_stock(program)
            amounts = [f"+{8**place}" for place in range(LEAST_SAVED)]
            self.typed = [(int(pet), text) for pet, text in program.ask("book", amounts)]
            for pet, _ in self.typed:
                program.wait("marked", "inventory", str(pet))
                self.marked += 1
            at_a_point = self._dice.random() < 0.5
            if at_a_point:
                self._let_it_die(program, self._dice.choice(OF_A_WINDOW), self._dice.randint(1, 4))
            moment = LONGEST_LIFE_S if at_a_point else self._dice.uniform(0.0, LONGEST_MOMENT_S)
            killing = threading.Timer(moment, program.process.kill)
            killing.start()
            self._type_more(program)
            program.process.wait()
            at_a_point = at_a_point and killing.is_alive()
            killing.cancel()
        self.hits[WINDOW_AT_A_POINT if at_a_point else WINDOW_AT_ANY_MOMENT] += 1

    @staticmethod
    def _let_it_die(program: Running, point: str, nth: int) -> None:
        """It may come to the point before it answers: what was booked is still being sent."""
        try:
            program.ask("kill_at", point, nth)
        except AssertionError:
            if program.process.poll() != -KILLED:
                raise

    def _type_more(self, program: Running) -> None:
        """What is not answered may have been typed, or not."""
        more = [f"+{8**place}" for place in range(LEAST_SAVED, 2 * LEAST_SAVED)]
        rows = [pet for pet, _ in self.typed]
        with suppress(AssertionError, OSError, EOFError):
            program.ask("book", more)
        self.typed += list(zip(rows, more, strict=True))
