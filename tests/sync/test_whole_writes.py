"""A request that takes the place of a whole record has all in it that was shown of the record, or it is not sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from petstore_desktop.domain.changes import ChangeState, Create, Delete, NewChange, SetFields
from petstore_desktop.domain.commands import Retry, Revert
from petstore_desktop.domain.records import LocalId, Ref, Resource
from tests.support.book_shop import BookShop
from tests.support.shaped_shop import NUMBER, TEXT, Json, ShapedShop
from tests.support.virtual_desk import VirtualDesk, a_desk
from tests.support.virtual_time import VirtualTime

PET = {"name": "Koi", "status": "available", "colour": "red"}
FLAT = {"name": TEXT, "status": TEXT}


def in_attributes(number: int, pet: Json) -> Json:
    """As JSON:API and Strapi do."""
    return {"id": number, "attributes": pet}


def in_data(number: int, pet: Json) -> Json:
    """What is not the program's lies deeper."""
    return {"id": number, "name": pet.get("name"), "status": pet.get("status"), "data": {"colour": pet.get("colour")}}


def flat(number: int, pet: Json) -> Json:
    return {"id": number, **pet}


def deeper(number: int, pet: Json) -> Json:
    return {"id": number, "attributes": {**pet, "about": {"colour": pet.get("colour"), "weight": 3}}}


def ended(desk: VirtualDesk, ids: tuple[int, ...]) -> Any:
    """The one change, once it has come to an end."""
    over = (ChangeState.DONE, ChangeState.CONFLICT, ChangeState.REFUSED)
    desk.wait(lambda: all(desk.changes[id_].state in over for id_ in ids), "it has come to an end")
    return desk.changes[ids[-1]]


def undone(desk: VirtualDesk, id_: int) -> Any:
    """The opposite of a change, once that has come to an end."""
    known = set(desk.changes)
    desk.submit(Revert(desk.changes[id_].batch))
    desk.wait(lambda: desk.changes.keys() - known, "it is saved")
    return ended(desk, tuple(desk.changes.keys() - known))


RENAMED = NewChange(Ref(Resource.PETS, 1), SetFields({"name": "Rex"}), {"name": "Koi"})
DELETED = NewChange(Ref(Resource.PETS, 1), Delete())


@pytest.mark.parametrize("told", [True, False], ids=["told", "untold"])
def test_what_answers_keep_in_an_inner_object_goes_back_where_the_body_has_it(
    loop: VirtualTime, tmp_path: Path, told: bool
) -> None:
    shop = ShapedShop(loop, in_attributes, {**FLAT, "colour": TEXT}, PET, told=told)
    desk = a_desk(loop, shop, tmp_path)
    assert ended(desk, desk.apply(RENAMED)).state is ChangeState.DONE
    assert shop.pets[1] == {**PET, "name": "Rex"}
    assert shop.written == [("PUT", "/pets/1", {**PET, "name": "Rex"})]


@pytest.mark.parametrize(
    ("shows", "body", "names"),
    [
        (in_attributes, FLAT, "attributes.colour"),
        (in_data, {**FLAT, "colour": TEXT}, "colour"),
        (deeper, {**FLAT, "colour": TEXT}, "attributes.about"),
    ],
    ids=["attributes", "data", "deeper"],
)
def test_what_was_shown_and_is_not_in_the_body_keeps_it_from_being_sent(
    loop: VirtualTime, tmp_path: Path, shows: Any, body: Json, names: str
) -> None:
    shop = ShapedShop(loop, shows, body, PET)
    desk = a_desk(loop, shop, tmp_path)
    change = ended(desk, desk.apply(RENAMED))
    assert (change.state, change.reason.code, change.reason.message) == (ChangeState.REFUSED, "list-shows-less", names)
    assert (shop.pets[1], shop.written) == (PET, [])
    desk.submit(Retry((change.id,)))  # a person has read which ones
    desk.wait(lambda: shop.written, "it is sent")
    assert shop.written[0][2]["name"] == "Rex"


def test_a_deletion_is_undone_with_all_that_was_shown(loop: VirtualTime, tmp_path: Path) -> None:
    shop = ShapedShop(loop, in_attributes, {**FLAT, "colour": TEXT}, PET)
    desk = a_desk(loop, shop, tmp_path)
    deletion = ended(desk, desk.apply(DELETED))
    assert (deletion.state, 1 in shop.pets) == (ChangeState.DONE, False)
    assert undone(desk, deletion.id).state is ChangeState.DONE
    assert shop.pets[3] == PET


