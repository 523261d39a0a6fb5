"""Who changed what, as the history of a session at work tells it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from petstore_desktop.domain.changes import AddStock, ChangeState, Create, Delete, NewChange, SetFields
from petstore_desktop.domain.commands import CheckLive, Refresh
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.store.history.reader import PastReader
from petstore_desktop.sync.wire.events import Checked
from tests.support.session import NAME, Watched, stock
from tests.support.shop import Shop
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime

pytestmark = pytest.mark.usefixtures("soon")

PETS = Resource.PETS


def stocked(shop: Shop, nth: int) -> int:
    """The pet of the nth stock entry."""
    return shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 1 OFFSET ?", nth)[0][0]


def renamed(shop: Shop, pet: int, name: str = "Ours") -> NewChange:
    was = shop.rows("SELECT name FROM pets WHERE id = ?", pet)[0][0]
    return NewChange(Ref(PETS, pet), SetFields({"name": name}), {"name": was})


def seen(shop: Watched | VirtualDesk, ref: Ref) -> list[tuple[Any, ...]]:
    reader = PastReader(shop.places.history(NAME))
    found = [(one.ref.resource.value, one.what.value, one.field, one.who.value) for one in reader.changes_of(ref)]
    reader.close()
    return found[::-1]


def check(shop: Watched, pet: int) -> None:
    before = len(shop.of(Checked))
    shop.submit(CheckLive(Ref(PETS, pet)))
    shop.wait(lambda: len(shop.of(Checked)) > before, "the record is checked")


def test_edits_of_here_and_elsewhere_are_told_apart(full_shop: Shop, tmp_path: Path) -> None:
    pet = stocked(full_shop, 0)
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        ids = shop.apply(renamed(full_shop, pet))
        ids += shop.apply(NewChange(stock(pet), AddStock(12), {"quantity": 1}))
        shop.wait_for(ids, ChangeState.DONE)
        assert httpx.patch(f"{full_shop.url}/pets/{pet}", headers=full_shop.auth, json={"name": "Theirs"}).is_success
        check(shop, pet)
        assert seen(shop, Ref(PETS, pet)) == [
            ("pets", "changed", "name", "here"),
            ("inventory", "changed", "quantity", "here"),
            ("pets", "changed", "name", "elsewhere"),
        ]


def test_a_lost_answer_is_ours_once(full_shop: Shop, tmp_path: Path) -> None:
    pet = stocked(full_shop, 0)
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        full_shop.control("lose-answers", next=1)
        ids = shop.apply(renamed(full_shop, pet))
        shop.wait_for(ids, ChangeState.DONE)
        for name in ("Theirs", "Ours"):
            httpx.patch(f"{full_shop.url}/pets/{pet}", headers=full_shop.auth, json={"name": name}).raise_for_status()
            check(shop, pet)
        assert [one[3] for one in seen(shop, Ref(PETS, pet))] == ["here", "elsewhere", "elsewhere"]


def test_what_is_made_and_deleted_here_is_ours(full_shop: Shop, tmp_path: Path) -> None:
    pet, ((category,), *_) = stocked(full_shop, 0), full_shop.rows("SELECT id FROM categories")
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        made = NewChange(Ref(PETS, LocalId.new()), Create({"name": "New", "category_id": category}))
        ids = shop.apply(made) + shop.apply(NewChange(Ref(PETS, pet), Delete()))
        shop.wait_for(ids, ChangeState.DONE)
        ((new,),) = full_shop.rows("SELECT id FROM pets WHERE name = 'New'")
        assert seen(shop, Ref(PETS, new))[0] == ("pets", "new", "", "here")
        shop.submit(Refresh((Resource.INVENTORY,)))
        shop.wait(lambda: len(seen(shop, Ref(PETS, pet))) > 1, "its stock is seen to be gone")
        assert seen(shop, Ref(PETS, pet)) == [("pets", "gone", "", "here"), ("inventory", "gone", "", "here")]


def test_a_deletion_that_found_the_pet_gone_is_not_ours(loop: VirtualTime, tmp_path: Path) -> None:
    """In virtual time, in which what is known of the pet is too new for another look."""
    shop = VirtualShop(loop, tmp_path / "shop")
    unsold = "SELECT pet_id FROM inventory WHERE pet_id NOT IN (SELECT pet_id FROM orders WHERE pet_id NOT NULL)"
    pet = shop.rows(unsold)[0][0]
    desk = VirtualDesk(loop, shop, tmp_path / "desk")
    desk.wait_idle()
    asked = httpx.Request("DELETE", f"{shop.url}/pets/{pet}", headers={"Authorization": f"Bearer {shop.key}"})
    assert loop.run_until_complete(shop.serve(asked, loop.wall)).status_code == 204
    desk.wait_for(desk.apply(NewChange(Ref(PETS, pet), Delete(), {})), ChangeState.DONE)
    desk.submit(Refresh((PETS, Resource.INVENTORY)))
    desk.wait(lambda: len(seen(desk, Ref(PETS, pet))) == 2, "the pet and its stock are gone")
    assert [one[1:] for one in seen(desk, Ref(PETS, pet))] == [("gone", "", "elsewhere")] * 2
    shop.close()


def test_a_pet_whose_creation_was_answered_without_it_is_ours(full_shop: Shop, tmp_path: Path) -> None:
    ((category,), *_) = full_shop.rows("SELECT id FROM categories")
    with Watched(tmp_path, full_shop) as shop:
        shop.wait_loaded()
        full_shop.control("lose-answers", next=1)
        ids = shop.apply(NewChange(Ref(PETS, LocalId.new()), Create({"name": "Unlike", "category_id": category})))
        shop.wait_for(ids, ChangeState.DONE)
        ((new,),) = full_shop.rows("SELECT id FROM pets WHERE name = 'Unlike'")
        assert seen(shop, Ref(PETS, new))[0] == ("pets", "new", "", "here")
