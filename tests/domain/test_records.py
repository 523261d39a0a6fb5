from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from petstore_desktop.domain.changes import Change, ChangeState, SetFields
from petstore_desktop.domain.records import (
    INT64_MAX,
    INT64_MIN,
    MOST_ID,
    ContentId,
    Key,
    LocalId,
    Ref,
    Resource,
    id_of_text,
    key_from_text,
    key_to_text,
)
from petstore_desktop.sync.wire.change_table import ByRecord, ChangeStore

WORDS = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=MOST_ID)
KEYS = st.one_of(
    st.integers(INT64_MIN, INT64_MAX), WORDS, WORDS.map(LocalId), WORDS.map(ContentId), WORDS.map(lambda t: f"text:{t}")
)


@given(KEYS)
@example("local:12")
@example("content:12")
@example("text:")
@example("text:12")
@example("12:30")
@example("007")
@example(str(INT64_MAX + 1))
@example("Zoë’s 🐕")
def test_a_key_comes_back_from_its_text_and_no_two_have_the_same(key: Key) -> None:
    back = key_from_text(key_to_text(key))
    assert (back, type(back)) == (key, type(key))


@given(WORDS.filter(lambda text: text not in (".", "..")))
def test_the_text_of_an_id_is_a_number_only_where_this_is_how_it_is_written(text: str) -> None:
    found = id_of_text(text)
    assert str(found) == text


@given(st.integers(INT64_MIN, INT64_MAX))
def test_digits_of_an_int64_are_that_number(number: int) -> None:
    assert id_of_text(str(number)) == number


@pytest.mark.parametrize("text", ["", ".", "..", "a\nb", "\x7f", "\x85", "\ud800", "x" * (MOST_ID + 1)])
def test_what_could_lead_elsewhere_is_no_id(text: str) -> None:
    assert id_of_text(text) is None


def test_changes_of_records_with_texts_for_ids_are_kept_and_found() -> None:
    keys: tuple[Key, ...] = ("b", 7, "a", "7a", "b")
    changes = [
        Change(number, "batch", 1.0, Ref(Resource.PETS, key), SetFields({"name": "x"}), {}, ChangeState.QUEUED, 1.0)
        for number, key in enumerate(keys, 1)
    ]
    kept, by_record = ChangeStore(), ByRecord()
    for change in changes:
        kept.put(change)
        by_record.add(change.ref, change.id)
    assert list(kept) == changes
    assert list(by_record.of(Ref(Resource.PETS, "b"))) == [1, 5]
    by_record.remove(Ref(Resource.PETS, "b"), 1)
    assert list(by_record.of(Ref(Resource.PETS, "b"))) == [5]
    assert kept.drop(3)
    assert kept.ref(4) == Ref(Resource.PETS, "7a")
