"""`petstore-desktop sync NAME`: read everything once, without a window. What waits in the outbox goes out
meanwhile."""

from __future__ import annotations

import json
import time

from msgspec import Struct, field
from msgspec.structs import asdict

from petstore_desktop import credentials, log
from petstore_desktop.clock import SystemClock
from petstore_desktop.commands.sentences import find_connection, note, note_trouble, sentence, shows_less, waiting
from petstore_desktop.data_folder import Places
from petstore_desktop.desk.load_state import LoadState, kept_load
from petstore_desktop.desk.values.text import visible
from petstore_desktop.domain.changes import Change, ChangeState
from petstore_desktop.domain.commands import Refresh
from petstore_desktop.domain.errors import BadInput, KeyRejected, KeyringError, ShopError
from petstore_desktop.domain.quota import GatePhase, GateView, Quota
from petstore_desktop.domain.records import Key, Resource
from petstore_desktop.domain.send_block import send_block_of
from petstore_desktop.instance import Instance
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.session.session import Session
from petstore_desktop.sync.wire.events import (
    ChangesMoved,
    Event,
    GateMoved,
    KeyWanted,
    LoadEnded,
    LoadFailed,
    MirrorRead,
    QuotaMoved,
    RowsChanged,
    RowsRead,
    Trouble,
)

_WARNINGS = ("network-folder",)
"""Codes of troubles that do not make the pull a failure."""
_NOTICED_S = 2.0
"""A shorter wait is not worth a line."""
_SAME_S = 1.0
"""Seconds by which the end of a wait may move before it is said anew."""


_NONE_USABLE = "no record can be used; the program needs an id in each, and the fields as the specification names them"
_NO_LIST = (
    "the service's document offers no list of pets, categories, orders or stock. If it has them, choose them in the "
    "window: File > Operations"
)


class SyncCounts(Struct):
    """What one list came to."""

    rows: int = 0
    new: int = 0
    changed: int = 0
    gone: int = 0


class Pull(Struct):
    """Listens to the events of one pull until each list has come to an end. `failed`: the lists that could not be
    read, and why."""

    counts: dict[Resource, SyncCounts] = field(
        default_factory=lambda: {resource: SyncCounts() for resource in Resource}
    )
    failed: dict[Resource, ShopError] = field(default_factory=dict[Resource, ShopError])
    quota: Quota = field(default_factory=Quota)
    gate: GateView = field(default_factory=GateView)
    waited_s: float = 0.0
    troubles: list[ShopError] = field(default_factory=list[ShopError])
    _open: dict[int, Change] = field(default_factory=dict[int, Change])
    """The changes that are not over, by id."""
    _keys: dict[Resource, set[Key]] = field(default_factory=lambda: {resource: set[Key]() for resource in Resource})
    _kept: set[Resource] = field(default_factory=set[Resource])
    loads: dict[Resource, LoadState] = field(default_factory=lambda: {resource: LoadState() for resource in Resource})
    """What of each list is here, by its last reading to its end."""
    _ended: set[Resource] = field(default_factory=set[Resource])
    _paused_since: float | None = None

    @property
    def over(self) -> bool:
        """Whether every list has ended or failed."""
        return len(self._ended | self.failed.keys()) == len(Resource)

    def none_usable(self, resource: Resource) -> bool:
        """Whether all that the list holds had to be set aside."""
        return self.loads[resource].gaps.set_aside > 0 and self.counts[resource].rows == 0

    @property
    def unsent(self) -> int:
        """How many changes still wait, for the service or for a person."""
        return len(self._open)

    @property
    def stuck(self) -> int:
        """How many of them wait for a person."""
        return sum(change.needs_person for change in self._open.values())

    @property
    def unsure(self) -> int:
        """How many were sent, and a look is still to tell whether they arrived."""
        states = (change.state for change in self._open.values() if not change.needs_person)
        return sum(state in (ChangeState.SENDING, ChangeState.UNCERTAIN) for state in states)

    def handle_event(self, event: Event) -> None:
        """One event. Raises the error of an event that ends the pull."""
        match event:
            case RowsChanged():
                self._rows(event)
            case RowsRead(block=block):
                self._keys[block.resource].update(block.keys)
                self.counts[block.resource].rows = len(self._keys[block.resource])
            case MirrorRead(resource=resource):
                self._kept.add(resource)
                self.loads[resource] = kept_load(event.as_of, event.gaps)
            case LoadEnded(resource=resource):
                self._ended.add(resource)
                self.loads[resource] = LoadState("ready", as_of=event.as_of, gaps=event.gaps)
                self.failed.pop(resource, None)
            case LoadFailed(resource=resource, error=error):
                self.failed[resource] = error
            case KeyWanted(error=error):
                raise error or BadInput("no-key")
            case QuotaMoved(quota=quota):
                self.quota = quota
            case _:
                self._other(event)

    def _other(self, event: Event) -> None:
        if isinstance(event, GateMoved):
            self.gate, now = event.gate, time.monotonic()
            if self._paused_since is not None:
                self.waited_s += now - self._paused_since
            open_ = event.gate.phase in (GatePhase.OPEN, GatePhase.PROBING)
            self._paused_since = None if open_ else now
        elif isinstance(event, ChangesMoved):
            if event.rows is not None:
                self._rows(event.rows)
            for change in event.changes:
                self._open[change.id] = change
                if not change.state.is_open:
                    del self._open[change.id]
        elif isinstance(event, Trouble):
            self._trouble(event)

    def _trouble(self, event: Trouble) -> None:
        if isinstance(event.error, ShopError) and not event.fatal:
            self.troubles.append(event.error)
        elif not event.aside:  # else the changes that it concerns say it
            raise event.error

    def _rows(self, event: RowsChanged) -> None:
        counts, keys = self.counts[event.resource], self._keys[event.resource]
        if event.resource in self._kept:
            counts.new += sum(row.key not in keys for row in event.rows)
            counts.changed += sum(row.key in keys for row in event.rows)
            counts.gone += sum(key in keys for key in event.removed)
        keys.update(row.key for row in event.rows)
        keys.difference_update(event.removed)
        counts.rows = len(keys)


