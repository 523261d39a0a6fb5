"""Every write that left, beside the attempt that the journal has of it: what it rested on, what it overwrote, and how
often each act was done."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import httpx

from petstore_desktop.domain.changes import AddStock, Change, ChangeState, Create, Delete, Fields, SetFields, SetStock
from petstore_desktop.domain.records import FieldValue, LocalId, Resource
from petstore_desktop.store.journal.journal import Attempt, Journal
from tests.api.gate_machine.service import Violation

LOOK_S, COUNT_S = 5.0, 60.0
"""How old what an unguarded booking rests on may be, and what a count or a field does."""
SAME_MOMENT_S = 1e-3

Json: TypeAlias = Mapping[str, Any]


class Served(NamedTuple):
    """A write that was done: when by the service's seconds, and the record before and after."""

    at: float
    before: Json | None
    after: Json | None


@dataclass(slots=True)
class Left:
    """A write that set out at `at`; `wall` is what this computer's clock said then; `late`: if it was done at all, it
    was when nobody reckoned with it any more."""

    at: float
    wall: float
    method: str
    path: str
    body: Json
    guarded: bool
    late: bool = False
    served: list[Served] = field(default_factory=list)

    @property
    def effects(self) -> list[Served]:
        """The servings that changed anything."""
        return [served for served in self.served if served.before != served.after]


class Tried(NamedTuple):
    """An attempt that sent something, its changes, and what left for it."""

    attempt: Attempt
    changes: list[Change]
    lefts: list[Left]


def set_out(request: httpx.Request, at: float, wall: float) -> Left:
    """Note that a write leaves; it is known by this wherever it goes."""
    body = json.loads(request.content) if request.content else {}
    left = Left(at, wall, request.method, request.url.path, body, "if-match" in request.headers)
    request.extensions["left"] = left
    return left


def judge(desk: Any, journal: Journal) -> list[Tried]:
    """Nothing was done twice, nothing is said to be done that was not, nothing was overwritten that nobody saw and a
    look could have shown; what was tried. Raises Violation."""
    told: dict[int, Change] = desk.program.changes
    tried = _tried(journal, told)
    _join(desk.lefts, tried)
    for one in tried:
        for left in one.lefts:
            _rests_on_what_was_seen(desk, one, left)
    for id_, change in sorted(told.items()):
        _was_done(desk, change, [one for one in tried if any(there.id == id_ for there in one.changes)])
    return tried


def _tried(journal: Journal, told: Mapping[int, Change]) -> list[Tried]:
    found: dict[int, Tried] = {}
    for id_, change in sorted(told.items()):
        for attempt in journal.attempts(id_):
            if attempt.request is not None:
                found.setdefault(attempt.id, Tried(attempt, [], [])).changes.append(change)
    return [one for _, one in sorted(found.items())]


def _join(lefts: Iterable[Left], tried: list[Tried]) -> None:
    """Each write that left was written down before, at that very moment."""
    free = list(tried)
    for left in lefts:
        one = next((one for one in free if _is_of(left, one)), None)
        if one is None:
            raise Violation(f"left, and is not written down: {left}")
        one.lefts.append(left)
        free.remove(one)


def _is_of(left: Left, one: Tried) -> bool:
    key = json.loads(one.attempt.request or "")["key"]
    same = abs(one.attempt.at - left.wall) < SAME_MOMENT_S
    there = left.method == "POST" if key.startswith("local:") else left.path.endswith(f"/{key}")
    return same and there and all(left.body.get(spelled(n)) == v for n, v in one.attempt.value.items())


