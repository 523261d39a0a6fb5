"""A scanner and a person at the same keys, told apart by the times that the keys carry."""

from __future__ import annotations

import pytest

from petstore_desktop.ui.context.scans import ScanSettings
from petstore_desktop.ui.scanning.burst import FEW_KEYS, HAND_MS, MOST_KEYS, Burst, KeyFate, Place, Sort, Stroke

EAN = "4006381333931"


def run(
    text: str, *gaps: int, burst: Burst | None = None, releases: bool = True, place: Place = Place.ROWS
) -> tuple[list[str], str]:
    """The scans of a typed text, and what was delivered. The gaps go round."""
    burst, at, scans, delivered, held = burst or Burst(), 1000, [], "", ""
    for number, letter in enumerate(text):
        sort = Sort.END if letter in "\n\t" else Sort.CHARACTER
        told = burst.press(Stroke(ord(letter), letter, at, sort, place=place))
        if told.scan is not None:
            scans.append(told.scan)
            held = ""
        if told.let_go:
            delivered, held = delivered + held, ""
        held += letter if told.fate is KeyFate.HOLD else ""
        delivered += letter if told.fate is KeyFate.PASS else ""
        if releases:
            burst.release(ord(letter))
        at += gaps[number % len(gaps)]
    told = burst.quiet()
    scans += [] if told.scan is None else [told.scan]
    return scans, delivered + (held if told.let_go else "")


@pytest.mark.parametrize("gap", [1, 5, 15, 25, 34])
@pytest.mark.parametrize("end", ["\n", "\t", ""])
@pytest.mark.parametrize("releases", [True, False])
def test_a_burst_is_a_scan_and_leaves_nothing(gap: int, end: str, releases: bool) -> None:
    for code in ("1126", "1126C", "112600", EAN, "ABC-abc 1234"):
        place = Place.KEYS if gap >= HAND_MS and len(code) < FEW_KEYS else Place.ROWS
        assert run(code + end, gap, releases=releases, place=place) == ([code], "")


@pytest.mark.parametrize("gap", [35, 40, 60, 200])
def test_typing_is_delivered_as_it_was_typed(gap: int) -> None:
    for text in ("the quick brown fox\n", "+12\n", EAN):
        assert run(text, gap) == ([], text)


@pytest.mark.parametrize("place", [Place.ROWS, Place.TEXT, Place.SECRET])
@pytest.mark.parametrize("end", ["\n", "\t", ""])
def test_a_quantity_from_practised_fingers_is_written_even_if_a_pet_has_that_number(place: Place, end: str) -> None:
    for text in ("1126", "12000"):
        for gap in (25, 30, 34):
            burst = Burst(known=lambda code: code == "1126")
            assert run(text + end, gap, burst=burst, place=place) == ([], text + end)
    known = Burst(known=lambda code: code == "1126")
    assert run("1126" + end, 16, burst=known, place=place) == (["1126"], "")


@pytest.mark.parametrize("place", [Place.ROWS, Place.TEXT])
def test_what_is_typed_into_a_cell_of_stock_is_no_code_however_fast(place: Place) -> None:
    """`5+12` with Enter, typed fast, was "unknown code 5+12"."""
    for text in ("5+12\n", "=1200\n", "-120\t", "+1200", "12+12+300\n"):
        assert run(text, 8, place=place) == ([], text)
    taught = Burst(known=lambda code: code == "+1200")
    assert run("+1200\n", 8, burst=taught, place=place) == (["+1200"], "")
    if place is Place.ROWS:
        for code in ("12-345", "+A123BJC5D6E71", "1200+"):
            assert run(code + "\n", 8) == ([code], "")


def test_two_or_three_fast_keys_are_typing() -> None:
    assert run("ab\n", 5) == ([], "ab\n")
    assert run("abc\n", 5) == ([], "abc\n")
    assert run("the end", 5, 5, 80) == ([], "the end")


def test_keys_that_were_queued_are_typing() -> None:
    assert run("1126\n", 0) == ([], "1126\n"), "they came in no time: the program was busy, or another one types"
    assert run("hallo", -5) == ([], "hallo")


def test_scans_one_after_the_other_count_once_each() -> None:
    text = (EAN + "\n") * 20
    assert run(text, *([5] * 13 + [20])) == ([EAN] * 20, "")
    assert run(EAN * 3, *([5] * 12 + [80])) == ([EAN] * 3, "")


def test_the_beginning_of_a_scan_that_went_through_is_never_half_a_code() -> None:
    late = Burst()
    late.press(Stroke(52, "4", 995, Sort.CHARACTER))
    late.quiet()
    assert run("006381333931\n", 5, burst=late) == ([], "006381333931\n")


