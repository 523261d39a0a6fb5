from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.values.text import bare_digits, fold, fold_all, link_text, parse_filter, visible


@pytest.mark.parametrize(
    ("text", "blob"),
    [
        ("koi", "Koi, ogon"),
        ("OGON koi", "Koi, ogon"),
        ("elan", "Élan"),
        ("ÉLAN", "elan"),
        ("angstrom", "Ångström"),
        ("strasse", "Straße"),
        ("#1234", "1234"),
        ("# 1234", "1234"),
        ("  1234 ", "1234"),
        ("1,240", "1240"),
        ("12 34", "1234"),
        ("1\u00a0240", "1240"),
        ("v1.2", "food v1.2"),
        ("", "anything"),
        ("#", "anything"),
    ],
)
def test_a_filter_finds_words_whatever_their_dress(text: str, blob: str) -> None:
    assert parse_filter(text).fits(fold(blob))


@pytest.mark.parametrize(
    ("text", "blob"), [("koi red", "Koi, ogon"), ("12345", "1234"), ("#12", "koi #"), ("12 34", "12 5"), ("-", "koi")]
)
def test_a_filter_leaves_out_what_lacks_a_word(text: str, blob: str) -> None:
    assert not parse_filter(text).fits(fold(blob))


@given(st.lists(st.text(st.characters(whitelist_categories=["L"]), min_size=1), max_size=4), st.text())
def test_all_words_of_a_text_are_found_in_it_in_any_order(words: list[str], more: str) -> None:
    blob = fold("\n".join([more, *words]))
    assert parse_filter(" ".join(reversed(words))).fits(blob)


def test_an_apostrophe_is_found_however_it_is_typed() -> None:
    for blob in ("Bourke’s parakeet", "Bourke's parakeet", "Bourkeʼs parakeet"):
        for text in ("bourke's", "bourke’s", "Bourke‘s"):
            assert parse_filter(text).fits(fold(blob))
            assert fold_all([blob]) == [fold(blob)]


def test_letters_of_japanese_that_a_mark_makes_are_others() -> None:
    assert len({fold(name) for name in ("ハト", "バト", "パト")}) == 3
    assert fold("バト") == fold("ﾊﾞﾄ") == fold_all(["バト"])[0]
    assert fold("é") == fold("e")


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_a_link_is_found_by_its_own_word_only() -> None:
    blob = fold("Koi" + link_text("pet", "1234"))
    assert parse_filter("pet:1234").fits(blob)
    assert parse_filter("koi PET:#1234").fits(blob)
    for text in ("pet:123", "pet:12345", "category:1234", "1234", "pet", "1", "pet:"):
        assert not parse_filter(text).fits(blob), text


def test_hidden_characters_are_made_visible_and_letters_are_left_alone() -> None:
    assert visible("Koi\u202egnp.exe\n") == "Koi<U+202E>gnp.exe<U+000A>"
    assert visible("سمكة 金魚 🐟 👩\u200d🔬") == "سمكة 金魚 🐟 👩\u200d🔬"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("ขาว", "ข้าว", False),
        ("งู", "งุ", False),
        ("क्षमा", "कषमा", False),
        ("は", "ば", False),
        ("\ua98f\ua9c0", "\ua98f", False),
        ("\u1b13\u1b44", "\u1b13", False),
        ("SARI BALIK", "Sarı Balık", True),
        ("ملی", "ملي", True),
        ("کوی", "كوي", True),
        ("مُحَمَّد", "محمد", True),
        ("Café", "CAFE", True),
        ("\u22123", "-3", True),
        ("Axolotl\u200f", "Axolotl", True),
        ("\u2068Axo\u00adlotl\u2069", "axolotl", True),
        ("متـاح", "متاح", True),
    ],
)
def test_accents_are_no_difference_and_marks_that_make_another_word_are(one: str, other: str, same: bool) -> None:
    assert (fold(one) == fold(other)) is same
    assert fold_all([one, other, "koi"]) == [fold(one), fold(other), "koi"]


def test_a_number_with_arabic_group_marks_is_found_by_its_digits() -> None:
    assert bare_digits(fold("١٬٢٣٤")) == "1234"
