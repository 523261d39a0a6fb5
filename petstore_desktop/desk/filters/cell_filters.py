"""The filter text of a column that keeps the rows with the same value as a cell, or leaves them out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date

from petstore_desktop.desk.columns.columns import COLUMNS_BY_ID
from petstore_desktop.desk.filters.column_filters import Code, code_of, family_of
from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.desk.values.cells import Family
from petstore_desktop.desk.values.expressions import NO_DAY, exactly
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.records import ContentId, Key, LocalId, Resource

EMPTY = "="


def filter_by_cell(shop: ShopModel, resource: Resource, slot: int, column_id: str) -> str:
    """`=Fish`, `#1234`, `=24`, `2026-11-07`, `=` for an empty cell; "" where no filter says just this value."""
    column = COLUMNS_BY_ID[resource][column_id]
    code = code_of(shop, column, slot)
    if column_id == "category":
        return _category(shop, code)
    if column_id == "pet":
        return _pet(shop, resource, slot)
    if column_id == "id" and shop.has_text_ids:
        return exactly(id_text(shop.stores[resource].keys[slot]))
    if column.family == "text":
        return exactly(shop.text_of(resource, slot, column_id))
    return _TYPED[column.family](code)


def filter_without_cell(shop: ShopModel, resource: Resource, slot: int, column_id: str, now: str = "") -> str:
    """The opposite: `!sold`, `!=Fish`, `!#1234`. What the column is filtered by `now` holds too, where both can be
    said in one."""
    typed = filter_by_cell(shop, resource, slot, column_id)
    if not typed:
        return ""
    short = typed[1:] if _is_enough(shop, resource, column_id, typed) else typed
    worded = family_of(shop, COLUMNS_BY_ID[resource][column_id]) in _WORDED
    if now.startswith("!") and (" " not in now or (worded and now.startswith("!="))):
        return f"{now}|{short}"  # neither
    # After a `=` in words all that follows belongs to it, so nothing can be added.
    return f"{now} !{short}".strip() if not worded or "=" not in now else f"!{short}"


_WORDED = frozenset[Family](("text", "link", "word"))


def _is_enough(shop: ShopModel, resource: Resource, column_id: str, typed: str) -> bool:
    """Whether the value alone, without `=`, says just this one."""
    if not typed.startswith("=") or typed == EMPTY:
        return False
    column = COLUMNS_BY_ID[resource][column_id]
    if column.choices == "complete" or family_of(shop, column) in ("number", "count"):
        return True
    if column_id != "status":
        return False
    there = set(map(fold, shop.statuses(resource)))
    word = fold(typed[1:])
    return word.isalpha() and not any(word in status and word != status for status in there)


def _category(shop: ShopModel, key: Key | None) -> str:
    if key is None:
        return EMPTY
    name = shop.name(Resource.CATEGORIES, key)
    return exactly(name) if name else f"#{id_text(key)}" if id_text(key) else ""


def _pet(shop: ShopModel, resource: Resource, slot: int) -> str:
    key: Key | None = shop.stores[resource].keys[slot]
    if resource is Resource.ORDERS:
        key = shop.linked(resource, slot)
    if key is None:
        return EMPTY
    if isinstance(key, (LocalId, ContentId)):
        return exactly(shop.name(Resource.PETS, key) or "")
    return f"#{key}"


def _word(code: Code) -> str:
    if isinstance(code, bool):
        return "=complete" if code else "=open"
    return exactly(code) if isinstance(code, str) and code else EMPTY


def _number(code: Code) -> str:
    return EMPTY if code is None else f"={code}"


def _day(code: Code) -> str:
    if code is None:
        return EMPTY
    return "" if code == NO_DAY else date.fromordinal(code).isoformat()


def _mark(code: Code) -> str:
    return "" if code is None or code == "sent" else "unsent" if code in ("unsent", "sending") else "attention"


_TYPED: Mapping[Family, Callable[[Code], str]] = {
    "word": _word,
    "number": _number,
    "count": _number,
    "date": _day,
    "mark": _mark,
}
