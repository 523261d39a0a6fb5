"""What a look proves of a write whose answer was lost."""

from __future__ import annotations

import json
import math

import pytest
from msgspec.structs import replace

from petstore_desktop.clock import Instant
from petstore_desktop.domain.changes import (
    AS_BEFORE,
    AS_SENT,
    NEITHER,
    AddStock,
    ChangeState,
    Delete,
    Intent,
    Reason,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.records import Row
from petstore_desktop.store.journal.rows import Attempt
from petstore_desktop.sync.send import lost_answer as module
from petstore_desktop.sync.send.lost_answer import LostAnswer, is_counted, lost_answer, marks_of, settle
from petstore_desktop.sync.send.next_step import LOOK_SERVES_S
from tests.sync.made import pet_row, stock_row

DONE, QUEUED, REFUSED = ChangeState.DONE, ChangeState.QUEUED, ChangeState.REFUSED
CONFLICT = ChangeState.CONFLICT

BOOKED = LostAnswer({"quantity": 22}, {"quantity": 10}, "v1", booked=True, seen_s=2.0)
SEEN_LONG_AGO = replace(BOOKED, seen_s=60.0)
COUNTED = replace(BOOKED, booked=False)
NAMED = LostAnswer({"name": "Z"}, {"name": "Koi"}, "v1")
DELETED = LostAnswer({}, {}, "v1")

Told = ChangeState | str
SETTLED: list[tuple[str, Intent, LostAnswer, Row | None, Told, Told]] = [
    # what, and what is said of a look right afterwards, and of a later one
    ("a booking as sent", AddStock(12), BOOKED, stock_row(22), DONE, AS_SENT),
    ("a booking as before", AddStock(12), BOOKED, stock_row(10), QUEUED, AS_BEFORE),
    ("a booking as before, of the same version", AddStock(12), BOOKED, stock_row(10, "v1"), QUEUED, QUEUED),
    ("a booking as before, of another version", AddStock(12), BOOKED, stock_row(10, "v3"), AS_BEFORE, AS_BEFORE),
    ("a booking as sent, of another version", AddStock(12), BOOKED, stock_row(22, "v2"), DONE, AS_SENT),
    ("a booking as sent, upon what was seen long ago", AddStock(12), SEEN_LONG_AGO, stock_row(22, "v2"), AS_SENT,
     AS_SENT),
    ("a booking as before, upon what was seen long ago", AddStock(12), SEEN_LONG_AGO, stock_row(10), QUEUED, AS_BEFORE),
    ("a count as sent, upon what was seen long ago", SetStock(22), replace(SEEN_LONG_AGO, booked=False), stock_row(22),
     DONE, DONE),
    ("a booking upon what moved otherwise", AddStock(12), BOOKED, stock_row(15), NEITHER, NEITHER),
    ("a booking of what is gone", AddStock(12), BOOKED, None, REFUSED, REFUSED),
    ("a count as sent", SetStock(22), COUNTED, stock_row(22), DONE, DONE),
    ("a count as before", SetStock(22), COUNTED, stock_row(10), QUEUED, AS_BEFORE),
    ("a count upon what moved otherwise", SetStock(22), COUNTED, stock_row(15), CONFLICT, CONFLICT),
    ("a deletion of what is gone", Delete(), DELETED, None, DONE, DONE),
    ("a deletion of what is there", Delete(), DELETED, pet_row(), QUEUED, AS_BEFORE),
    ("a deletion of what is there, of the same version", Delete(), DELETED, pet_row(etag="v1"), QUEUED, QUEUED),
    ("a name as sent", SetFields({"name": "Z"}), NAMED, pet_row("Z"), DONE, DONE),
    ("a name as before", SetFields({"name": "Z"}), NAMED, pet_row("Koi"), QUEUED, AS_BEFORE),
    ("a name of which the one before is not known", SetFields({"name": "Z"}), replace(NAMED, base={}), pet_row("Koi"),
     CONFLICT, CONFLICT),
    ("a name that is a third one", SetFields({"name": "Z"}), NAMED, pet_row("Theirs"), CONFLICT, CONFLICT),
]  # fmt: skip


@pytest.mark.parametrize("soon", [True, False])
@pytest.mark.parametrize(
    ("intent", "sent", "row", "at_once", "later"), [one[1:] for one in SETTLED], ids=[one[0] for one in SETTLED]
)
def test_a_look_says_what_became_of_a_write_or_that_a_person_must(
    intent: Intent, sent: LostAnswer, row: Row | None, at_once: Told, later: Told, *, soon: bool
) -> None:
    state, reason = settle(intent, sent, row, soon=soon, versioned=True)
    wanted = at_once if soon else later
    if isinstance(wanted, ChangeState):
        assert state is wanted
    else:
        assert (state, reason and reason.code) == (ChangeState.UNCERTAIN, wanted)
    if state in (CONFLICT, ChangeState.UNCERTAIN):
        assert reason is not None
        assert row is not None
        assert dict(reason.theirs) == {name: getattr(row.record, name) for name in sent.value}


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        (stock_row(10), QUEUED),
        (stock_row(10, "v1"), QUEUED),
        (stock_row(10, "v3"), AS_BEFORE),
        (stock_row(22), AS_SENT),
        (stock_row(15), NEITHER),
    ],
    ids=["as before", "of the same version", "of another version", "as sent", "otherwise"],
)
def test_what_a_look_right_afterwards_missed_is_sent_later_where_all_is_as_before(row: Row, wanted: Told) -> None:
    state, reason = settle(AddStock(12), replace(BOOKED, missed=True), row, soon=False, versioned=True)
    assert wanted in (state, reason and reason.code)


