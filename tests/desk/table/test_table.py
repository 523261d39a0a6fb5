from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.values.collation import Collation
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, SetFields, SetStock
from petstore_desktop.domain.records import Category, InventoryItem, Key, LocalId, Order, Pet, Ref, Resource
from tests.desk.shopkit import Journal, Screen, filter_column, new_desk, small_shop, tell

PETS = Resource.PETS


class NaiveShop:
    """What the pets' table must show, said in the plainest way."""

    def __init__(self) -> None:
        self.records: dict[Resource, dict[int, Any]] = {resource: {} for resource in Resource}
        self.history: list[tuple[str, bool]] = [("name", False)]
        self.words: list[str] = []

    def put(self, resource: Resource, record: Any) -> None:
        key = record.pet_id if isinstance(record, InventoryItem) else record.id
        self.records[resource][key] = record

    def category(self, pet: Pet) -> str | None:
        category = self.records[Resource.CATEGORIES].get(pet.category_id)
        return category.name.lower() if category and category.name else None

    def stock(self, pet: Pet) -> int | None:
        entry = self.records[Resource.INVENTORY].get(pet.id)
        return entry.quantity if entry else None

    def orders(self, pet: Pet) -> int | None:
        return sum(order.pet_id == pet.id for order in self.records[Resource.ORDERS].values()) or None

    def text(self, pet: Pet) -> str:
        category = self.category(pet) or ("" if pet.category_id is None else str(pet.category_id))
        shown = (pet.id, pet.name.lower(), category, pet.status, self.stock(pet), self.orders(pet))
        return "\n".join("" if value is None else str(value) for value in shown)

    def keys(self) -> list[int]:
        values: dict[str, Callable[[Pet], Any]] = {
            "id": lambda pet: pet.id,
            "name": lambda pet: pet.name.lower() or None,
            "category": self.category,
            "status": lambda pet: pet.status,
            "stock": self.stock,
            "orders": self.orders,
        }
        pets = sorted(self.records[PETS].values(), key=lambda pet: pet.id)
        for column, descending in reversed(self.history):
            value = values[column]
            there = [pet for pet in pets if value(pet) is not None]
            missing = [pet for pet in pets if value(pet) is None]
            pets = sorted(there, key=value, reverse=descending) + missing
        return [pet.id for pet in pets if all(word in self.text(pet) for word in self.words)]


ids = st.integers(1, 12)
names = st.sampled_from(["koi", "Koi", "ant", "bat", "cat fish", ""])
records = st.one_of(
    st.tuples(
        st.just(PETS), st.builds(Pet, ids, names, st.sampled_from([None, 1, 2, 3]), st.sampled_from([None, "sold"]))
    ),
    st.tuples(st.just(Resource.CATEGORIES), st.builds(Category, st.integers(1, 3), names)),
    st.tuples(st.just(Resource.INVENTORY), st.builds(InventoryItem, ids, st.integers(0, 3))),
    st.tuples(st.just(Resource.ORDERS), st.builds(Order, ids, st.one_of(st.none(), ids))),
)
columns = st.sampled_from(["id", "name", "category", "status", "stock", "orders"])
steps = st.one_of(
    st.tuples(st.just("put"), st.lists(records, min_size=1, max_size=12)),
    st.tuples(st.just("remove"), st.tuples(st.sampled_from(list(Resource)), st.sets(ids, max_size=6))),
    st.tuples(st.just("sort"), st.tuples(columns, st.booleans())),
    st.tuples(st.just("filter"), st.sampled_from(["", "koi", "a", "sold", "1", "fish cat"])),
)


def do(step: tuple[str, Any], desk: Desk, naive: NaiveShop) -> None:
    kind, what = step
    if kind == "put":
        for resource in Resource:
            here = [record for of, record in what if of is resource]
            if here:
                tell(desk, resource, *here)
            for record in here:
                naive.put(resource, record)
    elif kind == "remove":
        resource, keys = what
        tell(desk, resource, removed=tuple(keys))
        for key in keys:
            naive.records[resource].pop(key, None)
    elif kind == "sort":
        desk.tables[PETS].sort_by(*what)
        naive.history = [what, *(pair for pair in naive.history if pair[0] != what[0])]
    else:
        desk.tables[PETS].set_filter(what)
        naive.words = what.split()


