"""Where a service keeps the fields of its records, where that is not where the specification has them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias, cast

from petstore_desktop.domain.records import ALL_SPECS, WIRE_FIELDS, FieldKind, FieldSpec, JsonValue, Resource

Path: TypeAlias = tuple[str, ...]
"""The names that lead to a value in JSON, outermost first: `("category", "id")`."""
NOWHERE: Final[Path] = ()
"""The path of a field that the service does not have."""

ATTRIBUTES: Final = "attributes"
"""Where JSON:API (1.1, 7.2.2) keeps the fields of a record, beside its id and type."""


@dataclass(frozen=True, slots=True)
class FieldMap:
    """Where the fields of one resource's records lie in JSON.

    `paths`: by the field's name in records, those alone that lie elsewhere than the specification says; `told`: the
    document describes the records, so that their own names need not be looked at.
    """

    paths: Mapping[str, Path] = field(default_factory=dict[str, Path])
    told: bool = False

    def path(self, spec: FieldSpec) -> Path:
        """Where a field lies."""
        return self.paths.get(spec.name, (spec.wire,))

    @property
    def mark(self) -> str:
        """What tells it from others, empty where all is as the specification says."""
        said = ";".join(f"{name}={'.'.join(path)}" for name, path in sorted(self.paths.items()))
        return f"&{said}" if said else ""

    def known(self, resource: Resource) -> frozenset[str]:
        """The names that hold a field itself: they are not among what the program does not know."""
        return frozenset(path[0] for spec in ALL_SPECS[resource] if len(path := self.path(spec)) == 1)

    def begins(self, resource: Resource) -> frozenset[str]:
        """The names at the top of a record at which its fields are, or lie deeper."""
        if not self.paths:
            return WIRE_FIELDS[resource]
        return frozenset(path[0] for spec in ALL_SPECS[resource] if (path := self.path(spec)))

    def references(self, resource: Resource) -> frozenset[str]:
        """The names at the top of a record under which another record stands, known by its id."""
        specs = (spec for spec in ALL_SPECS[resource][1:] if spec.kind is FieldKind.ID)
        return frozenset(path[0] for spec in specs if len(path := self.path(spec)) > 1)


SAME = FieldMap()
"""All fields lie where the specification says."""


def paths_by_hand(said: Mapping[str, str]) -> dict[Resource, dict[str, Path]]:
    """What a person said of fields, `pets.name` to `title.en`, among what else was said."""
    found: dict[Resource, dict[str, Path]] = {}
    for resource, specs in ALL_SPECS.items():
        for spec in specs:
            path = tuple(said.get(f"{resource.value}.{spec.name}", "").split("."))
            if all(path):
                found.setdefault(resource, {})[spec.name] = path
    return found


def value_at(value: object, path: Path) -> object:
    """What lies there; None where nothing does."""
    for name in path:
        value = cast("Mapping[str, object]", value).get(name) if isinstance(value, Mapping) else None
    return value


def put_at(body: dict[str, object], path: Path, value: object) -> None:
    """Put a value there. Objects on the way are copied, so that what they were taken from stays as it was."""
    for name in path[:-1]:
        inner = body.get(name)
        body[name] = body = dict(cast("Mapping[str, object]", inner)) if isinstance(inner, Mapping) else {}
    body[path[-1]] = value


def cut_at(body: dict[str, JsonValue], path: Path) -> None:
    """Take the value there out, if there is one: the inverse of `put_at`."""
    if value_at(body, path) is None:
        return
    for name in path[:-1]:
        body[name] = inner = dict(cast("dict[str, JsonValue]", body[name]))
        body = inner
    del body[path[-1]]
