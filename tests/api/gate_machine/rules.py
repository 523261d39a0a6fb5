"""Every rule by which the gate waits, each with a way to take it away. A gate without one of them must be found out."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

import pytest
from msgspec.structs import replace

from petstore_desktop.api.gate import answers as gate_answers
from petstore_desktop.api.gate import back_off
from petstore_desktop.api.gate import machine as gate
from petstore_desktop.api.gate import memory as gate_memory
from petstore_desktop.api.gate import model as gate_model
from petstore_desktop.api.gate import request_order as gate_order
from petstore_desktop.api.gate import view as gate_view
from petstore_desktop.api.gate.back_off import Wait
from petstore_desktop.api.gate.limits import limit_updates as gate_statements
from petstore_desktop.api.gate.limits import windows as gate_windows
from petstore_desktop.domain import quota

MODULES: list[ModuleType] = [
    back_off, gate, gate_answers, gate_memory, gate_model, gate_order, gate_statements, gate_view, gate_windows, quota,
]  # fmt: skip

Function: TypeAlias = Callable[..., Any]


class Rule(NamedTuple):
    """What the gate does, the one function or number that does it, and what is put in its place. `episode`: one that
    finds it out; where the machine has other moves since, `long gate` names another."""

    says: str
    name: str
    change: Callable[[Any], Any]
    episode: str = "12:0"


def remove(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the change in the place of the original, wherever it has been imported."""
    originals = {id(value): value for module in MODULES if (value := vars(module).get(rule.name)) is not None}
    (original,) = originals.values()
    changed = rule.change(original)
    for module in MODULES:
        if vars(module).get(rule.name) is original:
            monkeypatch.setattr(module, rule.name, changed)


# ---------------------------------------------------------------- changes


def _always(value: object) -> Callable[[Any], Any]:
    return lambda _original: lambda *_args, **_named: value


def _instead(value: object) -> Callable[[Any], Any]:
    return lambda _original: value


def _state_as_it_was(original: Function) -> Function:
    return lambda state, *_args, **_named: state


def _first(original: Function) -> Function:
    return lambda first, *_args, **_named: first


def _second(original: Function) -> Function:
    return lambda _first, second: second


def _with(**changed: object) -> Callable[[Any], Any]:
    """The original, called with some of its named arguments replaced."""
    return lambda original: lambda *args, **named: original(*args, **(named | changed))


def _no_wait_when_spent(original: Function) -> Function:
    return lambda wait, **named: 0.0 if wait is Wait.SPENT else original(wait, **named)


def _capped(original: Function) -> Function:
    return lambda wait, **named: min(original(wait, **named), 3_600.0)


def _a_ban_is_a_pause(original: Function) -> Function:
    return lambda wait, **named: original(Wait.LIMITED if wait is Wait.BANNED else wait, **named)


def _only_429(original: Function) -> Function:
    return lambda answer: answer.status == 429


def _not_by_code(original: Function) -> Function:
    return lambda state, answer, place: original(state, replace(answer, code=None, retry_after=None), place)


def _not_after_a_limit(original: Function) -> Function:
    return lambda state, answer, place: original(replace(state, limited=False), answer, place)


def _whatever_the_place(original: Function) -> Function:
    return lambda state, answer, place: original(replace(state, forbidden=()), answer, place)


def _beside_others(original: Function) -> Function:
    return lambda state, now: original(replace(state, flights=()), now)


def _one_is_enough(original: Function) -> Function:
    return lambda _cost, limit, kept: original(1, limit, kept)


def _loses(**blank: object) -> Callable[[Any], Any]:
    return lambda original: lambda *args: replace(original(*args), **blank)


def _without_an_end(original: Function) -> Function:
    return lambda window, cost, now: replace(original(window, cost, now), opens_at=window.opens_at)


def _at_once(original: Function) -> Function:
    return lambda _kept, now: now.steady


def _one_by_one(original: Function) -> Function:
    return lambda told, day, plan: [facts.span or gate_statements.infer_span(facts, day, plan) for facts in told]


def _written_after(original: Function) -> Function:
    """What is to be kept is handed out at the next step only."""

    def persist(state: gate_model.GateState, event: object, now: object, effects: list[gate_model.Effect]) -> object:
        kept, state = state.kept, original(state, event, now, effects)
        late = [effect for effect in effects if isinstance(effect, gate_model.Persist)]
        if late and not isinstance(event, gate_model.Tick):
            effects.remove(late[0])
            return replace(state, kept=kept)
        return state

    return persist


