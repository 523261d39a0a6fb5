"""What a deletion takes with it is compared with what was shown, unknown fields too, and comes back as it was last
read."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.domain.changes import AddStock, ChangeState, Create, Delete, NewChange, SetStock
from petstore_desktop.domain.commands import Refresh, Retry
from petstore_desktop.domain.records import InventoryItem, LocalId, Pet, Ref, Resource
from petstore_desktop.sync.shared.mirror_writer import BEHIND_S
from tests.support.book_shop import BookShop, Fault
from tests.support.slow_shop import SlowShop
from tests.support.virtual_desk import VirtualDesk, a_desk, undo
from tests.support.virtual_time import VirtualTime


def act(desk: VirtualDesk, change: NewChange, state: ChangeState = ChangeState.DONE) -> int:
    """Do it; the id of the change that has come to this state."""
    ids = desk.apply(change)
    desk.wait_for(ids, state)
    return ids[0]


def deletion(number: int, name: str = "Koi") -> NewChange:
    return NewChange(Ref(Resource.PETS, number), Delete(), {"name": name, "category_id": None, "status": None})


def again(desk: VirtualDesk, id_: int) -> None:
    """A person decides that it is to be done all the same."""
    desk.submit(Retry((id_,)))
    desk.wait_for((id_,), ChangeState.DONE)


@pytest.mark.parametrize("was", [{}, {"vetNotes": "healthy"}, {"chip": "0815"}])
def test_a_pet_of_which_somebody_wrote_an_unknown_field_is_not_deleted_unseen(
    loop: VirtualTime, tmp_path: Path, was: dict[str, str]
) -> None:
    shop = BookShop(loop)
    number = shop.add(name="Koi", **was)
    desk = a_desk(loop, shop, tmp_path)
    loop.run_for(30.0)
    shop.pets[number]["vetNotes"] = "needs insulin"
    id_ = act(desk, deletion(number), ChangeState.CONFLICT)
    reason = desk.changes[id_].reason
    assert reason is not None
    assert "needs insulin" in str(dict(reason.theirs))
    shop.pets[number]["vetNotes"] = "died"  # and once more, before a person decides
    loop.run_for(30.0)
    desk.submit(Retry((id_,)))
    desk.wait(lambda: "died" in str(desk.changes[id_].reason), "it is told anew")
    again(desk, id_)
    assert number not in shop.pets


@pytest.mark.parametrize("given", [{}, {"vetNotes": "healthy"}])
@pytest.mark.parametrize("seen", [True, False])
def test_a_creation_is_not_undone_over_an_unknown_field(
    loop: VirtualTime, tmp_path: Path, given: dict[str, str], seen: bool
) -> None:
    shop = BookShop(loop)
    shop.given = {**given, "tags": [], "updatedAt": 1}
    desk = a_desk(loop, shop, tmp_path)
    id_ = act(desk, NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": "Koi"})))
    number = desk.changes[id_].result_key
    assert number is not None
    if seen:
        desk.kill()
    shop.pets[number] |= {"vetNotes": "needs insulin", "updatedAt": 2}
    loop.run_for(30.0)
    if seen:
        desk.start()
        desk.wait_idle()
    opposite = undo(desk, id_)
    assert desk.state(opposite) is ChangeState.CONFLICT
    assert number in shop.pets
    again(desk, opposite)
    assert number not in shop.pets


def test_what_a_service_keeps_by_itself_does_not_stop_an_undo(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop)
    shop.given = {"updatedAt": 1, "tags": []}
    desk = a_desk(loop, shop, tmp_path)
    id_ = act(desk, NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": "Koi"})))
    number = desk.changes[id_].result_key
    assert number is not None
    shop.pets[number] |= {"updatedAt": 2, "photoUrls": []}
    loop.run_for(30.0)
    assert desk.state(undo(desk, id_)) is ChangeState.DONE


def test_what_a_service_added_to_a_creation_that_it_did_not_show_does_not_stop_a_deletion(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop = BookShop(loop)
    shop.given, shop.tells_id_alone = {"madeBy": "till 3"}, True
    desk = a_desk(loop, shop, tmp_path)
    made = [NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": "Koi"})) for _ in range(2)]
    one, other = (act(desk, new) for new in made)
    first = desk.changes[one].result_key
    assert first is not None
    act(desk, deletion(first))
    assert first not in shop.pets
    assert desk.state(undo(desk, other)) is ChangeState.DONE
    assert shop.pets == {}


@pytest.mark.parametrize("answered", [True, False])
def test_what_comes_back_is_what_was_read_last(loop: VirtualTime, tmp_path: Path, answered: bool) -> None:
    shop = BookShop(loop)
    number = shop.add(name="Koi", chip="0815")
    desk = a_desk(loop, shop, tmp_path)
    loop.run_for(30.0)
    shop.pets[number] |= {"vetNotes": "needs insulin", "status": "sold"}
    id_ = act(desk, deletion(number), ChangeState.CONFLICT)
    if not answered:
        shop.faults.append(Fault(done=True))
    again(desk, id_)
    assert number not in shop.pets
    desk.kill()
    desk.start()
    desk.wait_idle()
    assert desk.state(undo(desk, id_)) is ChangeState.DONE
    (back,) = shop.named("Koi")
    assert shop.pets[back] == {"id": back, "name": "Koi", "chip": "0815", "vetNotes": "needs insulin", "status": "sold"}


# ---------------------------------------------------------------- back under the old number


def deleted(loop: VirtualTime, folder: Path) -> tuple[BookShop, VirtualDesk, int, int]:
    """A pet that was deleted at a service whose clients choose ids: shop, desk, its number and its change."""
    shop = BookShop(loop, client_ids=True)
    number = shop.add(name="Koi", chip="0815")
    shop.add(name="Rex")
    desk = a_desk(loop, shop, folder)
    id_ = act(desk, deletion(number))
    loop.run_for(30.0)
    return shop, desk, number, id_


def test_a_deletion_is_not_undone_over_what_somebody_made_with_its_number(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk, number, id_ = deleted(loop, tmp_path)
    theirs = shop.pets[number] = {"id": number, "name": "Koi", "chip": "4711"}
    opposite = undo(desk, id_)
    assert desk.state(opposite) is ChangeState.CONFLICT
    assert shop.posts == []
    again(desk, opposite)
    assert shop.pets[number] == theirs
    assert sorted(pet["chip"] for pet in shop.pets.values() if pet["name"] == "Koi") == ["0815", "4711"]


def test_what_somebody_brought_back_already_is_not_sent(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk, number, id_ = deleted(loop, tmp_path)
    shop.pets[number] = {"id": number, "name": "Koi", "chip": "0815"}
    opposite = undo(desk, id_)
    assert desk.state(opposite) is ChangeState.DONE
    assert desk.changes[opposite].result_key == number
    assert shop.posts == []


def test_a_deletion_whose_number_is_free_is_undone_after_one_look(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk, number, id_ = deleted(loop, tmp_path)
    asked = shop.asked
    assert desk.state(undo(desk, id_)) is ChangeState.DONE
    assert shop.asked == asked + 2, "one more, for it is the first creation there"
    assert shop.pets[number] == {"id": number, "name": "Koi", "chip": "0815"}


# ---------------------------------------------------------------- what goes with a pet


def full(loop: VirtualTime, folder: Path) -> tuple[SlowShop, VirtualDesk, Pet]:
    """A shop that lists stock and orders, and a pet that nobody ordered."""
    shop = SlowShop(loop, folder / "shop", service="full")
    desk = VirtualDesk(loop, shop, folder / "desk", per_minute=60_000, per_day=6_000_000)
    desk.wait_idle()
    [(id_,)] = shop.rows("SELECT id FROM pets WHERE id NOT IN (SELECT pet_id FROM orders) ORDER BY id LIMIT 1")
    pet = desk.rows[Resource.PETS][id_]
    assert isinstance(pet, Pet)
    return shop, desk, pet


def stock_of(desk: VirtualDesk, pet: Pet) -> int:
    item = desk.rows[Resource.INVENTORY][pet.id]
    assert isinstance(item, InventoryItem)
    return item.quantity


def of_pet(pet: Pet) -> NewChange:
    seen = {"name": pet.name, "category_id": pet.category_id, "status": pet.status}
    return NewChange(Ref(Resource.PETS, pet.id), Delete(), seen)


@pytest.mark.parametrize("etags", [True, False])
@pytest.mark.parametrize("what", ["stock", "orders"])
def test_what_others_booked_or_ordered_of_a_pet_does_not_go_with_it_unseen(
    loop: VirtualTime, tmp_path: Path, what: str, etags: bool
) -> None:
    shop, desk, pet = full(loop, tmp_path)
    shop.control("etags", on=etags)
    loop.run_for(30.0)
    if what == "stock":
        shop.somebody_else("inventory", petId=pet.id, quantity=stock_of(desk, pet) + 7, status="available")
    else:
        shop.somebody_else("orders", id=9_001, petId=pet.id, quantity=1, complete=False)
    id_ = act(desk, of_pet(pet), ChangeState.CONFLICT)
    reason = desk.changes[id_].reason
    assert reason is not None
    assert list(reason.theirs) == [what]
    assert shop.writes() == []
    loop.run_for(30.0)
    desk.submit(Retry((id_,)))
    desk.wait(lambda: shop.writes(), "a person has seen it, and it is sent")


def test_a_creation_is_not_undone_over_an_order_that_somebody_placed(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk, pet = full(loop, tmp_path)
    wanted = {"name": "Koi", "category_id": pet.category_id, "status": "available"}
    id_ = act(desk, NewChange(Ref(Resource.PETS, LocalId.new()), Create(wanted)))
    number = desk.changes[id_].result_key
    loop.run_for(30.0)
    shop.somebody_else("orders", id=9_001, petId=number, quantity=1, complete=False)
    opposite = desk.changes[undo(desk, id_)]
    assert opposite.state is ChangeState.CONFLICT
    assert [one.method for one in shop.writes()] == ["POST"]


def test_what_was_booked_here_stops_no_deletion(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk, pet = full(loop, tmp_path)
    loop.run_for(30.0)
    booked = NewChange(Ref(Resource.INVENTORY, pet.id), AddStock(5), {"quantity": stock_of(desk, pet)})
    both = desk.apply(booked), desk.apply(of_pet(pet))
    for ids in both:
        desk.wait_for(ids, ChangeState.DONE)
    loop.run_for(30.0)
    asked = shop.asked("store/orders")
    ids = desk.apply(*(of_pet(one) for one in others_of(shop, desk)))
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.asked("store/orders") == asked + 1  # one look at the orders serves them all


@pytest.mark.parametrize("wait_s", [0.0, 30.0])
@pytest.mark.parametrize("stock", [AddStock(5), SetStock(9)])
def test_what_was_booked_in_the_same_batch_stops_no_deletion(
    loop: VirtualTime, tmp_path: Path, stock: AddStock | SetStock, wait_s: float
) -> None:
    shop, desk, pet = full(loop, tmp_path)
    loop.run_for(wait_s)
    booked = NewChange(Ref(Resource.INVENTORY, pet.id), stock, {"quantity": stock_of(desk, pet)})
    desk.wait_for(desk.apply(booked, of_pet(pet)), ChangeState.DONE)
    assert [one.method for one in shop.writes()] == ["PATCH", "DELETE"]


def test_a_sale_elsewhere_after_a_booking_of_the_same_batch_stops_the_deletion(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop, desk, pet = full(loop, tmp_path)
    loop.run_for(30.0)
    booked = NewChange(Ref(Resource.INVENTORY, pet.id), AddStock(5), {"quantity": stock_of(desk, pet)})
    shop.somebody_else("inventory", petId=pet.id, quantity=stock_of(desk, pet) + 7, status="available")
    _, deletion = desk.apply(booked, of_pet(pet))
    desk.wait_for((deletion,), ChangeState.CONFLICT)


def others_of(shop: SlowShop, desk: VirtualDesk) -> list[Pet]:
    rows = shop.rows("SELECT id FROM pets WHERE id NOT IN (SELECT pet_id FROM orders) ORDER BY id LIMIT 5")
    return [pet for (id_,) in rows if isinstance(pet := desk.rows[Resource.PETS].get(id_), Pet)]


def test_orders_that_take_long_to_read_serve_deletions_as_long_again(loop: VirtualTime, tmp_path: Path) -> None:
    """As it was found: of 41 pages at a minute's limit none was read soon enough, and no pet could be deleted."""
    shop, desk, _ = full(loop, tmp_path)
    loop.run_for(300.0)
    shop.pace.orders_s = 20.0
    some, *others = others_of(shop, desk)
    asked = shop.asked("store/orders")
    for pets, readings in ((others, 1), ([some], 2)):
        desk.wait_for(desk.apply(*map(of_pet, pets)), ChangeState.DONE)
        assert shop.asked("store/orders") == asked + readings
        loop.run_for(25.0)
    assert [one.method for one in shop.writes()] == ["DELETE"] * 5


