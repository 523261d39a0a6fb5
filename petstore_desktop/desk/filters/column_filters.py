"""What the filter of each column is asked of, and which words it knows, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from petstore_desktop.desk.columns.column import stock_rank
from petstore_desktop.desk.columns.columns import late_of
from petstore_desktop.desk.data_checks.checked_rows import checked_rows_of
from petstore_desktop.desk.data_checks.data_checks import DATA_CHECKS, DataCheck
from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.desk.values.expressions import (
    NO_DAY,
    NUL,
    Expression,
    Family,
    Unreadable,
    Value,
    Vocabulary,
)
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.records import TYPED_FIELDS, ContentId, Key, LocalId, Ref, Resource
from petstore_desktop.quicker.dataclass import dataclass

Code: TypeAlias = Any
"""The code of a cell: a hashable value of one type for each column, such as a status, or a category's key."""


Fits: TypeAlias = "Callable[[ShopModel, Resource, int, Code], bool]"
FitMany: TypeAlias = "Callable[[ShopModel, Resource, Sequence[int], Sequence[Code]], list[bool]]"


@dataclass(frozen=True, slots=True)
class Source:
    """How a column's filter reads cells. `read` makes the code of one row, `say` the value of a code; `named`: few
    codes stand for many rows, so results are cached."""

    family: Family
    read: Callable[[ShopModel, Resource, int], Code]
    say: Callable[[ShopModel, Code], Value] = lambda _shop, code: cast("Value", code)
    named: bool = True


@dataclass(frozen=True, slots=True)
class SpecialWord:
    """A word that stands for a question about the row. `fits` takes the shop, the resource, the slot, and the code of
    the cell, `many` the slots and codes of many rows. `only`: the one list that knows it, None for all; `watch`: called
    with a filter that asks it, as long as which lives it hears of other answers."""

    fits: Fits
    many: FitMany
    only: Resource | None = None
    watch: Callable[[ShopModel, object], None] = lambda _shop, _filter: None


# ---- what columns hold


def _key(shop: ShopModel, resource: Resource, slot: int) -> Key:
    return shop.stores[resource].keys[slot]


def _field(name: str) -> Callable[[ShopModel, Resource, int], Code]:
    return lambda shop, resource, slot: shop.shown(resource, slot, name)


def _folded(name: str) -> Callable[[ShopModel, Resource, int], Code]:
    return lambda shop, resource, slot: fold(shop.text_of(resource, slot, name))


def _linked(kind: Resource) -> Callable[[ShopModel, Key | None], str]:
    def say(shop: ShopModel, key: Key | None) -> str:
        found = shop.overlay.resolve_value(key) if isinstance(key, LocalId) else key
        if not isinstance(found, (int, str, LocalId)):
            return ""
        # A record without a name is still one: NUL alone is not empty.
        return f"{fold(shop.name(kind, found) or '')}{NUL}" + (f"#{fold(id_text(found))}" if id_text(found) else "")

    return say


def word_of(shop: ShopModel, status: object) -> str:
    """Every way to say a status or state, folded, with NUL between."""
    if not isinstance(status, str):
        return ""
    shown = shop.vocabulary.get(status, status)
    return NUL.join(dict.fromkeys((fold(status), fold(shown)))) if status else ""


def _state(shop: ShopModel, complete: object) -> str:
    return word_of(shop, "complete" if complete else "open") if isinstance(complete, bool) else ""


def _pet_of_row(shop: ShopModel, resource: Resource, slot: int) -> str:
    key = shop.linked(resource, slot) if resource is Resource.ORDERS else _key(shop, resource, slot)
    return "" if isinstance(key, ContentId) else _PET_SAID(shop, key)


def _category_of_row(shop: ShopModel, resource: Resource, slot: int) -> Code:
    if resource is Resource.PETS:
        return shop.linked(resource, slot)
    return shop.category_of_pet(_key(shop, resource, slot))


def _id(shop: ShopModel, resource: Resource, slot: int) -> int | None:
    key = _key(shop, resource, slot)
    return key if isinstance(key, int) else None


def _id_folded(shop: ShopModel, resource: Resource, slot: int) -> str:
    return fold(id_text(_key(shop, resource, slot)))


def _stock(shop: ShopModel, resource: Resource, slot: int) -> int | None:
    return stock_rank(shop, _key(shop, resource, slot))


def _count(of: Resource) -> Callable[[ShopModel, Resource, int], int]:
    return lambda shop, resource, slot: shop.links[of].count(_key(shop, resource, slot))


def _ship_day(shop: ShopModel, _resource: Resource, slot: int) -> int | None:
    ship = shop.ship_date(slot)
    if ship is None:
        return None
    return NO_DAY if ship.day is None else ship.day.toordinal()


def _mark(shop: ShopModel, resource: Resource, slot: int) -> Code:
    return shop.row_mark(Ref(resource, _key(shop, resource, slot)))


_PET_SAID = _linked(Resource.PETS)

