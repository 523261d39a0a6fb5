from __future__ import annotations

import pytest

from petstore_desktop.contract.model import Contract
from petstore_desktop.desk.changes.requests import KEPT
from petstore_desktop.desk.price import (
    could_be_much,
    forecast_of,
    likely_changes,
    price_of_more,
    sending_time,
    usage_of,
)
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.changes import AddStock, Change, ChangeState, NewChange, SetFields
from petstore_desktop.domain.quota import GatePhase, GateView, RequestClass, SentRequest, Window
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.sync.price.price import Forecast, Outlook, Usage
from petstore_desktop.sync.wire.events import ChangesMoved, GateMoved, QuotaMoved, RequestsSent
from tests.desk.shopkit import NOON, new_desk, small_shop
from tests.support.told_windows import told

HOUR = 3_600.0
PETS, STOCK = Resource.PETS, Resource.INVENTORY


def day(remaining: int | None, limit: int | None = 1_000) -> QuotaMoved:
    return QuotaMoved("shop", told(NOON, Window(60, 60, NOON + 30), Window(limit, remaining, NOON + 600)))


@pytest.mark.parametrize(
    ("remaining", "count", "could"),
    [(500, 100, False), (500, 101, True), (108, 2, False), (107, 2, True), (107, 1, False), (0, 2, True)],
)
def test_a_batch_could_be_much_if_looks_and_writes_come_to_half_of_what_changes_may_use(
    remaining: int, count: int, could: bool
) -> None:
    desk = small_shop()
    apply_event(desk, day(remaining))
    assert could_be_much(desk, count) is could


def test_what_waits_already_is_taken_off_and_without_a_known_day_nothing_is_much() -> None:
    desk = small_shop()
    apply_event(desk, day(500))
    waiting = Change(1, "batch", NOON, Ref(STOCK, 1234), AddStock(1), {}, ChangeState.QUEUED, NOON)
    apply_event(desk, ChangesMoved("shop", (waiting,)))
    assert could_be_much(desk, 100)
    assert not could_be_much(desk, 99)
    for unknown in (day(None), day(500, None)):
        apply_event(desk, unknown)
        assert not could_be_much(desk, 10_000)


def test_the_likeliest_change_of_a_selection_is_one_that_the_service_takes() -> None:
    desk = small_shop()
    refs = [Ref(STOCK, 1234), Ref(STOCK, 877)]
    assert likely_changes(desk, refs) == tuple(NewChange(ref, AddStock(1)) for ref in refs)
    (pet,) = likely_changes(desk, [Ref(PETS, LocalId("a"))])
    assert isinstance(pet.intent, SetFields)
    assert likely_changes(desk, []) == ()
    desk.set_contract(Contract({}))
    assert likely_changes(desk, refs) == ()
    assert likely_changes(new_desk(), ()) == ()


def test_more_of_the_same_is_priced_by_the_windows_of_now() -> None:
    desk = small_shop()
    apply_event(desk, day(500))
    said = price_of_more(desk, Price(10, seconds=0.0), 5.5, NOON)
    assert (said.requests, said.seconds, said.leaves_of_day) == (55, 30.5, 445)
    assert sending_time(desk, 55, NOON) == 30.5
    apply_event(desk, GateMoved("shop", GateView(GatePhase.LOCKED)))
    assert sending_time(desk, 1, NOON) is None


def sent(*at: float, cls: RequestClass = RequestClass.CHANGES) -> RequestsSent:
    return RequestsSent("shop", tuple(SentRequest(moment, cls, "GET", "/pets", 200) for moment in at))


def test_what_was_used_since_the_local_midnight_is_told_by_who_waited_for_it() -> None:
    desk = new_desk()
    apply_event(desk, sent(NOON - 13 * HOUR - 1, NOON - 13 * HOUR, NOON))
    apply_event(desk, sent(NOON, cls=RequestClass.PERSON))
    assert usage_of(desk, NOON) == Usage(person=1, changes=2)


def test_what_others_used_is_unknown_where_not_all_of_ours_are_at_hand() -> None:
    desk = new_desk()
    apply_event(desk, QuotaMoved("shop", told(NOON, day=Window(10_000, 1_000, NOON + HOUR))))
    apply_event(desk, sent(NOON - 24 * HOUR, *[NOON] * (KEPT - 1)))
    assert usage_of(desk, NOON).others == 9_000 - (KEPT - 1)
    apply_event(desk, sent(NOON))
    assert usage_of(desk, NOON) == Usage(changes=KEPT, others=None)


def test_the_desk_says_until_when_the_day_lasts() -> None:
    desk = new_desk()
    assert forecast_of(desk, NOON) == Forecast(Outlook.UNKNOWN)
    apply_event(desk, QuotaMoved("shop", told(NOON, day=Window(1_000, 10, NOON + 5 * HOUR))))
    apply_event(desk, sent(*(NOON - 600.0 * number for number in range(5, -1, -1))))
    assert forecast_of(desk, NOON) == Forecast(Outlook.ENDS, NOON + 6_000.0)
