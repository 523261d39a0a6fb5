"""Carries out an order of a command: here, with a session of its own, or in the program that runs on the same data
folder. What was saved there and not sent when that program ended is sent from here."""

from __future__ import annotations

import signal
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from petstore_desktop import log
from petstore_desktop.clock import SystemClock
from petstore_desktop.commands.sentences import note, note_trouble, waiting
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.desk.scripts.order import WorkOrder, WorkProgress, read_progress
from petstore_desktop.desk.scripts.work import Work
from petstore_desktop.domain.commands import Watch
from petstore_desktop.domain.errors import MADE_OTHERWISE, AlreadyRunning, BadInput, ShopError, StorageError
from petstore_desktop.domain.quota import Cause, GateView, Window
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.domain.sheets import SheetOptions
from petstore_desktop.exchange.reading import read_sheet
from petstore_desktop.instance import Instance, Message, ask
from petstore_desktop.session.session import Session
from petstore_desktop.store.journal.batches import Batches
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.sync.wire.events import KeyWanted, Trouble

if TYPE_CHECKING:
    from petstore_desktop.data_folder import Places
    from petstore_desktop.preferences import ShopConnection

_NOTICED_S: Final = 2.0
"""A shorter wait is not worth a line."""
_OFFLINE_S: Final = 10.0
"""How long the service may be out of reach before the command gives up."""
_ASKED_S: Final = 10.0
"""How long the running program has for an answer."""
_START_S: Final = 10.0
"""How long a program that has just been started has until it listens."""
_EVERY_S: Final = 0.2
"""So often it is asked how far it has come."""
_SILENT_S: Final = 15.0
"""How long nothing is said while changes are sent."""
_TURN_S: Final = 0.05


class Unfinished(Exception):
    """The command ends before its work does. `why` says so, `progress` how far it had come."""

    def __init__(self, progress: WorkProgress, why: str) -> None:
        super().__init__(why)
        self.progress, self.why = progress, why


def carry_out(places: Places, connection: ShopConnection, order: WorkOrder) -> WorkProgress:
    """Do it, and wait for its end. Raises ShopError where nothing could be begun, and Unfinished."""
    heard = time.monotonic()
    compared = WorkProgress()
    while True:
        try:
            instance = Instance(places.data)
        except AlreadyRunning:
            there = _There(places.data, order)
            if there.follow():
                return there.progress
            heard = time.monotonic() if there.begun else heard
            compared = there.progress if there.progress.rows else compared
            if time.monotonic() - heard > _START_S:
                raise
            time.sleep(_EVERY_S)
            continue
        log.start(places.log.parent)
        try:
            progress = _here(places, connection, order)
        finally:
            log.stop()
            instance.release()
        if compared.rows:  # before anything of it was saved
            progress.rows, progress.wrong = compared.rows, compared.wrong
        return progress


# -- in this program


def _here(places: Places, connection: ShopConnection, order: WorkOrder) -> WorkProgress:
    clock = SystemClock()
    session = _session(places, connection, order, clock)
    desk = Desk(session.name, clock)
    from petstore_desktop.ui.text.localize import localize

    localize(desk)
    desk.shop.read_only = connection.read_only
    if session.contract is not None:
        desk.set_contract(session.contract)
    session.submit(Watch((), present=False, aside=True))
    work = Work(order, desk, session.submit)
    watch = _Watch(work.progress, save=order.save)
    ended = Event()  # Python may drop an exception that comes in the middle of a callback, and with it the Ctrl+C
    former = signal.signal(signal.SIGINT, lambda _number, _frame: ended.set())
    session.start()
    try:
        _run(session, desk, work, watch, ended)
    finally:
        session.close()
        signal.signal(signal.SIGINT, former)
        if work.progress.state in ("saving", "sending"):
            _count_left(places.journal(order.connection), work.progress)
    return work.progress


def _session(places: Places, connection: ShopConnection, order: WorkOrder, clock: SystemClock) -> Session:
    """A session that sends nothing and asks nothing, where it is only to be said what would be done."""
    if order.save:
        session = Session(places, connection, clock)
    else:
        session = Session(places, replace(connection, read_only=True), clock)
        if session.contract is not None:
            session.contract = replace(session.contract, read_at=clock.now().wall)
    session.started_for = True
    return session


