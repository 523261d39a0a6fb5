"""From what a person does to what the journal keeps: acts with the values that the person saw, or why it cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.desk.changes.details import changes_over
from petstore_desktop.desk.columns.columns import COLUMNS_BY_ID, Column
from petstore_desktop.desk.edit.field_parser import Typed
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.values.dates import parse_ship_date
from petstore_desktop.desk.values.typed_numbers import QuantityEntry, parse_quantity
from petstore_desktop.domain.changes import (
    GOING,
    AddStock,
    ChangeState,
    Create,
    Delete,
    Fields,
    NewChange,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.deletions import EXTRA, extra_text
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import INT64_MAX, INT64_MIN, TYPED_FIELDS, FieldValue, Key, LocalId, Ref, Resource

if TYPE_CHECKING:
    from petstore_desktop.domain.low_stock import StockLevel


class Deletion(Struct, frozen=True):
    """`changes` are to be applied; `discard` are changes to be taken back, because the record was never sent."""

    changes: tuple[NewChange, ...] = ()
    discard: tuple[int, ...] = ()


class Acts:
    """Builds acts; sends nothing. What cannot be understood is returned as BadInput, never raised."""

    def __init__(self, shop: ShopModel) -> None:
        self._shop = shop

    # ---- fields

    def create(self, resource: Resource, fields: Fields, without: str = "") -> NewChange | BadInput:
        """A new record with these fields; names lose the space around them. `without`: a field that it may lack."""
        known = {name: self._shop.overlay.resolve_value(value) for name, value in fields.items()}
        clean = {name: value.strip() if isinstance(value, str) else value for name, value in known.items()}
        for name in (name for name in (*self._shop.stores[resource].needed, *clean) if name != without):
            problem = self._problem(name, clean.get(name), resource)
            if problem is not None:
                return problem
        given = {name: value for name, value in clean.items() if value is not None and value != ""}
        return NewChange(Ref(resource, LocalId.new()), Create(given))

    def set_fields(self, refs: Iterable[Ref], fields: Fields) -> tuple[NewChange, ...] | BadInput:
        """These fields get these values; records in which nothing would change are left out. Names lose the space
        around them, unless the record's own have some."""
        changes: list[NewChange] = []
        for ref in refs:
            tidy = {name: self._tidied(ref, name, value) for name, value in fields.items()}
            for name, value in tidy.items():
                problem = self._problem(name, value, ref.resource)
                if problem is not None:
                    return problem
            moved = {name: value for name, value in tidy.items() if self._shop.shown_of(ref, name) != value}
            if moved:
                base = {name: self._going(ref, name) for name in moved}
                changes.append(NewChange(ref, SetFields(moved), base))
        return tuple(changes)

    def typed(self, coming: Mapping[LocalId, str] | None = None) -> Typed:
        """Reads many texts in one go. `coming`: the names of categories that are about to be made."""
        return Typed(self._shop, coming)

    def set_from_text(
        self, ref: Ref, column_id: str, text: str, typed: Typed | None = None
    ) -> NewChange | BadInput | None:
        """The edit that a typed or chosen value makes in a cell; None if it changes nothing. `typed`: a parser shared
        by many cells."""
        column = COLUMNS_BY_ID[ref.resource].get(column_id)
        if column is None or not column.editable:
            return BadInput("not-editable", column=column_id)
        if column.kind == "stock":
            return self.stock(ref.key, text)
        value = (typed or self.typed()).value(ref, column.field, text)
        if isinstance(value, BadInput):
            return value
        changes = self.set_fields((ref,), {column.field: value})
        if isinstance(changes, BadInput):
            return changes
        return changes[0] if changes else None

    def change_of(self, ref: Ref, name: str, value: FieldValue) -> NewChange:
        """One field gets this value, which is known to be good."""
        return NewChange(ref, SetFields({name: value}), {name: self._going(ref, name)})

    def _tidied(self, ref: Ref, name: str, value: FieldValue) -> FieldValue:
        if not isinstance(value, str) or name not in TYPED_FIELDS:
            # What was chosen before the service gave it a number may have one by now.
            return self._shop.overlay.resolve_value(value)
        shown = self._shop.shown_of(ref, name)
        spaced = isinstance(shown, str) and shown != shown.strip()
        return value if spaced else value.strip()

    def _problem(self, name: str, value: FieldValue, resource: Resource) -> BadInput | None:
        check = _CHECKS.get(name)
        code = "" if check is None else check(self._shop, value)
        return BadInput(code, field=name, resource=resource.value) if code else None

    def _going(self, ref: Ref, name: str) -> FieldValue:
        """What the field will be when this act comes to be sent: after the changes before it, stuck ones left out."""
        value = self._shop.overlay.resolve_value(self._shop.stores[ref.resource].value(ref.key, name))
        for change in self._shop.overlay.changes_of(ref):
            if change.state in GOING and isinstance(change.intent, SetFields) and name in change.intent.fields:
                value = self._shop.overlay.resolve_value(change.intent.fields[name])
        return value

    def value_of(self, ref: Ref, name: str, text: str) -> FieldValue | BadInput:
        """Check a typed or chosen value of a field."""
        value = self.typed().value(ref, name, text)
        if isinstance(value, BadInput):
            return value
        tidy = self._tidied(ref, name, value)
        return self._problem(name, tidy, ref.resource) or tidy

    # ---- stock

    def preview(self, pet: Key, text: str) -> QuantityEntry | BadInput:
        """What the typed text would make of the quantity that is shown."""
        stock = self._shop.stock(pet)
        if stock is None or stock.base is None:
            return BadInput("stock-not-read" if self._shop.may_be(Resource.INVENTORY, pet) else "no-stock-entry")
        return parse_quantity(text, stock.result, self._shop.here.separators)

    def stock(self, pet: Key, text: str) -> NewChange | BadInput | None:
        """A booking or a count; None where it changes nothing."""
        entry = self.preview(pet, text)
        if isinstance(entry, BadInput):
            return entry
        shown = self._shop.stock(pet)
        if isinstance(entry.intent, AddStock) and entry.intent.delta == 0:
            return None
        # A bare number that is shown already is an editor left as it was; `=40` is a count all the same.
        unchanged = shown is not None and isinstance(entry.intent, SetStock) and entry.intent.quantity == shown.result
        if unchanged and not text.strip().startswith("="):
            return None
        return NewChange(Ref(Resource.INVENTORY, pet), entry.intent, {"quantity": self._shop.going_stock(pet)})

    # ---- what this computer keeps

    def level(self, ref: Ref, column: Column, text: str, own: StockLevel | None = None) -> StockLevel | BadInput:
        """The levels of a pet once this is typed as one of them, beside its others (`own`: those that were typed just
        now); an empty text takes it away, so that its category's holds."""
        own = self._shop.own_level(ref) if own is None else own
        typed: int | None = None
        if text.strip():
            shown = self._shop.minimum(ref.key) if column.level == "minimum" else self._shop.up_to(ref.key)
            found = parse_quantity(text, shown or 0, self._shop.here.separators)
            if isinstance(found, BadInput):
                return found
            typed = found.result
            if typed is None or not 0 <= typed <= INT64_MAX:
                return BadInput("quantity-unreadable")
        level = replace(own, **{column.level: typed})
        under = level.up_to is not None and level.up_to < (level.minimum or 0)
        return BadInput("below-minimum") if under else level

    # ---- deletion

    def delete(self, refs: Iterable[Ref]) -> Deletion:
        """Delete records (cancel orders). Records created here and never sent are discarded."""
        changes: list[NewChange] = []
        discard: list[int] = []
        for ref in refs:
            over = self._shop.overlay.of(ref)
            if over is not None and over.created and self._is_unsent(ref):
                discard += [change.id for change in changes_over(self._shop, ref) if change.state.is_open]
            elif over is None or not over.deleted:
                changes.append(NewChange(ref, Delete(), self._seen(ref)))
        return Deletion(tuple(changes), tuple(discard))

    def _is_unsent(self, ref: Ref) -> bool:
        changes = self._shop.overlay.changes_of(ref)
        never_done = (ChangeState.QUEUED, ChangeState.REFUSED)
        return all(change.state in never_done for change in changes if isinstance(change.intent, Create))

    def _seen(self, ref: Ref) -> dict[str, FieldValue]:
        store = self._shop.stores[ref.resource]
        shown = {name: self._shop.shown_of(ref, name) for name in store.names} if ref.key in store else {}
        record = store.record(ref.key)
        return shown if record is None else {**shown, EXTRA: extra_text(record.extra)}

    def dependants(self, ref: Ref) -> tuple[tuple[Resource, int], ...]:
        """How many records name this one: the pets of a category; the orders and the stock entry of a pet."""
        if ref.resource is Resource.CATEGORIES:
            counts = [(Resource.PETS, self._shop.count(Resource.PETS, ref.key))]
        elif ref.resource is Resource.PETS:
            entry = 1 if ref.key in self._shop.stores[Resource.INVENTORY] else 0
            counts = [(Resource.ORDERS, self._shop.order_count(ref.key)), (Resource.INVENTORY, entry)]
        else:
            counts = []
        return tuple((resource, count) for resource, count in counts if count)

    def untold_dependants(self, resource: Resource) -> tuple[Resource, ...]:
        """The lists that may have records which name one of this resource, and were not read."""
        lists: dict[Resource, tuple[Resource, ...]] = {
            Resource.CATEGORIES: (Resource.PETS,),
            Resource.PETS: (Resource.ORDERS, Resource.INVENTORY),
            Resource.ORDERS: (),
            Resource.INVENTORY: (),
        }
        return tuple(one for one in lists[resource] if self._shop.may_lack(one))


