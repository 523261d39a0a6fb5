"""A program without a window, started over and over to be killed: a desk on a session, told what to do by a line. Not a
test.

    python -m tests.support.killed_child

imports what the program needs, once, and is then told on stdin what to start: each start is a fork, so a process of
its own that takes no time to begin. Each line of stdin is a JSON object: an `Order` as its fields, answered by the id
of the process; or `{"reap": ID}`, answered by how that one ended (os.waitstatus_to_exitcode) when it has.

What a fail point is, is decided here and not in the program: `hold_fail_points` wraps the few places where something
is committed or leaves.
"""

from __future__ import annotations

import contextvars
import json
import os
import queue
import signal
import socket
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

from petstore_desktop.api.gate import back_off
from petstore_desktop.api.gate import retries as gate_retry
from petstore_desktop.api.http.transport import Exchange
from petstore_desktop.clock import Instant, SystemClock, unique
from petstore_desktop.data_folder import Places
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.changes import NewChange
from petstore_desktop.domain.commands import Apply, Choice, Decide, Decided, Refresh, Retry, Revert
from petstore_desktop.domain.quota import Link
from petstore_desktop.domain.records import Key, Ref, Resource
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.session.session import Session
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.sqlite.database import Database
from petstore_desktop.store.sqlite.typed_apsw import Connection
from petstore_desktop.sync import connection as shop_sync
from petstore_desktop.sync import loop as serving
from petstore_desktop.sync.send.sender import Sender
from petstore_desktop.sync.shared import record_backoff as holds
from petstore_desktop.sync.wire.events import (
    BatchesMoved,
    ChangesMoved,
    Event,
    LoadEnded,
    LoadFailed,
    MirrorRead,
    NotSaved,
    Trouble,
)
from tests.support.session import NAME

ALREADY_IMPORTED = (serving, shop_sync)
NAMED = (Resource.PETS, Resource.CATEGORIES)
IDLE: Any = object()
"""Stands among the events where the sender has nothing left to send."""
WRITES = (b"POST", b"PUT", b"PATCH", b"DELETE")

OFTEN = ("journal.append", "journal.begin_attempt", "journal.end_attempt", "mirror.put", "history.written")
COMMITS = (
    *OFTEN, "journal.settle", "journal.recover", "journal.decide", "mirror.begin_walk", "mirror.finish_walk",
    "mirror.confirm_walk", "mirror.remove", "gates.save", "gates._read_salt", "requests.__init__",
    "journal.keep_address", "mirror.belong_to", "requests.add", "history._open", "history._total",
)  # fmt: skip
"""Where something is committed, in the course of a start and of an edit: the database, and the function that does it.
OFTEN: several times in each life."""
FIRST_BYTE, LAST_BYTE, ANSWER = "before the first byte", "after the last byte", "at the first byte of the answer"
REPAIRS = ("before journal.take_over", "after journal.take_over")
"""What only a start comes to that finds the last commit of its journal's log damaged."""
SELDOM = tuple(
    f"{when} history.{name}" for when in ("before", "after") for name in ("_compare", "_begin", "_delete_below")
)
"""What only a history comes to that a kill between two commits has left apart from its mirror, or that is full."""
POINTS = (
    *(f"{when} {commit}" for commit in COMMITS for when in ("before", "after")), FIRST_BYTE, LAST_BYTE, ANSWER,
    *REPAIRS, *SELDOM,
)  # fmt: skip
"""Where the program can kill itself. Of requests only writes count."""


@dataclass(frozen=True, slots=True)
class Order:
    """One start: on these files, of this service, watched from a socket at `watch`. It kills itself when it comes to
    `point` for the `nth` time; never, for an empty one. `careless`: it is not the program, but what that must never be,
    one of CARELESS. `later_s`: by how much its clock is ahead.
    """

    data: str
    url: str
    key: str
    watch: str
    point: str = ""
    nth: int = 1
    careless: str = ""
    later_s: float = 0.0


# ---------------------------------------------------------------- fail points


class FailPoints:
    """Counts what is passed, and kills this process at the one that it is told."""

    def __init__(self) -> None:
        self.point, self.nth = "", 0
        self.passed: Counter[str] = Counter()

    def arm(self, point: str, nth: int) -> None:
        """Kill at the `nth` time that this point is passed from now on."""
        self.point, self.nth = point, nth
        self.passed.clear()

    def passing(self, point: str) -> None:
        """Something is here."""
        self.passed[point] += 1
        if point == self.point and self.passed[point] == self.nth:
            os.kill(os.getpid(), signal.SIGKILL)  # house: platform - whoever asks for it has looked for fork