def test_a_deletion_that_would_come_back_with_less_is_undone_only_once_a_person_knows(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop = ShapedShop(loop, in_attributes, FLAT, PET)
    desk = a_desk(loop, shop, tmp_path)
    deletion = ended(desk, desk.apply(DELETED))
    change = undone(desk, deletion.id)
    assert (change.state, change.reason.message, shop.written) == (ChangeState.REFUSED, "attributes.colour", [])


def test_what_is_new_has_nothing_to_lose(loop: VirtualTime, tmp_path: Path) -> None:
    shop = ShapedShop(loop, in_attributes, {**FLAT, "colour": TEXT}, PET)
    desk = a_desk(loop, shop, tmp_path)
    new = NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": "Rex", "status": "available"}))
    assert ended(desk, desk.apply(new)).state is ChangeState.DONE


def test_what_the_document_forbids_is_the_services_own(loop: VirtualTime, tmp_path: Path) -> None:
    def shows(number: int, pet: Json) -> Json:
        return {"id": number, "created": "2026-01-01", "seen": 7, **pet}

    body = {**FLAT, "colour": TEXT, "seen": {**NUMBER, "readOnly": True}}
    shop = ShapedShop(loop, shows, body, PET, more={"additionalProperties": False})
    desk = a_desk(loop, shop, tmp_path)
    assert ended(desk, desk.apply(RENAMED)).state is ChangeState.DONE
    assert shop.pets[1] == {**PET, "name": "Rex"}


WAS: Json = {"name": "Koi", "categoryId": 3, "status": "sold", "chip": "0815", "photoUrls": ["a"]}
LESS = ("chip", "photoUrls")


def test_what_a_list_leaves_out_against_its_document_is_not_lost(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop, put=True, reads=False, hidden=LESS, tells=False)
    shop.add(**WAS)
    number = shop.add(**WAS)
    desk = VirtualDesk(loop, shop, tmp_path)
    desk.wait_idle()
    change = ended(desk, desk.apply(replace(RENAMED, ref=Ref(Resource.PETS, number))))
    assert (change.state, change.reason.code, change.reason.message) == (
        ChangeState.REFUSED,
        "list-shows-less",
        ", ".join(LESS),
    )
    assert (shop.pets[number], shop.written) == ({**WAS, "id": number}, [])
    desk.submit(Retry((change.id,)))  # a person has read which ones
    desk.wait_for((change.id,), ChangeState.DONE)
    assert shop.pets[number]["name"] == "Rex"


def test_so_it_is_with_a_field_that_the_program_knows(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop, put=True, reads=False, hidden=("status",), tells=False)
    number = shop.add(**WAS)
    desk = VirtualDesk(loop, shop, tmp_path)
    desk.wait_idle()
    change = ended(desk, desk.apply(replace(RENAMED, ref=Ref(Resource.PETS, number))))
    assert (change.state, change.reason.message, shop.written) == (ChangeState.REFUSED, "status", [])


def test_a_field_that_others_of_the_list_show_is_empty_where_it_is_left_out(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop, put=True, reads=False)
    shop.add(**WAS)
    number = shop.add(name="Koi")
    desk = VirtualDesk(loop, shop, tmp_path)
    desk.wait_idle()
    assert ended(desk, desk.apply(replace(RENAMED, ref=Ref(Resource.PETS, number)))).state is ChangeState.DONE
    assert shop.pets[number] == {"id": number, "name": "Rex"}


def test_a_list_that_left_fields_out_in_an_earlier_run_is_known_to_do_so(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop, put=True, reads=False, hidden=LESS, tells=False)
    number = shop.add(**WAS)
    desk = VirtualDesk(loop, shop, tmp_path)
    desk.wait_idle()
    desk.close()
    desk.start()
    desk.wait_idle()
    change = ended(desk, desk.apply(replace(RENAMED, ref=Ref(Resource.PETS, number))))
    assert (change.state, change.reason.message, shop.written) == (ChangeState.REFUSED, ", ".join(LESS), [])


@pytest.mark.parametrize("deprecated", [True, False])
def test_what_a_list_leaves_out_is_read_with_the_record_where_that_is_offered(
    loop: VirtualTime, tmp_path: Path, deprecated: bool
) -> None:
    shop = BookShop(loop, put=True, hidden=LESS, tells=False)
    shop.deprecated_read = deprecated
    number = shop.add(**WAS)
    desk = VirtualDesk(loop, shop, tmp_path)
    desk.wait_idle()
    assert ended(desk, desk.apply(replace(RENAMED, ref=Ref(Resource.PETS, number)))).state is ChangeState.DONE
    assert shop.pets[number] == {**WAS, "id": number, "name": "Rex"}
