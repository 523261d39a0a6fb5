"""How the records of a service name other records: by id, by name, or by an address that ends with the id.

A reference is written only in the form in which records carry it. Where none does, the document tells of ids alone: by
a type that no name has, or by what the field is called. A form that nothing shows is not written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec import Struct

from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import Fields
from petstore_desktop.domain.records import (
    FIELD_SPECS,
    FieldSpec,
    FieldValue,
    Ref,
    Resource,
    ServiceId,
    id_of_text,
    plain,
)
from petstore_desktop.store.mirror.mirror import Mirror

REFERENCES: Final[Mapping[str, Resource]] = {"category_id": Resource.CATEGORIES, "pet_id": Resource.PETS}
"""The fields that name another record, and of which list that is."""
_SAMPLES: Final = 50
_OF_IDS: Final = ("id", "uuid", "guid", "oid", "key")


class ReferenceForm(Struct, frozen=True):
    """`by_name`: a record is named by its name; else by its id, between `before` and `after`: an address may end with
    a slash."""

    by_name: bool = False
    before: str = ""
    after: str = ""

    def around(self, value: ServiceId) -> ServiceId:
        """The id as records carry it."""
        return f"{self.before}{value}{self.after}" if self.before else value

    def fits(self, value: ServiceId) -> bool:
        """Whether the value, which is no name, has this form already."""
        text = str(value)
        return not self.before or (text.startswith(self.before) and text.endswith(self.after))


class References:
    """The references of one connection. `contract`: what the service offers now."""

    def __init__(self, mirror: Mirror, contract: Callable[[], Contract]) -> None:
        self._mirror, self._contract = mirror, contract
        self._of: Contract | None = None
        self._seen: dict[tuple[Resource, str], ReferenceForm] = {}

    def written(self, operation: Operation, fields: Fields) -> dict[str, FieldValue] | None:
        """The fields as they are to be sent; None where it is not known how one of them is. Raises StorageError."""
        said = dict(fields)
        for spec in FIELD_SPECS[operation.op.resource]:
            value = fields.get(spec.name)
            if spec.name in REFERENCES and isinstance(value, ServiceId):
                found = self._value(operation, spec, value)
                if found is None:
                    return None
                said[spec.name] = found
        return said

    def read(self, resource: Resource, fields: Fields) -> dict[str, FieldValue]:
        """The fields as answers would have them, as far as that is known. Raises StorageError."""
        said = dict(fields)
        for name, value in fields.items():
            form = self._form(resource, name) if name in REFERENCES else None
            if form is not None and isinstance(value, ServiceId):
                said[name] = self._in_form(form, REFERENCES[name], value, ()) or value
        return said

    def _value(self, operation: Operation, spec: FieldSpec, value: ServiceId) -> ServiceId | None:
        resource, other = operation.op.resource, REFERENCES[spec.name]
        if not self._contract().offers(other, Verb.LIST):
            return value  # there is nothing that it could be compared with
        form = self._form(resource, spec.name)
        if form is None:
            return value if _names_ids(operation, spec, value) else None
        return self._in_form(form, other, value, self._mirror.carried(resource, spec.name, _SAMPLES))

    def _in_form(
        self, form: ReferenceForm, other: Resource, value: ServiceId, carried: Iterable[FieldValue]
    ) -> ServiceId | None:
        """The value in this form; None where it names nothing of the other list, or more than one."""
        if not form.by_name and form.fits(value):
            return value
        row = self._mirror.get(Ref(other, value))
        if not form.by_name:
            return None if row is None else form.around(value)
        name = value if row is None else getattr(row.record, "name", "")
        known = len(self._mirror.named(other, str(name)))
        return name if known == 1 or (row is None and value in carried) else None  # else it may be another one's

    def _form(self, resource: Resource, name: str) -> ReferenceForm | None:
        """The form in which most records carry it; None where no record does, or none that its list has."""
        if self._of is not self._contract():
            self._of, self._seen = self._contract(), {}
        if (resource, name) not in self._seen:
            other = REFERENCES[name]
            carried = self._mirror.carried(resource, name, _SAMPLES)
            found = [form for value in carried if (form := self._form_of(other, value)) is not None]
            if not found:
                return None
            self._seen[resource, name] = max(found, key=found.count)
        return self._seen[resource, name]

    def _form_of(self, other: Resource, value: FieldValue) -> ReferenceForm | None:
        """How this value names one of the other list."""
        if not isinstance(value, ServiceId):
            return None
        if self._mirror.get(Ref(other, value)) is not None:
            return ReferenceForm()
        if not isinstance(value, str):
            return None
        if self._mirror.named(other, value):
            return ReferenceForm(by_name=True)
        address = value.rstrip("/")
        before, slash, last = address.rpartition("/")
        key = id_of_text(last)
        at_end = slash and key is not None and self._mirror.get(Ref(other, key)) is not None
        return ReferenceForm(before=before + slash, after=value.removeprefix(address)) if at_end else None


def _names_ids(operation: Operation, spec: FieldSpec, value: ServiceId) -> bool:
    """Whether the document says that the field of a body is an id, and this may be one."""
    path = operation.writes.path(spec)
    kind = operation.body_types.get(".".join(path), "")
    return plain(path[-1] if path else "").endswith(_OF_IDS) or (
        kind in ("integer", "number") and isinstance(value, int)
    )
