"""What an endpoint can be: by its method, the shape of its path, and what its bodies and answers are made of."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from petstore_desktop.contract.binding.bodies import Body, body_of, fills_of, steering
from petstore_desktop.contract.binding.kinds import PathShape, SchemaKind, path_shape, schema_kind
from petstore_desktop.contract.binding.path_parameters import hole_of, is_choice, taken_type
from petstore_desktop.contract.document.reading import Document, Endpoint, as_text
from petstore_desktop.contract.operations import METHODS, Verb
from petstore_desktop.domain.records import ALL_SPECS, Resource, plain

_WHOLE = (Verb.LIST, Verb.CREATE)
"""What concerns a list as a whole, and so has no id in its path."""

_ENGLISH: Mapping[str, str] = {
    "answer-strange": "its answer is not made of {what}",
    "answer-one": "its answer is one record, not a list",
    "answer-list": "its answer is a list, not one record",
    "answer-other": "its answer holds {what}",
    "answer-search": "its answer is a list, so that it creates nothing",
    "path-strange": "what else lies at its path is not made of {what}",
    "path-other": "what else lies at its path holds {what}",
    "fields-alone": "it has the fields of {what}, but no word of its path says so",
    "alone": "nothing else in the document is about pets, their orders or their stock",
    "petless": "neither its records nor the rest of the document are about pets",
    "rival": "the list may be {what} as well, so that a person chooses the list first",
    "apart": "it does not lie at the same path as {what}",
    "demands": "it demands the parameter {what}",
    "demands-header": "it demands the header {what}",
    "placeholder": "its placeholder {what} is not the record's id",
    "server": "it is only at another server, {what}",
    "body-media": "it takes {what}, not JSON",
    "body-type": "it takes {what}, not an object",
    "body-unknown": "its body has no field that is known",
}
_FINAL = frozenset({"answer-search", "server", "demands", "body-type", "body-unknown"})


class Mismatch(Struct, frozen=True):
    """What speaks against an endpoint. `code` is one of:

    answer-strange, answer-one, answer-list, answer-other (`what`: a resource): by its answer it is something else;
    path-strange, path-other (`what`: a resource): by the other answers of its path it is something else;
    fields-alone (`what`: a resource): its path does not name it;
    alone: it lists categories, but the rest of the document is about something else;
    petless: it has orders, or stock, which are not those of pets, and there are no pets;
    rival (`what`: an endpoint): another list is as likely that of the resource;
    apart (`what`: an endpoint): the resource's other operations lie elsewhere;
    placeholder (`what`: its name): what fills its path is not the record's id;
    demands-header (`what`: its name), body-media (`what`: a media type): the service may refuse what would be sent;
    server (`what`: its address), demands (`what`: a parameter's name), body-type (`what`: a type), body-unknown,
    answer-search: it cannot be used at all.
    """

    code: str
    what: str = ""

    @property
    def is_final(self) -> bool:
        """Whether no person can overrule it."""
        return self.code in _FINAL

    def __str__(self) -> str:
        return _ENGLISH[self.code].format(what=self.what)


class EndpointFacts(Struct, frozen=True):
    """An endpoint with what its path, its answer and its body say."""

    endpoint: Endpoint
    shape: PathShape
    answer: SchemaKind
    body: object
    body_kind: SchemaKind
    media: str
    """The media type of its body."""
    hole: str
    """The name of its placeholder, empty for none."""
    choice: bool
    """The placeholder takes one of a few values."""
    keyed: str = ""
    """What its body calls the id of the record, empty where it has none."""

    taken: str = ""
    """The type of what its placeholder takes."""

    @property
    def is_within_one(self) -> bool:
        """Whether its path had further placeholders, which are filled with what the address or a person says."""
        names = (one.get("name") for one in self.endpoint.parameters if one.get("in") == "path")
        return any(f"{{{name}}}" not in self.endpoint.path for name in names)

    @property
    def verb(self) -> Verb | None:
        """What it does by method and path, if it does anything that is known."""
        shape = self.shape
        of_all = (*_WHOLE, Verb.CHANGE) if self.keyed else _WHOLE
        verbs = of_all if shape.is_collection else (Verb.READ, Verb.CHANGE, Verb.DELETE) if shape.is_item else ()
        return next((verb for verb in verbs if self.endpoint.method in METHODS[verb]), None)

    def can_do(self, verb: Verb) -> bool:
        """Whether a person may say that this is what it does: the method fits, and there is room for the id."""
        holes = self.endpoint.path.count("{")
        has_room = holes == int(verb not in _WHOLE) or (verb is Verb.CHANGE and bool(self.keyed) and not holes)
        return self.endpoint.method in METHODS[verb] and has_room


def see(document: Document, endpoint: Endpoint) -> EndpointFacts:
    """Look at an endpoint."""
    media, body = document.body(endpoint)
    shape, hole = path_shape(endpoint.path), hole_of(endpoint.path)
    answer, of_body = (schema_kind(document, one, shape.noun) for one in (document.answer(endpoint), body))
    choice = is_choice(document, endpoint, hole)
    keyed = "" if shape.noun is None else _key(document, endpoint, body_of(document, body, shape.noun), shape.noun)
    taken = taken_type(document, endpoint, hole)
    return EndpointFacts(endpoint, shape, answer, body, of_body, media.lower(), hole, choice, keyed, taken)


def _key(document: Document, endpoint: Endpoint, body: Body, resource: Resource) -> str:
    """The field in which a body says which record is meant, empty for none. Where the query may say so, what is sent
    without it may be meant for all of them."""
    spec = ALL_SPECS[resource][0]
    if not body.has(spec):
        return ""
    name = body.fields.path(spec)[0]
    query = {plain(as_text(one.get("name"))) for one in endpoint.parameters if one.get("in") == "query"}
    read_only = document.follow(body.shape.properties[name]).get("readOnly") is True
    return "" if read_only or not query.isdisjoint((plain(name), "id")) else name


def against(document: Document, seen: EndpointFacts, resource: Resource, verb: Verb) -> Mismatch | None:
    """Why the endpoint cannot serve this operation; None if it can. Final reasons come first."""
    if seen.endpoint.elsewhere:
        return Mismatch("server", seen.endpoint.elsewhere)
    if verb is Verb.CREATE and seen.answer.is_list:
        return Mismatch("answer-search")
    demand, body = _demand(seen.endpoint), _body(document, seen.body, resource, verb)
    final = demand if demand is not None and demand.is_final else body
    return final or demand or _media(seen, verb) or _answer(seen.answer, resource, verb)


def _media(seen: EndpointFacts, verb: Verb) -> Mismatch | None:
    if verb not in (Verb.CREATE, Verb.CHANGE) or not seen.media:
        return None
    is_json = seen.media.endswith("/*") or ("json" in seen.media and "json-patch" not in seen.media)
    return None if is_json else Mismatch("body-media", seen.media)


def _demand(endpoint: Endpoint) -> Mismatch | None:
    """A value without which it is refused, and which neither the document nor a person has said."""
    place, name = endpoint.missing
    return Mismatch("demands" if place == "query" else "demands-header", name) if name else None


def _answer(answer: SchemaKind, resource: Resource, verb: Verb) -> Mismatch | None:
    if verb in (Verb.LIST, Verb.READ):
        if answer.strange or (answer.resource is None and answer.has_no_field_of(resource)):
            return Mismatch("answer-strange", resource.value)
        if answer.is_list is not None and answer.is_list != (verb is Verb.LIST):
            return Mismatch("answer-one" if verb is Verb.LIST else "answer-list")
    if verb in (Verb.CHANGE, Verb.DELETE) and answer.is_list:
        return Mismatch("answer-list")
    if answer.resource not in (None, resource):
        return Mismatch("answer-other", answer.resource.value)
    return None


def _body(document: Document, schema: object, resource: Resource, verb: Verb) -> Mismatch | None:
    if verb not in (Verb.CREATE, Verb.CHANGE) or schema is None:
        return None
    kind = document.shape(schema).type
    if kind not in ("", "object"):
        return Mismatch("body-type", kind)
    body = body_of(document, schema, resource)
    if not body.shape.properties:
        return None
    steered = steering(fills_of(document, body, resource)) if verb is Verb.CREATE else ""
    if steered:
        return Mismatch("demands", steered)
    wanted = (spec for spec in ALL_SPECS[resource] if spec.wire != "id")
    if resource is Resource.INVENTORY:
        wanted = (spec for spec in wanted if spec.name == "quantity")
    return None if any(body.has(spec) for spec in wanted) else Mismatch("body-unknown")
