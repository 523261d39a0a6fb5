"""Numbers that sort as texts do: the same for what sorts as equal, and in order with what comes and changes later."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.search import name_ranks
from petstore_desktop.desk.search.arrays import MISSING
from petstore_desktop.desk.search.name_ranks import NameRanks
from petstore_desktop.desk.values.collation import Collation
from tests.desk.shopkit import with_numbers
from tests.desk.values.test_collation import collator
from tests.support.patience import PATIENCE_S


@pytest.fixture(scope="module", autouse=True)
def fine() -> Iterator[None]:
    yield from with_numbers({name_ranks: {"_MADE": 3, "_BLOCK": 2, "_WIDEST": 8}})


LONG = ["koi 0001", "koi 00010", "KOI 0001", "koi", "koi 00010 b", "koi 00010 a"]
LONG += [
    "koi, white and red, the larger one",
    "koi, white and red, the larger one's",
    "koi, white and red, the Larger one",
]
LONG += ["koi, white and red, the larger onE, é", "koi, white and red, the larger one's"]
texts = st.one_of(
    st.text(st.sampled_from("aAbBcéÉ12 -z0"), max_size=5),
    st.sampled_from(LONG),
)
COLLATIONS: dict[str, Callable[[], Collation]] = {
    "folded": Collation,
    "en": lambda: Collation(collator("en_GB").sortKey),
    "cs": lambda: Collation(collator("cs_CZ").sortKey),
}


class Names:
    """The names of some rows."""

    def __init__(self, collation: Collation) -> None:
        self.texts: list[str] = []
        self.collation = collation
        self.ranks = NameRanks(
            lambda slots: [self.texts[slot] for slot in slots], lambda: len(self.texts), collation.keys
        )

    def check(self, until: int | None = None) -> None:
        ranks, key = self.ranks.values(until).tolist(), self.collation.key
        assert len(ranks) == len(self.texts) if until is None else len(ranks) >= until
        texts = self.texts[: len(ranks)]
        assert [rank == MISSING for rank in ranks] == [not text for text in texts]
        named = sorted((rank, text) for rank, text in zip(ranks, texts, strict=True) if text)
        for (low, one), (high, two) in pairwise(named):
            assert not key(two) < key(one)
            assert (low == high) is not (key(one) < key(two))


acts = st.one_of(
    st.tuples(st.just("come"), st.lists(texts, max_size=8)),
    st.tuples(st.just("change"), st.lists(st.tuples(st.integers(0, 20), texts), max_size=3)),
    st.tuples(st.just("steps"), st.integers(0, 6)),
    st.tuples(st.just("ask"), st.none()),
    st.tuples(st.just("ask of the first"), st.integers(0, 20)),
)


def two_steps_later(work: Callable[[], object], is_long: bool) -> Generator[None, None, object]:
    """Do the work as another thread would: what it was given has its time to become another."""
    yield
    yield
    return work()


@pytest.mark.parametrize("kind", list(COLLATIONS))
@given(script=st.lists(acts, max_size=8))
def test_ranks_are_in_order_however_the_texts_come_and_change(kind: str, script: list[tuple[str, Any]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(name_ranks, "in_background", two_steps_later)
        play(Names(COLLATIONS[kind]()), script)


def play(names: Names, script: list[tuple[str, Any]]) -> None:
    for act, what in script:
        if act == "come":
            names.texts += what
        elif act == "change":
            for slot, text in what:
                if slot < len(names.texts):
                    names.texts[slot] = text
                    names.ranks.invalidate([slot])
        elif act == "steps":
            for _, _step in zip(range(what), names.ranks.steps(), strict=False):
                pass
        elif act == "ask of the first":
            names.check(min(what, len(names.texts)))
        else:
            names.check()
    names.check()


def test_many_texts_between_two_that_are_known_do_not_run_out_of_numbers() -> None:
    names = Names(Collation())
    names.texts = [*(f"ant {number:05}" for number in range(20_000)), "koi 0", "koi 9"]
    names.check()
    for number in range(3_000):
        names.texts[number] = f"koi {number:05}"
        names.ranks.invalidate([number])
        if number % 100 == 0:
            names.ranks.values()
    names.check()


def test_whoever_asks_while_texts_are_sorted_goes_on_where_the_other_left_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(name_ranks, "_AT_ONCE", 10)
    sorts: list[int] = []
    sort = name_ranks._sorted_bytes
    monkeypatch.setattr(name_ranks, "_sorted_bytes", lambda *keys: (sorts.append(1), time.sleep(0.05), sort(*keys))[2])
    names = Names(Collation())
    names.texts = [f"koi {number:03}" for number in range(100)]
    first = names.ranks.steps()
    while not sorts:
        next(first)
    names.texts[7] = "ant"
    names.ranks.invalidate([7])
    next(names.ranks.steps())
    del first
    names.check()
    assert len(sorts) == 1


def test_rows_that_come_while_texts_are_sorted_are_not_among_these(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(name_ranks, "_AT_ONCE", 10)
    begun, more_came = threading.Event(), threading.Event()
    sort = name_ranks._sorted_bytes

    def slow(parts: Sequence[Any], known: Any) -> object:
        begun.set()
        more_came.wait(PATIENCE_S)
        return sort(parts, known)

    monkeypatch.setattr(name_ranks, "_sorted_bytes", slow)
    names = Names(Collation())
    names.texts = [f"koi {number:03}" for number in range(100)]
    first = names.ranks.steps()
    while not begun.is_set():
        next(first)
    names.texts += ["", *(f"ant {number:03}" for number in range(50))]
    next(names.ranks.steps())
    more_came.set()
    for _ in first:
        pass
    names.check()


def test_while_rows_are_added_each_text_is_made_into_a_key_few_times() -> None:
    """A list that arrives is sorted again and again, by the keys that are there; they go when it has arrived."""
    made = 0

    class Counted(Collation):
        def keys(self, texts: Sequence[str]) -> Any:
            nonlocal made
            made += len(texts)
            return super().keys(texts)

    names = Names(Counted())
    for number in range(0, 4_000, 100):
        names.texts += [f"{(37 * one) % 4_000:05}" for one in range(number, number + 100)]
        names.ranks.values()
    assert made < 2 * len(names.texts)
    names.check()
    names.texts += ["koi"] * 1_000
    made = 0
    names.check()
    assert made >= len(names.texts), "after a rest all are made anew: nothing is kept for it"
