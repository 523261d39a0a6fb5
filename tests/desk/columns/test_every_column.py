"""Whatever a column is made of changes: the list is sorted, filtered, summed and exported by what its cells show then.

The same is asked of a column that nobody has thought of yet, so that adding one takes a line in `columns` alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from petstore_desktop.desk.columns import columns as all_columns
from petstore_desktop.desk.columns.column import Column, number_column, rank
from petstore_desktop.desk.columns.columns import COLUMNS, COLUMNS_BY_ID, DEFAULT_SORT
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.filters.cell_filters import filter_by_cell
from petstore_desktop.desk.filters.column_filters import code_of, family_of, value_of, vocabulary_of
from petstore_desktop.desk.model.ripple import FACTS
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.table.exporting import listed, parts
from petstore_desktop.desk.table.sums import sum_up
from petstore_desktop.desk.values.collation import tie
from petstore_desktop.desk.values.expressions import Expression, parse
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.changes import AddStock, Change, ChangeState, SetFields
from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.records import FIELD_SPECS, Key, Ref, Resource
from petstore_desktop.exchange.records_table import COLUMNS as RECORD_COLUMNS
from tests.desk import shopkit
from tests.desk.shopkit import Journal, small_shop

PETS, CATEGORIES, ORDERS, STOCK = Resource.PETS, Resource.CATEGORIES, Resource.ORDERS, Resource.INVENTORY


def worth(shop: ShopModel, slot: int) -> int | None:
    """Stock by what it is ordered up to: of no use to anybody, and made of what two people and the service say."""
    pet = shop.stores[STOCK].keys[slot]
    stock, up_to = shop.stock(pet), shop.up_to(pet)
    return None if stock is None or stock.result is None or up_to is None else stock.result * up_to


def coins(_shop: ShopModel, number: int | None) -> str:
    return "" if number is None else f"{number} coins"


WORTH = number_column("worth", worth, rests_on=("quantity", "levels"), words=coins, summed=True, exported=True)
EVERY = [
    *((resource, column) for resource, columns in COLUMNS.items() for column in columns if column.kind != "gutter"),
    (STOCK, WORTH),
]


@pytest.fixture(scope="module", autouse=True)
def one_more() -> Iterator[None]:
    """The column is added where columns stand, and nowhere else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(COLUMNS, STOCK, (*all_columns.STOCK_COLUMNS, WORTH))
        patch.setitem(COLUMNS_BY_ID[STOCK], "worth", WORTH)
        yield


NAMES, STATUSES = ("Koi", "koi", "Zebra", "Adder", "", "é"), ("available", "pending", "sold")
ANIMALS, KINDS = (1234, 940, 1129), (1, 2, 41)
DATES = (None, "soon", "2025-11-01", "2025-11-10", "2025-11-18T09:00:00Z", "2025-12-01")
FIELDS: dict[Resource, dict[str, tuple[Any, ...]]] = {
    PETS: {"name": NAMES, "category_id": KINDS, "status": STATUSES},
    CATEGORIES: {"name": NAMES, "description": NAMES},
    STOCK: {"quantity": tuple(range(40)), "status": STATUSES},
    ORDERS: {
        "pet_id": ANIMALS,
        "quantity": tuple(range(40)),
        "ship_date": DATES,
        "complete": (False, True),
        "status": ("placed", "approved", "delivered"),
    },
}


def told(desk: Desk, draw: Random) -> list[tuple[Resource | None, str, Key]]:
    """Each field of each record, and minimums (None) a few times, in any order: what a column shows is among them."""
    told: list[tuple[Resource | None, str, Key]] = [(None, "", 0)] * 4
    for resource, fields in FIELDS.items():
        told += [(resource, name, key) for name in fields for key in desk.shop.stores[resource].keys]
    draw.shuffle(told)
    return told


def tell(desk: Desk, draw: Random, resource: Resource | None, name: str, key: Key) -> None:
    """The service tells of a record of which this field is another now, or minimums are set."""
    pick = draw.choice
    if resource is not None:
        store = desk.shop.stores[resource]
        record = store.record(key)
        assert record is not None
        others = [value for value in FIELDS[resource][name] if value != getattr(record, name)]
        shopkit.tell(desk, resource, replace(record, **{name: pick(others)}))
    elif draw.random() < 0.5:
        levels = {pick(ANIMALS): draw.randint(0, 40), pick(ANIMALS): draw.randint(0, 40)}
        desk.set_minimums(Minimums(levels, {}, {key: 2 * one for key, one in levels.items()}))
    else:
        desk.set_minimums(Minimums({}, {pick(KINDS): draw.randint(0, 40)}, {}, {pick(KINDS): draw.randint(0, 80)}))


