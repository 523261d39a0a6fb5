"""A service that keeps who changed what when, answers lists that are as before with 304, and lets writes go astray."""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from typing import Any, Literal, NamedTuple, TypeAlias

import httpx

from petstore_desktop.contract.operations import Verb, value_at
from petstore_desktop.domain.records import FIELD_SPECS, FieldKind, FieldValue, Ref, Resource
from tests.support.services.scenario import Scenario
from tests.support.services.seat import as_read
from tests.support.services.service import Service
from tests.support.virtual_time import VirtualTime

Actor: TypeAlias = Literal["here", "elsewhere"]
Fate: TypeAlias = Literal["", "lost", "undone", "failed", "refused"]
Record: TypeAlias = dict[str, FieldValue]
Book: TypeAlias = dict[Ref, Record]
WHOLE = "*"
"""Stands for a field where a record came or went."""


class Done(NamedTuple):
    """One value of one field as somebody made it; of WHOLE: whether the record is there."""

    ref: Ref
    field: str
    value: FieldValue
    actor: Actor


class Tried(NamedTuple):
    """What a request of the program was to give a field."""

    ref: Ref | None
    field: str
    value: FieldValue
    unknown: bool
    """Whether the program cannot know what became of it."""


class ToldService(Service):
    """See above. `done` and `tried` tell everything in order; the next writes meet what is in `fates`."""

    def __init__(self, scenario: Scenario, loop: VirtualTime) -> None:
        super().__init__(scenario, loop)
        self.done: list[Done] = []
        self.tried: list[Tried] = []
        self.refused: list[Tried] = []
        self.fates: deque[Fate] = deque()
        self.seen: Counter[str] = Counter()

    # ------------------------------------------------------------ requests

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer one request. Raises httpx.ReadError where no answer comes."""
        if request.method == "GET":
            return self._read(request)
        fate = self.fates.popleft() if self.fates else ""
        self.seen[f"write {fate or 'answered'}"] += 1
        route = self._route(request)
        known = len(self.tried)
        if route is not None:
            self._note(
                route[0].resource, route[0].verb, route[1], request, unknown=fate in ("lost", "undone", "failed")
            )
        if fate == "undone":
            raise httpx.ReadError("the line broke", request=request)
        if fate == "refused":
            self._refuse(known)
            return httpx.Response(422, json={"code": "no", "message": "not now", "status": 422})
        before = self.book()
        answer = super().answer(request)
        self._compare(before, "here")
        if answer.status_code >= 300:
            self._refuse(known)
        if fate == "lost":
            raise httpx.ReadError("the line broke", request=request)
        return httpx.Response(503) if fate == "failed" else answer

    def _refuse(self, known: int) -> None:
        self.refused += self.tried[known:]
        del self.tried[known:]

    def _read(self, request: httpx.Request) -> httpx.Response:
        answer = super().answer(request)
        route = self._route(request)
        if route is None or route[0].verb is not Verb.LIST or not self.scenario.etags or answer.status_code != 200:
            return answer
        if not isinstance(answer.stream, httpx.ByteStream):
            return answer
        tag = f'"{hashlib.sha256(answer.content).hexdigest()[:12]}"'
        if request.headers.get("if-none-match") == tag:
            self.seen["list not modified"] += 1
            return httpx.Response(304, headers={"ETag": tag})
        answer.headers["ETag"] = tag
        return answer

    def _note(self, resource: Resource, verb: Verb, said: str, request: httpx.Request, *, unknown: bool) -> None:
        if verb is Verb.DELETE:
            self.tried.append(Tried(Ref(resource, as_read(said)), WHOLE, None, unknown))
            return
        record = self._body(request, resource)
        if verb is Verb.CREATE:
            self.tried.append(Tried(None, WHOLE, resource.value, unknown))
            return
        key = self.records.id_of(resource, record) if self.scenario.in_body else said
        for name, value in self._fields(resource, record).items():
            self.tried.append(Tried(Ref(resource, as_read(key)), name, value, unknown))

    # ------------------------------------------------------------ a colleague

    def by_others(self, resource: Resource, key: int | str, field: str, value: object) -> None:
        """Somebody elsewhere gives a field another value."""
        before = self.book()
        self.records.put(resource, key, field, value)
        self._compare(before, "elsewhere")

    def taken(self, resource: Resource, key: int | str) -> dict[str, Any]:
        """Somebody elsewhere deletes a record; what it was."""
        before, was = self.book(), self.kept[resource][key]
        self.records.delete(resource, key)
        self._compare(before, "elsewhere")
        return was

    def brought(self, resource: Resource, key: int | str, record: dict[str, Any]) -> None:
        """Somebody elsewhere makes a record, or makes it again."""
        before = self.book()
        self.kept[resource][key] = record
        self._compare(before, "elsewhere")

    # ------------------------------------------------------------ what there is

    def book(self) -> Book:
        """All records by the program's names."""
        return {
            Ref(resource, as_read(key)): self._fields(resource, record)
            for resource, rows in self.kept.items()
            for key, record in rows.items()
        }

    def _fields(self, resource: Resource, record: Any) -> Record:
        paths = self.scenario.kinds[resource].fields
        found: Record = {}
        for spec in FIELD_SPECS[resource]:
            path = paths.get(spec.name)
            if path is not None and path[0] in record:
                value = value_at(record, path)
                found[spec.name] = as_read(value) if spec.kind is FieldKind.ID else value
        return found

    def _compare(self, before: Book, actor: Actor) -> None:
        after = self.book()
        for ref in before.keys() | after.keys():
            old, new = before.get(ref), after.get(ref)
            if old is None or new is None:
                self.done.append(Done(ref, WHOLE, new is not None, actor))
                continue
            self.done += [Done(ref, n, v, actor) for n, v in new.items() if old.get(n) != v]
