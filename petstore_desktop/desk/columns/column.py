"""What a column is, and the cells that several tables share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.desk.values.cells import CellFacts, Family, Kind, Mark
from petstore_desktop.desk.values.collation import tie
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.counts import AtLeast
from petstore_desktop.domain.records import FIELD_SPECS, FREE_TEXTS, ContentId, FieldValue, Key, LocalId, Ref, Resource

Rank: TypeAlias = Any
"""What a column sorts by, all of one type that knows `<`; None is missing and comes last both ways."""


class Column(Struct, frozen=True, kw_only=True):
    """All that is known of one column; what sorts, filters, sums, searches and exports asks it.

    `value` is what the cell holds: a number, a text, a status, or the key of the record that it names, None for none.
    `family` says how a filter reads it. What it is made of stands in `rests_on`: fields of the row, and what the row
    shows of others ("pet" and "category": their names; "stock"; "orders" and "pets": how many; "levels": minimum
    stock; "marks"). The functions take the shop and a slot, or the shop and a value:

    `cell` what is shown; `text` what the filter of the list searches, None for nothing; `words` the same, where the
    value alone tells; `order` what stands for the value where rows are sorted, a text as the person's language sorts
    it; `said` every way to say a value in the column's own filter.

    `field` is the field that an edit sets, `choices` what it is chosen from. `width` in px at base 13; the higher
    `priority`, the sooner it hides (0: never). `rare`: the column is not there before a record has a value for it.
    `level`: what is typed sets the minimum stock of the pet, or up to which it is ordered, which this computer alone
    keeps. `muted`: it is of second rank, and painted more quietly. `summed`: its numbers mean something added up.
    `exported`: an export of the list has it behind the fields of the records.
    """

    id: str
    kind: Kind
    family: Family
    value: Callable[[ShopModel, int], Any]
    cell: Callable[[ShopModel, int], CellFacts]
    rests_on: tuple[str, ...] = ()
    text: Callable[[ShopModel, int], str] | None = None
    words: Callable[[ShopModel, Any], str] | None = None
    order: Callable[[ShopModel, Any], Rank] = lambda _shop, value: value
    said: Callable[[ShopModel, Any], Any] = lambda _shop, value: value
    align: Literal["left", "right"] = "left"
    width: int = 120
    priority: int = 0
    flexible: bool = False
    editable: bool = False
    field: str = ""
    choices: Literal["", "status", "category", "complete"] = ""
    level: Literal["", "minimum", "up_to"] = ""
    rare: bool = False
    muted: bool = False
    summed: bool = False
    exported: bool = False

    @property
    def typed(self) -> bool:
        """Whether it is typed into: what is sent, or what this computer keeps."""
        return self.editable or bool(self.level)


def worded(column: Column) -> Column:
    """The column with the text that its words make."""
    if (words := column.words) is None:
        return column

    def text(shop: ShopModel, slot: int) -> str:
        return words(shop, column.value(shop, slot))

    return replace(column, text=text)


def rank(column: Column, shop: ShopModel, slot: int) -> Rank:
    """What one row sorts by; None is missing."""
    order = column.order(shop, column.value(shop, slot))
    return name_rank(shop, order) if isinstance(order, str) else order


def gutter(resource: Resource) -> Column:
    """The narrow first column: the worst mark of the row."""

    def mark(shop: ShopModel, slot: int) -> Mark | None:
        return shop.row_mark(Ref(resource, shop.stores[resource].keys[slot]))

    def cell(shop: ShopModel, slot: int) -> CellFacts:
        return CellFacts(kind="gutter", row_mark=mark(shop, slot))

    return Column(id="gutter", kind="gutter", family="mark", value=mark, cell=cell, rests_on=("marks",), width=36)


def _id_cell(key: Key) -> CellFacts:
    if isinstance(key, int):
        return CellFacts(kind="number", number=key, text=str(key))
    if isinstance(key, str):
        return CellFacts(kind="number", text=key)
    return CellFacts(kind="number", code="new" if isinstance(key, LocalId) else "none")


def id_column(resource: Resource, width: int = 66) -> Column:
    """The service's number of the record."""

    def key(shop: ShopModel, slot: int) -> Key:
        return shop.stores[resource].keys[slot]

    def words(_shop: ShopModel, key: Key) -> str:
        return id_text(key)

    def order(_shop: ShopModel, key: Key) -> Rank:
        return None if isinstance(key, (LocalId, ContentId)) else tie(key)

    return number_column(
        "id",
        key,
        cell=lambda shop, slot: _id_cell(key(shop, slot)),
        words=words,
        order=order,
        width=width,
        muted=True,
        priority=2,
    )


def digits(_shop: ShopModel, number: object) -> str:
    """The words of plain numbers, by which long lists are searched without a text for each row."""
    return "" if number is None else str(number)


def number_column(
    name: str,
    value: Callable[[ShopModel, int], Any],
    cell: Callable[[ShopModel, int], CellFacts] | None = None,
    **more: Any,
) -> Column:
    """A column of numbers."""
    plain = Column(
        id=name,
        kind="number",
        family="number",
        value=value,
        cell=cell or (lambda shop, slot: number_cell(shop, value(shop, slot))),
        words=digits,
        align="right",
    )
    return worded(replace(plain, **more))


