from __future__ import annotations

from petstore_desktop.desk.changes.requests import KEPT
from petstore_desktop.domain.quota import Quota, RequestClass, SentRequest, Window
from petstore_desktop.sync.price.price import Forecast, Outlook, Usage
from petstore_desktop.sync.wire.events import QuotaMoved, RequestsSent
from tests.desk.shopkit import NOON, new_desk

HOUR = 3_600.0


def sent(*at: float, cls: RequestClass = RequestClass.CHANGES) -> RequestsSent:
    return RequestsSent("shop", tuple(SentRequest(moment, cls, "GET", "/pets", 200) for moment in at))


def test_what_was_used_since_the_local_midnight_is_told_by_who_waited_for_it() -> None:
    desk = new_desk()
    desk.apply(sent(NOON - 13 * HOUR - 1, NOON - 13 * HOUR, NOON))
    desk.apply(sent(NOON, cls=RequestClass.PERSON))
    assert desk.usage(NOON) == Usage(person=1, changes=2)


def test_what_others_used_is_unknown_where_not_all_of_ours_are_at_hand() -> None:
    desk = new_desk()
    desk.apply(QuotaMoved("shop", Quota(day=Window(10_000, 1_000, NOON + HOUR))))
    desk.apply(sent(NOON - 24 * HOUR, *[NOON] * (KEPT - 1)))
    assert desk.usage(NOON).others == 9_000 - (KEPT - 1)
    desk.apply(sent(NOON))
    assert desk.usage(NOON) == Usage(changes=KEPT, others=None)


def test_the_desk_says_until_when_the_day_lasts() -> None:
    desk = new_desk()
    assert desk.forecast(NOON) == Forecast(Outlook.UNKNOWN)
    desk.apply(QuotaMoved("shop", Quota(day=Window(1_000, 10, NOON + 5 * HOUR))))
    desk.apply(sent(*(NOON - 600.0 * number for number in range(5, -1, -1))))
    assert desk.forecast(NOON) == Forecast(Outlook.ENDS, NOON + 6_000.0)
