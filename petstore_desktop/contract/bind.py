"""From an OpenAPI document to a Contract: which operation does what is found by method, path shape and body schemas.

Tags and operationIds are not looked at: tags can be empty parents, operationIds can contain spaces or be missing.
What a person bound by hand wins over what is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from petstore_desktop.contract.document import NOT_FOLLOWED, Document, as_list, as_map
from petstore_desktop.contract.judge import Seen, against, see
from petstore_desktop.contract.model import OPS, VERBS, Contract, Op, Operation, Stability, wishes
from petstore_desktop.contract.operation import note_of, operation_of
from petstore_desktop.contract.security import key_placement
from petstore_desktop.contract.servers import servers_of
from petstore_desktop.contract.survey import MAX_CHOICES, Choice, Finding, Survey
from petstore_desktop.domain.errors import DocumentUnusable
from petstore_desktop.domain.records import Resource

SAID_WARNINGS = 10
"""So many are told with a document that cannot be used."""


def bind(
    document: Mapping[str, object], *, source: str, digest: str = "", bindings: Mapping[str, object] | None = None
) -> Contract:
    """Find every operation that the program can use. `bindings`: what a person bound by hand, `pets.list` to
    `GET /animals`; what of it the document cannot serve is a warning.

    Raises DocumentUnusable: `document-version` for anything but OpenAPI 3.x, `document-empty` when nothing fits.
    """
    reader = Document(document)
    _check_version(reader)
    for words in as_list(document.get(NOT_FOLLOWED)):
        reader.warn(f"a reference is not followed: {words}")
    search = _Search(reader)
    wished = wishes(bindings or {})
    hands = search.by_hand({Op(name): endpoint for name, endpoint in wished.items()})
    operations = {op: hands.get(op) or found for op, found in search.best().items()} | hands
    title, version = _info(reader, "title"), _info(reader, "version")
    key, servers = key_placement(reader), servers_of(reader)
    warnings = tuple(reader.warnings)
    findings = tuple(_finding(op, operations.get(op), wished.get(op, ""), op in hands, search.choices(op)) for op in Op)
    survey = Survey(findings, source, title, version, warnings)
    if not operations:
        raise DocumentUnusable("document-empty", title=title, warnings=warnings[:SAID_WARNINGS])
    ordered = {op: operations[op] for op in Op if op in operations}
    return Contract(ordered, key, source, title, version, digest, warnings, servers, wished, survey)


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


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An endpoint that may be an operation; of several for one operation the highest `rank` is taken."""

    rank: tuple[int, ...]
    operation: Operation


class _Search:
    """Every endpoint of one document, and what it is meant for by its path."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._seen = [see(document, endpoint) for endpoint in document.endpoints()]
        self._resources = _resources_by_path(self._seen)
        self._meant = {str(seen.endpoint): self._op(seen) for seen in self._seen}

    def _op(self, seen: Seen) -> Op | None:
        resource, verb = seen.shape.noun or self._resources.get(seen.shape.literals), seen.verb
        return None if resource is None or verb is None else OPS.get((resource, verb))

    def best(self) -> dict[Op, Operation]:
        """The best endpoint for each operation; what is near and cannot be used is a warning."""
        best: dict[Op, _Candidate] = {}
        for seen in self._seen:
            op = self._meant[str(seen.endpoint)]
            candidate = None if op is None else self._candidate(seen, op)
            if op is not None and candidate is not None and (op not in best or candidate.rank > best[op].rank):
                best[op] = candidate
        return {op: candidate.operation for op, candidate in best.items()}

    def _candidate(self, seen: Seen, op: Op) -> _Candidate | None:
        problem = against(self._document, seen, op.resource, VERBS[op])
        if problem is not None:
            self._document.warn(f"{seen.endpoint} is not used: {problem}")
            return None
        operation = operation_of(self._document, seen.endpoint, op, VERBS[op])
        rank = (
            int(not operation.deprecated),
            int(seen.shape.noun is not None),
            int(seen.answer.resource is op.resource),
            int(seen.endpoint.method == "PATCH"),
            -len(seen.shape.literals),
        )
        return _Candidate(rank, operation)

    def by_hand(self, wished: Mapping[Op, str]) -> dict[Op, Operation]:
        """What a person bound, as far as the document has it and it can do that at all."""
        by_name = {str(seen.endpoint): seen for seen in self._seen}
        found: dict[Op, Operation] = {}
        for op, wish in wished.items():
            seen, verb = by_name.get(wish), VERBS[op]
            if seen is None or not seen.can_do(verb):
                self._document.warn(f"{op} was bound by hand to {wish}, which the document does not have")
                continue
            problem = against(self._document, seen, op.resource, verb)
            if problem is not None and problem.is_final:
                self._document.warn(f"{op} was bound by hand to {wish}, which cannot be used: {problem}")
                continue
            found[op] = operation_of(self._document, seen.endpoint, op, verb)
        return found

    def choices(self, op: Op) -> tuple[Choice, ...]:
        """What a person may bind the operation to, and what was near; what is nearest comes first."""
        made = [self._choice(seen, op) for seen in self._seen if seen.can_do(VERBS[op])]
        made.sort(key=lambda choice: (not choice.near, not choice.fits, bool(choice.why), choice.endpoint))
        return tuple(made[:MAX_CHOICES])

    def _choice(self, seen: Seen, op: Op) -> Choice:
        problem = against(self._document, seen, op.resource, VERBS[op])
        name, note = str(seen.endpoint), note_of(seen.endpoint)
        near = self._meant[name] is op
        if problem is None:
            return Choice(name, note, near=near)
        return Choice(name, note, problem.code, problem.what, not problem.is_final, near)


def _resources_by_path(endpoints: Iterable[Seen]) -> dict[tuple[str, ...], Resource]:
    """What the paths with names of their own are about, by the schemas of their bodies and answers."""
    found: dict[tuple[str, ...], Resource] = {}
    for seen in endpoints:
        for kind in (seen.answer, seen.body_kind):
            if kind.resource is not None:
                found.setdefault(seen.shape.literals, kind.resource)
    return found


def _finding(op: Op, bound: Operation | None, wish: str, hand: bool, choices: Sequence[Choice]) -> Finding:
    unmet = "" if hand else wish
    if bound is None:
        return Finding(op, wish=unmet, choices=tuple(choices))
    return Finding(
        op,
        f"{bound.method} {bound.path}",
        hand,
        unmet,
        bound.deprecated,
        bound.sunset,
        Stability(bound.stability),
        tuple(choices),
    )
