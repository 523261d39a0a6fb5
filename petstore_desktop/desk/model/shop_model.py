"""The whole shop as it is shown: what the service said, with what people did laid over it, names for ids,
and which stock is low (see `domain/low_stock`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from datetime import date, tzinfo
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, cast

from petstore_desktop.desk.model.overlay import Overlay
from petstore_desktop.desk.model.row_store import Links, Merge, RowStore
from petstore_desktop.desk.values.cells import Chip, Mark, Stock, worst
from petstore_desktop.desk.values.collation import Collation
from petstore_desktop.desk.values.dates import ShipDate, parse_ship_date
from petstore_desktop.desk.values.text import LocaleForms, fold
from petstore_desktop.domain.changes import GOING, AddStock, SetStock, combine_stock
from petstore_desktop.domain.counts import AtLeast
from petstore_desktop.domain.records import (
    FIELD_SPECS,
    ContentId,
    FieldKind,
    FieldValue,
    Key,
    LocalId,
    Ref,
    Resource,
    ServiceId,
    is_surely_sold,
    own_status,
    status_choices,
    status_kind,
)

if TYPE_CHECKING:
    from petstore_desktop.desk.data_checks import CheckedRows
    from petstore_desktop.desk.model.column_arrays import WordCodes
    from petstore_desktop.desk.model.shown_texts import ShownTexts
    from petstore_desktop.domain.low_stock import Minimums, PetFacts, StockLevel

LINKED: Mapping[Resource, str] = {
    resource: spec.name for resource, specs in FIELD_SPECS.items() for spec in specs if spec.kind is FieldKind.ID
}
"""The field of each resource that names a record of another one."""
NAMES: Mapping[Resource, Resource] = {  # house: whole-table - the others name no record
    Resource.PETS: Resource.CATEGORIES,
    Resource.ORDERS: Resource.PETS,
    Resource.INVENTORY: Resource.PETS,
}
"""The list whose records the rows of a list name."""


_SHOWN_TOGETHER: Mapping[Resource, tuple[Resource, ...]] = {  # house: whole-table - the others stand alone
    Resource.PETS: (Resource.PETS, Resource.INVENTORY),
    Resource.INVENTORY: (Resource.PETS, Resource.INVENTORY),
}

_SAMPLES = 50
"""Orders by which is told how the service writes days."""


class MissingRecords:
    """Tells which records that others name, and that their lists do not show, may exist all the same."""

    def __init__(self, stores: Mapping[Resource, RowStore]) -> None:
        self._stores = stores
        self.in_parts: frozenset[Resource] = frozenset()
        """The lists that show records of certain statuses alone: what is not in one may exist with another."""
        self._read_from: dict[Resource, float] = {}
        """When the last whole reading of a list began, where that is known (UTC epoch seconds)."""
        self._read_here: set[Resource] = set()
        """The lists that were read whole since the program began."""
        self._named: dict[Resource, dict[Key, float]] = {}
        """By list: records that are not in it, and that were first named after its last whole reading began; when."""

    def note_kept(self, resource: Resource, as_of: float | None, named_later: Iterable[tuple[Key, float]]) -> None:
        """A list is here as it was kept; when it was last read to its end, and what its rows named only after the list
        of those was read. When the service last told a row says nothing of that: it may have told it a hundred times.
        """
        if as_of is not None:
            self._read_from.setdefault(resource, as_of)
        target = NAMES.get(resource)
        if target is not None:
            read_here = self._read_from[target] if target in self._read_here else 0.0
            known = self._named.setdefault(target, {})
            for key, at in named_later:
                if at > read_here:
                    known.setdefault(key, at)

    def note_named(self, resource: Resource, slots: Iterable[int]) -> None:
        """These rows came, or changed: records that they name and that are not here may have been made since the list
        of those was read."""
        target = NAMES.get(resource)
        began = None if target is None else self._read_from.get(target)
        if target is None or began is None:
            return
        store = self._stores[resource]
        keys = cast("Sequence[Key | None]", store.columns[LINKED[resource]] if resource in LINKED else store.keys)
        told = ((keys[slot], at) for slot in slots if (at := store.told_at(slot)) > began)
        late = [(key, at) for key, at in told if key is not None and not isinstance(key, LocalId)]
        slots_of = self._stores[target].slots_of([key for key, _ in late])
        known = self._named.setdefault(target, {})
        for (key, at), slot in zip(late, slots_of, strict=True):
            if slot is None:
                known.setdefault(key, at)

    def note_read(self, resource: Resource, began: float) -> bool:
        """A list was read whole, beginning then; whether it tells of more missing records that they do not exist."""
        self._read_from[resource] = began
        self._read_here.add(resource)
        before = self._named.pop(resource, {})
        self._named[resource] = {key: at for key, at in before.items() if at > began}
        return len(self._named[resource]) < len(before)

    def may_exist(self, resource: Resource) -> Set[Key]:
        """The missing records of a list that may have been made since it was read."""
        return self._named.get(resource, {}).keys()


class ShopModel:
    """The stores, the overlay and the joins; every question about a shown value is asked here."""

    def __init__(self, today: date, zone: tzinfo | None = None) -> None:
        self.stores: dict[Resource, RowStore] = {resource: RowStore(resource) for resource in Resource}
        self.overlay = Overlay()
        self.links: dict[Resource, Links] = {resource: Links() for resource in LINKED}
        self.today = today
        self.zone = zone
        self.read_only = False
        """Whether this connection may not be written to."""
        self.unlisted: frozenset[Resource] = frozenset()
        """What the service has no list of: that a record is not here says nothing then."""
        self.in_part: frozenset[Resource] = frozenset()
        """The lists that the service offers and that were not read to their end, or of which it shows only a part: what
        is counted in them is no number (see `desk/today/rows`)."""
        self.whole: frozenset[Resource] = frozenset()
        """The lists that are here from beginning to end: what is not in one does not exist."""
        self.guessed: Mapping[Resource, Collection[str]] = {}
        """The fields that were found by a name that may mean something else."""
        self.checked_rows: CheckedRows | None = None
        """The rows that data checks find; None as long as nobody asked for them."""
        self.told_days = False
        """Whether the service's document says that the ship date of an order is a day without a time."""
        self.told_order_statuses: tuple[str, ...] | None = ()
        """The words for the status of an order that the service's document names; None where a new one takes none."""
        self.told_statuses: tuple[str, ...] = ()
        """The words for the status of a pet that the service's document names."""
        self.collation = Collation()
        """How texts sort."""
        self.here = LocaleForms()
        """How numbers and days are written where the person is."""
        self.vocabulary: Mapping[str, str] = {}
        """Words of the person's language for "available", "open" and the like, so that the filter finds them too."""
        self.filter_words: Mapping[str, str] = {}
        """How the person's language calls the words that filters know, such as `low` or `today`, by their codes."""

        self.minimums: Minimums | None = None
        """The least stock that is wanted of each pet; None until that is read, which is after the first paint."""
        self.changed_today: Mapping[Resource, frozenset[Key]] = {}
        """The records that are new or look otherwise since the local midnight."""

    @property
    def has_text_ids(self) -> bool:
        """Whether records have ids that are no numbers."""
        return any(store.keys.texts is not None for store in self.stores.values())

    @property
    def text_id_lists(self) -> frozenset[Resource]:
        """The lists in which the service has an id that is a text: so are all of that list, also those of digits."""
        stores = self.stores.items()
        return frozenset(one for one, store in stores if any(isinstance(key, str) for key in store.keys.texts or ()))

    # ---- shown values

    def shown(self, resource: Resource, slot: int, name: str) -> FieldValue:
        """One field of the row in this slot, with what people did to it."""
        store = self.stores[resource]
        overlays = self.overlay.records[resource]
        if overlays:
            over = overlays.get(store.keys[slot])
            if over is not None:
                laid = over.fields.get(name)
                if laid is not None and laid.open:
                    return laid.value
        value = store.columns[name][slot]
        return self.overlay.resolve_value(value) if isinstance(value, LocalId) else value

    def shown_of(self, ref: Ref, name: str) -> FieldValue:
        """One field of a record, with what people did to it; None where there is no such row."""
        slot = self.stores[ref.resource].slot(ref.key)
        return None if slot is None else self.shown(ref.resource, slot, name)

    def text_of(self, resource: Resource, slot: int, name: str) -> str:
        """A field that holds text; empty where it is missing."""
        value = self.shown(resource, slot, name)
        return value if isinstance(value, str) else ""

    def number_of(self, resource: Resource, slot: int, name: str) -> int | None:
        """A field that holds a number."""
        value = self.shown(resource, slot, name)
        return value if isinstance(value, int) else None

    def linked(self, resource: Resource, slot: int) -> ServiceId | LocalId | None:
        """The record that the row in this slot names (a pet's category, an order's pet)."""
        return _as_key(self.shown(resource, slot, LINKED[resource]))

    def ship_date(self, slot: int) -> ShipDate | None:
        """The ship date of the order in this slot; None where it has none."""
        raw = self.text_of(Resource.ORDERS, slot, "ship_date")
        return parse_ship_date(raw, self.zone) if raw else None

    def statuses(self, *resources: Resource) -> set[str]:
        """The statuses of all rows of these resources, as the service said them or as people changed them since."""
        met: set[FieldValue] = set()
        for resource in resources:
            met |= cast("WordCodes", self.stores[resource].columns["status"]).different()
            laid = (over.fields.get("status") for over in self.overlay.records[resource].values())
            met.update(one.value for one in laid if one is not None)
        return {status for status in met if isinstance(status, str) and status}

    def status_choices(self, *resources: Resource) -> tuple[str, ...]:
        """The statuses of pets to choose from, with those of the rows of these resources."""
        return status_choices(self.told_statuses, frozenset(self.statuses(*resources)))

    def order_statuses(self) -> tuple[str, ...]:
        """The statuses that a new order may have: those that the document names, and those in use."""
        if self.told_order_statuses is None:
            return ()
        return tuple(dict.fromkeys((*self.told_order_statuses, *sorted(self.statuses(Resource.ORDERS)))))

    @property
    def has_plain_days(self) -> bool:
        """Whether the ship dates of orders are days without a time, as the document says or all that are here show."""
        dates = [self.ship_date(slot) for slot in islice(self.stores[Resource.ORDERS].slots(), _SAMPLES)]
        said = [date for date in dates if date is not None and date.local is not None]
        return self.told_days or (bool(said) and not any(date.timed for date in said))

    def own_status(self, kind: str) -> str | None:
        """The service's word for a status of the specification; None where its document names others alone."""
        if self.told_statuses:
            return own_status(kind, self.told_statuses)
        return own_status(kind, self.status_choices(Resource.PETS)) or kind

    def word(self, code: str) -> str:
        """What the filter searches for a status or state: the word of the service, what it means, and the word on the
        screen."""
        kind = status_kind(code) or code
        return " ".join(dict.fromkeys((code, kind, self.vocabulary.get(kind, kind))))

    def laid_over(self, resource: Resource, among: Sequence[int] | None = None) -> set[int]:
        """The slots of the rows, of all or of these, that show something that people did and that the service has not
        confirmed; a pet shows its stock, and an entry of the stock its pet."""
        store = self.stores[resource]
        laid = [over for kind in _SHOWN_TOGETHER.get(resource, (resource,)) if (over := self.overlay.records[kind])]
        if among is not None and len(among) < sum(map(len, laid)):
            keys = store.keys
            return {slot for slot in among if any(keys[slot] in over for over in laid) and store.is_used(slot)}
        slots = {store.slot(cast("Key", key)) for over in laid for key in over}
        return {slot for slot in slots if slot is not None}

    # ---- joins

    def name(self, resource: Resource, key: Key | None) -> str | None:
        """The name of a pet or category; None where there is no such record."""
        if key is None:
            return None
        slot = self.stores[resource].slot(key)
        return None if slot is None else self.text_of(resource, slot, "name")

    def keys_by_name(self, resource: Resource) -> dict[str, tuple[ServiceId | LocalId, ...]]:
        """All records of a resource that have a name, by that folded."""
        found: dict[str, tuple[ServiceId | LocalId, ...]] = {}
        store = self.stores[resource]
        for slot in store.slots():
            name, key = fold(self.text_of(resource, slot, "name").strip()), store.keys[slot]
            if name and not isinstance(key, ContentId):
                found[name] = (*found.get(name, ()), key)
        return found

    def category_of_pet(self, pet: Key) -> ServiceId | LocalId | None:
        """The key of a pet's category; None without one, or without the pet."""
        slot = self.stores[Resource.PETS].slot(pet)
        return None if slot is None else self.linked(Resource.PETS, slot)

    def stock(self, pet: Key) -> Stock | None:
        """A pet's stock with the bookings that wait; None where there is neither an entry nor a change."""
        base = self.stores[Resource.INVENTORY].value(pet, "quantity")
        quantity = base if isinstance(base, int) else None
        overlays = self.overlay.records[Resource.INVENTORY]
        over = overlays.get(pet) if overlays else None
        if over is None or over.stock is None:
            return None if quantity is None else Stock(quantity, quantity)
        return stock_after(quantity, over.stock)

    def going_stock(self, pet: Key) -> int | None:
        """A pet's stock once what goes out by itself is done; what was refused, or waits for a person, is not in it."""
        base = self.stores[Resource.INVENTORY].value(pet, "quantity")
        quantity = base if isinstance(base, int) else None
        going: AddStock | SetStock | None = None
        for change in self.overlay.changes_of(Ref(Resource.INVENTORY, pet)):
            if change.state in GOING and isinstance(change.intent, AddStock | SetStock):
                going = combine_stock(going, change.intent)
        return quantity if going is None else stock_after(quantity, going).result

    @cached_property
    def texts(self) -> ShownTexts:
        """The texts of all rows, to be searched and sorted by; first used after the first paint."""
        from petstore_desktop.desk.model.shown_texts import ShownTexts  # late: it loads numpy

        return ShownTexts(self)

    def forget_order(self) -> None:
        """Names sort in another way from now on."""
        self.__dict__.pop("texts", None)

    def invalidate_texts(self, resource: Resource, merge: Merge) -> None:
        """These rows came, went, or what they show has changed."""
        if "texts" in self.__dict__:
            self.texts.invalidate(resource, merge)

    @cached_property
    def missing(self) -> MissingRecords:
        """The records that others name and that their lists do not show."""
        return MissingRecords(self.stores)

    def has_stock(self, pet: Key) -> bool:
        """Whether the service told a quantity of this pet."""
        return isinstance(self.stores[Resource.INVENTORY].value(pet, "quantity"), int)

    def minimum(self, pet: Key) -> int | None:
        """The least stock that is wanted of a pet; None where none is set."""
        return None if self.minimums is None else self.minimums.of(pet, self.category_of_pet)

    def up_to(self, pet: Key) -> int | None:
        """Up to which stock a pet is ordered; None where that is not set."""
        return None if self.minimums is None else self.minimums.up_to(pet, self.category_of_pet)

    def own_level(self, ref: Ref) -> StockLevel:
        """What is set for this pet (or its stock) or category itself."""
        from petstore_desktop.domain import low_stock  # late, as below

        return low_stock.StockLevel() if self.minimums is None else self.minimums.own(ref)

    def to_order(self, pet: Key) -> int | None:
        """How many of a pet are to be ordered; None where no level is set, or its stock is not known."""
        stock = None if self.minimums is None else self.stock(pet)
        if self.minimums is None or stock is None:
            return None
        return self.minimums.to_order(pet, stock.result, self._pet_facts)

    def is_low(self, pet: Key, quantity: int | None) -> bool:
        """Whether this is no more than the least that is wanted of the pet."""
        return self.minimums is not None and self.minimums.is_low(pet, quantity, self._pet_facts)

    def are_low(self, pets: Sequence[Key], quantities: Sequence[int | None]) -> list[bool]:
        """`is_low` of many pets, with their quantities."""
        return self.minimums.are_low(pets, quantities, self._pet_facts) if self.minimums else [False] * len(pets)

    @cached_property
    def _pet_facts(self) -> PetFacts:
        from petstore_desktop.domain import low_stock  # late: the first paint is before it

        return low_stock.PetFacts(self.category_of_pet, self.is_sold)

    def is_sold(self, pet: Key) -> bool:
        """Whether a pet is surely sold: it says so itself, or its stock entry does."""
        slots = ((one, self.stores[one].slot(pet)) for one in (Resource.INVENTORY, Resource.PETS))
        return any(is_surely_sold(self.shown(one, slot, "status")) for one, slot in slots if slot is not None)

    def is_changed_today(self, ref: Ref) -> bool:
        """Whether a record is new or looks otherwise since midnight; a pet shows its stock, so that counts too."""
        return any(ref.key in keys for keys in self.changed_of(ref.resource))

    def changed_of(self, resource: Resource) -> list[frozenset[Key]]:
        """The keys of the rows of a resource that are new or look otherwise since midnight, in several sets; without
        any, none."""
        kinds = (resource, Resource.INVENTORY) if resource is Resource.PETS else (resource,)
        return [keys for kind in kinds if (keys := self.changed_today.get(kind))]

    def tells(self, resource: Resource, name: str) -> bool:
        """Whether records have this field at all, as far as is known: the service told it of one of them."""
        return any(value is not None for value in self.stores[resource].columns[name])

    @property
    def tells_open(self) -> bool:
        """Whether the service says which orders are open; a word for their status tells a person alone. Where it does
        not, nothing that rests on it can be counted."""
        return not len(self.stores[Resource.ORDERS]) or self.tells(Resource.ORDERS, "complete")

    def open_orders(self, pet: Key) -> int:
        """How many orders that name this pet are not complete."""
        slots = self.links[Resource.ORDERS].sources(pet)
        is_open = (self.shown(Resource.ORDERS, slot, "complete") is False for slot in slots)
        return self.as_seen(Resource.ORDERS, sum(is_open))

    def order_count(self, pet: Key) -> int:
        """How many orders name this pet."""
        return self.count(Resource.ORDERS, pet)

    def count(self, resource: Resource, target: Key) -> int:
        """How many records of a list (orders, pets) name this one (a pet, a category)."""
        return self.as_seen(resource, self.links[resource].count(target))

    def as_seen(self, resource: Resource, n: int) -> int:
        """What was counted in a list; at least so many, where not all of it is here."""
        return AtLeast(n) if self.may_lack(resource) else n

    def may_lack(self, resource: Resource) -> bool:
        """Whether the service may have records of this list that were not read here."""
        return resource not in self.whole

    def may_be(self, resource: Resource, key: Key) -> bool:
        """Whether there may be such a record: it is here, or nothing that was read shows that it is not. One that was
        first named after its list was read may have been made since."""
        if key in self.stores[resource] or isinstance(key, (LocalId, ContentId)):
            return key in self.stores[resource]
        shows_all = not self.may_lack(resource) and resource not in self.missing.in_parts
        return not shows_all or key in self.missing.may_exist(resource)

    def row_mark(self, ref: Ref) -> Mark | None:
        """The worst mark of a row; a pet's row shows its stock, so that counts as well."""
        marks: set[Mark] = set()
        for kind in (Resource.PETS, Resource.INVENTORY) if ref.resource is Resource.PETS else (ref.resource,):
            over = self.overlay.records[kind].get(ref.key)
            if over is not None and over.mark is not None:
                marks.add(over.mark)
        return worst(marks)

    def title(self, ref: Ref) -> str:
        """What a record is called: a pet's name, also for its stock; an order has none."""
        resource = Resource.PETS if ref.resource is Resource.INVENTORY else ref.resource
        return "" if resource is Resource.ORDERS else self.name(resource, ref.key) or ""

    # ---- keeping the joins

    def link_new(self, resource: Resource, slots: Sequence[int]) -> set[Key]:
        """Join new rows to what they name, at once where nobody has edited one; the targets whose counts changed."""
        links, over = self.links.get(resource), self.overlay.records[resource]
        if links is None or not slots:
            return set()
        store, first = self.stores[resource], slots[0]
        follows = first >= len(links.targets) and list(slots) == list(range(first, first + len(slots)))
        if not follows or (over and not over.keys().isdisjoint(store.keys.many(slots))):
            return {key for slot in slots for key in self.relink(resource, slot)}
        named = [_as_key(value) for value in store.columns[LINKED[resource]].many(slots)]
        links.fill(first, named)
        return {key for key in named if key is not None}

    def relink(self, resource: Resource, slot: int) -> tuple[Key, ...]:
        """Bring the join of one row up to date; the targets whose counts changed."""
        links = self.links.get(resource)
        return () if links is None else links.move(slot, self.linked(resource, slot))

    def unlink(self, resource: Resource, slot: int) -> tuple[Key, ...]:
        """The row in this slot went; the targets whose counts changed."""
        links = self.links.get(resource)
        return () if links is None else links.move(slot, None)


def _as_key(value: object) -> ServiceId | LocalId | None:
    return value if isinstance(value, (int, str, LocalId)) else None


def id_text(key: Key) -> str:
    """The digits of an id; empty for a record that has none (yet)."""
    return "" if isinstance(key, (LocalId, ContentId)) else str(key)


def stock_after(base: int | None, intent: AddStock | SetStock) -> Stock:
    """The stock with one change over it."""
    if isinstance(intent, SetStock):
        return Stock(base, intent.quantity, Chip("set", intent.quantity))
    return Stock(base, None if base is None else base + intent.delta, Chip("add", intent.delta))