def test_a_late_enter_of_a_scanner_answers_nothing() -> None:
    assert run("1126\n\n", 5) == (["1126"], ""), "some end with two keys"
    for pause, goes in ((100, False), (499, False), (501, True)):
        burst = Burst()
        for number, letter in enumerate("1126"):
            burst.press(Stroke(ord(letter), letter, 1000 + 5 * number, Sort.CHARACTER))
        assert burst.quiet().scan == "1126"
        told = burst.press(Stroke(13, "\r", 1015 + pause, Sort.END))
        assert (told.fate is KeyFate.PASS) is goes


def test_a_click_in_the_middle_of_a_scan_makes_no_half_codes() -> None:
    burst = Burst()
    for number, letter in enumerate("40063"):
        burst.press(Stroke(ord(letter), letter, 1000 + 5 * number, Sort.CHARACTER))
    told = burst.interrupt(1022)
    assert told.let_go and told.scan is None
    for number, letter in enumerate("81333931"):
        told = burst.press(Stroke(ord(letter), letter, 1025 + 5 * number, Sort.CHARACTER))
        assert told.fate is KeyFate.PASS
    assert burst.press(Stroke(13, "\r", 1070, Sort.END)).fate is KeyFate.PASS


def test_what_waited_while_the_program_was_busy_is_judged_by_its_times() -> None:
    burst = Burst()
    for number, letter in enumerate("1126"):
        burst.press(Stroke(ord(letter), letter, 1000 + 5 * number, Sort.CHARACTER))
    told = burst.press(Stroke(27, "", 1400, Sort.OTHER))
    assert told.scan == "1126" and told.fate is KeyFate.PASS and not told.let_go


def test_held_keys_are_typing() -> None:
    burst = Burst()
    assert burst.press(Stroke(65, "a", 1000, Sort.CHARACTER)).fate is KeyFate.HOLD
    for number in range(10):
        told = burst.press(Stroke(65, "a", 1300 + 30 * number, Sort.CHARACTER, repeated=True))
        assert told.fate is KeyFate.PASS and told.let_go is (number == 0)
    assert run("aaaaaaaa", 30) == ([], "aaaaaaaa"), "a remote desktop does not say that a key repeats"
    assert run("1111\n", 8) == (["1111"], "")


def test_words_without_an_end_are_typing_however_fast() -> None:
    """A hand that rolls over the keys, a remote desktop, a text expander."""
    for place in (Place.ROWS, Place.TEXT, Place.SECRET):
        assert run("asdfgh", 20, place=place) == ([], "asdfgh")
        assert run("Best regards", 3, place=place) == ([], "Best regards")


@pytest.mark.parametrize(
    ("place", "text", "is_scan"),
    [
        (Place.TEXT, "ROOM 12b\n", True),
        (Place.TEXT, "ROOM 12b\t", True),
        (Place.TEXT, "ROOM 12b", False),
        (Place.TEXT, EAN, True),
        (Place.SECRET, "s3cret-Key", False),
        (Place.SECRET, "s3cret-Key\n", True),
        (Place.SECRET, EAN, True),
        (Place.ROWS, "ROOM 12b", True),
        (Place.ROWS, "Rover", False),
        (Place.ROWS, "Rover\n", True),
        (Place.KEYS, "Rover", True),
        (Place.KEYS, "yyyyyy", False),
    ],
)
def test_what_a_burst_needs_depends_on_where_it_is_typed(place: Place, text: str, is_scan: bool) -> None:
    burst = Burst(known=lambda code: code == EAN)
    assert run(text, 5, burst=burst, place=place) == (([text.strip()], "") if is_scan else ([], text))


def test_a_suffix_that_a_person_set_ends_a_scan_as_enter_does() -> None:
    burst = Burst(ScanSettings(suffix="#"))
    assert run("ROOM 12b#", 5, burst=burst, place=Place.TEXT) == (["ROOM 12b"], "")


def test_what_is_longer_than_a_code_is_typing_and_is_not_kept_back() -> None:
    text = "lorem ipsum 7 " * 40 + "\n"
    assert run(text, 2) == ([], text)
    burst = Burst()
    fates = [burst.press(Stroke(65, "a", 1000 + n, Sort.CHARACTER)).fate for n in range(MOST_KEYS + 5)]
    assert fates == [KeyFate.HOLD] * MOST_KEYS + [KeyFate.PASS] * 5


def test_what_a_scanner_types_around_a_code_is_left_out() -> None:
    settings = ScanSettings(prefix="]C1", suffix="#")
    assert run("]C1" + EAN + "#\n", 5, burst=Burst(settings)) == ([EAN], "")
    assert run(EAN + "\n", 5, burst=Burst(settings)) == ([], EAN + "\n")
