"""The contents of the details pane: a record's facts, its changes, and links to related records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from heapq import nsmallest
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.desk.changes.change_lines import ChangeLine, lines_of
from petstore_desktop.desk.columns.column import count_cell, number_cell, pet_cell, pill_cell, stock_cell
from petstore_desktop.desk.columns.columns import COLUMNS_BY_ID, date_cell, late_of, state_cell
from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.desk.values.cells import CellFacts, Rows, Sentence
from petstore_desktop.domain.changes import Change
from petstore_desktop.domain.records import FREE_TEXTS, ContentId, Extra, JsonValue, Key, Ref, Resource, unknown_fields


class DetailLine(Struct, frozen=True):
    """One line: `label` is a code ("status", "order"...), `target` where it leads."""

    label: str
    cell: CellFacts
    target: Ref | Rows | None = None


class Section(Struct, frozen=True):
    """More lines under a heading, named by its code."""

    code: str
    facts: tuple[DetailLine, ...]


class Details(Struct, frozen=True):
    """Everything the pane shows. `title` is the service's text (an order has none); `seen_at` in UTC epoch seconds."""

    ref: Ref
    title: str
    id_text: str
    seen_at: float | None
    facts: tuple[DetailLine, ...]
    sentence: Sentence | None = None
    changes: tuple[ChangeLine, ...] = ()
    needs_person: int = 0
    sections: tuple[Section, ...] = ()
    read_only: bool = False


def details_of(shop: ShopModel, ref: Ref, next_id: int | None) -> Details | None:
    """The details of a record, None where there is none. `next_id`: the change that goes out next."""
    slot = shop.stores[ref.resource].slot(ref.key)
    if slot is None:
        return None
    build = {
        Resource.PETS: _pet_facts,
        Resource.CATEGORIES: _category_facts,
        Resource.ORDERS: _order_facts,
        Resource.INVENTORY: _stock_facts,
    }[ref.resource]
    lines = _changes(shop, ref, next_id)
    is_order = ref.resource is Resource.ORDERS
    return Details(
        ref,
        shop.title(ref),
        id_text(ref.key),
        shop.stores[ref.resource].seen_at(ref.key),
        build(shop, slot),
        sentence=order_sentence(shop, slot) if is_order else None,
        changes=lines,
        needs_person=len({line.change.id for line in lines if line.change.needs_person}),
        sections=(*_orders(shop, ref, slot), *_other_fields(shop, ref)),
        read_only=isinstance(ref.key, ContentId),
    )


def _changes(shop: ShopModel, ref: Ref, next_id: int | None) -> tuple[ChangeLine, ...]:
    changes = sorted(changes_over(shop, ref), key=lambda change: -change.id)
    return tuple(line for change in changes for line in lines_of(shop, change, next_id))


def changes_over(shop: ShopModel, ref: Ref) -> list[Change]:
    """The changes of this record to show: unsent, needing attention, or just sent. For a pet, its stock's too."""
    refs = (ref, Ref(Resource.INVENTORY, ref.key)) if ref.resource is Resource.PETS else (ref,)
    return [change for one in refs for change in shop.overlay.changes_of(one)]


def _cell(shop: ShopModel, resource: Resource, slot: int, column_id: str) -> CellFacts:
    return COLUMNS_BY_ID[resource][column_id].cell(shop, slot)


def _linked(shop: ShopModel, resource: Resource, slot: int, column_id: str) -> DetailLine:
    cell = _cell(shop, resource, slot, column_id)
    return DetailLine(column_id, cell, cell.ref)


