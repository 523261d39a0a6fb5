"""A live check is always answered, once: unchanged or not, after a pause, offline, refused, gone, not shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.domain.commands import CheckLive, Watch
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.send.record_reader import RecordReader
from petstore_desktop.sync.wire.events import Checked, GateMoved
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime


@pytest.fixture(params=["full", "default"])
def shop(loop: VirtualTime, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[VirtualShop]:
    shop = VirtualShop(loop, tmp_path / "shop", service=request.param)
    yield shop
    shop.close()


@pytest.fixture
def desk(loop: VirtualTime, shop: VirtualShop, tmp_path: Path) -> VirtualDesk:
    desk = VirtualDesk(loop, shop, tmp_path / "desk")
    desk.wait_idle()
    desk.submit(Watch((), present=False))  # nothing is read for nobody
    loop.run_for(90.0)
    return desk


@pytest.fixture(params=["pets", "orders"])
def ref(shop: VirtualShop, request: pytest.FixtureRequest) -> Ref:
    ((key,),) = shop.rows(f"SELECT id FROM {request.param} ORDER BY id LIMIT 1")
    return Ref(Resource(request.param), key)


def answers(desk: VirtualDesk, ref: Ref) -> list[Checked]:
    return [event for event in desk.of(Checked) if event.ref == ref]


def test_what_is_unchanged_is_as_of_now_each_time(
    loop: VirtualTime, shop: VirtualShop, desk: VirtualDesk, ref: Ref
) -> None:
    for count in (1, 2):
        asked_at = desk.clock.now().wall
        desk.submit(CheckLive(ref))
        loop.run_for(10.0)
        answer = answers(desk, ref)[-1]
        assert (len(answers(desk, ref)), answer.error, answer.changed, answer.shown) == (count, None, False, True)
        assert answer.at is not None
        assert asked_at <= answer.at <= desk.clock.now().wall
        loop.run_for(120.0)


def test_asked_again_and_again_in_a_pause_it_is_read_once_when_that_is_over(
    loop: VirtualTime, shop: VirtualShop, desk: VirtualDesk, ref: Ref
) -> None:
    shop.control("exhaust")
    desk.submit(CheckLive(ref))  # runs into the 429
    desk.wait(lambda: desk.of(GateMoved)[-1].gate.phase is GatePhase.PAUSED, "it is paused", 20.0)
    loop.run_for(1.0)
    told, sent = len(answers(desk, ref)), len(shop.log_lines())
    for _ in range(5):
        desk.submit(CheckLive(ref))
        loop.run_for(0.5)
    assert len(shop.log_lines()) == sent
    loop.run_for(180.0)
    assert [one.error for one in answers(desk, ref)[max(told, 1) - 1 :]][-1] is None
    assert len(answers(desk, ref)) <= told + 1
    of_it = [line for line in shop.log_lines()[sent:] if ref.resource.value in line["path"]]
    assert len(of_it) <= (4 if ref.resource is Resource.PETS else 2)


def test_offline_and_gone_are_answers_too(loop: VirtualTime, shop: VirtualShop, desk: VirtualDesk, ref: Ref) -> None:
    shop.control("offline")
    desk.submit(CheckLive(ref))
    desk.wait(lambda: answers(desk, ref), "it is answered", 60.0)
    assert answers(desk, ref)[0].error is not None
    shop.control("offline", on=False)
    shop.control("remove", **{ref.resource.value: [ref.key]})
    before = len(answers(desk, ref))
    loop.run_for(120.0)
    desk.submit(CheckLive(ref))
    desk.wait(lambda: len(answers(desk, ref)) > before, "it is answered", 60.0)
    answer = answers(desk, ref)[-1]
    assert answer.error is not None or (answer.at is None and answer.shown)  # no such record


def test_what_a_list_did_not_show_is_not_called_unchanged(
    loop: VirtualTime, desk: VirtualDesk, ref: Ref, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def part_of_a_list(*_: Any, **__: Any) -> bool:
        return False

    monkeypatch.setattr(RecordReader, "look", part_of_a_list)
    desk.submit(CheckLive(ref))
    loop.run_for(5.0)
    (answer,) = answers(desk, ref)
    assert (answer.shown, answer.changed, answer.at) == (False, None, None)
