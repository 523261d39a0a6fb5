"""What may be accepted of an answer, said once more and plainly: by the specification, with the standard library alone.

It shares no code with the program, so that it can judge it. `wrong_rows` says what is wrong with what was accepted.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

LEAST, MOST = -(2**63), 2**63 - 1
LONGEST = 1_000_000
DEEPEST = 60
FIRST = 400
"""Lists of a body that breaks off are looked into up to here; the one with the records is never far in."""
ID_TEXT = re.compile(r"(0|-?[1-9][0-9]{0,18})\Z", re.ASCII)

FIELDS: Mapping[str, Mapping[str, str]] = {
    "pets": {"id": "id!", "name": "name", "categoryId": "id", "status": "text"},
    "categories": {"id": "id!", "name": "name", "description": "text"},
    "orders": {"id": "id", "petId": "id", "quantity": "int", "shipDate": "text", "complete": "bool"},
    "inventory": {"petId": "id!", "quantity": "int!", "status": "text"},
}
"""The fields of each resource (specification, "Resources and their fields"). With `!`: a record without it cannot be
used; all others may be missing or null (1-service, "Values"). A name that is missing is empty."""
ATTRIBUTES = {"categoryId": "category_id", "petId": "pet_id", "shipDate": "ship_date"}
VALIDATORS = frozenset({"@odata.etag", "odata.etag", "_etag", "etag", "eTag", "ETag"})
"""May be left out: they may be the record's validator, and none of its fields."""


LONG_NUMBER = 1_000
"""Digits of a number that is none of ours, whoever can hold it."""


def _whole(digits: str) -> float:
    return int(digits) if len(digits) < LONG_NUMBER else math.inf


DECODER = json.JSONDecoder(parse_int=_whole)


class Unusable(ValueError):
    """Nothing may be accepted of this."""


def number(value: object) -> int:
    """An int64, or the canonical text of one, and no other thing that looks like one."""
    if isinstance(value, str) and ID_TEXT.match(value) is not None:
        value = int(value)
    if type(value) is not int or not LEAST <= value <= MOST:
        raise Unusable("no int64")
    return value


def id_of(value: object) -> int | str:
    """An id: an int64, the canonical text of one, or any other text."""
    if isinstance(value, str):
        if ID_TEXT.match(value) is None or not -(2**63) <= int(value) < 2**63:
            return word(value)
        value = int(value)
    return number(value)


def word(value: str) -> str:
    """A text that can stand in a path as it is, and lead nowhere else."""
    if not 0 < len(value) <= 200 or value in (".", ".."):
        raise Unusable("no id")
    if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in value):
        raise Unusable("an id that cannot be written")
    return value


def text(value: object) -> str:
    """A text of whole characters."""
    if not isinstance(value, str) or len(value) > LONGEST:
        raise Unusable("no text")
    if any(0xD800 <= ord(letter) <= 0xDFFF for letter in value):
        raise Unusable("half a character")
    return value


def truth(value: object) -> bool:
    """True or false."""
    if value is not True and value is not False:
        raise Unusable("no boolean")
    return value is True


READ = {"id": id_of, "int": number, "text": text, "name": text, "bool": truth}


def read(resource: str, item: object) -> dict[str, Any]:
    """The record that an item of JSON is, with its other fields under `extra`. Raises Unusable."""
    if not isinstance(item, dict):
        raise Unusable("no object")
    record: dict[str, Any] = {}
    for name, kind in FIELDS[resource].items():
        value = item.get(name)
        if value is None:
            if kind.endswith("!"):
                raise Unusable(f"no {name}")
            record[name] = "" if kind == "name" else None
        else:
            record[name] = READ[kind.rstrip("!")](value)
    own, *rest = FIELDS[resource]
    known = [name for name in item if name == own or (name in rest and item[name] is not None)]
    record["extra"] = {name: value for name, value in item.items() if name not in known}
    writable(record["extra"], 0)
    return record


def writable(value: object, depth: int) -> None:
    """What can be sent back as it came. Raises Unusable."""
    if depth > DEEPEST + 1:
        raise Unusable("too deep")
    if isinstance(value, float) and not math.isfinite(value):
        raise Unusable("not finite")
    if isinstance(value, str):
        text(value[:LONGEST])
    inside = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
    for name in value if isinstance(value, dict) else ():
        text(name)
    for inner in inside:
        writable(inner, depth + 1)


