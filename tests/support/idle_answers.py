"""Answers to a write that sound like a yes, of a service that has done nothing: for every kind of write, each body.

    write = Write(shop, KINDS["count"], used)             # of a record that no earlier one has touched
    shop.control("answer-writes", **write.answers()[name])  # the demo shop answers so, and does nothing
    write.is_there                                        # whether the shop has done it after all

A change that is done means that the shop has it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from petstore_desktop.domain.changes import AddStock, Create, Delete, Intent, NewChange, SetFields, SetStock
from petstore_desktop.domain.records import LocalId, Ref, Resource

Said: TypeAlias = dict[str, Any]
"""What `answer-writes` takes: status, body, headers."""
JSON = {"Content-Type": "application/json"}
NOWHERE = 987_654_321
"""An id that no record has."""
CALLED = "Somebody new"


class Rows(Protocol):
    """A demo shop, over a socket or in virtual time."""

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """What its database holds."""
        ...

    def control(self, action: str, **body: object) -> object:
        """Turn one of its switches."""
        ...


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of write. `table` with its `columns` by their names in JSON, the first names the record; `changed`: what
    the written record has afterwards, None where it is gone."""

    resource: Resource
    intent: Intent
    columns: Mapping[str, str]
    changed: Mapping[str, Any] | None
    where: str = "1"

    @property
    def key(self) -> str:
        """The name of the id in JSON."""
        return next(iter(self.columns))

    @property
    def makes(self) -> bool:
        """Whether it makes a record."""
        return isinstance(self.intent, Create)


_PET = {"id": "id", "name": "name", "categoryId": "category_id", "status": "status"}
_CATEGORY = {"id": "id", "name": "name", "description": "description"}
_ORDER = {"id": "id", "petId": "pet_id", "quantity": "quantity", "complete": "complete"}
_STOCK = {"petId": "pet_id", "quantity": "quantity"}
FIRST, MANY = 9_001, 120
_OWN = f"id >= {FIRST}"


def prepare(shop: Rows) -> None:
    """Give the shop categories without pets and open orders, enough for all answers."""
    ids = range(FIRST, FIRST + MANY)
    categories = [{"id": id_, "name": f"Empty {id_}", "description": "none"} for id_ in ids]
    orders = [{"id": id_, "petId": 1001, "quantity": id_, "complete": False} for id_ in ids]
    shop.control("rows", categories=categories, orders=orders)


KINDS: Mapping[str, Kind] = {
    "new pet": Kind(Resource.PETS, Create({"name": CALLED, "category_id": 1}), _PET, {"name": CALLED, "categoryId": 1}),
    "new category": Kind(Resource.CATEGORIES, Create({"name": CALLED}), _CATEGORY, {"name": CALLED}),
    "new order": Kind(
        Resource.ORDERS,
        Create({"pet_id": 1001, "quantity": 77}),
        _ORDER,
        {"petId": 1001, "quantity": 77},
    ),
    "name": Kind(Resource.PETS, SetFields({"name": CALLED}), _PET, {"name": CALLED}),
    "category": Kind(Resource.CATEGORIES, SetFields({"name": CALLED}), _CATEGORY, {"name": CALLED}, _OWN),
    "order": Kind(Resource.ORDERS, SetFields({"complete": True}), _ORDER, {"complete": True}, _OWN),
    "count": Kind(Resource.INVENTORY, SetStock(7_777), _STOCK, {"quantity": 7_777}),
    "booking": Kind(Resource.INVENTORY, AddStock(3), _STOCK, {}),
    "deletion": Kind(Resource.PETS, Delete(), _PET, None),
    "deleted category": Kind(Resource.CATEGORIES, Delete(), _CATEGORY, None, _OWN),
    "cancellation": Kind(Resource.ORDERS, Delete(), _ORDER, None, _OWN),
}


