"""Keys that sort as texts do in a language, as the collator says."""

from __future__ import annotations

import string
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QCollator, QLocale, Qt

from petstore_desktop.desk.values.collation import Collation, collated

texts = st.text(st.sampled_from("aAbBcéÉ12 -z0"), max_size=5)


def collator(locale: str) -> QCollator:
    made = QCollator(QLocale(locale))
    made.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    made.setNumericMode(True)
    return made


@given(st.lists(st.lists(texts, max_size=30)))
def test_keys_of_many_texts_sort_as_the_key_of_each(waves: list[list[str]]) -> None:
    for collation in (Collation(), Collation(collator("en_GB").sortKey), Collation(collator("cs_CZ").sortKey)):
        known: list[tuple[str, Any]] = []
        for wave in waves:
            known += zip(wave, collation.keys(wave), strict=True)
        for (one, first), (two, second) in pairwise(known):
            assert (first < second) is (collation.key(one) < collation.key(two))


def test_places_of_a_few_texts_are_those_of_their_order() -> None:
    assert collated(Collation(), ["koi", "", "Ant", "KOI", "bat"], -9) == [3, -9, 1, 3, 2]


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


LETTERS = string.ascii_lowercase
OTHERS = [sign for sign in map(chr, range(128)) if not sign.isalnum()]


@st.composite
def odd_collators(draw: st.DrawFn) -> Callable[[str], Any]:
    """The sort keys of a collator that takes any signs for equal, ignores any, or none, and knows no capitals."""
    weights = dict(
        zip(OTHERS, draw(st.lists(st.integers(0, 99), min_size=len(OTHERS), max_size=len(OTHERS))), strict=True)
    )
    weights |= {sign: 200 + number for number, sign in enumerate(string.digits + LETTERS)}
    if draw(st.booleans()):
        weights |= {sign: 100 + number for number, sign in enumerate(draw(st.permutations(OTHERS)))}
    return lambda text: [weight for sign in text.lower() if (weight := weights[sign])]


@given(odd_collators(), st.lists(st.text(st.characters(max_codepoint=127), max_size=6), max_size=30))
def test_ascii_texts_sort_as_any_collator_says(sort_key: Callable[[str], Any], texts: list[str]) -> None:
    collation = Collation(sort_key)
    pairs = list(zip(texts, collation.keys(texts), strict=True))
    for (one, first), (two, second) in pairwise(pairs):
        assert (first < second) is (collation.key(one) < collation.key(two)) is (sort_key(one) < sort_key(two))


def test_hyphens_in_words_are_passed_over_where_the_collator_passes_them_over() -> None:
    """As Windows does, whose collator takes a hyphen that stands alone for a sign as others."""
    words = ["a-b", "aa 9", "ab", "co-op", "cook", "coop 2", "-", " ", "a"]

    def sort_key(text: str) -> list[str]:
        return [text.lower().replace("-", ""), text.lower()]

    collation = Collation(sort_key)
    ordered = sorted(words, key=collation.key)
    assert ordered.index("aa 9") < ordered.index("a-b")
    assert ordered.index("cook") < ordered.index("co-op") < ordered.index("coop 2")
    assert collation.keys(words) == [collation.key(word).encode() for word in words]


def test_a_letter_of_another_script_sorts_behind_all_signs_of_a_collator_that_ignores_none() -> None:
    order = [*OTHERS, *string.digits, *LETTERS]
    collation = Collation(lambda text: [order.index(sign) if sign in order else 200 for sign in text.lower()])
    assert sorted(["ж", "~", "z", "\x01", "a"], key=collation.key) == ["\x01", "~", "a", "z", "ж"]
    assert sorted(collation.keys(["ж", "~", "z", "a"])) == collation.keys(["~", "a", "z", "ж"])
