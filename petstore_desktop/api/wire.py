"""Bytes of the service to records; `encoding` is the way back. The only place with pydantic.

Strict where a mistake would name another record: ids and quantities are int64, never floats (9007199254740993.0 would
become another pet), never NaN, never booleans; both may also be the text of such a number, which is the number, and an
id any other text. Lenient in all else: missing and null fields, unknown statuses, and fields that the program does not
know, which are kept in `extra`, as is what came as null. The validator that some services put into each record is none
of its fields.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from typing import cast

from msgspec import Struct
from msgspec.structs import force_setattr
from pydantic import ValidationError
from pydantic_core import SchemaValidator, core_schema, from_json

from petstore_desktop.api.headers import etags as validator
from petstore_desktop.api.withheld import Withheld, without_secrets
from petstore_desktop.contract.operations import SAME, FieldMap, Path, cut_at, value_at
from petstore_desktop.domain.errors import AnswerUnusable
from petstore_desktop.domain.records import (
    ALL_SPECS,
    ID_PATTERN,
    INT64_MAX,
    INT64_MIN,
    MOST_ID,
    RECORD_TYPES,
    FieldKind,
    FieldSpec,
    JsonValue,
    Record,
    Resource,
    ServiceId,
)

MAX_TEXT = 1_000_000
"""Characters of one text; a record with a longer one is set aside."""
MAX_DIGITS = 1_000
MAX_DEPTH = 60
"""Unknown fields nested deeper than this are not kept: their record is set aside."""
_ANNOTATIONS = ("@odata.etag", "odata.etag")
"""Where OData (JSON format 4.0, 4.5.9, and 3.0 before it) puts a record's validator: never a field."""
_TAG_NAMES = (*_ANNOTATIONS, "_etag", "etag", "eTag", "ETag")
"""Where services put a record's validator."""


# ---------------------------------------------------------------- schemas


_INT64 = core_schema.int_schema(strict=True, ge=INT64_MIN, le=INT64_MAX)
_DIGITS = core_schema.str_schema(strict=True, pattern=r"\A(0|-?[1-9][0-9]{0,18})\z")
"""Only the canonical spelling: "007" and "7" may be two records of a service whose ids are texts."""
_FROM_TEXT = core_schema.chain_schema([core_schema.no_info_after_validator_function(int, _DIGITS), _INT64])
_ANY_TEXT = core_schema.str_schema(strict=True, pattern=rf"\A{ID_PATTERN}\z", max_length=MOST_ID)
_ID = core_schema.union_schema([_INT64, _FROM_TEXT, _ANY_TEXT], mode="left_to_right")
_NUMBER = core_schema.union_schema([_INT64, _FROM_TEXT], mode="left_to_right")
"""A quantity that a service writes as a text (`"12"`) is that number; it is written as a text again."""
_TEXT = core_schema.str_schema(strict=True, max_length=MAX_TEXT)
"""Any bound on the length makes the validator look at the characters, and refuse half ones."""
_SCHEMAS: Mapping[type, core_schema.CoreSchema] = {int: _NUMBER, str: _TEXT, bool: core_schema.bool_schema(strict=True)}


def _or_empty(value: str | None) -> str:
    return value or ""


def _schema(spec: FieldSpec) -> core_schema.CoreSchema:
    if spec.kind is FieldKind.TEXT and not spec.optional:
        name = core_schema.no_info_after_validator_function(_or_empty, core_schema.nullable_schema(_TEXT))
        return core_schema.with_default_schema(name, default="")
    schema = _ID if spec.kind is FieldKind.ID else _SCHEMAS[spec.kind.type]
    if not spec.optional:
        return schema
    return core_schema.with_default_schema(core_schema.nullable_schema(schema), default=None)


def _field(spec: FieldSpec, path: Path) -> core_schema.TypedDictField:
    schema = _schema(spec)
    if spec.optional and path != (spec.wire,):
        schema = core_schema.with_default_schema(schema, default=None, on_error="default")
    required = schema["type"] != "default"
    return core_schema.typed_dict_field(schema, required=required, validation_alias=list(path))


