"""A service that fails, or is not there: what is sent meanwhile, how soon its return is noticed, and that people do not
wait. In virtual time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import httpx
import pytest

from petstore_desktop.api.http.transport import DEADLINE_S, SILENT_S
from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange
from petstore_desktop.domain.commands import CheckLive, Refresh, Retry, Watch
from petstore_desktop.domain.quota import Link
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.wire.events import Checked, ContractRead, LinkMoved, LoadFailed
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime

HOUR = 3_600.0
NOTICED_S = 61.0
"""Within a minute, and the way there and back."""


@pytest.fixture
def shop(loop: VirtualTime, tmp_path: Path) -> Iterator[VirtualShop]:
    shop = VirtualShop(loop, tmp_path / "shop", rpd=100_000)
    yield shop
    shop.close()


@pytest.fixture
def desk(loop: VirtualTime, shop: VirtualShop, tmp_path: Path) -> VirtualDesk:
    desk = VirtualDesk(loop, shop, tmp_path / "desk")
    desk.wait_idle()
    desk.submit(Watch((), present=False))  # nothing is read for nobody
    loop.run_for(1.0)
    return desk


def stock(shop: VirtualShop) -> Ref:
    return Ref(Resource.INVENTORY, shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 1")[0][0])


def link(desk: VirtualDesk) -> Link:
    return desk.of(LinkMoved)[-1].link


def since(shop: VirtualShop, count: int) -> list[float]:
    return [line["time"] for line in shop.log_lines()[count:]]


@pytest.mark.parametrize("how", ["the line is cut", "no connection"])
def test_an_outage_is_over_a_minute_after_the_service_is_back_and_costs_a_request_a_minute(
    loop: VirtualTime, shop: VirtualShop, desk: VirtualDesk, how: str
) -> None:
    asked: list[float] = []
    shop.before = lambda _: asked.append(loop.wall)
    cut = how == "no connection"
    desk.network.cut = cut
    shop.control("offline", on=not cut)
    ids = desk.apply(NewChange(stock(shop), AddStock(1), {}))
    desk.wait(lambda: link(desk) is Link.OFFLINE, "it is offline", NOTICED_S)
    loop.run_for(HOUR)
    assert len(asked) <= 10 + 61 + 1
    assert all(later - sooner <= NOTICED_S for sooner, later in pairwise(asked))
    desk.network.cut = False
    shop.control("offline", on=False)
    desk.wait(lambda: link(desk) is Link.LIVE, "it is live", NOTICED_S)
    desk.wait_for(ids, ChangeState.DONE, 5.0)
    desk.close()


@pytest.mark.parametrize(("delay_s", "after"), [(20.0, Link.LIVE), (90.0, Link.OFFLINE)])
def test_a_service_that_hangs_is_not_said_to_be_live(
    loop: VirtualTime, shop: VirtualShop, desk: VirtualDesk, delay_s: float, after: Link
) -> None:
    """The status bar said "live" for as long as a request was waited for: half a minute."""
    assert link(desk) is Link.LIVE
    shop.control("delay", seconds=delay_s)
    began = loop.wall
    desk.submit(CheckLive(stock(shop)))
    loop.run_for(SILENT_S - 1)
    assert link(desk) is Link.LIVE, "many a service is slow"
    loop.run_for(2.0)
    told = desk.of(LinkMoved)[-1]
    assert told.link is Link.SILENT
    assert told.since == pytest.approx(began, abs=0.5)
    desk.wait(lambda: link(desk) is after, "the end of the wait is told", DEADLINE_S + 1)
    desk.close()


def test_what_a_person_does_is_tried_at_once_however_long_nothing_answered(
    loop: VirtualTime, shop: VirtualShop, desk: VirtualDesk
) -> None:
    ref = stock(shop)
    shop.control("offline")
    ids = desk.apply(NewChange(ref, AddStock(1), {}))
    loop.run_for(HOUR)
    acts = [
        lambda: desk.submit(Refresh((Resource.PETS,))),
        lambda: desk.submit(CheckLive(ref)),
        lambda: desk.apply(NewChange(ref, AddStock(1), {})),
        lambda: desk.submit(Retry(ids)),
    ]
    for act in acts:
        loop.run_for(5.0)
        before = len(shop.log_lines())
        act()
        loop.run_for(0.2)
        assert len(shop.log_lines()) > before
    shop.control("offline", on=False)
    desk.submit(CheckLive(ref))
    desk.wait(lambda: link(desk) is Link.LIVE, "it is live", 0.2)
    assert desk.of(Checked)[-1].error is None
    desk.wait_for(ids, ChangeState.DONE, 5.0)
    desk.close()


def test_lists_that_failed_in_an_outage_are_read_as_soon_as_it_is_over(
    loop: VirtualTime, shop: VirtualShop, desk: VirtualDesk
) -> None:
    shop.control("offline")
    desk.submit(Refresh(tuple(Resource)))
    loop.run_for(HOUR)
    failed = {event.resource for event in desk.of(LoadFailed)}
    assert failed == set(Resource)
    shop.control("offline", on=False)
    desk.wait(lambda: link(desk) is Link.LIVE, "it is live", NOTICED_S)
    ended = [len(desk.ended(resource)) for resource in Resource]
    desk.wait(
        lambda: all(len(desk.ended(resource)) > count for resource, count in zip(Resource, ended, strict=True)),
        "all lists are read",
        5.0,
    )
    desk.close()


def test_a_list_that_always_fails_does_not_use_up_the_day_while_all_else_goes_well(
    loop: VirtualTime, shop: VirtualShop, desk: VirtualDesk
) -> None:
    asked: list[str] = []

    def before(request: httpx.Request) -> None:
        asked.append(request.url.path)
        if request.url.path.endswith("/pets"):
            shop.control("answer-next", next=1, status=500, body="")

    shop.before = before
    desk.submit(Refresh((Resource.PETS,)))
    loop.run_for(8 * HOUR)
    assert len(asked) <= 8 * 12 + 10  # once in five minutes, after the first few
    assert link(desk) is Link.LIVE
    shop.before = lambda _: None
    desk.wait(lambda: len(desk.ended(Resource.PETS)) > 1, "the list is read", 320.0)
    desk.close()


def test_changes_to_a_service_that_fails_leave_seldom_and_all_arrive_once(
    loop: VirtualTime, shop: VirtualShop, desk: VirtualDesk
) -> None:
    pets = [row[0] for row in shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 20")]
    before = dict(shop.rows("SELECT pet_id, quantity FROM inventory"))
    shop.control("answer-next", next=100_000, status=502, body="")
    count = len(shop.log_lines())
    ids = desk.apply(*(NewChange(Ref(Resource.INVENTORY, pet), AddStock(1), {}) for pet in pets))
    loop.run_for(HOUR)
    sent = len(shop.log_lines()) - count
    assert sent <= len(pets) + 10 + 62  # each once, and the retries that there are
    shop.control("answer-next", next=0)
    desk.wait_for(ids, ChangeState.DONE, 400.0)
    after = dict(shop.rows("SELECT pet_id, quantity FROM inventory"))
    assert all(after[pet] == before[pet] + 1 for pet in pets)
    desk.close()


def test_what_the_service_offers_is_asked_for_again_a_minute_after_it_is_there_and_at_once_for_a_person(
    loop: VirtualTime, shop: VirtualShop, tmp_path: Path
) -> None:
    for number, person in enumerate((False, True)):
        shop.control("offline")
        desk = VirtualDesk(loop, shop, tmp_path / f"desk{number}")
        loop.run_for(HOUR)
        assert desk.of(ContractRead)[-1].contract.source == "default"
        shop.control("offline", on=False)
        if person:
            loop.run_for(0.5)
            desk.submit(Refresh((Resource.PETS,)))
        desk.wait(
            lambda desk=desk: desk.of(ContractRead)[-1].contract.source == "published",
            "the contract is known",
            0.3 if person else NOTICED_S,
        )
        desk.wait_idle(30.0)
        desk.close()
