"""What a column is, and the cells that several tables share."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, TypeVar

from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.desk.values.cells import CellFacts, Kind
from petstore_desktop.desk.values.collation import MISSING
from petstore_desktop.domain.records import FIELD_SPECS, ContentId, FieldValue, Key, LocalId, Ref, Resource

Rank: TypeAlias = "int | None"
"""What a column sorts by; None is missing and comes last both ways."""
Slots: TypeAlias = "Sequence[int]"
T = TypeVar("T")
_TEXTS_AFTER = 1 << 62
"""Where ids that are texts begin in a column that is sorted by ids: after the numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column as data. `width` in px at base 13; the higher `priority`, the sooner it hides (0: never).

    `field` is the field that an edit sets, `choices` what it is chosen from. The functions take the shop and a slot:
    `cell` what is shown, `text` what the filter searches, `rank` what is sorted by; `name` is that where it is a text.

    `few`: few different texts stand in many rows; `rare`: it is not there before a record has a value for it.

    For long lists there are the same for many slots at once: `texts`, `ranks`, `names`, and `ids` for all slots where
    some ids are texts. They may leave out what people did to the row itself: `ShopModel.laid_over` names the rows that
    are asked for one by one instead.
    """

    id: str
    kind: Kind
    cell: Callable[[ShopModel, int], CellFacts]
    text: Callable[[ShopModel, int], str] | None = None
    rank: Callable[[ShopModel, int], Rank] | None = None
    name: Callable[[ShopModel, int], str | None] | None = None
    texts: Callable[[ShopModel, Slots], Sequence[str]] | None = None
    ranks: Callable[[ShopModel, Slots], Iterable[int]] | None = None
    names: Callable[[ShopModel, Slots], Iterable[str]] | None = None
    ids: Callable[[ShopModel, Sequence[Slots]], Generator[None, None, array[int]]] | None = None
    align: Literal["left", "right"] = "left"
    width: int = 120
    priority: int = 0
    flexible: bool = False
    editable: bool = False
    field: str = ""
    choices: Literal["", "status", "category", "complete"] = ""
    few: bool = False
    rare: bool = False


def gutter(resource: Resource) -> Column:
    """The narrow first column: the worst mark of the row."""

    def cell(shop: ShopModel, slot: int) -> CellFacts:
        return CellFacts(kind="gutter", row_mark=shop.row_mark(Ref(resource, shop.stores[resource].keys[slot])))

    return Column(id="gutter", kind="gutter", cell=cell, width=36)


def _id_cell(key: Key) -> CellFacts:
    if isinstance(key, int):
        return CellFacts(kind="number", number=key, text=str(key))
    if isinstance(key, str):
        return CellFacts(kind="number", text=key)
    return CellFacts(kind="number", code="new" if isinstance(key, LocalId) else "none")


def _id_rank(shop: ShopModel, key: Key) -> Rank:
    """Numbers by value; texts as they sort, after all numbers."""
    if isinstance(key, str):
        return shop.id_ranks.of(key) + _TEXTS_AFTER
    return key if isinstance(key, int) else None


def id_column(resource: Resource, width: int = 66) -> Column:
    """The service's number of the record."""

    def cell(shop: ShopModel, slot: int) -> CellFacts:
        return _id_cell(shop.stores[resource].keys[slot])

    def number(shop: ShopModel, slot: int) -> Rank:
        return _id_rank(shop, shop.stores[resource].keys[slot])

    def text(shop: ShopModel, slot: int) -> str:
        return id_text(shop.stores[resource].keys[slot])

    def texts(shop: ShopModel, slots: Slots) -> list[str]:
        return [id_text(key) for key in shop.stores[resource].keys.many(slots)]

    def numbers(shop: ShopModel, slots: Slots) -> list[int]:
        return [key if isinstance(key, int) else MISSING for key in shop.stores[resource].keys.many(slots)]

    return number_column(
        "id", number, numbers, cell=cell, text=text, texts=texts, ids=_all_ids(resource), width=width, priority=2
    )


def _all_ids(resource: Resource) -> Callable[[ShopModel, Sequence[Slots]], Generator[None, None, array[int]]]:
    """What rows are sorted by where some ids are texts, which are put in order together, in short steps."""

    def ids(shop: ShopModel, parts: Sequence[Slots]) -> Generator[None, None, array[int]]:
        keys = shop.stores[resource].keys
        texts: list[str] = []
        for part in parts:
            texts += [key if isinstance(key, str) else "" for key in keys.many(part)]
            yield
        found = yield from shop.id_ranks.many(texts)
        for part in parts:
            for place, key in zip(part, keys.many(part), strict=True):
                if isinstance(key, str):
                    found[place] += _TEXTS_AFTER
                elif isinstance(key, int):
                    found[place] = key
            yield
        return found

    return ids