def spelled(name: str) -> str:
    """A field as the service calls it."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


# ---------------------------------------------------------------- what it rested on


def _rests_on_what_was_seen(desk: Any, one: Tried, left: Left) -> None:
    for served in left.effects:
        if served.before is None or served.after is None:
            continue
        for name, value in one.attempt.value.items():
            seen = _seen(desk, one, name)
            if seen is not None and not (seen | {value}) & set(_was(desk, left, served, name, _age(one))):
                raise Violation(f"over what nobody saw: {name} of {served}, seen {seen}: {left}, {one}")


def _age(one: Tried) -> float:
    return LOOK_S if _only_books(one) else COUNT_S


def _only_books(one: Tried) -> bool:
    return all(isinstance(change.intent, AddStock) for change in one.changes)


def _was(desk: Any, left: Left, served: Served, name: str, age: float) -> list[Any]:
    """What a look could have shown; where an ETag has the service itself look, what is overwritten."""
    if left.guarded:
        return [served.before and served.before.get(spelled(name))]
    shown = desk.books.between(left.path, left.at - age, served.at)
    return [record.get(spelled(name)) for record in shown if record is not None]


def _seen(desk: Any, one: Tried, name: str) -> set[FieldValue] | None:
    """What it may have been computed from, or what people saw when they acted; None: nobody saw anything."""
    if _only_books(one):
        return {one.attempt.base.get(name)}
    bases: list[Fields] = [change.base for change in one.changes if name in change.base]
    if not bases:
        return None
    bases += [theirs for change in one.changes for theirs in desk.accepted.get(change.id, ())]
    return {base[name] for base in bases if name in base}


# ---------------------------------------------------------------- how often it was done


def _was_done(desk: Any, change: Change, tried: list[Tried]) -> None:
    lefts = [left for one in tried for left in one.lefts]
    own = [left for one in tried if not _is_overtaken(change, one) for left in one.lefts]
    times = sum(len(left.effects) for left in own)
    needless = sum(len(left.served) for left in own if not left.late)
    if max(times, needless) > 1 + desk.again_by_person[change.id]:
        raise Violation(f"done {max(times, needless)} times: {change}, {lefts}")
    _was_not_refused(desk, change, lefts)
    if change.state is not ChangeState.DONE:
        return
    if not lefts:
        if isinstance(change.intent, Delete) and change.reason is not None and change.reason.code == "no-such-record":
            return  # an earlier deletion took it, and a look showed that
        raise Violation(f"said to be done, and never left: {change}")
    if isinstance(change.intent, Delete):
        gone = any(record is None for record in desk.books.between(lefts[0].path, lefts[0].at, desk.true))
    elif isinstance(change.intent, Create):
        gone = any(left.served for left in lefts)
        _names_what_it_meant(desk, change, lefts)
    elif _only_books(tried[-1]):
        gone = times >= 1 or (_one_was_let_go(desk, change) and _was_there(desk, tried))
    else:
        gone = _was_there(desk, tried) and _is_meant(tried[-1])
    if not gone:
        raise Violation(f"said to be done, and is not: {change}, {tried}")


def _is_overtaken(change: Change, one: Tried) -> bool:
    """Whether nothing of a change is in the request that it left with: later changes had set the same fields."""
    sets = isinstance(change.intent, SetFields)
    return sets and all(one.attempt.value.get(name) != value for name, value in change.intent.fields.items())


def _was_not_refused(desk: Any, change: Change, lefts: list[Left]) -> None:
    """What is said to be refused can be made again by a person, who would make it twice."""
    refused = change.state is ChangeState.REFUSED and isinstance(change.intent, Create)
    if refused and any(left.effects for left in lefts) and not desk.again_by_person[change.id]:
        raise Violation(f"said to be refused, and was done: {change}, {lefts}")


def _one_was_let_go(desk: Any, change: Change) -> bool:
    """Whether another change of the record was taken back while nobody knew its fate: it may have brought about the
    very stock that this one was to bring about. The sum tells then."""
    others = [one for one in desk.program.changes.values() if one.ref == change.ref and one.id in desk.program.sent]
    return any(one.state is ChangeState.DISCARDED for one in others)


def _was_there(desk: Any, tried: list[Tried]) -> bool:
    """The service had what was last sent, at some time since it was sent first."""
    if any(left.method == "POST" and left.served for one in tried for left in one.lefts):
        return True
    value, lefts = tried[-1].attempt.value, [left for one in tried for left in one.lefts]
    shown = desk.books.between(lefts[-1].path, lefts[0].at, desk.true)
    return any(record and all(record.get(spelled(n)) == v for n, v in value.items()) for record in shown)


def _is_meant(one: Tried) -> bool:
    """What was sent is what those of its changes come to that are done: none that was taken back stands in their
    place."""
    fields: dict[str, FieldValue] = {}
    for change in one.changes:
        if change.state is not ChangeState.DONE:
            continue
        match change.intent:
            case SetFields(fields=new):
                fields |= {name: value for name, value in new.items() if not isinstance(value, LocalId)}
            case SetStock(quantity=quantity):
                fields["quantity"] = quantity
            case AddStock(delta=delta) if isinstance(before := fields.get("quantity"), int):
                fields["quantity"] = before + delta
            case _:
                return True  # with a creation it is that one which is judged, with bookings their sum
    return all(one.attempt.value.get(name) == value for name, value in fields.items())


def _names_what_it_meant(desk: Any, change: Change, lefts: list[Left]) -> None:
    """A pet that was created together with its category is of that one."""
    category = change.intent.fields.get("category_id") if isinstance(change.intent, Create) else None
    if not isinstance(category, LocalId):
        return
    made = [one.result_key for one in desk.program.changes.values() if one.ref.key == category]
    for served in (served for left in lefts for served in left.served):
        if change.ref.resource is Resource.PETS and served.after is not None and served.after["categoryId"] not in made:
            raise Violation(f"of another category: {served}, {change}")