RULES = [
    Rule("waits as long as Retry-After says", "pause_length", _with(retry_after=None), "12:1"),
    Rule("waits for the reset that a 429 tells instead", "_reset_in", _always(None), "12:4"),
    Rule("waits at remaining 0 for the reset", "pause_length", _no_wait_when_spent, "12:1"),
    Rule("caps no wait", "pause_length", _capped),
    Rule("adds at least a second", "own_jitter", _always(0.0)),
    Rule("waits longer each time", "doubled", _first, "12:3"),
    Rule("counts each refusal as one more", "_is_news", _always(False), "12:3"),
    Rule("forgives after ten good answers", "GOOD_ANSWERS", _instead(1), "12:10"),
    Rule("never shortens a wait", "never_shorter", _first, "12:8"),
    Rule("obeys a 503 that says when", "is_pause", _only_429, "12:1"),
    Rule("knows a ban by its code", "is_ban", _not_by_code, "12:4"),
    Rule("knows a ban by the 429 before", "is_ban", _not_after_a_limit, "12:20"),
    Rule("takes a 403 where a key is always refused for no ban", "is_ban", _whatever_the_place, "12:8"),
    Rule("probes where a key is not refused", "probe_rank", _always(0), "12:55"),
    Rule("waits for an hour when banned", "own_back_off", _a_ban_is_a_pause, "12:6"),
    Rule("locks a rejected key", "lock_key", _state_as_it_was, "12:3"),
    Rule("lets a new key inherit the pause", "take_over", _second, "12:3"),
    Rule("ends a pause with a probe", "needs_probe", _always(False)),
    Rule("probes with a read", "may_probe", _always(True)),
    Rule("probes alone", "probe_due", _beside_others),
    Rule("waits again when the probe is lost", "_probe_lost", _state_as_it_was, "12:5"),
    Rule("asks for a probe", "probe_wanted", _always(False), "12:4"),
    Rule("believes no late good answer", "left_before_the_pause", _always(False), "12:4"),
    Rule("pauses when nothing is left until nobody knows when", "_blind_spent", _state_as_it_was),
    Rule("grows slowly after a probe", "ramp_cap", _always(4)),
    Rule("sends alone until the service has spoken", "in_flight_cap", _instead(gate_order.ramp_cap)),
    Rule("sends four at once at most", "in_flight_cap", _always(5)),
    Rule("takes what is in flight off what remains", "cost_of", _always(0), "12:9"),
    Rule("needs room for both of a pair", "wanted_of", _one_is_enough, "12:81"),
    Rule("writes one at a time", "writing", _always(False), "12:1"),
    Rule("leaves a share to the person", "reserve", _always(0), "12:9"),
    Rule("counts by itself what nobody tells", "own_limit", _always(None), "12:6"),
    Rule("counts what leaves", "count_send", _first, "12:12"),
    Rule("counts an answer without a word", "count_unspoken", _first, "12:9"),
    Rule("lets a window without a word end", "count_unspoken", _without_an_end, "12:56"),
    Rule("takes the lesser of crossed answers", "_crossed", _first, "12:24"),
    Rule("does not believe of a window before", "_older_window", _always(False), "13:102"),
    Rule("waits for the end that nobody told", "_is_shut", _always(False), "834706:553"),
    Rule("keeps a used up window shut", "_shut", _state_as_it_was, "12:43"),
    Rule("tells two windows without names apart", "infer_spans", _one_by_one, "12:131"),
    Rule("calls back what has not left", "may_send", _always(True), "12:4"),
    Rule("calls back when a window is used up", "_told_spent", _always(False), "12:19"),
    Rule("goes on with a kept pause", "restored_until", _at_once),
    Rule("trusts no wall clock on the same boot", "same_boot", _always(False), "12:54"),
    Rule("keeps the doublings", "restore", _loses(strikes=0, bans=0, limited=False), "12:3"),
    Rule("keeps its own count", "_sends_in", _always(()), "12:6"),
    Rule("counts what may have left unwritten", "UNWRITTEN", _instead(0), "13:100"),
    Rule("writes down before it sends", "_persist", _written_after),
    Rule("writes down what is stricter", "lasting", _always((0,))),
    Rule("lets none starve", "starves", _always(False), "12:3"),
    Rule("wakes by itself", "_wake_at", _always(None), "12:3"),
]  # fmt: skip