SOURCES: Mapping[str, Source] = {
    "gutter": Source("mark", _mark),
    "id": Source("number", _id, named=False),
    **{name: Source("text", _folded(name), named=False) for name in TYPED_FIELDS},
    "pet": Source("link", _pet_of_row, named=False),
    "category": Source("word", _category_of_row, _linked(Resource.CATEGORIES)),
    "status": Source("word", _field("status"), word_of),
    "state": Source("word", _field("complete"), _state),
    "stock": Source("number", _stock),
    "quantity": Source("number", _field("quantity")),
    "orders": Source("count", _count(Resource.ORDERS)),
    "pets": Source("count", _count(Resource.PETS)),
    "ship_date": Source("date", _ship_day),
    "late": Source("number", lambda shop, _resource, slot: late_of(shop, slot)),
    "minimum": Source("number", lambda shop, resource, slot: shop.minimum(_key(shop, resource, slot))),
    "to_order": Source("number", lambda shop, resource, slot: shop.to_order(_key(shop, resource, slot))),
}
"""By the column's id."""
TEXT_IDS = Source("text", _id_folded, named=False)
"""How ids are read where they may be texts."""


def source_of(shop: ShopModel, column_id: str) -> Source:
    """How a column's filter reads the cells of this shop."""
    return TEXT_IDS if column_id == "id" and shop.has_text_ids else SOURCES[column_id]


# ---- words that a column knows


def _is_low(shop: ShopModel, resource: Resource, slot: int, quantity: Code) -> bool:
    return shop.is_low(_key(shop, resource, slot), quantity)


def _is_overdue(shop: ShopModel, _resource: Resource, slot: int, day: Code) -> bool:
    if day is None or not NO_DAY < day < shop.today.toordinal():
        return False
    return shop.shown(Resource.ORDERS, slot, "complete") is False


def _are_overdue(shop: ShopModel, resource: Resource, slots: Sequence[int], days: Sequence[Code]) -> list[bool]:
    return [_is_overdue(shop, resource, slot, day) for slot, day in zip(slots, days, strict=True)]


def _are_low(shop: ShopModel, resource: Resource, slots: Sequence[int], quantities: Sequence[Code]) -> list[bool]:
    return shop.are_low(shop.stores[resource].keys.many(slots), quantities)


def _marked(*marks: str) -> SpecialWord:
    return SpecialWord(
        lambda _shop, _resource, _slot, mark: mark in marks,
        lambda _shop, _resource, _slots, codes: [mark in marks for mark in codes],
    )


def _is_changed(shop: ShopModel, resource: Resource, slot: int, _code: Code) -> bool:
    return shop.is_changed_today(Ref(resource, _key(shop, resource, slot)))


def _are_changed(shop: ShopModel, resource: Resource, slots: Sequence[int], _codes: Sequence[Code]) -> list[bool]:
    keys, changed = shop.stores[resource].keys, shop.changed_of(resource)
    return [any(keys[slot] in one for one in changed) for slot in slots] if changed else [False] * len(slots)


def _checked(check: DataCheck) -> SpecialWord:
    def many(shop: ShopModel, resource: Resource, slots: Sequence[int], _codes: Sequence[Code]) -> list[bool]:
        found = checked_rows_of(shop).of(check.id) if resource is check.resource else ()
        return [slot in found for slot in slots]

    return SpecialWord(
        lambda shop, resource, slot, _code: resource is check.resource and slot in checked_rows_of(shop).of(check.id),
        many,
        check.resource,
        lambda shop, watcher: checked_rows_of(shop).watch(check.id, watcher),
    )


SPECIALS: Mapping[str, Mapping[str, SpecialWord]] = {
    "gutter": {
        "unsent": _marked("unsent", "sending"),
        "attention": _marked("refused", "conflict", "uncertain"),
        "changed": SpecialWord(_is_changed, _are_changed),
        **{check.id: _checked(check) for check in DATA_CHECKS},
    },
    "stock": {"low": SpecialWord(_is_low, _are_low)},
    "ship_date": {"overdue": SpecialWord(_is_overdue, _are_overdue)},
}
"""By the column's id and the word's own code. All else that can be typed is the same in all columns of a family."""


def spellings(resource: Resource, column_id: str, words: Mapping[str, str]) -> dict[str, str]:
    """Every way to type the special words of a column, folded, the person's language too; and what it stands for."""
    codes = [code for code, word in SPECIALS.get(column_id, {}).items() if word.only in (None, resource)]
    return {fold(word): code for code in codes for word in (words.get(code, code), code)}


def known_words(shop: ShopModel, column_id: str) -> tuple[str, ...]:
    """The statuses or states in use, in the service's words; empty for other columns."""
    if column_id == "state":
        return ("open", "complete")
    if column_id != "status":
        return ()
    return shop.status_choices(Resource.PETS, Resource.INVENTORY)


def vocabulary_of(shop: ShopModel, resource: Resource, column_id: str) -> Vocabulary:
    """What a column's filter knows besides values, here and today."""
    return Vocabulary(spellings(resource, column_id, shop.filter_words), shop.today, shop.here)


def mistyped(shop: ShopModel, column_id: str, found: Expression) -> Unreadable | None:
    """A word with which no status begins was most likely meant otherwise: all that there are are told."""
    known = known_words(shop, column_id)
    word = found.meets_none([word_of(shop, one) for one in known]) if known else ""
    return Unreadable("filter-status", word, tuple(shop.vocabulary.get(one, one) for one in known)) if word else None