def test_edits_leave_while_the_orders_are_read_for_a_deletion_and_other_deletions_wait_for_it(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop, desk, pet = full(loop, tmp_path)
    loop.run_for(300.0)
    shop.pace.orders_s = 20.0
    other = next(one for one in others_of(shop, desk) if one.id != pet.id and one.id in desk.rows[Resource.INVENTORY])
    first, second = desk.apply(of_pet(pet)), desk.apply(of_pet(other))
    item = Ref(Resource.INVENTORY, next(key for key in desk.rows[Resource.INVENTORY] if key not in (pet.id, other.id)))
    booking = desk.apply(NewChange(item, AddStock(1), {}))
    began = loop.wall
    desk.wait_for(booking, ChangeState.DONE)
    assert loop.wall - began < 10.0
    assert [desk.state(one) for one in (*first, *second)] == [ChangeState.QUEUED] * 2
    desk.wait_for((*first, *second), ChangeState.DONE)
    writes = [(one.method, one.number) for one in shop.writes()]
    assert writes[-2:] == [("DELETE", pet.id), ("DELETE", other.id)]


def test_an_order_that_a_long_reading_showed_stops_a_deletion(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk, pet = full(loop, tmp_path)
    loop.run_for(300.0)
    shop.pace.orders_s = 20.0
    shop.somebody_else("orders", id=9_001, petId=pet.id, quantity=1, complete=False)
    desk.wait_for(desk.apply(of_pet(pet)), ChangeState.CONFLICT)
    assert shop.writes() == []


@pytest.mark.parametrize("etags", [True, False])
@pytest.mark.parametrize("shown", [True, False])
def test_an_order_that_comes_while_the_connection_of_a_deletion_is_made_does_not_go_unseen(
    loop: VirtualTime, tmp_path: Path, shown: bool, etags: bool
) -> None:
    shop, desk, pet = full(loop, tmp_path)
    shop.control("etags", on=etags)
    loop.run_for(30.0)
    shop.pace.connect_s, shop.pace.list_s = 3.0, 1.5
    asked = shop.asked("store/orders")
    ids = desk.apply(of_pet(pet))
    desk.wait(lambda: shop.asked("store/orders") > asked, "its orders are looked at")
    shop.somebody_else("orders", id=9_001, petId=pet.id, quantity=1, complete=False)
    if shown:  # by a list that is read meanwhile
        shop.pace.list_s = 0.0
        loop.run_for(3.0)
        desk.submit(Refresh((Resource.ORDERS,)))
    desk.wait_for(ids, ChangeState.CONFLICT)
    assert shop.writes() == []


def test_what_hangs_on_what_somebody_made_with_the_number_of_a_creation_does_not_go_unseen(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop, desk, pet = full(loop, tmp_path)
    wanted = {"name": "Koi", "category_id": pet.category_id, "status": "available"}
    id_ = act(desk, NewChange(Ref(Resource.PETS, LocalId.new()), Create(wanted)))
    number = desk.changes[id_].result_key
    loop.run_for(BEHIND_S + 1)  # until then it may be that a copy does not show it yet
    shop.control("remove", pets=[number])
    desk.submit(Refresh((Resource.PETS,)))
    desk.wait(lambda: number not in desk.rows[Resource.PETS], "it is known to be gone")
    shop.somebody_else("pets", id=number, name="Rex", categoryId=pet.category_id, status="available")
    shop.somebody_else("inventory", petId=number, quantity=7, status="available")
    shop.somebody_else("orders", id=9_001, petId=number, quantity=1, complete=False)
    loop.run_for(30.0)
    opposite = undo(desk, id_)
    reason = desk.changes[opposite].reason
    assert reason is not None
    assert reason.theirs == {"stock": 7, "orders": '["9001"]'}


def test_an_order_of_what_is_deleted_before_its_creation_was_answered_does_not_go_unseen(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop, desk, pet = full(loop, tmp_path)
    ref = Ref(Resource.PETS, LocalId.new())
    loop.run_for(30.0)
    desk.apply(NewChange(ref, Create({"name": "Koi", "category_id": pet.category_id, "status": "available"})))
    desk.wait(lambda: shop.writes(), "it is made")
    [(number,)] = shop.rows("SELECT id FROM pets WHERE name = 'Koi'")
    shop.somebody_else("orders", id=9_001, petId=number, quantity=1, complete=False)
    act(desk, NewChange(ref, Delete()), ChangeState.CONFLICT)
    assert [one.method for one in shop.writes()] == ["POST"]