LATER = "accepted"
HASH = '"0d41d8cd98f00b204e9800998ecf8427e"'
HASHED = replace(BOOKED, version=HASH)
ACCEPTED = replace(BOOKED, reason=Reason("not-said-done", "", raw="HTTP 202"))
AGAIN = replace(BOOKED, reason=Reason("conflicted", "", 412))
FAILED = replace(BOOKED, reason=Reason("service-failed", "", 503))
FORBIDDEN = replace(BOOKED, reason=Reason("forbidden", "", 403))
OF_A_GATEWAY = replace(BOOKED, reason=Reason("service-failed", "", 502))
SENT, BEFORE = stock_row(22), stock_row(10)
PROVED: list[tuple[str, Intent, LostAnswer, Row, bool, Told, Told]] = [
    # what, whether the look showed the ETag itself, and what is said of one right afterwards, and of a later one
    ("an ETag that a list left out", AddStock(12), BOOKED, stock_row(10, "v1"), False, QUEUED, AS_BEFORE),
    ("another that a list left out", AddStock(12), BOOKED, stock_row(10, "v3"), False, QUEUED, AS_BEFORE),
    ("the number itself as a version", AddStock(12), replace(BOOKED, version='"10"'), stock_row(10, '"10"'), True,
     QUEUED, AS_BEFORE),
    ("a count beside another number", AddStock(12), replace(BOOKED, version='"11"'), stock_row(10, '"11"'), True,
     QUEUED, QUEUED),
    ("a hash of the content", AddStock(12), HASHED, stock_row(10, HASH), True, QUEUED, AS_BEFORE),
    ("another hash", AddStock(12), HASHED, stock_row(10, '"0a"'), True, AS_BEFORE, AS_BEFORE),
    ("a name with a hash", SetFields({"name": "Z"}), replace(NAMED, version=HASH), pet_row("Koi", HASH), True, QUEUED,
     AS_BEFORE),
    ("accepted, as before", AddStock(12), ACCEPTED, BEFORE, True, LATER, LATER),
    ("accepted, of the same version", AddStock(12), ACCEPTED, stock_row(10, "v1"), True, LATER, LATER),
    ("accepted, missed", AddStock(12), replace(ACCEPTED, missed=True), BEFORE, True, LATER, LATER),
    ("accepted, as sent", AddStock(12), ACCEPTED, SENT, True, DONE, DONE),
    ("a count that was accepted, as sent", SetStock(22), replace(ACCEPTED, booked=False), SENT, True, DONE, DONE),
    ("a deletion that was accepted", Delete(), replace(DELETED, reason=ACCEPTED.reason), pet_row(), True, LATER, LATER),
    ("a repeated one that met another version", AddStock(12), AGAIN, BEFORE, True, AS_BEFORE, AS_BEFORE),
    ("the same, missed", AddStock(12), replace(AGAIN, missed=True), BEFORE, True, AS_BEFORE, AS_BEFORE),
    ("the same, as sent", AddStock(12), AGAIN, SENT, True, AS_SENT, AS_SENT),
    ("one that failed, as sent", AddStock(12), FAILED, SENT, True, AS_SENT, AS_SENT),
    ("one that failed, as before", AddStock(12), FAILED, BEFORE, True, QUEUED, AS_BEFORE),
    ("one whose answer a gateway missed, as sent", AddStock(12), OF_A_GATEWAY, SENT, True, DONE, AS_SENT),
    ("one that was forbidden, as before", AddStock(12), FORBIDDEN, BEFORE, True, REFUSED, REFUSED),
    ("one that was forbidden, as sent", AddStock(12), FORBIDDEN, SENT, True, AS_SENT, AS_SENT),
    ("a count that failed, as sent", SetStock(22), replace(FAILED, booked=False), SENT, True, DONE, DONE),
    ("a name whose spaces the service joins", SetFields({"name": "Old  Koi"}),
     replace(NAMED, value={"name": "Old  Koi"}, version=None), pet_row("old Koi"), True, DONE, DONE),
    ("a name that was to get a capital", SetFields({"name": "KOI"}),
     replace(NAMED, value={"name": "KOI"}, version=None), pet_row("Koi"), True, QUEUED, AS_BEFORE),
    ("a name that met another version", SetFields({"name": "Z"}), replace(NAMED, reason=AGAIN.reason), pet_row("Koi"),
     True, AS_BEFORE, AS_BEFORE),
]  # fmt: skip


