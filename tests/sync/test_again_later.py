"""What a service answers when something may work later: it is sent again, never called refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.domain.changes import ChangeState, Create, NewChange, SetFields
from petstore_desktop.domain.commands import Refresh
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.sync.wire.events import LoadFailed
from tests.support.slow_shop import SlowShop
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_time import VirtualTime

LATER = (408, 421, 423, 425, 503)


def a_desk(loop: VirtualTime, folder: Path, *, etags: bool) -> tuple[SlowShop, VirtualDesk]:
    shop = SlowShop(loop, folder / "shop")
    shop.control("etags", on=etags)
    desk = VirtualDesk(loop, shop, folder / "desk", per_minute=60_000, per_day=6_000_000)
    desk.wait_idle()
    loop.run_for(60.0)
    return shop, desk


def rename(desk: VirtualDesk) -> tuple[int, tuple[int, ...]]:
    pet = min(desk.rows[Resource.PETS], key=str)
    seen = {"name": getattr(desk.rows[Resource.PETS][pet], "name", None)}
    return pet, desk.apply(NewChange(Ref(Resource.PETS, pet), SetFields({"name": "Rex"}), seen))


@pytest.mark.parametrize(("status", "etags"), [*((status, True) for status in LATER), (LATER[0], False)])
def test_what_may_work_later_is_sent_again_and_done(
    loop: VirtualTime, tmp_path: Path, status: int, *, etags: bool
) -> None:
    """With ETags it is the write that is answered so, without them the look."""
    shop, desk = a_desk(loop, tmp_path, etags=etags)
    shop.control("answer-next", next=1, status=status, body='{"message": "not now"}')
    pet, ids = rename(desk)
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.rows("SELECT name FROM pets WHERE id = ?", pet) == [("Rex",)]


@pytest.mark.parametrize("etags", [True, False], ids=["the write", "the look"])
def test_however_often_and_less_and_less_often(loop: VirtualTime, tmp_path: Path, *, etags: bool) -> None:
    status = 423
    shop, desk = a_desk(loop, tmp_path, etags=etags)
    before = len(shop.served)
    shop.control("answer-next", next=1_000, status=status, body='{"message": "not now"}')
    _, ids = rename(desk)
    loop.run_for(1_800.0)
    assert desk.state(ids[0]) is ChangeState.QUEUED
    asked = [one for one in shop.served[before:] if one.status == status and one.kind == "pets"]
    assert 5 <= len(asked) <= 40
    shop.control("answer-next", next=0)
    desk.wait_for(ids, ChangeState.DONE)


def test_a_creation_that_was_not_made_is_made_later_once(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk = a_desk(loop, tmp_path, etags=True)
    shop.control("answer-next", next=1, status=423)
    ids = desk.apply(NewChange(Ref(Resource.PETS, LocalId("a")), Create({"name": "Nemo", "category_id": 1})))
    desk.wait_for(ids, ChangeState.DONE)
    assert len(shop.rows("SELECT id FROM pets WHERE name = 'Nemo'")) == 1


def test_a_list_is_read_later(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk = a_desk(loop, tmp_path, etags=True)
    shop.control("answer-next", next=1, status=LATER[-1])
    ended = len(desk.ended(Resource.PETS))
    desk.submit(Refresh((Resource.PETS,)))
    desk.wait(lambda: len(desk.ended(Resource.PETS)) > ended, "it is read")
    assert len(desk.of(LoadFailed)) <= 1