def _validator(resource: Resource, fields: FieldMap) -> core_schema.CoreSchema:
    paths = {spec: fields.path(spec) for spec in ALL_SPECS[resource]}
    read = {spec.name: _field(spec, path) for spec, path in paths.items() if path}
    # A service without names for its records; all else that one may lack is None of itself.
    nameless = {spec.name: "" for spec, path in paths.items() if not path and not spec.optional}
    kind = partial(RECORD_TYPES[resource], **nameless)
    return core_schema.no_info_after_validator_function(lambda said: kind(**said), core_schema.typed_dict_schema(read))


class _Reader:
    """Reads the records of one resource from JSON that has their fields at the places of a map. `known`: the names
    that hold a field themselves; `kinds` of all by their ways; `found`: the ways to those that likeness found: a value
    that cannot be read is none of the program's then, and stays as it came."""

    def __init__(self, resource: Resource, fields: FieldMap) -> None:
        record = _validator(resource, fields)
        self.resource = resource
        self.one = SchemaValidator(record)
        self.many = SchemaValidator(core_schema.list_schema(record))
        self.known = fields.known(resource)
        self.nullable = self.known.difference(fields.path(ALL_SPECS[resource][0])[:1])
        self.kinds = {fields.path(spec): spec.kind for spec in ALL_SPECS[resource]}
        of_name = {spec.name: (fields.path(spec), (spec.wire,)) for spec in ALL_SPECS[resource]}
        self.found = {name: path for name, (path, own) in of_name.items() if path and path != own}
        self.key = fields.path(ALL_SPECS[resource][0])


@cache
def _reader_of(resource: Resource, paths: tuple[tuple[str, Path], ...]) -> _Reader:
    return _Reader(resource, FieldMap(dict(paths)))


def _reader(resource: Resource, fields: FieldMap) -> _Reader:
    return _reader_of(resource, tuple(fields.paths.items()))


_ID_READER = SchemaValidator(_ID)


# ---------------------------------------------------------------- decoding


class Decoded(Struct, frozen=True):
    """The records of one list, and, for each that could not be read, which and why. `etags`: the strong validator that
    each of the records came with, or None; `unread`: those that could not be read, as they came."""

    records: tuple[Record, ...]
    set_aside: tuple[str, ...] = ()
    etags: tuple[str | None, ...] = ()
    unread: tuple[object, ...] = ()


class BadRecord(ValueError):
    """One record cannot be used; the text says which field and why."""


def parse_json(body: bytes) -> JsonValue:
    """A body as JSON. What no field may hold (NaN, half a character, a number of thousands of digits)
    comes through, to be caught at the record that holds it.

    Raises AnswerUnusable: `empty`, `bad-text`, `cut-short`, `too-deep`, `not-json`.
    """
    body = body.removeprefix(b"\xef\xbb\xbf")
    if not body.strip():
        raise AnswerUnusable("empty")
    try:
        return from_json(body)
    except ValueError:
        return _parse_slowly(body)