@pytest.mark.parametrize("soon", [True, False])
@pytest.mark.parametrize(
    ("intent", "sent", "row", "versioned", "at_once", "later"), [one[1:] for one in PROVED], ids=[o[0] for o in PROVED]
)
def test_what_may_be_undone_or_yet_come_is_proved_by_nothing(
    intent: Intent, sent: LostAnswer, row: Row, versioned: bool, at_once: Told, later: Told, *, soon: bool
) -> None:
    state, reason = settle(intent, sent, row, soon=soon, versioned=versioned)
    assert (at_once if soon else later) in (state, reason and reason.code)


@pytest.mark.parametrize("version", ['"1"', '"0"', '"999999"', '"v7"', '"V7"', '"rev-12"', '"4f2a9c-i1"', "v1"])
def test_a_count_is_a_version_that_never_comes_back(version: str) -> None:
    assert is_counted(version)


@pytest.mark.parametrize(
    "version",
    [HASH, '"3421780262"', '"-1403"', '"12345678"', '"a41"', '"d41d8cd98f00b204e9800998ecf8427e-2"', '"007"', '""',
     '"2d-gYxAzu9bYPFqHrjCRk4m1h5K0jA"', '"5e1a2b3c-264"', '"v"'],
)  # fmt: skip
def test_what_may_be_a_hash_of_the_content_is_no_count(version: str) -> None:
    assert not is_counted(version)


def test_what_the_service_answered_stays_known() -> None:
    said = Reason("service-failed", "no luck", 502, "HTTP 502")
    _, reason = settle(AddStock(12), replace(BOOKED, reason=said), stock_row(10), soon=False, versioned=True)
    assert reason == replace(said, code=AS_BEFORE, theirs={"quantity": 10})


BEGAN = Instant(100.0, 5_000.0, "boot")
TIMES = [
    ("at once", Instant(104.9, 5_004.9, "boot"), 0.0, True),
    ("a look that was asked for at once", Instant(108.0, 5_008.0, "boot"), 4.0, True),
    ("a look that took too long", Instant(106.0, 5_006.0, "boot"), 5.1, False),
    ("later", Instant(105.2, 5_005.2, "boot"), 0.1, False),
    ("the wall clock went back", Instant(110.0, 1_000.0, "boot"), 0.0, False),
    ("the wall clock was set forward", Instant(101.0, 90_000.0, "boot"), 0.0, True),
    ("after a restart of the computer", Instant(101.0, 5_001.0, "other"), 0.0, False),
    ("the clock before the beginning", Instant(99.0, 5_001.0, "boot"), 0.0, False),
    ("a record that nobody has shown", Instant(101.0, 5_001.0, "boot"), math.inf, False),
]


@pytest.mark.parametrize(("now", "look_age", "soon"), [one[1:] for one in TIMES], ids=[one[0] for one in TIMES])
def test_a_look_comes_right_after_it_whatever_the_wall_clock_says(now: Instant, look_age: float, *, soon: bool) -> None:
    assert LostAnswer(began=BEGAN).is_soon(now, look_age, look_age) is soon
    assert not LostAnswer().is_soon(now, look_age, look_age)


@pytest.mark.parametrize("request_text", ['{"op": "inventory.change", "key": "7"}', "no json", "[]", None])
def test_of_an_older_build_nothing_but_the_values_is_known(request_text: str | None) -> None:
    attempt = Attempt(1, 5_000.0, request_text, {"quantity": 1}, {"quantity": 2}, None, None, None, None)
    known = lost_answer(attempt, booked=True)
    assert known == LostAnswer({"quantity": 2}, {"quantity": 1}, booked=True)
    assert not known.rests_on_now


@pytest.mark.parametrize(("seen_s", "rests_on_now"), [(0.0, True), (5.0, True), (5.1, False), (math.inf, False)])
def test_when_what_it_rests_on_was_seen_is_kept_with_it(seen_s: float, *, rests_on_now: bool) -> None:
    text = json.dumps(marks_of("v1", BEGAN, seen_s))
    known = lost_answer(Attempt(1, BEGAN.wall, text, {}, {}, None, None, None, None), booked=True)
    assert (known.version, known.began, known.seen_s) == ("v1", BEGAN, seen_s)
    assert known.rests_on_now is rests_on_now


def test_it_is_believed_as_long_as_a_look_serves_a_write() -> None:
    assert module.SOON_S == LOOK_SERVES_S
