"""What a deletion rests on beside the known fields of its record: the fields that the program does not know, and, of a
pet, its stock and orders, which go with it. Pure.

They stand among the fields that a person saw (`Change.base`), so that they are compared, shown and accepted as any
other field is.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Final, cast

from msgspec.structs import replace

from petstore_desktop.domain.changes import Delete, Fields, NewChange
from petstore_desktop.domain.records import (
    FIELDS,
    Extra,
    FieldValue,
    JsonValue,
    Key,
    Record,
    Ref,
    Resource,
    key_from_text,
    key_to_text,
    plain,
    resource_of,
)

EXTRA: Final = "extra"
"""The name of one text of all unknown fields."""
STOCK: Final = "stock"
"""The quantity of a pet."""
ORDERS: Final = "orders"
"""The name of one text of the keys of a pet's orders."""
ID: Final = "id"
"""The id; None where the record may be a colleague's (`FOUND_ALIKE`), so that no record is as it was seen."""
_STAMPS: Final = frozenset({"updated", "updatedat", "modified", "modifiedat", "lastmodified", "version", "revision"})
"""Fields that services keep by themselves: they move with whatever else does, and say nothing alone."""


def extra_text(extra: Extra) -> str:
    """Unknown fields as one text: equal ones give the same."""
    return json.dumps(extra, sort_keys=True, separators=(",", ":"))


def extra_of(text: FieldValue) -> Extra:
    """The inverse of `extra_text`; nothing of any other value."""
    try:
        found: object = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        return {}
    return cast("Extra", found) if isinstance(found, dict) else {}


def shown_fields(record: Record) -> dict[str, FieldValue]:
    """All of a record that was shown, as a deletion rests on it."""
    known = {name: getattr(record, name) for name in FIELDS[resource_of(record)]}
    return {**known, EXTRA: extra_text(record.extra)}


def with_base(new: NewChange, image: Record | None, dependents: Fields) -> NewChange:
    """A deletion with all that it is compared with, where the one who acted did not say so. `image`: the record as it
    is known now, None where it is not; `dependents`: see `dependent_fields`."""
    if not isinstance(new.intent, Delete):
        return new
    shown: Fields = {} if image is None else {EXTRA: extra_text(image.extra)}
    return replace(new, base={**dependents, **shown, **new.base})


def dependent_fields(quantity: int | None, orders: Collection[Key]) -> Fields:
    """What goes with a pet: its stock and its orders."""
    return {STOCK: quantity, ORDERS: json.dumps(sorted(key_to_text(key) for key in orders))}


def dependent_refs(pet: Key, seen: Fields) -> tuple[Ref, ...]:
    """The records that go with a pet, as the fields of `dependent_fields` say."""
    orders = (Ref(Resource.ORDERS, key_from_text(key)) for key in sorted(_orders(seen.get(ORDERS))))
    return (Ref(Resource.INVENTORY, pet), *orders) if STOCK in seen or ORDERS in seen else ()


def came_since(seen: Fields, now: Fields) -> Fields:
    """What hangs on a pet now, and is another stock, or more orders, than was seen. No stock is as good as none
    left."""
    moved = STOCK in seen and (seen[STOCK] or 0) != (now.get(STOCK) or 0)
    more = ORDERS in seen and _orders(now.get(ORDERS)) - _orders(seen[ORDERS])
    return {name: now.get(name) for name, is_other in ((STOCK, moved), (ORDERS, more)) if is_other}


def _orders(text: FieldValue) -> frozenset[str]:
    found: object = json.loads(text) if isinstance(text, str) else None
    return frozenset(cast("list[str]", found)) if isinstance(found, list) else frozenset()


def moved_extra(seen: Extra, now: Extra, hidden: Collection[str] = ()) -> Mapping[str, JsonValue]:
    """The unknown fields whose values differ from those seen; None if one is gone. An empty field counts as missing.
    `hidden`: names, in lower case, of fields not shown when they were seen."""
    before, after = _telling(seen), _telling(now)
    names = [*before, *(name for name in after if name not in before and plain(name) not in hidden)]
    return {name: after.get(name) for name in names if before.get(name) != after.get(name)}


def by_name(fields: Fields, seen: Fields) -> Fields:
    """Fields as a person reads them: the unknown ones by their own names, as far as they are others than was seen."""
    now = extra_of(fields.get(EXTRA))
    moved: Mapping[str, JsonValue] = moved_extra(extra_of(seen.get(EXTRA)), now) if EXTRA in fields else {}
    known = {name: value for name, value in fields.items() if name != EXTRA}
    if ORDERS in known:
        new = _orders(known[ORDERS]) - _orders(seen.get(ORDERS))
        known[ORDERS] = ", ".join(f"#{key}" if key.isdigit() else "?" for key in sorted(new))
    return {**known, **{name: _read(value) for name, value in moved.items()}}


def _read(value: JsonValue) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _telling(extra: Extra) -> dict[str, JsonValue]:
    empty: tuple[JsonValue, ...] = (None, "", [], {})
    return {name: value for name, value in extra.items() if value not in empty and plain(name) not in _STAMPS}
