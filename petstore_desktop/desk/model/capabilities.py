"""What can be done here and now, and the reason where it cannot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from enum import StrEnum

from msgspec import Struct

from petstore_desktop.contract.lifecycle.sunset import Ending, ending_of, is_cheaper, is_over
from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import VERBS, Op, Stability, Verb
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.domain.records import ALL_SPECS, ContentId, LocalId, Ref, Resource


class Action(StrEnum):
    """Everything that costs a request, with the operation that it needs; None for a look at one record, which takes
    what there is."""

    needs: tuple[Resource, Verb] | None

    def __new__(cls, value: str, needs: tuple[Resource, Verb] | None = None) -> Action:
        action = str.__new__(cls, value)
        action._value_, action.needs = value, needs
        return action

    NEW_PET = "new-pet", (Resource.PETS, Verb.CREATE)
    NEW_CATEGORY = "new-category", (Resource.CATEGORIES, Verb.CREATE)
    NEW_ORDER = "new-order", (Resource.ORDERS, Verb.CREATE)
    EDIT_PET = "edit-pet", (Resource.PETS, Verb.CHANGE)
    EDIT_CATEGORY = "edit-category", (Resource.CATEGORIES, Verb.CHANGE)
    EDIT_ORDER = "edit-order", (Resource.ORDERS, Verb.CHANGE)
    EDIT_STOCK = "edit-stock", (Resource.INVENTORY, Verb.CHANGE)
    SET_AVAILABLE = "set-available", (Resource.PETS, Verb.CHANGE)
    SET_PENDING = "set-pending", (Resource.PETS, Verb.CHANGE)
    SET_SOLD = "set-sold", (Resource.PETS, Verb.CHANGE)
    RESERVE_PET = "reserve-pet", (Resource.PETS, Verb.CHANGE)
    """It is set aside and ordered at once."""
    DELETE_PET = "delete-pet", (Resource.PETS, Verb.DELETE)
    DELETE_CATEGORY = "delete-category", (Resource.CATEGORIES, Verb.DELETE)
    CANCEL_ORDER = "cancel-order", (Resource.ORDERS, Verb.DELETE)
    COMPLETE_ORDER = "complete-order", (Resource.ORDERS, Verb.CHANGE)
    CHECK_LIVE = "check-live"
    REFRESH_PETS = "refresh-pets", (Resource.PETS, Verb.LIST)
    REFRESH_CATEGORIES = "refresh-categories", (Resource.CATEGORIES, Verb.LIST)
    REFRESH_ORDERS = "refresh-orders", (Resource.ORDERS, Verb.LIST)
    REFRESH_INVENTORY = "refresh-inventory", (Resource.INVENTORY, Verb.LIST)
    LOOK_UP_PETS = "look-up-pets", (Resource.PETS, Verb.READ)
    LOOK_UP_CATEGORIES = "look-up-categories", (Resource.CATEGORIES, Verb.READ)
    LOOK_UP_ORDERS = "look-up-orders", (Resource.ORDERS, Verb.READ)
    LOOK_UP_INVENTORY = "look-up-inventory", (Resource.INVENTORY, Verb.READ)


_STATUSES: Mapping[Action, str] = {
    Action.SET_AVAILABLE: "available",
    Action.SET_PENDING: "pending",
    Action.SET_SOLD: "sold",
    Action.RESERVE_PET: "pending",
}
_FIELD: Mapping[Action, str] = {**dict.fromkeys(_STATUSES, "status"), Action.COMPLETE_ORDER: "complete"}
_ORDERING = (Action.NEW_ORDER, Action.RESERVE_PET)
"""What places an order."""
_WORDS = {Verb.CREATE: "new", Verb.CHANGE: "edit", Verb.DELETE: "delete", Verb.LIST: "refresh"}

ACTIONS: Mapping[tuple[Resource, str], Action] = {
    (action.needs[0], _WORDS[action.needs[1]]): action
    for action in Action
    if action.needs is not None and action.needs[1] in _WORDS and action not in _FIELD
}
"""The action of a table for "new", "edit", "delete" or "refresh"."""

WRITES = frozenset(action for action in Action if action.needs and action.needs[1] not in (Verb.LIST, Verb.READ))
"""What changes anything at the service."""


class Allowed(Struct, frozen=True):
    """Whether an action is there, or the code of the reason why not; and how firmly the service stands by it.

    Reasons: read-only-connection, no-contract, not-offered, read-only, not-yet-sent, being-deleted, no-stock-entry,
    stock-not-read, already-complete, no-such-record, removed, field-guessed, field-not-taken,
    no-such-status.
    """

    ok: bool
    reason: str = ""
    stability: Stability = Stability.STABLE
    ending: Ending | None = None


def allowed(
    shop: ShopModel,
    contract: Contract | None,
    action: Action,
    ref: Ref | None,
    field: str = "",
    today: Callable[[], date] | None = None,
) -> Allowed:
    """Whether this can be done now, to this record (None: to none in particular), in this field. `today`: the day at
    the service, where that is known; asked for only where an operation ends."""
    if shop.read_only and action in WRITES:
        return Allowed(False, "read-only-connection")
    if contract is None:
        return Allowed(False, "no-contract")
    if ref is not None and isinstance(ref.key, LocalId):
        return _of_local(shop, action, ref)
    operation = operation_for(contract, action, ref)
    named = field or _FIELD.get(action, "")
    doubt = _doubt(contract, operation, named) if operation is not None and action in WRITES else ""
    if doubt:
        return Allowed(False, doubt)
    if operation is None or (named and not operation.takes(named)):
        return Allowed(False, "not-offered" if operation is None else "field-not-taken")
    reason = "removed" if operation.removed else "" if ref is None else _obstacle(shop, action, ref)
    # What an action is about may end, though another operation already serves in its place.
    one = contract.find(ref.resource, Verb.READ) if action is Action.CHECK_LIVE and ref is not None else None
    about = one or operation
    if not (about.deprecated or about.removed):
        return Allowed(not reason, reason, operation.stability)
    day = shop.today if today is None else today()
    if one is None:
        return Allowed(not reason, reason, operation.stability, ending_of(operation, day))
    ending = ending_of_reading(contract, one, len(shop.stores[one.op.resource]), day)
    return Allowed(not reason, reason, operation.stability, ending)


def _doubt(contract: Contract, operation: Operation, named: str) -> str:
    """See `Contract.doubt`, of the field to which a value would be given: the one that is named, else those that a new
    record must have."""
    resource = operation.op.resource
    if not (contract.map(resource).guessed or operation.writes.guessed):
        return ""
    if named or VERBS[operation.op] is not Verb.CREATE:
        return contract.doubt(operation, named or "quantity" if resource is Resource.INVENTORY else named)
    return contract.doubt(operation, *(spec.name for spec in ALL_SPECS[resource] if operation.requires(spec.name)))


def ending_of_reading(contract: Contract, one: Operation, count: int, today: date) -> Ending | None:
    """The end of an operation that reads one record of `count`, and the list that serves in its place."""
    many = contract.find(one.op.resource, Verb.LIST)
    if many is None or many.removed:
        return ending_of(one, today)
    after = not (is_over(one, today) or is_cheaper(one, many, count))
    return ending_of(one, today, f"{many.method} {many.path}", after)


def endings(shop: ShopModel, contract: Contract | None, today: date) -> dict[Op, Ending]:
    """Every operation that ends, and how."""
    found: dict[Op, Ending] = {}
    if contract is None:
        return found
    for op, operation in contract.operations.items():
        reads = operation is contract.find(op.resource, Verb.READ)
        count = len(shop.stores[op.resource])
        ending = ending_of_reading(contract, operation, count, today) if reads else ending_of(operation, today)
        if ending is not None:
            found[op] = ending
    return found


def operation_for(contract: Contract, action: Action, ref: Ref | None) -> Operation | None:
    """The operation that an action uses; a deprecated one only where nothing else serves."""
    if action.needs is not None:
        found = contract.find(*action.needs)
        return found if action not in _ORDERING or _can_order(contract) else None
    if ref is None:  # which one it takes is told by the record; whether there is any, by all lists
        each = (operation_for(contract, action, Ref(resource, 0)) for resource in Resource)
        return next((one for one in each if one is not None), None)
    one, many = contract.find(ref.resource, Verb.READ), contract.find(ref.resource, Verb.LIST)
    if many is None or one is None:
        return many if one is None else one
    return many if one.deprecated and not many.removed else one


def _can_order(contract: Contract) -> bool:
    """Whether a new order can say which pet it is for."""
    order = contract.find(Resource.ORDERS, Verb.CREATE)
    return order is not None and order.takes("pet_id")


def _of_local(shop: ShopModel, action: Action, ref: Ref) -> Allowed:
    """A record that is not created yet: editing and deleting it changes what will be sent."""
    if ref.key not in shop.stores[ref.resource]:
        return Allowed(False, "no-such-record")
    if action is Action.CHECK_LIVE or ref.resource is Resource.INVENTORY:
        return Allowed(False, "not-yet-sent")
    reason = _obstacle(shop, action, ref)
    return Allowed(not reason, reason)


def _obstacle(shop: ShopModel, action: Action, ref: Ref) -> str:
    if isinstance(ref.key, ContentId):
        return "read-only"
    over = shop.overlay.of(ref)
    if over is not None and over.deleted and action is not Action.CHECK_LIVE:
        return "being-deleted"
    if action in _STATUSES and shop.told_statuses and shop.own_status(_STATUSES[action]) is None:
        return "no-such-status"
    if action is Action.EDIT_STOCK and shop.stores[Resource.INVENTORY].slot(ref.key) is None:
        return "stock-not-read" if shop.may_be(Resource.INVENTORY, ref.key) else "no-stock-entry"
    if action is Action.COMPLETE_ORDER and shop.shown_of(ref, "complete") is True:
        return "already-complete"
    return ""
