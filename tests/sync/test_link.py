"""Whether the service is there, and how long it is left alone when it is not; the same for single records."""

from __future__ import annotations

import pytest

from petstore_desktop.api.admission import GateLocked
from petstore_desktop.clock import ManualClock
from petstore_desktop.domain.errors import (
    AnswerUnusable,
    Interrupted,
    KeyRejected,
    NotOffered,
    RateLimited,
    ServiceFailed,
    ShopError,
    StorageError,
    Unreachable,
)
from petstore_desktop.domain.quota import Link
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.events import Event, LinkMoved
from petstore_desktop.sync.holds import Holds
from petstore_desktop.sync.link import LinkWatch


class Longest:
    """Chance that always takes the most."""

    def uniform(self, a: float, b: float) -> float:
        return max(a, b)


def watch() -> tuple[LinkWatch, list[Event]]:
    told: list[Event] = []
    return LinkWatch("shop", ManualClock(), Longest(), told.append), told


@pytest.mark.parametrize(
    ("error", "link"),
    [
        (Unreachable(), Link.OFFLINE),
        (Interrupted(), Link.OFFLINE),
        (ServiceFailed(status=500), Link.LIVE),
        (RateLimited(status=429), Link.LIVE),
        (KeyRejected(status=401), Link.LIVE),
        (AnswerUnusable("not-json"), Link.LIVE),
        (GateLocked(status=401), Link.IDLE),  # nothing was asked
        (NotOffered(), Link.IDLE),
        (StorageError("disk-full"), Link.IDLE),
        (Unreachable("gate-closed"), Link.IDLE),
    ],
    ids=str,
)
def test_only_a_missing_answer_means_offline_and_only_an_answer_means_live(error: ShopError, link: Link) -> None:
    watched, told = watch()
    watched.failed(error)
    assert watched.link is link
    assert len(told) == (link is not Link.IDLE)


def test_offline_is_told_once_with_its_beginning_and_live_again() -> None:
    watched, told = watch()
    watched.answered()
    watched.answered()
    for _ in range(3):
        watched.failed(Unreachable())
    watched.answered()
    assert [event.link for event in told if isinstance(event, LinkMoved)] == [Link.LIVE, Link.OFFLINE, Link.LIVE]


def test_the_wait_doubles_from_2_to_60_seconds_and_ends_with_an_answer() -> None:
    watched, _ = watch()
    assert watched.wait_s() == 0.0
    waits: list[float] = []
    for _ in range(7):
        watched.failed(Unreachable())
        waits.append(watched.wait_s())
    assert waits == [2, 4, 8, 16, 32, 60, 60]
    watched.answered()
    assert watched.wait_s() == 0.0


def test_a_record_is_left_alone_for_longer_each_time_it_fails() -> None:
    clock = ManualClock()
    holds = Holds(clock, lambda ref: ref)
    ref = Ref(Resource.PETS, 1)
    waits: list[float | None] = []
    for _ in range(10):
        holds.hold(ref)
        waits.append(holds.shortest())
    assert [None if wait is None else round(wait) for wait in waits] == [None, 2, 4, 8, 16, 32, 64, 128, 256, 300]
    assert holds.is_held(ref)
    clock.advance(300.1)
    assert not holds.is_held(ref)
    holds.hold(ref)
    holds.release(ref)
    assert (holds.is_held(ref), holds.shortest()) == (False, None)


def test_a_record_created_here_is_held_under_its_new_id_too() -> None:
    real = {Ref(Resource.PETS, 1): Ref(Resource.PETS, 2)}
    holds = Holds(ManualClock(), lambda ref: real.get(ref, ref))
    holds.hold(Ref(Resource.PETS, 1), first_free=False)
    assert holds.is_held(Ref(Resource.PETS, 2))
