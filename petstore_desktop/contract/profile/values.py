"""What a profile says of one operation, and of where fields lie, as values of TOML: both ways, so that nothing is said
twice. What is as it mostly is, is left out (`USUAL`)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast
from urllib.parse import urlsplit

from petstore_desktop.contract.model import KeyPlace, KeyPlacement, Operation
from petstore_desktop.contract.operations import METHODS, NOWHERE, SAME, VERBS, FieldMap, Op, Path, Stability, Verb
from petstore_desktop.contract.params import PAGES, is_free_header, pick
from petstore_desktop.contract.scalars import kept_value
from petstore_desktop.domain.commands import ServiceKey
from petstore_desktop.domain.records import ALL_SPECS, FieldKind, FieldSpec, JsonValue, Resource, plain

Toml: TypeAlias = "bool | int | str | Sequence[Toml] | Mapping[str, Toml]"
Table: TypeAlias = Mapping[str, Toml]

MOST_LETTERS: Final = 1_000
"""Of one text."""
MOST_ENTRIES: Final = 500
"""Of one list or table."""
LARGEST_PAGE: Final = 1_000
WRITES: Final = (Verb.CREATE, Verb.CHANGE)
BODY: Final = (
    *("body", "body_fields", "required", "types", "read_only", "at", "unsure", "envelope", "media", "closed"),
    *("fills", "as_text", "category_name", "record_types", "days"),
)
"""What only operations with a body say."""
GUARDED: Final = ("if_match",)
"""What is said of changes and deletions."""
OF_LISTS: Final = ("query", "page", "first_page", "one_status_at_a_time")
OF_ALL: Final = ("shows", "server", "key", "scheme", "with_query", "with_headers")
USUAL: Final[Mapping[str, Toml]] = {
    **dict.fromkeys(("body", "read_only", "unsure", "days", "query", "one_status_at_a_time", "shows"), ()),
    **{name: {} for name in ("at", "record_types", "with_query", "with_headers")},
    **dict.fromkeys(("page", "first_page", "closed", "if_match", "whole", "deprecated", "server"), False),
    **dict.fromkeys(("envelope", "category_name", "sunset", "scheme", "from_pets", "hole"), ""),
    "media": "application/json",
    "fills": "{}",
    "stability": "stable",
    "key": "main",
}
"""What holds where a profile says nothing."""
_ALWAYS: Final = {
    Op.STOCK_CHANGE: "quantity",
    Op.PET_CREATE: "name",
    Op.CATEGORY_CREATE: "name",
}
"""The field without which there is nothing to write."""
_TYPES: Final = ("", "string", "integer", "number", "boolean", "array", "object")
_ANY: Final = "any"
_KEYS_TOO: Final = ("authorization", "cookie")
"""Headers in which keys are sent, and nothing else."""
_MEDIA_TYPE: Final = re.compile(r"[\w.+-]+/[\w.+-]*json[\w.+-]*(;[ -~]*)?", re.ASCII)
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


class NotSo(ValueError):
    """Something in a profile cannot be meant; the text says what, as one sentence without its end. `word`: as the
    profile has it, if it is one."""

    def __init__(self, why: str, word: str = "") -> None:
        super().__init__(why)
        self.word = word


# ---------------------------------------------------------------- single values


def text(value: object) -> str:
    """Any text that is not too long. Raises NotSo."""
    if not isinstance(value, str) or len(value) > MOST_LETTERS:
        raise NotSo(f"a text of at most {MOST_LETTERS} letters is wanted")
    return value


def line(value: object) -> str:
    """A text that can stand in the head of a request. Raises NotSo."""
    found = text(value)
    if not found.isascii() or not found.isprintable():
        raise NotSo("a text in ASCII, of one line, is wanted")
    return found


def flag(value: object) -> bool:
    """True or false. Raises NotSo."""
    if not isinstance(value, bool):
        raise NotSo("true or false is wanted")
    return value


def texts(value: object) -> tuple[str, ...]:
    """A list of texts. Raises NotSo."""
    return tuple(map(text, _listed(value)))


def _listed(value: object) -> Sequence[object]:
    if not isinstance(value, list | tuple):
        raise NotSo("a list is wanted")
    found = cast("Sequence[object]", value)
    if len(found) > MOST_ENTRIES:
        raise NotSo(f"a list of at most {MOST_ENTRIES} is wanted")
    return found


def table(value: object) -> Mapping[str, object]:
    """A table. Raises NotSo."""
    if not isinstance(value, Mapping):
        raise NotSo("a table is wanted")
    found = cast("Mapping[str, object]", value)
    if len(found) > MOST_ENTRIES:
        raise NotSo(f"a table of at most {MOST_ENTRIES} is wanted")
    return found


def _by_name(value: object) -> dict[str, str]:
    return {text(name): text(said) for name, said in table(value).items()}


def one_of(value: object, words: Iterable[str]) -> str:
    """One of few words. Raises NotSo."""
    known = tuple(words)
    if value not in known:
        word = value if isinstance(value, str) else ""
        raise NotSo(f"{word[:40]!r} is none of {', '.join(filter(None, known))}", word)
    return cast("str", value)


def _number(value: object, least: int, most: int) -> int | None:
    if value is False:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise NotSo(f"a number from {least} to {most} is wanted")
    return value


def _json(value: object) -> dict[str, JsonValue]:
    try:
        found = kept_value(json.loads(value)) if isinstance(value, str) else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise NotSo("an object of JSON as a text is wanted, such as '{\"photoUrls\": []}'")
    return found


# ---------------------------------------------------------------- fields


def said_path(path: Path) -> Toml:
    """`category.id`; a list where a name has a dot in it."""
    return list(path) if any("." in name or not name for name in path) else ".".join(path)


def path_of(value: object) -> Path:
    """The inverse. Raises NotSo."""
    found = tuple(text(value).split(".")) if isinstance(value, str) and value else texts(value) if value else ()
    if not found or (isinstance(value, str) and not all(found)):
        raise NotSo("the names on the way to a field are wanted, joined by dots")
    return found


def said_places(resource: Resource, fields: FieldMap) -> Table:
    """Where fields lie, those alone that lie elsewhere than the specification says; false for those there are not."""
    ways = {spec.name: (fields.path(spec), spec.wire) for spec in ALL_SPECS[resource]}
    return {name: said_path(path) if path else False for name, (path, wire) in ways.items() if path != (wire,)}


def places_of(resource: Resource, value: object) -> dict[str, Path]:
    """The inverse. Raises NotSo."""
    known = {spec.name: spec.wire for spec in ALL_SPECS[resource]}
    found: dict[str, Path] = {}
    for name, said in table(value).items():
        one_of(name, known)
        path = NOWHERE if said is False else path_of(said)
        if path != (known[name],):
            found[name] = path
    return found


def usual_place(spec: FieldSpec, body: Sequence[str], reads: FieldMap) -> Path:
    """Where a body has a field of which nothing is said: under its own name, in whatever spelling, else where answers
    have it, if the body has that name."""
    own = [spec.wire] if spec.wire in body else [name for name in body if plain(name) == plain(spec.wire)]
    read = reads.path(spec)
    return (own[0],) if own else read if read and read[0] in body else (spec.wire,)


def _said_at(one: Operation, reads: FieldMap) -> Table:
    """Where a body has fields, those alone that are elsewhere than usual; false for those it has no place for."""
    ways = {spec.name: (one.writes.path(spec), spec) for spec in ALL_SPECS[one.op.resource]}
    return {
        name: said_path(path) if path else False
        for name, (path, spec) in ways.items()
        if path != usual_place(spec, one.body_fields, reads)
    }


def _at_of(op: Op, value: object, body: Sequence[str], reads: FieldMap) -> dict[str, Path]:
    """The inverse. Raises NotSo, also where what is always written has no place."""
    said = places_of(op.resource, value)
    found: dict[str, Path] = {}
    for spec in ALL_SPECS[op.resource]:
        is_said = spec.name in table(value)
        path = said.get(spec.name, (spec.wire,)) if is_said else usual_place(spec, body, reads)
        if spec.name == _ALWAYS.get(op) and body and path[:1] and path[0] not in body:
            raise NotSo(f"{spec.name} has no place in the body, which has no {path[0]}: say where it is")
        if path != (spec.wire,):
            found[spec.name] = path
    return found


def field_names(resource: Resource, value: object) -> tuple[str, ...]:
    """Names of fields of such records. Raises NotSo."""
    known = tuple(spec.name for spec in ALL_SPECS[resource])
    return tuple(one_of(name, known) for name in _listed(value))


# ---------------------------------------------------------------- bodies


def _entry(name: str, types: Mapping[str, str], *, required: bool = False) -> str:
    said = name + ("!" if required else "")
    return f"{said}: {types[name] or _ANY}" if name in types else said


def _entry_of(value: object) -> tuple[str, bool, str | None]:
    """The name, whether it is required, and the type, None where nothing tells."""
    head, colon, kind = text(value).rpartition(": ")
    name = head if colon else text(value)
    if not name.removesuffix("!"):
        raise NotSo('a field with its type is wanted, such as "name!: string"')
    known = one_of("" if kind == _ANY else kind, _TYPES) if colon else None
    return name.removesuffix("!"), name.endswith("!"), known


def without_marks(body: object) -> list[Toml]:
    """The fields of a body, none of which must be there. Raises NotSo."""
    entries = map(_entry_of, _listed(body))
    return [_entry(name, {} if kind is None else {name: kind}) for name, _, kind in entries]


def _said_body(one: Operation) -> dict[str, Toml]:
    """The fields of a body, each with its type, and those that the service alone sets; in the long form where names
    have signs in them that would be read as something else."""
    types, own, given = one.body_types, set(one.body_fields), set(one.read_only_fields)
    inner = [name for name in types if name not in own and name not in given]
    body = [_entry(name, types, required=name in one.required_fields) for name in one.body_fields]
    said: dict[str, Toml] = {
        "body": [*body, *(_entry(name, types) for name in inner)],
        "read_only": [_entry(name, types) for name in one.read_only_fields],
    }
    try:
        if _body_of(said) == (one.body_fields, one.required_fields, dict(types), one.read_only_fields):
            return said
    except NotSo:
        pass
    return {
        "body_fields": list(one.body_fields),
        "required": list(one.required_fields),
        "types": dict(types),
        "read_only": list(one.read_only_fields),
    }


def _body_of(said: Mapping[str, object]) -> tuple[tuple[str, ...], tuple[str, ...], dict[str, str], tuple[str, ...]]:
    """Reads back what `_said_body` wrote: fields, required ones, types, and what the service alone sets. Raises
    NotSo."""
    if "body_fields" in said:
        types = {name: one_of(kind, _TYPES) for name, kind in table(said.get("types", {})).items()}
        return texts(said["body_fields"]), texts(said.get("required", ())), types, texts(said["read_only"])
    entries, given = (list(map(_entry_of, _listed(said[name]))) for name in ("body", "read_only"))
    fields = tuple(name for name, _, _ in entries if "." not in name)
    types = {name: kind for name, _, kind in (*entries, *given) if kind is not None}
    required = tuple(name for name, is_required, _ in entries if is_required and "." not in name)
    return fields, required, types, tuple(name for name, _, _ in given)


def usual_texts(op: Op, writes: FieldMap, types: Mapping[str, str]) -> tuple[str, ...]:
    """The ids and numbers that a body has as texts, where its types say so."""
    kinds = (FieldKind.ID, FieldKind.NUMBER)
    ways = (writes.path(spec) for spec in ALL_SPECS[op.resource] if spec.kind in kinds)
    return tuple(name for path in ways if path and types.get(name := ".".join(path)) == "string")


# ---------------------------------------------------------------- keys


def said_key(key: KeyPlacement) -> Table:
    """How a key is sent."""
    said: dict[str, Toml] = {key.place.value: key.name} if key.place is not KeyPlace.NONE else {"none": True}
    more: dict[str, Toml] = {"prefix": key.prefix, "basic": key.basic, "scheme": key.scheme}
    return {**said, **{name: value for name, value in more.items() if value}}


def key_of(value: object) -> KeyPlacement:
    """The inverse. Raises NotSo."""
    said = table(value)
    places = [place for place in KeyPlace if place.value in said]
    if len(places) != 1 or said.keys() - {places[0].value, "prefix", "basic", "scheme"}:
        raise NotSo('where the key is sent is wanted, such as {header = "Authorization", prefix = "Bearer "}')
    name = "" if places[0] is KeyPlace.NONE else text(said[places[0].value])
    if places[0] is KeyPlace.HEADER and not (name.lower() in _KEYS_TOO or is_free_header(name)):
        raise NotSo(f"no key is sent in a header {name}")
    if places[0] is KeyPlace.QUERY and not name:
        raise NotSo("the parameter has no name")
    prefix, scheme = line(said.get("prefix", "")), text(said.get("scheme", ""))
    return KeyPlacement(places[0], name, prefix, flag(said.get("basic", False)), scheme)


def said_service_key(key: ServiceKey) -> Table:
    """One of the keys that a service demands."""
    said: dict[str, Toml] = {one: getattr(key, one) for one in ("scheme", "name", "token", "place", "parameter")}
    return {name: value for name, value in said.items() if value}


def service_key_of(value: object) -> ServiceKey:
    """The inverse. Raises NotSo."""
    said = table(value)
    if strange := said.keys() - {"scheme", "name", "token", "place", "parameter"}:
        raise NotSo(f"{min(strange)} is not known here")
    texts_ = {name: text(said.get(name, "")) for name in ("scheme", "name", "place", "parameter")}
    one_of(texts_["place"], ("", "header", "query"))
    return ServiceKey(token=flag(said.get("token", False)), **texts_)


# ---------------------------------------------------------------- operations


def said_of(one: Operation, reads: FieldMap = SAME) -> dict[str, Toml]:
    """All that a profile can say of an operation, what is usual too; `reads`: where answers have the fields."""
    said: dict[str, Toml] = {
        "call": f"{one.method} {one.path}",
        "from_pets": said_path(one.gathered),
        "hole": said_path(one.hole),
        "query": list(one.query),
        "page": one.page_limit or False,
        "first_page": False if one.first_page is None else one.first_page,
        "one_status_at_a_time": list(one.statuses),
        **_said_body(one),
        "at": _said_at(one, reads),
        "unsure": list(one.writes.guessed),
        "envelope": one.envelope,
        "media": one.content_type,
        "closed": one.closed,
        "fills": json.dumps(one.fills, ensure_ascii=False),
        "category_name": said_path(one.category_name),
        "record_types": dict(one.types),
        "days": list(one.day_fields),
        "whole": one.replaces,
        "if_match": one.conditional,
        "shows": list(one.shows),
        "server": False if one.server is None else one.server,
        "scheme": one.scheme,
        "key": "main" if one.key is None else [said_key(key) for key in one.key],
        "with_query": dict(one.always_query),
        "with_headers": dict(one.always_headers),
        "deprecated": one.deprecated,
        "sunset": one.sunset or "",
        "stability": one.stability.value,
    }
    if one.text_fields != usual_texts(one.op, one.writes, one.body_types):
        said["as_text"] = list(one.text_fields)
    return said


def operation_of(op: Op, said: Mapping[str, object], reads: FieldMap = SAME) -> Operation:
    """The inverse: `said` has every name of USUAL. Raises NotSo, which begins with the name that cannot be meant."""

    def get(name: str, read: Callable[[Any], Any]) -> Any:
        try:
            return read(said[name])
        except NotSo as error:
            raise NotSo(f"{name}: {error}", error.word) from None

    method, path = get("call", lambda value: call_of(op, value))
    try:
        fields, required, types, read_only = _body_of(said)
    except NotSo as error:
        raise NotSo(f"body: {error}", error.word) from None
    guessed = get("unsure", lambda value: field_names(op.resource, value))
    writes = FieldMap(get("at", lambda value: _at_of(op, value, fields, reads)), VERBS[op] in WRITES, guessed)
    query = get("query", texts)
    return Operation(
        op=op,
        method=method,
        path=path,
        gathered=get("from_pets", lambda value: path_of(value) if value else ()),
        hole=get("hole", lambda value: _hole(op, value)),
        query=query,
        page_limit=get("page", lambda value: _number(value, 1, LARGEST_PAGE)),
        first_page=get("first_page", lambda value: _first_page(value, query)),
        statuses=get("one_status_at_a_time", texts),
        body_fields=fields,
        required_fields=required,
        body_types=types,
        read_only_fields=read_only,
        writes=writes,
        text_fields=get("as_text", texts) if "as_text" in said else usual_texts(op, writes, types),
        envelope=get("envelope", text),
        content_type=get("media", _media_type),
        closed=get("closed", flag),
        fills=get("fills", _json),
        category_name=get("category_name", lambda value: path_of(value) if value else ()),
        types=get("record_types", _by_name),
        day_fields=get("days", lambda value: field_names(op.resource, value)),
        replaces=get("whole", flag),
        conditional=get("if_match", flag),
        shows=tuple(sorted(set(map(plain, get("shows", texts))))),
        server=get("server", _server),
        scheme=get("scheme", text),
        key=get("key", lambda value: None if value == "main" else tuple(map(key_of, _listed(value)))),
        always_query=get("with_query", _by_name),
        always_headers=get("with_headers", _headers),
        deprecated=get("deprecated", flag),
        sunset=get("sunset", _day),
        stability=Stability(get("stability", lambda value: one_of(value, (each.value for each in Stability)))),
    )


def call_of(op: Op, value: object) -> tuple[str, str]:
    """The method and the path of `GET /pets/{id}`. Raises NotSo."""
    method, _, path = line(value).partition(" ")
    verb = VERBS[op]
    if method not in METHODS[verb]:
        raise NotSo(f"it begins with {' or '.join(METHODS[verb])}")
    check_path(path)
    segments = path.split("/")
    holes = sum(segment.startswith("{") and segment.endswith("}") and len(segment) > 2 for segment in segments)
    if holes != path.count("{") or holes != path.count("}"):
        raise NotSo("a {hole} is a whole part of a path")
    can_be_none = verb is Verb.CHANGE  # `PUT /pet` names the record in its body
    if holes != int(verb not in (Verb.LIST, Verb.CREATE)) and not (can_be_none and not holes):
        raise NotSo("a path has one {hole} for the record's id, and that of a list or a creation none")
    return method, path


def check_path(path: str) -> None:
    """Raises NotSo for what leads elsewhere than below the service's address."""
    try:
        parts = urlsplit(path)
    except ValueError:
        parts = urlsplit("//")
    leads_away = any(segment.strip(".") == "" and segment for segment in path.split("/"))
    if parts.netloc or path.partition("?")[0].partition("#")[0] != path or leads_away or not path.isascii():
        raise NotSo("a path below the service's address is wanted, without ?, # and ..")
    if not path.startswith("/") or "//" in path or "\\" in path or " " in path:
        raise NotSo("a path begins with one /, and has no space, // and \\ in it")


def _hole(op: Op, value: object) -> Path:
    if value and op not in (Op.STOCK_READ, Op.STOCK_CHANGE):
        raise NotSo("only an entry of stock is named by another id than that of its record")
    return path_of(value) if value else ()


def _server(value: object) -> str | None:
    if value is False:
        return None
    found = line(value)
    if found:
        check_path(found)
    return found


def _first_page(value: object, query: Sequence[str]) -> int | None:
    found = _number(value, 0, 1)
    if found is not None and pick(query, PAGES) is None:
        raise NotSo("the query has no page's number")
    return found


def _media_type(value: object) -> str:
    found = text(value)
    if _MEDIA_TYPE.fullmatch(found) is None:
        raise NotSo("a media type of JSON is wanted, such as application/json")
    return found


def _headers(value: object) -> dict[str, str]:
    found = _by_name(value)
    for name, said in found.items():
        if not is_free_header(name):
            raise NotSo(f"{name} is not sent along")
        line(said)
    return found


def _day(value: object) -> str | None:
    found = text(value)
    if found and _DAY.fullmatch(found) is None:
        raise NotSo("a day is wanted, such as 2027-06-30")
    return found or None
