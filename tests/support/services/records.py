"""What a service of a scenario keeps, in its own shape, and how a request changes it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, cast

from petstore_desktop.contract.operations import put_at, value_at
from petstore_desktop.domain.records import ALL_SPECS, FieldKind, FieldSpec, JsonValue, Resource
from tests.support.services.scenario import CATEGORY_NAME, Kind, Scenario, specs_of

Json = dict[str, Any]
CATEGORIES = (("Dogs", "They bark"), ("Cats", "They purr"), ("Rabbits", ""), ("Lions", "In the yard"))
PETS = (("Rex", 1, 0), ("Mia", 2, 0), ("Bun", 3, 0), ("Leo", 4, 1), ("Ace", 1, 1), ("Tom", 2, 2), ("Kit", 2, 2))
"""Name, category, status."""
ORDERS = ((6, 1, "2026-02-03T10:00:00Z", True), (1, 2, "2026-03-04T10:00:00Z", False), (2, 5, None, False))
"""Pet, quantity, day of shipping, whether it is complete."""
STOCK = 3
"""So much more is there of each pet than of the one before."""
_OWN = "its own key"
_FIT: Mapping[FieldKind, tuple[type, ...]] = {FieldKind.NUMBER: (int,), FieldKind.FLAG: (bool,)}


class Refusal(Exception):
    """A request is not done; `wrong`: no client that has read the document sends it."""

    def __init__(self, status: int, words: str, *, wrong: bool = True) -> None:
        super().__init__(words)
        self.status, self.wrong = status, wrong


class Records:
    """The records of a service by resource and by its own ids."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.kept: dict[Resource, dict[int | str, Json]] = {resource: {} for resource in scenario.kinds}
        self.versions: dict[tuple[Resource, int | str], int] = {}
        self._last = 100
        for resource, rows in _samples(scenario).items():
            kind = scenario.kinds.get(resource)
            for fields in rows if kind is not None else ():
                self._keep(resource, _made(scenario, cast("Kind", kind), fields))

    def whole(self) -> dict[Resource, dict[int | str, Json]]:
        """A copy of all that there is."""
        return deepcopy(self.kept)

    def id_of(self, resource: Resource, record: Json) -> Any:
        """The id of a record."""
        return value_at(record, self.scenario.kinds[resource].fields[ALL_SPECS[resource][0].name])

    def found(self, resource: Resource, said: str) -> int | str:
        """The id that the text in a path means. Raises Refusal where there is none such."""
        own = self.scenario.kinds[resource].own_key
        for key, record in self.kept[resource].items():
            if str(record[own] if own else key) == said:
                return key
        raise Refusal(404, f"there is no {resource.value} {said}", wrong=False)

    def etag(self, resource: Resource, key: int | str) -> str:
        """The validator of a record."""
        if self.scenario.hashed:
            said = json.dumps(self.kept[resource][key], sort_keys=True)
            return f'"{hashlib.md5(said.encode(), usedforsecurity=False).hexdigest()}"'
        return f'"{self.versions.get((resource, key), 0)}"'

    # ------------------------------------------------------------ writes

    def create(self, resource: Resource, body: object) -> int | str:
        """Make a record of a body; its id."""
        kind = self.scenario.kinds[resource]
        record = deepcopy(self._checked(resource, body, whole=True))
        self._last += 1
        path = kind.fields[ALL_SPECS[resource][0].name]
        if not kind.client_ids:
            if value_at(record, path) is not None and not self.scenario.shared:
                raise Refusal(422, "ids are given here")
            put_at(record, path, self.scenario.spelled(resource, self._last))
        elif value_at(record, path) in (None, 0, *self.kept[resource]):
            raise Refusal(422, "an id has to be chosen, and none that there is")
        for way, value in kind.more.items():
            if way[0] in kind.own:
                put_at(record, way, deepcopy(value))
        return self._keep(resource, record)

    def change(self, resource: Resource, key: int | str, body: object) -> None:
        """Change a record as the scenario has it."""
        kind, old = self.scenario.kinds[resource], self.kept[resource][key]
        puts_whole = self.scenario.change == "PUT" and not self.scenario.puts_part
        new = deepcopy(self._checked(resource, body, whole=puts_whole))
        said = self.id_of(resource, new)
        if self.scenario.names_itself and (said is None or (kind.own_key and new[kind.own_key] != old[kind.own_key])):
            raise Refusal(400, "the body does not say which record it is")
        if said not in (None, key):
            raise Refusal(422, f"the body is of {said}, the path of {key}")
        if puts_whole:
            made = {name: old[name] for name in (*kind.own, kind.own_key) if name in old} | new
            put_at(made, kind.fields[ALL_SPECS[resource][0].name], key)
        else:
            deep = any(word in (self.scenario.patch_media or self.scenario.media) for word in ("merge", "vnd"))
            made = _merged(old, new) if deep else old | new
        self._keep(resource, made)

    def delete(self, resource: Resource, key: int | str) -> None:
        """Remove a record; the stock of a pet goes with it."""
        del self.kept[resource][key]
        if resource is Resource.PETS and Resource.INVENTORY in self.kept:
            self.kept[Resource.INVENTORY].pop(key, None)

    def another(self, resource: Resource, like: int | str, *, first: bool = False) -> int | str:
        """A colleague makes a record like this one, the last or the first of its list; its id."""
        self._last += 1
        record = deepcopy(self.kept[resource][like])
        put_at(
            record,
            self.scenario.kinds[resource].fields[ALL_SPECS[resource][0].name],
            self.scenario.spelled(resource, self._last),
        )
        key = self._keep(resource, record)
        if first:
            self.kept[resource] = {key: self.kept[resource].pop(key), **self.kept[resource]}
        return key

    def put(self, resource: Resource, key: int | str, field: str, value: object) -> None:
        """A colleague gives a field another value; `status` is one of the service's own words."""
        record = deepcopy(self.kept[resource][key])
        put_at(record, self.scenario.kinds[resource].fields[field], value)
        self._keep(resource, record)

    def _keep(self, resource: Resource, record: Json) -> int | str:
        key: int | str = self.id_of(resource, record)
        self._name_category(resource, record)
        self.kept[resource][key] = record
        self.versions[resource, key] = self.versions.get((resource, key), 0) + 1
        return key

    def _name_category(self, resource: Resource, record: Json) -> None:
        fields = self.scenario.kinds[resource].fields
        if CATEGORY_NAME not in fields or resource is not Resource.PETS:
            return
        number = cast("int | str | None", value_at(record, fields["category_id"]))
        names: dict[int | str, object] = {
            self.scenario.spelled(Resource.CATEGORIES, n): name for n, (name, _) in enumerate(CATEGORIES, 1)
        }
        for key, one in self.kept.get(Resource.CATEGORIES, {}).items():
            names[key] = value_at(one, self.scenario.kinds[Resource.CATEGORIES].fields["name"])
        if number is not None:
            put_at(record, fields[CATEGORY_NAME], names.get(number))

    # ------------------------------------------------------------ what is taken

    def _checked(self, resource: Resource, body: object, *, whole: bool) -> Json:
        """The record in a body, which must have all that is required if it is `whole`. Raises Refusal where the
        document has nothing like it."""
        kind = self.scenario.kinds[resource]
        if not isinstance(body, dict):
            raise Refusal(400, "an object is wanted")
        record = cast("Json", body)
        if self.scenario.shared:
            record = {name: value for name, value in record.items() if name not in kind.own}
        fields = {**kind.fields, **kind.writes}
        if kind.writes:
            fields.pop(CATEGORY_NAME, None)
        known = {path[0] for path in (*fields.values(), *kind.more)} - {*kind.own}
        known = known | {kind.own_key} if self.scenario.names_itself and kind.own_key else known - {kind.own_key}
        if strange := record.keys() - known:
            raise Refusal(422, f"{sorted(strange)} are not taken")
        if whole and (missing := [name for name in kind.required if name not in record]):
            raise Refusal(422, f"{missing} are missing")
        record = _as_kept(kind, record)
        for path, spec in specs_of(resource, kind).items():
            self._check(resource, spec, value_at(record, path))
        for path, value in kind.more.items():
            came = value_at(record, path)
            if path[-1] == "type" and came != value and (len(path) == 1 or value_at(record, path[:-1]) is not None):
                raise Refusal(409, f"the type is {value}, not {came}")
        return record

    def _check(self, resource: Resource, spec: FieldSpec, value: object) -> None:
        wanted = (int if self.scenario.ids == "int" else str,) if spec.kind is FieldKind.ID else (str,)
        if value is not None and type(value) not in _FIT.get(spec.kind, wanted):
            raise Refusal(422, f"{spec.name} is {value!r}")
        words = self.scenario.order_words if resource is Resource.ORDERS else self.scenario.statuses
        if spec.name == "status" and value is not None and value not in words:
            raise Refusal(422, f"{value} is no status here")
        other = {"category_id": Resource.CATEGORIES, "pet_id": Resource.PETS}.get(spec.name)
        if (
            other is not None
            and other in self.kept
            and other is not resource
            and value is not None
            and value not in self.kept[other]
        ):
            raise Refusal(422, f"there is no {other} {value}", wrong=False)