def _run(session: Session, desk: Desk, work: Work, watch: _Watch, ended: Event) -> None:
    while not work.progress.over:
        if ended.is_set():
            raise Unfinished(work.progress, "interrupted")
        busy = work.step()
        if work.wants_file and work.sheet is None:
            _read(work)
            continue
        if not busy:
            session.events.wait(_TURN_S)
        for event in session.events.drain(_TURN_S):
            if isinstance(event, Trouble):
                _hear_trouble(event)
                work.progress.otherwise += getattr(event.error, "code", "") == MADE_OTHERWISE
            elif isinstance(event, KeyWanted) and work.order.save:
                watch.key_error = event.error or BadInput(
                    "no-key", name=session.connection.name, url=session.connection.url
                )
            apply_event(desk, event)
        watch.look()


def _count_left(path: Path, progress: WorkProgress) -> None:
    """What became of the batch, as the journal has it at the end; the request on the wire may have been answered."""
    counts: Counter[str] = Counter()
    with suppress(StorageError), closing(Journal(path)) as journal:
        for tally in Batches(journal).tallies(progress.batch):
            counts[tally.state.value] += tally.count
    progress.counts, progress.total = dict(counts), counts.total()


def _read(work: Work) -> None:
    try:
        work.sheet = read_sheet(Path(work.order.file), SheetOptions(work.order.encoding), lambda _: None)
    except ShopError as error:
        work.fail(error)


def _hear_trouble(event: Trouble) -> None:
    if event.fatal or not isinstance(event.error, ShopError):
        raise event.error
    if not event.aside:
        note_trouble(event.error)


class _Watch:
    """Says why nothing is sent, and ends the waiting where that would have no end. Raises Unfinished."""

    def __init__(self, progress: WorkProgress, *, save: bool) -> None:
        self.progress = progress
        self.key_error: ShopError | None = None
        self._save = save
        self._told = 0.0
        self._paused = False
        self._said_at = time.monotonic()

    def look(self) -> None:
        """How it stands now."""
        progress, now = self.progress, time.time()
        if progress.over or progress.state != "sending":
            return
        if self.key_error is not None or progress.cause in (Cause.LOCKED, Cause.NO_KEY):
            raise Unfinished(progress, "key") from self.key_error
        if progress.cause == Cause.OFFLINE and progress.since is not None and now - progress.since > _OFFLINE_S:
            raise Unfinished(progress, "offline")
        if progress.paused and not self._paused:
            note("the rest is paused in the program's window; it waits until it is resumed there")
        self._paused = progress.paused
        until = progress.until
        if progress.cause and until is not None and until - now >= _NOTICED_S and abs(until - self._told) >= 1.0:
            self._told = until
            note(waiting(SendBlock(Cause(progress.cause), GateView(), until, Window(), None), now))
            self._said_at = time.monotonic()
        elif not progress.cause and time.monotonic() - self._said_at > _SILENT_S:
            self._said_at = time.monotonic()
            sent = progress.counts.get("done", 0)
            note(f"{sent} of {progress.total} changes sent")


# -- in the running program


class _There:
    """An order in the hands of the running program."""

    def __init__(self, data: Path, order: WorkOrder) -> None:
        self._data, self._order = data, order
        self.begun = False
        self.progress = WorkProgress()
        self._watch = _Watch(self.progress, save=order.save)

    def follow(self) -> bool:
        """Let it do it; False where it does not answer, or ended before its work did. Raises Unfinished."""
        try:
            going = self._hear(ask(self._data, {"do": "begin", "order": dict(self._order.to_json())}, _ASKED_S))
            while going and not self.progress.over:
                if not self.begun:
                    self.begun = True
                    note("the running program does it")
                self._watch.look()
                time.sleep(_EVERY_S)
                going = self._hear(ask(self._data, {"do": "follow", "batch": self._order.batch}, _ASKED_S))
        except KeyboardInterrupt:
            raise Unfinished(self.progress, "handed-over") from None
        if self.begun and not going:
            note("the running program has ended; the work goes on here")
        return going

    def _hear(self, answer: Message | None) -> bool:
        """Whether it is at it, or was."""
        if answer is None or answer.get("unknown"):
            return False
        self.progress = self._watch.progress = read_progress(answer)
        return True
