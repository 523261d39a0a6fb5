from __future__ import annotations

from datetime import UTC, date, datetime

from petstore_desktop.desk.changes.requests import KEPT, Requests
from petstore_desktop.domain.quota import RequestClass, SentRequest

NOON = 1_763_731_320.0
DAY = 86_400.0
TODAY = date(2025, 11, 21)


def sent(*moments: float, status: int | None = 200, cls: RequestClass = RequestClass.PERSON) -> tuple[SentRequest, ...]:
    return tuple(SentRequest(at, cls, "GET", "/pets", status) for at in moments)


def requests() -> Requests:
    return Requests(lambda at: datetime.fromtimestamp(at, UTC).date())


def test_what_is_read_from_the_log_stands_before_what_was_sent_meanwhile():
    known = requests()
    known.add(sent(10, 11), earlier=False)
    known.add(sent(5, 6), earlier=True)
    known.add(sent(1, 2), earlier=True)
    known.add(sent(12), earlier=False)
    assert [one.at for one in known] == [1, 2, 5, 6, 10, 11, 12]
    assert (known.live, known.earlier) == (3, 4)
    assert [one.at for one in known.newest(2)] == [11, 12]
    assert [one.at for one in known.oldest(3)] == [1, 2, 5]


def test_only_the_newest_are_at_hand_and_earlier_ones_never_push_out_later_ones():
    known = requests()
    known.add(sent(*range(KEPT - 2)), earlier=False)
    known.add(sent(-5, -4, -3, -2), earlier=True)
    assert len(known) == KEPT
    assert [one.at for one in known.oldest(3)] == [-3, -2, 0]
    assert known.earlier == 2
    known.add(sent(-7, -6), earlier=True)
    assert known.earlier == 2
    known.add(sent(KEPT), earlier=False)
    assert len(known) == KEPT
    assert known.oldest(1)[0].at == -2


def test_each_day_is_tallied_by_class_however_many_there_were():
    known = requests()
    known.add(sent(*(NOON + n for n in range(KEPT + 10)), cls=RequestClass.VISIBLE), earlier=False)
    known.add(sent(NOON, status=429), earlier=False)
    known.add(sent(NOON - DAY, status=None), earlier=True)
    today = known.tally(TODAY)
    assert (today.total, today.refused) == (KEPT + 11, 1)
    assert today.by_class[RequestClass.VISIBLE] == KEPT + 10
    assert today.by_class[RequestClass.PERSON] == 1
    assert known.tally(date(2025, 11, 20)).total == 1
    assert known.tally(date(2025, 11, 19)).total == 0
