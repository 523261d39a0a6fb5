"""The real program below its window, in virtual time: a Session's sync, its files in a folder, its gate.

desk = VirtualDesk(loop, shop, tmp_path)
desk.wait_idle()
ids = desk.apply(NewChange(ref, AddStock(12), {"quantity": 3}))
desk.wait_for(ids, ChangeState.DONE)
desk.kill(); loop.run_for(60); desk.start()
"""

from __future__ import annotations

import contextvars
import os
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import httpx

from petstore_desktop.clock import Random, unique
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.changes import ChangeState, NewChange
from petstore_desktop.domain.commands import Apply, Command, Revert, UseKey
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import Resource
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.session.session import Session
from petstore_desktop.sync.loop import work
from petstore_desktop.sync.runner import WIRE_GRACE_S
from petstore_desktop.sync.wire.event_queue import CommandQueue, EventQueue
from petstore_desktop.sync.wire.events import ChangesMoved, Event, LoadEnded, LoadFailed, LoadMoved, NotSaved, Trouble
from tests.support.manual_clock import ManualClock
from tests.support.told import Told
from tests.support.virtual_time import OWNER, VirtualTime

NAME = "shop"


class Network(httpx.AsyncBaseTransport):
    """What carries requests; once `cut`, no connection is made any more."""

    cut: bool


class Service(Protocol):
    """What a desk talks to: a VirtualShop, or whatever stands in for it."""

    url: str
    key: str

    def line(self) -> Network: ...


BUSY = (ChangeState.QUEUED, ChangeState.SENDING)


class _Session(Session):
    """Without this computer's keyring."""

    def _keep_key(self, entered: UseKey) -> None:
        pass


class VirtualDesk(Told):
    """A started session. `network`: what it sends over; `clock`: this computer's, moved by the loop.

    `key` stands in for the keyring's; `chance`: where jitter comes from.
    """

    def __init__(
        self,
        loop: VirtualTime,
        shop: Service,
        data: Path,
        *,
        clock: ManualClock | None = None,
        chance: Random | None = None,
        start: bool = True,
        **connection: Any,
    ) -> None:
        super().__init__()
        self.loop, self.data, self.key = loop, data, shop.key
        self.clock = clock or loop.new_clock()
        self._busy: set[int] = set()
        self.shop = shop
        self._chance = chance or random.Random(1)
        self._connection = ShopConnection("Shop", NAME, shop.url, **connection)
        self._lives = 0
        if start:
            self.start()

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return bool(self.loop.owned(self._life))

    def start(self) -> None:
        """Begin, on what is in the folder."""
        self.network = self.shop.line()
        self.places = Places(self.data)
        service = (self.shop.url, self.key)
        self.session = _Session(
            self.places, self._connection, self.clock, lambda: service, network=self.network, random=self._chance
        )
        self._life = object()
        self._events = EventQueue()
        self._events.on_wake = lambda: self.loop.call_soon_threadsafe(self._drain)
        self._commands = CommandQueue()
        self._lists: dict[Resource, bool] = {}
        main = work(self.session.build, self._events, self._commands, self._trouble, WIRE_GRACE_S)
        self._context = contextvars.Context()
        self._context.run(OWNER.set, self._life)
        self._main = self.loop.create_task(main, context=self._context)
        self._main.add_done_callback(self._over)

    def kill(self) -> None:
        """End as a kill -9 does: what is on disk at this moment is all that is left."""
        self.loop.settle()
        self.die()
        self.loop.settle()
        assert not self.alive, self.loop.owned(self._life)

    def die(self) -> None:
        """The same from within the loop; the tasks are gone when the loop has had its turn."""
        self._lives += 1
        left = self.data.with_name(f"{self.data.name}~{self._lives}")
        _copy_held(self.data, left)
        self.data = left
        self.network.cut = True
        self._events.close()
        for task in tuple(self.loop.owned(self._life)):
            task.cancel()

    def close(self) -> None:
        """End in order."""
        self._commands.stop()
        self.loop.run_until(self._main.done, "the desk is closed", 60.0)

    # -- what a person does

    def submit(self, command: Command) -> None:
        self._context.copy().run(self._commands.put, command)  # what it begins is of this life, and ends with it

    def apply(self, *changes: NewChange) -> tuple[int, ...]:
        """Submit a batch, and return the ids of its changes once they are saved."""
        batch = unique()
        self.submit(Apply(batch, changes))
        self.wait(lambda: len(self.batches.get(batch, ())) == len(changes) or self.of(NotSaved), "a batch is saved")
        assert batch in self.batches, self.of(NotSaved)
        return tuple(self.batches[batch])

    # -- waiting

    def wait(self, condition: Callable[[], object], what: str, seconds: float = 600.0) -> None:
        """Let virtual time pass until the condition holds."""
        self.loop.run_until(condition, what, seconds)

    def wait_for(self, ids: tuple[int, ...], state: ChangeState, seconds: float = 600.0) -> None:
        """Wait until each of these changes has come to this state."""
        left = list(ids)

        def all_have() -> bool:
            while left and self.are((left[-1],), state):
                left.pop()
            return not left

        self.wait(all_have, f"{len(ids)} changes are {state}", seconds)

    def wait_idle(self, seconds: float = 600.0) -> None:
        """Wait until every list was read or failed, and no change can be sent any more."""
        self.wait(lambda: self.idle, "all is done", seconds)

    @property
    def idle(self) -> bool:
        """Whether no list is being read and no change waits to be sent or is on its way."""
        return bool(self._lists) and not any(self._lists.values()) and not self._busy

    # -- inside

    def _drain(self) -> None:
        for event in self._events.drain(60.0):
            self.note(event)

    def note(self, event: Event) -> None:
        super().note(event)
        if isinstance(event, LoadMoved):
            self._lists[event.resource] = True
        elif isinstance(event, LoadEnded | LoadFailed):
            self._lists[event.resource] = False
        elif isinstance(event, ChangesMoved):
            self._busy -= {change.id for change in event.changes}
            self._busy |= {change.id for change in event.changes if change.state in BUSY}

    def _trouble(self, error: BaseException) -> None:
        self.note(Trouble(NAME, error))
        if not isinstance(error, ShopError):
            self.loop.fail(error)

    def _over(self, main: Any) -> None:
        if not main.cancelled() and main.exception() is not None:
            self.loop.fail(main.exception())


def _copy_held(folder: Path, left: Path) -> None:
    """Copy a folder whose files this process has open and locked."""
    if os.name == "posix":
        # By another process: SQLite's locks of this one end with the first time that it closes a file.
        subprocess.run(["cp", "-r", str(folder), str(left)], check=True)
    else:  # the locks are of a file's handle, and what they cover cannot be read: nothing that a start would need
        shutil.copytree(folder, left, ignore=shutil.ignore_patterns("*.lock", "*-shm"))


def a_desk(loop: VirtualTime, shop: Service, folder: Path) -> VirtualDesk:
    """A desk that has read all lists."""
    desk = VirtualDesk(loop, shop, folder)
    desk.wait_idle()
    return desk


def undo(desk: VirtualDesk, id_: int) -> int:
    """Undo that change; the id of its opposite, once that has come to an end."""
    known = set(desk.changes)
    desk.submit(Revert(desk.changes[id_].batch))
    desk.wait(lambda: desk.changes.keys() - known, "it is saved")
    (opposite,) = desk.changes.keys() - known
    over = (ChangeState.DONE, ChangeState.CONFLICT, ChangeState.REFUSED)
    desk.wait(lambda: desk.changes[opposite].state in over, "it has come to an end")
    return opposite