def field_cell(
    resource: Resource, name: str, make: Callable[[ShopModel, FieldValue], CellFacts]
) -> Callable[[ShopModel, int], CellFacts]:
    """The cells of one field: what is shown, its mark, and below it what the service has."""

    def cell(shop: ShopModel, slot: int) -> CellFacts:
        plain = make(shop, shop.shown(resource, slot, name))
        overlays = shop.overlay.records[resource]
        over = overlays.get(shop.stores[resource].keys[slot]) if overlays else None
        laid = None if over is None else over.fields.get(name)
        if laid is None:
            return plain
        base = make(shop, shop.stores[resource].columns[name][slot]) if laid.open else None
        return replace(plain, base=base, mark=laid.mark)

    return cell


def text_cell(_shop: ShopModel, value: FieldValue) -> CellFacts:
    """Plain text; a dash where there is none."""
    return CellFacts(text=value) if isinstance(value, str) and value else CellFacts(code="none")


def text_column(resource: Resource, name: str, width: int, *, flexible: bool = False, priority: int = 0) -> Column:
    """A field that holds any text."""
    return worded(
        Column(
            id=name,
            kind="text",
            family="text",
            value=lambda shop, slot: shop.text_of(resource, slot, name),
            cell=field_cell(resource, name, text_cell),
            rests_on=(name,),
            words=lambda _shop, text: text,
            said=lambda _shop, text: fold(text),
            width=width,
            priority=priority,
            flexible=flexible,
            muted=name in FREE_TEXTS[resource],
            editable=is_editable(resource, name),
            field=name,
        )
    )


def is_editable(resource: Resource, name: str) -> bool:
    """Whether people may change this field, where the service takes it."""
    return next(spec.editable for spec in FIELD_SPECS[resource] if spec.name == name)


def number_cell(_shop: ShopModel, value: FieldValue) -> CellFacts:
    """A number; a dash where there is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        return CellFacts(kind="number", number=value, text=str(value))
    return CellFacts(kind="number", code="none")


def count_cell(shop: ShopModel, count: int) -> CellFacts:
    """How many records of another list belong to this one; a dash for none, nothing where that is not known."""
    if isinstance(count, AtLeast):
        return CellFacts(kind="number", number=count, text=str(count), code="at-least") if count else CellFacts()
    return number_cell(shop, count or None)


def pill_cell(_shop: ShopModel, value: FieldValue) -> CellFacts:
    """A status as the service has it, an unknown one too."""
    if isinstance(value, str) and value:
        return CellFacts(kind="pill", text=value)
    return CellFacts(kind="pill", code="none")


def category_cell(shop: ShopModel, value: FieldValue | ContentId) -> CellFacts:
    """A category by its name, one without a name, or that was not read, by its id; an id of none is marked."""
    if not isinstance(value, (int, str, LocalId)):
        return CellFacts(kind="ref", code="none")
    name = shop.name(Resource.CATEGORIES, value)
    if name is None and not shop.may_be(Resource.CATEGORIES, value):
        return CellFacts(kind="ref", text="?", ref_id=id_text(value), code="no-such-category")
    ref_id = "" if name else id_text(value)
    return CellFacts(kind="ref", text=name or "", ref=Ref(Resource.CATEGORIES, value), ref_id=ref_id)


def pet_cell(shop: ShopModel, key: FieldValue | ContentId) -> CellFacts:
    """A pet by name and id, one that was not read by its id; an id of none is marked."""
    if not isinstance(key, (int, str, LocalId)):
        return CellFacts(kind="ref", code="none")
    name = shop.name(Resource.PETS, key)
    if name is None and not shop.may_be(Resource.PETS, key):
        return CellFacts(kind="ref", text="?", ref_id=id_text(key), code="no-such-pet")
    return CellFacts(kind="ref", text=name or "", ref=Ref(Resource.PETS, key), ref_id=id_text(key))


def stock_cell(shop: ShopModel, pet: Key) -> CellFacts:
    """A pet's stock and the bookings that wait."""
    stock = shop.stock(pet)
    none = "" if shop.may_be(Resource.INVENTORY, pet) else "no-stock-entry"
    if stock is None:
        return CellFacts(kind="stock", code=none)
    if shop.is_low(pet, stock.result):
        stock = replace(stock, low=True)
    overlays = shop.overlay.records[Resource.INVENTORY]
    over = overlays.get(pet) if overlays else None
    text = "" if stock.result is None else str(stock.result)
    return CellFacts(
        kind="stock",
        text=text,
        number=stock.result,
        stock=stock,
        code=none if stock.base is None else "",
        mark=None if over is None else over.stock_mark,
    )


def stock_number(shop: ShopModel, pet: Key) -> Rank:
    """The stock by value."""
    stock = shop.stock(pet)
    return None if stock is None else stock.result


def name_rank(shop: ShopModel, name: str | None) -> Rank:
    """A name as the person's language sorts it; an empty one counts as missing."""
    return shop.collation.key(name) if name else None