def act_somehow(journal: Journal, draw: Random) -> Change:
    """A person edits something."""
    pick = draw.choice
    ref, intent = pick(
        (
            (Ref(PETS, pick(ANIMALS)), SetFields({"name": pick(NAMES)})),
            (Ref(PETS, pick(ANIMALS)), SetFields({"category_id": pick(KINDS)})),
            (Ref(PETS, pick(ANIMALS)), SetFields({"status": pick(STATUSES)})),
            (Ref(CATEGORIES, pick(KINDS)), SetFields({"name": pick(NAMES)})),
            (Ref(STOCK, 1234), AddStock(draw.randint(1, 9))),
            (Ref(ORDERS, 1), SetFields({"complete": draw.random() < 0.5})),
            (Ref(ORDERS, 1), SetFields({"ship_date": pick(DATES)})),
        )
    )
    return journal.act(ref, intent)


def test_a_column_rests_on_fields_of_its_rows_and_on_facts_that_are_told() -> None:
    for resource, column in EVERY:
        assert set(column.rests_on) <= {spec.name for spec in FIELD_SPECS[resource]} | FACTS, column.id


ROUNDS = 3


@pytest.mark.parametrize(("resource", "column"), EVERY, ids=[f"{one}-{column.id}" for one, column in EVERY])
def test_order_filter_sum_and_export_follow_what_the_cells_show(resource: Resource, column: Column) -> None:
    desk, draw = small_shop(), Random(f"{resource} {column.id}")
    journal, acts = Journal(desk), list[Change]()
    table, shop, store = desk.tables[resource], desk.shop, desk.shop.stores[resource]
    tell(desk, draw, ORDERS, "status", 1)  # else their column is not there
    table.open()
    table.sort_by(column.id)
    desk.set_minimums(Minimums({1234: 30, 940: 20}, {}, {1234: 35, 940: 40}))
    for about, name, key in (one for _ in range(ROUNDS) for one in told(desk, draw)):
        table.set_filters("", {})
        if acts and draw.random() < 0.2:
            journal.move(acts.pop(), ChangeState.DISCARDED)
            table.sort_by(column.id)  # rows that were edited keep their places until then
        elif draw.random() < 0.2:
            acts.append(act_somehow(journal, draw))
            table.sort_by(column.id)
        tell(desk, draw, about, name, key)
        assert table.keys() == in_order(desk, resource)
        slot = draw.choice(list(store.slots())) if about is not resource else store.slot(key)
        assert slot is not None
        text = filter_by_cell(shop, resource, slot, column.id)
        table.set_filters("", {column.id: text} if text else {})
        found = parse(text, family_of(shop, column), vocabulary_of(shop, resource, column.id))
        assert isinstance(found, Expression)
        fitting = {
            store.keys[slot]
            for slot in store.slots()
            if found.fits(value_of(shop, column, code_of(shop, column, slot)), lambda _word: False)
        }
        assert set(table.keys()) == fitting, text
        table.set_filters("", {})
        words = [] if column.text is None else re.findall(r"\w+", column.text(shop, slot))
        for word in words[-1:]:
            table.set_filter(word)
            assert {store.keys[slot] for slot in store.slots() if is_found(shop, resource, slot, word)} == set(
                table.keys()
            )
            table.set_filter("")
        if column.summed:
            rows = [(0, table.row_count - 1)]
            sums = next(one for one in sum_up(shop, table, {column.id: rows}, ()) if one is not None)
            assert sums.columns[column.id].total == sum(
                code_of(shop, column, one) or 0 for one in slots_of(table, shop)
            )
        if column.exported:
            names = [*(one.name for one in RECORD_COLUMNS[resource]), *dict(listed(resource))]
            keys = table.keys()
            made = [dict(zip(names, row, strict=True)) for _, some in parts(shop, table, keys) for row in some]
            shown = [table.cell_of(key, column.id).text.removeprefix("?") for key in keys]  # a category that is gone
            assert [as_text(column, row[column.id]) for row in made] == shown


def is_found(shop: ShopModel, resource: Resource, slot: int, word: str) -> bool:
    """Whether the filter of the list is to find a row by this word."""
    texts = [column.text(shop, slot) for column in COLUMNS[resource] if column.text is not None]
    return fold(word) in fold("\n".join(texts))


def as_text(column: Column, value: object) -> str:
    """A value of a file as the cell shows it: a dash stands for what is not there, and for none of many."""
    return "" if value is None or (column.family == "count" and value == 0) else str(value)


def slots_of(table: Any, shop: ShopModel) -> list[int]:
    return [slot for slot in map(shop.stores[table.resource].slot, table.keys()) if slot is not None]


def in_order(desk: Desk, resource: Resource) -> list[Key]:
    """The rows that the table shows, sorted one by one by what it is sorted by, then as it was at first."""
    table, store = desk.tables[resource], desk.shop.stores[resource]
    slots = sorted(slots_of(table, desk.shop), key=lambda slot: tie(store.keys[slot]))
    for name, descending in reversed((*table.sort, DEFAULT_SORT[resource])):
        assert not descending
        ranks = {slot: rank(COLUMNS_BY_ID[resource][name], desk.shop, slot) for slot in slots}
        there = sorted((slot for slot in slots if ranks[slot] is not None), key=ranks.__getitem__)
        slots = [*there, *(slot for slot in slots if ranks[slot] is None)]
    return [store.keys[slot] for slot in slots]
