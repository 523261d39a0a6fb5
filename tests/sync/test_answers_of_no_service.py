"""Answers to a write that sound like a yes and are none: of a login page, a gateway, or with an error inside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from petstore_desktop.domain.changes import (
    ACCEPTED,
    AS_BEFORE,
    Change,
    ChangeState,
    Create,
    Delete,
    Fields,
    Intent,
    NewChange,
    SetFields,
)
from petstore_desktop.domain.records import LocalId, Ref, Resource
from tests.support.book_shop import BookShop, Fault
from tests.support.virtual_desk import VirtualDesk, a_desk
from tests.support.virtual_time import VirtualTime

PAGE = "<!doctype html><title>Sign in</title>"
JSON = "application/json"
DONE, REFUSED = ChangeState.DONE, ChangeState.REFUSED
NO_YES = [
    pytest.param((200, PAGE, "text/html"), "web-page", id="a page"),
    pytest.param((201, PAGE, "text/plain"), "web-page", id="a page as text"),
    pytest.param((200, "not now, please", "text/plain"), "no-json", id="text"),
    pytest.param((200, '{"success": false, "error": "too late"}', JSON), "error-inside", id="no success"),
    pytest.param((200, '{"error": {"message": "too late"}}', JSON), "error-inside", id="an error"),
    pytest.param((200, '{"errors": ["too late"]}', JSON), "error-inside", id="errors"),
    pytest.param((200, '{"status": "fail", "data": {"quantity": 7}}', JSON), "error-inside", id="a failure by JSend"),
    pytest.param((200, '{"status": "error", "message": "too late"}', JSON), "error-inside", id="an error by JSend"),
]
MAY_COME = [
    pytest.param((status, body, JSON), "not-said-done", id=str(status))
    for status, body in ((202, ""), (206, "{}"), (207, "{}"), (304, ""))
]
YES = [
    (200, "", JSON), (201, "", JSON), (204, "", JSON), (200, " \n", "text/html"), (200, "OK", "text/plain"),
    (200, "{}", JSON), (200, "null", JSON), (200, '{"success": true, "error": null, "errors": []}', JSON),
]  # fmt: skip

Said = tuple[int, str, str]


@pytest.fixture
def shop(loop: VirtualTime) -> BookShop:
    return BookShop(loop)


def told(said: Said, *, done: bool) -> Fault:
    status, body, kind = said
    return Fault(status, done, body, kind)


INTENTS: tuple[Intent, ...] = (SetFields({"name": "Rex"}), Delete())


def create(desk: VirtualDesk, name: str = "Koi") -> int:
    wanted: Fields = {"name": name}
    return desk.apply(NewChange(Ref(Resource.PETS, LocalId.new()), Create(wanted)))[0]


def edit(desk: VirtualDesk, pet: int, intent: Intent) -> int:
    return desk.apply(NewChange(Ref(Resource.PETS, pet), intent, {"name": "Koi"}))[0]


def needs_somebody(desk: VirtualDesk, id_: int) -> Change:
    desk.wait(lambda: desk.changes[id_].needs_person, "a person is asked")
    return desk.changes[id_]


@pytest.mark.parametrize(("said", "code"), NO_YES)
def test_what_is_no_yes_is_sent_again_and_then_told(
    loop: VirtualTime, shop: BookShop, tmp_path: Path, said: Said, code: str
) -> None:
    pets = [shop.add(name="Koi") for _ in INTENTS]
    desk = a_desk(loop, shop, tmp_path / "desk")
    for pet, intent in zip(pets, INTENTS, strict=True):
        shop.faults, before = [told(said, done=False)] * 9, len(shop.written)
        change = needs_somebody(desk, edit(desk, pet, intent))
        assert change.reason is not None
        assert (change.state, change.reason.code, len(shop.written) - before) == (REFUSED, code, 2)
    assert shop.named("Koi") == pets


@pytest.mark.parametrize(("said", "code"), MAY_COME)
def test_what_may_be_done_later_is_never_sent_again_or_refused_by_itself(
    loop: VirtualTime, shop: BookShop, tmp_path: Path, said: Said, code: str
) -> None:
    acts = [(shop.add(name="Koi"), intent, done) for done in (True, False) for intent in INTENTS]
    desk = a_desk(loop, shop, tmp_path / "desk")
    for number, (pet, intent, done) in enumerate(acts, 1):
        shop.faults.append(told(said, done=done))
        id_ = edit(desk, pet, intent)
        if done:
            desk.wait_for((id_,), DONE)
        else:
            reason = needs_somebody(desk, id_).reason
            loop.run_for(600.0)
            assert (desk.state(id_), reason and reason.code) == (
                ChangeState.UNCERTAIN,
                ACCEPTED if said[0] == 202 else AS_BEFORE,
            ), code
        assert len(shop.written) == number


@pytest.mark.parametrize(("said", "code"), NO_YES[:2])
def test_what_is_no_yes_once_is_settled_by_a_look(
    loop: VirtualTime, shop: BookShop, tmp_path: Path, said: Said, code: str
) -> None:
    acts = [(shop.add(name="Koi"), intent, done) for done in (True, False) for intent in INTENTS]
    desk = a_desk(loop, shop, tmp_path / "desk")
    for pet, intent, done in acts:
        before = len(shop.written)
        shop.faults.append(told(said, done=done))
        desk.wait_for((edit(desk, pet, intent),), DONE)
        assert len(shop.written) - before == (1 if done else 2), code
    assert shop.named("Koi") == []


@pytest.mark.parametrize(("said", "code"), [*NO_YES[:2], *MAY_COME[:2]])
def test_a_creation_that_was_no_yes_is_found_or_a_person_is_asked(
    loop: VirtualTime, shop: BookShop, tmp_path: Path, said: Said, code: str
) -> None:
    desk = a_desk(loop, shop, tmp_path / "desk")
    for name, done in (("Koi", True), ("Rex", False)):
        shop.faults.append(told(said, done=done))
        id_ = create(desk, name)
        if done:
            desk.wait_for((id_,), DONE)
            assert [desk.changes[id_].result_key] == shop.named(name), code
        else:
            assert needs_somebody(desk, id_).state is ChangeState.UNCERTAIN, code
    assert len(shop.posts) == 2


@pytest.mark.parametrize("status", [404, 410])
@pytest.mark.parametrize("there", [True, False])
def test_a_page_that_says_not_found_is_no_proof_that_a_record_is_gone(
    loop: VirtualTime, shop: BookShop, tmp_path: Path, status: int, there: bool
) -> None:
    pet = shop.add(name="Koi")
    desk = a_desk(loop, shop, tmp_path / "desk")
    shop.faults += [Fault(status, not there, PAGE)] * 9
    id_ = edit(desk, pet, Delete())
    desk.wait_for((id_,), REFUSED if there else DONE)
    assert len(shop.written) == (2 if there else 1)


def test_an_answer_that_says_not_found_without_a_page_is_enough(
    loop: VirtualTime, shop: BookShop, tmp_path: Path
) -> None:
    pet = shop.add(name="Koi")
    desk = a_desk(loop, shop, tmp_path / "desk")
    shop.faults.append(Fault(404, done=True, body='{"message": "no such pet"}', kind=JSON))
    desk.wait_for((edit(desk, pet, Delete()),), DONE)


def test_a_short_yes_is_one(loop: VirtualTime, shop: BookShop, tmp_path: Path) -> None:
    pets = [shop.add(name="Koi") for _ in 2 * YES]
    desk = a_desk(loop, shop, tmp_path / "desk")
    for number, said in enumerate(YES):
        for intent in INTENTS:
            shop.faults.append(told(said, done=True))
            desk.wait_for((edit(desk, pets.pop(), intent),), DONE)
        shop.faults.append(told(said, done=True))
        id_ = create(desk, f"Koi {number}")
        desk.wait_for((id_,), DONE)
        assert [desk.changes[id_].result_key] == shop.named(f"Koi {number}")
    assert [method for method, _, _ in shop.written] == ["PATCH", "DELETE", "POST"] * len(YES)


def test_a_creation_that_the_whole_list_does_not_show_is_not_taken_for_done(
    loop: VirtualTime, shop: BookShop, tmp_path: Path
) -> None:
    desk = a_desk(loop, shop, tmp_path / "desk")
    for number, said in enumerate(YES[:3], 1):
        shop.faults.append(told(said, done=False))
        assert needs_somebody(desk, create(desk, f"Koi {number}")).state is ChangeState.UNCERTAIN
        assert len(shop.posts) == number


@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize("intent", [*INTENTS, None], ids=["change", "delete", "create"])
def test_where_every_look_is_answered_by_a_page_a_person_is_asked(
    loop: VirtualTime, shop: BookShop, tmp_path: Path, status: int, intent: Intent | None
) -> None:
    pet = shop.add(name="Koi")
    desk = a_desk(loop, shop, tmp_path / "desk")
    shop.faults.append(Fault(200, True, PAGE))
    id_ = create(desk, "Rex") if intent is None else edit(desk, pet, intent)
    desk.wait(lambda: desk.state(id_) is ChangeState.UNCERTAIN, "its answer was no yes")
    shop.page = Fault(status, body=PAGE)
    asked = shop.asked
    assert needs_somebody(desk, id_).state is ChangeState.UNCERTAIN
    assert shop.asked - asked <= 6
    shop.page = None  # and it is looked after all the same
    desk.wait_for((id_,), DONE, 1_200.0)
    assert len(shop.written) == 1


@pytest.mark.parametrize("number", ["-7", '"x"', "true"])
def test_a_creation_that_is_answered_with_what_is_no_id_is_settled_by_a_look(
    loop: VirtualTime, shop: BookShop, tmp_path: Path, number: str
) -> None:
    desk = a_desk(loop, shop, tmp_path / "desk")
    bodies = ['{"id": %s, "name": "%s"}', '{"id": %s%.0s}']
    for posts, (body, done) in enumerate(((body, done) for done in (True, False) for body in bodies), 1):
        name = f"Koi {posts}"
        shop.faults.append(Fault(201, done, body % (number, name), JSON))
        id_ = create(desk, name)
        if done:
            desk.wait_for((id_,), DONE)
            assert [desk.changes[id_].result_key] == shop.named(name)
        else:
            assert needs_somebody(desk, id_).state is ChangeState.UNCERTAIN
        assert len(shop.posts) == posts
    assert sorted(desk.rows[Resource.PETS]) == sorted(shop.pets)


@pytest.mark.parametrize("done", [True, False])
def test_an_answer_that_shows_the_old_value_is_no_yes_unless_a_look_shows_the_new_one(
    loop: VirtualTime, shop: BookShop, tmp_path: Path, done: bool
) -> None:
    pet = shop.add(name="Koi")
    desk = a_desk(loop, shop, tmp_path / "desk")
    shop.faults.append(Fault(200, done, f'{{"id": {pet}, "name": "Koi"}}', JSON))
    id_ = edit(desk, pet, SetFields({"name": "Rex"}))
    if done:
        desk.wait_for((id_,), DONE)
    else:
        change = needs_somebody(desk, id_)
        assert (change.state, change.reason and change.reason.code) == (REFUSED, "stayed")
    assert len(shop.written) == 1


class Lost(BookShop):
    """Such a service that finds no pet by the id that its list shows."""

    def _one(self, method: str, number: int, body: dict[str, Any]) -> httpx.Response:
        return httpx.Response(404, json={"message": "no such pet"})


@pytest.mark.parametrize("reads", [True, False])
def test_what_is_not_found_by_a_path_that_has_led_nowhere_is_not_deleted_while_the_list_shows_it(
    loop: VirtualTime, tmp_path: Path, reads: bool
) -> None:
    shop = Lost(loop, reads=reads)
    pets = [shop.add(name="Koi") for _ in range(2)]
    desk = a_desk(loop, shop, tmp_path / "desk")
    for pet in pets:
        change = needs_somebody(desk, edit(desk, pet, Delete()))
        assert (change.state, change.reason and change.reason.status) == (REFUSED, 404)
    assert sorted(desk.rows[Resource.PETS]) == pets


@pytest.mark.parametrize("reads", [True, False])
def test_what_a_colleague_has_deleted_is_gone_though_no_path_has_been_used(
    loop: VirtualTime, tmp_path: Path, reads: bool
) -> None:
    shop = BookShop(loop, reads=reads)
    pet, _ = (shop.add(name="Koi") for _ in range(2))
    desk = a_desk(loop, shop, tmp_path / "desk")
    del shop.pets[pet]
    desk.wait_for((edit(desk, pet, Delete()),), DONE)
    assert pet not in desk.rows[Resource.PETS]
