from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from petstore_desktop.desk.model.row_store import RowStore
from petstore_desktop.domain.records import InventoryItem, Key, LocalId, Resource, RowBlock
from tests.desk.shopkit import row

keys = st.integers(1, 40)


class StoreRun(RuleBasedStateMachine):
    """The store beside a plain dictionary: rows come in every way there is, and go."""

    def __init__(self) -> None:
        super().__init__()
        self.store = RowStore(Resource.INVENTORY)
        self.plain: dict[Key, int] = {}
        self.last = 40

    @rule(told=st.dictionaries(keys, st.integers(0, 9)), rising=st.booleans())
    def tell(self, told: dict[int, int], rising: bool) -> None:
        rows = [row(InventoryItem(key, told[key])) for key in (sorted(told) if rising else told)]
        merge = self.store.upsert(rows)
        assert {self.store.keys[slot] for slot in merge.added} == told.keys() - self.plain.keys()
        self.plain |= told

    @rule(told=st.dictionaries(keys, st.integers(0, 9)))
    def read(self, told: dict[int, int]) -> None:
        self._extend(sorted(told.items()))

    @rule(count=st.integers(1, 30))
    def read_on(self, count: int) -> None:
        self._extend([(self.last + place, place) for place in range(1, count + 1)])
        self.last += count

    def _extend(self, pairs: list[tuple[int, int]]) -> None:
        told: list[Key] = [key for key, _ in pairs]
        columns = {"quantity": [value for _, value in pairs], "status": ["sold" for _ in pairs]}
        self.store.extend(RowBlock(Resource.INVENTORY, told, columns, [1.0] * len(told), {}))
        self.plain |= dict(pairs)

    @rule(gone=st.sets(keys), further=st.integers(0, 20))
    def remove(self, gone: set[int], further: int) -> None:
        wanted = [*gone, *range(self.last - further, self.last + 1)]
        slots = self.store.remove(wanted)
        assert {self.store.keys[slot] for slot in slots} == {key for key in wanted if key in self.plain}
        for key in wanted:
            self.plain.pop(key, None)

    @rule()
    def make(self) -> None:
        local = LocalId(f"{len(self.plain)}")
        self.store.put_local(local, {"quantity": 7})
        self.plain[local] = 7

    @precondition(lambda self: any(isinstance(key, LocalId) for key in self.plain))
    @rule(data=st.data())
    def number(self, data: st.DataObject) -> None:
        local = next(key for key in self.plain if isinstance(key, LocalId))
        new = data.draw(st.one_of(keys, st.just(self.last + 1)))
        slot, before = self.store.slot(local), self.store.slot(new)
        value = self.plain.pop(local)
        assert self.store.rename(local, new) == ([] if before is None else [before])
        assert self.store.slot(new) == slot
        self.plain.setdefault(new, value)
        self.last = max(self.last, new)

    @invariant()
    def holds_the_same(self) -> None:
        store = self.store
        slots = list(store.slots())
        assert len(slots) == len(set(slots)) == len(store) == len(self.plain)
        assert {store.keys[slot]: store.columns["quantity"][slot] for slot in slots} == self.plain
        assert [slot for slot in range(store.capacity) if store.is_used(slot)] == sorted(slots)
        asked: list[Key] = [*self.plain, *range(self.last + 2), LocalId("none")]
        for wanted in (asked, sorted(key for key in asked if isinstance(key, int))):
            assert store.values_of(wanted, "quantity") == [self.plain.get(key) for key in wanted]
            assert [store.value(key, "quantity") for key in wanted] == [self.plain.get(key) for key in wanted]
            assert [key in store for key in wanted] == [key in self.plain for key in wanted]


TestTheStoreFindsEachRow = StoreRun.TestCase
TestTheStoreFindsEachRow.settings = settings(max_examples=40, stateful_step_count=20)


def test_most_rows_of_a_list_may_go() -> None:
    store = RowStore(Resource.INVENTORY)
    store.upsert([row(InventoryItem(key, key)) for key in range(5_000)])
    store.remove(range(1, 4_000))
    store.upsert([row(InventoryItem(key, 1)) for key in range(10_000, 10_500)])
    assert store.capacity == 5_000
    assert sorted(store.keys[slot] for slot in store.slots()) == [0, *range(4_000, 5_000), *range(10_000, 10_500)]
