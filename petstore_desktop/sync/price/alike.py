"""Which records cost the same: what is to be done to them takes as many requests, whichever of them it is. Pure.

The engine's steps rest on the kind of the change, on the names of its fields, and on what is known of the record, not
on its other values. Where they do (a conflict, a word for a status, a reference), or where a change has a past, it is a
kind of its own or none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TypeAlias

from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import (
    AddStock,
    Change,
    ChangeState,
    Create,
    Fields,
    Intent,
    NewChange,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.records import FIELDS, Key, LocalId, Ref, Resource, ServiceId
from petstore_desktop.sync.send.coalesce import Nothing, Run, coalesce
from petstore_desktop.sync.send.next_step import StepFacts, real_ref
from petstore_desktop.sync.send.references import REFERENCES

Stands: TypeAlias = Callable[[Resource, Sequence[Key], Sequence[str]], Mapping[Key, Sequence[object]]]
"""How records stand; see `Mirror.stands`."""
_GUARDED, _SEQUENCE, _FIRST_FIELD = 1, 2, 3
_AT_ONCE = 1_000
"""How many records are asked for between two pauses."""
_FAR = 2**62
"""Stock beyond this may leave what a number of the service's holds."""
_QUANTITY = "quantity"


def nothing_known(_resource: Resource, _keys: Sequence[Key], _fields: Sequence[str]) -> Mapping[Key, Sequence[object]]:
    """Each record is one of a kind."""
    return {}


def as_change(one: Change | NewChange, number: int) -> Change:
    """A change as it waits once it is saved."""
    if isinstance(one, Change):
        return one
    return Change(number, "", 0.0, one.ref, one.intent, one.base, ChangeState.QUEUED, 0.0)