# ---------------------------------------------------------------- bodies


def is_json(body: bytes) -> bool:
    """Whether the whole body is one value of JSON (with the NaN that some writers put into it)."""
    try:
        DECODER.decode(body.decode("utf-8").removeprefix("\ufeff"))
    except json.JSONDecodeError:
        return False
    except (ValueError, RecursionError) as error:
        return not isinstance(error, UnicodeDecodeError)  # a depth that no one can hold
    return True


def objects_of(body: bytes) -> list[object]:
    """Every object of the body, as far as it is JSON: what may have been taken for a record. Of a body that breaks off
    or goes wrong, what comes before."""
    said = body.decode("utf-8", errors="surrogateescape").removeprefix("\ufeff").lstrip(" \t\r\n")
    try:
        return list(_objects(DECODER.decode(said)))
    except (ValueError, RecursionError):
        return [inner for item in _before_the_fault(said) for inner in _objects(item)]


def _objects(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(inner)


def _before_the_fault(said: str) -> Iterable[object]:
    """Item by item from each of the first places where a list begins."""
    for begin in (place.end() for place in islice(re.finditer(r"\[", said), FIRST)):
        at = begin
        while True:
            at += len(said[at:]) - len(said[at:].lstrip(" \t\r\n,"))
            try:
                item, at = DECODER.raw_decode(said, at)
            except (ValueError, RecursionError):
                break
            yield item


def as_json(resource: str, record: object) -> dict[str, Any]:
    """A record of the program under the specification's names."""
    found = {name: getattr(record, ATTRIBUTES.get(name, name)) for name in FIELDS[resource]}
    return {**found, "extra": dict(getattr(record, "extra", {}))}


def same(accepted: Mapping[str, Any], meant: Mapping[str, Any]) -> bool:
    """Whether two records are one, types too: 1, 1.0 and True are three values."""
    beside = {name: value for name, value in meant["extra"].items() if name not in VALIDATORS}
    kept = {name: value for name, value in accepted["extra"].items() if name not in VALIDATORS}
    plain = [{**record, "extra": None} for record in (accepted, meant)]
    return repr(plain[0]) == repr(plain[1]) and repr(kept) == repr(beside)


def wrong_rows(resource: str, body: bytes, accepted: Iterable[object]) -> list[str]:
    """What was accepted of this body and must not have been: no object of it is that record."""
    meant: dict[object, list[dict[str, Any]]] = {}
    for item in objects_of(body):
        record = _read(resource, item)
        if record is not None:
            meant.setdefault(_name(resource, record), []).append(record)
    rows = [as_json(resource, record) for record in accepted]
    return [
        f"{row} of {body[:300]!r}"
        for row in rows
        if not any(same(row, record) for record in meant.get(_name(resource, row), ()))
    ]


def wrong_list(resource: str, body: bytes, accepted: Iterable[object]) -> list[str]:
    """The same of a body that is a bare list and good JSON: exactly what can be read of it is to be accepted, in its
    order, and of records with one id the first."""
    rows = [as_json(resource, record) for record in accepted]
    meant: list[dict[str, Any]] = []
    seen: set[object] = set()
    for item in DECODER.decode(body.decode("utf-8-sig")):
        record = _read(resource, item)
        if record is not None and (_name(resource, record) is None or _name(resource, record) not in seen):
            seen.add(_name(resource, record))
            meant.append(record)
    if len(rows) == len(meant) and all(map(same, rows, meant)):
        return []
    return [f"accepted {rows}, meant {meant}, of {body[:300]!r}"]


def is_bare_list(body: bytes) -> bool:
    """Whether the body is a list that the standard library can read."""
    try:
        return isinstance(DECODER.decode(body.decode("utf-8-sig")), list)
    except (ValueError, RecursionError):
        return False


def _read(resource: str, item: object) -> dict[str, Any] | None:
    try:
        return read(resource, item)
    except Unusable:
        return None


def _name(resource: str, record: Mapping[str, Any]) -> object:
    return record["petId"] if resource == "inventory" else record["id"]
