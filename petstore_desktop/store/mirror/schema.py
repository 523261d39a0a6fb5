"""The tables of mirror.db: one for each resource, what was walked when, and the counter of sequences.

Besides its record's fields each row has `extra` (JSON of the fields that the program does not know, NULL for none),
`etag`, `seen_at` (UTC epoch seconds), `sequence` (of the answer that wrote it), `walk` (the last walk that saw it),
`changed` (a number of the `put` that last changed its content) and `born` (of the one that brought it). Keys are
integers, or texts: `text:<id>`, and `content:<digest>` for orders without an id. Fields that name a record hold its id.

`identity` names the file, for the history that is told what changes in it, with the number of the last news. Until
version 11 the table `sighting` held each value that an answer showed changed.

Two indexes count what names a record, for the first paint: before all orders, or all pets, are read.

What tells which rows changed since a midnight: see `observed_changes`.

`origin` names the address of the service that said all this.

A field that the program learns later is a version of its own. What the service said of it lies in `extra` until then:
it is moved from there, in what `former` keeps of a row too, and none of that is a change of the row.

`status_count` holds how many pets of each status the service itself counted at `as_of`, and how many of them its lists
had `shown` by then.

Of a walk, and of the last one that came to its end, it is kept how many requests it took, and how many records could
not be read (`set_aside`, with JSON of the first `reasons`); of a walk also how many rows the service says that there
are, and of one that ended how many records it did not show that may be there all the same (`missing`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from petstore_desktop.domain.records import FIELD_SPECS, FIRST_MIRROR, FieldKind, FieldSpec, Resource
from petstore_desktop.store.mirror.observed_changes import FORMER, STEP, former_trigger
from petstore_desktop.store.mirror.recorder import IDENTITY
from petstore_desktop.store.mirror.rows import COUNTS_SINCE, GAPS_SINCE, SCHEMA_VERSION, TOLD_SINCE
from petstore_desktop.store.sqlite.database import DatabaseKind

_COMMON: Final = (
    "extra TEXT, etag TEXT, seen_at REAL NOT NULL, sequence INTEGER NOT NULL, walk INTEGER, changed INTEGER NOT NULL"
)


def _fields(resource: Resource, version: int) -> list[str]:
    """The fields that have columns in this version."""
    return [spec.name for spec in FIELD_SPECS[resource] if spec.mirrored_since <= version]


def _trigger(resource: Resource, version: int = FIRST_MIRROR) -> str:
    table, fields = resource.value, _fields(resource, version)
    moved = " OR ".join(f"old.{name} IS NOT new.{name}" for name in fields)
    each = "".join(
        "INSERT INTO sighting (resource, key, field, old, new, seen, since) "
        f"SELECT '{table}', new.key, '{name}', old.{name}, new.{name}, new.seen_at, old.seen_at "
        f"WHERE old.{name} IS NOT new.{name}; "
        for name in fields
    )
    return f"CREATE TRIGGER {table}_moved AFTER UPDATE OF {', '.join(fields)} ON {table} WHEN {moved} BEGIN {each}END"


_TYPES: Final[Mapping[type, tuple[str, str]]] = {
    int: ("INTEGER", "'integer'"),
    str: ("TEXT", "'text'"),
    bool: ("INTEGER", "'true', 'false'"),
}
"""The type of a column, and the types that JSON has for its values."""


def _column(spec: FieldSpec) -> str:
    needed = "" if spec.optional else " NOT NULL"
    return ("ANY" if spec.kind is FieldKind.ID else _TYPES[spec.kind.type][0]) + needed


def _moved(spec: FieldSpec, extra: str) -> tuple[str, str]:
    """Move a value from the JSON of unknown fields into its new column, and return the rest; a value of another type
    stays in the JSON."""
    column, kinds = _TYPES[spec.kind.type]
    place = f"{extra}, '$.\"{spec.wire}\"'"
    fits = f"json_type({place}) IN ({kinds}) AND typeof(json_extract({place})) = '{column.lower()}'"
    value = f"CASE WHEN {fits} THEN json_extract({place}) END"
    left = f"CASE WHEN ({fits}) OR json_type({place}) = 'null' THEN json_remove({place}) ELSE {extra} END"
    return value, f"nullif('' || {left}, '{{}}')"  # joined to a text, it is one for json_array too


def _adding(resource: Resource, spec: FieldSpec) -> tuple[str, ...]:
    """The steps to the first version that has this field."""
    table, since = resource.value, spec.mirrored_since
    value, left = _moved(spec, "extra")
    before = _fields(resource, since - 1)
    held = {name: f"json_extract(content, '$[{place}]')" for place, name in enumerate((*before, "extra"))}
    held[spec.name], held["extra"] = _moved(spec, held["extra"])
    content = ", ".join(held[name] for name in (*_fields(resource, since), "extra"))
    told = since > TOLD_SINCE
    return (
        *(() if told else (f"DROP TRIGGER {table}_moved",)),
        f"DROP TRIGGER {table}_former",
        f"ALTER TABLE {table} ADD COLUMN {spec.name} {_TYPES[spec.kind.type][0]}",
        f"UPDATE {table} SET {spec.name} = {value}, extra = {left} WHERE extra IS NOT NULL",
        f"UPDATE former SET content = json_array({content}) WHERE resource = '{table}'",
        *(() if told else (_trigger(resource, since),)),
        former_trigger(resource, _fields(resource, since)),
    )


_COUNTS: Final = """
    CREATE TABLE status_count (
        status TEXT NOT NULL, counted INTEGER NOT NULL, shown INTEGER NOT NULL, as_of REAL NOT NULL
    ) STRICT
