"""What the filter of each column is asked of, and which words it knows, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from petstore_desktop.desk.columns.column import Column
from petstore_desktop.desk.columns.columns import DAY, UNREADABLE, word_of
from petstore_desktop.desk.data_checks import DATA_CHECKS, DataCheck, checked_rows_of
from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.desk.values.cells import Family
from petstore_desktop.desk.values.expressions import NO_DAY, Expression, Unreadable, Value, Vocabulary
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.records import Key, Ref, Resource

Code: TypeAlias = Any
"""The code of a cell: a hashable value of one type for each column, such as a status, or a category's key."""


Fits: TypeAlias = "Callable[[ShopModel, Resource, int, Code], bool]"
FitMany: TypeAlias = "Callable[[ShopModel, Resource, Sequence[int], Sequence[Code]], list[bool]]"


class SpecialWord(Struct, frozen=True):
    """A word that stands for a question about the row. `fits` takes the shop, the resource, the slot, and the code of
    the cell, `many` the slots and codes of many rows. `only`: the one list that knows it, None for all; `watch`: called
    with a filter that asks it, as long as which lives it hears of other answers."""

    fits: Fits
    many: FitMany
    only: Resource | None = None
    watch: Callable[[ShopModel, object], None] = lambda _shop, _filter: None


# ---- what filters ask of cells


def family_of(shop: ShopModel, column: Column) -> Family:
    """How this column's filter reads cells: ids may be texts in this shop."""
    return "text" if column.id == "id" and shop.has_text_ids else column.family


def code_of(shop: ShopModel, column: Column, slot: int) -> Code:
    """What the filter asks of one row."""
    value = column.value(shop, slot)
    if column.id == "id":
        return fold(id_text(value)) if shop.has_text_ids else value if isinstance(value, int) else None
    make = _CODES.get(column.family)
    return value if make is None else make(shop, column, value)


def value_of(shop: ShopModel, column: Column, code: Code) -> Value:
    """What a code is in an expression."""
    return column.said(shop, code) if column.family == "word" else code


def day_of(moment: int | None) -> int | None:
    """The day of a moment, as the calendar counts them."""
    return None if moment is None else NO_DAY if moment == UNREADABLE else moment // DAY + 1


_CODES: Mapping[Family, Callable[[ShopModel, Column, Any], Code]] = {
    "text": lambda shop, column, value: column.said(shop, value),
    "link": lambda shop, column, value: column.said(shop, value),
    "count": lambda _shop, _column, value: value or 0,
    "date": lambda _shop, _column, value: day_of(value),
}
"""By family: what is asked of a value where that is not the value itself."""


# ---- words that a column knows


def _key(shop: ShopModel, resource: Resource, slot: int) -> Key:
    return shop.stores[resource].keys[slot]


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


def known_words(shop: ShopModel, resource: Resource, column_id: str) -> tuple[str, ...]:
    """The statuses or states in use, in the service's words; empty for other columns."""
    if column_id == "state":
        return ("open", "complete")
    if column_id != "status":
        return ()
    if resource is Resource.ORDERS:
        return tuple(dict.fromkeys((*(shop.told_order_statuses or ()), *sorted(shop.statuses(resource)))))
    return shop.status_choices(Resource.PETS, Resource.INVENTORY)


def vocabulary_of(shop: ShopModel, resource: Resource, column_id: str) -> Vocabulary:
    """The special words of a column's filter, and the day and the local formats by which it is read."""
    return Vocabulary(spellings(resource, column_id, shop.filter_words), shop.today, shop.here)


def mistyped(shop: ShopModel, resource: Resource, column_id: str, found: Expression) -> Unreadable | None:
    """A word with which no status begins was most likely meant otherwise: all that there are are told."""
    known = known_words(shop, resource, column_id)
    word = found.meets_none([word_of(shop, one) for one in known]) if known else ""
    return Unreadable("filter-status", word, tuple(shop.vocabulary.get(one, one) for one in known)) if word else None
