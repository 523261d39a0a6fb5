"""Converts rows of the mirror's tables to records and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, TypeAlias, cast

from msgspec import Struct

from petstore_desktop.domain.counts import NO_GAPS, Gaps
from petstore_desktop.domain.records import (
    FIELD_SPECS,
    FIELDS,
    FIRST_MIRROR,
    RECORD_TYPES,
    ContentId,
    Extra,
    FieldKind,
    Key,
    LocalId,
    Record,
    Resource,
    Row,
    RowBlock,
    StatusCount,
    StatusCounts,
    key_from_text,
    key_to_text,
)
from petstore_desktop.store.sqlite.typed_apsw import Connection, Value, Values, number

COUNTS_SINCE: Final = 11
"""The first version of mirror.db that has the service's own counts."""
TOLD_SINCE: Final = 12
"""The first version of mirror.db that tells its news to a history, instead of keeping what changed itself."""
GAPS_SINCE: Final = 13
"""The first version of mirror.db that has what could not be read, and what is missing."""
SCHEMA_VERSION: Final = max(
    FIRST_MIRROR, GAPS_SINCE, *(spec.mirrored_since for specs in FIELD_SPECS.values() for spec in specs)
)
"""The version of mirror.db that these rows are of; `schema` has as many steps."""

CONTENT: Final[Mapping[Resource, tuple[str, ...]]] = {resource: (*FIELDS[resource], "extra") for resource in Resource}
"""The columns of a row's content: a difference in any of them is a change."""

ROW_COLUMNS: Final[Mapping[Resource, str]] = {
    resource: ", ".join(("key", *CONTENT[resource], "etag", "seen_at")) for resource in Resource
}
"""The columns of a SELECT for `reader_of`, in order."""

_FOLDED: Final = (FieldKind.TEXT, FieldKind.WORD)

SORTABLE: Final[Mapping[Resource, Mapping[str, str]]] = {
    resource: {
        "key": "",
        "seen_at": "",
        **{spec.name: "COLLATE NOCASE " if spec.kind in _FOLDED else "" for spec in specs},
    }
    for resource, specs in FIELD_SPECS.items()
}
"""The columns that a reader may ask to be sorted by, and how each is compared."""

_Read: TypeAlias = Callable[[Values], Row]

_VALUES: Final = {resource: attrgetter(*names) for resource, names in FIELDS.items()}


class ListStatus(Struct, frozen=True):
    """The state of a list as a whole.

    `as_of`: when it was last walked to its end (UTC epoch seconds), None if never. `gaps`: what that walk did not show.
    `requests`: what that walk took, None where unknown. `etag`: of the list whose rows these are (the client's text),
    None where they may be others by now.
    """

    count: int
    as_of: float | None
    gaps: Gaps = NO_GAPS
    requests: int | None = None
    etag: str | None = None


def key_value(key: Key) -> int | str:
    """Convert a key to its column value. Raises ValueError for a LocalId: only records of the service are in the
    mirror."""
    if isinstance(key, int):
        return key
    if isinstance(key, LocalId):
        raise ValueError(f"not a key of the service: {key!r}")
    return key_to_text(key)


def key_of(value: Value) -> Key:
    """The inverse of `key_value`."""
    return value if isinstance(value, int) else key_from_text(cast("str", value))


def row_values(resource: Resource, row: Row) -> tuple[Value, ...]:
    """Convert a row to ROW_COLUMNS. Raises ValueError if it is of another resource or its key is a LocalId."""
    record = row.record
    extra = json.dumps(record.extra, sort_keys=True, separators=(",", ":")) if record.extra else None
    if type(record) is not RECORD_TYPES[resource]:
        raise ValueError(f"not one of the {resource}: {type(record).__name__}")
    content: tuple[Value, ...] = _VALUES[resource](record)
    return (key_value(row.key), *content, extra, row.etag, row.seen_at)


def facts_of(connection: Connection, resource: Resource) -> ListStatus:
    """Read the state of a list, with any connection to a mirror."""
    count = number(connection, f"SELECT count(*) FROM {resource.value}")
    found = connection.execute(
        "SELECT as_of, requests, etag, cut_at, set_aside, reasons, missing FROM fact WHERE resource = ?",
        (resource.value,),
    ).fetchone()
    if found is None:
        return ListStatus(count, None)
    as_of, requests, etag, cut_at, set_aside, reasons, missing = cast(
        "tuple[float, int | None, str | None, int | None, int, str | None, int]", found
    )
    return ListStatus(count, as_of, Gaps(cut_at, set_aside, reasons_of(reasons), missing), requests, etag)


def reasons_value(reasons: Sequence[str]) -> str | None:
    """The column value of why records could not be read."""
    return json.dumps(reasons) if reasons else None


def reasons_of(value: str | None) -> tuple[str, ...]:
    """The inverse of `reasons_value`."""
    return () if value is None else tuple(cast("list[str]", json.loads(value)))


def counts_of(connection: Connection) -> StatusCounts | None:
    """The service's own count of its pets, None where it has told none; with any connection to a mirror."""
    rows = connection.execute("SELECT status, counted, shown, as_of FROM status_count ORDER BY rowid").fetchall()
    said = cast("list[tuple[str, int, int, float]]", rows)
    return StatusCounts(said[0][3], tuple(StatusCount(*one[:3]) for one in said)) if said else None


def reader_of(resource: Resource) -> _Read:
    """The function that makes a Row of what a SELECT of ROW_COLUMNS returns. The casts hold: the tables are STRICT."""
    return _READERS[resource]


def block_of(resource: Resource, rows: Sequence[Values], words: dict[Value, Value]) -> RowBlock:
    """Convert the rows of a SELECT of key, CONTENT and seen_at to columns; `words`: shared status texts."""
    keys, *fields, extras, seen = (list(column) for column in zip(*rows, strict=True))
    columns = dict(zip(FIELDS[resource], fields, strict=True))
    for spec in FIELD_SPECS[resource]:
        if spec.kind is FieldKind.WORD:
            columns[spec.name] = [words.setdefault(word, word) for word in columns[spec.name]]
        elif spec.kind is FieldKind.FLAG:
            columns[spec.name] = [None if value is None else bool(value) for value in columns[spec.name]]
    return RowBlock(
        resource,
        keys if type(keys[-1]) is int else [key_of(key) for key in keys],  # numbers come first
        columns,
        seen,
        {place: extra_of(text) for place, text in enumerate(extras) if text is not None},
    )


def extra_of(text: str | None) -> Extra:
    """The unknown fields of a row."""
    return {} if text is None else cast("Extra", json.loads(text))


def _reader(resource: Resource) -> _Read:
    make = cast("Callable[..., Record]", RECORD_TYPES[resource])
    flags = [place for place, spec in enumerate(FIELD_SPECS[resource]) if spec.kind is FieldKind.FLAG]

    def read(values: Values) -> Row:
        stored, *content, extra, etag, seen_at = cast("tuple[Any, ...]", values)
        for place in flags:
            content[place] = None if content[place] is None else bool(content[place])
        key = key_of(stored)
        return Row(key, make(None if isinstance(key, ContentId) else key, *content, extra_of(extra)), seen_at, etag)

    return read


_READERS: Final[Mapping[Resource, _Read]] = {resource: _reader(resource) for resource in Resource}
