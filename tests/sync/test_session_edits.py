"""What a person does arrives in the shop's own database, once, and ends as done; or it says why not."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from petstore_desktop.domain.changes import (
    AddStock,
    ChangeState,
    Create,
    Delete,
    NewChange,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.commands import CheckLive, Discard, Retry
from petstore_desktop.domain.records import LocalId, Order, Pet, Ref, Resource
from petstore_desktop.sync.wire.events import Checked, ContractRead, MirrorRead
from tests.support.session import Watched, quantity, stock, writes
from tests.support.shop import Shop


def stocked(shop: Shop, nth: int) -> int:
    """The pet of the nth stock entry."""
    return shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 1 OFFSET ?", nth)[0][0]


def patch(shop: Shop, path: str, **fields: object) -> None:
    """Another desk changes a record."""
    assert httpx.patch(f"{shop.url}/{path}", headers=shop.auth, json=fields).is_success


def test_the_mirror_holds_what_the_shop_has_and_the_next_start_tells_it_without_asking(
    full_shop: Shop, tmp_path: Path
) -> None:
    with Watched(tmp_path, full_shop) as shown:
        shown.wait_loaded()
        for resource, column in ((Resource.PETS, "id"), (Resource.CATEGORIES, "id"), (Resource.INVENTORY, "pet_id")):
            in_shop = {row[0] for row in full_shop.rows(f"SELECT {column} FROM {resource.value}")}
            assert shown.rows[resource].keys() == in_shop
        assert shown.of(ContractRead)[-1].contract.source == "published"
        first = shown.session.requests
        assert first == len([line for line in full_shop.log_lines() if line["client"].startswith("petstore-desktop")])
    with Watched(tmp_path, full_shop) as again:
        again.wait(lambda: len(again.of(MirrorRead)) == 4, "the mirror is told")
        again.wait(lambda: again.of(ContractRead), "the contract is known")
        assert again.rows == shown.rows
        # The lists were read a moment ago, and the contract is cached: nothing needs to be asked.
        again.submit(CheckLive(stock(stocked(full_shop, 0))))
        again.wait(lambda: again.of(Checked), "a record is checked")
        assert again.session.requests == 1


def test_a_booking_and_a_count_arrive_once_each(full_shop: Shop, tmp_path: Path) -> None:
    booked, counted = stocked(full_shop, 1), stocked(full_shop, 2)
    before, old = quantity(full_shop, booked), quantity(full_shop, counted)
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        ids = shop.apply(
            NewChange(stock(booked), AddStock(12), {"quantity": before}),
            NewChange(stock(counted), SetStock(40), {"quantity": old}),
        )
        shop.wait_for(ids, ChangeState.DONE)
        assert (quantity(full_shop, booked), quantity(full_shop, counted)) == (before + 12, 40)
        assert len(writes(full_shop, f"/inventory/{booked}")) == len(writes(full_shop, f"/inventory/{counted}")) == 1


def test_changes_of_one_record_made_together_leave_as_one_request(full_shop: Shop, tmp_path: Path) -> None:
    pet = stocked(full_shop, 3)
    before = quantity(full_shop, pet)
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        booking = NewChange(stock(pet), AddStock(5), {"quantity": before})
        ids = shop.apply(booking, booking, NewChange(stock(pet), AddStock(-3), {"quantity": before}))
        shop.wait_for(ids, ChangeState.DONE)
        assert quantity(full_shop, pet) == before + 7
        assert len(writes(full_shop, f"/inventory/{pet}")) == 1


def test_a_category_and_a_pet_of_it_are_created_in_order_and_the_pets_stock_follows(
    full_shop: Shop, tmp_path: Path
) -> None:
    category, pet = LocalId.new(), LocalId.new()
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        ids = shop.apply(
            NewChange(Ref(Resource.PETS, pet), Create({"name": "Zoë", "category_id": category})),
            NewChange(Ref(Resource.CATEGORIES, category), Create({"name": "Geckos", "description": "small"})),
            NewChange(stock(pet), AddStock(3), {"quantity": None}),
            NewChange(Ref(Resource.PETS, pet), SetFields({"status": "pending"}), {"status": None}),
        )
        shop.wait_for(ids, ChangeState.DONE)
        made = full_shop.rows(
            "SELECT p.id, p.status, c.description, i.quantity FROM pets p JOIN categories c ON c.id = p.category_id "
            "JOIN inventory i ON i.pet_id = p.id WHERE p.name = 'Zoë' AND c.name = 'Geckos'"
        )
        assert [row[1:] for row in made] == [("pending", "small", 3)]
        assert shop.changes[ids[0]].result_key == made[0][0]
        assert shop.rows[Resource.PETS][made[0][0]] == Pet(
            made[0][0], "Zoë", shop.changes[ids[1]].result_key, "pending"
        )


def test_fields_are_changed_and_a_record_is_deleted(full_shop: Shop, tmp_path: Path) -> None:
    free = full_shop.rows(
        "SELECT id, name, status FROM pets WHERE id NOT IN (SELECT pet_id FROM orders WHERE pet_id IS NOT NULL) "
        "ORDER BY id DESC LIMIT 2"
    )
    (renamed, name, _), (deleted, *_) = free
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        ids = shop.apply(
            NewChange(Ref(Resource.PETS, renamed), SetFields({"name": "<b>Koi</b> كوي"}), {"name": name}),
            NewChange(Ref(Resource.PETS, deleted), Delete()),
        )
        shop.wait_for(ids, ChangeState.DONE)
        assert full_shop.rows("SELECT name FROM pets WHERE id = ?", renamed) == [("<b>Koi</b> كوي",)]
        assert full_shop.rows("SELECT id FROM pets WHERE id = ?", deleted) == []
        assert deleted not in shop.rows[Resource.PETS]


def test_an_order_is_completed_and_another_cancelled(full_shop: Shop, tmp_path: Path) -> None:
    open_ones = full_shop.rows("SELECT id FROM orders WHERE complete = 0 AND id IS NOT NULL ORDER BY id LIMIT 2")
    (completed,), (cancelled,) = open_ones
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        ids = shop.apply(
            NewChange(Ref(Resource.ORDERS, completed), SetFields({"complete": True}), {"complete": False}),
            NewChange(Ref(Resource.ORDERS, cancelled), Delete()),
        )
        shop.wait_for(ids, ChangeState.DONE)
        assert full_shop.rows("SELECT complete FROM orders WHERE id = ?", completed) == [(1,)]
        assert full_shop.rows("SELECT id FROM orders WHERE id = ?", cancelled) == []
        order = shop.rows[Resource.ORDERS][completed]
        assert isinstance(order, Order)
        assert order.complete is True


def test_a_refused_change_carries_the_services_words_and_blocks_only_its_record(
    full_shop: Shop, tmp_path: Path
) -> None:
    ordered = full_shop.rows("SELECT pet_id FROM orders WHERE complete = 0 AND pet_id IN (SELECT id FROM pets)")[0][0]
    other = stocked(full_shop, 4)
    before = quantity(full_shop, other)
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        refused, done = shop.apply(
            NewChange(Ref(Resource.PETS, ordered), Delete()),
            NewChange(stock(other), AddStock(1), {"quantity": before}),
        )
        shop.wait_for((done,), ChangeState.DONE)
        shop.wait_for((refused,), ChangeState.REFUSED)
        reason = shop.changes[refused].reason
        assert reason is not None
        assert (reason.status, "open order" in reason.message) == (409, True)
        assert full_shop.rows("SELECT id FROM pets WHERE id = ?", ordered) == [(ordered,)]
        shop.submit(Discard((refused,)))
        shop.wait_for((refused,), ChangeState.DISCARDED)


def test_a_change_that_the_service_does_not_offer_is_refused_without_a_request(
    default_shop: Shop, tmp_path: Path
) -> None:
    pet = stocked(default_shop, 0)
    with Watched(tmp_path, default_shop) as shop:
        shop.wait_loaded()
        requests = shop.session.requests
        (change,) = shop.apply(NewChange(Ref(Resource.PETS, pet), SetFields({"name": "Koi"}), {}))
        shop.wait_for((change,), ChangeState.REFUSED)
        reason = shop.changes[change].reason
        assert reason is not None
        assert (reason.code, shop.session.requests) == ("not-offered", requests)


def test_of_two_desks_that_book_on_one_entry_the_later_looks_once_and_the_sum_is_exact(
    full_shop: Shop, tmp_path: Path
) -> None:
    pet = stocked(full_shop, 5)
    seen = quantity(full_shop, pet)
    with Watched(tmp_path / "there", full_shop) as there, Watched(tmp_path / "here", full_shop) as here:
        there.wait_loaded()
        here.wait_loaded()
        for desk, delta in ((there, 100), (here, 12), (there, -3)):
            desk.wait_for(desk.apply(NewChange(stock(pet), AddStock(delta), {"quantity": seen})), ChangeState.DONE)
        assert quantity(full_shop, pet) == seen + 109
    asked = [line for line in full_shop.log_lines() if line["path"] == f"/v1/inventory/{pet}"]
    looked = [("PATCH", 412), ("GET", 200), ("PATCH", 200)]
    assert [(line["method"], line["status"]) for line in asked] == [("PATCH", 200), *looked, *looked]


def test_a_count_against_a_moved_base_is_a_conflict_that_a_person_can_insist_on(
    full_shop: Shop, tmp_path: Path
) -> None:
    pet = stocked(full_shop, 6)
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        seen = quantity(full_shop, pet)
        patch(full_shop, f"inventory/{pet}", quantity=seen + 7)
        ids = shop.apply(NewChange(stock(pet), SetStock(40), {"quantity": seen}))
        shop.wait_for(ids, ChangeState.CONFLICT)
        reason = shop.changes[ids[0]].reason
        assert reason is not None
        assert (dict(reason.theirs), quantity(full_shop, pet)) == ({"quantity": seen + 7}, seen + 7)
        shop.submit(Retry(ids))
        shop.wait_for(ids, ChangeState.DONE)
        assert quantity(full_shop, pet) == 40


def test_a_field_that_another_desk_changed_is_a_conflict_not_an_overwrite(full_shop: Shop, tmp_path: Path) -> None:
    pet, name, status = full_shop.rows("SELECT id, name, status FROM pets ORDER BY id LIMIT 1 OFFSET 8")[0]
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        # Our own first change brings the ETag; then another desk writes.
        first = shop.apply(NewChange(Ref(Resource.PETS, pet), SetFields({"name": "Ours"}), {"name": name}))
        shop.wait_for(first, ChangeState.DONE)
        patch(full_shop, f"pets/{pet}", name="Theirs")
        clash, fine = shop.apply(
            NewChange(Ref(Resource.PETS, pet), SetFields({"name": "Mine"}), {"name": "Ours"}),
            NewChange(stock(pet), AddStock(0), {}),
        )
        shop.wait_for((clash,), ChangeState.CONFLICT)
        assert full_shop.rows("SELECT name, status FROM pets WHERE id = ?", pet) == [("Theirs", status)]
        assert shop.state(fine) is not ChangeState.CONFLICT
        again = shop.apply(NewChange(Ref(Resource.PETS, pet), SetFields({"name": "Both"}), {"name": "Theirs"}))
        shop.wait_for(again, ChangeState.DONE)
        assert shop.state(clash) is ChangeState.DISCARDED  # the new act took its place
        assert full_shop.rows("SELECT name FROM pets WHERE id = ?", pet) == [("Both",)]


@pytest.mark.parametrize(("intent", "after"), [(AddStock(12), 12), (SetStock(40), 0)])
def test_without_etags_a_list_look_serves_the_write(
    default_shop: Shop, tmp_path: Path, intent: AddStock | SetStock, after: int
) -> None:
    pet = stocked(default_shop, 1 if after else 2)
    with Watched(tmp_path, default_shop) as shop:
        shop.wait_loaded()
        seen = quantity(default_shop, pet)
        ids = shop.apply(NewChange(stock(pet), intent, {"quantity": seen}))
        shop.wait_for(ids, ChangeState.DONE)
        assert quantity(default_shop, pet) == (seen + 12 if after else 40)
        assert len(writes(default_shop, f"/inventory/{pet}")) == 1


def test_a_default_service_creates_and_cancels(default_shop: Shop, tmp_path: Path) -> None:
    order = default_shop.rows("SELECT id FROM orders WHERE complete = 0 AND id IS NOT NULL")[0][0]
    category = default_shop.rows("SELECT id FROM categories")[0][0]
    with Watched(tmp_path, default_shop) as shop:
        shop.wait_loaded()
        ids = shop.apply(
            NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": "Ada", "category_id": category})),
            NewChange(Ref(Resource.ORDERS, order), Delete()),
        )
        shop.wait_for(ids, ChangeState.DONE)
        assert default_shop.rows("SELECT count(*) FROM pets WHERE name = 'Ada'") == [(1,)]
        assert default_shop.rows("SELECT id FROM orders WHERE id = ?", order) == []


def test_a_stock_edit_on_a_row_of_a_list_is_one_request_though_the_list_was_read_long_ago(
    full_shop: Shop, tmp_path: Path
) -> None:
    booked, counted = stocked(full_shop, 7), stocked(full_shop, 8)
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
    with Watched(tmp_path, full_shop) as shop:  # a later start: nothing has been seen in this run
        shop.wait(lambda: shop.of(ContractRead), "it is connected")
        seen, old = quantity(full_shop, booked), quantity(full_shop, counted)
        ids = shop.apply(
            NewChange(stock(booked), AddStock(12), {"quantity": seen}),
            NewChange(stock(counted), SetStock(40), {"quantity": old}),
        )
        shop.wait_for(ids, ChangeState.DONE)
        assert (quantity(full_shop, booked), quantity(full_shop, counted)) == (seen + 12, 40)
        assert shop.session.requests == 2