def hold_fail_points() -> FailPoints:
    """Wrap what every commit and every request passes."""
    points = FailPoints()
    transaction, saw = Database.transaction, Exchange.saw
    writing = contextvars.ContextVar("writing", default=False)

    @contextmanager
    def watched_transaction(database: Database) -> Generator[Connection]:
        caller = sys._getframe(2).f_code.co_name  # 1 is contextlib's
        commit = f"{database.path.stem}.{caller}"
        with transaction(database) as connection:
            yield connection
            points.passing(f"before {commit}")
        points.passing(f"after {commit}")

    async def watched_saw(exchange: Exchange, event: str, info: Any) -> None:
        await saw(exchange, event, info)
        if event.endswith("send_request_headers.started"):
            writing.set(info["request"].method in WRITES)
        if writing.get():
            at = {"send_request_headers.started": FIRST_BYTE, "send_request_body.complete": LAST_BYTE,
                  "receive_response_headers.complete": ANSWER}.get(event.partition(".")[2])  # fmt: skip
            if at is not None:
                points.passing(at)

    Database.transaction = watched_transaction
    Exchange.saw = watched_saw
    return points


def hurry() -> None:
    """How long it waits after a failure is not what is looked at here."""
    gate_retry.TOKEN_S = 0.1
    back_off.FAILURE_MOST = back_off.FAILURE_FIRST = holds.FIRST_S = holds.LONGEST_S = 0.02


def send_again() -> None:
    """What the journal must never do: queue at the start what was on the wire."""

    def recover(journal: Journal, at: float) -> None:
        with journal.transaction() as connection:
            connection.execute("UPDATE attempt SET outcome = 'queued', ended_at = ? WHERE outcome IS NULL", (at,))

    Journal.recover = recover


SENDS_AGAIN = "sends again"
CARELESS = {SENDS_AGAIN: send_again}


# ---------------------------------------------------------------- the program


class _Later:
    """The computer's clocks so many seconds on, as if that time had gone by between two lives."""

    def __init__(self, ahead: float) -> None:
        self._ahead, self._clock = ahead, SystemClock()

    def now(self) -> Instant:
        """The moment in this life."""
        now = self._clock.now()
        return Instant(now.steady + self._ahead, now.wall + self._ahead, now.boot_id)


