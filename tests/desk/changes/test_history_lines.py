"""Lines of the journal as people see them, and the filter that they are found by."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace

from petstore_desktop.desk.changes.history_lines import changes_filter, history_of, past_line
from petstore_desktop.domain.batches import BatchLine, ChangeFilter, HistoryEntry
from petstore_desktop.domain.changes import (
    FOUND_ALIKE,
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Intent,
    Reason,
    SetFields,
)
from petstore_desktop.domain.records import FieldValue, LocalId, Ref, Resource
from petstore_desktop.domain.seen_changes import SeenChange, What, Who
from tests.desk.shopkit import NOON, Journal, small_shop
from tests.support.manual_clock import ManualClock

KOI = Ref(Resource.PETS, 1234)
STOCK = Ref(Resource.INVENTORY, 1234)
SOLD = SetFields({"status": "sold"})
NO = Reason("bad", "no", 400, "raw")
State = ChangeState


def _seen(ref: Ref, field: str, before: FieldValue, after: FieldValue, seen_by: float, seen_after: float) -> SeenChange:
    return SeenChange(ref, What.CHANGED, Who.ELSEWHERE, field, before, after, seen_after, seen_by, {}, "Koi")


def entry(
    state: ChangeState = State.DONE, intent: Intent = SOLD, ref: Ref = KOI, undone: bool = False, title: str = "Koi"
) -> HistoryEntry:
    reason = NO if state is State.REFUSED else None
    return HistoryEntry(
        Change(7, "b", NOON, ref, intent, {"quantity": 24}, state, NOON + 60, reason), ref, title, undone
    )


def alone(one: HistoryEntry) -> BatchLine:
    return BatchLine(one, 7, ((one.change.state, 1),), undone=int(one.undone))


@pytest.mark.parametrize(
    ("state", "undone", "code", "actions"),
    [
        (State.DONE, False, "past.sent", ("undo",)),
        (State.DONE, True, "past.sent-undone", ()),
        (State.DISCARDED, False, "past.discarded", ()),
        (State.DISCARDED, True, "past.discarded-undone", ()),
        (State.QUEUED, False, "change.unsent", ("discard",)),
        (State.REFUSED, False, "change.refused", ("edit", "retry", "discard", "raw")),
        (State.SENDING, False, "change.sending", ()),
    ],
)
def test_a_change_says_how_it_ended_and_offers_what_makes_sense(state, undone, code, actions):
    line = past_line(small_shop().shop, alone(entry(state, undone=undone)), None)
    assert (line.sentence.code, line.actions) == (code, actions)
    assert line.count == 1


@pytest.mark.parametrize(("undone", "code"), [(False, "change.found-alike"), (True, "past.sent-undone")])
def test_a_creation_that_may_be_a_colleagues_says_so(undone, code):
    sent = entry(State.DONE, Create({"name": "Koi"}), undone=undone)
    alike = replace(sent, change=replace(sent.change, reason=Reason(FOUND_ALIKE, "")))
    assert past_line(small_shop().shop, alone(alike), None).sentence.code == code


def test_several_changes_show_the_worst_of_them_and_offer_what_helps_any():
    states = ((State.DONE, 498), (State.DISCARDED, 1), (State.REFUSED, 2))
    line = past_line(small_shop().shop, BatchLine(entry(), 3, states, undone=5), None)
    assert [state for state, _ in line.states] == [State.REFUSED, State.DONE, State.DISCARDED]
    assert (line.mark, line.count, line.raw) == ("refused", 501, None)
    assert line.actions == ("undo", "retry", "discard")
    assert line.sentence.params["undone"] == 5
    over = past_line(small_shop().shop, BatchLine(entry(), 3, ((State.DONE, 4), (State.DISCARDED, 1)), undone=4), None)
    assert over.actions == ()


def test_what_was_done_is_told_field_by_field():
    shop = small_shop().shop
    steps = past_line(shop, alone(entry(intent=AddStock(12), ref=STOCK)), None).steps
    assert [(step.field, step.before.number, step.after.number) for step in steps] == [("stock", 24, 36)]
    two = past_line(shop, alone(entry(intent=SetFields({"name": "Carp", "category_id": 2}))), None).steps
    assert [(step.field, step.after.text) for step in two] == [("name", "Carp"), ("category_id", "Birds")]
    new = past_line(shop, alone(entry(intent=Create({"name": "x"}), ref=Ref(Resource.PETS, LocalId("a")))), None)
    assert (new.steps[0].field, new.ref_id) == ("create", "")
    gone = past_line(shop, alone(entry(intent=Delete(), ref=Ref(Resource.PETS, 5), title="Gone")), None)
    assert (gone.title, gone.ref_id) == ("Gone", "5")


def test_a_text_finds_a_record_by_name_and_id_whatever_the_case_and_accents():
    shop = small_shop().shop
    for text, name in (
        ("KÖI", "Koi 1234"),
        ("#1234", "Koi 1234"),
        ("12 34", "Koi 1234"),
        ("snake corn", "Corn snake 9"),
    ):
        finds = changes_filter(shop, text, frozenset(), None, None).finds
        assert finds is not None
        assert finds(name)
        assert not finds("Clownfish 940")
    assert changes_filter(shop, "  ", frozenset(), None, None) == ChangeFilter()


def test_days_are_local_days():
    """The tests' zone is an hour ahead of UTC; noon there is 11:00."""
    wanted = changes_filter(small_shop().shop, "", frozenset(), date(2025, 11, 20), date(2025, 11, 21))
    assert (wanted.since, wanted.until) == (NOON - 37 * 3600, NOON + 11 * 3600)
    assert changes_filter(small_shop().shop, "", frozenset(), None, date(2025, 11, 21)).since is None


def test_a_history_leaves_out_what_waits_and_what_is_said_twice():
    shop = small_shop().shop
    seen = (
        _seen(KOI, "category_id", 1, 2, NOON + 100, NOON),
        _seen(STOCK, "status", "available", "sold", NOON + 90, NOON),
        _seen(STOCK, "quantity", 24, 20, NOON - 90, NOON - 100),
    )
    told = history_of(shop, KOI, (entry(), entry(State.QUEUED), entry(State.REFUSED)), seen)
    assert [(line.other, line.step.field) for line in told.lines] == [
        (True, "category_id"),
        (False, "status"),
        (True, "stock"),
    ]
    assert (told.lines[0].step.before.text, told.lines[0].step.after.text) == ("Fish", "Birds")
    assert (told.lines[2].step.before.number, told.lines[2].step.after.number) == (24, 20)


def test_a_line_of_the_history_says_what_made_its_batch() -> None:
    received = replace(entry(intent=AddStock(6), ref=STOCK), source="receive:4711")
    assert [
        line.source for line in history_of(small_shop(ManualClock(wall=NOON)).shop, KOI, (received,), ()).lines
    ] == ["receive:4711"]


def test_what_is_just_sent_and_still_shown_as_a_change_is_no_history_yet() -> None:
    clock = ManualClock(wall=NOON)
    desk = small_shop(clock)
    journal = Journal(desk)
    change = journal.move(journal.act(KOI, SOLD), State.DONE)
    stock = journal.move(journal.act(STOCK, AddStock(1)), State.DONE)
    entries = (HistoryEntry(change, KOI, "Koi"), HistoryEntry(stock, STOCK, "Koi"))
    assert history_of(desk.shop, KOI, entries, ()).lines == ()
    clock.advance(60)
    desk.expire()
    assert [line.step.field for line in history_of(desk.shop, KOI, entries, ()).lines] == ["status", "stock"]
