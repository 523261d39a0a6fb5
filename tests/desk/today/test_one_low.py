"""What is low is one number, wherever it is asked: Today, the view, the filters, the report, the marks, the lists."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.jump.views import shipped_views
from petstore_desktop.desk.model.ripple import use_minimums
from petstore_desktop.desk.report.shop_now import look_at
from petstore_desktop.domain.changes import AddStock, SetFields
from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.records import InventoryItem, Key, Pet, Ref, Resource
from tests.desk.shopkit import Journal, new_desk, tell
from tests.desk.today.demo_desk import read_whole, stock_of

PETS, STOCK = Resource.PETS, Resource.INVENTORY
LOW = next(view for view in shipped_views(str) if view.id == "inventory.low")


def shown(desk: Desk, resource: Resource, filters: dict[str, str]) -> set[Key]:
    table = desk.tables[resource]
    table.open()
    table.set_filters("", filters)
    return set(table.keys())


def every_answer(desk: Desk) -> dict[str, set[Key]]:
    """Which entries are low, by who says it."""
    look = look_at(desk.shop, frozenset(Resource))
    while True:
        try:
            next(look)
        except StopIteration as end:
            now = end.value
            break
    entries = desk.tables[STOCK]
    everything = shown(desk, STOCK, {})
    said = {
        "view": shown(desk, STOCK, dict(LOW.filters)),
        "Today's link": shown(desk, STOCK, dict(stock_of(desk).low.filters)),
        "report": {row.pet for row in now.stock if row.low},
    }
    shown(desk, STOCK, {})
    marked = {key for key in everything if (stock := entries.cell_of(key, "stock").stock) is not None and stock.low}
    return {**said, "mark": marked}


def agree(desk: Desk) -> set[Key]:
    answers = every_answer(desk)
    first = answers["view"]
    assert all(found == first for found in answers.values()), answers
    assert stock_of(desk).low.n == len(first)
    assert sum(one.low for one in stock_of(desk).categories) == len(first)
    there = shown(desk, STOCK, {})
    assert shown(desk, PETS, {"stock": "low"}) == {key for key in first if key in desk.shop.stores[PETS]}
    for key in there:
        if desk.shop.is_sold(key):
            assert not desk.shop.to_order(key), "what is sold is not ordered"
    return first


def test_a_sold_pet_is_low_nowhere_and_is_not_ordered() -> None:
    desk = read_whole(new_desk())
    tell(desk, PETS, Pet(1, "Ant"), Pet(2, "Bat", status="sold"), Pet(3, "Cat"), Pet(4, "Dog", status="available"))
    tell(desk, PETS, Pet(5, "Elk", status="sold"))
    told = ((1, None), (2, None), (3, "sold"), (4, ""), (5, "available"))
    tell(desk, STOCK, *(InventoryItem(key, 1, status) for key, status in told))
    use_minimums(desk.shop, Minimums(dict.fromkeys((1, 2, 3, 4, 5), 5)))
    assert agree(desk) == {1, 4}
    assert {key: desk.shop.to_order(key) for key in (1, 2, 3, 4, 5)} == {1: 4, 2: 0, 3: 0, 4: 4, 5: 0}
    assert shown(desk, STOCK, {"to_order": ">0"}) == {1, 4}


ids = st.integers(1, 8)
statuses = st.sampled_from([None, "", "sold", "Adopted", "available", "sold soon"])
acts = st.one_of(
    st.tuples(st.just("pet"), st.builds(Pet, ids, st.just("a"), st.sampled_from([None, 1, 2]), statuses)),
    st.tuples(st.just("entry"), st.builds(InventoryItem, ids, st.integers(0, 4), statuses)),
    st.tuples(st.just("book"), st.tuples(ids, st.integers(-2, 2))),
    st.tuples(st.just("sell"), st.tuples(ids, st.sampled_from(["sold", "available"]))),
    st.tuples(st.just("wanted"), st.tuples(st.dictionaries(ids, st.integers(0, 4)), st.booleans())),
)


@given(st.lists(acts, min_size=3, max_size=16))
def test_whatever_happens_every_place_says_the_same(script: list[tuple[str, Any]]) -> None:
    desk = read_whole(new_desk())
    journal = Journal(desk)
    use_minimums(desk.shop, Minimums(dict.fromkeys(range(1, 5), 2), {1: 1}))
    filtered = desk.tables[STOCK]
    for kind, what in script:
        shown(desk, STOCK, {"stock": "low"})
        match kind:
            case "pet":
                tell(desk, PETS, what)
            case "entry":
                tell(desk, STOCK, what)
            case "book" if desk.shop.has_stock(what[0]):
                journal.act(Ref(STOCK, what[0]), AddStock(what[1]))
            case "sell" if what[0] in desk.shop.stores[PETS]:
                journal.act(Ref(PETS, what[0]), SetFields({"status": what[1]}))
            case "wanted":
                desk.set_minimums(Minimums(what[0], {1: 3} if what[1] else {}))
            case _:
                continue
        filtered.refresh()  # what was edited takes its place
        kept = set(filtered.keys())
        assert kept == agree(desk)