def _tell_of_wait(pull: Pull, now: float, told: float) -> float:
    """Report on stderr a wait that is worth a line, once. `now` and `told`, the end of the wait that was reported last,
    are UTC epoch seconds, and so is the end of this one, which is returned."""
    blocked = send_block_of(pull.gate, pull.quota, 0)
    if (
        blocked is None
        or blocked.until is None
        or blocked.until - now < _NOTICED_S
        or abs(told - blocked.until) < _SAME_S
    ):
        return told
    note(waiting(blocked, now))
    return blocked.until


def sync(data_dir: str | None, name: str, as_json: bool) -> int:
    """Do it; the exit code. Raises ShopError."""
    places, connection = find_connection(data_dir, name)
    instance = Instance(places.data)
    log.start(places.log.parent)
    try:
        pull, requests = _pull(places, connection)
    finally:
        log.stop()
        instance.release()
    for error in (*pull.failed.values(), *pull.troubles):
        _tell_of_key(error, connection)
    say_pull(connection, pull, requests, as_json)
    for trouble in pull.troubles:
        note_trouble(trouble)
    unread = _unread(pull)
    for why, resources in unread.items():
        note(f"{', '.join(resources)}: {why}")
    return 1 if unread or any(trouble.code not in _WARNINGS for trouble in pull.troubles) else 0


def _unread(pull: Pull) -> dict[str, list[str]]:
    """Why lists could not be read, and which."""
    found: dict[str, list[str]] = {}
    for resource in Resource:
        error = pull.failed.get(resource)
        if error is not None and error.code != "not-offered":
            found.setdefault(sentence(error, named=False), []).append(resource.value)
        elif pull.none_usable(resource):
            found.setdefault(_NONE_USABLE, []).append(resource.value)
    if len(pull.failed) == len(Resource) and not found:
        found[_NO_LIST] = ["nothing was read"]
    return found


