"""Which of a service's fields is which of the program's: by likeness of names and by type. Pure.

Where a field of the specification's own name is there, that is it. Else the first word of a list decides, and a name is
taken for one field only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from petstore_desktop.contract.fields.seen import Seen
from petstore_desktop.contract.operations import ATTRIBUTES, NOWHERE, FieldMap, Path
from petstore_desktop.domain.records import ALL_SPECS, FieldKind, FieldSpec, Resource, plain


class _Words(Struct, frozen=True):
    """What services call a field, as `plain` has it, the likeliest first. `sure` ones tell what a record is; `also` is
    used by records of all kinds."""

    sure: tuple[str, ...]
    also: tuple[str, ...] = ()


_ANY_ID = ("uuid", "guid", "uid", "oid", "objectid", "pk", "key")
_A_PET = _Words(("petid", "pet", "animalid", "animal"), ("itemid", "item", "productid", "product"))
_NAME = ("title", "label", "displayname", "fullname")
_STATUS = _Words(("status", "petstatus", "availability"), ("state", "petstate", "salestatus", "adoptionstatus"))

_WORDS: Final[Mapping[Resource, Mapping[str, _Words]]] = {
    Resource.PETS: {
        "id": _Words(("id", "petid", "animalid"), _ANY_ID),
        "name": _Words(("name", "petname", "animalname"), (*_NAME, "callname", "nickname")),
        "category_id": _Words(
            ("categoryid", "category", "petcategoryid", "petcategory", "speciesid", "species", "animaltype"),
            ("categoryname", "kindid", "kind", "typeid", "type", "groupid", "group"),
        ),
        "status": _STATUS,
    },
    Resource.CATEGORIES: {
        "id": _Words(("id", "categoryid"), ("kindid", *_ANY_ID)),
        "name": _Words(("name", "categoryname"), ("kindname", *_NAME)),
        "description": _Words(
            ("description", "desc"), ("details", "summary", "notes", "note", "text", "info", "about")
        ),
    },
    Resource.ORDERS: {
        "id": _Words(("id", "orderid"), ("ordernumber", "orderno", *_ANY_ID)),
        "pet_id": _A_PET,
        "quantity": _Words(("quantity", "qty"), ("amount", "count", "units", "pieces")),
        "ship_date": _Words(
            ("shipdate", "shippingdate", "shippeddate", "shipat", "shipsat", "shippedat", "shipon", "shippedon"),
            ("dispatchdate", "dispatchedat", "deliverydate", "deliveredat", "deliverat", "sentat", "duedate", "dueat"),
        ),
        "complete": _Words(
            ("complete", "completed", "iscomplete", "iscompleted", "fulfilled", "isfulfilled"),
            ("done", "isdone", "finished", "isfinished", "closed", "isclosed", "delivered", "isdelivered"),
        ),
        "status": _Words((), ("status", "orderstatus", "state", "orderstate")),
    },
    Resource.INVENTORY: {
        "pet_id": _Words(_A_PET.sure, (*_A_PET.also, "id")),
        "quantity": _Words(
            ("quantity", "qty", "stock", "onhand", "quantityonhand", "qtyonhand", "stocklevel", "instock"),
            ("count", "amount", "level", "units", "available", "currentstock", "balance"),
        ),
        "status": _STATUS,
    },
}
_RELATIONS = "relationships"
"""Where JSON:API keeps which other records it belongs to (7.2.3), each as `{"data": {"type":, "id":}}`."""
_INNER = ("id", "oid", *_A_PET.sure, "categoryid", "uuid", "guid", "key", "data", "name", "title")
"""Which field of an object that stands for another record names that."""
_OPENED = frozenset(
    {
        ATTRIBUTES,
        _RELATIONS,
        *_INNER,
        *(w for own in _WORDS.values() for x in own.values() for w in (*x.sure, *x.also)),
    }
)
_FIT: Final[Mapping[FieldKind, frozenset[str]]] = {
    FieldKind.ID: frozenset({"", "integer", "string", "number"}),
    FieldKind.TEXT: frozenset({"", "string"}),
    FieldKind.WORD: frozenset({"", "string"}),
    FieldKind.NUMBER: frozenset({"", "integer", "number"}),
    FieldKind.FLAG: frozenset({"", "boolean"}),
    FieldKind.MOMENT: frozenset({"", "string"}),
}
_AMBIGUOUS = frozenset({"state", "type", "group", "amount", "balance", "level", "available"})
"""Names that mean something else at least as often: a state of the country, an amount of money."""
_DECLARED_ONLY = frozenset({(Resource.ORDERS, "status")})
"""Fields that the records of a document have only where it says so."""


def is_opened(name: str) -> bool:
    """Whether a field may hold one of the program's, itself or deeper."""
    return plain(name) in _OPENED


