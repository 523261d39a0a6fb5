"""A desk at the service of a scenario, and what its books must hold after what a person did there.

seat = Seat(loop, service, folder)
ids = seat.edit(Resource.PETS, key, name="Rex II")   # by the service's own id; values as the service spells them
seat.done(ids)
seat.judge()                                          # its books are as before, but for what was expected
"""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import put_at
from petstore_desktop.domain.changes import Change, ChangeState, Create, Delete, NewChange, SetFields, SetStock
from petstore_desktop.domain.commands import Revert, UseKey
from petstore_desktop.domain.records import FIELD_SPECS, FieldKind, LocalId, Ref, Resource
from petstore_desktop.sync.wire.events import ContractRead, Undone
from tests.support.services.records import CATEGORIES
from tests.support.services.scenario import CATEGORY_NAME
from tests.support.services.service import Service
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_time import VirtualTime

OVER = (ChangeState.DONE, ChangeState.CONFLICT, ChangeState.REFUSED, ChangeState.DISCARDED)
VALUES: dict[str, Any] = {
    "name": "Zoë “the third” \N{DOG FACE}",
    "description": "Quiet; half-blind",
    "quantity": 41,
    "ship_date": "2026-12-24T08:00:00Z",
}
"""What fields are given; the others are given what is next among their own."""


def as_read(value: Any) -> Any:
    """How the program reads an id: digits in a text are a number."""
    return int(value) if isinstance(value, str) and value.isdigit() and str(int(value)) == value else value


class Seat:
    """One person there. `expected`: what the service's books are to hold."""

    def __init__(self, loop: VirtualTime, service: Service, data: Path, profile: str | None = None) -> None:
        """`profile`: that which the connection follows, by its file or its name, if any."""
        self.loop, self.service, self.scenario = loop, service, service.scenario
        said = {"bindings": service.bindings, "document": profile}
        self.desk = VirtualDesk(loop, service, data, per_minute=60_000, per_day=6_000_000, **said)
        self.sit_down()
        self.expected = service.records.whole()

    def sit_down(self) -> None:
        """Give the further keys, and wait until all is read."""
        if self.service.further:
            self.desk.submit(UseKey("", self.service.further))
        self.desk.wait_idle()

    @property
    def contract(self) -> Contract:
        """What the program knows of the service."""
        return self.desk.of(ContractRead)[-1].contract

    # ------------------------------------------------------------ what a person does

    def keys(self, resource: Resource) -> list[Any]:
        """The service's ids of all that it has."""
        return list(self.service.kept[resource])

    def next_value(self, resource: Resource, key: Any, field: str) -> Any:
        """Another value for a field, as the service spells it."""
        now = self.service.value(resource, key, field)
        if field == "complete":
            return not now
        if field in ("category_id", "status"):
            of_kind = (self.scenario.spelled(Resource.CATEGORIES, number) for number in range(1, len(CATEGORIES) + 1))
            choices = list(of_kind) if field == "category_id" else list(self.scenario.statuses)
            return choices[(choices.index(now) + 1) % len(choices)]
        return VALUES[field]

    def change(self, resource: Resource, key: Any, **fields: Any) -> NewChange:
        """The act that gives fields of a record other values."""
        shown = self.desk.rows[resource][as_read(key)]
        base = {name: getattr(shown, name) for name in fields}
        values = {name: self._of_program(resource, name, value) for name, value in fields.items()}
        intent = SetStock(fields["quantity"]) if resource is Resource.INVENTORY else SetFields(values)
        return NewChange(self.ref(resource, key), intent, base)

    def edit(self, resource: Resource, key: Any, **fields: Any) -> tuple[int, ...]:
        """Give fields other values, which are expected from now on."""
        act = self.change(resource, key, **fields)
        for name, value in fields.items():
            self.expect(resource, key, name, value)
        return self.desk.apply(act)

    def create(self, resource: Resource, **fields: Any) -> tuple[int, ...]:
        """Make a record."""
        values = {name: self._of_program(resource, name, value) for name, value in fields.items()}
        return self.desk.apply(NewChange(Ref(resource, LocalId.new()), Create(values), {}))

    def delete(self, resource: Resource, key: Any) -> tuple[int, ...]:
        """Delete a record, as it is expected from now on."""
        del self.expected[resource][key]
        if resource is Resource.PETS and Resource.INVENTORY in self.expected:
            self.expected[Resource.INVENTORY].pop(key, None)
        return self.desk.apply(NewChange(self.ref(resource, key), Delete(), {}))

    def undo(self, ids: tuple[int, ...]) -> tuple[int, ...]:
        """Undo the batch of these changes; the ids of its opposites, once they have come to an end."""
        known = set(self.desk.changes)
        self.desk.submit(Revert(self.desk.changes[ids[0]].batch))
        self.desk.wait(lambda: self.desk.of(Undone), "the undo is saved")
        made = tuple(sorted(set(self.desk.changes) - known))
        self.over(made)
        return made

    def ref(self, resource: Resource, key: Any) -> Ref:
        """How the program names a record."""
        return Ref(resource, as_read(key))

    def _of_program(self, resource: Resource, name: str, value: Any) -> Any:
        spec = next(spec for spec in FIELD_SPECS[resource] if spec.name == name)
        return as_read(value) if spec.kind is FieldKind.ID else value

    # ------------------------------------------------------------ what came of it

    def expect(self, resource: Resource, key: Any, name: str, value: Any) -> None:
        """From now on the service is to have this value in a field, and nothing else is to differ."""
        kind, record = self.scenario.kinds[resource], deepcopy(self.expected[resource][key])
        put_at(record, kind.fields[name], value)
        if name == "category_id" and CATEGORY_NAME in kind.fields:
            names = {self.scenario.spelled(Resource.CATEGORIES, n): one[0] for n, one in enumerate(CATEGORIES, 1)}
            put_at(record, kind.fields[CATEGORY_NAME], names[value])
        self.expected[resource][key] = record

    def over(self, ids: tuple[int, ...]) -> None:
        """Wait until these changes have come to an end, whichever."""
        for id_ in ids:
            self.desk.wait(lambda id_=id_: self._is_over(self.desk.changes[id_]), f"{id_} has come to an end")

    @staticmethod
    def _is_over(change: Change) -> bool:
        return change.state in OVER or change.needs_person

    def done(self, ids: tuple[int, ...]) -> None:
        """Wait until these changes are done."""
        self.over(ids)
        assert all(self.desk.state(id_) is ChangeState.DONE for id_ in ids), [self.told(id_) for id_ in ids]

    def told(self, id_: int) -> tuple[str, str, str]:
        """The state of a change, with the code and the words of its reason."""
        change: Change = self.desk.changes[id_]
        return change.state.value, change.reason.code if change.reason else "", str(change.reason or "")[:300]

    def made(self, resource: Resource) -> Any:
        """The one record that is new, which is expected from now on."""
        (key,) = self.service.kept[resource].keys() - self.expected[resource].keys()
        self.expected[resource][key] = deepcopy(self.service.kept[resource][key])
        return key

    def judge(self) -> None:
        """The service holds what is expected, and nothing was asked of it that its document does not say."""
        for resource, rows in self.expected.items():
            assert self.service.kept[resource].keys() == rows.keys(), resource
            for key, record in rows.items():
                assert self.service.kept[resource][key] == record
        assert self.service.complaints == []
