"""The names and types of a record's fields, as a schema or the records that came show them. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Final, cast

from msgspec import Struct, field
from msgspec.structs import replace

SAMPLES: Final = 50
"""Records that are looked at."""
DEPTH: Final = 4
"""Objects in one another that are looked into: `relationships`, `category`, `data`, and the id in it."""
_TYPES: Final[Mapping[type, str]] = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array"}


class Seen(Struct, frozen=True):
    """A value: its type as JSON Schema names it, empty where nothing tells, the fields of an object, the words of which
    a text is one, and whether it is a day without a time. `hidden`: it is only sent, and no answer shows it
    (`writeOnly`); `given`: answers alone have it (`readOnly`)."""

    type: str = ""
    fields: Mapping[str, Seen] = field(default_factory=dict[str, "Seen"])
    words: tuple[str, ...] = ()
    day: bool = False
    hidden: bool = False
    given: bool = False

    def shown(self) -> Seen:
        """The value without what no answer shows."""
        fields = {name: node.shown() for name, node in self.fields.items() if not node.hidden}
        return replace(self, fields=fields)

    def sent(self, kept: Iterable[str] = ()) -> Seen:
        """The value without what is never sent, but for these names."""
        fields = {name: node for name, node in self.fields.items() if not node.given or name in kept}
        return replace(self, fields=fields)

    def at(self, path: Iterable[str]) -> Seen:
        """The value at this path; `Seen()`, of which nothing is known, where there is none."""
        seen = self
        for name in path:
            seen = seen.fields.get(name, Seen())
        return seen


def shape_of(records: Iterable[object]) -> Hashable | None:
    """The names and types of flat records, equal only for those of which `in_values` says the same; None where
    something is nested, or has the name under which JSON:API says what a record is."""
    shapes = set[tuple[type, tuple[str, ...], tuple[type, ...]]]()
    for one in records:
        value = cast("dict[str, object]", one if isinstance(one, dict) else {})
        shapes.add((type(cast("object", one)), tuple(value), tuple(map(type, value.values()))))
    nested = any("type" in names or not {dict, list}.isdisjoint(types) for _, names, types in shapes)
    return None if nested else frozenset(shapes)


def in_values(values: Iterable[object], depth: int = DEPTH) -> Seen:
    """What some values of one place have in common: a field counts once one of them has it; where their types differ,
    nothing tells."""
    types = set[str]()
    inner: dict[str, list[object]] = {}
    for value in values:
        if isinstance(value, Mapping):
            types.add("object")
            for name, item in cast("Mapping[str, object]", value).items():
                inner.setdefault(name, []).append(item)
        elif value is not None:
            types.add(_TYPES.get(type(value), "null"))
    fields = {name: in_values(items, depth - 1) for name, items in inner.items()} if depth else {}
    return Seen(types.pop() if len(types) == 1 else "", fields)
