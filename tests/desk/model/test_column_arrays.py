from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.model.column_arrays import Keys, Numbers, Plain, Texts, WordCodes
from petstore_desktop.domain.records import ContentId, LocalId

EDGES = [0, 1, 2**63 - 1, 2**63, -(2**63), -(2**63) + 1, -(2**70)]
ODD = [None, True, False, "", "sold", LocalId("a"), ContentId("b")]
MOVE_IN = Texts._move_in
numbers = st.one_of(st.integers(-300, 300), st.integers(-300, 300), st.sampled_from([*EDGES, *ODD]))
words = st.one_of(st.sampled_from(["available", "pending", "sold", None, True, False]), st.text(max_size=2), numbers)
texts = st.lists(st.one_of(st.none(), st.text(max_size=3), st.sampled_from(["x" * 64, "x" * 65])))
steps = st.lists(st.one_of(st.lists(st.integers(-300, 300)), texts, st.lists(words)), max_size=6)


def same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other


def check(column: Any, plain: list[Any]) -> None:
    assert len(column) == len(plain)
    for read in (list(column), column[:], column.many(range(len(plain))), [column[n] for n in range(len(plain))]):
        assert list(map(type, read)) == list(map(type, plain))
        assert read == plain
    if isinstance(column, WordCodes):
        assert {(type(one), one) for one in column.different()} == {(type(one), one) for one in set(plain)}
    places = list(range(len(plain)))[::-2]
    assert column.many(places) == [plain[place] for place in places]
    assert column[1:-1] == plain[1:-1]
    if plain:
        assert same(column[-1], plain[-1])


@pytest.mark.parametrize("kind", [Numbers, Keys, WordCodes, Plain, Texts])
@given(begun=st.lists(numbers, max_size=5), told=steps, data=st.data())
def test_a_packed_column_holds_what_a_list_would_hold(
    kind: Any, begun: list[Any], told: list[list[Any]], data: st.DataObject
) -> None:
    column, plain = kind(begun), list(begun)
    for number, values in enumerate(told):
        if number % 2:
            for value in values:
                column.append(value)
        else:
            column.extend(values)
        plain += values
        if plain:
            place = data.draw(st.integers(-len(plain), len(plain) - 1))
            column[place] = plain[place] = data.draw(words)
        check(column, plain)


def test_texts_that_were_set_go_into_the_block_beside_what_is_no_text() -> None:
    plain: list[Any] = [None if n % 7 == 0 else n if n % 5 == 0 else f"Käfer {n}" for n in range(9_000)]
    column, chance = Texts(plain), Random(1)
    for n in range(12_000):
        place = chance.randrange(len(plain))
        column[place] = plain[place] = chance.choice([None, "", f"new {n}", n, 1.5])
    check(column, plain)


def test_a_column_of_numbers_that_should_be_texts_is_not_made_anew_with_each_one_that_is_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A service whose names are numbers: with 50,000 of them each change took 30 ms."""
    column, made = Texts(range(9_000)), []
    monkeypatch.setattr(Texts, "_move_in", lambda one: (made.append(1), MOVE_IN(one)))
    for place in range(2_000):
        column[place] = place + 0.5
    assert len(made) == 1
    assert column[:2] == [0.5, 1.5]


def test_yes_and_one_that_come_together_are_kept_apart() -> None:
    check(WordCodes([True, 1, False, 0]), [True, 1, False, 0])


@pytest.mark.parametrize("different", [300, 2_000])
def test_many_different_words_are_all_kept(different: int) -> None:
    plain: list[Any] = [f"word {n % different}" for n in range(3_000)]
    column = WordCodes(plain)
    column.append(None)
    check(column, [*plain, None])


def test_a_hundred_numbers_are_kept_in_eight_bytes_each() -> None:
    column = Numbers(range(100))
    assert column.numbers.itemsize * len(column.numbers) == 800
    assert not column.others
