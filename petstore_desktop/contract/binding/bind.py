"""Binds an OpenAPI document to a Contract: finds the operations by method, path and body schemas.

Tags and operationIds are not looked at: tags can be empty parents, operationIds can contain spaces or be missing.
What a person bound by hand wins over what is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from msgspec.structs import replace

from petstore_desktop.contract.binding import places
from petstore_desktop.contract.binding.answer_fields import with_fields
from petstore_desktop.contract.binding.demands import names_required, pretended, values_asked, with_demands
from petstore_desktop.contract.binding.endpoint_classifier import EndpointFacts, Mismatch, against, see
from petstore_desktop.contract.binding.families import Candidate, Paths, choose, same_path
from petstore_desktop.contract.binding.kinds import is_count_by_word, singular
from petstore_desktop.contract.binding.operation import note_of, operation_of
from petstore_desktop.contract.binding.security import Security
from petstore_desktop.contract.binding.servers import placed, servers_of
from petstore_desktop.contract.document import swagger2
from petstore_desktop.contract.document.reading import NOT_FOLLOWED, Document, Endpoint, as_list, as_map
from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import PARAMETER, VERBS, Op, Stability, keys_by_hand, manual_bindings
from petstore_desktop.contract.scalars import scalar_text
from petstore_desktop.contract.survey import MAX_CHOICES, EndpointCandidate, Finding, Survey
from petstore_desktop.domain.commands import ServiceValue
from petstore_desktop.domain.errors import DocumentUnusable
from petstore_desktop.domain.records import Resource

SAID_WARNINGS = 10
"""How many near misses are listed for a document that cannot be used."""
_INFO_LENGTH = 200
_OF_ANYTHING = frozenset(map(singular, ("kinds", "species")))
"""What names categories only beside pets."""


def bind(
    document: Mapping[str, object],
    *,
    source: str,
    digest: str = "",
    bindings: Mapping[str, object] | None = None,
    address: str = "",
    place: str = "",
    refuse: bool = True,
) -> Contract:
    """Find every operation that the program can use. `bindings`: what a person bound by hand, `pets.list` to
    `GET /animals`; what of it the document cannot serve is a warning. `address`: the service's base address, which may
    name the shop that the pets belong to; `place`: the document's own, if it has one.

    The contract offers nothing where only fields are alike: then a person chooses. Not to `refuse` a document of which
    nothing can be used makes such a contract of it too. Raises DocumentUnusable otherwise:
    `document-version` for anything but OpenAPI 3.x and Swagger 2.0, `document-without-version` where none is named,
    `document-empty` when nothing fits, `document-too-many` when nothing fits among the operations that were read,
    `document-place` when the address has to say more, `document-values` when nothing can be used without values that a
    person gives.
    """
    reader = Document(swagger2.converted(document) if swagger2.is_swagger2(document) else document)
    _check_version(reader)
    for words in as_list(document.get(NOT_FOLLOWED)):
        reader.warn(f"a reference is not followed: {words}")
    bound, security = manual_bindings(bindings or {}), Security(reader)
    endpoints = tuple(_endpoints(reader, address, place, security, bound))
    scopes = places.scopes_of(endpoints)
    scope, values = places.within(scopes, address)
    servers = servers_of(reader, reader.root, place)
    if not scope:
        scope = values = places.repeated(endpoints, address, servers)
    search = _Search(reader, security, [places.filled(endpoint, scope, values) for endpoint in endpoints], bound)
    hands = search.by_hand({op: bound[op] for op in Op if op in bound})
    best = search.best(hands)
    title, version, warnings = _info(reader, "title"), _info(reader, "version"), tuple(reader.warnings)
    asked = search.values(best, _values_given(bound))
    told = {"values": asked, "servers": servers, "within": bool(scope), "keys": security.wanted()}
    findings = tuple(_finding(search, op, best, bound.get(op, ""), op in hands) for op in Op)
    survey = Survey(findings, source, title, version, warnings)
    trouble = _trouble(search, {} if scope or hands else scopes, best, address, survey, told)
    if trouble is not None and refuse:
        raise trouble
    if trouble is not None:
        best, survey = {}, replace(survey, findings=tuple(replace(one, endpoint="") for one in findings))
    ordered = {op: best[op].operation for op in Op if op in best}
    told_of = (source, title, version, digest, warnings, servers, bound, places.shown(values) if scope else "")
    contract = Contract(ordered, security.keys()[0], *told_of, place=place, values=asked, survey=survey)
    contract = _with_fields(security.in_contract(replace(contract, counts=search.counts(best))), best)
    search.forget()
    return contract


def _trouble(
    search: _Search,
    scopes: Mapping[places.Scope, object],
    best: Mapping[Op, Candidate],
    address: str,
    survey: Survey,
    told: Mapping[str, object],
) -> DocumentUnusable | None:
    """Why the document cannot be used: more lies below one shop, or nothing can be used and a person can choose nothing
    either. `told` goes along."""
    try:
        _look_below(search, scopes, best, address, told)
    except DocumentUnusable as error:
        return error
    asked = cast("tuple[ServiceValue, ...]", told["values"])
    if best:
        return None
    if search.is_cut:
        return DocumentUnusable("document-too-many", most=search.count)
    if asked:
        return DocumentUnusable("document-values", names=", ".join(one.name for one in asked), **told)
    if survey.alike:
        return None
    return DocumentUnusable("document-empty", title=survey.title, warnings=survey.warnings[:SAID_WARNINGS])


def _endpoints(
    reader: Document, address: str, place: str, security: Security, bound: Mapping[str, str]
) -> Iterator[Endpoint]:
    """Every endpoint with where it lies, what always goes along, and the values that a person has given."""
    given, named = _values_given(bound), names_required(reader.endpoints())
    for endpoint in reader.endpoints():
        lies = places.given(placed(reader, endpoint, address, place), given)
        yield with_demands(reader, lies, security.sent(endpoint), given, named)


def _values_given(bound: Mapping[str, str]) -> dict[str, str]:
    """The values for parameters among what a person bound by hand."""
    return {name.removeprefix(PARAMETER): value for name, value in bound.items() if name.startswith(PARAMETER)}


def _look_below(
    search: _Search,
    scopes: Iterable[places.Scope],
    best: Mapping[Op, Candidate],
    address: str,
    told: Mapping[str, object],
) -> None:
    """Raises DocumentUnusable (`document-place`) where more lies below one shop than elsewhere. `told` goes along."""
    scope = next(iter(scopes), ())
    if scope and len(search.below(scope)) > len({op.resource for op in best}):
        example = places.example(scope, address)
        raise DocumentUnusable("document-place", scope=places.shown(scope), example=example, **told)


def _info(document: Document, name: str) -> str:
    return scalar_text(as_map(document.root.get("info")).get(name))[:_INFO_LENGTH]


def _check_version(document: Document) -> None:
    said = document.root.get("openapi", document.root.get("swagger"))
    if not said:
        raise DocumentUnusable("document-without-version")
    version = scalar_text(said)
    if not version.startswith("3.") or "openapi" not in document.root:
        raise DocumentUnusable("document-version", version=version)
    if not version.startswith(("3.0", "3.1")):
        document.warn(f"OpenAPI {version} is newer than this program knows")


class _Search:
    """Every endpoint of one document, and what it is meant for by its path."""

    def __init__(
        self,
        document: Document,
        security: Security,
        endpoints: Iterable[Endpoint],
        said: Mapping[str, str],
    ) -> None:
        self._document = document
        self._security = security
        self._seen = [see(document, endpoint) for endpoint in endpoints]
        self._said = said
        self._paths = Paths(self._seen, keys_by_hand(said))
        self._meant = {str(seen.endpoint): self._paths.meant(seen) for seen in self._seen}
        self._alone: Mapping[Resource, str] = {}
        self._rivals: Mapping[Resource, Candidate] = {}
        self.is_cut, self.count = document.is_cut, len(self._seen)

    def best(self, by_hand: Mapping[Op, Candidate]) -> dict[Op, Candidate]:
        """The best endpoint for each operation; near ones that cannot be used become warnings."""
        found = [(seen, op, self._against(seen, op)) for seen in self._seen if (op := self._meant[str(seen.endpoint)])]
        candidates = [self._candidate(seen, op) for seen, op, problem in found if problem is None]
        chosen, self._rivals = choose(candidates, by_hand)
        best = {**chosen, **by_hand}
        self._alone = self._without_pets(best)
        best = {op: one for op, one in best.items() if op in by_hand or op.resource not in self._alone}
        if not by_hand and self._has_categories_alone(best):
            best, self._alone = {}, {**self._alone, Resource.CATEGORIES: "alone"}
        offered = {op.resource for op in best}
        for seen, op, against_it in found:
            problem = None if self._is_count(seen, best) else against_it or self._apart(seen, op, best)
            if problem is not None and not (problem.code == "fields-alone" and op.resource in offered):
                self._document.warn(f"{seen.endpoint} is not used: {problem}")
        return best

    def _against(self, seen: EndpointFacts, op: Op) -> Mismatch | None:
        """Why it is not taken by itself."""
        verb = VERBS[op]
        return against(self._document, seen, op.resource, verb) or self._paths.against(seen, op.resource, verb)

    def _apart(self, seen: EndpointFacts, op: Op, best: Mapping[Op, Candidate]) -> Mismatch | None:
        """Whether the resource's other operations lie at another path."""
        if op.resource in self._alone and op not in best:
            return Mismatch(self._alone[op.resource])
        own = [one.seen for other, one in best.items() if other.resource is op.resource]
        if not own or any(same_path(seen, one) for one in own):
            rival = self._rivals.get(op.resource)
            return Mismatch("rival", str(rival.seen.endpoint)) if own and rival and op not in best else None
        return Mismatch("apart", str(own[0].endpoint))

    def _without_pets(self, best: Mapping[Op, Candidate]) -> dict[Resource, str]:
        """The orders and the stock that are not those of pets, in a document that has none."""
        if any(op.resource is Resource.PETS for op in best):
            return {}
        others = {op.resource for op in best} & {Resource.ORDERS, Resource.INVENTORY}
        found = {op.resource: one.seen for op, one in best.items() if op.resource in others}
        return {one: "petless" for one, seen in found.items() if self._paths.is_of_other_things(seen, one)}

    def _has_categories_alone(self, best: Mapping[Op, Candidate]) -> bool:
        """Whether categories are all that was found, in a document that is about something else: goods, tickets and
        accounts have categories too, and a lexicon has species."""
        alone = {op.resource for op in best} == {Resource.CATEGORIES} and not self._paths.names_any
        return alone and any(
            seen.shape.noun is not Resource.CATEGORIES or seen.shape.root[-1] in _OF_ANYTHING for seen in self._seen
        )

    def forget(self) -> None:
        """Let go of what was seen, bit by bit: all at once would hold up every other thread."""
        while self._seen:
            self._seen.pop()
        self._document.forget()

    def below(self, scope: places.Scope) -> set[Resource]:
        """The resources that would be found if the address named one of the records that they lie below."""
        document, values = Document(self._document.root), places.filling(scope)
        endpoints = (places.filled(seen.endpoint, scope, values) for seen in self._seen)
        return {op.resource for op in _Search(document, self._security, endpoints, self._said).best({})}

    def _candidate(self, seen: EndpointFacts, op: Op) -> Candidate:
        scheme, key = self._security.of(seen.endpoint)
        operation = operation_of(self._document, seen.endpoint, op, VERBS[op])
        return Candidate(seen, replace(operation, scheme=scheme, key=key))

    def by_hand(self, bound: Mapping[Op, str]) -> dict[Op, Candidate]:
        """What a person bound, as far as the document has it and it can do that at all."""
        by_name = {str(seen.endpoint): seen for seen in self._seen}
        found: dict[Op, Candidate] = {}
        for op, chosen in bound.items():
            seen, verb = by_name.get(chosen), VERBS[op]
            if seen is None or not seen.can_do(verb):
                self._document.warn(f"{op} was bound by hand to {chosen}, which the document does not have")
                continue
            problem = against(self._document, seen, op.resource, verb)
            if problem is not None and problem.is_final:
                self._document.warn(f"{op} was bound by hand to {chosen}, which cannot be used: {problem}")
                continue
            found[op] = self._candidate(seen, op)
        return found

    def values(self, best: Mapping[Op, Candidate], given: Mapping[str, str]) -> tuple[ServiceValue, ...]:
        """The values that a person gives, or would have to give so that more can be used."""
        endpoints = [seen.endpoint for seen in self._seen if seen.endpoint.asked or seen.shape.noun is not None]
        if not any(endpoint.asked for endpoint in endpoints):
            return ()
        wished = _Search(self._document, self._security, map(pretended, endpoints), self._said)
        then = {op: one.seen.endpoint for op, one in wished.best({}).items()}
        return values_asked(self._document, then, {op: one.seen.endpoint for op, one in best.items()}, given)

    def by_fields(self, one: Candidate) -> bool:
        """Whether no word of its path names the resource."""
        return not self._paths.names(one.seen, one.operation.op.resource)

    def counts(self, best: Mapping[Op, Candidate]) -> Operation | None:
        """What tells how many pets there are of each status, where there is a list of pets and none of stock."""
        fitting = (seen for seen in self._seen if self._is_count(seen, best))
        found = [self._candidate(seen, Op.INVENTORY_LIST) for seen in fitting]
        return max(found, key=lambda one: one.rank).operation if found else None

    def _is_count(self, seen: EndpointFacts, best: Mapping[Op, Candidate]) -> bool:
        if self._meant[str(seen.endpoint)] is not Op.INVENTORY_LIST or Op.INVENTORY_LIST in best:
            return False
        usable = Op.PETS_LIST in best and not (seen.endpoint.elsewhere or seen.endpoint.missing[1])
        return usable and is_count_by_word(self._document, self._document.answer(seen.endpoint))

    def choices(self, op: Op, best: Mapping[Op, Candidate]) -> tuple[EndpointCandidate, ...]:
        """The endpoints that a person may bind the operation to, the nearest first."""
        made = [self._choice(seen, op, best) for seen in self._seen if seen.can_do(VERBS[op])]
        made.sort(key=lambda choice: (not choice.near, not choice.fits, bool(choice.why), choice.endpoint))
        return tuple(made[:MAX_CHOICES])

    def _choice(self, seen: EndpointFacts, op: Op, best: Mapping[Op, Candidate]) -> EndpointCandidate:
        name, note = str(seen.endpoint), note_of(seen.endpoint)
        near = self._meant[name] is op
        problem = against(self._document, seen, op.resource, VERBS[op])
        if problem is None and near:
            problem = self._paths.against(seen, op.resource, VERBS[op]) or self._apart(seen, op, best)
        if problem is None:
            return EndpointCandidate(name, note, near=near)
        return EndpointCandidate(name, note, problem.code, problem.what, not problem.is_final, near)


def _with_fields(contract: Contract, best: Mapping[Op, Candidate]) -> Contract:
    """The contract with the places of fields, and a survey that tells which of its lists is made of what the pets
    show."""
    contract = with_fields(contract, {op: one.seen.answer.seen for op, one in best.items()})
    listing, survey = contract.operations.get(Op.CATEGORIES_LIST), contract.survey
    if listing is None or not listing.gathered or survey is None:
        return contract
    found = replace(
        survey.of(listing.op), endpoint=f"{listing.method} {listing.path}", sunset=listing.sunset, gathered=True
    )
    findings = tuple(found if one.op is found.op else one for one in survey.findings)
    return replace(contract, survey=replace(survey, findings=findings))


def _finding(search: _Search, op: Op, best: Mapping[Op, Candidate], chosen: str, hand: bool) -> Finding:
    unmet, choices, taken = "" if hand else chosen, search.choices(op, best), best.get(op)
    if taken is None:
        return Finding(op, chosen=unmet, choices=choices)
    bound = taken.operation
    return Finding(
        op,
        f"{bound.method} {bound.path}",
        hand,
        unmet,
        bound.deprecated,
        bound.sunset,
        Stability(bound.stability),
        choices,
        not hand and search.by_fields(taken),
    )