class Alike:
    """The kinds of records of one price. `list_cost`: see `DryRun`."""

    def __init__(self, facts: StepFacts, list_cost: Callable[[Ref], int | None], stands: Stands) -> None:
        self._facts, self._list_cost, self._read = facts, list_cost, stands
        self._stands: dict[Resource, dict[Key, Sequence[object]]] = defaultdict(dict)
        self._places: dict[Resource, dict[str, int]] = defaultdict(dict)
        """Where each field is in a stand."""
        self._timed: dict[Resource, bool] = {}
        """Whether it matters by which answer a record was shown last."""
        self._twice: set[Ref] = set()
        """Records that are known under two names."""
        self._embeds = any(operation.category_name for operation in facts.contract.operations.values())
        self._made_are_listed: bool | None = None

    def take_in(self, queues: Mapping[Ref, Sequence[Change | NewChange]]) -> Iterator[None]:
        """See how these records stand; pauses now and then."""
        keys, named = defaultdict[Resource, list[Key]](list), defaultdict[Resource, set[str]](set)
        for ref, queue in queues.items():
            if isinstance(ref.key, ServiceId):
                keys[ref.resource].append(ref.key)
                for one in queue:
                    named[ref.resource].update(one.base)
            elif isinstance(ref.key, LocalId) and ref.key in self._facts.local_ids:
                self._twice.add(real_ref(ref, self._facts.local_ids))
        for resource, wanted in keys.items():
            stock = {_QUANTITY} if resource is Resource.INVENTORY else set[str]()
            fields = [name for name in FIELDS[resource] if name in named[resource] | stock]
            self._places[resource] = {name: place for place, name in enumerate(fields, _FIRST_FIELD)}
            for start in range(0, len(wanted), _AT_ONCE):
                yield
                self._stands[resource].update(self._read(resource, wanted[start : start + _AT_ONCE], fields))
            change = self._facts.contract.find(resource, Verb.CHANGE)
            known = next(iter(self._stands[resource]), None)
            listed = known is not None and self._list_cost(Ref(resource, known)) is not None
            self._timed[resource] = listed or (change is not None and change.replaces)

    def kind(self, queue: Sequence[Change | NewChange], made: Mapping[LocalId, ServiceId]) -> Hashable | None:
        """What is to be done to this record, in words that are the same for all that cost the same; None where it is
        one of a kind. `made`: what was created here, also in this price."""
        run = queue[0]
        if len(queue) > 1 and (run := _as_one(queue)) is None:
            return None
        intent, ref, waiting = run.intent, queue[0].ref, self._waiting(queue)
        what = None if waiting is None else self._what(intent, made)
        stand = None if what is None else self._stand(ref, intent, run.base, made)
        return None if stand is None else (ref.resource, type(intent), what, stand, len(queue), waiting)

    def _waiting(self, queue: Sequence[Change | NewChange]) -> tuple[str, ...] | None:
        """The batches of those that wait already; None where something came of one of them, or holds it back."""
        facts, batches = self._facts, tuple[str, ...]()
        for one in queue:
            if isinstance(one, NewChange):
                continue
            if one.state is not ChangeState.QUEUED or one.reason is not None or facts.kept(one):
                return None
            if one.id in facts.pins or one.id in facts.unguarded:
                return None
            batches = (*batches, one.batch)
        return batches

    def _what(self, intent: Intent | Nothing, made: Mapping[LocalId, ServiceId]) -> Hashable | None:
        match intent:
            case SetFields(fields=fields):
                return self._named(fields, made)
            case Create(fields=fields, extra=extra):
                return None if extra else self._named(fields, made)
            case AddStock() | SetStock():
                return ()
            case _:
                return None

    def _named(self, fields: Fields, made: Mapping[LocalId, ServiceId]) -> Hashable | None:
        """The names of fields, and the values that decide what a write costs: see `contract.model.proofs`, and
        `References.written`."""
        said: list[object] = []
        for name, value in fields.items():
            named = name in REFERENCES
            if named and (self._embeds or (isinstance(value, LocalId) and not self._is_made(value, made))):
                return None
            said.append((name, LocalId if isinstance(value, LocalId) else value) if named or name == "status" else name)
        return tuple(said)

    def _is_made(self, local: LocalId, made: Mapping[LocalId, ServiceId]) -> bool:
        return local in made and local not in self._facts.local_ids

    def _stand(
        self, ref: Ref, intent: Intent | Nothing, base: Fields, made: Mapping[LocalId, ServiceId]
    ) -> Hashable | None:
        """What is known of the record, as far as it matters."""
        key = ref.key
        if isinstance(key, LocalId):
            if isinstance(intent, Create):
                return None if key in made else "new"
            return "made" if self._is_stock_of_made(ref, key, intent, base, made) else None
        stand = self._stands[ref.resource].get(key)
        if stand is None or ref in self._twice:
            return None
        places, references = self._places[ref.resource], tuple[object, ...]()
        if isinstance(intent, AddStock | SetStock):
            now, seen = stand[places[_QUANTITY]], base.get(_QUANTITY)
            is_same = isinstance(intent, AddStock) or not isinstance(seen, int) or seen == now
            if not (is_same and _is_near(now, intent)):
                return None
        else:
            for name, seen in base.items():
                place = places.get(name)
                if place is None or stand[place] != seen:
                    return None
                if name in REFERENCES:
                    references = (*references, seen)
        return stand[_GUARDED], stand[_SEQUENCE] if self._timed[ref.resource] else 0, references

    def _is_stock_of_made(
        self, ref: Ref, local: LocalId, intent: Intent | Nothing, base: Fields, made: Mapping[LocalId, ServiceId]
    ) -> bool:
        """Whether it is the stock of a pet that this price makes, which is read by itself."""
        if ref.resource is not Resource.INVENTORY or base or not self._is_made(local, made):
            return False
        if self._made_are_listed is None:
            self._made_are_listed = self._list_cost(real_ref(ref, made)) is not None
        return not self._made_are_listed and isinstance(intent, AddStock | SetStock) and _is_near(0, intent)


def _as_one(queue: Sequence[Change | NewChange]) -> Run | None:
    """All changes of a record as the one that they come to, if they do."""
    run = coalesce([as_change(one, number) for number, one in enumerate(queue)])
    return run if len(run.changes) == len(queue) else None


def _is_near(now: object, intent: AddStock | SetStock) -> bool:
    number = intent.quantity if isinstance(intent, SetStock) else intent.delta
    return isinstance(now, int) and abs(now) < _FAR and abs(number) < _FAR
