"""Which endpoints are taken by themselves: the operations of a resource lie at one path, and the path names it.

Deleting what another path lists would delete something else: a service with `/vets` and `/clinics/{id}` has records
with the same fields at both. So one path root is chosen for each resource. Where no word of the path names the
resource, its fields alone never let the program write, and let it read only if they are sure, in a document that names
another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from petstore_desktop.contract.binding.endpoint_classifier import EndpointFacts, Mismatch
from petstore_desktop.contract.binding.kinds import Named, PathShape, Root, is_said_of_pets, noun_of
from petstore_desktop.contract.binding.path_parameters import Meaning, is_another_id, is_unlike, meaning
from petstore_desktop.contract.fields.likeness import map_of, names_of
from petstore_desktop.contract.fields.seen import Seen
from petstore_desktop.contract.model import Operation
from petstore_desktop.contract.operations import OPS, VERBS, Op, Path, Verb
from petstore_desktop.domain.records import ALL_SPECS, Resource, plain

_READS = (Verb.LIST, Verb.READ)


class Candidate(Struct, frozen=True):
    """An endpoint that can be an operation."""

    seen: EndpointFacts
    operation: Operation

    @property
    def reads(self) -> bool:
        """Whether it changes nothing."""
        return VERBS[self.operation.op] in _READS

    @property
    def rank(self) -> tuple[int, ...]:
        """Of several for one operation the highest is taken."""
        return (
            int(not self.operation.deprecated),
            int(self.seen.shape.named),
            int(self.seen.answer.resource is self.operation.op.resource),
            int(not self.operation.names_in_body),
            int(self.operation.method == "PATCH"),
            -len(self.seen.shape.literals),
        )


class Paths:
    """What the paths of one document are about, by their words and by the fields that they take and answer."""

    def __init__(self, endpoints: Iterable[EndpointFacts], keys: Mapping[Resource, Path]) -> None:
        """`keys`: where the ids of records lie, as a person says."""
        all_ = tuple(endpoints)
        self._keys = keys
        self._records: dict[Root, dict[str, Seen]] = {}
        self._fields: dict[Root, Resource] = {}
        self._strange: set[tuple[Root, Resource]] = set()
        self._sure: set[Root] = set()
        self._read_by = {
            (seen.shape.root, plain(seen.hole), seen.answer.resource)
            for seen in all_
            if seen.verb is Verb.READ and not seen.answer.is_list
        }
        for seen in all_:
            self._strange.update((seen.shape.root, one) for one in Resource if seen.answer.has_no_field_of(one))
            if seen.verb in _READS or seen.answer.resource is not None:
                self._records.setdefault(seen.shape.root, {}).update(seen.answer.seen.fields)
            for kind in (seen.answer, seen.body_kind):
                if kind.resource is not None:
                    self._fields.setdefault(seen.shape.root, kind.resource)
                    if kind.sure:
                        self._sure.add(seen.shape.root)
        others = [resource for resource in Resource if resource is not Resource.CATEGORIES]
        self.names_any = any(self._is_surely(seen, resource) for seen in all_ for resource in others)
        """Whether a path names something else than categories, which many services have."""

    def meant(self, seen: EndpointFacts) -> Op | None:
        """What an endpoint is meant for, by its path or, where that names nothing, by the fields of its records."""
        shape, verb = seen.shape, seen.verb
        resource = shape.noun if shape.named > Named.EARLIER else self._fields.get(shape.root)
        return None if resource is None or verb is None else OPS.get((resource, verb))

    def names(self, seen: EndpointFacts, resource: Resource) -> bool:
        """Whether the path names the resource. A word beside others counts only if the fields agree; a word before the
        last one counts only for reading."""
        shape = seen.shape
        if shape.noun is not resource or shape.named is Named.WHOLLY:
            return shape.noun is resource
        read = shape.named is Named.PARTLY or seen.endpoint.method == "GET"
        return read and self._fields.get(shape.root) is resource

    def _is_surely(self, seen: EndpointFacts, resource: Resource) -> bool:
        """Whether the path names the resource, and nothing of what is known of its records speaks against it."""
        root = seen.shape.root
        fits = self._fields.get(root) in (None, resource) and (root, resource) not in self._strange
        return fits and self.names(seen, resource)

    def against(self, seen: EndpointFacts, resource: Resource, verb: Verb) -> Mismatch | None:
        """Why the endpoint is not taken by itself, as far as its path goes."""
        held = self._fields.get(seen.shape.root)
        if self.names(seen, resource):
            if held is None and (seen.shape.root, resource) in self._strange:
                return Mismatch("path-strange", resource.value)
            return self._hole(seen, resource) if held in (None, resource) else Mismatch("path-other", str(held))
        sure = seen.shape.root in self._sure and held is resource
        if not (sure and self.names_any and verb in _READS):
            return Mismatch("fields-alone", resource.value)
        return self._hole(seen, resource)

    def _hole(self, seen: EndpointFacts, resource: Resource) -> Mismatch | None:
        """Whether its placeholder means another thing; a word that is not known means the id where a record is read
        by it."""
        if self._is_another(seen, resource) and not self._is_entry(seen, resource):
            return Mismatch("placeholder", seen.hole or seen.keyed)
        if not seen.hole:
            return None
        said = meaning(seen.hole, seen.shape, resource)
        read = seen.verb is Verb.READ or (seen.shape.root, plain(seen.hole), resource) in self._read_by
        is_own = said is Meaning.OWN or (said is Meaning.UNKNOWN and read)
        return None if is_own and not seen.choice else Mismatch("placeholder", seen.hole)

    @staticmethod
    def _is_entry(seen: EndpointFacts, resource: Resource) -> bool:
        """Whether it names an entry of stock, by an id that may be its own: what comes tells (see `stock_key`)."""
        return resource is Resource.INVENTORY and bool(seen.hole) and not seen.shape.nested_stock

    def _is_another(self, seen: EndpointFacts, resource: Resource) -> bool:
        """Whether it names a record by another field than the one it is known by."""
        name = seen.hole or (seen.keyed if seen.verb is Verb.CHANGE else "")
        if seen.shape.nested_stock:
            resource = Resource.PETS
        found = next((fields for root, fields in self._records.items() if self._holds(root, seen.shape)), None)
        if not name or not found:
            return False
        record, spec = Seen("object", found), ALL_SPECS[resource][0]
        before = {spec.name: self._keys[resource]} if resource in self._keys else {}
        key = map_of(resource, record, told=True, before=before).path(spec)
        return is_unlike(seen.taken, record.at(key).type) or is_another_id(name, key, names_of(record), resource)

    def is_of_other_things(self, seen: EndpointFacts, resource: Resource) -> bool:
        """Whether what is known of orders, or of stock, does not say that it is that of pets."""
        names = names_of(Seen("object", self._records.get(seen.shape.root, {})))
        return bool(names) and not is_said_of_pets(names, resource)

    @staticmethod
    def _holds(root: Root, shape: PathShape) -> bool:
        """Whether the records at this root are those that a path names by their id: below a pet lies its stock."""
        if not shape.nested_stock:
            return root == shape.root
        return root[:-1] == shape.root[:-1] and noun_of(root[-1]) is Resource.PETS


def same_path(one: EndpointFacts, other: EndpointFacts) -> bool:
    """Whether two endpoints of a resource lie at one path; the stock of a pet lies beside its pets."""
    if one.shape.nested_stock or other.shape.nested_stock:
        return one.shape.root[:-1] == other.shape.root[:-1]
    return one.shape.root == other.shape.root


def choose(
    candidates: Iterable[Candidate], by_hand: Mapping[Op, Candidate]
) -> tuple[dict[Op, Candidate], dict[Resource, Candidate]]:
    """The best candidate for each operation, all of one path for each resource, and the rivals: where the list at
    another path is as likely the one of a resource, that list. A person then chooses before anything is written; where
    one has chosen the list, all operations are of its path."""
    best: dict[Op, Candidate] = {}
    rivals: dict[Resource, Candidate] = {}
    all_ = list(candidates)
    for resource in Resource:
        own = [one for one in all_ if one.operation.op.resource is resource]
        listed, rival = by_hand.get(OPS[resource, Verb.LIST]), None
        if listed is None:
            family, rival = _best_family(own)
        else:
            family = [one for one in own if same_path(one.seen, listed.seen)]
        if rival is not None:
            rivals[resource] = rival
        for one in family if rival is None else filter(_reads, family):
            op = one.operation.op
            if op not in best or one.rank > best[op].rank:
                best[op] = one
    return best, rivals


def _reads(one: Candidate) -> bool:
    return one.reads


def _best_family(own: Sequence[Candidate]) -> tuple[list[Candidate], Candidate | None]:
    """Of all paths the one that can be read, named as firmly as possible, with the fewest words before its own and the
    most operations; and the list of another one that is as likely."""
    families: dict[Root, list[Candidate]] = {}
    for one in sorted(own, key=lambda one: one.seen.shape.nested_stock):
        root = one.seen.shape.root
        if one.seen.shape.nested_stock:
            root = next((other for other in families if other[:-1] == root[:-1]), root)
        families.setdefault(root, []).append(one)
    if not families:
        return [], None
    best = max(families, key=lambda root: _worth(families[root]))
    as_likely = (
        family
        for root, family in families.items()
        if root[-len(best) :] != best and _likelihood(family) == _likelihood(families[best])
    )
    lists = (one for family in as_likely for one in family if VERBS[one.operation.op] is Verb.LIST)
    return families[best], next(lists, None)


def _likelihood(family: Sequence[Candidate]) -> tuple[int, ...]:
    """How likely a path is the one of its resource: one below a record that the address or a person names is that
    record's."""
    fresh = {one.operation.op for one in family if not one.operation.deprecated}
    return (
        int(any(one.reads for one in family)),
        int(any(VERBS[op] is Verb.LIST for op in fresh)),
        max(int(one.seen.shape.named) for one in family),
        int(any(one.seen.is_within_one for one in family)),
    )


def _worth(family: Sequence[Candidate]) -> tuple[int, ...]:
    fresh = {one.operation.op for one in family if not one.operation.deprecated}
    return (
        *_likelihood(family),
        -len(family[0].seen.shape.root),
        len(fresh),
        len({one.operation.op for one in family}),
    )