def _pull(places: Places, connection: ShopConnection) -> tuple[Pull, int]:
    clock = SystemClock()
    session = Session(places, connection, clock)
    session.started_for = True
    pull, told = Pull(), 0.0
    session.submit(Refresh(tuple(Resource)))
    session.start()
    try:
        while not pull.over:
            session.events.wait(1.0)
            for event in session.events.drain(1.0):
                pull.handle_event(event)
            told = _tell_of_wait(pull, clock.now().wall, told)
    except BadInput as error:
        raise BadInput(error.code, name=connection.name, url=connection.url) from error
    except ShopError as error:
        _tell_of_key(error, connection)
        raise
    finally:
        session.close()
    return pull, session.requests


def _tell_of_key(error: ShopError, connection: ShopConnection) -> None:
    """Of a key that was rejected or could not be read, where it came from; for the sentence."""
    if isinstance(error, KeyRejected):
        error.params["variable"] = credentials.stood_in()
    elif isinstance(error, KeyringError):
        error.params |= {"name": connection.name, "reading": True}


def _not_read(error: ShopError, rows: int, *, before: bool) -> str:
    """`before`: whether the list had been read to its end before this."""
    if error.code == "not-offered":
        return f"not offered by this service; {rows} are kept here" if rows else "not offered by this service"
    if not rows:
        return "not read"
    return f"not read; {rows} are kept here from before" if before else f"not read to its end; {rows} are here so far"


def say_pull(connection: ShopConnection, pull: Pull, requests: int, as_json: bool) -> None:
    quota = {
        name: {"limit": window.limit, "remaining": window.remaining, "resets_at": window.resets_at}
        for name, window in (("minute", pull.quota.minute), ("day", pull.quota.day))
    }
    if as_json:
        resources = {resource.value: asdict(counts) for resource, counts in pull.counts.items()}
        for resource in Resource:
            gaps = pull.loads[resource].gaps
            resources[resource.value] |= {
                "set_aside": gaps.set_aside,
                "cut_at": gaps.cut_at,
                "missing": gaps.missing,
                "whole": pull.loads[resource].is_whole,
            }
        for resource in pull.failed:  # of a list that was never read there is no number
            resources[resource.value]["rows"] = pull.counts[resource].rows or None
        said = {
            "connection": connection.name,
            "resources": resources,
            "requests": requests,
            "quota": quota,
            "waited_s": round(pull.waited_s, 1),
            "unsent": pull.unsent,
        }
        print(json.dumps(said))
        return
    for resource, counts in pull.counts.items():
        if resource in pull.failed:
            before = pull.loads[resource].as_of is not None
            print(f"{resource}: {_not_read(pull.failed[resource], counts.rows, before=before)}")
            continue
        gaps = pull.loads[resource].gaps
        cut = f", {shows_less(gaps)}" if gaps.cut_at is not None else ""
        aside = f", {gaps.set_aside} set aside" if gaps.set_aside else ""
        aside += f"; the first of them, {visible(gaps.reasons[0])}" if gaps.reasons else ""
        aside += f", {gaps.missing} may be gone" if gaps.missing else ""
        moved = f"{counts.new} new, {counts.changed} changed, {counts.gone} gone"
        print(f"{resource}: {pull.loads[resource].counted(counts.rows)} ({moved}{cut}{aside})")
    for name, window in quota.items():
        left = "unknown" if window["remaining"] is None else f"{window['remaining']} of {window['limit']} left"
        print(f"{name}: {left}")
    print(f"{requests} request{'s' * (requests != 1)}, waited {pull.waited_s:.1f} s")
    if waiting := pull.unsent - pull.stuck - pull.unsure:
        wait = "change still waits to be sent; it goes" if waiting == 1 else "changes still wait to be sent; they go"
        print(f"{waiting} {wait} out while the window is open")
    if pull.unsure:
        were = "change was" if pull.unsure == 1 else "changes were"
        print(f"{pull.unsure} {were} sent, and a look is still to tell what came of that")
    if pull.stuck:
        need = "change needs" if pull.stuck == 1 else "changes need"
        print(f"{pull.stuck} {need} your decision: `petstore-desktop decide {connection.name}` lists them")
