"""How one endpoint is used, once it is known what it does: parameters, body fields, marks."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from petstore_desktop.contract import params
from petstore_desktop.contract.binding.bodies import Body, body_of, category_name, fills_of, types_of
from petstore_desktop.contract.binding.kinds import schema_kind, words_of
from petstore_desktop.contract.document.reading import Document, Endpoint, Node, as_text
from petstore_desktop.contract.fields.likeness import names_of
from petstore_desktop.contract.lifecycle import marks as lifecycle
from petstore_desktop.contract.model import Operation
from petstore_desktop.contract.operations import ATTRIBUTES, Op, Stability, Verb
from petstore_desktop.domain.records import ALL_SPECS, Resource, plain

_IDS = frozenset({"id", "categoryId", "petId"})
_NOTE_LENGTH = 200
LARGEST_PAGE = 1000
"""Records that are asked for at once, at most, however many a document allows."""
_MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+(;[ -~]*)?", re.ASCII)
"""RFC 9110, 8.3.1: anything else would break the header that carries it."""


def operation_of(document: Document, endpoint: Endpoint, op: Op, verb: Verb) -> Operation:
    """What the endpoint takes, without its keys, and how it is marked."""
    query = [one for one in endpoint.parameters if one.get("in") == "query" and _can_page(document, one)]
    content_type, schema = document.body(endpoint)
    writes = body_of(document, schema, op.resource) if verb in (Verb.CREATE, Verb.CHANGE) else Body()
    body = writes.shape
    read_only = tuple(name for name, node in body.properties.items() if document.follow(node).get("readOnly") is True)
    marks = {key: value for key, value in endpoint.path_node.items() if key.startswith("x-")} | {**endpoint.node}
    sunset = _sunset(document, endpoint, marks)
    return Operation(
        op=op,
        method=endpoint.method,
        path=endpoint.path,
        query=tuple(as_text(parameter.get("name")) for parameter in query),
        page_limit=_page_limit(document, query),
        body_fields=tuple(name for name in body.properties if name not in read_only),
        required_fields=tuple(name for name in body.required if name not in read_only),
        replaces=endpoint.method == "PUT" and _is_put_whole(writes, op.resource),
        conditional=verb in (Verb.CHANGE, Verb.DELETE) and _is_conditional(document, endpoint),
        deprecated=lifecycle.is_deprecated(marks) or sunset is not None,
        sunset=sunset,
        stability=_stability(endpoint),
        closed=body.closed,
        text_fields=writes.texts(op.resource),
        day_fields=writes.days(op.resource),
        read_only_fields=read_only,
        first_page=_first_page(document, query),
        content_type=content_type if _is_json(content_type) else "application/json",
        server=endpoint.server,
        always_query=endpoint.always_query,
        always_headers=endpoint.always_headers,
        shows=_shown(document, endpoint, op.resource, verb),
        writes=writes.fields,
        envelope=writes.envelope,
        fills=fills_of(document, writes, op.resource) if verb is Verb.CREATE or ATTRIBUTES in body.properties else {},
        statuses=statuses_of(document, endpoint) if verb is Verb.LIST else (),
        category_name=category_name(writes, op.resource),
        body_types=writes.types,
        types=types_of(writes, op.resource),
    )


def _can_page(document: Document, parameter: Node) -> bool:
    """Whether what is called like a page's size, number or begin can be one: no yes or no, no words, no date."""
    schema = document.follow(parameter.get("schema"))
    no_number = schema.get("type") == "boolean" or "date" in as_text(schema.get("format"))
    return not (no_number or words_of(document, schema)) or not params.pick(
        [as_text(parameter.get("name"))], params.PAGING
    )


def _sunset(document: Document, endpoint: Endpoint, marks: Node) -> str | None:
    sunset, unread = lifecycle.sunset_of(marks)
    if unread:
        document.warn(f"{endpoint}: the sunset date cannot be read: {unread}")
    return sunset


