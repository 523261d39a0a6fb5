"""The effect of one event on the screen: the rows that moved, and all rows that look different because of them, such as
names and counts in other tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import asdict

from petstore_desktop.desk.model.row_store import Merge
from petstore_desktop.desk.model.shop_model import LINKED, NAMES, ShopModel
from petstore_desktop.domain.records import Key, Ref, Resource, ServiceId

if TYPE_CHECKING:
    from petstore_desktop.domain.changes import Change
    from petstore_desktop.domain.low_stock import Minimums
    from petstore_desktop.sync.wire.events import BatchPriced, Checked, NotSaved, Past, Trouble, Undone


class Changed(Struct):
    """What an event changed.

    `rows`: the records that moved; `saved`: changes seen for the first time (they are in the journal now), those
    read at start included; `settled`: changes that came to an end or to a stop; `renamed`: records that got a number;
    `batches`: those of which any change moved; `drafts`: the forms that were stored or finished, or, as
    `unsaved_drafts`, could not be; `past`: what was asked of the past.
    """

    rows: Mapping[Resource, set[Key]] = field(default_factory=dict[Resource, set[Key]])
    loads: set[Resource] = field(default_factory=set[Resource])
    renamed: dict[Ref, Ref] = field(default_factory=dict[Ref, Ref])
    saved: tuple[Change, ...] = ()
    settled: tuple[Change, ...] = ()
    outbox: bool = False
    gate: bool = False
    quota: bool = False
    requests: bool = False
    link: bool = False
    contract: bool = False
    key: bool = False
    drafts: set[str] = field(default_factory=set[str])
    unsaved_drafts: set[str] = field(default_factory=set[str])
    trouble: Trouble | None = None
    not_saved: NotSaved | None = None
    checked: Checked | None = None
    undone: Undone | None = None
    priced: tuple[BatchPriced, ...] = ()
    batches: set[str] = field(default_factory=set[str])
    past: tuple[Past, ...] = ()

    @property
    def anything(self) -> bool:
        """Whether there is anything to paint."""
        return self != Changed()

    def then(self, later: Changed) -> Changed:
        """Both changes as one: of two events of a kind that is told singly, such as `trouble`, the later one."""
        both = asdict(self)
        for name, old in both.items():
            if new := getattr(later, name):
                both[name] = _both(old, new)
        kinds = (*self.rows, *later.rows)
        both["rows"] = {kind: self.rows.get(kind, set[Key]()) | later.rows.get(kind, set[Key]()) for kind in kinds}
        return Changed(**both)

    def concerns(self, ref: Ref) -> bool:
        """Whether the details of this record may look different: it moved itself, or a record of another kind did."""
        others = any(resource is not ref.resource for resource in self.rows)
        return others or ref.key in self.rows.get(ref.resource, ()) or ref in self.renamed


def _both(one: Any, later: Any) -> Any:
    """One field of two changes: collections and flags are joined, of events the later one counts."""
    if isinstance(later, tuple):
        return (*one, *later)
    return one | later if isinstance(later, bool | set | dict) else later


FACTS = frozenset(("pet", "category", "stock", "orders", "pets", "levels", "marks"))
"""What rows show of others, see `Column.rests_on`."""


class Moves(Struct):
    """What one event moved: rows themselves (`merges`), and what rows show of others (`joined`, by the names in
    `Column.rests_on`), as slots."""

    merges: dict[Resource, Merge] = field(default_factory=dict[Resource, Merge])
    joined: dict[Resource, dict[str, set[int]]] = field(default_factory=lambda: {resource: {} for resource in Resource})
    keys: dict[Resource, set[Key]] = field(default_factory=dict[Resource, set[Key]])

    def of(self, resource: Resource) -> Merge:
        """The rows of one resource."""
        return self.merges.setdefault(resource, Merge())

    def name(self, resource: Resource, keys: Iterable[Key]) -> None:
        """These records moved, whether they have a row or not."""
        self.keys.setdefault(resource, set()).update(keys)


def spread(shop: ShopModel, moves: Moves) -> None:
    """Bring the joins up to date with the rows that moved, and add to `moves` what looks different for it."""
    for resource, merge in moves.merges.items():
        merge.tidy()
        store = shop.stores[resource]
        moves.name(resource, store.keys.many([*merge.added, *merge.changed, *merge.removed]))
        _relink(shop, moves, resource, merge)
    _spread_categories(shop, moves, moves.keys.get(Resource.CATEGORIES, set()))
    _spread_pets(shop, moves, moves.keys.get(Resource.PETS, set()))
    _join(shop, moves, Resource.PETS, ("stock",), moves.keys.get(Resource.INVENTORY, ()))
    if shop.checked_rows is not None:
        shop.checked_rows.follow(moves)


def _relink(shop: ShopModel, moves: Moves, resource: Resource, merge: Merge) -> None:
    if resource not in LINKED:
        return
    touched = shop.link_new(resource, merge.added)
    for slot in merge.changed:
        touched.update(shop.relink(resource, slot))
    for slot in merge.removed:
        touched.update(shop.unlink(resource, slot))
    _join(shop, moves, NAMES[resource], (resource.value,), touched)


def _spread_categories(shop: ShopModel, moves: Moves, categories: Set[Key]) -> None:
    named = shop.links[Resource.PETS].sources_of(categories)
    if named:
        keys = shop.stores[Resource.PETS].keys
        moves.joined[Resource.PETS].setdefault("category", set()).update(named)
        _join(shop, moves, Resource.INVENTORY, ("category",), [keys[slot] for slot in named])


def _spread_pets(shop: ShopModel, moves: Moves, pets: Set[Key]) -> None:
    ordered = shop.links[Resource.ORDERS].sources_of(pets)
    if ordered:
        moves.joined[Resource.ORDERS].setdefault("pet", set()).update(ordered)
    levels = ("levels",) if shop.minimums is not None and shop.minimums.has_levels else ()
    _join(shop, moves, Resource.INVENTORY, ("pet", "category", *levels), pets)


def _join(shop: ShopModel, moves: Moves, resource: Resource, facts: Iterable[str], keys: Iterable[Key]) -> None:
    slots = [slot for slot in shop.stores[resource].slots_of(list(keys)) if slot is not None]
    for fact in facts if slots else ():
        moves.joined[resource].setdefault(fact, set()).update(slots)


def use_minimums(shop: ShopModel, minimums: Minimums) -> tuple[set[Key], set[Key]]:
    """These are the minimums from now on. The pets for which another one holds; and those whose stock is low, or no
    longer low, by it."""
    before = type(minimums)() if shop.minimums is None else shop.minimums
    pets = _concerned(shop, before, minimums)
    was = _low(shop, pets)
    shop.minimums = minimums
    return pets, was ^ _low(shop, pets)


def _low(shop: ShopModel, pets: set[Key]) -> set[Key]:
    if not shop.minimums:
        return set()
    stocks = ((pet, shop.stock(pet)) for pet in pets)
    return {pet for pet, stock in stocks if stock is not None and shop.is_low(pet, stock.result)}


def _concerned(shop: ShopModel, before: Minimums, after: Minimums) -> set[Key]:
    """The pets for which another minimum or "order up to" holds."""
    pets: set[Key] = {*_differing(before.pets, after.pets), *_differing(before.pets_up_to, after.pets_up_to)}
    links, keys = shop.links[Resource.PETS], shop.stores[Resource.PETS].keys
    other = _differing(before.categories, after.categories)
    for category in other | _differing(before.categories_up_to, after.categories_up_to):
        pets.update(keys[slot] for slot in links.sources(category))
    return pets


def _differing(old: Mapping[ServiceId, int], new: Mapping[ServiceId, int]) -> set[ServiceId]:
    return {key for key, _ in old.items() ^ new.items()}
