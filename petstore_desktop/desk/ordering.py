"""A new order before it is placed: what its pet has to offer, what is worth a warning, and the change it becomes."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from msgspec import Struct

from petstore_desktop.contract.operations import Verb
from petstore_desktop.desk.edit.field_parser import typed_moment
from petstore_desktop.desk.model.capabilities import Action
from petstore_desktop.desk.values.typed_numbers import parse_whole
from petstore_desktop.domain.changes import NewChange
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import FIELDS, INT64_MAX, FieldValue, LocalId, Ref, Resource, status_kind

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.model.shop_model import ShopModel


_NEW = Ref(Resource.ORDERS, LocalId(""))
"""Stands for an order that is not there yet."""


class Form(Struct, frozen=True):
    """What a new order of this service can have (`takes`) and must have (`requires`), by the names of fields, and the
    words for its status."""

    takes: frozenset[str]
    requires: frozenset[str]
    statuses: tuple[str, ...] = ()


def form_of(desk: Desk) -> Form:
    """The form of a new order by what the service takes; a field that is only guessed at is left out."""
    create = None if desk.contract is None else desk.contract.find(Resource.ORDERS, Verb.CREATE)
    takes = frozenset(name for name in FIELDS[Resource.ORDERS] if desk.allowed(Action.NEW_ORDER, field=name).ok)
    requires = frozenset(name for name in takes if create is not None and create.requires(name))
    return Form(takes, requires, desk.shop.order_statuses() if "status" in takes else ())


class Offer(Struct, frozen=True):
    """A pet’s stock and orders. `stock`: with the bookings that wait; None where it is not known; `on_order`: the units
    of its open orders; `kind`: its status as the specification has it, "" for another one."""

    pet: Ref
    name: str
    status: str
    kind: str
    stock: int | None
    on_order: int


def offer_of(shop: ShopModel, pet: Ref) -> Offer:
    """Count the stock of a pet and what is ordered of it."""
    slot, stock = shop.stores[Resource.PETS].slot(pet.key), shop.stock(pet.key)
    status = "" if slot is None else shop.text_of(Resource.PETS, slot, "status")
    units = (_open_units(shop, order) for order in shop.links[Resource.ORDERS].sources(pet.key))
    on_order = shop.as_seen(Resource.ORDERS, sum(units))
    result = None if stock is None else stock.result
    return Offer(pet, shop.title(pet), status, status_kind(status) or "", result, on_order)


def _open_units(shop: ShopModel, order: int) -> int:
    if shop.shown(Resource.ORDERS, order, "complete") is not False:
        return 0
    return max(0, shop.number_of(Resource.ORDERS, order, "quantity") or 0)


def is_there(shop: ShopModel, pet: Ref) -> bool:
    """Whether an order can name this pet: it is in the list and is not being deleted, or the service has no list."""
    over = shop.overlay.of(pet)
    if over is not None and over.deleted:
        return False
    return pet.key in shop.stores[Resource.PETS] or (
        Resource.PETS in shop.unlisted and not isinstance(pet.key, LocalId)
    )


def typed_quantity(shop: ShopModel, text: str) -> int | BadInput:
    """How many are ordered.

    Codes: quantity-empty, quantity-unreadable, quantity-fraction, quantity-too-large, quantity-none (nobody orders 0).
    """
    typed = text.strip()
    if not typed:
        return BadInput("quantity-empty")
    found = parse_whole(typed, shop.here.separators)
    if isinstance(found, BadInput):
        return found
    if found > INT64_MAX:
        return BadInput("quantity-too-large")
    return found or BadInput("quantity-none")


class NewOrder(Struct, frozen=True):
    """What a person filled in. `quantity` and `day` are None where the form has no such field, or it is empty."""

    pet: Ref
    quantity: int | None = None
    day: date | None = None
    status: str = ""

    def change(self, desk: Desk, form: Form) -> NewChange | BadInput:
        """The creation of the order. What a new order can say, it says: that it is not complete, too.

        Codes: no-such-pet, date-missing, date-unreadable, and what the fields themselves are refused for.
        """
        key = self.pet.key
        if not is_there(desk.shop, self.pet) or not isinstance(key, int | str | LocalId):
            going = self.pet.key in desk.shop.stores[Resource.PETS]
            return BadInput("pet-not-read" if desk.shop.may_be(Resource.PETS, key) and not going else "no-such-pet")
        moment = self._moment(desk.shop, form)
        if isinstance(moment, BadInput):
            return moment
        said: dict[str, FieldValue] = {"pet_id": key, "quantity": self.quantity, "ship_date": moment}
        said |= {"complete": False, "status": self.status}
        fields = {name: value for name, value in said.items() if name in form.takes and value not in (None, "")}
        return desk.acts.create(Resource.ORDERS, fields)

    def _moment(self, shop: ShopModel, form: Form) -> str | BadInput:
        """The ship date as the service writes it; empty for none."""
        if self.day is not None:
            return typed_moment(shop, _NEW, self.day.isoformat())
        return BadInput("date-missing") if "ship_date" in form.requires else ""


def reservation(desk: Desk, pet: Ref) -> tuple[NewChange, ...] | BadInput:
    """What sets a pet aside for a caller; nothing where it is set aside already."""
    own = desk.shop.own_status("pending")
    return BadInput("no-such-status") if own is None else desk.acts.set_fields((pet,), {"status": own})