def _parse_slowly(body: bytes) -> JsonValue:
    """By the standard library, which lets half characters through, and whose errors tell the causes apart."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise AnswerUnusable("bad-text") from None
    try:
        return json.loads(text, parse_int=_bounded)
    except json.JSONDecodeError as error:
        cut = error.msg.startswith("Unterminated string") or error.pos >= len(text.rstrip())
        raise AnswerUnusable("cut-short" if cut else "not-json", why=f"{error.msg} at {error.pos}") from None
    except RecursionError:
        raise AnswerUnusable("too-deep") from None


def _bounded(digits: str) -> float:
    """Python reads no number of more than 4,300 digits (sys.get_int_max_str_digits), and no field takes infinity."""
    return int(digits) if len(digits) < MAX_DIGITS else math.inf


MOST_COUNTS, MOST_WORD = 50, 60
"""Words that a service counts by, and the characters of one."""


def counts_of(value: JsonValue) -> dict[str, int]:
    """The numbers by words of an answer, the first MOST_COUNTS of them; all that is none is left out. Raises
    AnswerUnusable (`bad-record`) where nothing is."""
    said = value.items() if isinstance(value, dict) else ()
    good = (pair for pair in said if _is_word(pair[0]) and type(pair[1]) is int and 0 <= pair[1] <= INT64_MAX)
    found = cast("dict[str, int]", dict(islice(good, MOST_COUNTS)))
    if not found and value != {}:
        raise AnswerUnusable("bad-record", why="it holds no numbers by words")
    return found


def _is_word(text: str) -> bool:
    return bool(text.strip()) and len(text) <= MOST_WORD and text.isprintable()


def parse_many(text: bytes, ends: Sequence[int]) -> list[JsonValue]:
    """The records of a text in which commas part them; `ends`: where each of them ends.

    Raises AnswerUnusable: `bad-text`, `too-deep`, `not-json`.
    """
    try:
        values = cast("list[JsonValue]", from_json(b"[%b]" % text))
        if len(values) == len(ends):  # else a comma stands alone
            return values
        raise AnswerUnusable("not-json")
    except ValueError:
        begins = (0, *(end + 1 for end in ends[:-1]))
        return [_parse_record(text[begin:end]) for begin, end in zip(begins, ends, strict=True)]


def _parse_record(text: bytes) -> JsonValue:
    try:
        return from_json(text)
    except ValueError:
        pass
    try:
        return _parse_slowly(text)
    except AnswerUnusable as error:
        # It ends where a record ends: nothing was cut off.
        error.code = "not-json" if error.code == "cut-short" else error.code
        raise


def decode_one(resource: Resource, value: object, own: Collection[str] = (), fields: FieldMap = SAME) -> Record:
    """One record. `own`, `fields`: see `decode_many`. Raises BadRecord."""
    return _decode_one(_reader(resource, fields), without_secrets(resource, (value,))[0], own)[0]


def _decode_one(reader: _Reader, value: object, own: Collection[str]) -> tuple[Record, str | None]:
    if not isinstance(value, dict):
        raise BadRecord("it holds the key" if isinstance(value, Withheld) else "it is not an object")
    fields = cast("dict[str, JsonValue]", value)
    try:
        record = cast("Record", reader.one.validate_python(fields))
    except ValidationError as error:
        raise BadRecord(_words(reader, error)) from None
    return _with_extra(reader, record, fields, own)


def decode_many(
    resource: Resource, values: Sequence[object], first: int = 1, own: Collection[str] = (), fields: FieldMap = SAME
) -> Decoded:
    """Records in their order; those that cannot be read are set aside and named. `first`: the first one's number.
    `own`: the fields that the service's document gives such a record, one called `etag` perhaps among them; `fields`:
    where the service has those of the program."""
    reader = _reader(resource, fields)
    try:
        records = cast("list[Record]", reader.many.validate_python(values))
        return Decoded(tuple(records), (), _tags(reader, records, cast("Sequence[dict[str, JsonValue]]", values), own))
    except (ValidationError, BadRecord, TypeError):
        return _decode_each(reader, values, first, own)


def _tags(
    reader: _Reader, records: Sequence[Record], values: Sequence[dict[str, JsonValue]], own: Collection[str]
) -> tuple[str | None, ...]:
    """The validators of some records, whose unknown fields are put into them. Records of a list mostly have the same
    names: what those are is found out once."""
    tags: list[str | None] = []
    shapes: dict[tuple[str, ...], str | None] = {}
    for record, value in zip(records, values, strict=True):
        names = tuple(value)
        if names not in shapes:
            shapes[names] = _only_tag(reader, names, own)
        place = shapes[names]
        if place is None or None in value.values():
            tags.append(_with_extra(reader, record, value, own)[1])
        else:
            tags.append(validator.strong(value[place]) if place else None)
    return tuple(tags)


def _only_tag(reader: _Reader, names: tuple[str, ...], own: Collection[str]) -> str | None:
    """Where a record of these names has its validator, if all else is known; empty where it has none, None where more
    of it is to be looked at."""
    unknown = [name for name in names if name not in reader.known]
    if reader.found or len(unknown) > 1:
        return None
    place = unknown[0] if unknown else ""
    return place if not unknown or (place in _ANNOTATIONS and place not in own) else None


def _decode_each(reader: _Reader, values: Sequence[object], first: int, own: Collection[str]) -> Decoded:
    good: list[tuple[Record, str | None]] = []
    bad: list[str] = []
    unread: list[object] = []
    for number, value in enumerate(values, first):
        try:
            good.append(_decode_one(reader, value, own))
        except BadRecord as error:
            bad.append(f"{_label(reader, value, number)}: {error}")
            unread.append(value)
    tags = tuple(tag for _, tag in good)
    return Decoded(tuple(record for record, _ in good), tuple(bad), tags, tuple(unread))


def _label(reader: _Reader, value: object, number: int) -> str:
    """What to call a record that could not be read: by its id if it has something like one, else by its place."""
    said = value.id if isinstance(value, Withheld) else value_at(value, reader.key)
    if isinstance(said, str | int) and not isinstance(said, bool):
        return f"{reader.resource.value} {_short(said)}"
    return f"{reader.resource.value}, number {number} of its list"


def _short(value: object) -> str:
    try:
        text = value if isinstance(value, str) else json.dumps(value)
    except (ValueError, RecursionError):
        return "a value that cannot be shown"
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= 40 else f"{text[:40]}…"


def _words(reader: _Reader, error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    path = next((path for path in reader.kinds if path and first["loc"][: len(path)] == path), ())
    where = ".".join(path) or "it"
    if first["type"] == "missing":
        return f"{where} is missing"
    if reader.kinds.get(path) is FieldKind.ID and isinstance(first["input"], str):
        return f"{where} is {_short(first['input'])}, which cannot be an id"
    return f"{where} cannot be {_short(first['input'])}"


def _with_extra(
    reader: _Reader, record: Record, value: Mapping[str, JsonValue], own: Collection[str]
) -> tuple[Record, str | None]:
    """The record with the fields that the program does not know, and its validator, which is none of them."""
    unknown = value.keys() - reader.known
    if reader.found:
        unknown.update(path[0] for path in _ways(reader, record, read=False) if value_at(value, path) is not None)
    if None in value.values():
        unknown.update(name for name in reader.nullable if value.get(name, name) is None)
    if not unknown:
        return record, None
    tag = _take_tag(unknown, value, own)
    if not unknown:
        return record, tag
    extra = {name: value[name] for name in value if name in unknown}
    if not all(_is_kept(item, 0) for item in extra.items()):
        raise BadRecord("it holds a number or text that is no JSON")
    for path in _ways(reader, record, read=True):
        cut_at(extra, path)
    force_setattr(record, "extra", extra)  # nobody else has seen it
    return record, tag


def _ways(reader: _Reader, record: Record, *, read: bool) -> list[Path]:
    """The ways that likeness found to what was read, or to what could not be or is not there."""
    return [path for name, path in reader.found.items() if (getattr(record, name) is not None) is read]


def _take_tag(unknown: set[str], value: Mapping[str, JsonValue], own: Collection[str]) -> str | None:
    """The validator, which is taken out of the unknown fields."""
    tag: str | None = None
    for name in _TAG_NAMES:
        if name in unknown:
            tag = tag or validator.strong(value[name])
            # What is called so may also be what is written on an animal's ear.
            if name not in own and (name in _ANNOTATIONS or validator.is_tag(value[name])):
                unknown.discard(name)
    return tag


def _is_kept(value: object, depth: int) -> bool:
    """Whether a value can be written as JSON again: no NaN, no half characters, not too deep."""
    if isinstance(value, str):
        return not any("\ud800" <= letter <= "\udfff" for letter in value) if not value.isascii() else True
    if isinstance(value, float):
        return math.isfinite(value)
    if depth > MAX_DEPTH:
        return False
    if isinstance(value, dict):
        return all(_is_kept(item, depth + 1) for item in cast("dict[str, object]", value).items())
    if isinstance(value, list | tuple):
        return all(_is_kept(item, depth + 1) for item in cast("Sequence[object]", value))
    return True


def read_id(value: object) -> ServiceId | None:
    """An id as a number, its canonical text, or any other text that can be one; None for anything else."""
    try:
        return cast("ServiceId", _ID_READER.validate_python(value))
    except ValidationError:
        return None