def _name_problem(_shop: ShopModel, value: FieldValue) -> str:
    return "" if isinstance(value, str) and value.strip() else "name-empty"


def _category_problem(shop: ShopModel, value: FieldValue) -> str:
    if not isinstance(value, (int, str, LocalId)):
        return "category-missing"
    if _can_name(shop, Resource.CATEGORIES, value):
        return ""
    return "category-not-read" if shop.may_be(Resource.CATEGORIES, value) else "no-such-category"


def _pet_problem(shop: ShopModel, value: FieldValue) -> str:
    if not isinstance(value, (int, str, LocalId)):
        return "pet-missing"
    if _can_name(shop, Resource.PETS, value):
        return ""
    return "pet-not-read" if shop.may_be(Resource.PETS, value) else "no-such-pet"


def _can_name(shop: ShopModel, resource: Resource, key: int | str | LocalId) -> bool:
    """Whether this record can be named: it is here, or the service has no list that could show it."""
    return key in shop.stores[resource] or (resource in shop.unlisted and not isinstance(key, LocalId))


def _quantity_problem(_shop: ShopModel, value: FieldValue) -> str:
    if isinstance(value, bool) or not isinstance(value, int):
        return "quantity-unreadable"
    return "" if INT64_MIN <= value <= INT64_MAX else "quantity-too-large"


def _date_problem(shop: ShopModel, value: FieldValue) -> str:
    readable = isinstance(value, str) and parse_ship_date(value, shop.zone).local is not None
    return "" if readable or value in (None, "") else "date-unreadable"


def _complete_problem(_shop: ShopModel, value: FieldValue) -> str:
    return "" if isinstance(value, bool) else "state-missing"


_CHECKS: Mapping[str, Callable[[ShopModel, FieldValue], str]] = {
    "name": _name_problem,
    "category_id": _category_problem,
    "pet_id": _pet_problem,
    "quantity": _quantity_problem,
    "ship_date": _date_problem,
    "complete": _complete_problem,
}
