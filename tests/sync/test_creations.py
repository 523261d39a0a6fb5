"""Creations whose fate is not known, whose id is ours to choose, or that somebody else made too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from petstore_desktop.domain.changes import Change, ChangeState, Create, Fields, NewChange, SetFields
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.sync.commands import Refresh
from tests.support.book_shop import BookShop, Fault
from tests.support.virtual_desk import NAME, VirtualDesk
from tests.support.virtual_time import VirtualTime


@pytest.fixture
def loop() -> Iterator[VirtualTime]:
    loop = VirtualTime()
    yield loop
    loop.close()


def a_desk(loop: VirtualTime, shop: BookShop, folder: Path) -> VirtualDesk:
    desk = VirtualDesk(loop, shop, folder)
    desk.wait_idle()
    return desk


def create(desk: VirtualDesk, **fields: str | int) -> int:
    wanted: Fields = fields
    return desk.apply(NewChange(Ref(Resource.PETS, LocalId.new()), Create(wanted)))[0]


def read_again(desk: VirtualDesk) -> None:
    """Have the list of pets read from its beginning to its end."""
    before = len(desk.ended(Resource.PETS))
    desk.submit(Refresh(NAME, (Resource.PETS,)))
    desk.wait(lambda: len(desk.ended(Resource.PETS)) > before, "the pets are read")


def needs_somebody(desk: VirtualDesk, id_: int) -> Change:
    desk.wait(lambda: desk.changes[id_].needs_person, "a person is asked")
    return desk.changes[id_]


@pytest.mark.parametrize("status", [302, 303, 307, 500, 501, 502])
@pytest.mark.parametrize("done", [True, False])
def test_a_creation_that_is_answered_with_a_failure_or_a_redirect_may_have_been_done(
    loop: VirtualTime, tmp_path: Path, status: int, done: bool
) -> None:
    shop = BookShop(loop)
    desk = a_desk(loop, shop, tmp_path / "desk")
    shop.faults.append(Fault(status, done=done))
    id_ = create(desk, name="Koi")
    if done:
        desk.wait_for((id_,), ChangeState.DONE)
        assert [desk.changes[id_].result_key] == shop.named("Koi")
    else:
        assert needs_somebody(desk, id_).state is ChangeState.UNCERTAIN
    assert len(shop.posts) == 1


@pytest.mark.parametrize("done", [True, False])
def test_a_redirect_after_a_change_has_its_record_looked_at_and_is_not_sent_on_for_ever(
    loop: VirtualTime, tmp_path: Path, done: bool
) -> None:
    shop = BookShop(loop)
    pet = shop.add(name="Koi")
    desk = a_desk(loop, shop, tmp_path / "desk")
    shop.faults.append(Fault(303, done=done))
    ids = desk.apply(NewChange(Ref(Resource.PETS, pet), SetFields({"name": "Rex"}), {"name": "Koi"}))
    desk.wait_for(ids, ChangeState.DONE if done else ChangeState.REFUSED)
    assert len(shop.written) == 1
    reason = desk.changes[ids[0]].reason
    assert done or (reason is not None and reason.code == "redirected")
