"""What is undone is compared with what is there, and what was deleted comes back as it was read."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.domain.changes import AddStock, ChangeState, Create, Delete, Fields, Intent, NewChange, SetFields
from petstore_desktop.domain.commands import Retry, Revert
from petstore_desktop.domain.records import LocalId, Ref, Resource
from tests.support.book_shop import BookShop, Fault
from tests.support.virtual_desk import VirtualDesk, a_desk, undo
from tests.support.virtual_time import VirtualTime


def act(desk: VirtualDesk, change: NewChange) -> int:
    """Do it; the id of the change that is done."""
    ids = desk.apply(change)
    desk.wait_for(ids, ChangeState.DONE)
    return ids[0]


def created(desk: VirtualDesk, **fields: str) -> tuple[int, int]:
    """A pet that was created here: its change and its number."""
    id_ = act(desk, NewChange(Ref(Resource.PETS, LocalId.new()), Create(fields)))
    number = desk.changes[id_].result_key
    assert number is not None
    return id_, number


def test_a_creation_that_nobody_has_touched_is_undone(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop)
    shop.given = {"status": "available"}  # which nobody sent
    desk = a_desk(loop, shop, tmp_path)
    id_, number = created(desk, name="Koi")
    assert desk.state(undo(desk, id_)) is ChangeState.DONE
    assert number not in shop.pets


def test_a_creation_is_undone_with_what_was_done_to_it_here_since(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop)
    desk = a_desk(loop, shop, tmp_path)
    local = Ref(Resource.PETS, LocalId.new())
    ids = desk.apply(NewChange(local, Create({"name": "Koi"})), NewChange(local, SetFields({"name": "Rex"}), {}))
    desk.wait_for(ids, ChangeState.DONE)
    assert desk.state(undo(desk, ids[0])) is ChangeState.DONE
    assert shop.pets == {}


@pytest.mark.parametrize("field", ["name", "status"])
@pytest.mark.parametrize("seen", [True, False])
def test_a_creation_whose_record_somebody_changed_since_is_not_deleted_unseen(
    loop: VirtualTime, tmp_path: Path, field: str, seen: bool
) -> None:
    shop = BookShop(loop)
    shop.given = {"status": "available"}
    desk = a_desk(loop, shop, tmp_path)
    id_, number = created(desk, name="Koi")
    if seen:
        desk.kill()
        shop.pets[number][field] = "theirs"
        loop.run_for(7_200.0)
        desk.start()
        desk.wait_idle()
    else:
        loop.run_for(30.0)
        shop.pets[number][field] = "theirs"
    opposite = desk.changes[undo(desk, id_)]
    assert opposite.state is ChangeState.CONFLICT
    assert opposite.reason is not None
    assert (opposite.needs_person, dict(opposite.reason.theirs)) == (True, {field: "theirs"})
    assert number in shop.pets
    desk.submit(Retry((opposite.id,)))
    desk.wait_for((opposite.id,), ChangeState.DONE)
    assert number not in shop.pets


def test_a_creation_that_was_found_in_the_list_is_compared_too(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop)
    shop.given = {"status": "available"}
    desk = a_desk(loop, shop, tmp_path)
    shop.faults.append(Fault(done=True))
    id_, number = created(desk, name="Koi")
    loop.run_for(30.0)
    shop.pets[number]["status"] = "sold"
    assert desk.state(undo(desk, id_)) is ChangeState.CONFLICT
    assert number in shop.pets


def adopted(loop: VirtualTime, shop: BookShop, desk: VirtualDesk) -> tuple[int, int]:
    """A pet of a colleague that looks like the one that this desk tried to create at the same moment, in vain."""
    shop.faults.append(Fault(500, done=False))
    (id_,) = desk.apply(NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": "Koi"})))
    desk.wait(lambda: shop.posts, "it was refused")
    theirs = shop.add(name="Koi")
    desk.wait_for((id_,), ChangeState.DONE)
    return id_, theirs


@pytest.mark.parametrize("restarted", [False, True])
def test_a_record_that_only_looks_like_what_was_created_is_not_deleted_before_somebody_saw_it(
    loop: VirtualTime, tmp_path: Path, restarted: bool
) -> None:
    shop = BookShop(loop)
    desk = a_desk(loop, shop, tmp_path)
    id_, theirs = adopted(loop, shop, desk)
    if restarted:
        desk.kill()
        desk.start()
        desk.wait_idle()
    opposite = desk.changes[undo(desk, id_)]
    assert (opposite.state, opposite.needs_person) == (ChangeState.CONFLICT, True)
    assert opposite.reason is not None
    assert opposite.reason.theirs["id"] == theirs
    assert theirs in shop.pets
    desk.submit(Retry((opposite.id,)))  # a person saw it: it is theirs to say
    desk.wait_for((opposite.id,), ChangeState.DONE)
    assert theirs not in shop.pets


def test_an_undo_that_waited_for_a_creation_deletes_no_record_that_only_looks_like_it(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop = BookShop(loop)
    desk = a_desk(loop, shop, tmp_path)
    shop.faults.append(Fault(500, done=False))
    (id_,) = desk.apply(NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": "Koi"})))
    desk.wait(lambda: shop.posts, "it was refused")
    theirs = shop.add(name="Koi")
    desk.submit(Revert(desk.changes[id_].batch))
    desk.wait(lambda: any(change.state is ChangeState.CONFLICT for change in desk.changes.values()), "it is asked")
    desk.wait_idle()
    assert theirs in shop.pets


WAITING: dict[str, tuple[Resource, Intent, Fields]] = {
    "deletion": (Resource.PETS, Delete(), {}),
    "rename": (Resource.PETS, SetFields({"name": "Rex"}), {"name": "Koi"}),
    "booking": (Resource.INVENTORY, AddStock(5), {}),
}


@pytest.mark.parametrize("what", WAITING)
def test_what_waited_for_a_creation_of_unknown_fate_is_not_done_to_a_record_that_only_looks_like_it(
    loop: VirtualTime, tmp_path: Path, what: str
) -> None:
    shop = BookShop(loop)
    desk = a_desk(loop, shop, tmp_path)
    local = Ref(Resource.PETS, LocalId.new())
    shop.faults.append(Fault(500, done=False))
    (id_,) = desk.apply(NewChange(local, Create({"name": "Koi"})))
    desk.wait(lambda: shop.posts, "it was refused")
    theirs = shop.add(name="Koi")
    resource, intent, seen = WAITING[what]
    desk.apply(NewChange(Ref(resource, local.key), intent, seen))
    desk.wait(lambda: desk.changes[id_].needs_person, "a person is asked")
    loop.run_for(120.0)
    assert shop.pets[theirs]["name"] == "Koi"
    assert len(shop.written) == 1


@pytest.mark.parametrize("client_ids", [False, True])
def test_what_was_deleted_comes_back_whole(loop: VirtualTime, tmp_path: Path, client_ids: bool) -> None:
    shop = BookShop(loop, required=("name", "photoUrls"), client_ids=client_ids)
    was = {"name": "Koi", "categoryId": 3, "status": "sold", "photoUrls": ["a", "b"], "chip": "0815"}
    number = shop.add(**was)
    shop.add(name="Rex", photoUrls=[])
    desk = a_desk(loop, shop, tmp_path)
    seen = {"name": "Koi", "category_id": 3, "status": "sold"}
    deleted = act(desk, NewChange(Ref(Resource.PETS, number), Delete(), seen))
    assert number not in shop.pets
    desk.kill()  # it outlives the program
    desk.start()
    desk.wait_idle()
    opposite = undo(desk, deleted)
    assert desk.state(opposite) is ChangeState.DONE
    (again,) = shop.named("Koi")
    assert shop.pets[again] == {**was, "id": again}
    assert (again == number) is client_ids