def _pet_facts(shop: ShopModel, slot: int) -> tuple[DetailLine, ...]:
    pets = Resource.PETS
    key = shop.stores[pets].keys[slot]
    orders = count_cell(shop, shop.order_count(key))
    rows = Rows(Resource.ORDERS, f"pet:{id_text(key)}") if orders.number and id_text(key) else None
    still_open = shop.open_orders(key)
    open_rows = None if rows is None else Rows(Resource.ORDERS, f"{rows.text} open")
    open_line = DetailLine("orders-open", count_cell(shop, still_open), open_rows if still_open else None)
    return (
        DetailLine("status", _cell(shop, pets, slot, "status")),
        _linked(shop, pets, slot, "category"),
        *_free_texts(shop, pets, slot),
        DetailLine("stock", stock_cell(shop, key), Ref(Resource.INVENTORY, key) if shop.stock(key) else None),
        *_levels(shop, key),
        DetailLine("orders", orders, rows),
        *((open_line,) if shop.tells_open else ()),
    )


def _category_facts(shop: ShopModel, slot: int) -> tuple[DetailLine, ...]:
    categories = Resource.CATEGORIES
    count = _cell(shop, categories, slot, "pets")
    number = id_text(shop.stores[categories].keys[slot])
    rows = Rows(Resource.PETS, f"category:{number}") if count.number and number else None
    kept, ref = shop.minimums, Ref(categories, shop.stores[categories].keys[slot])
    facts = (*_free_texts(shop, categories, slot), DetailLine("pets", count, rows))
    own = None if kept is None else kept.own(ref)
    return facts if own is None else (*facts, *_numbers(shop, {"minimum": own.minimum, "order_up_to": own.up_to}))


def _free_texts(shop: ShopModel, resource: Resource, slot: int) -> tuple[DetailLine, ...]:
    return tuple(DetailLine(name, _cell(shop, resource, slot, name)) for name in FREE_TEXTS[resource])


def _levels(shop: ShopModel, pet: Key) -> tuple[DetailLine, ...]:
    """The minimum stock of a pet and up to which it is ordered, as far as they are set, and how many that are."""
    named = {"minimum": shop.minimum(pet), "order_up_to": shop.up_to(pet), "to_order": shop.to_order(pet) or None}
    return _numbers(shop, named)


def _numbers(shop: ShopModel, named: Mapping[str, int | None]) -> tuple[DetailLine, ...]:
    """A line for each number that there is."""
    return tuple(DetailLine(name, number_cell(shop, one)) for name, one in named.items() if one is not None)


def _stock_facts(shop: ShopModel, slot: int) -> tuple[DetailLine, ...]:
    stock = Resource.INVENTORY
    return (
        DetailLine("stock", _cell(shop, stock, slot, "stock")),
        *_levels(shop, shop.stores[stock].keys[slot]),
        DetailLine("status", _cell(shop, stock, slot, "status")),
        _linked(shop, stock, slot, "pet"),
        _linked(shop, stock, slot, "category"),
    )


def _order_facts(shop: ShopModel, slot: int) -> tuple[DetailLine, ...]:
    orders = Resource.ORDERS
    facts = [
        DetailLine("state", _cell(shop, orders, slot, "state")),
        DetailLine("ship_date", _cell(shop, orders, slot, "ship_date")),
        _linked(shop, orders, slot, "pet"),
        DetailLine("quantity", _cell(shop, orders, slot, "quantity")),
    ]
    if status := shop.text_of(orders, slot, "status"):
        facts.insert(1, DetailLine("status", pill_cell(shop, status)))
    pet = shop.linked(orders, slot)
    if pet is not None and shop.stock(pet) is not None:
        facts.append(DetailLine("stock", stock_cell(shop, pet), Ref(Resource.INVENTORY, pet)))
    return tuple(facts)


