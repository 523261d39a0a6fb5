"""From an OpenAPI document to a Contract: which operation does what is found by method, path shape and body schemas.

Tags and operationIds are not looked at: tags can be empty parents, operationIds can contain spaces or be missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from petstore_desktop.contract import params
from petstore_desktop.contract.document import Document, Endpoint, as_map, as_text
from petstore_desktop.contract.kinds import WIRE_FIELDS, Kind, PathShape, kind_of, path_shape
from petstore_desktop.contract.model import OPS, Contract, Op, Operation, Verb
from petstore_desktop.contract.operation import operation_of
from petstore_desktop.contract.security import key_placement
from petstore_desktop.domain.errors import DocumentUnusable
from petstore_desktop.domain.records import Resource

_VERBS = {"POST": Verb.CREATE, "PATCH": Verb.CHANGE, "PUT": Verb.CHANGE, "DELETE": Verb.DELETE}


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An endpoint that may be an operation; of several for one operation the highest `rank` is taken."""

    rank: tuple[int, ...]
    operation: Operation


def bind(document: Mapping[str, object], *, source: str, digest: str = "") -> Contract:
    """Find every operation that the program can use.

    Raises DocumentUnusable: `document-version` for anything but OpenAPI 3.x, `document-empty` when nothing fits.
    """
    reader = Document(document)
    _check_version(reader)
    best: dict[Op, _Candidate] = {}
    resources = _resources_by_path(reader)
    for endpoint in reader.endpoints():
        candidate = _candidate(reader, endpoint, resources)
        if candidate is None:
            continue
        op = candidate.operation.op
        if op not in best or candidate.rank > best[op].rank:
            best[op] = candidate
    if not best:
        raise DocumentUnusable("document-empty", title=_info(reader, "title"), warnings=tuple(reader.warnings))
    return Contract(
        operations={op: best[op].operation for op in Op if op in best},
        key=key_placement(reader),
        source=source,
        title=_info(reader, "title"),
        version=_info(reader, "version"),
        digest=digest,
        warnings=tuple(reader.warnings),
    )


def _info(document: Document, name: str) -> str:
    value = as_map(document.root.get("info")).get(name)
    # An unquoted version in YAML arrives as a number or a date.
    return "" if value is None else str(value)


def _check_version(document: Document) -> None:
    said = document.root.get("openapi", document.root.get("swagger"))
    version = "" if said is None else str(said)
    if not version.startswith("3.") or "openapi" not in document.root:
        raise DocumentUnusable("document-version", version=version)
    if not version.startswith(("3.0", "3.1")):
        document.warn(f"OpenAPI {version} is newer than this program knows")


def _resources_by_path(document: Document) -> dict[tuple[str, ...], Resource]:
    """What the paths with names of their own are about, by the schemas of their bodies and answers."""
    found: dict[tuple[str, ...], Resource] = {}
    for endpoint in document.endpoints():
        shape = path_shape(endpoint.path)
        kinds = (kind_of(document, document.answer(endpoint)), kind_of(document, document.body(endpoint)[1]))
        for kind in kinds:
            if kind.resource is not None:
                found.setdefault(shape.literals, kind.resource)
    return found


def _candidate(
    document: Document, endpoint: Endpoint, resources: Mapping[tuple[str, ...], Resource]
) -> _Candidate | None:
    shape = path_shape(endpoint.path)
    verb = _verb(endpoint.method, shape)
    resource = shape.noun or resources.get(shape.literals)
    if verb is None or resource is None:
        return None
    op = OPS.get((resource, verb))
    if op is None:
        return None
    answer = kind_of(document, document.answer(endpoint))
    body = document.body(endpoint)
    problem = _contradiction(endpoint, resource, verb, answer) or _body_problem(document, body[1], resource, verb)
    if problem:
        document.warn(f"{endpoint} is not used: {problem}")
        return None
    operation = operation_of(document, endpoint, op, verb)
    rank = (
        int(not operation.deprecated),
        int(shape.noun is not None),
        int(answer.resource is resource),
        int(endpoint.method == "PATCH"),
        -len(shape.literals),
    )
    return _Candidate(rank, operation)


def _verb(method: str, shape: PathShape) -> Verb | None:
    if shape.is_collection:
        return {"GET": Verb.LIST, "POST": Verb.CREATE}.get(method)
    if shape.is_item:
        return Verb.READ if method == "GET" else {**_VERBS, "POST": None}.get(method)
    return None


def _contradiction(endpoint: Endpoint, resource: Resource, verb: Verb, answer: Kind) -> str:
    """Why the endpoint cannot be what its path says, in words; empty if it can."""
    if verb in (Verb.LIST, Verb.READ):
        if answer.strange:
            return f"its answer is not made of {resource.value}"
        if answer.is_list is not None and answer.is_list != (verb is Verb.LIST):
            return (
                "its answer is one record, not a list" if verb is Verb.LIST else "its answer is a list, not one record"
            )
    if answer.resource not in (None, resource):
        return f"its answer holds {answer.resource.value}, not {resource.value}"
    for parameter in endpoint.parameters:
        name = as_text(parameter.get("name"))
        if parameter.get("required") is True and parameter.get("in") == "query" and not _can_fill(name):
            return f"it demands the parameter {name}"
    return ""


def _can_fill(name: str) -> bool:
    return params.pick([name], (*params.LIMITS, *params.PAGES, *params.OFFSETS)) is not None


def _body_problem(document: Document, schema: object, resource: Resource, verb: Verb) -> str:
    if verb not in (Verb.CREATE, Verb.CHANGE) or schema is None:
        return ""
    shape = document.shape(schema)
    if shape.type not in ("", "object"):
        return f"it takes {shape.type}, not an object"
    if not shape.properties:
        return ""
    wanted = frozenset({"quantity"}) if resource is Resource.INVENTORY else WIRE_FIELDS[resource] - {"id"}
    if not wanted & shape.properties.keys():
        return "its body has no field that is known"
    return ""