@given(st.lists(steps, max_size=14))
def test_a_table_shows_what_a_plain_sort_and_filter_would_show(script: list[tuple[str, Any]]) -> None:
    desk, naive = new_desk(), NaiveShop()
    for table in desk.tables.values():
        table.open()
    screens = [Screen(table) for table in desk.tables.values()]
    pets = desk.tables[PETS]
    for step in script:
        do(step, desk, naive)
        assert pets.keys() == naive.keys()
        for screen in screens:
            assert screen.keys == screen.table.keys()
            assert [screen.table.position(key) for key in screen.keys] == list(range(len(screen.keys)))
        assert pets.total == len(naive.records[PETS])


@given(st.lists(steps, max_size=8), st.lists(st.tuples(ids, names), min_size=1, max_size=6))
def test_edited_rows_keep_their_place_and_the_refresh_puts_them_right(
    script: list[tuple[str, Any]], edits: list[tuple[int, str]]
) -> None:
    desk, naive = new_desk(), NaiveShop()
    pets = desk.tables[PETS]
    pets.open()
    screen, journal = Screen(pets), Journal(desk)
    for step in script:
        do(step, desk, naive)
    before = pets.keys()
    for key, name in edits:
        if key in naive.records[PETS]:
            journal.act(Ref(PETS, key), SetFields({"name": name}))
            old = naive.records[PETS][key]
            naive.put(PETS, Pet(key, name, old.category_id, old.status))
    # a row may come in because it fits now; of those that were there none moves
    assert [key for key in screen.keys if key in before] == before
    pets.refresh()
    assert screen.keys == pets.keys() == naive.keys()


def test_many_scattered_rows_come_in_one_insertion_and_one_new_order() -> None:
    desk = new_desk()
    tell(desk, PETS, *(Pet(number, f"{number:04}") for number in range(0, 400, 2)))
    table = desk.tables[PETS]
    table.open()
    screen = Screen(table)
    tell(desk, PETS, *(Pet(number, f"{number:04}") for number in range(1, 400, 2)))
    assert screen.inserted == [(200, 399)]
    assert screen.keys == list(range(400))
    assert screen.resets == 0


def test_a_table_that_nobody_opened_shows_nothing_and_costs_nothing() -> None:
    desk = small_shop()
    assert desk.tables[PETS].row_count == 0
    desk.tables[PETS].open()
    assert desk.tables[PETS].keys() == [940, 1129, 1234]


def test_a_second_sort_column_decides_within_the_first() -> None:
    desk = new_desk()
    tell(desk, PETS, Pet(1, "b", status="sold"), Pet(2, "a", status="sold"), Pet(3, "c", status="available"))
    table = desk.tables[PETS]
    table.open()
    table.sort_by("status")
    table.sort_by("name", descending=True, add=True)
    assert table.sort == (("status", False), ("name", True))
    assert table.keys() == [3, 1, 2]


def test_an_edited_row_that_no_longer_fits_stays_greyed_until_the_refresh() -> None:
    desk = small_shop()
    table = desk.tables[PETS]
    table.open()
    table.set_filter("pending")
    screen, journal = Screen(table), Journal(desk)
    change = journal.act(Ref(PETS, 940), SetFields({"status": "sold"}))
    assert screen.keys == [940]
    assert table.cell(0, 2).row_muted
    journal.move(change, ChangeState.DONE)
    tell(desk, PETS, Pet(940, "Clownfish", 1, "sold"))
    assert table.cell(0, 2).row_muted
    table.refresh()
    assert screen.keys == []


def test_taking_the_edit_back_ends_the_grey() -> None:
    desk = small_shop()
    table = desk.tables[PETS]
    table.open()
    table.set_filter("pending")
    journal = Journal(desk)
    journal.move(journal.act(Ref(PETS, 940), SetFields({"status": "sold"})), ChangeState.DISCARDED)
    assert table.keys() == [940]
    assert not table.cell(0, 2).row_muted


