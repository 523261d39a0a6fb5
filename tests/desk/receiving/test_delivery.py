"""Lines of a delivery: scans and numbers, what is stored of them, and what booking and crashes leave."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count

import pytest

from petstore_desktop.desk.changes.done_act import Inverse
from petstore_desktop.desk.receiving.delivery import MOST, Delivery, LineKey
from petstore_desktop.domain.commands import Draft, KeepDraft
from petstore_desktop.domain.records import LocalId

KOI: LineKey = ("p", 1126)
EAN = "4006381333931"


class Disk:
    """Drafts as the journal keeps them."""

    def __init__(self) -> None:
        self.drafts: dict[str, Draft] = {}
        self.clock = 100.0
        self.numbers = count()
        self.acts: list[Inverse] = []
        """What takes back each act of the delivery that was made last."""

    def keep(self, drafts: tuple[KeepDraft, ...]) -> None:
        for one in drafts:
            if one.content is None:
                self.drafts.pop(one.form, None)
            else:
                self.drafts[one.form] = Draft(one.form, self.clock, one.content)

    def undo(self) -> bool:
        """Take back the last act that holds."""
        while self.acts:
            act = self.acts.pop()
            if act.holds(False):
                act.back()
                assert act.holds(True), "and it can be redone"
                return True
        return False

    def now(self) -> float:
        self.clock += 1
        return self.clock

    def delivery(self) -> Delivery:
        """A delivery of a new run of the program."""
        self.acts.clear()
        made = Delivery(lambda: f"b{next(self.numbers)}", self.now, self.keep, lambda _, act: self.acts.append(act))
        made.adopt(self.drafts)
        return made


def said(delivery: Delivery) -> list[tuple[LineKey, int, int]]:
    return [(line.key, line.count, line.typed) for line in (*delivery.unknown, *delivery.lines)]


@pytest.fixture
def disk() -> Disk:
    return Disk()


@pytest.fixture
def delivery(disk: Disk) -> Delivery:
    return disk.delivery()


def test_a_scan_adds_one_and_a_number_sets_how_many_came_this_time(delivery: Delivery) -> None:
    delivery.scan(1126)
    delivery.scan(1126)
    assert said(delivery) == [(KOI, 2, 0)]
    delivery.number(6)
    assert said(delivery) == [(KOI, 6, 6)]
    delivery.number(9)
    assert said(delivery) == [(KOI, 9, 9)], "a number typed again corrects it"


def test_the_same_pet_again_adds_to_its_line(delivery: Delivery) -> None:
    delivery.scan(1126)
    delivery.number(6)
    delivery.scan(1054)
    delivery.scan(1126)
    delivery.number(4)
    assert said(delivery) == [(KOI, 10, 10), (("p", 1054), 1, 0)]
    delivery.scan(1126)
    assert said(delivery)[0] == (KOI, 11, 10)
    delivery.number(2)
    assert said(delivery)[0] == (KOI, 12, 12), "a further box, scanned and counted"


def test_zero_takes_the_line_out_and_a_number_without_anything_in_hand_is_none(delivery: Delivery) -> None:
    assert delivery.number(6) is None
    delivery.scan(1126)
    assert delivery.number(0) is None
    assert said(delivery) == []
    assert delivery.number(6) is None


def test_the_newest_comes_first_and_a_line_is_set_as_a_whole_in_the_list(delivery: Delivery) -> None:
    for pet in (1, 2, 3):
        delivery.scan(pet)
    delivery.set_count(("p", 1), 7)
    assert [line.pet for line in delivery.lines] == [1, 3, 2]
    assert delivery.lines[0].typed == 7


def test_undo_takes_back_act_by_act(delivery: Delivery, disk: Disk) -> None:
    delivery.scan(1)
    delivery.scan(2)
    delivery.number(5)
    delivery.remove(("p", 1))
    before = dict(disk.drafts)
    assert disk.undo()
    assert said(delivery) == [(("p", 2), 5, 5), (("p", 1), 1, 0)]
    disk.undo()
    assert said(delivery) == [(("p", 2), 1, 0), (("p", 1), 1, 0)]
    disk.undo()
    disk.undo()
    assert said(delivery) == [] and disk.drafts == {} and before
    assert not disk.undo()


def test_after_undo_a_number_means_what_it_meant_before(delivery: Delivery, disk: Disk) -> None:
    delivery.scan(1)
    delivery.number(4)
    delivery.scan(1)
    delivery.number(6)
    disk.undo()
    delivery.number(5)
    assert said(delivery) == [(("p", 1), 9, 9)], "4 in the first box, 5 in the second"
    delivery.scan(2)
    disk.undo()
    delivery.number(7)
    assert said(delivery) == [(("p", 1), 11, 11)], "the pet before is in hand again"
    delivery.remove(("p", 1))
    assert delivery.in_hand is None and delivery.number(3) is None
    disk.undo()
    delivery.number(8)
    assert said(delivery) == [(("p", 1), 12, 12)]


def test_a_code_that_no_pet_has_is_counted_until_its_pet_is_chosen(delivery: Delivery, disk: Disk) -> None:
    taken_back: list[int] = []
    delivery.scan(1126)
    delivery.scan_code(EAN)
    delivery.number(3)
    delivery.assign(EAN, 1126, (lambda: taken_back.append(1), bool))
    assert said(delivery) == [(KOI, 4, 3)]
    assert len(disk.drafts) == 1
    disk.undo()
    assert said(delivery) == [(("c", EAN), 3, 3), (KOI, 1, 0)]
    assert taken_back == [1]


def test_another_run_finds_all_lines_and_nothing_in_hand(delivery: Delivery, disk: Disk) -> None:
    delivery.scan(1126, 4)
    delivery.scan(LocalId("0123"))
    delivery.scan("a:b")
    delivery.scan_code("c:1:2")
    again = disk.delivery()
    assert said(again) == said(delivery)
    assert again.begun == delivery.begun
    assert again.number(5) is None


def test_booking_hands_the_lines_over_and_what_is_scanned_then_is_another_delivery(
    delivery: Delivery, disk: Disk
) -> None:
    delivery.scan(1126, 6)
    delivery.scan_code(EAN)
    booking = delivery.hand_over(delivery.lines)
    delivery.scan(1126)
    assert booking.batch == "b0"
    disk.keep(booking.drafts)
    assert said(delivery) == [(("c", EAN), 1, 0), (KOI, 1, 0)]
    assert said(disk.delivery()) == said(delivery)


def test_what_could_not_be_booked_stands_there_again_with_what_was_scanned_since(
    delivery: Delivery, disk: Disk
) -> None:
    delivery.scan(1126, 6)
    booking = delivery.hand_over(delivery.lines)
    delivery.scan(1126)
    assert not delivery.adopt(disk.drafts), "what is on its way into the journal is not taken for left over"
    assert delivery.not_booked(booking.batch)
    assert said(delivery) == [(KOI, 7, 0)]
    assert said(disk.delivery()) == [(KOI, 7, 0)]


def test_lines_whose_batch_was_written_in_a_second_try_go(delivery: Delivery, disk: Disk) -> None:
    delivery.scan(1126, 6)
    booking = delivery.hand_over(delivery.lines)
    delivery.not_booked(booking.batch)
    disk.keep(booking.drafts)
    assert delivery.ended({line.form for line in booking.lines}, disk.drafts)
    assert said(delivery) == []


def test_a_desk_that_was_closed_while_its_batch_failed_shows_the_lines_again(delivery: Delivery, disk: Disk) -> None:
    delivery.scan(1, 2)
    first = delivery.hand_over(delivery.lines)
    delivery.reconcile(disk.drafts, {first.batch})
    assert said(delivery) == []
    delivery.reconcile(disk.drafts, ())
    assert said(delivery) == [(("p", 1), 2, 0)]


def test_odd_drafts_are_left_alone(disk: Disk) -> None:
    for form in ("receive:", "receive:b", "receive:b:", "receive:b:p", "receive:b:x1", "new-pet", "receive-note"):
        disk.drafts[form] = Draft(form, 1.0, {"count": "1"})
    for text in ("0", "-1", "x", str(MOST + 1)):
        disk.drafts[f"receive:b:p{text}"] = Draft("", 1.0, {"count": text})
    assert said(disk.delivery()) == []


def test_no_line_holds_more_than_it_may(delivery: Delivery) -> None:
    delivery.scan(1, MOST)
    delivery.scan(1)
    delivery.number(MOST)
    assert delivery.lines[0].count == MOST


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_done_the_disk_has_what_the_desk_shows(seed: int) -> None:
    chance, disk = random.Random(seed), Disk()
    delivery = disk.delivery()
    acts: list[Callable[[], object]] = [
        lambda: delivery.scan(chance.randrange(4)),
        lambda: delivery.scan_code(chance.choice("ab")),
        lambda: delivery.number(chance.randrange(9)),
        lambda: delivery.remove(("p", chance.randrange(4))),
        lambda: delivery.set_count(("p", chance.randrange(4)), chance.randrange(9)),
        lambda: delivery.assign(chance.choice("ab"), chance.randrange(4)),
        disk.undo,
    ]
    for _ in range(60):
        chance.choice(acts)()
        own = list(disk.acts)
        assert sorted(said(disk.delivery()), key=str) == sorted(said(delivery), key=str)
        disk.acts[:] = own
        assert all(line.count > 0 and 0 <= line.typed <= line.count for line in (*delivery.lines, *delivery.unknown))
