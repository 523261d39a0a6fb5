"""A desk at a service, a plain model beside it that is told what the mirror is shown, and what ends both."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from copy import copy
from itertools import pairwise
from pathlib import Path
from typing import Any

from petstore_desktop.contract.operations import Verb
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.changes import Fields
from petstore_desktop.domain.commands import Refresh, UseKey
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Key, Ref, Resource
from petstore_desktop.domain.seen_changes import SeenChange, What, Who
from petstore_desktop.store.history.reader import PastReader
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.sync.wire.events import LoadEnded, LoadFailed, LoadMoved, Trouble
from tests.api.gate_machine.service import Violation
from tests.support.past_states import state_at
from tests.support.services.scenario import Scenario
from tests.support.services.seat import Seat
from tests.support.virtual_desk import NAME
from tests.support.virtual_time import VirtualTime
from tests.sync.past.plain_model import Model, compare, differences, state_after
from tests.sync.past.spies import rows_of, spied
from tests.sync.past.told_service import ToldService

MEMORY = Path("/dev/shm")
READ_S, START_S = 4_000.0, 1.0
FAR_S = 1e12


class World:
    """See above. `fuse`: the file after whose next commit the program is killed."""

    def __init__(self, scenario: Scenario) -> None:
        self.loop = VirtualTime()
        self.folder = Path(tempfile.mkdtemp(prefix="past-", dir=MEMORY if MEMORY.is_dir() else None))
        self.service = ToldService(scenario, self.loop)
        self.model = Model(self.service)
        self.seen = self.service.seen
        self.fuse = self.died = ""
        self.moments: list[float] = []
        self._over: set[Resource] = set()
        self.graves: list[tuple[Resource, Any, dict[str, Any]]] = []
        self._to_adopt: dict[Resource, tuple[dict[Key, Any], bool]] = {}
        self._compared = -1
        self._spies = ExitStack()
        self._spies.enter_context(spied(self))
        self.seat = Seat(self.loop, self.service, self.folder / "desk")
        self._kept: tuple[Path, Model] | None = None

    @property
    def desk(self) -> Any:
        """The program."""
        return self.seat.desk

    @property
    def places(self) -> Places:
        """Where its files are: a kill leaves them in another folder."""
        return Places(self.desk.data)

    @property
    def wall(self) -> float:
        """What this computer's clock says."""
        return self.desk.clock.now().wall

    def committed(self, name: str) -> None:
        """A transaction of this file is on the disk."""
        if self.fuse == name:
            self.fuse, self.died = "", name
            self.seen[f"killed after a commit of {name}"] += 1
            self.desk.die()
            if name == "history.db":
                self.model.stale = set(Resource)

    # ------------------------------------------------------------ ends and beginnings

    def kill(self) -> None:
        """End as a kill -9 does."""
        self.fuse = ""
        if self.desk.alive:
            self.desk.kill()

    def start(self) -> None:
        """Begin on what is on disk, with all keys."""
        self.died = ""
        self.desk.start()
        self.seen["start"] += 1
        if self.service.further:
            self.desk.submit(UseKey("", self.service.further))
        self.loop.run_for(START_S)

    def read_all(self) -> None:
        """Refresh every list, and wait until each is read or failed, or the program is dead."""
        told = len(self.desk.events)
        self.desk.submit(Refresh(tuple(Resource)))
        self.loop.run_until(lambda: not self.desk.alive or self._is_read(told), "all is read", READ_S)
        self.loop.run_for(START_S)

    def _is_read(self, told: int) -> bool:
        began: set[Resource] = set()
        for event in self.desk.events[told:]:
            if isinstance(event, LoadMoved):
                began.add(event.resource)
            elif isinstance(event, LoadEnded | LoadFailed):
                began.discard(event.resource)
                self._over.add(event.resource)
        lists = {one for one in self.service.kept if self.seat.contract.offers(one, Verb.LIST)}
        over, self._over = self._over, set()
        return lists <= over and not began

    def end(self) -> None:
        """Throw everything away."""
        try:
            self.kill()
        finally:
            self._spies.close()
            self.loop.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    # ------------------------------------------------------------ what must hold

    def check(self) -> None:
        """The history says what the model says. Raises Violation."""
        self.loop.settle()
        if not self.desk.alive:
            self.start()
        self._no_trouble()
        if len(self.model.changes) != self._compared:
            self._compared = len(self.model.changes)
            self.moments.append(self.wall)
            self.compare()

    def _no_trouble(self) -> None:
        for trouble in self.desk.of(Trouble):
            if isinstance(trouble.error, StorageError) and trouble.error.params.get("path", "").endswith("history.db"):
                raise Violation(f"the disk is whole, and yet: {trouble}")

    @contextmanager
    def reader(self) -> Generator[PastReader]:
        """What answers questions about the history."""
        reader = PastReader(self.places.history(NAME), self.service.url)
        try:
            yield reader
        finally:
            reader.close()

    def caught_up(self) -> None:
        """An older history may have been brought up to date from the mirror at once, or is when lists are next read."""
        to_adopt, self._to_adopt = self._to_adopt, {}
        if not to_adopt:
            return
        known = Counter(one.ref for one in self.model.changes)
        with self.reader() as reader:
            for resource, (rows, whole) in to_adopt.items() if self.model.listed else ():
                keys = {ref.key for ref in self.model.shown if ref.resource is resource} | rows.keys()
                said = {key: reader.changes_of(Ref(resource, key)) for key in keys}
                told = {k for k, all_ in said.items() if _count(all_, Ref(resource, k)) > known[Ref(resource, k)]}
                there = {key: record for key, record in rows.items() if key in told}
                self.model.caught_up(resource, there, None if not whole else frozenset(told - rows.keys()))

    def compare(self) -> list[SeenChange]:
        """Each record's changes are as the model has them; all of them, in the order in which they were told."""
        wanted: dict[Ref, list[Any]] = defaultdict(list)
        for one in self.model.changes:
            wanted[one.ref].append(one)
        said: dict[Ref, list[SeenChange]] = {}
        with self.reader() as reader:
            for ref in {*wanted, *self.model.shown}:
                said[ref] = [one for one in reversed(reader.changes_of(ref)) if one.ref == ref]
        for ref, changes in said.items():
            compare(wanted[ref], changes)
        left = {ref: iter(changes) for ref, changes in said.items()}
        return [next(left[one.ref]) for one in self.model.changes]

    def a_kind_hour(self) -> None:
        """All is read once more; then the states of all moments and what differs between them are compared."""
        self.service.fates.clear()
        self.service.broken, self.fuse = 0, ""
        self.check()
        for _ in range(3):
            self.read_all()
            self.check()
        self._compare_states(self.compare())
        self.seen["changes"] += len(self.model.changes)

    def _compare_states(self, changes: list[SeenChange]) -> None:
        times = sorted({*self.moments[-6:], *(one.seen_by for one in changes[-8:]), FAR_S})
        with self.reader() as reader:
            span = reader.span()
            if span.first is None or span.last is None:
                raise Violation(f"a whole reading, and no span: {span}")
            states: dict[float, dict[Ref, Fields]] = {}
            for time in times:
                states[time] = state_after(changes, self.model.shown, time)
                found = state_at(reader, time)
                told = {Ref(kind, key): dict(row) for kind, rows in found.items() for key, row in rows.items()}
                if told != states[time]:
                    said, wanted = (set(map(str, state.items())) for state in (told, states[time]))
                    raise Violation(f"at {time}: said {said - wanted}, was {wanted - said}")
            for then, now in pairwise(times):
                net = reader.changes_between(then, now)
                said = [(one.ref, one.what, one.field, one.before, one.after) for one in net]
                if set(said) != differences(states[then], states[now]) or len(said) != len({*said}):
                    raise Violation(f"{then} to {now}: {said}, {differences(states[then], states[now])}")
                self._all_of_it(net, changes, then, now)

    def _all_of_it(self, net: list[SeenChange], changes: list[SeenChange], then: float, now: float) -> None:
        """A field was changed by all who changed it, or brought or took its record, between the two moments, since the
        first of them and seen when the last was; a record came or went with the last that brought or took it."""
        first, end = (_place_after(changes, time) for time in (then, now))
        for one in net:
            of_it = [c for c in changes[first:end] if c.ref == one.ref and c.field in (one.field, "")]
            whos = {c.who for c in (of_it if one.what is What.CHANGED else of_it[-1:])}
            who = whos.pop() if len(whos) == 1 else Who.BOTH
            if not of_it or (who, of_it[-1].seen_by) != (one.who, one.seen_by):
                raise Violation(f"not all of it: {one}, {of_it}")
            if one.what is What.CHANGED and one.seen_after != min(c.seen_after for c in of_it):
                raise Violation(f"not since the first of it: {one}, {of_it}")

    def meets_a_pause(self) -> bool:
        """Nothing of pauses is judged here."""
        return False

    # ------------------------------------------------------------ files

    @property
    def has_older(self) -> bool:
        """Whether there is an older history to be brought back."""
        return self._kept is not None

    def keep_history(self) -> None:
        """Remember the history as it is now; the program is dead."""
        kept = copy(self.model)
        kept.shown, kept.changes = dict(self.model.shown), list(self.model.changes)
        kept.listed = set(self.model.listed)
        folder = self.folder / "kept"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for part in self.places.history(NAME).parent.glob("history.db*"):
            shutil.copy(part, folder / part.name)
        self._kept = (folder, kept)

    def bring_back_history(self) -> bool:
        """Put an older history beside the mirror, as a power cut does; the program is dead."""
        if self._kept is None:
            return False
        folder, kept = self._kept
        place = self.places.history(NAME).parent
        for part in place.glob("history.db*"):
            part.unlink()
        for part in folder.iterdir():
            shutil.copy(part, place / part.name)
        self._kept = None
        self.model.shown, self.model.listed, self.model.changes = kept.shown, kept.listed, kept.changes
        self._compared = -1
        self.model.stale = set(Resource)
        mirror = Mirror(self.places.mirror(NAME))
        try:
            self._to_adopt = {one: (dict(rows_of(mirror, one)), mirror.as_of(one) is not None) for one in Resource}
        finally:
            mirror.close()
        return True


def _place_after(changes: Sequence[SeenChange], time: float) -> int:
    """The place after the last change (in the order recorded) that was seen by then."""
    return max((place + 1 for place, one in enumerate(changes) if one.seen_by <= time), default=0)


def _count(changes: Sequence[SeenChange], ref: Ref) -> int:
    return sum(one.ref == ref for one in changes)
