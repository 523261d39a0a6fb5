"""Lines of a delivery: scans and numbers, what is stored of them, and what booking and crashes leave."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from petstore_desktop.desk.changes.done_act import Inverse
from petstore_desktop.desk.receiving import MOST, Delivery
from petstore_desktop.desk.scanning.session import Hears, Place, ScanLine
from petstore_desktop.domain.commands import Draft, KeepDraft
from petstore_desktop.domain.records import LocalId

KOI: Place = ("line", 1126)
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
        made = Delivery(lambda: f"b{next(self.numbers)}", self.keep, self.now)
        made.hears = Hears(acted=lambda _, act: self.acts.append(act))
        made.go_on(self.drafts)
        return made


def newest(lines: dict[Any, ScanLine]) -> list[ScanLine]:
    return [*reversed(lines.values())]


def said(delivery: Delivery) -> list[tuple[Place, int, int]]:
    lines = (*newest(delivery.codes), *newest(delivery.lines))
    return [(line.place, line.counted, line.typed or 0) for line in lines]


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
    assert said(delivery) == [(KOI, 10, 10), (("line", 1054), 1, 0)]
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
    delivery.set_count(("line", 1), 7)
    assert [line.pet for line in newest(delivery.lines)] == [1, 3, 2]
    assert delivery.lines[1].typed == 7


def test_undo_takes_back_act_by_act(delivery: Delivery, disk: Disk) -> None:
    delivery.scan(1)
    delivery.scan(2)
    delivery.number(5)
    delivery.drop(("line", 1))
    before = dict(disk.drafts)
    assert disk.undo()
    assert said(delivery) == [(("line", 2), 5, 5), (("line", 1), 1, 0)]
    disk.undo()
    assert said(delivery) == [(("line", 2), 1, 0), (("line", 1), 1, 0)]
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
    assert said(delivery) == [(("line", 1), 9, 9)], "4 in the first box, 5 in the second"
    delivery.scan(2)
    disk.undo()
    delivery.number(7)
    assert said(delivery) == [(("line", 1), 11, 11)], "the pet before is in hand again"
    delivery.drop(("line", 1))
    assert delivery.in_hand is None and delivery.number(3) is None
    disk.undo()
    delivery.number(8)
    assert said(delivery) == [(("line", 1), 12, 12)]


def test_a_code_that_no_pet_has_is_counted_until_its_pet_is_chosen(delivery: Delivery, disk: Disk) -> None:
    taken_back: list[int] = []
    delivery.scan(1126)
    delivery.scan_code(EAN)
    delivery.number(3)
    delivery.assign(EAN, 1126, (lambda: taken_back.append(1), bool))
    assert said(delivery) == [(KOI, 4, 3)]
    assert len(disk.drafts) == 1
    disk.undo()
    assert said(delivery) == [(("code", EAN), 3, 3), (KOI, 1, 0)]
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
    batch, drafts = delivery.hand_over(delivery.lines.values())
    delivery.scan(1126)
    assert batch == "b0"
    disk.keep(drafts)
    assert said(delivery) == [(("code", EAN), 1, 0), (KOI, 1, 0)]
    assert said(disk.delivery()) == said(delivery)


def test_what_could_not_be_booked_stands_there_again_with_what_was_scanned_since(
    delivery: Delivery, disk: Disk
) -> None:
    delivery.scan(1126, 6)
    batch, drafts = delivery.hand_over(delivery.lines.values())
    delivery.scan(1126)
    delivery.follow([one.form for one in drafts], (), disk.drafts)
    assert said(delivery) == [(KOI, 1, 0)], "what is on its way into the journal is not taken for left over"
    delivery.not_booked(batch)
    assert said(delivery) == [(KOI, 7, 0)]
    assert said(disk.delivery()) == [(KOI, 7, 0)]


def test_lines_whose_batch_was_written_in_a_second_try_go(delivery: Delivery, disk: Disk) -> None:
    delivery.scan(1126, 6)
    tell(delivery, disk)
    batch, drafts = delivery.hand_over(delivery.lines.values())
    delivery.not_booked(batch)
    assert delivery.in_hand == KOI, "a number is for what came back"
    disk.keep(drafts)
    tell(delivery, disk, *drafts)
    assert said(delivery) == [] and delivery.in_hand is None


def test_lines_come_back_with_the_undo_of_their_batch_and_go_with_its_redo(delivery: Delivery, disk: Disk) -> None:
    delivery.scan(1126, 6)
    tell(delivery, disk)
    kept = dict(disk.drafts)
    _, drafts = delivery.hand_over(delivery.lines.values())
    disk.keep(drafts)
    tell(delivery, disk, *drafts)
    for _ in range(2):
        disk.drafts.update(kept)
        tell(delivery, disk, *drafts)
        assert said(delivery) == [(KOI, 6, 0)]
        disk.keep(drafts)
        tell(delivery, disk, *drafts)
        assert said(delivery) == []


def test_what_is_told_of_an_earlier_act_does_not_bring_back_what_was_undone_since(
    delivery: Delivery, disk: Disk
) -> None:
    told = list[dict[str, Draft]]()
    for act in (lambda: delivery.scan(1126), disk.undo, lambda: delivery.scan(1126)):
        act()
        told.append(dict(disk.drafts))
    (form,) = disk.drafts
    for drafts in told[:2]:
        delivery.follow([form], (), drafts)
        assert said(delivery) == [(KOI, 1, 0)]
    delivery.scan(1126)
    delivery.follow([form], (), told[2])
    assert said(delivery) == [(KOI, 2, 0)]


def test_a_pet_made_here_keeps_its_line_when_the_service_gives_it_a_number(disk: Disk) -> None:
    made, numbers = LocalId("0" * 32), dict[Any, Any]()
    acts = list[Inverse]()
    delivery = Delivery(lambda: "b", disk.keep, disk.now, lambda key: numbers.get(key, key))
    delivery.hears = Hears(acted=lambda _, act: acts.append(act))
    delivery.scan(made, 3)
    numbers[made] = 7
    delivery.renamed([made])
    assert (said(delivery), delivery.in_hand) == ([(("line", 7), 3, 0)], ("line", 7))
    delivery.scan(7)
    assert said(delivery) == [(("line", 7), 4, 0)]
    again = Delivery(lambda: "c", disk.keep, disk.now, lambda key: numbers.get(key, key))
    assert again.go_on(disk.drafts) and said(again) == said(delivery), "in another run too"
    for left in (3, 0):
        act = acts.pop()
        assert act.holds(False)
        act.back()
        assert sum(line.counted for line in delivery.entries()) == left
    assert disk.drafts == {}


def tell(delivery: Delivery, disk: Disk, *drafts: KeepDraft) -> None:
    """All that was stored so far is told, or what others did to these drafts."""
    delivery.follow([one.form for one in drafts or delivery.entries()], (), disk.drafts)


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
    assert delivery.lines[1].counted == MOST


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_done_the_disk_has_what_the_desk_shows(seed: int) -> None:
    chance, disk = random.Random(seed), Disk()
    delivery = disk.delivery()
    acts: list[Callable[[], object]] = [
        lambda: delivery.scan(chance.randrange(4)),
        lambda: delivery.scan_code(chance.choice("ab")),
        lambda: delivery.number(chance.randrange(9)),
        lambda: delivery.drop(("line", chance.randrange(4))),
        lambda: delivery.set_count(("line", chance.randrange(4)), chance.randrange(9)),
        lambda: delivery.assign(chance.choice("ab"), chance.randrange(4)),
        disk.undo,
    ]
    for _ in range(60):
        chance.choice(acts)()
        own = list(disk.acts)
        assert sorted(said(disk.delivery()), key=str) == sorted(said(delivery), key=str)
        disk.acts[:] = own
        assert all(line.counted > 0 and line.scans >= 0 and (line.typed or 0) >= 0 for line in delivery.entries())