def statuses_of(document: Document, endpoint: Endpoint) -> tuple[str, ...]:
    """Each of the statuses of which a list shows one at a time, as its path or its parameter says; none for others."""
    query = [parameter for parameter in endpoint.parameters if parameter.get("in") == "query"]
    name = params.pick((as_text(parameter.get("name")) for parameter in query), params.STATUSES)
    schema = _schema_of(document, query, params.STATUSES)
    items = document.follow(schema.get("items"))
    words = words_of(document, schema) or words_of(document, items)
    demanded = any(one.get("name") == name and one.get("required") is True for one in query)
    told = demanded or "default" in schema or "default" in items or "status" in plain(endpoint.path.rpartition("/")[2])
    return words if told else ()


def _shown(document: Document, endpoint: Endpoint, resource: Resource, verb: Verb) -> tuple[str, ...]:
    """The fields of a record in the answer; of one to a write, where every answer has the record that was written."""
    reads = verb in (Verb.LIST, Verb.READ)
    kind = schema_kind(document, document.answer(endpoint) if reads else document.promised(endpoint), resource)
    told = kind.resource is not None or kind.is_list if reads else kind.resource is resource and not kind.is_list
    return tuple(sorted(names_of(kind.seen.shown()))) if told else ()


def _is_json(content_type: str) -> bool:
    return "json" in content_type and _MEDIA_TYPE.fullmatch(content_type) is not None


def note_of(endpoint: Endpoint) -> str:
    """What the document says of it in a line, cut at a sane length."""
    said = as_text(endpoint.node.get("summary")).strip() or as_text(endpoint.path_node.get("summary")).strip()
    return said[:_NOTE_LENGTH]


def _stability(endpoint: Endpoint) -> Stability:
    """The operation's own description, else that of its path."""
    own = lifecycle.stability_of(endpoint.node)
    return own or lifecycle.stability_of(endpoint.path_node) or Stability.STABLE


def _page_limit(document: Document, query: Iterable[Node]) -> int | None:
    """The largest page the document allows; None without such a parameter, or where it names no bound."""
    schema = _schema_of(document, query, params.LIMITS)
    maximum, above = _number(schema.get("maximum")), schema.get("exclusiveMaximum")
    # 3.0 says `exclusiveMaximum: true` beside `maximum`, 3.1 gives the bound itself.
    bound = maximum if above is True else _number(above)
    if bound is not None:
        maximum = bound - 1
    return None if maximum is None or maximum < 1 else int(min(maximum, LARGEST_PAGE))


def _number(value: object) -> float | None:
    """A number; a document may have made it infinite, or a truth value."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _schema_of(document: Document, query: Iterable[Node], known: tuple[str, ...]) -> Node:
    """The schema of the parameter that has one of these names; empty without one."""
    by_name = {as_text(parameter.get("name")): parameter for parameter in query}
    name = params.pick(by_name, known)
    return {} if name is None else document.follow(by_name[name].get("schema"))


def _first_page(document: Document, query: Iterable[Node]) -> int | None:
    """The number of the first page; None where nothing says it."""
    schema = _schema_of(document, query, params.PAGES)
    said = [number for name in ("default", "minimum") if (number := _number(schema.get(name))) is not None]
    return 0 if 0 in said else 1 if said else None


def _is_put_whole(body: Body, resource: Resource) -> bool:
    """Whether a PUT of such a body replaces the whole record (RFC 9110, 9.3.4): always, whatever the document says of
    the body, but for a stock entry whose quantity alone is put. What answers show of entries is compared with it later
    (`answer_fields`)."""
    if resource is not Resource.INVENTORY:
        return True
    key, quantity, *_ = (body.fields.path(spec)[:1] for spec in ALL_SPECS[resource])
    return {*body.shape.properties} - {*key, *_IDS} != set(quantity)


def _is_conditional(document: Document, endpoint: Endpoint) -> bool:
    """If-Match is taken where it is declared, or where it is demanded (RFC 6585, 3). A 412 alone may be about anything,
    and what nobody compares would guard nothing."""
    headers = [as_text(p.get("name")).lower() for p in endpoint.parameters if p.get("in") == "header"]
    return "if-match" in headers or "428" in document.statuses(endpoint)
