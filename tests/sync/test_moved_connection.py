"""A connection that was moved to another service: what was done at the first can neither be undone at the second nor
sent to it, and is there again when the connection has come back."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.domain.changes import ChangeState, Create, NewChange, SetFields
from petstore_desktop.domain.commands import Revert
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import LocalId, Pet, Ref, Resource
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.session.session import Session, service_address
from petstore_desktop.store.journal_address import open_journal
from petstore_desktop.sync.wire.events import BatchesMoved, LoadFailed, Trouble, Undone
from tests.support.book_shop import BookShop
from tests.support.virtual_desk import NAME, VirtualDesk, a_desk
from tests.support.virtual_time import VirtualTime


@pytest.fixture
def shops(loop: VirtualTime) -> tuple[BookShop, BookShop]:
    """Two services, of which each knows a pet of the same number."""
    first, second = BookShop(loop), BookShop(loop, url="http://127.0.0.1:10/v1")
    for shop in (first, second):
        shop.add(name=shop.url)
    return first, second


def told_elsewhere(desk: VirtualDesk) -> list[StorageError]:
    errors = [trouble.error for trouble in desk.of(Trouble) if isinstance(trouble.error, StorageError)]
    return [error for error in errors if error.code == "changes-elsewhere"]


def test_what_was_done_at_one_service_is_not_undone_at_another(
    loop: VirtualTime, shops: tuple[BookShop, BookShop], tmp_path: Path
) -> None:
    first, second = shops
    desk = a_desk(loop, first, tmp_path)
    ids = desk.apply(NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": "Koi"})))
    desk.wait_for(ids, ChangeState.DONE)
    batch = desk.changes[ids[0]].batch
    desk.close()
    second.add(name="Theirs")  # with the number that Koi has at the first
    moved = a_desk(loop, second, tmp_path)
    assert not [line for said in moved.of(BatchesMoved) for line in said.batches]
    moved.submit(Revert(batch))
    moved.wait_idle()
    moved.close()
    assert second.written == []
    back = a_desk(loop, first, tmp_path)
    back.submit(Revert(batch))
    back.wait(lambda: back.of(Undone), "it is taken back")
    back.wait_idle()
    assert first.named("Koi") == []


def test_what_waits_for_one_service_is_not_sent_to_another_and_the_person_is_told(
    loop: VirtualTime, shops: tuple[BookShop, BookShop], tmp_path: Path
) -> None:
    first, second = shops
    (pet,) = first.pets
    desk = a_desk(loop, first, tmp_path)
    desk.network.cut = True
    ids = desk.apply(
        NewChange(Ref(Resource.PETS, pet), SetFields({"name": "Rex"}), {"name": first.url}),
        NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": "Koi"})),
    )
    desk.close()
    moved = a_desk(loop, second, tmp_path)
    (error,) = told_elsewhere(moved)
    assert (error.params["count"], error.params["address"]) == (2, first.url)
    assert (moved.changes, second.written) == ({}, [])
    moved.close()
    back = a_desk(loop, first, tmp_path)
    back.wait_for(ids, ChangeState.DONE)
    assert (first.pets[pet]["name"], len(first.named("Koi")), told_elsewhere(back)) == ("Rex", 1, [])
    assert second.pets[pet]["name"] == second.url


def test_damage_to_the_journal_of_another_service_is_told_with_its_address(
    loop: VirtualTime, shops: tuple[BookShop, BookShop], tmp_path: Path
) -> None:
    first, second = shops
    a_desk(loop, first, tmp_path).close()
    a_desk(loop, second, tmp_path).close()
    (elsewhere,) = tmp_path.rglob("elsewhere/*/journal.db")
    with elsewhere.open("r+b") as file:
        file.write(b"\xa5" * 4096)
    (trouble,) = a_desk(loop, second, tmp_path).of(Trouble)
    assert isinstance(trouble.error, StorageError)
    assert (trouble.error.code, trouble.error.params["address"]) == ("damaged", first.url)


@pytest.mark.parametrize("journal", ["gone", "damaged", "moved, and killed"])
def test_what_one_service_showed_is_not_shown_at_another(
    loop: VirtualTime, shops: tuple[BookShop, BookShop], tmp_path: Path, journal: str
) -> None:
    """The journal alone does not say of which service the rest is: it may be gone, or somewhere else already."""
    first, second = shops
    first.add(name="Only at the first")
    desk = a_desk(loop, first, tmp_path)
    ids = desk.apply(NewChange(Ref(Resource.PETS, 51), SetFields({"status": "sold"}), {}))
    desk.wait_for(ids, ChangeState.DONE)
    desk.close()
    file = desk.places.journal(NAME)
    if journal == "damaged":
        file.write_bytes(b"x" * 8_192)
    elif journal == "gone":
        file.unlink()
    else:
        open_journal(file, service_address(ShopConnection("Shop", NAME, second.url))).journal.close()
    second.given = {}
    before = first_screen(desk, second)
    moved = VirtualDesk(loop, second, tmp_path)
    moved.network.cut = True
    moved.wait(lambda: moved.of(LoadFailed), "it is seen that nothing answers")
    assert (before, first_screen(desk, second), moved.rows.get(Resource.PETS, {})) == ([], [], {})
    moved.close()


def first_screen(desk: VirtualDesk, shop: BookShop) -> list[str]:
    """The names of the pets that a window opened at this service would show before anything is asked."""
    session = Session(desk.places, ShopConnection("Shop", NAME, shop.url), desk.clock)
    return [
        row.record.name
        for row in session.first_screen(Resource.PETS, (), 100).rows.get(Resource.PETS, ())
        if isinstance(row.record, Pet)
    ]


def test_what_one_service_offered_is_not_taken_for_what_another_does(
    loop: VirtualTime, shops: tuple[BookShop, BookShop], tmp_path: Path
) -> None:
    first, second = shops
    desk = a_desk(loop, first, tmp_path)
    assert Session(desk.places, ShopConnection("Shop", NAME, first.url), desk.clock).contract is not None
    assert Session(desk.places, ShopConnection("Shop", NAME, second.url), desk.clock).contract is None
    desk.close()