def number_column(
    name: str,
    number: Callable[[ShopModel, int], Rank],
    numbers: Callable[[ShopModel, Slots], list[int]] | None = None,
    cell: Callable[[ShopModel, int], CellFacts] | None = None,
    **more: Any,
) -> Column:
    """A column that is searched and sorted by a number. `numbers`: those of many rows, MISSING where there is none."""

    def text(shop: ShopModel, slot: int) -> str:
        value = number(shop, slot)
        return "" if value is None else str(value)

    def texts(shop: ShopModel, slots: Slots) -> list[str]:
        return ["" if value == MISSING else str(value) for value in (numbers(shop, slots) if numbers else ())]

    plain = Column(
        id=name,
        kind="number",
        cell=cell or (lambda shop, slot: number_cell(shop, number(shop, slot))),
        text=text,
        rank=number,
        texts=texts if numbers else None,
        ranks=numbers,
        align="right",
    )
    return replace(plain, **more)


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

    def text(shop: ShopModel, slot: int) -> str:
        return shop.text_of(resource, slot, name)

    def texts(shop: ShopModel, slots: Slots) -> list[str]:
        values = shop.stores[resource].columns[name]
        return [value if isinstance(value, str) else "" for value in values.many(slots)]

    return Column(
        id=name,
        kind="text",
        cell=field_cell(resource, name, text_cell),
        text=text,
        rank=lambda shop, slot: name_rank(shop, shop.text_of(resource, slot, name)),
        name=text,
        texts=texts,
        names=texts,
        width=width,
        priority=priority,
        flexible=flexible,
        editable=is_editable(resource, name),
        field=name,
    )


def is_editable(resource: Resource, name: str) -> bool:
    """Whether people may change this field, where the service takes it."""
    return next(spec.editable for spec in FIELD_SPECS[resource] if spec.name == name)


def number_cell(_shop: ShopModel, value: FieldValue) -> CellFacts:
    """A number; a dash where there is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        return CellFacts(kind="number", number=value, text=str(value))
    return CellFacts(kind="number", code="none")


def pill_cell(_shop: ShopModel, value: FieldValue) -> CellFacts:
    """A status as the service has it, an unknown one too."""
    if isinstance(value, str) and value:
        return CellFacts(kind="pill", text=value)
    return CellFacts(kind="pill", code="none")


def category_cell(shop: ShopModel, value: FieldValue | ContentId) -> CellFacts:
    """A category by its name, one without a name by its id; a dangling id is marked."""
    if not isinstance(value, (int, str, LocalId)):
        return CellFacts(kind="ref", code="none")
    name = shop.name(Resource.CATEGORIES, value)
    if name is None and Resource.CATEGORIES not in shop.unlisted:
        return CellFacts(kind="ref", text="?", ref_id=id_text(value), code="no-such-category")
    ref_id = "" if name else id_text(value)
    return CellFacts(kind="ref", text=name or "", ref=Ref(Resource.CATEGORIES, value), ref_id=ref_id)


def pet_cell(shop: ShopModel, key: FieldValue | ContentId) -> CellFacts:
    """A pet by name and id; a dangling id is marked."""
    if not isinstance(key, (int, str, LocalId)):
        return CellFacts(kind="ref", code="none")
    name = shop.name(Resource.PETS, key)
    if name is None and Resource.PETS not in shop.unlisted:
        return CellFacts(kind="ref", text="?", ref_id=id_text(key), code="no-such-pet")
    return CellFacts(kind="ref", text=name or "", ref=Ref(Resource.PETS, key), ref_id=id_text(key))


def stock_cell(shop: ShopModel, pet: Key) -> CellFacts:
    """A pet's stock and the bookings that wait."""
    stock = shop.stock(pet)
    if stock is None:
        return CellFacts(kind="stock", code="no-stock-entry")
    if shop.is_low(pet, stock.result):
        stock = replace(stock, low=True)
    overlays = shop.overlay.records[Resource.INVENTORY]
    over = overlays.get(pet) if overlays else None
    text = "" if stock.result is None else str(stock.result)
    code = "no-stock-entry" if stock.base is None else ""
    return CellFacts(
        kind="stock",
        text=text,
        number=stock.result,
        stock=stock,
        code=code,
        mark=None if over is None else over.stock_mark,
    )


def stock_rank(shop: ShopModel, pet: Key) -> Rank:
    """The stock by value."""
    stock = shop.stock(pet)
    return None if stock is None else stock.result


def name_rank(shop: ShopModel, name: str | None) -> Rank:
    """A name as the person's language sorts it; an empty one counts as missing."""
    return shop.ranks.of(name) if name else None


class Memo(dict[Any, T]):
    """A cache of a value computed from each different value of a field."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, value: Any) -> T:
        made = self[value] = self._make(value)
        return made


def field_memo(
    resource: Resource, name: str, make: Callable[[ShopModel, Any], T]
) -> Callable[[ShopModel, Slots], list[T]]:
    """The same of many slots for a field that has few different values."""

    def many(shop: ShopModel, slots: Slots) -> list[T]:
        memo: Memo[T] = Memo(lambda value: make(shop, shop.overlay.resolve_value(value)))
        values = shop.stores[resource].columns[name]
        return [memo[value] for value in values.many(slots)]

    return many


def number_or_missing(rank: Rank) -> int:
    """A rank as it is kept in a column of numbers."""
    return MISSING if rank is None else rank
