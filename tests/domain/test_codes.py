"""Our own labels, and the codes that a person taught."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.domain.codes import Codes, key_of_label, label_code, scanned_code
from petstore_desktop.domain.records import INT64_MAX, INT64_MIN, ServiceId, id_of_text

NUMBERS = st.integers(INT64_MIN, INT64_MAX)
TEXTS = st.text(min_size=1, max_size=40).filter(lambda text: id_of_text(text) == text)


@given(NUMBERS | TEXTS)
def test_a_label_is_read_back_and_is_no_number(key: ServiceId) -> None:
    code = label_code(key)
    assert key_of_label(code) == key_of_label(code[:-1] + code[-1].lower()) == key
    assert len(code) >= 4, "fewer keys are no scan"
    assert isinstance(id_of_text(code), str | None)


@given(st.integers(0, INT64_MAX), st.data())
def test_one_wrong_digit_or_two_digits_swapped_are_noticed(number: int, data: st.DataObject) -> None:
    code, digits = label_code(number), str(number)
    at = data.draw(st.integers(0, len(digits) - 1))
    for digit in "0123456789":
        wrong = f"{code[:at]}{digit}{code[at + 1 :]}"
        assert wrong == code or not isinstance(key_of_label(wrong), int)
    swapped = code[:at] + code[at + 1 : at + 2] + code[at] + code[at + 2 :]
    if at + 1 < len(digits) and swapped != code:
        assert not isinstance(key_of_label(swapped), int)


@pytest.mark.parametrize("text", ["", "T", "1126", "4006381333931", " ", "11\n26T"])
def test_other_texts_are_no_labels(text: str) -> None:
    assert key_of_label(text) is None


def test_a_code_has_pets_and_loses_them() -> None:
    codes = Codes().with_pet(" 4006381333931\n", 7).with_pet("4006381333931", "ord_7").with_pet("4006381333931", 7)
    assert codes.of("4006381333931 ") == (7, "ord_7") and codes
    assert codes.of("4006381333932") == ()
    assert not codes.with_pets("4006381333931", ())
    assert codes.with_pets("5", (8,)).pets == {"4006381333931": (7, "ord_7"), "5": (8,)}


def test_digits_of_any_keyboard_are_the_same_code() -> None:
    assert scanned_code(" \u0661\u0661\u0662\u0666C ") == "1126C" == scanned_code("\uff11\uff11\uff12\uff16C")
    assert key_of_label(scanned_code(label_code(1126).translate({ord("1"): "\u0661"}))) == 1126
