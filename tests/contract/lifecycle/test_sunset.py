from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from msgspec.structs import replace

from petstore_desktop.contract.binding.load import default
from petstore_desktop.contract.lifecycle.dates import iso_day
from petstore_desktop.contract.lifecycle.sunset import (
    Ending,
    Notice,
    carried,
    ending_of,
    heard,
    is_cheaper,
    is_over,
    refusal,
    service_day,
    with_operation,
)
from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import Op

READ = Operation(Op.PET_READ, "GET", "/pets/{petId}", deprecated=True, sunset="2027-03-01")
LIST = Operation(Op.PETS_LIST, "GET", "/pets", deprecated=True, sunset="2027-03-01")
LAST = date(2027, 3, 1)
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC).timestamp()

# ---------------------------------------------------------------- days, however they are written


@pytest.mark.parametrize(
    "said",
    [
        date(2027, 6, 30),  # what YAML makes of an unquoted day
        datetime(2027, 6, 30, 23, 59, tzinfo=UTC),
        20270630,
        1_814_399_999,
        1_814_399_999_000,
        "2027-06-30", " 2027-06-30 ", "20270630", "2027-6-30", "2027/06/30", "2027.06.30",
        "2027-06-30T23:59:59Z", "2027-06-30T00:00:00+02:00", "2027-06-30 12:00",
        "30.06.2027", "30.6.2027", "30/06/2027", "06/30/2027",
        "30 Jun 2027", "30-Jun-2027", "30th June 2027", "30. June 2027", "Wed, 30 Jun 2027",
        "June 30, 2027", "Jun 30 2027", "JUNE 30TH, 2027",
        "Wed, 30 Jun 2027 23:59:59 GMT", "Wednesday, 30-Jun-27 23:59:59 GMT", "Wed Jun 30 23:59:59 2027",
        "@1814399999", "1814399999",
    ],
)  # fmt: skip
def test_a_day_is_read_in_every_form_in_use(said: object) -> None:
    assert iso_day(said) == "2027-06-30"


@pytest.mark.parametrize("said", ["2027-06", "2027/06", "June 2027", "Jun. 2027"])
def test_a_month_alone_is_its_first_day(said: str) -> None:
    assert iso_day(said) == "2027-06-01"


@pytest.mark.parametrize(
    "said",
    [
        "", "some day", "soon 2027", "2027", "2027-02-30", "2027-13-01", "30 Foo 2027", "06/07/2027", "Q3 2027",
        "next release", "1" * 70, "٢٠٢٧-٠٦-٣٠", True, False, None, [], {}, 0, 7, -1, 1.5,
        float("inf"), float("nan"), 10**40,
    ],
)  # fmt: skip
def test_what_names_no_one_day_is_no_day(said: object) -> None:
    assert iso_day(said) is None


# ---------------------------------------------------------------- how an operation stands


@pytest.mark.parametrize(
    ("operation", "today", "ending", "near"),
    [
        (replace(READ, deprecated=False, sunset=None), LAST, None, False),
        (replace(READ, sunset=None), LAST, Ending(), False),
        (READ, date(2026, 11, 21), Ending(LAST, 100), False),
        (READ, date(2027, 1, 29), Ending(LAST, 31), False),
        (READ, date(2027, 1, 30), Ending(LAST, 30), True),
        (READ, LAST, Ending(LAST, 0), True),
        (READ, date(2027, 3, 2), Ending(LAST, -1), False),
        (replace(READ, removed=True), LAST, Ending(LAST, 0, removed=True), False),
        (replace(READ, successor="/v2/pets"), LAST, Ending(LAST, 0, successor="/v2/pets"), True),
    ],
)
def test_an_end_is_counted_in_days_and_told_a_month_before(
    operation: Operation, today: date, ending: Ending | None, near: bool
) -> None:
    assert ending_of(operation, today) == ending
    assert (ending is not None and ending.is_near) is near


