"""What a deletion rests on beside the known fields of its record: the fields that the program does not know. Pure.

Among the fields that a person saw (`Change.base`) stands one text of all of them, so that it is compared, shown and
accepted as any other field is.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final, cast

from petstore_desktop.domain.changes import Delete, Fields, FieldValue, NewChange
from petstore_desktop.domain.records import FIELDS, Extra, JsonValue, Record, resource_of

EXTRA: Final = "extra"
"""The name of that text."""
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


def resting_on(new: NewChange, image: Record | None) -> NewChange:
    """A deletion with all that it is compared with, where the one who acted did not say so. `image`: the record as it
    is known now."""
    if not isinstance(new.intent, Delete) or image is None or EXTRA in new.base:
        return new
    return replace(new, base={**new.base, EXTRA: extra_text(image.extra)})


def moved_extra(seen: Extra, now: Extra, hidden: Collection[str] = ()) -> Mapping[str, JsonValue]:
    """Which of the unknown fields have other values now than were seen; None where one is gone. An empty field is as
    good as none. `hidden`: what is not shown where they were seen."""
    before, after = _telling(seen), _telling(now)
    names = [*before, *(name for name in after if name not in before and name not in hidden)]
    return {name: after.get(name) for name in names if before.get(name) != after.get(name)}


def by_name(fields: Fields, seen: Fields) -> Fields:
    """Fields as a person reads them: the unknown ones by their own names, as far as they are others than was seen."""
    if EXTRA not in fields:
        return fields
    moved = moved_extra(extra_of(seen.get(EXTRA)), extra_of(fields[EXTRA]))
    known = {name: value for name, value in fields.items() if name != EXTRA}
    return {**known, **{name: _read(value) for name, value in moved.items()}}


def _read(value: JsonValue) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _telling(extra: Extra) -> dict[str, JsonValue]:
    empty: tuple[JsonValue, ...] = (None, "", [], {})
    plain = {name: "".join(letter for letter in name.lower() if letter.isalnum()) for name in extra}
    return {name: value for name, value in extra.items() if value not in empty and plain[name] not in _STAMPS}
