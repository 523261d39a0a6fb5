"""What an operation demands besides the record: parameters and headers that go along with every request.

A value comes from the person, who says it once for the connection (`parameters.NAME` among the bindings), else from the
document: the default of the parameter, or the one value that it may have. Where something is written, a value on which
depends what is done comes from the person alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.contract import params
from petstore_desktop.contract.binding.operation import statuses_of
from petstore_desktop.contract.document.reading import Document, Endpoint, Node, as_list, as_map, as_text
from petstore_desktop.contract.model import KeyPlace, KeyPlacement, value_can_be_sent
from petstore_desktop.contract.operations import Op
from petstore_desktop.contract.scalars import scalar_text
from petstore_desktop.domain.commands import ServiceValue
from petstore_desktop.domain.records import plain

_EXAMPLE_LETTERS, _DESCRIPTION_LETTERS, _CHOICES = 60, 200, 100
"""The most that is kept of what a document says of a value."""
_STAND_IN = "~"
"""Fills a path as long as a value is not known, to see what would be offered with one."""


class RequiredNames(Struct, frozen=True):
    """Which names of parameters a document has: `required` of them anywhere, the placeholders of paths among them, and
    `read` where something is read."""

    required: frozenset[str] = frozenset()
    read: frozenset[str] = frozenset()


NO_NAMES = RequiredNames()


def names_required(endpoints: Iterable[Endpoint]) -> RequiredNames:
    """The names that these endpoints require."""
    required, read = set[str](), set[str]()
    for endpoint in endpoints:
        names = {as_text(one.get("name")) for one in endpoint.parameters if one.get("required") is True}
        required |= names | {segment[1:-1] for segment in endpoint.path.split("/") if segment.startswith("{")}
        read |= names if endpoint.method == "GET" else set()
    return RequiredNames(frozenset(required), frozenset(read))


def with_demands(
    document: Document,
    endpoint: Endpoint,
    keys: Sequence[KeyPlacement],
    given: Mapping[str, str],
    named: RequiredNames = NO_NAMES,
) -> Endpoint:
    """The endpoint with what is always sent to it, and the first of its demands that nobody can meet. What a person
    has given goes where it is not required only if it is required nowhere."""
    always: dict[str, dict[str, str]] = {"query": {}, "header": {}}
    missing, asked = ("", ""), list(endpoint.asked)
    for parameter in endpoint.parameters:
        place, name = as_text(parameter.get("in")), as_text(parameter.get("name"))
        if place not in ("query", "header", "cookie") or _is_ours(document, endpoint, place, name, keys):
            continue
        required = parameter.get("required") is True
        is_given = name in given and (required or name not in named.required)
        if not is_given and not required:
            continue
        value = _usable(place, name, given[name]) if is_given else _said(document, endpoint, parameter, named)
        if is_given or value is None:
            asked.append(parameter)
        if value is not None:
            always[place][name] = value
        elif not missing[0] or (missing[0] != "query" and place == "query"):
            missing = (place, name)
    sent = replace(endpoint, always_query=always["query"], always_headers=always["header"])
    return replace(sent, missing=missing, asked=_askable(asked))


def _askable(parameters: Sequence[Node]) -> tuple[Node, ...]:
    """These, or none where a person could not give the value of one."""
    can = (
        one.get("in") in ("path", "query") or _takes_header(as_text(one.get("in")), as_text(one.get("name")))
        for one in parameters
    )
    return tuple(parameters) if all(can) else ()


def pretended(endpoint: Endpoint) -> Endpoint:
    """The endpoint as it would be if a person had given all values that are asked for."""
    if not endpoint.asked:
        return endpoint
    holes = {f"{{{one.get('name')}}}" for one in endpoint.asked if one.get("in") == "path"}
    segments = (_STAND_IN if segment in holes else segment for segment in endpoint.path.split("/"))
    return replace(endpoint, path="/".join(segments), missing=("", ""))


def values_asked(
    document: Document, then: Mapping[Op, Endpoint], now: Mapping[Op, Endpoint], given: Mapping[str, str]
) -> tuple[ServiceValue, ...]:
    """The values that a person gives for the operations that can be used `now`, and for those that could be used `then`
    with all of them. What is reached without a value needs none."""
    here = {op.resource for op in now}
    parameters: dict[tuple[str, str], Node] = {}
    without: dict[tuple[str, str], list[str]] = {}
    for op, endpoint in {**then, **now}.items():
        for one in endpoint.asked:
            place, name = as_text(one.get("in")), as_text(one.get("name"))
            apart = place == "path" and op.resource in here
            if name not in given and (op in now or apart):
                continue
            parameters.setdefault((place, name), one)
            without.setdefault((place, name), []).append(op.value)
    return tuple(_value(document, *key, one, without[key]) for key, one in parameters.items())


def _value(document: Document, place: str, name: str, parameter: Node, without: Sequence[str]) -> ServiceValue:
    schema = document.follow(parameter.get("schema"))
    few = [text for one in document.choices(schema) if (text := scalar_text(one))][:_CHOICES]
    named = as_map(next(iter(as_map(parameter.get("examples")).values()), None)).get("value")
    examples = (parameter.get("example"), named, schema.get("example"), *as_list(schema.get("examples"))[:1])
    example = next((text for one in examples if (text := scalar_text(one))), "")
    described = as_text(parameter.get("description")) or as_text(schema.get("description"))
    words = " ".join(described.split())[:_DESCRIPTION_LETTERS]
    return ServiceValue(name, place, words, example[:_EXAMPLE_LETTERS], tuple(few), tuple(without))


def _is_ours(document: Document, endpoint: Endpoint, place: str, name: str, keys: Sequence[KeyPlacement]) -> bool:
    """Whether the program sends it anyway, where it is of use."""
    word = plain(name)
    if place == "query":
        own = params.STATUSES if statuses_of(document, endpoint) else ()
        return params.pick([name], (*params.LIMITS, *params.PAGES, *params.OFFSETS, *own)) is not None
    if word in params.SENT or (word == "ifmatch" and endpoint.method in ("PUT", "PATCH", "DELETE")):
        return True
    return any(key.place is KeyPlace.HEADER and key.name.lower() == name.lower() for key in keys)


def _said(document: Document, endpoint: Endpoint, parameter: Node, named: RequiredNames) -> str | None:
    """The value that the document itself gives."""
    place, name = as_text(parameter.get("in")), as_text(parameter.get("name"))
    schema = document.follow(parameter.get("schema"))
    choices = as_list(schema.get("enum"))
    found = schema.get("default", schema.get("const", choices[0] if len(choices) == 1 else None))
    revised = params.is_revision(name, found) and name not in named.read
    if params.OVERRIDES.search(plain(name)) or (endpoint.method != "GET" and (revised or params.steers(name, found))):
        return None
    said = scalar_text(found)
    return _usable(place, name, said.lower() if isinstance(found, bool) else said)


def _usable(place: str, name: str, value: str) -> str | None:
    """The value if it can be sent there."""
    can = place == "query" or _takes_header(place, name)
    return value if can and value_can_be_sent(place, value) else None


def _takes_header(place: str, name: str) -> bool:
    return place == "header" and params.is_own_header(name)
