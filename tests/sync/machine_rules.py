"""Rules of the engine by which nothing is lost and nothing is done twice, each with a way to take it away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import Change, ChangeState
from petstore_desktop.domain.errors import ServiceFailed
from petstore_desktop.domain.records import LocalId, Ref
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.rows import Outcome
from petstore_desktop.sync.send import next_step as engine
from petstore_desktop.sync.send import sender, settling, writer
from petstore_desktop.sync.send.next_step import Settle, StepFacts
from petstore_desktop.sync.send.settling import Settling


class Rule(NamedTuple):
    """What the engine does, where that is, and what is put in its place. `episode`: one that finds it out; where the
    machine has other moves since, `long gate` names another."""

    says: str
    episode: str
    owner: object
    name: str
    change: Callable[[Any], Any]


def remove(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the change in the place of the original."""
    monkeypatch.setattr(rule.owner, rule.name, rule.change(getattr(rule.owner, rule.name)))


def _never_left(original: Any) -> Any:
    """What was on its way at a kill is queued again."""

    def recover(self: Journal, at: float) -> None:
        left = {self.attempts(one.id)[-1].id for one in self.open_changes() if one.state is ChangeState.SENDING}
        for attempt in left:
            self.end_attempt(attempt, Outcome(ChangeState.QUEUED), at)
        original(self, at)

    return recover


def _not_done(original: Any) -> Any:
    """What is not known to be done is queued again."""

    def outcome(verb: Any, error: Any) -> Any:
        state, reason = original(verb, error)
        return (ChangeState.QUEUED if state is ChangeState.UNCERTAIN else state), reason

    return outcome


def _failed_is_refused(original: Any) -> Any:
    """What the service failed at is taken for refused."""

    def outcome(verb: Any, error: Any) -> Any:
        state, reason = original(verb, error)
        failed = verb is Verb.CREATE and isinstance(error, ServiceFailed) and error.status == 500
        return (ChangeState.REFUSED if failed else state), reason

    return outcome


def _sent_again(original: Any) -> Any:
    return lambda self, changes, _whole: self._ledger.settle(changes, Outcome(ChangeState.QUEUED))


def _unlooked(_: Any) -> Any:
    """What nobody knows the fate of is sent again as it is."""

    def step(changes: tuple[Change, ...], _: StepFacts) -> Settle | None:
        unsure = [change for change in changes if change.state is ChangeState.UNCERTAIN and not change.needs_person]
        return Settle(tuple(unsure), ChangeState.QUEUED) if unsure else None

    return step


def _by_values(_: Any) -> Any:
    """A look is judged by the values that it shows alone."""

    def settle(_: Any, sent: Any, row: Any, **__: Any) -> Any:
        there = row is not None and all(getattr(row.record, name) == value for name, value in sent.value.items())
        return (ChangeState.DONE if there else ChangeState.QUEUED), None

    return settle


class _All:
    def __contains__(self, _: object) -> bool:
        return True


def _as_if_just_seen(original: Any) -> Any:
    """Whatever was shown once serves a write, as what a person sends on does for a minute."""
    return lambda *known, **more: replace(original(*known, **more), age=lambda _: 0.0, unguarded=_All())


def _unseen(original: Any) -> Any:
    """What the person saw is forgotten."""
    return lambda waiting: replace(original(waiting), base={})


def _any_category(original: Any) -> Any:
    """A record that is not there yet is named by some id."""

    def step(run: Any, intent: Any, ref: Ref, operation: Any, outbox: Any, facts: StepFacts) -> Any:
        there = {
            name: 1 if isinstance(value, LocalId) and value not in facts.local_ids else value
            for name, value in intent.fields.items()
        }
        return original(run, replace(intent, fields=there), ref, operation, outbox, facts)

    return step


RULES = [
    Rule("takes what was on its way at a kill to be uncertain", "11:0", Journal, "recover", _never_left),
    Rule("takes what was not answered to be uncertain", "3:0", writer, "outcome", _not_done),
    Rule("takes a creation that the service failed at to be uncertain", "7:3", writer, "outcome", _failed_is_refused),
    Rule("never creates again what may be there", "17:0", Settling, "creation", _sent_again),
    Rule(
        "takes what a look shows to be done for done",
        "6:0",
        settling,
        "settle",
        lambda _: lambda *_, **__: (ChangeState.QUEUED, None),
    ),
    Rule("looks before it sends again what may be done", "5:0", engine, "_settling_look", _unlooked),
    Rule("writes over nothing that nobody saw", "5:1", engine, "coalesce", _unseen),
    Rule("looks anew where nothing guards a write", "20:0", sender, "StepFacts", _as_if_just_seen),
    Rule("waits for the category that a pet names", "27:0", engine, "_fields_step", _any_category),
    Rule("guards a booking by what the service has", "20:0", engine, "_with_guard", lambda _: lambda send, *_: send),
]
ASKS = Rule("asks where a look proves nothing", "5:2", settling, "settle", _by_values)
"""Found out where a colleague does the opposite."""
OF_ITS_GATE = {
    "waits as long as Retry-After says": "5:0",
    "ends a pause with a probe": "5:0",
    "goes on with a kept pause": "5:1",
}
"""Rules of the gate that are taken from the whole program too, each with an episode that finds it out."""
