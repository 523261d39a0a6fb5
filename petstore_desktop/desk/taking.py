"""Which event does what to the desk. Loaded with the first event: the first paint is before that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from petstore_desktop.desk.changed import Changed
from petstore_desktop.desk.loads import LoadState, Phase
from petstore_desktop.domain.quota import Link
from petstore_desktop.sync.events import (
    ChangesMoved,
    Checked,
    ContractRead,
    Event,
    GateMoved,
    KeyWanted,
    LinkMoved,
    LoadEnded,
    LoadFailed,
    LoadMoved,
    MirrorRead,
    NotSaved,
    QuotaMoved,
    RowsChanged,
    Trouble,
)

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk


def take(desk: Desk, event: Event) -> Changed:
    """Let the desk take in one event of its connection; what it changed of what is shown."""
    match event:
        case RowsChanged():
            return desk.show_rows(event.resource, event.rows, event.removed)
        case ChangesMoved():
            return desk.show_changes(event.changes)
        case MirrorRead() | LoadMoved() | LoadEnded() | LoadFailed():
            desk.loads.move(event.resource, lambda old: _next(old, event))
            return Changed(loads={event.resource})
        case NotSaved():
            return Changed(not_saved=event)
        case Checked():
            return Changed(checked=event)
        case Trouble():
            return Changed(trouble=event)
        case _:
            return _take_state(desk, event)


def _take_state(desk: Desk, event: QuotaMoved | GateMoved | LinkMoved | ContractRead | KeyWanted) -> Changed:
    match event:
        case QuotaMoved(quota=quota):
            desk.quota = quota
            return Changed(quota=True)
        case GateMoved(gate=gate):
            desk.gate = gate
            return Changed(gate=True)
        case LinkMoved():
            desk.link, desk.link_since, desk.link_error = event.link, event.since, event.error
            if event.link is Link.LIVE:
                desk.key_wanted = None
            return Changed(link=True)
        case ContractRead(contract=contract):
            desk.contract = contract
            return Changed(contract=True)
        case KeyWanted():
            desk.key_wanted = event
            return Changed(key=True)


def _next(old: LoadState, event: MirrorRead | LoadMoved | LoadEnded | LoadFailed) -> LoadState:
    match event:
        case MirrorRead(as_of=as_of):
            # A load may have begun meanwhile; then only the age is news.
            phase: Phase = old.phase if old.phase != "reading" else "never" if as_of is None else "ready"
            return replace(old, phase=phase, as_of=old.as_of if as_of is None else as_of)
        case LoadMoved(done=done, total=total):
            return replace(old, phase="loading", done=done, total=total, error=None)
        case LoadEnded(cancelled=True):
            return replace(old, phase="cancelled", set_aside=event.set_aside)
        case LoadEnded():
            return LoadState("ready", as_of=event.as_of, cut_at=event.cut_at, set_aside=event.set_aside)
        case LoadFailed(error=error):
            return replace(old, phase="failed", error=error)
