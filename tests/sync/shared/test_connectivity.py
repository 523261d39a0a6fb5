"""Whether the service is there, and how long a single record is left alone."""

from __future__ import annotations

import pytest

from petstore_desktop.api.gate.unauthorized import GateLocked
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
from petstore_desktop.sync.shared.connectivity import LinkWatch, came_to_nothing
from petstore_desktop.sync.wire.events import Event, LinkMoved
from tests.support.manual_clock import ManualClock


class Watch(LinkWatch):
    """Counts how often somebody is to find out."""

    def __init__(self, told: list[Event]) -> None:
        super().__init__("shop", ManualClock(), told.append, self._count)
        self.losses = 0

    def _count(self) -> None:
        self.losses += 1


def watch() -> tuple[Watch, list[Event]]:
    told: list[Event] = []
    return Watch(told), told


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


@pytest.mark.parametrize("error", [Unreachable(), Interrupted()], ids=str)
def test_each_missing_answer_asks_for_somebody_to_find_out_and_until_then_nothing_is_there(error: ShopError) -> None:
    watched, _ = watch()
    assert watched.there.is_set()
    for _ in range(2):
        watched.failed(error)
    assert (watched.losses, watched.there.is_set()) == (2, False)
    watched.failed(ServiceFailed(status=500))
    assert (watched.losses, watched.there.is_set()) == (2, True)


def test_another_key_is_asked_with_at_once_where_nothing_answered() -> None:
    watched, _ = watch()
    watched.asked_anew()
    watched.answered()
    watched.asked_anew()
    assert (watched.losses, watched.link) == (0, Link.IDLE)
    watched.failed(Unreachable())
    watched.asked_anew()
    assert (watched.losses, watched.link) == (2, Link.OFFLINE)


@pytest.mark.parametrize(
    ("error", "nothing"),
    [
        (Unreachable(), True),
        (Interrupted(), True),
        (ServiceFailed(status=500), True),
        (RateLimited(status=429), False),
        (AnswerUnusable("not-json"), False),
        (Unreachable("gate-closed"), False),
        (Unreachable("another-origin"), False),
        (NotOffered(), False),
    ],
    ids=str,
)
def test_only_what_the_service_or_the_line_did_not_do_came_to_nothing(error: ShopError, nothing: bool) -> None:
    assert came_to_nothing(error) is nothing
