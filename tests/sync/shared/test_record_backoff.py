"""What goes wrong again and again is left alone for longer each time."""

from __future__ import annotations

from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.sync.shared.record_backoff import Act, BackOff, RecordBackOff
from tests.support.manual_clock import ManualClock

KOI, ADA = Ref(Resource.PETS, 1), Ref(Resource.PETS, 2)


def waits(free: int, times: int = 11) -> list[int | None]:
    """The seconds that something is left alone after each of so many failures in a row."""
    clock = ManualClock()
    back_off = BackOff[Ref](clock)
    found: list[int | None] = []
    for number in range(1, times + 1):
        assert back_off.failed(KOI, free=free) == number
        wait = back_off.shortest()
        assert back_off.is_held(KOI) is (wait is not None)
        found.append(None if wait is None else round(wait))
    return found


def test_a_record_is_left_alone_for_longer_each_time_it_fails() -> None:
    assert waits(free=0) == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
    assert waits(free=1) == [None, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
    assert waits(free=3) == [None, None, None, 2, 4, 8, 16, 32, 64, 128, 256]


def test_a_wait_is_over_by_time_and_when_it_goes_well() -> None:
    clock = ManualClock()
    back_off = BackOff[Ref](clock)
    back_off.failed(KOI)
    back_off.failed(ADA)
    back_off.failed(ADA)
    clock.advance(2.1)
    assert (back_off.is_held(KOI), back_off.is_held(ADA)) == (False, True)
    assert back_off.failed(KOI) == 2, "time is no success: it goes on where it was"
    back_off.went_well(KOI, ADA)
    assert (back_off.is_held(KOI), back_off.is_held(ADA), back_off.shortest()) == (False, False, None)
    assert back_off.failed(KOI) == 1


def test_each_act_waits_by_itself_and_whoever_begins_anew_waits_for_none() -> None:
    clock = ManualClock()
    back_off = RecordBackOff(clock)
    back_off.failed((Act.WRITE, KOI))
    assert (back_off.is_held((Act.WRITE, KOI)), back_off.is_held((Act.LOOK, KOI))) == (True, False)
    assert back_off.last_at((Act.LOOK, KOI)) is None
    assert back_off.last_at((Act.WRITE, KOI)) == clock.now().steady
    back_off.begin_anew()
    assert not back_off.is_held((Act.WRITE, KOI))


def test_a_record_created_here_is_held_under_its_new_id_too() -> None:
    made = Ref(Resource.PETS, LocalId.new())
    back_off = BackOff[Ref](ManualClock(), lambda ref: KOI if ref == made else ref)
    back_off.failed(made)
    assert back_off.is_held(KOI)
    back_off.went_well(KOI)
    assert not back_off.is_held(made)
