"""Each way in which a service stops the sending, brought about by a real one, and what a person is told it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.commands import CheckLive, PriceBatch, Refresh, UseKey
from petstore_desktop.domain.quota import Cause, GateView, Quota, Window
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.domain.send_block import SendBlock, send_block_of
from petstore_desktop.sync.wire.events import BatchPriced, Checked, GateMoved, QuotaMoved
from tests.support.session import Watched, stock
from tests.support.shop import Shop

JITTER = 2.0
HOURS = 2 * 3600
AHEAD = 3 * 3600 + 120
Start = Callable[..., "Desk"]


class Desk:
    """A session of its own key, asked what a person would be told."""

    def __init__(self, folder: Path, server: Shop, key: str, **connection: object) -> None:
        self._server, self._key = server, key
        server.control("restore", key=key)
        self.session = Watched(folder, server, key=key, **connection)
        self.session.wait_loaded()
        self.began = time.time()

    def control(self, action: str, **body: object) -> None:
        self._server.control(action, **body)

    @property
    def quota(self) -> Quota:
        told = self.session.of(QuotaMoved)
        return told[-1].quota if told else Quota()

    def send_block(self, unsent: int = 1) -> SendBlock | None:
        told = self.session.of(GateMoved)
        return send_block_of(told[-1].gate if told else GateView(), self.quota, unsent)

    def until(self, cause: Cause) -> SendBlock:
        """Wait until this is why nothing leaves."""

        def is_so() -> SendBlock | None:
            blocked = self.send_block()
            return blocked if blocked is not None and blocked.cause is cause else None

        return self.session.wait(is_so, f"the cause is {cause}") or pytest.fail("it is gone")

    def book(self) -> None:
        """A change that has to be sent."""
        self.session.apply(NewChange(self._ref(), AddStock(1), {}))

    def look(self) -> None:
        """A person's own request."""
        self.session.submit(CheckLive(self._ref()))

    def look_until(self, cause: Cause) -> SendBlock:
        """Look, each time once the look before is answered, until this is why nothing leaves."""
        while True:
            before = len(self.session.of(Checked))
            self.look()

            def over(before: int = before) -> bool:
                blocked = self.send_block()
                return len(self.session.of(Checked)) > before or (blocked is not None and blocked.cause is cause)

            self.session.wait(over, "an answer or the end")
            blocked = self.send_block()
            if blocked is not None and blocked.cause is cause:
                return blocked

    def none_left(self, cause: Cause) -> list[SendBlock]:
        """Why nothing leaves, where it is this, and no request is left."""
        blocked = self.send_block()
        return [blocked] if blocked is not None and blocked.cause is cause and not blocked.window.remaining else []

    def _ref(self) -> Ref:
        return stock(self._server.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 1")[0][0])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """One shop for all: each test has a key, and so windows, of its own."""
    with Shop(tmp_path_factory.mktemp("shop"), plan="free", pets=20) as shop:
        yield shop
    assert shop.errors() == ""


@pytest.fixture
def desk(server: Shop, tmp_path: Path) -> Iterator[Start]:
    desks: list[Desk] = []
    numbers = count()

    def start(**connection: object) -> Desk:
        number = next(numbers)
        desks.append(Desk(tmp_path / str(number), server, f"{tmp_path.name}-{number}", **connection))
        return desks[-1]

    yield start
    for one in desks:
        one.session.close()
    for action in ("clock", "limit-headers", "retry-after"):
        server.control(action)
    server.control("answer-next", next=0)


def near(at: float | None, seconds: float, since: float) -> bool:
    """Whether that is so many seconds, and some for what rounds and for chance, after a moment between `since` and
    now."""
    return at is not None and since + seconds - 1.0 <= at <= time.time() + seconds + JITTER + 2.0


def test_a_day_that_a_429_calls_used_up_is_known_as_such(desk: Start) -> None:
    one = desk(plan="free")
    one.control("exhaust", day=True, ends_in=HOURS)
    one.book()
    blocked = one.until(Cause.DAY)
    assert near(blocked.until, HOURS, one.began)
    assert (blocked.window.limit, blocked.window.own_count) == (1000, True)
    assert blocked.gate.raw is not None and "too many requests" in blocked.gate.raw
    one.session.submit(PriceBatch("what waits", ()))
    (priced,) = one.session.wait(lambda: one.session.of(BatchPriced), "it is priced")
    assert priced.price is not None
    assert priced.price.days == 1
    assert priced.price.leaves_of_day in (None, 0)


def test_a_day_that_the_headers_call_used_up_is_known_before_any_429(desk: Start, server: Shop) -> None:
    one = desk()
    one.control("limit-headers", say="both")
    one.control("exhaust", day=True, ends_in=HOURS, leave=1)
    one.book()
    blocked = one.until(Cause.DAY)
    assert near(blocked.until, HOURS, one.began)
    assert blocked.window == Window(1000, 0, blocked.window.resets_at, others=blocked.window.others)
    assert 429 not in [line["status"] for line in server.log_lines()[-1:]]


def test_a_day_that_is_used_up_by_our_own_count_is_known_as_our_own_count(desk: Start) -> None:
    one = desk(per_day=30)
    one.look_until(Cause.DAY)
    (blocked,) = one.session.wait(lambda: one.none_left(Cause.DAY), "the count, which is told after the gate")
    assert (blocked.window.limit, blocked.window.remaining, blocked.window.own_count) == (30, 0, True)
    assert blocked.until is not None
    assert (
        one.began + 86_395.0 < blocked.until < time.time() + 86_765.0
    )  # it forgets each request at most six minutes late


def test_when_the_rest_of_the_day_is_kept_for_the_person_that_is_why_changes_wait(desk: Start) -> None:
    one = desk()
    one.control("limit-headers", say="both")
    one.control("exhaust", day=True, ends_in=HOURS, leave=90)
    one.look()
    one.session.wait(lambda: one.session.of(Checked), "the look is answered")
    one.book()
    blocked = one.until(Cause.SHARE)
    assert near(blocked.until, HOURS - JITTER, one.began)
    assert blocked.window.remaining is not None and 0 < blocked.window.remaining <= 100
    assert one.send_block(unsent=0) is None


def test_a_ban_is_known_as_a_ban_with_its_end(desk: Start) -> None:
    one = desk()
    one.control("ban", seconds=900)
    one.book()
    blocked = one.until(Cause.BANNED)
    assert near(blocked.until, 900, one.began)
    assert blocked.gate.status == 403
    assert "banned" in (blocked.gate.reason or "")


def test_a_revoked_key_is_known_as_one(desk: Start) -> None:
    one = desk()
    one.control("revoke")
    one.book()
    blocked = one.until(Cause.LOCKED)
    assert (blocked.until, blocked.gate.status) == (None, 401)


def test_a_list_that_a_revoked_key_could_not_read_is_read_at_once_with_the_next_key(desk: Start) -> None:
    one = desk()
    one.control("revoke")
    one.session.submit(Refresh((Resource.CATEGORIES,)))
    one.session.wait(lambda: one.session.load_failures(Resource.CATEGORIES), "the list cannot be read")
    before = len(one.session.ended(Resource.CATEGORIES))
    one.control("restore", key="another")
    one.session.submit(UseKey("another"))
    one.session.wait(lambda: len(one.session.ended(Resource.CATEGORIES)) > before, "the list is read anew")
    assert one.send_block() is None


@pytest.mark.parametrize(
    ("status", "headers", "seconds", "cause"),
    [
        (503, {"Retry-After": "300"}, 300.0, Cause.BUSY),
        (429, {"Retry-After": "300"}, 300.0, Cause.ASKED),
        (429, {"Retry-After": "in a while"}, 60.0, Cause.ASKED),
        (200, {"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0"}, 60.0, Cause.UNTOLD),
    ],
)
def test_other_answers_that_stop_the_sending_are_told_apart(
    desk: Start, status: int, headers: dict[str, str], seconds: float, cause: Cause
) -> None:
    one = desk()
    one.control("limit-headers", say="nothing")
    one.control(
        "answer-next", next=1, status=status, body="[]", headers={"Content-Type": "application/json", **headers}
    )
    one.look()
    assert near(one.until(cause).until, seconds, one.began)


@pytest.mark.parametrize("ahead", [AHEAD, -AHEAD])
@pytest.mark.parametrize("form", ["seconds", "date", "nothing"])
def test_the_wait_is_as_long_as_it_should_be_whatever_the_services_clock_says(
    desk: Start, ahead: int, form: str
) -> None:
    one = desk()
    one.control("clock", ahead=ahead)
    one.control("retry-after", **{"as": form})
    one.control("exhaust", ends_in=40)
    one.book()
    told: list[Any] = one.session.wait(
        lambda: [
            blocked
            for blocked in [one.send_block()]
            if blocked is not None and blocked.cause in (Cause.ASKED, Cause.MINUTE) and blocked.skew
        ],
        "the pause and the clock are told",
    )
    assert near(told[0].until, 40, one.began)
    assert told[0].skew == pytest.approx(ahead, abs=3)


def test_where_the_service_says_nothing_the_plan_counts_and_without_one_nobody_knows(desk: Start, server: Shop) -> None:
    server.control("limit-headers", say="nothing")
    unknown = desk().quota
    assert (unknown.minute, unknown.day) == (Window(), Window())
    known = desk(plan="free").quota
    assert (known.minute.limit, known.minute.own_count) == (60, True)
    assert (known.day.limit, known.day.own_count) == (1000, True)
    assert known.day.remaining is not None and 980 < known.day.remaining < 1000
