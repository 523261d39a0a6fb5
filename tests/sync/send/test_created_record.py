"""Creations whose fate is not known, whose id is ours to choose, or that somebody else made too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from petstore_desktop.domain.changes import (
    FOUND_ALIKE,
    Change,
    ChangeState,
    Create,
    Delete,
    Fields,
    NewChange,
    SetFields,
)
from petstore_desktop.domain.commands import Choice, Decide, Decided, Refresh, Retry, Revert
from petstore_desktop.domain.records import LocalId, Pet, Ref, Resource
from petstore_desktop.store.journal.journal import Journal
from tests.support.book_shop import BookShop, Fault
from tests.support.same_moment import two_desks_create_at_once
from tests.support.shaped_shop import NUMBER, ShapedShop
from tests.support.virtual_desk import NAME, VirtualDesk, a_desk
from tests.support.virtual_time import VirtualTime
from tests.sync.test_whole_writes import FLAT, flat


def create(desk: VirtualDesk, **fields: str | int) -> int:
    wanted: Fields = fields
    return desk.apply(NewChange(Ref(Resource.PETS, LocalId.new()), Create(wanted)))[0]


def read_again(desk: VirtualDesk) -> None:
    """Have the list of pets read from its beginning to its end."""
    before = len(desk.ended(Resource.PETS))
    desk.submit(Refresh((Resource.PETS,)))
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


def test_a_lost_creation_is_found_by_itself_where_the_list_came_whole_shortly_before(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop = BookShop(loop)
    desk = a_desk(loop, shop, tmp_path / "desk")
    shop.faults.append(Fault(done=True))
    id_ = create(desk, name="Koi", status="available")
    desk.wait_for((id_,), ChangeState.DONE)
    assert [desk.changes[id_].result_key] == shop.named("Koi")


def test_what_another_desk_made_alike_is_not_ours_where_the_list_was_read_long_before(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop = BookShop(loop)
    desk = a_desk(loop, shop, tmp_path / "desk")
    loop.run_for(61.0)
    shop.add(name="Koi")
    shop.faults.append(Fault(done=False))
    assert needs_somebody(desk, create(desk, name="Koi")).state is ChangeState.UNCERTAIN
    loop.run_for(61.0)
    shop.faults.append(Fault(done=True))
    assert needs_somebody(desk, create(desk, name="Rex")).state is ChangeState.UNCERTAIN  # ours, and none can tell


def test_a_record_that_was_known_and_has_become_alike_is_not_taken_for_what_was_created(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop = BookShop(loop)
    pet = shop.add(name="Old")
    desk = a_desk(loop, shop, tmp_path / "desk")
    shop.pets[pet]["name"] = "Koi"
    shop.faults.append(Fault(done=False))
    assert needs_somebody(desk, create(desk, name="Koi")).state is ChangeState.UNCERTAIN


def test_of_two_alike_that_are_new_none_is_taken(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop)
    desk = a_desk(loop, shop, tmp_path / "desk")
    shop.add(name="Koi")
    shop.faults.append(Fault(done=True))
    assert needs_somebody(desk, create(desk, name="Koi")).state is ChangeState.UNCERTAIN


def test_a_lost_creation_is_found_after_a_restart_too(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop, latency_s=1.0)
    desk = a_desk(loop, shop, tmp_path / "desk")
    id_ = create(desk, name="Koi")
    desk.wait(lambda: shop.posts, "it has come to the service")
    desk.kill()
    loop.run_for(120.0)
    desk.start()
    desk.wait_for((id_,), ChangeState.DONE)
    assert ([desk.changes[id_].result_key], len(shop.posts)) == (shop.named("Koi"), 1)


# ---------------------------------------------------------------- where the client chooses ids


def test_where_the_client_chooses_ids_each_creation_has_one_that_is_free(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop, client_ids=True)
    pets = [shop.add(name=name) for name in ("Ada", "Bo")]
    desk = a_desk(loop, shop, tmp_path / "desk")
    ids = desk.apply(
        *(NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": n})) for n in ("Koi", "Rex", "Tom"))
    )
    desk.wait_for(ids, ChangeState.DONE)
    assert len(shop.pets) == 5
    made = [body["id"] for body in shop.posts]
    assert made == [desk.changes[id_].result_key for id_ in ids]
    assert all(number > max(pets) for number in made)


def test_a_creation_leaves_with_the_look_that_shows_its_id_to_be_free(loop: VirtualTime, tmp_path: Path) -> None:
    """Not found is the answer to such a look, and does not end the admission of both."""
    shop = BookShop(loop, client_ids=True)
    shop.add(name="Ada")
    desk = a_desk(loop, shop, tmp_path / "desk")
    id_ = create(desk, name="Koi")
    desk.wait_for((id_,), ChangeState.DONE)
    desk.close()
    journal = Journal(desk.places.journal(NAME))
    try:
        assert len([one for one in journal.attempts(id_) if one.request is not None]) == 1
    finally:
        journal.close()


def test_where_records_are_read_by_their_list_that_shows_an_id_to_be_free(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop, client_ids=True)
    shop.deprecated_read = True
    shop.add(name="Ada")
    desk = a_desk(loop, shop, tmp_path / "desk")
    id_ = create(desk, name="Koi")
    desk.wait_for((id_,), ChangeState.DONE)
    assert [desk.changes[id_].result_key] == shop.named("Koi")


def test_an_id_that_may_be_left_out_is(loop: VirtualTime, tmp_path: Path) -> None:
    shop = ShapedShop(loop, flat, {**FLAT, "id": NUMBER}, {"name": "Ada", "status": "available"})
    desk = VirtualDesk(loop, shop, tmp_path)
    desk.wait_idle()
    id_ = create(desk, name="Koi", status="available")
    desk.wait_for((id_,), ChangeState.DONE)
    assert shop.written == [("POST", "/pets", {"name": "Koi", "status": "available"})]
    assert desk.changes[id_].result_key == 3


def test_where_the_service_insists_the_id_is_the_next_number_and_a_look_shows_that_it_is_free(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop = ShapedShop(
        loop, flat, {**FLAT, "id": NUMBER}, {"name": "Ada", "status": "available"}, required=("id", "name")
    )
    desk = VirtualDesk(loop, shop, tmp_path)
    desk.wait_idle()
    first = create(desk, name="Koi", status="available")
    desk.wait_for((first,), ChangeState.DONE)
    shop.pets[4] = {"name": "Bo", "status": "sold"}  # somebody else's, which the list has not shown yet
    second = create(desk, name="Rex", status="available")
    desk.wait_for((second,), ChangeState.DONE)
    assert [body["id"] for _, _, body in shop.written] == [3, 5]
    assert (shop.pets[4]["name"], [desk.changes[one].result_key for one in (first, second)]) == ("Bo", [3, 5])


def test_two_desks_that_choose_ids_one_after_the_other_do_not_meet(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop, client_ids=True)
    shop.add(name="Ada")
    desks = [a_desk(loop, shop, tmp_path / name) for name in ("here", "there")]
    for number in range(5):
        for desk in desks:
            desk.wait_for((create(desk, name=f"{number} of {desk.data.name}"),), ChangeState.DONE)
    assert sorted(shop.pets) == list(range(51, 62))


def test_where_the_highest_ids_are_used_up_any_free_one_is_chosen(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop, client_ids=True)
    largest = 2**63 - 1
    shop.pets[largest] = {"id": largest, "name": "Ada"}
    desk = a_desk(loop, shop, tmp_path / "desk")
    id_ = create(desk, name="Koi")
    desk.wait_for((id_,), ChangeState.DONE)
    assert shop.posts[0]["id"] < 2**53
    assert shop.pets[largest]["name"] == "Ada"


@pytest.mark.parametrize("done", [True, False])
def test_a_lost_creation_with_our_id_is_found_by_it_and_sent_again_with_it(
    loop: VirtualTime, tmp_path: Path, done: bool
) -> None:
    shop = BookShop(loop, client_ids=True)
    desk = a_desk(loop, shop, tmp_path / "desk")
    loop.run_for(120.0)
    shop.pets[7] = {"id": 7, "name": "Koi"}
    shop.faults.append(Fault(done=done))
    id_ = create(desk, name="Koi")
    if not done:
        needs_somebody(desk, id_)
        desk.submit(Retry((id_,)))
    desk.wait_for((id_,), ChangeState.DONE)
    assert len({body["id"] for body in shop.posts}) == 1
    assert shop.named("Koi") == [7, desk.changes[id_].result_key]


def test_a_creation_that_is_answered_with_an_id_that_is_known_needs_attention(
    loop: VirtualTime, tmp_path: Path
) -> None:
    """A service that says nothing of ids in its document, and takes 0 for what has none."""
    shop = BookShop(loop, client_ids=True)
    shop.hides_ids = True
    desk = a_desk(loop, shop, tmp_path / "desk")
    first = create(desk, name="Koi")
    desk.wait_for((first,), ChangeState.DONE)
    assert desk.changes[first].result_key == 0
    second = needs_somebody(desk, create(desk, name="Rex"))
    assert second.reason is not None
    assert (second.state, second.reason.code, second.result_key) == (ChangeState.UNCERTAIN, "id-known", None)
    assert desk.rows[Resource.PETS][0] == Pet(0, "Rex")  # as it is there now
    read_again(desk)
    desk.kill()
    desk.start()
    desk.wait_idle()
    assert needs_somebody(desk, second.id).reason == second.reason
    assert len(shop.posts) == 2


# ---------------------------------------------------------------- where others choose ids too


def as_its_look_comes(desk: VirtualDesk, shop: BookShop, what: Callable[[], object]) -> None:
    """Somebody else does this right after the service has shown whether an id is free."""
    before = shop.asked
    desk.wait(lambda: shop.asked > before, "an id was looked at")
    what()


def other_pet(shop: BookShop, number: int, **fields: str) -> Callable[[], None]:
    def make() -> None:
        shop.pets[number] = {"id": number, **fields}

    return make


def test_a_number_is_no_proof_that_a_lost_creation_made_what_is_there(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop, client_ids=True)
    shop.add(name="Ada")
    desk = a_desk(loop, shop, tmp_path / "desk")
    shop.faults.append(Fault(done=False))
    id_ = create(desk, name="Koi")
    desk.wait(lambda: desk.changes[id_].state is ChangeState.UNCERTAIN, "the answer is lost")
    other_pet(shop, 52, name="Koi")()
    desk.wait_for((id_,), ChangeState.DONE)
    reason = desk.changes[id_].reason
    assert reason is not None
    assert reason.code == FOUND_ALIKE  # undo asks before it deletes what may be a colleague's


def test_what_came_after_a_look_had_not_found_ours_is_not_ours(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop, client_ids=True)
    shop.add(name="Ada")
    desk = a_desk(loop, shop, tmp_path / "desk")
    shop.faults.append(Fault(done=False))
    id_ = create(desk, name="Koi")
    needs_somebody(desk, id_)
    other_pet(shop, 52, name="Koi", chip="7", status="sold")()
    desk.submit(Retry((id_,)))
    desk.wait_for((id_,), ChangeState.DONE)
    assert (shop.named("Koi"), desk.changes[id_].result_key) == ([52, 53], 53)
    assert shop.pets[52]["chip"] == "7"


def test_what_is_made_again_with_another_number_is_looked_for_too(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop, client_ids=True)
    pet = shop.add(name="Ada", chip="1")
    desk = a_desk(loop, shop, tmp_path / "desk")
    gone = desk.apply(NewChange(Ref(Resource.PETS, pet), Delete(), {"name": "Ada"}))
    desk.wait_for(gone, ChangeState.DONE)
    for number in (pet, pet + 1):
        other_pet(shop, number, name="Koi", chip=str(number))()
    loop.run_for(10.0)
    desk.submit(Revert(desk.changes[gone[0]].batch))
    again = max(desk.changes) + 1
    desk.wait(lambda: again in desk.changes and desk.changes[again].needs_person, "a person is asked")
    desk.submit(Retry((again,)))
    desk.wait_for((again,), ChangeState.DONE)
    assert [shop.pets[number]["name"] for number in (pet, pet + 1)] == ["Koi", "Koi"]
    assert [desk.changes[again].result_key] == shop.named("Ada") == [pet + 2]


@pytest.mark.parametrize("reads", [True, False])
@pytest.mark.parametrize("others", [3, 4, 40])
def test_however_many_numbers_are_taken_a_free_one_is_found_and_nobody_asked(
    loop: VirtualTime, tmp_path: Path, others: int, reads: bool
) -> None:
    shop = BookShop(loop, client_ids=True, reads=reads)
    shop.add(name="Ada")
    desk = a_desk(loop, shop, tmp_path / "desk")
    loop.run_for(10.0)
    for number in range(others):
        shop.add(name=f"Other {number}")
    id_ = create(desk, name="Koi")
    desk.wait_for((id_,), ChangeState.DONE)
    assert len(shop.pets) == others + 2
    assert [desk.changes[id_].result_key] == shop.named("Koi")


def test_what_a_person_sends_on_rests_on_the_look_that_there_was(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop, client_ids=True)
    shop.add(name="Ada")
    desk = a_desk(loop, shop, tmp_path / "desk")
    shop.latency_s = 6.0  # each look is too old when it comes
    id_ = create(desk, name="Koi")
    desk.wait(lambda: desk.changes[id_].state is ChangeState.REFUSED, "a person is told", 3_600.0)
    other_pet(shop, 52, name="Bo")()
    read_again(desk)
    desk.submit(Retry((id_,)))
    desk.wait(lambda: shop.posts or desk.changes[id_].needs_person, "it is decided", 3_600.0)
    assert shop.pets[52]["name"] == "Bo"


def test_where_a_taken_number_is_refused_the_next_one_is_sent(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop, client_ids=True)
    shop.taken = "refused"
    shop.add(name="Ada")
    desk = a_desk(loop, shop, tmp_path / "desk")
    id_ = create(desk, name="Koi")
    as_its_look_comes(desk, shop, other_pet(shop, 52, name="Koi"))
    desk.wait_for((id_,), ChangeState.DONE)
    assert [body["id"] for body in shop.posts] == [52, 53]
    assert (shop.named("Koi"), desk.changes[id_].result_key) == ([52, 53], 53)


def test_what_is_refused_though_its_number_is_free_is_sent_once_more_and_no_more(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop = BookShop(loop, client_ids=True)
    shop.add(name="Ada")
    desk = a_desk(loop, shop, tmp_path / "desk")
    shop.faults += [Fault(409, body='{"message": "one of this name is there"}', kind="application/json")] * 9
    refused = needs_somebody(desk, create(desk, name="Koi"))
    assert refused.state is ChangeState.REFUSED
    assert refused.reason is not None
    assert refused.reason.message == "one of this name is there"
    assert len(shop.posts) == 2


def test_a_record_that_the_service_kept_in_the_place_of_the_new_one_is_not_called_made(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop = BookShop(loop, client_ids=True)
    shop.taken = "kept"
    shop.add(name="Ada")
    desk = a_desk(loop, shop, tmp_path / "desk")
    id_ = create(desk, name="Koi")
    as_its_look_comes(desk, shop, other_pet(shop, 52, name="Bo"))
    assert needs_somebody(desk, id_).state is ChangeState.UNCERTAIN
    desk.wait_idle()
    assert (shop.named("Koi"), desk.changes[id_].result_key) == ([], None)


def test_a_record_that_was_replaced_at_the_same_moment_is_not_called_made(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop, client_ids=True)
    shop.add(name="Ada")
    desk = a_desk(loop, shop, tmp_path / "desk")
    id_ = create(desk, name="Koi")
    desk.wait(lambda: shop.posts, "it was made")
    other_pet(shop, 52, name="Bo")()
    assert needs_somebody(desk, id_).state is ChangeState.UNCERTAIN
    desk.submit(Retry((id_,)))
    desk.wait_for((id_,), ChangeState.DONE)
    assert shop.pets[52]["name"] == "Bo"
    assert [desk.changes[id_].result_key] == shop.named("Koi")


@pytest.mark.parametrize("taken", ["replaced", "refused", "kept"])
@pytest.mark.parametrize("latencies", [(0.04, 0.04), (0.04, 0.05)])
def test_two_desks_that_make_many_at_the_same_moment_lose_none_unseen(
    loop: VirtualTime, tmp_path: Path, taken: str, latencies: tuple[float, float]
) -> None:
    found = two_desks_create_at_once(loop, tmp_path, seed=1, each=10, taken=taken, latencies=latencies)
    assert found.wrong == []
    assert found.done >= (10 if taken == "kept" else 16)  # what answers with another record has its operation stopped


# ---------------------------------------------------------------- what was sent with a creation


@pytest.mark.parametrize("meanwhile", [True, False])
@pytest.mark.parametrize("known", [True, False])
def test_what_was_sent_with_a_creation_that_a_person_says_was_made_is_found_or_asked_about_too(
    loop: VirtualTime, tmp_path: Path, known: bool, meanwhile: bool
) -> None:
    """An edit that waits is sent in the same request. `known`: the list had come whole shortly before; `meanwhile`: the
    person says it while the list is read."""
    shop = BookShop(loop)
    desk = a_desk(loop, shop, tmp_path / "desk")
    loop.run_for(0.0 if known else 120.0)
    shop.faults.append(Fault(done=True))
    new = Ref(Resource.PETS, LocalId.new())
    made, renamed = desk.apply(
        NewChange(new, Create({"name": "Koi"})), NewChange(new, SetFields({"name": "Rex"}), {"name": "Koi"})
    )
    if meanwhile:
        desk.wait(lambda: desk.changes[made].state is ChangeState.UNCERTAIN, "nobody knows what became of it")
    elif not known:
        needs_somebody(desk, made)
    desk.submit(Decide("said", (Decided((made,), Choice.DONE),)))
    if not known:
        desk.wait_for((made,), ChangeState.DONE)
        assert needs_somebody(desk, renamed).state is ChangeState.UNCERTAIN
        desk.wait_idle()
        desk.submit(Decide("said too", (Decided((renamed,), Choice.DONE),)))
    desk.wait_for((made, renamed), ChangeState.DONE)
    assert (len(shop.named("Rex")), len(shop.posts)) == (1, 1)