def _as_kept(kind: Kind, body: Json) -> Json:
    """A body with its fields where records have them."""
    record = deepcopy(body) if kind.writes else body
    for name, path in kind.writes.items():
        if path[0] in record:
            put_at(record, kind.fields[name], record.pop(path[0]))
    return record


def _samples(scenario: Scenario) -> dict[Resource, list[dict[str, Any]]]:
    """What the program calls the fields of the records that are there at first."""

    def key(resource: Resource, number: int) -> int | str:
        return scenario.spelled(resource, number)

    orders = [
        {
            "id": key(Resource.ORDERS, number),
            "pet_id": key(Resource.PETS, pet),
            "quantity": quantity,
            "ship_date": day,
            "complete": complete,
            "status": scenario.order_words[0] if scenario.order_words else None,
        }
        for number, (pet, quantity, day, complete) in enumerate(ORDERS, 1)
    ]
    return {
        Resource.CATEGORIES: [
            {"id": key(Resource.CATEGORIES, number), "name": name, "description": words}
            for number, (name, words) in enumerate(CATEGORIES, 1)
        ],
        Resource.PETS: [
            {
                "id": key(Resource.PETS, number),
                "name": name,
                "category_id": key(Resource.CATEGORIES, kind),
                "status": scenario.statuses[status],
            }
            for number, (name, kind, status) in enumerate(PETS, 1)
        ],
        Resource.ORDERS: orders,
        Resource.INVENTORY: [
            {
                "pet_id": key(Resource.PETS, number),
                "quantity": number * STOCK,
                "status": scenario.statuses[status],
                _OWN: 500 + len(PETS) - number,
            }
            for number, (_, _, status) in enumerate(PETS, 1)
        ],
    }


def _made(scenario: Scenario, kind: Kind, fields: Mapping[str, JsonValue]) -> Json:
    record: Json = {}
    for name, path in kind.fields.items():
        if name != CATEGORY_NAME:
            put_at(record, path, fields[name])
    if kind.own_key:
        record[kind.own_key] = fields[_OWN]
    for path, value in kind.more.items():
        put_at(record, path, deepcopy(value))
    return record


def _merged(old: Json, new: Json) -> Json:
    """RFC 7396."""
    made = dict(old)
    for name, value in new.items():
        inner = made.get(name)
        if isinstance(value, dict) and isinstance(inner, dict):
            made[name] = _merged(cast("Json", inner), cast("Json", value))
        elif value is None:
            made.pop(name, None)
        else:
            made[name] = value
    return made
