"""Numbers that sort as texts do: the same for what sorts as equal, in order with what comes later, and as the collator
says."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QCollator, QLocale, Qt

from petstore_desktop.desk.table.sort_index import run_to_end
from petstore_desktop.desk.values.collation import MISSING, Collation, Ranks

texts = st.text(st.sampled_from("aAbBcéÉ12 -z0"), max_size=5)


def collator(locale: str) -> QCollator:
    made = QCollator(QLocale(locale))
    made.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    made.setNumericMode(True)
    return made


def sorts_as_ranked(ranks: Ranks, collation: Collation, some: list[str]) -> None:
    ordered = sorted(filter(None, some), key=ranks.of)
    for one, two in pairwise(ordered):
        assert not collation.key(two) < collation.key(one)
        assert (ranks.of(one) == ranks.of(two)) is not (collation.key(one) < collation.key(two))


@settings(max_examples=60)
@given(st.lists(st.tuples(st.booleans(), st.lists(texts, max_size=30)), max_size=5))
def test_numbers_keep_their_order_however_the_texts_come(waves: list[tuple[bool, list[str]]]) -> None:
    collation = Collation()
    ranks = Ranks(collation)
    met: list[str] = []
    for together, wave in waves:
        before = [ranks.of(text) for text in met]
        found = list(run_to_end(ranks.many(wave * 20))) if together else [ranks.of(text) for text in wave]
        assert found[: len(wave)] == [ranks.of(text) for text in wave]
        assert before == [ranks.of(text) for text in met]  # whoever keeps a number may go on with it
        met += wave
    sorts_as_ranked(ranks, collation, met)


def test_many_texts_between_two_that_are_known_keep_both_and_their_other_spellings() -> None:
    collation = Collation()
    ranks = Ranks(collation)
    low, high = ranks.of("koi 0"), ranks.of("koi 9")
    many = [f"koi {number:04}" for number in range(1000)] + ["KOI 9", "zebra", "ant"]
    numbers = dict(zip(many, run_to_end(ranks.many(many)), strict=True))
    assert (ranks.of("koi 0"), ranks.of("koi 9"), numbers["KOI 9"]) == (low, high, high)
    sorts_as_ranked(ranks, collation, [*many, "koi 0", "koi 9"])


@pytest.mark.parametrize("after", range(1, 9))
def test_a_number_given_out_while_many_texts_are_put_in_holds(after: int) -> None:
    collation = Collation()
    ranks = Ranks(collation)
    many = [f"koi {number:04}" for number in range(1000)]
    steps = ranks.many(many)
    for _ in range(after):
        next(steps)
    early = [ranks.of("koi 0500"), ranks.of("koi 0500 b")]
    run_to_end(steps)
    assert early == [ranks.of("koi 0500"), ranks.of("koi 0500 b")]
    sorts_as_ranked(ranks, collation, [*many, "koi 0500 b"])


def test_a_text_that_is_empty_is_missing() -> None:
    assert Ranks().of("") == MISSING


def test_names_that_come_in_order_do_not_run_out_of_numbers() -> None:
    ranks = Ranks()
    ranks.of("zebra")
    numbers = [ranks.of(f"koi {number:05}") for number in range(5000)]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("locale", ["en_GB", "sv_SE", "de_DE", "cs_CZ", "da_DK"])
def test_names_sort_as_the_collator_of_the_language_says(locale: str) -> None:
    judge = collator(locale)
    collation = Collation(judge.sortKey)
    letters = "aábcčdeéfghiíjklmnoöpqrřsštuüvwxyýzžåä"
    words = [one + two + end for one in "acehlosuåäöz" for two in letters for end in ("", "a", " 10", " 9", "-b")]
    words += [word.upper() for word in words[::7]]
    ordered = sorted(words, key=collation.key)
    # What differs in accents only is put in order by what comes after it.
    wrong = [(one, two) for one, two in pairwise(ordered) if judge.compare(one, two) > 0]
    assert [(one, two) for one, two in wrong if judge.compare(f"{one}a", f"{two}b") > 0] == []


def test_a_letter_with_a_stroke_sorts_with_the_one_without() -> None:
    collation = Collation(collator("en_GB").sortKey)
    assert sorted(["łb", "la", "lz", "m", "lc"], key=collation.key) == ["la", "łb", "lc", "lz", "m"]
