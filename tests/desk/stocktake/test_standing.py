"""Which differences may be booked: against a service that sells at any moment and read at odd ones, the stock
after booking is always what was counted and what changed after that, or the line is left to a person."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from petstore_desktop.desk.scanning.session import ScanLine
from petstore_desktop.desk.stocktake.standing import UNDER_WAY_S, LineStanding, Now, judge
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.domain.seen_changes import SeenChange, What, Who

REF = Ref(Resource.INVENTORY, 1)


def line(
    expected: int = 10, counted: int = 9, at: float = 1000.0, since: float | None = None, pending: int = 0
) -> ScanLine:
    quantity = expected - pending
    return line_of(counted, expected, quantity, 900.0, at if since is None else since, at)


def line_of(counted: int, expected: int | None, quantity: int | None, said: float, since: float, at: float) -> ScanLine:
    return ScanLine(("line", 1), "form", at, counted, 0, "Koi", expected, quantity, said, since)


def change(before: int, after: int, seen_after: float, seen_by: float, who: Who = Who.ELSEWHERE) -> SeenChange:
    return SeenChange(REF, What.CHANGED, who, "quantity", before, after, seen_after, seen_by, {}, "Koi")


def now(quantity: int | None, shown: int | None = None, *, looked: bool = True) -> Now:
    return Now(quantity, quantity if shown is None else shown, looked, 5000.0)


LATE = 1000.0 + UNDER_WAY_S
CASES = [
    (line(), now(10), (), LineStanding("sure")),
    (line(), now(10, looked=False), (), LineStanding("unread")),
    (line(), now(None), (), LineStanding("gone")),
    (line(), now(10), (change(11, 10, 500, 999),), LineStanding("sure")),  # seen before the count: it was expected
    (line(), now(7), (change(10, 7, LATE, 2000),), LineStanding("later", -3)),
    (line(), now(7), (change(10, 7, 999, 2000),), LineStanding("unclear", -3)),
    (line(), now(7), (change(10, 7, 1001, 2000),), LineStanding("unclear", -3)),  # that reading may have begun before
    (line(), now(10), (change(10, 9, 900, 2000), change(9, 10, 2000, 3000)), LineStanding("unclear")),  # moved and back
    (line(), now(9), (), LineStanding("unclear", -1)),  # the history does not say why
    (line(since=800.0), now(10), (change(11, 10, 700, 900),), LineStanding("unclear")),  # while it was being counted
    (line(), now(8, 8), (change(10, 8, 900, 2000, Who.HERE),), LineStanding("here", -2)),
    (line(), now(10, 8), (), LineStanding("here", -2)),
    (line(8, pending=-2), now(10, 8), (), LineStanding("here")),  # booked before the count, and not sent yet
    (line(8, pending=-2), now(8, 8), (change(10, 8, 900, 2000, Who.HERE),), LineStanding("sure")),  # and sent since
    (line(8, pending=-2), now(10, 10), (), LineStanding("here", 2)),  # and taken back since
    (line(8, pending=-2), now(9, 7), (change(10, 9, LATE, 2000),), LineStanding("unclear", -1)),
]


@pytest.mark.parametrize(("counted", "present", "changes", "standing"), CASES)
def test_what_may_be_booked(
    counted: ScanLine, present: Now, changes: tuple[SeenChange, ...], standing: LineStanding
) -> None:
    assert judge(counted, present, changes) == standing


def test_a_line_without_an_entry_and_a_stock_that_came_anew_are_left_to_a_person() -> None:
    without = line_of(3, None, None, 0.0, 1000.0, 1000.0)
    assert judge(without, now(3), ()).why == "no-entry"
    came = SeenChange(REF, What.NEW, Who.ELSEWHERE, "", None, None, 900.0, 2000.0, {"quantity": 10}, "Koi")
    assert judge(line(), now(10), (came,)).why == "unclear"


def test_a_clock_that_was_set_back_leaves_what_moved_to_a_person() -> None:
    ahead = line_of(9, 10, 10, 9000.0, 1000.0, 1000.0)  # read when the clock was ahead
    assert judge(ahead, now(7), (change(10, 7, 2000, 2000),)).why == "unclear"
    assert judge(line(), Now(10, 10, looked=True, at=500.0), ()).why == "unclear"


@dataclass
class PlainService:
    """The truth: a stock that moves at any moment, readings that take a while, and what two of them show."""

    stock: int = 20
    clock: float = 0.0
    moves: list[tuple[float, int]] = field(default_factory=list[tuple[float, int]])
    said: tuple[int, float] = (20, 0.0)
    seen: list[SeenChange] = field(default_factory=list[SeenChange])
    pending: tuple[int, float] | None = None
    """A reading under way: what it will show, and when it was asked for."""

    def move(self, by: int) -> None:
        self.stock += by
        self.moves.append((self.clock, by))

    def ask(self) -> None:
        self.pending = self.pending or (self.stock, self.clock)

    def answer(self) -> None:
        if self.pending is not None:
            self.show(self.pending[0])
            self.pending = None

    def wait(self, seconds: float) -> None:
        """No answer takes as long as UNDER_WAY_S."""
        until = self.clock + seconds
        if self.pending is not None and until >= self.pending[1] + UNDER_WAY_S:
            self.clock = max(self.clock, self.pending[1] + UNDER_WAY_S - 1)
            self.answer()
        self.clock = max(self.clock, until)

    def show(self, value: int) -> None:
        before, at = self.said
        if before != value:
            self.seen.append(change(before, value, at, self.clock))
        self.said = (value, self.clock)


STEPS = st.sampled_from(
    [("move", by) for by in (-1, -3)]
    + [("wait", seconds) for seconds in (0, 1, 20, 70, 300)]
    + [("count", counted) for counted in (0, 7, 30)]
    + [("ask", 0), ("answer", 0)]
)


def play(service: PlainService, steps: list[tuple[str, int]]) -> ScanLine | None:
    """What was counted last, after these steps and the look before booking."""
    counted = None
    for what, number in steps:
        service.clock += 0.5
        if what == "move":
            service.move(number)
        elif what == "wait":
            service.wait(number)
        elif what == "count":
            value, at = service.said
            counted = line_of(number, value, value, at, service.clock, service.clock)
        else:
            getattr(service, what)()
    for look in (service.answer, service.ask, service.answer):
        service.clock += 1
        look()
    return counted


@given(st.lists(STEPS, min_size=3, max_size=30))
def test_the_stock_is_what_was_counted_and_what_was_sold_after_or_a_person_decides(
    steps: list[tuple[str, int]],
) -> None:
    service = PlainService()
    counted = play(service, steps)
    if counted is None:
        return
    present = Now(service.said[0], service.said[0], looked=True, at=service.clock)
    standing = judge(counted, present, service.seen)
    event(standing.why)
    assert standing.why in ("sure", "later", "unclear")
    if standing.sure:
        sold = sum(by for at, by in service.moves if at > counted.at)
        assert service.stock + (counted.difference or 0) == counted.counted + sold