def test_a_row_that_was_not_on_the_screen_is_not_shown_because_it_was_edited() -> None:
    desk = small_shop()
    table, journal = desk.tables[PETS], Journal(desk)
    table.open()
    change = journal.act(Ref(Resource.INVENTORY, 1234), AddStock(5))
    filter_column(table, "stock", "<10")
    for state in (ChangeState.SENDING, ChangeState.DONE):
        journal.move(change, state)
        assert table.keys() == []
    journal.act(Ref(Resource.INVENTORY, 940), AddStock(5))
    assert table.keys() == []
    journal.act(Ref(Resource.INVENTORY, 940), SetStock(3))
    assert table.keys() == [940]


def test_what_an_act_from_before_the_filter_comes_to_keeps_no_row() -> None:
    desk = small_shop()
    table, journal = desk.tables[PETS], Journal(desk)
    table.open()
    change = journal.act(Ref(PETS, 940), SetFields({"status": "sold"}))
    filter_column(table, "gutter", "unsent")
    assert table.keys() == [940]
    journal.move(change, ChangeState.SENDING)
    journal.move(change, ChangeState.DONE)
    assert table.keys() == []


def test_a_new_record_is_shown_at_once_although_the_filter_would_hide_it() -> None:
    desk = small_shop()
    table = desk.tables[PETS]
    table.open()
    table.set_filter("koi")
    Journal(desk).act(Ref(PETS, LocalId("x")), Create({"name": "Axolotl", "category_id": 1}))
    assert table.keys() == [LocalId("x"), 1234]
    assert table.cell(0, 2).row_muted


def test_a_changed_row_is_painted_alone() -> None:
    desk = small_shop()
    table = desk.tables[PETS]
    table.open()
    screen = Screen(table)
    Journal(desk).act(Ref(Resource.INVENTORY, 1234), AddStock(12))
    assert screen.painted == [(2, 2)]


def test_a_refresh_while_an_editor_is_open_neither_moves_nor_removes_its_row() -> None:
    desk = small_shop()
    table = desk.tables[PETS]
    table.open()
    screen = Screen(table)
    desk.begin_edit(Ref(PETS, 940))
    tell(desk, PETS, Pet(940, "Zebra fish", 1, "pending"))
    assert screen.keys == [940, 1129, 1234]
    tell(desk, PETS, removed=(940, 1129))
    assert screen.keys == [940, 1234]
    desk.end_edit()
    assert screen.keys == [1234]


def test_a_row_that_came_back_while_its_editor_was_open_stays() -> None:
    desk = small_shop()
    desk.tables[PETS].open()
    desk.begin_edit(Ref(PETS, 940))
    tell(desk, PETS, removed=(940,))
    tell(desk, PETS, Pet(940, "Clownfish", 1, "pending"))
    desk.end_edit()
    assert desk.tables[PETS].position(940) >= 0


def test_idle_time_is_used_in_portions_and_comes_to_an_end() -> None:
    desk = new_desk()
    tell(desk, PETS, *(Pet(number, f"pet {number}") for number in range(1, 2000)))
    desk.tables[PETS].open()
    assert desk.idle(0.0)
    portions = 1
    while desk.idle(0.0):
        portions += 1
    assert portions > 2
    assert not desk.idle(1.0)


def test_names_sort_by_the_collation_that_was_handed_in() -> None:
    desk = new_desk()

    class Backwards:
        """A key that knows only `<`, as a collator's."""

        def __init__(self, text: str) -> None:
            self.text = text.lower()

        def __lt__(self, other: Backwards) -> bool:
            return other.text < self.text

    desk.shop.collation = Collation(Backwards)
    table = desk.tables[PETS]
    table.open()
    tell(desk, PETS, Pet(3, "a"), Pet(2, "b"))
    tell(desk, PETS, Pet(4, "A"), Pet(1, "a"), Pet(5, "c"))
    assert table.keys() == [5, 2, 1, 3, 4]


def test_ids_of_nineteen_digits_sort_by_value_and_show_whole() -> None:
    desk = new_desk()
    big = 2**63 - 1
    tell(desk, PETS, Pet(big, "b"), Pet(big - 1, "a"), Pet(2, "c"))
    table = desk.tables[PETS]
    table.open()
    table.sort_by("id", descending=True)
    keys: list[Key] = [big, big - 1, 2]
    assert table.keys() == keys
    assert table.cell(0, 1).number == big
    table.set_filter(f"#{big}")
    assert table.keys() == [big]