def order_sentence(shop: ShopModel, slot: int) -> Sentence:
    """What can be said to the person at the phone. `pet` is a pet's cell; `quantity` and `day` may be None;
    `today` tells whether `day` is in another year; `status`: the service's word, empty for none.

    Codes: order.complete, order.late (`days` ago), order.due (in `days`), order.open-no-date, order.unknown (it does
    not say whether it is complete).
    """
    ship = shop.ship_date(slot)
    complete = shop.shown(Resource.ORDERS, slot, "complete")
    late = late_of(shop, slot)
    day = None if ship is None else ship.day
    if not isinstance(complete, bool):
        code = "order.unknown"
    elif complete:
        code = "order.complete"
    elif day is None:
        code = "order.open-no-date"
    else:
        code = "order.due" if late is None else "order.late"
    ahead = (day - shop.today).days if code == "order.due" and day is not None else 0
    return Sentence(
        code,
        {
            "quantity": shop.number_of(Resource.ORDERS, slot, "quantity"),
            "pet": pet_cell(shop, shop.linked(Resource.ORDERS, slot)),
            "status": shop.text_of(Resource.ORDERS, slot, "status"),
            "day": day,
            "today": shop.today,
            "days": late or ahead,
            "date": ship,
        },
    )


def _orders(shop: ShopModel, ref: Ref, slot: int) -> tuple[Section, ...]:
    """The orders of a pet, the open ones first; of an order, the others of its pet."""
    links, keys = shop.links[Resource.ORDERS], shop.stores[Resource.ORDERS].keys
    if ref.resource is Resource.PETS:
        code, found = "orders-of-this-pet", _open_first(shop, links.sources(ref.key))
    elif ref.resource is Resource.ORDERS:
        pet = shop.linked(Resource.ORDERS, slot)
        others = () if pet is None else (other for other in links.sources(pet) if other != slot)
        code, found = "more-of-this-pet", _by_date(shop, others)
    else:
        return ()
    return (Section(code, tuple(_order_line(shop, keys[one], one) for one in found)),) if found else ()


def _other_fields(shop: ShopModel, ref: Ref) -> tuple[Section, ...]:
    """The fields that the program does not know, by the service's names; no more than a pane has room for."""
    record = shop.stores[ref.resource].record(ref.key)
    extra: Extra = {} if record is None else unknown_fields(ref.resource, record.extra)
    lines = (DetailLine(name, CellFacts(text=_as_text(value))) for name, value in islice(extra.items(), _FIELDS))
    return (Section(OTHER_FIELDS, tuple(lines)),) if extra else ()


def _as_text(value: JsonValue) -> str:
    if value is None:
        return ""
    return (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))[:_LONGEST]


OTHER_FIELDS = "other-fields"
_FIELDS, _LONGEST = 40, 1_000
"""How many unknown fields are listed, and letters of each."""
_MORE = 8
"""How many other orders are listed; the pet's count leads to the rest."""


def _by_date(shop: ShopModel, slots: Iterable[int]) -> list[int]:
    """The newest ones."""
    return nsmallest(_MORE, slots, key=lambda slot: _place(shop, slot, -1))


def _open_first(shop: ShopModel, slots: Iterable[int]) -> list[int]:
    """Those that are not complete by their ship dates, the most urgent first; then the newest of the others."""

    def place(slot: int) -> tuple[bool, bool, int]:
        is_open = shop.shown(Resource.ORDERS, slot, "complete") is not True
        return (not is_open, *_place(shop, slot, 1 if is_open else -1))

    return nsmallest(_MORE, slots, key=place)


def _place(shop: ShopModel, slot: int, direction: int) -> tuple[bool, int]:
    """The place of an order by its day, forwards (1) or backwards (-1); without one it comes last."""
    ship = shop.ship_date(slot)
    day = None if ship is None else ship.day
    return day is None, 0 if day is None else direction * day.toordinal()


def _order_line(shop: ShopModel, key: Key, slot: int) -> DetailLine:
    """Another order in one cell: `ref_id` its id, `number` the quantity, `date`, and `text` its state."""
    date = date_cell(shop, shop.shown(Resource.ORDERS, slot, "ship_date"))
    state = state_cell(shop, shop.shown(Resource.ORDERS, slot, "complete"))
    ref = Ref(Resource.ORDERS, key)
    quantity = shop.number_of(Resource.ORDERS, slot, "quantity")
    return DetailLine("order", replace(date, text=state.text, number=quantity, ref=ref, ref_id=id_text(key)), ref)
