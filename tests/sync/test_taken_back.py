"""Changes that left as one request of unknown fate, of which a person then takes back some, or has some sent again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from petstore_desktop.domain.changes import (
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Intent,
    NewChange,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.commands import Discard, Retry, Revert
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.sync.jobs.undo import ORDER_CANCELLED
from petstore_desktop.sync.wire.events import Undone
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime


@pytest.fixture
def shop(loop: VirtualTime, tmp_path: Path) -> Iterator[VirtualShop]:
    shop = VirtualShop(loop, tmp_path / "shop")
    yield shop
    shop.close()


@pytest.fixture
def desk(loop: VirtualTime, shop: VirtualShop, tmp_path: Path) -> VirtualDesk:
    desk = VirtualDesk(loop, shop, tmp_path / "desk")
    desk.wait_idle()
    return desk


def some_pet(shop: VirtualShop) -> int:
    return shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 1")[0][0]


def name_of(shop: VirtualShop, pet: int) -> str:
    return shop.rows("SELECT name FROM pets WHERE id = ?", pet)[0][0]


def quantity(shop: VirtualShop, pet: int) -> int:
    return shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", pet)[0][0]


def killed_while_sending(desk: VirtualDesk, ref: Ref, base: dict[str, str | int], *intents: Intent) -> tuple[int, ...]:
    """The changes left, were done, and no answer came to this program. A start makes them uncertain."""
    ids = desk.apply(*(NewChange(ref, intent, base) for intent in intents))
    desk.wait_for(ids, ChangeState.SENDING)
    desk.kill()
    desk.loop.run_for(1.0)
    desk.start()
    return ids


def two_names(shop: VirtualShop, desk: VirtualDesk, pet: int) -> tuple[int, ...]:
    """Ada, then Bo, left as one request of unknown fate: the shop has Bo."""
    base = {"name": name_of(shop, pet)}
    names = (SetFields({"name": name}) for name in ("Ada", "Bo"))
    return killed_while_sending(desk, Ref(Resource.PETS, pet), base, *names)


def fate(desk: VirtualDesk, id_: int) -> Change:
    desk.wait(lambda: desk.changes[id_].state not in (ChangeState.UNCERTAIN, ChangeState.SENDING), "it is settled")
    return desk.changes[id_]


def test_a_name_is_not_done_where_the_one_sent_in_its_place_was_taken_back(
    shop: VirtualShop, desk: VirtualDesk
) -> None:
    pet = some_pet(shop)
    first, second = two_names(shop, desk, pet)
    desk.submit(Discard((second,)))
    left = fate(desk, first)
    assert left.state is ChangeState.CONFLICT
    assert left.reason is not None
    assert (left.reason.code, left.reason.theirs) == ("moved", {"name": "Bo"})
    desk.submit(Retry((first,)))
    desk.wait_for((first,), ChangeState.DONE)
    assert name_of(shop, pet) == "Ada"


def test_a_look_says_nothing_of_what_a_person_decides_while_it_is_on_its_way(
    shop: VirtualShop, desk: VirtualDesk
) -> None:
    first, second = two_names(shop, desk, some_pet(shop))
    desk.kill()
    shop.control("delay", seconds=8.0)
    desk.start()
    desk.loop.run_for(4.0)
    assert desk.changes[first].state is ChangeState.UNCERTAIN
    desk.submit(Discard((second,)))
    desk.submit(Retry((first,)))
    desk.wait_for((first,), ChangeState.CONFLICT)
    reason = desk.changes[first].reason
    assert reason is not None
    assert (reason.code, reason.theirs) == ("moved", {"name": "Bo"})


def test_a_name_is_done_where_an_earlier_one_of_its_request_was_taken_back(
    shop: VirtualShop, desk: VirtualDesk
) -> None:
    pet = some_pet(shop)
    first, second = two_names(shop, desk, pet)
    desk.submit(Discard((first,)))
    assert fate(desk, second).state is ChangeState.DONE


@pytest.mark.parametrize(
    ("intents", "taken_back", "fates"),
    [
        ((SetStock(5), SetStock(40)), 1, [ChangeState.CONFLICT]),
        ((SetStock(5), AddStock(3)), 1, [ChangeState.CONFLICT]),
        ((AddStock(3), SetStock(40)), 1, [ChangeState.CONFLICT]),
        ((AddStock(3), SetStock(40)), 0, [ChangeState.DONE]),
        ((AddStock(3), AddStock(4)), 1, [ChangeState.DONE]),
        ((AddStock(3), SetStock(40), AddStock(2)), 1, [ChangeState.CONFLICT, ChangeState.CONFLICT]),
    ],
)
def test_a_count_or_booking_is_done_only_if_what_is_left_comes_to_what_was_sent(
    shop: VirtualShop, desk: VirtualDesk, intents: tuple[Intent, ...], taken_back: int, fates: list[ChangeState]
) -> None:
    pet = some_pet(shop)
    base = {"quantity": quantity(shop, pet)}
    ids = killed_while_sending(desk, Ref(Resource.INVENTORY, pet), base, *intents)
    desk.submit(Discard((ids[taken_back],)))
    left = [id_ for id_ in ids if id_ != ids[taken_back]]
    assert [fate(desk, id_).state for id_ in left] == fates


def test_what_one_sent_again_alone_came_to_says_nothing_of_the_others(shop: VirtualShop, desk: VirtualDesk) -> None:
    pet = some_pet(shop)
    first, second = two_names(shop, desk, pet)
    desk.submit(Retry((first,)))
    desk.wait_for((first,), ChangeState.CONFLICT)  # Bo is there
    shop.control("lose-answers", next=1)
    desk.submit(Retry((first,)))
    assert fate(desk, second).state is ChangeState.CONFLICT
    assert (desk.changes[first].state, name_of(shop, pet)) == (ChangeState.DONE, "Ada")


def test_what_was_to_be_taken_back_once_answered_and_cannot_be_is_told(shop: VirtualShop, desk: VirtualDesk) -> None:
    order = shop.rows("SELECT id FROM orders WHERE complete = 0 ORDER BY id LIMIT 1")[0][0]
    (cancelled,) = killed_while_sending(desk, Ref(Resource.ORDERS, order), {}, Delete())
    desk.submit(Revert(desk.changes[cancelled].batch))
    assert fate(desk, cancelled).state is ChangeState.DONE
    promised, told = desk.of(Undone)
    assert (promised.waits, promised.impossible) == (1, ())
    assert [(change.id, why) for change, why in told.impossible] == [(cancelled, ORDER_CANCELLED)]


def test_of_what_was_created_an_edit_is_not_done_that_another_one_had_stood_in_for(
    shop: VirtualShop, desk: VirtualDesk
) -> None:
    pet = Ref(Resource.PETS, LocalId.new())
    category = shop.rows("SELECT id FROM categories ORDER BY id LIMIT 1")[0][0]
    names = [SetFields({"name": "Bo"}), SetFields({"name": "Cy"})]
    create = Create({"name": "Ada", "category_id": category})
    created, first, second = killed_while_sending(desk, pet, {}, create, *names)
    desk.submit(Discard((second,)))
    desk.wait_for((created,), ChangeState.DONE)
    assert fate(desk, first).state is ChangeState.CONFLICT
    desk.submit(Retry((first,)))
    desk.wait_for((first,), ChangeState.DONE)
    assert shop.rows("SELECT name FROM pets WHERE name IN ('Ada', 'Bo', 'Cy')") == [("Bo",)]