class Life:
    """A desk on a session, from its start to its end. What it says goes to the socket, a JSON object a line:
    `ready` (the lists are there), `made` (a batch, and which of its acts changed anything, before it is submitted),
    `moved` (changes as the journal has them: the first time means saved), `read` (a list, well or not), `idle` (nothing
    is left to send), `trouble`.
    """

    def __init__(self, order: Order, points: FailPoints) -> None:
        self._points = points
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(order.watch)
        self._said = self._socket.makefile("r", encoding="utf-8")
        clock = _Later(order.later_s)
        service = (order.url, order.key)
        self._session = Session(
            Places(Path(order.data)), ShopConnection("Shop", NAME, order.url), clock, lambda: service
        )
        self._desk = Desk(NAME, clock, zone=UTC)
        self._box: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._lists: set[Resource] = set()
        self._ready = False
        self._say(shown=self._first_screen())

    def run(self) -> None:
        """Work until the socket closes."""
        self._session.events.on_wake = lambda: self._box.put("events")
        self._tell_when_idle()
        threading.Thread(target=self._listen, daemon=True).start()
        self._session.start()
        while (said := self._box.get()) is not None:
            self._take_events()
            self._obey(said)
        self._session.close()

    def _obey(self, said: Any) -> None:
        """Do what a person does."""
        if "refresh" in said:
            self._session.submit(Refresh(tuple(Resource)))
        elif "undo" in said:
            for batch in said["undo"]:
                self._session.submit(Revert(batch))
        elif "again" in said:
            self._session.submit(Retry(tuple(said["again"])))
            if done := said.get("done"):
                self._session.submit(Decide(unique(), (Decided(tuple(done), Choice.DONE),)))
        elif "batch" in said:
            self._act(said["batch"], said["acts"])

    def _listen(self) -> None:
        for line in self._said:
            self._box.put(json.loads(line))
        self._box.put(None)

    def _tell_when_idle(self) -> None:
        """The sender waits for news alone, and something answers: nothing is left that can be sent. Told among the
        events: what is saved later is told later."""
        pause, events = Sender._pause, self._session.events

        async def watched_pause(sender: Sender, seconds: float | None) -> None:
            if seconds is None and sender._reading is None and sender._context.link.link is not Link.OFFLINE:
                events.put(IDLE)
            await pause(sender, seconds)

        Sender._pause = watched_pause

    def _say(self, **said: Any) -> None:
        self._socket.sendall(json.dumps(said).encode() + b"\n")

    # -- what it tells

    def _take_events(self) -> None:
        for event in self._session.events.drain(1.0):
            if event is IDLE:
                self._say(idle=True, passed=self._points.passed)
                continue
            apply_event(self._desk, event)
            self._take_list(event)
            match event:
                case ChangesMoved(changes=changes):
                    self._say(moved=[[change.id, change.batch, change.state] for change in changes])
                case BatchesMoved(batches=batches):
                    self._say(batches=[facts.batch.id for facts in batches])
                case NotSaved(batch=batch):
                    self._say(trouble=f"{batch} is not saved: {event.error!r}")
                case Trouble():
                    self._say(trouble=repr(event.error))
                case _:
                    pass

    def _take_list(self, event: Event) -> None:
        if isinstance(event, LoadEnded | LoadFailed):
            self._say(read=event.resource)
        if isinstance(event, LoadEnded) or (isinstance(event, MirrorRead) and event.as_of is not None):
            self._lists.add(event.resource)
            self._say(shown=self._names())
            if not self._ready and self._lists == set(Resource):
                self._ready = True
                self._say(ready=True)

    def _first_screen(self) -> list[str]:
        """What a window would show before anything is asked."""
        screens = {resource: self._session.first_screen(resource, (), 100).rows for resource in NAMED}
        return [row.record.name for one, rows in screens.items() for row in rows.get(one, ())]

    def _names(self) -> list[str]:
        stores = self._desk.shop.stores
        return [self._desk.shop.text_of(one, slot, "name") for one in NAMED for slot in stores[one].slots()]

    # -- what a person does

    def _act(self, batch: str, acts: list[dict[str, Any]]) -> None:
        made = [self._made(act) for act in acts]
        self._say(made=batch, changed=[len(changes) for changes in made])
        changes = tuple(change for one in made for change in one)
        if changes:
            self._session.submit(Apply(batch, changes))

    def _made(self, act: dict[str, Any]) -> tuple[NewChange, ...]:
        """What the window makes of it; nothing, where the record is not there."""
        resource = Resource(act["resource"])
        if act["verb"] == "create":
            fields = dict(act["fields"])
            if "category" in act:
                fields["category_id"] = self._key(Resource.CATEGORIES, act["category"])
            made = self._desk.acts.create(resource, fields)
            return (made,) if isinstance(made, NewChange) else ()
        key = self._key(Resource.PETS if resource is Resource.INVENTORY else resource, act["key"])
        return () if key is None else self._changed(Ref(resource, key), act)

    def _changed(self, ref: Ref, act: dict[str, Any]) -> tuple[NewChange, ...]:
        acts = self._desk.acts
        if act["verb"] == "delete":
            return acts.delete((ref,)).changes
        if act["verb"] == "book":
            made = acts.stock(ref.key, act["text"])
            return (made,) if isinstance(made, NewChange) else ()
        changes = acts.set_fields((ref,), {"name": act["name"]})
        return changes if isinstance(changes, tuple) else ()

    def _key(self, resource: Resource, key: int | str) -> Key | None:
        """The row with this id, or whose name begins with this."""
        store = self._desk.shop.stores[resource]
        if isinstance(key, int):
            return key if key in store else None
        shown = ((store.keys[slot], self._desk.shop.text_of(resource, slot, "name")) for slot in store.slots())
        return next((found for found, name in shown if name.startswith(key)), None)


# ---------------------------------------------------------------- starting it


def serve() -> None:
    """Start what is ordered, until stdin ends."""
    points = hold_fail_points()
    hurry()
    for line in sys.stdin:
        said = json.loads(line)
        if "reap" in said:
            answer = os.waitstatus_to_exitcode(os.waitpid(said["reap"], 0)[1])
        else:
            answer = os.fork()  # house: platform - whoever asks for it has looked for it
            if answer == 0:
                _live(Order(**said), points)
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


def _live(order: Order, points: FailPoints) -> None:
    """Never returns; what it could not do stands on stderr."""
    code = 1
    try:
        if order.careless:
            CARELESS[order.careless]()
        points.arm(order.point, order.nth)
        Life(order, points).run()
        code = 0
    except Exception:  # noqa: BLE001 -- the process ends here, and says why
        traceback.print_exc()
    finally:
        os._exit(code)


if __name__ == "__main__":
    serve()