def idle_answers(kind: Kind, before: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Said]:
    """What a shop may say that has done nothing. `before`: the record as it is; `other`: another one of its kind."""
    yes = 201 if kind.makes else 200
    bodies: dict[str, object] = {
        "an empty object": {},
        "an empty list": [],
        "null": None,
        "a yes": {"ok": True, "message": "done"},
        "other fields": {"colour": "red", "weight": 12},
        "its error object": {"code": "not_done", "message": "this was not done", "status": 400},
        "another record": {**other},
        "another record within": {"data": {**other}},
        "another id": {kind.key: other[kind.key]},
        "an id that is nowhere": {kind.key: NOWHERE},
    }
    if not kind.makes and kind.changed is not None:
        bodies["the record as it was"] = {**before}
        bodies["its id alone"] = {kind.key: before[kind.key]}
        written = kind.changed or {"quantity"}
        bodies["without what was written"] = {name: value for name, value in before.items() if name not in written}
    said: dict[str, Said] = {
        name: {"status": yes, "body": json.dumps(body), "headers": JSON} for name, body in bodies.items()
    }
    said["nothing"] = {"status": yes, "body": "", "headers": {}}
    said["204"] = {"status": 204, "body": "", "headers": {}}
    said["OK"] = {"status": yes, "body": "OK", "headers": {"Content-Type": "text/plain"}}
    if kind.makes:
        said["a place that is nowhere"] = {"status": 201, "body": "", "headers": {"Location": f"/v1/x/{NOWHERE}"}}
    return said


class Write:
    """One such write of a record of the shop that is not among those `used`, and is from now on."""

    def __init__(self, shop: Rows, kind: Kind, used: set[Any]) -> None:
        self._shop, self.kind = shop, kind
        table, names = kind.resource.value, ", ".join(kind.columns.values())
        key, not_used = kind.columns[kind.key], json.dumps([*used])
        rows = shop.rows(
            f"SELECT {names} FROM {table} WHERE {kind.where} AND {key} NOT IN (SELECT value FROM json_each(?)) "
            "ORDER BY 1 LIMIT 2",
            not_used,
        )
        found = [dict(zip(kind.columns, row, strict=True)) for row in rows]
        for one in found:
            one |= {name: bool(one[name]) for name in ("complete",) if name in one}
        self.before, self.other = found[0], found[-1]
        self.key = self.before[kind.key]
        used.update(() if kind.makes else (self.key, self.other[kind.key]))
        self._there = self._alike()

    @property
    def change(self) -> NewChange:
        """What a person does."""
        kind = self.kind
        if kind.makes:
            return NewChange(Ref(kind.resource, LocalId.new()), kind.intent, {})
        names = {column: self.before[name] for name, column in kind.columns.items() if name != kind.key}
        touched = {"quantity"} if kind.resource is Resource.INVENTORY else {*getattr(kind.intent, "fields", names)}
        base = {name: value for name, value in names.items() if name in touched}
        return NewChange(Ref(kind.resource, self.key), kind.intent, {} if isinstance(kind.intent, Delete) else base)

    def answers(self) -> dict[str, Said]:
        """See `idle_answers`."""
        return idle_answers(self.kind, self.before, self.other)

    @property
    def is_there(self) -> bool:
        """Whether the shop has done it, and once."""
        kind = self.kind
        if kind.makes:
            return self._alike() == self._there + 1
        row = self._shop.rows(
            f"SELECT {', '.join(kind.columns.values())} FROM {kind.resource.value} WHERE {kind.columns[kind.key]} = ?",
            self.key,
        )
        if kind.changed is None:
            return not row
        changed = kind.changed or {"quantity": self.before["quantity"] + 3}
        return dict(zip(kind.columns, row[0], strict=True)) == {**self.before, **changed}

    def _alike(self) -> int:
        changed = self.kind.changed if self.kind.makes else None
        where = " AND ".join(f"{self.kind.columns[name]} = ?" for name in changed or ())
        query = f"SELECT count(*) FROM {self.kind.resource.value} WHERE {where or '0'}"
        return int(self._shop.rows(query, *(changed or {}).values())[0][0])


def _names(kind: Kind) -> list[str]:
    row = dict.fromkeys(kind.columns, 1)
    return [*idle_answers(kind, row, row)]


NAMES = tuple(dict.fromkeys(name for kind in KINDS.values() for name in _names(kind)))
"""The names of all that can be answered."""
