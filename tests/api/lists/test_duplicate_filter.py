from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.api.lists import duplicate_filter
from petstore_desktop.api.lists.duplicate_filter import IdSet
from petstore_desktop.domain.records import INT64_MAX, INT64_MIN


@given(st.lists(st.integers(INT64_MIN, INT64_MAX) | st.integers(-9, 9)))
def test_each_id_is_new_once(ids: list[int]) -> None:
    found, seen = IdSet(), set[int]()
    for id_ in ids:
        assert found.add(id_) == (id_ not in seen)
        seen.add(id_)
        assert len(found) == len(seen)


@given(st.lists(st.lists(st.integers(INT64_MIN, INT64_MAX) | st.integers(-9, 99)).map(lambda ids: sorted(set(ids)))))
def test_ids_above_all_others_are_added_at_once(pages: list[list[int]]) -> None:
    found, seen = IdSet(), set[int]()
    for ids in pages:
        is_above = bool(ids) and (not seen or ids[0] > max(seen))
        assert found.extend(ids) == is_above
        assert [found.add(id_) for id_ in ids] == [not is_above and id_ not in seen for id_ in ids]
        seen.update(ids)
        assert len(found) == len(seen)


def test_ids_in_any_order_are_known_again_in_many_pieces() -> None:
    ids = list(range(0, 10 * duplicate_filter.CHUNK, 3))
    for order in (ids, ids[::-1], random.Random(1).sample(ids, len(ids))):
        found = IdSet()
        assert all(found.add(id_) for id_ in order)
        assert not any(found.add(id_) for id_ in order)
        assert len(found) == len(ids)
        assert found.add(1)