def sure_words(resource: Resource, field: str) -> frozenset[str]:
    """The words, as `plain` has them, by which the field tells what a record is."""
    words = _WORDS[resource].get(field)
    return frozenset(words.sure) if words else frozenset()


def names_of(seen: Seen) -> frozenset[str]:
    """The names of all fields of a record, as `plain` has them."""
    inner = (name for word, node in seen.fields.items() if word == ATTRIBUTES for name in node.fields)
    return frozenset(map(plain, (*seen.fields, *inner)))


def map_of(resource: Resource, seen: Seen, *, told: bool, before: Mapping[str, Path] | None = None) -> FieldMap:
    """The map of records that look so. `before`: paths that are known already, and stay."""
    paths = dict(before or {})
    search = _Search(resource, seen, set(paths.values()))
    found = {spec: search.path(spec) for spec in ALL_SPECS[resource] if spec.name not in paths}
    told = told and any(found.values())
    for spec, path in found.items():
        absent = told and (resource, spec.name) in _DECLARED_ONLY
        lies = NOWHERE if path is None and absent else path
        if lies is not None and lies != (spec.wire,):
            paths[spec.name] = lies
    guessed = (spec.name for spec, path in found.items() if path and _is_a_guess(resource, spec, path, seen, told))
    return FieldMap(paths, told, tuple(guessed))


def _is_a_guess(resource: Resource, spec: FieldSpec, path: Path, seen: Seen, told: bool) -> bool:
    """Whether nothing but a name that may mean something else says that a field is this one. Where a document tells of
    it, the words that it may be, or an object that describes the other record, say it too."""
    words = _WORDS[resource].get(spec.name)
    if path == (spec.wire,) or words is None or spec is ALL_SPECS[resource][0]:
        return False
    names = {plain(name) for name in path}
    if names & {*words.sure}:
        return False
    return not told or (plain(path[-1]) in _AMBIGUOUS and not seen.at(path).words)


class _Search:
    """The fields of one record, and which of them are taken."""

    def __init__(self, resource: Resource, seen: Seen, taken: set[Path]) -> None:
        self._resource = resource
        self._top = seen.fields
        self._taken = taken
        self._rooms = [(name, node.fields) for name, node in seen.fields.items() if name == ATTRIBUTES]

    def path(self, spec: FieldSpec) -> Path | None:
        """Where a field lies, None where nothing is like it."""
        exact = self._top.get(spec.wire)
        if exact is not None and _leads(spec, exact) == ():
            self._taken.add((spec.wire,))
            return (spec.wire,)
        words = _WORDS[self._resource].get(spec.name, _Words((plain(spec.wire),)))
        for begin, fields in self._places(spec):
            path = self._best((*words.sure, *words.also), spec, begin, fields)
            if path is not None:
                self._taken.add(path)
                return path
        return NOWHERE if exact is not None and spec.optional else None

    def _places(self, spec: FieldSpec) -> Iterable[tuple[Path, Mapping[str, Seen]]]:
        """Where fields lie: at the top, or, where there is a room for them, in that and no more than the id above."""
        if not self._rooms or spec is ALL_SPECS[self._resource][0]:
            yield (), self._top
        for name, fields in self._rooms:
            yield (name,), fields
        if spec.kind is FieldKind.ID:
            for name, node in self._top.items():
                if plain(name) == _RELATIONS:
                    yield (name,), node.fields

    def _best(self, words: Iterable[str], spec: FieldSpec, begin: Path, fields: Mapping[str, Seen]) -> Path | None:
        by_word: dict[str, list[str]] = {}
        for name in fields:
            by_word.setdefault(plain(name), []).append(name)
        for name in (name for word in words for name in by_word.get(word, ())):
            end = _leads(spec, fields[name])
            if end is not None and (path := (*begin, name, *end)) not in self._taken:
                return path
        return None


def _leads(spec: FieldSpec, node: Seen) -> Path | None:
    """The way from a field to the value, None where it holds none that fits."""
    if node.type in _FIT[spec.kind] and not node.fields:
        return ()
    if spec.kind is not FieldKind.ID:
        return None
    by_word = {plain(name): name for name in reversed(list(node.fields))}
    for name in (by_word[word] for word in _INNER if word in by_word):
        end = _leads(spec, node.fields[name])
        if end is not None:
            return (name, *end)
    return None