def test_a_way_that_is_used_only_after_the_end_is_used_now_once_that_has_come() -> None:
    gone = ending_of(replace(READ, removed=True), LAST, "GET /pets", after=True)
    assert gone is not None
    assert (gone.instead, gone.after) == ("GET /pets", False)


@pytest.mark.parametrize(
    ("operation", "today", "over"),
    [
        (READ, LAST, False),
        (READ, date(2027, 3, 2), True),
        (replace(READ, sunset=None), date(2099, 1, 1), False),
        (replace(READ, removed=True), date(2020, 1, 1), True),
    ],
)
def test_an_operation_is_over_after_its_last_day_or_once_it_is_removed(
    operation: Operation, today: date, over: bool
) -> None:
    assert is_over(operation, today) is over


def test_a_short_list_is_read_instead_of_a_deprecated_operation() -> None:
    assert is_cheaper(READ, LIST, 100)
    assert not is_cheaper(READ, LIST, 101)
    assert not is_cheaper(READ, replace(LIST, page_limit=20), 21)
    assert not is_cheaper(replace(READ, deprecated=False), LIST, 1)


@pytest.mark.parametrize(
    ("operation", "status", "today", "missed", "code"),
    [
        (READ, 404, date(2027, 2, 28), 2, ""),
        (READ, 410, date(2027, 2, 28), 2, ""),
        (LIST, 404, date(2027, 2, 28), 1, ""),
        (READ, 404, LAST, 1, "gone-or-removed"),
        (READ, 404, LAST, 2, "removed"),
        (READ, 410, LAST, 1, "removed"),
        (LIST, 404, LAST, 1, "removed"),
        (READ, 403, LAST, 2, ""),
        (READ, 500, LAST, 2, ""),
        (replace(READ, sunset=None), 410, LAST, 2, ""),
    ],
)
def test_not_found_means_removed_only_after_the_last_day_and_only_where_no_record_explains_it(
    operation: Operation, status: int, today: date, missed: int, code: str
) -> None:
    assert refusal(operation, status, today, missed) == code


# ---------------------------------------------------------------- what answers say


@pytest.mark.parametrize(
    ("notice", "deprecated", "sunset"),
    [
        (Notice(True), True, None),
        (Notice(True, NOW - 1), True, None),
        (Notice(True, NOW + 60), False, None),
        (Notice(True, NOW + 60, "2027-03-01"), True, "2027-03-01"),
        (Notice(False, None, "2027-03-01"), True, "2027-03-01"),
    ],
)
def test_what_an_answer_says_is_added_to_what_the_document_says(
    notice: Notice, deprecated: bool, sunset: str | None
) -> None:
    found = heard(Operation(Op.PET_READ, "GET", "/pets/{petId}"), notice, NOW)
    assert (found.deprecated, found.sunset) == (deprecated, sunset)


def test_what_an_answer_says_later_wins_and_what_it_leaves_out_stays() -> None:
    assert heard(READ, Notice(True, None, "2027-12-31"), NOW).sunset == "2027-12-31"
    assert heard(READ, Notice(True), NOW) == READ


def test_what_was_said_holds_until_another_document_is_read() -> None:
    read = default()
    known = with_operation(read, replace(read.operations[Op.PET_READ], removed=True, sunset="2027-01-01"))
    assert carried(known, read) == known
    assert carried(None, read) == read
    other = replace(read, digest="another")
    assert carried(known, other) == other
    moved = with_operation(read, replace(read.operations[Op.PET_READ], path="/animals/{id}"))
    assert carried(known, moved) == moved
    assert carried(known, Contract({}, digest=read.digest)).operations == {}


@pytest.mark.parametrize(
    ("skew", "day"),
    [(None, date(2026, 11, 21)), (0.0, date(2026, 11, 21)), (43_200.0, date(2026, 11, 22)), (1e18, date(2026, 11, 21))],
)
def test_the_day_is_the_services_own(skew: float | None, day: date) -> None:
    assert service_day(NOW, skew) == day
