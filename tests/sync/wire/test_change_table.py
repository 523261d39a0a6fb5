"""Changes kept in columns: what comes out is what was put in, whatever else is kept."""

from __future__ import annotations

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from petstore_desktop.domain.changes import AddStock, Change, ChangeState, Create, Reason, SetFields, SetStock
from petstore_desktop.domain.records import INT64_MAX, INT64_MIN, LocalId, Ref, Resource
from petstore_desktop.sync.wire.change_table import ByRecord, ChangeStore

KEYS = st.sampled_from([1, 2, 7, INT64_MIN, INT64_MAX, LocalId("a"), LocalId("b")])
REFS = st.builds(Ref, st.sampled_from(list(Resource)), KEYS)
INTENTS = st.sampled_from([AddStock(1), SetStock(4), SetFields({"status": "sold"}), Create({"name": "Rex"})])
REASONS = st.sampled_from([None, Reason("moved", "", theirs={"quantity": 3})])
CHANGES = st.builds(
    Change,
    st.integers(1, 12),
    st.sampled_from(["one", "two"]),
    st.just(1.0),
    REFS,
    INTENTS,
    st.sampled_from([{}, {"quantity": 4}]),
    st.sampled_from(list(ChangeState)),
    st.sampled_from([1.0, 2.0]),
    REASONS,
    st.sampled_from([None, 9]),
)


@given(st.lists(st.one_of(CHANGES, st.integers(1, 12))))
def test_they_come_out_as_they_were_put_in_last_and_what_was_dropped_does_not(moves: list[Change | int]) -> None:
    kept, known = ChangeStore(), dict[int, Change]()
    for move in moves:
        if isinstance(move, int):
            kept.drop(move)
            known.pop(move, None)
            continue
        change = replace(move, ref=known[move.id].ref) if move.id in known else move  # which is never rewritten
        kept.put(change)
        known[change.id] = change
    in_order = [known[id_] for id_ in sorted(known)]
    assert list(kept) == in_order
    assert [id_ for id_, _ in kept.standing()] == sorted(known)
    assert len(kept) == len(known)
    assert [kept.get(id_) for id_ in range(14)] == [known.get(id_) for id_ in range(14)]
    assert [kept.ref(id_) for id_ in known] == [one.ref for one in known.values()]
    assert list(kept.where(lambda common: common.state.is_open)) == [one for one in in_order if one.state.is_open]


@given(st.lists(st.tuples(st.booleans(), REFS, st.integers(1, 12))))
def test_each_record_has_its_own_changes_in_the_order_of_acting(moves: list[tuple[bool, Ref, int]]) -> None:
    queues, known = ByRecord(), dict[Ref, set[int]]()
    for is_new, ref, id_ in moves:
        if is_new:
            queues.add(ref, id_)
            known.setdefault(ref, set()).add(id_)
        else:
            queues.remove(ref, id_)
            known.get(ref, set()).discard(id_)
    for ref, ids in known.items():
        assert list(queues.of(ref)) == sorted(ids)
        assert (ref in queues) is bool(ids)


def test_ten_thousand_changes_of_a_few_batches_take_fifty_bytes_each() -> None:
    kept, queues = ChangeStore(), ByRecord()
    intent, base = SetFields({"status": "sold"}), {"status": "available"}
    tracemalloc.start()
    try:
        for id_ in range(1, 10_001):
            ref = Ref(Resource.PETS, 10**9 + id_)
            kept.put(Change(id_, f"batch {id_ // 500}", id_ // 500, ref, intent, base, ChangeState.QUEUED, id_ // 500))
            queues.add(ref, id_)
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert used / 10_000 < 50
