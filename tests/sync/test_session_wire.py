"""When an answer does not come: nothing is lost, and nothing is done twice."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import httpx
import pytest

from petstore_desktop.domain.changes import NEITHER, AddStock, ChangeState, Create, NewChange, SetFields
from petstore_desktop.domain.commands import Retry
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.sync.runner import WIRE_GRACE_S
from tests.support.fault_proxy import FaultProxy
from tests.support.patience import PATIENCE_S
from tests.support.session import Child, Watched, quantity, stock, writes
from tests.support.shop import Shop

pytestmark = pytest.mark.usefixtures("soon")

ShopFactory = Callable[..., Shop]
ANSWERED_S = 60.0


def some_pet(shop: Shop) -> int:
    return shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 1")[0][0]


def remaining(shop: Shop) -> int:
    return shop.control("state")["keys"][0]["minute"]["remaining"]


def wait_until(condition: Callable[[], bool], what: str, seconds: float = PATIENCE_S) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited in vain until {what}"


@pytest.fixture
def slow_shop(new_shop: ShopFactory) -> Shop:
    return new_shop(plan="unlimited")


def test_a_kill_while_a_booking_is_on_the_wire_loses_nothing_and_books_once(slow_shop: Shop, tmp_path: Path) -> None:
    pet, other = [row[0] for row in slow_shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 2")]
    before, also = quantity(slow_shop, pet), quantity(slow_shop, other)
    child = Child(tmp_path, slow_shop)
    child.wait_until("loaded orders")
    slow_shop.control("delay", seconds=0.7)
    left = remaining(slow_shop)
    child.apply(["inventory", pet, "add", 12], ["inventory", other, "add", 1])
    wait_until(lambda: remaining(slow_shop) < left, "the booking arrives")
    child.kill()
    slow_shop.control("delay", seconds=0)
    with Watched(tmp_path, slow_shop) as shop:
        shop.wait(lambda: shop.changes, "what was left is told")
        assert {id_: change.state for id_, change in shop.changes.items()} == {
            1: ChangeState.UNCERTAIN, 2: ChangeState.QUEUED,
        }  # fmt: skip
        shop.wait_for((1, 2), ChangeState.DONE)
    assert (quantity(slow_shop, pet), quantity(slow_shop, other)) == (before + 12, also + 1)
    assert len(writes(slow_shop, f"/inventory/{pet}")) == 1


def test_a_kill_before_the_first_byte_arrives_books_once(slow_shop: Shop, tmp_path: Path) -> None:
    """The shop goes away with the program: what was on the wire was never done, and is done at the next start."""
    pet = some_pet(slow_shop)
    before = quantity(slow_shop, pet)
    child = Child(tmp_path, slow_shop)
    child.wait_until("loaded orders")
    slow_shop.control("delay", seconds=30)
    child.apply(["inventory", pet, "add", 12])
    child.wait_until("1 sending")
    child.kill()
    slow_shop.kill()
    assert quantity(slow_shop, pet) == before
    slow_shop.start()
    with Watched(tmp_path, slow_shop) as shop:
        shop.wait_for((1,), ChangeState.DONE)
    assert quantity(slow_shop, pet) == before + 12


def test_a_lost_answer_to_a_booking_is_settled_by_looking(slow_shop: Shop, tmp_path: Path) -> None:
    pet = some_pet(slow_shop)
    before = quantity(slow_shop, pet)
    with Watched(tmp_path, slow_shop) as shop:
        shop.wait_loaded()
        slow_shop.control("lose-answers", next=1)
        ids = shop.apply(NewChange(stock(pet), AddStock(12), {}))
        shop.wait_for(ids, ChangeState.DONE)
        assert quantity(slow_shop, pet) == before + 12
        assert len(writes(slow_shop, f"/inventory/{pet}")) == 1


def test_a_booking_of_unknown_fate_is_never_rebased(new_shop: ShopFactory, tmp_path: Path) -> None:
    """Its answer is lost, and another desk writes before we can look: nobody can say whether it was done."""
    shop = new_shop(rpm=30, minute=2, ban_at=1)
    shop.control("restore", key="another-desk")
    pet = some_pet(shop)
    before = quantity(shop, pet)
    with Watched(tmp_path, shop) as ours:
        ours.wait_loaded()
        shop.control("exhaust", key=shop.key, leave=1)
        shop.control("lose-answers", next=1)
        (booking,) = ours.apply(NewChange(stock(pet), AddStock(12), {}))
        ours.wait_for((booking,), ChangeState.UNCERTAIN)
        assert quantity(shop, pet) == before + 12
        theirs = {"Authorization": "Bearer another-desk"}
        assert httpx.patch(f"{shop.url}/inventory/{pet}", headers=theirs, json={"quantity": 3}).is_success
        ours.wait(lambda: ours.changes[booking].needs_person, "a person is asked")
        reason = ours.changes[booking].reason
        assert reason is not None
        assert (reason.code, ours.state(booking)) == (NEITHER, ChangeState.UNCERTAIN)
        assert (dict(reason.theirs), quantity(shop, pet)) == ({"quantity": 3}, 3)
        ours.submit(Retry((booking,)))  # the person says: book it on what is there now
        ours.wait_for((booking,), ChangeState.DONE)
        assert quantity(shop, pet) == 15
    assert not any(line["inside_pause"] for line in shop.log_lines())


def test_a_creation_with_a_lost_answer_is_found_in_the_list_and_not_made_twice(slow_shop: Shop, tmp_path: Path) -> None:
    local = LocalId.new()
    with Watched(tmp_path, slow_shop) as shop:
        shop.wait_loaded()
        slow_shop.control("lose-answers", next=1)
        create, describe = shop.apply(
            NewChange(Ref(Resource.CATEGORIES, local), Create({"name": "Geckos"})),
            NewChange(Ref(Resource.CATEGORIES, LocalId.new()), Create({"name": "Newts"})),
        )
        shop.wait_for((create, describe), ChangeState.DONE)
        ((made,),) = slow_shop.rows("SELECT id FROM categories WHERE name = 'Geckos'")
        assert shop.changes[create].result_key == made
        more = shop.apply(NewChange(Ref(Resource.CATEGORIES, local), SetFields({"description": "small"}), {}))
        shop.wait_for(more, ChangeState.DONE)
        assert slow_shop.rows("SELECT description FROM categories WHERE name = 'Geckos'") == [("small",)]


def test_a_creation_that_no_list_shows_waits_for_the_person(slow_shop: Shop, tmp_path: Path) -> None:
    with Watched(tmp_path, slow_shop) as shop:
        shop.wait_loaded()
        listed = len(shop.ended(Resource.CATEGORIES))
        slow_shop.control("answer-next", next=1, status=502, body="<html>")
        ids = shop.apply(NewChange(Ref(Resource.CATEGORIES, LocalId.new()), Create({"name": "Geckos"})))
        shop.wait(lambda: len(shop.ended(Resource.CATEGORIES)) > listed, "the list is read to find it")
        other = shop.apply(NewChange(stock(some_pet(slow_shop)), AddStock(1), {}))
        shop.wait_for(other, ChangeState.DONE)
        assert shop.state(ids[0]) is ChangeState.UNCERTAIN
        assert slow_shop.rows("SELECT id FROM categories WHERE name = 'Geckos'") == []
        shop.submit(Retry(ids))
        shop.wait_for(ids, ChangeState.DONE)
        assert slow_shop.rows("SELECT count(*) FROM categories WHERE name = 'Geckos'") == [(1,)]


def test_stop_ends_within_its_bound_and_marks_what_is_on_the_wire(slow_shop: Shop, tmp_path: Path) -> None:
    pet = some_pet(slow_shop)
    with FaultProxy(slow_shop.url, Random(1)) as proxy:
        shop = Watched(tmp_path, slow_shop, url=proxy.url)
        shop.wait_loaded()
        slow_shop.control("delay", seconds=ANSWERED_S)
        shop.apply(NewChange(stock(pet), AddStock(12), {}), NewChange(stock(pet + 10**6), AddStock(1), {}))
        wait_until(lambda: proxy.log[-1].method == "PATCH", "the booking is on the wire")
        began = time.monotonic()
        assert shop.close()
    assert WIRE_GRACE_S <= time.monotonic() - began < ANSWERED_S / 2, "it does not wait for the answer"
    journal = Journal(shop.places.journal("shop"))
    assert [change.state for change in journal.open_changes()] == [ChangeState.UNCERTAIN, ChangeState.QUEUED]
    journal.close()


def test_stop_waits_for_an_answer_that_comes_in_time(slow_shop: Shop, tmp_path: Path) -> None:
    pet = some_pet(slow_shop)
    with FaultProxy(slow_shop.url, Random(1)) as proxy:
        shop = Watched(tmp_path, slow_shop, url=proxy.url)
        shop.wait_loaded()
        slow_shop.control("delay", seconds=0.4)
        shop.apply(NewChange(stock(pet), AddStock(12), {}))
        wait_until(lambda: proxy.log[-1].method == "PATCH", "the booking is on the wire")
        assert shop.close()
    journal = Journal(shop.places.journal("shop"))
    assert journal.open_changes() == ()
    journal.close()


def test_what_is_done_right_before_a_stop_is_saved(slow_shop: Shop, tmp_path: Path) -> None:
    from petstore_desktop.domain.commands import Apply

    pet = some_pet(slow_shop)
    shop = Watched(tmp_path, slow_shop)
    shop.wait_loaded()
    slow_shop.control("offline")
    for number in range(20):
        shop.submit(Apply(f"batch{number}", (NewChange(stock(pet), AddStock(1), {}),)))
    assert shop.close()
    journal = Journal(shop.places.journal("shop"))
    assert len(journal.open_changes()) == 20
    journal.close()