"""


_GAPS: Final = (
    *(f"ALTER TABLE {table} ADD COLUMN set_aside INTEGER NOT NULL DEFAULT 0" for table in ("fact", "walk")),
    *(f"ALTER TABLE {table} ADD COLUMN reasons TEXT" for table in ("fact", "walk")),
    "ALTER TABLE fact ADD COLUMN missing INTEGER NOT NULL DEFAULT 0",
)


_WITHOUT_SIGHTINGS: Final = (
    *(f"DROP TRIGGER {resource.value}_moved" for resource in Resource),
    "DROP TABLE sighting",
)


def _step(version: int) -> tuple[str, ...]:
    added = ((resource, spec) for resource, specs in FIELD_SPECS.items() for spec in specs)
    steps = tuple(sql for where, spec in added if spec.mirrored_since == version for sql in _adding(where, spec))
    extra = {COUNTS_SINCE: (_COUNTS,), TOLD_SINCE: (*_WITHOUT_SIGHTINGS, *IDENTITY), GAPS_SINCE: _GAPS}
    return (*steps, *extra.get(version, ()))


def _with_any_key(resource: Resource) -> tuple[str, ...]:
    """The steps to the version in which ids may be texts."""
    table, fields = resource.value, _fields(resource, FIRST_MIRROR)
    specs = {spec.name: spec for spec in FIELD_SPECS[resource]}
    columns = ", ".join(f"{name} {_column(specs[name])}" for name in fields)
    named = [spec.name for spec in specs.values() if spec.kind is FieldKind.ID]
    all_ = ", ".join(("key", *fields, "extra", "etag", "seen_at", "sequence", "walk", "changed", "born"))
    return (
        f"""CREATE TABLE any_key (
            key ANY NOT NULL PRIMARY KEY, {columns}, {_COMMON}, born INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID""",
        f"INSERT INTO any_key ({all_}) SELECT {all_} FROM {table} ORDER BY key",
        f"DROP TABLE {table}",
        f"ALTER TABLE any_key RENAME TO {table}",
        *(f"CREATE INDEX {table}_of ON {table} ({name})" for name in named),
        _trigger(resource),
        former_trigger(resource, fields),
    )


_STEPS = (
    (
        f"""CREATE TABLE pets (
            key INTEGER PRIMARY KEY, name TEXT NOT NULL, category_id INTEGER, status TEXT, {_COMMON}
        ) STRICT""",
        f"CREATE TABLE categories (key INTEGER PRIMARY KEY, name TEXT NOT NULL, description TEXT, {_COMMON}) STRICT",
        f"""CREATE TABLE orders (
            key ANY NOT NULL PRIMARY KEY, pet_id INTEGER, quantity INTEGER, ship_date TEXT, complete INTEGER, {_COMMON}
        ) STRICT, WITHOUT ROWID""",
        f"CREATE TABLE inventory (key INTEGER PRIMARY KEY, quantity INTEGER NOT NULL, status TEXT, {_COMMON}) STRICT",
        "CREATE TABLE fact (resource TEXT PRIMARY KEY, as_of REAL NOT NULL, cut_at INTEGER) STRICT, WITHOUT ROWID",
        "CREATE TABLE walk (resource TEXT PRIMARY KEY, number INTEGER NOT NULL, cursor TEXT) STRICT, WITHOUT ROWID",
        "CREATE TABLE counter (id INTEGER PRIMARY KEY CHECK (id = 1), sequence INTEGER NOT NULL) STRICT",
        "INSERT INTO counter VALUES (1, 0)",
    ),
    (
        "ALTER TABLE fact ADD COLUMN requests INTEGER",
        "ALTER TABLE fact ADD COLUMN etag TEXT",
        "ALTER TABLE walk ADD COLUMN requests INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE walk ADD COLUMN total INTEGER",
    ),
    (
        """CREATE TABLE sighting (
            id INTEGER PRIMARY KEY,
            resource TEXT NOT NULL,
            key ANY NOT NULL,
            field TEXT NOT NULL,
            old ANY,
            new ANY,
            seen REAL NOT NULL,
            since REAL NOT NULL
        ) STRICT""",
        "CREATE INDEX sighting_of ON sighting (resource, key)",
        *(_trigger(resource) for resource in Resource),
    ),
    ("CREATE INDEX orders_of ON orders (pet_id)", "CREATE INDEX pets_of ON pets (category_id)"),
    STEP,
    tuple(f"ALTER TABLE {resource.value} ADD COLUMN born INTEGER NOT NULL DEFAULT 0" for resource in Resource),
    (*FORMER, *(former_trigger(resource, _fields(resource, FIRST_MIRROR)) for resource in Resource)),
    ("CREATE TABLE origin (id INTEGER PRIMARY KEY CHECK (id = 1), address TEXT NOT NULL) STRICT",),
    tuple(sql for resource in Resource for sql in _with_any_key(resource)),
    *map(_step, range(FIRST_MIRROR + 1, SCHEMA_VERSION + 1)),
)

KIND: Final = DatabaseKind(application_id=0x5053444D, steps=_STEPS, durable=False, busy_ms=2_000)  # "PSDM"
"""Not durable: a power cut may take the last answers, which the next walk brings back; it cannot damage the file."""
